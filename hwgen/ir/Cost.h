#ifndef ARGENT_HWGEN_IR_COST_H
#define ARGENT_HWGEN_IR_COST_H

#include <cstdint>
#include <set>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/LinearSum.h"
#include "hwgen/ir/Part.h"

namespace argent::hwgen {

/** What things cost, in look-up tables: a block RAM its share of the board where it is dearest, an ECP5-85 of 84,000 tables and 208 RAMs. */
struct Prices {
    double flip_flop = 0.25;
    double block_ram = 400;   // 18 Kbit
    double multiplier = 240;  // a hard one
    int clocks = 1;           // from one element to the next: of dividers and roots fewer rows may loop,
    int steps = 4;            // and the period has room for so many of them
};

/** The scan on which a signal is kept: `pitch` words of `lanes` elements a row. */
struct Raster {
    int64_t pitch = 1920;
    int lanes = 1;
    bool repeats_rows = false;   // windows have what lies beyond the upper and the lower edge (RepeatRows.h): nobody chooses it
};

/** An adder for a + b or a - b. Low bits that one side does not have are wires. */
struct Addend {
    Interval range;
    int zeros = 0;   // low bits that are 0
};
double adder_cost(const Addend &a, const Addend &b, bool subtract, Addend &result);

/** The adders of a sum, as build_sum makes them. */
double sum_cost(const LinearSum &, const std::vector<Interval> &ranges, const Prices &);

/** Digits in -2 .. 2 of a factor, each worth four times the one before (MultiplyByDigits.h). */
int digit_count(Interval factor);
/** A product as one row of adders for each digit of a factor, that of the two which makes it cheaper. */
double digit_rows_cost(Interval a, Interval b, bool is_square, int lut_inputs = 6);

/** One operator: the node, its operands' intervals. Wires cost nothing. */
double operator_cost(const Node &, const std::vector<Interval> &args, bool is_square, const Prices &);

/** Words up to which a line memory is in look-up tables: "auto" of ag_line_memory. */
constexpr int64_t most_distributed_words = 64;
/** A line memory's address: a counter, and what tells its end. */
constexpr double address_cost = 12;

/** So many words of so many bits, in look-up tables if they are few. */
double memory_cost(int64_t words, int64_t bits, const Prices &);
/** Words of a row beyond the most, at least 512, that block RAMs hold without room to spare; 0 if there are none, or too many for look-up tables. */
int64_t tail_words(int64_t words);
/** What waits behind a line memory (FitMemories.h): one or two words in registers, or up to most_distributed_words in look-up tables that can be memory, each worth so many. */
double tail_cost(int64_t words, int64_t bits, double luts_per_memory_lut = 1);
/** A memory of rows, as it is or without its tail_words, which wait behind it. */
double row_memory_cost(int64_t words, int64_t bits, const Prices &);
/** Keeping `rows` rows of a signal, by memory (rows side by side in one word) and its address. */
double line_memory_cost(int bits, int rows, const Raster &, const Prices &);
/** Look-up tables of a table that is not in block RAM, with so many readers a clock. */
double fabric_table_cost(const Table &, int ports, const Part &);
/** 18 Kbit blocks of a memory of so many words and bits. */
int64_t ram_blocks(int64_t words, int64_t bits);
/** 18 Kbit blocks that it is otherwise; a block has two ports. */
int block_rams(const Table &);

/** The shift registers behind it, for the places that are read. */
double window_registers_cost(int bits, const std::set<Shift> &places, const Raster &, const Prices &);

}  // namespace argent::hwgen

#endif
