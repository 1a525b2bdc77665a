#ifndef ARGENT_HWGEN_PASSES_REUSE_SHARE_SUMS_H
#define ARGENT_HWGEN_PASSES_REUSE_SHARE_SUMS_H

#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

/** A signal that sums read and that is none itself. */
struct Atom {
    Interval range;
    bool is_stored = false;   // it is there anyway (a stage, an input): computing it costs nothing
    double cost = 0;          // else: of computing it once
};

/** How a signal that is read at several places is come by. */
enum class Keep {
    All,      // computed once; rows in line memories, columns in registers
    Columns   // computed once for each row that is read, columns in registers
};

/** What rows of a sum in a line memory are worth. */
enum class Rows {
    Traded,   // they take the place of rows of what it reads, as share_sums has weighed
    Added     // those are kept as well
};

struct SumProblem {
    std::vector<Atom> atoms;            // signals 0 .. atoms.size() - 1
    std::vector<LinearSum> sums;        // wanted, of atoms
    std::vector<int> group;             // of each sum: those of one group are wanted at the same time; empty: all
    Raster raster;
    Prices prices;
};

/** The same sums, of atoms and of further sums that several places share. */
struct SharedSums {
    std::vector<LinearSum> shared;      // signal atoms.size() + i; reads atoms and shared ones before it
    std::vector<Keep> keep;             // of every signal, atoms first
    std::vector<LinearSum> sums;
    double cost = 0;                    // estimated, of adders, registers and memories
};

/** Finds what sums have in common: with each other, and with themselves elsewhere in the window.
 *    s(x-1) + 2 s(x) + s(x+1)                      ->   t = s(x) + s(x+1);            t(x-1) + t(x)
 *    1 2 1 | 2 4 2 | 1 2 1 over a window           ->   t = s(y) + s(y+1), u = t(y-1) + t(y), v = u(x) + u(x+1); v(x-1) + v(x)
 *    5 a + 21 b(x+1), 5 b, where nothing is moved   ->   t = 5 b; 5 a + 4 t(x+1) + b(x+1), t
 *    77 a + 150 b + 29 c, 128 c - 43 a - 85 b       ->   s = a - b, t = c - b; 77 s + 256 b + 29 t, 128 t - 43 s
 *  Moves, each taken if it lowers the estimated cost, the best first: one column (or row) whose multiples make up the others (SumLines.h);
 *  two terms that stand in the same relation several times, and division by such a sum of two places, again and again (SumPairs.h);
 *  differences from one signal in place of those that are read with it (SumDifferences.h). A sum that is not changed by any is left as it is; that is so for most sums of few terms. */
SharedSums share_sums(const SumProblem &);

}  // namespace argent::hwgen

#endif
