#include "hwgen/passes/datapath/MultiplyByConstants.h"

#include <algorithm>

#include "hwgen/passes/datapath/BuildSum.h"

namespace argent::hwgen {

namespace {

/** Powers of two that add up to it, as few as can be, and 1 + 2 for 4 - 1: the lowest bit of that sum is a wire, and nothing is complemented. */
std::vector<Digit> digits_of(Wide constant) {
    std::vector<Digit> digits = signed_digits(constant);
    for (size_t i = 0; i + 1 < digits.size(); ++i) {
        Digit &low = digits[i], &high = digits[i + 1];
        if (low.negative && !high.negative && high.exponent == low.exponent + 2) low.negative = false, --high.exponent;
    }
    return digits;
}

}  // namespace

Datapath multiply_by_constants(const Datapath &d, const Prices &prices) {
    const auto is_chosen = [&](const Node &n) {
        if (n.op != Op::Mul || !d.is_const(n.args[1])) return false;
        return (count_signed_digits(d[n.args[1]].value) - 1) * double(d[n.args[0]].range.bits()) <= prices.multiplier;
    };
    if (std::none_of(d.nodes().begin(), d.nodes().end(), is_chosen)) return d;

    Datapath to;
    for (const Leaf &l : d.leaves()) to.leaf(l);   // taps know them by number
    std::vector<NodeId> moved;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);
        if (!is_chosen(n)) {
            moved.push_back(to.copy(d, id, std::move(args)));
            continue;
        }
        std::vector<Product> terms;
        for (const Digit &digit : digits_of(d[n.args[1]].value)) terms.push_back({args[0], (digit.negative ? -1 : 1) * (Wide(1) << digit.exponent)});
        moved.push_back(to.fact(build_sum(to, terms, 0, prices), n.range));
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return to;
}

}  // namespace argent::hwgen
