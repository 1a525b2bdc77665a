#ifndef ARGENT_HWGEN_PASSES_REUSE_EXTREME_PARTS_H
#define ARGENT_HWGEN_PASSES_REUSE_EXTREME_PARTS_H

#include <map>
#include <set>
#include <vector>

#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

/** The minimum or maximum of values of a window as one of parts, further signals, which neighbouring windows share. Each column is a part, and begins with the largest
 *  other one that is in it. Then places of one part that lie one distance apart are covered by runs of two or three, each a part, as long as that saves operators: a
 *  value may be counted twice.
 *    in(x-2 .. x+2, y)   ->   t = in(x .. x+2, y);   t(x-2), t(x) */
class ExtremeParts {
public:
    /** values: at least one. Signals from `first` on are free. */
    ExtremeParts(const std::vector<SignalAt> &values, int first);

    /** What the part reads, values or parts before it; at least one. */
    const std::vector<SignalAt> &of(int part) const { return parts[part - first]; }
    /** The part that is the whole extreme. */
    int whole() const { return first + static_cast<int>(parts.size()) - 1; }

private:
    /** A signal in a row of the window. */
    struct Row {
        int y = 0, signal = 0;
        bool operator<(const Row &o) const { return y != o.y ? y < o.y : signal < o.signal; }
    };
    using Column = std::set<Row>;

    /** So many places of a row as one part. */
    struct Run {
        int length = 0, distance = 0;
    };

    int add(std::vector<SignalAt> values);
    void make_columns(const std::vector<SignalAt> &values);
    Row column_of(const Column &column, const std::vector<Column> &by_size, const std::map<Column, Row> &made);
    static int saved(const std::set<int> &columns, Run run);
    bool make_run();
    void replace(Row row, Run run);

    const int first;
    std::vector<std::vector<SignalAt>> parts;
    std::map<Row, std::set<int>> rows;   // columns in which the whole reads a signal
};

}  // namespace argent::hwgen

#endif
