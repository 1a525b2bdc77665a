#ifndef ARGENT_HWGEN_PASSES_EMIT_CORE_EMITTER_H
#define ARGENT_HWGEN_PASSES_EMIT_CORE_EMITTER_H

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hwgen/passes/emit/CoreBuilder.h"
#include "hwgen/passes/emit/EmitCore.h"
#include "hwgen/passes/emit/EmitGeometry.h"
#include "hwgen/passes/emit/EmitRaster.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"

namespace argent::hwgen {

/** What emit_core is made of, for its own sources only: EmitCore.cpp puts the core together, EmitHead.cpp says when it fires, EmitSpans.cpp where each stream
 *  has elements then, EmitPhases.cpp and EmitPlaces.cpp where a stage stands, EmitAddresses.cpp where its rows are kept, and EmitTaps.cpp has windows,
 *  stages and what they read. The numbers of a launch (EmitGeometry.h) and the head's place (EmitRaster.h) are parts of their own. */
class CoreEmitter {
public:
    using Expr = verilog::Expr;

    CoreEmitter(const Graph &g, const Region &region, const Part &part, const std::vector<StageModule> &stages, verilog::Scope &modules);

    Core emit();

private:
    // EmitCore.cpp
    std::string rates_header() const;
    void ports();
    void crop_ports(CoreStream &c, int dim);
    void table_ports();
    int latest_phase(bool is_told) const;
    bool is_cut_off() const;
    void valid_bits();
    Expr repeated_value(const CoreStream &c, const Stage &s, const Expr &vector);
    void inputs();
    Expr stored(const CoreStream &c, size_t k, int lane);
    int clocks_in_flight(int leader) const;
    Expr in_flight(const CoreStream &leader);
    Expr flies(const std::string &id, const Expr &chain);
    void outputs();
    void name_unread();
    Expr valid(int phase) { return phase == 0 ? fire : verilog::slice(valid_chain, phase - 1, phase - 1); }

    // EmitHead.cpp
    void head();
    void stream_sizes();
    void find_leaders();
    bool is_row_told_late() const;
    Expr stream_elements(const CoreStream &c);
    Expr is_ready(const std::vector<const CoreStream *> &led);
    Expr are_ready(const std::vector<CoreStream> &streams);
    void size_fifo(CoreStream &c) const;
    Expr rate_ready();
    std::vector<int> last_streams() const;
    std::optional<int> ending_output() const;
    bool fires_when_done() const;
    Expr scans_on();
    void firing(const Expr &inputs, const Expr &outputs);
    double path_to_step(double ns) const;
    bool is_too_long(double ns) const { return ns > 1000 / region.clock_mhz * (1 + part.excess); }

    // EmitSpans.cpp
    /** Where a stream has its last element: columns and rows behind the domain's last, by what is cropped; and 1 where the next firing is there. */
    struct LastPlace {
        Range at[2];
        bool is_cropped[2] = {};
        Expr is_next;
        /** The least that it can be where `other` is at its last; all outputs are cropped by as much. */
        int least(int dim, const LastPlace &other) const { return is_cropped[dim] && other.is_cropped[dim] ? at[dim].max : at[dim].min; }
        bool is_never_before(const LastPlace &other) const {
            return least(1, other) > other.at[1].max || (least(1, other) == other.at[1].max && least(0, other) >= other.at[0].max);
        }
    };
    /** Flags in front of a stream's rows and at their ends, and of the scan rows in which it has one; undefined where the span has to remember that. */
    struct RowMarks {
        Expr before, last, in_row;
    };
    void find_last_places();
    Expr leads_to_row(const Stage &s, const Crop *crop);
    int64_t last_column(const Stage &s, bool is_cropped) const;
    std::set<int64_t> ends_of_rows() const;
    RowMarks row_marks(const Stage &s, const Crop *crop);
    static bool is_at_origin(const Stage &s) { return s.displacement.cols == 0 && s.displacement.rows == 0; }
    Expr is_first_row(const Stage &s, const Crop *crop);
    Expr is_last_row(const Stage &s, const Crop *crop);
    Expr span(const Stage &s, Expr active, const Crop *crop);
    Expr repeated_stream(const CoreStream &c);
    void told_part(const CoreStream &c, Expr done);
    void scanned_stream(const CoreStream &c, Expr done);
    bool has_scan(const Stage &s) const;
    Expr scan(const std::string &what, const Stage &s, Expr step, Expr x, Expr y, Expr active, Expr done, const Crop *crop = nullptr);

    // EmitPhases.cpp
    /** Counters for a stage's columns and rows: undefined where there is nothing to count. */
    struct Counters {
        Expr here, x_phase, y_phase, col, row;
    };
    const Counters &counters(const Stage &s, int clock_phase, int columns, int rows, bool has_places = false);
    Expr row_end(int clock_phase, int64_t columns);
    void tell_row_ends();
    Expr find_row_end(int64_t columns, const Expr &step);
    std::vector<Expr> clocks_behind(const std::string &id, const Expr &e, int clocks);
    Expr in_phase(const Stage &s, int clock_phase, bool of_x, bool of_y);
    Expr fires(const Stage &s);
    bool is_told_before(const Stage &s) const;
    int step_clock(const Stage &s) const;
    Expr window_step(const Stage &s);
    Expr window_keeps(const Stage &s);

