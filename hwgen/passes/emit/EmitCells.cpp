#include "hwgen/passes/emit/EmitCells.h"

#include <algorithm>

#include "hwgen/ir/DigitCells.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

namespace v = argent::verilog;

namespace {

/** A net for what a cell gives in clock `ready`. */
StageNets::Net result_net(StageNets &s, Op op, int width, const std::string &comment) {
    const StageNets::Net net = s.fresh(op, width);
    s.wire(net, {}, comment);
    return net;
}

std::string clock_text(int t) { return "clock " + std::to_string(t); }

v::Instance cell_named(const std::string &module, const std::string &name) { return {module, name, {}, {{"clk", v::name("clk", 1)}}, {}}; }

/** Adds a cell that finds digits; one that loops, where the schedule says so, is told when an element begins. */
void emit_digits(StageNets &s, v::Instance cell, NodeId n, int t) {
    const DigitForm form = s.schedule.form_of(n);
    if (form.loops()) {
        cell.module += "_loop";
        cell.parameters.push_back({"CLOCKS", std::to_string(form.clocks)});
        cell.connections.insert(cell.connections.begin() + 1, {"start", s.starts.at(t)});
    }
    s.instance(std::move(cell));
}

/** The words 0 .. depth - 1 as one vector, word 0 lowest; in pieces, since tools have limits for one literal. */
std::string contents_text(const std::vector<Wide> &words, int depth, int width) {
    const int per_piece = std::max(1, 1024 / width);
    std::string text;
    for (int from = (depth - 1) / per_piece * per_piece; from >= 0; from -= per_piece) {
        const int count = std::min(per_piece, depth - from);
        std::vector<bool> bits;   // lowest first
        for (int i = from; i < from + count; ++i) {
            for (int b = 0; b < width; ++b) bits.push_back((words[static_cast<size_t>(i)] >> b) & 1);
        }
        std::string digits;
        for (size_t b = 0; b < bits.size(); b += 4) {
            int digit = 0;
            for (size_t k = b; k < std::min(b + 4, bits.size()); ++k) digit |= bits[k] << (k - b);
            digits += "0123456789abcdef"[digit];
        }
        std::reverse(digits.begin(), digits.end());
        text += (text.empty() ? "" : ",\n      ") + std::to_string(bits.size()) + "'h" + digits;
    }
    return "{" + text + "}";
}

/** One or two reads of a table in clock t. */
void emit_memory(StageNets &s, const std::vector<NodeId> &reads, const std::vector<TablePort> &loads, int t) {
    const Datapath &d = s.d;
    const int number = d[reads[0]].amount, ready = s.schedule.stage[reads[0]];
    const Table &table = d.tables()[number];
    const MemoryForm &form = s.schedule.tables[number];
    int width = 0, depth = table.is_rom() ? 1 : table.depth;
    for (NodeId n : reads) {
        width = std::max(width, s.wiring.demanded[n]);
        depth = std::max(depth, static_cast<int>(d[d[n].args[0]].range.hi) + 1);
    }
    const int address_width = v::bits_for(depth - 1);
    std::vector<v::Expr> addresses, data;   // most significant, that is the last port, first
    for (NodeId n : reads) {
        addresses.insert(addresses.begin(), s.take(d[n].args[0], address_width, t));
        const StageNets::Net net = result_net(s, Op::Lookup, width, to_string(d[n].range) + ", " + clock_text(ready));
        s.place(n, ready, net);
        data.insert(data.begin(), net.whole());
    }
    const bool in_banks = form.bank_bits > 0;
    v::Instance cell = cell_named(table.is_rom() ? "ag_rom" : in_banks ? "ag_table_banks" : "ag_table", s.scope.unique((table.is_rom() ? "rom_" : "table_") + table.name));
    cell.parameters = {{"WIDTH", std::to_string(width)},
                       {"DEPTH", std::to_string(depth)},
                       {"ADDR_W", std::to_string(address_width)},
                       {"PORTS", std::to_string(reads.size())},
                       {"LATENCY", std::to_string(form.clocks)}};
    if (in_banks) cell.parameters.push_back({"BANK_W", std::to_string(form.bank_bits)});
    else cell.parameters.push_back({"STYLE", form.is_block ? "\"block\"" : "\"distributed\""});
    if (table.is_rom()) cell.parameters.push_back({"CONTENTS", contents_text(*table.contents, depth, width)});
    for (const TablePort &p : loads) {
        if (p.table != number) continue;
        cell.connections.push_back({"write", v::name(p.id + "_write", 1)});
        cell.connections.push_back({"write_address", v::name(p.id + "_place", p.place_width)});
        cell.connections.push_back({"write_data", s.read({p.id + "_element", 0, p.element_width}, 0, width - 1)});
    }
    cell.connections.push_back({"address", v::concat(addresses)});
    cell.connections.push_back({"data", v::concat(data)});
    s.instance(std::move(cell));
}

}  // namespace

