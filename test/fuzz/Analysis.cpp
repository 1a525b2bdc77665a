#include "Analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "Random.h"

namespace argent::fuzz {

namespace {

/** factor * rvar + constant, over the domain. */
Range affine(int factor, int min, int extent, int constant) {
    const int a = factor * min, b = factor * (min + extent - 1);
    return {std::min(a, b) + constant, std::max(a, b) + constant};
}

std::optional<Range> reduce(const Term &t, const Scope &scope) {
    if (!scope.stage || t.index >= int(scope.stage->domains.size())) return {};
    Scope inner = scope;
    inner.domain = &scope.stage->domains[t.index];
    const auto body = range_of(*t.args[0], inner);
    if (!body) return {};
    const int n = inner.domain->points();
    if (t.op == "sum") return wrapped({std::min<Wide>(0, n * body->lo), std::max<Wide>(0, n * body->hi)}, t.type);
    if (t.op == "maximum" || t.op == "minimum") return inner.domain->where ? range_of_type(t.type) : *body;
    Range all = {1, 1};
    for (int i = 0; i < n; i++) {
        const auto next = wrapped(product(all, *body), t.type);
        if (!next) return {};
        all = all.hull(*next);
    }
    return all;
}

/** The values that readers see, of one that has these. */
Range seen_outside(Border border, Range range) {
    return border == Border::Exterior ? range.hull({exterior_value, exterior_value}) : range;
}

/** Whether a term has a leaf or reduction of this kind in it, or in what its locals stand for. */
bool mentions(const Stage &f, const TermPtr &t, Term::Kind kind) {
    bool found = false;
    visit_terms(t, [&](const TermPtr &part) {
        found = found || part->kind == kind || (part->kind == Term::Kind::Local && mentions(f, f.lets[part->index], kind));
    });
    return found;
}

bool is_constant(const Stage *f, const TermPtr &t) {
    bool is_all = true;
    visit_terms(t, [&](const TermPtr &part) {
        if (part->kind == Term::Kind::Local) is_all = is_all && f && is_constant(f, f->lets[part->index]);
        else is_all = is_all && (part->kind == Term::Kind::Constant || part->kind == Term::Kind::Operator);
    });
    return is_all;
}

/** Halide's simplifier takes a comparison with a loop's variable for one of the difference with 0, in 32 bits that may overflow; the
 *  values that it computes are then not those that the user wrote. */
bool overflows_as_a_difference(const Term &t, const Operands &o, const Scope &s) {
    static const std::set<std::string> comparisons = {"eq", "ne", "lt", "le", "gt", "ge", "min", "max"};
    if (!comparisons.count(t.op) || o.types[0] != Halide::Int(32) || !s.stage) return false;
    const bool moves = std::any_of(t.args.begin(), t.args.end(), [&](const TermPtr &a) { return mentions(*s.stage, a, Term::Kind::Coord); });
    const Range difference = {o.ranges[0].lo - o.ranges[1].hi, o.ranges[0].hi - o.ranges[1].lo};
    return moves && !difference.within(range_of_type(Halide::Int(32)));
}

}  // namespace

std::optional<Range> range_of(const Term &t, const Scope &s) {
    const int inputs = static_cast<int>(s.pipeline.inputs.size());
    switch (t.kind) {
    case Term::Kind::Constant: {
        const Wide v = t.type.is_uint() ? Wide(static_cast<uint64_t>(t.value)) : Wide(t.value);
        return Range{v, v};
    }
    case Term::Kind::Param: {
        const ParamDecl &d = s.pipeline.params[t.index];
        return d.has_range ? Range{d.min, d.max} : range_of_type(d.type);
    }
    case Term::Kind::Coord: return Range{-farthest_coordinate, farthest_coordinate};
    case Term::Kind::RVar: {
        if (!s.domain) return {};
        return t.index ? affine(1, s.domain->min_y, s.domain->extent_y, 0) : affine(1, s.domain->min_x, s.domain->extent_x, 0);
    }
    case Term::Kind::Local:
        if (t.index >= int(s.lets.size())) return {};
        return s.lets[t.index];
    case Term::Kind::Self: return s.self;
    case Term::Kind::Read:
        if ((t.rx || t.ry) && !s.domain) return {};
        return seen_outside(s.pipeline.border(t.index), t.index < inputs ? range_of_type(t.type) : s.stages.at(t.index - inputs));
    case Term::Kind::Table: {
        const Table &k = s.pipeline.tables[t.index];
        Range at = {t.dx, t.dx};
        if ((t.rx || t.ry) && !s.domain) return {};
        if (t.rx) at = affine(t.rx, s.domain->min_x, s.domain->extent_x, t.dx);
        if (t.ry) at = affine(t.ry, s.domain->min_y, s.domain->extent_y, t.dx);
        if (!t.args.empty() && !range_of(*t.args[0], s)) return {};
        if (at.lo < 0 || at.hi >= int(k.values.size())) return {};
        Range r = {k.values[0], k.values[0]};
        for (int64_t v : k.values) r = r.hull({v, v});
        return r;
    }
    case Term::Kind::Reduce: return reduce(t, s);
    case Term::Kind::Operator: break;
    }
    Operands o;
    o.type = t.type;
    for (const TermPtr &a : t.args) {
        const auto r = range_of(*a, s);
        if (!r) return {};
        o.types.push_back(a->type);
        o.ranges.push_back(*r);
        const bool odd = a->kind == Term::Kind::Operator && a->op == "bor" && a->args[1]->kind == Term::Kind::Constant && (a->args[1]->value & 1);
        o.is_nonzero.push_back(odd || !r->contains(0));
    }
    if (overflows_as_a_difference(t, o, s)) return {};
    if (t.op == "sqrt" && is_constant(s.stage, t.args[0])) return {};   // a narrower cast of it becomes one of a float that does not fit
    return find_operator(t.op)->range(o);
}

void Reach::include(const Reach &o) {
    min_x = std::min(min_x, o.min_x), max_x = std::max(max_x, o.max_x);
    min_y = std::min(min_y, o.min_y), max_y = std::max(max_y, o.max_y);
}

namespace {

using Places = std::set<std::pair<int, int>>;

/** Every place at which a term reads a producer, and what evaluating it costs. */
struct Walk {
    const Stage &stage;
    std::vector<Places> places;
    int cost = 0;
    std::string problem;

