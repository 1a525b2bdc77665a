#ifndef ARGENT_HWGEN_PASSES_REGION_GEOMETRY_H
#define ARGENT_HWGEN_PASSES_REGION_GEOMETRY_H

#include <Halide.h>

#include <array>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/region/Needs.h"

namespace argent::hwgen {

/** A scalar that the host computes for a launch, of the output's box (variables of box_variable()) and the variables of loops around launches. */
struct LaunchScalar {
    std::string name;
    Halide::Expr value;          // int32
    std::string register_name;   // "": none, the launcher itself wants it
    int64_t most = -1;           // of several outputs: more than this cannot be launched
    std::string otherwise;       // and why
};

/** The scalar of LaunchNeeds::beyond[i] of a timeline. */
std::string beyond_name(const Timeline &t, size_t i);

/** What a launch of a region of several rates writes to the registers that one-rate regions compute in the core, and the
 *  boxes of the inputs, and of the outputs of all Funcs but the first: for each first_x, last_x, first_y, last_y. Empty for one rate and Func.
 *  Of several timelines, what each of them and the RAMs between them get.
 *    out(x) = in(2 * x), columns 3..6   ->   in's columns 6..12, elements 7, positions 0..6 of the scan from origin 6 */
std::vector<LaunchScalar> geometry_of(const Timelines &t, const Top &top);

/** Expressions of a timeline's box in terms of the accelerator's. */
Halide::Expr in_outer_box(const Timelines &t, int timeline, const Halide::Expr &e);

}  // namespace argent::hwgen

#endif
