#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/time/ShareInTime.h"

using namespace argent::hwgen;

namespace {

/** Sum of `taps` inputs, each times a constant or, where it is 0, another input. */
NodeId weighted_sum(Datapath &d, const std::vector<int> &weights) {
    NodeId sum = d.constant(0);
    for (size_t i = 0; i < weights.size(); i++) {
        const NodeId w = weights[i] != 0 ? d.constant(weights[i]) : input(d, 100 + static_cast<int>(i), {-128, 127});
        sum = d.add(sum, d.make(Op::Mul, {input(d, static_cast<int>(i)), w}));
    }
    return sum;
}

Datapath weighted(const std::vector<int> &weights) {
    Datapath d;
    d.outputs = {weighted_sum(d, weights)};
    return balance_datapath(d);
}

std::optional<SharedDatapath> shared(const Datapath &d, int clocks, double least) { return share_in_time(d, clocks, clocks, least, part("xc7"), 6.67); }

void check_same(const Datapath &d, const SharedDatapath &s, unsigned seed) {
    std::mt19937_64 random(seed);
    for (int round = 0; round < 50; round++) {
        std::vector<Wide> values;
        for (const Leaf &l : d.leaves()) {
            const Wide span = l.range.hi - l.range.lo + 1;
            const auto pick = random() % 4;
            values.push_back(pick == 0 ? l.range.lo : pick == 1 ? l.range.hi : l.range.lo + Wide(random() % static_cast<uint64_t>(span)));
        }
        REQUIRE(evaluate(s, values) == evaluate(d, values));
    }
}

/** Of 16 elements. */
Table squares_of(const char *name) {
    Table t;
    t.name = name;
    t.depth = 16;
    t.range = {0, 225};
    std::vector<Wide> contents;
    for (int i = 0; i < 16; i++) contents.push_back(i * i);
    t.contents = std::make_shared<const std::vector<Wide>>(contents);
    return t;
}

}  // namespace

TEST_CASE("share_in_time: 81 products with run-time taps in 16 clocks take 6 multipliers") {
    const Datapath d = weighted(std::vector<int>(81, 0));
    const auto s = shared(d, 16, 0);
    REQUIRE(s);
    CHECK(s->slots == 14);   // 6 sets; the last has 11 terms
    CHECK(s->operators == 6);
    CHECK(s->from_operators == 81);
    CHECK(count(s->terms, Op::Mul) == 6);
    CHECK(count(s->after, Op::Add) + count(s->after, Op::Mul) == 0);
    check_same(d, *s, 1);
}

TEST_CASE("share_in_time: what is shared may be the place in a table, and its elements may be added") {
    Datapath d;
    const Table squares = squares_of("squares");
    const NodeId products = weighted_sum(d, std::vector<int>(9, 0));
    NodeId sum = d.lookup(squares, d.make(Op::And, {products, d.constant(15)}));
    for (int i = 0; i < 4; i++) sum = d.add(sum, d.lookup(squares, d.make(Op::And, {input(d, i), d.constant(15)})));
    d.outputs = {sum};
    const auto s = shared(d, 4, 0);
    REQUIRE(s);
    CHECK(s->operators == 3);
    CHECK(count(s->terms, Op::Lookup) == 0);
    CHECK(count(s->after, Op::Lookup) == 5);
    check_same(d, *s, 3);
}

TEST_CASE("share_in_time: constants of any value and sign are operands") {
    const Datapath d = weighted({1, 2, -3, 4, 5, 60, -7, 8, 9, 10, 11});
    const auto s = shared(d, 11, 0);
    REQUIRE(s);
    CHECK(s->operators == 1);
    CHECK(count(s->terms, Op::Mul) == 1);
    check_same(d, *s, 2);
}

TEST_CASE("share_in_time: what all constants have in common is multiplied once") {
    const Datapath d = weighted({6, -6, 6, 6, -6, 12, 6, 18});
    const auto s = shared(d, 4, -1000);
    REQUIRE(s);
    for (const auto &sources : s->operands) {
        for (const auto &source : sources) CHECK((source.leaf >= 0 || (source.value >= -1 && source.value <= 3)));
    }
    check_same(d, *s, 3);
}

