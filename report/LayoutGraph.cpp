#include "report/LayoutGraph.h"

#include <algorithm>
#include <cstdint>

namespace argent::report::layout {
namespace {

std::vector<int> topological_order(size_t n, const std::vector<Link> &links) {
    std::vector<int> waiting(n, 0), order;
    for (const Link &l : links) waiting[size_t(l.to)] += l.from != l.to;
    for (size_t i = 0; i < n; i++) {
        if (waiting[i] == 0) order.push_back(int(i));
    }
    for (size_t i = 0; i < order.size(); i++) {
        for (const Link &l : links) {
            if (l.from == order[i] && l.to != l.from && --waiting[size_t(l.to)] == 0)
                order.push_back(l.to);
        }
    }
    return order;
}

/** The longest path from a source; then boxes that have more consumers than producers sink towards their consumers. */
std::vector<int> ranks(size_t n, const std::vector<Link> &links) {
    const std::vector<int> order = topological_order(n, links);
    std::vector<int> rank(n, 0), in(n, 0), out(n, 0);
    for (const int box : order) {
        for (const Link &l : links) {
            if (l.from == l.to || l.from != box) continue;
            rank[size_t(l.to)] = std::max(rank[size_t(l.to)], rank[size_t(box)] + 1);
            out[size_t(box)]++;
            in[size_t(l.to)]++;
        }
    }
    for (auto box = order.rbegin(); box != order.rend(); ++box) {
        const auto b = size_t(*box);
        if (out[b] <= in[b]) continue;
        int nearest = INT32_MAX;
        for (const Link &l : links) {
            if (l.from == *box && l.to != l.from) nearest = std::min(nearest, rank[size_t(l.to)]);
        }
        rank[b] = nearest - 1;
    }
    const int least = n == 0 ? 0 : *std::min_element(rank.begin(), rank.end());
    for (int &r : rank) r -= least;
    return rank;
}

}  // namespace

Graph build(const std::vector<Box> &boxes, const std::vector<Link> &links) {
    Graph g;
    const std::vector<int> rank = ranks(boxes.size(), links);
    for (size_t i = 0; i < boxes.size(); i++) {
        Item item;
        item.layer = 2 * rank[i];
        item.width = boxes[i].width;
        item.height = boxes[i].height;
        item.box = int(i);
        g.items.push_back(item);
    }
    const auto join = [&](int above, int below) {
        g.items[size_t(above)].down.push_back(below);
        g.items[size_t(below)].up.push_back(above);
    };
    for (size_t k = 0; k < links.size(); k++) {
        const Link &l = links[k];
        std::vector<int> chain{l.from};
        if (l.from != l.to) {
            const int last = 2 * rank[size_t(l.to)];
            for (int layer = 2 * rank[size_t(l.from)] + 1; layer < last; layer++) {
                Item item;
                item.layer = layer;
                item.link = int(k);
                item.label = layer == last - 1;
                item.width = item.label ? l.label.width : 4;
                item.height = item.label ? l.label.height : 0;
                g.items.push_back(item);
                join(chain.back(), int(g.items.size()) - 1);
                chain.push_back(int(g.items.size()) - 1);
            }
            join(chain.back(), l.to);
            chain.push_back(l.to);
        }
        g.chains.push_back(std::move(chain));
    }
    int layers = 0;
    for (const Item &item : g.items) layers = std::max(layers, item.layer + 1);
    g.layers.resize(size_t(layers));
    for (size_t i = 0; i < g.items.size(); i++)
        g.layers[size_t(g.items[i].layer)].push_back(int(i));
    return g;
}

}  // namespace argent::report::layout
