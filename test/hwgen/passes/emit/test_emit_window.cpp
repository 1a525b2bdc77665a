#include <doctest/doctest.h>

#include "../../Golden.h"
#include "../CoreBench.h"
#include "../PlannedGraph.h"
#include "hwgen/passes/emit/EmitWindow.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

WindowModule window(const RegionBuilder &b, const std::string &name) {
    const Graph g = planned(b);
    return emit_window(g, g.windows.at(0), name);
}

using Places = std::map<std::pair<int64_t, int64_t>, std::string>;

}  // namespace

TEST_CASE("emit_window: rows in one memory, then registers") {
    RegionBuilder b(60, 48);   // short enough for an address of its own
    b.input("in");
    b.stage("out", b.at("in", 0, 0) + b.at("in", 1, 0) + b.at("in", 0, 2) + b.at("in", 2, 1));
    const WindowModule w = window(b, "window");
    CHECK(w.outputs == Places{{{0, 0}, "r0_c0"}, {{1, -2}, "r1_cm2"}, {{2, -1}, "r2_cm1"}, {{2, 0}, "r2_c0"}});
    CHECK(w.address_bits == 6);   // 0 .. 58
    check_golden("window.v", argent::verilog::print(w.module));
}

TEST_CASE("emit_window: one row of registers has no memory and no address") {
    RegionBuilder b(64, 48, 2);
    b.input("in").stage("out", b.at("in", -2, 0) + b.at("in", 3, 0));
    const WindowModule w = window(b, "registers");
    CHECK(w.address_bits == 0);
    check_golden("registers.v", argent::verilog::print(w.module));
}

TEST_CASE("emit_window: windows of all shapes deliver what the expressions ask for") {
    if (!has_icarus()) return;
    const std::vector<CoreLaunch> launches = {{13, 5}, {13, 5, true}, {1, 1}, {1, 5}, {13, 1}, {7, 4}, {2, 2}};
    const std::vector<std::vector<std::pair<int, int>>> shapes = {
        {{0, 0}, {0, 4}},                       // a pure delay of rows
        {{-5, 0}, {4, 0}},                      // registers alone
        {{0, 2}, {-3, 1}, {-6, 0}},             // slips to the left
        {{0, 2}, {3, 1}, {6, 0}},               // slips to the right, further than the block is wide
        {{-1, -1}, {1, 1}, {0, 0}, {1, -1}},    // a square
        {{0, 0}, {11, 0}, {0, 1}},              // a cross: the newest element is in the older row
    };
    for (const auto &shape : shapes) {
        for (int lanes : {1, 4, 16, -1}) {
            CAPTURE(&shape - &shapes[0]);
            CAPTURE(lanes);
            RegionBuilder b(13, 5, std::abs(lanes));
            if (lanes < 0) b.r.clock_mhz = 250;   // addresses of line memories end by a register
            b.input("in");
            Halide::Expr e = cast<uint32_t>(1);
            for (const auto &[dx, dy] : shape) e = e * 3 + cast<uint32_t>(b.at("in", dx, dy));
            b.stage("out", e);
            CHECK(run_core(b.r, launches) == "");
        }
    }
}
