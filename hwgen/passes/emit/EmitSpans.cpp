#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>

#include "hwgen/passes/schedule/CrowdedPart.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Rows in front of a stream that flags tell; of more the span remembers that they have passed. */
const int most_rows_told = 4;

}  // namespace

/** For streams with a span: columns and rows behind the domain's last. */
void CoreEmitter::find_last_places() {
    const auto find = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        const auto crop = crops.find(c.stage);
        if (g.has_rates || leaders.at(c.stage) != c.stage || !has_span(g, s, crop != crops.end())) return;
        for (int dim = 0; dim < 2; dim++) {
            const bool is_cropped = crop != crops.end() && crop->second.first[dim].defined();
            const int64_t displaced = dim == 0 ? s.displacement.cols * g.lanes : s.displacement.rows;
            const int at = static_cast<int>(displaced + (is_cropped ? -s.box[dim].min : g.shown(s)[dim].max - g.shown(s)[dim].min));
            last_places[c.stage].at[dim] = {is_cropped ? at - g.reach[dim].max : at, at};
            last_places[c.stage].is_cropped[dim] = is_cropped;
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
    for (int64_t row = 0; row < first; row++) add(raster.is_at(1, row));
    if (is_cropped) {
        const int bits = reach == 0 ? 0 : std::min(bits_for(reach), crop->first[1].width());
        if (bits < crop->first[1].width()) b.leave_unread(slice(crop->first[1], crop->first[1].width() - 1, bits));
        for (int before = 0; before < reach; before++) {
            if (first + before >= 0) add(binary(BinaryOp::And, binary(BinaryOp::Gt, slice(crop->first[1], bits - 1, 0), literal(before, bits)), raster.is_at(1, first + before)));
        }
    }
    if (stream != *end && rows_behind == 1) add(raster.is_behind(1, last_places.at(stream).at[1].max - 1));
    return outside.defined() ? raster.steps_late(s.id + "_in_row", unary(UnaryOp::Not, outside), g.steps_around(s) - 1) : literal(1, 1);
}

/** How many columns behind the domain's last the stream's rows end, -1 being that one: uncropped, or cropped with nothing cut off behind. A row that goes
 *  around the end of a scan row is told as if it did not, some steps earlier. */
int64_t CoreEmitter::last_column(const Stage &s, bool is_cropped) const {
    const Range shown = g.shown(s)[0];
    return (s.displacement.cols - g.steps_around(s)) * g.lanes + (is_cropped ? -s.box[0].min : shown.max - shown.min) - 1;
}

/** Columns behind the domain's last with which streams end. */
std::set<int64_t> CoreEmitter::ends_of_rows() const {
    std::set<int64_t> ends;
    const auto add = [&](const CoreStream &c) {
        const Stage &s = g.stages[c.stage];
        const auto crop = crops.find(c.stage);
        if (g.has_rates || !has_span(g, s, crop != crops.end())) return;
        const bool is_cropped = crop != crops.end() && crop->second.first[0].defined();
        if (is_cropped && !raster.is_end_told(0)) return;   // the launch tells it
        for (int behind = 0; behind <= (is_cropped ? g.reach[0].max : 0); behind++) ends.insert(last_column(s, is_cropped) - behind);
    };
    for (const CoreStream &c : core.inputs) add(c);
    for (const CoreStream &c : core.outputs) add(c);
    return ends;
}

/** The flags that tell a stream's rows, `before` in front of a row's first element and `last` with its last one. Marks are found where rows
 *  lie in those of the scan; one in front of the stream's first element is a step earlier. */
CoreEmitter::RowMarks CoreEmitter::row_marks(const Stage &s, const Crop *crop) {
    const int64_t around = g.steps_around(s), dx = s.displacement.cols - around;
    const bool is_cropped = crop && crop->first[0].defined();
    RowMarks marks;
    marks.in_row = leads_to_row(s, crop);
    const bool is_row_told = marks.in_row.defined() && marks.in_row.get().kind != ExprNode::Kind::Literal;
    bool is_one_flag = false;
    int64_t place_before = dx - (around == 0);
    if (!is_cropped) {
        marks.before = around > 0 ? raster.is_at(0, dx) : dx == 0 ? raster.row_end : raster.is_at(0, dx - 1);
        marks.last = raster.is_behind(0, last_column(s, false));
    } else {
        const int64_t more = (around > 0 ? dx : dx - 1) * g.lanes - s.box[0].min;
        place_before = raster.is_first_told(0) ? more / g.lanes : 0;
        // At fast clocks one flag says that a row begins and that there is one: the place in front of row_before is in the same row.
        is_one_flag = is_fast && around <= 1 && more >= g.lanes && raster.is_first_told(0) && is_row_told;
        marks.before = is_one_flag ? raster.flag(s.id + "_enters", 0, binary(BinaryOp::And, raster.is_at_first(s, *crop, 0, more - g.lanes), marks.in_row)) :
                                     raster.is_at_first(s, *crop, 0, more);
        marks.last = raster.is_at_end(s, *crop, 0, last_column(s, true));
    }
    marks.before = raster.steps_late(s.id + "_before", marks.before, around - 1);
    marks.last = raster.steps_late(s.id + "_last", marks.last, around);
    if (is_one_flag) marks.in_row = literal(1, 1);
    // What tells a row stands from the row's second position on; row_before is there, or behind.
    else if (is_row_told && is_row_told_late() && place_before != 0) marks.in_row = b.reg(s.id + "_in_row", marks.in_row);
    return marks;
}

/** 1 in a stream's first row, where row_before looks. */
Expr CoreEmitter::is_first_row(const Stage &s, const Crop *crop) {
    const int64_t around = g.steps_around(s), dx = s.displacement.cols - around, dy = s.displacement.rows;
    const Expr first = crop && crop->first[1].defined() ? raster.is_at_first(s, *crop, 1, dy - s.box[1].min) :
                       is_at_origin(s) ? literal(0, 1) : raster.is_at(1, around == 0 && dx == 0 ? dy - 1 : dy);
    return raster.steps_late(s.id + "_first_row", first, around - 1);
}

Expr CoreEmitter::is_last_row(const Stage &s, const Crop *crop) {
    const Range shown = g.shown(s)[1];
    const int64_t dy = s.displacement.rows;
    const Expr end = crop && crop->first[1].defined() ? raster.is_at_end(s, *crop, 1, dy - s.box[1].min - 1) : raster.is_behind(1, shown.max - shown.min + dy - 1);
    return raster.steps_late(s.id + "_last_row", end, g.steps_around(s));
}

/** Where a stream has elements, from the head's place. Returns where all have been; undefined where nobody asks. */
Expr CoreEmitter::span(const Stage &s, Expr active, const Crop *crop) {
    const int stream = static_cast<int>(&s - g.stages.data());
    const RowMarks marks = row_marks(s, crop);
    Expr done;
    std::vector<std::pair<std::string, Expr>> connections = {{"clk", clk}, {"clear", begin}, {"step", fire}, {"row_before", marks.before}, {"row_end", marks.last}};
    if (marks.in_row.defined()) {
        connections.insert(connections.end(), {{"in_row", marks.in_row}, {"active", active}});
        if (is_fast) {
            const auto both = [](const Expr &x, const Expr &y) { return binary(BinaryOp::And, x, y); };
            const Expr stays = both(active, both(unary(UnaryOp::Not, marks.before), unary(UnaryOp::Not, marks.last)));
            will_be_active[stream] = select(fire, binary(BinaryOp::Or, both(marks.before, marks.in_row), stays), active);
        }
        if (stream == ending_output()) {
            Expr is_last = is_last_row(s, crop);
            // From a row's second position on it may be told a clock late, and is no table in front of what ends.
            const int64_t first_place = (s.displacement.cols - g.steps_around(s)) * g.lanes - (crop && crop->first[0].defined() ? s.box[0].min : 0);
            if (is_fast && first_place >= g.lanes && is_last.get().kind != ExprNode::Kind::Literal) is_last = b.reg(s.id + "_is_last_row", is_last);
            last_places[stream].is_next = binary(BinaryOp::And, marks.last, is_last);
        }
    } else {
        done = b.wire(s.id + "_done", 1);
        const Expr first = is_first_row(s, crop), end = is_last_row(s, crop);
        connections.insert(connections.end(), {{"first_row", first}, {"last_row", end}, {"active", active}, {"done", done}});
        last_places[stream].is_next = binary(BinaryOp::And, marks.last, end);
    }
    b.cell({marks.in_row.defined() ? "ag_row_span" : "ag_span", "span_" + s.id, {{"AT_ORIGIN", is_at_origin(s) ? "1" : "0"}}, connections, {}});
    return done;
}

/** An input whose first column is there for some positions before it moves on. */
Expr CoreEmitter::repeated_stream(const CoreStream &c) {
    const Stage &s = g.stages[c.stage];
    Expr done;
    const Expr is_shown = shown[c.stage] = b.wire(c.id + "_shown", 1);
    Expr &front = in_front[c.stage];
    if (has_span(g, s, false)) {
        done = span(s, is_shown, nullptr);
        for (int k = 0; k < g.repeated_before(s); k++) {
            const Expr at = raster.is_at(0, s.displacement.cols + k);
            front = front.defined() ? binary(BinaryOp::Or, front, at) : at;
        }
    } else {
        const Expr x = b.wire(c.id + "_at_x", geometry.x_bits + 2);
        done = b.wire(c.id + "_done", 1);
        scan("scan_" + c.id, s, fire, x, {}, is_shown, done);
        front = binary(BinaryOp::Lt, x, literal(g.repeated_before(s), geometry.x_bits + 2));
    }
    b.assign(active[c.stage], binary(BinaryOp::And, is_shown, unary(UnaryOp::Not, front)));
    return done;
}

/** A stream whose part of the scan a launch tells, where rates differ: the places in front of its first element and of its last one. In front of the scan there is a place, too. */
void CoreEmitter::told_part(const CoreStream &c, Expr done) {
    const Stage &s = g.stages[c.stage];
    const auto &d = s.displacement;
    const auto &[begin_x, end_x, begin_y, end_y] = extents.at(c.stage);
    const bool may_be_first = d.rows <= 1 && (d.rows < 0 || d.cols + d.rows <= 0);
    const Expr is_first = may_be_first ? unary(UnaryOp::Not, unary(UnaryOp::ReduceOr, begin_y)) : Expr(), is_at_rest = may_be_first ? literal(1, 1) : Expr();
    const Expr inside = b.wire(c.id + "_inside", 1);
    b.cell({"ag_span", "span_" + c.id, {{"AT_ORIGIN", "0"}},
            {{"clk", clk}, {"clear", raster.rest}, {"step", raster.step},
             {"row_before", raster.is_place(c.id + "_before", 0, begin_x, is_at_rest)}, {"row_end", raster.is_place(c.id + "_last", 0, end_x)},
             {"first_row", raster.is_place(c.id + "_first_row", 1, begin_y, is_first)}, {"last_row", raster.is_place(c.id + "_last_row", 1, end_y)},
             {"active", inside}, {"done", done}}, {}});
    const int columns = s.grid[0].step, rows = s.grid[1].step;   // a firing waits for them, so one register tells
    b.assign(active[c.stage], columns * rows == 1 ? inside : binary(BinaryOp::And, inside, counters(s, 0, columns, rows).here));
}

/** A stream that counts for itself. */
void CoreEmitter::scanned_stream(const CoreStream &c, Expr done) {
    const Stage &s = g.stages[c.stage];
    const auto crop = crops.find(c.stage);
    if (crop != crops.end()) {
        scan("scan_" + c.id, s, fire, {}, {}, active[c.stage], done, &crop->second);
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
    const auto end = [&](int dim) {
        if (crop && crop->scan_end[dim].defined()) return crop->scan_end[dim];
        return dim == 0 ? geometry.columns_of(g.shown(s)) : geometry.rows_of(s.box);
    };
    const auto first = [&](int dim) {
        return crop && g.bordered[dim] ? first_of_crop(s, *crop, dim) : literal(0, geometry.bits(dim));
    };
    const bool tells_stream = active.defined(), is_cropped = tells_stream && crop;
    const Expr first_x = is_cropped ? first(0) : literal(0, geometry.x_bits), first_y = is_cropped ? first(1) : literal(0, geometry.y_bits);
    if (!x.defined()) x = b.unread(what + "_x", geometry.x_bits + 2);
    if (!y.defined()) y = b.unread(what + "_y", geometry.y_bits + 2);
    if (!active.defined()) active = b.unread(what + "_active", 1);
    if (!done.defined()) done = b.unread(what + "_done", 1);
    const Expr row_end = b.unread(what + "_row_end", 1);
    auto parameters = raster.grouping();
    parameters.insert(parameters.begin(), {{"X_W", std::to_string(geometry.x_bits)}, {"Y_W", std::to_string(geometry.y_bits)}, {"DX", std::to_string(s.displacement.cols)},
                                           {"DY", std::to_string(s.displacement.rows)}, {"CROPPED", is_cropped ? "1" : "0"}});
    // A firing waits for streams, and is drawn apart where the windows that step with it stand all over the part.
    if (is_fast && tells_stream && window_rams(g) > many.rams) parameters.push_back({"EARLY", "1"});
    b.cell({"ag_scan", what, parameters,
            {{"clk", clk}, {"clear", begin}, {"step", step}, {"pitch", geometry.pitch()}, {"cols", end(0)}, {"rows", end(1)}, {"first_x", first_x},
             {"first_y", first_y}, {"x", x}, {"y", y}, {"active", active}, {"row_end", row_end}, {"done", done}},
            {}});
    return active;
}

}  // namespace argent::hwgen
