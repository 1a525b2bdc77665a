#ifndef ARGENT_HWGEN_PASSES_BORDERS_FOLD_EDGES_H
#define ARGENT_HWGEN_PASSES_BORDERS_FOLD_EDGES_H

#include <Halide.h>

#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** What a launch that needs the elements first..last of an input, as it goes on beyond its edges, takes out of memory, and how
 *  they follow from it. Nothing is taken that is not needed, and nothing twice but what is needed twice. */
struct Folded {
    Halide::Expr from, to;         // coordinates in memory
    /** Where it folds: the elements from..to and what follows them for ever repeat after `period` places. Place p < to - from + 1
     *  has element p, others have element mirror - p; `first` is at `place`. */
    Halide::Expr period, mirror, place;
};

/**   0..9 mirrored, -3..4   ->   0..4, place 7 of 10: 2 1 0 0 1 2 3 4
 *    0..9 repeated, -3..4   ->   0..9, place 7 of 10: 7 8 9 0 1 2 3 4
 *    0..9 repeated, 12..14  ->   2..4, place 0 of 3 */
Folded fold(const Edges &edges, const Halide::Expr &first, const Halide::Expr &last);

/** `v`, or the coordinate at the edge where that is nearer to the image. */
Halide::Expr inside(const Domain1 &edges, const Halide::Expr &v);

}  // namespace argent::hwgen

#endif
