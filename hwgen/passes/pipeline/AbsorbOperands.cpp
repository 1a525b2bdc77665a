#include "hwgen/passes/pipeline/AbsorbOperands.h"

#include <algorithm>
#include <set>
#include <utility>

#include "hwgen/passes/pipeline/GrowCone.h"

namespace argent::hwgen {

namespace {

using Source = std::pair<NodeId, int>;   // a bit
using Cone = std::vector<NodeId>;   // of a few nodes

/** The bits outside of logic on which one of its bits depends. */
template<typename IsInside>
void add_sources(const Datapath &d, const OperandBits &operands, const Bit &b, const IsInside &is_inside, std::set<Source> &sources) {
    if (b.source < 0) return;
    if (!is_inside(b.source)) {
        sources.insert({b.source, b.index});
        return;
    }
    for (size_t k = 0; k < d[b.source].args.size(); ++k) {
        const bool is_condition = d[b.source].op == Op::Select && k == 0;
        add_sources(d, operands, operands.of(b.source, static_cast<int>(k)).at(is_condition ? 0 : b.index), is_inside, sources);
    }
}

class Absorber {
public:
    Absorber(const Datapath &d, const Wiring &wiring, int lut_inputs, const std::set<NodeId> &bare)
        : d(d), wiring(wiring), bare(bare), operands(d, wiring), most_sources(lut_inputs - 1), size(static_cast<NodeId>(d.nodes().size())), host(d.nodes().size(), -1), readers(d.nodes().size()),
          is_output(d.nodes().size(), false) {}

    std::vector<NodeId> run() {
        find_readers();
        for (NodeId n = size - 1; n >= 0; --n) {
            if (!wiring.is_logic(n) || (d[n].op != Op::Add && d[n].op != Op::Sub) || host[n] >= 0) continue;
            std::vector<NodeId> best = magnitude_of(n);
            const NodeId carry = best.empty() ? carry_of(n) : -1;
            for (int k = d[n].op == Op::Sub ? 1 : 0; k < 2 && !is_magnitude(best) && !bare.count(n); ++k) {
                const std::vector<NodeId> cone = cone_of(n, k);
                if (cone.size() > best.size()) best = cone;
            }
            for (NodeId a : best) host[a] = n;
            if (carry >= 0) host[carry] = n;
        }
        return host;
    }

private:
    void find_readers() {
        for (NodeId n = 0; n < size; ++n) {
            if (!wiring.is_logic(n)) continue;
            for (size_t k = 0; k < d[n].args.size(); ++k) {
                for (const Bit &b : operand(n, static_cast<int>(k))) {
                    if (b.source >= 0) readers[b.source].insert(n);
                }
            }
        }
        for (NodeId o : d.outputs) {
            for (const Bit &b : wiring.take(d, o, wiring.demanded[o])) {
                if (b.source >= 0) is_output[b.source] = true;
            }
        }
    }

    const std::vector<Bit> &operand(NodeId n, int k) const { return operands.of(n, k); }

    bool is_magnitude(const std::vector<NodeId> &cone) const { return cone.size() == 1 && d[cone[0]].op == Op::Abs; }

    /** a + |x| is a + (x ^ s) + s, where the sign s is the carry into the chain: of two magnitudes, the second one. */
    std::vector<NodeId> magnitude_of(NodeId adder) const {
        if (d[adder].op != Op::Add || d[adder].args[0] == d[adder].args[1]) return {};
        for (int k = 1; k >= 0; --k) {
            const NodeId a = d[adder].args[k];
            if (d[a].op == Op::Abs && is_private(a, adder, k)) return {a};
        }
        return {};
    }

    /** (a + 1) + b is a + b and a carry into the chain: the first addition, or -1. */
    NodeId carry_of(NodeId adder) const {
        if (d[adder].op != Op::Add || d[adder].args[0] == d[adder].args[1]) return -1;
        for (int k = 0; k < 2; ++k) {
            const NodeId a = d[adder].args[k];
            if (d[a].op != Op::Add || !is_private(a, adder, k)) continue;
            for (int one = 0; one < 2; ++one) {
                if (d.is_const(d[a].args[one], 1) && is_whole(d[a].args[1 - one], wiring.demanded[adder])) return a;
            }
        }
        return -1;
    }

