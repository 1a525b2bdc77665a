#include "report/Layout.h"

#include "report/LayoutGraph.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace argent::report {
namespace {

using layout::Graph;
using layout::Item;

struct Column {
    size_t first = 0, end = 0;  // layers
    double left = 0, right = 0, x = 0;
    double width() const { return right - left; }
};

const double gutter = 56, margin = 8;

double layer_height(const Graph &g, size_t layer) {
    double height = 0;
    for (const int i : g.layers[layer]) height = std::max(height, g.items[size_t(i)].height);
    return height;
}

/** Between layers: more where links run far to the side. */
double space_below(const Graph &g, size_t layer) {
    double far = 0;
    for (const int i : g.layers[layer]) {
        for (const int j : g.items[size_t(i)].down)
            far = std::max(far, std::abs(g.items[size_t(i)].x - g.items[size_t(j)].x));
    }
    return std::min(36.0, 15 + 0.07 * far);
}

/** Cuts below layers of boxes, near to equal heights, where few links pass. */
std::vector<Column> columns(const Graph &g, const std::vector<double> &top, double height,
                            double page_width, double column_height) {
    const auto make = [&](size_t first, size_t end) {
        Column c{first, end, 1e9, -1e9, 0};
        for (size_t k = first; k < end; k++) {
            for (const int i : g.layers[k]) {
                c.left = std::min(c.left, g.items[size_t(i)].x - g.items[size_t(i)].width / 2);
                c.right = std::max(c.right, g.items[size_t(i)].x + g.items[size_t(i)].width / 2);
            }
        }
        return c;
    };
    const std::vector<Column> whole{make(0, g.layers.size())};
    if (height < 2 * column_height) return whole;
    for (int wanted = std::min(8, int(std::ceil(height / column_height))); wanted > 1; wanted--) {
        std::vector<Column> list;
        size_t first = 0;
        for (int k = 1; k < wanted; k++) {
            size_t best = 0;
            double least = 1e18;
            for (size_t cut = (first + 3) / 2 * 2; cut + 1 < g.layers.size();
                 cut += 2) {  // a layer of boxes ends a column
                size_t passing = 0;
                for (const int i : g.layers[cut]) passing += g.items[size_t(i)].down.size();
                const double cost =
                    std::abs(top[cut] - height * k / wanted) + 60.0 * double(passing);
                if (cost < least) {
                    least = cost;
                    best = cut;
                }
            }
            if (best == 0) break;
            list.push_back(make(first, best + 1));
            first = best + 1;
        }
        if (int(list.size()) + 1 < wanted) continue;
        list.push_back(make(first, g.layers.size()));
        double width = 2 * margin + gutter * double(list.size() - 1);
        for (const Column &c : list) width += c.width();
        if (width <= page_width) return list;
    }
    return whole;
}

/** Where everything lies on the page: layers in columns, and the tracks between columns. */
class Sheet {
public:
    Sheet(const Graph &g, const std::vector<Link> &links, double page_width, double column_height);

