#include <doctest/doctest.h>

#include <random>

#include "../CoreBench.h"
#include "../Regions.h"
#include "../Reports.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

Expr u16(const Expr &e) { return cast<uint16_t>(e); }

/** 1 4 6 4 1 of a Func. */
Expr binomial(const RegionBuilder &b, const std::string &of, bool is_along_x) {
    Expr sum = u16(0);
    for (int i = -2; i <= 2; ++i) sum = sum + (i == 0 ? 6 : std::abs(i) == 1 ? 4 : 1) * u16(b.at(of, is_along_x ? i : 0, is_along_x ? 0 : i));
    return sum;
}

/** The capture has chosen to keep the Func that was added last. */
RegionBuilder &chosen(RegionBuilder &b) {
    Func &f = b.r.funcs.back();
    f.may_be_inlined = true;
    b.r.directives.push_back({"linebuffer(" + f.name + ")", false, f.name});
    return b;
}

/** in -> row, 12 bits -> out: a blur as most write it. */
RegionBuilder blur(int pixels = 1) {
    RegionBuilder b(1920, 1080, pixels);
    b.input("in").stage("row", binomial(b, "in", true));
    chosen(b).stage("out", cast<uint8_t>(binomial(b, "row", false) >> 8));
    return b;
}

const std::vector<CoreLaunch> launches = {{21, 13}, {1, 1}, {40, 3}};

}  // namespace

TEST_CASE("inline_windows: rows of what is narrower are kept") {
    for (const int pixels : {1, 4}) {
        CAPTURE(pixels);
        const RegionBuilder b = blur(pixels);
        const Design d = lower(b.r);
        CHECK_FALSE(has_stage(d, "row"));
        CHECK(rows_of(d, "in") > 0);
        CHECK(d.manifest["directives"] == nlohmann::ordered_json{"inlined(row)"});
        if (has_icarus()) CHECK(run_core(b.r, launches) == "");
    }
}

