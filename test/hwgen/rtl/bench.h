#ifndef ARGENT_TEST_HWGEN_RTL_BENCH_H
#define ARGENT_TEST_HWGEN_RTL_BENCH_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <verilated.h>

/** What a test finds wrong; a mutant's test must find something. */
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void expect(bool good, const std::string &what) {
    if (!good) {
        throw Failure(what);
    }
}
template <class A, class B>
void expect_equal(A got, B want, const std::string &what) {
    if (static_cast<uint64_t>(got) != static_cast<uint64_t>(want)) {
        throw Failure(what + ": " + std::to_string(got) + " instead of " + std::to_string(want));
    }
}

/** xorshift64*; the seed is AG_SEED or 1. */
struct Rng {
    uint64_t state;
    explicit Rng(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint64_t next() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545f4914f6cdd1du;
    }
    long range(long low, long high) { return low + static_cast<long>((next() >> 8) % static_cast<uint64_t>(high - low + 1)); }
    bool chance(int percent) { return range(0, 99) < percent; }
};
inline uint64_t seed() {
    const char *text = std::getenv("AG_SEED");
    return text ? std::strtoull(text, nullptr, 0) : 1;
}

/** A model with one clock: set the inputs, settle(), look at the outputs, clock(). */
template <class Top>
struct Bench {
    VerilatedContext context;
    std::unique_ptr<Top> top;
    Rng rng{seed()};
    long now = 0;

    Bench() {
        context.randReset(2);
        context.randSeed(static_cast<int>(seed()));
        top = std::make_unique<Top>(&context);
        top->clk = 0;
        top->rst = 1;
        settle();
        for (int i = 0; i < 3; ++i) {
            clock();
            settle();
        }
        top->rst = 0;
    }
    void settle() { top->eval(); }
    void clock() {
        top->clk = 1;
        top->eval();
        top->clk = 0;
        ++now;
    }
};

/** One of several instances of a cell: fifo #3. */
inline std::string name(const char *cell, int i) {
    return std::string(cell) + " #" + std::to_string(i);
}

/** Instances side by side in one model: each test drives its own in every clock, and looks at what comes of it. */
template <class Top, class Test>
void run_together(Bench<Top> &b, std::vector<Test> &tests, int clocks) {
    for (int clock = 0; clock < clocks; ++clock) {
        for (Test &t : tests) {
            t.drive(b);
        }
        b.settle();
        for (Test &t : tests) {
            t.check(b);
        }
        b.clock();
    }
}

/** Once valid, valid and data hold until ready: call before each clock. */
struct StreamChecker {
    bool waiting = false;
    std::string data;
    template <class... Data>
    void check(bool valid, bool ready, const std::string &name, const Data &...d) {
        std::string seen = (std::string() + ... + (std::to_string(d) + " "));
        expect(!waiting || valid, name + " dropped valid");
        expect(!waiting || seen == data, name + " changed its data while it waited");
        waiting = valid && !ready;
        data = seen;
    }
};

#endif
