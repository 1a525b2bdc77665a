#include "report/Html.h"
#include "report/Layout.h"
#include "report/Sections.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace argent::report {
namespace {

using Anchor = Svg::Anchor;

const size_t many_stages = 24;  // from here on nodes have two lines, not three
const double mono = 0.605,
             sans = 0.56;  // widths of a character, of the font's size, on the wide side

double text_width(const std::string &text, double size, double em) {
    return double(length(text)) * size * em;
}

const char *kind_class(Stage::Kind kind) {
    return kind == Stage::Kind::Input ? "input" : kind == Stage::Kind::Output ? "output" : "stage";
}

/** The windows that a stage reads; single elements only if it reads nothing larger. */
std::string window_text(const Accelerator &a, int stage) {
    std::vector<std::string> large;
    bool any = false;
    for (const Edge &e : a.edges) {
        if (e.to != stage) continue;
        any = true;
        if (std::all_of(e.window.begin(), e.window.end(),
                        [](int64_t extent) { return extent <= 1; }))
            continue;
        const std::string text = extents(e.window);
        if (std::find(large.begin(), large.end(), text) == large.end()) large.push_back(text);
    }
    if (large.empty()) return any ? "point" : "";
    std::string all = large[0];
    for (size_t i = 1; i < std::min<size_t>(large.size(), 2); i++) all += ", " + large[i];
    return large.size() > 2 ? all + ", …" : all;
}

/** "int16 · 11 bit · −1020 to 1020" */
std::string type_text(const Stage &s, bool with_range) {
    std::string text = s.type;
    if (s.bits > 0) text += fmt::format("{}{} bit", text.empty() ? "" : " · ", s.bits);
    if (with_range && !s.low.empty() && s.low.size() + s.high.size() < 16) {
        const auto plain = [](const std::string &t) {
            return t.find_first_not_of("-0123456789") == std::string::npos ? count_text(t) : t;
        };
        text += " · " + plain(s.low) + " to " + plain(s.high);
    }
    return text;
}

std::string speed_text(const Stage &s) {
    std::string text = s.clocks == 1 ? fmt::format("{}/clk", s.lanes)
                                     : fmt::format("{} per {} clk", s.lanes, s.clocks);
    if (s.latency) text += fmt::format(" · latency {}", *s.latency);
    return text;
}

/** A node's texts and its size. */
struct Node {
    std::string name, window, type, speed, source;
    Box box;
};

Node node(const Accelerator &a, size_t index) {
    const Stage &s = a.stages[index];
    const bool compact = a.stages.size() >= many_stages;
    Node n;
    n.name = shorten(s.name, 28);
    n.window = s.kind == Stage::Kind::Input ? "input" : window_text(a, int(index));
    if (s.kind == Stage::Kind::Output) n.window += n.window.empty() ? "output" : " · output";
    n.type = type_text(s, !compact);
    n.speed = speed_text(s);
    if (s.source && !compact) n.source = shorten(place(*s.source), 22);
    const double first = text_width(n.name, 13, mono) + 18 + text_width(n.window, 11, sans);
    double second = text_width(n.type, 11, sans),
           third = text_width(n.speed, 11, sans) + 18 + text_width(n.source, 11, sans);
    if (compact) {
        second += 16 + third;
        third = 0;
    }
    n.box = {std::ceil(std::max({first, second, third, 108.0}) / 2) * 2 + 26,
             compact ? 42.0 : 60.0};
    return n;
}

void draw_node(Svg &svg, const Stage &s, const Node &n, Point centre, size_t index) {
    const double left = centre.x - n.box.width / 2, right = centre.x + n.box.width / 2,
                 top = centre.y - n.box.height / 2;
    std::string tip = s.name;
    if (!s.expression.empty()) tip += " = " + shorten(s.expression, 300);
    if (s.source) tip += "\n" + s.source->file + ":" + std::to_string(s.source->line);
    if (!s.reason.empty()) tip += "\n" + s.storage + ": " + s.reason;
    svg.open(fmt::format("node {}", kind_class(s.kind)), fmt::format("data-n=\"{}\"", index), tip);
    svg.rect(left, top, n.box.width, n.box.height, "box", s.kind == Stage::Kind::Stage ? 5 : 20);
    svg.text(left + 13, top + 18, n.name, "name");
    svg.text(right - 13, top + 18, n.window, "window", Anchor::End);
    svg.text(left + 13, top + 34, n.type, "detail");
    if (n.box.height > 50) {
        svg.text(left + 13, top + 50, n.speed, "detail");
        svg.text(right - 13, top + 50, n.source, "source", Anchor::End);
    } else {
        svg.text(right - 13, top + 34, n.speed, "detail", Anchor::End);
    }
    svg.close();
}

/** Whole rows are kept on it; only some elements; nothing. */
const char *edge_class(const Edge &e) {
    return e.delay.rows > 0 ? "rows" : e.depth > 0 || e.delay.cols > 0 ? "few" : "wire";
}

std::vector<std::string> edge_label(const Edge &e) {
    std::vector<std::string> lines;
    if (e.bits > 0) lines.push_back(count(e.bits) + " bit");
    if (e.delay.rows != 0 || e.delay.cols != 0) {
        (lines.empty() ? lines.emplace_back() : lines.back() += " · ") +=
            e.delay.rows != 0 ? distance(e.delay) : plural(e.delay.cols, "element");
        if (e.delay.rows != 0 && e.depth > 0) lines.push_back(plural(e.depth, "element"));
    } else if (e.depth > 0) {
        (lines.empty() ? lines.emplace_back() : lines.back() += " · ") +=
            plural(e.depth, "element");
    }
    return lines;
}

void draw_edge(Svg &svg, const Accelerator &a, const Edge &e, const Layout::Route &route) {
    const double width = 1.1 + std::log2(double(std::max<int64_t>(e.bits, 1))) / 4;
    const std::string tip = fmt::format(
        "{} → {}: {} bit wide, kept for {} ({}), {} read", a.stages[size_t(e.from)].name,
        a.stages[size_t(e.to)].name, count(e.bits), distance(e.delay), plural(e.depth, "element"),
        plural(int64_t(e.reads.size()), "tap"));
    svg.open(fmt::format("edge {}", edge_class(e)),
             fmt::format("data-f=\"{}\" data-t=\"{}\"", e.from, e.to), tip);
    svg.path(route.d, "line", fmt::format("stroke-width=\"{}\"", px(width)));
    if (e.from != e.to)
        svg.path(fmt::format("M{} {} l-4.5 -7.5 h9 z", px(route.end.x), px(route.end.y + 5)),
                 "head");
    svg.close();
}

void draw_label(Svg &svg, const Edge &e, const Link &link, Point at) {
    const auto lines = edge_label(e);
    if (lines.empty() || e.from == e.to) return;
    svg.open(fmt::format("label {}", edge_class(e)),
             fmt::format("data-f=\"{}\" data-t=\"{}\"", e.from, e.to));
    const double height = 14.0 * double(lines.size());
    svg.rect(at.x - link.label.width / 2 + 3, at.y - height / 2, link.label.width - 6, height,
             "back");
    for (size_t i = 0; i < lines.size(); i++)
        svg.text(at.x, at.y - height / 2 + 10.5 + 14.0 * double(i), lines[i], "t", Anchor::Middle);
    svg.close();
}

std::string legend(const Accelerator &a) {
    std::set<std::string> used;
    for (const Edge &e : a.edges) used.insert(edge_class(e));
    std::string html = "<p class=\"legend\">";
    if (used.count("rows")) html += "<span class=\"key rows\"></span>rows are kept in memory ";
    if (used.count("few")) html += "<span class=\"key few\"></span>a few elements are kept ";
    if (used.count("wire")) html += "<span class=\"key wire\"></span>straight through ";
    return html +
           "<span class=\"wide\">Edges: width · how long elements are kept · how many."
           "</span></p>\n";
}

}  // namespace

