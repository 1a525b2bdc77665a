#ifndef ARGENT_TEST_HWGEN_PASSES_RANDOMDATAPATH_H
#define ARGENT_TEST_HWGEN_PASSES_RANDOMDATAPATH_H

#include <random>

#include "hwgen/ir/Datapath.h"

/** Random graphs and leaf values for the passes' equivalence tests. */
class RandomDatapath {
public:
    explicit RandomDatapath(unsigned seed) : random(seed) {}

    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

    argent::hwgen::Interval type() {
        using argent::hwgen::Interval;
        const int bits = 1 + below(16);
        return below(2) ? Interval::unsigned_of(bits) : Interval::signed_of(bits + 1);
    }

    /** A ROM of 12 elements; some are equal. */
    argent::hwgen::Table table() {
        argent::hwgen::Table t;
        t.name = "table_" + std::to_string(below(1000));
        t.depth = 12;
        std::vector<argent::hwgen::Wide> words;
        for (int i = 0; i < t.depth; ++i) words.push_back(below(4000) / (1 + below(8)) - 1000);
        t.range = {-1000, 2999};
        t.contents = std::make_shared<const std::vector<argent::hwgen::Wide>>(words);
        return t;
    }

    argent::hwgen::Datapath graph(int nodes) {
        using namespace argent::hwgen;
        Datapath d;
        std::vector<NodeId> pool;
        for (int i = 0; i < 4; ++i) {
            Leaf l;
            l.producer = i;
            l.offset = {0, 0};
            l.name = "in_" + std::to_string(i);
            l.range = type();
            pool.push_back(d.leaf(l));
        }
        auto any = [&] { return pool[below(3) ? pool.size() - 1 - below(std::min<int>(6, pool.size())) : below(pool.size())]; };
        auto boolean = [&] { return d.make(Op::Lt, {any(), any()}); };
        while (static_cast<int>(pool.size()) < nodes) {
            static const Op ops[] = {Op::Add, Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Abs, Op::And, Op::Or, Op::Xor, Op::Not,
                                     Op::Shl, Op::Shr, Op::ShlBy, Op::ShrBy, Op::Eq, Op::Lt, Op::Le, Op::Select, Op::Wrap, Op::Wrap, Op::Wrap, Op::Div, Op::Mod, Op::Sqrt, Op::Lookup};
            const Op op = ops[below(sizeof ops / sizeof *ops)];
            NodeId n = -1;
            switch (op) {
            case Op::Wrap: n = d.wrap(any(), type()); break;
            case Op::Sqrt: n = d.make(op, {d.wrap(any(), Interval::unsigned_of(1 + below(20)))}); break;
            case Op::Abs: case Op::Not: n = d.make(op, {any()}); break;
            case Op::Shl: case Op::Shr: n = d.make(op, {d.wrap(any(), type())}, below(9)); break;
            case Op::ShlBy: n = d.make(op, {any(), d.wrap(any(), Interval::unsigned_of(3))}, 1 + below(20)); break;
            case Op::ShrBy: n = d.make(op, {any(), d.wrap(any(), Interval::unsigned_of(1 + below(4)))}); break;
            case Op::Lookup: n = d.lookup(table(), d.make(Op::Min, {d.wrap(any(), Interval::unsigned_of(4)), d.constant(11)})); break;
            case Op::Select: n = d.select(boolean(), any(), any()); break;
            case Op::Div: case Op::Mod:
                n = d.make(op, {d.wrap(any(), Interval::unsigned_of(8)), d.make(Op::Or, {d.wrap(any(), Interval::unsigned_of(6)), d.constant(1)})});
                break;
            default: {
                NodeId a = any(), b = below(6) ? any() : d.constant(below(600) - 300);
                if (d.fits(op, {a, b})) n = d.make(op, {a, b});
            }
            }
            if (n < 0) continue;
            if (d[n].range.bits() > 60) n = d.wrap(n, type());
            pool.push_back(n);
        }
        for (int i = 0; i < 2; ++i) d.outputs.push_back(pool[pool.size() - 1 - i]);
        return d;
    }

    std::vector<argent::hwgen::Wide> values(const argent::hwgen::Datapath &d) {
        std::vector<argent::hwgen::Wide> v;
        for (const auto &l : d.leaves()) {
            switch (below(4)) {
            case 0: v.push_back(l.range.lo); break;
            case 1: v.push_back(l.range.hi); break;
            default: v.push_back(l.range.lo + below(static_cast<int>(l.range.hi - l.range.lo) + 1));
            }
        }
        return v;
    }

private:
    std::mt19937 random;
};

/** Leaf values of `from` in the order that `to` has them. */
inline std::vector<argent::hwgen::Wide> reorder(const argent::hwgen::Datapath &from, const std::vector<argent::hwgen::Wide> &values,
                                                const argent::hwgen::Datapath &to) {
    std::vector<argent::hwgen::Wide> out;
    for (const auto &l : to.leaves()) {
        for (size_t i = 0; i < from.leaves().size(); ++i) {
            if (from.leaves()[i] == l) out.push_back(values[i]);
        }
    }
    return out;
}

#endif
