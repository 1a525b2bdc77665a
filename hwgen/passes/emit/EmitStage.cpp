#include "hwgen/passes/emit/EmitStage.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "hwgen/passes/emit/EmitCells.h"
#include "hwgen/passes/emit/EmitOperators.h"
#include "hwgen/passes/emit/StageNets.h"
#include "hwgen/passes/pipeline/PathWords.h"
#include "hwgen/passes/pipeline/SteadyNodes.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

namespace {

namespace v = argent::verilog;

class Emitter {
public:
    Emitter(const Datapath &d, const Schedule &s) : d(d), schedule(s), nets(d, s), size(static_cast<int>(d.nodes().size())), is_steady(steady_nodes(d)) {}

    StageModule run(const std::string &module_name, const std::string &comment) {
        describe(module_name, comment);
        declare_ports();
        find_starts();
        sort_by_clock();
        for (int t = 0; t <= schedule.latency; ++t) emit_clock(t);
        name_unread();
        out.cells = std::move(nets.cells);
        return std::move(out);
    }

private:
    using Net = StageNets::Net;

    int clocks(NodeId n) const { return schedule.clocks_of(d, n); }

    void describe(const std::string &module_name, const std::string &comment) {
        out.latency = schedule.latency;
        out.critical_ns = schedule.critical_ns;
        out.critical_path = path_words(d, schedule);
        out.register_bits = schedule.register_bits;
        out.module.name = module_name;
        out.module.comment = comment + (comment.empty() ? "" : "\n") + "Latency " + std::to_string(out.latency) + " clocks, " +
                             std::to_string(out.register_bits) + " register bits.";
        out.output_range = d[d.outputs.at(0)].range;
        for (NodeId o : d.outputs) out.output_range = out.output_range.hull(d[o].range);
        out.output_width = out.output_range.bits();
    }

    void input(const std::string &name, int width, const std::string &comment) {
        out.module.ports.push_back({v::Direction::Input, name, width, comment});
    }

    void declare_ports() {
        nets.scope.reserve("clk");
        nets.scope.reserve("_unused");
        input("clk", 1, "");
        out.starts = !schedule.loops.empty();
        if (out.starts) {
            nets.scope.reserve("start");
            input("start", 1, "the inputs are those of a new element");
        }
        for (size_t i = 0; i < d.outputs.size(); ++i) {
            out.outputs.push_back("out_" + std::to_string(i));
            nets.scope.reserve(out.outputs.back());
        }
        declare_leaves();
        declare_loads();
        for (const std::string &name : out.outputs)
            out.module.ports.push_back({v::Direction::Output, name, out.output_width, to_string(out.output_range)});
    }

    void declare_leaves() {
        std::map<int, NodeId> node_of;
        for (NodeId n = 0; n < size; ++n) {
            if (d[n].op == Op::Leaf) node_of[d[n].amount] = n;
        }
        for (size_t i = 0; i < d.leaves().size(); ++i) {
            const Leaf &l = d.leaves()[i];
            const Net net{nets.scope.unique(port_name(l)), 0, l.range.bits()};
            out.inputs.push_back({static_cast<int>(i), net.name, net.width});
            input(net.name, net.width, to_string(l.range));
            nets.port(net);
            const NodeId n = node_of.at(static_cast<int>(i));
            for (int t = 0; t <= (is_steady[n] ? schedule.latency : 0); ++t) nets.place(n, t, net);
        }
    }

    void declare_loads() {
        std::vector<bool> is_read(d.tables().size(), false);
        for (NodeId n = 0; n < size; ++n) {
            if (nets.wiring.is_logic(n) && d[n].op == Op::Lookup) is_read[d[n].amount] = true;
        }
        for (size_t i = 0; i < d.tables().size(); ++i) {
            const Table &t = d.tables()[i];
            if (t.is_rom() || !is_read[i]) continue;
            const TablePort p{static_cast<int>(i), t.name, nets.scope.unique(t.name), v::bits_for(t.depth - 1), t.range.bits()};
            for (const char *part : {"_write", "_place", "_element"}) nets.scope.reserve(p.id + part);
            input(p.id + "_write", 1, "");
            input(p.id + "_place", p.place_width, "0.." + std::to_string(t.depth - 1));
            input(p.id + "_element", p.element_width, to_string(t.range));
            nets.port({p.id + "_element", 0, p.element_width});
            out.loads.push_back(p);
        }
    }

    /** The last clock in which a cell begins that has to know when, or a register holds what is there. */
    void find_starts() {
        for (const auto &[n, form] : schedule.loops) last_start = std::max(last_start, schedule.stage[n] - clocks(n));
        for (const auto &[n, by_clock] : nets.reads.bits) {
            if (is_steady[n]) continue;
            int wait = by_clock.rbegin()->first - schedule.stage[n];
            for (; schedule.registers_for(wait) < wait; wait -= std::min(wait, schedule.held))
                last_start = std::max(last_start, by_clock.rbegin()->first - wait);
        }
    }

