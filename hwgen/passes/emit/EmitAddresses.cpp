#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>
#include <numeric>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Block RAMs that one register addresses: those of one bank (BankMemories.h). */
constexpr int64_t most_blocks = 16;
/** Clocks that an address waits in registers: there are no more than a counter has. */
constexpr int most_clocks = 1, most_clocks_of_fast = 2;
/** Counters that are told when to wrap, at a usual clock: one alone is not worth what tells it. */
constexpr int least_followers = 2;

}  // namespace

/** The words of a line memory that steps once in `step` positions: so many more than a row has. */
Expr CoreEmitter::line_words(int step, int64_t more, int address_bits) {
    const std::string id = fmt::format("line_words{}{}", step == 1 ? "" : fmt::format("_{}", step), more == 0 ? "" : fmt::format("_{}{}", more < 0 ? "m" : "p", std::abs(more)));
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const auto fit = [&](const Expr &words) {
        if (words.width() > address_bits + 1) b.leave_unread(slice(words, words.width() - 1, address_bits + 1));
        return delayed[id] = zero_extend(slice(words, std::min(address_bits, words.width() - 1), 0), address_bits + 1);
    };
    const int64_t of_width = g.longest_extra() + more;
    if (!g.has_rates && geometry.is_full() && g.lanes == 1 && of_width == 0) return fit(geometry.width);
    if (!g.has_rates && geometry.is_full() && more < 0) return fit(geometry.vectors_at(geometry.width, "columns", g.longest_extra() + g.lanes - 1 + more * g.lanes));
    const int bits = std::max(geometry.x_bits, bits_for(g.pitch + std::max<int64_t>(0, more + 1)));
    const bool is_shifted = (step & (step - 1)) == 0;
    // A row is a multiple of the step, so its last position is a word less. Where no port tells it, it is a register later than the pitch.
    const bool of_last = is_shifted && (more == -1 || (g.has_rates && more < 0));
    const Expr row = of_last ? geometry.last_position(is_fast) : geometry.pitch();
    if (of_last) more++;
    Expr words = zero_extend(row, bits);
    if (!is_shifted) {
        words = b.wire(fmt::format("words_{}", step), exact_quotient(words, step));
    } else if (step > 1) {
        words = zero_extend(slice(row, geometry.x_bits - 1, log2_of(step)), bits);
    }
    if (more == 0) return fit(b.wire(id, words));
    const Expr sum = b.wire(id + "_sum", binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, words, literal(std::abs(more), bits)));
    if (bits > address_bits + 1) b.leave_unread(slice(sum, bits - 1, address_bits + 1));
    return delayed[id] = b.reg(id, zero_extend(slice(sum, std::min(bits, address_bits + 1) - 1, 0), address_bits + 1));
}

/** The address of a window's line memory, as `step` moves it on. tell_addresses() drives it. */
Expr CoreEmitter::line_address(const Stage &s, const Window &w, int address_bits, const Expr &step) {
    const int64_t columns = s.grid[0].step;
    const int64_t first_column = s.displacement.cols - floor_to(s.displacement.cols, columns), more = w.slip - w.tail - (w.holds ? 0 : 1);
    const int64_t rows = w.bank_rows > 0 ? w.bank_rows : w.rows;
    const int64_t row_bits = int64_t(s.bits()) * s.lanes * rows + g.bits_of_guests(w);
    const Expr net = b.wire(s.id + "_addr", address_bits);
    addresses[{columns, first_column, more, address_bits}].push_back({s.id, s.window_phase, ram_blocks(g.memory_words(w), row_bits), step, net});
    return net;
}

int64_t CoreEmitter::AddressRegister::blocks() const {
    return std::accumulate(readers.begin(), readers.end(), int64_t(0), [](int64_t sum, const AddressReader &r) { return sum + r.blocks; });
}

/** The counters of line memories of as many words that step in the same columns; each stands for those of the same clock, but for no more than `most_blocks`, and for those a clock or
 *  two later, which have its address behind registers. */
