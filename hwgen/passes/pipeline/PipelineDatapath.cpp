#include "hwgen/passes/pipeline/PipelineDatapath.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/DigitCells.h"
#include "hwgen/passes/pipeline/AbsorbOperands.h"
#include "hwgen/passes/pipeline/LogicGraph.h"
#include "hwgen/passes/pipeline/OperatorDelay.h"
#include "hwgen/solver/Retiming.h"

namespace argent::hwgen {

namespace {

/** A limit that is passed sets or resets a register and takes no table; the second of two limits in one clock does. */
enum class Limits { Free, InClocksOfTheirOwn };

constexpr int64_t most_banks = 256;   // of ag_table_banks

/** Whether block RAM without it would take much of the period. */
bool wants_output_register(const Part &part, double period) { return part.ram_clock_to_out > 0.3 * period; }

class Pipeliner {
public:
    Pipeliner(const Datapath &d, const LogicGraph &g, const Part &part, double period, const std::vector<double> &leaf_arrival, Ends ends, int clocks_of_element, Limits limits)
        : d(d), part(part), period(period), leaf_arrival(leaf_arrival), ends(ends), clocks_of_element(clocks_of_element), limits(limits), g(g), size(static_cast<int>(d.nodes().size())) {}

    /** What is to be solved; the same for another period if it gives the same again. */
    struct Question {
        int steps_per_clock = 1, product_clocks = 0;
        std::map<NodeId, DigitForm> loops;
        std::vector<int> clocks_of_tables;
        std::vector<ClockEdge> edges;
        bool operator==(const Question &o) const {
            return steps_per_clock == o.steps_per_clock && product_clocks == o.product_clocks && loops == o.loops && clocks_of_tables == o.clocks_of_tables && edges == o.edges;
        }
    };

    Question ask() {
        choose_divider_steps();
        choose_product_clocks();
        choose_memories();
        pose();
        Question q{schedule.steps_per_clock, schedule.product_clocks, schedule.loops, {}, clock_edges(problem)};
        for (const ClockEdge &e : logic_before_bare_adders()) q.edges.push_back(e);
        if (limits == Limits::InClocksOfTheirOwn) {
            for (const ClockEdge &e : second_limits()) q.edges.push_back(e);
        }
        for (const MemoryForm &form : schedule.tables) q.clocks_of_tables.push_back(form.clocks);
        return q;
    }

    Schedule answer(const Question &q) {
        schedule.stage.assign(size, 0);
        arrival.assign(size, 0.0);
        if (!std::all_of(d.outputs.begin(), d.outputs.end(), [&](NodeId o) { return is_wire(o); })) {
            const Retiming best = retime(problem, q.edges);
            schedule.latency = best.latency;
            schedule.register_bits = static_cast<int>(best.bits);
            for (NodeId n = 0; n < size; ++n) {
                if (g.is_placed(n)) place(n, best.reads[n]);
            }
            if (!schedule.loops.empty()) hold(best);
            schedule.register_bits += steady_bits();
        } else {
            for (NodeId n = 0; n < size; ++n) {
                if (g.is_placed(n) && d[n].op == Op::Leaf) place(n, 0);
            }
        }
        measure();
        schedule.host = g.host;
        find_late_comparisons();
        for (NodeId n = 0; n < size; ++n) {
            if (g.host[n] >= 0) schedule.stage[n] = schedule.stage[g.host[n]];
        }
        // A wire stands in the clock of the latest of its bits.
        for (NodeId n = 0; n < size; ++n) {
            if (g.wiring.is_logic(n)) continue;
            for (const Bit &b : g.wiring.bits[n]) {
                if (b.source >= 0) schedule.stage[n] = std::max(schedule.stage[n], schedule.stage[b.source]);
            }
        }
        return std::move(schedule);
    }

    /** Of what leaves in registers: limits whose operand is one, too. */
    std::vector<ClockEdge> second_limits() const {
        std::vector<ClockEdge> pairs;
        const auto is_limit = [&](NodeId n) { return (d[n].op == Op::Min || d[n].op == Op::Max) && d.is_const(d[n].args[1]); };
        for (NodeId n = 0; n < size; ++n) {
            const bool is_second = is_registered() && g.is_output[n] && g.is_placed(n) && is_limit(n) && g.operands[n].size() == 1 && is_limit(g.operands[n][0]);
            if (is_second) pairs.push_back({g.operands[n][0], n});
        }
        return pairs;
    }

