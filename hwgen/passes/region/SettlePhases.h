#ifndef ARGENT_HWGEN_PASSES_REGION_SETTLE_PHASES_H
#define ARGENT_HWGEN_PASSES_REGION_SETTLE_PHASES_H

#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** Where a select lets only some phases of a loop variable through, indices become what they are in these phases, if that is one line.
 *  In other phases the branch is not taken, so it does not matter what it reads there, unless that lies in front of or behind all that is
 *  read without: an image without a border need not go on there, so its indices stay. Stages do go on, and the images that they read have to.
 *    select(y % 2 == 0, f(x, y/2*2 - 1), f(x, y/2*2 + 2))   ->   select(y % 2 == 0, f(x, y - 1), f(x, y + 1))
 *  Windows hold fewer rows, and taps need no choice by the phase. Everything else stays as it is. */
Region settle_phases(Region region);

}  // namespace argent::hwgen

#endif
