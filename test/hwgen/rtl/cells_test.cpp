// Every cell against a plain model of it, with random gaps and stalls; then the broken copies (mutants.cmake), each of which
// the same test must catch.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <vector>

#include "Vcells.h"
#include "Vmutants.h"
#include "cell.h"

namespace {

std::string name(const char *cell, int i) { return std::string(cell) + " #" + std::to_string(i); }

template <class Top>
void test_fifo() {
    Bench<Top> b;
    constexpr int N = 16;
    std::deque<uint32_t> model[N];
    StreamChecker out[N];
    for (int clock = 0; clock < 6000; ++clock) {
        const int push = clock / 500 % 3 == 0 ? 100 : 30 * (clock / 500 % 4); // full speed, bursts, gaps
        const int pop = clock / 700 % 3 == 0 ? 100 : 30 * (clock / 700 % 4);
        for (int i = 0; i < N; ++i) {
            // Behind a pipeline words come until there is no place left for any.
            b.top->fifo_s_valid[i] = b.rng.chance(push) && (b.top->fifo_spare[i] == 0 || model[i].size() < b.top->fifo_depth[i]);
            b.top->fifo_s_data[i] = static_cast<uint32_t>(b.rng.next()) & ((uint64_t(1) << b.top->fifo_width[i]) - 1);
            b.top->fifo_m_ready[i] = b.rng.chance(pop);
        }
        b.settle();
        for (int i = 0; i < N; ++i) {
            const bool s = b.top->fifo_s_valid[i] && (b.top->fifo_spare[i] != 0 || b.top->fifo_s_ready[i]);
            const bool m = b.top->fifo_m_valid[i] && b.top->fifo_m_ready[i];
            expect_equal(b.top->fifo_m_valid[i], !model[i].empty(), name("valid of fifo", i));
            expect_equal(b.top->fifo_s_ready[i], model[i].size() + b.top->fifo_spare[i] < b.top->fifo_depth[i], name("ready of fifo", i));
            out[i].check(b.top->fifo_m_valid[i], m, "fifo", b.top->fifo_m_data[i] & -b.top->fifo_m_valid[i]);
            if (b.top->fifo_m_valid[i]) {
                expect_equal(b.top->fifo_m_data[i], model[i].front(), name("data of fifo", i));
            }
            if (m) {
                model[i].pop_front();
            }
            if (s) {
                model[i].push_back(b.top->fifo_s_data[i]);
            }
        }
        b.clock();
    }
}

template <class Top>
void test_skid() {
    Bench<Top> b;
    std::deque<uint32_t> model;
    StreamChecker out;
    for (int clock = 0; clock < 5000; ++clock) {
        const bool full = clock % 1000 > 800; // a word a clock
        b.top->skid_s_valid = full || b.rng.chance(60);
        b.top->skid_m_ready = full || b.rng.chance(50);
        b.top->skid_s_data = static_cast<uint32_t>(b.rng.next());
        b.settle();
        expect_equal(b.top->skid_m_valid, !model.empty(), "valid of skid");
        expect_equal(b.top->skid_s_ready, model.size() < 2, "ready of skid");
        expect(clock % 1000 < 810 || b.top->skid_s_ready, "skid does not keep up");
        out.check(b.top->skid_m_valid, b.top->skid_m_ready, "skid", b.top->skid_m_data & -b.top->skid_m_valid);
        const bool s = b.top->skid_s_valid && b.top->skid_s_ready;
        if (b.top->skid_m_valid) {
            expect_equal(b.top->skid_m_data, model.front(), "data of skid");
            if (b.top->skid_m_ready) {
                model.pop_front();
            }
        }
        if (s) {
            model.push_back(b.top->skid_s_data);
        }
        b.clock();
    }
}

template <class Top>
void test_line_memory() {
    Bench<Top> b;
    constexpr int N = 5;
    std::map<uint32_t, uint32_t> model[N];
    uint32_t want[N] = {};
    bool known[N] = {};
    for (int clock = 0; clock < 8000; ++clock) {
        for (int i = 0; i < N; ++i) {
            b.top->line_en[i] = b.rng.chance(80);
            b.top->line_addr[i] = static_cast<uint32_t>(b.rng.range(0, std::min<long>(b.top->line_depth[i], 40) - 1));
            if (b.rng.chance(20)) {
                b.top->line_addr[i] = b.top->line_depth[i] - 1 - b.top->line_addr[i];
            }
            b.top->line_wdata[i] = static_cast<uint32_t>(b.rng.next()) & ((uint64_t(1) << b.top->line_width[i]) - 1);
        }
        b.settle();
        for (int i = 0; i < N; ++i) {
            if (known[i]) {
                expect_equal(b.top->line_rdata[i], want[i], name("line memory", i));
            }
            if (b.top->line_en[i]) {
                const uint32_t a = b.top->line_addr[i];
                known[i] = model[i].count(a) != 0;
                want[i] = model[i][a];
                model[i][a] = b.top->line_wdata[i];
            }
        }
        b.clock();
    }
}

template <class Top>
void test_equal() {
    Bench<Top> b;
    for (int clock = 0; clock < 2000; ++clock) {
        const uint32_t a = static_cast<uint32_t>(b.rng.next()) & 0x7ff;
        const uint32_t other = b.rng.chance(30) ? a : b.rng.chance(60) ? a ^ (1u << b.rng.range(0, 10)) : static_cast<uint32_t>(b.rng.next()) & 0x7ff;
        b.top->equal_a = a;
        b.top->equal_b = other;
        b.settle();
        expect_equal(b.top->equal_same & 1u, a == other, "11 bits, groups of 3");
        expect_equal(b.top->equal_same >> 1 & 1u, a == other, "11 bits, groups of 2");
        expect_equal(b.top->equal_same >> 2 & 1u, (a & 1) == (other & 1), "1 bit");
        b.clock();
    }
}

/** A row after the other, one place ahead: what comes is what was written a row ago. */
template <class Top>
void test_row_memory() {
    Bench<Top> b;
    constexpr uint32_t row = 37;
    std::map<uint32_t, uint32_t> model;
    uint32_t at = 0, want = 0;
    bool known = false;
    for (int clock = 0; clock < 4000; ++clock) {
        b.top->row_en = b.rng.chance(80);
        b.top->row_waddr = at;
        b.top->row_raddr = (at + 1) % row;
        b.top->row_wdata = static_cast<uint32_t>(b.rng.next()) & 0xfffff;
        b.settle();
        if (known) {
            expect_equal(b.top->row_rdata, want, "row memory");
        }
        if (b.top->row_en) {
            known = model.count((at + 1) % row) != 0;
            want = model[(at + 1) % row];
            model[at] = b.top->row_wdata;
            at = (at + 1) % row;
        }
        b.clock();
    }
}

template <class Top>
void test_line_address() {
    Bench<Top> b;
    for (int run = 0; run < 200; ++run) {
        const uint32_t words = static_cast<uint32_t>(run < 16 ? run + 1 : b.rng.range(1, 16)), words_1 = words % 2 + 1;
        uint32_t addr = 1, addr_1 = 1;
        for (int clock = 0; clock < 60; ++clock) {
            b.top->count_clear = clock == 0 || b.rng.chance(2);
            b.top->count_step = b.rng.chance(80);
            b.top->count_words = words;
            b.settle();
            if (clock > 0) {
                expect_equal(b.top->count_addr, addr % 16, "line address, words " + std::to_string(words));
                expect_equal(b.top->count_addr_1, addr_1 % 2, "line address of one bit");
            }
            if (b.top->count_clear) {
                addr = addr_1 = 1;
            } else if (b.top->count_step) {
                addr = addr == words ? 1 : addr + 1;
                addr_1 = addr_1 == words_1 ? 1 : addr_1 + 1;
            }
            b.clock();
        }
    }
}

// A box in memory whose bytes follow from their addresses.
struct Box {
    uint64_t address = 0;
    int64_t stride = 0;
    long elements = 0, rows = 0;
    int bus = 0, elem = 0, lanes = 0, burst = 0;

