#include "hwgen/ir/SharedDatapath.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

/** What the accumulator of a result holds behind each slot. */
Wide gathered(const SharedDatapath::Result &r, const std::vector<std::vector<Wide>> &terms) {
    Wide sum = terms[r.first][r.term];
    for (int slot = r.first + 1; slot <= r.last; slot++) sum = evaluate(r.op, {sum, terms[slot][r.term]}, 0, {});
    return r.range.contains(sum) ? sum : evaluate(Op::Wrap, {sum}, 0, r.range);   // only low bits are needed
}

}  // namespace

std::vector<Wide> evaluate(const SharedDatapath &d, const std::vector<Wide> &leaf_values) {
    const auto values_of = [&](const Leaf &l) { return leaf_values[std::find(d.leaves.begin(), d.leaves.end(), l) - d.leaves.begin()]; };
    std::vector<Wide> placed;
    for (const Leaf &l : d.before.leaves()) placed.push_back(values_of(l));
    const std::vector<Wide> chosen = evaluate(d.before, placed);
    std::vector<std::vector<Wide>> terms;   // by slot
    for (int slot = 0; slot < d.slots; slot++) {
        std::vector<Wide> operands;
        for (const std::vector<SharedDatapath::Source> &o : d.operands)
            operands.push_back(o[slot].leaf >= 0 ? leaf_values[o[slot].leaf] : o[slot].chosen >= 0 ? chosen[o[slot].chosen] : o[slot].value);
        terms.push_back(evaluate(d.terms, operands));
    }
    std::vector<Wide> values;
    for (const Leaf &l : d.after.leaves()) {
        if (l.kind == Leaf::Kind::Value) values.push_back(gathered(d.results[l.place], terms));
        else values.push_back(values_of(l));
    }
    return evaluate(d.after, values);
}

}  // namespace argent::hwgen
