#include "hwgen/passes/CoreEmitter.h"

#include <algorithm>

#include "hwgen/passes/ChannelDepth.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Words of a FIFO with which the head never waits for the pipeline's own length: half of them for what is in flight when it stops, with what fires then;
 *  the other half leaves until the first has come that fires when it goes on. Shift registers come in 16 and 32 words, small memories in 64; where
 *  those are of 16, a clock that is fast has no time to choose among more than are needed. */
int fifo_depth_for(int in_flight, bool is_fast) {
    const int needed = 2 * (in_flight + 1);
    if (is_fast && needed <= 64) return (needed + 15) / 16 * 16;
    return needed <= 16 ? 16 : needed <= 32 ? 32 : needed <= 64 ? 64 : needed;
}

/** Tables behind "there is room" or "not done": two say that the head fires, one that it steps. */
const int tables_to_step = 3;

/** A position that many behind another one is better told by a comparison of its own. */
const int most_flags = 16;

/** Rows in front of a stream that flags tell; of more the span remembers that they have passed. */
const int most_rows_told = 4;

/** Elements of the domain in front of the output or behind it that flags tell apart. */
const int most_cropped = 4;

}  // namespace

/** Positions of a row of the scan. */
Expr CoreEmitter::scan_pitch() {
    if (pitch.defined()) return pitch;
    const Expr full = elements_to_columns({{0, g.longest_extra()}, {0, 0}});
    if (is_full()) return pitch = full;
    const Expr least = literal(g.least_pitch, x_bits);
    return pitch = b.reg("pitch", select(binary(BinaryOp::Lt, full, least), least, full));
}

/** The last of them. */
Expr CoreEmitter::last_position() {
    const auto before = [&](const Expr &e) { return binary(BinaryOp::Sub, e, literal(1, x_bits)); };
    if (pitch.defined()) return b.reg("last_position", before(pitch));
    const Expr full = elements_to_columns({{0, g.longest_extra()}, {0, 0}});   // pitch is a register that only scans of their own need
    Expr is_short = binary(BinaryOp::Lt, full, literal(g.least_pitch, x_bits));
    if (is_fast()) is_short = b.reg("row_is_short", is_short);
    return b.reg("last_position", select(is_short, literal(g.least_pitch - 1, x_bits), before(full)));
}

/** A comparison with what only a launch tells. */
Expr CoreEmitter::equals(const std::string &id, const Expr &place, const Expr &value) {
    const Expr same = b.wire(id, 1);
    std::vector<std::pair<std::string, std::string>> parameters = {{"W", std::to_string(place.width())}};
    if (g.family == "ecp5" || is_fast()) parameters.push_back({"GROUP", "2"});   // LUTs of four inputs
    b.instance({"ag_equal", id + "_equal", parameters, {{"a", place}, {"b", value}, {"same", same}}, {}});
    cells.insert("ag_equal");
    return same;
}

/** Positions of the shortest row of the scan. */
int64_t CoreEmitter::shortest_row() const { return std::max(g.least_pitch, g.columns({{0, g.longest_extra()}, {0, 0}}, 1)); }

/** Whether what is compared with a row may be a register, a clock late: a row has more than one position, and the next launch does not begin in the two clocks
 *  behind the last firing, as its element is on the way. */
bool CoreEmitter::is_row_told_late() const {
    const std::optional<int> end = ending_output();
    return is_fast() && end && g.stages[*end].phase + g.stages[*end].latency > 0 && shortest_row() > 1;
}

/** A bit that goes with the head: at every step, or new row, it takes what is `next` there. */
Expr CoreEmitter::head_flag(const std::string &id, int dim, const Expr &next, bool at_rest) {
    const Expr flag = b.declare_reg(id);
    const bool is_gated = dim == 1 && is_fast();   // by its table: of an enable, the row's end would be one more in front
    const auto both = [](const Expr &x, const Expr &y) { return binary(BinaryOp::And, x, y); };
    const Expr value = is_gated ? binary(BinaryOp::Or, both(row_end, next), both(unary(UnaryOp::Not, row_end), flag)) : next;
    const Expr steps = dim == 0 || is_gated ? step : both(step, row_end);
    b.update({flag, select(rest, literal(at_rest ? 1 : 0, 1), select(steps, value, flag)), {}, {}, {}});
    return delayed[id] = flag;
}

