#include <doctest/doctest.h>

#include "../RandomWindows.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/datapath/SelectByOrder.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/reuse/ReuseWindows.h"
#include "hwgen/passes/schedule/ScheduleStages.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"

using namespace argent::hwgen;

namespace {

Graph graph_of(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return build_graph(b.r, diagnostics);
}

double cost_of(Graph g, const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return line_memory_cost(solve_displacements(infer_boxes(expand_borders(std::move(g))), b.r, diagnostics));
}

}  // namespace

TEST_CASE("schedule_stages: what windows share takes no line memory") {
    int dearer = 0, shared = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        const RegionBuilder b = random_windows(seed);
        const Graph before = graph_of(b), reused = reuse_windows(before);
        argent::Diagnostics diagnostics;
        const Graph g = schedule_stages(before, b.r, diagnostics);
        const double plain = cost_of(before, b), cost = line_memory_cost(g);
        CHECK(cost <= plain);
        dearer += cost_of(reused, b) > plain;
        shared += g.stages.size() > before.stages.size();
    }
    CHECK(dearer > 0);   // reuse alone would have taken more
    CHECK(shared > 100);
}

TEST_CASE("schedule_stages: sums are shared though their rows have an address of their own") {
    RegionBuilder b(1920, 1080, 2);
    b.input("in", Halide::UInt(8));
    const auto in = [&](int dx, int dy) { return Halide::cast<uint16_t>(b.at("in", dx, dy)); };
    b.stage("out", Halide::cast<uint8_t>((4 * in(0, 0) + in(-1, 0) + in(1, 0) + in(0, -1) + in(0, 1)) / 8));
    argent::Diagnostics diagnostics;
    const Graph before = graph_of(b), g = schedule_stages(before, b.r, diagnostics);
    CHECK(g.stages.size() == before.stages.size() + 1);   // in(x - 1, y + 1) + in(x, y)
    CHECK(line_memory_cost(g) == cost_of(before, b));
}

TEST_CASE("schedule_stages: a stage begins where its borders were told, even if folding has left less to be read of it") {
    int told = 0;
    for (const int lanes : {2, 4, 8}) {
        for (const int radius : {1, 2, 3}) {
            CAPTURE(lanes);
            CAPTURE(radius);
            RegionBuilder b(1920, 1080, lanes);
            b.input("in");
            Halide::Expr most = Halide::cast<uint8_t>(0);
            for (int dy = -radius; dy <= radius; ++dy) {
                for (int dx = -radius; dx <= radius; ++dx) most = max(most, bordered(b, "in", dx, dy));
            }
            b.stage("out", most);
            argent::Diagnostics diagnostics;
            for (const Stage &s : schedule_stages(select_by_order(graph_of(b)), b.r, diagnostics).stages) {
                for (const Leaf &l : s.datapath.leaves()) {
                    if (l.kind != Leaf::Kind::Place || l.lane != Leaf::any_lane) continue;
                    CHECK(l.offset[0] == s.box[0].min);
                    ++told;
                }
            }
        }
    }
    CHECK(told > 0);
}
