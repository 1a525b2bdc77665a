#include <doctest/doctest.h>

#include <cmath>

#include "../passes/Leaves.h"
#include "hwgen/area/Elaborate.h"
#include "hwgen/area/MapTables.h"
#include "hwgen/ir/Cost.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/emit/EmitStage.h"

using namespace argent::hwgen;

namespace {

Interval bits(int n, bool is_signed = false) { return is_signed ? Interval{-(Wide(1) << (n - 1)), (Wide(1) << (n - 1)) - 1} : Interval::unsigned_of(n); }

/** Tables of what is emitted of one operator. */
double counted(Op op, const std::vector<Interval> &operands) {
    Datapath d;
    std::vector<NodeId> args;
    for (const Interval &i : operands) args.push_back(leaf(d, "a" + std::to_string(args.size()), i));
    d.outputs = {d.make(op, args)};
    d = multiply_by_digits(d, part("xc7"));
    const StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 1000), "stage", "");
    return map_tables(elaborate(m.module, {})).lut;
}

double chosen_by(Op op, const std::vector<Interval> &operands) {
    Datapath d;
    std::vector<NodeId> args;
    for (const Interval &i : operands) args.push_back(leaf(d, "a" + std::to_string(args.size()), i));
    return operator_cost(d[d.make(op, args)], operands, false, {});
}

}  // namespace

// Passes choose by closed forms before there is anything to emit. They and the count are of the same tables.
TEST_CASE("Cost.h: what operators cost is near what is counted of their Verilog") {
    for (int n : {4, 8, 12, 16, 24}) {
        CAPTURE(n);
        CHECK(std::abs(chosen_by(Op::Add, {bits(n), bits(n)}) - counted(Op::Add, {bits(n), bits(n)})) <= 1);
        CHECK(std::abs(chosen_by(Op::Sub, {bits(n), bits(n)}) - counted(Op::Sub, {bits(n), bits(n)})) <= 1);
        CHECK(chosen_by(Op::Select, {bits(1), bits(n), bits(n)}) == counted(Op::Select, {bits(1), bits(n), bits(n)}));
        CHECK(chosen_by(Op::And, {bits(n), bits(n)}) == counted(Op::And, {bits(n), bits(n)}));
        const double same = counted(Op::Eq, {bits(n), bits(n)});   // what joins the groups is not in the closed form
        CHECK(chosen_by(Op::Eq, {bits(n), bits(n)}) <= same + 1);
        CHECK(chosen_by(Op::Eq, {bits(n), bits(n)}) >= 0.75 * same - 1);
        // Dear by up to a half: a comparison is two tables for three bits.
        const double less = counted(Op::Lt, {bits(n), bits(n)}), least = counted(Op::Min, {bits(n), bits(n)});
        CHECK(chosen_by(Op::Lt, {bits(n), bits(n)}) <= 1.5 * less + 1);
        CHECK(chosen_by(Op::Lt, {bits(n), bits(n)}) >= less);
        CHECK(chosen_by(Op::Min, {bits(n), bits(n)}) <= 1.5 * least + 1);
        CHECK(chosen_by(Op::Min, {bits(n), bits(n)}) >= least);
    }
    for (const auto &[a, b, is_signed] : {std::tuple(8, 8, true), {10, 10, false}, {12, 8, false}, {16, 6, true}}) {
        CAPTURE(a);
        CAPTURE(b);
        const double product = counted(Op::Mul, {bits(a, is_signed), bits(b, is_signed)}), chosen = chosen_by(Op::Mul, {bits(a, is_signed), bits(b, is_signed)});
        CHECK_MESSAGE(std::abs(chosen - product) <= std::max(5.0, 0.2 * product), chosen, " for ", product);
    }
}

TEST_CASE("row_memory_cost: a few words more than block RAMs hold wait behind them") {
    const Prices prices;
    for (int64_t words : {300, 512, 1000, 1024, 1089, 1920, 2048}) {
        CHECK(tail_words(words) == 0);
        CHECK(row_memory_cost(words, 16, prices) == memory_cost(words, 16, prices));
    }
    for (int64_t words : {1025, 1027, 1060, 2050}) {
        CAPTURE(words);
        const int64_t depth = words < 2048 ? 1024 : 2048;
        CHECK(tail_words(words) == words - depth);
        CHECK(row_memory_cost(words, 16, prices) == memory_cost(depth, 16, prices) + tail_cost(words - depth, 16));
        CHECK(row_memory_cost(words, 16, prices) < memory_cost(words, 16, prices));
    }
    CHECK(tail_cost(2, 16) == 2 * 16 * prices.flip_flop);
    CHECK(tail_cost(3, 16) > 16);   // a table a bit
    CHECK(tail_cost(3, 16, 3) > 3 * 16);
}