    /** Tables that those of them take which do not stand in a clock of their own. */
    int tables_of_second_limits(const Schedule &s) const {
        int tables = 0;
        for (const ClockEdge &e : second_limits()) tables += s.stage[e.from] == s.stage[e.to] ? g.wiring.demanded[e.to] : 0;
        return tables;
    }

private:
    /** What might have been part of their tables: with a register between, whatever path would be allowed. */
    std::vector<ClockEdge> logic_before_bare_adders() const {
        std::vector<ClockEdge> pairs;
        for (NodeId n : g.bare) {
            if (g.absorbed[n] > 0) continue;   // a magnitude stays
            for (NodeId s : g.operands[n]) {
                if (is_bitwise(d[s].op) && g.users[s].size() == 1) pairs.push_back({s, n});
            }
        }
        return pairs;
    }

    bool is_wire(NodeId output) const {
        for (const Bit &b : g.wiring.bits[output]) {
            if (b.source >= 0 && d[b.source].op != Op::Leaf) return false;
        }
        return true;
    }

    /** Whether all outputs leave in registers. */
    bool is_registered() const { return ends == Ends::Registers; }

    /** From n's arrival in its clock to the end of an output. */
    double way_out(NodeId n) const { return g.is_output[n] && !is_registered() ? part.lut : 0; }

    /** As many steps of dividers and roots in one clock as the period allows. */
    void choose_divider_steps() {
        double step = 0;
        for (NodeId n = 0; n < size; ++n) {
            if (g.wiring.is_logic(n) && is_digit_cell(d[n].op)) step = std::max(step, digit_step_delay(d, n, part));
        }
        if (step > 0) schedule.steps_per_clock = std::max(1, static_cast<int>((period - part.clock_to_out - part.setup) / step));
        if (clocks_of_element > 1) choose_loops();
    }

    /** Those that take fewer tables so; both results of a divider are of one form. */
    void choose_loops() {
        std::map<std::vector<NodeId>, std::vector<NodeId>> cells;
        for (NodeId n = 0; n < size; ++n) {
            if (g.wiring.is_logic(n) && is_digit_cell(d[n].op)) cells[d[n].args].push_back(n);
        }
        for (const auto &[operands, results] : cells) {
            if (d[results[0]].op == Op::Sqrt) {
                choose_loop(Op::Sqrt, results);
                continue;
            }
            const bool has_remainder = std::any_of(results.begin(), results.end(), [&](NodeId n) { return d[n].op == Op::Mod; });
            choose_loop(has_remainder ? Op::Mod : Op::Div, results);
        }
    }

    void choose_loop(Op op, const std::vector<NodeId> &results) {
        const std::vector<Interval> args = d.operand_ranges(results[0]);
        const DigitForm loop = looping(op, args, clocks_of_element, most_looping_steps(d, results[0], part, period));
        if (digit_cell_cost(op, args, loop) >= digit_cell_cost(op, args)) return;
        for (NodeId n : results) schedule.loops[n] = loop;
    }

    /** The register inside of multipliers where one takes longer than a clock, or adds. */
    void choose_product_clocks() {
        for (NodeId n = 0; n < size; ++n) {
            if (!g.wiring.is_logic(n)) continue;
            const bool is_late = is_product(d, n) && part.clock_to_out + delay(n) + part.setup > period;
            if (is_late || d[n].op == Op::Accumulate) schedule.product_clocks = 1;
        }
    }

    void choose_memories() {
        for (size_t k = 0; k < d.tables().size(); ++k) {
            const Table &t = d.tables()[k];
            int ports = 0;
            for (NodeId n = 0; n < size; ++n) ports += g.wiring.is_logic(n) && d[n].op == Op::Lookup && d[n].amount == static_cast<int>(k);
            MemoryForm form;
            const double lut = t.is_rom() ? 1 : part.luts_per_memory_lut;
            form.is_block = lut * fabric_table_cost(t, std::min(ports, 2), part) > block_rams(t) * part.luts_per_ram;
            form.clocks = form.is_block && wants_output_register(part, period) ? 2 : 1;
            const int banks = form.is_block && !t.is_rom() ? banks_of(t.depth, part, period) : 1;
            if (banks > 1) {
                form.bank_bits = part.ram_address_bits;
                form.clocks = clocks_of_banks(banks);
            }
            schedule.tables.push_back(form);
        }
    }

    int clocks(NodeId n) const { return schedule.clocks_of(d, n); }
    int ranks(NodeId n) const { return is_product(d, n) ? part.multiplier_ranks : 0; }
    double delay(NodeId n) const { return operator_delay(d, g, part, schedule, n); }

