#include "hwgen/passes/pipeline/PathWords.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/ir/DigitCells.h"
#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

namespace {

std::string word_of(const Leaf &l) {
    switch (l.kind) {
    case Leaf::Kind::Tap: {   // the producer's name, without the place
        const std::string place = tap_name("", l.offset);
        const bool has_place = l.name.size() > place.size() && l.name.substr(l.name.size() - place.size()) == place;
        return has_place ? l.name.substr(0, l.name.size() - place.size()) : l.name;
    }
    case Leaf::Kind::Coord: return "coordinate " + l.name;
    case Leaf::Kind::Place: case Leaf::Kind::Extent: return "edges";
    case Leaf::Kind::Param: return "parameter " + l.name;
    case Leaf::Kind::Value: return "slot";
    }
    return l.name;
}

const char *word_of(Op op) {
    switch (op) {
    case Op::Add: return "add";
    case Op::Sub: return "subtract";
    case Op::Mul: return "multiply";
    case Op::Accumulate: return "accumulate";
    case Op::Min: return "min";
    case Op::Max: return "max";
    case Op::Abs: return "abs";
    case Op::And: return "and";
    case Op::Or: return "or";
    case Op::Xor: return "xor";
    case Op::Not: return "not";
    case Op::ShlBy: return "shift left";
    case Op::ShrBy: return "shift right";
    case Op::Eq: case Op::Lt: case Op::Le: return "compare";
    case Op::Select: return "select";
    default: return name_of(op);
    }
}

/** A comparison is as wide as what it compares. */
std::string word_of(const Datapath &d, const Wiring &wiring, NodeId n) {
    const Node &node = d[n];
    if (node.op == Op::Leaf) return word_of(d.leaves()[node.amount]);
    if (node.op == Op::Lookup) return "address of table " + d.tables()[node.amount].name;
    if (is_digit_cell(node.op)) return node.op == Op::Sqrt ? "square root" : "divide";
    const bool compares = node.op == Op::Eq || node.op == Op::Lt || node.op == Op::Le;
    const int bits = compares ? operand_width(d, wiring.demanded, n, 0) : wiring.demanded[n];
    const int width = compares ? std::min(bits, std::max(d[node.args[0]].range.bits(), d[node.args[1]].range.bits())) : bits;
    return fmt::format("{} {} bit{}", word_of(node.op), width, width == 1 ? "" : "s");
}

std::string end_of(const Datapath &d, const Schedule &s) {
    const NodeId last = s.critical_path.back();
    if (d[last].op == Op::Lookup) return "memory";
    if (s.clocks_of(d, last) > 0 || s.stage[last] < s.latency) return "register";
    return d[last].op == Op::Leaf ? "wires" : "FIFO";
}

}  // namespace

std::vector<std::string> path_words(const Datapath &d, const Schedule &s) {
    std::vector<std::string> words;
    if (s.critical_path.empty()) return words;
    const Wiring wiring = wiring_of(d);
    if (d[s.critical_path.front()].op != Op::Leaf) words.push_back("register");
    for (NodeId n : s.critical_path) words.push_back(word_of(d, wiring, n));
    words.push_back(end_of(d, s));
    return words;
}

}  // namespace argent::hwgen
