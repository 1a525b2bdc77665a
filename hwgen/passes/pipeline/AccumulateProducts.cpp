#include "hwgen/passes/pipeline/AccumulateProducts.h"

#include <algorithm>
#include <map>
#include <vector>

#include "hwgen/passes/datapath/OpenSums.h"
#include "hwgen/passes/pipeline/SteadyNodes.h"
#include "hwgen/passes/datapath/SplitProducts.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

namespace {

/** Registers between rows of adders, in tables, for each table of a row: of products of 8 to 22 bits at 150 MHz. */
constexpr double registers_of_rows = 0.4;

class Accumulator {
public:
    Accumulator(const Datapath &from, const Part &part, const Prices &prices) : from(from), part(part), prices(prices), sums(from), is_steady(steady_nodes(from)), is_inner(from.nodes().size(), false), moved(from.nodes().size(), -1) {
        for (const Node &n : from.nodes()) {
            int below = 0;
            for (NodeId a : n.args) below = std::max(below, depths[a]);
            depths.push_back(below + levels_of(n.op));
        }
    }

    std::optional<Datapath> run() {
        find_chains();
        if (chains.empty()) return std::nullopt;
        for (const Leaf &l : from.leaves()) to.leaf(l);   // taps know them by number
        for (NodeId n = 0; n < static_cast<NodeId>(from.nodes().size()); ++n) {
            if (sums.uses(n) == 0 || is_inner[n]) continue;
            const auto chain = chains.find(n);
            moved[n] = chain == chains.end() ? copy(n) : to.fact(built(chain->second), from[n].range);
        }
        for (NodeId o : from.outputs) to.outputs.push_back(moved[o]);
        return std::move(to);
    }

private:
    /** Of the datapath that is made, with so many levels below. */
    struct Number {
        NodeId node;
        int depth;
    };

    /** What a sum adds up. */
    struct Chain {
        std::vector<NodeId> plus, minus;      // products
        std::vector<OpenSums::Term> others;
    };

    void find_chains() {
        for (NodeId n = 0; n < static_cast<NodeId>(from.nodes().size()); ++n) {
            if (!sums.is_root(n)) continue;
            Chain chain;
            for (const OpenSums::Term &t : sums.terms(n)) {
                if (t.shift == 0 && is_for_multiplier(t.node)) (t.is_negative ? chain.minus : chain.plus).push_back(t.node);
                else chain.others.push_back(t);
            }
            if ((chain.plus.empty() && chain.minus.empty()) || !fits(n)) continue;
            for (NodeId inner : sums.inner(n)) is_inner[inner] = true;
            chains[n] = std::move(chain);
        }
    }

    /** Whether an adder behind a product has all bits of every part of the sum. */
    bool fits(NodeId root) const {
        Wide most = 0;
        for (const OpenSums::Term &t : sums.terms(root)) {
            const Interval range = from[t.node].range;
            if (range.bits() + t.shift >= part.accumulator_bits) return false;
            most += std::max(-range.lo, range.hi) << t.shift;
        }
        return most >> (part.accumulator_bits - 1) == 0;
    }

    /** A product that one multiplier makes and nobody else reads, and that would cost as much without, the adder behind it included. */
    bool is_for_multiplier(NodeId n) const {
        if (!is_product(from, n) || sums.uses(n) != 1) return false;
        const Interval a = from[from[n].args[0]].range, b = from[from[n].args[1]].range;
        if (!fits_multiplier(a, b, part)) return false;
        const double rows = digit_rows_cost(a, b, from[n].args[0] == from[n].args[1], part.lut_inputs);
        const double adder = from[n].range.bits() * (1 + prices.flip_flop);
        return rows * (1 + registers_of_rows) + adder >= prices.multiplier;
    }

    NodeId copy(NodeId n) {
        std::vector<NodeId> args;
        for (NodeId a : from[n].args) args.push_back(moved[a]);
        return to.copy(from, n, std::move(args));
    }

    NodeId built(const Chain &chain) {
        std::vector<Number> plus, minus;
        for (const OpenSums::Term &t : chain.others) (t.is_negative ? minus : plus).push_back({to.make(Op::Shl, {moved[t.node]}, t.shift), depths[t.node]});
        accumulate(chain.plus, plus);
        accumulate(chain.minus, minus);
        const NodeId added = total(plus);
        return minus.empty() ? added : to.sub(added, total(minus));
    }

    /** Puts chains of the products among the numbers; the first one begins with those that stand by then. */
    void accumulate(std::vector<NodeId> products, std::vector<Number> &numbers) {
        if (products.empty()) return;
        std::stable_sort(products.begin(), products.end(), [&](NodeId a, NodeId b) { return depths[a] < depths[b]; });
        const auto first = std::stable_partition(numbers.begin(), numbers.end(), [&](const Number &n) { return n.depth > depths[products[0]]; });
        NodeId sum = total({first, numbers.end()});
        numbers.erase(first, numbers.end());
        const size_t count = chain_count(products);
        for (size_t k = 0, next = 0; k < count; ++k) {
            for (const size_t end = products.size() * (k + 1) / count; next < end; ++next) sum = to.make(Op::Accumulate, {moved[products[next]], sum});
            numbers.push_back({sum, depths[products[next - 1]]});
            sum = to.constant(0);
        }
    }

    /** In how many chains they are the cheapest: links wait for each other, and chains have an adder between them. */
    size_t chain_count(const std::vector<NodeId> &products) const {
        const int count = static_cast<int>(products.size());
        int waiting = 0, bits = 0;   // of all operands; of the widest product
        for (NodeId n : products) {
            for (NodeId a : from[n].args) waiting += is_steady[a] ? 0 : from[a].range.bits();
            bits = std::max(bits, from[n].range.bits());
        }
        int best = 1;
        double least = 0;
        for (int chains = 1; chains <= count; ++chains) {
            double cost = (chains - 1) * bits * (1 + prices.flip_flop);
            for (int k = 0; k < count; ++k) cost += double(waiting) / count * waiting_cost(k / chains - part.multiplier_ranks);
            if (chains == 1 || cost < least) least = cost, best = chains;
        }
        return static_cast<size_t>(best);
    }

    /** Of a bit that waits so many clocks: registers, or a table for 32 of them. */
    double waiting_cost(int clocks) const { return clocks <= 0 ? 0 : std::min(clocks * prices.flip_flop, (clocks + 31) / 32 * 1.0); }

    NodeId total(const std::vector<Number> &numbers) {
        NodeId sum = to.constant(0);
        for (const Number &n : numbers) sum = to.add(sum, n.node);
        return sum;
    }

    const Datapath &from;
    const Part &part;
    const Prices &prices;
    const OpenSums sums;
    const std::vector<bool> is_steady;
    std::vector<int> depths;                 // levels below each node of `from`
    std::map<NodeId, Chain> chains;          // by the sum
    std::vector<bool> is_inner;              // what is part of these sums
    std::vector<NodeId> moved;
    Datapath to;
};

}  // namespace

std::optional<Datapath> accumulate_products(const Datapath &d, const Part &part, const Prices &prices) { return Accumulator(d, part, prices).run(); }

}  // namespace argent::hwgen