TEST_CASE("share_in_time: a minimum of 25 is gathered") {
    Datapath d;
    NodeId least = input(d, 0, {-128, 127});
    for (int i = 1; i < 25; i++) least = d.make(Op::Min, {least, input(d, i, {-128, 127})});
    d.outputs = {least};
    const auto s = shared(d, 9, 0);
    REQUIRE(s);
    CHECK(count(s->terms, Op::Min) == 2);
    REQUIRE(s->results.size() == 1);
    CHECK(s->results[0].op == Op::Min);
    check_same(d, *s, 4);
}

TEST_CASE("share_in_time: three sums take turns on one multiplier, and the rest is computed at once") {
    Datapath d;
    NodeId sums[3];
    for (int out = 0; out < 3; out++) {
        sums[out] = d.constant(16 * out);
        for (int i = 0; i < 3; i++) sums[out] = d.add(sums[out], d.make(Op::Mul, {input(d, i), d.constant(37 * out + 11 * i + 5)}));
        d.outputs.push_back(d.make(Op::Shr, {sums[out]}, 8));
    }
    const auto s = shared(d, 9, 0);
    REQUIRE(s);
    CHECK(s->operators == 1);
    REQUIRE(s->results.size() == 3);
    CHECK(s->results[1].first == 3);
    CHECK(s->results[1].last == 5);
    check_same(d, *s, 5);
}

TEST_CASE("share_in_time: quotients of different operands take turns") {
    Datapath d;
    for (int i = 0; i < 4; i++) d.outputs.push_back(d.make(Op::Div, {input(d, i), input(d, 4 + i, {1, 255})}));
    const auto s = shared(d, 4, 0);
    REQUIRE(s);
    CHECK(count(s->terms, Op::Div) == 1);
    check_same(d, *s, 6);
}

TEST_CASE("share_in_time: what would loop alone is not shared unless that takes less") {
    const auto quotients = [](int count) {
        Datapath d;
        for (int i = 0; i < count; i++) d.outputs.push_back(d.make(Op::Div, {input(d, i, {0, 65535}), input(d, count + i, {1, 65535})}));
        return d;
    };
    const auto turns = [](const Datapath &d, int clocks, int clocks_alone) { return share_in_time(d, clocks, clocks_alone, 24, part("xc7"), 6.67); };
    CHECK(!turns(quotients(4), 16, 16));       // one row each
    const auto four = turns(quotients(4), 64, 64);
    REQUIRE(four);                             // one row for all
    CHECK(four->slots == 4);
    CHECK(four->clocks == 16);
    check_same(quotients(4), *four, 10);
    CHECK(turns(quotients(4), 16, 1));         // if they have no form that loops
    CHECK(turns(quotients(4), 4, 4)->clocks == 1);
}

TEST_CASE("share_in_time: roots take turns") {
    Datapath d;
    for (int i = 0; i < 4; i++) d.outputs.push_back(d.make(Op::Sqrt, {d.add(d.make(Op::Mul, {input(d, i), d.constant(255)}), input(d, 4 + i))}));
    const auto s = shared(d, 4, 0);
    REQUIRE(s);
    CHECK(count(s->terms, Op::Sqrt) == 1);
    check_same(d, *s, 9);
}

TEST_CASE("share_in_time: a square is a product of two operands, if the others are") {
    Datapath d;
    for (int i = 0; i < 3; i++) d.outputs.push_back(d.make(Op::Mul, {input(d, 0), input(d, i)}));
    const auto s = shared(d, 3, 0);
    REQUIRE(s);
    CHECK(s->operands.size() == 2);
    CHECK(count(s->terms, Op::Mul) == 1);
    check_same(d, *s, 7);
}

TEST_CASE("share_in_time: bits that nobody needs are not gathered") {
    Datapath d;
    NodeId sum = d.constant(0);
    for (int i = 0; i < 8; i++) sum = d.add(sum, d.make(Op::Mul, {input(d, 2 * i, {0, 65535}), input(d, 2 * i + 1, {0, 65535})}));
    d.outputs = {d.wrap(sum, Interval::unsigned_of(16))};
    const auto s = shared(balance_datapath(d), 4, 0);
    REQUIRE(s);
    CHECK(s->results[0].range == Interval::unsigned_of(16));
    check_same(d, *s, 8);
}

