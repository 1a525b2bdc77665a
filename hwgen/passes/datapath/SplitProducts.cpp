#include "hwgen/passes/datapath/SplitProducts.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

constexpr int widest = 120;   // bits: the sums on the way are some bits wider than the product, and must stay numbers of a datapath

/** Bits on a multiplier's port, which is signed. */
int port_bits(Interval i) { return i.bits() + (i.is_signed() ? 0 : 1); }

bool is_wide(const Datapath &d, const Node &n, const Part &part) {
    return n.op == Op::Mul && n.range.bits() <= widest && !fits_multiplier(d[n.args[0]].range, d[n.args[1]].range, part);
}

class Splitter {
public:
    Splitter(Datapath &to, const Part &part) : to(to), part(part) {}

    NodeId product(NodeId a, NodeId b) {
        if (bits(a) < bits(b)) std::swap(a, b);
        std::vector<Term> terms;
        for (const Term &of_a : pieces(a, part.multiplier_a)) {
            for (const Term &of_b : pieces(b, part.multiplier_b)) terms.push_back({to.make(Op::Mul, {of_a.node, of_b.node}), of_a.place + of_b.place});
        }
        std::stable_sort(terms.begin(), terms.end(), [](const Term &x, const Term &y) { return x.place < y.place; });
        return sum(rows(terms));
    }

private:
    /** node * 2^place */
    struct Term {
        NodeId node;
        int place;
    };

    int bits(NodeId n) const { return port_bits(to[n].range); }

    /** What adds up to n: as many low bits as a port has, without a sign, and what is above them. */
    std::vector<Term> pieces(NodeId n, int port) {
        std::vector<Term> all;
        int place = 0;
        for (; bits(n) > port; place += port - 1) {
            all.push_back({to.wrap(n, Interval::unsigned_of(port - 1)), place});
            n = to.make(Op::Shr, {n}, port - 1);
        }
        all.push_back({n, place});
        return all;
    }

    /** Side by side what does not meet: the next one above is as far up as the one before is wide. What may be negative is above all others. */
    std::vector<NodeId> rows(std::vector<Term> terms) {
        std::vector<NodeId> all;
        while (!terms.empty()) {
            std::vector<Term> rest;
            NodeId row = to.constant(0);
            int end = 0;
            for (const Term &t : terms) {
                if (t.place < end) {
                    rest.push_back(t);
                    continue;
                }
                row = to.add(to.make(Op::Shl, {t.node}, t.place), row);
                end = to[t.node].range.is_signed() ? unlimited : t.place + to[t.node].range.bits();
            }
            all.push_back(row);
            terms = std::move(rest);
        }
        return all;
    }

    /** The shortest rows meet first. */
    NodeId sum(std::vector<NodeId> all) {
        while (all.size() > 1) {
            std::vector<NodeId> next;
            for (size_t i = all.size(); i > 0; i -= std::min<size_t>(i, 2)) next.insert(next.begin(), i == 1 ? all[0] : to.add(all[i - 2], all[i - 1]));
            all = std::move(next);
        }
        return all[0];
    }

    static constexpr int unlimited = 1 << 20;
    Datapath &to;
    const Part &part;
};

}  // namespace

bool fits_multiplier(Interval a, Interval b, const Part &part) {
    const int a_bits = port_bits(a), b_bits = port_bits(b);
    return std::max(a_bits, b_bits) <= part.multiplier_a && std::min(a_bits, b_bits) <= part.multiplier_b;
}

Datapath split_products(const Datapath &d, const Part &part) {
    const auto is_chosen = [&](const Node &n) { return is_wide(d, n, part); };
    if (std::none_of(d.nodes().begin(), d.nodes().end(), is_chosen)) return d;

    Datapath to;
    for (const Leaf &l : d.leaves()) to.leaf(l);   // taps know them by number
    Splitter splitter(to, part);
    std::vector<NodeId> moved;
    for (NodeId id = 0; id < static_cast<NodeId>(d.nodes().size()); ++id) {
        const Node &n = d[id];
        std::vector<NodeId> args;
        for (NodeId a : n.args) args.push_back(moved[a]);
        moved.push_back(is_chosen(n) ? to.fact(splitter.product(args[0], args[1]), n.range) : to.copy(d, id, std::move(args)));
    }
    for (NodeId o : d.outputs) to.outputs.push_back(moved[o]);
    return to;
}

}  // namespace argent::hwgen
