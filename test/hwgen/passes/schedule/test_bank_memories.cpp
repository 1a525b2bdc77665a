#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../PlannedGraph.h"
#include "hwgen/Lower.h"
#include "hwgen/ir/Cost.h"
#include "hwgen/passes/schedule/BankMemories.h"
#include "hwgen/passes/schedule/SolvePhases.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

/** Every `every`-th row of a column of so many, 16 bits each. */
RegionBuilder column(int width, int rows, int every = 1) {
    RegionBuilder b(width, 5);
    b.input("in", Halide::UInt(16));
    Halide::Expr sum = cast<uint32_t>(b.at("in", 0, 0));
    for (int y = every; y < rows; y += every) sum = sum * 3 + cast<uint32_t>(b.at("in", y % 3, y));
    b.stage("out", sum);
    return b;
}

const Part &crowd() {
    static const Part p = crowded(part("xc7"), {many.luts, 4 * many.rams, 1});
    return p;
}

}  // namespace

TEST_CASE("bank_memories: many block RAMs are banks of few, of about as many rows") {
    for (int rows : {12, 20, 40, 60, 100}) {
        CAPTURE(rows);
        const Graph g = bank_memories(planned(column(1000, rows)), crowd());
        const Window &w = g.windows[0];
        const auto blocks = [&](int64_t kept) { return ram_blocks(g.memory_words(w), 16 * kept); };
        if (blocks(w.rows) <= 32) {
            CHECK(w.bank_rows == 0);
            CHECK(w.lag(w.rows) == 0);
            continue;
        }
        CHECK(blocks(w.bank_rows) <= 16);
        CHECK(w.lag(0) == 0);
        CHECK(w.lag(w.bank_rows) == 0);
        CHECK(w.lag(w.bank_rows + 1) == 1);
        CHECK((w.lag(w.rows) + 1) * w.bank_rows >= w.rows);
        CHECK(w.lag(w.rows) * w.bank_rows < w.rows);
    }
}

TEST_CASE("bank_memories: only in a crowd, and only block RAMs") {
    CHECK(bank_memories(planned(column(1000, 40)), part("xc7")).windows[0].bank_rows == 0);
    CHECK(bank_memories(planned(column(48, 40)), crowd()).windows[0].bank_rows == 0);
}

TEST_CASE("bank_memories: readers wait for the last bank that they read") {
    const Graph plain = solve_phases(planned(column(1000, 40))), banks = solve_phases(bank_memories(planned(column(1000, 40)), crowd()));
    const int64_t lag = banks.windows[0].lag(banks.windows[0].rows);
    CHECK(lag > 0);
    CHECK(banks.stages[1].phase == plain.stages[1].phase + lag);
}

TEST_CASE("bank_memories: cores are right, whatever the rows that are read") {
    if (!has_icarus()) return;
    for (const auto &[every, width] : std::vector<std::pair<int, int>>{{1, 1030}, {13, 990}, {43, 1030}}) {
        CAPTURE(every);
        CAPTURE(width);
        const auto rtl = lower(column(width, 44, every).r).rtl;
        CHECK(rtl.at("region_in_window.v").find("step_1") != std::string::npos);
        CHECK((rtl.at("region_in_window.v").find("tail") != std::string::npos) == (width == 1030));
        CHECK(run_core(column(width, 44, every).r, {{width, 2}, {width, 2, true}, {1, 1}, {2, 3}, {2, 3, true}, {7, 5}}) == "");
    }
}
