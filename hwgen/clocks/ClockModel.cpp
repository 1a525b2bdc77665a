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

struct OutputModel {
    OutputModel(const Output &o, int pitch)
        : scan(o.scan, pitch), writer(o), credits(o.fifo_depth), latency(o.latency), in_flight(o.latency + 1) {}
    ScanModel scan;
    WriteEnd writer;
    int credits;
    int latency;
    int stored = 0;              // words in the FIFO
    std::vector<char> in_flight; // a ring of the fires of the last clocks
    int at = 0;
};

struct InputModel {
    InputModel(const Input &i, int pitch) : scan(i.scan, pitch), reader(i) {}
    ScanModel scan;
    ReadEnd reader;
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
    std::vector<InputModel> inputs;
    std::vector<OutputModel> outputs;
    for (const Input &i : system.inputs) {
        inputs.emplace_back(i, system.pitch);
    }
    for (const Output &o : system.outputs) {
        outputs.emplace_back(o, system.pitch);
    }

    Prediction result;
    const long patience = 100000 + system.clocks_per_fire; // clocks without anything moving
    long last_move = 0;
    int wait = 0; // clocks until the rate allows a fire
    for (long now = 1; now - last_move <= patience; ++now) {
        bool done = true, data = true, credit = true;
        for (const InputModel &i : inputs) {
            done = done && i.scan.done;
            data = data && (!i.scan.is_read() || i.reader.valid());
        }
        bool written = true;
        for (const OutputModel &o : outputs) {
            done = done && o.scan.done;
            credit = credit && (!o.scan.active() || o.credits > 0);
            written = written && !o.writer.busy();
        }
        if (done && written) {
            result.clocks = now;
            break;
        }
        const bool may_fire = !done && wait == 0;
        const bool fire = may_fire && data && credit;
        result.stall_in += may_fire && !data;
        result.stall_out += may_fire && !credit;
        wait -= wait > 0;
        if (fire) {
            result.first_fire = result.first_fire == 0 ? now : result.first_fire;
            result.last_fire = now;
            last_move = now;
            wait = system.clocks_per_fire - 1;
        }

        for (InputModel &i : inputs) {
            i.reader.step(fire && i.scan.active());
            if (fire) {
                i.scan.step();
            }
        }
        for (OutputModel &o : outputs) {
            const bool pop = o.stored != 0 && o.writer.ready();
            o.writer.step(o.stored != 0);
            const bool fired = fire && o.scan.active();
            o.in_flight[o.at] = fired;
            o.at = o.at == o.latency ? 0 : o.at + 1;
            o.stored += o.in_flight[o.at] - pop; // fired `latency` clocks ago
            o.credits += pop - fired;
            if (pop) {
                last_move = now;
            }
            if (fire) {
                o.scan.step();
            }
        }
    }
    for (const InputModel &i : inputs) {
        result.read_beats += i.reader.beats();
    }
    for (const OutputModel &o : outputs) {
        result.write_beats += o.writer.beats();
    }
    return result;
}

} // namespace argent::hwgen::clocks
