#ifndef ARGENT_HWGEN_PASSES_REUSE_SUM_SHARING_H
#define ARGENT_HWGEN_PASSES_REUSE_SUM_SHARING_H

#include <functional>
#include <memory>
#include <vector>

#include "hwgen/passes/reuse/ShareSums.h"

namespace argent::hwgen {

/** A solution of share_sums on its way: the wanted sums, and the shared ones that they have been made of so far. A move (SumLines, SumDifferences,
 *  SumPairs) takes a copy, adds a signal and rewrites the sums that read it; the values of the wanted sums stay. */
class SumSharing {
public:
    /** A sum and its adders. Most are the same in a solution and in the next. */
    struct Body {
        LinearSum sum;
        double adders = 0;
    };
    using BodyPtr = std::shared_ptr<const Body>;

    /** Nothing is shared yet. The problem has to outlive this and all copies. */
    explicit SumSharing(const SumProblem &);

    const SumProblem &problem() const { return *given; }
    /** Signals 0 .. atoms() - 1 are the problem's, those up to signals() - 1 are `shared`. */
    int atoms() const { return static_cast<int>(given->atoms.size()); }
    int signals() const { return static_cast<int>(ranges.size()); }
    /** Signed digits of all coefficients. */
    int digits() const;
    /** Adders that a signal is an operand of. */
    int reads(int signal) const;
    /** All sums stay within the numbers of a datapath. */
    bool is_possible() const;
    void for_each(const std::function<void(const LinearSum &)> &) const;

    /** Makes a sum a signal, and returns its number; -1 where its interval would be too wide. */
    int add(const LinearSum &);
    /** Every sum that reads the signal `read`, that of the new signal left out; `apply` tells whether it has changed it. */
    void rewrite(int read, int added, const std::function<bool(LinearSum &)> &apply);
    /** Every wanted sum. */
    void rewrite_wanted(const std::function<bool(LinearSum &)> &apply);
    /** A new signal may be read by older ones: they are put behind what they read. Returns its new number. */
    int order(int added);

    std::vector<BodyPtr> shared, sums;
    std::vector<Interval> ranges;   // of atoms, then of shared
    std::vector<Keep> keep;
    double cost = 0;                // as evaluate() (SumSharingCost.h) has found it

private:
    BodyPtr body(LinearSum) const;
    void change(BodyPtr &, const std::function<bool(LinearSum &)> &apply) const;
    std::vector<int> readers_last() const;

    const SumProblem *given;
};

/** What a move tells of each of its candidates: the solution with the new signal, and the signal's number. */
using ConsiderSharing = std::function<void(const SumSharing &candidate, int added)>;

/** Pairs grow with the square of the terms; beyond this many digits only whole columns and rows are looked for. */
constexpr int most_shared_digits = 400;

}  // namespace argent::hwgen

#endif
