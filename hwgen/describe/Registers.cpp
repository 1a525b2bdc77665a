#include "hwgen/describe/Registers.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

/** What the bits of the register `error` say. */
std::string error_bits(const Top &top) {
    std::string bits;
    int bit = 0;
    const auto add = [&](const MemoryPort &p, int count) {
        bits += bit ? ", " : "";
        bits += count == 2 ? fmt::format("{}..{} {}", bit + 1, bit, p.id) : fmt::format("{} {}", bit, p.id);
        bit += count;
    };
    const bool streams = !top.inputs.empty() && top.inputs[0].is_stream;
    for (const MemoryPort &p : top.inputs) {
        add(p, streams ? 2 : top.error_bits);
    }
    if (streams) {
        return "framing of the last launch's input streams: bits " + bits +
               "; 1 a row ended early, 2 a row did not end where it should, 3 a frame did not begin where it should";
    }
    for (const MemoryPort &p : top.outputs) add(p, top.error_bits);
    if (top.error_bits == 1) return "bus errors of the last launch, and bursts outside of the window: bit " + bits;
    return "the first mistake of the last launch: bits " + bits + "; 1 a burst outside of the window, 2 SLVERR, 3 DECERR";
}

/** What the bits of the register `refused` say. */
std::string refused_bits(const Top &top) {
    std::string bits;
    for (size_t i = 0; i < top.checks.size(); i++) {
        bits += fmt::format("{}{} {} (1..{})", i == 0 ? "" : ", ", std::min<size_t>(i, 31), top.checks[i].register_name, top.checks[i].max);
    }
    return bits;
}

}  // namespace

ordered_json registers_json(const Core &core, const Top &top) {
    ordered_json list = ordered_json::array();
    const auto add = [&](const std::string &name, int offset, const char *access, int bits, const std::string &doc) {
        list.push_back({{"name", name}, {"offset", offset}, {"access", access}, {"bits", bits}, {"doc", doc}});
    };
    add("control", 0x00, "rw", 24, "0 start (reads 1 until the arguments are taken), 1 done, 2 idle, 3 ready for the next launch, 23..16 launches that have ended");
    add("global_interrupt_enable", 0x04, "rw", 1, "");
    add("interrupt_enable", 0x08, "rw", 2, "0 a launch has ended, 1 ready for the next one");
    add("interrupt_status", 0x0c, "rw", 2, "a 1 written toggles");
    for (const Register &r : top.registers) add(r.name, r.offset, "rw", r.bits, r.doc);
    for (size_t i = 0; i < top.tables.size(); i++) {
        const Core::Table &t = core.tables[i];
        add(top.tables[i].place, top.tables[i].offset, "w", t.place_width, "where the next element of the table goes");
        add(top.tables[i].element, top.tables[i].offset + 4, "w", t.element_width, "the element; the place counts on");
    }
    add("id", 0x800, "r", 32, "a hash of this interface");
    add("version", 0x804, "r", 32, "of the register layout");
    add("cycles", 0x808, "r", 64, "clocks of the launch that ended last");
    add("stall_in", 0x810, "r", 32, "clocks in which an input kept the head from firing");
    add("stall_out", 0x814, "r", 32, "clocks in which an output kept the head from firing");
    add("error", 0x818, "r", 32, error_bits(top));
    add("refused", 0x81c, "r", static_cast<int>(std::min<size_t>(top.checks.size(), 32)), "why the last launch was refused: bit " + refused_bits(top));
    add("error_now", 0x820, "r", 32, "error, of the launch that runs");
    add("results_even", 0x848, "r", 32, "cycles to refused of the launches 0, 2, 4... since reset: the last of them that has ended");
    add("results_odd", 0x868, "r", 32, "... of the launches 1, 3, 5...");
    return list;
}

}  // namespace argent::hwgen
