#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_RASTER_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_RASTER_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/emit/CoreBuilder.h"
#include "hwgen/passes/emit/EmitGeometry.h"

namespace argent::hwgen {

/** Which part of the domain leaves as an output; per dimension with borders. */
struct Crop {
    verilog::Expr first[2], end[2];   // elements of the domain before the first that leaves, and up to the last
    verilog::Expr behind[2];          // in place of end where that is less: elements of the domain behind the last that leaves
    verilog::Expr scan_end[2];        // behind the last that leaves, in vectors and rows of the output's scan
};

/** The head's place says where a stream has elements; otherwise it needs a scan of its own. */
inline bool has_span(const Graph &g, const Stage &s, bool is_cropped) { return g.is_told(s) && !(is_cropped && s.displacement.cols == 0); }

/** Where the head stands on the scan: one pair of counters (ag_raster), and flags that tell single places. A flag is a register that moves on with
 *  the head, so what decides whether it steps reads registers only: it follows the flag of a place in front of it, or is compared a step
 *  ahead. Each is there once, whoever asks, and is named after its place; of two places the earlier one is best asked for first.
 *    is_at(0, 2): x_is_0 with each new row, x_is_1 a step behind, x_is_2 two
 *  dim 0 is along rows, dim 1 across. All but is_end_told() needs emit(). */
class HeadRaster {
public:
    using Expr = verilog::Expr;

    /** `is_fast`: one table more in front of a step is too long (CoreEmitter). */
    HeadRaster(const Graph &, CoreBuilder &, ScanGeometry &, bool is_fast);

    /** `begin`: the launch's pulse. `tells_rows_late`: what is compared with a row may be a register, a clock late. `ends`: columns behind the
     *  domain's last that is_behind() will be asked for, -1 the last itself. */
    void emit(const Expr &clk, const Expr &begin, bool tells_rows_late, const std::set<int64_t> &ends);
    bool is_there() const { return step.defined(); }

    /** What ag_equal, and cells that compare places by it, is told beside widths: bits that a table takes, of tables of four inputs, at a fast clock or in a late path. */
    std::vector<std::pair<std::string, std::string>> grouping(bool is_late = false) const;

    /** From 1; next: a step later, a row later. */
    Expr place(int dim) { return read(at[dim]); }
    Expr next_place(int dim) { return read(next[dim]); }
    /** Those that nobody has asked for. */
    std::vector<Expr> unread() const;

    /** A register that goes with the head: at every step, or new row, it takes what is `value` there. `at_rest`: what it is in front of the scan, 0 if undefined. */
    Expr flag(const std::string &id, int dim, const Expr &value, const Expr &at_rest = {});
    /** What a flag was so many steps ago. */
    Expr steps_late(const std::string &id, Expr flag, int64_t steps);

    /** 1 where the head's next position or row is that one. */
    Expr is_at(int dim, int64_t place);
    /** ... is at least `more` (>= 0) rows behind the domain's last, and one. */
    Expr is_past(int64_t more);
    /** ... is at element port + more of the domain, `of` being the port's name. */
    Expr is_at(int dim, const Expr &port, const std::string &of, int64_t more);
    /** ... is the place, from 1, that a launch tells. */
    Expr is_place(const std::string &id, int dim, const Expr &place, const Expr &at_rest = {}) { return flag(id, dim, equals(id + "_next", next_place(dim), place), at_rest); }
    /** ... is `more` elements behind the domain's last, and one. */
    Expr is_behind(int dim, int64_t more) { return is_at(dim, geometry.extent(dim), dim == 0 ? "width" : "height", more); }
    /** ... is `more` elements behind the first that leaves. No more than the borders' reach are in front of that one. */
    Expr is_at_first(const Stage &, const Crop &, int dim, int64_t more);
    /** ... is `more` elements behind the last that leaves, and one. */
    Expr is_at_end(const Stage &, const Crop &, int dim, int64_t more);
    /** Whether flags tell where a cropped output begins, ends: by the few elements of the domain in front of it, behind it. */
    bool is_first_told(int dim) const;
    bool is_end_told(int dim) const;

    Expr step, rest;   // for the head to drive: it moves on; it stands in front of the scan, where begin is its first step
    Expr row_end;      // it is at its row's end

private:
    Expr read(const Expr &place) { return read_places.insert(place.get().name), place; }
    Expr equals(const std::string &id, const Expr &place, const Expr &value, bool is_late = false);
    Expr compared(const std::string &id, int dim, const Expr &port, const std::string &of, int64_t more, bool is_row_end);
    Expr chosen_ahead(const std::string &id, const std::function<Expr()> &chosen_before);

    const Graph &g;
    CoreBuilder &b;
    ScanGeometry &geometry;
    const bool is_fast;
    bool tells_rows_late = false;
    Expr begin, at[2], next[2];
    Expr row_ends;                        // row_end, a step later
    std::set<std::string> read_places;    // of at and next
    std::map<std::string, Expr> flags;
};

}  // namespace argent::hwgen

#endif
