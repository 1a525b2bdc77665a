#include "report/Html.h"
#include "report/Sections.h"
#include "report/Svg.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

namespace argent::report {
namespace {

using Anchor = Svg::Anchor;

/** How long ago a tap's element came: rows, then positions. */
struct Age {
    int64_t rows, cols;
    bool operator<(const Age &o) const { return rows != o.rows ? rows < o.rows : cols < o.cols; }
};

/** The taps of one edge by age. An edge's delay is the age of its oldest read, which is the first one in scan order. */
std::vector<Age> ages(const Edge &e) {
    std::vector<Age> list;
    if (e.reads.empty()) return list;
    const auto oldest = *std::min_element(
        e.reads.begin(), e.reads.end(),
        [](const auto &a, const auto &b) { return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0]; });
    for (const auto &read : e.reads)
        list.push_back(
            {e.delay.rows - (read[1] - oldest[1]), e.delay.cols - (read[0] - oldest[0])});
    return list;
}

/** Which of `first..last` are drawn; a run of more than `longest` that holds no tap becomes one gap (-1 in the list). */
struct Scale {
    std::vector<int64_t> shown;
    std::map<int64_t, int> slot;
    std::map<int, int64_t> hidden;  // slot of a gap -> how many it stands for

    Scale(int64_t first, int64_t last, const std::set<int64_t> &needed, int64_t longest) {
        std::vector<int64_t> stops(needed.begin(), needed.end());
        if (stops.empty() || stops.front() != first) stops.insert(stops.begin(), first);
        if (stops.back() != last) stops.push_back(last);
        for (size_t i = 0; i < stops.size(); i++) {
            if (i > 0) {
                const int64_t between = stops[i] - stops[i - 1] - 1;
                if (between > longest) {
                    hidden[int(shown.size())] = between;
                    shown.push_back(-1);
                } else {
                    for (int64_t v = stops[i - 1] + 1; v < stops[i]; v++) add(v);
                }
            }
            add(stops[i]);
        }
    }
    void add(int64_t v) {
        slot[v] = int(shown.size());
        shown.push_back(v);
    }
    int size() const { return int(shown.size()); }
    bool gap(int i) const { return hidden.count(i) > 0; }
};

/** The kept rows as they lie in the image: registers and taps at the left, the rest of each row in memory. */
std::string sketch(const Accelerator &a, const Window &w, const std::vector<const Edge *> &edges) {
    std::map<Age, std::string> taps;
    std::set<int64_t> rows, cols;
    for (const Edge *e : edges) {
        for (const Age &age : ages(*e)) {
            std::string &who = taps[age];
            const std::string &name = a.stages[size_t(e->to)].name;
            if (who.find(name) == std::string::npos) who += (who.empty() ? "" : ", ") + name;
            rows.insert(age.rows);
            cols.insert(age.cols);
        }
    }
    if (taps.empty()) return "";
    const Scale down(std::min<int64_t>(*rows.begin(), 0), std::max(*rows.rbegin(), w.rows), rows,
                     3);
    const Scale left(std::min<int64_t>(*cols.begin(), 0), *cols.rbegin(), cols, 5);

    const double cell = std::clamp(std::min(190.0 / left.size(), 150.0 / down.size()), 5.0, 17.0),
                 gap = cell > 9 ? 2 : 1;
    const double grid = cell * left.size(), ram = grid + 14, end = 400, top = 6;
    const bool has_rows = w.rows > 0;
    // registers of a row: from where it comes in, or its newest tap, to its oldest tap
    const auto reach = [&](int64_t row) {
        std::pair<int64_t, int64_t> range{row == 0 ? 0 : INT64_MAX, INT64_MIN};
        for (const auto &tap : taps) {
            if (tap.first.rows != row) continue;
            range.first = std::min(range.first, tap.first.cols);
            range.second = std::max(range.second, tap.first.cols);
        }
        return range;
    };
    Svg svg(500, top + cell * down.size() + 8,
            "kept elements of " + a.stages[size_t(w.producer)].name, "buffer");
    for (int r = 0; r < down.size(); r++) {
        const int from_newest = down.size() - 1 - r;
        const double y = top + cell * r;
        if (down.gap(from_newest)) {
            svg.text(grid / 2, y + cell / 2 + 4, "⋮", "more", Anchor::Middle);
            svg.line({ram, y + (cell - gap) / 2}, {end, y + (cell - gap) / 2}, "hidden");
            svg.text(end + 12, y + cell / 2 + 4,
                     fmt::format("{} more", plural(down.hidden.at(from_newest), "row")), "more");
            continue;
        }
        const int64_t row = down.shown[size_t(from_newest)];
        for (int c = 0; c < left.size(); c++) {
            const int col_slot = left.size() - 1 - c;
            const double x = cell * c;
            if (left.gap(col_slot)) {
                svg.text(x + cell / 2, y + cell / 2 + 4, "…", "more", Anchor::Middle);
                continue;
            }
            const auto tap = taps.find({row, left.shown[size_t(col_slot)]});
            const double size = cell - gap;
            const auto [newest, oldest] = reach(row);
            const int64_t col = left.shown[size_t(col_slot)];
            if (tap == taps.end() && newest <= col && col <= oldest)
                svg.rect(x, y, size, size, "reg", 1.5);
            else if (tap != taps.end())
                svg.rect(x, y, size, size, "tap", 1.5, fmt::format("read by {}", tap->second));
        }
        if (row > 0 && row <= w.rows) {
            svg.rect(ram, y + (cell - gap) * 0.12, end - ram, (cell - gap) * 0.76, "ram", 2,
                     fmt::format("{} back, in memory", plural(row, "row")));
        } else if (row == 0) {
            svg.line({end, y + (cell - gap) / 2}, {has_rows ? ram : grid + 8, y + (cell - gap) / 2},
                     "stream");
            const double tip = has_rows ? ram : grid + 8, middle = y + (cell - gap) / 2;
            svg.path(fmt::format("M{} {} l8 -4 v8 z", px(tip - 6), px(middle)), "streamhead");
            svg.text(end + 12, middle + 4, "newest", "more");
        }
        if (row > 0 && r == 0 && cell * down.size() > 30)
            svg.text(end + 12, y + (cell - gap) / 2 + 4, "oldest", "more");
    }
    return svg.str();
}

/** One consumer's taps around its own element. */
std::string stencil(const Accelerator &a, const Edge &e) {
    int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    for (const auto &read : e.reads) {
        x0 = std::min(x0, read[0]), x1 = std::max(x1, read[0]);
        y0 = std::min(y0, read[1]), y1 = std::max(y1, read[1]);
    }
    const std::string caption =
        fmt::format("<figcaption><code>{}</code> {}</figcaption>",
                    escape(a.stages[size_t(e.to)].name), plural(int64_t(e.reads.size()), "tap"));
    if (e.reads.empty() || double(x1) - double(x0) > 40 || double(y1) - double(y0) > 40)
        return "<figure>" + caption + "</figure>\n";
    const double cell = std::clamp(66.0 / double(std::max(x1 - x0, y1 - y0) + 1), 3.0, 11.0);
    Svg svg(cell * double(x1 - x0 + 1), cell * double(y1 - y0 + 1),
            "taps of " + a.stages[size_t(e.to)].name, "buffer");
    const std::set<std::array<int64_t, 2>> reads(e.reads.begin(), e.reads.end());
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++)
            svg.rect(cell * double(x - x0), cell * double(y - y0), cell - 1, cell - 1,
                     reads.count({x, y}) ? "tap" : "reg", 1);
    }
    svg.circle({cell * (0.5 - double(x0)) - 0.5, cell * (0.5 - double(y0)) - 0.5}, cell * 0.17,
               reads.count({0, 0}) ? "origin on" : "origin");
    return "<figure>" + svg.str() + caption + "</figure>\n";
}

