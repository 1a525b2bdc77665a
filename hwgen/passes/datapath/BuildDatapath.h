#ifndef ARGENT_HWGEN_PASSES_DATAPATH_BUILDDATAPATH_H
#define ARGENT_HWGEN_PASSES_DATAPATH_BUILDDATAPATH_H

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Index.h"
#include "hwgen/ir/TableSource.h"
#include "hwgen/passes/datapath/TableReads.h"

namespace argent::hwgen {

/** A stage as the capture leaves it: one Halide expression for one element. */
struct StageSource {
    Halide::Expr value;              // one element, all inlined; reads are Call::Halide or Call::Image calls whose
                                     // argument i is an IndexMap of vars[i]
    std::vector<std::string> vars;   // the loop variables' names, innermost (x, the lane dimension) first
    int lanes = 1;                   // P: lane j computes the element at x + j
    int periods[2] = {1, 1};         // vectors and rows after which the reads repeat: a multiple of every IndexMap's
    std::map<std::string, int> producers;              // name in the Call -> stage index
    std::map<std::string, std::string> labels = {};    // name in the Call -> what taps are named after; itself if not given
    std::map<std::string, Interval> producer_ranges;   // of the producer's stored values; the Call's type if not given
    std::map<std::string, Interval> params;            // scalar Params -> range; the Variable's type if not given
    std::map<std::string, Interval> coords = {};       // loop variables -> range of lane 0; int32 if not given
    /** Of a read of this producer, with a border that has a domain of its own: elements that it may lie in front of it and behind it. */
    std::function<Range(const std::string &, int dim, const Index &)> reach = {};
    std::map<std::string, const TableSource *> tables = {};   // read at any expression of the above, by table_key
};

/** An operator that hardware of this kind cannot compute (floats, extern calls, unknown intrinsics). */
struct UnsupportedOp : std::runtime_error {
    explicit UnsupportedOp(const std::string &op, const std::string &why)
        : std::runtime_error(op + ": " + why), op(op), why(why) {}
    std::string op, why;
};

/** Turns a Halide expression into exact integer operators with explicit wrapping, all lanes in one graph.
 *  Semantics are those of Halide 21's own CPU code for every input for which Halide defines a result; signed 32- and 64-bit
 *  overflow, which Halide leaves undefined, wraps.
 *    cast<uint8_t>((f(x - 1) + f(x + 1)) / 2), u8   ->   Shr(Wrap<u8>(Add(f_m1, f_p1)), 1)
 *    cast<uint8_t>(sqrt(cast<float>(f(x))))   ->   Sqrt(f_p0): floats whose value is known exactly (ExactFloats.h)
 *    gamma(f(x)), gamma of constants   ->   Lookup(f_p0, gamma): only the places that the index can be are kept
 *  `read_places`: takes the hull of the places that are read of every loaded table, by table_key.
 *  Shared subexpressions are visited once per Let scope; no recursion, so depth is limited by memory only. */
Datapath build_datapath(const StageSource &, std::map<std::string, TablePlaces> *read_places = nullptr);

}  // namespace argent::hwgen

#endif
