// Tables of a whole region.
#include <doctest/doctest.h>

#include "CoreBench.h"
#include "Regions.h"
#include "hwgen/passes/region/BuildGraph.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

Wide square(Wide i) { return (i * i + 3) % 1000; }

/** Everything that the manifest says of tables. */
nlohmann::ordered_json tables_of(const RegionBuilder &b) {
    const Design d = lower(b.r);
    if (has_icarus()) CHECK(lint(d) == "");
    return d.manifest.value("tables", nlohmann::ordered_json());
}

RegionBuilder loaded() {
    RegionBuilder b(64, 48, 2);
    b.input("in").table("curve", Halide::UInt(16));
    b.stage("near", b.read("curve", b.at("in", 0, 0) / 4));
    b.stage("out", b.at("near", 1, 0) + b.read("curve", cast<int32_t>(b.at("in", 0, 0) & 15) - 8));
    return b;
}

}  // namespace

TEST_CASE("tables: ROMs at 1, 2 and 4 positions per clock, of both kinds") {
    if (!has_icarus()) return;
    for (int lanes : {1, 2, 4}) {
        for (int64_t mask : {15, 255}) {
            CAPTURE(lanes);
            CAPTURE(mask);
            RegionBuilder b(40, 12, lanes);
            b.input("in", Halide::UInt(16)).table("curve", Halide::Int(32), square);
            b.stage("near", b.read("curve", b.at("in", 0, 0) & int(mask)) * 3);
            b.stage("out", b.at("near", 1, 0) - b.read("curve", b.at("in", 0, 1) & 1023));
            CHECK(lint(lower(b.r)) == "");
            CHECK(run_core(b.r, {{20, 6}, {20, 6, true}, {1, 1}, {7, 3}}) == "");
        }
    }
}

TEST_CASE("tables: one memory map for all readers of what is loaded") {
    const auto tables = tables_of(loaded());
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].dump() ==
          R"({"name":"curve","type":"uint16","dimensions":1,"box":[{"min":-8,"max":63}],)"
          R"("memory":{"place":"curve_place","element":"curve_element","depth":128,"indices":[{"min":-8,"max":63,"bits":7,"shift":0}]}})");
    argent::Diagnostics diagnostics;
    const Graph g = build_graph(loaded().r, diagnostics);
    for (const Stage &s : g.stages) {
        for (const Table &t : s.datapath.tables()) CHECK(t.depth == 128);
    }
}

TEST_CASE("tables: single elements are registers, and no memory") {
    RegionBuilder b(64, 48);
    b.input("in").table("taps", Halide::Int(16));
    Param p{"taps_m1", "taps_m1", Halide::Int(16), Interval::signed_of(16)};
    p.table = 0;
    p.place = {-1};
    b.r.params = {p};
    b.r.tables[0].elements = {{-1, -1}};
    b.stage("out", cast<int16_t>(b.at("in", 0, 0)) * Halide::Internal::Variable::make(Halide::Int(16), "taps_m1"));
    CHECK(tables_of(b).dump() ==
          R"([{"name":"taps","type":"int16","dimensions":1,"box":[{"min":-1,"max":-1}],"elements":[{"place":[-1],"register":"taps_m1"}]}])");
    CHECK(lower(b.r).manifest["params"].empty());
}

TEST_CASE("tables: a region without any is what it was") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 0, 0) + b.at("in", 1, 0));
    const Design d = lower(b.r);
    CHECK_FALSE(d.manifest.contains("tables"));
    CHECK(d.table_boxes.empty());
    CHECK_FALSE(d.rtl.count("ag_rom.v"));
    CHECK_FALSE(d.rtl.count("ag_table_load.v"));
}

TEST_CASE("tables: reads that no table can serve are refused, with what would mend them") {
    const auto refusal = [](const RegionBuilder &b) {
        argent::Diagnostics diagnostics;
        build_graph(b.r, diagnostics);
        std::string text;
        for (const argent::Diagnostic &d : diagnostics.all()) text += to_string(d);
        return text;
    };
    RegionBuilder b(64, 48);
    b.input("in", Halide::Int(32)).table("curve", Halide::UInt(8), square);
    b.stage("out", b.read("curve", b.at("in", 0, 0)));
    CHECK(refusal(b) ==
          "region.cpp:7: error: out reads the table curve at unbounded places, -2147483648 to 2147483647, and a table has at most 16384\n"
          "region.cpp:7: note: bound what it is read at, for example curve(clamp(i, 0, 255))\n");
    // One reader after the other is small enough; the places of both together are not.
    RegionBuilder both(64, 48);
    both.input("in", Halide::UInt(16)).table("curve", Halide::UInt(8));
    both.stage("near", both.read("curve", both.at("in", 0, 0))).stage("out", both.at("near", 0, 0) + both.read("curve", cast<int32_t>(both.at("in", 0, 0)) + 1));
    CHECK(refusal(both) ==
          "region.cpp:7: error: out reads the table curve at 0 to 65536, which takes 65537 words, and a table has at most 65536\n"
          "region.cpp:7: note: bound what it is read at, for example curve(clamp(i, 0, 255)), or declare where it ends, with set_bounds or bound\n");
}
