#include "hwgen/passes/emit/EmitRaster.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::hwgen {

using namespace verilog;

namespace {

/** A position that many behind another one is better told by a comparison of its own. */
const int most_flags = 16;

/** Elements of the domain in front of the output or behind it that flags tell apart. */
const int most_cropped = 4;

}  // namespace

HeadRaster::HeadRaster(const Graph &g, CoreBuilder &b, ScanGeometry &geometry, bool is_fast) : g(g), b(b), geometry(geometry), is_fast(is_fast) {}

void HeadRaster::emit(const Expr &clk, const Expr &first_step, bool rows_late, const std::set<int64_t> &ends) {
    begin = first_step;
    tells_rows_late = rows_late;
    step = b.wire("step", 1);
    rest = b.wire("rest", 1);
    at[0] = b.wire("at_x", geometry.x_bits);
    at[1] = b.wire("at_y", geometry.y_bits);
    next[0] = b.wire("next_x", geometry.x_bits);
    next[1] = b.wire("next_y", geometry.y_bits);
    row_end = b.wire("row_end", 1);
    if (!g.has_rates && geometry.is_full()) {
        const int64_t last = g.longest_extra() - 1;
        for (const int64_t end : ends) {   // the row's end follows them
            if (end < last && (last - end) % g.lanes == 0) (void)is_behind(0, end);
        }
        b.assign(row_end, is_behind(0, last));
    } else {   // a row has two positions at least: the last follows the one in front of it
        row_ends = flag("x_is_before_last", 0, equals("x_is_before_last_next", next_place(0), geometry.last_position(is_fast)));
        b.assign(row_end, flag("x_is_last", 0, row_ends, literal(1, 1)));
    }
    std::vector<std::pair<std::string, std::string>> parameters = {{"X_W", std::to_string(geometry.x_bits)}, {"Y_W", std::to_string(geometry.y_bits)}};
    if (is_fast) parameters.push_back({"FAST", "1"});
    b.cell({"ag_raster", "raster", parameters,
            {{"clk", clk}, {"clear", rest}, {"step", step}, {"row_end", row_end}, {"row_ends", row_ends}, {"x", at[0]}, {"y", at[1]}, {"next_x", next[0]}, {"next_y", next[1]}}, {}});
}

std::vector<Expr> HeadRaster::unread() const {
    std::vector<Expr> nets;
    for (const Expr &place : {at[0], at[1], next[0], next[1]}) {
        if (place.defined() && !read_places.count(place.get().name)) nets.push_back(place);
    }
    return nets;
}

std::vector<std::pair<std::string, std::string>> HeadRaster::grouping(bool is_late) const {
    if (g.family == "ecp5" || is_fast || is_late) return {{"GROUP", "2"}};
    return {};   // ag_equal's default, for tables of six inputs
}

/** A comparison with what only a launch tells. */
Expr HeadRaster::equals(const std::string &id, const Expr &place, const Expr &value, bool is_late) {
    const Expr same = b.wire(id, 1);
    auto parameters = grouping(is_late);
    parameters.insert(parameters.begin(), {"W", std::to_string(place.width())});
    b.cell({"ag_equal", id + "_equal", parameters, {{"a", place}, {"b", value}, {"same", same}}, {}});
    return same;
}

Expr HeadRaster::flag(const std::string &id, int dim, const Expr &value, const Expr &at_rest) {
    const Expr bit = b.declare_reg(id);
    const bool is_gated = dim == 1 && is_fast;   // by its table: of an enable, the row's end would be one more in front
    const auto both = [](const Expr &x, const Expr &y) { return binary(BinaryOp::And, x, y); };
    const Expr taken = is_gated ? binary(BinaryOp::Or, both(row_end, value), both(unary(UnaryOp::Not, row_end), bit)) : value;
    const Expr steps = dim == 0 || is_gated ? step : both(step, row_end);
    b.update({bit, select(rest, at_rest.defined() ? at_rest : literal(0, 1), select(steps, taken, bit)), {}, {}, {}});
    return flags[id] = bit;
}

Expr HeadRaster::steps_late(const std::string &id, Expr e, int64_t steps) {
    if (e.get().kind == ExprNode::Kind::Literal) return e;
    for (int64_t k = 1; k <= steps; k++) {
        const std::string name = fmt::format("{}_s{}", id, k);
        const auto known = flags.find(name);
        e = known != flags.end() ? known->second : flag(name, 0, e);
    }
    return e;
}

/** Near the first place it is told by a flag that moves on with the head. */
Expr HeadRaster::is_at(int dim, int64_t place) {
    const int bits = geometry.bits(dim);
    if (place < 0 || place + 1 >= int64_t(1) << bits) return literal(0, 1);
    const std::string id = fmt::format("{}_is_{}", "xy"[dim], place);
    const auto known = flags.find(id);
    if (known != flags.end()) return known->second;
    if (place > most_flags || (dim == 0 && place >= geometry.shortest_row()))   // no flag may go on to the next row
        return flag(id, dim, binary(BinaryOp::Eq, next_place(dim), literal(place + 1, bits)));
    if (place > 0) return flag(id, dim, is_at(dim, place - 1));
    return flag(id, dim, dim == 0 ? row_end : begin);   // no other step onto a row comes with the launch
}

/** 1 where the place a step ahead is that one, by a comparison; one that ends a row of one position clears the head's place in the same clock. */
Expr HeadRaster::compared(const std::string &id, int dim, const Expr &port, const std::string &of, int64_t more, bool is_row_end) {
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const Expr place = lanes == 1 && more == -1 ? zero_extend(port, geometry.bits(dim)) :
                       dim == 0 ? geometry.vectors_at(port, of, more + lanes) : geometry.rows_at(port, of, more + 1);
    const Expr same = equals(id + "_next", next_place(dim), place, is_row_end);
    return dim == 1 && tells_rows_late ? b.reg(id + "_told", same) : same;
}

