#ifndef ARGENT_HWGEN_IR_LAUNCH_NEEDS_H
#define ARGENT_HWGEN_IR_LAUNCH_NEEDS_H

#include <Halide.h>

#include <array>
#include <vector>

#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** How far a read lies beyond the domain of its border, further than there are taps for. */
struct Beyond {
    int reader = 0, producer = 0, dim = 0;
    Halide::Expr elements;    // more than 0: not possible
    Domain1 domain;
};

/** What a launch needs of a stage for one output Func: coordinates, in terms of box_variable(); undefined where Stage::needed says it all. */
struct StageNeeds {
    std::array<Halide::Expr, 2> first, last;
};

/** What borders between stages cut off of what a launch needs. */
struct LaunchNeeds {
    std::vector<std::vector<StageNeeds>> of;   // by output Func and stage; none where nothing is cut off
    std::vector<Beyond> beyond;

    Halide::Expr cut(int func, int stage, int dim, bool is_last) const {
        if (of.empty()) return {};
        return (is_last ? of[func][stage].last : of[func][stage].first)[dim];
    }
    bool is_cut(int stage, int dim) const {
        for (const std::vector<StageNeeds> &stages : of) {
            if (stages[stage].first[dim].defined()) return true;
        }
        return false;
    }
    bool is_cut_anywhere(int stage) const { return is_cut(stage, 0) || is_cut(stage, 1); }
};

}  // namespace argent::hwgen

#endif
