#include "hwgen/passes/pipeline/TableInputs.h"

#include <algorithm>
#include <utility>

namespace argent::hwgen {

namespace {

class Tables {
public:
    Tables(const Datapath &d, const Wiring &wiring, int lut_inputs) : d(d), wiring(wiring), operands(d, wiring), most_inputs(static_cast<size_t>(lut_inputs)) {}

    std::vector<NodeId> inputs_of(NodeId root) const {
        std::vector<NodeId> inside = {root}, refused;
        std::vector<NodeId> inputs = outside(root, inside);
        for (;;) {
            // The latest first, so that a gate goes in after all that read it.
            const auto next = std::find_if(inputs.rbegin(), inputs.rend(), [&](NodeId n) { return is_bitwise(n) && !has(refused, n); });
            if (next == inputs.rend()) return inputs;
            const NodeId tried = *next;
            inside.push_back(tried);
            std::vector<NodeId> more = outside(root, inside);
            if (!more.empty()) {
                inputs = std::move(more);
            } else {
                inside.pop_back();
                refused.push_back(tried);
            }
        }
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
    template <typename T> static bool has(const std::vector<T> &few, const T &one) { return std::find(few.begin(), few.end(), one) != few.end(); }

    /** What the nodes inside read, in order; nothing if one bit of the root has too many inputs, though never of the root alone. */
    std::vector<NodeId> outside(NodeId root, const std::vector<NodeId> &inside) const {
        std::vector<NodeId> all;
        for (int i = 0; i < wiring.demanded[root]; ++i) {
            std::vector<Bit> sources, seen;
            add_sources({root, i}, inside, sources, seen);
            if (sources.size() > most_inputs && inside.size() > 1) return {};
            for (const Bit &s : sources) {
                if (!has(all, s.source)) all.push_back(s.source);
            }
        }
        std::sort(all.begin(), all.end());
        return all;
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