std::string dataflow(const Accelerator &a) {
    if (a.stages.empty()) return "";
    std::vector<Node> nodes;
    std::vector<Box> boxes;
    for (size_t i = 0; i < a.stages.size(); i++) {
        nodes.push_back(node(a, i));
        boxes.push_back(nodes.back().box);
    }
    std::vector<Link> links;
    for (const Edge &e : a.edges) {
        Link link{e.from, e.to, {0, 0}};
        for (const std::string &line : edge_label(e)) {
            link.label.width =
                std::max(link.label.width, std::ceil(text_width(line, 11, sans)) + 12);
            link.label.height += 14;
        }
        links.push_back(link);
    }
    const Layout layout = lay_out(boxes, links, page_width, 760);

    Svg svg(layout.width, layout.height,
            fmt::format("dataflow graph of {} stages", a.stages.size()), "dataflow");
    for (size_t k = 0; k < a.edges.size(); k++) draw_edge(svg, a, a.edges[k], layout.links[k]);
    for (size_t k = 0; k < a.edges.size(); k++)
        draw_label(svg, a.edges[k], links[k], layout.links[k].label);
    for (size_t i = 0; i < nodes.size(); i++)
        draw_node(svg, a.stages[i], nodes[i], layout.boxes[i], i);
    return fmt::format("<div class=\"drawing\"><div style=\"min-width:{}px\">{}</div></div>\n{}",
                       px(std::min(layout.width, layout.width * 0.72)), svg.str(), legend(a));
}

}  // namespace argent::report
