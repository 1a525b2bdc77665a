#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/datapath/Leaves.h"

namespace argent::hwgen {

using namespace verilog;

/** The coordinate of lane 0: what the origin is for this stage, where its vectors begin, and how far it has come. */
Expr CoreEmitter::base_coordinate(const Stage &s, int dim, Expr vectors) {
    const auto times = [](Expr e, int64_t factor) { return factor == 1 ? e : binary(BinaryOp::Mul, e, literal(factor, 32)); };
    const Grid &grid = s.grid[dim];
    const Expr origin = times(minimum[dim], g.origin[dim] / grid.stride), along = times(vectors, dim == 0 ? s.lanes : 1);
    return b.wire(fmt::format("{}_coord_{}", s.id, "xy"[dim]),
                  binary(BinaryOp::Add, binary(BinaryOp::Add, origin, along), literal(static_cast<uint32_t>(grid.start), 32)));
}

/** a / divisor, for a multiple of it: a times the inverse of its odd factor modulo 2^bits, shifted. */
Expr CoreEmitter::exact_quotient(Expr a, int divisor) {
    int shift = 0;
    while (divisor % 2 == 0) divisor /= 2, shift++;
    const int bits = a.width() ;
    const uint64_t mask = (uint64_t(1) << bits) - 1;
    uint64_t inverse = 1;   // Newton: every step doubles the bits that are right
    for (int k = 0; k < 6; k++) inverse *= 2 - inverse * static_cast<uint64_t>(divisor);
    const Expr product = b.wire(fmt::format("pitch_by_{}", divisor << shift), binary(BinaryOp::Mul, a, literal(inverse & mask, bits)));
    if (shift == 0) return product;
    b.leave_unread(slice(product, shift - 1, 0));
    return zero_extend(slice(product, bits - 1, shift), bits);
}

/** What a stage's leaves say of where it stands: coordinates of lane 0, and whether a lane is at an edge of the domain. */
void CoreEmitter::stage_position(const Stage &s, Expr coordinates[2], std::map<int, Expr> &places_at) {
    const std::vector<Leaf> &leaves = s.datapath.leaves();
    const auto reads = [&](int dim) {
        return std::any_of(leaves.begin(), leaves.end(), [&](const Leaf &l) { return l.kind == Leaf::Kind::Coord && l.dim == dim; });
    };
    Expr counters[2];
    for (const MarkedLeaf &m : s.marked) places_at[m.leaf] = marked(s, m);
    if (g.has_rates) {
        if (!reads(0) && !reads(1)) return;
        const Counters &at = this->counters(s, s.phase, s.grid[0].step, s.grid[1].step, true);
        for (int dim = 0; dim < 2; dim++) {
            if (reads(dim)) coordinates[dim] = base_coordinate(s, dim, dim == 0 ? zero_extend(at.col, 32) : sign_extend(at.row, 32));
        }
        return;
    }
    if (has_scan(s)) {
        for (int dim = 0; dim < 2; dim++) {
            const bool is_read = reads(dim) || std::any_of(leaves.begin(), leaves.end(), [&](const Leaf &l) {
                return l.kind == Leaf::Kind::Place && l.dim == dim && !g.is_told(s);
            });
            if (is_read) counters[dim] = b.wire(fmt::format("{}_{}", s.id, "xy"[dim]), geometry.bits(dim) + 2);
        }
        scan("scan_" + s.id + "_at", s, valid(s.phase), counters[0], counters[1], {}, {});
    }
    for (int dim = 0; dim < 2; dim++) {
        if (!reads(dim)) continue;
        int64_t first = s.box[dim].min;
        Expr c;
        if (g.in_raster(s)) {   // where the head was when this element fired
            c = zero_extend(late(dim == 0 ? "at_x" : "at_y", raster.place(dim), 0, s.phase), 32);
            first -= dim == 0 ? (s.displacement.cols + 1) * g.lanes : s.displacement.rows + 1;   // it counts from 1
        } else {
            c = sign_extend(counters[dim], 32);
        }
        if (dim == 0 && g.lanes > 1) {
            const int shift = log2_of(g.lanes);
            const Expr wide = b.wire(s.id + "_x_wide", c);
            c = concat({slice(wide, 31 - shift, 0), literal(0, shift)});
            b.leave_unread(slice(wide, 31, 32 - shift));
        }
        coordinates[dim] = b.wire(fmt::format("{}_coord_{}", s.id, "xy"[dim]),
                                  binary(BinaryOp::Add, binary(BinaryOp::Add, minimum[dim], c),
                                         literal(static_cast<uint32_t>(static_cast<int32_t>(first)), 32)));
    }
    for (size_t i = 0; i < leaves.size(); i++) {
        const bool is_place = leaves[i].kind == Leaf::Kind::Place || leaves[i].kind == Leaf::Kind::Extent;
        if (is_place) places_at[static_cast<int>(i)] = place(s, leaves[i], counters[0], counters[1]);
    }
}

/** 1 where the stage reads an element that lies at a place beyond a domain; or where that has an extent. */
Expr CoreEmitter::marked(const Stage &s, const MarkedLeaf &m) {
    const DomainMark &mark = g.marks[m.mark];
    const Expr known = mark_ports.at(mark.id);
    if (mark.what == DomainMark::What::Extent) return binary(BinaryOp::Eq, known, literal(m.at[0], known.width()));
    const Grid &grid = s.grid[mark.dim];
    // One bit more than the register has: what lies beyond wraps around to where nothing else is.
    const int bits = known.width() + 1, columns = s.grid[0].step * s.grid[0].period, rows = s.grid[1].step * s.grid[1].period;
    const Counters &at = counters(s, s.phase, columns, rows, true);
    const Expr counter = mark.dim == 0 ? at.col : at.row;
    const Expr rounds = counter.width() >= bits ? slice(counter, bits - 1, 0) : mark.dim == 0 ? zero_extend(counter, bits) : sign_extend(counter, bits);
    const Expr along = m.advance == 1 ? rounds : b.wire(fmt::format("{}_{}_along_{}", s.id, mark.id, m.leaf), binary(BinaryOp::Mul, rounds, literal(m.advance, bits)));
    std::map<int64_t, Expr> is_there;   // by what the element is beyond `along`
    for (int64_t more : m.at) {
        const int64_t from = more + mark.bias;   // along + from is what the register has
        const std::string id = fmt::format("{}_less_{}", mark.id, from);
        const auto less = delayed.find(id);
        const Expr sought = less != delayed.end() ? less->second :
                                                    (delayed[id] = b.reg(id, binary(BinaryOp::Sub, zero_extend(known, bits), literal(from, bits))));
        is_there.emplace(more, binary(BinaryOp::Eq, along, sought));
    }
    const Expr phase = mark.dim == 0 ? at.x_phase : at.y_phase;
    Expr is_marked = is_there.at(m.at.back());
    for (size_t k = m.at.size() - 1; k-- > 0;) {
        if (m.at[k] == m.at.back()) continue;
        is_marked = select(binary(BinaryOp::Eq, phase, literal(static_cast<int64_t>(k) * grid.step, phase.width())), is_there.at(m.at[k]), is_marked);
    }
    return b.wire(fmt::format("{}_{}", s.id, s.datapath.leaves()[m.leaf].name + "_" + std::to_string(m.leaf)), is_marked);
}

/** The same where the head's place tells. */
Expr CoreEmitter::raster_place(const Stage &s, const Leaf &l) {
    const int64_t around = g.steps_around(s), lanes = l.dim == 0 ? g.lanes : 1;
    const int64_t shift = l.dim == 0 ? s.displacement.cols - around : s.displacement.rows;
    const bool is_any = l.lane == Leaf::any_lane;
    const int64_t lane = is_any ? 0 : l.lane, first = is_any ? 0 : s.box[l.dim].min;   // vectors that are counted as wholes begin with the domain
    const int64_t element = (l.from_end ? -1 - l.place : l.place) - first - lane + shift * lanes;   // from the head's first; or from the extent
    if (!l.from_end && (element < shift * lanes || element % lanes != 0)) return literal(0, 1);
    const int64_t vector = floor_to(element, lanes);
    // All lanes ask for one vector, that of the last element; the extent tells which lane has it.
    const Expr at = l.from_end ? raster.is_behind(l.dim, is_any ? element : vector + lanes - 1) : raster.is_at(l.dim, element / lanes);
    const std::string id = fmt::format("{}_{}_is_{}{}{}", s.id, "xy"[l.dim], l.from_end ? "end" : "", vector < 0 ? "m" : "", std::abs(vector / lanes));
    const Expr there = raster.steps_late(id, at, around);
    if (there.get().kind == ExprNode::Kind::Literal) return there;
    if (!l.from_end || lanes == 1 || is_any) return late(fmt::format("{}_{}", s.id, l.name), there, 0, s.phase);
    const int bits = log2_of(g.lanes), asked_at = std::max(0, s.phase - 1);
    const Expr ends_here = binary(BinaryOp::Eq, slice(geometry.extent(l.dim), bits - 1, 0), literal(vector == element ? 0 : vector + lanes - element, bits));
    return late(fmt::format("{}_{}", s.id, l.name), binary(BinaryOp::And, late(id, there, 0, asked_at), ends_here), asked_at, s.phase);
}

/** 1 where the newest vector of a stage's window is so many rows behind the domain's first row. The head's place tells. */
Expr CoreEmitter::is_first_row_late(const Stage &s, int rows) {
    const int64_t row = rows - s.box[1].min + s.displacement.rows;
    const std::string id = fmt::format("y_is_{}", row);
    return late_by_steps(id, raster.is_at(1, row), s);
}

/** 1 where it is behind the domain's last row. */
Expr CoreEmitter::is_past_rows(const Stage &s) {
    const int64_t more = s.displacement.rows - s.box[1].min;
    return late_by_steps(fmt::format("y_is_past_{}", more), raster.is_past(more), s);
}

/** What the head's place tells of a row, in the clock in which the stage's window has it. */
Expr CoreEmitter::late_by_steps(const std::string &id, const Expr &flag, const Stage &s) {
    const int64_t steps = g.steps_around(s);
    const std::string there = steps == 0 ? id : fmt::format("{}_around_{}", id, steps);
    return late(there, raster.steps_late(there, flag, steps), 0, s.window_phase);
}

/** The same elements of a vector, of which the last of a row is repeated in the lanes behind it, and the first one in front of it where the vector is `in_front`. */
Expr CoreEmitter::spread(const Stage &s, const Expr &vector, const Expr &in_front) {
    if (s.spread == 0 && !in_front.defined()) return vector;
    Expr x;
    if (s.spread > 0 && !g.is_told(s)) {
        x = b.wire(s.id + "_spread_x", geometry.x_bits + 2);
        scan("scan_" + s.id + "_spread", s, fire, x, {}, {}, {});
    }
    const int first = s.repeats ? s.box[0].min : 0;   // of its vectors, whose last one lies so much later
    const Expr is_end = s.spread == 0 ? Expr() : place(s, last_vector(first, first), x, {});
    const Expr named = vector.get().kind == ExprNode::Kind::Name ? vector : b.wire(s.id + "_lanes", vector);
    const int bits = vector.width() / g.lanes;
    const auto lane = [&](int i) { return slice(named, (i + 1) * bits - 1, i * bits); };
    std::vector<Expr> lanes;
    for (int i = g.lanes - 1; i >= 0; i--) {
        Expr element = lane(i);
        for (int behind = 1; behind <= std::min(s.spread, i); behind++) {
            const Expr is_last = binary(BinaryOp::Eq, slice(geometry.width, log2_of(g.lanes) - 1, 0), literal(i - behind + 1, log2_of(g.lanes)));
            element = select(binary(BinaryOp::And, is_end, is_last), lane(i - behind), element);
        }
        if (in_front.defined() && i >= g.lanes - s.spread_before) element = select(in_front, lane(0), element);
        lanes.push_back(element);
    }
    return concat(lanes);
}

/** 1 where the stage stands at a place near an edge of the domain; or where the domain has an extent. */
Expr CoreEmitter::place(const Stage &s, const Leaf &l, Expr x, Expr y) {
    argent_internal_assert(l.lane != Leaf::any_lane || l.offset[0] == s.box[l.dim].min, "emit_core", "a stage begins at another element than its borders were told");
    const Expr extent = geometry.extent(l.dim);
    const int extent_bits = l.dim == 0 ? core.width_bits : core.height_bits;
    const auto once = [&](const std::string &id, const auto &make) {
        const auto known = delayed.find(id);
        return known != delayed.end() ? known->second : (delayed[id] = b.reg(id, make()));
    };
    if (l.kind == Leaf::Kind::Extent) {
        return once(l.name, [&] {
            return l.place >= (int64_t(1) << extent_bits) ? literal(0, 1) : binary(BinaryOp::Eq, extent, literal(l.place, extent_bits));
        });
    }
    if (g.is_told(s)) return raster_place(s, l);
    const Expr counter = l.dim == 0 ? x : y;
    const int bits = geometry.bits(l.dim) + 2, shift = l.dim == 0 ? log2_of(g.lanes) : 0;
    if (!l.from_end) {   // lanes * x + lane = place from the stage's own first element
        const int element = l.place - s.box[l.dim].min - l.lane;
        if (element < 0 || element % (1 << shift) != 0) return literal(0, 1);
        return b.wire(fmt::format("{}_{}", s.id, l.name), binary(BinaryOp::Eq, counter, literal(element >> shift, bits)));
    }
    const bool is_any = l.lane == Leaf::any_lane;
    const int more = -1 - l.place - (is_any ? 0 : s.box[l.dim].min + l.lane);   // the element is extent + more, from the lane's own
    const int sum_bits = bits + shift;
    const std::string id = fmt::format("last_{}_{}{}", "xy"[l.dim], more < 0 ? "m" : "p", std::abs(more));
    const Expr last = once(id, [&] {
        const Expr sum = binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, zero_extend(extent, sum_bits), literal(std::abs(more), sum_bits));
        return sum;
    });
    const Expr same = binary(BinaryOp::Eq, counter, slice(last, sum_bits - 1, shift));
    if (shift == 0 || is_any) {
        if (shift > 0) b.leave_unread(slice(last, shift - 1, 0));
        return b.wire(fmt::format("{}_{}", s.id, l.name), same);
    }
    return b.wire(fmt::format("{}_{}", s.id, l.name),
                  binary(BinaryOp::And, same, binary(BinaryOp::Eq, slice(last, shift - 1, 0), literal(0, shift))));
}

