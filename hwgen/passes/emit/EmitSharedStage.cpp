#include "hwgen/passes/emit/EmitSharedStage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

class SharedEmitter {
public:
    SharedEmitter(const SharedDatapath &d, const Part &part, double period_ns, int clocks, const std::string &name, const std::string &comment, Scope &modules)
        : d(d), before_schedule(d.before.outputs.empty() ? Schedule() : pipeline_datapath(d.before, part, period_ns)), terms_schedule(pipeline_datapath(d.terms, part, period_ns, {}, Ends::Registers, d.clocks)),
          after_schedule(pipeline_datapath(d.after, part, period_ns, {}, Ends::Registers, clocks)), pace(terms_schedule.loops.empty() ? 1 : d.clocks),
          before(d.before.outputs.empty() ? StageModule() : emit_stage(d.before, before_schedule, modules.unique(name + "_choices"),
                                                                        lookups_of(d.before).empty() ? "Choices by the place." : "Choices by the place, and what tables hold.")),
          terms(emit_stage(d.terms, terms_schedule, modules.unique(name + "_terms"), "What one slot adds.")),
          after(emit_stage(d.after, after_schedule, modules.unique(name + "_after"), "What is left when all slots have been gathered.")),
          slot_bits(bits_for(d.slots - 1)),
          b(name, fmt::format("{}\nShared in time: {} slots{} an element, {} sets of operators for {}. Latency {} clocks.", comment, d.slots,
                              pace == 1 ? "" : fmt::format(" of {} clocks", pace), d.operators, d.from_operators, latency())) {}

    StageModule run() {
        ports();
        if (!d.before.outputs.empty()) instance_of(before, "choices", d.before, [&](const Leaf &l) { return standing(index_of(l)); });
        slots();
        choose_operands();
        instance_of(terms, "terms", d.terms, [&](const Leaf &l) { return operands.at(l.place); });
        gather();
        if (after.starts) after_begins = later("ends", ends, 1);
        instance_of(after, "after", d.after, [&](const Leaf &l) { return l.kind == Leaf::Kind::Value ? results.at(l.place) : kept(l); });
        outputs();
        name_unread();
        out.latency = latency();
        out.starts = true;
        out.output_range = after.output_range;
        out.output_width = after.output_width;
        for (const StageModule *m : {&before, &terms, &after}) {
            if (m->critical_ns <= out.critical_ns) continue;
            out.critical_ns = m->critical_ns;
            out.critical_path = m->critical_path;
        }
        out.register_bits = register_bits + before.register_bits + terms.register_bits + after.register_bits;
        for (const StageModule *m : {&terms, &before, &after}) {
            for (const std::string &cell : m->cells) {
                if (std::find(out.cells.begin(), out.cells.end(), cell) == out.cells.end()) out.cells.push_back(cell);
            }
        }
        out.module = b.take();
        if (!d.before.outputs.empty()) out.parts.push_back(std::move(before.module));
        out.parts.push_back(std::move(terms.module));
        out.parts.push_back(std::move(after.module));
        return std::move(out);
    }

private:
    int gathered() const { return before.latency + 3 + terms.latency + (d.slots - 1) * pace; }   // clocks after start
    int latency() const { return gathered() + after.latency + 1; }

    void ports() {
        clk = b.input("clk");
        start = b.input("start", 1, "the inputs are those of a new element");
        for (size_t i = 0; i < d.leaves.size(); i++) {
            const Leaf &l = d.leaves[i];
            inputs.push_back(b.input(port_name(l), l.range.bits(), to_string(l.range)));
            out.inputs.push_back({static_cast<int>(i), inputs.back().get().name, l.range.bits()});
        }
        for (size_t i = 0; i < after.outputs.size(); i++) {
            out.outputs.push_back(after.outputs[i]);
            output_ports.push_back(b.output(after.outputs[i], after.output_width, to_string(after.output_range)));
        }
        for (const StageModule *m : {&before, &after}) {   // what is shared reads no tables, and no table is in both
            out.loads.insert(out.loads.end(), m->loads.begin(), m->loads.end());
            std::vector<std::pair<std::string, Expr>> &nets = loads[m];
            for (const TablePort &p : m->loads) {
                nets.push_back({p.id + "_write", b.input(p.id + "_write")});
                nets.push_back({p.id + "_place", b.input(p.id + "_place", p.place_width)});
                nets.push_back({p.id + "_element", b.input(p.id + "_element", p.element_width)});
            }
        }
    }

