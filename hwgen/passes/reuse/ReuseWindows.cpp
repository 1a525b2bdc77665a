#include "hwgen/passes/reuse/ReuseWindows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Signals.h"
#include "hwgen/passes/datapath/BuildSum.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/datapath/Leaves.h"
#include "hwgen/passes/reuse/PlanCopies.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

namespace {

/** Which stages share what they read with which: the first of each one's kin. */
class Kin {
public:
    explicit Kin(int n) : first(n) { std::iota(first.begin(), first.end(), 0); }
    int of(int i) { return first[i] == i ? i : first[i] = of(first[i]); }
    void join(int a, int b) { first[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

private:
    std::vector<int> first;
};

constexpr size_t most_terms = 128;

/** All sums of the graph, shared. */
class SumSharing {
public:
    SumSharing(Signals &signals, const std::vector<std::vector<SignalAt>> &outputs, const Raster &raster, const Prices &prices)
        : signals(signals), outputs(outputs), raster(raster), prices(prices) {}

    std::map<int, Keep> keep;   // of signals that sums read
    std::set<int> changed;      // sums that are made in another way than they were

    void run() {
        find_needed();
        Kin kin(signals.size());
        for (int s : wanted) {
            for (const auto &[term, c] : signals[s].sum.terms) {
                if (is_part(term.signal)) kin.join(s, term.signal);
            }
        }
        std::map<int, std::vector<int>> groups;
        for (int s : wanted) groups[kin.of(s)].push_back(s);
        for (const auto &[first, members] : groups) {
            // The work grows with the square of the terms, so they are taken by so many at a time.
            std::vector<int> some;
            size_t terms = 0;
            for (int s : members) {
                if (!some.empty() && terms + signals[s].sum.terms.size() > most_terms) {
                    share(some);
                    some.clear();
                    terms = 0;
                }
                some.push_back(s);
                terms += signals[s].sum.terms.size();
            }
            share(some);
        }
    }

private:
    /** Signals that outputs need, and the sums among them that may have something in common. */
    void find_needed() {
        stage_of.assign(signals.size(), -1);
        for (size_t stage = 0; stage < outputs.size(); ++stage) {
            std::vector<int> stack;
            for (const SignalAt &s : outputs[stage]) stack.push_back(s.signal);
            while (!stack.empty()) {
                const int s = stack.back();
                stack.pop_back();
                if (stage_of[s] >= 0) continue;
                stage_of[s] = static_cast<int>(stage);
                for (const SignalAt &r : signals.reads(s)) stack.push_back(r.signal);
            }
        }
        for (int s = 0; s < signals.size(); ++s) {
            if (stage_of[s] >= 0 && signals[s].kind == Signal::Kind::Sum && signals[s].is_moving) wanted.push_back(s);
        }
    }

    /** A term that may be moved; the others of a sum are added at its end. */
    bool is_part(int s) const { return signals[s].is_moving && signals[s].is_movable; }

    void share(const std::vector<int> &members) {
        SumProblem problem;
        problem.raster = raster;
        problem.prices = prices;
        std::vector<int> atoms;
        std::map<int, int> atom_of;
        std::vector<LinearSum> others;
        for (int s : members) {
            LinearSum sum, other;
            other.constant = signals[s].sum.constant;
            for (const auto &[term, c] : signals[s].sum.terms) {
                if (!is_part(term.signal)) {
                    other.add(term, c);
                    continue;
                }
                const auto [at, is_new] = atom_of.emplace(term.signal, static_cast<int>(atoms.size()));
                if (is_new) {
                    atoms.push_back(term.signal);
                    const Signal &atom = signals[term.signal];
                    problem.atoms.push_back({atom.range, atom.is_stored(), atom.is_stored() ? 0 : cost_of(term.signal)});
                }
                sum.add({at->second, term.at}, c);
            }
            problem.sums.push_back(std::move(sum));
            problem.group.push_back(stage_of[s]);
            others.push_back(std::move(other));
        }
        SharedSums shared = share_sums(problem);
        for (size_t i = 0; i < shared.shared.size(); ++i) move_one_into(shared, i, static_cast<int>(atoms.size() + i), others);
        std::vector<SignalAt> at;   // of the problem's signals
        for (int a : atoms) at.push_back({a, {}});
        const auto renamed = [&](const LinearSum &sum) {
            LinearSum result;
            result.constant = sum.constant;
            for (const auto &[term, c] : sum.terms) result.add({at[term.signal].signal, at[term.signal].at + term.at}, c);
            return result;
        };
        for (const LinearSum &sum : shared.shared) {
            const LinearSum own = renamed(sum);
            at.push_back(signals.sum(own, range_of(own, [&](int i) { return signals[i].range; })));
        }
        for (size_t i = 0; i < at.size(); ++i) {
            if (!signals[at[i].signal].is_stored()) keep[at[i].signal] = shared.keep[i];
        }
        for (size_t i = 0; i < members.size(); ++i) {
            LinearSum sum = renamed(shared.sums[i]);
            const bool is_itself = sum.terms.size() == 1 && sum.terms.begin()->first.signal == members[i];
            if (is_itself || shared.sums[i] == problem.sums[i]) continue;
            sum.add(others[i]);
            signals.set_sum(members[i], std::move(sum));
            changed.insert(members[i]);
        }
    }

    /** A one that all its readers add goes into a shared sum, as the carry of its lowest adder, if one of them is rid of its constant then and the others
     *  have at most a carry left: t + t(x+1) + 2, t + 1   ->   t is one more */
    void move_one_into(SharedSums &shared, size_t place, int signal, std::vector<LinearSum> &others) const {
        LinearSum &sum = shared.shared[place];
        const auto coefficient = [&](const LinearSum &reader) {
            Wide total = 0;
            for (const auto &[term, c] : reader.terms) total += term.signal == signal ? c : 0;
            return total;
        };
        const auto reads = [&](const LinearSum &reader) {
            return std::any_of(reader.terms.begin(), reader.terms.end(), [&](const auto &t) { return t.first.signal == signal; });
        };
        if (std::count_if(sum.terms.begin(), sum.terms.end(), [](const auto &t) { return t.second == 1; }) < 2) return;
        if (std::any_of(shared.shared.begin(), shared.shared.end(), reads)) return;
        bool is_rid = false;
        for (size_t i = 0; i < others.size(); ++i) {
            if (!reads(shared.sums[i])) continue;
            const Wide left = others[i].constant - coefficient(shared.sums[i]);
            if (left < 0 || left > 1 || coefficient(shared.sums[i]) < 1) return;
            is_rid = is_rid || left == 0;
        }
        if (!is_rid) return;
        for (size_t i = 0; i < others.size(); ++i) others[i].constant -= coefficient(shared.sums[i]);
        sum.constant += 1;
    }

    double cost_of(int s) const {
        const Signal &signal = signals[s];
        if (signal.kind != Signal::Kind::Op) return 0;
        double cost = operator_cost(signals, s, prices);
        if (cost > 0) return cost;
        for (const SignalAt &a : signal.args) cost += cost_of(a.signal);   // wires are as dear as what they are wires of
        return cost;
    }

    Signals &signals;
    const std::vector<std::vector<SignalAt>> &outputs;
    const Raster &raster;
    const Prices &prices;
    std::vector<int> stage_of, wanted;
};

/** Writes signals back as stages. */
class Rebuilder {
public:
    Rebuilder(const Graph &from, const Signals &signals, const std::vector<std::vector<SignalAt>> &outputs, const CopyPlan &plan,
              const std::set<int> &changed, const Prices &prices)
        : from(from), signals(signals), outputs(outputs), plan(plan), changed(changed), prices(prices), stage_of_copy(plan.copies.size(), -1) {}

    Graph run() {
        to = from;
        to.stages.clear();
        for (const Stage &s : from.stages) ids.reserve(s.id);
        for (const Bundle &b : from.bundles) ids.reserve(b.id);
        for (size_t i = 0; i < from.stages.size(); ++i) {
            Stage s = from.stages[i];
            owner = static_cast<int>(i);
            if (s.kind == Func::Kind::Stage && is_new(static_cast<int>(i))) {
                s.datapath = datapath(outputs[i], plan.stage_lag[i]);
                s.range = range_of(s.datapath);
                s.reads = first_and_last(s.datapath);
            } else {
                s.datapath.renumber_producers(index);
                for (Read &r : s.reads) r.producer = index[r.producer];
                if (reads_wider(s.datapath)) {
                    s.datapath = as_narrow_as_read(s.datapath);
                    s.range = range_of(s.datapath);
                }
            }
            index.push_back(static_cast<int>(to.stages.size()));
            to.stages.push_back(std::move(s));
        }
        for (int &o : to.outputs) o = index[o];
        for (Bundle &b : to.bundles) {
            for (int &s : b.stages) s = index[s];
        }
        return std::move(to);
    }

private:
    static Interval range_of(const Datapath &d) {
        Interval range = d[d.outputs[0]].range;
        for (NodeId o : d.outputs) range = range.hull(d[o].range);
        return range;
    }

    /** The first and the last element that one element reads of each producer, where the host asks for them. */
    std::vector<Read> first_and_last(const Datapath &d) const {
        std::vector<Read> reads;
        if (!from.has_rates) return reads;
        for (int producer : producers_of(d)) {
            Read first{producer}, last{producer};
            for (size_t dim = 0; dim < 2; ++dim) {
                const Range range = *reads_of(d, producer, dim, from.lanes);
                first.maps[dim].offset = {range.min};
                last.maps[dim].offset = {range.max};
            }
            reads.push_back(first);
            reads.push_back(last);
        }
        return reads;
    }

    /** A producer that is made in another way may have fewer bits than its readers knew. */
    bool reads_wider(const Datapath &d) const {
        return std::any_of(d.leaves().begin(), d.leaves().end(),
                           [&](const Leaf &l) { return l.kind == Leaf::Kind::Tap && to.stages[l.producer].range.bits() < l.range.bits(); });
    }

    Datapath as_narrow_as_read(const Datapath &d) const {
        return with_leaves(d, [&](Datapath &made, Leaf l, int) {
            if (l.kind == Leaf::Kind::Tap) l.range = l.range.intersect(to.stages[l.producer].range);
            return made.leaf(l);
        });
    }

    bool has_copy(int s) const {
        const auto at = plan.index.lower_bound({s, std::nullopt});
        return at != plan.index.end() && at->first.first == s;
    }

    /** Whether anything that the stage computes itself is made in another way than it was. */
    bool is_new(int stage) const {
        std::set<int> seen;
        std::vector<int> stack;
        for (const SignalAt &s : outputs[stage]) stack.push_back(s.signal);
        while (!stack.empty()) {
            const int s = stack.back();
            stack.pop_back();
            if (!seen.insert(s).second) continue;
            if (changed.count(s) || has_copy(s)) return true;
            for (const auto &[term, c] : signals[s].sum.terms) {
                if (count_signed_digits(c) > 1) return true;
            }
            for (const SignalAt &r : signals.reads(s)) stack.push_back(r.signal);
        }
        return false;
    }

    /** The copy's number as a stage, which is made if it is not there yet. */
    int stage_for(int copy) {
        if (stage_of_copy[copy] >= 0) return stage_of_copy[copy];
        const Copy &c = plan.copies[copy];
        const Signal &signal = signals[c.signal];
        std::vector<SignalAt> lanes;
        for (int lane = 0; lane < from.lanes; ++lane) lanes.push_back({c.signal, {c.anchor.y, c.anchor.x + lane}});
        Stage s;
        s.kind = Func::Kind::Stage;
        s.datapath = datapath(lanes, c.lag, true);
        s.range = range_of(s.datapath);
        s.reads = first_and_last(s.datapath);
        const Stage &user = from.stages[owner];
        s.id = ids.unique(verilog::stem(fmt::format("{}_{}", user.label, word_of(signal))));
        s.name = s.label = s.id;
        s.part_of = user.name;
        s.where = user.where;
        s.lanes = user.lanes;
        s.grid = user.grid;
        s.type = fmt::format("{}{}", s.range.is_signed() ? "int" : "uint", s.range.bits());
        s.expression = fmt::format("{}(x, y) = {}", s.id, text_of(s.datapath));
        s.reason = fmt::format("read at {} places of a window: {} once", c.places, signal.kind == Signal::Kind::Leaf ? "chosen at the upper and lower border" : "computed");
        to.stages.push_back(std::move(s));
        return stage_of_copy[copy] = static_cast<int>(to.stages.size()) - 1;
    }

    static const char *word_of(const Signal &s) {
        if (s.kind == Signal::Kind::Sum) return "sum";
        if (s.kind == Signal::Kind::Leaf) return "row";
        switch (s.node.op) {
        case Op::Min: return "min";
        case Op::Max: return "max";
        case Op::Mul: return "product";
        case Op::Eq: case Op::Lt: case Op::Le: return "less";
        default: return "part";
        }
    }

    /** Of the first lane, as far as it is short. */
    std::string text_of(const Datapath &d) const {
        std::vector<std::string> text(d.nodes().size());
        for (size_t i = 0; i < text.size(); ++i) {
            const Node &n = d.nodes()[i];
            if (n.op == Op::Const) {
                text[i] = to_string(n.value);
            } else if (n.op == Op::Leaf) {
                const Leaf &l = d.leaves()[n.amount];
                const auto index = [](const char *var, int k) { return k == 0 ? std::string(var) : fmt::format("{} {} {}", var, k < 0 ? '-' : '+', std::abs(k)); };
                text[i] = l.kind == Leaf::Kind::Tap ? fmt::format("{}({}, {})", to.stages[l.producer].label, index("x", l.offset[0]), index("y", l.offset[1])) : l.name;
            } else {
                std::vector<std::string> args;
                for (NodeId a : n.args) args.push_back(text[a]);
                const char *infix = n.op == Op::Add ? " + " : n.op == Op::Sub ? " - " : n.op == Op::Mul ? "*" : nullptr;
                if (infix) text[i] = fmt::format("({}{}{})", args[0], infix, args[1]);
                else if (n.op == Op::Shl) text[i] = fmt::format("{}*{}", to_string(Wide(1) << n.amount), args[0]);
                else if (n.op == Op::Shr) text[i] = fmt::format("({} >> {})", args[0], n.amount);
                else if (n.op == Op::Wrap) text[i] = args[0];
                else text[i] = fmt::format("{}({})", lower(name_of(n.op)), fmt::join(args, ", "));
            }
            if (text[i].size() > 200) text[i] = "...";
        }
        return text[d.outputs[0]];
    }

    static std::string lower(std::string s) {
        for (char &c : s) c = static_cast<char>(std::tolower(c));
        return s;
    }

    /** What computes these signals; read by a stage of this lag. `whole`: they are not read from their own copies. */
    Datapath datapath(const std::vector<SignalAt> &lanes, int lag, bool whole = false) {
        Datapath d;
        std::map<SignalAt, NodeId> made;
        for (const SignalAt &root : lanes) {
            std::vector<SignalAt> stack = {root};
            while (!stack.empty()) {
                const SignalAt s = stack.back();
                if (made.count(s)) {
                    stack.pop_back();
                    continue;
                }
                const int copy = whole && s == root ? -1 : plan.copy_for(lag, s);
                std::vector<SignalAt> missing;
                if (copy < 0) {
                    for (const SignalAt &r : reads_at(s)) {
                        if (!made.count(r)) missing.push_back(r);
                    }
                }
                if (missing.empty()) {
                    made[s] = copy >= 0 ? tap(d, stage_for(copy), s.at - plan.copies[copy].anchor, plan_range(s.signal)) : node(d, s, made);
                    stack.pop_back();
                } else {
                    stack.insert(stack.end(), missing.begin(), missing.end());
                }
            }
            d.outputs.push_back(made.at(root));
        }
        return fold_datapath(std::move(d));
    }

    SignalAt moved(const SignalAt &s, Shift by) const { return {s.signal, signals[s.signal].is_moving ? s.at + by : Shift{}}; }

    std::vector<SignalAt> reads_at(const SignalAt &s) const {
        std::vector<SignalAt> reads;
        for (const SignalAt &r : signals.reads(s.signal)) reads.push_back(moved(r, s.at));
        return reads;
    }

    /** Of the copies' elements. */
    Interval plan_range(int s) const { return signals[s].range; }

    NodeId tap(Datapath &d, int stage, Shift at, Interval range, std::vector<std::optional<Border>> border = {}) const {
        Leaf l;
        l.producer = stage;
        l.offset = {at.x, at.y};
        l.name = tap_name(to.stages[stage].id, l.offset);
        l.border = std::move(border);
        l.range = range.intersect(to.stages[stage].range);
        return d.leaf(l);
    }

    NodeId node(Datapath &d, const SignalAt &s, const std::map<SignalAt, NodeId> &made) const {
        const Signal &signal = signals[s.signal];
        switch (signal.kind) {
        case Signal::Kind::Leaf: return signal.is_stored() ? tap(d, index[signal.leaf.producer], s.at, signal.range, signal.leaf.border) : d.leaf(signal.leaf);
        case Signal::Kind::Op: {
            std::vector<NodeId> args;
            for (const SignalAt &a : signal.args) args.push_back(made.at(moved(a, s.at)));
            if (signal.node.op == Op::Wrap) return d.known_wrap(args[0], signal.node.range);
            if (signal.node.op == Op::Lookup) return d.lookup(signals.table(signal), d.fact(args[0], signals[signal.args[0].signal].range));
            return d.make(signal.node.op, args, signal.node.amount);
        }
        case Signal::Kind::Sum: {
            std::vector<Product> products;
            for (const auto &[term, c] : signal.sum.terms) products.push_back({made.at(moved(term, s.at)), c});
            return d.fact(build_sum(d, products, signal.sum.constant, prices), signal.range);
        }
        }
        return -1;
    }

    const Graph &from;
    const Signals &signals;
    const std::vector<std::vector<SignalAt>> &outputs;
    const CopyPlan &plan;
    const std::set<int> &changed;
    const Prices &prices;
    Graph to;
    verilog::Scope ids;
    std::vector<int> index;           // of the stages that were there, in `to`
    std::vector<int> stage_of_copy;
    int owner = 0;                    // the stage that is made
};

}  // namespace

Graph reuse_windows(Graph g, const Prices &prices, Rows rows, Outside beyond) {
    if (g.clocks > 1) return g;    // there operators are shared in time instead
    const Raster raster{(g.domain(0) + g.lanes - 1) / g.lanes, g.lanes, beyond == Outside::Repeated};
    Signals signals;
    std::vector<std::vector<SignalAt>> outputs;
    for (const Stage &s : g.stages) outputs.push_back(g.is_at_scan_rate(s) ? signals.outputs_of(s.datapath) : std::vector<SignalAt>());
    SumSharing sums(signals, outputs, raster, prices);
    sums.run();
    const CopyPlan plan = plan_copies(signals, outputs, sums.keep, raster, prices, rows);
    return Rebuilder(g, signals, outputs, plan, sums.changed, prices).run();
}

}  // namespace argent::hwgen
