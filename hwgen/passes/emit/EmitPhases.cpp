#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>
#include <climits>

namespace argent::hwgen {

using namespace verilog;

namespace {

std::string row_end_id(int64_t columns) { return fmt::format("row_end_{}{}", columns < 0 ? "m" : "", std::abs(columns)); }

}  // namespace

/** Where `s` stands, modulo `columns` positions and `rows` rows of the scan, in a clock phase; `has_places`: col and row, too. */
const CoreEmitter::Counters &CoreEmitter::counters(const Stage &s, int clock_phase, int columns, int rows, bool has_places) {
    const std::array<int64_t, 6> key = {clock_phase, s.displacement.rows, s.displacement.cols, columns, rows, has_places};
    const auto known = all_counters.find(key);
    if (known != all_counters.end()) return known->second;
    const std::string id = fmt::format("phase{}_{}", all_counters.size(), s.id);
    Counters c;
    const int x_phase_bits = bits_for(columns - 1), y_phase_bits = bits_for(rows - 1);
    for (const auto &[net, name, bits] : {std::tuple<Expr *, const char *, int>{&c.here, "here", 1}, {&c.x_phase, "x_phase", x_phase_bits},
                                          {&c.y_phase, "y_phase", y_phase_bits}, {&c.col, "col", geometry.x_bits}, {&c.row, "row", geometry.y_bits + 2}}) {
        *net = b.wire(fmt::format("{}_{}", id, name), bits);
        b.leave_unread(*net);
    }
    const Expr ends = rows > 1 || has_places ? row_end(clock_phase, s.displacement.cols) : literal(0, 1);
    b.cell({"ag_phase", id,
            {{"X_W", std::to_string(geometry.x_bits)}, {"Y_W", std::to_string(geometry.y_bits)}, {"DX", std::to_string(s.displacement.cols)}, {"DY", std::to_string(s.displacement.rows)},
             {"NX", std::to_string(columns)}, {"NY", std::to_string(rows)}, {"PX_W", std::to_string(x_phase_bits)}, {"PY_W", std::to_string(y_phase_bits)}},
            {{"clk", clk}, {"clear", begin}, {"step", valid(clock_phase)}, {"row_end", ends}, {"pitch", geometry.pitch()},
             {"here", c.here}, {"x_phase", c.x_phase}, {"y_phase", c.y_phase}, {"col", c.col}, {"row", c.row}},
            {}});
    return all_counters[key] = c;
}

/** 1 where a stream that is displaced by so many columns steps from the last position of its row, in a clock phase. tell_row_ends() drives it. */
Expr CoreEmitter::row_end(int clock_phase, int64_t columns) {
    Expr &net = row_ends[columns][clock_phase];
    if (!net.defined()) net = b.wire(fmt::format("{}_at_{}", row_end_id(columns), clock_phase));
    return net;
}

/** Rows end once for all that counts them: of a displaced stream, where the head is so many positions behind its row's end; in each phase some clocks later. */
void CoreEmitter::tell_row_ends() {
    if (row_ends.empty()) return;
    b.comment("The ends of rows, of streams that stand some positions behind the head.");
    for (const auto &[columns, nets] : row_ends) {
        const int first = columns < 0 ? nets.begin()->first : 0;   // clock phase in which it is told
        const Expr told = columns < 0 ? find_row_end(columns, valid(first)) : binary(BinaryOp::And, fire, columns == 0 ? raster.row_end : raster.is_at(0, columns - 1));
        const std::vector<Expr> late = clocks_behind(row_end_id(columns), told, nets.rbegin()->first - first);
        for (const auto &[clock, net] : nets) b.assign(net, late[clock - first]);
    }
}

/** A counter's row end, of a stream in front of the head. */
Expr CoreEmitter::find_row_end(int64_t columns, const Expr &step) {
    const std::string id = row_end_id(columns);
    const Expr is_next = b.wire(id + "_next");
    b.cell({"ag_row_end", id, {{"X_W", std::to_string(geometry.x_bits)}, {"DX", std::to_string(columns)}, {"UNIT", std::to_string(g.pitch_unit)}},
            {{"clk", clk}, {"clear", begin}, {"step", step}, {"pitch", geometry.pitch()}, {"last", geometry.last_position(is_fast)}, {"row_end", is_next}}, {}});
    return binary(BinaryOp::And, step, is_next);
}

/** What e was 0, 1, .. `clocks` clocks ago. */
std::vector<Expr> CoreEmitter::clocks_behind(const std::string &id, const Expr &e, int clocks) {
    std::vector<Expr> late = {e.get().kind == ExprNode::Kind::Name ? e : b.wire(id + "_now", e)};
    if (clocks == 0) return late;
    const Expr chain = b.declare_reg(id + "_ago", clocks);
    b.update({chain, clocks == 1 ? late[0] : concat({slice(chain, clocks - 2, 0), late[0]}), {}, {}, {}});
    for (int k = 0; k < clocks; k++) late.push_back(slice(chain, k, k));
    return late;
}

/** 1 where `s` has a column, a row or both; undefined if it has all of them. */
Expr CoreEmitter::in_phase(const Stage &s, int clock_phase, bool of_x, bool of_y) {
    const int nx = s.grid[0].step, ny = s.grid[1].step;
    of_x = of_x && nx > 1;
    of_y = of_y && ny > 1;
    if (!of_x && !of_y) return {};
    const Counters &at = counters(s, clock_phase, nx, ny);
    const Expr x = of_x ? binary(BinaryOp::Eq, at.x_phase, literal(0, at.x_phase.width())) : Expr();
    const Expr y = of_y ? binary(BinaryOp::Eq, at.y_phase, literal(0, at.y_phase.width())) : Expr();
    return of_x && of_y ? binary(BinaryOp::And, x, y) : of_x ? x : y;
}

/** 1 in the clock phase in which a stage reads the inputs of a new vector. */
Expr CoreEmitter::fires(const Stage &s) {
    const Expr phase = in_phase(s, s.phase, true, true);
    return phase.defined() ? binary(BinaryOp::And, valid(s.phase), phase) : valid(s.phase);
}

/** Whether a window's step is told a clock before by its phases, and comes out of a register: firings go to tables all over the part, and from there to block RAMs all over it;
 *  where rows stay in a crowd there is another table, which tells whether they do. */
bool CoreEmitter::is_told_before(const Stage &s) const {
    const double to_table = 0.5 * part.spread, to_rams = part.spread;
    const Window *w = g.window_of(static_cast<int>(&s - g.stages.data()));
    const bool needs_more = w && w->holds && part.is_crowded();
    return s.window_phase > 1 && (needs_more || is_too_long(part.clock_to_out + to_table + part.lut + to_rams));
}

/** The clock phase in which a window's step is told. */
int CoreEmitter::step_clock(const Stage &s) const { return s.window_phase - (s.grid[0].step > 1 && is_told_before(s)); }

/** 1 where a stage's window steps: one of the columns that it has is there. */
Expr CoreEmitter::window_step(const Stage &s) {
    const int clock = step_clock(s);
    const Expr phase = in_phase(s, clock, true, false);
    if (!phase.defined()) return valid(clock);
    const Expr step = binary(BinaryOp::And, valid(clock), phase);
    if (clock == s.window_phase) return step;
    return b.reg(s.id + "_step", is_cut_off() ? binary(BinaryOp::And, unary(UnaryOp::Not, begin), step) : step);
}

/** 1 in rows of the scan that a stage does not have. */
Expr CoreEmitter::window_keeps(const Stage &s) {
    const bool is_early = is_told_before(s);
    const Expr keeps = unary(UnaryOp::Not, in_phase(s, s.window_phase - is_early, false, true));
    return is_early ? b.reg(s.id + "_keeps", keeps) : keeps;
}

}  // namespace argent::hwgen
