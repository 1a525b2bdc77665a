#include "hwgen/passes/schedule/EstimateArea.h"

#include <Halide.h>

#include "hwgen/area/Elaborate.h"
#include "hwgen/area/MapTables.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

namespace {

Modules modules_of(const Timelines &t, const Top &top) {
    Modules all;
    const auto add = [&](const verilog::Module &m) {
        if (!m.name.empty()) all[m.name] = &m;
    };
    for (const Timeline &timeline : t.all) {
        for (const StageModule &m : timeline.modules) {
            add(m.module);
            for (const verilog::Module &part : m.parts) add(part);
        }
        for (const verilog::Module &m : timeline.core.modules) add(m);
    }
    for (const verilog::Module &m : t.core.modules) add(m);
    add(top.module);
    return all;
}

}  // namespace

AreaEstimate estimate_area(const Timelines &t, const Top &top) {
    AreaEstimate area;
    if (part(t.whole.board.family).lut_inputs != 6) return area;
    const Modules all = modules_of(t, top);
    // Nets are followed to what drives them, through as many stages as there are behind each other.
    Halide::Internal::run_with_large_stack([&] {
        for (const auto &[name, module] : all) area.modules[name] = map_tables(elaborate(*module, all));
    });
    area.whole = area.modules.at(top.module.name);
    return area;
}

}  // namespace argent::hwgen
