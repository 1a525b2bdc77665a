#include "report/Html.h"
#include "report/Sections.h"

#include <fmt/format.h>
#include <algorithm>

namespace argent::report {
namespace {

/** What the constraints say of the solution, and the solution's tables. */
std::string system(const Certificate::System &s, const char *what, const std::string &figures,
                   const char *column) {
    size_t violated = 0, tight = 0, unknown = 0;
    for (const auto &k : s.constraints) {
        violated += k.slack && *k.slack < 0;
        tight += k.slack && *k.slack == 0;
        unknown += !k.slack;
    }
    std::string verdict =
        std::string(what) + plural(int64_t(s.constraints.size()), "constraint") + ", ";
    if (violated > 0)
        verdict += fmt::format("<b class=\"off\">✗ {} violated</b>", violated);
    else if (unknown > 0)
        verdict += fmt::format("{} without a value", unknown);
    else
        verdict += fmt::format("<b class=\"good\">✓ all hold</b>, {} with equality", tight);
    verdict += figures;

    std::string html = fmt::format(
        "<p>{}.</p>\n<details{}><summary>Constraints and solution</summary>\n<div class=\"two\">\n"
        "<table class=\"plain\">\n<caption>Each constraint: <i>to</i> comes at least so long after "
        "<i>from</i></caption>\n"
        "<thead><tr><th>From</th><th>To</th><th class=\"n\">At least</th><th "
        "class=\"n\">Slack</th><th>Because</th></tr></thead>\n<tbody>\n",
        verdict, violated > 0 ? " open=\"open\"" : "");
    for (const auto &k : s.constraints) {
        html += fmt::format(
            "<tr{}><td><code>{}</code></td><td><code>{}</code></td><td class=\"n\">{}</td><td "
            "class=\"n\">{}</td><td class=\"why\">{}</td></tr>\n",
            k.slack && *k.slack < 0   ? " class=\"short\""
            : k.slack && *k.slack > 0 ? " class=\"loose\""
                                      : "",
            escape(k.from), escape(k.to), distance(k.weight), k.slack ? count(*k.slack) : "",
            escape(k.reason));
    }
    html += fmt::format(
        "</tbody></table>\n<table class=\"plain\">\n<caption>The solution: when each stage "
        "runs</caption>\n"
        "<thead><tr><th>Stage</th><th class=\"n\">{}</th></tr></thead>\n<tbody>\n",
        column);
    for (const auto &v : s.values)
        html += fmt::format("<tr{}><td><code>{}</code></td><td class=\"n\">{}</td></tr>\n",
                            v.reason.empty() ? "" : " title=\"" + escape(v.reason) + "\"",
                            escape(v.name), distance(v.at));
    return html + "</tbody></table>\n</div></details>\n";
}

std::string bits(const std::optional<int64_t> &n, const char *what) {
    return n ? fmt::format("; minimum {} bits {}", count(*n), what) : "";
}

/** "2 rows of 1925 words, 2 + 2 + 2 registers". */
std::string depth_of(const Certificate::Window &w) {
    std::string text, registers;
    int64_t most = 0;
    for (const int64_t r : w.registers) {
        registers += (registers.empty() ? "" : " + ") + count(r);
        most = std::max(most, r);
    }
    if (w.rows > 0) text = fmt::format("{} of {}", plural(w.rows, "row"), plural(w.words, "word"));
    if (most > 0)
        text += (text.empty() ? "" : ", ") + (w.registers.size() == 1 ? plural(most, "register") : registers + " registers");
    return text.empty() ? "nothing is kept" : text;
}

std::string depths(const Certificate &c) {
    if (c.windows.empty() && c.fifos.empty()) return "";
    std::string html =
        "<details><summary>Depths and their reasons</summary>\n<table class=\"plain\">\n"
        "<thead><tr><th>Of</th><th>Depth</th><th>Because</th></tr></thead>\n<tbody>\n";
    const auto row = [&](const std::string &name, const std::string &depth, const std::string &reasons) {
        html += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td class=\"why\">{}</td></tr>\n", escape(name), depth, reasons);
    };
    for (const auto &w : c.windows) row("window of " + w.producer, depth_of(w), escape(w.reason));
    for (const auto &f : c.fifos) {
        std::string reasons;
        for (const auto &[words, reason] : f.needs)
            reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "<br/>", count(words), escape(reason));
        row(f.name, plural(f.words, "word"), reasons);
    }
    return html + "</tbody></table>\n</details>\n";
}

std::string timeline(const Certificate &c) {
    std::string html = system(
        c.scan, "", fmt::format("; row pitch {}", count(c.pitch)) + bits(c.scan.objective_bits, "kept"),
        "Displacement");
    if (c.clocks)
        html += system(*c.clocks, "Behind the head of the scan: ",
                       bits(c.clocks->objective_bits, "waiting in registers"), "Clock");
    return html + depths(c);
}

}  // namespace

std::string certificate(const Accelerator &a) {
    if (!a.certificate) return "";
    if (a.certificate->before.empty()) return timeline(*a.certificate);
    std::string html;
    for (const Certificate &c : a.certificate->before)
        html += fmt::format("<h3>The timeline of <code>{}</code></h3>\n{}", escape(c.timeline), timeline(c));
    return html + "<h3>The timeline of the outputs</h3>\n" + timeline(*a.certificate);
}

}  // namespace argent::report