    Expr is_slot(const Expr &counter, int slot) const { return binary(BinaryOp::Eq, counter, literal(slot, slot_bits)); }

    /** Counts 0 .. slots - 1 from the clock behind `begin` on, one with each `step` (undefined: every clock), and stays there. */
    Expr counter(const std::string &id, const Expr &begin, const Expr &step) {
        const Expr count = b.declare_reg(id, slot_bits);
        const Expr rests = step.defined() ? binary(BinaryOp::Or, unary(UnaryOp::Not, step), is_slot(count, d.slots - 1)) : is_slot(count, d.slots - 1);
        const Expr next = select(rests, count, binary(BinaryOp::Add, count, literal(1, slot_bits)));
        b.update({count, select(begin, literal(0, slot_bits), next), {}, {}, {}});
        register_bits += slot_bits;
        return count;
    }

    Expr later(const std::string &id, Expr e, int clocks) {
        for (int k = 1; k <= clocks; k++) {
            register_bits += e.width();
            e = b.reg(fmt::format("{}_z{}", id, k), e);
        }
        return e;
    }

    void slots() {
        b.comment("The slot whose operands are chosen, and the one whose terms are there.");
        chosen = later("start", start, before.latency);
        if (pace > 1) clocks_of_slots();
        else slot = counter("slot", chosen, {});
        begins = later("chosen", chosen, 1 + terms.latency);
        if (pace > 1) gathers = later("terms_begin", terms_begin, terms.latency);
        term_slot = counter("term_slot", begins, gathers);
        is_gathering = b.declare_reg("gathering");
        ends = b.wire("ends", binary(BinaryOp::And, is_gathering, in_time(is_slot(term_slot, d.slots - 1))));
        b.update({is_gathering, binary(BinaryOp::Or, begins, binary(BinaryOp::And, is_gathering, unary(UnaryOp::Not, ends))), {}, {}, {}});
        register_bits++;
    }

    /** The clocks of each slot. The last slot stays in its last clock. */
    void clocks_of_slots() {
        const int bits = bits_for(pace - 1);
        const Expr clock = b.declare_reg("slot_clock", bits), last = literal(pace - 1, bits);
        const Expr ends = b.wire("slot_ends", binary(BinaryOp::Eq, clock, last));
        slot = counter("slot", chosen, ends);
        terms_begin = b.reg("terms_begin", binary(BinaryOp::Eq, clock, literal(0, bits)));   // a clock late, as the operands are
        const Expr next = select(ends, select(is_slot(slot, d.slots - 1), last, literal(0, bits)), binary(BinaryOp::Add, clock, literal(1, bits)));
        b.update({clock, select(chosen, literal(0, bits), next), {}, {}, {}});
        register_bits += bits + 1;
    }

    /** `e`, in the clock in which the terms of a slot are there. */
    Expr in_time(const Expr &e) const { return gathers.defined() ? binary(BinaryOp::And, gathers, e) : e; }

    /** The leaf from the clock after start on, for as many clocks as all slots have. */
    Expr standing(int leaf) {
        const Leaf &l = d.leaves[leaf];
        is_read.insert(leaf);
        if (l.kind == Leaf::Kind::Tap || l.kind == Leaf::Kind::Param) return inputs[leaf];
        const auto known = held.find(leaf);
        if (known != held.end()) return known->second;
        register_bits += l.range.bits();
        return held[leaf] = b.reg_if("held_" + inputs[leaf].get().name, start, inputs[leaf]);
    }

    /** The leaf in the clocks of the slots, which are late by those that choices take: in the last one it may stand no more. */
    Expr in_slots(int leaf) {
        const Expr e = standing(leaf);
        if (before.latency == 0 || d.leaves[leaf].kind == Leaf::Kind::Param) return e;
        const auto known = late.find(leaf);
        return known != late.end() ? known->second : late[leaf] = later("late_" + inputs[leaf].get().name, e, before.latency);
    }

