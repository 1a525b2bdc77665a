#ifndef ARGENT_HWGEN_CLOCKS_FROM_MANIFEST_H
#define ARGENT_HWGEN_CLOCKS_FROM_MANIFEST_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "hwgen/clocks/ClockModel.h"

namespace argent::hwgen::clocks {

/** What a launch writes to the registers that clocks depend on. */
struct Launch {
    long width = 1, height = 1;   // elements of the domain; without borders that is the output
    long min_x = 0, min_y = 0;    // the output's first; matters where rates differ, whose phases follow coordinates
    struct Box {
        long min[2], size[2];
    };
    std::vector<Box> others;      // outputs of other Funcs than the first
    struct Image {
        uint64_t address = 0;     // bytes
        int64_t stride = 0;       // bytes from row to row
        long first[2] = {0, 0};   // outputs: elements and rows of the domain before the first
        long extent[2] = {0, 0};  // elements and rows; 0: all of the domain
        // Inputs: how the image goes on beyond its edges; exist only if a launch says so.
        Padding padding;
        Folding folding;
        Legs legs;
        /** Inputs that borders between stages cut off, if a launch says so: the head's position and row, from 1, in front of the first vector and at the last one. */
        bool has_part = false;
        long begin[2] = {0, 0}, end[2] = {0, 0};
    };
    std::vector<Image> inputs, outputs;   // in the manifest's order
    /** Timelines that fill RAMs or FIFOs, as the manifest's "before"; none: RAMs as large as they can be. */
    struct Before {
        long pitch = 1;
        std::vector<Image> held;          // begin and end only
    };
    std::vector<Before> before;
};

/** The clock model of one launch, from "accelerators"[i] of a manifest alone. Throws nlohmann's exceptions when fields
 *  are missing. */
System system_of(const nlohmann::json &accelerator, const Launch &launch);

/** Elements that an image has in a dimension. */
long extent_of(const nlohmann::json &accelerator, const nlohmann::json &image, int dim, const Launch &launch);

/** A launch with dense rows and images that begin at multiples of 4096: what the prediction of a size means when
 *  nothing else is said. */
Launch dense_launch(const nlohmann::json &accelerator, long width, long height);

/** (rows + rows of look-ahead) x vectors of a row of the longest stream: what a launch takes where nothing is ever waited for. */
long ideal_clocks(const nlohmann::json &accelerator, const Launch &launch);

}  // namespace argent::hwgen::clocks

#endif
