#include "hwgen/passes/datapath/ChooseByOrder.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

/** A bit, or its inverse. */
struct Bit {
    NodeId node;
    bool inverted;
};

class Chooser {
public:
    Chooser(Datapath &d, const std::vector<NodeId> &values, const Reaches &reaches) : d(d), values(values), reaches(reaches) {}

    NodeId run() {
        std::vector<NodeId> left = values;
        for (const auto &[bit, inverted] : number()) {
            std::vector<NodeId> chosen;
            for (size_t i = 0; i < left.size(); i += 2) {
                const NodeId even = left[i], odd = left[std::min(i + 1, left.size() - 1)];
                chosen.push_back(inverted ? d.select(bit, even, odd) : d.select(bit, odd, even));
            }
            left = std::move(chosen);
        }
        return left[0];
    }

private:
    /** Which of the values it is; lowest bit first. */
    std::vector<Bit> number() {
        std::vector<Bit> bits;
        for (size_t count = values.size() - 1; count > 0; count /= 2) bits.push_back({d.constant(0), false});
        for (size_t i = 1; i < values.size(); ++i) {
            const Bit is_it = is_value(i);
            for (size_t k = 0; k < bits.size(); ++k) {   // only one of the values is
                if (i >> k & 1) bits[k] = {d.make(Op::Xor, {bits[k].node, is_it.node}), bits[k].inverted != is_it.inverted};
            }
        }
        return bits;
    }

    Bit is_value(size_t i) {
        std::vector<NodeId> compared;
        for (size_t j = 0; j < values.size(); ++j) {
            if (j != i) compared.push_back(d.make(Op::Lt, {values[std::min(i, j)], values[std::max(i, j)]}));
        }
        const uint64_t before = (uint64_t(1) << i) - 1, it = uint64_t(1) << i;
        std::vector<bool> table;
        for (uint64_t less = 0; less < uint64_t(1) << compared.size(); ++less) {
            const uint64_t greater = (~less & before) | ((less & ~before) << 1);
            table.push_back(reaches(greater | it) && !reaches(greater));
        }
        return function(table, compared);
    }

    /** A function of bits: place i of the table is its value where bit k of them is bit k of i. */
    Bit function(const std::vector<bool> &table, const std::vector<NodeId> &bits) {
        if (std::equal(table.begin() + 1, table.end(), table.begin())) return {d.constant(0), table[0]};
        const auto half = table.begin() + static_cast<long>(table.size() / 2);
        const std::vector<NodeId> rest(bits.begin(), bits.end() - 1);
        const std::vector<bool> low(table.begin(), half), high(half, table.end());
        const Bit if_0 = function(low, rest);
        if (low == high) return if_0;
        const Bit if_1 = function(high, rest);
        const NodeId bit = bits.back(), chosen = choice(bit, if_1.node, if_0.node);
        return {if_0.inverted == if_1.inverted ? chosen : d.make(Op::Xor, {chosen, bit}), if_0.inverted};
    }

    NodeId choice(NodeId bit, NodeId if_1, NodeId if_0) {
        if (d.is_const(if_1, 0)) return d.make(Op::Lt, {bit, if_0});
        return d.is_const(if_0, 0) ? d.make(Op::And, {bit, if_1}) : d.select(bit, if_1, if_0);
    }

    Datapath &d;
    const std::vector<NodeId> &values;
    const Reaches &reaches;
};

}  // namespace

NodeId choose_by_order(Datapath &d, const std::vector<NodeId> &values, const Reaches &reaches) { return Chooser(d, values, reaches).run(); }

}  // namespace argent::hwgen