    Expr source(const SharedDatapath::Source &s, const Interval &range) {
        if (s.leaf < 0 && s.chosen < 0)
            return literal(static_cast<unsigned __int128>(s.value) & ((static_cast<unsigned __int128>(1) << range.bits()) - 1), range.bits());
        const Interval own = s.leaf >= 0 ? d.leaves[s.leaf].range : d.before[d.before.outputs[s.chosen]].range;
        const Expr e = s.leaf >= 0 ? in_slots(s.leaf) : slice(before_nets[s.chosen], own.bits() - 1, 0);
        return own.is_signed() ? sign_extend(e, range.bits()) : zero_extend(e, range.bits());
    }

    /** A tree of choices by the bits of the slot, the highest first. */
    Expr choose(const std::vector<SharedDatapath::Source> &sources, const Interval &range, int bit, size_t first) {
        if (first >= sources.size()) return {};
        if (bit < 0) return source(sources[first], range);
        const size_t half = size_t(1) << bit;
        const Expr low = choose(sources, range, bit - 1, first), high = choose(sources, range, bit - 1, first + half);
        const bool same = !high.defined() || std::equal(sources.begin() + first + half, sources.begin() + std::min(sources.size(), first + 2 * half),
                                                        sources.begin() + first);
        return same ? low : select(slice(slot, bit, bit), high, low);
    }

    void choose_operands() {
        b.comment("The operands of each slot.");
        for (const Leaf &l : d.terms.leaves()) {
            const auto &sources = d.operands[&l - d.terms.leaves().data()];
            operands[l.place] = b.reg(l.name, choose(sources, l.range, slot_bits - 1, 0), to_string(l.range));
            register_bits += l.range.bits();
        }
    }

    template<typename NetOf>
    void instance_of(const StageModule &m, const std::string &id, const Datapath &datapath, const NetOf &net_of) {
        Instance instance{m.module.name, id, {}, {}, {}};
        const bool is_clocked = std::any_of(m.module.ports.begin(), m.module.ports.end(), [](const Port &p) { return p.name == "clk"; });
        if (is_clocked) instance.connections.push_back({"clk", clk});
        if (m.starts) instance.connections.push_back({"start", &m == &terms ? terms_begin : after_begins});
        for (const StagePort &p : m.inputs) instance.connections.push_back({p.name, net_of(datapath.leaves()[p.leaf])});
        for (const auto &[port, net] : loads[&m]) instance.connections.push_back({port, net});
        std::vector<Expr> &nets = &m == &terms ? term_nets : &m == &after ? after_nets : before_nets;
        for (const std::string &port : m.outputs) {
            nets.push_back(b.wire(id + "_" + port, m.output_width));
            instance.connections.push_back({port, nets.back()});
        }
        b.instance(std::move(instance));
    }

    /** An accumulator for each output of the terms; what it holds at the end of a run is a result. */
    void gather() {
        b.comment("Terms of several slots, put together.");
        for (size_t term = 0; term < term_nets.size(); term++) {
            std::vector<const SharedDatapath::Result *> runs;
            // Sums are right modulo 2^bits, and each lies in its range.
            int bits = 1;
            for (const SharedDatapath::Result &r : d.results) {
                if (r.term != int(term)) continue;
                runs.push_back(&r);
                bits = std::max(bits, r.range.bits());
                if (r.op == Op::Min || r.op == Op::Max) bits = std::max(bits, terms.output_width);
            }
            if (bits < terms.output_width) unread.push_back(slice(term_nets[term], terms.output_width - 1, bits));
            const bool is_signed = terms.output_range.is_signed();
            accumulate(static_cast<int>(term), runs, is_signed ? sign_extend(term_nets[term], bits) : zero_extend(term_nets[term], bits), is_signed);
        }
    }

    void accumulate(int term, const std::vector<const SharedDatapath::Result *> &runs, const Expr &value, bool is_signed) {
        const Expr sum = b.declare_reg(fmt::format("sum_{}", term), value.width());
        register_bits += value.width();
        Expr together = value, is_first;
        const auto adds = std::find_if(runs.begin(), runs.end(), [](const auto *r) { return r->op != Op::Const; });
        if (adds != runs.end()) {
            const Op op = (*adds)->op;
            together = op == Op::Add ? binary(BinaryOp::Add, sum, value) :
                       select(binary(op == Op::Min ? BinaryOp::Lt : BinaryOp::Gt, sum, value, is_signed), sum, value);
            for (const auto *r : runs) {
                const Expr here = is_slot(term_slot, r->first);
                is_first = is_first.defined() ? binary(BinaryOp::Or, is_first, here) : here;
            }
            together = select(b.wire(fmt::format("first_{}", term), is_first), value, together);
        }
        b.update({sum, together, gathers, {}, {}});
        for (const auto *r : runs) results[static_cast<int>(r - d.results.data())] = result(*r, sum);
    }

