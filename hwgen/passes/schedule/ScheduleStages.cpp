#include "hwgen/passes/schedule/ScheduleStages.h"

#include <optional>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Part.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/borders/SkipNeutral.h"
#include "hwgen/passes/datapath/CompareChoices.h"
#include "hwgen/passes/datapath/MergeSelects.h"
#include "hwgen/passes/datapath/TurnDifferences.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/reuse/ReuseWindows.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/SolveDisplacements.h"

namespace argent::hwgen {

namespace {

Graph solve(Graph g, const Region &region, Diagnostics &diagnostics, Outside beyond) {
    g = expand_borders(std::move(g), beyond);   // what was found to be one value at several places may be told apart at borders
    g = merge_selects(compare_choices(skip_neutral(std::move(g))), part(region.board.family).lut_inputs);   // borders are choices now
    g = turn_differences(std::move(g));
    g = infer_boxes(std::move(g));
    return solve_displacements(std::move(g), region, diagnostics);
}

}  // namespace

double line_memory_cost(const Graph &given) {
    const Graph g = plan_windows(given);
    const int64_t words = (g.domain(0) + g.lanes - 1) / g.lanes;
    double cost = 0;
    for (const Window &w : g.windows) cost += row_memory_cost(words, int64_t(g.stages[w.producer].bits()) * w.rows * g.lanes, {});
    return cost;
}

Graph schedule_stages(Graph g, const Region &region, Diagnostics &diagnostics, Outside beyond) {
    Diagnostics of_plain = diagnostics;
    std::optional<Graph> plain;
    for (const Rows rows : {Rows::Traded, Rows::Added}) {
        Graph reused = reuse_windows(g, {}, rows, beyond);
        const bool has_parts = reused.stages.size() > g.stages.size();
        Diagnostics of_reused = diagnostics;
        reused = solve(std::move(reused), region, of_reused, beyond);
        if (has_parts && !plain) plain = solve(g, region, of_plain, beyond);
        if (has_parts && line_memory_cost(reused) > line_memory_cost(*plain)) continue;
        diagnostics = of_reused;
        return reused;
    }
    diagnostics = of_plain;
    return *plain;
}

}  // namespace argent::hwgen