/** 1 where the head's next position is at element base + more of the domain, `base` being a port that is called `of`. It is compared a step
 *  before, and a position behind one that is compared already follows it and compares nothing. */
Expr CoreEmitter::is_at(int dim, const Expr &base, const std::string &of, int64_t more) {
    const auto id_of = [&](int64_t m) { return fmt::format("{}_is_{}_{}{}", "xy"[dim], of, m < 0 ? "m" : "p", std::abs(m)); };
    const std::string id = id_of(more);
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const bool is_extent = of == (dim == 0 ? "width" : "height");   // and so at least 1: there is an element in front of it
    const bool is_row_end = dim == 0 && is_extent && is_full() && more == g.longest_extra() - 1;
    // What lies behind the row's end must not be seen in the next row.
    bool follows = lanes == 1 && more > (is_extent ? -1 : 0) && more <= most_flags;
    for (int k = 1; k <= most_flags; k++) follows = follows || delayed.count(id_of(more - k * lanes));
    Expr next;
    if (follows && (dim == 1 || more < g.longest_extra())) {
        next = is_at(dim, base, of, more - lanes);
    } else {
        const Expr place = lanes == 1 && more == -1 ? zero_extend(base, dim == 0 ? x_bits : y_bits) :
                           dim == 0 ? vectors_at(base, of, more + lanes) : rows_at(base, of, more + 1);
        next = equals(id + "_next", next_of(dim), place);
        if (dim == 1 && is_row_told_late()) next = b.reg(id + "_told", next);
    }
    if (is_row_end) row_ends = next;
    return head_flag(id, dim, next, is_row_end);
}

/** 1 where the head's next position or row is that one. Near the first it is told by a flag that moves on with the head. */
Expr CoreEmitter::is_at(int dim, int64_t place) {
    const int bits = dim == 0 ? x_bits : y_bits;
    if (place < 0 || place + 1 >= int64_t(1) << bits) return literal(0, 1);
    const std::string id = fmt::format("{}_is_{}", "xy"[dim], place);
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    if (place > most_flags || (dim == 0 && place >= shortest_row()))   // no flag may go on to the next row
        return head_flag(id, dim, binary(BinaryOp::Eq, next_of(dim), literal(place + 1, bits)));
    if (place > 0) return head_flag(id, dim, is_at(dim, place - 1));
    return head_flag(id, dim, dim == 0 ? row_end : begin);   // no other step onto a row comes with the launch
}

/** What a flag was so many steps ago. */
Expr CoreEmitter::steps_late(const std::string &id, Expr flag, int64_t steps) {
    if (flag.get().kind == ExprNode::Kind::Literal) return flag;
    for (int64_t k = 1; k <= steps; k++) {
        const std::string name = fmt::format("{}_s{}", id, k);
        const auto known = delayed.find(name);
        flag = known != delayed.end() ? known->second : head_flag(name, 0, flag);
    }
    return flag;
}

/** 1 where the head's next position is `more` elements behind the first that leaves. No more than the borders' reach are in front of that one. */
Expr CoreEmitter::is_at_first(const Stage &s, const Crop &crop, int dim, int64_t more) {
    const int reach = g.reach[dim].min;
    if (reach > most_cropped) return is_at(dim, crop.first[dim], fmt::format("{}_first_{}", s.id, "xy"[dim]), more);
    const int64_t lanes = dim == 0 ? g.lanes : 1;
    const int bits = reach == 0 ? 0 : std::min(bits_for(reach), crop.first[dim].width());
    if (bits < crop.first[dim].width()) unread_nets.push_back(slice(crop.first[dim], crop.first[dim].width() - 1, bits));
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
    if (!is_fast() || dim == 1 || reach == 0 || more < lanes) return chosen(more);
    return chosen_ahead(fmt::format("{}_x_is_first_{}", s.id, more), [&] { return chosen(more - lanes); });
}

/** A choice among flags, at fast clocks: what was chosen a step before moves on, so that no choice is in front of what it decides. */
Expr CoreEmitter::chosen_ahead(const std::string &id, const std::function<Expr()> &chosen_before) {
    const auto known = delayed.find(id);
    return known != delayed.end() ? known->second : head_flag(id, 0, chosen_before());
}

