#ifndef ARGENT_SIM_PORTS_H
#define ARGENT_SIM_PORTS_H

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Memory.h"
#include "argent_sim_pins.h"
#include "argent_sim.h"

namespace argent::sim {

/** xorshift64*: one number a clock is enough for all channels of a port. */
class Random {
public:
    void seed(uint64_t s) { state = s * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du; if (state == 0) state = 1; next(); next(); }
    uint64_t next() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545f4914f6cdd1du;
    }

private:
    uint64_t state = 1;
};

/** Says in which clocks a channel stalls: phases of a few to a few hundred clocks, each free, seldom, often, always, or
 *  "ready only after valid". */
class Stall {
public:
    /** `r`: 64 random bits of this clock; `percent`: how many phases are not free. */
    void next_phase(uint64_t r, unsigned percent) {
        left = 1 + unsigned(r & 255);
        after_valid = false;
        threshold = 0;
        if ((r >> 8) % 100 >= percent) return;
        switch ((r >> 16) & 7) {
        case 0: threshold = 256; left = 1 + left / 2; break;  // a long gap
        case 1: after_valid = true; break;
        case 2: case 3: threshold = 230; break;
        case 4: case 5: threshold = 128; break;
        default: threshold = 32;
        }
    }
    /** `r`: 8 fresh bits; `valid`: of the channel, as seen in the clock before. */
    bool stalls(unsigned r, bool valid) {
        if (left != 0) left--;
        return r < threshold || (after_valid && !valid);
    }
    bool over() const { return left == 0; }
    void clear() { *this = Stall(); }

private:
    unsigned left = 0, threshold = 0;
    bool after_valid = false;
};

/** A queue of bursts. */
template<typename T, unsigned N> class Ring {
public:
    bool empty() const { return head == tail; }
    bool full() const { return tail - head == N; }
    unsigned size() const { return tail - head; }
    T &front() { return items[head % N]; }
    T &at(unsigned i) { return items[(head + i) % N]; }  // from the front
    void pop() { head++; }
    void push(const T &t) { items[tail++ % N] = t; }
    void clear() { head = tail = 0; }

private:
    std::array<T, N> items;
    unsigned head = 0, tail = 0;
};

struct Burst {
    uint64_t address = 0;
    uint64_t due = 0;    // clock of the first beat, at the earliest
    unsigned beats = 0;  // left
    unsigned total = 0;
};

/** A port as the simulation sees it, of memory or a stream (Streams.h). */
class Endpoint {
public:
    virtual ~Endpoint() = default;
    virtual void set_mappings(const argent_mapping *list, size_t count) = 0;
    virtual void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) = 0;
    /** The launch starts in this clock. */
    virtual void begin(uint64_t now) = 0;
    /** After a reset of the accelerator: nothing is outstanding. */
    virtual void clear() = 0;
    /** Checks at the end of a launch. */
    virtual void finish() = 0;
    /** One or more lines on what this port waits for; empty if it is at rest. */
    virtual std::string waits() const = 0;
    virtual std::string after_reset() const = 0;
    /** A memory port: when bursts are answered is the world's business. Streams have a DMA engine of their own. */
    virtual void attach(const argent_sim_world *, uint32_t) {}
    virtual void answer(uint64_t) {}

    argent_sim_port_counts counters{};
    uint64_t last_transfer = 0;
};

/** What all memory ports share: counters, settings, the address channel and its checks. */
class Port : public Endpoint {
public:
    Port(const PortPins &pins, Findings &findings, bool with_waits);

    void set_mappings(const argent_mapping *list, size_t count) override;
    void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) override;
    void begin(uint64_t now) override { start = last_transfer = now; }
    void clear() override;
    std::string after_reset() const override;
    void attach(const argent_sim_world *w, uint32_t index) override;

    const PortPins pins;

