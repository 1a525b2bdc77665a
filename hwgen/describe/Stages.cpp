#include "hwgen/describe/Stages.h"

#include <algorithm>

#include "hwgen/describe/Areas.h"
#include "hwgen/describe/Json.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

std::string wide_text(Wide v) {
    if (v < 0) return "-" + wide_text(-v);
    std::string digits;
    do {
        digits.insert(digits.begin(), char('0' + int(v % 10)));
        v /= 10;
    } while (v > 0);
    return digits;
}

ordered_json stage_json(const Graph &g, int i, const StageModule &m, const std::string &window_module) {
    const Stage &s = g.stages[i];
    const bool is_output = std::find(g.outputs.begin(), g.outputs.end(), i) != g.outputs.end();
    const Window *w = g.window_of(i);
    ordered_json j = {{"name", s.shown()},
                      {"kind", s.kind == Func::Kind::Input ? "input" : is_output ? "output" : "stage"},
                      {"type", s.type},
                      {"range", {wide_text(s.range.lo), wide_text(s.range.hi)}},
                      {"bits", s.bits()},
                      {"lanes", s.lanes},
                      {"expression", s.expression},
                      {"source", source_json(s.where)},
                      {"box", box_json(s.box)},
                      {"displacement", distance_json(s.displacement)},
                      {"phase", s.phase},
                      {"latency", s.latency},
                      {"critical_ns", s.kind == Func::Kind::Input ? 0.0 : m.critical_ns},
                      {"critical_path", m.critical_path},
                      {"storage", !w ? "none" : w->rows > 0 ? "line buffer" : "registers"},
                      {"reason", s.reason},
                      {"modules", ordered_json::array()},
                      {"resources", nullptr}};
    if (g.has_rates) {
        j["stride"] = {s.grid[0].stride, s.grid[1].stride};
        j["step"] = {s.grid[0].step, s.grid[1].step};
        if (s.grid[0].step * s.grid[1].step > 1) j["clocks"] = g.clocks * s.grid[0].step * s.grid[1].step;
    }
    if (s.shared) j["shared"] = {{"slots", s.shared->slots}, {"sets", s.shared->operators}, {"in_place_of", s.shared->from_operators}};
    if (!m.module.name.empty()) j["modules"].push_back(m.module.name);
    for (const verilog::Module &part : m.parts) j["modules"].push_back(part.name);
    if (!window_module.empty()) j["modules"].push_back(window_module);
    return j;
}

}  // namespace

std::string window_module_of(const Timeline &t, size_t stage) {
    const auto window = t.core.window_modules.find(static_cast<int>(stage));
    return window == t.core.window_modules.end() ? "" : window->second;
}

ordered_json stages_json(const Timeline &t) {
    ordered_json stages = ordered_json::array();
    for (size_t i = 0; i < t.graph.stages.size(); i++) {
        stages.push_back(stage_json(t.graph, static_cast<int>(i), t.modules[i], window_module_of(t, i)));
        stages.back()["resources"] = nullptr;
    }
    return stages;
}

}  // namespace argent::hwgen
