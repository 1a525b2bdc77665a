#include <doctest/doctest.h>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

using namespace argent::hwgen;

TEST_CASE("pipeline: a shorter period gives more clocks, never a longer path than it but for what is said to be allowed") {
    Datapath d;
    NodeId sum = input(d, 0, {0, 255});
    for (int i = 1; i < 9; ++i) sum = d.add(sum, input(d, i, {0, 255}));
    d.outputs = {sum};
    int before = 0;
    for (double period : {40.0, 10.0, 5.0, 3.5}) {
        Schedule s = pipeline_datapath(d, part("xc7"), period);
        CHECK(s.critical_ns <= period * (1 + most_excess));
        CHECK(s.latency >= std::max(1, before));
        CHECK_FALSE(s.critical_path.empty());
        before = s.latency;
    }
    CHECK(before == 8);
    CHECK(pipeline_datapath(d, part("xc7"), 40).latency == 1);
}

TEST_CASE("pipeline: a path is not cut for a few percent where that takes many registers") {
    const Part &p = part("xc7");
    Datapath d;
    d.outputs = {d.add(d.add(input(d, 0, {0, 255}), input(d, 1, {0, 255})), input(d, 2, {0, 255}))};
    const double whole = pipeline_datapath(d, p, 40).critical_ns;
    const Schedule longer = pipeline_datapath(d, p, whole / 1.05);
    CHECK(longer.latency == 1);
    CHECK(longer.critical_ns == whole);
    const Schedule cut = pipeline_datapath(d, p, whole / (1.01 + most_excess));
    CHECK(cut.latency == 2);
    CHECK(cut.critical_ns <= whole / (1.01 + most_excess));
}

TEST_CASE("pipeline: in a crowd every path is cut, and nets are longer") {
    const Part &p = part("xc7");
    const auto has_nets_of = [](const Part &a, const Part &b) { return a.lut == b.lut && a.clock_to_out == b.clock_to_out && a.carry_start == b.carry_start; };
    const auto of_rams = [&](int64_t more) { return crowded(p, {0, few.rams + more}); };
    CHECK(has_nets_of(crowded(p, few), p));
    CHECK(crowded(p, few).ram_clock_to_out == p.ram_clock_to_out);
    CHECK_FALSE(crowded(p, few).is_crowded());
    CHECK(has_nets_of(of_rams(40), p));
    CHECK(of_rams(4).ram_clock_to_out > p.ram_clock_to_out);
    CHECK(of_rams(40).ram_clock_to_out > of_rams(4).ram_clock_to_out);
    CHECK(crowded(p, {0, few.rams + 4, 4}).ram_clock_to_out > of_rams(4).ram_clock_to_out);
    CHECK(crowded(p, {0, few.rams + 4, 64}).ram_clock_to_out == doctest::Approx(p.ram_clock_to_out + 2 * p.net));
    CHECK(crowded(p, {0, few.rams, 8}).ram_clock_to_out == p.ram_clock_to_out);
    const Part large = crowded(p, {2 * many.luts, 0}), larger = crowded(p, {4 * many.luts, 0});
    CHECK(large.is_crowded());
    CHECK(crowded(p, {(few.luts + many.luts) / 2, 0}).excess == doctest::Approx(p.excess / 2));
    CHECK(crowded(p, {many.luts / 2, 0, 4}).is_crowded());
    CHECK(has_nets_of(crowded(p, {many.luts / 2, 0, 4}), p));
    CHECK(large.lut > p.lut);
    CHECK(larger.lut > large.lut);
    CHECK(larger.ram_clock_to_out - p.ram_clock_to_out == doctest::Approx(larger.lut - p.lut));
    Datapath d;
    d.outputs = {d.add(d.add(input(d, 0, {0, 255}), input(d, 1, {0, 255})), input(d, 2, {0, 255}))};
    const double whole = pipeline_datapath(d, p, 40).critical_ns;
    CHECK(pipeline_datapath(d, p, whole / 1.05).latency == 1);
    CHECK(pipeline_datapath(d, of_rams(4), whole / 1.05).latency == 1);
    CHECK(pipeline_datapath(d, of_rams(40), whole / 1.05).latency == 2);
}

