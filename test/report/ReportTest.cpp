#include "report/Report.h"

#include "Fixtures.h"
#include "WellFormed.h"

#include <doctest/doctest.h>
#include <cstdlib>
#include <fstream>
#include <random>

using argent::report_html;
using nlohmann::json;

namespace {

size_t occurrences(const std::string &text, const std::string &what) {
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + what.size()))
        n++;
    return n;
}

bool holds(const std::string &text, const std::string &what) {
    return text.find(what) != std::string::npos;
}

std::string refusal(const json &report) {
    try {
        report_html(report);
    } catch (const argent::ReportError &e) {
        return e.what();
    }
    return "accepted";
}

json &first(json &report) {
    return report["accelerators"][0];
}

}  // namespace

TEST_CASE("pages are well formed, deterministic and name every stage") {
    const std::pair<const char *, json> all[] = {
        {"harris", fixtures::harris()},   {"simulated", fixtures::harris_after_simulation()},
        {"pyramid", fixtures::pyramid()}, {"chain60", fixtures::chain(60)},
        {"chain3", fixtures::chain(3)},   {"bare", fixtures::bare()}};
    for (const auto &[name, report] : all) {
        CAPTURE(name);
        const std::string html = report_html(report);
        CHECK(not_well_formed(html) == "");
        CHECK(html == report_html(json::parse(report.dump())));
        for (const json &stage : report["accelerators"][0]["stages"])
            CHECK(holds(html, ">" + stage["name"].get<std::string>() + "</text>"));
        CHECK(occurrences(html, "<g class=\"node ") == report["accelerators"][0]["stages"].size());
        if (const char *folder = std::getenv("ARGENT_REPORT_PREVIEW"))  // to look at them
            std::ofstream(std::string(folder) + "/" + name + ".html") << html;
    }
}

TEST_CASE("a page needs nothing from outside") {
    const std::string html = report_html(fixtures::harris_after_simulation());
    for (const char *outside :
         {"http:", "https:", "//cdn", "@import", "url(", "<link", "src=\"/", "<script src"})
        CHECK_FALSE(holds(html, outside));
}

TEST_CASE("the headline gives the figures") {
    const std::string html = report_html(fixtures::harris());
    CHECK(holds(html, "<b>1\u202f045\u202f888</b>"));
    CHECK(holds(html, "1.0001 × the ideal<br/>of 1\u202f045\u202f818"));
    CHECK(holds(html, "<b>143</b> <span>per second</span>"));
    CHECK(holds(html, "✓ as predicted, at 640 × 427"));
    CHECK(holds(html, "✓ all 273\u202f280 elements compared"));
    CHECK(holds(html, "7.5 % of xc7z020"));
}

TEST_CASE("a measurement that differs from the prediction is not praised") {
    json report = fixtures::harris();
    first(report)["measured"]["clocks"] = first(report)["measured"]["clocks"].get<int>() + 12;
    first(report)["measured"]["compare"]["different"] = 3;
    const std::string html = report_html(report);
    CHECK(holds(html, "12 more than predicted, at 640 × 427"));
    CHECK(holds(html, "<b>3 differences</b>"));
    CHECK_FALSE(holds(html, "as predicted"));
}

TEST_CASE("predicted bars lie behind measured ones of the same size only") {
    CHECK(occurrences(report_html(fixtures::harris_after_simulation()), "class=\"bar behind") ==
          10);
    json other = fixtures::harris();
    first(other)["measured"].erase("predicted");
    CHECK(occurrences(report_html(other), "class=\"bar behind") == 0);
    CHECK(occurrences(report_html(other), "<h3>Predicted: 1920 × 1080") == 1);
}

TEST_CASE("text of the user's is escaped everywhere") {
    const std::string nasty = "</code><script>alert(\"1 & 2\")</script>'\x01";
    json report = fixtures::harris();
    json &a = first(report);
    report["function"] = a["name"] = a["board"] = a["part"] = a["call"] = a["clocks"]["formula"] =
        nasty;
    a["stages"][1]["expression"] = a["stages"][1]["reason"] = a["stages"][1]["type"] =
        a["stages"][1]["storage"] = nasty;
    a["stages"][1]["source"][0] = a["stages"][1]["range"][0] = nasty;
    a["stages"][2]["name"] = a["edges"][1]["to"] = a["edges"][4]["from"] = a["edges"][5]["from"] =
        a["windows"][2]["producer"] = nasty;
    a["windows"][0]["consumers"][1] = a["windows"][0]["memory"] = nasty;
    a["windows"][0]["consumers"].erase(1);
    a["warnings"] = {nasty};
    a["directives"][0]["text"] = a["traffic"][0]["port"] =
        a["certificate"]["constraints"][0]["reason"] = nasty;
    a["timeline"]["spans"][0]["name"] = nasty;
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(occurrences(html, "<script>") == 1);
    CHECK_FALSE(holds(html, "\x01"));
    CHECK(holds(html, "&lt;script&gt;alert(&quot;1 &amp; 2&quot;)"));
}

