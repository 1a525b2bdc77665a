#ifndef ARGENT_DSL_BORDERS_H
#define ARGENT_DSL_BORDERS_H

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Index.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** An index that is brought inside of min..max; a side that is open is undefined. */
struct BorderedIndex {
    hwgen::Border border;
    Halide::Expr inner;      // a hwgen::IndexMap of the variable
    Halide::Expr min, max;   // free of loop variables
};

/** Recognises `index` as one of the forms of hwgen::Border around a place that moves with `var`, by proof: the form is built
 *  from the bounds that occur in it, and both simplify to the same expression. Names of Funcs play no part. Around other rates
 *  than that of `var` itself, Edge is found only.
 *    max(min(x - 1, input.extent.0 - 1), 0)   ->   Edge of x - 1, 0..input.extent.0 - 1 */
std::optional<BorderedIndex> bordered_index(const Halide::Expr &index, const std::string &var);

/** Nothing if its bounds move with one of `vars`. */
std::optional<BorderedIndex> bordered_index(const Halide::Expr &index, const std::string &var, const std::vector<std::string> &vars);

/** Puts hwgen::with_border in place of every index that has a border, and the domain that they share into region.borders.
 *  There comparisons with its edges are told, too (Exteriors.h).
 *  Where rates, outputs or domains differ, or an image is repeated, each has its own in region.domains; but borders of inputs that all their
 *  readers have go into Func::edges, and nothing is left of them in the reads. What is repeated and no such input goes to
 *  `diagnostics`; `call` is the accelerate() they belong to. Returns the stages that would have to be kept in RAMs for that, in one way
 *  or another one, if nothing else is wrong: where repeats have been moved to what a stage reads (MoveRepeats.h), that or the stage. */
std::vector<std::set<std::string>> take_borders(hwgen::Region &region, const std::string &call, const Location &where, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
