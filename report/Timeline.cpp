#include "report/Html.h"
#include "report/Sections.h"
#include "report/Svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace argent::report {
namespace {

using Anchor = Svg::Anchor;

const double left = 168, right = 940,
             row_height = 20;  // of the plot; names before it, two columns of clocks after it

/** Fill: until every span has begun. Drain: from the first end. Steady: between, if there is any. */
struct Phases {
    double fill = 0, drain = 0, end = 1;
    bool steady() const { return fill < drain; }
};

Phases phases(const Frame &f, const Frame *behind) {
    Phases p;
    p.end = double(std::max<int64_t>(f.clocks, 1));
    p.drain = p.end;
    for (const Span &s : f.spans) {
        p.fill = std::max(p.fill, double(s.first));
        p.drain = std::min(p.drain, double(s.last));
    }
    const auto reach = [&](const Frame &frame) {
        p.end = std::max(p.end, double(frame.clocks));
        for (const Span &s : frame.spans) p.end = std::max(p.end, double(s.last));
    };
    reach(f);
    if (behind) reach(*behind);
    return p;
}

/** Clocks to pixels. When fill and drain would be slivers, both are magnified and the steady part between is drawn short. */
class Axis {
public:
    explicit Axis(const Phases &p) : end(p.end), from(p.end), to(p.end) {
        const double head = p.fill * 1.15 + 4, tail = (p.end - p.drain) * 1.15 + 4;
        if (p.steady() && head + tail < 0.3 * p.end) {
            broken = true;
            from = head;
            to = p.end - tail;
            const double share = std::clamp(head / (head + tail), 0.35, 0.65);
            break_left = left + (right - left) * 0.76 * share;
            break_right = break_left + (right - left) * 0.24;
        }
    }
    double operator()(double clock) const {
        if (!broken) return left + (right - left) * clock / end;
        if (clock <= from) return left + (break_left - left) * clock / from;
        if (clock < to)
            return break_left + (break_right - break_left) * (clock - from) / (to - from);
        return break_right + (right - break_right) * (clock - to) / (end - to);
    }
    double end, from, to, break_left = 0, break_right = 0;
    bool broken = false;
};

double round_step(double range, int about) {
    const double raw = std::max(range / about, 1.0),
                 power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) return factor * power;
    }
    return 10 * power;
}

void draw_ticks(Svg &svg, const Axis &axis, double first, double last, double top, double bottom) {
    const double pixels = axis(last) - axis(first),
                 step = round_step(last - first, std::max(1, int(pixels / 62)));
    double free = axis(first) - 1;
    for (double clock = std::ceil(first / step) * step; clock <= last; clock += step) {
        const double x = axis(clock);
        svg.line({x, top}, {x, bottom}, "grid");
        if (x < free || x > right - 12) continue;
        svg.text(x, bottom + 15, count(int64_t(clock)), "tick", Anchor::Middle);
        free = x + 70;
    }
}

const char *kind_class(Span::Kind kind) {
    return kind == Span::Kind::Read ? "read" : kind == Span::Kind::Write ? "write" : "stage";
}

const Span *find(const Frame *f, const std::string &name) {
    if (!f) return nullptr;
    const auto it = std::find_if(f->spans.begin(), f->spans.end(),
                                 [&](const Span &s) { return s.name == name; });
    return it == f->spans.end() ? nullptr : &*it;
}

std::string tip(const char *what, const Span &s) {
    return fmt::format("{}, {}: clocks {} to {}, {} long", s.name, what, count(s.first),
                       count(s.last), count(s.last - s.first + 1));
}

