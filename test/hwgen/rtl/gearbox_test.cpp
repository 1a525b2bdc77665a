// ag_gearbox against its elements, with random gaps and stalls, and against its clock model; then its broken copy.
#include <deque>

#include "Vgearbox.h"
#include "Vgearbox_mutants.h"
#include "cell.h"
#include "hwgen/clocks/GearboxModel.h"

namespace {

using argent::hwgen::clocks::Gear;
using argent::hwgen::clocks::GearboxModel;

constexpr int N = 10;

struct Row {
    long elements, taken = 0, given = 0;
};

template <class Wide>
void set_byte(Wide &w, long i, uint8_t v) {
    w[i / 4] = (w[i / 4] & ~(0xffu << 8 * (i % 4))) | uint32_t(v) << 8 * (i % 4);
}
template <class Wide>
uint8_t byte_of(const Wide &w, long i) {
    return static_cast<uint8_t>(w[i / 4] >> 8 * (i % 4));
}
/** Element i of row r. */
uint8_t value(long r, long i) { return static_cast<uint8_t>(r * 67 + i * 29 + i / 256); }

template <class Top>
void test_gearbox() {
    for (int run = 0; run < 60; ++run) {
        Bench<Top> b;
        StreamChecker out[N];
        std::vector<GearboxModel> models;
        std::vector<Row> sides(N, Row{0});
        std::vector<long> elements(N), rows_in(N), rows_out(N);
        for (int i = 0; i < N; ++i) {
            const long in = b.top->elements_in[i], to = b.top->elements_out[i];
            Rng rng(seed() * 1000 + run * 16 + i);
            elements[i] = run < 8 ? run + 1 : rng.range(1, 4 * std::max(in, to) + 3);
            b.top->in_words[i] = (elements[i] + in - 1) / in;
            b.top->out_words[i] = (elements[i] + to - 1) / to;
            b.top->start[i] = 1;
            b.top->s_valid[i] = b.top->m_ready[i] = 0;
            models.emplace_back(Gear{int(in), int(to), elements[i]});
        }
        b.settle();
        b.clock();
        const bool full = run % 3 == 0;
        const int gaps = full ? 100 : run % 3 == 1 ? 60 : 25, stalls = full ? 100 : run % 3 == 1 ? 40 : 80;
        for (int clock = 0; clock < 400; ++clock) {
            for (int i = 0; i < N; ++i) {
                const long in = b.top->elements_in[i];
                b.top->start[i] = 0;
                // A word that waits stays.
                if (!b.top->s_valid[i] || b.top->s_ready[i]) b.top->s_valid[i] = b.rng.chance(gaps);
                for (long k = 0; k < in; ++k) {
                    const long at = sides[i].taken * in + k;
                    set_byte(b.top->s_data[i], k, at < elements[i] ? value(rows_in[i], at) : uint8_t(0xa5));
                }
                b.top->m_ready[i] = b.rng.chance(stalls);
            }
            b.settle();
            for (int i = 0; i < N; ++i) {
                const std::string name = "gearbox #" + std::to_string(i);
                const long to = b.top->elements_out[i];
                const bool m = b.top->m_valid[i] && b.top->m_ready[i], s = b.top->s_valid[i] && b.top->s_ready[i];
                expect_equal(b.top->m_valid[i], models[i].valid(), name + ": valid and its model");
                expect_equal(b.top->s_ready[i], models[i].ready(b.top->m_ready[i]), name + ": ready and its model");
                uint64_t seen = 0;
                for (long k = 0; b.top->m_valid[i] && k < to; ++k) {
                    const long at = sides[i].given * to + k;
                    seen = seen * 31 + byte_of(b.top->m_data[i], k);
                    if (at < elements[i]) {
                        expect_equal(byte_of(b.top->m_data[i], k), value(rows_out[i], at), name + " row " + std::to_string(rows_out[i]));
                    }
                }
                out[i].check(b.top->m_valid[i], m, name, seen);
                models[i].step(b.top->s_valid[i], b.top->m_ready[i]);
                if (s && ++sides[i].taken == b.top->in_words[i]) sides[i].taken = 0, ++rows_in[i];
                if (m && ++sides[i].given == b.top->out_words[i]) sides[i].given = 0, ++rows_out[i];
            }
            b.clock();
            b.settle();
        }
        for (int i = 0; i < N; ++i) {
            // Where a row's end must be flushed, a clock more.
            const long words = std::max<long>(b.top->in_words[i] + (b.top->elements_in[i] < b.top->elements_out[i]), b.top->out_words[i]);
            expect(rows_out[i] * words + words >= (full ? 398 : 20), "gearbox #" + std::to_string(i) + " does not keep up");
        }
    }
}

} // namespace

CELL("ag_gearbox", test_gearbox, Vgearbox, Vgearbox_mutants)
