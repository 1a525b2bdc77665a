#include "hwgen/passes/reuse/SumDifferences.h"

#include <map>

#include "hwgen/passes/reuse/SumPolynomials.h"

namespace argent::hwgen {

namespace {

/** Signals that are read where `base` is, and in how many sums; each place counts. */
std::map<int, int> read_with(const SumSharing &s, int base) {
    std::map<int, int> others;
    for (const SumSharing::BodyPtr &b : s.sums) {
        for (const auto &[term, c] : b->sum.terms) {
            if (term.signal != base && b->sum.terms.count({base, term.at}) > 0) ++others[term.signal];
        }
    }
    return others;
}

/** Makes other - base a signal, and puts it wherever sums read both. Returns its number; -1 where its interval would be too wide. */
int take_difference(SumSharing &s, int other, int base) {
    LinearSum difference;
    difference.add({other, {}}, 1);
    difference.add({base, {}}, -1);
    const int added = s.add(difference);
    if (added < 0) return -1;
    s.rewrite_wanted([&](LinearSum &sum) {
        const LinearSum before = sum;
        for (const auto &[at, c] : terms_of(before, other)) {
            if (before.terms.count({base, at}) == 0) continue;
            sum.add(difference, -c, at);
            sum.add({added, at}, c);
        }
        return !(sum == before);
    });
    return added;
}

}  // namespace

void for_each_base(const SumSharing &s, const ConsiderSharing &consider) {
    if (s.digits() > most_shared_digits) return;
    for (int base = 0; base < s.signals(); ++base) {
        SumSharing candidate = s;
        int added = -1;
        for (const auto &[other, sums] : read_with(s, base)) {
            if (sums < 2) continue;
            added = take_difference(candidate, other, base);
            if (added < 0) break;
        }
        if (added >= 0) consider(candidate, added);
    }
}

}  // namespace argent::hwgen