TEST_CASE("whatever may be missing may be missing, or null") {
    for (const char *key : {"board",     "part",       "clock_mhz", "source",   "directives",
                            "block",     "throughput", "edges",     "windows",  "buffered_bits",
                            "timeline",  "clocks",     "measured",  "traffic",  "certificate",
                            "resources", "capacity",   "warnings",  "pictures", "call"}) {
        CAPTURE(key);
        json report = fixtures::harris_after_simulation();
        first(report)[key] = nullptr;
        const std::string with_null = report_html(report);
        CHECK(not_well_formed(with_null) == "");
        first(report).erase(key);
        CHECK(report_html(report) == with_null);
    }
    for (const char *key :
         {"kind", "type", "range", "bits", "lanes", "expression", "source", "box", "displacement",
          "phase", "latency", "critical_ns", "critical_path", "storage", "reason", "resources"}) {
        CAPTURE(key);
        json report = fixtures::harris();
        for (json &stage : first(report)["stages"]) stage.erase(key);
        CHECK(not_well_formed(report_html(report)) == "");
    }
}

TEST_CASE("an accelerator less, and one more") {
    json report = fixtures::harris();
    report["accelerators"].push_back(fixtures::pyramid()["accelerators"][0]);
    CHECK(not_well_formed(report_html(report)) == "");
    report["accelerators"] = json::array();
    CHECK(holds(report_html(report), "Nothing in it is accelerated."));
}

TEST_CASE("frames too short for a steady phase, and long ones") {
    for (const int clocks : {1, 7, 300}) {
        json report = fixtures::harris();
        json &t = first(report)["timeline"];
        t = {{"width", 1},
             {"height", 1},
             {"clocks", clocks},
             {"spans",
              {{{"name", "a"}, {"first", 0}, {"last", clocks / 2}},
               {{"name", "b"}, {"first", clocks / 2}, {"last", clocks - 1}}}}};
        CHECK(not_well_formed(report_html(report)) == "");
    }
}

TEST_CASE("the longest path of all stages, with the line that there is") {
    json report = fixtures::harris();
    json &a = first(report);
    for (json &stage : a["stages"]) stage.erase("critical_path");
    CHECK_FALSE(holds(report_html(report), "The longest path"));
    a["clock_mhz"] = 150;
    a["source"] = {"apps/harris.cpp", 31};
    a["stages"][1].erase("source");
    a["stages"][1]["critical_ns"] = 5.5;
    a["stages"][1]["critical_path"] = {"padded", "add 10 bits", "max <8> bits", "register"};
    a["stages"][2]["source"] = {"apps/harris.cpp", 22};
    a["stages"][2]["critical_ns"] = 5.25;
    a["stages"][2]["critical_path"] = {"register", "compare 8 bits", "register"};
    const std::string name = a["stages"][1]["name"], other = a["stages"][2]["name"];
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(holds(html, "The longest path: <code>" + name + "</code> (harris.cpp:31): padded → add 10 bits → max &lt;8&gt; bits → register, <b>5.50 of 6.67 ns</b>."));
    CHECK(holds(html, "<b>path</b>: register → compare 8 bits → register"));
    a["stages"][2]["critical_ns"] = 7.0;
    CHECK(holds(report_html(report), "The longest path: <code>" + other + "</code> (harris.cpp:22): register → compare 8 bits → register, <b>7.00 of 6.67 ns</b>, longer than the period."));
    a["stages"][2]["critical_path"] = {1};
    CHECK_THROWS_AS(report_html(report), argent::ReportError);
}

TEST_CASE("a stage that reads itself") {
    json report = fixtures::harris();
    first(report)["edges"].push_back({{"from", "sxx"}, {"to", "sxx"}, {"bits", 20}});
    CHECK(not_well_formed(report_html(report)) == "");
}

