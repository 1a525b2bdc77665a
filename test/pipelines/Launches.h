#ifndef ARGENT_TEST_PIPELINES_LAUNCHES_H
#define ARGENT_TEST_PIPELINES_LAUNCHES_H

#include "Compare.h"

namespace argent::test {

/** What tests of buffered() keep in a RAM: a Func of three rows and columns of the image. */
Halide::Func blur_of(const Halide::Func &image);

/** As compare(); CHECKs of every launch, too, that it takes the clocks that the manifest predicts, and that every memory port moves
 *  each row of its image once, or as often as it is mirrored or repeated. For pipelines with one accelerator and one launch. */
void compare_launches(const Make &make, const Sizes &sizes = usual_sizes);

/** ... of a box that starts at `mins`, as compare_at(). */
void compare_launches_at(const Make &make, const std::vector<int> &mins, const Sizes &sizes = usual_sizes);

/** Windows of the only accelerator that have the rows beyond the upper or the lower edge themselves. */
int windows_repeating_rows(dsl::Simulation &accelerated);

/** f from `left` columns before to `right` after and from `up` rows above to `down` below: each place is weighed, so that none are alike and no box is a product. */
Halide::Expr weighed(const Halide::Func &f, int left, int right, int up, int down);

}  // namespace argent::test

#endif
