#ifndef ARGENT_FUZZ_PIPELINE_H
#define ARGENT_FUZZ_PIPELINE_H

#include <Halide.h>

#include <memory>
#include <string>
#include <vector>

namespace argent::fuzz {

using Halide::Type;

struct Term;
using TermPtr = std::shared_ptr<const Term>;

/** One node of a stage's expression. As text, an operator is `(name args)`, or `(name:type args)` where operands do not
 *  tell the type of the result. */
struct Term {
    enum class Kind {
        Constant,   // 17:u8
        Param,      // p0
        Coord,      // x, y
        RVar,       // rx, ry: of the reduction around it
        Local,      // t0: a let of the stage
        Self,       // self: the stage's own value, in an update
        Read,       // in0[-1,2], f3[rx+1,-ry]: relative to the element
        Table,      // k0[rx+1]; (k0 term): at the term's value modulo the table's length
        Reduce,     // (sum r0 body), also product, maximum, minimum
        Operator
    } kind = Kind::Constant;
    Type type;
    int64_t value = 0;         // Constant; of u64 the same bits
    int index = 0;             // Param, Coord, RVar, Local, Table, Reduce (its RDom); Read: inputs first, then stages
    std::string op;            // Operator, Reduce
    int dx = 0, dy = 0;        // Read; Table: dx. Added before a rate divides
    int rx = 0, ry = 0;        // Read: how often rx goes into the first index, ry into the second. Table: both into its only one
    std::vector<TermPtr> args;
};

struct ReductionDomain {
    int min_x = 0, extent_x = 1, min_y = 0, extent_y = 1;
    TermPtr where;             // may be null
    int points() const { return extent_x * extent_y; }
};

struct Update {
    int domain = 0;
    TermPtr value;
};

/** How far apart the elements of a Func lie, in elements of the finest one: Funcs of other grids are read at another rate. */
struct Grid {
    int x = 1, y = 1;
    bool operator==(const Grid &o) const { return x == o.x && y == o.y; }
};

/** How readers see a Func outside of the image: as Halide's BoundaryConditions of these names. All have the bounds of in0, or inputs their own. */
enum class Border { None, Edge, MirrorImage, MirrorInterior, Exterior, Repeat };

/** What is outside where the border is Exterior. */
constexpr int exterior_value = 1;

struct Stage {
    Type type;
    Grid grid;
    Border border = Border::None;
    std::string storage;       // default, root, at (the output), linebuffer, inlined
    int share = 0;             // clocks that its operators are shared over by a directive; 0: there is none
    std::vector<ReductionDomain> domains;
    std::vector<TermPtr> lets;
    TermPtr value;
    std::vector<Update> updates;
};

/** A Func of constants in one dimension. */
struct Table {
    Type type;
    std::string style;         // mux, updates, buffer
    std::vector<int64_t> values;
};

struct ParamDecl {
    Type type;
    bool has_range = false;
    int64_t min = 0, max = 0;
};

/** One launch. */
struct Run {
    int width = 1, height = 1, min_x = 0, min_y = 0;
    int gaps = 0;              // how the streams' neighbours behave: see Traffic in Drive.h
    uint64_t seed = 0;         // of the data
    int left = 0, right = 0, above = 0, below = 0;   // with borders: how far the image goes on beyond the output
};

/** What a user may say of the same computation, beyond what the streaming core of one output sees. Runs of the whole accelerator have it. */
struct Form {
    enum class Channels { None, Planar, Interleaved, First };
    enum class Outputs { One, Funcs, Tuple, Unrolled, Scanned };   // the last two: channels of one Func
    bool is_columns_first = false;     // y innermost, in memory and on the scan
    int planes = 0;                    // values of a third dimension, scanned plane by plane; inputs are read at three, by where they are read along x
    bool has_unrolled_planes = false;  // ... or unrolled
    Channels channels = Channels::None;   // of one image: in0, all inputs like it, and one that nobody reads
    Outputs outputs = Outputs::One;
    std::vector<int> also;             // the stages that are outputs, too
    bool has_loaded_tables = false;    // in place of constants
    int tile[2] = {0, 0};              // extents in which the host asks for the output; 0: all at once
    int strip = 0;                     // rows (or columns) of which the host asks for one strip after the other, at the next while it copies one
    int first = -1;                    // a stage that an accelerator of its own computes; the other one reads it
    bool is_first_on_host = false;     // ... or that the host computes
    int buffered = -1;                 // a stage that is kept in a RAM
    int wrapped = -1;                  // a stage that others read through Func::in()
    bool has_streams = false;          // in place of memory ports
    bool is_whole = false;             // though it may be plain: replayed as a whole accelerator

