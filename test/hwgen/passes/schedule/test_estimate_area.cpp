#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../Regions.h"
#include "hwgen/passes/schedule/EstimateArea.h"
#include "hwgen/verilog/Build.h"

using namespace argent::hwgen;
using namespace argent::verilog;

namespace {

/** out = a + b, in a clock; or, by `part`, what that module makes of them. */
Module adder(const std::string &name, const std::string &part = "") {
    Builder m(name, "");
    const Expr clk = m.input("clk"), a = m.input("a", 8), b = m.input("b", 8), out = m.output("out", 8);
    if (part.empty()) {
        const Expr sum = m.declare_reg("sum", 8);
        m.update({sum, binary(BinaryOp::Add, a, b), {}, {}, {}});
        m.assign(out, sum);
    } else {
        m.instance({part, "part", {}, {{"clk", clk}, {"a", a}, {"b", b}, {"out", out}}, {}});
    }
    return m.take();
}

/** A stage with a module of its own within its own, in a core, in a top; and a core of two timelines above it. */
std::pair<Timelines, Top> nested(const std::string &family) {
    Timelines t;
    t.whole.board.family = family;
    t.all.resize(1);
    StageModule stage;
    stage.module = adder("stage", "part_of_stage");
    stage.parts = {adder("part_of_stage")};
    t.all[0].modules = {stage, StageModule()};   // an input has none
    t.all[0].core.modules = {adder("core_of_timeline", "stage")};
    t.core.modules = {adder("core", "core_of_timeline")};
    Top top;
    top.module = adder("top", "core");
    return {t, top};
}

double number(const nlohmann::ordered_json &of, const char *kind) { return of.contains(kind) ? of[kind].get<double>() : 0; }

}  // namespace

TEST_CASE("estimate_area: every module by itself, with all that it instantiates") {
    const auto [t, top] = nested("xc7");
    const AreaEstimate area = estimate_area(t, top);
    CHECK(area.modules.size() == 5);
    for (const auto &[name, resources] : area.modules) {
        CAPTURE(name);
        CHECK(resources.lut == 8);
        CHECK(resources.ff == 8);
    }
    CHECK(area.whole.lut == 8);
}

TEST_CASE("estimate_area: parts with tables of six inputs; of others nothing is known") {
    for (const char *family : {"xc7", "xcup"}) {
        const auto [t, top] = nested(family);
        CHECK(estimate_area(t, top).whole.ff == 8);
    }
    const auto [t, top] = nested("ecp5");
    CHECK(estimate_area(t, top).modules.empty());
}

TEST_CASE("estimate_area: a wider sum and more lanes take more, in the report") {
    const auto cells = [](int lanes, const Halide::Type &type) {
        RegionBuilder b(1920, 1080, lanes);
        b.input("image", type).stage("out", b.at("image", 0, 0) + b.at("image", 0, 1));
        const Design d = lower(b.r);
        auto report = d.report;
        CHECK(report["resources"].is_null());
        d.add_areas(report);
        CHECK_FALSE(report["resources"].is_null());
        CHECK_FALSE(report["stages"].back()["resources"].is_null());
        const auto &core = report["area"]["core"];
        CHECK(number(core, "bram18") > 0);
        CHECK(number(report["area"]["modules"]["region"], "ff") > number(core, "ff"));
        return number(core, "lut");
    };
    const double narrow = cells(1, Halide::UInt(8)), wide = cells(1, Halide::UInt(16)), more = cells(4, Halide::UInt(8));
    CHECK(wide >= narrow + 8);
    CHECK(more >= narrow + 24);
}

TEST_CASE("estimate_area: sums of wide products, symmetric ones too, are in hard multipliers with all their adders") {
    const auto check = [](bool is_symmetric, double multipliers, double most_luts, double most_registers) {
        RegionBuilder b(512, 256);
        b.input("image", Halide::UInt(32));
        const auto pixel = [&](int dx, int dy) { return Halide::cast<int64_t>(b.at("image", dx, dy) & ((1 << 22) - 1)); };
        Halide::Expr sum = Halide::cast<int64_t>(0);
        for (int k = 0; k < (is_symmetric ? 3 : 9); ++k) {
            const std::string name = "weight_" + std::to_string(k);
            b.param(name, Halide::Int(32), Interval::signed_of(18));
            const Halide::Expr weight = Halide::cast<int64_t>(Halide::Internal::Variable::make(Halide::Int(32), name));
            sum = is_symmetric ? sum + weight * pixel(k, 0) + weight * pixel(5 - k, 0) : sum + weight * pixel(k % 3, k / 3);
        }
        b.stage("out", Halide::cast<int32_t>(sum >> 16));
        auto report = lower(b.r).report;
        lower(b.r).add_areas(report);
        const auto &core = report["area"]["core"];
        CHECK(number(core, "dsp") == multipliers);
        CHECK(number(core, "lut") <= most_luts);
        CHECK(number(core, "ff") <= most_registers);
    };
    check(false, 9, 100, 380);   // rows of adders take 2,300 and 4,000
    check(true, 3, 80, 230);     // 890 and 1,560, as products that wait for their second reader
}
