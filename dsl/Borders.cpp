#include "dsl/Borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "dsl/Calls.h"
#include "dsl/Exteriors.h"
#include "dsl/MoveRepeats.h"
#include "dsl/Texts.h"
#include "hwgen/passes/region/InferDomain.h"
#include "hwgen/passes/region/InferRates.h"

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
        if (const Select *s = a.as<Select>()) return Select::make(s->condition, both(s->true_value), both(s->false_value));
        return T::make(a, op->b);
    }
};

/** The form as Halide's BoundaryConditions write it. */
Expr form(hwgen::Border border, const Expr &inner, const Expr &lo, const Expr &hi) {
    const Expr extent = simplify(hi - lo + 1);
    const Expr inside = max(min(inner, hi), lo);
    Expr outside;
    switch (border) {
    case hwgen::Border::Edge:
    case hwgen::Border::Least:
    case hwgen::Border::Largest:
    case hwgen::Border::Any: return inside;   // the last three are no user's
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

/** That no image is empty: what reads one is never computed of it. Without that the two sides of a clamp could be in either order. */
class NoImageIsEmpty : public IRGraphVisitor {
public:
    explicit NoImageIsEmpty(const std::vector<Expr> &bounds) {
        for (const Expr &e : bounds) e.accept(this);
    }
    Scope<Interval> extents;

protected:
    using IRGraphVisitor::visit;
    void visit(const Variable *op) override {
        const bool is_extent = op->param.defined() && op->param.is_buffer() && op->name.find(".extent.") != std::string::npos;
        if (is_extent && !extents.contains(op->name)) extents.push(op->name, Interval(1, Interval::pos_inf()));
    }
};

/** Leaves the number of what it takes in place of a domain. */
class Taker : public IRGraphMutator {
public:
    Taker(const hwgen::Region &region, const hwgen::Func &f, size_t first) : region(region), f(f), first(static_cast<int>(first)) {
    }

    std::vector<TakenBorder> taken;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide || hwgen::is_table_read(region, *op)) return IRGraphMutator::visit(op);
        std::vector<Expr> args = op->args;
        for (size_t dim = 0; dim < args.size() && dim < f.vars.size(); dim++) {
            if (hwgen::index_of(args[dim], f.vars[dim])) continue;
            const std::optional<BorderedIndex> b = bordered_index(args[dim], f.vars[dim], f.vars);
            if (!b) continue;
            taken.push_back({f.name, op->name, dim, *b, shown(Expr(op))});
            args[dim] = hwgen::with_border(b->border, b->inner, first + static_cast<int>(taken.size()) - 1);
        }
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

private:
    const hwgen::Region &region;
    const hwgen::Func &f;
    const int first;
};

/** The border of `index` around `inner`, which moves with `var`. */
std::optional<BorderedIndex> border_around(const Expr &index, const Expr &inner, const std::string &var) {
    Bounds bounds(var);
    Distribute().mutate(index).accept(&bounds);
    for (const Expr &lo : bounds.lows) {
        for (const Expr &hi : bounds.highs) {
            for (hwgen::Border b : {hwgen::Border::Edge, hwgen::Border::MirrorImage, hwgen::Border::MirrorInterior, hwgen::Border::Repeat}) {
                if (same(index, simplify(form(b, inner, lo, hi)))) return BorderedIndex{b, inner, lo, hi};
            }
            if (same(index, simplify((inner - lo) % (hi - lo + 1) + lo))) return BorderedIndex{hwgen::Border::Repeat, inner, lo, hi};
            // The other way round hi wins where lo is above it.
            if (!same(index, simplify(min(max(inner, lo), hi)))) continue;
            const bool is_ordered = can_prove(lo <= hi, NoImageIsEmpty({lo, hi}).extents);
            return BorderedIndex{hwgen::Border::Edge, inner, is_ordered ? lo : simplify(min(lo, hi)), hi};
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

/** `place` for what moves as `inner`, and for what is a number more or less. */
class AroundPlace : public IRGraphMutator {
public:
    AroundPlace(const Expr &inner, const std::string &var, Expr place) : map(*hwgen::index_map_of(inner, var)), var(var), place(std::move(place)) {}
    using IRGraphMutator::mutate;
    Expr mutate(const Expr &e) override {
        if (e.type() == Int(32) && expr_uses_var(e, var)) {
            const auto own = hwgen::index_map_of(e, var);
            if (own && own->period == map.period && own->step == map.step) {
                const int more = own->offset[0] - map.offset[0];
                bool is_shifted = true;
                for (size_t p = 0; p < map.offset.size(); p++) is_shifted = is_shifted && own->offset[p] == map.offset[p] + more;
                if (is_shifted) return place + more;
            }
        }
        return IRGraphMutator::mutate(e);
    }

private:
    const hwgen::IndexMap map;
    const std::string var;
    const Expr place;
};

/** ... around `inner`, which moves at another rate. Its constant may stand elsewhere in `index`, e.g. on the other side of a comparison or in a division. */
std::optional<BorderedIndex> border_around_rate(const Expr &index, const Expr &inner, const std::string &var) {
    const std::string name = "argent.place";
    const Expr place = Variable::make(Int(32), name), around = simplify(AroundPlace(inner, var, place).mutate(index));
    if (expr_uses_var(around, var)) return std::nullopt;
    return border_around(around, place, name);
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
        if (map.is_plain()) b = border_around(simplify(substitute(var, x - map.offset[0], plain)), x, var);
        else b = border_around(plain, inner, var);   // with numbers as bounds, comparisons have been simplified to ones of `var`
        if (!b) b = border_around_rate(plain, inner, var);   // of a plain place, too: ((3*y + 1)/2*2)/3 is y, which simplify does not see
        if (!b) b = border_around_rate(distributed, inner, var);
        if (b) {
            b->inner = inner;
            return b;
        }
    }
    return std::nullopt;
}

std::optional<BorderedIndex> bordered_index(const Expr &index, const std::string &var, const std::vector<std::string> &vars) {
    std::optional<BorderedIndex> b = bordered_index(index, var);
    const auto moves = [&](const Expr &e) {
        return e.defined() && std::any_of(vars.begin(), vars.end(), [&](const std::string &v) { return expr_uses_var(e, v); });
    };
    return b && (moves(b->min) || moves(b->max)) ? std::nullopt : b;
}

namespace {

/** Gives a region of one rate one domain for all its borders, if they share one: then the fabric needs to know no other than the
 *  scan's own. `region` has the borders without domains. */
bool has_common_domain(hwgen::Region &region, const std::vector<TakenBorder> &taken) {
    const auto agree = [](Expr &known, const Expr &e) {
        if (!e.defined()) return true;
        if (!known.defined()) known = e;
        return same(known, e);
    };
    for (const TakenBorder &t : taken) {
        hwgen::Domain1 &domain = region.borders[t.dim];
        if (!agree(domain.min, t.index.min) || !agree(domain.max, t.index.max)) return false;
    }
    // A read that is open at a side must not reach it, since others end there.
    const hwgen::Domain outside = hwgen::infer_domain(region);
    for (const TakenBorder &t : taken) {
        const hwgen::Range &beyond = outside.outside.at(t.reader)[t.dim];
        const hwgen::Func &reader = *std::find_if(region.funcs.begin(), region.funcs.end(), [&](const hwgen::Func &f) { return f.name == t.reader; });
        const int offset = hwgen::index_map_of(t.index.inner, reader.vars[t.dim])->offset[0];
        const hwgen::Domain1 &domain = region.borders[t.dim];
        if (!t.index.min.defined() && domain.min.defined() && beyond.min - offset > 0) return false;
        if (!t.index.max.defined() && domain.max.defined() && beyond.max + offset > 0) return false;
    }
    for (hwgen::Domain1 &domain : region.borders) {
        if (domain.is_open()) continue;
        if (!domain.min.defined()) domain.min = Int(32).min();
        if (!domain.max.defined()) domain.max = Int(32).max();
    }
    return true;
}

/** What stands in place of an index that was taken. */
using Place = std::function<Expr(size_t taken, const Call &border)>;

void replace_taken(hwgen::Region &region, const Place &place) {
    struct Replace : IRGraphMutator {
        const hwgen::Region &region;
        const Place &place;
        const hwgen::Func &f;
        Replace(const hwgen::Region &region, const Place &place, const hwgen::Func &f) : region(region), place(place), f(f) {}
        using IRGraphMutator::visit;
        Expr visit(const Call *op) override {
            if (op->call_type != Call::Halide || hwgen::is_table_read(region, *op)) return IRGraphMutator::visit(op);
            std::vector<Expr> args = op->args;
            for (size_t dim = 0; dim < args.size() && dim < f.vars.size(); dim++) {
                const std::optional<hwgen::Index> index = hwgen::index_of(args[dim], f.vars[dim]);
                if (index && index->has_own_domain()) args[dim] = place(static_cast<size_t>(index->domain), *args[dim].as<Call>());
            }
            return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
        }
    };
    for (hwgen::Func &f : region.funcs) {
        if (f.value.defined()) f.value = Replace(region, place, f).mutate(f.value);
    }
}

/** Every border has a domain of its own. An input that all its readers see alike goes on beyond its edges before it enters the scan. */
class OwnDomains {
public:
    OwnDomains(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &d) : region(region), call(call), where(where), d(d) {
    }

    std::vector<std::set<std::string>> run(const std::vector<TakenBorder> &taken) {
        find_edges(taken);
        for (const TakenBorder &t : taken) {
            if (!t.is_gone && t.index.border == hwgen::Border::Repeat && !is_edge(t)) refuse(t);
        }
        if (d.has_errors() && blames_others) return {};
        if (d.has_errors()) return repeated == moved_from ? std::vector{repeated} : std::vector{repeated, moved_from};
        replace_taken(region, [&](size_t i, const Call &border) {
            const TakenBorder &t = taken[i];
            return is_edge(t) ? border.args[0] : hwgen::with_border(t.index.border, border.args[0], domain_of(t));
        });
        for (hwgen::Func &f : region.funcs) {
            for (size_t dim = 0; dim < f.edges.size(); dim++) {
                if (edges.count({f.name, dim})) f.edges[dim] = edges.at({f.name, dim});
            }
        }
        return {};
    }

private:
    using Key = std::pair<std::string, size_t>;   // a Func and a dimension

    static bool agrees(const Expr &a, const Expr &b) { return a.defined() == b.defined() && (!a.defined() || same(a, b)); }
    static bool agree(const hwgen::Domain1 &a, const hwgen::Domain1 &b) { return agrees(a.min, b.min) && agrees(a.max, b.max); }
    bool is_edge(const TakenBorder &t) const { return edges.count({t.producer, t.dim}) != 0; }

    void find_edges(const std::vector<TakenBorder> &taken) {
        std::set<Key> differ;
        for (const TakenBorder &t : taken) {
            if (t.is_gone) continue;
            const Key key{t.producer, t.dim};
            const hwgen::Edges own{{t.index.min, t.index.max}, t.index.border};
            const auto known = edges.emplace(key, own).first;
            if (known->second.border != own.border || !agree(known->second, own)) differ.insert(key);
        }
        for (const hwgen::Func &f : region.funcs) {
            if (f.kind == hwgen::Func::Kind::Stage) {
                for (size_t dim = 0; dim < 2; dim++) edges.erase({f.name, dim});
            }
            if (f.value.defined()) find_plain(f, differ);
        }
        for (const Key &key : differ) edges.erase(key);
    }

    /** Inputs that are read as they are. */
    void find_plain(const hwgen::Func &f, std::set<Key> &differ) {
        struct Finder : IRGraphVisitor {
            const hwgen::Func &f;
            std::set<Key> &differ;
            Finder(const hwgen::Func &f, std::set<Key> &differ) : f(f), differ(differ) {}
            using IRGraphVisitor::visit;
            void visit(const Call *op) override {
                IRGraphVisitor::visit(op);
                for (size_t dim = 0; op->call_type == Call::Halide && dim < op->args.size() && dim < f.vars.size(); dim++) {
                    const std::optional<hwgen::Index> index = hwgen::index_of(op->args[dim], f.vars[dim]);
                    if (!index || !index->border) differ.insert({op->name, dim});
                }
            }
        } finder(f, differ);
        f.value.accept(&finder);
    }

    int domain_of(const TakenBorder &t) {
        for (size_t i = 0; i < region.domains.size(); i++) {
            if (agree(region.domains[i], {t.index.min, t.index.max})) return static_cast<int>(i);
        }
        region.domains.push_back({t.index.min, t.index.max});
        return static_cast<int>(region.domains.size()) - 1;
    }

    /** Where a stage could be read anywhere. */
    std::string in_ram(const hwgen::Func &f) const {
        if (std::count(region.outputs.begin(), region.outputs.end(), f.name)) return "";
        return fmt::format("keep it in a RAM, buffered({}), ", user_name(func_of(f.name)));
    }

    void refuse(const TakenBorder &t) {
        const hwgen::Func &f = *std::find_if(region.funcs.begin(), region.funcs.end(), [&](const hwgen::Func &f) { return f.name == t.producer; });
        const std::string label = f.label.empty() ? user_name(f.name) : f.label;
        const bool is_out = std::count(region.outputs.begin(), region.outputs.end(), f.name) > 0;
        if (f.kind == hwgen::Func::Kind::Stage && !is_out) {
            repeated.insert(f.name);
            moved_from.insert(t.moved_from.empty() ? f.name : t.moved_from);
        } else {
            blames_others = true;
        }
        if (!blamed.insert(t.reader + label).second) return;
        if (f.kind == hwgen::Func::Kind::Stage) {
            d.error(where, fmt::format("{}: {} reads {}, which repeats what the accelerator computes: its last {} would be needed before its first, and only an input's "
                                       "can be fetched twice",
                                       call, user_name(t.reader), t.text, t.dim == 0 ? "columns" : "rows"),
                    {fmt::format("{}repeat the inputs of {} in place of it, or let the host compute it, and list it as an input", in_ram(f), label)});
        } else {
            d.error(where, fmt::format("{}: {} reads {}, which repeats {}, and other reads of it do not: what is fetched again is fetched for all of them", call,
                                       user_name(t.reader), t.text, label),
                    {"read it everywhere with the same border, or list the padded image as an input and the host computes it"});
        }
    }

    hwgen::Region &region;
    const std::string &call;
    const Location &where;
    Diagnostics &d;
    std::map<Key, hwgen::Edges> edges;   // of inputs
    std::set<std::string> blamed;
    std::set<std::string> repeated, moved_from;   // stages that are blamed, and those that the user repeats
    bool blames_others = false;
};

/** Where a border ends is an argument of the launch, which no Func or image can be read for. */
void check_ends(const hwgen::Region &region, const std::vector<TakenBorder> &taken, const std::string &call, const Location &where, Diagnostics &d) {
    for (const TakenBorder &t : taken) {
        for (const hwgen::Param &element : region.params) {   // of tables; others are found later
            const auto ends = [&](const Expr &e) { return e.defined() && expr_uses_var(e, element.variable); };
            if (!ends(t.index.min) && !ends(t.index.max)) continue;
            d.error(where, fmt::format("{}: {} reads {}, and where a border ends may depend on Params and bounds of images, not on {}", call, user_name(t.reader), t.text, element.doc),
                    {"pass that number as a Param"});
            return;
        }
    }
}

}  // namespace

std::vector<std::set<std::string>> take_borders(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &diagnostics) {
    region.borders.resize(region.block.size());
    std::vector<TakenBorder> taken;
    for (hwgen::Func &f : region.funcs) {
        if (!f.value.defined()) continue;
        Taker taker(region, f, taken.size());
        f.value = taker.mutate(f.value);
        taken.insert(taken.end(), taker.taken.begin(), taker.taken.end());
    }
    if (taken.empty()) return {};
    check_ends(region, taken, call, where, diagnostics);
    if (diagnostics.has_errors()) return {};
    move_repeats(region, taken);
    Diagnostics reported_later;
    const bool repeats = std::any_of(taken.begin(), taken.end(), [](const TakenBorder &t) { return t.index.border == hwgen::Border::Repeat; });
    const bool has_boxes = std::any_of(region.output_funcs.begin(), region.output_funcs.end(), [](int func) { return func > 0; });   // and no domain of all
    if (!repeats && !has_boxes && region.buffered.empty() && !hwgen::infer_rates(region, reported_later).several()) {
        hwgen::Region common = region;
        replace_taken(common, [&](size_t i, const Call &border) { return hwgen::with_border(taken[i].index.border, border.args[0]); });
        if (has_common_domain(common, taken)) {
            region = std::move(common);
            tell_exteriors(region);
            return {};
        }
    }
    return OwnDomains(region, call, where, diagnostics).run(taken);
}

}  // namespace argent::dsl
