#include "hwgen/passes/time/ShareInTime.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/ir/DigitCells.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"
#include "hwgen/passes/time/SharedJobs.h"

namespace argent::hwgen {

namespace {

using Source = SharedDatapath::Source;
using Result = SharedDatapath::Result;

/** Operators for all terms of a shape would take more than 126 bits. */
struct TooWide {};

/** Jobs of one shape, on one set of operators. */
struct Group {
    std::vector<Job> jobs;
    int units = 1;
    double saves = 0;
    int slots_of(const Job &j) const { return (static_cast<int>(j.terms.size()) + units - 1) / units; }
    int slots() const {
        int sum = 0;
        for (const Job &j : jobs) sum += slots_of(j);
        return sum;
    }
};

/** Who reads each node, of what outputs depend on; -1: it leaves. */
std::vector<std::vector<NodeId>> users_of(const Datapath &d) {
    std::vector<std::vector<NodeId>> users(d.nodes().size());
    for (NodeId o : d.outputs) users[o].push_back(-1);
    for (NodeId n = static_cast<NodeId>(d.nodes().size()) - 1; n >= 0; n--) {
        if (users[n].empty()) continue;
        for (NodeId a : d[n].args) users[a].push_back(n);
    }
    return users;
}

/** What is computed before, at once, and is an operand of terms then. */
enum class Before { Nothing, Choices, ChoicesAndLookups };

class Sharer {
public:
    /** `prices`: where operators are not shared. */
    Sharer(const Datapath &d, int clocks, Before before, const Part &part, double period_ns, const Prices &prices)
        : d(d), clocks(clocks - find_before(before, part, period_ns)), prices(prices), found(d, is_chosen, prices), size(static_cast<int>(d.nodes().size())), users(users_of(d)) {}

    std::optional<SharedDatapath> run(double least) {
        if (clocks < 2) return {};
        choose(least);
        if (chosen.empty()) return {};
        build_terms();
        build_after();
        if (splits_a_table()) return {};
        out.clocks = clocks / out.slots;
        out.saves = saves();
        return std::move(out);
    }

    double saves() const {
        double sum = 0;
        for (const Group &g : chosen) sum += g.saves;
        return sum;
    }

private:
    /** Finds it. Returns the clocks that it takes. */
    int find_before(Before before, const Part &part, double period_ns) {
        if (before == Before::Nothing) return 0;
        std::vector<bool> routes(d.nodes().size(), false);   // wires, choices and what decides them
        std::vector<NodeId> outputs;
        for (NodeId n = 0; n < static_cast<NodeId>(routes.size()); n++) {
            const Node &node = d[n];
            const bool decides = node.range.bits() == 1 && (node.op == Op::And || node.op == Op::Or || node.op == Op::Xor || node.op == Op::Not);
            if (node.op == Op::Leaf || node.op == Op::Const) routes[n] = true;
            else if (node.op == Op::Select || decides) routes[n] = std::all_of(node.args.begin(), node.args.end(), [&](NodeId a) { return routes[a]; });
            is_chosen[n] = (node.op == Op::Select && routes[n]) || (node.op == Op::Lookup && before == Before::ChoicesAndLookups);
            if (is_chosen[n]) outputs.push_back(n);
        }
        return outputs.empty() ? 0 : pipeline_datapath(part_of(outputs), part, period_ns).latency;
    }

    /** Two modules that read one table would have it twice. */
    bool splits_a_table() const {
        const std::map<std::string, int> before = lookups_of(out.before), after = lookups_of(out.after);
        return std::any_of(before.begin(), before.end(), [&](const auto &table) { return after.count(table.first) != 0; });
    }

    /** A graph of some nodes and what they need. */
    Datapath part_of(const std::vector<NodeId> &outputs) const {
        Datapath to;
        std::vector<bool> live(d.nodes().size(), false);
        std::vector<NodeId> moved(d.nodes().size(), -1);
        for (NodeId o : outputs) live[o] = true;
        for (NodeId n = static_cast<NodeId>(live.size()) - 1; n >= 0; n--) {
            for (NodeId a : d[n].args) live[a] = live[a] || live[n];
        }
        for (NodeId n = 0; n < static_cast<NodeId>(live.size()); n++) {
            if (live[n]) moved[n] = copied(to, n, moved);
        }
        for (NodeId o : outputs) to.outputs.push_back(moved[o]);
        return to;
    }

