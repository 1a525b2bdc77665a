#include "hwgen/passes/pipeline/TableInputs.h"

#include <algorithm>
#include <utility>

#include "hwgen/passes/pipeline/GrowCone.h"

namespace argent::hwgen {

namespace {

class Tables {
public:
    Tables(const Datapath &d, const Wiring &wiring, int lut_inputs) : d(d), wiring(wiring), operands(d, wiring), most_inputs(static_cast<size_t>(lut_inputs)) {}

    std::vector<NodeId> inputs_of(NodeId root) const {
        const auto next = [&](const std::vector<NodeId> &inside, const std::vector<NodeId> &refused) { return next_of(cut(root, inside).inputs, refused); };
        const auto fits = [&](const std::vector<NodeId> &inside) { return cut(root, inside).most_bits <= most_inputs; };
        return cut(root, grow_cone({root}, next, fits)).inputs;
    }

    bool is_bitwise(NodeId n) const {
        if (!wiring.is_logic(n)) return false;
        switch (d[n].op) {
        case Op::And: case Op::Or: case Op::Xor: case Op::Not: case Op::Select: return true;
        case Op::Eq: case Op::Lt: case Op::Le: return operands.of(n, 0).size() == 1;
        default: return false;
        }
    }

private:
    /** What the nodes inside read, in order, and of how many bits that one of the root's is made. */
    struct Cut {
        std::vector<NodeId> inputs;
        size_t most_bits = 0;
    };

    /** The latest that may go in, so that a gate goes in after all that read it; or -1. */
    NodeId next_of(const std::vector<NodeId> &inputs, const std::vector<NodeId> &refused) const {
        const auto next = std::find_if(inputs.rbegin(), inputs.rend(), [&](NodeId n) { return is_bitwise(n) && !has(refused, n); });
        return next == inputs.rend() ? -1 : *next;
    }

    Cut cut(NodeId root, const std::vector<NodeId> &inside) const {
        Cut c;
        for (int i = 0; i < wiring.demanded[root]; ++i) {
            std::vector<Bit> sources, seen;
            add_sources({root, i}, inside, sources, seen);
            c.most_bits = std::max(c.most_bits, sources.size());
            for (const Bit &s : sources) {
                if (!has(c.inputs, s.source)) c.inputs.push_back(s.source);
            }
        }
        std::sort(c.inputs.begin(), c.inputs.end());
        return c;
    }

    void add_sources(const Bit &b, const std::vector<NodeId> &inside, std::vector<Bit> &sources, std::vector<Bit> &seen) const {
        if (b.source < 0 || has(seen, b)) return;
        seen.push_back(b);
        if (!has(inside, b.source)) {
            sources.push_back(b);
            return;
        }
        for (size_t k = 0; k < d[b.source].args.size(); ++k) {
            const bool is_condition = d[b.source].op == Op::Select && k == 0;
            add_sources(operands.of(b.source, static_cast<int>(k)).at(is_condition ? 0 : b.index), inside, sources, seen);
        }
    }

    const Datapath &d;
    const Wiring &wiring;
    const OperandBits operands;
    const size_t most_inputs;
};

}  // namespace

std::vector<std::vector<NodeId>> table_inputs(const Datapath &d, const Wiring &wiring, int lut_inputs) {
    const Tables tables(d, wiring, lut_inputs);
    std::vector<std::vector<NodeId>> inputs(d.nodes().size());
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        if (tables.is_bitwise(n)) inputs[n] = tables.inputs_of(n);
    }
    return inputs;
}

}  // namespace argent::hwgen
