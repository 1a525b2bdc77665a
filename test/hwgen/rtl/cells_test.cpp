// Every cell that is no bus and no geometry against a plain model of it, with random gaps and stalls; then the broken copies (mutants.cmake), each of which
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

template <class Top>
void test_fifo() {
    Bench<Top> b;
    constexpr int N = 16;
    std::deque<uint32_t> model[N];
    StreamChecker out[N];
    bool will_be_ready[N];   // of those with SPARE
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
            if (b.top->fifo_spare[i] == 0) {
                expect_equal(b.top->fifo_s_ready[i], model[i].size() < b.top->fifo_depth[i], name("ready of fifo", i));
            } else {
                if (clock > 0) expect_equal(b.top->fifo_s_ready[i], will_be_ready[i], name("ready of fifo, a clock late", i));
                will_be_ready[i] = model[i].size() + b.top->fifo_spare[i] + 2 <= b.top->fifo_depth[i];
                expect_equal(b.top->fifo_s_ready_next[i], will_be_ready[i], name("ready told ahead by fifo", i));
            }
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
void test_held_memory() {
    Bench<Top> b;
    constexpr uint32_t places = 37;
    std::map<uint32_t, uint32_t> model;
    uint32_t at = 0, want = 0;
    bool known = false, writes = true, has_stepped = false;
    for (int clock = 0; clock < 8000; ++clock) {
        b.top->row_en = b.rng.chance(80);
        b.top->held_we = writes;
        b.top->row_raddr = (at + 1) % places;
        b.top->row_wdata = static_cast<uint32_t>(b.rng.next()) & 0xfffff;
        b.settle();
        if (known) {
            expect_equal(b.top->held_rdata, want, "held memory");
        }
        if (b.top->row_en) {
            if (writes && has_stepped) {
                model[at] = b.top->row_wdata;
            }
            at = (at + 1) % places;
            known = model.count(at) != 0;
            want = known ? model.at(at) : 0;
            has_stepped = true;
            writes = at % 5 == 0 ? b.rng.chance(50) : writes;
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
            b.top->count_clear = clock < 2 || b.rng.chance(2);
            b.top->count_step = b.rng.chance(80);
            b.top->count_words = words;
            b.settle();
            if (clock > 0) {
                expect_equal(b.top->count_addr, addr % 16, "line address, words " + std::to_string(words));
                expect_equal(b.top->count_addr_1, addr_1 % 2, "line address of one bit");
                expect_equal(b.top->count_ahead_addr, (addr + 2) % 16, "line address ahead, words " + std::to_string(words));
                expect_equal(b.top->count_ahead_addr_1, (addr_1 + 2) % 2, "line address of one bit ahead");
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

template <class Top>
void test_line_follower() {
    Bench<Top> b;
    uint32_t addr = 0;
    for (int clock = 0; clock < 4000; ++clock) {
        const bool clears = clock < 2 || b.rng.chance(2), steps = b.rng.chance(80), wraps = steps && b.rng.chance(10);
        b.top->count_clear = clears;
        b.top->count_step = steps;
        b.top->follow_wraps = wraps;
        b.settle();
        if (clock > 0) {
            expect_equal(b.top->follow_addr, addr % 16, "line follower");
            expect_equal(b.top->follow_addr_1, addr % 2, "line follower of one bit");
        }
        addr = clears || wraps ? 0 : addr + steps;
        b.clock();
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

/** One that is begun now and then: when the next may begin, and what it is to give and when. */
struct Loop {
    int wait = 0;
    std::deque<std::pair<int, std::array<uint32_t, 2>>> begun; // clocks until its result, its operands
    /** Whether one begins in this clock; `latency` clocks from now, its result is there. */
    bool begins(Rng &rng, int clocks, int latency, std::array<uint32_t, 2> operands) {
        for (auto &[left, of] : begun) {
            --left;
        }
        if (!begun.empty() && begun.front().first < 0) {
            begun.pop_front();
        }
        wait = std::max(0, wait - 1);
        if (wait > 0 || rng.chance(10)) {
            return false;
        }
        wait = clocks;
        begun.push_back({latency, operands});
        return true;
    }
    bool is_there() const { return !begun.empty() && begun.front().first == 0; }
};

/** LINKS * TURNS of ag_div_loop and ag_sqrt_loop. */
int turns(int digits, int steps, int clocks) {
    const int links = ((digits + steps - 1) / steps + clocks - 1) / clocks;
    return links * ((digits + steps * links - 1) / (steps * links));
}

template <class Top>
void test_div_loop() {
    Bench<Top> b;
    constexpr int N = 18;
    Loop loops[N];
    for (int clock = 0; clock < 20000; ++clock) {
        b.top->div_dividend = static_cast<uint32_t>(b.rng.next()) >> (32 - b.rng.range(1, 32));
        b.top->div_divisor = static_cast<uint32_t>(b.rng.next()) >> (32 - b.rng.range(1, 32));
        b.top->div_loop_start = 0;
        b.settle();
        for (int i = 0; i < N; ++i) {
            const uint32_t q_w = b.top->div_loop_q_w[i], clocks = b.top->div_loop_clocks[i];
            const int latency = 1 + turns(q_w, b.top->div_loop_steps[i], clocks);
            const bool begins = loops[i].begins(b.rng, clocks, latency, {b.top->div_dividend, b.top->div_divisor});
            b.top->div_loop_start |= begins << i;
            if (!loops[i].is_there()) {
                continue;
            }
            const uint64_t dividend = loops[i].begun.front().second[0] & ((uint64_t(1) << b.top->div_loop_a_w[i]) - 1);
            const uint64_t divisor = loops[i].begun.front().second[1] & ((uint64_t(1) << b.top->div_loop_b_w[i]) - 1);
            if (divisor != 0 && dividend / divisor >> q_w == 0) {
                expect_equal(b.top->div_loop_quotient[i], dividend / divisor, name("quotient", i));
                expect_equal(b.top->div_loop_remainder[i], b.top->div_loop_with_remainder[i] ? dividend % divisor : 0, name("remainder", i));
            }
        }
        b.settle();
        b.clock();
    }
}

template <class Top>
void test_sqrt_loop() {
    Bench<Top> b;
    constexpr int N = 11;
    Loop loops[N];
    for (int clock = 0; clock < 100000; ++clock) {
        const uint32_t any = static_cast<uint32_t>(b.rng.next()) >> (32 - b.rng.range(1, 32)), side = any >> 16;
        b.top->sqrt_radicand = clock % 2 == 0 ? any : side * side - b.rng.range(0, 1);
        b.top->sqrt_loop_start = 0;
        b.settle();
        for (int i = 0; i < N; ++i) {
            const uint32_t a_w = b.top->sqrt_loop_a_w[i], clocks = b.top->sqrt_loop_clocks[i];
            const int latency = 1 + turns((a_w + 1) / 2, b.top->sqrt_loop_steps[i], clocks);
            const bool begins = loops[i].begins(b.rng, clocks, latency, {b.top->sqrt_radicand, 0});
            b.top->sqrt_loop_start |= begins << i;
            if (!loops[i].is_there()) {
                continue;
            }
            const uint64_t radicand = loops[i].begun.front().second[0] & ((uint64_t(1) << a_w) - 1), root = b.top->sqrt_loop_root[i];
            expect_equal(root * root <= radicand && radicand < (root + 1) * (root + 1), true, name("root", i));
        }
        b.settle();
        b.clock();
    }
}

} // namespace

CELL("ag_fifo", test_fifo, Vcells, Vmutants)
CELL("ag_skid", test_skid, Vcells, Vmutants)
CELL("ag_line_memory", test_line_memory, Vcells, Vmutants)
CELL("ag_equal", test_equal, Vcells, Vmutants)
CELL("ag_row_memory", test_row_memory, Vcells, Vmutants)
CELL("ag_held_memory", test_held_memory, Vcells, Vmutants)
CELL("ag_line_address", test_line_address, Vcells, Vmutants)
CELL("ag_line_follower", test_line_follower, Vcells, Vmutants)
CELL("ag_rotate", test_rotate, Vcells, Vmutants)
CELL("ag_rate", test_rate, Vcells, Vmutants)
CELL("ag_div", test_div, Vcells, Vmutants)
CELL("ag_sqrt", test_sqrt, Vcells, Vmutants)
CELL("ag_div_loop", test_div_loop, Vcells, Vmutants)
CELL("ag_sqrt_loop", test_sqrt_loop, Vcells, Vmutants)
