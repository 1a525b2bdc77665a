#ifndef ARGENT_HWGEN_IR_GRAPH_H
#define ARGENT_HWGEN_IR_GRAPH_H

#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Region.h"
#include "hwgen/solver/DifferenceConstraints.h"

namespace argent::hwgen {

/** Offsets of the elements that are needed, from those of the output: out.min + min .. out.max + max. */
struct Range {
    int min = 0, max = 0;
    bool operator==(const Range &o) const { return min == o.min && max == o.max; }
};
using Box = std::vector<Range>;   // innermost first

/** A place in the past of a producer's stream: `delay` scan positions before its newest vector, one lane of it. */
struct Tap {
    int leaf = 0;         // of the consumer's datapath
    int producer = 0;     // index of the stage
    Distance offset;      // from the consumer's element to the producer's, each from the start of its own box: rows, vectors
    int lane = 0;
    Distance delay;       // SolveDisplacements: displacement of consumer - displacement of producer - offset
};

/** One Func on the timeline. Positions count vectors of `lanes` elements; each stage counts from the start of its own
 *  box, so lane 0 of every row is the first element that anybody needs. */
struct Stage {
    Func::Kind kind = Func::Kind::Stage;
    std::string name;            // the Func's, as Halide has it
    std::string label;           // as the user knows it
    std::string id;              // legal in Verilog and unique
    std::string type;            // Halide's: uint8
    std::string expression, reason;
    Datapath datapath;           // Stage only
    Interval range;              // of the stored elements
    Box box;                     // InferBoxes
    std::vector<Tap> taps;       // of all lanes, one for each tap leaf
    Distance displacement;       // SolveDisplacements: fires at scan position i + displacement
    int phase = 0;               // SolvePhases: clocks from the head's firing to the stage's inputs
    int latency = 0;             // clocks from its inputs to its registered output
    int window_phase = 0;        // SolvePhases: when its newest value enters the window; >= phase + latency
    int bits() const { return range.bits(); }
    const std::string &shown() const { return label; }
};

/** What all consumers of one producer share: packed rows in a line memory, then shift registers a row.
 *    taps (0, 0) .. (2 rows, 2)   ->   2 rows of memory, 2 registers in each of 3 rows */
struct Window {
    int producer = 0;
    int rows = 0;                  // rows kept in the line memory
    int64_t slip = 0;              // row r enters its registers pitch * r + slip * r positions late
    std::vector<int64_t> columns;  // registers of row 0 .. rows
};

/** A region as hardware: stages in topological order, inputs first. */
struct Graph {
    std::vector<Stage> stages;
    std::vector<int> outputs;
    int lanes = 1;
    int clocks = 1;
    std::string family;            // of the part: xc7, xcup or ecp5
    std::vector<int> block;        // width, height: elements of the output
    int64_t pitch = 0;             // positions of a row at the block's width
    int64_t least_pitch = 1;       // shorter rows are scanned as if they had this many positions
    std::vector<Window> windows;   // of the producers that have consumers
    DifferenceProblem displacement_problem;     // the certificate: constraints with their reasons
    DifferenceSolution displacement_solution;

    /** Vectors of a row of `box`, for an output of `width` elements. */
    int64_t columns(const Box &box, int64_t width) const;
    /** Positions of a scan row for an output of `width` elements: of the longest row, at least least_pitch. */
    int64_t row_pitch(int64_t width) const;
    const Window *window_of(int producer) const;
};

/** A listing for tests and reports: one stage a line. */
std::string to_string(const Graph &g);

}  // namespace argent::hwgen

#endif