protected:
    struct Held {  // what a channel showed when it was not ready
        bool now = false;
        uint64_t a = 0, b = 0;
    };

    uint64_t address_pin() const {
        uint64_t a = 0;
        if (pins.address_bytes == 4) {
            uint32_t low;
            std::memcpy(&low, pins.aaddr, 4);
            a = low;
        } else {
            std::memcpy(&a, pins.aaddr, 8);
        }
        return a;
    }
    uint64_t address_payload() const {
        return uint64_t(*pins.alen) | uint64_t(*pins.asize) << 8 | uint64_t(*pins.aburst) << 16 | uint64_t(*pins.acache) << 24 |
               uint64_t(*pins.aprot) << 32;
    }
    /** The address channel, after the model has settled: checks, and the accepted burst if there is one. */
    bool sample_address(uint64_t now, Burst &burst) {
        bool valid = *pins.avalid, ready = *pins.aready;
        if (held_address.now | (valid & !ready)) hold_address(valid, ready, now);
        if (!(valid & ready)) {
            counters.stalled += valid;
            return false;
        }
        last_transfer = now;
        counters.bursts++;
        burst.address = address_pin();
        burst.beats = burst.total = *pins.alen + 1u;
        if (bool bad = burst.total > pins.max_burst || *pins.asize != size_code || *pins.aburst != 1 ||
                       (burst.address ^ (burst.address / pins.bus_bytes * pins.bus_bytes + burst.total * pins.bus_bytes - 1)) >> 12 != 0;
            bad)
            check_burst(burst, now);
        return true;
    }
    void hold_address(bool valid, bool ready, uint64_t now);
    void check_burst(const Burst &burst, uint64_t now);
    void protocol(uint64_t now, const std::string &text);
    static constexpr uint64_t unanswered = ~uint64_t(0);  // of Burst::due
    void ask(const Burst &b) { world->burst(world->self, world_index, pins.writes, b.address, b.total, b.total * pins.bus_bytes); }
    bool fault_now(uint64_t index) const { return fault != ARGENT_FAULT_NONE && index == fault_at; }
    /** Bandwidth: whether a beat may be transferred in this clock. */
    bool beat_allowed() {
        if (tokens < clocks_per) tokens += beats_per;
        return tokens >= clocks_per;
    }
    void beat_done() { tokens -= clocks_per; }

    Findings &findings;
    View view;
    std::vector<Window> windows;
    Held held_address;
    Random random;
    const argent_sim_world *world = nullptr;  // null: the latencies below
    uint32_t world_index = 0;
    unsigned most_outstanding = 255;
    unsigned answered = 0;                    // of the bursts (or responses) in the queue, by the world
    unsigned size_code = 0;
    unsigned stalls = 0, latency = 0;
    unsigned beats_per = 1, clocks_per = 1, tokens = 0;
    argent_sim_fault fault = ARGENT_FAULT_NONE;
    uint64_t fault_at = 0;
    uint64_t start = 0;
    bool silent = false;     // a fault: nothing is answered any more
    bool any_error = false;  // an error was answered, so the rest of the launch is not checked for completeness
    char prefix;             // R or W, of channel names
};

class ReadPort final : public Port {
public:
    ReadPort(const PortPins &pins, Findings &findings) : Port(pins, findings, false) {}
    void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) override;
    void clear() override;
    void finish() override;
    std::string waits() const override;
    void answer(uint64_t clock) override {
        if (answered < bursts.size()) bursts.at(answered++).due = clock;
    }

    /** Inputs of the model for this clock. Slow: stalls, bandwidth and faults. */
    template<bool Slow> void drive(uint64_t now) {
        if (!Slow) {
            *pins.aready = room();
            if (!showing && !bursts.empty() && bursts.front().due <= now) show(now);
            *pins.rvalid = showing;
            return;
        }
        uint64_t r = random.next();
        if (stall_a.over()) stall_a.next_phase(random.next(), stalls);
        if (stall_d.over()) stall_d.next_phase(random.next(), stalls);
        *pins.aready = !stall_a.stalls(r & 255, *pins.avalid) & room();
        bool stall = stall_d.stalls((r >> 8) & 255, *pins.rready);
        bool allowed = beat_allowed();
        if (!showing && !bursts.empty() && bursts.front().due <= now && !stall && allowed && !silent) show(now);
        *pins.rvalid = showing;
    }

    /** After the model has settled and before the clock edge. */
    template<bool Slow> void sample(uint64_t now) {
        Burst burst;
        if (sample_address(now, burst)) {
            burst.due = now + latency;
            if (Slow && stalls != 0) burst.due += random.next() % (1 + uint64_t(latency) * stalls / 50);
            if (world != nullptr) burst.due = unanswered;
            bursts.push(burst);
            if (world != nullptr) ask(burst);
        }
        if (!*pins.rready) return;
        if (!showing) {
            counters.stalled += !bursts.empty();
            return;
        }
        last_transfer = now;
        if (counters.beats++ == 0) counters.first = now - start;
        counters.last = now - start;
        if (Slow) beat_done();
        showing = false;
        Burst &front = bursts.front();
        front.address += pins.bus_bytes;
        if (--front.beats != 0) return;
        bursts.pop();
        if (answered != 0) answered--;
    }

