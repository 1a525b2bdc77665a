#ifndef ARGENT_REPORT_LAYOUT_GRAPH_H
#define ARGENT_REPORT_LAYOUT_GRAPH_H

#include "report/Layout.h"

#include <vector>

/** The graph in layers, as the three steps of lay_out() hand it on. */
namespace argent::report::layout {

/** A box, or the place where a link passes a layer. Boxes are in even layers, labels in the odd one above their consumer. */
struct Item {
    int layer = 0;
    double width = 0, height = 0;
    int box = -1, link = -1;
    bool label = false;
    std::vector<int> up, down;
    double x = 0;
};

struct Graph {
    std::vector<Item> items;               // the boxes first, in their order
    std::vector<std::vector<int>> layers;  // items from left to right
    std::vector<std::vector<int>> chains;  // per link: its items, from box to box
};

/** Ranks the boxes and cuts every link into items, one a layer. Leaves: layers in no particular order, x = 0. */
Graph build(const std::vector<Box> &boxes, const std::vector<Link> &links);

/** Orders the items of each layer so that few links cross. */
void order(Graph &g);

/** Gives every item its x, so that long links are straight and nothing overlaps; keeps the order. */
void place(Graph &g);

/** Per item: its index within its layer. */
std::vector<double> positions(const Graph &g);

}  // namespace argent::report::layout

#endif