/** Vectors and rows of the output's own scan up to the last element that leaves. */
void CoreEmitter::end_of_crop(const Stage &s, Crop &crop) {
    for (int dim = 0; dim < 2; dim++) {
        if (!g.bordered[dim]) continue;
        const int shift = dim == 0 ? log2_of(g.lanes) : 0, bits = geometry.bits(dim) + shift;
        const int before = -s.box[dim].min;   // elements of the scan before the domain
        const Expr sum = b.wire(fmt::format("{}_end_{}_sum", s.id, "xy"[dim]),
                                binary(BinaryOp::Add, zero_extend(crop.end[dim], bits), literal(before + (1 << shift) - 1, bits)));
        if (shift > 0) b.leave_unread(slice(sum, shift - 1, 0));
        crop.scan_end[dim] = b.reg(fmt::format("{}_scan_end_{}", s.id, "xy"[dim]), slice(sum, bits - 1, shift));
    }
}

/** The position of its first vector. */
Expr CoreEmitter::first_of_crop(const Stage &s, const Crop &crop, int dim) {
    const int shift = dim == 0 ? log2_of(g.lanes) : 0, bits = geometry.bits(dim) + shift;
    const Expr first = b.reg(fmt::format("{}_begin_{}", s.id, "xy"[dim]),
                             binary(BinaryOp::Add, zero_extend(crop.first[dim], bits), literal(-s.box[dim].min, bits)));
    if (shift > 0) b.leave_unread(slice(first, shift - 1, 0));
    return slice(first, bits - 1, shift);
}

}  // namespace argent::hwgen
