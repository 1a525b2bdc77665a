#include "hwgen/passes/reuse/ShareSums.h"

#include <optional>

#include "hwgen/passes/reuse/SumDifferences.h"
#include "hwgen/passes/reuse/SumLines.h"
#include "hwgen/passes/reuse/SumPairs.h"
#include "hwgen/passes/reuse/SumSharing.h"
#include "hwgen/passes/reuse/SumSharingCost.h"

namespace argent::hwgen {

namespace {

/** The best solution that is one move away, if it is better. */
std::optional<SumSharing> next(const SumSharing &s) {
    std::optional<SumSharing> best;
    const auto consider = [&](const SumSharing &candidate, int added) {
        if (candidate.reads(added) < 2 || !candidate.is_possible()) return;
        for (const Keep keep : {Keep::All, Keep::Columns}) {
            SumSharing attempt = candidate;
            attempt.keep[added] = keep;
            attempt.cost = cost_of(attempt);
            if (attempt.cost < (best ? best->cost : s.cost) - least_saving) best = std::move(attempt);
        }
    };
    for_each_line(s, consider);
    for_each_base(s, consider);
    for_each_pair(s, consider);
    if (best) settle_keep(*best);
    return best;
}

SharedSums result_of(const SumSharing &s) {
    SharedSums result;
    for (const SumSharing::BodyPtr &b : s.shared) result.shared.push_back(b->sum);
    for (const SumSharing::BodyPtr &b : s.sums) result.sums.push_back(b->sum);
    result.keep = s.keep;
    result.cost = s.cost;
    return result;
}

}  // namespace

SharedSums share_sums(const SumProblem &problem) {
    SumSharing s(problem);
    s.cost = cost_of(s);
    settle_keep(s);
    while (std::optional<SumSharing> better = next(s)) s = std::move(*better);
    return result_of(s);
}

}  // namespace argent::hwgen
