// Cells that change the rows of a stream.
#include <algorithm>
#include <optional>
#include <vector>

#include "Vcells.h"
#include "Vmutants.h"
#include "cell.h"

namespace {

/** Rows of `lanes` elements a vector, and where in them a stream stands. */
struct Rows {
    std::vector<std::vector<uint64_t>> vectors;
    size_t row = 0, vector = 0;
    long count() const { return vectors.empty() ? 0 : long(vectors.size() * vectors[0].size()); }
    bool done() const { return row == vectors.size(); }
    uint64_t now() const { return vectors[row][vector]; }
    void next() {
        if (++vector == vectors[row].size()) {
            vector = 0;
            ++row;
        }
    }
};

/** Vectors of a row of `count` elements, element e being at(e); past the row's end too. */
template <class At>
std::vector<uint64_t> vectors_of(long count, long lanes, At at) {
    std::vector<uint64_t> vectors;
    for (long first = 0; first < count; first += lanes) {
        uint64_t v = 0;
        for (long j = 0; j < lanes; ++j) {
            v |= uint64_t(uint8_t(at(first + j))) << (8 * j);
        }
        vectors.push_back(v);
    }
    return vectors;
}

/** A stream into each of the cells of a kind, and one out of it. */
struct Ports {
    uint8_t *s_valid;
    uint64_t *s_data;
    const uint8_t *s_ready, *m_valid;
    const uint64_t *m_data;
    uint8_t *m_ready;
};

/** Moves all rows, with random gaps and stalls, and returns the clocks that it took where there were none. `who(i)` is the cell for
 *  messages, `lanes(i)` the bits of its vector that matter. Cells without rows are not looked at. */
template <class Top, size_t N, class Who, class Lanes>
std::optional<long> move_rows(Bench<Top> &b, const Ports &p, Rows (&in)[N], Rows (&out)[N], Who who, Lanes lanes) {
    const int gaps = b.rng.chance(30) ? 0 : b.rng.range(0, 80), stalls = b.rng.chance(30) ? 0 : b.rng.range(0, 80);
    bool held[N] = {}, done = false;
    long clock = 0;
    for (; !done; ++clock) {
        done = true;
        for (size_t i = 0; i < N; ++i) {
            p.s_valid[i] = !in[i].done() && (held[i] || !b.rng.chance(gaps));
            if (p.s_valid[i]) p.s_data[i] = in[i].now();
            p.m_ready[i] = !b.rng.chance(stalls);
        }
        b.settle();
        for (size_t i = 0; i < N; ++i) {
            if (in[i].vectors.empty()) continue;
            expect(clock < 20000, who(i) + ": nothing moves");
            held[i] = p.s_valid[i] && !p.s_ready[i];
            if (p.m_valid[i]) {
                expect(!out[i].done(), who(i) + ": a vector too many");
                expect_equal(p.m_data[i] & lanes(i), out[i].now() & lanes(i), "data of " + who(i));
                if (p.m_ready[i]) out[i].next();
            }
            if (p.s_valid[i] && p.s_ready[i]) in[i].next();
            done = done && in[i].done() && out[i].done();
        }
        b.clock();
    }
    return gaps == 0 && stalls == 0 ? std::optional<long>(clock - 1) : std::nullopt;
}

template <class Top>
void test_pad() {
    Bench<Top> b;
    constexpr int N = 6;
    for (int run = 0; run < 300; ++run) {
        const long left = b.rng.chance(30) ? 0 : b.rng.range(0, 20), elements = b.rng.range(1, 19), rows = b.rng.range(1, 5);
        const long right = b.rng.chance(30) ? 0 : b.rng.range(0, 20), top = b.rng.range(0, 3), bottom = b.rng.range(0, 3);
        std::vector<std::vector<uint8_t>> image(rows, std::vector<uint8_t>(elements));
        for (auto &row : image) {
            for (uint8_t &e : row) e = uint8_t(b.rng.next());
        }
        Rows in[N], out[N];
        for (int i = 0; i < N; ++i) {
            const long lanes = b.top->pad_lanes[i];
            const bool has_rows = b.top->pad_rows_too[i];
            for (long y = 0; y < rows; ++y) {
                in[i].vectors.push_back(vectors_of(elements, lanes, [&](long e) { return e < elements ? image[y][e] : 0xaa; }));
            }
            const long above = has_rows ? top : 0, below = has_rows ? bottom : 0;
            for (long y = -above; y < rows + below; ++y) {
                const auto &row = image[std::min(std::max(y, 0L), rows - 1)];
                out[i].vectors.push_back(vectors_of(left + elements + right, lanes, [&](long e) {
                    return row[std::min(std::max(e - left, 0L), elements - 1)];
                }));
            }
            b.top->pad_vectors[i] = uint8_t(out[i].vectors[0].size());
            b.top->pad_top[i] = uint8_t(above);
            b.top->pad_padded_rows[i] = uint8_t(out[i].vectors.size());
            b.top->pad_s_valid[i] = b.top->pad_m_ready[i] = 0;
        }
        b.top->pad_left = uint8_t(left);
        b.top->pad_elements = uint8_t(elements);
        b.top->pad_rows = uint8_t(rows);
        b.top->pad_start = 1;
        b.settle();
        b.clock();
        b.top->pad_start = 0;
        const Ports ports{b.top->pad_s_valid, b.top->pad_s_data, b.top->pad_s_ready, b.top->pad_m_valid, b.top->pad_m_data, b.top->pad_m_ready};
        const auto who = [&](size_t i) { return name("pad", int(i)) + ", left " + std::to_string(left) + ", elements " + std::to_string(elements); };
        const auto clocks = move_rows(b, ports, in, out, who, [](size_t) { return ~uint64_t(0); });
        if (clocks) expect(*clocks <= out[0].count() + 2, "pad: slower than a vector a clock");
    }
}

template <class Top>
void test_fold() {
    Bench<Top> b;
    constexpr int N = 6;
    for (int run = 0; run < 300; ++run) {
        const long elements = b.rng.range(1, 19), rows = b.rng.range(1, 5), wanted = b.rng.range(1, 60);
        const int form = b.rng.range(0, 2);   // repeated; mirrored with, without the element at the edge
        const long period = form == 0 ? elements : form == 1 ? 2 * elements : std::max(1L, 2 * (elements - 1));
        const long mirror = form == 1 ? period - 1 : period, place = b.rng.range(0, int(period) - 1);
        std::vector<std::vector<uint8_t>> image(rows, std::vector<uint8_t>(elements));
        for (auto &row : image) {
            for (uint8_t &e : row) e = uint8_t(b.rng.next());
        }
        Rows in[N], out[N];
        for (int i = 0; i < N; ++i) {
            const long lanes = b.top->pad_lanes[i];
            for (const auto &row : image) {
                in[i].vectors.push_back(vectors_of(elements, lanes, [&](long e) { return e < elements ? row[e] : 0xaa; }));
                out[i].vectors.push_back(vectors_of(wanted, lanes, [&](long e) {
                    const long at = (place + e) % period;
                    return row[at < elements ? at : mirror - at];
                }));
            }
            b.top->fold_step[i] = uint8_t(lanes % period);
            b.top->fold_vectors[i] = uint8_t(out[i].vectors[0].size());
            b.top->fold_s_valid[i] = b.top->fold_m_ready[i] = 0;
        }
        b.top->pad_elements = uint8_t(elements);
        b.top->fold_period = uint8_t(period);
        b.top->fold_mirror = uint8_t(mirror);
        b.top->fold_place = uint8_t(place);
        b.top->pad_start = 1;
        b.settle();
        b.clock();
        b.top->pad_start = 0;
        const Ports ports{b.top->fold_s_valid, b.top->fold_s_data, b.top->fold_s_ready, b.top->fold_m_valid, b.top->fold_m_data, b.top->fold_m_ready};
        const auto who = [&](size_t i) { return name("fold", int(i)) + ", " + std::to_string(elements) + " elements, form " + std::to_string(form); };
        const auto clocks = move_rows(b, ports, in, out, who, [](size_t) { return ~uint64_t(0); });
        // A row of one lane comes in while the one before goes out.
        if (clocks) expect(*clocks <= elements + rows * std::max(elements, wanted) + 12, "fold: slower than a vector a clock");
    }
}

template <class Top>
void test_legs() {
    Bench<Top> b;
    for (int run = 0; run < 300; ++run) {
        const long count = b.rng.range(1, 9), rows = b.rng.range(1, 40), first = std::min<long>(rows, b.rng.range(1, int(count)));
        const bool first_back = b.rng.chance(50);
        const int32_t stride = b.rng.range(-300, 300), base = 0x1000;
        b.top->legs_start_address = 0x5000;
        b.top->legs_forth_address = base;
        b.top->legs_back_address = 0x9000;
        b.top->legs_stride = uint32_t(stride);
        b.top->legs_first_back = first_back;
        b.top->legs_first_rows = uint8_t(first);
        b.top->legs_leg_rows = uint8_t(count);
        b.top->legs_rows = uint8_t(rows);
        b.top->legs_start = 1;
        b.settle();
        b.clock();
        b.top->legs_start = 0;
        long left[2] = {rows, rows}, legs[2] = {}, busy[2] = {};
        bool done = false;
        for (long clock = 0; !done; ++clock) {
            expect(clock < 5000, "legs: nothing moves");
            done = true;
            for (int i = 0; i < 2; ++i) {
                b.top->legs_leg_busy[i] = busy[i] > 0;
            }
            b.settle();
            for (int i = 0; i < 2; ++i) {
                const std::string who = name("legs", i);
                if (busy[i] > 0) --busy[i];
                if (b.top->legs_leg_start[i]) {
                    expect(busy[i] == 0 && left[i] > 0, who + ": a leg too many");
                    const bool back = i == 1 && first_back == (legs[i] % 2 == 0);
                    const long expected = std::min(left[i], legs[i] == 0 ? first : count);
                    expect_equal(b.top->legs_leg_address[i], legs[i] == 0 ? 0x5000 : back ? 0x9000 : base, "address of " + who);
                    expect_equal(b.top->legs_leg_stride[i], uint32_t(back ? -stride : stride), "stride of " + who);
                    expect_equal(b.top->legs_leg_rows_now[i], uint64_t(expected), "rows of " + who);
                    left[i] -= expected;
                    busy[i] = b.rng.range(1, 5);
                    ++legs[i];
                }
                const bool ends = !b.top->legs_busy[i];
                if (ends) {
                    expect_equal(uint64_t(left[i]), 0, "rows left of " + who);
                }
                done = done && ends;
            }
            b.clock();
        }
    }
}

template <class Top>
void test_skip() {
    Bench<Top> b;
    constexpr int N = 6;
    for (int run = 0; run < 300; ++run) {
        const long left = b.rng.range(0, 7), elements = b.rng.range(1, 30), rows = b.rng.range(1, 5);
        Rows in[N], out[N];
        for (int i = 0; i < N; ++i) {
            const long lanes = b.top->pad_lanes[i], skip = lanes > 1 ? left % lanes : 0;
            b.top->skip_s_valid[i] = b.top->skip_m_ready[i] = 0;
            for (long y = 0; y < rows && lanes > 1; ++y) {
                std::vector<uint8_t> row(skip + elements);
                for (uint8_t &e : row) e = uint8_t(b.rng.next());
                in[i].vectors.push_back(vectors_of(skip + elements, lanes, [&](long e) { return e < skip + elements ? row[e] : 0xaa; }));
                out[i].vectors.push_back(vectors_of(elements, lanes, [&](long e) { return e < elements ? row[skip + e] : 0; }));
            }
        }
        b.top->pad_left = uint8_t(left);
        b.top->pad_elements = uint8_t(elements);
        b.top->pad_start = 1;
        b.settle();
        b.clock();
        b.top->pad_start = 0;
        const Ports ports{b.top->skip_s_valid, b.top->skip_s_data, b.top->skip_s_ready, b.top->skip_m_valid, b.top->skip_m_data, b.top->skip_m_ready};
        const auto who = [&](size_t i) { return name("skip", int(i)) + ", " + std::to_string(left) + " of " + std::to_string(elements); };
        const auto inside = [&](size_t i) {   // lanes past the row's end may hold anything
            const long lanes = b.top->pad_lanes[i], there = std::min(lanes, elements - lanes * long(out[i].vector));
            return there == 8 ? ~uint64_t(0) : (uint64_t(1) << (8 * there)) - 1;
        };
        const auto clocks = move_rows(b, ports, in, out, who, inside);
        if (clocks) expect(*clocks <= in[2].count() + 2, "skip: slower than a vector a clock");
    }
}

} // namespace

CELL("ag_pad", test_pad, Vcells, Vmutants)
CELL("ag_fold", test_fold, Vcells, Vmutants)
CELL("ag_legs", test_legs, Vcells, Vmutants)
CELL("ag_skip", test_skip, Vcells, Vmutants)
