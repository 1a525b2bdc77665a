#include "dsl/Borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "dsl/Texts.h"
#include "hwgen/passes/InferDomain.h"
#include "hwgen/passes/InferRates.h"

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
    void visit(const Mod *op) override {
        if (expr_uses_var(op->a, var) && !expr_uses_var(op->b, var)) repeats(op, make_zero(op->type));
        IRGraphVisitor::visit(op);
    }
    void visit(const Add *op) override {
        const Mod *mod = op->a.as<Mod>();
        if (mod && expr_uses_var(mod->a, var) && !expr_uses_var(mod->b, var) && !expr_uses_var(op->b, var)) repeats(mod, op->b);
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
        if (e.type() == Int(32) && hwgen::index_map_of(e, var)) inners.push_back(e);
    }
    /** place % extent, and first behind it. */
    void repeats(const Mod *op, const Expr &first) {
        lows.push_back(first);
        highs.push_back(simplify(first + op->b - 1));
        take_inner(simplify(op->a + first));
        take_inner(op->a);
    }
    template<typename T>
    void compared(const T *op) {
        take_inner(op->a);
        take_inner(op->b);
        IRGraphVisitor::visit(op);
    }
};

/** The simplifier takes constants out of a clamp; this puts them back: min(x, w) * 2 - 1   ->   min(x * 2 - 1, w * 2 - 1). */
class Distribute : public IRGraphMutator {
    using IRGraphMutator::visit;
    Expr visit(const Add *op) override { return moved<Add>(op); }
    Expr visit(const Sub *op) override { return moved<Sub>(op); }
    Expr visit(const Mul *op) override { return is_positive_const(op->b) ? moved<Mul>(op) : IRGraphMutator::visit(op); }
    Expr visit(const Div *op) override { return is_positive_const(op->b) ? moved<Div>(op) : IRGraphMutator::visit(op); }
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
    case hwgen::Border::Repeat: outside = (inner - lo) % extent + lo; break;
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

/** An index that has been taken. */
struct Taken {
    std::string reader, producer;
    size_t dim;
    BorderedIndex index;
    std::string text;   // of the read
};

class Taker : public IRGraphMutator {
public:
    Taker(const hwgen::Region &region, const hwgen::Func &f) : region(region), f(f) {
    }

    std::vector<Taken> taken;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide || hwgen::is_table_read(region, *op)) return IRGraphMutator::visit(op);
        std::vector<Expr> args = op->args;
        for (size_t dim = 0; dim < args.size() && dim < f.vars.size(); dim++) {
            if (hwgen::index_of(args[dim], f.vars[dim])) continue;
            const std::optional<BorderedIndex> b = bordered_index(args[dim], f.vars[dim]);
            if (!b || (b->min.defined() && moves(b->min, f.vars)) || (b->max.defined() && moves(b->max, f.vars))) continue;
            taken.push_back({f.name, op->name, dim, *b, shown(Expr(op))});
            args[dim] = hwgen::with_border(b->border, b->inner);
        }
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

private:
    const hwgen::Region &region;
    const hwgen::Func &f;
};