    template <class R>
    static Box random(R &rng, int bus, int elem, int lanes, int burst, int address_bits, bool overlap) {
        Box b;
        b.bus = bus;
        b.elem = elem;
        b.lanes = lanes;
        b.burst = burst;
        b.elements = rng.chance(20) ? 1 : rng.range(1, rng.chance(70) ? 3 * std::max(lanes, bus / elem + 1) : 600 / elem);
        b.rows = rng.range(1, 7);
        const long row = b.elements * elem;
        b.stride = row + elem * rng.range(overlap && rng.chance(20) ? -b.elements : 0, 40);
        if (rng.chance(30)) { // aligned rows
            b.stride = (row + bus - 1) / bus * bus;
        }
        if (rng.chance(30)) {
            b.stride = -b.stride;
        }
        b.address = 0x100000 + 4096 * rng.range(0, 7) + elem * rng.range(0, 600 / elem);
        if (rng.chance(40)) { // close to a 4 KiB boundary
            b.address = 0x104000 - elem * rng.range(1, std::max(1L, 2L * bus / elem));
        }
        if (address_bits > 32) {
            b.address += 0x100000000u - (rng.chance(50) ? 0x104000 : 0);
        }
        return b;
    }
    uint64_t row(long y) const { return address + static_cast<uint64_t>(stride * y); }
    long row_bytes() const { return elements * elem; }
    long vectors() const { return (elements + lanes - 1) / lanes; }
    long beats() const {
        long n = 0;
        for (long y = 0; y < rows; ++y) {
            n += static_cast<long>((row(y) + row_bytes() - 1) / bus - row(y) / bus + 1);
        }
        return n;
    }
};
uint8_t byte_at(uint64_t address) { return static_cast<uint8_t>((address * 0x9e3779b97f4a7c15u) >> 40); }

// The bursts of a box, in order: what both masters may ask for.
struct BurstChecker {
    explicit BurstChecker(const Box &box) : box(box) {}
    const Box &box;
    long y = 0;
    uint64_t next = 0; // beat address
    bool in_row = false;