TEST_CASE("pipeline: a path is cut for a few percent where that takes few registers") {
    const Part &p = part("xc7");
    Datapath d;
    NodeId sum = input(d, 0, {0, 65535}), last = -1;
    for (int i = 1; i < 5; ++i) sum = d.add(last = sum, input(d, i, {0, 65535}));
    d.outputs = {last};   // four numbers: two clocks of two sums and one
    const double two_sums = pipeline_datapath(d, p, 40).critical_ns - p.carry(18);
    const Interval wide = Interval::unsigned_of(24);
    NodeId bit = d.make(Op::Lt, {input(d, 5, wide), input(d, 6, wide)});
    for (int i = 7; i < 11; ++i) bit = d.make(Op::Select, {bit, input(d, i, {0, 1}), input(d, i + 4, {0, 1})});   // two tables
    d.outputs.push_back(bit);
    const double beside = p.clock_to_out + p.carry(24) + 2 * p.lut + p.setup;
    REQUIRE(beside > two_sums);
    REQUIRE(beside < two_sums * (1 + most_excess));
    const Schedule s = pipeline_datapath(d, p, two_sums);
    CHECK(s.latency == 2);
    CHECK(s.critical_ns <= two_sums + 1e-9);
}

TEST_CASE("pipeline: what an adder has in its tables makes it slower") {
    const Part &p = part("xc7");
    Datapath d;
    const NodeId chosen = d.make(Op::Select, {input(d, 0, {0, 1}), input(d, 1, {0, 255}), input(d, 2, {0, 255})});
    d.outputs = {d.add(input(d, 3, {0, 255}), chosen)};
    const double early = pipeline_datapath(d, p, 40).critical_ns;
    CHECK(early == doctest::Approx(p.clock_to_out + p.absorbed + p.carry(9) + p.setup));
    CHECK(pipeline_datapath(d, p, 40, {p.clock_to_out, p.clock_to_out, p.clock_to_out, p.clock_to_out + 1}).critical_ns == doctest::Approx(early + 1));
}

TEST_CASE("pipeline: what makes an adder miss the period has a clock of its own, whatever registers that takes") {
    const Part &p = part("xc7");
    Datapath d;
    const Interval word{0, 65535};
    const NodeId c = leaf(d, "c", {0, 1}), e = leaf(d, "e", {0, 1}), x = leaf(d, "x", word), y = leaf(d, "y", word), z = leaf(d, "z", word), w = leaf(d, "w", word);
    const NodeId chosen = d.select(c, x, d.select(e, y, z)), sum = d.add(chosen, w);
    d.outputs = {sum};
    const double bare = p.clock_to_out + p.carry(17) + p.setup, narrow = bare + p.absorbed, wide = narrow + 2 * p.absorbed_wide;   // of five bits
    const Schedule together = pipeline_datapath(d, p, wide + 0.01), apart = pipeline_datapath(d, p, wide - 0.01);
    CHECK(together.host[chosen] == sum);
    CHECK(together.latency == 1);
    CHECK(together.critical_ns == doctest::Approx(wide));
    CHECK(apart.host[chosen] == -1);
    CHECK(apart.stage[chosen] == 0);
    CHECK(apart.stage[sum] == 1);
    CHECK(apart.critical_ns <= wide - 0.01);
}

