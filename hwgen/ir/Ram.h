#ifndef ARGENT_HWGEN_IR_RAM_H
#define ARGENT_HWGEN_IR_RAM_H

#include <array>
#include <string>
#include <vector>

#include "hwgen/ir/LaunchNeeds.h"
#include "hwgen/ir/Region.h"

namespace argent::hwgen {

/** Why and how one timeline hands its elements to another one through a FIFO (CutChannels), in their order. */
struct Channel {
    int clocks = 1;                        // in which that takes one
    std::string reason;
};

/** What one timeline computes and keeps for others, all elements of one of the user's Funcs: a memory for each lane of each element.
 *  Element (x, y) is in lane (x - X) % lanes, at the word (y - Y) * columns + (x - X) / lanes, where (X, Y) is lane 0 of the first vector.
 *  Or a FIFO, whose only reader scans them as its input. */
struct Ram {
    std::optional<Channel> channel;        // a FIFO: nothing below speaks of memories then
    Buffered of;
    std::string id;                        // legal in Verilog, and unique in the accelerator
    int writer = 0;                        // timeline
    std::vector<int> readers;              // timelines behind it
    int lanes = 1;                         // elements of a vector
    int columns = 1, rows = 1;             // vectors of a row of the memory; rows
    std::array<int, 2> most = {1, 1};      // elements that a launch may have of it
    std::array<bool, 2> is_checked = {};   // a launch may need more than these: it is refused then
    std::vector<StageNeeds> of_output;     // what a launch needs of it for each output Func, in terms of that one's box_variable()s; undefined: nothing
    std::array<Halide::Expr, 2> first, last;   // and for all of them
    int depth() const { return columns * rows; }
};

/** What the host computes for the readers of a RAM: the word of element (0, 0), negated, and, with several lanes, X. */
std::string origin_name(const Ram &ram);
std::string first_name(const Ram &ram);

}  // namespace argent::hwgen

#endif
