#include "Fixtures.h"

#include "report/Report.h"

#include <fstream>

namespace fixtures {
namespace {

using nlohmann::json;

json document(json accelerator) {
    const json name = accelerator["name"];
    return {{"schema", "argent-report"},
            {"version", 1},
            {"argent", "0.1.0"},
            {"function", name},
            {"accelerators", {std::move(accelerator)}}};
}

/** Grows a graph stage by stage. */
struct Builder {
    json stages = json::array(), edges = json::array(), windows = json::array(),
         spans = json::array();
    int row = 1922;

    void stage(const std::string &name, const char *kind, int bits, int clocks,
               const std::string &expression, int line) {
        stages.push_back(
            {{"name", name},
             {"kind", kind},
             {"type", "int16"},
             {"range", {std::to_string(-(1 << (bits - 1))), std::to_string((1 << (bits - 1)) - 1)}},
             {"bits", bits},
             {"lanes", 1},
             {"clocks", clocks},
             {"expression", expression},
             {"source", {"pyramid.cpp", line}},
             {"latency", 3},
             {"critical_ns", 4.5},
             {"storage", "line buffer"},
             {"reason", "default: read more than once"}});
        const int at = int(stages.size()) * 700;
        spans.push_back(
            {{"name", name}, {"kind", "stage"}, {"first", at}, {"last", 2100000 - 30000 + at}});
    }
    /** Reads a window of w x h that reaches `late` rows further back than it must. */
    void edge(const std::string &from, const std::string &to, int bits, int w, int h,
              int late = 0) {
        json reads = json::array();
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) reads.push_back({x - w / 2, y - h / 2});
        }
        const int rows = h - 1 + late, cols = w - 1;
        edges.push_back({{"from", from},
                         {"to", to},
                         {"bits", bits},
                         {"reads", reads},
                         {"window", {w, h}},
                         {"delay", {{"rows", rows}, {"cols", cols}}},
                         {"depth", rows * row + cols}});
        for (json &window : windows) {
            if (window["producer"] != from) continue;
            window["consumers"].push_back(to);
            window["rows"] = std::max(window["rows"].get<int>(), rows);
            return;
        }
        windows.push_back({{"producer", from},
                           {"rows", rows},
                           {"row_words", rows > 0 ? row : 0},
                           {"row_bits", rows * bits},
                           {"register_bits", w * h * bits},
                           {"consumers", {to}}});
    }
    json accelerator(const std::string &name) {
        return {{"name", name},
                {"board", "zcu104"},
                {"part", "xczu7ev-ffvc1156-2-e"},
                {"clock_mhz", 300},
                {"source", {"pyramid.cpp", 12}},
                {"block", {{{"var", "x"}, {"extent", 1920}}, {{"var", "y"}, {"extent", 1080}}}},
                {"throughput", {{"pixels", 1}, {"clocks", 1}}},
                {"stages", stages},
                {"edges", edges},
                {"windows", windows},
                {"timeline",
                 {{"width", 1920},
                  {"height", 1080},
                  {"clocks", 2110000},
                  {"ideal", 2100000},
                  {"spans", spans}}}};
    }
};

}  // namespace

json harris() {
    std::ifstream in(ARGENT_REPORT_FIXTURE);
    return json::parse(in);
}

json harris_after_simulation() {
    json report = harris();
    json &a = report["accelerators"][0];
    const int width = 96, height = 64;
    std::string pixels;
    for (int i = 0; i < width * height; i++) pixels += char((i % width) * 255 / width);
    const std::string uri =
        argent::png_data_uri(width, height, 1, reinterpret_cast<const uint8_t *>(pixels.data()));
    for (const char *title : {"input", "expected", "hardware", "difference"})
        a["pictures"].push_back({{"title", title}, {"png", uri}});
    a["measured"] = {{"width", 1920},
                     {"height", 1080},
                     {"clocks", a["timeline"]["clocks"]},
                     {"spans", a["timeline"]["spans"]}};
    return report;
}

