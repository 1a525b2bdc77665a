#ifndef ARGENT_HWGEN_CLOCKS_CLOCK_MODEL_H
#define ARGENT_HWGEN_CLOCKS_CLOCK_MODEL_H

/** \file
 * How many clocks a launch takes on the reference memory: the registers of ag_axi_read, ag_scan, ag_fifo and ag_axi_write
 * (StreamModel.h: of ag_axis_in and ag_axis_out, GearboxModel.h: of ag_gearbox) without their data, one step a clock. Exact: what the cycles register of ag_axi_lite shows after the launch.
 * A change in a cell is a change here; test/hwgen/rtl compares the two. */

#include <cstdint>
#include <vector>

#include "EdgeModel.h"
#include "GearboxModel.h"
#include "ReferenceMemory.h"
#include "StreamModel.h"

namespace argent::hwgen::clocks {

/** A box in memory and the master that moves it: the parameters and the launch's arguments of ag_axi_read, ag_axi_write. */
struct Port {
    int bus_bytes = 8;  // power of two, 4..64
    int elem_bytes = 1; // 1, 2, 4, 8
    int lanes = 1;      // elements of a vector, power of two, 1..32
    int word = 0;       // elements that the core takes or gives at a time, through an ag_gearbox; 0: a vector
    int max_burst = 16; // beats, power of two, 2..256
    int fifo_beats = 64;
    uint64_t address = 0;   // bytes; only its place in a block of max_burst beats matters
    int64_t row_stride = 0; // bytes
    long row_elements = 1;
    long rows = 1;
    bool is_stream = false; // an AXI4-Stream port: bus, elements, bursts, address and stride mean nothing then
    Frame frame() const { return {(row_elements + lanes - 1) / lanes, rows}; }
    bool has_gear() const { return word != 0 && word != lanes; }
};
struct ReadPort : Port {};
struct WritePort : Port {
    WritePort() { fifo_beats = 32; }
    int max_pending = 15; // bursts without their response
};

/** The displacement and size of a stream in the scan: the parameters of ag_scan. cols is in positions, and where a stream
 *  has an element in one of step_x columns and step_y rows only (ag_phase), up to its last; what lies before begin does not move. */
struct Stream {
    int dx = 0, dy = 0;
    int cols = 1, rows = 1;
    int begin_x = 0, begin_y = 0;
    int step_x = 1, step_y = 1;
    int repeated = 0;   // positions in front of begin_x at which an input must show its first element already
};
/** The output of a timeline in front of another one, through whose FIFO that takes its elements. */
struct Channel {
    int timeline = -1, output = 0;   // of System::before
    bool exists() const { return timeline >= 0; }
};
struct Input {
    Stream scan;
    ReadPort port;
    Channel channel;         // in place of a port
    long pixels = 1;         // of a row of the box, for the cells between the port and the core, and lanes of the core
    int pixel_lanes = 1;
    Legs legs;
    Folding folding;
    Padding padding;
};
struct Output {
    Stream scan;
    WritePort port;
    int latency = 1;     // clocks from a fire to the push into the output's FIFO, >= 0
    int fifo_depth = 16; // words of that ag_fifo
    int spare = 0;       // of these, SPARE: fires of the last `latency` clocks at least, <= fifo_depth - 2
    long pixels = 1;         // as Input's
    int pixel_lanes = 1;
    bool has_skip = false;   // ag_skip stands in front of the port
    long skip = 0;
    bool is_held = false;    // ag_table_fill takes it, or another timeline (Input::channel): there is no port
};
struct System {
    int pitch = 1;           // positions of a scan row
    int clocks_per_fire = 1; // at most one fire in so many clocks
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<System> before; // timelines that fill RAMs or FIFOs for this one and for each other
    std::vector<int> waits_for; // those of the accelerator's `before` whose RAMs this timeline reads
};

/** Clocks count from the start pulse: the clock after it is 1. */
struct Prediction {
    long clocks = -1;                      // the cycles register; -1: the launch would never end
    struct Fires {
        long first = 0, last = 0;          // clocks
    };
    std::vector<Fires> timelines;          // System::before, and the system itself
    long first_fire = 0, last_fire = 0;    // clocks, of any
    long stall_in = 0, stall_out = 0;      // clocks in which the rate allowed a fire, and an active input had no data /
                                           // an active output no room; both may be in the same clock. Of timelines that
                                           // have inputs / outputs outside
    long read_beats = 0, write_beats = 0;  // of all ports
};
Prediction predict(const System &system);

/** The registers of ag_axi_address. */
class AddressModel {
public:
    explicit AddressModel(const Port &port);
    bool valid() const { return valid_; }
    int len() const { return (blocks_ == 0 ? row_last_ : max_burst_ - 1) - low_; } // beats less one
    bool busy() const { return valid_ || rows_left_ != 0; }
    void step(bool ready); // one clock

private:
    int max_burst_, unit_, log_beat_, log_block_;
    long units_;
    int64_t next_row_, stride_; // units
    long rows_left_;
    long blocks_ = 0;
    int low_ = 0, row_last_ = 0;
    bool valid_ = false;
};

/** What both masters know of the row that they are at, in units and words as in ag_axi_read. */
struct RowModel {
    explicit RowModel(const Port &port);
    int word_units, slices, parts; // units of a word, words of a beat, words of a vector
    long words;                    // of a row
    int shift() const { return static_cast<int>(start & (word_units - 1)); }
    bool crosses() const { return shift() + last_unit >= word_units; } // the row's last word needs one slice more
    void next() { start = (start + stride) & 0xffff; }
    int64_t start, stride; // units; only the place in a block of at most 4096 matters
    int last_unit;         // of the row's last word
};

/** The registers of ag_axi_read and the reference memory behind it. */
class ReaderModel {
public:
    explicit ReaderModel(const ReadPort &port);
    bool valid() const { return valid_; }
    bool busy() const { return addresses_.busy() || space_ != fifo_beats_ || kept_ || valid_; }
    long beats() const { return beats_; }
    void step(bool ready); // one clock, from the one after start on

private:
    struct Burst {
        long first;
        int beats;
    };
    AddressModel addresses_;
    RowModel row_;
    int fifo_beats_, space_, fifo_ = 0;
    std::vector<Burst> bursts_; // asked for, a ring
    unsigned bursts_begin_ = 0, bursts_end_ = 0;
    long now_ = 1, beats_ = 0;
    long word_ = 0;
    int slot_, part_ = 0;
    int shift_;
    bool crosses_;
    bool kept_ = false, valid_ = false;
};

/** The registers of ag_legs, if there is one, and of the reader that it starts again and again. */
class LegsModel {
public:
    LegsModel(const ReadPort &port, const Legs &legs);
    bool valid() const { return !starts_ && reader_.valid(); }
    long beats() const { return beats_ + reader_.beats(); }
    void step(bool ready);   // one clock, from the one after start on

private:
    void next_leg(uint64_t address, bool back, long rows);
    ReadPort port_;
    Legs legs_;
    int64_t stride_;
    ReaderModel reader_;
    long left_ = 0, beats_ = 0;
    bool busy_, back_ = false, starts_;
};

/** The registers of ag_axi_write and the reference memory behind it. */
class WriterModel {
public:
    explicit WriterModel(const WritePort &port);
    bool ready() const { return room() && !spilling_ && (word_ == row_.words - 1 || part_ == row_.parts - 1); }
    bool busy() const { return pending_ != 0 || addresses_.busy(); }
    long beats() const { return beats_; }
    void step(bool valid); // one clock, from the one after start on

private:
    bool room() const { return !beat_valid_ || fifo_ != fifo_beats_; }
    AddressModel addresses_;
    RowModel row_;
    int max_burst_, fifo_beats_, max_pending_, fifo_ = 0;
    std::vector<int> lengths_;     // of the bursts whose address was taken, a ring
    std::vector<long> responses_;  // clocks of the responses to come, a ring
    unsigned lengths_begin_ = 0, lengths_end_ = 0, responses_begin_ = 0, responses_end_ = 0;
    int left_ = 0; // beats of the burst that is being sent
    int whole_ = 0, to_send_ = 0, pending_ = 0;
    long now_ = 1, beats_ = 0;
    long word_ = 0;
    int place_, part_ = 0;
    bool crosses_;
    bool spilling_ = false, beat_valid_ = false, beat_last_ = false;
};

} // namespace argent::hwgen::clocks

#endif
