#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/pipeline/AbsorbOperands.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

using namespace argent::hwgen;

namespace {

std::vector<NodeId> absorbed(const Datapath &d, int lut_inputs = 6) { return absorbed_operands(d, wiring_of(d), lut_inputs); }

}  // namespace

TEST_CASE("absorb_operands: a multiplexer in front of one operand is part of the sum") {
    Datapath d;
    const Interval byte{0, 255};
    const NodeId c = input(d, 0, {0, 1}), x = input(d, 1, byte), y = input(d, 2, byte), z = input(d, 3, byte), w = input(d, 4, byte);
    const NodeId first = d.select(c, x, y), second = d.select(c, z, w), sum = d.add(first, z), both = d.add(d.select(c, y, x), second), less = d.sub(x, d.select(c, y, w));
    d.outputs = {sum, both, less};
    const std::vector<NodeId> host = absorbed(d);
    CHECK(host[first] == sum);
    CHECK((host[d[both].args[0]] == both) != (host[d[both].args[1]] == both));
    CHECK(host[d[less].args[1]] == less);
    CHECK(host[sum] == -1);
    CHECK(pipeline_datapath(d, part("xc7"), 100).stage[first] == 0);
}

TEST_CASE("absorb_operands: what others read stays, and what is too much for a table") {
    Datapath d;
    const Interval byte{0, 255};
    std::vector<NodeId> in;
    for (int i = 0; i < 8; ++i) in.push_back(input(d, i, i < 4 ? Interval{0, 1} : byte));
    const NodeId read_twice = d.select(in[0], in[4], in[5]), sum = d.add(read_twice, in[6]);
    const NodeId taken_from = d.select(in[1], in[4], in[5]), difference = d.sub(taken_from, in[6]);
    const NodeId inner = d.select(in[0], in[4], in[5]), deep = d.select(in[1], in[6], d.select(in[2], in[7], d.make(Op::And, {inner, in[6]})));
    const NodeId large = d.add(deep, in[7]);
    d.outputs = {sum, read_twice, difference, large};
    const std::vector<NodeId> host = absorbed(d);
    CHECK(host[read_twice] == -1);
    CHECK(host[taken_from] == -1);
    CHECK(host[deep] == large);      // five inputs with what is chosen second
    CHECK(host[inner] == -1);        // which has two more
}

TEST_CASE("absorb_operands: of choices that come together again, all or none are part of the sum") {
    Datapath d;
    const NodeId b = input(d, 0, {0, 1}), c = input(d, 1, {0, 1}), e = input(d, 2, {0, 1}), x = input(d, 3, {0, 255}), y = input(d, 4, {0, 255}), z = input(d, 5, {0, 255});
    const NodeId twice = d.make(Op::Shl, {x}, 1), none = d.constant(0);
    const NodeId up = d.select(b, x, none), more = d.select(b, twice, x), least = d.select(b, none, x), less = d.select(b, x, twice);
    const NodeId digit = d.select(e, d.make(Op::Not, {d.select(c, least, less)}), d.select(c, more, up)), sum = d.add(y, digit);   // of b, c, e and two bits of x
    const NodeId other = d.select(b, z, y), wide = d.add(x, d.select(e, d.select(c, other, d.select(b, y, z)), d.select(c, z, d.select(b, y, none))));
    d.outputs = {sum, wide};
    const std::vector<NodeId> host = absorbed(d);
    for (NodeId n : {up, more, least, less, digit}) CHECK(host[n] == sum);
    CHECK(host[other] == wide);
    CHECK(absorbed(d, 4)[less] == -1);
    CHECK(absorbed(d, 4)[digit] == sum);
}

