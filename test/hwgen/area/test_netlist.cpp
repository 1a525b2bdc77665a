#include <doctest/doctest.h>

#include <functional>
#include <random>

#include "hwgen/area/Netlist.h"

using namespace argent::hwgen;

namespace {

Lits inputs(Netlist &n, int count) {
    Lits all;
    for (int i = 0; i < count; i++) all.push_back(n.input());
    return all;
}

/** The value of a signal, for those of the inputs. */
bool value_of(const Netlist &n, Lit l, const std::function<bool(int)> &input) {
    const Netlist::Node &node = n.nodes[l / 2];
    const auto of = [&](Lit a) { return value_of(n, a, input); };
    const auto carry = [&](const Netlist::Chain &c, int below) {
        bool carry = of(c.carry_in);
        for (int i = 0; i < below; i++) carry = of(c.propagate[i]) ? carry : of(c.generate[i]);
        return carry;
    };
    bool v = false;
    switch (node.kind) {
    case Netlist::Node::Kind::Constant: break;
    case Netlist::Node::Kind::And: v = of(node.a) && of(node.b); break;
    case Netlist::Node::Kind::Xor: v = of(node.a) != of(node.b); break;
    case Netlist::Node::Kind::Sum: v = of(n.chains[node.of].propagate[node.bit]) != carry(n.chains[node.of], node.bit); break;
    case Netlist::Node::Kind::Carry: v = carry(n.chains[node.of], node.bit + 1); break;
    default: v = input(l / 2);
    }
    return v != bool(l & 1);
}

Lits constant(int value, int bits) {
    Lits all;
    for (int i = 0; i < bits; i++) all.push_back(value >> i & 1);
    return all;
}

}  // namespace

TEST_CASE("netlist: sums, differences and comparisons are what they say, at all widths and with constants") {
    std::mt19937 random(1);
    for (int bits = 1; bits <= 14; bits++) {
        for (int trial = 0; trial < 30; trial++) {
            Netlist n;
            const int mask = (1 << bits) - 1, a = int(random()) & mask, b = int(random()) & mask;
            const Lits as = inputs(n, bits), variable = inputs(n, bits), bs = trial % 3 == 0 ? constant(b, bits) : variable;
            const auto input = [&](int node) { return node <= bits ? a >> (node - 1) & 1 : b >> (node - bits - 1) & 1; };
            const auto number = [&](const Lits &of) {
                int v = 0;
                for (size_t i = 0; i < of.size(); i++) v |= value_of(n, of[i], input) << i;
                return v;
            };
            CAPTURE(bits);
            CAPTURE(a);
            CAPTURE(b);
            CHECK(number(n.sum(as, bs, false, 0)) == ((a + b) & mask));
            CHECK(number(n.sum(as, bs, true, 1)) == ((a - b) & mask));
            const auto as_signed = [&](int v) { return v >> (bits - 1) & 1 ? v - (1 << bits) : v; };
            CHECK(number({n.less(as, bs, false, false)}) == (a < b));
            CHECK(number({n.less(as, bs, false, true)}) == (a <= b));
            CHECK(number({n.less(as, bs, true, false)}) == (as_signed(a) < as_signed(b)));
            CHECK(number({n.less(as, bs, true, true)}) == (as_signed(a) <= as_signed(b)));
        }
    }
}

TEST_CASE("netlist: equal gates, chains and registers are one") {
    Netlist n;
    const Lits a = inputs(n, 4), b = inputs(n, 4);
    CHECK(n.land(a[0], b[0]) == n.land(b[0], a[0]));
    CHECK(n.lxor(invert(a[0]), b[0]) == invert(n.lxor(a[0], b[0])));
    CHECK(n.sum(a, b, false, 0) == n.sum(a, b, false, 0));
    CHECK(n.chains.size() == 1);
    CHECK(n.product(a, b, false, 8) == n.product(a, b, false, 8));
    CHECK(n.product(a, b, true, 8) != n.product(a, b, false, 8));
    CHECK(n.products.size() == 2);
    Netlist::Register r;
    r.d = a[0];
    const Lit q = n.clocked(r);
    CHECK(n.clocked(r) == q);
    r.enable = b[0];
    CHECK(n.clocked(r) != q);
}

TEST_CASE("netlist: a choice in front of a register is its enable or its reset pin") {
    Netlist n;
    const Lits in = inputs(n, 3);
    const Lit q = n.declare_register();
    Netlist::Register r;
    r.d = n.mux(in[0], 0, n.mux(in[1], in[2], q));   // if (in0) q <= 0; else if (in1) q <= in2;
    n.drive(q, r);
    const Netlist::Register &made = n.registers.at(0);
    CHECK(made.d == in[2]);
    CHECK(made.enable == in[1]);
    CHECK(made.reset == in[0]);
    CHECK_FALSE(made.resets_to);
}

TEST_CASE("netlist: a choice that is its own condition is no pin") {
    Netlist n;
    const Lits in = inputs(n, 2);
    for (const Lit chosen : {n.mux(in[0], 1, in[0]), n.mux(in[0], in[0], 0), n.mux(n.land(in[0], in[1]), n.land(in[0], in[1]), 0)}) {
        Netlist::Register r;
        r.d = chosen, r.enable = 1;
        const Lit q = n.clocked(r);
        CHECK(n.registers.at(n.nodes[q / 2].of).d == chosen);
    }
}

TEST_CASE("netlist: a register of a constant is none") {
    Netlist n;
    Netlist::Register r;
    r.d = 1;
    CHECK(n.clocked(r) == 1);
    r.d = 0, r.reset = n.input();
    CHECK(n.clocked(r) == 0);
    r.resets_to = true;
    CHECK(n.clocked(r) > 1);
}
