// What a launch takes, measured on the RTL (launch.sv, on the reference memory), against hwgen/clocks: equal, always.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <vector>

#include "Vlaunches.h"
#include "bench.h"
#include "hwgen/clocks/ClockModel.h"

using namespace argent::hwgen::clocks;

namespace {

constexpr int SIZES = 20;
constexpr int arguments = 26;  // of launch.sv

/** One accelerator: takes a System, launches it, reads its counters. */
struct Launch {
    int i;
    System system;
    Prediction want;
    bool running = false;
    std::vector<std::pair<uint16_t, uint32_t>> writes; // to do, last first
    std::vector<uint16_t> reads;                       // to do, last first
    std::vector<uint32_t> seen;
    bool polling = false, aw = false, ar = false;
    struct Burst {
        long first;
        int beats;
    };
    std::deque<Burst> bursts[2];
    std::deque<long> responses[2];
    long start = 0;      // the clock of the start pulse
    long sent[2] = {};   // transfers of an input stream
    long read_beats = 0, write_beats = 0, bytes = 0, launches = 0, clocks = 0;

    /** Sizes of a random launch; `kind` < 6 are corners. */
    static System random(Rng &rng, const uint32_t *size, long kind) {
        const int inputs = size[0], outputs = size[1], lanes = size[2];
        const int dx[4] = {0, static_cast<int>(size[14]), static_cast<int>(size[12]), 2 * static_cast<int>(size[12])};
        const int dy[4] = {0, static_cast<int>(size[15]), static_cast<int>(size[13]), static_cast<int>(size[13])};
        System s;
        int pitch = static_cast<int>(rng.range(1, rng.chance(20) ? 100 : 16));
        pitch = std::max({pitch, dx[1] * (inputs > 1), dx[2], dx[3] * (outputs > 1)});
        int rows = static_cast<int>(rng.range(1, 12));
        int cols = rng.chance(50) ? pitch : static_cast<int>(rng.range(1, pitch));
        if (kind == 0 || kind == 1) { // 1x1, 1xN
            cols = 1;
        }
        if (kind == 0 || kind == 2) { // Nx1
            rows = 1;
        }
        s.pitch = pitch;
        s.clocks_per_fire = rng.chance(60) ? 1 : static_cast<int>(rng.range(1, 5));
        auto stream = [&](int k, Port &port, Stream &scan, int elem) {
            scan.dx = dx[k];
            scan.dy = dy[k];
            scan.cols = rng.chance(70) ? cols : static_cast<int>(rng.range(1, pitch)); // borders: streams differ
            scan.rows = rng.chance(70) ? rows : static_cast<int>(rng.range(1, 12));
            port.is_stream = size[5] == 0;
            port.bus_bytes = port.is_stream ? 8 : static_cast<int>(size[5]);
            port.max_burst = static_cast<int>(size[6]);
            port.elem_bytes = elem;
            port.lanes = lanes;
            port.word = static_cast<int>(size[16]);
            const int word = port.word != 0 ? port.word : lanes;
            port.row_elements = scan.cols * word - (rng.chance(40) ? 0 : rng.range(0, word - 1));
            port.rows = scan.rows;
            const bool aligned = rng.chance(30);
            port.address = 0x10000 + (aligned ? 0 : elem * rng.range(0, 600));
            port.row_stride = port.row_elements * elem + (rng.chance(30) ? 0 : elem * rng.range(0, 100));
            if (aligned) {
                port.row_stride = (port.row_stride + 63) / 64 * 64;
            }
            if (rng.chance(10)) {
                port.row_stride = -port.row_stride;
            }
        };
        for (int k = 0; k < inputs; ++k) {
            Input in;
            in.port.fifo_beats = static_cast<int>(size[7]);
            stream(k, in.port, in.scan, static_cast<int>(size[3]));
            s.inputs.push_back(in);
        }
        for (int k = 0; k < outputs; ++k) {
            Output out;
            out.port.fifo_beats = static_cast<int>(size[8]);
            out.port.max_pending = static_cast<int>(size[9]);
            out.fifo_depth = static_cast<int>(size[10]);
            out.latency = static_cast<int>(size[11]);
            out.spare = out.latency;   // as SPARE: at any rate
            stream(2 + k, out.port, out.scan, static_cast<int>(size[4]));
            s.outputs.push_back(out);
        }
        return s;
    }

