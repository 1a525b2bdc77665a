#ifndef ARGENT_HWGEN_PASSES_REGION_CUT_TIMELINES_H
#define ARGENT_HWGEN_PASSES_REGION_CUT_TIMELINES_H

#include <vector>

#include "hwgen/ir/Ram.h"

namespace argent::hwgen {

/** In the name of an input that another timeline reads already: in.for.g. */
constexpr const char *own_input = ".for.";

/** A region cut at its buffered Funcs: regions without any, each for a timeline of its own, those that others read first. */
struct Cut {
    Region whole;                     // as given, with an input for each timeline that reads one
    std::vector<Region> timelines;    // the last one has the region's outputs, every other one writes rams[i]
    std::vector<Ram> rams;
};

/** Every timeline gets what its outputs need, down to the inputs and to what RAMs hold; what several need, each computes. Reads of RAMs stay
 *  as they are, and the blocks of timelines in front of others are not known yet: size_rams.
 *    buffered f; g(x, y) = f(y, x) + in(x, y); f(x, y) = in(x, y) + 1
 *    ->   in, f   |   in_for_g, g  */
Cut cut_timelines(const Region &region);

/** Reads of RAMs become reads of memories, at the word that holds the element. Needs the RAMs' sizes. Those of channels stay.
 *    f(a, b), 64 columns   ->   f.ram0(b * 64 + a - f_origin) */
Region read_rams(Region region, const std::vector<Ram> &rams);

}  // namespace argent::hwgen

#endif