std::vector<CoreEmitter::AddressRegister> CoreEmitter::address_registers(std::vector<AddressReader> readers) const {
    std::stable_sort(readers.begin(), readers.end(), [](const AddressReader &x, const AddressReader &y) { return x.clock < y.clock; });
    const int most_later = counts_ahead() ? most_clocks_of_fast : most_clocks;
    std::vector<AddressRegister> registers;
    for (const AddressReader &r : readers) {
        const int later = registers.empty() ? 0 : r.clock - registers.back().clock();
        if (registers.empty() || later > 0 || registers.back().blocks() + r.blocks > most_blocks) registers.push_back({{}, later > 0 && later <= most_later});
        registers.back().readers.push_back(r);
    }
    return registers;
}

/** What addresses have in common that step at different clocks: all wrap when the first one does, so many clocks later, and only that one compares its address. */
void CoreEmitter::tell_addresses() {
    if (addresses.empty()) return;
    b.comment("The addresses of line memories.");
    for (const auto &[key, readers] : addresses) {
        const auto &[columns, first_column, more, bits] = key;
        const std::vector<AddressRegister> registers = address_registers(readers);
        const AddressReader &leader = registers[0].readers[0];
        const auto may_follow = [&](const AddressRegister &a) { return !a.waits && a.clock() > leader.clock; };
        const bool leads = std::count_if(registers.begin(), registers.end(), may_follow) >= (counts_ahead() ? 1 : least_followers);
        Expr addr, wraps;   // of the register before; of the leader, a clock behind its step
        int clock = 0;
        for (const AddressRegister &a : registers) {
            const AddressReader &r = a.readers[0];
            if (a.waits) {
                addr = late(r.id + "_addr_before", addr, clock, a.clock());
            } else if (leads && may_follow(a)) {
                if (!wraps.defined()) wraps = has_wrapped(leader, columns > 1);
                addr = following_counter(r, late(leader.id + "_wraps", wraps, leader.clock + 1, a.clock()));
            } else {
                addr = address_counter(r, line_words(static_cast<int>(columns), more, static_cast<int>(bits)));
            }
            clock = a.clock();
            for (const AddressReader &reader : a.readers) b.assign(reader.net, addr);
        }
    }
}

/** Whether addresses are the last ones by registers. */
bool CoreEmitter::counts_ahead() const { return is_fast || part.is_crowded(); }

Expr CoreEmitter::address_counter(const AddressReader &r, const Expr &words) {
    const int bits = r.net.width();
    std::vector<std::pair<std::string, std::string>> parameters = {{"ADDR_W", std::to_string(bits)}};
    if (counts_ahead()) parameters.push_back({"AHEAD", "1"});
    const Expr addr = b.wire(r.id + "_counted", bits);
    b.cell({"ag_line_address", "address_" + r.id, parameters, {{"clk", clk}, {"clear", begin}, {"step", r.step}, {"words", words}, {"addr", addr}}, {}});
    return addr;
}

/** 1 where a clock before a counter stepped to its first address. */
Expr CoreEmitter::has_wrapped(const AddressReader &r, bool is_in_phase) {
    const Expr &addr = r.net;
    const int64_t first = counts_ahead() ? 3 : 1;   // of ag_line_address
    const Expr has_stepped = is_in_phase ? b.reg(r.id + "_stepped", r.step) : valid(r.clock + 1);
    return b.wire(r.id + "_wraps", binary(BinaryOp::And, has_stepped, binary(BinaryOp::Eq, addr, literal(first & ((int64_t(1) << addr.width()) - 1), addr.width()))));
}

Expr CoreEmitter::following_counter(const AddressReader &r, const Expr &wraps) {
    const int bits = r.net.width();
    const Expr addr = b.wire(r.id + "_counted", bits);
    b.cell({"ag_line_follower", "address_" + r.id, {{"ADDR_W", std::to_string(bits)}}, {{"clk", clk}, {"clear", begin}, {"step", r.step}, {"wraps", wraps}, {"addr", addr}}, {}});
    return addr;
}

}  // namespace argent::hwgen
