#include "hwgen/passes/reuse/SumSharing.h"

#include <algorithm>

#include "hwgen/passes/reuse/SumPolynomials.h"

namespace argent::hwgen {

SumSharing::SumSharing(const SumProblem &p) : keep(p.atoms.size(), Keep::All), given(&p) {
    for (const Atom &a : p.atoms) ranges.push_back(a.range);
    for (const LinearSum &sum : p.sums) sums.push_back(body(sum));
}

SumSharing::BodyPtr SumSharing::body(LinearSum sum) const {
    const double adders = sum_cost(sum, ranges, given->prices) * given->raster.lanes;
    return std::make_shared<const Body>(Body{std::move(sum), adders});
}

void SumSharing::for_each(const std::function<void(const LinearSum &)> &look) const {
    for (const BodyPtr &b : shared) look(b->sum);
    for (const BodyPtr &b : sums) look(b->sum);
}

int SumSharing::digits() const {
    int digits = 0;
    for_each([&](const LinearSum &sum) {
        for (const auto &[at, c] : sum.terms) digits += count_signed_digits(c);
    });
    return digits;
}

int SumSharing::reads(int signal) const {
    int count = 0;
    for_each([&](const LinearSum &sum) { count += digits_of(terms_of(sum, signal)); });
    return count;
}

bool SumSharing::is_possible() const {
    const auto range = [&](int i) { return ranges[i]; };
    const auto bounded = [&](const BodyPtr &b) { return is_bounded(b->sum, range); };
    return std::all_of(shared.begin(), shared.end(), bounded) && std::all_of(sums.begin(), sums.end(), bounded);
}

int SumSharing::add(const LinearSum &sum) {
    if (!is_bounded(sum, [&](int i) { return ranges[i]; })) return -1;
    shared.push_back(body(sum));
    ranges.push_back(range_of(sum, ranges));
    keep.push_back(Keep::All);
    return signals() - 1;
}

void SumSharing::change(BodyPtr &b, const std::function<bool(LinearSum &)> &apply) const {
    LinearSum sum = b->sum;
    if (apply(sum)) b = body(std::move(sum));
}

void SumSharing::rewrite(int read, int added, const std::function<bool(LinearSum &)> &apply) {
    const auto change_reader = [&](BodyPtr &b) {
        if (!terms_of(b->sum, read).empty()) change(b, apply);
    };
    for (size_t i = 0; i < shared.size(); ++i) {
        if (atoms() + static_cast<int>(i) != added) change_reader(shared[i]);
    }
    for (BodyPtr &b : sums) change_reader(b);
}

void SumSharing::rewrite_wanted(const std::function<bool(LinearSum &)> &apply) {
    for (BodyPtr &b : sums) change(b, apply);
}

/** Where each of `shared` has to stand so that it is behind what it reads. */
std::vector<int> SumSharing::readers_last() const {
    const int count = static_cast<int>(shared.size());
    std::vector<int> place(count, -1);
    // Few signals, shallow: a pass a level.
    for (int next = 0; next < count;) {
        for (int i = 0; i < count; ++i) {
            if (place[i] >= 0) continue;
            bool ready = true;
            for (const auto &[term, c] : shared[i]->sum.terms) ready = ready && (term.signal < atoms() || place[term.signal - atoms()] >= 0);
            if (ready) place[i] = next++;
        }
    }
    return place;
}

int SumSharing::order(int added) {
    const std::vector<int> place = readers_last();
    const SumSharing old = *this;
    for (size_t i = 0; i < place.size(); ++i) {
        shared[place[i]] = old.shared[i];
        ranges[atoms() + place[i]] = old.ranges[atoms() + i];
        keep[atoms() + place[i]] = old.keep[atoms() + i];
    }
    const auto rename = [&](BodyPtr &b) {
        LinearSum sum;
        sum.constant = b->sum.constant;
        bool moved = false;
        for (const auto &[term, c] : b->sum.terms) {
            const int signal = term.signal < atoms() ? term.signal : atoms() + place[term.signal - atoms()];
            moved = moved || signal != term.signal;
            sum.add({signal, term.at}, c);
        }
        if (moved) b = std::make_shared<const Body>(Body{std::move(sum), b->adders});
    };
    for (BodyPtr &b : shared) rename(b);
    for (BodyPtr &b : sums) rename(b);
    return atoms() + place[added - atoms()];
}

}  // namespace argent::hwgen
