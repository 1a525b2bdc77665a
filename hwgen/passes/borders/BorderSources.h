#ifndef ARGENT_HWGEN_PASSES_BORDERS_BORDER_SOURCES_H
#define ARGENT_HWGEN_PASSES_BORDERS_BORDER_SOURCES_H

#include <vector>

#include "hwgen/ir/Index.h"

namespace argent::hwgen {

/** Where an element that is read outside of its domain comes from, for a reader at one place near the domain's edge. */
struct BorderSource {
    int place = 0;           // of the reader, from the domain's first element; from_end: from its last element, inwards
    bool from_end = false;
    int extent = 0;          // > 0: only if the domain has so many elements
    int offset = 0;          // of the element, from the reader
};

/** All places at which the element at `offset` from the reader lies outside, for readers from `before` elements in front of
 *  the domain to `after` elements behind it, and any extent of the domain from 1. Those with an extent go first.
 *    Edge, offset -1, no reader outside   ->   at place 0: offset 0
 *    Any   ->   none: it may as well be read where it lies */
std::vector<BorderSource> border_sources(Border border, int offset, int before, int after);

}  // namespace argent::hwgen

#endif