/** Whether flags tell where a cropped output ends, by the few elements behind it. */
bool CoreEmitter::is_end_told(const Stage &s, int dim) const {
    return !g.has_rates && has_span(s, true) && g.reach[dim].max <= most_cropped && (dim == 1 || g.lanes == 1);
}

/** The same of the place behind the last that leaves: `more` elements behind it. */
Expr CoreEmitter::is_at_end(const Stage &s, const Crop &crop, int dim, int64_t more) {
    if (!is_end_told(s, dim)) return is_at(dim, crop.end[dim], fmt::format("{}_end_{}", s.id, "xy"[dim]), more);
    const Expr extent = dim == 0 ? width : height;
    const std::string of = dim == 0 ? "width" : "height";
    const int reach = g.reach[dim].max;
    const auto chosen = [&](int64_t more) {
        Expr found = is_at(dim, extent, of, more - reach);   // the earliest first: the others follow it
        for (int k = reach - 1; k >= 0; k--) {
            const Expr &behind = crop.behind[dim];
            found = select(binary(BinaryOp::Eq, behind, literal(k, behind.width())), is_at(dim, extent, of, more - k), found);
        }
        return found;
    };
    if (!is_fast() || dim == 1 || reach == 0 || more - reach < 0 || more >= g.longest_extra()) return chosen(more);
    return chosen_ahead(fmt::format("{}_x_is_end_{}", s.id, more), [&] { return chosen(more - 1); });
}

/** Where the head stands, for all streams and stages whose rows lie in those of the scan. */
void CoreEmitter::raster() {
    const bool is_read = std::any_of(g.stages.begin(), g.stages.end(), [&](const Stage &s) { return g.is_told(s); });
    if (!is_read) return;
    step = b.wire("step", 1);
    rest = b.wire("rest", 1);
    at_x = b.wire("at_x", x_bits);
    at_y = b.wire("at_y", y_bits);
    next_x = b.wire("next_x", x_bits);
    next_y = b.wire("next_y", y_bits);
    row_end = b.wire("row_end", 1);
    // The earliest first: the others follow it.
    const auto ends_with_domain = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        return g.in_raster(s) && s.displacement.cols == 0 && g.shown(s)[0].max == g.shown(s)[0].min;
    };
    bool is_before_end = std::any_of(core.inputs.begin(), core.inputs.end(), ends_with_domain);
    for (const auto &[stage, crop] : crops) {
        const Stage &s = g.stages[stage];
        const bool is_told = crop.first[0].defined() && is_end_told(s, 0);
        is_before_end = is_before_end || (is_told && s.displacement.cols - g.steps_around(s) - s.box[0].min - g.reach[0].max == 0);
    }
    if (g.lanes == 1 && is_before_end) (void)is_at(0, width, "width", -1);
    if (is_full()) {
        b.assign(row_end, is_at(0, width, "width", g.longest_extra() - 1));
    } else {   // a row has two positions at least: the last follows the one in front of it
        row_ends = head_flag("x_is_before_last", 0, equals("x_is_before_last_next", next_of(0), last_position()));
        b.assign(row_end, head_flag("x_is_last", 0, row_ends, true));
    }
    std::vector<std::pair<std::string, std::string>> parameters = {{"X_W", std::to_string(x_bits)}, {"Y_W", std::to_string(y_bits)}};
    if (is_fast()) parameters.push_back({"FAST", "1"});
    b.instance({"ag_raster", "raster", parameters,
                {{"clk", clk}, {"clear", rest}, {"step", step}, {"row_end", row_end}, {"row_ends", row_ends}, {"x", at_x}, {"y", at_y}, {"next_x", next_x}, {"next_y", next_y}}, {}});
    cells.insert("ag_raster");
}

/** For streams with a span: columns and rows behind the domain's last. */
void CoreEmitter::find_last_places() {
    const auto find = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        const auto crop = crops.find(c.stage);
        if (g.has_rates || !has_span(s, crop != crops.end())) return;
        for (int dim = 0; dim < 2; dim++) {
            const bool is_cropped = crop != crops.end() && crop->second.first[dim].defined();
            const int64_t displaced = dim == 0 ? s.displacement.cols * g.lanes : s.displacement.rows;
            const int at = static_cast<int>(displaced + (is_cropped ? -s.box[dim].min : g.shown(s)[dim].max - g.shown(s)[dim].min));
            last_places[c.stage].at[dim] = {is_cropped ? at - g.reach[dim].max : at, at};
        }
    };
    for (const CoreStream &c : core.inputs) find(c);
    for (const CoreStream &c : core.outputs) find(c);
}

