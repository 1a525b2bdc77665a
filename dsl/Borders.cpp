#include "dsl/Borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "dsl/Texts.h"
#include "hwgen/passes/InferDomain.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Bounds that an index mentions, those of every clamp, min and max of something that moves; and the index before, which is what
 *  they or a comparison (of a mirror) look at. */
struct Bounds : IRGraphVisitor {
    std::string var;
    std::vector<Expr> lows, highs, inners;
    explicit Bounds(std::string var) : var(std::move(var)) {}
    using IRGraphVisitor::visit;
    void visit(const Max *op) override {
        take(op->a, op->b, lows);
        IRGraphVisitor::visit(op);
    }
    void visit(const Min *op) override {
        take(op->a, op->b, highs);
        IRGraphVisitor::visit(op);
    }
    void visit(const LT *op) override { compared(op); }
    void visit(const LE *op) override { compared(op); }

private:
    void take(const Expr &a, const Expr &b, std::vector<Expr> &bounds) {
        const bool a_moves = expr_uses_var(a, var), b_moves = expr_uses_var(b, var);
        if (a_moves == b_moves) return;
        bounds.push_back(a_moves ? b : a);
        take_inner(a_moves ? a : b);
    }
    void take_inner(const Expr &e) {
        if (e.type() == Int(32) && as_const_int(simplify(e - Variable::make(Int(32), var)))) inners.push_back(e);
    }
    template<typename T>
    void compared(const T *op) {
        take_inner(op->a);
        take_inner(op->b);
        IRGraphVisitor::visit(op);
    }
};

/** The simplifier takes constants out of a clamp; this puts them back: min(x, w) - 1   ->   min(x - 1, w - 1). */
class Distribute : public IRGraphMutator {
    using IRGraphMutator::visit;
    Expr visit(const Add *op) override { return moved<Add>(op); }
    Expr visit(const Sub *op) override { return moved<Sub>(op); }
    template<typename T>
    Expr moved(const T *op) {
        if (!is_const(op->b)) return IRGraphMutator::visit(op);
        const Expr a = mutate(op->a);
        const auto both = [&](const Expr &e) {
            const Expr one = mutate(T::make(e, op->b));
            return one.as<Min>() || one.as<Max>() ? one : simplify(one);   // which would take the constant out again
        };
        if (const Min *m = a.as<Min>()) return Min::make(both(m->a), both(m->b));
        if (const Max *m = a.as<Max>()) return Max::make(both(m->a), both(m->b));
        return T::make(a, op->b);
    }
};

/** The form as Halide's BoundaryConditions write it. */
Expr form(hwgen::Border border, const Expr &inner, const Expr &lo, const Expr &hi) {
    const Expr extent = simplify(hi - lo + 1);
    const Expr inside = max(min(inner, hi), lo);
    Expr outside;
    switch (border) {
    case hwgen::Border::Edge: return inside;
    case hwgen::Border::MirrorImage: {
        const Expr place = (inner - lo) % (2 * extent);
        outside = clamp(select(place >= extent, 2 * extent - 1 - place, place) + lo, lo, hi);
        break;
    }
    case hwgen::Border::MirrorInterior: {
        const Expr limit = extent - 1;
        outside = limit - cast<int>(abs((inner - lo) % (2 * limit) - limit)) + lo;
        break;
    }
    }
    return select(inner < lo || inner >= lo + extent, outside, inside);
}

bool same(const Expr &a, const Expr &b) {
    if (equal(a, b)) return true;
    const Expr difference = simplify(a - b);
    return is_const_zero(difference) || can_prove(a == b);
}

/** Loop variables, and nothing that the host could compute. */
bool moves(const Expr &e, const std::vector<std::string> &vars) {
    return std::any_of(vars.begin(), vars.end(), [&](const std::string &v) { return expr_uses_var(e, v); });
}

class Taker : public IRGraphMutator {
public:
    Taker(hwgen::Region &region, const hwgen::Func &f, const std::string &call, const Location &where, Diagnostics &d)
        : region(region), f(f), call(call), where(where), d(d) {
    }

    struct OpenSide {
        size_t dim;
        bool at_end;
        int offset;
        std::string text;
    };
    std::vector<OpenSide> open;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide || hwgen::is_table_read(region, *op)) return IRGraphMutator::visit(op);
        std::vector<Expr> args = op->args;
        for (size_t dim = 0; dim < args.size() && dim < f.vars.size(); dim++) {
            if (hwgen::index_of(args[dim], f.vars[dim])) continue;
            const std::optional<BorderedIndex> b = bordered_index(args[dim], f.vars[dim]);
            if (!b || (b->min.defined() && moves(b->min, f.vars)) || (b->max.defined() && moves(b->max, f.vars))) continue;
            const std::string text = shown(Expr(op));
            if (!join(dim, b->min, b->max, text)) continue;
            const int offset = static_cast<int>(*as_const_int(simplify(b->inner - Variable::make(Int(32), f.vars[dim]))));
            if (!b->min.defined()) open.push_back({dim, false, offset, text});
            if (!b->max.defined()) open.push_back({dim, true, offset, text});
            args[dim] = hwgen::with_border(b->border, b->inner);
        }
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