json pyramid() {
    Builder b;
    const int levels = 6;
    const auto at = [](const char *what, int level) {
        return std::string(what) + "_" + std::to_string(level);
    };
    b.stage("input", "input", 8, 1, "", 20);
    std::string below = "input";
    for (int l = 1; l < levels; l++) {
        b.stage(at("down_x", l), "stage", 10, 1 << (2 * l - 1),
                "(f(2*x - 1, y) + 2*f(2*x, y) + f(2*x + 1, y)) / 4", 30);
        b.stage(at("gauss", l), "stage", 10, 1 << (2 * l),
                "(d(x, 2*y - 1) + 2*d(x, 2*y) + d(x, 2*y + 1)) / 4", 31);
        b.edge(below, at("down_x", l), 10, 3, 1);
        b.edge(at("down_x", l), at("gauss", l), 10, 1, 3);
        below = at("gauss", l);
    }
    for (int l = 0; l + 1 < levels; l++) {
        const std::string level = l == 0 ? "input" : at("gauss", l);
        b.stage(at("up_x", l), "stage", 10, 1 << (2 * l + 1),
                "select(x % 2 == 0, g(x/2, y), (g(x/2, y) + g(x/2 + 1, y)) / 2)", 40);
        b.stage(at("up", l), "stage", 10, 1 << (2 * l),
                "select(y % 2 == 0, u(x, y/2), (u(x, y/2) + u(x, y/2 + 1)) / 2)", 41);
        b.stage(at("laplace", l), "stage", 11, 1 << (2 * l), "f(x, y) - up(x, y)", 42);
        b.stage(at("gain", l), "stage", 12, 1 << (2 * l), "(laplace(x, y) * 5) >> 2", 43);
        b.edge(at("gauss", l + 1), at("up_x", l), 10, 2, 1);
        b.edge(at("up_x", l), at("up", l), 10, 1, 2);
        b.edge(at("up", l), at("laplace", l), 10, 1, 1);
        b.edge(level, at("laplace", l), 10, 1, 1, 5 + l);
        b.edge(at("laplace", l), at("gain", l), 11, 1, 1);
    }
    std::string above = at("gauss", levels - 1);
    for (int l = levels - 2; l >= 0; l--) {
        b.stage(at("out_x", l), "stage", 12, 1 << (2 * l + 1),
                "select(x % 2 == 0, o(x/2, y), (o(x/2, y) + o(x/2 + 1, y)) / 2)", 50);
        b.stage(at("out_up", l), "stage", 12, 1 << (2 * l),
                "select(y % 2 == 0, o(x, y/2), (o(x, y/2) + o(x, y/2 + 1)) / 2)", 51);
        b.stage(l == 0 ? "out" : at("out", l), l == 0 ? "output" : "stage", 12, 1 << (2 * l),
                "out_up(x, y) + gain(x, y)", 52);
        b.edge(above, at("out_x", l), 12, 2, 1);
        b.edge(at("out_x", l), at("out_up", l), 12, 1, 2);
        b.edge(at("out_up", l), l == 0 ? "out" : at("out", l), 12, 1, 1);
        b.edge(at("gain", l), l == 0 ? "out" : at("out", l), 12, 1, 1, 12 >> l);
        above = at("out", l);
    }
    return document(b.accelerator("pyramid"));
}

json chain(int n) {
    Builder b;
    b.stage("stage_0", "input", 8, 1, "", 10);
    for (int i = 1; i < n; i++) {
        const std::string name = "stage_" + std::to_string(i),
                          before = "stage_" + std::to_string(i - 1);
        b.stage(name, i + 1 == n ? "output" : "stage", 12, 1,
                before + "(x - 1, y) + " + before + "(x + 1, y)", 10 + i);
        b.edge(before, name, 12, 3, 3);
        if (i % 9 == 8) b.edge("stage_" + std::to_string(i - 6), name, 12, 1, 1, 12);
    }
    return document(b.accelerator("chain"));
}

json bare() {
    return document({{"name", "bare"}, {"stages", {{{"name", "out"}}}}});
}

}  // namespace fixtures
