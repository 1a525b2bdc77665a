#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/region/UnreadInputs.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

/** `read`, where its value decides nothing. */
Expr without_effect(const Expr &read) {
    return cast<uint8_t>((cast<int32_t>(read) & 1) * 2 & 1);
}

/** Two planes of an image and another image. */
RegionBuilder planes(int pixels) {
    RegionBuilder b(64, 32, pixels);
    b.input("red").input("green").input("mask");
    b.r.buffers = {{"rgb", Halide::UInt(8), 3, {0, 1}, {{"red", {0, 0, 0}}, {"green", {0, 0, 1}}}, {}}, {"mask", Halide::UInt(8), 2, {0, 1}, {{"mask", {0, 0}}}, {}}};
    return b;
}

Graph boxed(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = infer_boxes(build_graph(b.r, diagnostics));
    diagnostics.throw_errors();
    return g;
}

std::string refusal(const RegionBuilder &b) {
    try {
        lower(b.r);
    } catch (const argent::Error &e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("unread_inputs: as much of a plane is taken in as of its image, at one rate") {
    for (int pixels : {1, 4}) {
        RegionBuilder b = planes(pixels);
        b.stage("out", b.at("red", 5, 7) + b.at("mask", -2, 0) + without_effect(b.at("green", 30, 0)));
        const Graph g = boxed(b);
        const std::vector<UnreadInput> unread = unread_inputs(g);
        REQUIRE(unread.size() == 1);
        CHECK(unread[0].stage == 1);
        CHECK(unread[0].alike == std::vector<int>{0});
        CHECK(g.stages[1].box == g.stages[0].box);
        CHECK(g.stages[0].box[1] == Range{7, 7});
    }
}

TEST_CASE("unread_inputs: as much of a plane is taken in as of its image, at another rate than the output's") {
    RegionBuilder b = planes(2);
    const auto at = [&](const char *name, int dx) { return Halide::Internal::Call::make(Halide::UInt(8), name, {2 * b.x() + dx, b.y() + 3}, Halide::Internal::Call::Halide); };
    b.stage("out", at("red", 6) + at("mask", 0) + without_effect(at("green", 0)));
    const Graph g = boxed(b);
    CHECK(g.stages[1].box == g.stages[0].box);
    for (int dim = 0; dim < 2; dim++) CHECK(g.stages[1].needed[0].first[dim].at(10) == g.stages[0].needed[0].first[dim].at(10));
    CHECK(g.stages[0].needed[0].first[0].at(10) == 26);
}

TEST_CASE("unread_inputs: an image of which nothing is read is a mistake") {
    RegionBuilder b = planes(1);
    b.stage("out", b.at("red", 0, 0) + without_effect(b.at("mask", 0, 0)) + b.at("green", 0, 0));
    CHECK(refusal(b) == "region.cpp:7: error: the input mask does not reach out\n"
                        "region.cpp:7: note: out reads it where it has no effect: is there a condition that never holds, or a factor of 0?\n");
    RegionBuilder both = planes(1);
    both.stage("out", without_effect(both.at("red", 0, 0)) + both.at("mask", 0, 0) + without_effect(both.at("green", 0, 0)));
    CHECK(refusal(both).find("the input rgb does not reach out") != std::string::npos);
}

TEST_CASE("unread_inputs: images of one name are not one image") {
    RegionBuilder b = planes(1);
    b.r.buffers[0].image = "f", b.r.buffers[1].image = "f$1";
    b.r.buffers[0].label = b.r.buffers[1].label = "f";
    b.stage("out", b.at("red", 0, 0) + b.at("green", 0, 0) + without_effect(b.at("mask", 0, 0)));
    CHECK(unread_inputs(boxed(b))[0].alike.empty());
    CHECK(refusal(b).find("the input f does not reach out") != std::string::npos);
}

TEST_CASE("unread_inputs: elements of a Tuple, in buffers of their own, are of one image") {
    RegionBuilder b(64, 32);
    b.input("first").input("second");
    b.r.buffers = {{"f_0", Halide::UInt(8), 2, {0, 1}, {{"first", {0, 0}}}, {}, "f", "f"}, {"f_1", Halide::UInt(8), 2, {0, 1}, {{"second", {0, 0}}}, {}, "f", "f"}};
    b.stage("out", b.at("first", 4, -3));
    const Graph g = boxed(b);
    CHECK(g.stages[1].box == Box{{4, 4}, {-3, -3}});
    CHECK(refusal(b).empty());
}

TEST_CASE("unread_inputs: it is a mistake, too, where only the whole datapath shows it") {
    RegionBuilder b(64, 32);
    b.input("in").input("other");
    // A quotient of bytes is 128 at most, and what is chosen is compared before it is chosen.
    const Expr quotient = Halide::Internal::lower_int_uint_div(cast<int16_t>(cast<int8_t>(b.at("in", 0, 0))), cast<int16_t>(cast<int8_t>(b.at("other", 0, 0)) | cast<int8_t>(1)));
    const Expr chosen = Halide::select(b.at("in", 1, 0) > 3, quotient, cast<int16_t>(b.at("in", 0, 1)));
    b.stage("out", cast<uint8_t>(chosen > 200));
    CHECK(unread_inputs(boxed(b)).empty());
    CHECK(refusal(b).find("the input other does not reach out") != std::string::npos);
}