TEST_CASE("inline_windows: one behind the other") {
    RegionBuilder b = blur();
    chosen(b).stage("row2", binomial(b, "out", true));
    chosen(b).stage("out2", binomial(b, "row2", false));
    const Design d = lower(b.r);
    CHECK_FALSE(has_stage(d, "row"));
    CHECK_FALSE(has_stage(d, "row2"));
    CHECK(rows_of(d, "out") == 4);   // 8 bits of much arithmetic
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("inline_windows: several that one Func reads go together, where one alone would save nothing") {
    RegionBuilder b(1920, 1080);
    b.input("left").input("right");
    Expr most = u16(0);
    std::vector<std::string> names;
    for (int d = 0; d < 6; ++d) {
        names.push_back("d" + std::to_string(d));
        b.stage(names.back(), b.at("left", 0, 0) ^ b.at("right", d, 0));
        chosen(b);
    }
    for (const std::string &d : names) most = max(most, u16(b.at(d, 0, -2)) + b.at(d, 0, -1) + b.at(d, 0, 0) + b.at(d, 0, 1) + b.at(d, 0, 2));
    b.stage("out", most);
    const Design d = lower(b.r);
    CHECK(rows_of(d, "left") == 4);
    CHECK(rows_of(d, "right") == 4);
    for (const std::string &name : names) CHECK_FALSE(has_stage(d, name));
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("inline_windows: not what takes many tables, nor what saves nothing") {
    RegionBuilder products(1920, 1080);
    products.input("in").stage("square", u16(products.at("in", 0, 0)) * products.at("in", 1, 0));
    chosen(products).stage("out", max(max(products.at("square", 0, 0), products.at("square", 0, 1)), products.at("square", 0, 2)));
    CHECK(has_stage(lower(products.r), "square"));
    RegionBuilder narrow(1920, 1080);
    narrow.input("in").stage("mean", cast<uint8_t>((u16(narrow.at("in", 0, 0)) + narrow.at("in", 1, 0)) >> 1));
    chosen(narrow).stage("out", narrow.at("mean", 0, 0) ^ narrow.at("mean", 0, 1));
    CHECK(has_stage(lower(narrow.r), "mean"));
}

TEST_CASE("inline_windows: not what the user has said something of, and not where operators are shared in time") {
    RegionBuilder kept = blur();
    kept.r.funcs[1].may_be_inlined = false;
    const Design d = lower(kept.r);
    CHECK(rows_of(d, "row") > 0);
    CHECK(rows_of(d, "in") == 0);
    CHECK(has_stage(lower(blur().fifo_depth("row", "out", 20000).r), "row"));
    RegionBuilder held(1920, 1080);
    held.input("in").stage("row", binomial(held, "in", true));
    chosen(held).stage("out", binomial(held, "row", false) + u16(held.at("in", 0, 0)));
    CHECK_FALSE(has_stage(lower(held.r), "row"));
    CHECK(has_stage(lower(held.fifo_depth("in", "out", 4000).r), "row"));   // without it, out would read more of in than 4,000 elements
    for (const int clocks : {1, 4}) {
        RegionBuilder slow(1920, 1080);
        slow.input("in").stage("wide", 257 * u16(slow.at("in", 0, 0)));
        chosen(slow).stage("out", slow.at("wide", 0, -1) ^ slow.at("wide", 1, 0) ^ slow.at("wide", 0, 1));
        slow.r.clocks = clocks;
        CHECK(has_stage(lower(slow.r), "wide") == (clocks > 1));
    }
}

TEST_CASE("inline_windows: not what reads a table, at each place anew") {
    RegionBuilder b(1920, 1080);
    b.table("curve", Halide::UInt(16)).input("in").stage("f", b.read("curve", b.at("in", 0, 0)));
    chosen(b).stage("out", max(b.at("f", 0, 0), max(b.at("f", 0, 1), b.at("f", 0, 2))));
    CHECK(has_stage(lower(b.r), "f"));
}

TEST_CASE("inline_windows: of a Func of which some elements are kept nothing is said") {
    RegionBuilder b(1920, 1080);
    b.input("in").input("other");
    b.stage("f.0", binomial(b, "in", true));
    b.r.funcs.back().may_be_inlined = true;
    b.stage("f.1", u16(b.at("other", 0, 0)) * b.at("other", 1, 0));
    b.r.funcs.back().may_be_inlined = true;
    b.stage("out", binomial(b, "f.0", false) + max(b.at("f.1", 0, 0), max(b.at("f.1", 0, 1), b.at("f.1", 0, 2))));
    b.r.directives = {{"linebuffer(f)", false, "f"}, {"clock(150)", true}};
    const Design d = lower(b.r);
    CHECK_FALSE(has_stage(d, "f.0"));
    CHECK(has_stage(d, "f.1"));
    CHECK(d.manifest["directives"] == nlohmann::ordered_json{"clock(150)"});
    b.r.funcs[3].value = binomial(b, "other", true);
    b.r.funcs[4].value = binomial(b, "f.0", false) ^ binomial(b, "f.1", false);
    CHECK(lower(b.r).manifest["directives"] == nlohmann::ordered_json({"inlined(f)", "clock(150)"}));
}

TEST_CASE("inline_windows: random Funcs, several pixels a clock") {
    if (!has_icarus()) return;
    int inlined = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto upto = [&](int most) { return static_cast<int>(random() % (most + 1)); };
        RegionBuilder b(1920, 1080, 1 << upto(2));
        b.input("in");
        const auto line = [&](const std::string &of, bool is_along_x) {   // of 3 to 5 terms
            Expr sum = u16(b.at(of, upto(1), 0));
            for (int i = 1; i < 3 + upto(2); ++i) sum = sum + (1 + upto(2)) * u16(b.at(of, is_along_x ? i : 0, is_along_x ? upto(1) : i));
            return sum;
        };
        b.stage("a", line("in", true));
        chosen(b).stage("b", cast<uint8_t>(line("a", false) >> 3));
        chosen(b).stage("c", line("b", upto(1)) ^ u16(b.at("in", upto(2), 0)));
        chosen(b).stage("out", line("c", false) + b.at("a", 0, upto(2)));
        const Design d = lower(b.r);
        inlined += !stage(d, "a") + !stage(d, "b") + !stage(d, "c");
        CHECK(run_core(b.r, {{21, 13}, {3, 2}}, true, seed) == "");
    }
    CHECK(inlined > 4);
}
