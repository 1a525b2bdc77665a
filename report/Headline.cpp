#include "report/Html.h"
#include "report/Sections.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>

namespace argent::report {
namespace {

/** A figure people look for: what, how much, and a line to judge it by. */
std::string figure(const std::string &label, const std::string &value, const std::string &unit,
                   const std::string &remark, const std::string &css = "") {
    return fmt::format(
        "<div class=\"figure{}\"><dt>{}</dt><dd><b>{}</b>{}<small>{}</small></dd></div>\n",
        css.empty() ? "" : " " + css, label, value,
        unit.empty() ? "" : " <span>" + unit + "</span>", remark);
}

std::string ratio_to_ideal(const Frame &f) {
    if (f.ideal <= 0) return "";
    const double ratio = double(f.clocks) / double(f.ideal);
    return fmt::format("{:.{}f} × the ideal<br/>of {}", ratio, ratio < 1.1 ? 4 : 2, count(f.ideal));
}

std::string predicted(const Frame &f) {
    return figure("Clocks for a frame", count(f.clocks), "",
                  ratio_to_ideal(f).empty() ? "predicted" : "predicted, " + ratio_to_ideal(f));
}

std::string frame_rate(const Accelerator &a, const Frame &f) {
    if (a.clock_mhz <= 0 || f.clocks <= 0) return "";
    const double rate = a.clock_mhz * 1e6 / double(f.clocks);
    return figure("Frame rate", number(rate, rate < 100 ? 1 : 0), "per second",
                  fmt::format("{} Mpixel/s at {} MHz",
                              number(rate * double(f.width) * double(f.height) / 1e6, 0),
                              number(a.clock_mhz, 1)));
}

/** The prediction for what was simulated, if the report holds one. */
const Frame *prediction_for(const Accelerator &a) {
    const Measured &m = *a.measured;
    if (m.predicted) return &*m.predicted;
    if (a.timeline && a.timeline->width == m.frame.width && a.timeline->height == m.frame.height)
        return &*a.timeline;
    return nullptr;
}

std::string measured(const Accelerator &a) {
    const Measured &m = *a.measured;
    const Frame *p = prediction_for(a);
    std::string css, remark = extents({m.frame.width, m.frame.height});
    if (p && p->clocks == m.frame.clocks) {
        css = "good";
        remark = "✓ as predicted, at " + remark;
    } else if (p) {
        const int64_t more = m.frame.clocks - p->clocks;
        css = "off";
        remark = fmt::format("{} {} than predicted, at {}", count(std::llabs(more)),
                             more > 0 ? "more" : "fewer", remark);
    } else {
        remark = "at " + remark;
    }
    std::string html = figure("Measured clocks", count(m.frame.clocks), "", remark, css);
    if (m.different && m.elements) {
        const bool equal = *m.different == 0;
        html += figure(
            "Against the CPU", equal ? "equal" : plural(*m.different, "difference"), "",
            fmt::format("{}{} elements compared", equal ? "✓ all " : "✗ ", count(*m.elements)),
            equal ? "good" : "off");
    }
    return html;
}

std::string resource(const char *label, const std::optional<int64_t> &used,
                     const std::optional<int64_t> &all, const std::string &part, bool is_estimate) {
    if (!used) return "";
    std::string remark = is_estimate ? "estimated" : "";
    if (all && *all > 0) {
        const double share = 100.0 * double(*used) / double(*all);
        remark = fmt::format("<i class=\"share\"><i style=\"width:{:.1f}%\"></i></i>{}{} % of {}",
                             std::min(share, 100.0), is_estimate ? "estimated, " : "", number(share, 1),
                             part.empty() ? count(*all) : escape(part));
    }
    return figure(label, count(*used), "", remark);
}

}  // namespace

std::string headline(const Report &report, const Accelerator &a) {
    std::string html = fmt::format(
        "<header>\n<p class=\"kind\">Argent · streaming accelerator{}</p>\n<h1>{}</h1>\n<p "
        "class=\"what\">",
        a.name == report.function ? "" : " of " + escape(report.function), escape(a.name));
    std::vector<std::string> facts;
    if (!a.board.empty()) facts.push_back("<b>" + escape(a.board) + "</b>");
    if (!a.part.empty()) facts.push_back(escape(a.part));
    if (a.clock_mhz > 0) facts.push_back(number(a.clock_mhz, 2) + " MHz");
    if (a.source) facts.push_back("<code>" + escape(place(*a.source)) + "</code>");
    for (size_t i = 0; i < facts.size(); i++) html += (i ? " · " : "") + facts[i];
    html += "</p>\n<dl class=\"figures\">\n";

    std::vector<int64_t> block;
    for (const Extent &e : a.block) block.push_back(e.extent);
    html += figure("Throughput", count(a.pixels),
                   a.per_clocks == 1 ? (a.pixels == 1 ? "pixel per clock" : "pixels per clock")
                                     : fmt::format("pixel{} per {} clocks",
                                                   a.pixels == 1 ? "" : "s", count(a.per_clocks)),
                   block.empty() ? "" : "block up to " + extents(block));
    if (a.timeline) html += predicted(*a.timeline) + frame_rate(a, *a.timeline);
    if (a.measured) html += measured(a);
    html += "</dl>\n";

    if (a.resources) {
        const Resources used = *a.resources, all = a.capacity.value_or(Resources{});
        const std::string part = a.part.substr(0, a.part.find("clg"));
        html += "<dl class=\"figures area\">\n" + resource("LUT", used.lut, all.lut, part, used.is_estimate) +
                resource("Flip-flops", used.ff, all.ff, part, used.is_estimate) +
                resource("RAMB18", used.bram18, all.bram18, part, used.is_estimate) +
                resource("DSP", used.dsp, all.dsp, part, used.is_estimate) + "</dl>\n";
    }
    return html + "</header>\n";
}

std::string warnings(const Accelerator &a) {
    if (a.warnings.empty()) return "";
    std::string html = "<ul class=\"warnings\">\n";
    for (const std::string &w : a.warnings)
        html +=
            fmt::format("<li{}>{}</li>\n",
                        w.find("note: ") < w.find("warning: ") ? " class=\"note\"" : "", escape(w));
    return html + "</ul>\n";
}

std::string pictures(const Accelerator &a) {
    if (a.pictures.empty()) return "";
    std::string html = "<div class=\"pictures\">\n";
    for (const Picture &p : a.pictures) {
        html += fmt::format(
            "<figure><img src=\"data:image/png;base64,{}\" alt=\"{}\" width=\"{}\" "
            "height=\"{}\"{}/>"
            "<figcaption><b>{}</b> {}{}</figcaption></figure>\n",
            p.base64, escape(p.title), p.width, p.height, p.width < 400 ? " class=\"small\"" : "",
            escape(p.title), extents({p.width, p.height}),
            p.note.empty() ? "" : " · " + escape(p.note));
    }
    return html + "</div>\n";
}

}  // namespace argent::report