    /** As the outputs are made of it: a run that ends before the last slot has to wait for the others. */
    Expr result(const SharedDatapath::Result &r, const Expr &sum) {
        const Expr bits = slice(sum, r.range.bits() - 1, 0);
        if (r.last == d.slots - 1) return bits;
        const std::string id = fmt::format("result_{}", &r - d.results.data());
        register_bits += r.range.bits();
        return b.reg_if(id, b.wire(id + "_is_there", in_time(is_slot(term_slot, r.last + 1))), bits);
    }

    int index_of(const Leaf &l) const { return static_cast<int>(std::find(d.leaves.begin(), d.leaves.end(), l) - d.leaves.begin()); }

    /** The clock of the last slot, once an element: where those are farther apart than taps stand, the slot stays longer than they do. */
    Expr last_slot() {
        if (last.defined()) return last;
        const Expr is_choosing = b.declare_reg("choosing");
        last = b.wire("chooses_last", binary(BinaryOp::And, is_choosing, is_slot(slot, d.slots - 1)));
        b.update({is_choosing, binary(BinaryOp::Or, chosen, binary(BinaryOp::And, is_choosing, unary(UnaryOp::Not, last))), {}, {}, {}});
        register_bits++;
        return last;
    }

    /** A leaf that is read once more behind the slots. */
    Expr kept(const Leaf &l) {
        const Expr e = in_slots(index_of(l));
        if (l.kind == Leaf::Kind::Param) return e;
        register_bits += e.width();
        const std::string name = "kept_" + inputs[index_of(l)].get().name;
        const Expr keep = b.reg_if(name, last_slot(), e);
        return later(name, keep, 2 + terms.latency - d.slots * pace);
    }

    void outputs() {
        b.comment("They stand until the next ones.");
        const Expr done = after.starts ? later("after", after_begins, after.latency) : later("ends", ends, 1 + after.latency);
        for (size_t i = 0; i < after_nets.size(); i++) {
            register_bits += after.output_width;
            b.assign(output_ports[i], b.reg_if(fmt::format("value_{}", i), done, after_nets[i]));
        }
    }

    void name_unread() {
        for (size_t k = 0; k < before_nets.size(); k++) {
            const int bits = d.before[d.before.outputs[k]].range.bits();
            if (bits < before.output_width) unread.push_back(slice(before_nets[k], before.output_width - 1, bits));
        }
        for (size_t i = 0; i < inputs.size(); i++) {
            if (!is_read.count(static_cast<int>(i))) unread.push_back(inputs[i]);
        }
        if (unread.empty()) return;
        unread.push_back(literal(0, 1));
        b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(unread)));
    }

    const SharedDatapath &d;
    const Schedule before_schedule, terms_schedule, after_schedule;
    const int pace;   // clocks of a slot
    StageModule before, terms, after;
    const int slot_bits;
    Builder b;
    StageModule out;
    int register_bits = 0;
    Expr clk, start, chosen, slot, last, term_slot, begins, is_gathering, ends;
    Expr terms_begin, gathers;   // where a slot has more than one clock: its operands are there, and its terms
    Expr after_begins;           // where `after` has to know
    std::vector<Expr> inputs, output_ports, before_nets, term_nets, after_nets, unread;
    std::map<const StageModule *, std::vector<std::pair<std::string, Expr>>> loads;   // ports of tables, and what is connected
    std::map<int, Expr> held, late, operands, results;   // by leaf; by number
    std::set<int> is_read;
};

}  // namespace

StageModule emit_shared_stage(const SharedDatapath &d, const Part &part, double period_ns, int clocks, const std::string &name, const std::string &comment,
                              Scope &modules) {
    return SharedEmitter(d, part, period_ns, clocks, name, comment, modules).run();
}

}  // namespace argent::hwgen