std::string sizes(const Window &w) {
    std::vector<std::string> facts;
    if (w.ram_bits > 0) {
        std::string text = "<b>" + bits(w.ram_bits) + "</b> in " +
                           (w.memory.empty() ? "memory" : escape(w.memory));
        if (w.row_words > 0 && w.row_bits > 0)
            text += fmt::format(", {} of {} bit", plural(w.row_words, "word"), count(w.row_bits));
        facts.push_back(text);
    }
    if (w.register_bits > 0) facts.push_back("<b>" + bits(w.register_bits) + "</b> in registers");
    if (w.repeats_rows) facts.push_back("repeats the first and the last row beyond the edges");
    std::string html;
    for (const std::string &fact : facts) html += (html.empty() ? "" : " · ") + fact;
    return html;
}

std::string card(const Accelerator &a, const Window &w) {
    std::vector<const Edge *> edges;
    for (const Edge &e : a.edges) {
        if (e.from == w.producer &&
            std::find(w.consumers.begin(), w.consumers.end(), e.to) != w.consumers.end())
            edges.push_back(&e);
    }
    const std::string form = w.form == "window" ? "" : w.form;
    std::string html =
        fmt::format("<div class=\"card\"><h3><code>{}</code>{}</h3>\n<p class=\"sizes\">{}</p>\n",
                    escape(a.stages[size_t(w.producer)].name),
                    w.rows > 0     ? " " + plural(w.rows, "row") + " kept"
                    : form.empty() ? ""
                                   : " " + escape(form),
                    sizes(w));
    html += sketch(a, w, edges) + "<div class=\"stencils\">\n";
    const size_t shown = edges.size() > 7 ? 6 : edges.size();
    for (size_t i = 0; i < shown; i++) html += stencil(a, *edges[i]);
    if (shown < edges.size())
        html += fmt::format("<figure><figcaption>and {} more</figcaption></figure>\n",
                            edges.size() - shown);
    return html + "</div></div>\n";
}

