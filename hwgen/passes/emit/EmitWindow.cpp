#include "hwgen/passes/emit/EmitWindow.h"

#include <fmt/format.h>

#include <algorithm>
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

/** Rows that one memory holds, and what it reads. */
struct Bank {
    int index = 0;
    int64_t rows = 0;
    Expr clear, step, keeps, first, addr;
    Expr value;   // the newest of its rows
    int64_t late = 0;   // its rows behind the window's newest
};

class WindowEmitter {
public:
    WindowEmitter(const Graph &g, const Window &w, const std::string &module_name, bool is_fast)
        : g(g), w(w), p(g.stages[w.producer]), width(p.bits() * p.lanes), depth(g.memory_words(w)), by_place(g.by_place(w)), is_fast(is_fast), guest_bits(static_cast<int>(g.bits_of_guests(w))), places(places_of(g, w.producer)),
          b(module_name, fmt::format("The window of {}: {} rows of {} bits in memory.", p.shown(), w.rows, width)) {}

    WindowModule run() {
        const Expr value = ports();
        newest = {value};
        steps = {first.step};
        Bank bank = first;
        bank.value = value;
        for (int64_t left = w.rows; left > 0; left -= bank.rows) {
            if (left < w.rows) bank = behind(bank);
            bank.late = w.rows - left;
            bank.rows = w.bank_rows == 0 ? left : std::min<int64_t>(left, w.bank_rows);
            emit(bank);
        }
        registers();
        result.module = b.take();
        return result;
    }

private:
    /** Returns the producer's newest vector. */
    Expr ports() {
        const bool has_memory = w.rows > 0 && w.host < 0;
        const bool has_state = has_memory || std::any_of(w.columns.begin(), w.columns.end(), [](int64_t columns) { return columns > 0; });
        if (has_state) clk = b.input("clk");
        if (has_tail_memory()) first.clear = b.input("clear");
        if (has_state) first.step = b.input("step", 1, "value is the next vector of the scan");
        if (w.replays && (has_memory || !w.holds)) first.keeps = b.input("keeps", 1, "the producer has no row here");
        if (w.repeats_first > 0) first.first = b.input("first", 1, w.first_late == 0 ? "value is of the domain's first row" : fmt::format("value is {} rows behind the domain's first", w.first_late));
        if (w.repeats_last) past = b.input("past", 1, "value is behind the domain's last row");
        if (has_memory) {
            result.address_bits = bits_for(depth - 1);
            if (!by_place) first.addr = b.input("addr", result.address_bits, "of the line memory");
            if (by_place) place = b.input("place", result.address_bits, "of value in its row, as the head counts");
            if (by_place) next_place = b.input("next_place", result.address_bits, "of the next one");
        }
        const Expr value = b.input("value", width);
        for (const auto &[rows, cols] : places) {
            const std::string port = fmt::format("r{}_c{}", rows, cols < 0 ? "m" + std::to_string(-cols) : std::to_string(cols));
            result.outputs[{rows, cols}] = port;
            const int64_t lag = w.lag(rows);
            b.output(port, width, Distance{rows, cols}.str() + " late" + (lag == 0 ? "" : lag == 1 ? ", a clock later" : fmt::format(", {} clocks later", lag)));
        }
        return value;
    }

    /** A bank a clock later: all that it reads passes a register, and its newest row is the last one's oldest. */
    Bank behind(const Bank &last) {
        const auto a_clock_later = [&](const char *what, const Expr &e) { return e.defined() ? b.reg(fmt::format("{}_{}", what, last.index + 1), e) : Expr(); };
        Bank next;
        next.index = last.index + 1;
        next.clear = a_clock_later("clear", last.clear);
        next.step = a_clock_later("step", last.step);
        next.keeps = a_clock_later("keeps", last.keeps);
        if (last.late + last.rows < w.first_late + w.repeats_first) next.first = a_clock_later("first", last.first);
        next.addr = a_clock_later("addr", last.addr);
        next.value = a_clock_later("value", newest.back());
        steps.push_back(next.step);
        return next;
    }

    std::string id(const char *name, const Bank &bank) const { return bank.index == 0 ? name : fmt::format("{}_{}", name, bank.index); }
    Expr row_of(const Expr &rows, int64_t row) const { return slice(rows, static_cast<int>((row + 1) * width - 1), static_cast<int>(row * width)); }

    /** A bank's rows as they were kept, from its newest, with those that repeat an edge. */
    void repeat(const Bank &bank, const Expr &kept) {
        if (bank.late == 0 && w.repeats_last) newest[0] = b.wire("row0", select(past, row_of(kept, 0), bank.value));
        for (int64_t k = 0; k < bank.rows; k++) {
            const int64_t row = bank.late + k + 1;
            const bool is_first_here = w.first_late > bank.late;   // else it has come with the bank's value, which is not past then
            const Expr one = row_of(kept, k);
            newest.push_back(w.may_repeat(row) ? b.wire(fmt::format("row{}", row), select(bank.first, is_first_here ? newest[w.first_late] : bank.value, one)) : one);
        }
    }