/** 1 where row_before of a stream leads to a row of it. Undefined where that has to be remembered: it is told if the scan ends with one output,
 *  by the few rows in front and the one behind, as nobody looks behind the scan's end. */
Expr CoreEmitter::leads_to_row(const Stage &s, const Crop *crop) {
    const int stream = static_cast<int>(&s - g.stages.data());
    const std::optional<int> end = ending_output();
    if (!end) return Expr();
    const bool is_cropped = crop && crop->first[1].defined();
    const int is_step_to_row = s.displacement.cols == 0;   // row_before is the end of the scan row in front
    const bool ends_in_next_row = g.steps_around(g.stages[*end]) > g.steps_around(s);
    const int64_t rows_behind = last_places.at(*end).at[1].max - last_places.at(stream).at[1].min + ends_in_next_row;
    const int64_t first = s.displacement.rows - (is_cropped ? s.box[1].min : 0) - is_step_to_row;   // of the rows in which it does
    const int reach = is_cropped ? g.reach[1].min : 0;
    if (first + reach > most_rows_told || (stream != *end && (is_cropped || rows_behind > is_step_to_row))) return Expr();
    Expr outside;
    const auto add = [&](const Expr &e) { outside = outside.defined() ? binary(BinaryOp::Or, outside, e) : e; };
    for (int64_t row = 0; row < first; row++) add(is_at(1, row));
    if (is_cropped) {
        const int bits = reach == 0 ? 0 : std::min(bits_for(reach), crop->first[1].width());
        if (bits < crop->first[1].width()) unread_nets.push_back(slice(crop->first[1], crop->first[1].width() - 1, bits));
        for (int before = 0; before < reach; before++) {
            if (first + before >= 0) add(binary(BinaryOp::And, binary(BinaryOp::Gt, slice(crop->first[1], bits - 1, 0), literal(before, bits)), is_at(1, first + before)));
        }
    }
    if (stream != *end && rows_behind == 1) add(is_at(1, height, "height", last_places.at(stream).at[1].max - 1));
    return outside.defined() ? steps_late(s.id + "_in_row", unary(UnaryOp::Not, outside), g.steps_around(s) - 1) : literal(1, 1);
}