TEST_CASE("pipeline: the second of two limits has a clock of its own where its register's set is cheaper than its tables") {
    Datapath d;
    const NodeId difference = d.make(Op::Sub, {input(d, 0, {0, 1275}), input(d, 1, {0, 1020})});
    const NodeId least = d.make(Op::Max, {difference, d.constant(0)}), most = d.make(Op::Min, {least, d.constant(255)});
    d.outputs = {most};
    const Schedule apart = pipeline_datapath(d, part("xc7"), 40);
    CHECK(apart.latency == 2);
    CHECK(apart.stage[least] + 1 == apart.stage[most]);
    // What leaves beside it waits a clock longer.
    d.outputs.push_back(input(d, 2, Interval::unsigned_of(60)));
    d.outputs.push_back(d.make(Op::Xor, {input(d, 3, Interval::unsigned_of(60)), input(d, 4, Interval::unsigned_of(60))}));
    CHECK(pipeline_datapath(d, part("xc7"), 40).latency == 1);
    d.outputs = {least};
    CHECK(pipeline_datapath(d, part("xc7"), 40).latency == 1);
}

TEST_CASE("pipeline: what is in one table is one level") {
    const Part &p = part("xc7");
    Datapath d;
    const NodeId either = d.make(Op::Or, {input(d, 0, {0, 1}), input(d, 1, {0, 1})}), inner = d.select(input(d, 2, {0, 1}), input(d, 3, {0, 255}), input(d, 4, {0, 255}));
    d.outputs = {d.select(either, inner, input(d, 5, {0, 255}))};
    CHECK(pipeline_datapath(d, p, 40).critical_ns == doctest::Approx(p.clock_to_out + p.lut + 2 * p.wide_input + p.setup));
    d.outputs = {d.select(d.make(Op::And, {either, input(d, 6, {0, 1})}), inner, input(d, 5, {0, 255}))};   // seven inputs
    CHECK(pipeline_datapath(d, p, 40).critical_ns == doctest::Approx(p.clock_to_out + 2 * p.lut + 2 * p.wide_input + p.setup));
}

TEST_CASE("pipeline: a stage of wires has no clock") {
    Datapath d;
    NodeId a = input(d, 0, {0, 255});
    d.outputs = {d.make(Op::Shl, {a}, 2), d.constant(7)};
    Schedule s = pipeline_datapath(d, part("ecp5"), 5);
    CHECK(s.latency == 0);
    CHECK(s.register_bits == 0);
}

TEST_CASE("pipeline: a longer path that saves many registers is preferred to a shorter one that saves a few") {
    Datapath d;
    NodeId sum = -1;
    for (int i = 0; i < 9; ++i) {
        const NodeId product = d.make(Op::Mul, {input(d, 2 * i, {0, 255}), input(d, 2 * i + 1, {-128, 127})});
        sum = i == 0 ? product : d.add(sum, product);
    }
    d.outputs = {sum};
    const double period = 7.4;   // two rows of digits take longer
    const Datapath rows = multiply_by_digits(d, part("xc7"));
    const Schedule s = pipeline_datapath(rows, part("xc7"), period), shorter = pipeline_datapath(rows, part("xc7"), period / (1 + most_excess));
    CHECK(s.critical_ns > 1.02 * period);
    CHECK(s.critical_ns <= (1 + most_excess) * period);
    CHECK(s.register_bits < 0.7 * shorter.register_bits);
}

TEST_CASE("pipeline: a product that takes longer than a clock uses the register inside the multiplier") {
    Datapath d;
    d.outputs = {d.make(Op::Mul, {input(d, 0, {0, (1 << 24) - 1}), input(d, 1, {0, (1 << 17) - 1})})};
    const Schedule slow = pipeline_datapath(d, part("xc7"), 6.67), fast = pipeline_datapath(d, part("xc7"), 3.34);
    CHECK(slow.product_clocks == 0);
    CHECK(slow.latency == 1);
    CHECK(fast.product_clocks == 1);
    CHECK(fast.latency == 2);
    CHECK(fast.critical_ns <= 3.34);
}

