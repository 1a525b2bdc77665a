#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../Regions.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

/** Stages of the input, each kept for two rows. */
RegionBuilder side_by_side(int stages, int width = 40) {
    RegionBuilder b(width, 6);
    b.input("in");
    Expr out = cast<uint32_t>(1);
    for (int i = 0; i < stages; i++) {
        const std::string name = "s" + std::to_string(i);
        b.stage(name, (b.at("in", -1, 0) * cast<uint8_t>(2 * i + 3)) ^ b.at("in", 1, 0));
        out = out * 3 + b.at(name, 0, 0) + b.at(name, 1, 2);
    }
    b.stage("out", out);
    return b;
}

/** Stages, each of two rows of the one before; with so many products one after the other. */
RegionBuilder behind_each_other(int products, int stages = 3) {
    RegionBuilder b(40, 6);
    b.input("in");
    std::string before = "in";
    for (int i = 0; i < stages; i++) {
        const std::string name = i == stages - 1 ? "out" : "s" + std::to_string(i);
        Expr value = b.at(before, 0, 0) ^ b.at(before, 1, 2);
        for (int k = 0; k < products; k++) value = value * value + cast<uint8_t>(k);
        b.stage(name, value);
        before = name;
    }
    return b;
}

int instances(const RegionBuilder &b, const std::string &cell) {
    const std::string core = lower(b.r).rtl.at("region_core.v");
    int n = 0;
    for (size_t at = core.find(cell + " #"); at != std::string::npos; at = core.find(cell + " #", at + 1)) n++;
    return n;
}

/** Those that compare their address. */
int counters(const RegionBuilder &b) { return instances(b, "ag_line_address"); }
int followers(const RegionBuilder &b) { return instances(b, "ag_line_follower"); }

bool waits(const RegionBuilder &b) { return lower(b.r).rtl.at("region_core.v").find("_addr_before_z1") != std::string::npos; }

}  // namespace

TEST_CASE("line_address: windows that step together have one counter") {
    CHECK(counters(side_by_side(1)) == 1);
    CHECK(counters(side_by_side(4)) == 1);
    for (double clock : {150.0, 250.0}) {
        RegionBuilder b = side_by_side(4);
        b.r.clock_mhz = clock;
        if (has_icarus()) CHECK(run_core(b.r, {{40, 6}, {40, 6, true}, {1, 1}, {7, 3}, {39, 2}}) == "");
    }
}

TEST_CASE("line_address: a clock later it waits in registers, many clocks later there is another register") {
    const RegionBuilder near = behind_each_other(0), far = behind_each_other(3);
    CHECK(waits(near));
    CHECK(counters(near) == 1);
    CHECK(!waits(far));
    CHECK(counters(far) + followers(far) == 3);
    for (const RegionBuilder &b : {near, far}) {
        if (has_icarus()) CHECK(run_core(b.r, {{40, 6}, {40, 6, true}, {1, 1}, {7, 3}, {39, 2}}) == "");
    }
}

TEST_CASE("line_address: of many counters only one compares its address") {
    CHECK(counters(behind_each_other(3, 2)) == 2);   // two, which is no gain
    RegionBuilder b = behind_each_other(2, 5);
    for (double clock : {150.0, 250.0}) {
        b.r.clock_mhz = clock;
        CHECK(counters(b) == 1);
        CHECK(followers(b) > 1);
        if (has_icarus()) CHECK(run_core(b.r, {{40, 6}, {40, 6, true}, {1, 1}, {2, 6}, {7, 3}, {39, 2}}) == "");
    }
    RegionBuilder two = behind_each_other(3, 2);
    two.r.clock_mhz = 250;   // where to compare is to compare ahead
    CHECK(counters(two) == 1);
    CHECK(followers(two) == 1);
}

TEST_CASE("line_address: a register addresses 16 block RAMs at most") {
    CHECK(counters(side_by_side(8, 1000)) == 1);    // 8 block RAMs
    CHECK(counters(side_by_side(20, 1000)) == 2);   // 20
    CHECK(counters(side_by_side(40, 1000)) == 3);
}

TEST_CASE("line_address: what steps in other columns has another counter") {
    // What is read a column further stands a column less behind.
    RegionBuilder b(64, 6);
    b.input("in");
    const auto read = [&](const std::string &name, Expr x, Expr y) { return Halide::Internal::Call::make(Halide::UInt(8), name, {x, y}, Halide::Internal::Call::Halide); };
    const Expr x = RegionBuilder::x(), y = RegionBuilder::y();
    b.stage("even", read("in", 2 * x, y) ^ read("in", 2 * x + 2, y));
    b.stage("odd", read("in", 2 * x + 1, y) ^ read("in", 2 * x + 3, y));
    b.stage("a", read("even", x / 2, y) + read("even", x / 2, y + 2));
    b.stage("b", read("odd", x / 2, y) + read("odd", x / 2, y + 2));
    b.stage("out", read("a", x + 1, y) + read("b", x, y));
    CHECK(counters(b) == 2);
}

TEST_CASE("line_address: a launch begins while firings of the last one are on the way to an output that has ended") {
    RegionBuilder b(40, 6);
    b.input("in");
    std::string before = "in";
    Expr deep = b.at("in", 0, 0) ^ b.at("in", 1, 2);
    for (int i = 0; i < 4; i++) {   // each many clocks behind the one before, in the same place
        const std::string name = "s" + std::to_string(i);
        Expr value = b.at(before, 0, 0);
        for (int k = 0; k < 4; k++) value = value * value + cast<uint8_t>(k);
        b.stage(name, value);
        before = name;
        deep = deep ^ b.at(name, 0, 0) ^ b.at(name, 1, 2);
    }
    b.stage("deep", deep);
    b.stage("shallow", b.at("in", 0, 12)).outputs({"deep", "shallow"});
    CHECK(followers(b) > 1);
    if (has_icarus()) CHECK(run_core(b.r, {{40, 6}, {40, 6, true}, {40, 6, true}, {3, 2}, {3, 2, true}, {1, 1}, {1, 1, true}}, false) == "");
}
