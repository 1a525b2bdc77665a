#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/FloorDiv.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Block RAMs that one register addresses: those of one bank (BankMemories.h). */
constexpr int64_t most_blocks = 16;
/** Clocks that an address waits in registers: there are no more than a counter has. */
constexpr int most_clocks = 1, most_clocks_of_fast = 2;

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
    Expr words = zero_extend(geometry.pitch(), bits);
    if ((step & (step - 1)) != 0) {
        words = b.wire(fmt::format("words_{}", step), exact_quotient(words, step));
    } else if (step > 1) {
        words = zero_extend(slice(geometry.pitch(), geometry.x_bits - 1, log2_of(step)), bits);
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

/** Line memories of as many words that step in the same columns share a counter: those some clocks later have its address behind registers. */
void CoreEmitter::tell_addresses() {
    if (addresses.empty()) return;
    b.comment("The addresses of line memories.");
    const bool is_ahead = is_fast || part.is_crowded();
    for (auto &[key, readers] : addresses) {
        const auto &[columns, first_column, more, bits] = key;
        std::stable_sort(readers.begin(), readers.end(), [](const AddressReader &x, const AddressReader &y) { return x.clock < y.clock; });
        Expr addr;
        int clock = 0;
        int64_t blocks = 0;   // that this register addresses
        for (const AddressReader &r : readers) {
            const int later = r.clock - clock;
            if (addr.defined() && later == 0 && blocks + r.blocks <= most_blocks) {
                blocks += r.blocks;
            } else {
                const bool may_wait = addr.defined() && later > 0 && later <= (is_ahead ? most_clocks_of_fast : most_clocks);
                addr = may_wait ? late(r.id + "_addr_before", addr, clock, r.clock) : address_counter(r, line_words(static_cast<int>(columns), more, static_cast<int>(bits)), is_ahead);
                blocks = r.blocks;
            }
            clock = r.clock;
            b.assign(r.net, addr);
        }
    }
}

Expr CoreEmitter::address_counter(const AddressReader &r, const Expr &words, bool is_ahead) {
    const int bits = r.net.width();
    std::vector<std::pair<std::string, std::string>> parameters = {{"ADDR_W", std::to_string(bits)}};
    if (is_ahead) parameters.push_back({"AHEAD", "1"});
    const Expr addr = b.wire(r.id + "_counted", bits);
    b.cell({"ag_line_address", "address_" + r.id, parameters, {{"clk", clk}, {"clear", begin}, {"step", r.step}, {"words", words}, {"addr", addr}}, {}});
    return addr;
}

}  // namespace argent::hwgen
