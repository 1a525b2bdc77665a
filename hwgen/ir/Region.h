#ifndef ARGENT_HWGEN_IR_REGION_H
#define ARGENT_HWGEN_IR_REGION_H

#include <Halide.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Board.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Index.h"
#include "hwgen/ir/TableSource.h"

namespace argent::hwgen {

/** The domain of borders in one dimension: first and last coordinate, in terms of Params; undefined where none is. */
struct Domain1 {
    Halide::Expr min, max;
    bool is_open() const { return !min.defined() && !max.defined(); }
};

/** Where an input ends in one dimension, and how it goes on beyond. */
struct Edges : Domain1 {
    Border border = Border::Edge;
    bool folds() const { return !is_open() && border != Border::Edge; }   // what lies beyond is elsewhere in the image
};

/** One Func that is materialised (a window or a stream), or one input. */
struct Func {
    enum class Kind { Input, Stage } kind = Kind::Stage;
    std::string name;                // as Halide has it, unique
    std::string label;               // as the user knows it, perhaps not
    Halide::Type type;
    std::vector<std::string> vars;   // innermost first
    Halide::Expr value;              // of one element; Stage only. Reads of other Funcs are Call::Halide by name, with
                                     // one IndexMap of a var for each dimension; no Lets around reads, no inlined Funcs
    std::string expression;          // as the user would read it, for comments and the report
    std::string reason;              // why it is stored: a directive with its line, or the cost model's words
    Location where;                  // of a directive about it, if there is one: of definitions Halide knows no lines
    bool may_be_inlined = false;     // the capture alone has chosen to keep it: no directive is about it, and it has no compute level
    std::array<Edges, 2> edges;      // Input: if it has them itself, before it enters the scan; open where its readers have borders
    std::optional<Interval> range;   // Input: of its values, if they are known to be fewer than the type's
    bool has_edges() const { return !edges[0].is_open() || !edges[1].is_open(); }
};

/** A two-dimensional stream of a buffer in memory: one value of each dimension that is not scanned. */
struct Plane {
    std::string func;                // the input or output
    std::vector<int> at;             // index in each dimension of the buffer; 0 in those that are scanned
    std::vector<Halide::Expr> moving = {};   // in each dimension where it is defined: the index instead, which the host computes for each launch
    bool moves(int d) const { return d < static_cast<int>(moving.size()) && moving[d].defined(); }
};

/** What the host passes: a buffer of any number of dimensions, of which two are scanned. */
struct Buffer {
    std::string name;                // of the launcher's argument
    Halide::Type type;
    int dimensions = 2;
    std::vector<int> scanned = {0, 1};   // dimensions of the buffer that are the block's, innermost first
    std::vector<Plane> planes;           // none: nothing of it is read
    std::vector<int> strides;            // interleaved: elements of memory from index to index, by dimension, 0 where only the
                                         // host knows. All planes are one stream then
    std::string image = {};              // of what it is an element: unique; empty: of none, and `name` is it
    std::string label = {};              // of that, as the user knows it, perhaps not
    std::string stream = {};             // what its stream is called; empty: as it is
    bool is_interleaved() const { return !strides.empty(); }
    bool is_plain() const { return dimensions == 2 && scanned == std::vector<int>{0, 1} && planes.size() == 1 && !is_interleaved(); }
    /** Whether the host computes indices of this dimension. */
    bool moves(int d) const { return std::any_of(planes.begin(), planes.end(), [&](const Plane &p) { return p.moves(d); }); }
    /** Planes at the same indices of dimensions that move: only they can be one stream. */
    bool are_together(size_t i, size_t j) const;
    /** Elements that planes[i] lies behind the first of those that come with it. */
    int place(size_t i) const;
};

/** A run-time scalar: a register. */
struct Param {
    std::string name;                // of the register
    std::string variable;            // of the Halide Variable
    Halide::Type type;
    Interval range;
    std::string doc = "parameter";   // what the host passes
    int table = -1;                  // of the region: this is its element `place`, and the host loads it with the table
    std::vector<int> place;
    Halide::Expr host;               // what the host passes, in terms of the user's Params; undefined of elements of tables
};

struct FifoDepth {
    std::string from, to;
    int elements = 0;
    Location where;
    std::string text;   // as the user wrote it: several may come from one directive, of Funcs with channels
};

struct TimeShare {
    std::string func;
    int clocks = 2;     // that one set of operators spends on an element
    Location where;
    std::string text;   // as the user wrote it
};

/** A Func of the user's that is kept in a RAM (CutTimelines): others may read it anywhere. */
struct Buffered {
    std::string label;               // as the user knows it
    struct Element {
        std::string name, label;     // as of a Func in Region::funcs
        Halide::Type type;
    };
    std::vector<Element> elements;
    std::array<std::optional<Interval>, 2> declared;   // bounds that the user has declared: nothing is read outside
    Location where;
    std::string text;                // as the user wrote it
    bool has(const std::string &func) const {
        return std::any_of(elements.begin(), elements.end(), [&](const Element &e) { return e.name == func; });
    }
};

/** A directive of the full set: given by the user, or chosen. */
struct DirectiveText {
    std::string text;
    bool by_user = false;
    std::string func = {};   // that is kept by it, as Halide has it
};

/** What `accelerate` marked, before any hardware decision: Funcs in topological order, inputs first. */
struct Region {
    std::string name;                // module and C prefix
    std::string function;            // the pipeline's
    Location where;
    std::string call;                // accelerate(...), as the user wrote it
    std::vector<Func> funcs;
    std::vector<std::string> outputs;
    std::vector<int> output_funcs;   // of each: which of the user's Funcs it is part of; none: all of one. Each of them has a box of its own
    std::vector<Buffer> buffers;     // of the inputs, then of the outputs; a Func in none of them is a plain buffer itself
    std::vector<Param> params;
    std::vector<TableSource> tables;
    std::vector<std::string> block_vars;
    std::vector<int> block;          // largest extents of the outputs, innermost first
    int pixels = 1;                  // positions of the output per firing
    int clocks = 1;                  // clocks per firing
    int taken_clocks = 0;            // clocks in which the timeline behind the output takes one of its elements; 0: no such timeline
    Location throughput_where;       // if the user gave them
    Board board;
    double clock_mhz = 100;
    std::vector<Domain1> borders;    // per dimension of the block
    std::vector<Domain1> domains;    // of borders that have one of their own: Index::domain
    bool streaming = false;          // AXI4-Stream ports in place of memory ports
    Location streaming_where;        // who said so
    std::vector<FifoDepth> fifo_depths;
    std::vector<TimeShare> time_shares;
    std::vector<Buffered> buffered;
    std::array<Domain1, 2> filled;   // of a timeline that fills a RAM: what of it, in terms of the boxes of the accelerator's outputs (SizeRams)
    bool has_host_geometry = false;  // the host computes the geometry, at one rate too
    std::vector<DirectiveText> directives;
    std::vector<std::string> warnings;
};

/** Whether a Func of a region is this one of the user's, or an element of it: of a Tuple, or a channel. */
bool is_element(const Func &f, const std::string &of);

/** The reads of Funcs and images in an expression; what indices read comes first. */
std::vector<const Halide::Internal::Call *> reads_in(const Halide::Expr &);

/** An expression, which may be undefined, with reads of one Func as reads of another. */
Halide::Expr with_reads_of(const Halide::Expr &, const std::string &from, const std::string &to);

/** Whether fifo_depth or time_share names a Func. */
bool is_timed(const Region &r, const std::string &func);

/** Whether a Call reads a table of the region, or what a RAM holds: its arguments are values, and no places on the scan. */
bool is_table_read(const Region &r, const Halide::Internal::Call &c);

/** The buffer that holds an input or output; null if it is a plain one of its own. */
const Buffer *buffer_of(const Region &r, const std::string &func);

}  // namespace argent::hwgen

#endif
