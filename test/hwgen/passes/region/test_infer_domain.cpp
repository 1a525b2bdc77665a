#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/region/InferDomain.h"

using namespace argent::hwgen;

TEST_CASE("infer_domain: without borders it is the output's rectangle") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", b.at("in", -1, 0) + b.at("in", 2, 1));
    const Domain d = infer_domain(b.r);
    CHECK(d.bordered == std::vector<bool>{false, false});
    CHECK(d.reach == Box{{0, 0}, {0, 0}});
    CHECK(d.outside.at("in") == Box{{1, 2}, {0, 1}});
}

TEST_CASE("infer_domain: reads add up to the border, and nothing is computed behind it") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("blur", bordered_in_x(b, "in", -2, 0, Border::Edge) + bordered_in_x(b, "in", 2, 0, Border::Edge));
    b.stage("out", b.at("blur", -1, 0) + b.at("blur", 1, 0));
    const Domain d = infer_domain(b.r);
    CHECK(d.bordered == std::vector<bool>{true, false});
    CHECK(d.reach == Box{{3, 3}, {0, 0}});
    CHECK(d.outside.at("blur") == Box{{1, 1}, {0, 0}});
    CHECK(d.outside.at("in") == Box{{0, 0}, {0, 0}});
}

TEST_CASE("infer_domain: what is mirrored lies on the other side; the first vector is whole") {
    RegionBuilder b(64, 48, 4);
    b.input("in");
    b.stage("out", bordered_in_x(b, "in", 3, 0, Border::MirrorImage));
    CHECK(infer_domain(b.r).reach == Box{{4, 3}, {0, 0}});
}

TEST_CASE("infer_domain: what a mirrored stage reads is needed on the other side, too") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("left", bordered_in_x(b, "in", -2, 0, Border::Edge));
    b.stage("out", bordered_in_x(b, "left", 3, 0, Border::MirrorInterior));
    CHECK(infer_domain(b.r).reach == Box{{5, 3}, {0, 0}});   // at the last column: left 3 columns before, which reads 2 further
}
