#include "hwgen/passes/EmitStage.h"

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/DigitCells.h"
#include "hwgen/passes/DemandedBits.h"
#include "hwgen/passes/PathWords.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

namespace {

namespace v = argent::verilog;
using Mask = unsigned __int128;

Mask bit(int i) { return static_cast<Mask>(1) << i; }
Mask low_bits(int n) { return n >= 128 ? ~static_cast<Mask>(0) : bit(n) - 1; }

int lowest(Mask m) {
    for (int i = 0;; ++i) {
        if (m & bit(i)) return i;
    }
}
int highest(Mask m) {
    for (int i = 127;; --i) {
        if (m & bit(i)) return i;
    }
}

const char *word_of(Op op) {
    switch (op) {
    case Op::Add: return "sum";
    case Op::Sub: return "diff";
    case Op::Mul: return "prod";
    case Op::Min: return "min";
    case Op::Max: return "max";
    case Op::Abs: return "abs";
    case Op::And: return "and";
    case Op::Or: return "or";
    case Op::Xor: return "xor";
    case Op::Not: return "not";
    case Op::ShlBy: return "shl";
    case Op::ShrBy: return "shr";
    case Op::Eq: return "eq";
    case Op::Lt: return "lt";
    case Op::Le: return "le";
    case Op::Select: return "sel";
    case Op::Div: return "quot";
    case Op::Mod: return "rem";
    case Op::Sqrt: return "root";
    case Op::Lookup: return "read";
    default: return "t";
    }
}

int bits_for(int64_t value) {
    int n = 1;
    while (value >> n) ++n;
    return n;
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

class Emitter {
public:
    Emitter(const Datapath &d, const Schedule &s) : d(d), schedule(s), wiring(wiring_of(d)), size(static_cast<int>(d.nodes().size())) {}

    StageModule run(const std::string &module_name, const std::string &comment) {
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

        declare_ports();
        find_needs();
        find_starts();
        sort_by_clock();
        for (int t = 0; t <= schedule.latency; ++t) emit_clock(t);
        emit_unused();
        return std::move(out);
    }

private:
    /** A net that holds bits of a node: all of it, or what a register kept (from bit `low` on). */
    struct Net {
        std::string name;
        int low = 0, width = 0;
    };

    int clocks(NodeId n) const { return schedule.clocks_of(d, n); }

    void declare_ports() {
        scope.reserve("clk");
        scope.reserve("_unused");
        out.module.ports.push_back({v::Direction::Input, "clk", 1, ""});
        out.starts = !schedule.loops.empty();
        if (out.starts) {
            scope.reserve("start");
            out.module.ports.push_back({v::Direction::Input, "start", 1, "the inputs are those of a new element"});
        }
        for (size_t i = 0; i < d.outputs.size(); ++i) {
            out.outputs.push_back("out_" + std::to_string(i));
            scope.reserve(out.outputs.back());
        }
        std::map<int, NodeId> node_of;
        for (NodeId n = 0; n < size; ++n) {
            if (d[n].op == Op::Leaf) node_of[d[n].amount] = n;
        }
        for (size_t i = 0; i < d.leaves().size(); ++i) {
            const Leaf &l = d.leaves()[i];
            StagePort p{static_cast<int>(i), scope.fresh(l.name), l.range.bits()};
            out.inputs.push_back(p);
            out.module.ports.push_back({v::Direction::Input, p.name, p.width, to_string(l.range)});
            declared.push_back({p.name, 0, p.width});
            nets[{node_of.at(static_cast<int>(i)), 0}] = declared.back();
        }
        declare_loads();
        for (const std::string &name : out.outputs)
            out.module.ports.push_back({v::Direction::Output, name, out.output_width, to_string(out.output_range)});
    }

    void declare_loads() {
        std::vector<bool> is_read(d.tables().size(), false);
        for (NodeId n = 0; n < size; ++n) {
            if (wiring.is_logic(n) && d[n].op == Op::Lookup) is_read[d[n].amount] = true;
        }
        for (size_t i = 0; i < d.tables().size(); ++i) {
            const Table &t = d.tables()[i];
            if (t.is_rom() || !is_read[i]) continue;
            TablePort p{static_cast<int>(i), t.name, scope.fresh(t.name), bits_for(t.depth - 1), t.range.bits()};
            for (const char *part : {"_write", "_place", "_element"}) scope.reserve(p.id + part);
            out.module.ports.push_back({v::Direction::Input, p.id + "_write", 1, ""});
            out.module.ports.push_back({v::Direction::Input, p.id + "_place", p.place_width, "0.." + std::to_string(t.depth - 1)});
            out.module.ports.push_back({v::Direction::Input, p.id + "_element", p.element_width, to_string(t.range)});
            declared.push_back({p.id + "_element", 0, p.element_width});
            out.loads.push_back(p);
        }
    }

    /** The last clock in which a cell begins that has to know when, or a register holds what is there. */
    void find_starts() {
        for (const auto &[n, form] : schedule.loops) last_start = std::max(last_start, schedule.stage[n] - clocks(n));
        for (const auto &[n, by_clock] : needs) {
            int wait = by_clock.rbegin()->first - schedule.stage[n];
            for (; schedule.registers_for(wait) < wait; wait -= std::min(wait, schedule.held))
                last_start = std::max(last_start, by_clock.rbegin()->first - wait);
        }
    }

    /** `start` as it comes to clock t. */
    v::Expr start_at(int t) const { return v::name(t == 0 ? "start" : starts[t - 1], 1); }

    /** Makes a cell one that loops. */
    void loop(v::Instance &cell, NodeId n, int t) {
        const DigitForm form = schedule.form_of(n);
        if (!form.loops()) return;
        cell.module += "_loop";
        cell.parameters.push_back({"CLOCKS", std::to_string(form.clocks)});
        cell.connections.insert(cell.connections.begin() + 1, {"start", start_at(t)});
    }

    /** In which clock each node begins, and from which one on its value stands somewhere. */
    void sort_by_clock() {
        begins.resize(schedule.latency + 1);
        stands.resize(schedule.latency + 1);
        for (NodeId n = 0; n < size; ++n) {
            if (!wiring.is_logic(n)) continue;
            const int stage = schedule.stage[n];
            if (stage < clocks(n) || stage > schedule.latency) continue;   // whoever reads it finds that out
            if (d[n].op != Op::Leaf) begins[stage - clocks(n)].push_back(n);
            if (needs.count(n)) stands[stage].push_back(n);
        }
    }

    /** Which bits of each logic node are read in which clock; registers follow from it. */
    void find_needs() {
        auto read = [&](NodeId n, int width, int t, NodeId reader) {
            for (const Bit &b : wiring.take(d, n, width)) {
                if (b.source < 0) continue;
                needs[b.source][t] |= bit(b.index);
                readers[b.source].insert(reader);
            }
        };
        for (NodeId n = 0; n < size; ++n) {
            if (!wiring.is_logic(n)) continue;
            for (size_t k = 0; k < d[n].args.size(); ++k)
                read(d[n].args[k], operand_width(d, wiring.demanded, n, static_cast<int>(k)), schedule.stage[n] - clocks(n), n);
        }
        for (NodeId o : d.outputs) read(o, wiring.demanded[o], schedule.latency, size);   // of none of the nodes
    }

    void emit_clock(int t) {
        std::vector<v::Item> items;
        std::swap(items, out.module.items);   // collected apart, so that an empty clock leaves no heading
        for (NodeId n : begins[t]) {
            if (clocks(n) == 0) emit_operator(n, t);
            else if (d[n].op == Op::Sqrt) emit_root(n, t);
            else if (d[n].op == Op::Mul) emit_registered_product(n, t);
            else if (d[n].op != Op::Lookup) emit_divider(n, t);
        }
        for (NodeId n : begins[t]) {   // at last: two may share a memory, so the addresses of both must stand
            if (d[n].op == Op::Lookup) emit_lookup(n, t);
        }
        if (t == schedule.latency) emit_outputs(t);
        if (t < schedule.latency) emit_registers(t);
        std::swap(items, out.module.items);
        if (!items.empty()) out.module.items.push_back(v::Comment{"clock " + std::to_string(t)});
        out.module.items.insert(out.module.items.end(), items.begin(), items.end());
    }

    /** Bits first..last of what a node computes, as they stand in clock t. */
    v::Expr refer(NodeId source, int first, int last, int t) {
        auto net = nets.find({source, t});
        argent_internal_assert(net != nets.end(), "emit_stage", "a value is read in a clock in which it does not stand anywhere");
        const Net &n = net->second;
        used[n.name] |= low_bits(last - n.low + 1) & ~low_bits(first - n.low);
        return v::slice(v::name(n.name, n.width), last - n.low, first - n.low);
    }

    /** The low `width` bits of a node in clock t. */
    v::Expr take(NodeId n, int width, int t) { return join(wiring.take(d, n, width), t); }

    v::Expr join(const std::vector<Bit> &bits, int t) {
        std::vector<v::Expr> parts;   // least significant first
        for (size_t i = 0; i < bits.size();) {
            size_t end = i + 1;
            if (bits[i].source < 0) {
                Mask value = static_cast<Mask>(bits[i].index);
                for (; end < bits.size() && bits[end].source < 0; ++end) value |= static_cast<Mask>(bits[end].index) << (end - i);
                parts.push_back(v::literal(value, static_cast<int>(end - i)));
            } else if (end < bits.size() && bits[end] == bits[i]) {
                while (end < bits.size() && bits[end] == bits[i]) ++end;
                parts.push_back(v::repeat(refer(bits[i].source, bits[i].index, bits[i].index, t), static_cast<int>(end - i)));
            } else {
                while (end < bits.size() && bits[end].source == bits[i].source && bits[end].index == bits[end - 1].index + 1) ++end;
                // The last bit of a run that is then repeated belongs to the run: {{4{a[7]}}, a}.
                parts.push_back(refer(bits[i].source, bits[i].index, bits[end - 1].index, t));
            }
            i = end;
        }
        std::reverse(parts.begin(), parts.end());
        return v::concat(parts);
    }

    v::Expr operand(NodeId n, int k, int t) { return take(d[n].args[k], operand_width(d, wiring.demanded, n, k), t); }

    bool is_absorbed(NodeId n, int k) const {
        const std::vector<Bit> bits = wiring.take(d, d[n].args[k], operand_width(d, wiring.demanded, n, k));
        return std::any_of(bits.begin(), bits.end(), [&](const Bit &b) { return b.source >= 0 && schedule.host[b.source] == n; });
    }

    /** A signed number, from the least one on: tools compare numbers without sign by one carry chain, and with it by a table behind. */
    static v::Expr from_least(const v::Expr &e) { return v::binary(v::BinaryOp::Xor, e, v::literal(Mask(1) << (e.width() - 1), e.width())); }

    /** Whether the first operand is less than a power of two, of its higher bits alone. */
    v::Expr is_below(NodeId n, Wide power, int t) {
        const std::vector<Bit> bits = wiring.take(d, d[n].args[0], operand_width(d, wiring.demanded, n, 0));
        const bool is_signed = compared(d[n]).is_signed();
        const std::vector<Bit> high(bits.begin() + Interval{0, power - 1}.bits(), bits.end() - is_signed);
        const v::Expr is_small = v::binary(v::BinaryOp::Eq, join(high, t), v::literal(0, static_cast<int>(high.size())));
        return is_signed ? v::binary(v::BinaryOp::Or, join({bits.back()}, t), is_small) : is_small;
    }

    Interval compared(const Node &n) const { return d[n.args[0]].range.hull(d[n.args[1]].range); }

    v::Expr expression(NodeId id, int t) {
        const Node &n = d[id];
        const int width = wiring.demanded[id];
        auto a = [&] { return operand(id, 0, t); };
        auto b = [&] { return operand(id, 1, t); };
        auto compare = [&](v::BinaryOp op) {
            const v::Expr x = a(), y = b();
            return compared(n).is_signed() ? v::binary(op, from_least(x), from_least(y)) : v::binary(op, x, y);
        };
        switch (n.op) {
        case Op::Add:
            if (d.is_const(n.args[1]) && d[n.args[1]].value < 0) {
                Mask c = static_cast<Mask>(-d[n.args[1]].value) & low_bits(width);
                return v::binary(v::BinaryOp::Sub, a(), v::literal(c, width));
            }
            // What is part of the tables stands second: of the first, tools want the bare bits for the carries.
            return is_absorbed(id, 0) ? v::binary(v::BinaryOp::Add, b(), a()) : v::binary(v::BinaryOp::Add, a(), b());
        case Op::Sub:
            if (d.is_const(n.args[0], 0)) return v::unary(v::UnaryOp::Negate, b());
            return v::binary(v::BinaryOp::Sub, a(), b());
        case Op::Mul: {
            bool is_signed = d[n.args[0]].range.is_signed() || d[n.args[1]].range.is_signed();
            return v::binary(v::BinaryOp::Mul, a(), b(), is_signed);
        }
        case Op::Min: case Op::Max: {
            v::Expr x = take(n.args[0], width, t), y = take(n.args[1], width, t);
            // One comparison for both of a pair's.
            const Wide next = d.is_const(n.args[1]) ? d[n.args[1]].value + 1 : 0;
            const bool is_power = next > 1 && (next & (next - 1)) == 0 && d[n.args[0]].range.hi >= next;
            const v::Expr is_less = is_power ? is_below(id, next, t) : compare(v::BinaryOp::Lt);
            return n.op == Op::Min ? v::select(is_less, x, y) : v::select(is_less, y, x);
        }
        case Op::And: return v::binary(v::BinaryOp::And, a(), b());
        case Op::Or: return v::binary(v::BinaryOp::Or, a(), b());
        case Op::Xor:
            if (width == 1 && d.is_const(n.args[1], 1)) return v::unary(v::UnaryOp::Not, a());
            return v::binary(v::BinaryOp::Xor, a(), b());
        case Op::Not: return v::unary(v::UnaryOp::Not, a());
        case Op::ShlBy: return v::binary(v::BinaryOp::Shl, a(), b());
        case Op::ShrBy:
            return d[n.args[0]].range.is_signed() ? v::binary(v::BinaryOp::Sra, a(), b(), true) : v::binary(v::BinaryOp::Shr, a(), b());
        case Op::Eq: {
            v::Expr x = a(), y = b();
            return v::binary(v::BinaryOp::Eq, x, y);
        }
        case Op::Lt: return compare(v::BinaryOp::Lt);
        case Op::Le: return compare(v::BinaryOp::Le);
        case Op::Select: return v::select(operand(id, 0, t), operand(id, 1, t), operand(id, 2, t));
        default: break;
        }
        argent_internal_assert(false, "emit_stage", std::string(name_of(n.op)) + " is no operator of its own");
        return {};
    }

    /** The addition whose carry a magnitude or a one goes into; -1: none. */
    NodeId host_of(NodeId n) const { return d[n].op == Op::Abs || d[n].op == Op::Add ? schedule.host[n] : -1; }

    /** Whether it is a sum that one other sum of the clock reads. Tools join such a chain to one sum of three and more, of tables without carries: twice as many. */
    bool is_in_chain(NodeId n, int t) const {
        if (d[n].op != Op::Add && d[n].op != Op::Sub) return false;
        const auto read = readers.find(n);
        if (read == readers.end() || read->second.size() != 1) return false;
        const NodeId reader = *read->second.begin();
        return reader < size && (d[reader].op == Op::Add || d[reader].op == Op::Sub) && schedule.stage[reader] == t;
    }

    /** a + |x| as a + (x ^ s) + s, where the sign s comes in as a carry: one carry chain, no multiplexer. Bit 0 is below the sum. */
    void emit_magnitude(NodeId n, NodeId magnitude, int t) {
        const int width = wiring.demanded[n];
        const NodeId x = d[magnitude].args[0], other = n == magnitude ? -1 : d[n].args[d[n].args[0] == magnitude ? 1 : 0];
        const v::Expr sign = join({wiring.bits[x].back()}, t);
        const v::Expr inverted = v::binary(v::BinaryOp::Xor, take(x, width, t), width == 1 ? sign : v::repeat(sign, width));
        const v::Expr a = other < 0 ? v::literal(1, width + 1) : v::concat({take(other, width, t), v::literal(1, 1)});
        declare_net(n, t, width + 1, word_of(d[n].op), v::binary(v::BinaryOp::Add, a, v::concat({inverted, sign})), to_string(d[n].range) + " from bit 1");
        nets[{n, t}].low = -1;
    }

    /** (a + 1) + b as one carry chain, into which the one comes as a carry. Bit 0 is below the sum. */
    void emit_successor(NodeId n, NodeId successor, int t) {
        const int width = wiring.demanded[n], k = d[n].args[0] == successor ? 0 : 1;
        const NodeId one = d.is_const(d[successor].args[0], 1) ? 0 : 1;
        v::Expr a = take(d[successor].args[1 - one], width, t), b = take(d[n].args[1 - k], width, t);
        if (!is_absorbed(n, 1 - k)) std::swap(a, b);   // what is part of the tables stands second
        const v::Expr carry = v::literal(1, 1);
        declare_net(n, t, width + 1, word_of(d[n].op), v::binary(v::BinaryOp::Add, v::concat({a, carry}), v::concat({b, carry})), to_string(d[n].range) + " from bit 1");
        nets[{n, t}].low = -1;
    }

    /** a < b as the sign of a - b: the last bit of a carry chain, where the carry out of it would go through a table. */
    void emit_sign(NodeId n, int t) {
        const int width = operand_width(d, wiring.demanded, n, 0) + 1;
        const v::Expr x = take(d[n].args[0], width, t), y = take(d[n].args[1], width, t);
        declare_net(n, t, width, word_of(d[n].op), v::binary(v::BinaryOp::Sub, x, y), "its sign");
        nets[{n, t}].low = 1 - width;
    }

    void emit_operator(NodeId n, int t) {
        if (host_of(n) >= 0) return;
        if (n < static_cast<NodeId>(schedule.by_sign.size()) && schedule.by_sign[n]) return emit_sign(n, t);
        if (d[n].op == Op::Abs) return emit_magnitude(n, n, t);
        if (d[n].op == Op::Add) {
            for (NodeId a : {d[n].args[1], d[n].args[0]}) {
                if (!wiring.is_logic(a) || host_of(a) != n) continue;
                return d[a].op == Op::Abs ? emit_magnitude(n, a, t) : emit_successor(n, a, t);
            }
        }
        v::Expr value = expression(n, t);
        std::string comment = value.width() == 1 ? "" : to_string(d[n].range);
        if (wiring.demanded[n] < d[n].range.bits()) comment += " modulo 2^" + std::to_string(wiring.demanded[n]);
        declare_net(n, t, value.width(), word_of(d[n].op), value, comment, is_in_chain(n, t));
    }

    void declare_net(NodeId n, int t, int width, const std::string &word, const v::Expr &value, const std::string &comment, bool keep = false) {
        Net net{scope.temporary(word), 0, width};
        out.module.items.push_back(v::Wire{net.name, width, value, comment, keep});
        declared.push_back(net);
        nets[{n, t}] = net;
    }

    /** Quotient and remainder of the same operands come from one cell. */
    void emit_divider(NodeId n, int t) {
        if (nets.count({n, schedule.stage[n]})) return;   // made along with its twin
        NodeId quotient = -1, remainder = -1;
        for (NodeId m = n; m < size; ++m) {
            if (!wiring.is_logic(m) || d[m].args != d[n].args || schedule.stage[m] != schedule.stage[n]) continue;
            if (d[m].op == Op::Div) quotient = m;
            if (d[m].op == Op::Mod) remainder = m;
        }
        const int a_width = d[d[n].args[0]].range.bits(), b_width = d[d[n].args[1]].range.bits();
        v::Expr a = operand(n, 0, t), b = operand(n, 1, t);
        const int ready = schedule.stage[n];
        // A result that nobody asked for gets a net, too: an open pin is a lint warning.
        auto result = [&](NodeId m, int width, const char *word) {
            std::string name = scope.temporary(word);
            out.module.items.push_back(v::Wire{name, width, {}, "clock " + std::to_string(ready)});
            declared.push_back({name, 0, width});
            if (m >= 0) nets[{m, ready}] = declared.back();
            return v::name(name, width);
        };
        const int q_width = quotient_bits(d[d[n].args[0]].range, d[d[n].args[1]].range);
        v::Expr q = result(quotient, q_width, "quot"), r = result(remainder, b_width, "rem");
        v::Instance cell;
        cell.module = "ag_div";
        cell.name = scope.temporary("div");
        cell.parameters = {{"A_W", std::to_string(a_width)},
                           {"B_W", std::to_string(b_width)},
                           {"Q_W", std::to_string(q_width)},
                           {"REMAINDER", remainder >= 0 ? "1" : "0"},
                           {"STEPS_PER_CLOCK", std::to_string(schedule.form_of(n).steps_per_clock)}};
        cell.connections = {{"clk", v::name("clk", 1)}, {"dividend", a}, {"divisor", b}, {"quotient", q}, {"remainder", r}};
        loop(cell, n, t);
        out.module.items.push_back(cell);
        clock_used = true;
        uses_cell(cell.module);
    }

    /** A product with the register inside the multiplier, which tools find right behind it. */
    void emit_registered_product(NodeId n, int t) {
        const Net net{scope.temporary(word_of(Op::Mul)), 0, wiring.demanded[n]};
        out.module.items.push_back(v::Reg{net.name, net.width, 0, to_string(d[n].range) + ", clock " + std::to_string(t + 1)});
        v::Clocked block;
        block.updates.push_back({v::name(net.name, net.width), expression(n, t), {}, {}, ""});
        out.module.items.push_back(std::move(block));
        declared.push_back(net);
        nets[{n, t + 1}] = net;
        clock_used = true;
    }

    void emit_root(NodeId n, int t) {
        const int a_width = d[d[n].args[0]].range.bits(), ready = schedule.stage[n];
        const Net net{scope.temporary(word_of(Op::Sqrt)), 0, (a_width + 1) / 2};
        out.module.items.push_back(v::Wire{net.name, net.width, {}, to_string(d[n].range) + ", clock " + std::to_string(ready)});
        declared.push_back(net);
        nets[{n, ready}] = net;
        v::Instance cell;
        cell.module = "ag_sqrt";
        cell.name = scope.temporary("sqrt");
        cell.parameters = {{"A_W", std::to_string(a_width)}, {"STEPS_PER_CLOCK", std::to_string(schedule.form_of(n).steps_per_clock)}};
        cell.connections = {{"clk", v::name("clk", 1)}, {"radicand", operand(n, 0, t)}, {"root", v::name(net.name, net.width)}};
        loop(cell, n, t);
        out.module.items.push_back(cell);
        clock_used = true;
        uses_cell(cell.module);
    }

    void uses_cell(const std::string &name) {
        if (std::find(out.cells.begin(), out.cells.end(), name) == out.cells.end()) out.cells.push_back(name);
    }

    /** One memory for two reads of a table in the same clock. */
    void emit_lookup(NodeId n, int t) {
        const int ready = schedule.stage[n];
        if (nets.count({n, ready})) return;   // made along with its twin
        std::vector<NodeId> reads = {n};
        for (NodeId m : begins[t]) {
            const bool is_twin = m > n && d[m].op == Op::Lookup && d[m].amount == d[n].amount && !nets.count({m, ready});
            if (is_twin && reads.size() < 2) reads.push_back(m);
        }
        const Table &table = d.tables()[d[n].amount];
        const MemoryForm &form = schedule.tables[d[n].amount];
        int width = 0, depth = table.is_rom() ? 1 : table.depth;
        for (NodeId m : reads) {
            width = std::max(width, wiring.demanded[m]);
            depth = std::max(depth, static_cast<int>(d[d[m].args[0]].range.hi) + 1);
        }
        const int address_width = bits_for(depth - 1);
        std::vector<v::Expr> addresses, data;   // most significant, that is the last port, first
        for (NodeId m : reads) {
            addresses.insert(addresses.begin(), take(d[m].args[0], address_width, t));
            const Net net{scope.temporary(word_of(Op::Lookup)), 0, width};
            out.module.items.push_back(v::Wire{net.name, width, {}, to_string(d[m].range) + ", clock " + std::to_string(ready)});
            declared.push_back(net);
            nets[{m, ready}] = net;
            data.insert(data.begin(), v::name(net.name, width));
        }
        v::Instance cell;
        cell.module = table.is_rom() ? "ag_rom" : "ag_table";
        cell.name = scope.unique((table.is_rom() ? "rom_" : "table_") + table.name);
        cell.parameters = {{"WIDTH", std::to_string(width)},
                           {"DEPTH", std::to_string(depth)},
                           {"ADDR_W", std::to_string(address_width)},
                           {"PORTS", std::to_string(reads.size())},
                           {"LATENCY", std::to_string(form.clocks)},
                           {"STYLE", form.is_block ? "\"block\"" : "\"distributed\""}};
        cell.connections = {{"clk", v::name("clk", 1)}};
        if (table.is_rom()) {
            cell.parameters.push_back({"CONTENTS", contents_text(*table.contents, depth, width)});
        } else {
            for (const TablePort &p : out.loads) {
                if (p.table != d[n].amount) continue;
                used[p.id + "_element"] |= low_bits(width);
                cell.connections.push_back({"write", v::name(p.id + "_write", 1)});
                cell.connections.push_back({"write_address", v::name(p.id + "_place", p.place_width)});
                cell.connections.push_back({"write_data", v::slice(v::name(p.id + "_element", p.element_width), width - 1, 0)});
            }
        }
        cell.connections.push_back({"address", v::concat(addresses)});
        cell.connections.push_back({"data", v::concat(data)});
        out.module.items.push_back(cell);
        clock_used = true;
        uses_cell(cell.module);
    }

    void emit_registers(int t) {
        v::Clocked block;
        if (t < last_start) {
            starts.push_back(scope.unique("p" + std::to_string(t + 1) + "_start"));
            out.module.items.push_back(v::Reg{starts[t], 1, 0, ""});
            block.updates.push_back({v::name(starts[t], 1), start_at(t), {}, {}, ""});
        }
        standing.insert(stands[t].begin(), stands[t].end());
        for (auto next = standing.begin(); next != standing.end();) {
            const NodeId n = *next++;
            Mask later = 0;
            for (const auto &[clock, mask] : needs.at(n)) {
                if (clock > t) later |= mask;
            }
            if (later == 0) {
                standing.erase(n);
                continue;
            }
            if (nets.count({n, t + 1})) continue;   // it is held
            const Net from = nets.at({n, t});
            const std::string &origin = nets.at({n, schedule.stage[n]}).name;
            Net to{scope.unique("p" + std::to_string(t + 1) + (origin[0] == '_' ? "" : "_") + origin), lowest(later), 0};
            to.width = highest(later) - to.low + 1;
            bool part = to.low > 0 && schedule.stage[n] == t;
            out.module.items.push_back(v::Reg{to.name, to.width, 0, part ? "from bit " + std::to_string(to.low) : ""});
            const int wait = needs.at(n).rbegin()->first - t, clocks = schedule.registers_for(wait) < wait ? std::min(wait, schedule.held) : 1;
            block.updates.push_back({v::name(to.name, to.width), refer(n, to.low, to.low + to.width - 1, t), clocks > 1 ? start_at(t) : v::Expr(), {}, ""});
            declared.push_back(to);
            for (int k = 1; k <= clocks; ++k) nets[{n, t + k}] = to;
        }
        if (block.updates.empty()) return;
        clock_used = true;
        out.module.items.push_back(std::move(block));
    }

    void emit_outputs(int t) {
        for (size_t i = 0; i < d.outputs.size(); ++i)
            out.module.items.push_back(v::Assign{v::name(out.outputs[i], out.output_width), take(d.outputs[i], out.output_width, t), ""});
    }

    void emit_unused() {
        std::vector<v::Expr> parts = {v::literal(0, 1)};
        if (!clock_used) parts.push_back(v::name("clk", 1));
        for (const Net &net : declared) {
            Mask unused = low_bits(net.width) & ~used[net.name];
            for (int i = 0; i < net.width;) {
                if (!(unused & bit(i))) {
                    ++i;
                    continue;
                }
                int end = i;
                while (end + 1 < net.width && (unused & bit(end + 1))) ++end;
                parts.push_back(v::slice(v::name(net.name, net.width), end, i));
                i = end + 1;
            }
        }
        if (parts.size() == 1) return;
        out.module.items.push_back(v::Comment{"Bits that no value depends on."});
        out.module.items.push_back(v::Wire{"_unused", 1, v::unary(v::UnaryOp::ReduceAnd, v::concat(parts)), ""});
    }

    const Datapath &d;
    const Schedule &schedule;
    const Wiring wiring;
    const int size;
    v::Scope scope;
    StageModule out;
    std::vector<Net> declared;
    std::map<std::pair<NodeId, int>, Net> nets;      // (node, clock) -> where its bits stand
    std::map<NodeId, std::map<int, Mask>> needs;     // node -> clock -> bits read
    std::map<NodeId, std::set<NodeId>> readers;      // node -> logic that reads it, `size` for an output
    std::vector<std::vector<NodeId>> begins, stands; // by clock: nodes that begin; nodes whose value is there from then on
    std::set<NodeId> standing;                       // nodes whose values a later clock may read
    std::map<std::string, Mask> used;
    std::vector<std::string> starts;                 // `start` in the clocks after the first
    int last_start = 0;
    bool clock_used = false;
};

}  // namespace

StageModule emit_stage(const Datapath &d, const Schedule &s, const std::string &module_name, const std::string &comment) {
    return Emitter(d, s).run(module_name, comment);
}

}  // namespace argent::hwgen