    NodeId copied(Datapath &to, NodeId n, const std::vector<NodeId> &moved) const {
        const Node &node = d[n];
        if (node.op == Op::Const) return to.constant(node.value);
        if (node.op == Op::Leaf) return to.leaf(d.leaves()[node.amount]);
        std::vector<NodeId> args;
        for (NodeId a : node.args) args.push_back(moved[a]);
        if (node.op == Op::Wrap) return to.known_wrap(args[0], node.range);
        return node.op == Op::Lookup ? to.copy_lookup(d, node, args[0]) : to.make(node.op, args, node.amount);
    }

    /** What is still computed where the chosen nodes are there: the place in a table is not. */
    std::vector<bool> behind_chosen() const {
        std::vector<bool> behind(size, false);
        for (NodeId o : d.outputs) behind[o] = true;
        for (NodeId n = size - 1; n >= 0; n--) {
            if (!behind[n] || is_chosen[n]) continue;
            for (NodeId a : d[n].args) behind[a] = true;
        }
        return behind;
    }

    /** The group that saves most, then the next that has nothing to do with it, and so on. */
    void choose(double least) {
        const std::vector<bool> behind = behind_chosen();
        for (auto [shape, all] : found.by_shape()) {
            all.erase(std::remove_if(all.begin(), all.end(), [&](const Job &j) { return !behind[j.root]; }), all.end());
            for (size_t first = 0; first < all.size(); first += clocks) {   // a slot for each, at least
                Group g;
                g.jobs.assign(all.begin() + first, all.begin() + std::min(all.size(), first + clocks));
                while (g.slots() > clocks) g.units++;
                g.saves = saved_by(g);
                if (g.saves >= least) groups.push_back(std::move(g));
            }
        }
        std::stable_sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) { return a.saves > b.saves; });
        for (Group &g : groups) {
            if (std::none_of(chosen.begin(), chosen.end(), [&](const Group &other) { return meet(g, other); })) chosen.push_back(std::move(g));
        }
    }

    /** One computes what the other takes for its own. */
    static bool meet(const Group &a, const Group &b) {
        const auto holds = [](const Group &g, const Group &roots) {
            std::set<NodeId> inside;
            for (const Job &j : g.jobs) {
                for (const Term &t : j.terms) inside.insert(t.cone.nodes.begin(), t.cone.nodes.end());
            }
            return std::any_of(roots.jobs.begin(), roots.jobs.end(), [&](const Job &j) { return inside.count(j.root) != 0; });
        };
        return holds(a, b) || holds(b, a);
    }

    double saved_by(const Group &g) const {
        double alone = 0, together = 0;
        Interval range = g.jobs[0].range;
        for (const Job &j : g.jobs) {
            alone += j.cost;
            range = range.hull(j.range);
        }
        alone -= kept_of_cones(g);
        for (int unit = 0; unit < g.units; unit++) {
            double operators = 0;
            for (const Job &j : g.jobs) {
                for (const Term &t : j.terms) operators = std::max(operators, t.cone.cost + more_in(t.cone, clocks / g.slots()));
            }
            together += operators + multiplexers(g, unit);
        }
        const double adders = (g.units - 1 + (g.slots() > int(g.jobs.size()) ? 1 : 0)) * price_of_gathering(g.jobs[0].op, range);
        const double kept = double(g.jobs.size() - 1) * range.bits() * prices.flip_flop;
        const double counters = 2 * range_bits(g.slots());
        return alone - together - adders - kept - counters;
    }

    /** Operators of cones that stay, as they are read elsewhere, too; and those of several cones, but for once. */
    double kept_of_cones(const Group &g) const {
        std::set<NodeId> gone, cones;   // operators that others take the place of
        double cost = 0;
        for (const Job &j : g.jobs) {
            gone.merge(found.gathering(j.root));
            for (const Term &t : j.terms) {
                cones.insert(t.cone.nodes.begin(), t.cone.nodes.end());
                cost += t.cone.cost;
            }
        }
        for (auto n = cones.rbegin(); n != cones.rend(); ++n) {
            const bool is_gone = gone.count(*n) || std::all_of(users[*n].begin(), users[*n].end(), [&](NodeId u) { return gone.count(u) != 0; });
            if (!is_gone) continue;
            gone.insert(*n);
            cost -= found.cost_of(*n);
        }
        return cost;
    }

