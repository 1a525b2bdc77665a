#include "hwgen/passes/emit/EmitGeometry.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Rows of the scan; and rows in front of it and behind, which scans of single stages count. */
int64_t most_rows(const Graph &g) {
    int64_t rows = g.has_rates ? 1 : 0;
    for (const Stage &s : g.stages) {
        if (g.has_rates) {
            rows = std::max(rows, g.span(s, 1, g.block[1]) + std::max<int64_t>(s.displacement.rows, 0) + 2);   // from 1, and it may go around a row's end
        } else {
            // A stream of many rows may begin late, as another one is needed long before; and scans count from where they begin.
            rows = std::max<int64_t>({rows, std::max<int64_t>(s.displacement.rows, 0) + s.box[1].max - s.box[1].min, std::abs(s.displacement.rows) - g.domain(1)});
        }
    }
    return g.has_rates ? rows : g.domain(1) + rows;
}

Expr sum_of(const Expr &e, int64_t more) {
    return more == 0 ? e : binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, e, literal(std::abs(more), e.width()));
}

std::string place_id(const std::string &of, int64_t more) { return fmt::format("{}_{}{}", of, more < 0 ? "m" : "p", std::abs(more)); }

}  // namespace

ScanGeometry::ScanGeometry(const Graph &g, CoreBuilder &b)
    : width_bits(bits_for(g.domain(0))), height_bits(bits_for(g.domain(1))), x_bits(bits_for(g.pitch)), y_bits(bits_for(most_rows(g))), g(g), b(b) {}

void ScanGeometry::ports() {
    if (g.has_rates) {
        known_pitch = b.input("pitch", x_bits, fmt::format("positions of a row of the scan, a multiple of {}", g.pitch_unit));
        known_last = b.input("last_position", x_bits, "pitch - 1");
        for (const Expr &port : {known_pitch, known_last}) b.leave_unread(port);
    } else {
        width = b.input("width", width_bits);
        height = b.input("height", height_bits);
    }
}

Expr ScanGeometry::columns_of(const Box &box) {
    const int extra = box[0].max - box[0].min;
    const auto known = columns.find(extra);
    if (known != columns.end()) return known->second;
    if (g.lanes == 1 && extra == 0) return columns[extra] = zero_extend(width, x_bits);   // as the host says it
    const int bits = bits_for(g.domain(0) + extra + g.lanes - 1);
    const Expr sum = b.wire(fmt::format("elements_{}", extra),
                            binary(BinaryOp::Add, zero_extend(width, bits), literal(extra + g.lanes - 1, bits)));
    const int shift = log2_of(g.lanes);
    if (shift > 0 && shift < bits) b.leave_unread(slice(sum, shift - 1, 0));
    const Expr vectors = shift < bits ? zero_extend(slice(sum, bits - 1, shift), x_bits) : literal(0, x_bits);
    return columns[extra] = b.reg(fmt::format("columns_{}", extra), vectors);
}

Expr ScanGeometry::rows_of(const Box &box) {
    const int extra = box[1].max - box[1].min;
    const auto known = rows.find(extra);
    if (known != rows.end()) return known->second;
    return rows[extra] = b.reg(fmt::format("rows_{}", extra), binary(BinaryOp::Add, zero_extend(height, y_bits), literal(extra, y_bits)));
}

Expr ScanGeometry::vectors_at(const Expr &elements, const std::string &of, int64_t more) {
    const std::string id = place_id(of, more);
    const auto known = places.find(id);
    if (known != places.end()) return known->second;
    const int shift = log2_of(g.lanes), bits = x_bits + shift;
    const Expr sum = b.wire(id + "_sum", sum_of(zero_extend(elements, bits), more));
    if (shift > 0) b.leave_unread(slice(sum, shift - 1, 0));
    return places[id] = b.reg(id, slice(sum, bits - 1, shift));
}

Expr ScanGeometry::rows_at(const Expr &elements, const std::string &of, int64_t more) {
    const std::string id = place_id(of, more);
    const auto known = places.find(id);
    return known != places.end() ? known->second : (places[id] = b.reg(id, sum_of(zero_extend(elements, y_bits), more)));
}

Expr ScanGeometry::pitch() {
    if (known_pitch.defined()) return known_pitch;
    const Expr full = longest_row();
    if (is_full()) return known_pitch = full;
    const Expr least = literal(g.least_pitch, x_bits);
    return known_pitch = b.reg("pitch", select(binary(BinaryOp::Lt, full, least), least, full));
}

Expr ScanGeometry::last_position(bool is_fast) {
    if (known_last.defined()) return known_last;
    const Expr full = longest_row();   // pitch is a register that only scans of their own need
    Expr is_short = binary(BinaryOp::Lt, full, literal(g.least_pitch, x_bits));
    if (is_fast) is_short = b.reg("row_is_short", is_short);
    return known_last = b.reg("last_position", select(is_short, literal(g.least_pitch - 1, x_bits), sum_of(full, -1)));
}

int64_t ScanGeometry::shortest_row() const { return std::max(g.least_pitch, g.columns({{0, g.longest_extra()}, {0, 0}}, 1)); }

}  // namespace argent::hwgen