TEST_CASE("pipeline: links of a chain of accumulated products follow each other clock by clock, and their operands wait in the multipliers first") {
    constexpr int links = 5, bits = 20;
    Datapath d;
    NodeId sum = d.constant(0);
    std::vector<NodeId> chain;
    for (int i = 0; i < links; ++i) {
        const NodeId product = d.make(Op::Mul, {input(d, i, Interval::signed_of(bits)), leaf(d, "w" + std::to_string(i), Interval::signed_of(18))});
        chain.push_back(sum = d.make(Op::Accumulate, {product, sum}));
    }
    d.outputs = {sum};
    for (const double period : {10.0, 6.67, 3.34}) {
        const Schedule s = pipeline_datapath(d, part("xc7"), period);
        CHECK(s.product_clocks == 1);
        for (int i = 0; i < links; ++i) CHECK(s.stage[chain[static_cast<size_t>(i)]] == 2 + i);
        CHECK(s.register_bits == (1 + 2) * bits);   // the last two operands
        CHECK(s.latency == 1 + links);
    }
}

TEST_CASE("pipeline: what is computed of Params alone waits in one register, whoever reads it when") {
    const auto limited = [](bool is_sum) {
        Datapath d;
        const Interval word = Interval::unsigned_of(15);
        const NodeId limit = is_sum ? d.add(leaf(d, "a", word), leaf(d, "b", word)) : leaf(d, "limit", Interval::unsigned_of(16));
        NodeId n = input(d, 0, word);
        for (int i = 1; i < 8; ++i) n = d.wrap(d.add(n, input(d, i, word)), word);   // first, without it
        for (int i = 8; i < 12; ++i) n = d.make(Op::Min, {d.add(n, input(d, i, word)), limit});
        d.outputs = {n};
        return pipeline_datapath(d, part("xc7"), 4);
    };
    const Schedule of_param = limited(false), of_sum = limited(true);
    CHECK(of_param.latency > 6);
    CHECK(of_sum.latency == of_param.latency);
    CHECK(of_sum.register_bits <= of_param.register_bits + 16);
}

TEST_CASE("pipeline: a carry chain is as long as the bits that meet") {
    Datapath d;
    const NodeId a = input(d, 0, {0, (1 << 20) - 1}), b = input(d, 1, {0, (1 << 20) - 1});
    d.outputs = {d.add(a, b)};
    Datapath apart;
    apart.outputs = {apart.add(input(apart, 0, {0, (1 << 20) - 1}), apart.make(Op::Shl, {input(apart, 1, {0, (1 << 20) - 1})}, 12))};
    CHECK(pipeline_datapath(apart, part("xc7"), 10).critical_ns == doctest::Approx(pipeline_datapath(d, part("xc7"), 10).critical_ns));
}

TEST_CASE("pipeline: a leaf that comes late is registered first") {
    Datapath d;
    NodeId a = input(d, 0, {0, 255}), b = input(d, 1, {0, 255});
    d.outputs = {d.add(a, b)};
    const Part &p = part("ecp5");
    CHECK(pipeline_datapath(d, p, 7.5).latency == 1);
    CHECK(pipeline_datapath(d, p, 7.5, {p.ram_clock_to_out, p.clock_to_out}).latency == 2);
}

TEST_CASE("pipeline: a product is squared where it is needed, not before") {
    Datapath d;
    // A wide square that is read only at the end waits as its narrow operand.
    NodeId a = input(d, 0, {0, 255}), slow = input(d, 1, {0, 255});
    for (int i = 2; i < 8; ++i) slow = d.make(Op::Min, {d.add(slow, d.constant(i)), input(d, i, {0, 255})});
    d.outputs = {d.add(d.make(Op::Mul, {a, a}), slow)};
    Schedule s = pipeline_datapath(d, part("xc7"), 6);
    NodeId product = -1;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
        if (d[n].op == Op::Mul) product = n;
    }
    CHECK(s.stage[product] >= s.latency - 2);
}