/** Bits on chip against those of stages that each keep their own. */
std::string comparison(const Accelerator &a) {
    if (!a.buffered_bits) return "";
    if (!a.separate_bits || *a.separate_bits <= 0)
        return fmt::format("<p>{} are kept on chip in all.</p>\n", bits(*a.buffered_bits));
    const double widest = double(std::max(*a.buffered_bits, *a.separate_bits));
    const auto bar = [&](const char *name, int64_t value, const char *css) {
        return fmt::format(
            "<tr><th>{}</th><td class=\"n\">{}</td><td class=\"bar\"><i class=\"{}\" "
            "style=\"width:{:.1f}%\"></i></td></tr>\n",
            name, bits(value), css, 100 * double(value) / widest);
    };
    return "<table class=\"bars\"><tbody>\n" +
           bar("Kept here, all stages together", *a.buffered_bits, "ours") +
           bar("A chain of separate stages", *a.separate_bits, "theirs") + "</tbody></table>\n";
}

/** What is kept whole. */
std::string rams(const Accelerator &a) {
    if (a.rams.empty()) return "";
    std::string html =
        "<table class=\"plain\">\n<caption>Kept whole, in RAMs: who reads one waits until it is full</caption>\n"
        "<thead><tr><th>Of</th><th class=\"n\">At most</th><th class=\"n\">Memory</th><th>Filled by</th><th>Read "
        "by</th></tr></thead>\n<tbody>\n";
    for (const Ram &ram : a.rams) {
        std::string readers;
        for (const std::string &reader : ram.readers)
            readers += fmt::format("{}<code>{}</code>", readers.empty() ? "" : ", ", escape(reader));
        html += fmt::format(
            "<tr><td><code>{}</code></td><td class=\"n\">{} × {}</td><td class=\"n\">{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
            escape(ram.name), count(ram.columns), count(ram.rows), bits(ram.bits), escape(ram.writer), readers);
    }
    return html + "</tbody></table>\n";
}

}  // namespace

std::string line_buffers(const Accelerator &a) {
    if (a.windows.empty() && !a.buffered_bits) return "";
    std::string html = comparison(a) + "<div class=\"cards\">\n";
    std::string small;
    for (const Window &w : a.windows) {
        if (w.rows > 0 || w.ram_bits > 0)
            html += card(a, w);
        else
            small += card(a, w);
    }
    if (html.find("class=\"tap\"") != std::string::npos || !small.empty()) {
        html +=
            "</div>\n<p class=\"legend\"><span class=\"key tap\"></span>read by a stage <span "
            "class=\"key reg\"></span>kept in a register "
            "<span class=\"key ram\"></span>kept in memory <span class=\"wide\">The ring is the "
            "consumer's own element.</span></p>\n";
    } else {
        html += "</div>\n";
    }
    if (!small.empty())
        html += "<details><summary>Windows of registers only</summary>\n<div class=\"cards\">\n" +
                small + "</div></details>\n";
    return html + rams(a);
}

}  // namespace argent::report
