#ifndef ARGENT_HWGEN_PASSES_REGION_UNREAD_INPUTS_H
#define ARGENT_HWGEN_PASSES_REGION_UNREAD_INPUTS_H

#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Graph.h"

namespace argent::hwgen {

struct Timelines;

/** Of what an input is a plane or an element: a name for all of them, and for nothing else. */
std::string image_of(const Region &region, const std::string &input);

/** An input that no output depends on, as all reads of it were folded away. It comes in all the same, with what else the host passes of its image; so as much of it
 *  does as of that: an image may begin behind the place that nobody reads. */
struct UnreadInput {
    int stage = 0;
    std::vector<int> alike;   // the inputs of its image that outputs depend on, on the same grid
};
std::vector<UnreadInput> unread_inputs(const Graph &g);

/** An image of which no timeline reads anything is a mistake: accelerate(out, {in, mask}), out = in + 0 * mask. */
void refuse_unread_images(const Timelines &t, Diagnostics &diagnostics);

}  // namespace argent::hwgen

#endif