/** Where a stream has elements, from the head's place. Returns where all have been; undefined where nobody asks. */
Expr CoreEmitter::span(const Stage &s, Expr active, const Crop *crop) {
    const int stream = static_cast<int>(&s - g.stages.data());
    // Marks are found where rows lie in those of the scan; one in front of the stream's first element is a step earlier.
    const int64_t around = g.steps_around(s), dx = s.displacement.cols - around, dy = s.displacement.rows;
    const bool is_at_origin = s.displacement.cols == 0 && dy == 0;
    const Box shown = g.shown(s);
    Expr before, last, done, in_row = leads_to_row(s, crop);
    bool is_one_flag = false;
    if (!crop || !crop->first[0].defined()) {
        before = around > 0 ? is_at(0, dx) : dx == 0 ? row_end : is_at(0, dx - 1);
        last = is_at(0, width, "width", shown[0].max - shown[0].min + dx * g.lanes - 1);
    } else {
        const int64_t more = (around > 0 ? dx : dx - 1) * g.lanes - s.box[0].min;
        // At fast clocks one flag says that a row begins and that there is one: the place in front of row_before is in the same row.
        is_one_flag = is_fast() && around <= 1 && more >= g.lanes && g.reach[0].min <= most_cropped && in_row.defined() && in_row.get().kind != ExprNode::Kind::Literal;
        before = is_one_flag ? head_flag(s.id + "_enters", 0, binary(BinaryOp::And, is_at_first(s, *crop, 0, more - g.lanes), in_row)) : is_at_first(s, *crop, 0, more);
        last = is_at_end(s, *crop, 0, dx * g.lanes - s.box[0].min - 1);
    }
    before = steps_late(s.id + "_before", before, around - 1);
    last = steps_late(s.id + "_last", last, around);
    // What tells a row stands from the row's second position on; row_before is there, or behind.
    const int64_t place_before = !crop || !crop->first[0].defined() ? dx - (around == 0) : g.reach[0].min > most_cropped ? 0 :
                                 ((around > 0 ? dx : dx - 1) * g.lanes - s.box[0].min) / g.lanes;
    const bool is_told_late = !is_one_flag && in_row.defined() && in_row.get().kind != ExprNode::Kind::Literal && is_row_told_late() && place_before != 0;
    if (is_told_late) in_row = b.reg(s.id + "_in_row", in_row);
    if (is_one_flag) in_row = literal(1, 1);
    const auto first_row = [&] {
        const int64_t row = around == 0 && dx == 0 ? dy - 1 : dy;
        const Expr first = crop && crop->first[1].defined() ? is_at_first(s, *crop, 1, dy - s.box[1].min) : is_at_origin ? literal(0, 1) : is_at(1, row);
        return steps_late(s.id + "_first_row", first, around - 1);
    };
    const auto last_row = [&] {
        const Expr end = crop && crop->first[1].defined() ? is_at_end(s, *crop, 1, dy - s.box[1].min - 1) :
                                                            is_at(1, height, "height", shown[1].max - shown[1].min + dy - 1);
        return steps_late(s.id + "_last_row", end, around);
    };
    std::vector<std::pair<std::string, Expr>> connections = {{"clk", clk}, {"clear", begin}, {"step", fire}, {"row_before", before}, {"row_end", last}};
    if (in_row.defined()) {
        connections.insert(connections.end(), {{"in_row", in_row}, {"active", active}});
        if (is_fast()) {
            const auto both = [](const Expr &x, const Expr &y) { return binary(BinaryOp::And, x, y); };
            const Expr stays = both(active, both(unary(UnaryOp::Not, before), unary(UnaryOp::Not, last)));
            will_be_active[stream] = select(fire, binary(BinaryOp::Or, both(before, in_row), stays), active);
        }
        if (stream == ending_output()) {
            Expr end = last_row();
            // From a row's second position on it may be told a clock late, and is no table in front of what ends.
            const int64_t first_place = crop && crop->first[0].defined() ? dx * g.lanes - s.box[0].min : dx * g.lanes;
            if (is_fast() && first_place >= g.lanes && end.get().kind != ExprNode::Kind::Literal) end = b.reg(s.id + "_is_last_row", end);
            last_places[stream].is_next = binary(BinaryOp::And, last, end);
        }
    } else {
        done = b.wire(s.id + "_done", 1);
        const Expr first = first_row(), end = last_row();
        connections.insert(connections.end(), {{"first_row", first}, {"last_row", end}, {"active", active}, {"done", done}});
        last_places[stream].is_next = binary(BinaryOp::And, last, end);
    }
    const std::string cell = in_row.defined() ? "ag_row_span" : "ag_span";
    b.instance({cell, "span_" + s.id, {{"AT_ORIGIN", is_at_origin ? "1" : "0"}}, connections, {}});
    cells.insert(cell);
    return done;
}

/** An input whose first column is there for some positions before it moves on. */
Expr CoreEmitter::repeated_stream(const CoreStream &c) {
    const Stage &s = g.stages[c.stage];
    Expr done;
    const Expr is_shown = shown[c.stage] = b.wire(c.id + "_shown", 1);
    Expr in_front;
    if (has_span(s, false)) {
        done = span(s, is_shown, nullptr);
        for (int k = 0; k < g.repeated_before(s); k++) {
            const Expr at = is_at(0, s.displacement.cols + k);
            in_front = in_front.defined() ? binary(BinaryOp::Or, in_front, at) : at;
        }
    } else {
        const Expr x = b.wire(c.id + "_at_x", x_bits + 2);
        done = b.wire(c.id + "_done", 1);
        scan("scan_" + c.id, s, fire, x, {}, is_shown, done);
        in_front = binary(BinaryOp::Lt, x, literal(g.repeated_before(s), x_bits + 2));
    }
    b.assign(active[c.stage], binary(BinaryOp::And, is_shown, unary(UnaryOp::Not, in_front)));
    return done;
}

