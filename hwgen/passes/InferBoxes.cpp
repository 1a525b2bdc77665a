#include "hwgen/passes/InferBoxes.h"

#include <algorithm>
#include <optional>

namespace argent::hwgen {

namespace {

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/** The offsets at which one element reads a producer. Lane j of a datapath reads what lane 0 reads, j further along x,
 *  so the leaves of `lanes` lanes reach lanes - 1 beyond those of one. */
Box window_of(const Datapath &d, int producer, int lanes) {
    std::optional<Box> window;
    for (const Leaf &l : d.leaves()) {
        if (l.kind != Leaf::Kind::Tap || l.producer != producer) continue;
        if (!window) window = Box{{l.offset[0], l.offset[0]}, {l.offset[1], l.offset[1]}};
        for (int dim = 0; dim < 2; dim++) {
            (*window)[dim].min = std::min((*window)[dim].min, l.offset[dim]);
            (*window)[dim].max = std::max((*window)[dim].max, l.offset[dim]);
        }
    }
    (*window)[0].max -= lanes - 1;
    return *window;
}

std::vector<int> producers_of(const Datapath &d) {
    std::vector<int> producers;
    for (const Leaf &l : d.leaves()) {
        if (l.kind == Leaf::Kind::Tap) producers.push_back(l.producer);
    }
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    return producers;
}

}  // namespace

Graph infer_boxes(Graph g) {
    std::vector<std::optional<Box>> boxes(g.stages.size());
    for (int out : g.outputs) boxes[out] = Box{{0, 0}, {0, 0}};
    for (size_t i = g.stages.size(); i-- > 0;) {
        if (!boxes[i]) boxes[i] = Box{{0, 0}, {0, 0}};   // all reads of it were folded away
        for (int p : producers_of(g.stages[i].datapath)) {
            const Box window = window_of(g.stages[i].datapath, p, g.lanes);
            if (!boxes[p]) boxes[p] = Box{{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
            for (int dim = 0; dim < 2; dim++) {
                Range &r = (*boxes[p])[dim];
                r.min = std::min(r.min, (*boxes[i])[dim].min + window[dim].min);
                r.max = std::max(r.max, (*boxes[i])[dim].max + window[dim].max);
            }
        }
    }
    for (size_t i = 0; i < g.stages.size(); i++) g.stages[i].box = *boxes[i];
    for (Stage &s : g.stages) {
        for (size_t leaf = 0; leaf < s.datapath.leaves().size(); leaf++) {
            const Leaf &l = s.datapath.leaves()[leaf];
            if (l.kind != Leaf::Kind::Tap) continue;
            const Box &producer = g.stages[l.producer].box;
            const int x = s.box[0].min + l.offset[0] - producer[0].min;
            const int y = s.box[1].min + l.offset[1] - producer[1].min;
            const int vector = floor_div(x, g.lanes);
            s.taps.push_back({static_cast<int>(leaf), l.producer, {y, vector}, x - vector * g.lanes, {}});
        }
    }
    return g;
}

}  // namespace argent::hwgen
