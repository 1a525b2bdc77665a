// The AXI4 masters' cells, each with a memory that looks at every burst, beat and response; and the guard in front of them.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vcells.h"
#include "Vmutants.h"
#include "cell.h"

namespace {

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
    run_together(b, tests, 60000);
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
    run_together(b, tests, 60000);
    for (auto &t : tests) {
        expect(t.runs > 20, name("write", t.i) + " made only " + std::to_string(t.runs) + " boxes");
    }
}

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

} // namespace

CELL("ag_axi_address", test_address, Vcells, Vmutants)
CELL("ag_axi_guard", test_guard, Vcells, Vmutants)
CELL("ag_axi_read", test_read, Vcells, Vmutants)
CELL("ag_axi_write", test_write, Vcells, Vmutants)
