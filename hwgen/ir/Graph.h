#ifndef ARGENT_HWGEN_IR_GRAPH_H
#define ARGENT_HWGEN_IR_GRAPH_H

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Box.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/IndexMap.h"
#include "hwgen/ir/LaunchNeeds.h"
#include "hwgen/ir/Region.h"
#include "hwgen/ir/SharedDatapath.h"
#include "hwgen/solver/DifferenceConstraints.h"

namespace argent::hwgen {

/** Where a stage's elements lie on the timeline in one dimension. Base elements are those of the finest stage; a scan
 *  position is Graph::lanes base elements wide and one base row high. */
struct Grid {
    int stride = 1;       // base elements from one element to the next
    int step = 1;         // scan positions (or rows) from one vector (or row) to the next
    int period = 1;       // vectors (or rows) after which the reads repeat
    int repeat = 1;       // elements after which the reads repeat
    int start = 0;        // InferBoxes: the element that is lane 0 of the first vector, from the scan's origin
};

/** How a stage reads a producer, by any of its taps. */
struct Read {
    int producer = 0;
    std::array<IndexMap, 2> maps;
    /** Where it is brought inside of a domain of its own. */
    struct Inside {
        std::optional<Border> border;
        int domain = 0;       // of Graph::domains
        Range reach;          // elements that it may lie in front of the domain (min) and behind it (max)
        Range moves;          // from where it lies to where it finds its element, at most
    };
    std::array<Inside, 2> borders;
};

/** What the outputs of one of the user's Funcs need of a stage: first and last element for an element of theirs. */
struct Needed {
    bool any = false;
    std::array<IndexMap, 2> first, last;
};

/** A place in the past of a producer's stream: `delay` scan positions before its newest vector, one lane of it. */
struct Tap {
    int leaf = 0;         // of the consumer's datapath
    int producer = 0;     // index of the stage
    Distance offset;      // from the consumer's element to the producer's, each from the start of its own box: rows, vectors
    int lane = 0;
    Distance delay;       // SolveDisplacements: displacement of consumer - displacement of producer - offset
    int waits = 0;        // wait_for_memories: clocks from when the window has it to when it is read, at least
    int held = 0;         // ShareStages: 1 where it is read after the window's next step, and so stands until the step after
    /** The same where rates differ: offset and delay are those of the phases that come last, in positions. */
    struct Phase {
        int64_t earlier = 0;   // positions or rows by which this phase reads an older place
        int lane = 0;
    };
    std::vector<Phase> columns = {{}}, rows = {{}};   // of the consumer's phases