/** A stream that counts for itself. */
void CoreEmitter::scanned_stream(const CoreStream &c, Expr done) {
    const Stage &s = g.stages[c.stage];
    const auto crop = crops.find(c.stage);
    if (g.has_rates) {
        const Expr x = b.wire(c.id + "_x", x_bits + 2), y = b.wire(c.id + "_y", y_bits + 2), inside = b.wire(c.id + "_inside", 1);
        scan("scan_" + c.id, s, fire, x, y, inside, done);
        const std::array<Expr, 4> &e = extents.at(c.stage);
        Expr is_active = binary(BinaryOp::And, inside, binary(BinaryOp::Ge, slice(x, x_bits - 1, 0), e[0]));
        is_active = binary(BinaryOp::And, is_active, binary(BinaryOp::Ge, slice(y, y_bits - 1, 0), e[2]));
        unread_nets.push_back(slice(x, x_bits + 1, x_bits));
        unread_nets.push_back(slice(y, y_bits + 1, y_bits));
        const Expr phase = in_phase(s, 0, true, true);
        b.assign(active[c.stage], phase.defined() ? binary(BinaryOp::And, is_active, phase) : is_active);
    } else if (crop != crops.end()) {
        const Expr x = g.bordered[0] ? b.wire(c.id + "_at_x", x_bits + 2) : Expr();
        const Expr y = g.bordered[1] ? b.wire(c.id + "_at_y", y_bits + 2) : Expr();
        const Expr before_end = b.wire(c.id + "_before_end", 1);
        scan("scan_" + c.id, s, fire, x, y, before_end, done, &crop->second);
        b.assign(active[c.stage], binary(BinaryOp::And, before_end, after_first(s, crop->second, x, y)));
    } else {
        scan("scan_" + c.id, s, fire, {}, {}, active[c.stage], done);
    }
}

bool CoreEmitter::has_scan(const Stage &s) const {
    return std::any_of(s.datapath.leaves().begin(), s.datapath.leaves().end(), [&](const Leaf &l) {
        return (l.kind == Leaf::Kind::Coord && !g.in_raster(s)) || (l.kind == Leaf::Kind::Place && !g.is_told(s));
    });
}

/** An ag_scan for a stage: where it stands at its next step. */
Expr CoreEmitter::scan(const std::string &what, const Stage &s, Expr step, Expr x, Expr y, Expr active, Expr done, const Crop *crop) {
    const auto extent = extents.find(static_cast<int>(&s - g.stages.data()));
    const auto end = [&](int dim) {
        if (g.has_rates) return extent->second[2 * dim + 1];
        if (crop && crop->scan_end[dim].defined()) return crop->scan_end[dim];
        return dim == 0 ? elements_to_columns(g.shown(s)) : rows_of(s.box);
    };
    if (!x.defined()) x = unread(what + "_x", x_bits + 2);
    if (!y.defined()) y = unread(what + "_y", y_bits + 2);
    if (!active.defined()) active = unread(what + "_active", 1);
    if (!done.defined()) done = unread(what + "_done", 1);
    b.instance({"ag_scan", what,
                {{"X_W", std::to_string(x_bits)}, {"Y_W", std::to_string(y_bits)}, {"DX", std::to_string(s.displacement.cols)},
                 {"DY", std::to_string(s.displacement.rows)}},
                {{"clk", clk}, {"clear", begin}, {"step", step}, {"pitch", scan_pitch()}, {"cols", end(0)}, {"rows", end(1)}, {"x", x}, {"y", y},
                 {"active", active}, {"done", done}},
                {}});
    cells.insert("ag_scan");
    return active;
}

/** Whether what is told to the head in one table comes too late. */
bool CoreEmitter::is_fast() const { return is_too_long(path_to_step(part(g.family).lut)); }

/** Whether the FIFO tells a clock ahead that it has room for what is in flight. */
bool CoreEmitter::is_told_ahead(const CoreStream &c) const {
    return c.in_flight > 0 && is_too_long(path_to_step(part(g.family).carry(log2_of(c.fifo_depth) + 1)));
}

/** ns from registers through logic of so many and what tells a firing to what steps with it. */
double CoreEmitter::path_to_step(double ns) const {
    const Part &p = part(g.family);
    return p.clock_to_out + ns + tables_to_step * p.lut + p.setup;
}

