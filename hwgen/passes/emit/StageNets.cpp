#include "hwgen/passes/emit/StageNets.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace v = argent::verilog;

namespace {

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
    case Op::Accumulate: return "total";
    case Op::Lookup: return "read";
    default: return "t";
    }
}

}  // namespace

StageNets::StageNets(const Datapath &d, const Schedule &schedule)
    : d(d), schedule(schedule), wiring(wiring_of(d)), reads(stage_reads(d, schedule, wiring)), starts{v::name("start", 1)} {}

StageNets::Net StageNets::fresh(Op op, int width) { return {scope.temporary(word_of(op)), 0, width}; }

void StageNets::port(const Net &net) { declared.push_back(net); }

void StageNets::wire(const Net &net, v::Expr value, const std::string &comment, bool keep) {
    items.push_back(v::Wire{net.name, net.width, std::move(value), comment, keep});
    declared.push_back(net);
}

void StageNets::reg(const Net &net, const std::string &comment) {
    items.push_back(v::Reg{net.name, net.width, 0, comment});
    declared.push_back(net);
}

void StageNets::instance(v::Instance cell) {
    if (std::find(cells.begin(), cells.end(), cell.module) == cells.end()) cells.push_back(cell.module);
    items.push_back(std::move(cell));
    is_clock_used = true;
}

void StageNets::clocked(v::Clocked block) {
    items.push_back(std::move(block));
    is_clock_used = true;
}

const StageNets::Net &StageNets::at(NodeId n, int t) const {
    const auto net = nets.find({n, t});
    argent_internal_assert(net != nets.end(), "emit_stage", "a value is read in a clock in which it does not stand anywhere");
    return net->second;
}

v::Expr StageNets::read(const Net &net, int first, int last) {
    used[net.name] |= low_bits_mask(last - net.low + 1) & ~low_bits_mask(first - net.low);
    return v::slice(net.whole(), last - net.low, first - net.low);
}

v::Expr StageNets::read(NodeId source, int first, int last, int t) { return read(at(source, t), first, last); }

v::Expr StageNets::join(const std::vector<Bit> &bits, int t) {
    std::vector<v::Expr> parts;   // least significant first
    for (size_t i = 0; i < bits.size();) {
        size_t end = i + 1;
        if (bits[i].source < 0) {
            BitMask value = static_cast<BitMask>(bits[i].index);
            for (; end < bits.size() && bits[end].source < 0; ++end) value |= static_cast<BitMask>(bits[end].index) << (end - i);
            parts.push_back(v::literal(value, static_cast<int>(end - i)));
        } else if (end < bits.size() && bits[end] == bits[i]) {
            while (end < bits.size() && bits[end] == bits[i]) ++end;
            parts.push_back(v::repeat(read(bits[i].source, bits[i].index, bits[i].index, t), static_cast<int>(end - i)));
        } else {
            while (end < bits.size() && bits[end].source == bits[i].source && bits[end].index == bits[end - 1].index + 1) ++end;
            // The last bit of a run that is then repeated belongs to the run: {{4{a[7]}}, a}.
            parts.push_back(read(bits[i].source, bits[i].index, bits[end - 1].index, t));
        }
        i = end;
    }
    std::reverse(parts.begin(), parts.end());
    return v::concat(parts);
}

std::vector<v::Expr> StageNets::unread() const {
    std::vector<v::Expr> parts;
    if (!is_clock_used) parts.push_back(v::name("clk", 1));
    for (const Net &net : declared) {
        const auto known = used.find(net.name);
        const BitMask unused = low_bits_mask(net.width) & ~(known == used.end() ? 0 : known->second);
        for (int i = 0; i < net.width;) {
            if (!(unused & bit_mask(i))) {
                ++i;
                continue;
            }
            int end = i;
            while (end + 1 < net.width && (unused & bit_mask(end + 1))) ++end;
            parts.push_back(v::slice(net.whole(), end, i));
            i = end + 1;
        }
    }
    return parts;
}

}  // namespace argent::hwgen
