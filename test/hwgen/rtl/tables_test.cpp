// The cells of tables against plain models; then their broken copies (mutants.cmake).
#include <array>
#include <deque>
#include <vector>

#include "Vtable_mutants.h"
#include "Vtables.h"
#include "cell.h"

namespace {

constexpr int N = 7, NB = 5, NT = N + NB, NL = 3, NF = 3;   // of ag_rom and ag_table, ag_table_banks, both, ag_table_load, ag_table_fill

constexpr size_t most_latency = 13;

uint32_t cut(uint64_t value, uint32_t width) { return static_cast<uint32_t>(value & ((uint64_t(1) << width) - 1)); }

/** Addresses of every clock, newest first; a port shows what was read `latency` clocks ago. */
template <class Top>
void read_all(Bench<Top> &b, std::deque<std::array<uint32_t, 2 * NT>> &past) {
    std::array<uint32_t, 2 * NT> now;
    for (int k = 0; k < 2 * NT; ++k) {
        b.top->address[k] = now[k] = static_cast<uint32_t>(b.rng.range(0, b.top->depth[k / 2] - 1));
    }
    past.push_front(now);
    if (past.size() > most_latency + 1) {
        past.pop_back();
    }
}

template <class Top>
void test_rom() {
    Bench<Top> b;
    std::deque<std::array<uint32_t, 2 * NT>> past;
    for (int clock = 0; clock < 5000; ++clock) {
        read_all(b, past);
        b.settle();
        for (int k = 0; k < 2 * N; ++k) {
            const uint32_t latency = b.top->latency[k / 2];
            if (past.size() <= latency || k % 2 >= int(b.top->ports[k / 2])) {
                continue;
            }
            const uint32_t width = b.top->width[k / 2];
            uint32_t word = 0;
            for (uint32_t bit = 0; bit < width; ++bit) {
                word |= static_cast<uint32_t>(b.top->pattern >> (past[latency][k] * width + bit) % 61 & 1) << bit;
            }
            expect_equal(b.top->rom_data[k], word, "word of rom port #" + std::to_string(k));
        }
        b.clock();
    }
}

/** Tables from .. to - 1. */
template <class Top>
void test_tables(int from, int to) {
    Bench<Top> b;
    std::deque<std::array<uint32_t, 2 * NT>> past;
    struct Word {
        uint32_t value = 0;
        bool known = false;
    };
    std::vector<std::vector<Word>> model(NT);
    std::deque<std::array<Word, 2 * NT>> read;   // what each port read, newest first
    for (int i = 0; i < NT; ++i) {
        model[i].resize(b.top->depth[i]);
    }
    int checked = 0;
    for (int clock = 0; clock < 20000; ++clock) {
        const int load = clock / 1000 % 2 ? 0 : 80; // loaded, then read
        read_all(b, past);
        std::array<Word, 2 * NT> words;
        for (int i = 0; i < NT; ++i) {
            const bool write = b.rng.chance(load);
            b.top->table_write[i] = write;
            b.top->table_place[i] = static_cast<uint32_t>(b.rng.range(0, b.top->depth[i] - 1));
            b.top->table_element[i] = static_cast<uint32_t>(b.rng.next());
            for (int k = 2 * i; k < 2 * i + 2; ++k) {
                words[k] = write ? Word() : model[i][past[0][k]];
            }
            if (write) {
                model[i][b.top->table_place[i]] = {cut(b.top->table_element[i], b.top->width[i]), true};
            }
        }
        read.push_front(words);
        if (read.size() > most_latency + 1) {
            read.pop_back();
        }
        b.settle();
        for (int k = 2 * from; k < 2 * to; ++k) {
            const uint32_t latency = b.top->latency[k / 2];
            if (read.size() <= latency || !read[latency][k].known || k % 2 >= int(b.top->ports[k / 2])) {
                continue;
            }
            expect_equal(b.top->table_data[k], read[latency][k].value, "word of table port #" + std::to_string(k));
            ++checked;
        }
        b.clock();
    }
    expect(checked > 5000 * (to - from), "too few words were read");
}

template <class Top>
void test_table() {
    test_tables<Top>(0, N);
}

template <class Top>
void test_banks() {
    test_tables<Top>(N, NT);
}

/** Writes of an AXI4-Lite master with gaps, to all places around the tables' registers. */
template <class Top>
void test_load() {
    Bench<Top> b;
    const uint32_t widths[NL] = {10, 32, 45}, places[NL] = {4, 16, 9};
    struct Model {
        uint32_t place = 0;
        uint64_t element = 0;
        bool placed = false;
    } model[NL];
    int written[NL] = {};
    b.top->awvalid = b.top->wvalid = b.top->running = 0;
    for (int transfer = 0; transfer < 6000; ++transfer) {
        const uint32_t address = b.rng.chance(90) ? static_cast<uint32_t>(0xc00 + 4 * b.rng.range(0, 4 * NL)) : static_cast<uint32_t>(4 * b.rng.range(0, 1023));
        const uint32_t data = static_cast<uint32_t>(b.rng.next());
        const bool running = b.rng.chance(10);
        b.top->running = running;
        bool address_done = false, data_done = false;
        while (!data_done) {
            b.top->awvalid = !address_done && b.rng.chance(70);
            b.top->awready = b.rng.chance(70);
            b.top->awaddr = address_done ? static_cast<uint32_t>(b.rng.next()) & 0xfff : address;
            b.top->wvalid = b.rng.chance(70);
            b.top->wready = address_done && b.rng.chance(70);
            b.top->wdata = data;
            b.settle();
            for (int i = 0; i < NL; ++i) {
                expect(!b.top->load_write[i], "a write that nobody asked for");
            }
            address_done = address_done || (b.top->awvalid && b.top->awready);
            data_done = b.top->wvalid && b.top->wready;
            b.clock();
        }
        b.top->awvalid = b.top->wvalid = 0;
        b.settle();
        for (int i = 0; i < NL; ++i) {
            const bool here = address / 16 == 0xc0u + i && !running;
            const uint32_t word = address / 4 % 4, last = widths[i] > 32 ? 2 : 1;
            Model &m = model[i];
            if (here && word == 0) {
                m.place = cut(data, places[i]);
                m.placed = true;
            }
            if (here && word == 1) {
                m.element = widths[i] > 32 ? (m.element >> 32 << 32) | data : cut(data, widths[i]);
            }
            if (here && word == 2 && last == 2) {
                m.element = (m.element & 0xffffffffu) | uint64_t(cut(data, widths[i] - 32)) << 32;
            }
            const bool write = here && word == last;
            expect_equal(b.top->load_write[i], write, "write of load #" + std::to_string(i));
            if (write && m.placed) {
                expect_equal(b.top->load_place[i], m.place, "place of load #" + std::to_string(i));
                expect_equal(b.top->load_element[i] >> (widths[i] > 32 ? 32 : 0), m.element >> (widths[i] > 32 ? 32 : 0),
                             "element of load #" + std::to_string(i));
                ++written[i];
            }
            if (write) {
                m.place = cut(m.place + 1, places[i]);
            }
        }
        b.clock();
    }
    for (int i = 0; i < NL; ++i) {
        expect(written[i] > 100, "too few elements were written");
    }
}

/** Frames of any size, with gaps: each word goes to its place, and the last one fills the table. */
template <class Top>
void test_fill() {
    Bench<Top> b;
    for (int frame = 0; frame < 300; ++frame) {
        struct Model {
            uint32_t columns, rows, words = 0;
            bool wrote = false;
            uint32_t place = 0, element = 0;
        } model[NF];
        for (int i = 0; i < NF; ++i) {
            b.top->fill_columns[i] = model[i].columns = static_cast<uint32_t>(b.rng.range(1, b.top->fill_pitch[i]));
            b.top->fill_rows[i] = model[i].rows = static_cast<uint32_t>(b.rng.range(1, b.top->fill_most_rows[i]));
            b.top->fill_valid[i] = 0;
        }
        b.top->fill_start = 1;
        b.settle();
        b.clock();
        b.top->fill_start = 0;
        for (int clock = 0; clock < 200; ++clock) {
            for (int i = 0; i < NF; ++i) {
                b.top->fill_valid[i] = model[i].words < model[i].columns * model[i].rows && b.rng.chance(70);
                b.top->fill_data[i] = static_cast<uint32_t>(b.rng.next());
            }
            b.settle();
            for (int i = 0; i < NF; ++i) {
                Model &m = model[i];
                const std::string of = " of fill #" + std::to_string(i);
                expect(b.top->fill_ready[i], "a word has to wait");
                expect_equal(b.top->fill_write[i], m.wrote, "write" + of);
                if (m.wrote) {
                    expect_equal(b.top->fill_place[i], m.place, "place" + of);
                    expect_equal(b.top->fill_element[i], m.element, "element" + of);
                }
                expect_equal(b.top->fill_full[i], m.words == m.columns * m.rows, "full" + of);
                m.wrote = b.top->fill_valid[i];
                m.place = m.words / m.columns * b.top->fill_pitch[i] + m.words % m.columns;
                m.element = cut(b.top->fill_data[i], b.top->fill_width[i]);
                m.words += m.wrote;
            }
            b.clock();
        }
        for (const Model &m : model) {
            expect(m.words == m.columns * m.rows, "a frame that did not end");
        }
    }
}

} // namespace


CELL("ag_rom", test_rom, Vtables, Vtable_mutants)
CELL("ag_table", test_table, Vtables, Vtable_mutants)
CELL("ag_table_banks", test_banks, Vtables, Vtable_mutants)
CELL("ag_table_load", test_load, Vtables, Vtable_mutants)
CELL("ag_table_fill", test_fill, Vtables, Vtable_mutants)
