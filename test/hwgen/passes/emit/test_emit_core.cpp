#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "../../Golden.h"
#include "../CoreBench.h"
#include "../RandomRegion.h"
#include "../Regions.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

/** The text of <name>_core.v. */
std::string core_of(const Region &region) {
    return lower(region).rtl.at(region.name + "_core.v");
}

/** Lint, then pixels. */
std::string check(const RegionBuilder &b, const std::vector<CoreLaunch> &launches = {{20, 6}, {20, 6, true}, {1, 1}, {7, 3}}) {
    if (!has_icarus()) return "";
    const std::string warnings = lint(lower(b.r));
    return warnings.empty() ? run_core(b.r, launches) : warnings;
}

}  // namespace

TEST_CASE("emit_core: a window, a stage, an output") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 0, -1) + b.at("in", 0, 1));
    check_golden("core.v", core_of(b.r));
}

TEST_CASE("emit_core: lanes, coordinates, a Param, a slow clock") {
    RegionBuilder b(20, 6, 4);
    b.input("in").param("gain", Halide::Int(16), Interval::signed_of(16));
    b.stage("located", cast<int32_t>(b.at("in", -1, 0)) + b.x() * 3 - b.y());
    b.stage("out", b.at("located", 0, 1) * cast<int32_t>(Halide::Internal::Variable::make(Halide::Int(16), "gain")));
    CHECK(check(b, {{20, 6, false, -7, 1000}, {20, 6, true, -7, 1000}, {1, 1, false, 2147483647, -2147483647}, {7, 3}}) == "");
    b.r.pixels = 1;
    b.r.clocks = 3;
    CHECK(check(b) == "");
}

TEST_CASE("emit_core: coordinates are read off the head's place") {
    RegionBuilder b(20, 6);
    b.input("in").stage("blur", cast<uint8_t>(b.at("in", -1, -1) + b.at("in", 1, 1)));
    b.stage("out", cast<int32_t>(b.at("blur", 0, 0)) + b.at("blur", 1, 1) * b.x() - b.y());
    CHECK(core_of(b.r).find("ag_scan") == std::string::npos);
    CHECK(check(b, {{20, 6, false, -7, 1000}, {20, 6, true, -7, 1000}, {1, 1, false, 2147483647, -2147483647}, {7, 3}}) == "");
}

TEST_CASE("emit_core: at fast clocks the head is told a clock ahead that there is room") {
    RegionBuilder b(20, 6);
    b.input("in").stage("out", cast<uint8_t>(b.at("in", -1, -1) + b.at("in", 1, 1)));
    CHECK(core_of(b.r).find("out_free <=") == std::string::npos);
    b.r.clock_mhz = 250;
    CHECK(core_of(b.r).find("out_free <= out_room_next") != std::string::npos);
    CHECK(check(b) == "");
}

TEST_CASE("emit_core: a row's end follows the position in front of it, where every row has two") {
    for (const int lanes : {2, 4, 8}) {
        CAPTURE(lanes);
        RegionBuilder b(40, 6, lanes);
        b.input("in").stage("out", b.at("in", -2, 0) + b.at("in", 2, 1));   // rows of 5 elements and more
        const std::string core = core_of(b.r);
        const size_t end = core.find(".row_ends(") + 10;
        const std::string told = core.substr(end, core.find(')', end) - end);
        CHECK(told.rfind("x_is_width_", 0) == 0);
        CHECK(core.find("reg  " + told + ";") != std::string::npos);   // no comparison
        CHECK(check(b, {{20, 6}, {1, 1}, {2, 2}, {3, 1}, {4, 3}, {4, 3, true}, {5, 2}, {8, 2}, {9, 2}, {1, 4}}) == "");
    }
}

