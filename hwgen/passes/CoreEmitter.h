#ifndef ARGENT_HWGEN_PASSES_CORE_EMITTER_H
#define ARGENT_HWGEN_PASSES_CORE_EMITTER_H

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hwgen/passes/EmitCore.h"
#include "hwgen/passes/PipelineDatapath.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

/** What emit_core is made of, for its own sources only: EmitCore.cpp puts the core together, EmitHead.cpp says when it fires and where each stream
 *  stands then, EmitPlaces.cpp where a stage stands, and EmitTaps.cpp has windows, stages and what they read. */
class CoreEmitter {
public:
    using Expr = verilog::Expr;

    CoreEmitter(const Graph &g, const Region &region, const std::vector<StageModule> &stages, verilog::Scope &modules);

    Core emit();

private:
    std::string rates_header() const;
    /** Which part of the domain leaves as an output; per dimension with borders. */
    struct Crop {
        Expr first[2], end[2];   // elements of the domain before the first that leaves, and up to the last
        Expr behind[2];          // in place of end where that is less: elements of the domain behind the last that leaves
        Expr scan_end[2];        // behind the last that leaves, in vectors and rows of the output's scan
    };

    /** Where a stream has its last element: columns and rows behind the domain's last, by what is cropped; and 1 where the next firing is there. */
    struct LastPlace {
        Range at[2];
        Expr is_next;
        bool is_never_before(const LastPlace &other) const {
            return at[1].min > other.at[1].max || (at[1].min == other.at[1].max && at[0].min >= other.at[0].max);
        }
    };

    void ports();
    void crop_ports(CoreStream &c, int dim);
    void geometry();
    void head();
    void valid_bits();
    void inputs();
    void stage(int i);
    void joined(const JoinedStages &j);
    std::vector<Expr> instance(const Stage &s, const StageModule &m);
    void set_value(int stage, std::vector<Expr> lanes);
    void outputs();
    void name_unread();
    void table_ports();

    Expr valid(int phase) { return phase == 0 ? fire : verilog::slice(valid_chain, phase - 1, phase - 1); }
    Expr elements_to_columns(const Box &box);
    Expr rows_of(const Box &box);
    Expr vectors_at(Expr elements, const std::string &of, int64_t more);
    Expr rows_at(Expr elements, const std::string &of, int64_t more);
    Expr equals(const std::string &id, const Expr &place, const Expr &value);
    Expr head_flag(const std::string &id, int dim, const Expr &next, bool at_rest = false);
    Expr is_at(int dim, const Expr &base, const std::string &of, int64_t more);
    Expr position_of(int dim) { return read(dim == 0 ? at_x : at_y); }
    Expr next_of(int dim) { return read(dim == 0 ? next_x : next_y); }
    Expr read(const Expr &place) { return read_places.insert(place.get().name), place; }
    Expr is_at(int dim, int64_t place);
    Expr steps_late(const std::string &id, Expr flag, int64_t steps);
    Expr is_at_first(const Stage &s, const Crop &crop, int dim, int64_t more);
    Expr chosen_ahead(const std::string &id, const std::function<Expr()> &chosen_before);
    bool is_end_told(const Stage &s, int dim) const;
    Expr is_at_end(const Stage &s, const Crop &crop, int dim, int64_t more);
    Expr scan_pitch();
    Expr last_position();
    bool is_full() const { return g.columns({{0, g.longest_extra()}, {0, 0}}, 1) >= g.least_pitch; }
    void raster();
    /** The head's place says where a stream has elements; otherwise it needs a scan of its own. */
    bool has_span(const Stage &s, bool is_cropped) const { return g.is_told(s) && !(is_cropped && s.displacement.cols == 0); }
    void find_last_places();
    std::optional<int> ending_output() const;
    Expr leads_to_row(const Stage &s, const Crop *crop);
    Expr span(const Stage &s, Expr active, const Crop *crop);
    Expr repeated_stream(const CoreStream &c);
    void scanned_stream(const CoreStream &c, Expr done);
    bool has_scan(const Stage &s) const;
    Expr scan(const std::string &what, const Stage &s, Expr step, Expr x, Expr y, Expr active, Expr done,
              const Crop *crop = nullptr);
    void end_of_crop(const Stage &s, Crop &crop);
    Expr after_first(const Stage &s, const Crop &crop, Expr x, Expr y);
    void stage_position(const Stage &s, Expr coordinates[2], std::map<int, Expr> &places_at);
    Expr place(const Stage &s, const Leaf &l, Expr x, Expr y);
    Expr marked(const Stage &s, const MarkedLeaf &m);
    Expr raster_place(const Stage &s, const Leaf &l);
    Expr spread(const Stage &s, const Expr &vector);
    Expr vector_of(int i) { return late(fmt::format("{}_value", g.stages[i].id), values[i], g.stages[i].phase + g.stages[i].latency, g.stages[i].window_phase); }
    /** A net for an output of a cell that nobody reads. */
    Expr unread(const std::string &id, int width) {
        unread_nets.push_back(b.wire(id, width));
        return unread_nets.back();
    }
    Expr late(const std::string &id, Expr e, int from, int to);
    /** One lane of a place in a window, as it is seen in clock phase `phase`. */
    Expr element(int producer, Slot place, int lane, int phase);
    Expr tap(const Tap &t, const Stage &reader);
    /** Counters for a stage's columns and rows: undefined where there is nothing to count. */
    struct Counters {
        Expr x_phase, y_phase, col, row;
    };
    const Counters &counters(const Stage &s, int clock_phase, int columns, int rows);
    Expr in_phase(const Stage &s, int clock_phase, bool of_x, bool of_y);
    Expr fires(const Stage &s);
    Expr line_words(int step, int64_t slip, int address_bits);
    Expr exact_quotient(Expr a, int divisor);
    Expr base_coordinate(const Stage &s, int dim, Expr vectors);
    bool is_muxed(const Tap &t) const;
    Expr plane(const CoreStream &c, size_t k);
    Expr stored(const CoreStream &c, size_t k, int lane);
    double path_to_step(double ns) const;
    bool is_fast() const;
    int64_t shortest_row() const;
    bool is_row_told_late() const;
    bool is_told_ahead(const CoreStream &c) const;
    std::vector<int> last_streams() const;
    Expr scans_on();
    bool is_too_long(double ns) const { return ns > 1000 / region.clock_mhz * (1 + most_excess); }
    int latest_phase() const;