    /** In which clock each node begins, and from which one on its value stands somewhere. */
    void sort_by_clock() {
        begins.resize(schedule.latency + 1);
        stands.resize(schedule.latency + 1);
        for (NodeId n = 0; n < size; ++n) {
            if (!nets.wiring.is_logic(n)) continue;
            const int stage = schedule.stage[n];
            if (stage < clocks(n) || stage > schedule.latency) continue;   // whoever reads it finds that out
            if (d[n].op != Op::Leaf) begins[stage - clocks(n)].push_back(n);
            if (nets.reads.bits.count(n)) stands[stage].push_back(n);
        }
    }

    void emit_clock(int t) {
        for (NodeId n : begins[t]) emit_node(n, t);
        emit_memories(nets, begins[t], out.loads, t);   // at last: two may share one, so the addresses of both must stand
        if (t == schedule.latency) emit_outputs(t);
        if (t < schedule.latency) emit_registers(t);
        if (nets.items.empty()) return;   // without a heading
        out.module.items.push_back(v::Comment{"clock " + std::to_string(t)});
        std::move(nets.items.begin(), nets.items.end(), std::back_inserter(out.module.items));
        nets.items.clear();
    }

    void emit_node(NodeId n, int t) {
        if (clocks(n) == 0) emit_operator(nets, n, t);
        else if (d[n].op == Op::Sqrt) emit_root(nets, n, t);
        else if (is_in_multiplier(d, n)) emit_in_multiplier(nets, n, t);
        else if (d[n].op != Op::Lookup) emit_divider(nets, n, t);
    }

    /** What a later clock reads goes on, without the bits that none does. */
    void emit_registers(int t) {
        v::Clocked block;
        if (t < last_start) delay_start(t, block);
        standing.insert(stands[t].begin(), stands[t].end());
        for (auto next = standing.begin(); next != standing.end();) {
            const NodeId n = *next++;
            const BitMask later = read_later(n, t);
            if (later == 0) standing.erase(n);
            else if (!nets.stands(n, t + 1)) emit_register(n, t, later, block);   // or it is held
        }
        if (!block.updates.empty()) nets.clocked(std::move(block));
    }

    void delay_start(int t, v::Clocked &block) {
        const Net start{nets.scope.unique("p" + std::to_string(t + 1) + "_start"), 0, 1};
        nets.items.push_back(v::Reg{start.name, 1, 0, ""});
        block.updates.push_back({start.whole(), nets.starts.at(t), {}, {}, ""});
        nets.starts.push_back(start.whole());
    }

    /** Bits of the node that are read behind clock t. */
    BitMask read_later(NodeId n, int t) const {
        BitMask later = 0;
        for (const auto &[clock, bits] : nets.reads.bits.at(n)) {
            if (clock > t) later |= bits;
        }
        return later;
    }

    /** A register for those bits: for the next clock, or with the start for as many as it may hold them; of what is steady for all clocks. */
    void emit_register(NodeId n, int t, BitMask bits, v::Clocked &block) {
        const std::string &origin = nets.at(n, schedule.stage[n]).name;
        const int low = lowest_bit(bits), high = highest_bit(bits);
        const Net to{nets.scope.unique("p" + std::to_string(t + 1) + (origin[0] == '_' ? "" : "_") + origin), low, high - low + 1};
        const bool is_part = low > 0 && schedule.stage[n] == t;
        nets.reg(to, is_part ? "from bit " + std::to_string(low) : "");
        const int wait = nets.reads.bits.at(n).rbegin()->first - t, held = schedule.registers_for(wait) < wait ? std::min(wait, schedule.held) : 1;
        const bool is_loaded = held > 1 && !is_steady[n];
        block.updates.push_back({to.whole(), nets.read(n, low, high, t), is_loaded ? nets.starts.at(t) : v::Expr(), {}, ""});
        for (int k = 1; k <= (is_steady[n] ? wait : held); ++k) nets.place(n, t + k, to);
    }

    void emit_outputs(int t) {
        for (size_t i = 0; i < d.outputs.size(); ++i)
            nets.items.push_back(v::Assign{v::name(out.outputs[i], out.output_width), nets.take(d.outputs[i], out.output_width, t), ""});
    }

    void name_unread() {
        std::vector<v::Expr> parts = nets.unread();
        if (parts.empty()) return;
        parts.insert(parts.begin(), v::literal(0, 1));
        out.module.items.push_back(v::Comment{"Bits that no value depends on."});
        out.module.items.push_back(v::Wire{"_unused", 1, v::unary(v::UnaryOp::ReduceAnd, v::concat(parts)), ""});
    }

    const Datapath &d;
    const Schedule &schedule;
    StageNets nets;
    const int size;
    const std::vector<bool> is_steady;
    StageModule out;
    std::vector<std::vector<NodeId>> begins, stands; // by clock: nodes that begin; nodes whose value is there from then on
    std::set<NodeId> standing;                       // nodes whose values a later clock may read
    int last_start = 0;
};

}  // namespace

std::string port_name(const Leaf &l) { return l.kind == Leaf::Kind::Param || l.kind == Leaf::Kind::Coord ? verilog::legal(l.name) : l.name; }

StageModule emit_stage(const Datapath &d, const Schedule &s, const std::string &module_name, const std::string &comment) {
    return Emitter(d, s).run(module_name, comment);
}

}  // namespace argent::hwgen
