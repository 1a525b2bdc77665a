#include "report/Svg.h"

#include "report/Html.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace argent::report {
namespace {

std::string tip_element(const std::string &tip) {
    return tip.empty() ? "" : "<title>" + escape(tip) + "</title>";
}

std::string space(const std::string &attributes) {
    return attributes.empty() ? "" : " " + attributes;
}

std::string at(Point p) {
    return px(p.x) + " " + px(p.y);
}

/** The point `distance` from `from` on the way to `to`. */
Point towards(Point from, Point to, double distance) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length == 0) return from;
    const double t = std::min(1.0, distance / length);
    return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

}  // namespace

std::string px(double value) {
    const auto tenths = static_cast<long long>(std::llround(value * 10));
    if (tenths % 10 == 0) return std::to_string(tenths / 10);
    return fmt::format("{}{}.{}", tenths < 0 ? "-" : "", std::llabs(tenths) / 10,
                       std::llabs(tenths) % 10);
}

Svg::Svg(double width, double height, const std::string &label, const std::string &css) {
    body = fmt::format(
        "<svg{} role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\">\n",
        css.empty() ? "" : " class=\"" + css + "\"", escape(label), px(width), px(height),
        px(width), px(height));
}

void Svg::rect(double x, double y, double w, double h, const std::string &css, double radius,
               const std::string &tip) {
    body += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", css,
                        px(x), px(y), px(std::max(w, 0.0)), px(std::max(h, 0.0)),
                        radius > 0 ? fmt::format(" rx=\"{}\"", px(radius)) : "");
    body += tip.empty() ? "/>\n" : ">" + tip_element(tip) + "</rect>\n";
}

void Svg::line(Point from, Point to, const std::string &css) {
    body += fmt::format("<path class=\"{}\" d=\"M{} L{}\"/>\n", css, at(from), at(to));
}

void Svg::path(const std::string &d, const std::string &css, const std::string &attributes,
               const std::string &tip) {
    body += fmt::format("<path class=\"{}\"{} d=\"{}\"", css, space(attributes), d);
    body += tip.empty() ? "/>\n" : ">" + tip_element(tip) + "</path>\n";
}

void Svg::circle(Point centre, double radius, const std::string &css) {
    body += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", css, px(centre.x),
                        px(centre.y), px(radius));
}

void Svg::text(double x, double y, const std::string &content, const std::string &css,
               Anchor anchor) {
    const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    body += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n", css, px(x), px(y),
                        anchors[int(anchor)], escape(content));
}

void Svg::open(const std::string &css, const std::string &attributes, const std::string &tip) {
    body += fmt::format("<g class=\"{}\"{}>{}\n", css, space(attributes), tip_element(tip));
}

void Svg::close() {
    body += "</g>\n";
}

std::string Svg::str() const {
    return body + "</svg>\n";
}

std::string smooth_fall(const std::vector<Point> &points) {
    // x as a monotone cubic of y (Fritsch and Carlson), so that no bend overshoots
    const size_t n = points.size();
    std::vector<double> secant(n, 0), slope(n, 0);
    for (size_t i = 0; i + 1 < n; i++)
        secant[i] = (points[i + 1].x - points[i].x) / std::max(points[i + 1].y - points[i].y, 1e-3);
    for (size_t i = 1; i + 1 < n; i++) {
        const double a = secant[i - 1], b = secant[i];
        if (a * b > 0) slope[i] = 2 * a * b / (a + b);
    }
    std::string d = "M" + at(points.front());
    for (size_t i = 0; i + 1 < n; i++) {
        const Point &p = points[i], &q = points[i + 1];
        const double third = (q.y - p.y) / 3;
        if (std::abs(p.x - q.x) < 0.05)
            d += " L" + at(q);
        else
            d += fmt::format(" C{} {} {}", at({p.x + slope[i] * third, p.y + third}),
                             at({q.x - slope[i + 1] * third, q.y - third}), at(q));
    }
    return d;
}

std::string rounded_corners(const std::vector<Point> &points, double radius) {
    std::string d;
    for (size_t i = 1; i + 1 < points.size(); i++) {
        const Point &p = points[i - 1], &q = points[i], &r = points[i + 1];
        const double reach = std::min(
            {radius, std::hypot(q.x - p.x, q.y - p.y) / 2, std::hypot(r.x - q.x, r.y - q.y) / 2});
        d += fmt::format(" L{} Q{} {}", at(towards(q, p, reach)), at(q), at(towards(q, r, reach)));
    }
    return d + " L" + at(points.back());
}

}  // namespace argent::report
