#include "report/LayoutGraph.h"

#include <algorithm>
#include <map>

namespace argent::report::layout {
namespace {

int crossings_between(const Graph &g, const std::vector<int> &upper,
                      const std::vector<double> &at) {
    std::vector<double> ends;
    int crossings = 0;
    for (const int item : upper) {
        const size_t before = ends.size();
        for (const int below : g.items[size_t(item)].down) {
            for (size_t i = 0; i < before; i++) crossings += ends[i] > at[size_t(below)];
            ends.push_back(at[size_t(below)]);
        }
    }
    return crossings;
}

int crossings(const Graph &g) {
    const auto at = positions(g);
    int sum = 0;
    for (const auto &layer : g.layers) sum += crossings_between(g, layer, at);
    return sum;
}

/** Crossings of the links of a and b, a being to the left. */
int pair_crossings(const std::vector<int> &a, const std::vector<int> &b,
                   const std::vector<double> &at) {
    int sum = 0;
    for (const int i : a) {
        for (const int j : b) sum += at[size_t(i)] > at[size_t(j)];
    }
    return sum;
}

void exchange_neighbours(Graph &g) {
    auto at = positions(g);
    for (auto &layer : g.layers) {
        for (size_t i = 0; i + 1 < layer.size(); i++) {
            const Item &a = g.items[size_t(layer[i])], &b = g.items[size_t(layer[i + 1])];
            const int now = pair_crossings(a.up, b.up, at) + pair_crossings(a.down, b.down, at);
            const int then = pair_crossings(b.up, a.up, at) + pair_crossings(b.down, a.down, at);
            if (then >= now) continue;
            std::swap(layer[i], layer[i + 1]);
            std::swap(at[size_t(layer[i])], at[size_t(layer[i + 1])]);
        }
    }
}

}  // namespace

std::vector<double> positions(const Graph &g) {
    std::vector<double> at(g.items.size(), 0);
    for (const auto &layer : g.layers) {
        for (size_t i = 0; i < layer.size(); i++) at[size_t(layer[i])] = double(i);
    }
    return at;
}

/** Sorts every layer by the mean place of its neighbours in the layer above (or below), back and forth; keeps the best. */
void order(Graph &g) {
    auto best = g.layers;
    int least = crossings(g);
    for (int sweep = 0; sweep < 16 && least > 0; sweep++) {
        const bool downwards = sweep % 2 == 0;
        auto at = positions(g);
        for (size_t k = 0; k < g.layers.size(); k++) {
            auto &layer = g.layers[downwards ? k : g.layers.size() - 1 - k];
            std::map<int, double> mean;
            for (const int i : layer) {
                const auto &near = downwards ? g.items[size_t(i)].up : g.items[size_t(i)].down;
                double sum = 0;
                for (const int j : near) sum += at[size_t(j)];
                mean[i] = near.empty() ? at[size_t(i)] : sum / double(near.size());
            }
            std::stable_sort(layer.begin(), layer.end(),
                             [&](int a, int b) { return mean[a] < mean[b]; });
            for (size_t i = 0; i < layer.size(); i++) at[size_t(layer[i])] = double(i);
        }
        exchange_neighbours(g);
        const int now = crossings(g);
        if (now < least) {
            least = now;
            best = g.layers;
        }
    }
    g.layers = best;
}

}  // namespace argent::report::layout
