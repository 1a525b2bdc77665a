#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/pipeline/PipelineShaped.h"

using namespace argent::hwgen;

namespace {

ShapedPipeline shaped(const Datapath &d, double period_ns) { return pipeline_shaped(d, part("xc7"), period_ns, {}, Ends::Registers); }

}  // namespace

TEST_CASE("pipeline_shaped: a flat tree where a chain keeps many values waiting") {
    Datapath d;
    NodeId sum = input(d, 0);
    for (int i = 1; i < 12; ++i) sum = d.add(sum, input(d, i));
    d.outputs = {sum};
    const ShapedPipeline s = shaped(d, 5);
    const Schedule chain = pipeline_datapath(d, part("xc7"), 5);
    CHECK(s.schedule.latency < chain.latency);
    CHECK(s.schedule.register_bits < chain.register_bits);
}

TEST_CASE("pipeline_shaped: what fits into a clock stays as it is") {
    Datapath d;
    d.outputs = {d.add(d.add(input(d, 0), input(d, 1)), input(d, 2))};
    CHECK(to_string(shaped(d, 20).datapath) == to_string(d));
}

TEST_CASE("pipeline_shaped: the bits above a short operand take no tables") {
    Datapath d;
    const NodeId wide = d.add(input(d, 0, {0, 4095}), input(d, 1, {0, 15})), other = d.add(input(d, 2, {0, 4095}), input(d, 3, {0, 15}));
    d.outputs = {d.add(wide, other)};
    const Datapath s = shaped(d, 20).datapath;   // 4 + 12 + 4 tables; the short ones together first 4 + 12 + 5
    for (const Node &n : s.nodes()) CHECK((n.op != Op::Add || n.range.bits() > 12));
}

TEST_CASE("pipeline_shaped: a sum of products is a chain of multipliers where that is cheaper than rows of adders") {
    const auto accumulated = [](int bits) {
        Datapath d;
        NodeId sum = d.constant(0);
        for (int i = 0; i < 4; ++i) sum = d.add(sum, d.make(Op::Mul, {input(d, i, Interval::signed_of(bits)), input(d, 4 + i, Interval::signed_of(bits))}));
        d.outputs = {sum};
        return count(shaped(d, 6.67).datapath, Op::Accumulate);
    };
    CHECK(accumulated(8) == 0);
    CHECK(accumulated(12) == 0);
    CHECK(accumulated(18) == 4);
}

TEST_CASE("pipeline_shaped: random graphs keep their outputs") {
    int accumulated = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(12 + static_cast<int>(seed % 30));
        if (seed % 2) {   // and products that may be accumulated
            const NodeId last = static_cast<NodeId>(d.nodes().size()) - 1;
            const auto factor = [&] { return d.wrap(d.make(Op::Mul, {d.wrap(last - random.below(6), random.type()), input(d, random.below(4))}), Interval::signed_of(17)); };
            for (NodeId &o : d.outputs) {
                for (int k = 0; k < 3; ++k) o = random.below(3) ? d.add(o, d.make(Op::Mul, {factor(), factor()})) : d.sub(o, d.make(Op::Mul, {factor(), factor()}));
            }
        }
        const Datapath s = shaped(d, 4).datapath;
        accumulated += count(s, Op::Accumulate);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> v = random.values(d);
            INFO("seed ", seed, "\n", to_string(d), to_string(s));
            REQUIRE(bool(evaluate(s, v) == evaluate(d, v)));
        }
    }
    CHECK(accumulated > 20);
}
