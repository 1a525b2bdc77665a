#include "ClockModel.h"

#include <algorithm>
#include <optional>

namespace argent::hwgen::clocks {
namespace {

int log2(long n) {
    int result = 0;
    while ((1L << result) < n) {
        ++result;
    }
    return result;
}

/** An element, or a beat where an element is wider than the bus. */
int unit_of(const Port &p) { return std::min(p.elem_bytes, p.bus_bytes); }

long units_of_row(const Port &p) { return p.row_elements * (p.elem_bytes / unit_of(p)); }

/** The registers of ag_scan. */
struct ScanModel {
    ScanModel(const Stream &s, int pitch) : pitch(pitch), cols(s.cols), rows(s.rows), stream(s) {
        const long at = -(static_cast<long>(s.dy) * pitch + s.dx);
        y = at >= 0 ? at / pitch : -((pitch - 1 - at) / pitch);
        x = static_cast<int>(at - y * pitch);
        done = y >= rows || (y == rows - 1 && x >= cols);
    }
    bool active(int before = 0) const {
        return x < cols && y >= 0 && !done && x >= stream.begin_x - before && y >= stream.begin_y && x % stream.step_x == 0 && y % stream.step_y == 0;
    }
    bool is_read() const { return active(stream.repeated); }
    void step() {
        done = done || (x == cols - 1 && y == rows - 1);
        if (++x == pitch) {
            x = 0;
            ++y;
        }
    }
    int pitch, cols, x;
    long rows, y;
    Stream stream;
    bool done;
};

/** The end of an output, or of an input: a memory master, perhaps behind a gearbox, or a stream. */
struct WriteEnd {
    explicit WriteEnd(const Output &o)
        : is_stream(o.port.is_stream), has_skip(o.has_skip), writer(o.port), sink(o.port.frame()), skip(o.skip, o.pixels, o.pixel_lanes) {
        if (o.port.has_gear()) {
            gear.emplace(Gear{o.port.word, o.port.lanes, o.port.row_elements});
        }
    }
    bool ready() const { return has_skip ? skip.ready(port_ready()) : port_ready(); }
    bool busy() const { return is_stream ? sink.busy() : writer.busy(); }
    long beats() const { return is_stream ? sink.beats() : writer.beats(); }
    void step(bool valid) {
        const bool passes = has_skip ? skip.valid(valid) : valid;
        if (has_skip) skip.step(valid, port_ready());
        if (is_stream) {
            sink.step(passes);
        } else if (gear) {
            const bool word = gear->valid();
            gear->step(passes, writer.ready());
            writer.step(word);
        } else {
            writer.step(passes);
        }
    }
    bool port_ready() const { return is_stream ? sink.ready() : gear ? gear->ready(writer.ready()) : writer.ready(); }
    bool is_stream, has_skip;
    WriterModel writer;
    SinkModel sink;
    SkipModel skip;
    std::optional<GearboxModel> gear;
};
struct ReadEnd {
    explicit ReadEnd(const Input &i)
        : is_stream(i.port.is_stream), has_fold(i.folding.exists), has_pad(i.padding.exists), reader(i.port, i.legs),
          source(i.port.frame(), i.port.fifo_beats), fold(i.folding, i.pixels, i.pixel_lanes),
          pad(i.padding, has_fold ? i.folding.vectors * i.pixel_lanes : i.pixels, i.legs.exists ? i.legs.rows : i.port.rows, i.pixel_lanes) {
        if (i.port.has_gear()) {
            gear.emplace(Gear{i.port.lanes, i.port.word, i.port.row_elements});
        }
    }
    bool valid() const { return has_pad ? pad.valid() : row_valid(); }
    long beats() const { return is_stream ? source.beats() : reader.beats(); }
    void step(bool ready) {
        const bool takes_row = has_pad ? pad.takes(ready) : ready, takes = has_fold ? fold.ready() : takes_row;
        if (has_pad) pad.step(row_valid(), ready);
        if (has_fold) fold.step(port_valid(), takes_row);
        if (is_stream) {
            source.step(takes);
        } else if (gear) {
            const bool vector = reader.valid(), takes_vector = gear->ready(takes);
            reader.step(takes_vector);
            gear->step(vector, takes);
        } else {
            reader.step(takes);
        }
    }
    bool row_valid() const { return has_fold ? fold.valid() : port_valid(); }
    bool port_valid() const { return is_stream ? source.valid() : gear ? gear->valid() : reader.valid(); }
    bool is_stream, has_fold, has_pad;
    LegsModel reader;
    SourceModel source;
    FoldModel fold;
    PadModel pad;
    std::optional<GearboxModel> gear;
};

/** ag_table_fill takes a word in every clock, another timeline when it fires. */
struct OutputModel {
    OutputModel(const Output &o, int pitch)
        : scan(o.scan, pitch), writer(o), spare(o.spare), depth(o.fifo_depth), latency(o.latency), in_flight(o.latency + 1), is_held(o.is_held) {}
    bool ready() const { return is_channel ? is_taken : is_held || writer.ready(); }
    bool valid() const { return stored != 0; }
    bool has_room() const { return spare > 0 ? had_room : stored < depth; }
    bool busy() const { return !is_held && writer.busy(); }
    long beats() const { return is_held ? 0 : writer.beats(); }
    /** A clock of what is behind the head; a fire that concerns this output, or none. Returns whether a word left the FIFO. */
    bool step(bool fired) {
        const bool pop = stored != 0 && ready();
        if (!is_held) {
            writer.step(stored != 0);
        }
        in_flight[at] = fired;
        at = at == latency ? 0 : at + 1;
        words += fired;
        words -= pop;
        had_room = stored + spare + 2 <= depth;
        stored += in_flight[at] - pop; // fired `latency` clocks ago
        return pop;
    }
    /** Nothing will leave any more. */
    bool is_through() const { return scan.done && words == 0; }
    ScanModel scan;
    WriteEnd writer;
    int spare, depth;            // of the FIFO
    int latency;
    int words = 0;               // fired, and not yet out of the FIFO
    int stored = 0;              // in the FIFO
    bool had_room = true;        // in the clock before
    std::vector<char> in_flight; // a ring of the fires of the last clocks
    int at = 0;
    bool is_held;
    bool is_channel = false, is_taken = false;   // by the timeline behind it, in this clock
};

struct InputModel {
    InputModel(const Input &i, int pitch) : scan(i.scan, pitch), reader(i), channel(i.channel) {}
    bool valid() const { return from ? from->valid() : reader.valid(); }
    long beats() const { return from ? 0 : reader.beats(); }
    ScanModel scan;
    ReadEnd reader;
    Channel channel;
    OutputModel *from = nullptr;   // of a channel
};

/** A head with its streams. */
struct TimelineModel {
    explicit TimelineModel(const System &s) : clocks_per_fire(s.clocks_per_fire), waits_for(s.waits_for), starts(s.waits_for.empty() ? 0 : -1) {
        for (const Input &i : s.inputs) {
            inputs.emplace_back(i, s.pitch);
        }
        for (const Output &o : s.outputs) {
            outputs.emplace_back(o, s.pitch);
        }
    }
    /** What the head waits for in this clock; it fires if that is nothing. */
    struct Wants {
        bool may_fire = false, data = true, room = true;
        bool fire() const { return may_fire && data && room; }
    };
    Wants wants(long now) const {
        Wants w;
        w.may_fire = starts >= 0 && now > starts && !done() && wait == 0;
        for (const InputModel &i : inputs) {
            w.data = w.data && (!i.scan.is_read() || i.valid());
        }
        for (const OutputModel &o : outputs) {
            w.room = w.room && (!o.scan.active() || o.has_room());
        }
        return w;
    }
    bool done() const {
        bool all = true;
        for (const InputModel &i : inputs) {
            all = all && i.scan.done;
        }
        for (const OutputModel &o : outputs) {
            all = all && o.scan.done;
        }
        return all;
    }
    bool written() const {
        bool all = true;
        for (const OutputModel &o : outputs) {
            all = all && !o.busy();
        }
        return all;
    }
    bool has_input() const {
        return std::any_of(inputs.begin(), inputs.end(), [](const InputModel &i) { return i.from == nullptr; });
    }
    bool has_output() const {
        return std::any_of(outputs.begin(), outputs.end(), [](const OutputModel &o) { return !o.is_channel; });
    }
    /** What a fire takes out of the FIFOs of timelines in front of it. */
    void take(bool fire) {
        for (InputModel &i : inputs) {
            if (i.from) {
                i.from->is_taken = fire && i.scan.active();
            }
        }
    }
    /** One clock; returns whether anything moved. */
    bool step(bool fire) {
        bool moved = fire;
        wait -= wait > 0;
        if (fire) {
            wait = clocks_per_fire - 1;
        }
        for (InputModel &i : inputs) {
            if (!i.from) {
                i.reader.step(fire && i.scan.active());
            }
            if (fire) {
                i.scan.step();
            }
        }
        for (OutputModel &o : outputs) {
            moved = o.step(fire && o.scan.active()) || moved;
            if (fire) {
                o.scan.step();
            }
        }
        return moved;
    }
    /** In the clock in which the last word has left: the RAM is full in the next one. */
    bool is_through() const {
        bool all = true;
        for (const OutputModel &o : outputs) {
            all = all && o.is_through();
        }
        return all;
    }
    std::vector<InputModel> inputs;
    std::vector<OutputModel> outputs;
    int clocks_per_fire;
    std::vector<int> waits_for;
    long starts;   // clock of the start pulse; -1: not yet
    int wait = 0;  // clocks until the rate allows a fire
};

} // namespace

AddressModel::AddressModel(const Port &p)
    : max_burst_(p.max_burst), unit_(unit_of(p)), log_beat_(log2(p.bus_bytes / unit_)),
      log_block_(log_beat_ + log2(p.max_burst)), units_(units_of_row(p)),
      next_row_(static_cast<int64_t>(p.address / unit_)), stride_(p.row_stride / unit_), rows_left_(p.rows) {}

void AddressModel::step(bool ready) {
    const bool issue = valid_ && ready;
    if (!issue && (valid_ || rows_left_ == 0)) {
        return;
    }
    if (rows_left_ != 0 && (!valid_ || (issue && blocks_ == 0))) {
        const int64_t offset = next_row_ & ((int64_t(1) << log_block_) - 1);
        const int64_t last = (offset + units_ - 1) >> log_beat_;
        low_ = static_cast<int>(offset >> log_beat_);
        blocks_ = static_cast<long>(last / max_burst_);
        row_last_ = static_cast<int>(last & (max_burst_ - 1));
        next_row_ += stride_;
        --rows_left_;
        valid_ = true;
    } else if (issue) {
        valid_ = blocks_ != 0;
        low_ = 0;
        --blocks_;
    }
}

RowModel::RowModel(const Port &p) {
    const int unit = unit_of(p);
    const int beat = p.bus_bytes / unit;
    const int vector = p.lanes * (p.elem_bytes / unit);
    const long units = units_of_row(p);
    word_units = std::min(beat, vector);
    slices = beat / word_units;
    parts = vector / word_units;
    words = (units + word_units - 1) / word_units;
    last_unit = static_cast<int>((units - 1) & (word_units - 1));
    start = static_cast<int64_t>(p.address / unit) & 0xffff;
    stride = p.row_stride / unit;
}

ReaderModel::ReaderModel(const ReadPort &p)
    : addresses_(p), row_(p), fifo_beats_(p.fifo_beats), space_(p.fifo_beats),
      bursts_(1u << log2(p.fifo_beats + 1)), slot_(static_cast<int>(row_.start / row_.word_units) & (row_.slices - 1)), shift_(row_.shift()),
      crosses_(row_.crosses()) {}

void ReaderModel::step(bool ready) {
    const bool ask = addresses_.valid() && space_ > addresses_.len();
    const bool beat = fifo_ != 0;
    const bool row_end = word_ == row_.words - 1;
    const bool fill = shift_ != 0 && !kept_;
    const bool flush = kept_ && row_end && !crosses_;
    const bool emit = (ready || !valid_) && !fill && (beat || flush);
    const bool take = beat && (fill || (emit && !flush));
    bool pop = take;

    // data side
    if (ready || !valid_) {
        valid_ = emit && (row_end || part_ == row_.parts - 1);
    }
    if (emit && row_end) {
        pop = row_.slices == 1 ? take : !flush || slot_ != 0;
        row_.next();
        shift_ = row_.shift();
        crosses_ = row_.crosses();
        slot_ = static_cast<int>(row_.start / row_.word_units) & (row_.slices - 1);
        word_ = 0;
        part_ = 0;
        kept_ = false;
    } else {
        if (take) {
            pop = slot_ == row_.slices - 1;
            slot_ = (slot_ + 1) & (row_.slices - 1);
        }
        kept_ = kept_ || (fill && beat);
        if (emit) {
            ++word_;
            part_ = (part_ + 1) & (row_.parts - 1);
        }
    }

    // memory and FIFO
    fifo_ -= pop;
    space_ += pop;
    if (bursts_begin_ != bursts_end_) {
        Burst &burst = bursts_[bursts_begin_ & (bursts_.size() - 1)];
        if (burst.first <= now_) {
            ++fifo_;
            ++beats_;
            bursts_begin_ += --burst.beats == 0;
        }
    }

    // address side
    if (ask) {
        const int n = addresses_.len() + 1;
        bursts_[bursts_end_++ & (bursts_.size() - 1)] = {now_ + READ_LATENCY, n};
        space_ -= n;
    }
    addresses_.step(ask);
    ++now_;
}

LegsModel::LegsModel(const ReadPort &port, const Legs &legs)
    : port_(port), legs_(legs), stride_(port.row_stride), reader_(port), busy_(legs.exists), starts_(legs.exists) {
    if (!legs.exists) return;
    left_ = legs.rows - legs.first_rows;
    next_leg(legs.start_address, legs.mirrors && legs.first_back, legs.first_rows);
}

void LegsModel::next_leg(uint64_t address, bool back, long rows) {
    port_.address = address;
    port_.row_stride = back ? -stride_ : stride_;
    port_.rows = rows;
    back_ = back;
}

void LegsModel::step(bool ready) {
    if (starts_) {   // the reader begins in the next clock
        beats_ += reader_.beats();
        reader_ = ReaderModel(port_);
        starts_ = false;
        return;
    }
    const bool ended = busy_ && !reader_.busy();
    if (ended) {
        busy_ = starts_ = left_ != 0;
        const long rows = std::min(left_, legs_.leg_rows);
        const bool back = legs_.mirrors && !back_;
        next_leg(back ? legs_.back_address : legs_.forth_address, back, rows);
        left_ -= rows;
        return;
    }
    reader_.step(ready);
}

WriterModel::WriterModel(const WritePort &p)
    : addresses_(p), row_(p), max_burst_(p.max_burst), fifo_beats_(p.fifo_beats), max_pending_(p.max_pending),
      lengths_(1u << log2(p.fifo_beats + 2)), responses_(1u << log2(p.max_pending + 1)),
      place_(static_cast<int>(row_.start / row_.word_units) & (row_.slices * max_burst_ - 1)), crosses_(row_.crosses()) {}

void WriterModel::step(bool valid) {
    const bool push = beat_valid_ && fifo_ != fifo_beats_;
    const bool emit = (!beat_valid_ || push) && (valid || spilling_);
    const bool row_end = word_ == row_.words - 1;
    const bool last = spilling_ || (row_end && !crosses_);
    const bool send = addresses_.valid() && whole_ != 0 && pending_ != max_pending_;
    const bool move = fifo_ != 0 && to_send_ != 0;
    const bool response = responses_begin_ != responses_end_ &&
                          responses_[responses_begin_ & (responses_.size() - 1)] == now_;

    // memory: W, B
    bool sent = false;
    if (move) {
        if (left_ == 0) {
            left_ = lengths_[lengths_begin_++ & (lengths_.size() - 1)];
        }
        sent = --left_ == 0;
        if (sent) {
            responses_[responses_end_++ & (responses_.size() - 1)] = now_ + WRITE_LATENCY;
        }
        ++beats_;
    }
    responses_begin_ += response;

    // address side
    if (send) {
        lengths_[lengths_end_++ & (lengths_.size() - 1)] = addresses_.len() + 1;
    }
    addresses_.step(send);
    whole_ += (push && beat_last_) - send;
    to_send_ += send - sent;
    pending_ += send - response;
    fifo_ += push - move;

    // data side
    if (emit) {
        beat_last_ = last || place_ / row_.slices == max_burst_ - 1;
    }
    if (!beat_valid_ || push) {
        beat_valid_ = emit && (last || (place_ & (row_.slices - 1)) == row_.slices - 1);
    }
    if (emit && last) {
        row_.next();
        crosses_ = row_.crosses();
        place_ = static_cast<int>((row_.start / row_.word_units) & (row_.slices * max_burst_ - 1));
        word_ = 0;
        part_ = 0;
        spilling_ = false;
    } else if (emit) {
        place_ = (place_ + 1) & (row_.slices * max_burst_ - 1);
        if (row_end) {
            spilling_ = true;
            part_ = 0;
        } else {
            part_ = (part_ + 1) & (row_.parts - 1);
        }
        ++word_;
    }
    ++now_;
}

Prediction predict(const System &system) {
    std::vector<TimelineModel> timelines;
    for (const System &s : system.before) {
        timelines.emplace_back(s);
    }
    timelines.emplace_back(system);
    for (TimelineModel &t : timelines) {
        for (InputModel &i : t.inputs) {
            if (i.channel.exists()) {
                i.from = &timelines.at(i.channel.timeline).outputs.at(i.channel.output);
                i.from->is_channel = true;
            }
        }
    }

    Prediction result;
    result.timelines.resize(timelines.size());
    std::vector<char> fires(timelines.size());
    long patience = 100000; // clocks without anything moving
    for (const TimelineModel &t : timelines) {
        patience = std::max<long>(patience, 100000 + t.clocks_per_fire);
    }
    long last_move = 0;
    for (long now = 1; now - last_move <= patience; ++now) {
        bool done = true;
        for (const TimelineModel &t : timelines) {
            done = done && t.done();
        }
        if (done && timelines.back().written()) {
            result.clocks = now;
            break;
        }
        bool no_data = false, no_room = false;
        for (size_t i = 0; i < timelines.size(); ++i) {
            TimelineModel &t = timelines[i];
            const TimelineModel::Wants wants = t.wants(now);
            no_data = no_data || (wants.may_fire && !wants.data && t.has_input());
            no_room = no_room || (wants.may_fire && !wants.room && t.has_output());
            fires[i] = wants.fire();
            if (fires[i]) {
                result.first_fire = result.first_fire == 0 ? now : result.first_fire;
                result.last_fire = now;
                result.timelines[i].first = result.timelines[i].first == 0 ? now : result.timelines[i].first;
                result.timelines[i].last = now;
            }
        }
        for (size_t i = 0; i < timelines.size(); ++i) {
            timelines[i].take(fires[i]);
        }
        for (size_t i = 0; i < timelines.size(); ++i) {
            if (timelines[i].step(fires[i])) {
                last_move = now;
            }
        }
        result.stall_in += no_data;
        result.stall_out += no_room;
        for (TimelineModel &t : timelines) {
            bool full = t.starts < 0;
            for (int other : t.waits_for) {
                full = full && timelines[other].is_through();
            }
            if (full) {
                t.starts = now + 1;
            }
        }
    }
    for (const TimelineModel &t : timelines) {
        for (const InputModel &i : t.inputs) {
            result.read_beats += i.beats();
        }
        for (const OutputModel &o : t.outputs) {
            result.write_beats += o.beats();
        }
    }
    return result;
}

} // namespace argent::hwgen::clocks