    /** What the dividers and roots of a cone take more where they have so many clocks, and not all of an element's. */
    double more_in(const Cone &c, int clocks_of_slot) const {
        Prices of_slot = prices;
        of_slot.clocks = clocks_of_slot;
        double more = 0;
        for (NodeId n : c.nodes) {
            if (!is_digit_cell(d[n].op)) continue;
            const std::vector<Interval> args = d.operand_ranges(n);
            more += operator_cost(d[n], args, false, of_slot) - operator_cost(d[n], args, false, prices);
        }
        return more;
    }

    static int range_bits(int n) { return Interval{0, n}.bits(); }

    /** What one unit's operands and coefficients take: a table of six inputs chooses among four. */
    double multiplexers(const Group &g, int unit) const {
        const std::vector<std::vector<NodeId>> operands = operands_of(g, unit);
        double cost = 0;
        Interval value;
        for (const std::vector<NodeId> &slots : operands) {
            const std::set<NodeId> different(slots.begin(), slots.end());
            Interval range = d[slots[0]].range;
            bool is_constant = true;
            for (NodeId n : different) {
                range = range.hull(d[n].range);
                is_constant = is_constant && d.is_const(n);
            }
            const double tables = different.size() == 1 ? 0 : is_constant ? (different.size() + 63) / 64 : (different.size() + 2) / 4.0;
            cost += range.bits() * (tables + (is_constant ? 0 : prices.flip_flop));
        }
        if (!g.jobs[0].has_coefficients) return cost;
        Interval by = {0, 0};
        for (const Job &j : g.jobs) {
            for (const Term &t : j.terms) {
                by = by.hull({t.coefficient, t.coefficient});
                value = value.hull(d[t.node].range);
            }
        }
        Node product;
        product.op = Op::Mul;
        return cost + by.bits() + operator_cost(product, {value, by}, false, prices);
    }

    /** Term `unit` of slot `i` of a job: each unit has its own run of terms. Null where there is none. */
    static const Term *term_at(const Group &g, const Job &j, int unit, int i) {
        const size_t k = size_t(unit) * g.slots_of(j) + i;
        return k < j.terms.size() ? &j.terms[k] : nullptr;
    }

    struct Slot {
        const Job *job;
        const Term *term;         // what goes through the operators, perhaps only to fill the slot
        bool is_filled = false;   // with a term that does not count
    };

    static std::vector<Slot> slots_of(const Group &g, int unit) {
        std::vector<Slot> slots;
        for (const Job &j : g.jobs) {
            for (int i = 0; i < g.slots_of(j); i++) {
                const Term *t = term_at(g, j, unit, i);
                slots.push_back({&j, t ? t : &j.terms.back(), t == nullptr});
            }
        }
        return slots;
    }

    static std::vector<std::vector<NodeId>> operands_of(const Group &g, int unit) {
        std::vector<std::vector<NodeId>> operands(g.jobs[0].terms[0].cone.operands.size());
        for (const Slot &s : slots_of(g, unit)) {
            for (size_t k = 0; k < operands.size(); k++) operands[k].push_back(s.term->cone.operands[k]);
        }
        return operands;
    }

    void build_terms() {
        for (const Group &g : chosen) out.slots = std::max(out.slots, g.slots());
        out.leaves = d.leaves();
        for (const Group &g : chosen) {
            NodeId sum = -1;
            for (int unit = 0; unit < g.units; unit++) {
                const NodeId term = unit_of(g, unit);
                sum = sum < 0 ? term : make(g.jobs[0].op, {sum, term});
            }
            const bool is_modular = std::all_of(g.jobs.begin(), g.jobs.end(), [](const Job &j) { return j.is_modular; });
            int bits = 1;
            for (const Job &j : g.jobs) bits = std::max(bits, j.range.bits());
            out.terms.outputs.push_back(is_modular ? out.terms.wrap(sum, Interval::unsigned_of(bits)) : sum);
            out.operators += g.units;
            int slot = 0;
            for (const Job &j : g.jobs) {
                const int end = slot + g.slots_of(j);
                out.results.push_back({static_cast<int>(out.terms.outputs.size()) - 1, end - slot > 1 ? j.op : Op::Const, slot, end - 1, j.range});
                out.from_operators += static_cast<int>(j.terms.size());
                slot = end;
            }
        }
    }