    void emit(const Bank &bank) {
        const int bits = static_cast<int>(bank.rows) * width;
        const Expr kept = w.host >= 0 ? b.input("kept", bits) : b.wire(id("kept", bank), bits), oldest = w.tail > 0 ? b.wire(id("oldest", bank), bits) : kept;   // at the end of the memory
        repeat(bank, kept);
        std::vector<Expr> rows;   // most significant first: the oldest row
        for (int64_t row = bank.rows - 1; row > 0; row--) rows.push_back(newest[bank.late + row]);
        rows.push_back(bank.late == 0 ? newest[0] : bank.value);
        const Expr chosen = w.replays && !w.holds ? select(bank.keeps, kept, concat(rows)) : concat(rows);
        const Expr written = has_front_register() ? b.reg_if(id("written", bank), bank.step, chosen) : chosen;
        if (w.host >= 0) return b.assign(b.output("written", bits), written);
        if (guest_bits > 0) return keep_with_guests(bank, written, kept);
        memory(bank, written, oldest);
        if (w.tail > 0) tail(bank, oldest, kept);
    }

    void keep_with_guests(const Bank &bank, const Expr &written, const Expr &kept) {
        const int bits = written.width(), all = bits + guest_bits;
        const Expr rows = b.wire("all_kept", all);
        b.assign(kept, slice(rows, bits - 1, 0));
        b.assign(b.output("guests_kept", guest_bits), slice(rows, all - 1, bits));
        memory(bank, concat({b.input("guests_written", guest_bits), written}), rows);
    }

    void memory(const Bank &bank, const Expr &written, const Expr &oldest) {
        const int bits = written.width();
        Instance memory{by_place ? "ag_row_memory" : w.holds ? "ag_held_memory" : "ag_line_memory", id("rows", bank), {{"WIDTH", std::to_string(bits)}}, {{"clk", clk}, {"en", bank.step}}, {}};
        // Places and addresses count from 1, or 3; where the last is 2^n it is at 0.
        const int64_t last = by_place ? g.pitch + 1 : depth + (is_fast ? 3 : 1);
        memory.parameters.push_back({"DEPTH", std::to_string(std::min(last, int64_t(1) << result.address_bits))});
        memory.parameters.push_back({"ADDR_W", std::to_string(result.address_bits)});
        const auto connect = [&](const char *port, const Expr &e) { memory.connections.push_back({port, e}); };
        if (w.holds) connect("we", unary(UnaryOp::Not, bank.keeps));
        connect(by_place ? "waddr" : "addr", by_place ? place : bank.addr);
        connect("wdata", written);
        if (by_place) connect("raddr", next_place);
        connect("rdata", oldest);
        // ECP5's block RAMs read first only up to 18 bits.
        if (g.family == "ecp5" && !by_place && !w.holds) memory.parameters.push_back({"COLUMN", "18"});
        b.instance(std::move(memory));
    }

    /** Whether one of a tail's registers is in front of the memory: block RAMs may stand far away, and behind what is chosen nothing else is one. */
    bool has_front_register() const { return w.tail > 0 && is_fast && w.replays; }

    /** Steps of the tail behind the memory, */
    int64_t steps_behind() const { return w.tail - has_front_register(); }
    /** and those of them in registers: all of one or two, else one where block RAMs may stand far away. */
    int64_t registers_behind() const {
        const int64_t least = 2, in_front = is_fast && !has_front_register();
        return steps_behind() <= least + in_front ? steps_behind() : in_front;
    }
    bool has_tail_memory() const { return w.tail > 0 && registers_behind() < steps_behind(); }

    /** Behind the memory: registers, and look-up tables for more steps. */
    void tail(const Bank &bank, Expr from, const Expr &to) {
        for (int64_t k = 1; k <= registers_behind(); k++) from = b.reg_if(fmt::format("{}_{}", id("tail", bank), k), bank.step, from);
        if (!has_tail_memory()) return b.assign(to, from);
        const int64_t words = steps_behind() - registers_behind() - 1;   // and the memory's own register
        const int bits = bits_for(words - 1);
        const Expr addr = b.wire(id("tail_addr", bank), bits);
        b.instance({"ag_line_address", id("tail_address", bank), {{"ADDR_W", std::to_string(bits)}},
                    {{"clk", clk}, {"clear", bank.clear}, {"step", bank.step}, {"words", literal(words, bits + 1)}, {"addr", addr}}, {}});
        b.instance({"ag_line_memory", id("tail", bank),
                    {{"WIDTH", std::to_string(to.width())}, {"DEPTH", std::to_string(std::min(words + 1, int64_t(1) << bits))}, {"ADDR_W", std::to_string(bits)}},
                    {{"clk", clk}, {"en", bank.step}, {"addr", addr}, {"wdata", from}, {"rdata", to}}, {}});
    }

    void registers() {
        for (int row = 0; row <= w.rows; row++) {
            Expr e = newest[row];
            for (int64_t column = 0; column <= w.columns[row]; column++) {
                if (column > 0) e = b.reg_if(fmt::format("row{}_{}", row, column), steps[w.lag(row)], e);
                const auto port = result.outputs.find({row, row * w.slip + column});
                if (port != result.outputs.end()) b.assign(name(port->second, width), e);
            }
        }
    }

    const Graph &g;
    const Window &w;
    const Stage &p;
    const int width;
    const int64_t depth;
    const bool by_place, is_fast;
    const int guest_bits;   // of rows of other windows in this one's memory
    const std::set<Slot> places;
    Builder b;
    WindowModule result;
    Expr clk, place, next_place, past;
    Bank first;
    std::vector<Expr> newest;   // of each row, before its registers
    std::vector<Expr> steps;    // of each bank
};

}  // namespace

WindowModule emit_window(const Graph &g, const Window &w, const std::string &module_name, bool is_fast) { return WindowEmitter(g, w, module_name, is_fast).run(); }

}  // namespace argent::hwgen
