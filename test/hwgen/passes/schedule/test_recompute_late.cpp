#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "../CoreBench.h"
#include "../Regions.h"
#include "../Reports.h"
#include "hwgen/passes/schedule/RecomputeLate.h"

using namespace argent::hwgen;

namespace {

Halide::Expr u32(const Halide::Expr &e) { return Halide::cast<uint32_t>(e); }

/** Rows of a Func around (x, y), of which no two terms are alike. */
Halide::Expr column(const RegionBuilder &b, const std::string &of, int radius) {
    Halide::Expr sum = u32(0);
    for (int dy = -radius; dy <= radius; dy++) sum = sum + (u32(b.at(of, dy % 2, dy)) ^ (3 * dy + 40));
    return sum;
}

/** in -> curve, 24 bits; column sums of it one after the other; out needs both, many rows later. */
RegionBuilder detail(int radius, int pixels = 1) {
    RegionBuilder b(1920, 1080, pixels);
    b.input("in");
    b.stage("curve", u32(b.at("in", 0, 0)) * 0x10101 ^ 0x123456);
    b.stage("near", column(b, "curve", 1));
    b.stage("blur", column(b, "near", radius));
    b.stage("out", b.at("blur", 0, 0) - b.at("curve", 0, 0));
    return b;
}

const std::vector<CoreLaunch> launches = {{21, 13}, {1, 1}, {40, 3}};

}  // namespace

TEST_CASE("recompute_late: what is read again rows later is computed again there, and only what it reads is kept") {
    RegionBuilder b = detail(4);
    b.r.directives = {{"linebuffer(curve)", false, "curve"}, {"linebuffer(blur)", false, "blur"}, {"board(\"pynq-z2\")", true}};
    const Design d = lower(b.r);
    REQUIRE(has_stage(d, "curve_again"));
    CHECK((*stage(d, "curve_again"))["reason"] == "computed again 2 rows later, for out: smaller than to keep it");
    CHECK(rows_of(d, "curve") == 2);      // for near
    CHECK(rows_of(d, "curve_again") == 0);
    CHECK(rows_of(d, "in") == 5);
    CHECK(d.manifest["directives"] == nlohmann::ordered_json{"linebuffer(blur)", "board(\"pynq-z2\")"});   // as if the user had said nothing of curve
    RegionBuilder pasted = b;
    for (Func &f : pasted.r.funcs) {
        if (f.name != "in" && f.name != "curve") f.where = {"region.cpp", 11};
    }
    CHECK(lower(pasted.r).rtl == d.rtl);
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("recompute_late: an input that is kept for as long anyway costs nothing more") {
    RegionBuilder b = detail(4);
    b.stage("out", b.at("blur", 0, 0) - b.at("curve", 0, 0) ^ u32(b.at("in", 0, 0)));
    b.r.funcs.erase(b.r.funcs.end() - 2);
    b.r.funcs[1].value = u32(b.at("in", 0, 0)) + 1;    // 9 bits
    const Design d = lower(b.r);
    CHECK(has_stage(d, "curve_again"));
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("recompute_late: what a Func reads is computed again for it, as far as that is smaller than to keep it") {
    RegionBuilder b(1920, 1080);
    b.input("in");
    b.stage("first", u32(b.at("in", 0, 0)) * 0x10101 ^ 0x123456);
    b.stage("second", b.at("first", 0, 0) + 77 ^ b.at("first", 1, 0));
    b.stage("near", column(b, "second", 1));
    b.stage("blur", column(b, "near", 4));
    b.stage("out", b.at("blur", 0, 0) - b.at("second", 0, 0));
    const Design d = lower(b.r);
    REQUIRE(has_stage(d, "second_again"));
    CHECK(has_stage(d, "first_again"));
    CHECK(rows_of(d, "first") + rows_of(d, "first_again") + rows_of(d, "second_again") == 0);
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("recompute_late: not what the user wants kept, and nothing that saves little") {
    RegionBuilder kept = detail(4);
    kept.r.funcs[1].where = {"region.cpp", 11};        // linebuffer(curve)
    CHECK_FALSE(has_stage(lower(kept.r), "curve_again"));
    RegionBuilder window(1920, 1080);
    window.input("in");
    window.stage("curve", u32(window.at("in", 0, 0)) * 0x10101 ^ 0x123456);
    window.stage("out", column(window, "curve", 4) - window.at("curve", 0, 0));
    CHECK_FALSE(has_stage(lower(window.r), "curve_again"));
    CHECK_FALSE(has_stage(lower(detail(4).fifo_depth("curve", "out", 20000).r), "curve_again"));
    RegionBuilder dear = detail(4);
    dear.r.funcs[1].value = u32(dear.at("in", 0, 0)) * 0x10101 / (u32(dear.at("in", 2, 0)) | 1);
    CHECK_FALSE(has_stage(lower(dear.r), "curve_again"));
}

TEST_CASE("recompute_late: a long chain, of which each Func reads the two before it, is soon told to be kept") {
    RegionBuilder b(1920, 1080);
    b.input("in");
    b.stage("f0", u32(b.at("in", 0, 0)) * 0x10101);
    b.stage("f1", b.at("f0", 0, 0) ^ 0x123456);
    for (int i = 2; i < 60; i++) b.stage("f" + std::to_string(i), b.at("f" + std::to_string(i - 1), 0, 0) * 5 + b.at("f" + std::to_string(i - 2), 0, 0));
    b.stage("near", column(b, "f59", 1));
    b.stage("blur", column(b, "near", 9));
    b.stage("out", b.at("blur", 0, 0) - b.at("f59", 0, 0));
    const Design d = lower(b.r);
    CHECK_FALSE(has_stage(d, "f59_again"));
}

TEST_CASE("recompute_late: random Funcs, several pixels a clock") {
    if (!has_icarus()) return;
    int again = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto upto = [&](int most) { return static_cast<int>(random() % (most + 1)); };
        RegionBuilder b(1920, 1080, 1 << upto(2));
        b.input("in");
        b.stage("a", u32(b.at("in", upto(2) - 1, upto(1))) * 0x10101 ^ upto(5000));
        b.stage("b", b.at("a", upto(2) - 1, 0) ^ u32(b.at("in", 0, upto(2) - 1)));
        b.stage("near", column(b, upto(1) ? "a" : "b", 1));
        b.stage("blur", column(b, "near", 3 + upto(3)));
        b.stage("out", (b.at("blur", 0, 0) - b.at("b", upto(2), upto(1))) ^ b.at(upto(1) ? "a" : "b", upto(1), 0));
        const Design d = lower(b.r);
        again += stage(d, "b_again") || stage(d, "a_again");
        CHECK(run_core(b.r, {{21, 13}, {3, 2}}, true, seed) == "");
    }
    CHECK(again > 4);
}
