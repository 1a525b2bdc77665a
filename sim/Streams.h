#ifndef ARGENT_SIM_STREAMS_H
#define ARGENT_SIM_STREAMS_H

#include "Ports.h"

namespace argent::sim {

/** One AXI4-Stream port and the channel of the DMA engine behind it: it moves a box of memory as one frame, row by row, every
 *  row from a transfer of its own on. TLAST stands on the last transfer of a row, TUSER on the frame's first, TKEEP (if there
 *  is one) says which bytes belong to the row. */
class StreamPort : public Endpoint {
public:
    StreamPort(const StreamPins &pins, Findings &findings);

    void set_mappings(const argent_mapping *list, size_t count) override;
    void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) override;
    /** The frame of the next launch. */
    void transfer(const argent_window &box);
    void begin(uint64_t now) override {
        start = last_transfer = now;
        begun = true;
    }
    void clear() override { held = Held(); }

    const StreamPins pins;

protected:
    enum { most_bytes = 1024 };
    struct Held {  // what was shown and not taken
        bool now = false;
        uint64_t data = 0, last = 0, user = 0;
        uint8_t keep[most_bytes / 8] = {};
    };

    bool in_frame() const { return vector < columns * rows; }
    bool at_row_end() const { return column == columns - 1; }
    /** Bytes of the transfer that belong to the row. */
    unsigned row_bytes() const { return at_row_end() ? unsigned(box.extent[0] - (columns - 1) * pins.bus_bytes) : pins.bus_bytes; }
    uint64_t address() const { return row_address + uint64_t(column * pins.bus_bytes); }
    /** Goes on to the next transfer of the frame. */
    void advance();
    void protocol(uint64_t now, const std::string &text);
    std::string place() const { return fmt_place(row, column); }
    static std::string fmt_place(int64_t row, int64_t column);
    bool fault_now(argent_sim_fault kind) const { return fault == kind && counters.beats == fault_at; }
    bool beat_allowed() {
        if (tokens < clocks_per) tokens += beats_per;
        return tokens >= clocks_per;
    }

    Findings &findings;
    View view;
    argent_window box{};
    int64_t columns = 0, rows = 0;            // of the frame; 0: there is none
    int64_t vector = 0, column = 0, row = 0;  // where it stands
    uint64_t row_address = 0;
    int64_t index[4] = {};                    // of the row
    Held held;
    Random random;
    Stall stall;
    unsigned stalls = 0, latency = 0;
    unsigned beats_per = 1, clocks_per = 1, tokens = 0;
    argent_sim_fault fault = ARGENT_FAULT_NONE;
    uint64_t fault_at = 0;
    bool silent = false;
    bool any_fault = false;  // something was injected, so the rest of the launch is not checked for completeness
    uint64_t start = 0;
    bool begun = false;  // since it was armed
};

/** Feeds an input. The reference DMA shows its first transfer `read_latency` clocks after the start pulse, then one a clock. */
class SourcePort final : public StreamPort {
public:
    using StreamPort::StreamPort;
    void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) override;
    void clear() override;
    void finish() override;
    std::string waits() const override;
    std::string after_reset() const override { return ""; }

    template<bool Slow> void drive(uint64_t now) {
        if (showing) return;
        bool may = begun && left() && now > start + latency;
        if (Slow) {
            if (stall.over()) stall.next_phase(random.next(), stalls);
            // A source never waits for TREADY.
            bool gap = stall.stalls(random.next() & 255, true), allowed = beat_allowed();
            may = may & !gap & allowed & !silent;
        }
        if (may) show();
        else if (Slow) show_nothing();
        *pins.tvalid = showing;
    }

    template<bool Slow> void sample(uint64_t now) {
        if (!*pins.tready) return;
        if (!showing) {
            counters.stalled += left();
            return;
        }
        last_transfer = now;
        if (counters.beats++ == 0) counters.first = now - start;
        counters.last = now - start;
        if (Slow) tokens -= clocks_per;
        showing = false;
        taken();
    }

private:
    bool left() const { return in_frame() || extra; }
    void show();
    void show_nothing();
    void taken();

    bool showing = false;
    bool lengthen = false;  // a fault: this row gets one transfer more
    bool extra = false;     // which is this one
};

/** Takes an output. The reference DMA is always ready. Always checked: TVALID and all it shows hold until TREADY; TLAST, TUSER
 *  and TKEEP stand where the frame has them; nothing comes after the frame. */
class SinkPort final : public StreamPort {
public:
    using StreamPort::StreamPort;
    void clear() override;
    void finish() override;
    std::string waits() const override;
    std::string after_reset() const override;

    template<bool Slow> void drive(uint64_t) {
        if (!Slow) {
            *pins.tready = 1;
            return;
        }
        if (stall.over()) stall.next_phase(random.next(), stalls);
        bool waits = stall.stalls(random.next() & 255, *pins.tvalid), allowed = beat_allowed();
        if (fault_now(ARGENT_FAULT_SILENT)) silent = any_fault = true;
        *pins.tready = !waits & allowed & !silent;
    }

    template<bool Slow> void sample(uint64_t now) {
        bool valid = *pins.tvalid, ready = *pins.tready;
        if (held.now | (valid & !ready)) hold(valid, ready, now);
        if (!(valid & ready)) {
            counters.stalled += valid;
            return;
        }
        last_transfer = now;
        take(now);
        if (counters.beats++ == 0) counters.first = now - start;
        counters.last = now - start;
        if (Slow) tokens -= clocks_per;
    }

private:
    void hold(bool valid, bool ready, uint64_t now);
    void take(uint64_t now);
};

}  // namespace argent::sim

#endif
