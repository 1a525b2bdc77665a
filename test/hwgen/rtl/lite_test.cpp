// Registers over AXI4-Lite, with a random order of AW and W and random waits.
#include <deque>
#include <string>
#include <vector>

#include "Vcells.h"
#include "Vmutants.h"
#include "cell.h"

namespace {

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

CELL("ag_axi_lite", test_lite, Vcells, Vmutants)
