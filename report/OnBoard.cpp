#include "report/Html.h"
#include "report/Sections.h"
#include "report/Svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace argent::report {
namespace {

const double left = 200, right = page_width - 16, row_height = 22;

const char *name_of(Doing::Kind kind) {
    static const char *const names[] = {"host", "driver", "launch", "read", "write"};
    return names[static_cast<int>(kind)];
}

const char *words_for(Doing::Kind kind) {
    static const char *const words[] = {"host stages", "driver", "launches", "port reads", "port writes"};
    return words[static_cast<int>(kind)];
}

/** The longest of 1, 2 and 5 times a power of ten of which about ten fit. */
double tick_of(double end) {
    const double power = std::pow(10, std::floor(std::log10(std::max(end / 10, 1e-3))));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power * 10 >= end) return factor * power;
    }
    return 10 * power;
}

std::string draw(const OnBoard &b) {
    const double top = 12, bottom = top + row_height * double(b.lanes.size()) + 6;
    Svg svg(page_width, bottom + 28, "the last frame on the board", "timeline");
    const double end = std::max(b.end, 1e-6), step = tick_of(end);
    const auto x_of = [&](double us) { return left + (right - left) * us / end; };
    const bool in_ms = end >= 2000;
    for (int k = 0; k * step <= end * 1.0001; k++) {
        const double x = x_of(k * step);
        svg.line({x, top}, {x, bottom}, "grid");
        if (x < right - 30) svg.text(x, bottom + 15, number(in_ms ? k * step / 1000 : k * step, 3), "tick", Svg::Anchor::Middle);
    }
    svg.text(right, bottom + 15, in_ms ? "ms" : "us", "tick", Svg::Anchor::End);
    double y = top + 4;
    for (const OnBoard::Lane &lane : b.lanes) {
        svg.text(left - 12, y + 14, shorten(lane.name, 26), "name", Svg::Anchor::End);
        int n = 0;
        for (const Doing &s : lane.doings) {
            // Launches that follow each other are told apart by their shade.
            const char *shade = s.kind == Doing::Kind::Launch && n++ % 2 != 0 ? " odd" : "";
            svg.rect(x_of(s.first), y + 3, std::max(x_of(s.last) - x_of(s.first), 0.6), row_height - 7, fmt::format("bar {}{}", name_of(s.kind), shade), 1,
                     fmt::format("{}: {} to {} us, {} us long", words_for(s.kind), number(s.first, 2), number(s.last, 2), number(s.last - s.first, 2)));
        }
        y += row_height;
    }
    return "<div class=\"drawing\"><div style=\"min-width:760px\">" + svg.str() + "</div></div>\n";
}

}  // namespace

std::string on_board(const Accelerator &a) {
    if (!a.measured || !a.measured->on_board || a.measured->on_board->lanes.empty()) return "";
    const OnBoard &b = *a.measured->on_board;
    std::string html = fmt::format("<h3>The last frame on {}: {} us</h3>\n", escape(a.measured->device), number(b.end, 1)) + draw(b) + "<p class=\"legend\">";
    for (int k = 0; k < 5; k++) {
        const auto kind = static_cast<Doing::Kind>(k);
        const auto does = [&](const OnBoard::Lane &lane) {
            return std::any_of(lane.doings.begin(), lane.doings.end(), [&](const Doing &s) { return s.kind == kind; });
        };
        if (std::any_of(b.lanes.begin(), b.lanes.end(), does)) html += fmt::format("<span class=\"key {}\"></span>{} ", name_of(kind), words_for(kind));
    }
    if (b.cut) html += "<span class=\"wide\">There was more than is drawn.</span>";
    return html + "</p>\n";
}

}  // namespace argent::report