    void burst(uint64_t address, int len, int size, int kind, const std::string &who) {
        expect(y < box.rows, who + " asks for a burst after the last row");
        if (!in_row) {
            next = box.row(y) / box.bus;
            in_row = true;
        }
        const uint64_t last = (box.row(y) + box.row_bytes() - 1) / box.bus;
        expect_equal(address, next * box.bus, who + " address of a burst in row " + std::to_string(y));
        expect(len < box.burst, who + " burst longer than the limit");
        expect((address & 4095) + uint64_t(len + 1) * box.bus <= 4096, who + " burst across 4 KiB");
        expect(next + len <= last, who + " burst past the row's end");
        expect_equal(1 << size, box.bus, who + " size");
        expect_equal(kind, 1, who + " burst kind");
        next += len + 1;
        if (next > last) {
            in_row = false;
            ++y;
        }
    }
    bool complete() const { return y == box.rows && !in_row; }
};

template <class Top>
void test_address() {
    Bench<Top> b;
    b.top->ad_start = 0;
    for (int run = 0; run < 300; ++run) {
        const Box box = Box::random(b.rng, 8, 2, 1, 16, 32, true);
        BurstChecker bursts(box);
        StreamChecker stream;
        b.top->ad_address = static_cast<uint32_t>(box.address);
        b.top->ad_stride = static_cast<uint32_t>(box.stride);
        b.top->ad_elements = static_cast<uint16_t>(box.elements);
        b.top->ad_rows = static_cast<uint16_t>(box.rows);
        b.top->ad_start = 1;
        b.top->ad_ready = 0;
        b.settle();
        b.clock();
        b.top->ad_start = 0;
        const bool fast = b.rng.chance(40);
        for (int clock = 1; clock < 3000; ++clock) {
            b.top->ad_ready = fast || b.rng.chance(40);
            b.settle();
            stream.check(b.top->ad_valid, b.top->ad_ready, "address", b.top->ad_addr, b.top->ad_len);
            expect_equal(b.top->ad_busy, !bursts.complete(), "busy of address");
            expect(!fast || bursts.complete() || clock == 1 || b.top->ad_valid, "address does not give a burst a clock");
            if (b.top->ad_valid && b.top->ad_ready) {
                bursts.burst(b.top->ad_addr, b.top->ad_len, 3, 1, "address");
            }
            if (bursts.complete() && !b.top->ad_busy && b.rng.chance(30)) {
                break;
            }
            b.clock();
        }
        expect(bursts.complete(), "address stopped too early");
    }
}

constexpr int AXI = 11;

template <class Wide>
uint8_t byte_of(const Wide &w, int i) {
    return static_cast<uint8_t>(w[i / 4] >> (i % 4 * 8));
}
template <class Wide>
void set_byte(Wide &w, int i, uint8_t v) {
    w[i / 4] = (w[i / 4] & ~(0xffu << (i % 4 * 8))) | (uint32_t(v) << (i % 4 * 8));
}
template <class Wide>
std::string text(const Wide &w, int bytes) {
    std::string s;
    for (int i = 0; i < bytes; ++i) {
        s += static_cast<char>(byte_of(w, i));
    }
    return s;
}

// One ag_axi_read and its memory.
struct ReadTest {
    int i;
    Box box;
    bool running = false;
    std::string who;
    std::unique_ptr<BurstChecker> bursts;
    StreamChecker ar;
    bool waiting = false;
    std::string held;
    struct Burst {
        uint64_t address;
        int beats;
        long from; // clock
    };
    std::deque<Burst> queue;
    long beats = 0, y = 0, vector = 0, runs = 0, started = 0;
    int stall = 0, gap = 0, latency = 0;
    bool starting = false;