TEST_CASE("share_in_time: choices by the place are operands, made before") {
    Datapath d;
    Leaf first;
    first.kind = Leaf::Kind::Place;
    first.name = "x_is_first";
    first.range = {0, 1};
    NodeId sum = d.constant(0);
    for (int i = 0; i < 16; i++) {
        const NodeId tap = i < 8 ? d.select(d.leaf(first), input(d, i + 1), input(d, i)) : input(d, i);   // a border on one side
        sum = d.add(sum, d.make(Op::Mul, {tap, input(d, 100 + i, {-128, 127})}));
    }
    d.outputs = {sum};
    const auto s = shared(balance_datapath(d), 17, 0);
    REQUIRE(s);
    CHECK(s->operators == 1);
    CHECK(s->before.outputs.size() == 8);
    CHECK(s->slots == 16);   // a clock is for what is before
    check_same(d, *s, 9);
    CHECK(shared(balance_datapath(d), 16, 0)->operators == 2);
}

TEST_CASE("share_in_time: what tables hold is an operand, looked up before") {
    Datapath d;
    const Table squares = squares_of("squares");
    NodeId sum = d.constant(0);
    for (int i = 0; i < 8; i++) {
        const NodeId place = d.make(Op::And, {d.add(input(d, i), input(d, i + 1)), d.constant(15)});
        sum = d.add(sum, d.make(Op::Mul, {input(d, i), d.lookup(squares, place)}));
    }
    d.outputs = {sum};
    const auto s = shared(balance_datapath(d), 16, 0);
    REQUIRE(s);
    CHECK(s->operators == 1);
    CHECK(count(s->before, Op::Lookup) == 8);
    CHECK(count(s->after, Op::Lookup) == 0);
    check_same(d, *s, 11);

    // The same table behind the sum: it would be in two modules, so the products stay as they are.
    d.outputs = {d.add(sum, d.lookup(squares, d.make(Op::And, {sum, d.constant(15)})))};
    const auto after = shared(balance_datapath(d), 16, 0);
    REQUIRE(after);
    CHECK(count(after->before, Op::Lookup) == 0);
    check_same(d, *after, 12);
}

TEST_CASE("share_in_time: what several terms have in common is no gain, nor what others read, too") {
    const auto is_shared = [](bool has_common, bool is_read_elsewhere) {
        Datapath d;
        const auto product = [&](int i) { return d.make(Op::Mul, {input(d, i), input(d, i + 1)}); };
        const NodeId a = product(0), b = has_common ? a : product(2);
        d.outputs = {d.add(d.make(Op::And, {a, input(d, 10, {0, 65535})}), d.make(Op::And, {b, input(d, 11, {0, 65535})}))};
        if (is_read_elsewhere) d.outputs.insert(d.outputs.end(), {d.make(Op::Xor, {a, input(d, 12)}), d.make(Op::Xor, {b, input(d, 13)})});
        return shared(d, 2, 0).has_value();
    };
    CHECK(is_shared(false, false));
    CHECK(!is_shared(true, false));
    CHECK(!is_shared(true, true));
}

TEST_CASE("share_in_time: nothing where nothing is gained") {
    Datapath d;
    d.outputs = {d.add(input(d, 0), input(d, 1))};
    CHECK(!shared(d, 16, 0));
    CHECK(!shared(weighted(std::vector<int>(81, 0)), 1, 0));
}

TEST_CASE("share_in_time: random graphs keep their values") {
    int found = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        RandomDatapath random(seed);
        const Datapath d = balance_datapath(random.graph(10 + static_cast<int>(seed % 60)));
        const auto s = shared(d, 2 + random.below(15), -100000);   // at any price
        if (!s) continue;
        CAPTURE(seed);
        CAPTURE(to_string(d));
        check_same(d, *s, seed);
        found++;
    }
    CHECK(found > 100);
}