    bool has_output_channels() const { return outputs == Outputs::Unrolled || outputs == Outputs::Scanned; }
    bool is_plain() const {
        return !is_columns_first && planes == 0 && channels == Channels::None && outputs == Outputs::One && !has_loaded_tables &&
               tile[0] == 0 && strip == 0 && first < 0 && buffered < 0 && wrapped < 0 && !has_streams;
    }
};

/** A whole random pipeline as data. The last stage is the output. Text and pipeline determine each other. */
struct Pipeline {
    uint64_t seed = 0;
    int block[2] = {1, 1};
    int pixels = 1, clocks = 1;
    std::string board = "pynq-z2";
    int mhz = 0;               // 0: the board's
    std::vector<Type> inputs;
    std::vector<Grid> input_grids;   // as inputs; a shorter list goes on with {1, 1}
    std::vector<Border> input_borders;   // ... with None
    bool has_own_bounds = false;         // each input ends at its own edges, anywhere near what is read of it
    std::vector<ParamDecl> params;
    std::vector<Table> tables;
    std::vector<Stage> stages;
    Form form;
    std::vector<Run> runs;

    Type producer_type(int index) const {
        return index < int(inputs.size()) ? inputs[index] : stages[index - inputs.size()].type;
    }
    Grid grid(int index) const {
        if (index >= int(inputs.size())) return stages[index - inputs.size()].grid;
        return index < int(input_grids.size()) ? input_grids[index] : Grid{};
    }
    Border border(int index) const {
        if (index >= int(inputs.size())) return stages[index - inputs.size()].border;
        return index < int(input_borders.size()) ? input_borders[index] : Border::None;
    }
    bool has_borders() const {
        return any_border([](Border b) { return b != Border::None; });
    }
    /** Whether borders are more than the core: memory ports read an image again, or a RAM has it. */
    bool has_repeats() const {
        return any_border([](Border b) { return b == Border::Repeat; });
    }
    template<typename Is>
    bool any_border(Is is) const {
        for (int i = 0; i < int(inputs.size() + stages.size()); i++) {
            if (is(border(i))) return true;
        }
        return false;
    }
    bool has_rates() const {
        for (int i = 0; i < int(inputs.size() + stages.size()); i++) {
            if (!(grid(i) == grid(0))) return true;
        }
        return false;
    }
};

std::string name_of(Type t);              // u8, i16, bool
bool parse_type(const std::string &, Type &);
std::string name_of(Border);              // edge, mirror_image, ...
std::string producer_name(const Pipeline &, int index);   // in0, f0

std::string to_text(const Pipeline &);
std::string to_text(const Pipeline &, const Term &);
/** Throws std::runtime_error with the line that is wrong. */
Pipeline from_text(const std::string &);

/** Calls `visit` for every term of a stage, arguments first. */
template<typename F>
void visit_terms(const TermPtr &t, F &&visit) {
    if (!t) return;
    for (const TermPtr &a : t->args) visit_terms(a, visit);
    visit(t);
}
template<typename F>
void visit_terms(const Stage &s, F &&visit) {
    for (const ReductionDomain &r : s.domains) visit_terms(r.where, visit);
    for (const TermPtr &t : s.lets) visit_terms(t, visit);
    visit_terms(s.value, visit);
    for (const Update &u : s.updates) visit_terms(u.value, visit);
}

}  // namespace argent::fuzz

#endif
