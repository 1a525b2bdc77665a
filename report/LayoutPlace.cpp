#include "report/LayoutGraph.h"

#include <algorithm>
#include <cmath>

namespace argent::report::layout {
namespace {

double gap(const Item &a, const Item &b) {
    return (a.width + b.width) / 2 + (a.box >= 0 && b.box >= 0   ? 26
                                      : a.box >= 0 || b.box >= 0 ? 18
                                                                 : 12);
}

/** Long links pull hardest, so that they become straight. */
double pull(const Item &a, const Item &b) {
    return a.box < 0 && b.box < 0 ? 8 : a.box >= 0 && b.box >= 0 ? 1 : 2;
}

/** Moves a layer's items to where their neighbours want them, with weighted least squares under the order and the gaps
 *  between them: isotonic regression by pooling adjacent violators. */
void settle(Graph &g, const std::vector<int> &layer) {
    struct Pool {
        double sum, weight;
        size_t count;
        double mean() const { return sum / weight; }
    };
    std::vector<double> offset(layer.size(), 0);
    std::vector<Pool> pools;
    for (size_t i = 0; i < layer.size(); i++) {
        const Item &item = g.items[size_t(layer[i])];
        if (i > 0) offset[i] = offset[i - 1] + gap(g.items[size_t(layer[i - 1])], item);
        double sum = 1e-3 * item.x, weight = 1e-3;
        for (const auto *near : {&item.up, &item.down}) {
            for (const int j : *near) {
                const double w = pull(item, g.items[size_t(j)]);
                sum += w * g.items[size_t(j)].x;
                weight += w;
            }
        }
        pools.push_back({sum - weight * offset[i], weight, 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight,
                            pools.back().count + last.count};
        }
    }
    size_t i = 0;
    for (const Pool &pool : pools) {
        for (size_t k = 0; k < pool.count; k++, i++)
            g.items[size_t(layer[i])].x = pool.mean() + offset[i];
    }
}

/** Between boxes of adjacent ranks. */
bool direct(const Graph &g, int item) {
    const Item &i = g.items[size_t(item)];
    return i.label && g.items[size_t(i.up[0])].box >= 0;
}

/** The neighbour of `item` that goes straight on from it: the only one, the only direct one, or that which is clearly the nearest in
 *  x. Else -1: a fork stays symmetric. */
int straight_on(const Graph &g, int item, const std::vector<int> &near) {
    if (near.size() == 1) return near[0];
    const auto is_direct = [&](int j) { return direct(g, j); };
    if (std::count_if(near.begin(), near.end(), is_direct) == 1)
        return *std::find_if(near.begin(), near.end(), is_direct);
    int best = -1;
    double least = 1e18, second = 1e18;
    for (const int j : near) {
        const double d = std::abs(g.items[size_t(j)].x - g.items[size_t(item)].x);
        if (d < least) {
            second = least;
            least = d;
            best = j;
        } else {
            second = std::min(second, d);
        }
    }
    return least > 0.85 * second ? -1 : best;
}

/** Items that follow each other down a nearly straight line: each goes straight on to the next, and the other way round. */
std::vector<std::vector<int>> runs(const Graph &g, double far) {
    const size_t n = g.items.size();
    std::vector<int> next(n, -1);
    std::vector<char> continues(n, 0);
    for (size_t i = 0; i < n; i++) {
        const int j = straight_on(g, int(i), g.items[i].down);
        if (j < 0 || straight_on(g, j, g.items[size_t(j)].up) != int(i) ||
            std::abs(g.items[i].x - g.items[size_t(j)].x) > far)
            continue;
        next[i] = j;
        continues[size_t(j)] = 1;
    }
    std::vector<std::vector<int>> list;
    for (size_t i = 0; i < n; i++) {
        if (continues[i] || next[i] < 0) continue;
        list.emplace_back();
        for (int j = int(i); j >= 0; j = next[size_t(j)]) list.back().push_back(j);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const auto &a, const auto &b) { return a.size() > b.size(); });
    return list;
}

/** Gives the items of a run one x, as far down as the neighbours in their layers leave room for one; then the next. */
void straighten(Graph &g, const std::vector<int> &run, const std::vector<double> &at) {
    size_t first = 0;
    while (first < run.size()) {
        double low = -1e18, high = 1e18;
        size_t end = first;
        std::vector<double> xs;
        for (; end < run.size(); end++) {
            const Item &item = g.items[size_t(run[end])];
            const auto &layer = g.layers[size_t(item.layer)];
            const auto slot = size_t(at[size_t(run[end])]);
            double l = low, h = high;
            if (slot > 0)
                l = std::max(l, g.items[size_t(layer[slot - 1])].x +
                                    gap(g.items[size_t(layer[slot - 1])], item));
            if (slot + 1 < layer.size())
                h = std::min(h, g.items[size_t(layer[slot + 1])].x -
                                    gap(g.items[size_t(layer[slot + 1])], item));
            if (l > h && end > first) break;
            low = l;
            high = h;
            xs.push_back(item.x);
        }
        std::sort(xs.begin(), xs.end());
        const double x = low > high ? xs[0] : std::clamp(xs[xs.size() / 2], low, high);
        for (; first < end; first++) g.items[size_t(run[first])].x = x;
    }
}

}  // namespace

void place(Graph &g) {
    for (const auto &layer : g.layers) {
        double x = 0;
        for (size_t i = 0; i < layer.size(); i++) {
            if (i > 0) x += gap(g.items[size_t(layer[i - 1])], g.items[size_t(layer[i])]);
            g.items[size_t(layer[i])].x = x;
        }
        for (const int i : layer) g.items[size_t(i)].x -= x / 2;
    }
    for (int sweep = 0; sweep < 120; sweep++) {
        for (size_t k = 0; k < g.layers.size(); k++)
            settle(g, g.layers[sweep % 2 ? g.layers.size() - 1 - k : k]);
    }
    const auto at = positions(g);
    for (int pass = 0; pass < 6; pass++) {
        for (const auto &run : runs(g, 110)) straighten(g, run, at);
    }
    for (Item &item : g.items) item.x = std::round(item.x * 2) / 2;
}

}  // namespace argent::report::layout
