#ifndef ARGENT_DSL_MOVE_REPEATS_H
#define ARGENT_DSL_MOVE_REPEATS_H

#include <string>
#include <vector>

#include "dsl/Borders.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** An index that has been taken out of a region, which holds its number in place of a domain (hwgen::Index::domain). */
struct TakenBorder {
    std::string reader, producer;
    size_t dim;
    BorderedIndex index;
    std::string text;       // of the read
    bool is_gone = false;   // moved: nothing has this number
    std::string moved_from = {};   // the Func that was repeated, if it has been moved here
};

/** What repeats a stage cannot be had from a stream: the last column would be needed before the first. So it is moved to the inputs,
 *  which can be fetched again, where that makes no difference.
 *  A stage is periodic along a dimension if all that it reads is, or is repeated, with the same period: then it repeats itself.
 *    blur(x) = in(repeat(x - 1)) + in(repeat(x)),  out reads blur(repeat(x + 3))   ->   out reads blur(x + 3)
 *  A stage that reads at its own place only, and that all its readers repeat, repeats what it reads.
 *    half(x) = in(x) / 2,  out reads half(repeat(x + 3))   ->   half(x) = in(repeat(x)) / 2,  out reads half(x + 3)
 *  Neither may depend on its coordinate. What is repeated otherwise stays. New borders are added to `taken`, and moved ones are gone. */
void move_repeats(hwgen::Region &region, std::vector<TakenBorder> &taken);

}  // namespace argent::dsl

#endif
