#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "../Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/CutTimelines.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/region/SizeRams.h"

using namespace argent::hwgen;

namespace {

Halide::Expr x() { return Halide::Internal::Variable::make(Halide::Int(32), "x"); }
Halide::Expr y() { return Halide::Internal::Variable::make(Halide::Int(32), "y"); }

Halide::Expr read(const std::string &f, const Halide::Expr &a, const Halide::Expr &b) {
    return Halide::Internal::Call::make(Halide::UInt(8), f, {a, b}, Halide::Internal::Call::Halide);
}

/** in -> kept -> out, which reads kept transposed and in as it is. */
RegionBuilder transposed(int width, int height, int pixels = 1) {
    RegionBuilder b(width, height, pixels);
    b.input("in");
    b.stage("kept", Halide::cast<uint8_t>(b.at("in", 1, 0) + 1)).stage("out", Halide::cast<uint8_t>(read("kept", y(), x()) + b.at("in", 0, 0)));
    Buffered kept;
    kept.label = "kept";
    kept.elements = {{"kept", "kept", Halide::UInt(8)}};
    kept.where = {"region.cpp", 8};
    kept.text = "buffered(kept)";
    b.r.buffered = {kept};
    return b;
}

std::string to_string(const Region &r) {
    std::ostringstream text;
    for (const Func &f : r.funcs) {
        text << f.name;
        if (f.value.defined()) text << " = " << f.value;
        text << "\n";
    }
    return text.str();
}

}  // namespace

TEST_CASE("cut_timelines: what is in front of the RAM and what is behind it") {
    const Cut cut = cut_timelines(transposed(64, 32).r);
    REQUIRE(cut.timelines.size() == 2);
    CHECK(to_string(cut.timelines[0]) == "in\n"
                                         "kept = ((uint8)in(x + 1, y + 0) + (uint8)1)\n");
    CHECK(to_string(cut.timelines[1]) == "in.for.out\n"
                                         "out = ((uint8)kept(y, x) + (uint8)in.for.out(x + 0, y + 0))\n");
    REQUIRE(cut.rams.size() == 1);
    CHECK(cut.rams[0].writer == 0);
    CHECK(cut.rams[0].readers == std::vector<int>{1});
}

TEST_CASE("cut_timelines: nothing is buffered") {
    RegionBuilder b(64, 32);
    b.input("in").stage("out", b.at("in", 1, 0));
    const Cut cut = cut_timelines(b.r);
    REQUIRE(cut.timelines.size() == 1);
    CHECK(cut.rams.empty());
    CHECK(cut.timelines[0].name == "region");
    CHECK_FALSE(cut.timelines[0].has_host_geometry);
}

TEST_CASE("read_rams: the word and, with several lanes, the bank") {
    Cut cut = cut_timelines(transposed(64, 32).r);
    cut.rams[0].columns = 32, cut.rams[0].rows = 64;
    const Region one = read_rams(cut.timelines[1], cut.rams);
    CHECK(to_string(one) == "in.for.out\n"
                            "out = ((uint8)kept.ram0(unsafe_promise_clamped(((x*32) + y) - kept_origin, 0, 2047)) + (uint8)in.for.out(x + 0, y + 0))\n");
    CHECK(one.params.size() == 1);
    CHECK(one.tables.size() == 1);
    cut.rams[0].lanes = 2, cut.rams[0].columns = 16;
    const Region two = read_rams(cut.timelines[1], cut.rams);
    CHECK(two.params.size() == 2);
    CHECK(two.tables.size() == 2);
}

TEST_CASE("size_rams: a row and a column of the block exchanged, and what the clocks are") {
    const Design d = lower(transposed(64, 32).r);
    CHECK(d.manifest["rams"].dump() == R"([{"name":"kept","writer":"region_kept_core","readers":["region_out_core"],"lanes":1,"columns":32,"rows":64,"bits":16384}])");
    const Design four = lower(transposed(64, 32, 4).r);
    const auto &last_edge = d.report["edges"].back();
    CHECK(last_edge["from"] == "kept");
    CHECK(last_edge["to"] == "out");
    CHECK(last_edge["delay"]["rows"] == 64);
    CHECK(last_edge["depth"] == 32 * 64);
    CHECK(four.manifest["rams"][0]["columns"] == 8);
    CHECK(four.report["edges"].size() == d.report["edges"].size());   // one for all lanes
    CHECK(four.manifest["rams"][0]["lanes"] == 4);
    // 32 x 64 positions, and then 64 x 32.
    const int64_t clocks = d.manifest["clocks"]["at_block"], of_four = four.manifest["clocks"]["at_block"];
    CHECK(clocks > 2 * 64 * 32);
    CHECK(clocks < 2 * 64 * 32 + 100);
    CHECK(of_four < clocks / 4 + 100);
    CHECK(d.rtl.count("region_core.v") == 1);
    CHECK(d.rtl.count("ag_table_fill.v") == 1);
}

