#include "hwgen/passes/reuse/ExtremeParts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace argent::hwgen {

namespace {

/** Thirds of an operator. Three values of a row are one choice by two comparisons, of which one is its neighbour's (SelectByOrder.h). */
int cost_of_run(int length) { return length == 2 ? 3 : 4; }

/** Columns in chains of one distance. */
std::vector<std::vector<int>> chains(const std::set<int> &columns, int distance) {
    std::vector<std::vector<int>> all;
    for (int x : columns) {
        if (columns.count(x - distance)) continue;
        all.emplace_back();
        for (int next = x; columns.count(next); next += distance) all.back().push_back(next);
    }
    return all;
}

/** Where runs begin that cover a chain of `count` places, as evenly as they can. Needs: a run's length, at least. */
std::vector<int> cover(int count, int length) {
    const int needed = (count + length - 1) / length;
    std::vector<int> starts = {0};
    for (int i = 1; i < needed; ++i) starts.push_back(i * (count - length) / (needed - 1));
    return starts;
}

}  // namespace

ExtremeParts::ExtremeParts(const std::vector<SignalAt> &values, int first) : first(first) {
    make_columns(values);
    while (make_run()) {}
    std::vector<SignalAt> all;
    for (const auto &[row, columns] : rows) {
        for (int x : columns) all.push_back({row.signal, {row.y, x}});
    }
    add(std::move(all));
}

int ExtremeParts::add(std::vector<SignalAt> values) {
    parts.push_back(std::move(values));
    return whole();
}

void ExtremeParts::make_columns(const std::vector<SignalAt> &values) {
    std::map<int, Column> columns;
    for (const SignalAt &v : values) columns[v.at.x].insert({v.at.y, v.signal});
    std::set<Column> all;
    for (const auto &[x, column] : columns) all.insert(column);
    std::vector<Column> by_size(all.begin(), all.end());
    std::stable_sort(by_size.begin(), by_size.end(), [](const Column &a, const Column &b) { return a.size() < b.size(); });
    std::map<Column, Row> made;
    for (const Column &column : by_size) made[column] = column_of(column, by_size, made);
    for (const auto &[x, column] : columns) rows[made.at(column)].insert(x);
}

ExtremeParts::Row ExtremeParts::column_of(const Column &column, const std::vector<Column> &by_size, const std::map<Column, Row> &made) {
    if (column.size() == 1) return *column.begin();
    std::vector<SignalAt> values;
    Column left = column;
    const auto inner = std::find_if(by_size.rbegin(), by_size.rend(), [&](const Column &other) {
        return made.count(other) && std::includes(column.begin(), column.end(), other.begin(), other.end());
    });
    if (inner != by_size.rend()) {
        const Row row = made.at(*inner);
        values.push_back({row.signal, {row.y, 0}});
        for (const Row &r : *inner) left.erase(r);
    }
    for (const Row &r : left) values.push_back({r.signal, {r.y, 0}});
    return {0, add(std::move(values))};
}

/** Thirds of an operator. */
int ExtremeParts::saved(const std::set<int> &columns, Run run) {
    int saved = -cost_of_run(run.length);
    for (const auto &chain : chains(columns, run.distance)) {
        const int count = static_cast<int>(chain.size());
        if (count >= run.length) saved += 3 * (count - static_cast<int>(cover(count, run.length).size()));
    }
    return saved;
}

/** Makes the run that saves the most; false if none does. */
bool ExtremeParts::make_run() {
    std::optional<std::pair<Row, Run>> best;
    int most = 0;
    for (const auto &[row, columns] : rows) {
        for (int distance = 1; distance <= *columns.rbegin() - *columns.begin(); ++distance) {
            for (const int length : {2, 3}) {
                const Run run{length, distance};
                const int of_run = saved(columns, run);
                if (of_run <= most) continue;
                most = of_run;
                best = {row, run};
            }
        }
    }
    if (best) replace(best->first, best->second);
    return best.has_value();
}

void ExtremeParts::replace(Row row, Run run) {
    std::vector<SignalAt> values;
    for (int i = 0; i < run.length; ++i) values.push_back({row.signal, {row.y, i * run.distance}});
    const Row made{0, add(std::move(values))};
    std::set<int> left;
    for (const auto &chain : chains(rows.at(row), run.distance)) {
        const int count = static_cast<int>(chain.size());
        if (count < run.length) {
            left.insert(chain.begin(), chain.end());
        } else {
            for (int start : cover(count, run.length)) rows[made].insert(chain[start]);
        }
    }
    if (left.empty()) rows.erase(row);
    else rows[row] = std::move(left);
}

}  // namespace argent::hwgen
