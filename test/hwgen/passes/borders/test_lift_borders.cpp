#include <doctest/doctest.h>

#include <sstream>

#include "../Regions.h"
#include "hwgen/passes/borders/LiftBorders.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

std::string value_of(const Region &r, size_t i) {
    std::ostringstream text;
    text << r.funcs[i].value;
    return text.str();
}

}  // namespace

TEST_CASE("lift_borders: a stage that reads at its own place gives its border to its readers") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("columns", bordered_in_x(b, "in", 0, -1, Border::Edge) + bordered_in_x(b, "in", 0, 1, Border::Edge));
    b.stage("out", b.at("columns", -1, 0) + bordered_in_x(b, "columns", 2, 0, Border::MirrorImage));
    const Region r = lift_borders(b.r);
    CHECK(value_of(r, 1) == "((uint8)in(x, y + -1) + (uint8)in(x, y + 1))");
    CHECK(value_of(r, 2) == "((uint8)columns(argent_border_edge(x + -1), y + 0) + (uint8)columns(argent_border_mirror_image(x + 2), y + 0))");
}

TEST_CASE("lift_borders: borders go on from stage to stage") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("a", bordered_in_x(b, "in", 0, 0, Border::Edge) + 1);
    b.stage("b", b.at("a", 0, 0) * 2);
    b.stage("out", b.at("b", 1, 0));
    const Region r = lift_borders(b.r);
    CHECK(value_of(r, 2) == "((uint8)a(x, y + 0)*(uint8)2)");
    CHECK(value_of(r, 3) == "(uint8)b(argent_border_edge(x + 1), y + 0)");
}

TEST_CASE("lift_borders: what it must not move stays") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("apart", bordered_in_x(b, "in", 1, 0, Border::Edge));
    b.stage("two", bordered_in_x(b, "in", 0, 0, Border::Edge) + bordered_in_x(b, "in", 0, 0, Border::MirrorImage));
    b.stage("placed", bordered_in_x(b, "in", 0, 0, Border::Edge) + cast<uint8_t>(RegionBuilder::x()));
    b.stage("out", bordered_in_x(b, "in", 0, 0, Border::Edge) + b.at("apart", 1, 0) + b.at("two", 1, 0) + b.at("placed", 1, 0));
    const Region r = lift_borders(b.r);
    for (size_t i = 1; i < r.funcs.size(); i++) CHECK(value_of(r, i) == value_of(b.r, i));
}
