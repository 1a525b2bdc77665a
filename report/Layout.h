#ifndef ARGENT_REPORT_LAYOUT_H
#define ARGENT_REPORT_LAYOUT_H

#include "report/Svg.h"

#include <string>
#include <vector>

/** Layered drawing of a DAG, top to bottom (Sugiyama): ranks, then an order in each layer with few crossings, then places
 *  that keep long edges straight. Knows boxes and links only; deterministic. */
namespace argent::report {

struct Box {
    double width = 0, height = 0;
};

/** From box to box, with room for a label of this size on it. Links from a box to itself are ignored. */
struct Link {
    int from = 0, to = 0;
    Box label;
};

struct Layout {
    struct Route {
        std::string d;  // of an SVG path, from the bottom of `from` to the top of `to`
        Point end;
        Point label;  // its centre
    };
    double width = 0, height = 0;
    std::vector<Point> boxes;  // centres
    std::vector<Route> links;
};

/** Lays out within `page_width` if it can. A graph that would be more than twice `column_height` high is cut between layers
 *  into columns side by side, as far as they fit; links go from the foot of a column to the head of the next.
 *  Needs: no cycle among different boxes. */
Layout lay_out(const std::vector<Box> &boxes, const std::vector<Link> &links, double page_width,
               double column_height);

}  // namespace argent::report

#endif