    void begin(Bench<Vlaunches> &b) {
        uint32_t size[17];
        for (int k = 0; k < 17; ++k) {
            size[k] = b.top->size[i][k];
        }
        system = random(b.rng, size, launches < 12 ? launches % 3 : 3);
        want = predict(system);
        REQUIRE_NE(want.clocks, -1);
        writes = {{0, 1}};
        auto stream = [&](int k, const Stream &scan, const Port &port) {
            const uint16_t at = static_cast<uint16_t>(0x10 + 4 * (2 + 6 * k));
            writes.push_back({at, uint32_t(scan.cols)});
            writes.push_back({uint16_t(at + 4), uint32_t(scan.rows)});
            writes.push_back({uint16_t(at + 8), uint32_t(port.address)});
            writes.push_back({uint16_t(at + 12), uint32_t(port.row_stride)});
            writes.push_back({uint16_t(at + 16), uint32_t(port.row_elements)});
            writes.push_back({uint16_t(at + 20), uint32_t(port.rows)});
        };
        for (size_t k = 0; k < system.inputs.size(); ++k) {
            stream(int(k), system.inputs[k].scan, system.inputs[k].port);
        }
        for (size_t k = 0; k < system.outputs.size(); ++k) {
            stream(int(k) + 2, system.outputs[k].scan, system.outputs[k].port);
        }
        writes.push_back({0x10, uint32_t(system.pitch)});
        writes.push_back({0x14, uint32_t(system.clocks_per_fire)});
        running = polling = true;
        start = 1L << 60;
        sent[0] = sent[1] = 0;
        reads = {0};
        seen.clear();
        read_beats = write_beats = bytes = clocks = 0;
    }

    void drive(Bench<Vlaunches> &b) {
        auto &t = *b.top;
        if (!running) {
            begin(b);
        }
        t.awvalid[i] = !aw && !writes.empty();
        t.wvalid[i] = aw;
        t.awaddr[i] = writes.empty() ? 0 : writes.back().first;
        t.wdata[i] = writes.empty() ? 0 : writes.back().second;
        t.arvalid[i] = writes.empty() && !ar && !reads.empty();
        t.araddr[i] = reads.empty() ? 0 : reads.back();
        for (int p = 0; p < 2; ++p) {
            if (is_stream() && p < static_cast<int>(system.inputs.size())) {
                const Frame frame = system.inputs[p].port.frame();
                t.m_rvalid[i][p] = b.now >= start + READ_LATENCY && sent[p] < frame.vectors();
                t.m_rdata[i][p][3] = uint32_t(sent[p] % frame.columns == frame.columns - 1) << 31 | uint32_t(sent[p] == 0) << 30;
                continue;
            }
            t.m_rvalid[i][p] = !bursts[p].empty() && bursts[p].front().first <= b.now;
            t.m_bvalid[i][p] = !responses[p].empty() && responses[p].front() <= b.now;
        }
    }

    void check(Bench<Vlaunches> &b) {
        auto &t = *b.top;
        for (int p = 0; p < 2; ++p) {
            if (is_stream()) {
                const bool moves = t.m_rvalid[i][p] && t.m_arvalid[i][p];
                sent[p] += moves;
                read_beats += moves;
                write_beats += t.m_wvalid[i][p];
                bytes += t.m_wvalid[i][p] ? __builtin_popcount(t.m_wstrb[i][p]) : 0;
                continue;
            }
            if (t.m_rvalid[i][p]) {
                ++read_beats;
                if (--bursts[p].front().beats == 0) {
                    bursts[p].pop_front();
                }
            }
            if (t.m_bvalid[i][p]) {
                responses[p].pop_front();
            }
            if (t.m_arvalid[i][p]) {
                bursts[p].push_back({b.now + READ_LATENCY, t.m_arlen[i][p] + 1});
            }
            if (t.m_wvalid[i][p]) {
                ++write_beats;
                bytes += __builtin_popcount(t.m_wstrb[i][p]);
                if (t.m_wlast[i][p]) {
                    responses[p].push_back(b.now + WRITE_LATENCY);
                }
            }
        }
        if (t.awvalid[i] && t.awready[i]) {
            aw = true;
        } else if (t.wvalid[i] && t.wready[i]) {
            aw = false;
            start = writes.back().first == 0 ? b.now + arguments + 5 : start;  // of ag_axi_lite's pulse
            writes.pop_back();
        }
        if (t.arvalid[i] && t.arready[i]) {
            ar = true;
        }
        if (t.rvalid[i]) {
            ar = false;
            if (polling) {
                if (t.rdata[i] & 4) {
                    polling = false;
                    reads = {0x818, 0x814, 0x810, 0x808};
                }
            } else {
                seen.push_back(t.rdata[i]);
                reads.pop_back();
                if (reads.empty()) {
                    finish();
                }
            }
        }
        ++clocks;
        if (clocks > 2 * want.clocks + 1000) {
            CAPTURE(describe());
            FAIL("the launch does not end");
        }
    }