    template <class B>
    void drive(B &b) {
        auto &t = *b.top;
        t.rd_start[i] = 0;
        if (!running) {
            box = Box::random(b.rng, t.axi_bus[i], t.axi_elem[i], t.axi_lanes[i], t.axi_burst[i], t.axi_addr_w[i], true);
            bursts = std::make_unique<BurstChecker>(box);
            t.rd_start[i] = 1;
            t.rd_address[i] = box.address;
            t.rd_stride[i] = static_cast<uint64_t>(box.stride);
            t.rd_elements[i] = static_cast<uint16_t>(box.elements);
            t.rd_rows[i] = static_cast<uint16_t>(box.rows);
            who = name("read", i);
            running = starting = true;
            beats = y = vector = 0;
            stall = b.rng.chance(30) ? 0 : static_cast<int>(b.rng.range(0, 95));
            gap = b.rng.chance(30) ? 0 : static_cast<int>(b.rng.range(0, 90));
            latency = static_cast<int>(b.rng.range(0, 60));
        }
        t.rd_ready[i] = !b.rng.chance(stall);
        t.rd_arready[i] = !b.rng.chance(gap);
        t.rd_rvalid[i] = !queue.empty() && queue.front().from <= b.now && !b.rng.chance(gap);
        for (int k = 0; k < box.bus; ++k) {
            set_byte(t.rd_rdata[i], k, t.rd_rvalid[i] ? byte_at(queue.front().address + k) : uint8_t(b.rng.next()));
        }
        if (t.rd_rvalid[i]) {
            t.rd_rlast[i] = queue.front().beats == 1;
        }
    }
    template <class B>
    void check(B &b) {
        auto &t = *b.top;
        if (starting) {
            starting = false;
            started = b.now;
            expect(!t.rd_busy[i] && !t.rd_valid[i] && !t.rd_arvalid[i], who + " is not at rest before a start");
            return;
        }
        expect(b.now - started < 60000, who + " hangs");
        expect(t.rd_rready[i], who + " is not ready for data");
        ar.check(t.rd_arvalid[i], t.rd_arready[i], who, t.rd_araddr[i], t.rd_arlen[i]);
        if (t.rd_arvalid[i] && t.rd_arready[i]) {
            bursts->burst(t.rd_araddr[i], t.rd_arlen[i], t.rd_arsize[i], t.rd_arburst[i], who);
            queue.push_back({t.rd_araddr[i], t.rd_arlen[i] + 1, b.now + latency + 1});
        }
        if (t.rd_rvalid[i]) {
            Burst &burst = queue.front();
            burst.address += box.bus;
            ++beats;
            if (--burst.beats == 0) {
                queue.pop_front();
            }
        }
        const std::string data = text(t.rd_data[i], box.lanes * box.elem);
        expect(!waiting || (t.rd_valid[i] && data == held), who + " changed its data while it waited");
        waiting = t.rd_valid[i] && !t.rd_ready[i];
        held = data;
        if (t.rd_valid[i]) {
            expect(t.rd_busy[i], who + " has data but is not busy");
            expect(y < box.rows, who + " gives too many vectors");
        }
        if (t.rd_valid[i] && t.rd_ready[i]) {
            for (int k = 0; k < box.lanes * box.elem; ++k) {
                const long at = vector * box.lanes * box.elem + k;
                if (at < box.row_bytes()) {
                    expect_equal(byte_of(t.rd_data[i], k), byte_at(box.row(y) + at),
                                 who + " row " + std::to_string(y) + " byte " + std::to_string(at));
                }
            }
            if (++vector == box.vectors()) {
                vector = 0;
                ++y;
            }
        } else if (!t.rd_busy[i] ) {
            expect(y == box.rows, who + " stopped too early");
            expect_equal(beats, box.beats(), who + " beats");
            expect(bursts->complete() && queue.empty(), who + " asked for too little");
            if (b.rng.chance(50)) {
                running = false;
                ++runs;
            }
        } else {
            expect(y < box.rows || !waiting, who + " busy");
        }
    }
};

template <class Top>
void test_read() {
    Bench<Top> b;
    std::vector<ReadTest> tests(AXI);
    for (int i = 0; i < AXI; ++i) {
        tests[i].i = i;
    }
    for (int clock = 0; clock < 60000; ++clock) {
        for (auto &t : tests) {
            t.drive(b);
        }
        b.settle();
        for (auto &t : tests) {
            t.check(b);
        }
        b.clock();
    }
    for (auto &t : tests) {
        expect(t.runs > 20, name("read", t.i) + " made only " + std::to_string(t.runs) + " boxes");
    }
}

// One ag_axi_write and its memory.
struct WriteTest {
    int i;
    Box box;
    bool running = false, starting = false;
    std::string who;
    std::unique_ptr<BurstChecker> bursts;
    StreamChecker aw;
    bool waiting = false;
    std::string held;
    struct Burst {
        uint64_t address;
        int beats;
    };
    std::deque<Burst> to_send;
    std::deque<long> responses; // clocks
    std::map<uint64_t, uint8_t> memory;
    long y = 0, vector = 0, runs = 0, started = 0, pending = 0;
    int stall = 0, gap = 0, latency = 0;
    bool offered = false;
    uint64_t salt = 0;

    uint8_t byte(long row, long at) const { return byte_at(salt + static_cast<uint64_t>(row * 100000 + at)); }