/** A position behind one that is compared already follows it and compares nothing. */
Expr HeadRaster::is_at(int dim, const Expr &port, const std::string &of, int64_t more) {
    const auto id_of = [&](int64_t m) { return fmt::format("{}_is_{}_{}{}", "xy"[dim], of, m < 0 ? "m" : "p", std::abs(m)); };
    const std::string id = id_of(more);
    const auto known = flags.find(id);
    if (known != flags.end()) return known->second;
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const bool is_extent = of == (dim == 0 ? "width" : "height");
    const int64_t least = is_extent ? -1 : 0;   // the nearest place that every row has, as an extent is at least 1: what follows one that a row lacks never comes
    const bool is_row_end = dim == 0 && is_extent && geometry.is_full() && more == g.longest_extra() - 1;
    // The row's end follows the position in front of it if every row has one, so that no comparison is in front of the place that it clears.
    bool follows = (lanes == 1 && more > least && more <= most_flags) || (is_row_end && more - lanes >= -1);
    for (int k = 1; k <= most_flags && more - k * lanes >= least; k++) follows = follows || flags.count(id_of(more - k * lanes));
    Expr ahead = follows ? is_at(dim, port, of, more - lanes) : compared(id, dim, port, of, more, is_row_end);
    // What lies behind the row's end must not be seen in the next row.
    if (follows && dim == 0 && more >= g.longest_extra()) ahead = binary(BinaryOp::And, ahead, unary(UnaryOp::Not, row_end));
    if (is_row_end) row_ends = ahead;
    return flag(id, dim, ahead, literal(is_row_end ? 1 : 0, 1));
}

/** The row in front of these sets it, and it stays until the scan's end. */
Expr HeadRaster::is_past(int64_t more) {
    const std::string id = fmt::format("y_is_past_height_p{}", more);
    const auto known = flags.find(id);
    if (known != flags.end()) return known->second;
    const Expr before = is_behind(1, more - 1), bit = b.declare_reg(id);
    const Expr steps = binary(BinaryOp::And, step, row_end);
    b.update({bit, select(rest, literal(0, 1), binary(BinaryOp::Or, bit, binary(BinaryOp::And, steps, before))), {}, {}, {}});
    return flags[id] = bit;
}

bool HeadRaster::is_first_told(int dim) const { return g.reach[dim].min <= most_cropped; }

Expr HeadRaster::is_at_first(const Stage &s, const Crop &crop, int dim, int64_t more) {
    if (!is_first_told(dim)) return is_at(dim, crop.first[dim], fmt::format("{}_first_{}", s.id, "xy"[dim]), more);
    const int reach = g.reach[dim].min;
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const int bits = reach == 0 ? 0 : std::min(bits_for(reach), crop.first[dim].width());
    if (bits < crop.first[dim].width()) b.leave_unread(slice(crop.first[dim], crop.first[dim].width() - 1, bits));
    const Expr first = reach == 0 ? Expr() : slice(crop.first[dim], bits - 1, 0);
    const auto chosen = [&](int64_t more) {
        const auto at = [&](int before) { return before + more < 0 ? literal(0, 1) : is_at(dim, (before + more) / lanes); };
        Expr found = at(reach);
        for (int before = reach - 1; before >= 0; before--) {
            if ((before + more) / lanes == (reach + more) / lanes && before + more >= 0) continue;
            found = select(binary(BinaryOp::Eq, first, literal(before, first.width())), at(before), found);
        }
        return found;
    };
    if (!is_fast || dim == 1 || reach == 0 || more < lanes) return chosen(more);
    return chosen_ahead(fmt::format("{}_x_is_first_{}", s.id, more), [&] { return chosen(more - lanes); });
}

bool HeadRaster::is_end_told(int dim) const {
    const auto is_told = [&](int output) {
        const Stage &s = g.stages[output];
        // What is cut off must not lie in front of the scan: a domain of one row or column has no place there that flags could follow.
        const int64_t begins = dim == 0 ? s.displacement.cols - g.steps_around(s) : s.displacement.rows;
        return has_span(g, s, true) && begins - s.box[dim].min >= g.reach[dim].max;
    };
    return !g.has_rates && std::all_of(g.outputs.begin(), g.outputs.end(), is_told) && g.reach[dim].max <= most_cropped && (dim == 1 || g.lanes == 1);
}

Expr HeadRaster::is_at_end(const Stage &s, const Crop &crop, int dim, int64_t more) {
    if (!is_end_told(dim)) return is_at(dim, crop.end[dim], fmt::format("{}_end_{}", s.id, "xy"[dim]), more);
    const int reach = g.reach[dim].max;
    const auto chosen = [&](int64_t more) {
        Expr found = is_behind(dim, more - reach);   // the earliest first: the others follow it
        for (int k = reach - 1; k >= 0; k--) {
            const Expr &behind = crop.behind[dim];
            found = select(binary(BinaryOp::Eq, behind, literal(k, behind.width())), is_behind(dim, more - k), found);
        }
        return found;
    };
    if (!is_fast || dim == 1 || reach == 0 || more - reach < 0 || more >= g.longest_extra()) return chosen(more);
    return chosen_ahead(fmt::format("{}_x_is_end_{}", s.id, more), [&] { return chosen(more - 1); });
}

/** A choice among flags, at fast clocks: what was chosen a step before moves on, so that no choice is in front of what it decides. */
Expr HeadRaster::chosen_ahead(const std::string &id, const std::function<Expr()> &chosen_before) {
    const auto known = flags.find(id);
    return known != flags.end() ? known->second : flag(id, 0, chosen_before());
}

}  // namespace argent::hwgen
