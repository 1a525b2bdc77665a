#include "hwgen/describe/Areas.h"

#include <cmath>

namespace argent::hwgen {

using nlohmann::ordered_json;

ordered_json resources_json(const Resources &r, bool is_estimate) {
    ordered_json j = {{"lut", std::llround(r.all_luts())}, {"ff", std::llround(r.ff)}, {"bram18", std::llround(r.bram18)}, {"dsp", std::llround(r.dsp)}};
    if (is_estimate) j["origin"] = "estimate";
    return j;
}

ordered_json stage_resources(const AreaEstimate &area, const StageModule &m, const std::string &window_module) {
    if (area.modules.empty() || (m.module.name.empty() && window_module.empty())) return nullptr;
    Resources sum;
    for (const std::string &name : {m.module.name, window_module}) {
        if (!name.empty()) sum += area.modules.at(name);
    }
    return resources_json(sum);
}

ordered_json area_json(const Timelines &t, const AreaEstimate &area) {
    const auto cells = [](const Resources &r) {
        return ordered_json{{"lut", std::llround(r.lut)}, {"srl", std::llround(r.srl)}, {"lutram", std::llround(r.lutram)},
                            {"ff", std::llround(r.ff)}, {"bram18", std::llround(r.bram18)}, {"dsp", std::llround(r.dsp)}};
    };
    ordered_json j = {{"core", {{"module", t.core.name}}}, {"modules", ordered_json::object()}};
    j["core"].update(cells(area.modules.at(t.core.name)));
    for (const auto &[name, resources] : area.modules) j["modules"][name] = cells(resources);
    return j;
}

}  // namespace argent::hwgen