    template <class B>
    void drive(B &b) {
        auto &t = *b.top;
        t.wr_start[i] = 0;
        if (!running) {
            box = Box::random(b.rng, t.axi_bus[i], t.axi_elem[i], t.axi_lanes[i], t.axi_burst[i], t.axi_addr_w[i], false);
            bursts = std::make_unique<BurstChecker>(box);
            t.wr_start[i] = 1;
            t.wr_address[i] = box.address;
            t.wr_stride[i] = static_cast<uint64_t>(box.stride);
            t.wr_elements[i] = static_cast<uint16_t>(box.elements);
            t.wr_rows[i] = static_cast<uint16_t>(box.rows);
            who = name("write", i);
            running = starting = true;
            y = vector = 0;
            memory.clear();
            salt = b.rng.next();
            stall = b.rng.chance(30) ? 0 : static_cast<int>(b.rng.range(0, 90));
            gap = b.rng.chance(30) ? 0 : static_cast<int>(b.rng.range(0, 90));
            latency = static_cast<int>(b.rng.range(0, 60));
        }
        if (!offered) {
            t.wr_valid[i] = !starting && y < box.rows && !b.rng.chance(stall);
            for (int k = 0; k < box.lanes * box.elem; ++k) {
                const long at = vector * box.lanes * box.elem + k;
                set_byte(t.wr_data[i], k, t.wr_valid[i] && at < box.row_bytes() ? byte(y, at) : uint8_t(b.rng.next()));
            }
        }
        t.wr_awready[i] = !b.rng.chance(gap);
        t.wr_wready[i] = !b.rng.chance(gap);
        t.wr_bvalid[i] = !responses.empty() && responses.front() <= b.now && !b.rng.chance(gap);
    }
    template <class B>
    void check(B &b) {
        auto &t = *b.top;
        if (starting) {
            starting = false;
            started = b.now;
            expect(!t.wr_busy[i] && !t.wr_awvalid[i] && !t.wr_wvalid[i], who + " is not at rest before a start");
            return;
        }
        expect(b.now - started < 60000, who + " hangs");
        expect(t.wr_bready[i], who + " is not ready for responses");
        aw.check(t.wr_awvalid[i], t.wr_awready[i], who, t.wr_awaddr[i], t.wr_awlen[i]);
        const std::string data = text(t.wr_wdata[i], box.bus) + text(std::array<uint32_t, 2>{uint32_t(t.wr_wstrb[i]), uint32_t(t.wr_wstrb[i] >> 32)}, 8) + char(t.wr_wlast[i]);
        expect(!waiting || (t.wr_wvalid[i] && data == held), who + " changed its data while it waited");
        waiting = t.wr_wvalid[i] && !t.wr_wready[i];
        held = data;
        expect(t.wr_wvalid[i] == !to_send.empty(), who + " lets the bus wait for data, or sends data without an address");
        if (t.wr_wvalid[i] && t.wr_wready[i]) {
            Burst &burst = to_send.front();
            expect_equal(t.wr_wlast[i], burst.beats == 1, who + " last");
            for (int k = 0; k < box.bus; ++k) {
                if (t.wr_wstrb[i] >> k & 1) {
                    expect(memory.emplace(burst.address + k, byte_of(t.wr_wdata[i], k)).second, who + " writes a byte twice");
                }
            }
            burst.address += box.bus;
            if (--burst.beats == 0) {
                to_send.pop_front();
                responses.push_back(b.now + latency + 1);
            }
        }
        if (t.wr_awvalid[i] && t.wr_awready[i]) {
            bursts->burst(t.wr_awaddr[i], t.wr_awlen[i], t.wr_awsize[i], t.wr_awburst[i], who);
            to_send.push_back({t.wr_awaddr[i], t.wr_awlen[i] + 1});
            expect(++pending <= i + 1, who + " has too many bursts pending");
        }
        const bool was_busy = pending != 0 || !bursts->complete();
        expect_equal(t.wr_busy[i], was_busy, who + " busy");
        if (t.wr_bvalid[i]) {
            responses.pop_front();
            --pending;
        }
        offered = t.wr_valid[i] && !t.wr_ready[i];
        if (t.wr_valid[i] && t.wr_ready[i]) {
            if (++vector == box.vectors()) {
                vector = 0;
                ++y;
            }
        }
        if (!t.wr_busy[i]) {
            expect(y == box.rows && to_send.empty() && responses.empty(), who + " stopped too early");
            expect_equal(memory.size(), box.rows * box.row_bytes(), who + " bytes written");
            for (long row = 0; row < box.rows; ++row) {
                for (long at = 0; at < box.row_bytes(); ++at) {
                    const auto found = memory.find(box.row(row) + static_cast<uint64_t>(at));
                    expect(found != memory.end() && found->second == byte(row, at),
                           who + " row " + std::to_string(row) + " byte " + std::to_string(at));
                }
            }
            running = false;
            ++runs;
        }
    }
};

template <class Top>
void test_write() {
    Bench<Top> b;
    std::vector<WriteTest> tests(AXI);
    for (int i = 0; i < AXI; ++i) {
        tests[i].i = i;
    }
    for (int clock = 0; clock < 60000; ++clock) {
        for (auto &t : tests) {
            t.drive(b);
        }
        b.settle();
        for (auto &t : tests) {
            t.check(b);
        }
        b.clock();
    }
    for (auto &t : tests) {
        expect(t.runs > 20, name("write", t.i) + " made only " + std::to_string(t.runs) + " boxes");
    }
}

template <class Top>
void test_rotate() {
    Bench<Top> b;
    for (int i = 0; i < 200; ++i) {
        const uint64_t in = b.rng.next();
        const int amount = i % 8;
        b.top->rot_in = in;
        b.top->rot_amount = static_cast<uint8_t>(amount);
        b.settle();
        expect_equal(b.top->rot_out, amount ? in >> (8 * amount) | in << (64 - 8 * amount) : in, "rotate");
    }
}

template <class Top>
void test_rate() {
    Bench<Top> b;
    int wait[2] = {}, clocks[2] = {2, 5};
    for (int clock = 0; clock < 2000; ++clock) {
        b.top->rate_fire = 0;
        b.settle();
        for (int i = 0; i < 2; ++i) {
            expect_equal(b.top->rate_ready >> i & 1, wait[i] == 0, name("rate", i));
            const bool fire = wait[i] == 0 && b.rng.chance(70);
            b.top->rate_fire |= fire << i;
            wait[i] = fire ? clocks[i] - 1 : std::max(0, wait[i] - 1);
        }
        b.settle();
        b.clock();
    }
}

template <class Top>
void test_div() {
    Bench<Top> b;
    constexpr int N = 12;
    std::deque<std::array<uint32_t, 2>> past; // operands, newest first
    for (int clock = 0; clock < 5000; ++clock) {
        const int bits = static_cast<int>(b.rng.range(1, 32));
        b.top->div_dividend = static_cast<uint32_t>(b.rng.next()) >> (32 - b.rng.range(1, 32));
        b.top->div_divisor = static_cast<uint32_t>(b.rng.next()) >> (32 - bits);
        past.push_front({b.top->div_dividend, b.top->div_divisor});
        b.settle();
        for (int i = 0; i < N; ++i) {
            const uint32_t a_w = b.top->div_a_w[i], b_w = b.top->div_b_w[i], steps = b.top->div_steps[i];
            const uint32_t q_w = b.top->div_q_w[i], latency = (q_w + steps - 1) / steps;
            if (past.size() <= latency) {
                continue;
            }
            const uint64_t dividend = past[latency][0] & ((uint64_t(1) << a_w) - 1);
            const uint64_t divisor = past[latency][1] & ((uint64_t(1) << b_w) - 1);
            if (divisor != 0 && dividend / divisor >> q_w == 0) {
                expect_equal(b.top->div_quotient[i], dividend / divisor, name("quotient", i));
                expect_equal(b.top->div_remainder[i], b.top->div_with_remainder[i] ? dividend % divisor : 0, name("remainder", i));
            }
        }
        if (past.size() > 40) {
            past.pop_back();
        }
        b.clock();
    }
}

// ag_sqrt: all radicands of 16 bits, then some of all sizes, around squares too.
template <class Top>
void test_sqrt() {
    Bench<Top> b;
    constexpr int N = 7;
    std::deque<uint32_t> past; // newest first
    for (int clock = 0; clock < (1 << 16) + 5000; ++clock) {
        const uint32_t any = static_cast<uint32_t>(b.rng.next()) >> (32 - b.rng.range(1, 32)), side = any >> 16;
        b.top->sqrt_radicand = clock < 1 << 16 ? clock : clock % 2 == 0 ? any : side * side - b.rng.range(0, 1);
        past.push_front(b.top->sqrt_radicand);
        b.settle();
        for (int i = 0; i < N; ++i) {
            const uint32_t a_w = b.top->sqrt_a_w[i], steps = b.top->sqrt_steps[i], digits = (a_w + 1) / 2;
            const uint32_t latency = std::max(1u, (digits - 1 + steps - 1) / steps);
            if (past.size() <= latency) {
                continue;
            }
            const uint64_t radicand = past[latency] & ((uint64_t(1) << a_w) - 1), root = b.top->sqrt_root[i];
            expect_equal(root * root <= radicand && radicand < (root + 1) * (root + 1), true, name("root", i));
        }
        if (past.size() > 20) {
            past.pop_back();
        }
        b.clock();
    }
}

// Registers over AXI4-Lite, with a random order of AW and W and random waits.
// ag_axi_guard: bursts and beats at random, some outside of the window.
template <class Top>
void test_guard() {
    Bench<Top> b;
    auto &t = *b.top;
    for (int launch = 0; launch < 200; ++launch) {
        const uint32_t low = uint32_t(b.rng.next()), high = b.rng.chance(10) ? uint32_t(b.rng.next()) : low + uint32_t(b.rng.range(0, 2000));
        const uint32_t first = low / 256, last = std::max(first, high / 256);
        const bool strays = b.rng.chance(50), fails = b.rng.chance(30);
        t.guard_low = low;
        t.guard_high = high;
        t.guard_a_valid = t.guard_w_valid = t.guard_resp_valid = 0;
        t.guard_start = 1;
        b.settle();
        b.clock();
        t.guard_start = 0;
        uint32_t error = 0;
        bool strayed = false, old = false;   // old: the beat was offered before a burst strayed
        int to_send = 0;                     // beats whose address was taken
        for (int clock = 0; clock < 60; ++clock) {
            if (!t.guard_a_valid || t.guard_a_ready) {
                t.guard_a_valid = b.rng.chance(50);
                const uint32_t page = strays && b.rng.chance(20) ? uint32_t(b.rng.next()) / 256 : first + uint32_t(b.rng.range(0, long(last - first)));
                t.guard_s_addr = page * 256 + uint32_t(b.rng.range(0, 31)) * 8;
            }
            if (!t.guard_w_valid || t.guard_w_ready) {
                old = false;
                t.guard_w_valid = to_send > 0 && b.rng.chance(70);
                t.guard_s_strb = uint8_t(b.rng.range(1, 255));
            }
            t.guard_a_ready = b.rng.chance(50);
            t.guard_w_ready = b.rng.chance(50);
            t.guard_resp_valid = b.rng.chance(50);
            t.guard_resp = uint8_t(t.guard_resp_valid && fails && b.rng.chance(10) ? b.rng.range(2, 3) : 0);
            b.settle();
            expect_equal(t.guard_error, error, "guard error");
            const bool inside = t.guard_s_addr / 256 >= first && t.guard_s_addr / 256 <= high / 256;
            if (t.guard_a_valid) expect_equal(t.guard_m_addr, (inside ? t.guard_s_addr / 256 : first) * 256 + t.guard_s_addr % 256, "guard address");
            if (t.guard_w_valid) expect_equal(t.guard_m_strb, strayed && !old ? 0u : uint32_t(t.guard_s_strb), "guard strobes");
            to_send -= t.guard_w_valid && t.guard_w_ready;
            if (t.guard_a_valid && t.guard_a_ready) {
                to_send += 3;
                if (!inside && !strayed) {
                    strayed = true;
                    old = t.guard_w_valid && !t.guard_w_ready;
                    if (error == 0) error = 1;
                }
            }
            if (error == 0 && t.guard_resp_valid) error = t.guard_resp;
            b.clock();
        }
    }
}

template <class Top>
struct LiteTest {
    Bench<Top> b;
    static constexpr int ARGS = 7;
    struct Launch {
        uint32_t args[ARGS], refuse, error;
        int clocks;
        uint32_t stalls_in, stalls_out;
    };
    std::deque<Launch> queue;  // what has been started and has not ended; the first may run
    std::deque<Launch> over;
    uint32_t error_now = 0, refuse_later = 0;
    bool runs = false;
    long started = -1;         // clock of the start pulse
    int starts = 0, ends = 0;