TEST_CASE("what is no report is refused with its place") {
    CHECK(refusal(json::array()) == "report.json: expected an object, found []");
    CHECK(refusal(json::object()) == "report.json: \"schema\" is missing");
    json report = fixtures::harris();
    report["schema"] = "argent-manifest";
    CHECK(refusal(report) ==
          "report.json: schema: expected \"argent-report\", found \"argent-manifest\"");
    report = fixtures::harris();
    report["version"] = 2;
    CHECK(refusal(report) == "report.json: version: this argent reads version 1, found 2");

    const auto refuse = [](const char *pointer, json value) {
        json changed = fixtures::harris();
        changed[json::json_pointer(std::string("/accelerators/0") + pointer)] = std::move(value);
        return refusal(changed);
    };
    CHECK(refuse("/stages/2/bits", "x") ==
          "report.json: accelerators[0].stages[2].bits: expected an integer, found \"x\"");
    CHECK(refuse("/stages/2/bits", 1.5) ==
          "report.json: accelerators[0].stages[2].bits: expected an integer, found 1.5");
    CHECK(refuse("/stages/2/name", "grad_x") ==
          "report.json: accelerators[0].stages[2]: there are two stages named \"grad_x\"");
    CHECK(refuse("/stages/2/kind", "sink") ==
          "report.json: accelerators[0].stages[2].kind: \"sink\" is none of \"stage\", \"input\", "
          "\"output\"");
    CHECK(refuse("/stages/2/range", {"1"}) ==
          "report.json: accelerators[0].stages[2].range: expected 2 values, found 1");
    CHECK(refuse("/edges/3/to", "grad_z") ==
          "report.json: accelerators[0].edges[3].to: no stage is named \"grad_z\"");
    CHECK(refuse("/edges/0/from", "corners") ==
          "report.json: accelerators[0]: edges: a cycle leads to \"grad_x\"");
    CHECK(refuse("/timeline/spans/0/first", 99999999) ==
          "report.json: accelerators[0].timeline.spans[0]: first is 99999999, after last, 1045798");
    CHECK(refuse("/certificate/bits_unit", 0) == "report.json: accelerators[0].certificate.bits_unit: expected 1 or more, found 0");
    CHECK(refuse("/edges/0/reads", {{INT64_MIN, 0}, {INT64_MAX, 0}}) == "accepted");   // and not drawn tap by tap
    CHECK(refuse("/pictures", {{{"title", "input"}, {"png", "\"/><script>"}}}) ==
          "report.json: accelerators[0].pictures[0].png: expected a PNG in base64");
}

TEST_CASE("the certificate is judged, not believed") {
    CHECK(holds(report_html(fixtures::harris()), "✓ all hold"));
    json report = fixtures::harris();
    first(report)["certificate"]["values"][1]["cols"] = 0;  // grad_x one element too early
    CHECK(holds(report_html(report), "✗ 1 violated"));
}

TEST_CASE("the certificate says what was built, and why") {
    json report = fixtures::harris();
    json &c = first(report)["certificate"];
    c["values"][1]["reason"] = "as early as it can: it reads <padded>";
    c["clocks"] = {{"objective_bits", 24},
                   {"constraints", {{{"from", "padded"}, {"to", "grad_x"}, {"clocks", 4}, {"reason", "padded takes 4 clocks"}}}},
                   {"values", {{{"name", "padded"}, {"clocks", 0}}, {{"name", "grad_x"}, {"clocks", 5}}}}};
    c["windows"] = {{{"producer", "padded"}, {"rows", 2}, {"words", 1925}, {"registers", {2, 1, 2}}, {"reason", "grad_x reads padded at (-1, -1)"}},
                    {{"producer", "grad_x"}, {"rows", 0}, {"words", 0}, {"registers", {1}}, {"reason", "xx reads grad_x"}},
                    {{"producer", "xx"}, {"rows", 0}, {"words", 0}, {"registers", {0}}, {"reason", "at once"}}};
    c["fifos"] = {{{"name", "fifo_corners"}, {"words", 32}, {"needs", {{{"words", 32}, {"reason", "in flight"}}, {{"words", 17}, {"reason", "latency"}}}}}};
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(holds(html, "title=\"as early as it can: it reads &lt;padded&gt;\""));
    CHECK(holds(html, "Behind the head of the scan: 1 constraint, <b class=\"good\">✓ all hold</b>, 0 with equality; minimum 24 bits waiting in registers."));
    CHECK(holds(html, "<td><code>window of padded</code></td><td>2 rows of 1925 words, 2 + 1 + 2 registers</td>"
                      "<td class=\"why\">grad_x reads padded at (-1, -1)</td>"));
    CHECK(holds(html, "<td>1 register</td>"));
    CHECK(holds(html, "<td>nothing is kept</td>"));
    CHECK(holds(html, "<td><code>fifo_corners</code></td><td>32 words</td><td class=\"why\">32: in flight<br/>17: latency</td>"));
    c["clocks"]["values"][1]["clocks"] = 3;
    CHECK(holds(report_html(report), "✗ 1 violated"));
    c["fifos"][0].erase("words");
    CHECK(refusal(report) == "report.json: accelerators[0].certificate.fifos[0]: \"words\" is missing");
}