private:
    bool join(size_t dim, const Expr &lo, const Expr &hi, const std::string &text) {
        hwgen::Domain1 &domain = region.borders[dim];
        const auto agree = [&](Expr &known, const Expr &e) {
            if (!e.defined()) return true;
            if (!known.defined()) known = e;
            return same(known, e);
        };
        const hwgen::Domain1 before = domain;
        if (agree(domain.min, lo) && agree(domain.max, hi)) return true;
        const auto range = [](const Expr &a, const Expr &b) {
            return fmt::format("{} to {}", a.defined() ? shown(a) : "any", b.defined() ? shown(b) : "any");
        };
        d.error(where,
                fmt::format("{}: {} reads {} with a border at {}, and another read has one at {}: one accelerator has one domain", call,
                            user_name(f.name), text, range(lo, hi), range(before.min, before.max)),
                {"give both the same bounds, e.g. BoundaryConditions::repeat_edge(f, bounds), or let the host compute one of them"});
        return false;
    }

    hwgen::Region &region;
    const hwgen::Func &f;
    const std::string &call;
    const Location &where;
    Diagnostics &d;
};

}  // namespace

namespace {

/** The border of `index` around `var` itself. */
std::optional<BorderedIndex> border_around(const Expr &index, const std::string &var) {
    const Expr inner = Variable::make(Int(32), var);
    Bounds bounds(var);
    Distribute().mutate(index).accept(&bounds);
    for (const Expr &lo : bounds.lows) {
        for (const Expr &hi : bounds.highs) {
            for (hwgen::Border b : {hwgen::Border::Edge, hwgen::Border::MirrorImage, hwgen::Border::MirrorInterior}) {
                if (same(index, simplify(form(b, inner, lo, hi)))) return BorderedIndex{b, inner, lo, hi};
            }
        }
    }
    for (const Expr &lo : bounds.lows) {
        if (same(index, simplify(max(inner, lo)))) return BorderedIndex{hwgen::Border::Edge, inner, lo, {}};
    }
    for (const Expr &hi : bounds.highs) {
        if (same(index, simplify(min(inner, hi)))) return BorderedIndex{hwgen::Border::Edge, inner, {}, hi};
    }
    return std::nullopt;
}

}  // namespace

std::optional<BorderedIndex> bordered_index(const Expr &index, const std::string &var) {
    const Expr plain = simplify(remove_likelies(index)), x = Variable::make(Int(32), var);
    Bounds bounds(var);
    Distribute().mutate(plain).accept(&bounds);
    std::set<int64_t> tried;
    for (const Expr &inner : bounds.inners) {
        const int64_t offset = *as_const_int(simplify(inner - x));
        if (!tried.insert(offset).second) continue;
        // Around zero, forms simplify to the same expression whatever the names in them are.
        const Expr around = simplify(substitute(var, x - make_const(Int(32), offset), plain));
        if (std::optional<BorderedIndex> b = border_around(around, var)) {
            b->inner = inner;
            return b;
        }
    }
    return std::nullopt;
}

void take_borders(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &diagnostics) {
    region.borders.resize(region.block.size());
    std::vector<std::pair<std::string, Taker::OpenSide>> open;
    for (hwgen::Func &f : region.funcs) {
        if (!f.value.defined()) continue;
        Taker taker(region, f, call, where, diagnostics);
        f.value = taker.mutate(f.value);
        for (const Taker::OpenSide &side : taker.open) open.emplace_back(f.name, side);
    }
    const hwgen::Domain domain = hwgen::infer_domain(region);
    for (const auto &[name, side] : open) {
        const hwgen::Range &outside = domain.outside.at(name)[side.dim];
        const bool reaches = side.at_end ? outside.max + side.offset > 0 : outside.min - side.offset > 0;
        const bool ends = side.at_end ? region.borders[side.dim].max.defined() : region.borders[side.dim].min.defined();
        if (!reaches || !ends) continue;
        diagnostics.error(where,
                          fmt::format("{}: {} reads {}, which is open at the {}, where another read has its border", call, user_name(name),
                                      side.text, side.at_end ? "end" : "beginning"),
                          {"close it on both sides: clamp(index, first, last)"});
    }
    for (size_t dim = 0; dim < region.borders.size(); dim++) {
        hwgen::Domain1 &d = region.borders[dim];
        if (!d.min.defined() && !d.max.defined()) continue;
        if (!d.min.defined()) d.min = Int(32).min();
        if (!d.max.defined()) d.max = Int(32).max();
    }
}

}  // namespace argent::dsl
