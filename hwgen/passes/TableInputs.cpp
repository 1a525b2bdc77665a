#include "hwgen/passes/TableInputs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace argent::hwgen {

namespace {

using Source = std::pair<NodeId, int>;   // a bit

class Tables {
public:
    Tables(const Datapath &d, const Wiring &wiring, int lut_inputs) : d(d), wiring(wiring), most_inputs(static_cast<size_t>(lut_inputs)) {}

    std::vector<NodeId> inputs_of(NodeId root) const {
        std::set<NodeId> inside = {root}, refused;
        std::set<NodeId> inputs = outside(root, inside);
        for (;;) {
            // The latest first, so that a gate goes in after all that read it.
            const auto next = std::find_if(inputs.rbegin(), inputs.rend(), [&](NodeId n) { return is_bitwise(n) && !refused.count(n); });
            if (next == inputs.rend()) return {inputs.begin(), inputs.end()};
            const NodeId tried = *next;
            inside.insert(tried);
            std::set<NodeId> more = outside(root, inside);
            if (!more.empty()) {
                inputs = std::move(more);
            } else {
                inside.erase(tried);
                refused.insert(tried);
            }
        }
    }

    bool is_bitwise(NodeId n) const {
        if (!wiring.is_logic(n)) return false;
        switch (d[n].op) {
        case Op::And: case Op::Or: case Op::Xor: case Op::Not: case Op::Select: return true;
        case Op::Eq: case Op::Lt: case Op::Le: return operand(n, 0).size() == 1;
        default: return false;
        }
    }

private:
    std::vector<Bit> operand(NodeId n, int k) const { return wiring.take(d, d[n].args[k], operand_width(d, wiring.demanded, n, k)); }

    /** What the nodes inside read; nothing if one bit of the root has too many inputs, though never of the root alone. */
    std::set<NodeId> outside(NodeId root, const std::set<NodeId> &inside) const {
        std::set<NodeId> all;
        for (int i = 0; i < wiring.demanded[root]; ++i) {
            std::set<Source> sources, seen;
            add_sources({root, i}, inside, sources, seen);
            if (sources.size() > most_inputs && inside.size() > 1) return {};
            for (const Source &s : sources) all.insert(s.first);
        }
        return all;
    }

    void add_sources(const Bit &b, const std::set<NodeId> &inside, std::set<Source> &sources, std::set<Source> &seen) const {
        if (b.source < 0 || !seen.insert({b.source, b.index}).second) return;
        if (!inside.count(b.source)) {
            sources.insert({b.source, b.index});
            return;
        }
        for (size_t k = 0; k < d[b.source].args.size(); ++k) {
            const bool is_condition = d[b.source].op == Op::Select && k == 0;
            add_sources(operand(b.source, static_cast<int>(k)).at(is_condition ? 0 : b.index), inside, sources, seen);
        }
    }

    const Datapath &d;
    const Wiring &wiring;
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
