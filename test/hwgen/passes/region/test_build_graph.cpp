#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/passes/region/BuildGraph.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

Graph build(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    Graph g = build_graph(b.r, diagnostics);
    CHECK_FALSE(diagnostics.has_errors());
    return g;
}

}  // namespace

TEST_CASE("build_graph: a stage has the datapath of all its lanes") {
    RegionBuilder b(64, 48, 2);
    b.input("in").stage("edges", cast<uint16_t>(b.at("in", -1, 0)) + b.at("in", 1, 0));
    const Graph g = build(b);
    CHECK(g.lanes == 2);
    CHECK(g.block == std::vector<int>{64, 48});
    REQUIRE(g.stages.size() == 2);
    CHECK(g.outputs == std::vector<int>{1});
    CHECK(g.stages[0].kind == Func::Kind::Input);
    CHECK(g.stages[1].datapath.outputs.size() == 2);
    std::vector<int> columns;
    for (const Leaf &l : g.stages[1].datapath.leaves()) columns.push_back(l.offset[0]);
    CHECK(columns == std::vector<int>{-1, 1, 0, 2});
    CHECK(to_string(g.stages[1].range) == "0..510");
}

TEST_CASE("build_graph: ranges flow from producers to consumers") {
    RegionBuilder b(64, 48);
    b.input("in").stage("half", b.at("in", 0, 0) / 2).stage("sum", cast<int32_t>(b.at("half", 0, 0)) + b.at("half", 1, 0));
    CHECK(to_string(build(b).stages[2].range) == "0..254");
}

TEST_CASE("build_graph: a Param has its declared range") {
    RegionBuilder b(64, 48);
    b.input("in").param("gain", Halide::Int(32), {2, 3});
    b.stage("out", b.at("in", 0, 0) * Halide::Internal::Variable::make(Halide::Int(32), "gain"));
    CHECK(to_string(build(b).stages[1].range) == "0..765");
}

TEST_CASE("build_graph: an input alone stays as it is") {
    RegionBuilder b(64, 48);
    b.input("in", Halide::Int(16));
    const Graph g = build(b);
    REQUIRE(g.stages.size() == 1);
    CHECK(g.stages[0].datapath.nodes().empty());
    CHECK(g.stages[0].bits() == 16);
    CHECK(g.stages[0].type == "int16");
}

TEST_CASE("build_graph: names are unique, legal as parts of names, and those that the user knows") {
    RegionBuilder b(64, 48);
    b.input("f$1").stage("f$2", b.at("f$1", 0, 0) + 1).stage("reg", b.at("f$2", 0, 0) + 1);
    b.r.funcs[0].label = b.r.funcs[1].label = "f";
    const Graph g = build(b);
    CHECK(g.stages[0].id == "f");
    CHECK(g.stages[1].id == "f_2");
    CHECK(g.stages[2].id == "reg");
    CHECK(g.stages[1].shown() == "f");
    CHECK(g.stages[2].shown() == "reg");
}

TEST_CASE("build_graph: refusals of all stages are collected") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("root", cast<uint8_t>(Halide::log(cast<float>(b.at("in", 0, 0)))));
    b.stage("far", b.at("in", 0, 0) + cast<uint8_t>(Halide::exp(cast<float>(b.at("in", 0, 0)))));
    argent::Diagnostics diagnostics;
    build_graph(b.r, diagnostics);
    REQUIRE(diagnostics.all().size() == 2);
    const std::string text = to_string(diagnostics.all()[0]);
    CHECK(text.rfind("region.cpp:7: error: root: ", 0) == 0);
    CHECK(to_string(diagnostics.all()[1]).rfind("region.cpp:7: error: far: ", 0) == 0);
}

TEST_CASE("build_graph: a stage that no output needs reads nothing") {
    RegionBuilder b(16, 16);
    b.input("in").input("dead");
    b.stage("blur", b.at("dead", -1, 0) + b.at("dead", 1, 0));
    // Only the low bit counts, which a product with 2 does not have.
    b.stage("out", b.at("in", 0, 0) + ((b.at("blur", 0, 0) * Halide::cast<uint8_t>(2)) & Halide::cast<uint8_t>(1)));
    argent::Diagnostics diagnostics;
    const Graph g = build_graph(b.r, diagnostics);
    CHECK(g.stages[2].datapath.leaves().empty());
    CHECK(diagnostics.all().empty());
}