TEST_CASE("size_rams: RAMs with repeated edges that are read through each other") {
    const Halide::Parameter image(Halide::UInt(8), true, 2, "image");
    const auto of_image = [&](const char *what) { return Halide::Internal::Variable::make(Halide::Int(32), std::string("image.") + what + ".0", image); };
    const Halide::Expr lo = of_image("min"), extent = of_image("extent");
    const auto repeated = [&](const Halide::Expr &i) {   // as BoundaryConditions::repeat_image has it
        return select(i < lo || i >= lo + extent, (i - lo) % extent + lo, clamp(i, lo, lo + extent - 1));
    };
    RegionBuilder b(64, 32);
    b.input("in");
    const std::vector<std::string> stages = {"in", "a", "b", "c", "out"};
    for (size_t i = 1; i < stages.size(); i++) {
        const auto before = [&](int dx) { return i == 1 ? b.at("in", dx, 0) : read(stages[i - 1], repeated(x() + dx), y()); };
        b.stage(stages[i], Halide::cast<uint8_t>(before(-1) + before(0) + before(1)));
        if (i + 1 < stages.size()) {
            Buffered kept;
            kept.label = stages[i];
            kept.elements = {{stages[i], stages[i], Halide::UInt(8)}};
            b.r.buffered.push_back(kept);
        }
    }
    argent::Diagnostics diagnostics;
    const auto boxed = [&](const Region &r) { return infer_boxes(expand_borders(build_graph(r, diagnostics))); };
    const Cut cut = size_rams(cut_timelines(b.r), boxed, diagnostics);
    diagnostics.throw_errors();
    REQUIRE(cut.rams.size() == 3);

    struct Choices : Halide::Internal::IRVisitor {
        int count = 0;
        using IRVisitor::visit;
        void visit(const Halide::Internal::Select *op) override {
            count++;
            IRVisitor::visit(op);
        }
    } choices;
    substitute_in_all_lets(cut.rams[0].first[0]).accept(&choices);
    CHECK(choices.count < 100);   // 273 if each read is told by itself; 628 of two, as Halide takes the bounds of a choice

    // Nothing is repeated where all that is read lies inside; else all of a row.
    const auto value = [&](const Halide::Expr &e, int first, int last) {
        const std::map<std::string, Halide::Expr> values = {{box_variable(0, false), first}, {box_variable(0, true), last}, {"image.min.0", 10}, {"image.extent.0", 20}};
        return int(*Halide::Internal::as_const_int(Halide::Internal::simplify(substitute(values, substitute_in_all_lets(e)))));
    };
    for (int first = 5; first < 35; first++) {
        for (int last : {first, first + 3, first + 22}) {
            int from = first, to = last;
            for (size_t ram = cut.rams.size(); ram-- > 0;) {
                from--, to++;
                if (from < 10 || to > 29) from = 10, to = 29;
                CAPTURE(first);
                CAPTURE(last);
                CHECK(value(cut.rams[ram].first[0], first, last) == from);
                CHECK(value(cut.rams[ram].last[0], first, last) == to);
            }
        }
    }
}

TEST_CASE("size_rams: each of several outputs needs its own part, and one nothing") {
    RegionBuilder b = transposed(64, 32);
    b.stage("low", Halide::cast<uint8_t>(read("kept", x() + 5, y()) + 1)).stage("plain", Halide::cast<uint8_t>(b.at("in", 2, 0)));
    b.r.outputs = {"out", "low", "plain"};
    b.r.output_funcs = {0, 1, 2};
    const Design d = lower(b.r);
    const auto is_filling = [](const Design::Needs &n) { return !n.boxes.empty(); };
    const std::vector<Design::Needs> &needs = d.input_needs.at("in");
    const auto filling = std::find_if(needs.begin(), needs.end(), is_filling);
    REQUIRE(std::count_if(needs.begin(), needs.end(), is_filling) == 1);
    REQUIRE(filling->boxes.size() == 3);
    std::ostringstream first;
    first << filling->boxes[0].first[0] << ", " << filling->boxes[0].last[1] << "; " << filling->boxes[1].first[0] << ", " << filling->boxes[1].last[1];
    CHECK(first.str() == "argent.min.1, argent.max.0; (argent.min.0.1 + 5), argent.max.1.1");
    CHECK_FALSE(filling->boxes[2].first[0].defined());
    // Columns of the one and rows of the other: as for outputs that begin at 0.
    CHECK(d.manifest["rams"][0]["columns"] == 69);
    CHECK(d.manifest["rams"][0]["rows"] == 64);
    for (const char *extent : {"kept_extent_x", "kept_extent_y"}) {
        CHECK(std::any_of(d.scalars.begin(), d.scalars.end(), [&](const LaunchScalar &s) { return s.name == extent && s.most >= 64; }));
    }
}

TEST_CASE("lower: an image that no timeline reads is a mistake, and a plane is not") {
    RegionBuilder b = transposed(64, 32);
    b.input("other");
    std::rotate(b.r.funcs.begin(), b.r.funcs.end() - 1, b.r.funcs.end());
    std::string text;
    try {
        lower(b.r);
    } catch (const argent::Error &e) {
        text = e.what();
    }
    CHECK(text == "region.cpp:7: error: the input other does not reach out\n"
                  "region.cpp:7: note: out reads it where it has no effect: is there a condition that never holds, or a factor of 0?\n");
    b.r.buffers = {{"image", Halide::UInt(8), 3, {0, 1}, {{"in", {0, 0, 0}}, {"other", {0, 0, 1}}}, {}}};
    CHECK(lower(b.r).input_needs.at("other").empty());
}

TEST_CASE("check_rams: more copies than the part has memory for") {
    RegionBuilder b = transposed(512, 512);
    b.r.board.block_ram_kbit = 2000;
    try {
        lower(b.r);
        FAIL("2048 kbit in 2000");
    } catch (const argent::Error &e) {
        CHECK(std::string(e.what()).find("buffered(kept): 512 x 512 elements of 8 bits take 2048 kbit, and xc7z020clg400-1 has 2000 kbit of block RAM") != std::string::npos);
    }
}
