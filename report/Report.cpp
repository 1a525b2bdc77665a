#include "report/Report.h"

#include "report/Html.h"
#include "report/Sections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace argent {
namespace {

using namespace report;

struct Section {
    const char *id, *title, *lead;
    std::string (*draw)(const Accelerator &);
};

/** The order: what it is and whether it is right, how it works, what it costs, how to change it, why it holds. */
const Section sections[] = {
    {"pictures", "Pictures", "", pictures},
    {"dataflow", "Dataflow",
     "Every stage has its own hardware. Elements stream from top to bottom.", dataflow},
    {"timeline", "A frame in time",
     "When each port and stage works, in clocks from the start of a launch.", timeline},
    {"board", "The application in time",
     "Who works when, on the model of the board: host stages, driver, launches and ports.", on_board},
    {"buffers", "Line buffers",
     "What is kept on chip, drawn as on the image: the newest element is at the bottom right.",
     line_buffers},
    {"stages", "Stages", "", stage_table},
    {"traffic", "Traffic",
     "Bytes per clock at each port: what the throughput needs, and what the bus can carry.",
     traffic},
    {"directives", "Directives",
     "The full set, ready to paste. What you did not give was chosen by the cost model.",
     directives},
    {"certificate", "Certificate",
     "Why no stage ever waits for another: each read comes after what it reads, and everything has room.", certificate},
};

std::string article(const Report &r, const Accelerator &a, size_t index) {
    std::string body, contents;
    for (const Section &s : sections) {
        const std::string content = s.draw(a);
        if (content.empty()) continue;
        const std::string id =
            fmt::format("{}{}", s.id, index == 0 ? "" : fmt::format("-{}", index + 1));
        contents += fmt::format("<a href=\"#{}\">{}</a>\n", id, s.title);
        body += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", id, s.title);
        if (*s.lead) body += fmt::format("<p class=\"lead\">{}</p>\n", s.lead);
        body += content + "</section>\n";
    }
    return fmt::format("<article id=\"accelerator-{}\">\n{}<nav>{}</nav>\n{}{}</article>\n",
                       index + 1, headline(r, a), contents, warnings(a), body);
}

}  // namespace

std::string report_html(const nlohmann::json &json) {
    const Report r = read_report(json);
    const std::string title = escape(r.function.empty() ? "Argent" : r.function);
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        "<title>{} · Argent report</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
        title, style_sheet);
    if (r.accelerators.empty())
        html += fmt::format("<h1>{}</h1>\n<p class=\"lead\">Nothing in it is accelerated.</p>\n",
                            title);
    if (r.accelerators.size() > 1) {
        html += "<nav class=\"accelerators\">";
        for (size_t i = 0; i < r.accelerators.size(); i++)
            html += fmt::format("<a href=\"#accelerator-{}\">{}</a>\n", i + 1,
                                escape(r.accelerators[i].name));
        html += "</nav>\n";
    }
    for (size_t i = 0; i < r.accelerators.size(); i++) html += article(r, r.accelerators[i], i);
    html += fmt::format(
        "<footer>Argent {} · function "
        "{}</footer>\n</main>\n<script>\n{}</script>\n</body>\n</html>\n",
        escape(r.argent), title, script);
    return html;
}

}  // namespace argent
