#ifndef ARGENT_TEST_HWGEN_PASSES_PLANNEDGRAPH_H
#define ARGENT_TEST_HWGEN_PASSES_PLANNEDGRAPH_H

#include <utility>

#include "Regions.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"

/** The region's graph, with windows; nothing is shared, reused or pipelined. */
inline argent::hwgen::Graph planned(const RegionBuilder &b) {
    using namespace argent::hwgen;
    argent::Diagnostics diagnostics;
    Graph g = infer_boxes(build_graph(b.r, diagnostics));
    g = plan_windows(solve_displacements(std::move(g), b.r, diagnostics));
    diagnostics.throw_errors();
    return g;
}

#endif