TEST_CASE("pipeline: an operator longer than the period gets clocks of its own and is reported") {
    Datapath d;
    NodeId a = input(d, 0, Interval::unsigned_of(17)), b = input(d, 1, Interval::unsigned_of(17));
    d.outputs = {d.add(d.make(Op::Mul, {a, b}), d.constant(1))};
    Schedule s = pipeline_datapath(d, part("xc7"), 2);
    CHECK(s.critical_ns > 2);
    CHECK(s.latency == 3);   // the product's, into the multiplier's register and out of it, and the sum's
}

TEST_CASE("pipeline: a saturation is a table behind its sum, other limits are compared with") {
    const auto latency = [](Op limit, Wide value) {
        Datapath d;
        const NodeId sum = d.sub(input(d, 0, {0, 2047}), input(d, 1, {0, 2047}));
        d.outputs = {d.make(limit, {sum, d.constant(value)})};
        return pipeline_datapath(d, part("xc7"), 6).latency;
    };
    CHECK(latency(Op::Min, 255) == 1);
    CHECK(latency(Op::Max, 0) == 1);
    CHECK(latency(Op::Min, 254) > 1);
    CHECK(latency(Op::Max, 1) > 1);
}

TEST_CASE("pipeline: one bit of a saturation sets the register by itself, several by tables, many by full ones") {
    const Part &p = part("xc7");
    const auto beyond_sum = [&](int bits) {   // ns that a limit to 255 takes of so many bits
        Datapath d;
        const NodeId sum = d.add(input(d, 0, Interval::unsigned_of(bits)), input(d, 1, Interval::unsigned_of(bits)));
        d.outputs = {d.make(Op::Min, {sum, d.constant(255)})};
        return pipeline_datapath(d, p, 40).critical_ns - p.clock_to_out - p.carry(bits + 1) - p.setup;
    };
    REQUIRE(p.set > 0);
    CHECK(beyond_sum(8) == doctest::Approx(p.lut));
    CHECK(beyond_sum(10) == doctest::Approx(p.lut + p.set));
    CHECK(beyond_sum(20) == doctest::Approx(2 * (p.lut + 2 * p.wide_input) + p.set));
}

TEST_CASE("pipeline: what ends in a memory has no register in front of it, unless that saves tables or bits") {
    const Part &p = part("xc7");
    const auto clocks = [&](const Datapath &d, double period, Ends ends) { return pipeline_datapath(d, p, period, {}, ends).latency; };
    Datapath sum;
    const NodeId a = input(sum, 0, {0, 255}), b = input(sum, 1, {0, 255});
    sum.outputs = {sum.add(a, b)};
    CHECK(clocks(sum, 40, Ends::Registers) == 1);
    CHECK(clocks(sum, 40, Ends::Memory) == 0);
    const double way_out = p.clock_to_out + p.carry(9) + p.lut + p.setup;
    CHECK(pipeline_datapath(sum, p, 40, {}, Ends::Memory).critical_ns == doctest::Approx(way_out));
    Datapath chain;   // a cut in front of the last sum would be wider than one behind it
    chain.outputs = {chain.add(chain.add(input(chain, 0, {0, 255}), input(chain, 1, {0, 255})), input(chain, 2, {0, 255}))};
    const double both = pipeline_datapath(chain, p, 40).critical_ns;
    CHECK(clocks(chain, both, Ends::Registers) == 1);
    CHECK(clocks(chain, both, Ends::Memory) == 1);
    Datapath limit;
    limit.outputs = {limit.make(Op::Min, {limit.add(input(limit, 0, {0, 255}), input(limit, 1, {0, 255})), limit.constant(255)})};
    CHECK(clocks(limit, 40, Ends::Memory) == 1);
}

