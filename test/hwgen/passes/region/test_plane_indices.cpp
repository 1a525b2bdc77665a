#include "hwgen/passes/region/PlaneIndices.h"

#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/Lower.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

Expr frame() {
    return Halide::Internal::Variable::make(Halide::Int(32), "z$0");
}

/** out_z(x, y) reads two planes of a volume, and writes one of another. */
RegionBuilder two_planes() {
    RegionBuilder b(64, 48);
    b.input("before");
    b.input("now");
    b.stage("out", b.at("before", 0, 0) / 2 + b.at("now", 1, 0) / 2);
    b.r.outputs = {"out"};
    const auto volume = [&](const std::string &name, std::vector<Plane> planes) {
        Buffer buffer;
        buffer.name = name;
        buffer.type = Halide::UInt(8);
        buffer.dimensions = 3;
        buffer.planes = std::move(planes);
        b.r.buffers.push_back(buffer);
    };
    volume("in", {{"before", {0, 0, 0}, {Expr(), Expr(), frame() - 1}}, {"now", {0, 0, 0}, {Expr(), Expr(), frame()}}});
    volume("out", {{"out", {0, 0, 0}, {Expr(), Expr(), frame()}}});
    return b;
}

}  // namespace

TEST_CASE("plane_indices: each different index once") {
    const std::vector<LaunchScalar> scalars = plane_indices(two_planes().r);
    REQUIRE(scalars.size() == 2);
    CHECK(find_index(scalars, frame() - 1) == 0);
    CHECK(find_index(scalars, frame()) == 1);
    CHECK(find_index(scalars, frame() + 1) == -1);
}

TEST_CASE("plane_indices: none where planes are at numbers") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("out", b.at("in", 0, 0) + b.at("in", 1, 0));
    b.r.outputs = {"out"};
    CHECK(plane_indices(b.r).empty());
}

TEST_CASE("plane_indices: the manifest says which param is the index of a port") {
    const Design d = lower(two_planes().r);
    const auto &params = d.manifest["params"];
    REQUIRE(params.size() == 2);
    CHECK(params[0]["register"].is_null());
    CHECK(d.manifest["inputs"][0]["buffer"]["at"][2]["param"] == 0);
    CHECK(d.manifest["inputs"][1]["buffer"]["at"][2]["param"] == 1);
    CHECK(d.manifest["outputs"][0]["buffer"]["at"][2]["param"] == 1);
}
