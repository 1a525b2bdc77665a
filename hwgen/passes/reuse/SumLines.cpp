#include "hwgen/passes/reuse/SumLines.h"

#include <map>
#include <optional>
#include <utility>

#include "hwgen/passes/reuse/SumPolynomials.h"

namespace argent::hwgen {

namespace {

/** The terms of a signal by column, or by row. */
std::map<int, Polynomial> lines_of(const LinearSum &sum, int signal, bool columns) {
    std::map<int, Polynomial> lines;
    for (const auto &[at, coefficient] : terms_of(sum, signal)) lines[columns ? at.x : at.y].emplace(at, coefficient);
    return lines;
}

/** How often each line of two terms at least occurs, by signal and primitive(). */
std::map<std::pair<int, Polynomial>, int> count_lines(const SumSharing &s, bool columns) {
    std::map<std::pair<int, Polynomial>, int> counts;
    for (int signal = 0; signal < s.signals(); ++signal) {
        s.for_each([&](const LinearSum &sum) {
            for (const auto &[place, line] : lines_of(sum, signal, columns)) {
                if (line.size() > 1) ++counts[{signal, primitive(line).line}];
            }
        });
    }
    return counts;
}

/** Makes the line a signal, whose number it returns, and puts it wherever a multiple stands. */
std::optional<int> take_line(SumSharing &s, int signal, const Polynomial &line, bool columns) {
    LinearSum common;
    for (const auto &[at, coefficient] : line) common.add({signal, at}, coefficient);
    const int added = s.add(common);
    if (added < 0) return std::nullopt;
    s.rewrite(signal, added, [&](LinearSum &sum) {
        bool changed = false;
        for (const auto &[place, terms] : lines_of(sum, signal, columns)) {
            const Multiple m = primitive(terms);
            if (m.line != line) continue;
            sum.add(common, -m.factor, m.at);
            sum.add({added, m.at}, m.factor);
            changed = true;
        }
        return changed;
    });
    return s.order(added);
}

}  // namespace

void for_each_line(const SumSharing &s, const ConsiderSharing &consider) {
    for (const bool columns : {true, false}) {
        for (const auto &[line, count] : count_lines(s, columns)) {
            if (count < 2) continue;
            SumSharing candidate = s;
            const std::optional<int> added = take_line(candidate, line.first, line.second, columns);
            if (added) consider(candidate, *added);
        }
    }
}

}  // namespace argent::hwgen