private:
    bool room() const { return bursts.size() < most_outstanding; }
    void show(uint64_t now);
    /** The beat at `address` is not an ordinary one: partly or not mapped. Returns the response. */
    uint8_t odd_beat(uint64_t address, uint64_t now);

    Ring<Burst, 256> bursts;
    Stall stall_a, stall_d;
    bool showing = false;
};

class WritePort final : public Port {
public:
    WritePort(const PortPins &pins, Findings &findings) : Port(pins, findings, true) {}
    void arm(const argent_sim_settings &settings, const argent_window *windows, size_t count, uint64_t now, unsigned index) override;
    void clear() override;
    void finish() override;
    std::string waits() const override;
    void answer(uint64_t clock) override {
        if (answered < answers.size()) answers.at(answered++).due = clock;
    }

    template<bool Slow> void drive(uint64_t now) {
        if (!Slow) {
            *pins.aready = room();
            *pins.wready = !ahead.full();
            if (!showing && !answers.empty() && answers.front().due <= now) show();
            *pins.bvalid = showing;
            return;
        }
        uint64_t r = random.next();
        if (stall_a.over()) stall_a.next_phase(random.next(), stalls);
        if (stall_d.over()) stall_d.next_phase(random.next(), stalls);
        if (stall_b.over()) stall_b.next_phase(random.next(), stalls);
        *pins.aready = !stall_a.stalls(r & 255, *pins.avalid) & room();
        bool stall = stall_d.stalls((r >> 8) & 255, *pins.wvalid);
        bool allowed = beat_allowed();
        *pins.wready = !stall & allowed & !silent & !ahead.full();
        stall = stall_b.stalls((r >> 16) & 255, *pins.bready);
        if (!showing && !answers.empty() && answers.front().due <= now && !stall && !silent) show();
        *pins.bvalid = showing;
    }

    template<bool Slow> void sample(uint64_t now) {
        Burst burst;
        if (sample_address(now, burst)) {
            bursts.push(burst);
            while (!ahead.empty() && !bursts.empty()) {
                Beat b = ahead.front();
                ahead.pop();
                write(b.data, b.strobe, b.last, now, Slow);
            }
        }
        bool valid = *pins.wvalid, ready = *pins.wready;
        if (held_data.now | (valid & !ready)) hold_data(valid, ready, now);
        if (valid & ready) {
            last_transfer = now;
            if (counters.beats++ == 0) counters.first = now - start;
            counters.last = now - start;
            if (Slow) beat_done();
            if (!bursts.empty())
                write(static_cast<const uint8_t *>(pins.wdata), strobe_pin(), *pins.wlast, now, Slow);
            else
                keep_ahead();
        } else {
            counters.stalled += valid;
        }
        if (showing && *pins.bready) {
            last_transfer = now;
            showing = false;
            answers.pop();
            if (answered != 0) answered--;
        }
    }

private:
    struct Beat {
        uint8_t data[64];
        uint64_t strobe;
        bool last;
    };
    struct Answer {
        uint64_t due;
        uint8_t response;
    };

    bool room() const { return bursts.size() + answers.size() < most_outstanding; }
    uint64_t strobe_pin() const {
        uint64_t s = 0;
        std::memcpy(&s, pins.wstrb, pins.strobe_bytes);
        return s;
    }
    void write(const uint8_t *data, uint64_t strobe, bool last, uint64_t now, bool slow);
    void write_bytes(uint64_t address, const uint8_t *data, uint64_t strobe, uint64_t now);
    void keep_ahead();
    void hold_data(bool valid, bool ready, uint64_t now);
    void show();
    uint64_t data_hash() const;

    Ring<Burst, 256> bursts;    // whose beats have not all come
    Ring<Answer, 256> answers;
    Ring<Beat, 64> ahead;       // beats that came before their address
    Stall stall_a, stall_d, stall_b;
    Held held_data;
    bool showing = false;
    uint8_t response = 0;       // of the burst that is being written
    uint64_t ended = 0;         // bursts
    uint64_t all_strobes = 0;
};

}  // namespace argent::sim

#endif