/** The border of `index` around `var` itself. */
std::optional<BorderedIndex> border_around(const Expr &index, const std::string &var) {
    const Expr inner = Variable::make(Int(32), var);
    Bounds bounds(var);
    Distribute().mutate(index).accept(&bounds);
    for (const Expr &lo : bounds.lows) {
        for (const Expr &hi : bounds.highs) {
            for (hwgen::Border b : {hwgen::Border::Edge, hwgen::Border::MirrorImage, hwgen::Border::MirrorInterior, hwgen::Border::Repeat}) {
                if (same(index, simplify(form(b, inner, lo, hi)))) return BorderedIndex{b, inner, lo, hi};
            }
            if (same(index, simplify((inner - lo) % (hi - lo + 1) + lo))) return BorderedIndex{hwgen::Border::Repeat, inner, lo, hi};
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

/** ... around `inner`, which moves at another rate. Its constant may stand elsewhere in `index`, e.g. on the other side of a comparison. */
std::optional<BorderedIndex> border_around_rate(const Expr &index, const Expr &inner, const std::string &var) {
    const std::string place = "argent.place";
    const Add *sum = inner.as<Add>();
    const Sub *difference = inner.as<Sub>();
    Expr core = inner, constant = 0;
    if (sum && is_const(sum->b)) core = sum->a, constant = sum->b;
    if (difference && is_const(difference->b)) core = difference->a, constant = -difference->b;
    const Expr around = simplify(substitute(core, Variable::make(Int(32), place) - constant, index));
    if (expr_uses_var(around, var)) return std::nullopt;
    return border_around(around, place);
}

}  // namespace

std::optional<BorderedIndex> bordered_index(const Expr &index, const std::string &var) {
    const Expr plain = simplify(remove_likelies(index)), x = Variable::make(Int(32), var);
    const Expr distributed = Distribute().mutate(plain);
    Bounds bounds(var);
    distributed.accept(&bounds);
    std::set<hwgen::IndexMap> tried;
    for (const Expr &inner : bounds.inners) {
        const hwgen::IndexMap map = *hwgen::index_map_of(inner, var);
        if (!tried.insert(map).second) continue;
        // Around zero, forms simplify to the same expression whatever the names in them are.
        std::optional<BorderedIndex> b;
        if (map.is_plain()) {
            b = border_around(simplify(substitute(var, x - map.offset[0], plain)), var);
        } else {
            b = border_around_rate(plain, inner, var);
            if (!b) b = border_around_rate(distributed, inner, var);
        }
        if (b) {
            b->inner = inner;
            return b;
        }
    }
    return std::nullopt;
}

namespace {

/** One domain for all borders of a region of one rate. */
class DomainOfAll {
public:
    DomainOfAll(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &d)
        : region(region), call(call), where(where), d(d) {
    }

    void run(const std::vector<Taken> &taken) {
        std::vector<const Taken *> joined;
        for (const Taken &t : taken) {
            if (join(t)) joined.push_back(&t);
        }
        const hwgen::Domain domain = hwgen::infer_domain(region);
        for (const Taken *t : joined) {
            if (!t->index.min.defined()) check_open(domain, *t, false);
            if (!t->index.max.defined()) check_open(domain, *t, true);
        }
        for (hwgen::Domain1 &domain : region.borders) {
            if (domain.is_open()) continue;
            if (!domain.min.defined()) domain.min = Int(32).min();
            if (!domain.max.defined()) domain.max = Int(32).max();
        }
    }

private:
    bool join(const Taken &t) {
        hwgen::Domain1 &domain = region.borders[t.dim];
        const auto agree = [&](Expr &known, const Expr &e) {
            if (!e.defined()) return true;
            if (!known.defined()) known = e;
            return same(known, e);
        };
        const hwgen::Domain1 before = domain;
        if (agree(domain.min, t.index.min) && agree(domain.max, t.index.max)) return true;
        const auto range = [](const Expr &a, const Expr &b) {
            return fmt::format("{} to {}", a.defined() ? shown(a) : "any", b.defined() ? shown(b) : "any");
        };
        d.error(where,
                fmt::format("{}: {} reads {} with a border at {}, and another read has one at {}: one accelerator has one domain", call,
                            user_name(t.reader), t.text, range(t.index.min, t.index.max), range(before.min, before.max)),
                {"give both the same bounds, e.g. BoundaryConditions::repeat_edge(f, bounds), or let the host compute one of them"});
        return false;
    }

    void check_open(const hwgen::Domain &domain, const Taken &t, bool at_end) {
        const hwgen::Range &outside = domain.outside.at(t.reader)[t.dim];
        const hwgen::Func &reader = *std::find_if(region.funcs.begin(), region.funcs.end(), [&](const hwgen::Func &f) { return f.name == t.reader; });
        const int offset = hwgen::index_map_of(t.index.inner, reader.vars[t.dim])->offset[0];
        const bool reaches = at_end ? outside.max + offset > 0 : outside.min - offset > 0;
        const bool ends = at_end ? region.borders[t.dim].max.defined() : region.borders[t.dim].min.defined();
        if (!reaches || !ends) return;
        d.error(where,
                fmt::format("{}: {} reads {}, which is open at the {}, where another read has its border", call, user_name(t.reader), t.text,
                            at_end ? "end" : "beginning"),
                {"close it on both sides: clamp(index, first, last)"});
    }

    hwgen::Region &region;
    const std::string &call;
    const Location &where;
    Diagnostics &d;
};

/** An input goes on beyond its edges before it enters the scan, so all its reads see the same. */
class EdgesOfInputs {
public:
    /** `why`: what the region has that the fabric does not do. */
    EdgesOfInputs(hwgen::Region &region, const std::string &why, const std::string &call, const Location &where, Diagnostics &d)
        : region(region), why(why), call(call), where(where), d(d) {
    }

    void run(const std::vector<Taken> &taken) {
        for (const Taken &t : taken) {
            hwgen::Func &producer = producer_of(t);
            if (producer.kind == hwgen::Func::Kind::Input) join(producer, t);
            else refuse(t, "between stages", fmt::format("let the host compute {}, with its border, and list it as an input", label_of(t)));
        }
        if (!d.has_errors()) strip();
    }

private:
    hwgen::Func &producer_of(const Taken &t) {
        return *std::find_if(region.funcs.begin(), region.funcs.end(), [&](const hwgen::Func &f) { return f.name == t.producer; });
    }

    std::string label_of(const Taken &t) {
        const hwgen::Func &f = producer_of(t);
        return f.label.empty() ? user_name(f.name) : f.label;
    }

    void refuse(const Taken &t, const std::string &what, const std::string &note) {
        if (!blamed.insert(t.reader + what).second) return;
        d.error(where, fmt::format("{}: {} reads {}, a border {}, and {} only inputs have borders, the same for all their readers", call,
                                   user_name(t.reader), t.text, what, why),
                {note});
    }

    static bool agree(const hwgen::Edges &a, const hwgen::Edges &b) {
        const auto agrees = [](const Expr &a, const Expr &b) { return a.defined() == b.defined() && (!a.defined() || same(a, b)); };
        return a.border == b.border && agrees(a.min, b.min) && agrees(a.max, b.max);
    }

    void refuse_open(const Taken &t) {
        if (!blamed.insert(t.reader).second) return;
        d.error(where, fmt::format("{}: {} reads {} without the border that other reads of {} have, and {} all of them have to have the same", call,
                                   user_name(t.reader), t.text, label_of(t), why),
                {"read it everywhere as the border makes it, or list the padded image as an input and the host computes it"});
    }

    void join(hwgen::Func &input, const Taken &t) {
        hwgen::Edges &edges = input.edges[t.dim];
        const hwgen::Edges own{{t.index.min, t.index.max}, t.index.border};
        if (joined.insert({input.name, t.dim}).second) edges = own;
        if (agree(edges, own)) return;
        refuse(t, fmt::format("that other reads of {} do not have", label_of(t)), "list the padded image as an input and the host computes it");
    }

    /** Takes the borders out of the reads; a read without one must not be left. */
    void strip() {
        struct Strip : IRGraphMutator {
            EdgesOfInputs &all;
            const hwgen::Func &f;
            Strip(EdgesOfInputs &all, const hwgen::Func &f) : all(all), f(f) {}
            using IRGraphMutator::visit;
            Expr visit(const Call *op) override {
                if (op->call_type != Call::Halide) return IRGraphMutator::visit(op);
                std::vector<Expr> args = op->args;
                for (size_t dim = 0; dim < args.size() && dim < f.vars.size(); dim++) {
                    if (!all.joined.count({op->name, dim})) continue;
                    const Call *border = args[dim].as<Call>();
                    const std::optional<hwgen::Index> index = hwgen::index_of(args[dim], f.vars[dim]);
                    if (index && index->border) args[dim] = border->args[0];
                    else all.refuse_open({f.name, op->name, dim, {}, shown(Expr(op))});
                }
                return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
            }
        };
        for (hwgen::Func &f : region.funcs) {
            if (f.value.defined()) f.value = Strip(*this, f).mutate(f.value);
        }
    }

    hwgen::Region &region;
    const std::string why;
    const std::string &call;
    const Location &where;
    Diagnostics &d;
    std::set<std::pair<std::string, size_t>> joined;   // inputs with edges
    std::set<std::string> blamed;
};

}  // namespace

void take_borders(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &diagnostics) {
    region.borders.resize(region.block.size());
    std::vector<Taken> taken;
    for (hwgen::Func &f : region.funcs) {
        if (!f.value.defined()) continue;
        Taker taker(region, f);
        f.value = taker.mutate(f.value);
        taken.insert(taken.end(), taker.taken.begin(), taker.taken.end());
    }
    if (taken.empty()) return;
    const bool repeats = std::any_of(taken.begin(), taken.end(), [](const Taken &t) { return t.index.border == hwgen::Border::Repeat; });
    Diagnostics reported_later;
    const bool several = hwgen::infer_rates(region, reported_later).several();
    const bool has_boxes = std::any_of(region.output_funcs.begin(), region.output_funcs.end(), [](int func) { return func > 0; });   // and no domain of all
    if (several || has_boxes || repeats) {
        const char *why = several ? "in a region of several rates" : has_boxes ? "where there are outputs of several Funcs" : "where an image is repeated";
        EdgesOfInputs(region, why, call, where, diagnostics).run(taken);
        return;
    }
    Diagnostics other_domains, other_edges;
    hwgen::Region fabric = region, ports = region;
    DomainOfAll(fabric, call, where, other_domains).run(taken);
    if (other_domains.has_errors()) EdgesOfInputs(ports, "", call, where, other_edges).run(taken);
    if (other_domains.has_errors() && !other_edges.has_errors()) region = ports;
    else DomainOfAll(region, call, where, diagnostics).run(taken);
}

}  // namespace argent::dsl