    const Graph &g;
    const Region &region;
    const std::vector<StageModule> &stages;
    verilog::Scope &modules;
    verilog::Builder b;
    Core core;
    std::set<std::string> cells;

    Expr clk, rst, start, busy, wait_in, wait_out, width, height, minimum[2];
    std::map<std::string, Expr> params, mark_ports;
    struct TableNets {
        Expr write, place, element;
        bool is_read = false;
    };
    std::map<std::string, TableNets> table_nets;            // by TableSource::id
    std::vector<Expr> valid_ports, ready_ports, data_ports;   // of the stages that are streams
    std::map<int, std::array<Expr, 4>> extents;               // of streams, where rates differ: begin_x, end_x, begin_y, end_y

    Expr begin, fire, outputs_done, pitch, valid_chain;
    Expr resting;                                             // at fast clocks: the scan does not go on
    Expr running, step, rest;                                 // rest: the head stands in front of the scan, where begin is its first step
    Expr at_x, at_y, next_x, next_y;                          // of the scan, at the head, from 1; next: a step later, a row later
    Expr row_end, row_ends;                                   // the head is at its row's end; it will be, a step later
    std::set<std::string> read_places;                        // of these four
    int x_bits = 0, y_bits = 0;
    std::map<int, Expr> columns, rows;                        // by what the box adds to width and height
    std::map<int, Crop> crops;                                // of outputs of bordered regions
    std::map<int, Expr> active;                               // of streams: where an element moves
    std::map<int, LastPlace> last_places;                     // of streams with an ag_span
    std::map<int, Expr> done;                                 // of streams: nothing is left; undefined where nobody asks
    std::map<int, Expr> room;                                 // of outputs: what is in flight and one more
    std::map<int, Expr> will_be_active;                       // of streams with an ag_row_span: active in the next clock
    std::map<int, Expr> room_next;                            // of outputs that are told a clock ahead
    Expr fires_if_fed;                                        // at fast clocks: all that a firing waits for but the one input
    std::map<int, Expr> shown;                                // of inputs that repeat: there, and where the first is repeated
    std::vector<Expr> values;                                 // of stages, at their output
    std::vector<std::map<Slot, Expr>> places;                 // of windows
    std::map<std::array<int64_t, 5>, Counters> all_counters;  // by clock phase, displacement, columns, rows
    std::map<std::string, Expr> delayed;                      // nets that wait
    std::vector<Expr> unread_nets;
    std::set<std::string> read_params;
    std::map<std::string, std::set<int>> read_lanes;          // of windows' nets
};

}  // namespace argent::hwgen

#endif
