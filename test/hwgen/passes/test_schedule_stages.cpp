#include <doctest/doctest.h>

#include "RandomWindows.h"
#include "hwgen/passes/BuildGraph.h"
#include "hwgen/passes/ExpandBorders.h"
#include "hwgen/passes/InferBoxes.h"
#include "hwgen/passes/ReuseWindows.h"
#include "hwgen/passes/ScheduleStages.h"
#include "hwgen/passes/SolveDisplacements.h"

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
