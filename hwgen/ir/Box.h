#ifndef ARGENT_HWGEN_IR_BOX_H
#define ARGENT_HWGEN_IR_BOX_H

#include <vector>

namespace argent::hwgen {

/** Offsets of the elements that are needed, from those of the domain: domain.min + min .. domain.max + max. The domain is
 *  what the output needs to be computed, where no border says otherwise. */
struct Range {
    int min = 0, max = 0;
    bool operator==(const Range &o) const { return min == o.min && max == o.max; }
};
using Box = std::vector<Range>;   // innermost first

}  // namespace argent::hwgen

#endif
