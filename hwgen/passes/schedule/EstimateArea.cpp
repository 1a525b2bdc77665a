#include "hwgen/passes/schedule/EstimateArea.h"

#include <Halide.h>

#include "hwgen/area/Elaborate.h"
#include "hwgen/area/MapTables.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

namespace {

void add(Modules &all, const verilog::Module &m) {
    if (!m.name.empty()) all[m.name] = &m;
}

void add(Modules &all, const Timeline &t) {
    for (const StageModule &m : t.modules) {
        add(all, m.module);
        for (const verilog::Module &part : m.parts) add(all, part);
    }
    for (const verilog::Module &m : t.core.modules) add(all, m);
}

Modules modules_of(const Timelines &t, const Top &top) {
    Modules all;
    for (const Timeline &timeline : t.all) add(all, timeline);
    for (const verilog::Module &m : t.core.modules) add(all, m);
    add(all, top.module);
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

Resources estimate_core(const Timeline &t) {
    Modules all;
    add(all, t);
    Resources core;
    Halide::Internal::run_with_large_stack([&] { core = map_tables(elaborate(*all.at(t.core.name), all)); });
    return core;
}

}  // namespace argent::hwgen
