#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_POLYNOMIALS_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_POLYNOMIALS_H

#include <map>
#include <vector>

#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

/** The terms of one signal, as a polynomial in moves: a coefficient for each place. What sums have in common elsewhere in the window is a common factor. */
using Polynomial = std::map<Shift, Wide>;

Polynomial terms_of(const LinearSum &, int signal);

/** Signed digits: what an adder each has for an operand. */
int digits_of(const Polynomial &);

/** factor * line, moved by `at`. */
struct Multiple {
    Polynomial line;   // begins at {} with a positive coefficient, and nothing but 1 divides it
    Shift at;
    Wide factor = 1;
};
/** Needs: a term.
 *    -6 at x + 1, -3 at x + 3   ->   -3 * (2, 1 at x + 2), moved by x + 1 */
Multiple primitive(const Polynomial &);

/** Coefficients at first, first + step, first + 2 step ..; the first and the last are not 0. */
struct CoefficientRow {
    Shift first;
    std::vector<Wide> coefficients;
};
/** Splits the places of a polynomial into rows along a step, which is greater than {}; rows of more than 65 are left out. */
std::vector<CoefficientRow> rows_along(const Polynomial &, Shift step);

/** How a row is best written as a multiple of a sum of two places, and the rest. */
struct Quotient {
    std::vector<Wide> q;   // as long as the row; the last one is 0
    int digits = 0;        // of q and of the rest
};
/** Which q leaves the fewest digits in q and in row - q * (first + second * move): neighbours are divided, again and again.
 *    1 3 3 1 by 1 1   ->   1 2 1, nothing left
 *  Needs: two coefficients at least; `first` > 0. */
Quotient divide_row(const std::vector<Wide> &row, Wide first, Wide second);

}  // namespace argent::hwgen

#endif