    bool is_stream() const { return system.inputs[0].port.is_stream; }

    std::string describe() const {
        std::string s = "size " + std::to_string(i) + " pitch " + std::to_string(system.pitch) + " clocks per fire " +
                        std::to_string(system.clocks_per_fire);
        auto port = [&](const char *what, const Stream &scan, const Port &p) {
            s += std::string("\n  ") + what + " " + std::to_string(scan.cols) + "x" + std::to_string(scan.rows) + " of " +
                 std::to_string(p.row_elements) + " elements at " + std::to_string(p.address) + ", stride " +
                 std::to_string(p.row_stride);
        };
        for (const Input &in : system.inputs) {
            port("in", in.scan, in.port);
        }
        for (const Output &out : system.outputs) {
            port("out", out.scan, out.port);
        }
        return s;
    }

    void finish() {
        CAPTURE(describe());
        REQUIRE_EQ(long(seen[0]), want.clocks);
        REQUIRE_EQ(long(seen[1]), want.stall_in);
        REQUIRE_EQ(long(seen[2]), want.stall_out);
        REQUIRE_EQ(seen[3], 0);
        REQUIRE_EQ(read_beats, want.read_beats);
        REQUIRE_EQ(write_beats, want.write_beats);
        long elements = 0;
        for (const Output &out : system.outputs) {
            elements += out.port.row_elements * out.port.rows * out.port.elem_bytes;
        }
        REQUIRE_EQ(bytes, elements);
        running = false;
        ++launches;
    }
};

} // namespace

TEST_CASE("measured clocks are the predicted ones") {
    INFO("AG_SEED=", seed());
    Bench<Vlaunches> b;
    std::vector<Launch> launches(SIZES);
    for (int i = 0; i < SIZES; ++i) {
        launches[i].i = i;
    }
    for (int clock = 0; clock < 60000; ++clock) {
        for (auto &l : launches) {
            l.drive(b);
        }
        b.settle();
        for (auto &l : launches) {
            l.check(b);
        }
        b.clock();
    }
    long total = 0;
    for (auto &l : launches) {
        CHECK_GT(l.launches, 20);
        total += l.launches;
    }
    MESSAGE(total, " launches equal");
}

TEST_CASE("a frame of 1080p at one pixel a clock") {
    System s;
    s.pitch = 1922;
    s.inputs.resize(1);
    s.inputs[0].scan = {0, 0, 1922, 1082};
    s.inputs[0].port.row_elements = 1922;
    s.inputs[0].port.row_stride = 1922;
    s.inputs[0].port.rows = 1082;
    s.outputs.resize(1);
    s.outputs[0].scan = {2, 2, 1920, 1080};
    s.outputs[0].port.row_elements = 1920;
    s.outputs[0].port.row_stride = 1920;
    s.outputs[0].port.rows = 1080;
    s.outputs[0].latency = 8;
    const std::clock_t begin = std::clock();
    const Prediction p = predict(s);
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    MESSAGE(p.clocks, " clocks, ", p.clocks / seconds / 1e6, " M clocks/s");
    CHECK_LT(p.clocks, 1922 * 1082 + 100);
    CHECK_EQ(p.stall_out, 0);
}

TEST_CASE("an accelerator that cannot end is found out") {
    System s;
    s.inputs.resize(1);
    s.inputs[0].scan = {0, 0, 1, 2}; // two vectors, and the reader gives one
    CHECK_EQ(predict(s).clocks, -1);
}
