#include "hwgen/passes/pipeline/LogicGraph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "hwgen/passes/pipeline/AbsorbOperands.h"
#include "hwgen/passes/pipeline/SteadyNodes.h"
#include "hwgen/passes/pipeline/TableInputs.h"

namespace argent::hwgen {

namespace {

class Builder {
public:
    Builder(const Datapath &d, int lut_inputs) : d(d), lut_inputs(lut_inputs), size(static_cast<NodeId>(d.nodes().size())), g{wiring_of(d), {}, {}, {}, {}, {}, {}, {}, {}, {}}, operand(d, g.wiring) {}

    LogicGraph run(const std::set<NodeId> &bare) {
        g.host = absorbed_operands(d, g.wiring, lut_inputs, bare);
        g.bare = bare;
        g.absorbed = absorbed_inputs(d, g.wiring, g.host);
        find_operands();
        find_inputs();
        for (NodeId n = 0; n < size; ++n) g.chain_bits.push_back(g.wiring.is_logic(n) ? chain_bits(d, g.wiring, n) : 0);
        find_values();
        return std::move(g);
    }

private:
    /** The node by which bits of n are read, or that reads them: of an absorbed one its host. */
    NodeId placed(NodeId n) const { return g.host[n] < 0 ? n : g.host[n]; }

    static void sort_once(std::vector<NodeId> &nodes) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }

    void find_operands() {
        g.operands.resize(size);
        g.users.resize(size);
        for (NodeId n = 0; n < size; ++n) {
            if (!g.wiring.is_logic(n)) continue;
            std::vector<NodeId> &of = g.operands[placed(n)];
            for (int k = 0; k < static_cast<int>(d[n].args.size()); ++k) {
                for (const Bit &b : operand.of(n, k)) {
                    if (b.source < 0 || g.host[b.source] >= 0) continue;
                    if (of.empty() || of.back() != b.source) of.push_back(b.source);
                }
            }
        }
        for (NodeId n = 0; n < size; ++n) {
            sort_once(g.operands[n]);
            for (NodeId s : g.operands[n]) g.users[s].push_back(n);
        }
    }

    void find_inputs() {
        g.inputs = table_inputs(d, g.wiring, lut_inputs);
        for (NodeId n = 0; n < size; ++n) {
            const bool is_no_table = d[n].op == Op::Not;   // it goes into that of whoever reads it
            if (g.is_placed(n) && (g.inputs[n].empty() || is_no_table)) g.inputs[n] = g.operands[n];
        }
    }

    void find_values() {
        g.is_output.assign(size, false);
        g.is_steady = steady_nodes(d);
        std::vector<std::vector<std::vector<int>>> readers(size);   // by node and bit; `size`: it leaves
        const auto read = [&](const std::vector<Bit> &bits, int reader) {
            for (const Bit &b : bits) {
                if (b.source < 0 || g.host[b.source] >= 0 || g.is_steady[b.source]) continue;
                readers[b.source].resize(g.wiring.demanded[b.source]);
                std::vector<int> &known = readers[b.source][b.index];
                if (std::find(known.begin(), known.end(), reader) == known.end()) known.push_back(reader);
            }
        };
        for (NodeId n = 0; n < size; ++n) {
            if (!g.wiring.is_logic(n)) continue;
            for (int k = 0; k < static_cast<int>(d[n].args.size()); ++k) read(operand.of(n, k), placed(n));
        }
        for (NodeId o : d.outputs) {
            const std::vector<Bit> bits = g.wiring.take(d, o, g.wiring.demanded[o]);
            read(bits, size);
            for (const Bit &b : bits) {
                if (b.source >= 0) g.is_output[b.source] = true;
            }
        }
        for (NodeId n = 0; n < size; ++n) {
            std::map<std::vector<int>, int64_t> bits;
            for (std::vector<int> &of_bit : readers[n]) {
                std::sort(of_bit.begin(), of_bit.end());
                if (!of_bit.empty()) ++bits[of_bit];
            }
            for (const auto &[of_bit, count] : bits) {
                RetimingProblem::Value v{n, count, of_bit, of_bit.back() == size};
                if (v.is_output) v.readers.pop_back();
                g.values.push_back(std::move(v));
            }
        }
    }

    const Datapath &d;
    const int lut_inputs;
    const NodeId size;
    LogicGraph g;
    const OperandBits operand;
};

}  // namespace

LogicGraph logic_graph(const Datapath &d, int lut_inputs, const std::set<NodeId> &bare) { return Builder(d, lut_inputs).run(bare); }

}  // namespace argent::hwgen