TEST_CASE("pipeline: dividers and roots loop where an element has several clocks") {
    const Part &p = part("xc7");
    Datapath d;
    const NodeId a = input(d, 0, {0, 65535}), b = input(d, 1, {1, 65535}), quotient = d.make(Op::Div, {a, b}), rest = d.make(Op::Mod, {a, b}),
                 root = d.make(Op::Sqrt, {a});
    d.outputs = {quotient, rest, root};
    const auto pipelined = [&](int clocks) { return pipeline_datapath(d, p, 6.67, {}, Ends::Registers, clocks); };
    CHECK(pipelined(1).loops.empty());
    const Schedule s = pipelined(16);
    CHECK(s.loops == std::map<NodeId, DigitForm>{{quotient, {1, 16}}, {rest, {1, 16}}, {root, {1, 9}}});
    CHECK(s.stage[quotient] == 17);
    CHECK(s.stage[rest] == s.stage[quotient]);
    CHECK(s.stage[root] - digit_cell_clocks(d, root, {1, 9}) >= 0);
    const Schedule fast = pipeline_datapath(d, p, 2.5, {}, Ends::Registers, 8);   // only one step fits: two links
    CHECK(fast.loops.at(rest) == DigitForm{1, 8});
    CHECK(fast.critical_ns <= pipeline_datapath(d, p, 2.5).critical_ns + p.lut + 1e-9);   // a step is not cut
    const Schedule slow = pipeline_datapath(d, p, 20, {}, Ends::Registers, 4);    // from its registers to themselves
    CHECK(slow.loops.at(rest) == DigitForm{4, 4});
    CHECK(slow.critical_path == std::vector<NodeId>{quotient});
    CHECK(slow.critical_ns <= 20);
}

TEST_CASE("pipeline: an unknown family is refused") { CHECK_THROWS_AS(part("max10"), std::invalid_argument); }

TEST_CASE("pipeline: operands stand before their users, in every random graph") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        RandomDatapath random(seed);
        Datapath d = fold_datapath(random.graph(40));   // else bits that are constant hide that nobody reads an operand
        for (double period : {3.0, 8.0}) {
            Schedule s = pipeline_datapath(d, part("xcup"), period);
            Wiring w = wiring_of(d);
            for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
                if (w.demanded[n] == 0) continue;
                CHECK(s.stage[n] <= s.latency);
                for (NodeId a : d[n].args) {
                    if (w.demanded[a] > 0 && w.is_logic(a) && w.is_logic(n)) CHECK(s.stage[a] <= s.stage[n]);
                }
            }
        }
    }
}

TEST_CASE("pipeline: the period is kept in every random graph, as far as single operators allow") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        RandomDatapath random(seed);
        const Datapath d = fold_datapath(random.graph(40));
        for (const char *family : {"xc7", "ecp5"}) {
            const double alone = pipeline_datapath(d, part(family), 0.1).critical_ns;   // every operator in a clock of its own
            int before = 1000;
            for (double period : {4.0, 7.0, 12.0, 60.0}) {
                const Schedule s = pipeline_datapath(d, part(family), period);
                CHECK(s.critical_ns <= std::max(alone, period * (1 + most_excess)) + 1e-6);
                CHECK(s.latency <= before + 2);   // a limit behind another one may be worth a clock
                before = s.latency;
            }
        }
    }
}

TEST_CASE("pipeline: a value of which some bits are read late keeps those only") {
    Datapath d;
    const NodeId sum = d.add(input(d, 0, {0, 65535}), input(d, 1, {0, 65535}));
    NodeId slow = input(d, 2, {0, 255});
    for (int i = 3; i < 6; ++i) slow = d.make(Op::Min, {d.add(slow, d.constant(i)), input(d, i, {0, 255})});
    d.outputs = {d.make(Op::Lt, {sum, input(d, 6, {0, 65535})}), d.add(slow, d.wrap(sum, {0, 3}))};
    const Schedule s = pipeline_datapath(d, part("xc7"), 6);
    CHECK(s.latency > 2);
    CHECK(s.stage[sum] == 0);   // later it would hold both of its wide operands back
}