/** The streams with which the scan ends: no other is done later than all of them. */
std::vector<int> CoreEmitter::last_streams() const {
    std::set<int> streams;
    for (const CoreStream &c : core.inputs) streams.insert(c.stage);
    for (const CoreStream &c : core.outputs) streams.insert(c.stage);
    std::vector<int> last;
    const auto rank = [&](int stream) { return std::make_pair(g.stages[stream].kind != Func::Kind::Input, stream); };
    for (int stream : streams) {
        const auto place = last_places.find(stream);
        const auto comes_later = [&](const std::pair<const int, LastPlace> &other) {
            if (other.first == stream || !other.second.is_never_before(place->second)) return false;
            return rank(other.first) > rank(stream) || !place->second.is_never_before(other.second);   // of two that end together one stays, rather an output
        };
        if (place == last_places.end() || std::none_of(last_places.begin(), last_places.end(), comes_later)) last.push_back(stream);
    }
    return last;
}

/** The output with whose last element the scan ends, if there is one. */
std::optional<int> CoreEmitter::ending_output() const {
    const std::vector<int> last = last_streams();
    if (last.size() != 1 || !last_places.count(last[0]) || g.stages[last[0]].kind == Func::Kind::Input) return std::nullopt;
    return last[0];
}

/** 1 from the launch until all streams are done; and `running`, a clock longer. Where that is told by the last element of one output, they are one register:
 *  the core stays busy with that element. Where the path from there is too long the first is a register, told by the firing with which all are done;
 *  an ag_scan does not tell that one. */
Expr CoreEmitter::scans_on() {
    const std::vector<int> streams = last_streams();
    const bool is_told = std::all_of(streams.begin(), streams.end(), [&](int stream) { return last_places.count(stream) != 0; });
    const bool is_one = ending_output().has_value();
    Expr scanning = running, all_done, last;
    const auto all = [](Expr &so_far, const Expr &e) { so_far = so_far.defined() ? binary(BinaryOp::And, so_far, e) : e; };
    for (int stream : streams) {
        if (!is_one) all(all_done, done.at(stream));
        if (is_told) all(last, is_one ? last_places.at(stream).is_next : binary(BinaryOp::Or, done.at(stream), last_places.at(stream).is_next));
    }
    if (is_one || (is_told && is_fast())) {
        if (!is_one) scanning = b.declare_reg("scanning");
        const Expr changes = binary(BinaryOp::Or, begin, binary(BinaryOp::And, fire, b.wire("last", last)));
        b.update({scanning, begin, changes, literal(0, 1), {}});
        if (is_fast() && rest.defined()) {   // a register of its own: tools would make a step of a firing, a table later
            resting = b.declare_reg("resting");
            b.update({resting, unary(UnaryOp::Not, begin), changes, literal(1, 1), {}});
        }
    } else {
        scanning = b.wire("scanning", binary(BinaryOp::And, running, unary(UnaryOp::Not, b.wire("all_done", all_done))));
    }
    if (!is_one) b.update({running, binary(BinaryOp::Or, begin, scanning), {}, literal(0, 1), {}});
    for (const auto &[stream, is_done] : done) {
        const bool is_read = !is_one && std::find(streams.begin(), streams.end(), stream) != streams.end();
        if (!is_read && is_done.defined()) unread_nets.push_back(is_done);
    }
    return scanning;
}