    /** Whether so many bits may be taken of a node: there are, or it is complete. */
    bool is_whole(NodeId n, int width) const { return wiring.demanded[n] >= std::min(width, d[n].range.bits()); }

    /** Whether operand k of the adder is a node of logic that nobody else reads. */
    bool is_private(NodeId a, NodeId adder, int k) const {
        return wiring.is_logic(a) && !is_output[a] && readers[a].size() == 1 && !is_read_by_other_operand(adder, k, a);
    }

    /** What of operand k goes into the tables of the adder: from the operand downwards, whatever only the cone reads, as long as every bit stays small enough. */
    std::vector<NodeId> cone_of(NodeId adder, int k) const {
        return grow_cone({}, [&](const Cone &cone, const Cone &refused) { return next_of(adder, k, cone, refused); }, [&](const Cone &cone) { return fits(operand(adder, k), cone); });
    }

    /** The latest node in front of a cone that may go into it, so that all its readers have been decided; or -1. */
    NodeId next_of(NodeId adder, int k, const Cone &cone, const Cone &refused) const {
        NodeId next = -1;
        const auto consider = [&](const Bit &b) {
            if (b.source > next && !has(cone, b.source) && !has(refused, b.source) && may_go(b.source, adder, k, cone)) next = b.source;
        };
        for (const Bit &b : operand(adder, k)) consider(b);
        for (NodeId n : cone) {
            for (size_t arg = 0; arg < d[n].args.size(); ++arg) {
                for (const Bit &b : operand(n, static_cast<int>(arg))) consider(b);
            }
        }
        return next;
    }

    bool may_go(NodeId n, NodeId adder, int k, const Cone &cone) const {
        return is_bitwise(d[n].op) && !is_output[n] && host[n] < 0 && !(readers[n].count(adder) && is_read_by_other_operand(adder, k, n)) &&
               std::all_of(readers[n].begin(), readers[n].end(), [&](NodeId r) { return r == adder || has(cone, r); });
    }

    bool is_read_by_other_operand(NodeId adder, int k, NodeId n) const {
        const std::vector<Bit> &other = operand(adder, 1 - k);
        return std::any_of(other.begin(), other.end(), [&](const Bit &b) { return b.source == n; });
    }

    bool fits(const std::vector<Bit> &bits, const Cone &cone) const {
        return std::all_of(bits.begin(), bits.end(), [&](const Bit &b) {
            std::set<Source> sources;
            add_sources(d, operands, b, [&](NodeId n) { return has(cone, n); }, sources);
            return static_cast<int>(sources.size()) <= most_sources;
        });
    }

    const Datapath &d;
    const Wiring &wiring;
    const std::set<NodeId> &bare;
    const OperandBits operands;
    const int most_sources;
    const NodeId size;
    std::vector<NodeId> host;
    std::vector<std::set<NodeId>> readers;   // logic that reads bits of a node, wires seen through
    std::vector<bool> is_output;
};

}  // namespace

bool is_bitwise(Op op) { return op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Not || op == Op::Select; }

std::vector<NodeId> absorbed_operands(const Datapath &d, const Wiring &wiring, int lut_inputs, const std::set<NodeId> &bare) { return Absorber(d, wiring, lut_inputs, bare).run(); }

std::vector<int> absorbed_inputs(const Datapath &d, const Wiring &wiring, const std::vector<NodeId> &host) {
    const NodeId size = static_cast<NodeId>(d.nodes().size());
    const OperandBits operands(d, wiring);
    std::vector<int> most(size, 0);
    for (NodeId n = 0; n < size; ++n) {
        if (!wiring.is_logic(n)) continue;
        for (int k = 0; k < static_cast<int>(d[n].args.size()); ++k) {
            for (const Bit &b : operands.of(n, k)) {
                if (b.source < 0 || host[b.source] != n || d[b.source].op == Op::Add) continue;   // a carry is in no table
                std::set<Source> sources;
                if (d[b.source].op == Op::Abs) sources = {{b.source, b.index}, {b.source, -1}};   // and the sign
                else add_sources(d, operands, b, [&](NodeId of) { return host[of] == n; }, sources);
                most[n] = std::max(most[n], static_cast<int>(sources.size()));
            }
        }
    }
    return most;
}

}  // namespace argent::hwgen