    NodeId unit_of(const Group &g, int unit) {
        const std::vector<Slot> slots = slots_of(g, unit);
        const Job &first = g.jobs[0];
        std::vector<NodeId> operands;
        for (const std::vector<NodeId> &in_slots : operands_of(g, unit)) {
            std::vector<Source> sources;
            Interval range = d[in_slots[0]].range;
            for (NodeId n : in_slots) {
                sources.push_back(source_of(n));
                range = range.hull(d[n].range);
            }
            operands.push_back(operand(std::move(sources), range));
        }
        std::vector<Interval> wraps = first.terms[0].cone.wraps;
        for (const Slot &s : slots) {
            for (size_t k = 0; k < wraps.size(); k++) wraps[k] = wraps[k].hull(s.term->cone.wraps[k]);
        }
        size_t next_operand = 0, next_wrap = 0;
        NodeId value = rebuild(first.terms[0].node, operands, wraps, next_operand, next_wrap);
        const auto constants = [&](auto &&of) {
            std::vector<Source> sources;
            Interval range{of(slots[0]), of(slots[0])};
            for (const Slot &s : slots) {
                sources.push_back({-1, -1, of(s)});
                range = range.hull({of(s), of(s)});
            }
            return operand(std::move(sources), range);
        };
        if (first.has_coefficients) {
            value = make(Op::Mul, {value, constants([](const Slot &s) { return s.is_filled ? Wide(0) : s.term->coefficient; })});
        } else if (first.op == Op::Add && std::any_of(slots.begin(), slots.end(), [](const Slot &s) { return s.is_filled; })) {
            value = out.terms.select(constants([](const Slot &s) { return Wide(!s.is_filled); }), value, out.terms.constant(0));
        }
        return value;
    }

    Source source_of(NodeId n) {
        if (d.is_const(n)) return {-1, -1, d[n].value};
        if (d[n].op == Op::Leaf) return {d[n].amount, -1, 0};
        const auto known = std::find(chosen_before.begin(), chosen_before.end(), n);
        const int k = static_cast<int>(known - chosen_before.begin());
        if (known == chosen_before.end()) chosen_before.push_back(n);
        return {-1, k, 0};
    }

    NodeId operand(std::vector<Source> sources, Interval range) {
        sources.resize(out.slots, sources.back());
        if (range.is_point()) return out.terms.constant(range.lo);
        const auto known = std::find(out.operands.begin(), out.operands.end(), sources);
        Leaf l;
        l.kind = Leaf::Kind::Value;
        l.place = static_cast<int>(known - out.operands.begin());
        l.name = fmt::format("op_{}", l.place);
        l.range = range;
        if (known == out.operands.end()) out.operands.push_back(std::move(sources));
        return out.terms.leaf(l);
    }

    NodeId rebuild(NodeId n, const std::vector<NodeId> &operands, const std::vector<Interval> &wraps, size_t &next_operand, size_t &next_wrap) {
        const Node &node = d[n];
        if (found.is_operand(n)) return operands[next_operand++];
        const Interval wrap = node.op == Op::Wrap ? wraps[next_wrap++] : Interval{};
        std::vector<NodeId> args(node.args.size());
        for (int k : found.order_of(node)) args[k] = rebuild(node.args[k], operands, wraps, next_operand, next_wrap);
        return node.op == Op::Wrap ? out.terms.known_wrap(args[0], wrap) : make(node.op, args, node.amount);
    }

    NodeId make(Op op, std::vector<NodeId> args, int amount = 0) {
        if (!out.terms.fits(op, args, amount)) throw TooWide{};
        return out.terms.make(op, std::move(args), amount);
    }

    void build_after() {
        std::map<NodeId, std::vector<std::pair<const Job *, int>>> shared;   // by root: job, result
        int result = 0;
        for (const Group &g : chosen) {
            for (const Job &j : g.jobs) shared[j.root].push_back({&j, result++});
        }
        std::vector<bool> live(size, false);
        for (NodeId o : d.outputs) live[o] = true;
        std::map<NodeId, std::map<NodeId, Wide>> others;   // of a root: terms that stay
        for (NodeId n = size - 1; n >= 0; n--) {
            if (!live[n]) continue;
            const auto s = shared.find(n);
            if (s == shared.end()) {
                for (NodeId a : d[n].args) live[a] = true;
                continue;
            }
            others[n] = others_of(n, s->second);
            for (const auto &[other, c] : others[n]) live[other] = true;
        }
        Datapath &to = out.after;
        std::vector<NodeId> moved(size, -1);
        for (NodeId n = 0; n < size; n++) {
            if (!live[n]) continue;
            const auto s = shared.find(n);
            moved[n] = s != shared.end() ? put_back(n, s->second, others[n], moved) : copied(to, n, moved);
        }
        for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
        to = fold_datapath(balance_datapath(to));
        out.terms = fold_datapath(balance_datapath(out.terms));
        keep_read_operands();
        out.before = part_of(chosen_before);
    }

