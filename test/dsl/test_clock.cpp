#include <doctest/doctest.h>

#include "Pieces.h"
#include "dsl/Emit.h"

using namespace Halide;
using namespace argent::test;
using nlohmann::ordered_json;

namespace {

Var x("x"), y("y");

constexpr int line_of_edges = __LINE__ + 8;

/** Edges, a stage by a directive, and their smoothed product. */
argent::dsl::Partitioned at_clock(double mhz) {
    Func in = source(), edges("edges"), out("out");
    edges(x, y) = absd(in(x - 1, y), in(x + 1, y)) + cast<uint16_t>(absd(in(x, y - 1), in(x, y + 1)));
    out(x, y) = min(edges(x, y) + edges(x + 1, y) + edges(x, y + 1) + edges(x + 1, y + 1), 1000) * edges(x, y);
    argent::Accelerator a = argent::accelerate(out, {in});
    a.linebuffer(edges);
    a.block({{x, 64}, {y, 32}}).clock(mhz);
    return partitioned(out);
}

const ordered_json &stage(const argent::dsl::Partitioned &p, const std::string &name) {
    for (const ordered_json &s : p.designs.at(0).report["stages"]) {
        if (s["name"] == name) return s;
    }
    FAIL("no stage " << name);
    return p.designs.at(0).report;
}

}  // namespace

TEST_CASE("clock: a faster one gives another pipeline") {
    const argent::dsl::Partitioned slow = at_clock(100), fast = at_clock(300);
    for (const char *name : {"edges", "out"}) {
        CHECK(stage(slow, name)["latency"] < stage(fast, name)["latency"]);
        CHECK(stage(slow, name)["critical_ns"] > stage(fast, name)["critical_ns"]);
        CHECK(stage(slow, name)["critical_ns"] <= 1.12 * 10.0);
    }
    CHECK(slow.designs[0].manifest["latency"]["fire_to_output"] < fast.designs[0].manifest["latency"]["fire_to_output"]);
}

TEST_CASE("clock: the report tells the longest path in words, and the line of the Func's directive") {
    for (double mhz : {100.0, 300.0}) {
        const argent::dsl::Partitioned p = at_clock(mhz);
        for (const char *name : {"edges", "out"}) {
            const ordered_json &path = stage(p, name)["critical_path"];
            REQUIRE(path.size() >= 3);
            const std::string from = path[0];
            CAPTURE(from);
            CHECK(from.find(" bit") == std::string::npos);   // a Func, a part of one, or a register
            CHECK((path.back() == "register" || path.back() == "FIFO"));
        }
        CHECK(stage(p, "edges")["source"] == ordered_json({"test_clock.cpp", line_of_edges}));
        CHECK(stage(p, "out")["source"].is_null());
        const std::string html = argent::dsl::emitted_files("pipeline", p.designs, {"report"}).at("pipeline/report.html");
        CHECK(html.find("The longest path: <code>") != std::string::npos);
        CHECK(html.find(mhz == 100 ? " of 10.00 ns</b>" : " of 3.33 ns</b>") != std::string::npos);
    }
}
