#ifndef ARGENT_HWGEN_PASSES_PIPELINE_GROW_CONE_H
#define ARGENT_HWGEN_PASSES_PIPELINE_GROW_CONE_H

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Of a few. */
template <typename T>
bool has(const std::vector<T> &few, const T &one) { return std::find(few.begin(), few.end(), one) != few.end(); }

/** Nodes of which a cone is tried though smaller ones of them do not fit. */
constexpr size_t most_steps = 12;

/** The logic that goes into one look-up table a bit: `cone`, and node by node what next(cone, refused) gives, -1 for none, as long as fits(cone).
 *  Where choices come together again there are more inputs on the way than of all of them: they go in at once, or one by one what can.
 *    select(c, select(b, x, 0), select(b, y, x)): b, c, x and y; with two of the three, five */
template <typename Next, typename Fits>
std::vector<NodeId> grow_cone(std::vector<NodeId> cone, const Next &next, const Fits &fits) {
    std::vector<NodeId> steps = cone, refused;
    for (NodeId n; steps.size() < most_steps && (n = next(steps, refused)) >= 0;) {
        steps.push_back(n);
        if (fits(steps)) cone = steps;
    }
    for (NodeId n; (n = next(cone, refused)) >= 0;) {
        cone.push_back(n);
        if (fits(cone)) continue;
        cone.pop_back();
        refused.push_back(n);
    }
    return cone;
}

}  // namespace argent::hwgen

#endif