    std::map<NodeId, Wide> others_of(NodeId root, const std::vector<std::pair<const Job *, int>> &jobs) const {
        std::map<NodeId, Wide> others;
        if (is_sum(d[root].op)) others = found.sum_of(root).terms;
        else if (is_choice(d[root].op)) {
            for (const Term &t : found.choices_of(root)) others[t.node] = 1;
        }
        for (const auto &[j, result] : jobs) {
            for (const Term &t : j->terms) others.erase(t.node);
        }
        return others;
    }

    /** A root again: what has been gathered, and its other terms. */
    NodeId put_back(NodeId root, const std::vector<std::pair<const Job *, int>> &jobs, const std::map<NodeId, Wide> &others,
                    const std::vector<NodeId> &moved) {
        Datapath &to = out.after;
        const Op op = is_sum(d[root].op) ? Op::Add : d[root].op;
        NodeId all = -1;
        bool is_modular = false;
        const auto add = [&](NodeId n, Wide factor) {
            if (op == Op::Add) n = to.make(Op::Mul, {n, to.constant(factor)});
            all = all < 0 ? n : to.make(op, {all, n});
        };
        for (const auto &[j, result] : jobs) {
            Leaf l;
            l.kind = Leaf::Kind::Value;
            l.place = result;
            l.name = fmt::format("result_{}", result);
            l.range = j->range;
            add(to.leaf(l), j->factor);
            is_modular = is_modular || j->is_modular;
        }
        for (const auto &[n, c] : others) add(moved[n], c);
        if (op == Op::Add) all = to.make(Op::Add, {all, to.constant(found.sum_of(root).constant)});
        return is_modular ? all : to.fact(all, d[root].range);
    }

    /** Balancing may have found that an operand does not matter. */
    void keep_read_operands() {
        std::vector<std::vector<Source>> read;
        for (const Leaf &l : out.terms.leaves()) read.push_back(out.operands[l.place]);
        out.operands = std::move(read);
    }

    const Datapath &d;
    std::vector<bool> is_chosen = std::vector<bool>(d.nodes().size(), false);   // nodes that are choices among leaves, by the place
    const int clocks;                 // for slots
    const Prices prices;
    const SharedJobs found;
    const int size;
    const std::vector<std::vector<NodeId>> users;   // that outputs depend on
    std::vector<Group> groups, chosen;
    std::vector<NodeId> chosen_before;   // outputs of `before`
    SharedDatapath out;
};

Prices prices_of(const Datapath &d, int clocks_of_element, const Part &part, double period_ns) {
    Prices prices;
    prices.clocks = clocks_of_element;
    prices.steps = 64;   // or what the slowest has room for
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); n++) {
        if (is_digit_cell(d[n].op)) prices.steps = std::min(prices.steps, most_looping_steps(d, n, part, period_ns));
    }
    return prices;
}

}  // namespace

std::optional<SharedDatapath> share_in_time(const Datapath &d, int clocks, int clocks_of_element, double least, const Part &part, double period_ns) {
    if (clocks < 2) return {};
    const Prices prices = prices_of(d, clocks_of_element, part, period_ns);
    std::optional<SharedDatapath> best;
    for (const Before before : {Before::Nothing, Before::Choices, Before::ChoicesAndLookups}) {
        if (before == Before::ChoicesAndLookups && lookups_of(d).empty()) continue;
        try {
            std::optional<SharedDatapath> shared = Sharer(d, clocks, before, part, period_ns, prices).run(least);
            if (shared && (!best || shared->saves > best->saves)) best = std::move(shared);
        } catch (const TooWide &) {   // as another of the three may not be
        }
    }
    return best;
}

}  // namespace argent::hwgen