    /** When the result of a cell of several clocks is valid. */
    double cell_arrival(NodeId n) const {
        if (is_product(d, n)) return part.multiplier_out;
        if (d[n].op != Op::Lookup || !schedule.tables[d[n].amount].is_block) return part.clock_to_out;
        const MemoryForm &form = schedule.tables[d[n].amount];
        if (form.bank_bits > 0) return part.clock_to_out;
        return form.clocks == 1 ? part.ram_clock_to_out : part.ram_registered_clock_to_out;
    }

    double leaf_time(NodeId n) const {
        int index = d[n].amount;
        return index < static_cast<int>(leaf_arrival.size()) ? leaf_arrival[index] : part.clock_to_out;
    }

    /** When source s is valid in clock t. */
    double valid(NodeId s, int t) const { return schedule.stage[s] == t ? arrival[s] : part.clock_to_out; }

    /** When n would be valid if it read its operands in clock t. */
    double result(NodeId n, int t) const {
        double start = 0;
        for (NodeId s : g.inputs[n]) start = std::max(start, valid(s, t));
        return start + delay(n);
    }

    /** Puts n's reading of operands into clock `stage`; what is in front of it has been put. */
    void place(NodeId n, int stage) {
        schedule.stage[n] = stage + clocks(n);
        if (d[n].op == Op::Leaf) arrival[n] = leaf_time(n);
        else arrival[n] = clocks(n) > 0 ? cell_arrival(n) : result(n, stage);
    }

    /** The graph as the solver knows it: what is not placed has neither operands nor readers. */
    void pose() {
        problem.registered = is_registered();
        problem.way_out = part.lut;
        problem.clock_to_out = part.clock_to_out;
        problem.budget = period - part.setup;
        for (NodeId n = 0; n < size; ++n) {
            RetimingProblem::Node &node = problem.nodes.emplace_back();
            if (!g.is_placed(n)) continue;
            node.is_leaf = d[n].op == Op::Leaf;
            if (g.is_output[n]) problem.outputs.push_back(n);
            if (node.is_leaf) {
                node.origin = leaf_time(n);
                continue;
            }
            node.clocks = clocks(n);
            node.ranks = ranks(n);
            node.delay = delay(n);
            node.origin = cell_arrival(n);
            node.operands = g.operands[n];
            node.inputs = g.inputs[n];
        }
        problem.values = g.values;
        pose_twins();
    }

    /** What waits while cells loop need not go on in every clock. */
    void hold(const Retiming &best) {
        schedule.held = clocks_of_element;
        int64_t bits = 0;
        for (const RetimingProblem::Value &v : problem.values) {
            if (!g.is_placed(v.source)) continue;
            int last = v.is_output ? schedule.latency : schedule.stage[v.source];
            for (int reader : v.readers) last = std::max(last, static_cast<int>(best.reads[reader]) - ranks(reader));
            bits += v.bits * schedule.registers_for(last - schedule.stage[v.source]);
        }
        schedule.register_bits = static_cast<int>(bits);
    }

    /** What is steady is in one register for all clocks that follow. */
    int steady_bits() const {
        int bits = 0;
        for (NodeId n = 0; n < size; ++n) bits += g.is_steady[n] && g.is_placed(n) && d[n].op != Op::Leaf && is_read_later(n) ? g.wiring.demanded[n] : 0;
        return bits;
    }

    /** Both results of a divider come from one cell, and two reads of a table in one clock from one memory. */
    void pose_twins() {
        std::map<std::pair<std::vector<NodeId>, int>, NodeId> cells;
        for (NodeId n = 0; n < size; ++n) {
            if (!g.is_placed(n) || clocks(n) == 0 || is_in_multiplier(d, n)) continue;
            const auto key = is_digit_cell(d[n].op) ? std::pair(d[n].args, -1) : std::pair(std::vector<NodeId>(), d[n].amount);
            const auto [first, is_new] = cells.insert({key, n});
            if (!is_new) problem.together.push_back({first->second, n});
        }
    }

    bool is_read_later(NodeId n) const {
        if (g.is_output[n] && schedule.stage[n] < schedule.latency) return true;
        return std::any_of(g.users[n].begin(), g.users[n].end(), [&](NodeId u) { return schedule.stage[u] - clocks(u) > schedule.stage[n]; });
    }