/** `front` in full colour; `behind`, if any, pale and taller. */
std::string draw(const Frame &front, const Frame *behind, bool is_measured) {
    const Phases p = phases(front, behind);
    const Axis axis(p);
    const double top = 26, bottom = top + row_height * double(front.spans.size()) + 8;
    Svg svg(page_width, bottom + 28, "timeline of a frame", "timeline");

    if (p.steady()) {
        const double a = axis(p.fill), b = axis(p.drain);
        svg.rect(left, top, a - left, bottom - top, "band");
        svg.rect(b, top, axis(p.end) - b, bottom - top, "band");
        svg.text((left + a) / 2, top - 9, "fill", "phase", Anchor::Middle);
        svg.text((a + b) / 2, top - 9, "steady", "phase", Anchor::Middle);
        svg.text((b + axis(p.end)) / 2, top - 9, "drain", "phase", Anchor::Middle);
    }
    if (axis.broken) {
        draw_ticks(svg, axis, 0, axis.from, top, bottom);
        draw_ticks(svg, axis, axis.to, axis.end, top, bottom);
    } else {
        draw_ticks(svg, axis, 0, axis.end, top, bottom);
    }
    svg.text(right + 80, top - 9, "first", "phase", Anchor::End);
    svg.text(page_width - 8, top - 9, "last clock", "phase", Anchor::End);

    double y = top + 4;
    for (const Span &s : front.spans) {
        const double a = axis(double(s.first)), b = std::max(axis(double(s.last) + 1), a + 1.5);
        svg.text(left - 12, y + 14, shorten(s.name, 20), "name", Anchor::End);
        if (const Span *expected = find(behind, s.name)) {
            const double c = axis(double(expected->first)),
                         d = std::max(axis(double(expected->last) + 1), c + 1.5);
            svg.rect(c, y + 3, d - c, row_height - 6,
                     std::string("bar behind ") + kind_class(s.kind), 2,
                     tip("predicted", *expected));
            svg.rect(a, y + 7, b - a, row_height - 14, std::string("bar ") + kind_class(s.kind),
                     1.5, tip("measured", s));
        } else {
            svg.rect(a, y + 4.5, b - a, row_height - 9, std::string("bar ") + kind_class(s.kind), 2,
                     tip(is_measured ? "measured" : "predicted", s));
        }
        svg.text(right + 80, y + 14, count(s.first), "clock", Anchor::End);
        svg.text(page_width - 8, y + 14, count(s.last), "clock", Anchor::End);
        y += row_height;
    }
    if (axis.broken) {
        for (const double x : {axis.break_left, axis.break_right}) {
            svg.rect(x - 3, top - 2, 6, bottom - top + 4, "cut");
            svg.line({x - 3, top - 2}, {x - 3, bottom + 2}, "cutline");
            svg.line({x + 3, top - 2}, {x + 3, bottom + 2}, "cutline");
        }
        svg.text((axis.break_left + axis.break_right) / 2, bottom + 15, "drawn short", "tick",
                 Anchor::Middle);
    }
    return "<div class=\"drawing\"><div style=\"min-width:760px\">" + svg.str() + "</div></div>\n";
}

/** The same three phases to scale, as shares of the frame. */
std::string shares(const Frame &f) {
    const Phases p = phases(f, nullptr);
    if (f.spans.empty() || !p.steady()) return "";
    std::string bar = "<div class=\"shares\">", text = "<p class=\"legend\">To scale: ";
    const std::pair<const char *, double> parts[] = {
        {"fill", p.fill}, {"steady", p.drain - p.fill}, {"drain", p.end - p.drain}};
    for (const auto &[name, clocks] : parts) {
        const double share = 100 * clocks / p.end;
        bar += fmt::format("<i class=\"{}\" style=\"width:{:.3f}%\"></i>", name, share);
        text += fmt::format("{}{} {} clocks ({} %)", clocks == p.fill && name[0] == 'f' ? "" : ", ",
                            name, count(int64_t(clocks)), number(share, 2));
    }
    return bar + "</div>\n" + text + ".</p>\n";
}

std::string caption(const std::string &what, const Frame &f) {
    return fmt::format("<h3>{}: {} in {} clocks</h3>\n", what, extents({f.width, f.height}),
                       count(f.clocks));
}

std::string key(const Frame &f, bool both) {
    const std::pair<Span::Kind, const char *> kinds[] = {{Span::Kind::Read, "port reads"},
                                                         {Span::Kind::Stage, "stage"},
                                                         {Span::Kind::Write, "port writes"}};
    std::string html = "<p class=\"legend\">";
    for (const auto &[kind, text] : kinds) {
        if (std::any_of(f.spans.begin(), f.spans.end(),
                        [kind = kind](const Span &s) { return s.kind == kind; }))
            html += fmt::format("<span class=\"key {}\"></span>{} ", kind_class(kind), text);
    }
    if (both) html += "<span class=\"wide\">Pale and behind: predicted. Solid: measured.</span>";
    return html + "</p>\n";
}

}  // namespace

std::string timeline(const Accelerator &a) {
    std::string html;
    const bool predicted = a.timeline && !a.timeline->spans.empty();
    const bool measured = a.measured && !a.measured->frame.spans.empty();
    const Frame *behind = nullptr;
    if (measured) {
        const Frame &m = a.measured->frame;
        if (a.measured->predicted)
            behind = &*a.measured->predicted;
        else if (predicted && a.timeline->width == m.width && a.timeline->height == m.height)
            behind = &*a.timeline;
        html += caption(behind ? "Measured against predicted" : "Measured", m) +
                draw(m, behind, true) + shares(m);
    }
    if (predicted && (!measured || a.timeline->width != a.measured->frame.width ||
                      a.timeline->height != a.measured->frame.height))
        html += caption("Predicted", *a.timeline) + draw(*a.timeline, nullptr, false) +
                shares(*a.timeline);
    if (!html.empty()) html += key(measured ? a.measured->frame : *a.timeline, behind != nullptr);
    if (!a.formula.empty())
        html += fmt::format(
            "<p class=\"formula\"><span>Clocks of a W × H frame</span> <code>{}</code></p>\n",
            escape(a.formula));
    return html;
}

}  // namespace argent::report
