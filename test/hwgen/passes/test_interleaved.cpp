#include <doctest/doctest.h>

#include "CoreBench.h"
#include "Regions.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

/** red, green, blue of an interleaved image, read at different places; out of the same layout if `writes`. */
RegionBuilder colours(int lanes, int step = 3, Halide::Type type = Halide::UInt(8), bool writes = true) {
    RegionBuilder b(1920, 1080, lanes);
    b.input("red", type).input("green", type).input("blue", type);
    b.stage("first", b.at("red", -1, 0));
    b.stage("second", b.at("green", 0, 2) + b.at("red", 0, 0));
    b.stage("third", b.at("blue", 3, 1) * b.at("blue", 0, 1) / 3);
    b.r.buffers = {{"rgb", type, 3, {0, 1}, {{"red", {0, 0, 0}}, {"green", {0, 0, 1}}, {"blue", {0, 0, 2}}}, {step, 0, 1}}};
    b.r.outputs = {"first", "second", "third"};
    if (writes) b.r.buffers.push_back({"out", type, 3, {0, 1}, {{"first", {0, 0, 0}}, {"second", {0, 0, 1}}, {"third", {0, 0, 2}}}, {3, 0, 1}});
    return b;
}

std::string gears(const std::string &verilog) {
    std::string text;
    for (size_t at = verilog.find("ag_gearbox"); at != std::string::npos; at = verilog.find("ag_gearbox", at + 1)) {
        const auto number = [&](const char *parameter) {
            const size_t p = verilog.find(parameter, at) + std::string(parameter).size();
            return verilog.substr(p, verilog.find(')', p) - p);
        };
        text += (text.empty() ? "" : ", ") + number(".IN(") + " to " + number(".OUT(");
    }
    return text;
}

}  // namespace

TEST_CASE("interleaved: planes side by side have one box and one displacement") {
    argent::Diagnostics diagnostics;
    const RegionBuilder b = colours(2);
    Graph g = solve_displacements(infer_boxes(build_graph(b.r, diagnostics)), b.r, diagnostics);
    REQUIRE(g.bundles.size() == 2);
    CHECK(g.bundles[0].id == "rgb");
    CHECK(g.bundles[0].places == std::vector<int>{0, 1, 2});
    for (int i = 0; i < 3; i++) {
        CHECK(g.stages[i].box == Box{{-1, 3}, {0, 2}});
        CHECK(g.stages[i].displacement == Distance{});
    }
    for (int i = 3; i < 6; i++) CHECK(g.stages[i].displacement == g.stages[5].displacement);
    std::string why;
    CHECK(is_optimal(g.displacement_problem, g.displacement_solution, &why));
    CHECK(why == "");
}

TEST_CASE("interleaved: one port for all planes, a gearbox where the masters have no such vectors") {
    const auto ports = [](const Design &d) { return std::to_string(d.manifest["inputs"].size()) + " in, " + std::to_string(d.manifest["outputs"].size()) + " out"; };
    const Design one = lower(colours(1).r), four = lower(colours(1, 4, Halide::UInt(16), false).r), wide = lower(colours(32).r);
    CHECK(ports(one) == "1 in, 1 out");
    CHECK(gears(one.rtl.at("region.v")) == "4 to 3, 3 to 4");
    CHECK(one.rtl.count("ag_gearbox.v") == 1);
    CHECK(one.manifest["inputs"][0]["bus_bytes"] == 4);
    CHECK(one.manifest["inputs"][0]["pixel"].dump() == R"({"step":3,"span":3,"vector":4})");
    CHECK(one.manifest["inputs"][0]["buffer"].dump() ==
          R"({"name":"rgb","dimensions":3,"scanned":[0,1],"at":[null,null,{"min":0,"max":2}],"strides":[3,0,1]})");
    CHECK(ports(four) == "1 in, 3 out");
    CHECK(gears(four.rtl.at("region.v")) == "");   // four elements are a vector
    CHECK(four.manifest["inputs"][0]["pixel"].dump() == R"({"step":4,"span":3,"vector":4})");
    CHECK(gears(wide.rtl.at("region.v")) == "8 to 96, 96 to 8");
}

TEST_CASE("interleaved: needed bytes are of all channels") {
    CHECK(lower(colours(4).r).report["warnings"].dump() ==
          "[\"m_axi_rgb carries 8 bytes a clock, and 12 are needed: 4 positions per clock are not reached on pynq-z2\","
          "\"m_axi_out carries 8 bytes a clock, and 12 are needed: 4 positions per clock are not reached on pynq-z2\"]");
}

TEST_CASE("interleaved: another layout is another id") {
    const auto id = [](const RegionBuilder &b) { return lower(b.r).manifest["id"].get<uint32_t>(); };
    CHECK(id(colours(1)) == id(colours(1)));
    CHECK(id(colours(1, 4, Halide::UInt(8), false)) != id(colours(1, 3, Halide::UInt(8), false)));
}

TEST_CASE("interleaved: no lint warning") {
    if (!has_icarus()) return;
    for (int lanes : {1, 4}) {
        for (int step : {3, 4, 6}) {
            CAPTURE(lanes);
            CAPTURE(step);
            CHECK(lint(lower(colours(lanes, step, Halide::UInt(8), false).r)) == "");
        }
        CHECK(lint(lower(colours(lanes, 3, Halide::Int(32)).r)) == "");
        RegionBuilder b = colours(lanes, 5);
        b.r.streaming = true;
        CHECK(lint(lower(b.r)) == "");
    }
}
