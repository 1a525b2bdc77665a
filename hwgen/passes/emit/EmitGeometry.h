#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_GEOMETRY_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_GEOMETRY_H

#include <map>
#include <string>

#include "hwgen/ir/Graph.h"
#include "hwgen/passes/emit/CoreBuilder.h"

namespace argent::hwgen {

/** How large a launch's scan is: the ports that say it, and registers of what a core makes of them, each where it is first asked for. Where rates
 *  differ the host computes all of it, and a row's length is told as pitch and as last position. */
class ScanGeometry {
public:
    using Expr = verilog::Expr;

    ScanGeometry(const Graph &, CoreBuilder &);

    /** pitch and last_position; or width and height. */
    void ports();
    Expr extent(int dim) const { return dim == 0 ? width : height; }
    int bits(int dim) const { return dim == 0 ? x_bits : y_bits; }

    /** Vectors of a row: (width + what the box adds, rounded up) / lanes. */
    Expr columns_of(const Box &box);
    Expr rows_of(const Box &box);
    /** (elements + more) / lanes, rounded down; `elements` being a port that is called `of`. */
    Expr vectors_at(const Expr &elements, const std::string &of, int64_t more);
    /** elements + more. */
    Expr rows_at(const Expr &elements, const std::string &of, int64_t more);

    /** Positions of a row of the scan. */
    Expr pitch();
    /** The last of them. `is_fast`: with a register behind the comparison. */
    Expr last_position(bool is_fast);
    /** Every row of the scan is as long as the longest of its streams: no image is so narrow that it is scanned as if its rows were longer. */
    bool is_full() const { return g.columns({{0, g.longest_extra()}, {0, 0}}, 1) >= g.least_pitch; }
    /** Positions of the shortest row of any launch. */
    int64_t shortest_row() const;

    int width_bits, height_bits;   // of the domain, in elements
    int x_bits, y_bits;            // of positions of a row, and of rows
    Expr width, height;

private:
    Expr longest_row() { return columns_of({{0, g.longest_extra()}, {0, 0}}); }

    const Graph &g;
    CoreBuilder &b;
    Expr known_pitch, known_last;
    std::map<int, Expr> columns, rows;   // by what the box adds to width and height
    std::map<std::string, Expr> places;  // vectors_at and rows_at, by name
};

}  // namespace argent::hwgen

#endif