    Distance delay_of(size_t row_phase, size_t column_phase) const {
        return delay + Distance{rows[row_phase].earlier, columns[column_phase].earlier};
    }
    Distance span() const;     // from the phases that come last to those that read the oldest place
    Distance oldest() const { return delay + span(); }
};

/** What the host says of a domain of borders, for all that are read on one grid: where it begins and ends, from the scan's origin, or how
 *  many elements it has. */
struct DomainMark {
    enum class What { First, Last, Extent } what = What::First;
    int dim = 0, domain = 0;      // of Graph::domains
    int stride = 1;               // of what is read
    std::string id;               // legal in Verilog and unique
    int64_t bias = 0, most = 0;   // the register holds element + bias, 0 and `most` for what lies before and behind any that is compared
};

/** A leaf of a stage that is 1 where an element is read that lies so far beyond a domain: (q * advance + at[phase]) is what the mark has,
 *  for the q-th time that the stage's phases come round. Of an extent: it is at[0]. */
struct MarkedLeaf {
    int leaf = 0;
    int mark = 0;                 // of Graph::marks
    int64_t advance = 0;
    std::vector<int64_t> at;
};

/** One Func on the timeline. Positions count vectors of `lanes` elements; each stage counts from the start of its own
 *  box, so lane 0 of every row is the first element that anybody needs. */
struct Stage {
    Func::Kind kind = Func::Kind::Stage;
    std::string name;            // the Func's, as Halide has it
    std::string label;           // as the user knows it
    std::string id;              // legal in Verilog and unique
    std::string image;           // Input: image_of, of what it is a plane or an element; all have one size
    std::string type;            // Halide's: uint8
    std::string expression, reason;
    Location where;              // as Func::where
    std::string part_of;         // a part of this stage that reuse_windows made a stage; else empty
    Datapath datapath;           // Stage only
    Interval range;              // of the stored elements
    Box box;                     // InferBoxes, in base elements
    std::vector<Read> reads;     // if Graph::has_rates
    std::vector<Needed> needed = {{}};   // InferBoxes: by Graph::output_funcs
    std::array<Edges, 2> edges;   // as Func::edges
    bool repeats = false;        // RepeatInputs, of an input: columns of its box outside of the domain repeat those at its edges, and are
                                 // not streamed
    int spread_before = 0;       // RepeatInputs, of an input: so many lanes of the vector in front of a row's first repeat its first element
    int spread = 0;              // ExpandBorders, RepeatInputs, of an input: so many lanes behind a row's last element repeat it, as far as its vector goes
    bool repeats_rows = false;   // RepeatRows: its window has the domain's first row, and its last, for those beyond
    int lanes = 1;               // elements of a vector
    std::array<Grid, 2> grid;
    std::optional<SharedDatapath> shared;   // ShareStages: how the datapath is computed, if in several clocks
    std::vector<Tap> taps;       // of all lanes, one for each tap leaf
    std::vector<MarkedLeaf> marked;   // InferBoxes: leaves about domains of their own
    Distance displacement;       // SolveDisplacements: fires at scan position i + displacement
    int phase = 0;               // SolvePhases: clocks from the head's firing to the stage's inputs
    int latency = 0;             // clocks from its inputs to its registered output
    int window_phase = 0;        // SolvePhases: when its newest value enters the window; >= phase + latency
    int bits() const { return range.bits(); }
    const std::string &shown() const { return label; }
};

/** Stages that one module computes, all at one clock. */
struct JoinedStages {
    std::vector<int> stages;       // in order; parts among them are only there
    std::vector<int> outputs;      // of those stages, the outputs
    Stage whole;                   // their datapath, of all lanes of the first output, then of the next one; its taps; the rest as of the last of them
};

/** A place in a window: the row of the packed word (0: the newest) and how late in steps of the window, of the row as it
 *  comes from the producer or the memory if slip is 0. */
using Slot = std::pair<int64_t, int64_t>;

/** How far behind a producer whose window repeats rows (RepeatRows.h) a reader is, at least: the domain's first row is there with the reader's own first one, and all rows of a column
 *  come in one step. */
struct RepeatedRead {
    int producer = 0, reader = 0;
    Distance behind;
};

/** What all consumers of one producer share: packed rows in a line memory, then shift registers a row. It steps when the
 *  scan is at a column that the producer has.
 *    taps (0, 0) .. (2 rows, 2)   ->   2 rows of memory, 2 registers in each of 3 rows */
struct Window {
    int producer = 0;
    bool replays = false;          // in rows that the producer does not have, the memory keeps its rows:
    bool holds = false;            // fit_memories: as nothing is written there, at the same place; else it writes what it has read
    int rows = 0;                  // rows kept in the line memory
    int first_late = 0;            // when the domain's first row is so many rows late,
    int repeats_first = 0;         // so many rows behind it become it, too
    bool repeats_last = false;     // behind the domain's last row that one stays the newest
    int64_t tail = 0;              // fit_memories: words of each row that wait behind the memory, in registers or look-up tables
    int bank_rows = 0;             // bank_memories: rows of a bank, which steps a clock after the one before; 0: all are in one memory
    int host = -1;                 // share_memories: the producer in whose window's memory the rows lie, too; -1: they have their own
    int64_t slip = 0;              // row r enters its registers pitch * r + slip * r positions late
    std::vector<int64_t> columns;  // registers of row 0 .. rows
    /** Whether a row is chosen: it may be another one than came, or was kept. */
    bool may_repeat(int64_t row) const { return row == 0 ? repeats_last : row > first_late && row <= first_late + repeats_first; }
    /** Clocks after the window's step in which a row does. */
    int64_t lag(int64_t row) const { return bank_rows == 0 || row == 0 ? 0 : (row - 1) / bank_rows; }
};

/** What moves through one port: one stage, or the planes of an interleaved image side by side. */
struct Bundle {
    std::string id;                // legal in Verilog and unique
    std::string label;
    std::vector<int> stages;       // inputs, or outputs; all have one box and one displacement
    std::vector<int> places = {0}; // of each: elements behind the first of them
    int step = 1;                  // elements from one position's to the next one's in memory
    int phase = 0;                 // SolvePhases, of outputs: clocks from the head's firing to when all of them are there
    /** Elements from a position's first to its last. */
    int span() const;
};

/** A region as hardware: stages in topological order, inputs first. */
struct Graph {
    std::vector<Stage> stages;
    std::vector<int> outputs;
    std::vector<int> output_funcs; // of each: which of the user's Funcs it is part of. A launch has a box for each of these
    std::vector<Bundle> bundles;   // of the interleaved images
    int lanes = 1;                 // base elements of a position
    int clocks = 1;
    bool has_rates = false;        // Rates::several, inputs with edges, several Funcs or timelines: the host computes the geometry
    std::array<int, 2> origin = {1, 1};   // base elements: the scan begins at a multiple of them
    int pitch_unit = 1;            // positions: a row is a multiple of them
    std::string family;            // of the part: xc7, xcup or ecp5
    std::vector<int> block;        // width, height: elements of the output
    Box reach;                     // InferBoxes: what the domain may have before (min) and behind (max) the output; 0 without borders
    std::vector<bool> bordered;    // the domain ends where an image does, in this dimension
    int64_t pitch = 0;             // positions of a row at the domain's greatest width
    int row_extra = 0;             // SolveDisplacements: elements that rows of the scan are longer, so that streams are in_raster
    int64_t least_pitch = 1;       // shorter rows are scanned as if they had this many positions
    std::vector<Domain1> domains;      // as the region's
    std::vector<DomainMark> marks;     // InferBoxes
    LaunchNeeds needs;                 // InferBoxes: of the stages, if has_rates
    std::vector<TableSource> tables;   // as the region's, with boxes
    std::vector<RepeatedRead> repeated_reads;   // SolveDisplacements
    std::vector<Window> windows;   // of the producers that have consumers
    std::vector<JoinedStages> joined;
    DifferenceProblem displacement_problem;     // the certificate: constraints with their reasons
    DifferenceSolution displacement_solution;
    DifferenceProblem phase_problem;            // the same of the clocks behind the head
    DifferenceSolution phase_solution;