TEST_CASE("absorb_operands: a one that is added to an operand is a carry, unless the operand is read without it or has too few bits") {
    Datapath d;
    const Interval byte{0, 255};
    const NodeId x = input(d, 0, byte), y = input(d, 1, byte), sign = input(d, 2, {-1, 254});
    const NodeId next = d.add(x, d.constant(1)), sum = d.add(next, y);
    const NodeId other = d.add(y, d.constant(1)), twice = d.add(other, x);
    const NodeId two = d.add(x, d.constant(2)), more = d.add(two, y);
    const NodeId positive = d.add(sign, d.constant(1)), last = d.add(positive, y);
    d.outputs = {sum, twice, other, more, last};
    const std::vector<NodeId> host = absorbed(d);
    CHECK(host[next] == sum);
    CHECK(host[other] == -1);      // an output, too
    CHECK(host[two] == -1);
    CHECK(host[positive] == -1);   // eight bits of `sign` are enough for it, and not for the sum
    const Part &p = part("xc7");
    Datapath one;
    one.outputs = {one.add(one.add(input(one, 0, byte), one.constant(1)), input(one, 1, byte))};
    CHECK(pipeline_datapath(one, p, 40).critical_ns == doctest::Approx(p.clock_to_out + p.carry(9) + p.setup));
}

TEST_CASE("absorb_operands: how many bits one bit of what is absorbed is made of") {
    Datapath d;
    const Interval byte{0, 255};
    std::vector<NodeId> in;
    for (int i = 0; i < 8; ++i) in.push_back(input(d, i, i < 3 ? Interval{0, 1} : byte));
    const NodeId one = d.add(d.select(in[0], in[3], in[4]), in[7]), two = d.add(d.select(in[1], in[3], d.select(in[2], in[4], in[5])), in[6]);
    const NodeId size = d.add(d.make(Op::Abs, {d.sub(in[3], in[4])}), in[5]), bare = d.add(in[3], in[6]);
    d.outputs = {one, two, size, bare};
    const Wiring wiring = wiring_of(d);
    const std::vector<int> inputs = absorbed_inputs(d, wiring, absorbed_operands(d, wiring, 6));
    CHECK(inputs[one] == 3);
    CHECK(inputs[two] == 5);
    CHECK(inputs[size] == 2);   // a bit and the sign
    CHECK(inputs[bare] == 0);
}

TEST_CASE("absorb_operands: of a bare adder nothing bitwise is part") {
    Datapath d;
    const Interval byte{0, 255};
    const NodeId c = input(d, 0, {0, 1}), x = input(d, 1, byte), y = input(d, 2, byte), z = input(d, 3, byte);
    const NodeId chosen = d.select(c, x, y), sum = d.add(chosen, z), other = d.select(c, y, z), second = d.add(other, x);
    d.outputs = {sum, second};
    const std::vector<NodeId> host = absorbed_operands(d, wiring_of(d), 6, {sum});
    CHECK(host[chosen] == -1);
    CHECK(host[other] == second);
}

TEST_CASE("absorb_operands: a row of a product is one chain") {
    Datapath d;
    d.outputs = {d.make(Op::Mul, {input(d, 0, {-128, 127}), input(d, 1, {-128, 127})})};
    const Datapath rows = multiply_by_digits(d, part("xc7"));
    const Wiring wiring = wiring_of(rows);
    const std::vector<NodeId> host = absorbed_operands(rows, wiring, 6);
    int adders = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(rows.nodes().size()); ++n) {
        if (!wiring.is_logic(n) || rows[n].op == Op::Leaf) continue;
        if (rows[n].op == Op::Add) ++adders;
        else CHECK(host[n] >= 0);
    }
    CHECK(adders == 4);
    // Tables of four inputs have no room for a digit.
    const std::vector<NodeId> of_four = absorbed_operands(rows, wiring, 4);
    CHECK(std::count_if(of_four.begin(), of_four.end(), [](NodeId n) { return n >= 0; }) < std::count_if(host.begin(), host.end(), [](NodeId n) { return n >= 0; }));
}

TEST_CASE("absorb_operands: in random graphs all readers are the adder or absorbed with it, in its clock") {
    int many = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        const Datapath d = random.graph(40);
        const Wiring wiring = wiring_of(d);
        const std::vector<NodeId> host = absorbed_operands(d, wiring, 6);
        const Schedule s = pipeline_datapath(d, part("xc7"), 4);
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            if (!wiring.is_logic(n)) continue;
            for (NodeId a : d[n].args) {
                if (!wiring.is_logic(a) || host[a] < 0) continue;
                ++many;
                CHECK((n == host[a] || host[n] == host[a]));
                const bool is_apart = s.host[a] < 0;   // too late for the period
                CHECK((is_apart ? s.stage[a] <= s.stage[host[a]] : s.stage[a] == s.stage[host[a]]));
            }
        }
    }
    CHECK(many > 50);
}