TEST_CASE("emit_core: a clock is fast where a step reaches line memories all over the part") {
    const auto is_fast = [](int rows) {
        RegionBuilder b(1920, 48);
        b.input("in");
        Halide::Expr sum = b.at("in", 0, 0);
        for (int y = 1; y <= rows; ++y) sum += b.at("in", 0, y * y);   // nothing that windows share
        b.stage("out", sum);
        return core_of(b.r).find(".FAST(1)") != std::string::npos;
    };
    CHECK_FALSE(is_fast(2));
    CHECK(is_fast(6));
}

TEST_CASE("emit_core: bool, 64 bits, signs") {
    RegionBuilder b(20, 6, 4);
    b.input("mask", Halide::Bool()).input("wide", Halide::UInt(64)).input("deep", Halide::Int(8));
    b.stage("edge", b.at("mask", 0, 0) != b.at("mask", 1, 1));
    b.stage("out", cast<int64_t>(select(b.at("edge", 0, 0), b.at("wide", 0, -1), cast<uint64_t>(b.at("deep", 2, 0)))));
    CHECK(check(b) == "");
    RegionBuilder out(20, 6, 2);
    out.input("in", Halide::Int(16)).stage("out", out.at("in", 0, 0) < out.at("in", 1, 0));
    CHECK(check(out) == "");
}

TEST_CASE("emit_core: nothing but wires") {
    RegionBuilder copy(20, 6, 2);
    copy.input("in").stage("out", copy.at("in", 5, 3));
    CHECK(check(copy) == "");
    RegionBuilder chain(20, 6);
    chain.input("in", Halide::UInt(16)).stage("high", chain.at("in", 0, 0) >> 8).stage("out", cast<uint8_t>(chain.at("high", 0, 0)));
    CHECK(check(chain) == "");
}

TEST_CASE("emit_core: stages at one place wait for slower ones") {
    RegionBuilder b(20, 6);
    b.input("in", Halide::UInt(16));
    b.stage("slow", b.at("in", 0, 0) / cast<uint16_t>(b.at("in", 1, 0) % 13));
    b.stage("quick", b.at("in", 0, 0) + 1);
    b.stage("out", b.at("slow", 0, 0) ^ b.at("quick", 0, 0) ^ b.at("in", 0, 1));
    CHECK(check(b) == "");
}

TEST_CASE("emit_core: what folds away is no lint warning") {
    RegionBuilder stage(20, 6, 2);
    stage.input("in").stage("gone", stage.at("in", 0, 0) + stage.at("in", 1, 0));
    stage.stage("out", (stage.at("gone", 0, 0) & cast<uint8_t>(0)) + stage.at("in", 0, 0));
    CHECK(check(stage) == "");
}

TEST_CASE("emit_core: a start in the clock after busy") {
    // The input's last elements come long after the output's: a cross-shaped window. A late stage reads coordinates.
    RegionBuilder b(12, 6);
    b.input("in", Halide::UInt(16));
    b.stage("a", b.at("in", 0, 1) / cast<uint16_t>(7) + b.at("in", 20, 0) / cast<uint16_t>(3));
    b.stage("b", b.at("a", 0, 0) / cast<uint16_t>(5) + b.at("a", 0, 1) % cast<uint16_t>(3));
    b.stage("out", cast<int32_t>(b.at("b", 0, 0)) + b.x() * 100 + b.y() * 10000);
    RegionBuilder small(12, 6);   // ends with its output
    small.input("in").stage("out", small.at("in", 0, -1) + small.at("in", 1, 1));
    small.r.clock_mhz = 250;
    CHECK(run_core(small.r, {{12, 6}, {12, 6, true}, {12, 1}, {12, 1}, {3, 2}, {1, 1}, {1, 1, true}, {1, 6}, {1, 1}}) == "");
    for (bool stalls : {false, true}) {
        CAPTURE(stalls);
        b.r.clock_mhz = stalls ? 250 : 100;
        CHECK(run_core(b.r, {{12, 6}, {12, 6, true}, {12, 6, true}, {3, 2}, {3, 2, true}, {1, 1}, {1, 1, true}}, stalls) == "");
    }
}