    double width() const { return list.back().x + list.back().right + margin; }
    double height() const { return foot + margin; }
    Point centre(const Item &item) const {
        const auto k = size_t(item.layer);
        return {item.x + list[column_of[k]].x, top[k] + tall[k] / 2};
    }
    double top_of(int layer) const { return top[size_t(layer)]; }
    double bottom_of(int layer) const { return top[size_t(layer)] + tall[size_t(layer)]; }
    bool same_column(const Item &a, const Item &b) const {
        return column_of[size_t(a.layer)] == column_of[size_t(b.layer)];
    }
    /** From the foot of `above`'s column through the gutter to the head of the next one. */
    std::string passage(const Item &above, int producer, Point from, Point to) const;

private:
    std::vector<double> top, tall;  // per layer
    std::vector<size_t> column_of;  // per layer
    std::vector<Column> list;
    std::vector<double> bottom;                   // per column
    std::map<std::pair<size_t, int>, int> track;  // (column, producer): its links share one
    double head = 0, foot = 0, lane = 7;
};

Sheet::Sheet(const Graph &g, const std::vector<Link> &links, double page_width,
             double column_height)
    : top(g.layers.size(), 0), tall(g.layers.size(), 0), column_of(g.layers.size(), 0) {
    double y = 0;
    for (size_t k = 0; k < g.layers.size(); k++) {
        tall[k] = layer_height(g, k);
        top[k] = y;
        y += tall[k] + (k + 1 < g.layers.size() ? space_below(g, k) : 0);
    }
    list = columns(g, top, y, page_width, column_height);
    bottom.resize(list.size(), 0);
    double x = margin;
    int most = 0;
    for (size_t c = 0; c < list.size(); c++) {
        list[c].x = std::round(x - list[c].left);
        x += list[c].width() + gutter;
        for (size_t k = list[c].first; k < list[c].end; k++) column_of[k] = c;
        int tracks = 0;
        for (const int i : g.layers[list[c].end - 1]) {
            for (const int j : g.items[size_t(i)].down) {
                const int producer = links[size_t(g.items[size_t(j)].link)].from;
                if (track.emplace(std::make_pair(c, producer), tracks).second) tracks++;
            }
        }
        most = std::max(most, tracks);
    }
    lane = std::min(7.0, 32.0 / std::max(most, 1));
    head = most ? 16 + lane * most : 0;
    for (size_t c = 0; c < list.size(); c++) {
        const double shift = margin + (c > 0 ? head : 0) - top[list[c].first];
        for (size_t k = list[c].first; k < list[c].end; k++) top[k] += shift;
        bottom[c] = bottom_of(int(list[c].end) - 1);
        foot = std::max(foot, bottom[c] + (c + 1 < list.size() ? head : 0));
    }
}

std::string Sheet::passage(const Item &above, int producer, Point from, Point to) const {
    const size_t c = column_of[size_t(above.layer)];
    const double shift = lane * track.at({c, producer});
    const double middle = list[c].x + list[c].right + gutter / 2 - 10 + shift;
    const double low = bottom[c] + 14 + shift, high = margin + head - 14 - shift;
    return rounded_corners({from, {from.x, low}, {middle, low}, {middle, high}, {to.x, high}, to},
                           8);
}

/** Per link, how far from its consumer's middle it enters: side by side, in the order in which they come. */
std::vector<double> entries(const Graph &g, const std::vector<Box> &boxes,
                            const std::vector<Link> &links) {
    std::vector<double> entry(links.size(), 0);
    std::vector<std::vector<size_t>> in(boxes.size());
    for (size_t k = 0; k < links.size(); k++) {
        if (links[k].to != links[k].from) in[size_t(links[k].to)].push_back(k);
    }
    const auto from = [&](size_t k) { return g.items[size_t(*(g.chains[k].rbegin() + 1))].x; };
    for (size_t b = 0; b < boxes.size(); b++) {
        std::stable_sort(in[b].begin(), in[b].end(),
                         [&](size_t p, size_t q) { return from(p) < from(q); });
        const double gaps = double(in[b].size()) - 1;
        const double step = gaps > 0 ? std::min(44.0, (boxes[b].width - 36) / gaps) : 0;
        for (size_t k = 0; k < in[b].size(); k++) entry[in[b][k]] = step * (double(k) - gaps / 2);
    }
    return entry;
}

/** A link from a box to itself: a loop at its right side. */
Layout::Route loop(Point centre, const Box &box) {
    const double x = centre.x + box.width / 2, out = x + 22, low = centre.y + 8,
                 high = centre.y - 8;
    const std::string d = "M" + px(x) + " " + px(low) + " C" + px(out) + " " + px(low) + " " +
                          px(out) + " " + px(high) + " " + px(x) + " " + px(high);
    return {d, {x, high}, {x, high}};
}

Layout::Route route(const Graph &g, const Sheet &sheet, const std::vector<int> &chain, int producer,
                    const Box &from, const Box &to, double entry) {
    Layout::Route r;
    std::vector<Point> run;
    for (size_t i = 0; i < chain.size(); i++) {
        const Item &item = g.items[size_t(chain[i])];
        const Point c = sheet.centre(item);
        Point enter{c.x, sheet.top_of(item.layer)}, leave{c.x, sheet.bottom_of(item.layer)};
        if (i == 0) leave.y = c.y + from.height / 2;
        if (i + 1 == chain.size()) r.end = enter = {c.x + entry, c.y - to.height / 2 - 5};
        if (item.label) r.label = enter = leave = c;
        if (i > 0) {
            const Item &above = g.items[size_t(chain[i - 1])];
            if (!sheet.same_column(above, item)) {
                const Point last = run.back();
                r.d += smooth_fall(run) + sheet.passage(above, producer, last, enter) + " ";
                run.clear();
            }
            run.push_back(enter);
        }
        if (i + 1 < chain.size() && (run.empty() || leave.y > run.back().y)) run.push_back(leave);
    }
    r.d += smooth_fall(run);
    return r;
}

}  // namespace

Layout lay_out(const std::vector<Box> &boxes, const std::vector<Link> &links, double page_width,
               double column_height) {
    if (boxes.empty()) return {};
    Graph g = layout::build(boxes, links);
    layout::order(g);
    layout::place(g);

    const Sheet sheet(g, links, page_width, column_height);
    Layout out;
    out.width = sheet.width();
    out.height = sheet.height();
    for (size_t i = 0; i < boxes.size(); i++) out.boxes.push_back(sheet.centre(g.items[i]));
    const std::vector<double> entry = entries(g, boxes, links);
    for (size_t k = 0; k < links.size(); k++) {
        const auto from = size_t(links[k].from), to = size_t(links[k].to);
        out.links.push_back(from == to ? loop(out.boxes[from], boxes[from])
                                       : route(g, sheet, g.chains[k], links[k].from, boxes[from],
                                               boxes[to], entry[k]));
    }
    return out;
}

}  // namespace argent::report