    void term(const TermPtr &t, const ReductionDomain *domain) {
        if (!t) return;
        if (t->kind == Term::Kind::Reduce) {
            if (domain) problem = "a reduction in a reduction";
            if (t->index >= int(stage.domains.size())) problem = "no such rdom";
            if (!problem.empty()) return;
            domain = &stage.domains[t->index];
            term(domain->where, domain);
            cost += domain->points();
        }
        cost += cost_of(*t) * (domain ? domain->points() : 1);
        if (t->kind == Term::Kind::Read) {
            const ReductionDomain one;
            const ReductionDomain &d = domain ? *domain : one;
            for (int x = d.min_x; x < d.min_x + d.extent_x; x++) {
                for (int y = d.min_y; y < d.min_y + d.extent_y; y++) places[t->index].insert({t->dx + t->rx * x, t->dy + t->ry * y});
            }
        }
        for (const TermPtr &a : t->args) term(a, domain);
    }
};

std::string problem_of(const Pipeline &p) {
    if (p.stages.empty() || p.inputs.empty()) return "no stages or no inputs";
    if (p.block[0] < 1 || p.block[1] < 1 || p.clocks < 1) return "an empty block";
    for (const Run &r : p.runs) {
        if (r.width < 1 || r.height < 1 || r.width > p.block[0] || r.height > p.block[1]) return "a run that is larger than the block";
    }
    for (const ParamDecl &d : p.params) {
        if (d.has_range && (d.min > d.max || !Range{d.min, d.max}.within(range_of_type(d.type)))) return "an empty range";
    }
    const auto is_bordered = [](Border b) { return b != Border::None; };
    const auto bordered = std::count_if(p.input_borders.begin(), p.input_borders.end(), is_bordered);
    if (p.has_own_bounds) {
        if (bordered == 0 || (bordered == 1 && !p.has_rates())) return "bounds that are all the same";
        for (const Stage &s : p.stages) {
            if (is_bordered(s.border)) return "a stage has no bounds of its own";
        }
    } else if (p.has_borders() && (p.border(0) == Border::None || p.has_rates())) {
        return "borders of what is no image at the output's rate";
    }
    for (const Run &r : p.runs) {
        const bool is_within = r.left || r.right || r.above || r.below;
        if (r.left % p.pixels) return "a run that does not begin with a vector of the image";
        if (r.left < 0 || r.right < 0 || r.above < 0 || r.below < 0 || (is_within && (!p.has_borders() || p.has_own_bounds))) return "a run within no image";
    }
    for (const Table &k : p.tables) {
        if (k.values.empty()) return "an empty table";
        for (int64_t v : k.values) {
            if (!range_of_type(k.type).contains(v)) return "a table's value is out of its type";
        }
    }
    return "";
}

/** Whether a reduction's predicate holds for none of its points. */
bool is_never(const ReductionDomain &d, const Scope &scope) {
    if (!d.where) return false;
    for (int k = 0; k < d.points(); k++) {
        const ReductionDomain point{d.min_x + k % d.extent_x, 1, d.min_y + k / d.extent_x, 1, nullptr};
        Scope inner = scope;
        inner.domain = &point;
        const auto holds = range_of(*d.where, inner);
        if (!holds || holds->hi > 0) return false;
    }
    return true;
}

/** What is read of an image, but for a few rows and columns; or a few more. */
Reach image_near(Reach r, uint64_t seed) {
    Random random(seed);
    const auto around = [&] { return random.between(-1, 3); };
    r.min_x += around(), r.max_x = std::max(r.min_x, r.max_x - around());
    r.min_y += around(), r.max_y = std::max(r.min_y, r.max_y - around());
    return r;
}

}  // namespace

bool reduces_at_some_coordinates(const Pipeline &p) {
    for (const Stage &f : p.stages) {
        bool found = false;
        visit_terms(f, [&](const TermPtr &t) {
            if (t->kind != Term::Kind::Operator || (t->op != "select" && t->op != "mux")) return;
            if (!mentions(f, t->args[0], Term::Kind::Coord)) return;
            for (size_t i = 1; i < t->args.size(); i++) found = found || mentions(f, t->args[i], Term::Kind::Reduce);
        });
        if (found) return true;
    }
    return false;
}

int Rate::at(int v, int offset) const {
    const int64_t n = int64_t(over) * v + offset;
    return static_cast<int>(n >= 0 ? n / under : -((-n + under - 1) / under));
}

Rate rate_of(const Pipeline &p, int reader, int producer, int dim) {
    const Grid a = p.grid(reader), b = p.grid(producer);
    const int from = dim == 0 ? a.x : a.y, to = dim == 0 ? b.x : b.y, both = std::gcd(from, to);
    return {from / both, to / both};
}

int lanes_of(const Pipeline &p, int index) {
    const int stride = p.grid(static_cast<int>(p.inputs.size() + p.stages.size()) - 1).x * p.pixels;   // base elements in `clocks` clocks
    const int pixels = stride / std::gcd(stride, p.clocks);
    return std::max(1, pixels / p.grid(index).x);
}

std::vector<Reach> boxes_of(const Pipeline &p, const Analysis &a, const Run &run) {
    const int inputs = static_cast<int>(p.inputs.size()), all = inputs + static_cast<int>(p.stages.size());
    std::vector<Reach> boxes(all);
    std::vector<bool> is_known(all, false);
    boxes[all - 1] = {run.min_x, run.min_x + run.width - 1, run.min_y, run.min_y + run.height - 1};
    const Reach &out = boxes[all - 1], image = {out.min_x - run.left, out.max_x + run.right, out.min_y - run.above, out.max_y + run.below};
    for (int i = all - 1; i >= inputs; i--) {
        if (p.has_borders() && !p.has_own_bounds) boxes[i].include(image);   // Halide takes a mirror to need all of it, and a launch scans as far as borders reach
        for (int j = 0; j < i; j++) {
            if (!a.reads[i - inputs][j]) continue;
            const Reach &w = a.windows[i - inputs][j], &own = boxes[i];
            const Rate x = rate_of(p, i, j, 0), y = rate_of(p, i, j, 1);
            const Reach need{x.at(own.min_x, w.min_x), x.at(own.max_x, w.max_x), y.at(own.min_y, w.min_y), y.at(own.max_y, w.max_y)};
            if (is_known[j]) boxes[j].include(need);
            else boxes[j] = need;
            is_known[j] = true;
        }
    }
    for (int j = 0; j < inputs; j++) {
        if (p.border(j) != Border::None) boxes[j] = p.has_own_bounds ? image_near(boxes[j], run.seed + j) : image;
    }
    return boxes;
}

Analysis analyse(const Pipeline &p) {
    Analysis a;
    a.problem = problem_of(p);
    if (!a.problem.empty()) return a;
    const int inputs = static_cast<int>(p.inputs.size()), stages = static_cast<int>(p.stages.size()), all = inputs + stages;
    const auto fail = [&](int stage, const std::string &why) {
        a.problem = fmt::format("f{}: {}", stage, why);
        return a;
    };
    std::vector<std::vector<Places>> places;
    std::vector<int> costs;
    int pointless = -1;
    for (int i = 0; i < stages; i++) {
        const Stage &f = p.stages[i];
        if (!f.value) return fail(i, "has no value");
        bool is_later = false;
        visit_terms(f, [&](const TermPtr &t) {
            is_later = is_later || (t->kind == Term::Kind::Read && t->index >= inputs + i);
        });
        if (is_later) return fail(i, "reads a later stage");
        for (const ReductionDomain &r : f.domains) {
            if (r.extent_x < 1 || r.extent_y < 1) return fail(i, "an empty rdom");
        }
        std::vector<Range> lets;
        Scope scope{p, a.ranges, lets, nullptr, &f, {}};
        for (const TermPtr &t : f.lets) {
            const auto r = range_of(*t, scope);
            if (!r) return fail(i, "a let may be undefined");
            lets.push_back(*r);
        }
        for (const ReductionDomain &r : f.domains) {
            Scope inner = scope;
            inner.domain = &r;
            if (r.where && (!r.where->type.is_bool() || !range_of(*r.where, inner))) return fail(i, "a predicate may be undefined");
            if (is_never(r, scope)) pointless = i;
        }
        auto range = range_of(*f.value, scope);
        if (!range) return fail(i, "may be undefined");
        if (f.value->type != f.type) return fail(i, "has another type");
        Walk walk{f, std::vector<Places>(all), 0, ""};
        for (const TermPtr &t : f.lets) walk.term(t, nullptr);
        walk.term(f.value, nullptr);
        for (const Update &u : f.updates) {
            if (u.domain >= int(f.domains.size()) || u.value->type != f.type) return fail(i, "an update does not fit");
            const ReductionDomain &d = f.domains[u.domain];
            Scope inner = scope;
            inner.domain = &d;
            for (int k = 0; k < d.points(); k++) {
                inner.self = *range;
                const auto next = range_of(*u.value, inner);
                if (!next) return fail(i, "an update may be undefined");
                range = range->hull(*next);
            }
            walk.term(u.value, &d);
            walk.term(d.where, &d);
        }
        if (!walk.problem.empty()) return fail(i, walk.problem);
        a.ranges.push_back(*range);
        places.push_back(walk.places);
        costs.push_back(walk.cost);
    }

    if (pointless >= 0) return fail(pointless, "a predicate that holds for no point");   // its range is known all the same

    // What the output needs, and how often inlined stages are computed.
    a.reach.resize(all);
    a.windows.assign(stages, std::vector<Reach>(all));
    a.reads.assign(stages, std::vector<int>(all, 0));
    std::vector<bool> is_needed(all, false);
    std::vector<int64_t> sites(all, 0);
    is_needed[all - 1] = true, sites[all - 1] = 1;
    int64_t cost = 0;
    for (int i = stages - 1; i >= 0; i--) {
        const int at = inputs + i;
        if (!is_needed[at]) return fail(i, "is not read");
        if (p.stages[i].storage != "inlined") sites[at] = 1;
        sites[at] = std::min<int64_t>(sites[at], 1 << 20);
        cost += costs[i] * sites[at] * lanes_of(p, at);
        for (int j = 0; j < all; j++) {
            if (places[i][j].empty()) continue;
            Reach w{1 << 30, -(1 << 30), 1 << 30, -(1 << 30)};
            for (const auto &[x, y] : places[i][j]) w.include({x, x, y, y});
            a.windows[i][j] = w;
            a.reads[i][j] = static_cast<int>(places[i][j].size());
            const Reach &out = a.reach[at];
            const Reach need{out.min_x + w.min_x, out.max_x + w.max_x, out.min_y + w.min_y, out.max_y + w.max_y};
            if (is_needed[j]) a.reach[j].include(need);
            else a.reach[j] = need;
            is_needed[j] = true;
            sites[j] += a.reads[i][j] * sites[at];
        }
    }
    constexpr int most_lanes = 32;
    for (int j = 0; j < inputs; j++) {
        if (!is_needed[j]) a.problem = fmt::format("in{} is not read", j);
        if (lanes_of(p, j) > most_lanes) a.problem = fmt::format("in{} has more elements a clock than a port", j);
        cost += a.windows.size() * lanes_of(p, j);
    }
    a.cost = static_cast<int>(std::min<int64_t>(cost, 1 << 30));

    // Ways from every producer to every stage.
    std::vector<std::vector<int>> ways(all, std::vector<int>(all, 0));
    for (int from = 0; from < all; from++) {
        ways[from][from] = 1;
        for (int i = 0; i < stages; i++) {
            for (int j = 0; j < all; j++) {
                if (a.reads[i][j]) ways[from][inputs + i] = std::min(2, ways[from][inputs + i] + ways[from][j]);
            }
            a.reconverges = a.reconverges || ways[from][inputs + i] > 1;
        }
    }
    return a;
}

}  // namespace argent::fuzz