    /** How many of the user's Funcs are outputs. */
    int func_count() const;
    /** The first output of one. */
    const Stage &output_of(int func) const;
    /** Of which it is an output, or -1. */
    int func_of(const Stage &s) const;
    /** The last base element of the outputs', from the origin: they may begin anywhere before the next multiple. */
    int64_t last_base(int dim, int64_t extent) const;
    /** Elements of the greatest domain: the block and its reach. */
    int64_t domain(int dim) const { return int64_t(block[dim]) + reach[dim].min + reach[dim].max; }
    /** Vectors of a row of `box`, for a domain of `width` elements. */
    int64_t columns(const Box &box, int64_t width) const;
    /** Positions of a stage's row, and rows of the scan from its first to its last, for an output of `extent` elements
     *  that may begin anywhere between two multiples of the origin. */
    int64_t span(const Stage &s, int dim, int64_t extent) const;
    /** Whether a launch's first element may come to lie in another lane than the first. Of the graph's own stages. */
    bool shifts_lanes(const Stage &s) const;
    /** Whether a stage has each element of the scan, as all that it reads, behind no border with a domain of its own: then what it computes for one element is what it computes for the next, moved. */
    bool is_at_scan_rate(const Stage &s) const;
    /** Of an input's box, what comes through its port; of other stages, all. */
    Box streamed(const Stage &s) const;
    /** Of its box, that and the columns in which an input's first is repeated. */
    Box shown(const Stage &s) const;
    /** Positions in front of the domain in which an input's first element is repeated. */
    int repeated_before(const Stage &s) const { return s.repeats ? -s.box[0].min / s.lanes : 0; }
    /** The most elements that a stage streams in one dimension. */
    int64_t most_elements(const Stage &s, int dim) const;
    /** Where rates differ: base elements of a row beyond the output's last, the least that make whole units of the pitch hold what all stages need. */
    int64_t beyond_output() const;
    /** Positions of a scan row for a domain of `width` elements: of the longest row, at least least_pitch. */
    int64_t row_pitch(int64_t width) const;
    /** What a row of the scan has beyond the domain's, in elements: row_extra, or what the longest row of a stage has. */
    int longest_extra() const;
    /** Whether the stage's rows never go around the end of a scan row, whatever the width: then its places in the scan are
     *  those of the head, a constant later. */
    bool in_raster(const Stage &s) const;
    /** Steps by which a stage's rows go around the end of a scan row: its places are those that the head had so many steps ago, a constant later. */
    int64_t steps_around(const Stage &s) const;
    /** Whether the head's place tells the stage's: in_raster, or a few steps around. */
    bool is_told(const Stage &s) const;
    /** Whether the line memory of a window is addressed by the head's place: then it needs no counter, and reads one place ahead. */
    bool by_place(const Window &w) const;
    /** The same, if the producer is early enough: what displacements say of it. */
    bool is_in_place(const Window &w) const;
    /** What it costs to keep a stage's elements for a position longer, in bits / bits_unit(). */
    int64_t bits_per_position(int stage) const;
    int64_t bits_unit() const;
    /** Elements that a stage fires in so many positions. */
    int64_t elements_in(int stage, int64_t positions) const;
    /** Words that a window keeps of each row, at the domain's greatest width; and those of them in its line memory. */
    int64_t row_words(const Window &w) const;
    int64_t memory_words(const Window &w) const { return row_words(w) - w.tail; }
    const Window *window_of(int producer) const;
    /** The windows whose rows lie in this producer's memory, beside its own. */
    std::vector<const Window *> guests_of(int producer) const;
    /** Bits of a window's rows, side by side; and of those of its guests. */
    int64_t bits_of_rows(const Window &w) const { return int64_t(stages[w.producer].bits()) * stages[w.producer].lanes * w.rows; }
    int64_t bits_of_guests(const Window &w) const;
    /** What computes a stage together with others, or null. */
    const JoinedStages *joined_of(int stage) const;
    /** Clocks from one element of a stage to the next, at least. */
    int clocks_of(const Stage &s) const { return s.grid[0].step * clocks; }
    /** Where a tap is found in its producer's window, in one of its phases. */
    Slot slot_of(const Tap &t, size_t row_phase, size_t column_phase) const;
    /** The bundles, and one for every other input or output; each in the order of its first stage. */
    std::vector<Bundle> input_streams() const;
    std::vector<Bundle> output_streams() const;
};

/** The stages that outputs depend on. */
std::vector<bool> read_stages(const Graph &g);

/** A listing for tests and reports: one stage a line. */
std::string to_string(const Graph &g);

}  // namespace argent::hwgen

#endif
