#include "hwgen/passes/emit/EmitWindow.h"

#include <fmt/format.h>

#include <set>

#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

std::set<Slot> places_of(const Graph &g, int producer) {
    std::set<Slot> places;
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            if (t.producer != producer) continue;
            for (size_t row = 0; row < t.rows.size(); row++) {
                for (size_t column = 0; column < t.columns.size(); column++) places.insert(g.slot_of(t, row, column));
            }
        }
    }
    return places;
}

}  // namespace

WindowModule emit_window(const Graph &g, const Window &w, const std::string &module_name, bool is_fast) {
    const Stage &p = g.stages[w.producer];
    const int width = p.bits() * p.lanes;
    Builder b(module_name, fmt::format("The window of {}: {} rows of {} bits in memory.", p.shown(), w.rows, width));
    WindowModule result;

    const auto places = places_of(g, w.producer);
    const bool has_state = places.size() > 1 || *places.begin() != Slot(0, 0);
    const Expr clk = has_state ? b.input("clk") : Expr();
    const bool by_place = g.by_place(w);
    const Expr clear = w.rows > 0 && !by_place ? b.input("clear") : Expr();
    const Expr step = has_state ? b.input("step", 1, "value is the next vector of the scan") : Expr();
    Expr words, place, next_place;
    const Expr keeps = w.replays ? b.input("keeps", 1, "the producer has no row here") : Expr();
    const int64_t depth = g.row_words(w);
    if (w.rows > 0) {
        result.address_bits = bits_for(depth - 1);
        if (!by_place) words = b.input("words", result.address_bits + 1, "of the line memory");
        if (by_place) place = b.input("place", result.address_bits, "of value in its row, as the head counts");
        if (by_place) next_place = b.input("next_place", result.address_bits, "of the next one");
    }
    const Expr value = b.input("value", width);
    for (const auto &[rows, cols] : places) {
        const std::string port = fmt::format("r{}_c{}", rows, cols < 0 ? "m" + std::to_string(-cols) : std::to_string(cols));
        result.outputs[{rows, cols}] = port;
        b.output(port, width, fmt::format("{} late", Distance{rows, cols}.str()));
    }

    std::vector<Expr> newest(w.rows + 1);   // of each row, before its registers
    newest[0] = value;
    if (w.rows > 0) {
        const Expr addr = by_place ? Expr() : b.wire("addr", result.address_bits);
        if (!by_place) {
            std::vector<std::pair<std::string, std::string>> parameters = {{"ADDR_W", std::to_string(result.address_bits)}};
            if (is_fast) parameters.push_back({"AHEAD", "1"});
            b.instance({"ag_line_address", "address", parameters,
                        {{"clk", clk}, {"clear", clear}, {"step", step}, {"words", words}, {"addr", addr}}, {}});
        }
        const Expr kept = b.wire("kept", width * w.rows);
        std::vector<Expr> written;   // most significant first: the oldest row
        for (int row = w.rows - 1; row >= 1; row--) written.push_back(slice(kept, row * width - 1, (row - 1) * width));
        written.push_back(value);
        // Places and addresses count from 1, or 3; where the last is 2^n it is at 0.
        const auto words_from = [&](int first, int64_t words) { return std::to_string(std::min(words + first, int64_t(1) << result.address_bits)); };
        Instance by_places{"ag_row_memory", "rows",
                           {{"WIDTH", std::to_string(width * w.rows)}, {"DEPTH", words_from(1, g.pitch)}, {"ADDR_W", std::to_string(result.address_bits)}},
                           {{"clk", clk}, {"en", step}, {"waddr", place}, {"wdata", concat(written)}, {"raddr", next_place}, {"rdata", kept}}, {}};
        Instance memory{"ag_line_memory", "rows",
                    {{"WIDTH", std::to_string(width * w.rows)},
                     {"DEPTH", words_from(is_fast ? 3 : 1, depth)},
                     {"ADDR_W", std::to_string(result.address_bits)}},
                    {{"clk", clk}, {"en", step}, {"addr", addr},
                     {"wdata", w.replays ? select(keeps, kept, concat(written)) : concat(written)}, {"rdata", kept}}, {}};
        // ECP5's block RAMs read first only up to 18 bits.
        if (g.family == "ecp5") memory.parameters.push_back({"COLUMN", "18"});
        b.instance(by_place ? std::move(by_places) : std::move(memory));
        for (int row = 1; row <= w.rows; row++) newest[row] = slice(kept, row * width - 1, (row - 1) * width);
    }
    for (int row = 0; row <= w.rows; row++) {
        Expr e = newest[row];
        for (int64_t column = 0; column <= w.columns[row]; column++) {
            if (column > 0) e = b.reg_if(fmt::format("row{}_{}", row, column), step, e);
            const auto port = result.outputs.find({row, row * w.slip + column});
            if (port != result.outputs.end()) b.assign(name(port->second, width), e);
        }
    }
    result.module = b.take();
    return result;
}

}  // namespace argent::hwgen
