#include "hwgen/passes/region/Needs.h"

#include <algorithm>
#include <numeric>

#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/region/UnreadInputs.h"

namespace argent::hwgen {

using Halide::Expr;

namespace {

int64_t value_at(const IndexMap &map, int64_t v) {
    const int64_t q = floor_div(v, map.period);
    return map.step * q + map.offset[v - q * map.period];
}

}  // namespace

Needs Needs::itself(int period) {
    Needs n;
    for (int v = 0; v < period; v++) n.low.push_back(v), n.high.push_back(v);
    return n;
}

Needs Needs::through(const IndexMap &map) const {
    Needs n;
    n.low.assign(low.size(), INT64_MAX);
    n.high.assign(low.size(), INT64_MIN);
    for (size_t v = 0; v < low.size(); v++) {
        for (int64_t k = 0; k < map.period && low[v] + k <= high[v]; k++) {
            n.low[v] = std::min(n.low[v], value_at(map, low[v] + k));
            n.high[v] = std::max(n.high[v], value_at(map, high[v] - k));
        }
    }
    return n;
}

void Needs::widen(const Needs &o) {
    if (low.empty()) *this = o;
    for (size_t v = 0; v < o.low.size(); v++) {
        low[v] = std::min(low[v], o.low[v]);
        high[v] = std::max(high[v], o.high[v]);
    }
}

void Needs::settle(int step) {
    const int period = static_cast<int>(low.size());
    for (int v = 2 * period - 2; v >= 0; v--) {
        const int64_t later = low[(v + 1) % period] + (v + 1) / period * step;
        if (v < period) low[v] = std::min(low[v], later);
        else low[v - period] = std::min(low[v - period], later - step);
    }
    for (int v = 1; v < 2 * period; v++) {
        const int64_t before = v % period == 0 ? high[period - 1] - step : high[v % period - 1];
        high[v % period] = std::max(high[v % period], before);
    }
}

IndexMap Needs::map_of(const std::vector<int64_t> &of, int step) {
    return {static_cast<int>(of.size()), step, {of.begin(), of.end()}};
}

NeedsFlow::NeedsFlow(int origin, std::vector<int> given, const std::vector<int> &outputs)
    : origin(origin), strides(std::move(given)), parts(strides.size()) {
    if (!outputs.empty()) output_stride = strides[outputs[0]];
    for (int out : outputs) parts[out][NeedsFlow::outputs] = Needs::itself(period(NeedsFlow::outputs));
}

void NeedsFlow::need_any(int stage) {
    Needs &needs = parts[stage][outputs];
    for (int v = 0; v < period(outputs); v++) needs.low.push_back(int64_t(v) * output_stride / strides[stage]);
    needs.high = needs.low;
}

std::map<int, Needs> NeedsFlow::at(int stage) const {
    std::map<int, Needs> all = parts[stage];
    for (auto &[root, needs] : all) needs.settle(step(stage));
    return all;
}

void NeedsFlow::read(int stage, int producer, const IndexMap &map) {
    for (const auto &[root, needs] : parts[stage]) parts[producer][root].widen(needs.through(map));
}

std::map<int, Needs> NeedsFlow::read_inside(int stage, int producer, const IndexMap &map) {
    std::map<int, Needs> before;
    if (parts[stage].empty()) return before;
    parts[producer][producer] = Needs::itself(period(producer));
    for (const auto &[root, needs] : parts[stage]) {
        before[root] = needs.through(map);
        before[root].settle(step(producer));
    }
    return before;
}

void NeedsFlow::join(const std::vector<int> &stages) {
    const std::map<int, Needs> all = of(stages);
    for (int i : stages) parts[i] = all;
}

void NeedsFlow::follow(int stage, const std::vector<int> &others) {
    if (parts[stage].empty()) parts[stage] = of(others);
}

std::map<int, Needs> NeedsFlow::of(const std::vector<int> &stages) const {
    std::map<int, Needs> all;
    for (int i : stages) {
        for (const auto &[root, needs] : parts[i]) all[root].widen(needs);
    }
    return all;
}

std::vector<int> backwards(const Graph &g) {
    const int count = static_cast<int>(g.stages.size());
    std::vector<int> bundle(count, -1), readers(count, 0);   // readers: that have not been visited
    for (size_t b = 0; b < g.bundles.size(); b++) {
        for (int i : g.bundles[b].stages) bundle[i] = static_cast<int>(b);
    }
    for (const Stage &s : g.stages) {
        for (const Read &r : s.reads) readers[r.producer]++;
    }
    std::vector<bool> is_visited(count, false);
    const auto together = [&](int i) { return bundle[i] < 0 ? std::vector<int>{i} : g.bundles[bundle[i]].stages; };
    const auto is_due = [&](int i) {
        const std::vector<int> all = together(i);
        return !is_visited[i] && std::all_of(all.begin(), all.end(), [&](int k) { return readers[k] == 0; });
    };
    std::vector<int> order;
    for (const bool inputs : {false, true}) {
        int next = count - 1;
        while (next >= 0) {
            if ((g.stages[next].kind == Func::Kind::Input) != inputs || !is_due(next)) {
                next--;
                continue;
            }
            for (int i : together(next)) {
                is_visited[i] = true;
                order.push_back(i);
                for (const Read &r : g.stages[i].reads) readers[r.producer]--;
            }
            next = count - 1;
        }
    }
    return order;
}

void settle_output(const Graph &g, int stage, NeedsFlow &flow) {
    for (const Bundle &b : g.bundles) {
        if (b.stages[0] == stage && g.stages[stage].kind != Func::Kind::Input) flow.join(b.stages);
    }
}

void settle_inputs(const Graph &g, NeedsFlow &flow) {
    for (const Bundle &b : g.bundles) {
        if (g.stages[b.stages[0]].kind == Func::Kind::Input) flow.join(b.stages);
    }
    for (const UnreadInput &u : unread_inputs(g)) flow.follow(u.stage, u.alike);
}

std::string box_variable(int dim, bool is_max, int func) {
    return (is_max ? "argent.max." : "argent.min.") + std::to_string(dim) + (func > 0 ? "." + std::to_string(func) : "");
}

Expr expression_of(const IndexMap &map, const Expr &v) {
    int64_t least = INT64_MIN, most = INT64_MAX;
    for (int p = 0; p < map.period; p++) {
        const int64_t b = int64_t(map.period) * map.offset[p] - int64_t(map.step) * p;
        least = std::max(least, b);
        most = std::min(most, b + map.period - 1);
    }
    if (least <= most) {
        const int64_t both = std::gcd(int64_t(map.step), int64_t(map.period));   // floors only need b up to a multiple of it
        return Halide::Internal::simplify((v * static_cast<int>(map.step / both) + static_cast<int>(floor_div(least, both))) / static_cast<int>(map.period / both));
    }
    Expr offset = map.offset.back();
    for (int p = map.period - 2; p >= 0; p--) offset = Halide::select(v % map.period == p, map.offset[p], offset);
    return (v / map.period) * map.step + offset;
}

}  // namespace argent::hwgen