void emit_divider(StageNets &s, NodeId n, int t) {
    const Datapath &d = s.d;
    const int ready = s.schedule.stage[n];
    if (s.stands(n, ready)) return;   // made along with its twin
    NodeId quotient = -1, remainder = -1;
    for (NodeId m = n; m < static_cast<NodeId>(d.nodes().size()); ++m) {
        if (!s.wiring.is_logic(m) || d[m].args != d[n].args || s.schedule.stage[m] != ready) continue;
        if (d[m].op == Op::Div) quotient = m;
        if (d[m].op == Op::Mod) remainder = m;
    }
    const Interval a = d[d[n].args[0]].range, b = d[d[n].args[1]].range;
    // A result that nobody asked for gets a net, too: an open pin is a lint warning.
    const auto result = [&](NodeId m, Op op, int width) {
        const StageNets::Net net = result_net(s, op, width, clock_text(ready));
        if (m >= 0) s.place(m, ready, net);
        return net.whole();
    };
    const v::Expr q = result(quotient, Op::Div, quotient_bits(a, b)), r = result(remainder, Op::Mod, b.bits());
    v::Instance cell = cell_named("ag_div", s.scope.temporary("div"));
    cell.parameters = {{"A_W", std::to_string(a.bits())},
                       {"B_W", std::to_string(b.bits())},
                       {"Q_W", std::to_string(q.width())},
                       {"REMAINDER", remainder >= 0 ? "1" : "0"},
                       {"STEPS_PER_CLOCK", std::to_string(s.schedule.form_of(n).steps_per_clock)}};
    cell.connections.insert(cell.connections.end(), {{"dividend", s.operand(n, 0, t)}, {"divisor", s.operand(n, 1, t)}, {"quotient", q}, {"remainder", r}});
    emit_digits(s, std::move(cell), n, t);
}

void emit_root(StageNets &s, NodeId n, int t) {
    const int a_width = s.d[s.d[n].args[0]].range.bits(), ready = s.schedule.stage[n];
    const StageNets::Net net = result_net(s, Op::Sqrt, (a_width + 1) / 2, to_string(s.d[n].range) + ", " + clock_text(ready));
    s.place(n, ready, net);
    v::Instance cell = cell_named("ag_sqrt", s.scope.temporary("sqrt"));
    cell.parameters = {{"A_W", std::to_string(a_width)}, {"STEPS_PER_CLOCK", std::to_string(s.schedule.form_of(n).steps_per_clock)}};
    cell.connections.insert(cell.connections.end(), {{"radicand", s.operand(n, 0, t)}, {"root", net.whole()}});
    emit_digits(s, std::move(cell), n, t);
}

void emit_memories(StageNets &s, const std::vector<NodeId> &begin, const std::vector<TablePort> &loads, int t) {
    for (NodeId n : begin) {
        const int ready = s.schedule.stage[n];
        if (s.d[n].op != Op::Lookup || s.stands(n, ready)) continue;   // or made along with its twin
        std::vector<NodeId> reads = {n};
        for (NodeId m : begin) {
            const bool is_twin = m > n && s.d[m].op == Op::Lookup && s.d[m].amount == s.d[n].amount && !s.stands(m, ready);
            if (is_twin && reads.size() < 2) reads.push_back(m);
        }
        emit_memory(s, reads, loads, t);
    }
}

}  // namespace argent::hwgen
