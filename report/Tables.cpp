#include "report/Html.h"
#include "report/Sections.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

namespace argent::report {
namespace {

template<typename T>
std::string cell(const std::optional<T> &value) {
    return fmt::format("<td class=\"n\">{}</td>", value ? count(*value) : "");
}

bool any_resources(const Accelerator &a) {
    return std::any_of(a.stages.begin(), a.stages.end(),
                       [](const Stage &s) { return s.resources.has_value(); });
}

bool any(const Accelerator &a, bool (*has)(const Stage &)) {
    return std::any_of(a.stages.begin(), a.stages.end(), has);
}

const char *const kinds[] = {"input", "", "output"};

/** The critical path against the clock's period, as a number over a bar. */
std::string critical(const Stage &s, double period) {
    if (!s.critical_ns) return "<td></td>";
    const double share = period > 0 ? *s.critical_ns / period : 0;
    return fmt::format("<td class=\"n timing{}\">{:.2f}<i><i style=\"width:{:.0f}%\"></i></i></td>",
                       share > 1 ? " late" : "", *s.critical_ns, std::min(100.0, 100 * share));
}

/** "blur → add 10 bits → register" */
std::string path_of(const Stage &s) {
    std::string text;
    for (const std::string &word : s.critical_path) text += (text.empty() ? "" : " → ") + escape(word);
    return text;
}

/** The stage whose path is the longest, and where the user wrote of it: nobody knows the line of a definition. */
std::string longest_path(const Accelerator &a, double period) {
    const Stage *longest = nullptr;
    for (const Stage &s : a.stages) {
        const bool is_longer = s.critical_ns && !s.critical_path.empty() && (!longest || *s.critical_ns > *longest->critical_ns);
        if (is_longer) longest = &s;
    }
    if (!longest) return "";
    const std::optional<Source> &source = longest->source ? longest->source : a.source;
    const std::string at = source ? " (" + escape(place(*source)) + ")" : "";
    const std::string of = period > 0 ? fmt::format("{:.2f} of {:.2f} ns", *longest->critical_ns, period) : fmt::format("{:.2f} ns", *longest->critical_ns);
    const bool is_late = period > 0 && *longest->critical_ns > period;
    return fmt::format("<p class=\"longest\">The longest path: <code>{}</code>{}: {}, <b>{}</b>{}. Paths of the stages' operators; those of the head, the windows' control and the FIFOs "
                       "are not in the model.</p>\n",
                       escape(longest->name), at, path_of(*longest), of, is_late ? ", longer than the period" : "");
}

}  // namespace

std::string stage_table(const Accelerator &a) {
    if (a.stages.empty()) return "";
    const bool resources = any_resources(a),
               timing = any(a, [](const Stage &s) { return s.critical_ns.has_value(); });
    const double period = a.clock_mhz > 0 ? 1000 / a.clock_mhz : 0;
    std::string html =
        "<div class=\"drawing\"><table class=\"stages\">\n<thead><tr><th>Stage</th><th>Type</th>"
        "<th class=\"n\">From</th><th class=\"n\">To</th><th class=\"n\">Bits</th><th "
        "class=\"n\">Per clock</th>"
        "<th class=\"n\">Displacement</th><th class=\"n\">Latency</th>";
    int columns = 8;
    if (timing) {
        html += fmt::format("<th class=\"n\">Path, ns{}</th>",
                            period > 0 ? fmt::format("<small>of {:.2f}</small>", period) : "");
        columns++;
    }
    if (resources) {
        const bool is_estimate = any(a, [](const Stage &s) { return s.resources && s.resources->is_estimate; });
        for (const char *of : {"LUT", "FF", "RAMB18", "DSP"})
            html += fmt::format("<th class=\"n\">{}{}</th>", of, is_estimate ? "<small>est.</small>" : "");
        columns += 4;
    }
    html += "</tr></thead>\n";
    for (const Stage &s : a.stages) {
        const std::string per_clock =
            s.clocks == 1 ? count(s.lanes) : fmt::format("{} / {}", s.lanes, s.clocks);
        html += fmt::format(
            "<tbody><tr><th><code>{}</code>{}</th><td>{}</td><td class=\"n\">{}</td><td "
            "class=\"n\">{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">{}</td>{}",
            escape(s.name),
            s.kind == Stage::Kind::Stage ? "" : fmt::format(" <em>{}</em>", kinds[int(s.kind)]),
            escape(s.type), count_text(s.low), count_text(s.high), s.bits > 0 ? count(s.bits) : "",
            per_clock, s.displacement ? distance(*s.displacement) : "", cell(s.latency));
        if (timing) html += critical(s, period);
        if (resources) {
            const Resources r = s.resources.value_or(Resources{});
            html += cell(r.lut) + cell(r.ff) + cell(r.bram18) + cell(r.dsp);
        }
        html += "</tr>\n";
        std::string more;
        if (!s.expression.empty())
            more += fmt::format("<code class=\"expression\">{}</code>", escape(s.expression));
        std::string notes;
        if (s.source)
            notes += fmt::format("<span class=\"at\" title=\"{0}:{1}\">{2}</span> ",
                                 escape(s.source->file), s.source->line, escape(place(*s.source)));
        if (!s.storage.empty())
            notes += "<b>" + (s.storage == "none" ? "not kept" : escape(s.storage)) + "</b>";
        if (!s.reason.empty()) notes += (s.storage.empty() ? "" : ": ") + escape(s.reason);
        if (s.shared)
            notes += fmt::format(" · <b>shared in time</b>: {} set{} of operators for {}, in {} slots", s.shared->sets, s.shared->sets == 1 ? "" : "s",
                                 s.shared->in_place_of, s.shared->slots);
        if (!notes.empty()) more += "<p>" + notes + "</p>";
        if (!s.critical_path.empty()) more += "<p><b>path</b>: " + path_of(s) + "</p>";
        if (!more.empty())
            html +=
                fmt::format("<tr class=\"more\"><td colspan=\"{}\">{}</td></tr>\n", columns, more);
        html += "</tbody>\n";
    }
    return html + "</table></div>\n" + longest_path(a, period);
}

std::string traffic(const Accelerator &a) {
    const std::optional<Measured> &m = a.measured;
    if (a.traffic.empty() && !m) return "";
    std::string html;
    if (!a.traffic.empty()) {
        double widest = 0;
        bool stalls = false;
        for (const Port &p : a.traffic) {
            widest = std::max({widest, p.available, p.needed});
            stalls = stalls || p.stalls;
        }
        html = fmt::format(
            "<table class=\"bars\">\n<thead><tr><th>Port</th><th></th><th class=\"n\">Bus</th><th "
            "class=\"n\">Needed</th>"
            "<th class=\"n\">Available</th><th></th>{}</tr></thead>\n<tbody>\n",
            stalls ? "<th class=\"n\">Stalled clocks</th>" : "");
        for (const Port &p : a.traffic) {
            const bool short_of = p.needed > p.available;
            const double scale = widest > 0 ? 100 / widest : 0;
            html += fmt::format(
                "<tr{}><th><code>{}</code></th><td>{}</td><td class=\"n\">{}</td><td "
                "class=\"n\"><b>{}</b></td><td class=\"n\">{}</td>"
                "<td class=\"bar\"><i class=\"available\" style=\"width:{:.1f}%\"></i><i "
                "class=\"needed {}\" style=\"width:{:.1f}%\"></i>{}</td>",
                short_of ? " class=\"short\"" : "", escape(p.name),
                escape(p.direction) + (p.is_stream ? ", AXI4-Stream" : ""),
                p.bus_bytes ? count(p.bus_bytes * 8) + " bit" : "", number(p.needed, 3),
                number(p.available, 3), p.available * scale,
                p.direction == "write" ? "write" : "read", p.needed * scale,
                short_of ? "<span>this port sets the pace</span>" : "");
            if (stalls) html += cell(p.stalls);
            html += "</tr>\n";
        }
        html += "</tbody></table>\n";
    }
    if (m) {
        const double clocks = double(std::max<int64_t>(m->frame.clocks, 1));
        std::vector<std::string> facts;
        const auto bytes = [&](const char *verb, const std::optional<int64_t> &n) {
            if (n)
                facts.push_back(fmt::format("{} <b>{}</b> bytes, {} per clock", verb, count(*n),
                                            number(double(*n) / clocks, 3)));
        };
        bytes("read", m->read_bytes);
        bytes("wrote", m->write_bytes);
        if (m->stall_in)
            facts.push_back("waited <b>" + count(*m->stall_in) + "</b> clocks for input");
        if (m->stall_out) facts.push_back("<b>" + count(*m->stall_out) + "</b> for output");
        if (!facts.empty()) {
            html += "<p>Measured: ";
            for (size_t i = 0; i < facts.size(); i++) html += (i ? "; " : "") + facts[i];
            html += ".</p>\n";
        }
    }
    return html;
}

std::string directives(const Accelerator &a) {
    std::string call = a.call;
    if (call.empty()) {
        std::vector<std::string> outs;
        std::string inputs;
        for (const Stage &s : a.stages) {
            if (s.kind == Stage::Kind::Output) outs.push_back(s.name);
            if (s.kind == Stage::Kind::Input) inputs += (inputs.empty() ? "" : ", ") + s.name;
        }
        std::string out;
        for (const std::string &name : outs) out += (out.empty() ? "" : ", ") + name;
        if (outs.empty()) return "";
        call = fmt::format("argent::accelerate({}, {{{}}})",
                           outs.size() == 1 ? out : "{" + out + "}", inputs);
    }
    size_t widest = 0;
    std::vector<std::string> lines;
    for (const Directive &d : a.directives) {
        lines.push_back("    " + std::string(d.text.empty() || d.text[0] != '.' ? "." : "") +
                        d.text);
        if (&d == &a.directives.back()) lines.back() += ";";
        widest = std::max(widest, length(lines.back()));
    }
    if (lines.empty()) call += ";";
    std::string html = "<pre class=\"paste\"><code>" + escape(call) + "\n";
    for (size_t i = 0; i < lines.size(); i++) {
        const bool user = a.directives[i].by_user;
        html += fmt::format("<span class=\"{}\">{}<i>{}{}</i></span>\n", user ? "user" : "default",
                            escape(lines[i]), std::string(widest - length(lines[i]) + 2, ' '),
                            user ? "// yours" : "// default");
    }
    return html + "</code></pre>\n";
}

}  // namespace argent::report