    /** What is smaller is told by the carry, turned around: by a table that the model has not, but where a sign tells it. */
    void find_late_comparisons() {
        schedule.by_sign.assign(size, false);
        for (NodeId n = 0; n < size; ++n) {
            if (!g.is_placed(n) || d[n].op != Op::Lt || d.is_const(d[n].args[0]) || d.is_const(d[n].args[1])) continue;
            const bool is_alone = std::none_of(g.users[n].begin(), g.users[n].end(), [&](NodeId u) { return schedule.stage[u] - clocks(u) == schedule.stage[n]; });
            schedule.by_sign[n] = is_alone && arrival[n] + part.lut + part.setup > period;
        }
    }

    /** The longest path. */
    void measure() {
        NodeId end = -1;
        double longest = 0;
        bool is_around = false;   // from a cell's registers to themselves
        auto ends_at = [&](NodeId n, double at) {
            if (at > longest) longest = at, end = n, is_around = false;
        };
        for (NodeId n = 0; n < size; ++n) {
            if (!g.is_placed(n)) continue;
            if (clocks(n) > 0) ends_at(n, result(n, schedule.stage[n] - clocks(n)));
            if (is_read_later(n)) ends_at(n, arrival[n]);
            else if (g.is_output[n]) ends_at(n, arrival[n] + way_out(n));
            const auto loop = schedule.loops.find(n);
            if (loop == schedule.loops.end()) continue;
            const double around = part.clock_to_out + loop->second.steps_per_clock * digit_step_delay(d, n, part) + part.lut;
            if (around > longest) longest = around, end = n, is_around = true;
        }
        schedule.critical_ns = end < 0 ? 0 : longest + part.setup;
        // Back along the operands that are valid last, in the same clock.
        for (NodeId at = end; at >= 0;) {
            schedule.critical_path.insert(schedule.critical_path.begin(), at);
            const int clock = schedule.stage[at] - clocks(at);
            NodeId before = -1;
            double latest = 0;
            for (NodeId s : g.inputs[at]) {
                if (schedule.stage[s] == clock && valid(s, clock) > latest && !(d[s].op != Op::Leaf && clocks(s) > 0)) {
                    latest = valid(s, clock);
                    before = s;
                }
            }
            at = clock >= 0 && !is_around ? before : -1;
        }
    }