TEST_CASE("what is kept whole, and the certificate of every timeline") {
    json report = fixtures::harris();
    json &a = first(report);
    CHECK_FALSE(holds(report_html(report), "Kept whole"));
    a["rams"] = {{{"name", "smooth"}, {"writer", "a_smooth_core"}, {"readers", {"a_back_core", "a_out_core"}}, {"columns", 256}, {"rows", 512}, {"bits", 1048576}}};
    json before = a["certificate"];
    before["timeline"] = "smooth";
    before["values"][1]["cols"] = 0;
    a["certificate"]["before"] = {before};
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(holds(html, "<td><code>smooth</code></td><td class=\"n\">256 × 512</td><td class=\"n\">1.05 Mbit</td><td><code>a_smooth_core</code></td>"
                      "<td><code>a_back_core</code>, <code>a_out_core</code></td>"));
    CHECK(html.find("The timeline of <code>smooth</code>") < html.find("✗ 1 violated"));
    CHECK(html.find("✗ 1 violated") < html.find("The timeline of the outputs"));
    CHECK(html.find("The timeline of the outputs") < html.find("✓ all hold"));
    a["rams"][0].erase("writer");
    CHECK(refusal(report) == "report.json: accelerators[0].rams[0]: \"writer\" is missing");
}

TEST_CASE("png_data_uri") {
    const uint8_t pixels[] = {0, 128, 255, 7, 1, 2, 3, 4};
    for (int channels = 1; channels <= 4; channels++) {
        json report = fixtures::harris();
        first(report)["pictures"] = {
            {{"title", "tiny"}, {"png", argent::png_data_uri(2, 1, channels, pixels)}}};
        CHECK(holds(report_html(report), "alt=\"tiny\" width=\"2\" height=\"1\""));
    }
    CHECK_THROWS_WITH_AS(argent::png_data_uri(2, 1, 5, pixels),
                         "png_data_uri: 5 channels, expected 1 to 4", std::invalid_argument);
    CHECK_THROWS_WITH_AS(argent::png_data_uri(0, 1, 1, pixels), "png_data_uri: no picture (0 x 1)",
                         std::invalid_argument);
}

TEST_CASE("graphs of any shape") {
    std::mt19937 random(7);
    for (int trial = 0; trial < 40; trial++) {
        json report = fixtures::bare();
        json &stages = first(report)["stages"] = json::array(),
             &edges = first(report)["edges"] = json::array();
        const int n = 1 + int(random() % 50);
        for (int i = 0; i < n; i++) {
            stages.push_back({{"name", "s" + std::to_string(i)}});
            for (unsigned k = random() % 4; i > 0 && k > 0; k--)
                edges.push_back({{"from", "s" + std::to_string(int(random() % unsigned(i)))},
                                 {"to", "s" + std::to_string(i)},
                                 {"bits", 8}});
        }
        CHECK(not_well_formed(report_html(report)) == "");
    }
}

TEST_CASE("ports that are streams are told from memory ports") {
    json report = fixtures::harris();
    CHECK_FALSE(holds(report_html(report), "AXI4-Stream"));
    for (auto &port : first(report)["traffic"]) port["kind"] = "stream";
    first(report)["traffic"][0]["port"] = "s_axis_padded";
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(holds(html, "<code>s_axis_padded</code></th><td>read, AXI4-Stream</td>"));
}

TEST_CASE("a frame on the board is drawn lane by lane") {
    json report = fixtures::harris_after_simulation();
    CHECK_FALSE(holds(report_html(report), "The application in time"));
    first(report)["measured"]["on_board"] = {
        {"end", 5000.0},
        {"lanes",
         {{{"name", "program"}, {"spans", {{"host", 0.0, 900.5}, {"driver", 900.5, 910.0}}}},
          {{"name", "har<ris"}, {"spans", {{"launch", 910.0, 2400.0}, {"launch", 2401.0, 4900.0}}}}}}};
    const std::string html = report_html(report);
    CHECK(not_well_formed(html) == "");
    CHECK(holds(html, "The application in time"));
    CHECK(holds(html, "har&lt;ris"));
    CHECK(holds(html, "launches: 910 to "));
    CHECK(occurrences(html, "class=\"bar launch") == 2);
    CHECK(occurrences(html, "class=\"bar launch odd\"") == 1);
    CHECK_FALSE(holds(html, "There was more than is drawn."));
    first(report)["measured"]["on_board"]["cut"] = true;
    CHECK(holds(report_html(report), "There was more than is drawn."));
    const auto refuse = [&](const json &span) -> std::string {
        first(report)["measured"]["on_board"]["lanes"][0]["spans"][0] = span;
        try {
            report_html(report);
        } catch (const std::exception &e) {
            return e.what();
        }
        return "";
    };
    CHECK(refuse({"sleep", 0.0, 1.0}) ==
          "report.json: accelerators[0].measured.on_board.lanes[0].spans[0][0]: \"sleep\" is none of host, driver, launch, read, write");
    CHECK(refuse({"host", 2.0, 1.0}) == "report.json: accelerators[0].measured.on_board.lanes[0].spans[0]: from 2 to 1 microseconds is no time");
}