    LiteTest() {
        b.top->lite_awvalid = b.top->lite_wvalid = b.top->lite_arvalid = 0;
        b.top->lite_finished = 1;
    }
    bool running() const { return runs; }
    void settle() {
        auto &t = *b.top;
        // The first in the queue decides what the accelerator says.
        t.lite_stall_in = b.rng.chance(50);
        t.lite_stall_out = b.rng.chance(30);
        t.lite_finished = !runs || b.now - started >= queue.front().clocks;
        t.lite_error_code = error_now;
        t.lite_refuse = refuse_of(t);
        b.settle();
        if (t.lite_ends) end();
        if (t.lite_start) {
            expect(!runs, "lite starts while a launch runs");
            expect(!queue.empty(), "lite starts nothing");
            expect(queue.front().refuse == 0, "lite starts a launch that is refused");
            for (int k = 0; k < ARGS; ++k) expect_equal(t.lite_args[k], queue.front().args[k], "lite argument at the start");
            runs = true;
            ++starts;
            started = b.now;
            error_now = queue.front().error;
        } else if (runs) {
            for (int k = 0; k < ARGS; ++k) expect_equal(t.lite_args[k], queue.front().args[k], "lite argument while it runs");
            queue.front().stalls_in += t.lite_stall_in;
            queue.front().stalls_out += t.lite_stall_out;
            if (b.now - started == queue.front().clocks) runs = false;
        }
    }
    /** Argument 0 says why a launch is refused, as a top's comparisons do: two clocks late. */
    uint32_t refuse_of(Top &t) {
        const uint32_t now = refuse_later;
        refuse_later = t.lite_args[0] >> 29;
        return now;
    }
    void end() {
        expect(!queue.empty(), "lite ends nothing");
        expect(runs == false, "lite ends a launch that runs");
        expect(queue.front().refuse != 0 || started >= 0, "lite ends a launch that has not begun");
        over.push_back(queue.front());
        queue.pop_front();
        ++ends;
        started = -1;
    }
    void write(uint32_t address, uint32_t data, uint32_t strobes = 15) {
        auto &t = *b.top;
        int aw_at = static_cast<int>(b.rng.range(0, 4)), w_at = static_cast<int>(b.rng.range(0, 4));
        bool aw_done = false, w_done = false, held = false;
        for (int clock = 0;; ++clock) {
            expect(clock < 100, "lite does not answer a write");
            t.lite_awvalid = !aw_done && clock >= aw_at;
            t.lite_awaddr = t.lite_awvalid ? static_cast<uint16_t>(address) : uint16_t(b.rng.next() & 0xfff);
            t.lite_wvalid = !w_done && clock >= w_at;
            t.lite_wdata = t.lite_wvalid ? data : uint32_t(b.rng.next());
            t.lite_wstrb = static_cast<uint8_t>(strobes);
            t.lite_bready = b.rng.chance(50);
            settle();
            expect(!held || t.lite_bvalid, "lite dropped a response");
            const bool b_done = t.lite_bvalid && t.lite_bready;
            expect(!t.lite_bvalid || (aw_done && w_done), "lite answers a write too early");
            expect(!t.lite_bvalid || t.lite_bresp == 0, "lite write response");
            held = t.lite_bvalid && !t.lite_bready;
            aw_done = aw_done || (t.lite_awvalid && t.lite_awready);
            w_done = w_done || (t.lite_wvalid && t.lite_wready);
            b.clock();
            if (b_done) {
                break;
            }
        }
        t.lite_awvalid = t.lite_wvalid = 0;
    }
    uint32_t read(uint32_t address) {
        auto &t = *b.top;
        bool ar_done = false, held = false;
        uint32_t data = 0;
        for (int clock = 0;; ++clock) {
            expect(clock < 100, "lite does not answer a read");
            t.lite_arvalid = !ar_done;
            t.lite_araddr = ar_done ? uint16_t(b.rng.next() & 0xfff) : static_cast<uint16_t>(address);
            t.lite_rready = b.rng.chance(50);
            settle();
            expect(!held || (t.lite_rvalid && t.lite_rdata == data), "lite changed read data while it waited");
            expect(!t.lite_rvalid || ar_done, "lite answers a read too early");
            const bool r_done = t.lite_rvalid && t.lite_rready;
            held = t.lite_rvalid && !t.lite_rready;
            data = t.lite_rdata;
            expect(!t.lite_rvalid || t.lite_rresp == 0, "lite read response");
            ar_done = ar_done || (t.lite_arvalid && t.lite_arready);
            b.clock();
            if (r_done) {
                t.lite_arvalid = 0;
                return data;
            }
        }
    }
    /** Waits until control says this. */
    void until(uint32_t mask, uint32_t value) {
        for (int k = 0; (read(0) & mask) != value; ++k) expect(k < 2000, "lite does not come to rest");
    }
    void check_results(size_t n) {
        const uint32_t half = 0x840 + 0x20 * (n & 1);
        const Launch &l = over[n];
        if (l.refuse != 0) {
            expect_equal(read(half + 0x1c), l.refuse, "lite refused");
            return;
        }
        const uint32_t expected[] = {uint32_t(l.clocks), 0u, l.stalls_in, l.stalls_out, l.error, 0u};
        const char *const what[] = {"lite cycles", "lite cycles, high", "lite input stalls", "lite output stalls", "lite error code", "lite refused nothing"};
        const bool is_last = n + 1 == over.size() && queue.empty();
        for (uint32_t k = 0; k < 6; ++k) {
            expect_equal(read(half + 8 + 4 * k), expected[k], what[k]);
            if (is_last) expect_equal(read(0x808 + 4 * k), expected[k], what[k]);
        }
    }
    void run() {
        uint32_t args[ARGS];
        for (int i = 0; i < ARGS; ++i) {
            args[i] = uint32_t(b.rng.next()) >> 3;
            write(0x10 + 4 * i, args[i]);
        }
        expect_equal(read(0x800), 0x12345678u, "lite id");
        expect_equal(read(0x804), 3u, "lite version");
        expect_equal(read(0), 0xcu, "lite control at rest");
        size_t checked = 0;
        for (int launch = 0; launch < 300; ++launch) {
            until(8, 8);  // the arguments of the one before have been taken
            const int i = static_cast<int>(b.rng.range(0, ARGS - 1));
            const uint32_t strobes = uint32_t(b.rng.range(0, 15)), value = uint32_t(b.rng.next());
            auto set = [&](int which, uint32_t data, uint32_t bytes) {
                for (int k = 0; k < 4; ++k)
                    if (bytes >> k & 1) args[which] = (args[which] & ~(0xffu << 8 * k)) | (data & 0xffu << 8 * k);
                write(0x10 + 4 * which, data, bytes);
            };
            set(i, value, strobes);
            set(0, b.rng.chance(30) ? value : value >> 3, 15);  // its top bits refuse the launch
            write(0x10 + 4 * ARGS, value); // behind the last
            write(0x7fc, value);
            expect_equal(read(0x10 + 4 * i), args[i], "lite argument read back");
            const uint32_t gier = b.rng.chance(70), ier = uint32_t(b.rng.range(0, 3));
            write(4, gier);
            write(8, ier);
            expect_equal(read(4), gier, "lite GIER");
            expect_equal(read(8), ier, "lite IER");
            write(0, 0); // not a start
            const bool alone = queue.empty();
            if (alone) {
                until(4, 4);
                if (const uint32_t left = read(12)) write(12, left);
                expect_equal(read(12), 0u, "lite ISR cleared");
                expect_equal(b.top->lite_irq, 0, "lite irq cleared");
            }
            const bool is_long = b.rng.chance(40);
            const int clocks = static_cast<int>(launch < 5 ? launch + 1 : is_long ? 900 : b.rng.range(1, 300));
            Launch l{{}, args[0] >> 29, uint32_t(b.rng.next()), clocks, 0, 0};
            std::copy(args, args + ARGS, l.args);
            queue.push_back(l);
            expect(queue.size() <= 2, "lite test: a launch too many");
            const int before = starts + ends;
            write(0, 0x81);
            if (is_long) {
                // What comes while the launch waits is not for it: arguments, and another start.
                const bool waited = read(0) & 1;
                const uint32_t other = ~args[i];
                if (waited && queue.size() == 2 && runs && b.now - started < queue.front().clocks - 60) {
                    write(0x10 + 4 * i, other);
                    write(0, 1);
                    expect_equal(read(0x10 + 4 * i), args[i], "lite argument of a launch that waits");
                }
            }
            if (b.rng.chance(50)) continue;  // the next one is queued behind it
            until(4, 4);
            expect(queue.empty(), "lite is idle and a launch has not ended");
            expect(starts + ends > before, "lite ends nothing");
            const uint32_t control = read(0);
            for (int k = 0; k < 2; ++k) expect_equal(read(0), control, "lite control, again");  // reads change nothing
            expect_equal(control & 0xff0fu, over.back().refuse == 0 ? 0xeu : (control & 2) | 0xcu, "lite control when done");
            expect_equal(control >> 16, uint32_t(over.size() & 255), "lite launches that have ended");
            if (alone) {
                expect_equal(read(12), ier, "lite ISR");
                expect_equal(b.top->lite_irq, gier && ier, "lite irq");
            }
            expect_equal(read(0x820), b.top->lite_error_code, "lite error code now");
            expect_equal(read(0x10 + 4 * ARGS), 0u, "lite unmapped address");
            expect_equal(read(0x7fc), 0u, "lite unmapped address");
            for (; checked + 2 < over.size(); ++checked) {}
            for (; checked < over.size(); ++checked) check_results(checked);
        }
        expect(ends > 250 && starts < ends && checked > 150, "lite test: too few launches");
    }
};
template <class Top>
void test_lite() {
    LiteTest<Top>().run();
}

} // namespace


CELL("ag_fifo", test_fifo, Vcells, Vmutants)
CELL("ag_skid", test_skid, Vcells, Vmutants)
CELL("ag_line_memory", test_line_memory, Vcells, Vmutants)
CELL("ag_equal", test_equal, Vcells, Vmutants)
CELL("ag_row_memory", test_row_memory, Vcells, Vmutants)
CELL("ag_line_address", test_line_address, Vcells, Vmutants)
CELL("ag_rotate", test_rotate, Vcells, Vmutants)
CELL("ag_rate", test_rate, Vcells, Vmutants)
CELL("ag_axi_address", test_address, Vcells, Vmutants)
CELL("ag_axi_guard", test_guard, Vcells, Vmutants)
CELL("ag_axi_read", test_read, Vcells, Vmutants)
CELL("ag_axi_write", test_write, Vcells, Vmutants)
CELL("ag_axi_lite", test_lite, Vcells, Vmutants)
CELL("ag_div", test_div, Vcells, Vmutants)
CELL("ag_sqrt", test_sqrt, Vcells, Vmutants)