    const Datapath &d;
    const Part &part;
    const double period;
    const std::vector<double> &leaf_arrival;
    const Ends ends;
    const int clocks_of_element;   // from one to the next, at least
    const Limits limits;
    const LogicGraph &g;
    const int size;
    std::vector<double> arrival;
    RetimingProblem problem;
    Schedule schedule;
};

/** The fewest register bits in about the period. `tables`: what second limits take that are not in clocks of their own. */
Schedule about_in_time(const Datapath &d, const LogicGraph &g, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks, Limits limits, int &tables) {
    Pipeliner in_time(d, g, part, period_ns, leaf_arrival_ns, ends, clocks, limits);
    Pipeliner::Question asked = in_time.ask();
    const Schedule exact = in_time.answer(asked);
    tables = in_time.tables_of_second_limits(exact);
    const int tries = part.is_crowded() ? 0 : d.nodes().size() > large_datapath ? 1 : 8;
    Schedule best = exact;
    double most_gained = 0;   // register bits beyond what the excess has to save
    for (int k = 1; k <= tries; ++k) {
        Pipeliner late(d, g, part, period_ns * (1 + part.excess * k / tries), leaf_arrival_ns, ends, clocks, limits);
        Pipeliner::Question question = late.ask();
        if (question == asked) continue;
        Schedule longer = late.answer(question);
        asked = std::move(question);
        const double excess = std::max(0.0, longer.critical_ns / period_ns - 1);   // what it comes to
        const double least_saving = excess * std::max(saving_for_excess * exact.register_bits, bits_for_excess);
        const int saved = exact.register_bits - longer.register_bits + exact.latency - longer.latency;   // a clock has a valid bit, too
        if (saved <= 0 || saved - least_saving < most_gained) continue;
        most_gained = saved - least_saving;
        tables = late.tables_of_second_limits(longer);
        best = std::move(longer);
    }
    return best;
}

/** The same with second limits where they are cheaper. */
Schedule with_limits(const Datapath &d, const LogicGraph &g, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks) {
    int tables = 0, none = 0;
    Schedule together = about_in_time(d, g, part, period_ns, leaf_arrival_ns, ends, clocks, Limits::Free, tables);
    if (tables == 0) return together;
    Schedule apart = about_in_time(d, g, part, period_ns, leaf_arrival_ns, ends, clocks, Limits::InClocksOfTheirOwn, none);
    return (apart.register_bits - together.register_bits) * Prices().flip_flop < tables ? apart : together;
}

constexpr double price_of_start = 24;   // tables

/** What depends on the forms of dividers and roots: they, and what waits for them. */
double price_of_cells(const Datapath &d, const LogicGraph &g, const Schedule &s) {
    const double of_register = Prices().flip_flop;
    std::map<std::vector<NodeId>, double> cells;   // by operands; the dearer of a divider's two results
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        if (!g.wiring.is_logic(n) || !is_digit_cell(d[n].op)) continue;
        const std::vector<Interval> args = d.operand_ranges(n);
        const DigitForm form = s.form_of(n);
        const double price = digit_cell_cost(d[n].op, args, form) + of_register * digit_cell_registers(d[n].op, args, form);
        cells[d[n].args] = std::max(cells[d[n].args], price);
    }
    double price = of_register * s.register_bits;
    for (const auto &[operands, of_cell] : cells) price += of_cell;
    return price;
}

/** With loops, if they are cheaper with all that waits for them, and with what tells when an element begins: counters, at a lower rate. */
Schedule pipelined(const Datapath &d, const LogicGraph &g, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks) {
    if (clocks > 1) {
        Schedule loops = with_limits(d, g, part, period_ns, leaf_arrival_ns, ends, clocks);
        if (loops.loops.empty()) return loops;
        Schedule straight = with_limits(d, g, part, period_ns, leaf_arrival_ns, ends, 1);
        return price_of_cells(d, g, loops) + price_of_start < price_of_cells(d, g, straight) ? loops : straight;
    }
    return with_limits(d, g, part, period_ns, leaf_arrival_ns, ends, 1);
}

/** Whether the register of an output may do by its set or reset what takes a table else. */
bool is_set_or_reset(const Datapath &d, const LogicGraph &g) {
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        if (!g.is_output[n]) continue;
        const bool chooses = d[n].op == Op::Min || d[n].op == Op::Max || d[n].op == Op::Select;
        const auto is_const = [&](NodeId a) { return d.is_const(a); };
        if (chooses && std::any_of(d[n].args.begin(), d[n].args.end(), is_const)) return true;
    }
    return false;
}

/** Adders that take longer than the period with what is part of their tables. */
std::set<NodeId> late_adders(const Datapath &d, const LogicGraph &g, const Part &part, double period_ns) {
    std::set<NodeId> late;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        if (g.absorbed[n] > 0 && part.clock_to_out + operator_delay(d, g, part, {}, n) + part.setup > period_ns) late.insert(n);
    }
    return late;
}

}  // namespace

int banks_of(int64_t words, const Part &part, double period_ns) {
    const int64_t size = int64_t(1) << part.ram_address_bits, banks = (words + size - 1) / size;
    // Two are chosen between in the clock that one takes.
    return banks <= 2 || banks > most_banks || !wants_output_register(part, period_ns) ? 1 : static_cast<int>(banks);
}

int clocks_of_banks(int64_t banks) {
    int clocks = 7;
    for (int64_t joined = 4; joined < banks; joined *= 4) clocks += 2;
    return clocks;
}

bool is_in_multiplier(const Datapath &d, NodeId n) { return is_product(d, n) || d[n].op == Op::Accumulate; }

int Schedule::clocks_of(const Datapath &d, NodeId n) const {
    if (d[n].op == Op::Lookup) return tables[d[n].amount].clocks;
    if (is_product(d, n)) return product_clocks;
    if (d[n].op == Op::Accumulate) return 1;
    return is_digit_cell(d[n].op) ? digit_cell_clocks(d, n, form_of(n)) : 0;
}

Schedule pipeline_datapath(const Datapath &d, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks) {
    LogicGraph g = logic_graph(d, part.lut_inputs);
    const std::set<NodeId> late = late_adders(d, g, part, period_ns);
    if (!late.empty()) g = logic_graph(d, part.lut_inputs, late);
    Schedule registered = pipelined(d, g, part, period_ns, leaf_arrival_ns, Ends::Registers, clocks);
    if (ends == Ends::Registers || is_set_or_reset(d, g)) return registered;
    // A cut further in front may be the wider one.
    Schedule direct = pipelined(d, g, part, period_ns, leaf_arrival_ns, ends, clocks);
    return direct.register_bits < registered.register_bits ? direct : registered;
}

}  // namespace argent::hwgen