void CoreEmitter::head() {
    for (const CoreStream &c : core.inputs) {
        if (!g.has_rates && !g.is_told(g.stages[c.stage])) (void)elements_to_columns(g.shown(g.stages[c.stage])), (void)rows_of(g.stages[c.stage].box);
    }
    for (const CoreStream &c : core.outputs) {
        const Stage &s = g.stages[c.stage];
        if (g.has_rates || has_span(s, crops.count(c.stage) != 0)) continue;
        if (!g.bordered[0]) (void)elements_to_columns(s.box);
        if (!g.bordered[1]) (void)rows_of(s.box);
        if (crops.count(c.stage)) end_of_crop(s, crops[c.stage]);
    }
    find_last_places();
    b.comment("The head: one firing a position of the scan, when every input that has an element there shows it and\n"
              "every output that has one there has room for it.");
    begin = start;
    running = b.declare_reg("running");
    fire = b.wire("fire", 1);
    raster();
    Expr inputs_ready, outputs_ready;
    const auto all = [](Expr &so_far, Expr e) {
        so_far = so_far.defined() ? binary(BinaryOp::And, so_far, e) : e;
    };
    const auto stream = [&](const CoreStream &c, Expr &ready, Expr can) {
        const Stage &s = g.stages[c.stage];
        const auto crop = crops.find(c.stage);
        Expr &is_done = done[c.stage];
        if (!g.has_rates && g.repeated_before(s) > 0) {
            is_done = repeated_stream(c);
        } else if (!g.has_rates && has_span(s, crop != crops.end())) {
            is_done = span(s, active[c.stage], crop != crops.end() ? &crop->second : nullptr);
        } else {
            is_done = b.wire(c.id + "_done", 1);
            scanned_stream(c, is_done);
        }
        const Expr needs = shown.count(c.stage) ? shown[c.stage] : active[c.stage];
        if (s.kind != Func::Kind::Input && is_told_ahead(c) && will_be_active.count(c.stage)) {
            room_next[c.stage] = b.wire(c.id + "_room_next", 1);
            // A launch begins with an empty FIFO, so there is room whatever is active then.
            const Expr is_free = binary(BinaryOp::Or, room_next[c.stage], unary(UnaryOp::Not, will_be_active[c.stage]));
            return all(ready, b.reg(c.id + "_free", is_free));
        }
        all(ready, binary(BinaryOp::Or, can, unary(UnaryOp::Not, needs)));
    };
    for (const CoreStream &c : core.inputs) {
        active[c.stage] = b.wire(c.id + "_active", 1);
        stream(c, inputs_ready, valid_ports[c.stage]);
    }
    for (CoreStream &c : core.outputs) {
        for (int i : c.planes.stages) c.fire_to_push = std::max(c.fire_to_push, g.stages[i].phase + g.stages[i].latency);
        c.clocks = g.clocks * g.stages[c.stage].grid[0].step;
        c.in_flight = c.fire_to_push / c.clocks;
        c.fifo_depth = fifo_depth_for(c.in_flight, is_fast());
        if (region.taken_clocks > 0) c.fifo_depth = std::max(c.fifo_depth, channel_words(row_of_channel(g, c.stage, region.taken_clocks), c.fire_to_push));
        active[c.stage] = b.wire(c.id + "_active", 1);
        room[c.stage] = b.wire(c.id + "_room", 1);
        stream(c, outputs_ready, room[c.stage]);
    }
    const Expr scanning = scans_on();
    const Expr is_at_rest = resting.defined() ? resting : unary(UnaryOp::Not, scanning);
    if (rest.defined()) b.assign(rest, resting.defined() ? binary(BinaryOp::And, resting, unary(UnaryOp::Not, begin)) : unary(UnaryOp::Not, binary(BinaryOp::Or, begin, scanning)));
    const Expr fed = b.wire("inputs_ready", inputs_ready.defined() ? inputs_ready : literal(1, 1));   // behind a RAM there may be no input
    const Expr free = b.wire("outputs_ready", outputs_ready);
    Expr due = scanning, rate;
    if (g.clocks > 1) {
        rate = b.wire("rate_ready", 1);
        b.instance({"ag_rate", "rate", {{"CLOCKS", std::to_string(g.clocks)}},
                    {{"clk", clk}, {"rst", binary(BinaryOp::Or, rst, begin)}, {"fire", fire}, {"ready", rate}}, {}});
        cells.insert("ag_rate");
        due = binary(BinaryOp::And, scanning, rate);
    }
    if (is_fast() && core.inputs.size() == 1) fires_if_fed = binary(BinaryOp::And, due, free);
    const Expr can_fire = binary(BinaryOp::And, fed, free);
    b.assign(fire, binary(BinaryOp::And, due, can_fire));
    if (step.defined()) {   // at rest, too, where `rest` wins: so nothing but the streams is in front of it
        const Expr steps = rate.defined() ? binary(BinaryOp::And, rate, can_fire) : can_fire;
        b.assign(step, binary(BinaryOp::Or, is_at_rest, steps));
    }
    const std::vector<int> last = last_streams();
    const bool fires_behind = std::any_of(last.begin(), last.end(), [&](int stream) { return g.stages[stream].kind == Func::Kind::Input; });
    for (const CoreStream &c : core.outputs) {
        if (fires_behind) all(outputs_done, done[c.stage]);
    }
    b.assign(wait_in, binary(BinaryOp::And, due, unary(UnaryOp::Not, fed)));
    b.assign(wait_out, binary(BinaryOp::And, due, unary(UnaryOp::Not, free)));
}

}  // namespace argent::hwgen
