#ifndef ARGENT_HWGEN_PASSES_REGION_INFER_REACH_H
#define ARGENT_HWGEN_PASSES_REGION_INFER_REACH_H

#include <map>
#include <string>
#include <tuple>

#include "hwgen/ir/Box.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/region/InferRates.h"

namespace argent::hwgen {

/** A read with a border that has a domain of its own, in one dimension. */
struct BorderedRead {
    std::string reader, producer;
    int dim = 0;
    Index index;
    bool operator<(const BorderedRead &o) const {
        const auto key = [](const BorderedRead &r) {
            return std::tie(r.reader, r.producer, r.dim, r.index.map, r.index.domain, *r.index.border);
        };
        return key(*this) < key(o);
    }
};

/** Elements that a read may lie in front of its domain (min) and behind it (max): for so many there are taps. */
using Reaches = std::map<BorderedRead, Range>;

/** As many as the whole image needs. Where the reader itself is needed inside of a domain only, and where an image has the output's rate, so that the output
 *  is thought to be as large, that follows from the expressions of both domains; where a RAM is filled (Region::filled), from what its readers need; else from how
 *  far the reads reach, if domains at other rates are rounded down. It is no more than a choice: the host computes for every launch how far it is in truth, and
 *  refuses what has no room.
 *    f is 0..w/2 - 1, out 0..w - 1, out(x) reads f((x - 1)/2) and f((x + 1)/2) with borders   ->   1, 0 and 0, 1 */
Reaches infer_reach(const Region &region, const Rates &rates);

}  // namespace argent::hwgen

#endif
