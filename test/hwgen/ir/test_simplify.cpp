#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "../passes/Leaves.h"
#include "../passes/RandomDatapath.h"
#include "hwgen/ir/Datapath.h"

using namespace argent::hwgen;

TEST_CASE("simplify: identities fold") {
    Datapath d;
    const NodeId a = input(d, 0, {0, 255}), b = input(d, 1, {-8, 7}), p = input(d, 2, {0, 1});
    CHECK(d.add(a, d.constant(0)) == a);
    CHECK(d.sub(a, a) == d.constant(0));
    CHECK(d.make(Op::Mul, {a, d.constant(12)}) == d.make(Op::Shl, {d.make(Op::Mul, {a, d.constant(3)})}, 2));
    CHECK(d.make(Op::Min, {a, d.constant(300)}) == a);
    CHECK(d.is_const(d.make(Op::Lt, {a, d.constant(256)}), 1));
    CHECK(d.select(d.make(Op::Lt, {a, b}), a, b) == d.make(Op::Min, {a, b}));
    CHECK(d.make(Op::And, {a, d.constant(15)}) == d.wrap(a, Interval::unsigned_of(4)));
    CHECK(d.make(Op::Mul, {b, d.constant(-3)}) == d.sub(d.constant(0), d.make(Op::Mul, {b, d.constant(3)})));
    CHECK(d.make(Op::Not, {d.make(Op::Not, {b})}) == b);
    CHECK(d.make(Op::Shr, {d.make(Op::Shl, {b}, 3)}, 5) == d.make(Op::Shr, {b}, 2));
    CHECK(d.select(d.make(Op::Xor, {p, d.constant(1)}), a, b) == d.select(p, b, a));
    CHECK(d.make(Op::Div, {a, d.constant(16)}) == d.make(Op::Shr, {a}, 4));
    CHECK(d.make(Op::Mod, {a, d.constant(16)}) == d.wrap(a, Interval::unsigned_of(4)));
}

TEST_CASE("simplify: what is compared with a choice of itself is not chosen") {
    Datapath d;
    const NodeId p = input(d, 0, {0, 1}), a = input(d, 1, {0, 255}), b = input(d, 2, {0, 255});
    for (const bool is_first : {true, false}) {
        const NodeId choice = is_first ? d.make(Op::Select, {p, a, b}) : d.make(Op::Select, {p, b, a});
        d.outputs = {d.make(Op::Lt, {choice, a}), d.make(Op::Lt, {a, choice})};
        for (const NodeId o : d.outputs) CHECK(d[o].op == Op::And);
        for (int chosen = 0; chosen < 2; ++chosen) {
            for (const std::pair<int, int> &v : {std::pair(3, 4), std::pair(4, 3), std::pair(5, 5)}) {
                const int value = (chosen == 1) == is_first ? v.first : v.second;
                const std::vector<Wide> got = evaluate(d, {chosen, v.first, v.second});
                CHECK(bool(got[0] == (value < v.first)));
                CHECK(bool(got[1] == (v.first < value)));
            }
        }
    }
}

TEST_CASE("simplify: what make() gives has the operator's value and lies in its range") {
    RandomDatapath random(1);
    static const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::And, Op::Or, Op::Xor, Op::Eq, Op::Lt, Op::Le};
    for (int i = 0; i < 4000; ++i) {
        Datapath d;
        const Op op = ops[random.below(sizeof ops / sizeof *ops)];
        auto operand = [&](int k) {
            NodeId n = random.below(3) ? input(d, k, random.type()) : d.constant(random.below(40) - 20);
            switch (random.below(5)) {
            case 0: return d.make(Op::Shl, {n}, random.below(4));
            case 1: return d.make(Op::Not, {n});
            case 2: return d.make(Op::Lt, {n, d.constant(3)});
            case 3: return d.wrap(n, random.type());
            default: return n;
            }
        };
        NodeId a = operand(0), b = operand(random.below(4) ? 1 : 0);
        NodeId n = d.make(op, {a, b});
        d.outputs = {a, b, n, d.make(Op::Select, {d.make(Op::Lt, {a, b}), b, n})};
        for (int k = 0; k < 8; ++k) {
            std::vector<Wide> v = evaluate(d, random.values(d));
            INFO(to_string(d));
            CHECK(bool(v[2] == evaluate(op, {v[0], v[1]}, 0, {})));
            CHECK(bool(v[3] == (v[0] < v[1] ? v[1] : v[2])));
            CHECK(d[n].range.contains(v[2]));
        }
    }
}

TEST_CASE("simplify: so have quotients, remainders, shifts and magnitudes, of variables, constants and what was shifted or turned before") {
    RandomDatapath random(2);
    const auto check = [&](Datapath &d, Op op, const std::vector<NodeId> &args, int amount) {
        const NodeId n = d.make(op, args, amount);
        d.outputs = args;
        d.outputs.push_back(n);
        for (int k = 0; k < 8; ++k) {
            std::vector<Wide> v = evaluate(d, random.values(d));
            const Wide got = v.back();
            v.pop_back();
            INFO(std::string(name_of(op)), " ", amount, " in ", to_string(d));
            CHECK(bool(got == evaluate(op, v, amount, {})));
            CHECK(d[n].range.contains(got));
        }
    };
    for (int i = 0; i < 4000; ++i) {
        Datapath d;
        const auto count = [&](int k, int least) {   // a number that is not negative
            const int most = least + random.below(20);
            return random.below(2) ? input(d, k, {least, most}) : d.constant(most);
        };
        const Op op = std::vector<Op>{Op::Div, Op::Mod, Op::ShlBy, Op::ShrBy}[random.below(4)];
        check(d, op, {count(0, random.below(3)), count(1, op == Op::Div || op == Op::Mod ? 1 : 0)}, op == Op::ShlBy ? 1 + random.below(9) : 0);
        NodeId x = input(d, 2, random.type());
        if (random.below(2)) x = d.sub(d.constant(0), x);
        if (random.below(2)) x = d.make(random.below(2) ? Op::Shl : Op::Shr, {x}, random.below(5));
        if (random.below(4) == 0) x = d.make(Op::Not, {x});
        const Op alone = std::vector<Op>{Op::Abs, Op::Not, Op::Shl, Op::Shr}[random.below(4)];
        check(d, alone, {x}, alone == Op::Shl || alone == Op::Shr ? random.below(6) : 0);
    }
}