    // EmitAddresses.cpp
    /** A window that has a line memory with an address. */
    struct AddressReader {
        std::string id;
        int clock = 0;        // phase in which it steps
        int64_t blocks = 0;   // block RAMs that the address goes to
        Expr step, net;
    };
    Expr line_words(int step, int64_t more, int address_bits);
    Expr line_address(const Stage &s, const Window &w, int address_bits, const Expr &step);
    /** One for windows that step in the same clock; it may have the address of the one before, some clocks later. */
    struct AddressRegister {
        std::vector<AddressReader> readers;
        bool waits = false;
        int clock() const { return readers[0].clock; }
        int64_t blocks() const;
    };
    bool counts_ahead() const;
    std::vector<AddressRegister> address_registers(std::vector<AddressReader> readers) const;
    void tell_addresses();
    Expr address_counter(const AddressReader &r, const Expr &words);
    Expr has_wrapped(const AddressReader &r, bool is_in_phase);
    Expr following_counter(const AddressReader &r, const Expr &wraps);

    // EmitPlaces.cpp
    Expr exact_quotient(Expr a, int divisor);
    Expr base_coordinate(const Stage &s, int dim, Expr vectors);
    void stage_position(const Stage &s, Expr coordinates[2], std::map<int, Expr> &places_at);
    Expr place(const Stage &s, const Leaf &l, Expr x, Expr y);
    Expr marked(const Stage &s, const MarkedLeaf &m);
    Expr raster_place(const Stage &s, const Leaf &l);
    Expr is_first_row_late(const Stage &s, int rows);
    Expr is_past_rows(const Stage &s);
    Expr late_by_steps(const std::string &id, const Expr &flag, const Stage &s);
    Expr spread(const Stage &s, const Expr &vector, const Expr &in_front = {});
    void end_of_crop(const Stage &s, Crop &crop);
    Expr first_of_crop(const Stage &s, const Crop &crop, int dim);

    // EmitTaps.cpp
    Expr plane(const CoreStream &c, size_t k);
    Expr late(const std::string &id, Expr e, int from, int to);
    Expr vector_of(int i) { return late(fmt::format("{}_value", g.stages[i].id), values[i], g.stages[i].phase + g.stages[i].latency, g.stages[i].window_phase); }
    /** One lane of a place in a window, as it is seen in clock phase `phase`. */
    Expr element(int producer, Slot place, int lane, int phase);
    bool is_muxed(const Tap &t) const;
    Expr tap(const Tap &t, const Stage &reader);
    std::vector<Expr> instance(const Stage &s, const StageModule &m);
    void set_value(int stage, std::vector<Expr> lanes, const StageModule &from);
    void joined(const JoinedStages &j);
    void connect_guests(const Window &host, std::map<std::string, Expr> &nets);
    void stage(int i);

    const Graph &g;
    const Region &region;
    const std::vector<StageModule> &stages;
    verilog::Scope &modules;
    CoreBuilder b;
    const Part &part;                                         // as this core sees it
    const bool is_fast;                                       // what is told to the head in one table comes too late
    ScanGeometry geometry;
    HeadRaster raster;
    Core core;

    Expr clk, rst, start, busy, wait_in, wait_out, minimum[2];
    std::map<std::string, Expr> params, mark_ports;
    struct TableNets {
        Expr write, place, element;
        bool is_read = false;
    };
    std::map<std::string, TableNets> table_nets;            // by TableSource::id
    std::vector<Expr> valid_ports, ready_ports, data_ports;   // of the stages that are streams
    std::map<int, std::array<Expr, 4>> extents;               // of streams, where rates differ: begin_x, end_x, begin_y, end_y

    Expr begin, fire, running, outputs_done, valid_chain;
    Expr resting;                                             // at fast clocks: the scan does not go on
    std::map<int, Crop> crops;                                // of outputs of bordered regions
    std::map<int, int> leaders;                               // of streams: the first of those that move their elements in the same firings
    std::map<int, Expr> active;                               // of streams: where an element moves
    std::map<int, LastPlace> last_places;                     // of streams with an ag_span
    std::map<int, Expr> done;                                 // of streams: nothing is left; undefined where nobody asks
    std::map<int, Expr> room;                                 // of outputs: what is in flight and one more
    std::map<int, Expr> will_be_active;                       // of streams with an ag_row_span: active in the next clock
    std::map<int, Expr> room_next;                            // of outputs whose room is told a clock ahead
    Expr fires_if_fed;                                        // at fast clocks: all that a firing waits for but the one input
    std::map<int, Expr> shown;                                // of inputs that repeat: there, and where the first is repeated
    std::map<int, Expr> in_front;                             // of those: where the first is repeated
    std::vector<Expr> values;                                 // of stages, at their output
    std::vector<std::map<Slot, Expr>> places;                 // of windows
    struct GuestRows {
        Expr written, kept;
    };
    std::map<int, GuestRows> guests;                          // of windows whose rows lie in another one's memory
    std::map<std::array<int64_t, 6>, Counters> all_counters;  // by clock phase, displacement, columns, rows, whether they have places
    std::map<std::array<int64_t, 4>, std::vector<AddressReader>> addresses;   // by columns in which they step, the first of these, words beyond a row's, bits
    std::map<int64_t, std::map<int, Expr>> row_ends;          // by displacement in columns, clock phase
    std::map<std::string, Expr> delayed;                      // nets that wait
    std::set<std::string> read_params;
    std::map<std::string, std::set<int>> read_lanes;          // of windows' nets
};

}  // namespace argent::hwgen

#endif
