#ifndef ARGENT_DSL_LAYOUT_H
#define ARGENT_DSL_LAYOUT_H

#include <Halide.h>

#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

/** Whose memory a buffer is, and who wants to know. */
struct Memory {
    Halide::Internal::Function func;
    Halide::Parameter image;      // of an input that is an image, or of an output of the pipeline; else undefined
    std::string name;             // as the user knows it
    std::vector<int> extents;     // by dimension, 0 if nothing says how many values it has
    bool is_written = false;      // by the accelerator
    int pixels = 1;               // positions a clock
    Location where;
    std::string call;             // accelerate(out, {padded})
};

/** Fills in buffer.strides, if it is declared that the planes of one position lie side by side in memory, by set_stride or, of
 *  a Func that the host keeps, by reorder_storage. Nothing declared: every plane has rows of its own.
 *    rgb.dim(0).set_stride(3), rgb.dim(2).set_stride(1)   ->   {3, 0, 1}
 *  Needs planes, dimensions and scanned. What cannot be is told to `diagnostics`. */
void find_layout(hwgen::Buffer &buffer, const Memory &memory, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
