#include "hwgen/describe/Tables.h"

#include <fmt/format.h>

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

/** The places that are read by an index. */
ordered_json needed_json(const TableSource &t) {
    ordered_json box = ordered_json::array();
    for (const Interval &p : needed_of(t)) box.push_back({{"min", int64_t(p.lo)}, {"max", int64_t(p.hi)}});
    return box;
}

/** The places that are Params of the hardware. */
ordered_json elements_json(const Region &region, const Top &top, int table) {
    ordered_json elements = ordered_json::array();
    for (size_t k = 0; k < region.params.size(); k++) {
        const Param &p = region.params[k];
        if (p.table == table) elements.push_back({{"place", p.place}, {"register", top.param_registers[k]}});
    }
    return elements;
}

/** What loads a memory, and how an element's indices are its address. */
ordered_json memory_json(const TableSource &t, const Top::TableRegisters &registers) {
    const TableLayout layout = layout_of(t.box);
    ordered_json indices = ordered_json::array();
    for (size_t d = 0; d < t.box.size(); d++) {
        indices.push_back({{"min", int64_t(t.box[d].lo)}, {"max", int64_t(t.box[d].hi)}, {"bits", layout.bits[d]}, {"shift", layout.shift[d]}});
    }
    return {{"place", registers.place}, {"element", registers.element}, {"depth", layout.depth}, {"indices", indices}};
}

}  // namespace

std::string type_name(const Halide::Type &t) {
    return t.is_bool() ? "bool" : fmt::format("{}{}", t.is_int() ? "int" : "uint", t.bits());
}

ordered_json tables_json(const Timelines &t, const Top &top) {
    ordered_json list = ordered_json::array();
    for (size_t i = 0; i < t.whole.tables.size(); i++) {
        const TableSource &table = table_of(t, i);
        if (!table.is_loaded()) continue;
        const ordered_json box = needed_json(table), elements = elements_json(t.whole, top, static_cast<int>(i));
        list.push_back({{"name", table.label}, {"type", type_name(table.type)}, {"dimensions", box.size()}, {"box", box}});
        if (!elements.empty()) list.back()["elements"] = elements;
        for (size_t k = 0; k < t.core.tables.size(); k++) {
            if (t.core.tables[k].table == static_cast<int>(i)) list.back()["memory"] = memory_json(table, top.tables[k]);
        }
    }
    return list;
}

}  // namespace argent::hwgen
