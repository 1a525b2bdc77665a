#ifndef ARGENT_HWGEN_PASSES_REGION_INFER_DOMAIN_H
#define ARGENT_HWGEN_PASSES_REGION_INFER_DOMAIN_H

#include <map>
#include <string>
#include <vector>

#include "hwgen/ir/Box.h"
#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** The rectangle that a launch scans, in the coordinates of the output. Without borders it is the output's own. A border
 *  ends it where the image ends: what is read beyond comes from inside, and nothing beyond is streamed or scanned. */
struct Domain {
    std::vector<bool> bordered;             // per dimension: some read has a border
    Box reach;                              // the domain is the output's rectangle, made larger by this and cut off at the image's
                                            // edges; before (min) and behind (max) the output; 0 where there is no border
    std::map<std::string, Box> outside;     // per Func: elements that it computes in front of the domain (min) and behind it (max)
};

/** Reads of the region, backwards from the output. Looks at expressions only, so it can go before any datapath is built.
 *  Where an edge is asked for, the domain reaches as far as if the element were read.
 *    out reads blur at x - 1..x + 1; blur reads in at x - 2..x + 2 with a border
 *    ->   reach 3 and 3; blur is computed 1 outside of the domain, in never */
Domain infer_domain(const Region &region);

}  // namespace argent::hwgen

#endif
