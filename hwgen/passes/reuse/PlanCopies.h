#ifndef ARGENT_HWGEN_PASSES_REUSE_PLAN_COPIES_H
#define ARGENT_HWGEN_PASSES_REUSE_PLAN_COPIES_H

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Signals.h"
#include "hwgen/passes/reuse/ShareSums.h"

namespace argent::hwgen {

/** A signal that is a stage of its own, computed once for each element; or, if rows would be dear to keep, several times,
 *  once for each row that is read at one time. Of a leaf it is a row of the window, chosen at the upper and lower border. */
struct Copy {
    int signal = 0;
    std::optional<int> late;   // rows after the first moment at which it could be computed; nothing: for readers of any row
    int lag = 0;               // rows between the newest row of what it reads in the end and its own
    int places = 0;            // at which it is read
    Shift anchor;              // its element (x, y) is that of the signal at (x, y) + anchor: where its readers are, or nearly
};

struct CopyPlan {
    std::vector<Copy> copies;
    std::vector<int> lag;         // of each signal, if it is computed as soon as possible
    std::vector<int> stage_lag;   // of each stage
    std::map<std::pair<int, std::optional<int>>, int> index;

    /** The copy by which a reader (of this lag) has the signal; -1: it computes the signal itself. */
    int copy_for(int reader_lag, const SignalAt &s) const;
};

/** Decides which signals are computed once and delayed, and which again wherever they are wanted.
 *  outputs: of each stage, of all its lanes. keep: what is known to be best for signals that are read at several places; for
 *  others the cheaper way is taken, each for itself, readers before what they read. rows: of what `keep` tells of. */
CopyPlan plan_copies(const Signals &, const std::vector<std::vector<SignalAt>> &outputs, const std::map<int, Keep> &keep, const Raster &,
                     const Prices &, Rows rows);

}  // namespace argent::hwgen

#endif