TEST_CASE("emit_core: names of Funcs and Params are the user's to choose") {
    if (!has_icarus()) return;
    const auto named = [](const std::string &in, const std::string &mid, const std::string &out, const std::string &param) {
        RegionBuilder b(20, 6, 1, 2);
        b.input(in).param(param, Halide::Int(16), Interval::signed_of(16));
        b.stage(mid, cast<int32_t>(b.at(in, -1, 0)) + b.at(in, 1, 1) + b.x() * b.y());
        b.stage(out, b.at(mid, 0, 0) + b.at(mid, 1, 1) + cast<int32_t>(Halide::Internal::Variable::make(Halide::Int(16), param)));
        return b;
    };
    for (const std::string name : {"clk", "rst", "start", "busy", "fire", "valid", "width", "height", "pitch", "running", "min_x", "min",
                                   "core", "all", "inputs", "outputs", "rate", "args", "scan", "out_0", "columns", "region_core", "_t", "input", "output", "table", "wait", "reg_"}) {
        CAPTURE(name);
        CHECK(check(named(name, "mid", "result", "p"), {{5, 3}}) == "");
        CHECK(check(named("in", name, "result", "p"), {{5, 3}}) == "");
        CHECK(check(named("in", "mid", name, "p"), {{5, 3}}) == "");
    }
    for (const std::string name : {"clk", "rst", "start", "busy", "fire", "valid", "width", "height", "pitch", "running", "min_x", "core", "rate",
                                   "in", "mid", "in_value", "in_valid", "in_data", "mid_x", "mid_out_0", "region"}) {
        CAPTURE(name);
        CHECK(check(named("in", "mid", "result", name), {{5, 3}}) == "");
    }
    CHECK(check(named("in", "a", "a_window", "p"), {{5, 3}}) == "");
    CHECK(check(named("f$1", "f$2", "f", "p"), {{5, 3}}) == "");
}

TEST_CASE("emit_core: random regions, sizes, gaps and stalls") {
    if (!has_icarus()) return;
    const char *asked = std::getenv("ARGENT_TEST_REGIONS");   // how many; the seeds are 1, 2, ...
    for (int seed = 1; seed <= (asked ? std::atoi(asked) : 25); seed++) {
        CAPTURE(seed);
        RandomRegion random(seed);
        if (seed % 2 == 0) random.region.clock_mhz = 250;
        CHECK(run_core(random.region, random.launches, seed % 3 != 0, seed) == "");
    }
}

TEST_CASE("emit_core: outputs near and far, of short and of long ways, in launches that follow at once") {
    if (!has_icarus()) return;
    for (unsigned seed = 1; seed <= 12; seed++) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto in_range = [&](int lo, int hi) { return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo + 1)); };
        RegionBuilder b(40, 6, seed % 3 == 0 ? 2 : 1);
        b.r.clock_mhz = seed % 2 ? 150 : 250;
        b.input("in");
        std::vector<std::string> outputs = {"in", "in"};
        for (int i = 0; i < 6; i++) {   // each goes on behind one of the two
            std::string &before = outputs[i < 2 ? i : random() % 2];
            Halide::Expr value = b.at(before, in_range(-2, 2), in_range(-3, 3)) ^ b.at(i % 2 ? "in" : before, in_range(-2, 2), in_range(-3, 3));
            for (int k = in_range(0, 2) * 3; k > 0; k--) value = value * value + Halide::cast<uint8_t>(k);
            before = "s" + std::to_string(i);
            b.stage(before, value);
        }
        b.outputs(outputs);
        CHECK(run_core(b.r, {{40, 6}, {40, 6, true}, {7, 3}, {7, 3, true}, {1, 1}, {1, 1, true}, {2, 1}, {2, 1, true}}, seed % 4 < 2) == "");
    }
}
