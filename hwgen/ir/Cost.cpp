#include "hwgen/ir/Cost.h"

#include <algorithm>
#include <map>

#include "hwgen/ir/DigitCells.h"

namespace argent::hwgen {

namespace {

Interval shifted(Interval i, int by) { return {i.lo << by, i.hi << by}; }

/** All of one sign, narrowest first; the sum is what is left. */
double add_up(std::vector<Addend> &items) {
    double total = 0;
    const auto wider = [](const Addend &a, const Addend &b) { return a.range.bits() > b.range.bits(); };
    std::make_heap(items.begin(), items.end(), wider);
    const auto pop = [&] {
        std::pop_heap(items.begin(), items.end(), wider);
        const Addend a = items.back();
        items.pop_back();
        return a;
    };
    while (items.size() > 1) {
        const Addend a = pop(), b = pop();
        Addend sum;
        total += adder_cost(a, b, false, sum);
        items.push_back(sum);
        std::push_heap(items.begin(), items.end(), wider);
    }
    return total;
}

}  // namespace

double adder_cost(const Addend &a, const Addend &b, bool subtract, Addend &result) {
    result.zeros = std::min(a.zeros, b.zeros);
    result.range = subtract ? Interval{a.range.lo - b.range.hi, a.range.hi - b.range.lo} : Interval{a.range.lo + b.range.lo, a.range.hi + b.range.hi};
    const int wires = subtract ? b.zeros : std::max(a.zeros, b.zeros);
    return std::max(0, result.range.bits() - wires);
}

double sum_cost(const LinearSum &sum, const std::vector<Interval> &ranges, const Prices &prices) {
    double total = 0;
    std::vector<Addend> plus, minus;
    for (const auto &[s, coefficient] : sum.terms) {
        const Interval range = ranges.at(s.signal);
        // Where its adders would cost more than a multiplier, it is one.
        if ((count_signed_digits(coefficient) - 1) * double(range.bits()) > prices.multiplier) {
            total += prices.multiplier;
            LinearSum product;
            product.add(s, coefficient);
            plus.push_back({range_of(product, ranges), 0});
            continue;
        }
        for (const Digit &d : signed_digits(coefficient)) (d.negative ? minus : plus).push_back({shifted(range, d.exponent), d.exponent});
    }
    if (sum.constant != 0) plus.push_back({{sum.constant, sum.constant}, 0});
    total += add_up(plus) + add_up(minus);
    if (minus.empty()) return total;
    Addend result;
    return total + adder_cost(plus.empty() ? Addend{{0, 0}, 0} : plus[0], minus[0], true, result);
}

int digit_count(Interval factor) { return factor.is_signed() ? (factor.bits() + 1) / 2 : factor.bits() / 2 + 1; }

double digit_rows_cost(Interval a, Interval b, bool is_square, int lut_inputs) {
    const auto rows = [](Interval of, Interval digits) { return digit_count(digits) * double(of.bits() + 2); };
    // Digit, multiple and sum are six bits: one table, or two and a multiplexer in front of the chain.
    const double tables = lut_inputs >= 6 ? 1 : 3;
    return tables * (is_square ? rows(a, a) * 0.6 : std::min(rows(a, b), rows(b, a)));
}

double operator_cost(const Node &n, const std::vector<Interval> &args, bool is_square, const Prices &prices) {
    const int width = n.range.bits();
    int widest = 0;
    for (const Interval &a : args) widest = std::max(widest, a.bits());
    switch (n.op) {
    case Op::Add: case Op::Sub: case Op::Abs: return width;
    case Op::Mul: return std::min(digit_rows_cost(args[0], args[1], is_square), prices.multiplier);
    case Op::Min: case Op::Max: return 2 * widest;
    case Op::And: case Op::Or: case Op::Xor: case Op::Select: return width;
    case Op::Eq: return (widest + 2) / 3.0;
    case Op::Lt: case Op::Le: return args[0].is_signed() && args[1] == Interval{0, 0} ? 0 : widest;
    case Op::ShlBy: case Op::ShrBy: return width * ((args[1].bits() + 1) / 2);
    case Op::Div: case Op::Mod: case Op::Sqrt: {
        const double straight = digit_cell_cost(n.op, args);
        return prices.clocks > 1 ? std::min(straight, digit_cell_cost(n.op, args, looping(n.op, args, prices.clocks, prices.steps))) : straight;
    }
    case Op::Accumulate: case Op::Const: case Op::Leaf: case Op::Not: case Op::Shl: case Op::Shr: case Op::Wrap: case Op::Lookup: return 0;
    }
    return 0;
}

double memory_cost(int64_t words, int64_t bits, const Prices &prices) {
    if (words <= most_distributed_words) return double(bits) * double((words + 31) / 32);
    return prices.block_ram * double(ram_blocks(words, bits));
}

int64_t tail_words(int64_t words) {
    int64_t depth = 512;   // the least; words are as wide as they can be there
    while (2 * depth <= words) depth *= 2;
    return words > depth && words - depth <= most_distributed_words ? words - depth : 0;
}

double tail_cost(int64_t words, int64_t bits, double luts_per_memory_lut) {
    const double flip_flops = Prices().flip_flop * double(bits);
    if (words <= 2) return double(words) * flip_flops;
    return address_cost + flip_flops + luts_per_memory_lut * memory_cost(words - 1, bits, Prices());   // and the memory's own register
}

double row_memory_cost(int64_t words, int64_t bits, const Prices &prices) {
    const int64_t tail = tail_words(words);
    const double whole = memory_cost(words, bits, prices);
    return tail == 0 ? whole : std::min(whole, memory_cost(words - tail, bits, prices) + tail_cost(tail, bits));
}

double line_memory_cost(int bits, int rows, const Raster &raster, const Prices &prices) {
    return rows <= 0 ? 0 : address_cost + row_memory_cost(raster.pitch, int64_t(bits) * rows * raster.lanes, prices);
}

double fabric_table_cost(const Table &t, int ports, const Part &part) {
    const int64_t words = int64_t(1) << part.lut_inputs, blocks = (t.depth + words - 1) / words;
    const int64_t joined = (blocks + 3) / 4;   // by the multiplexers behind the look-up tables
    const int64_t one = blocks + (joined + 1) / 3;
    // RAM with an address for each reader takes two tables where one would do, and is not joined.
    const int64_t bit = t.is_rom() || ports == 1 ? one : 2 * blocks;
    return double(ports * bit * t.range.bits());
}

int64_t ram_blocks(int64_t words, int64_t bits) {
    int64_t depth = 512, width = 36;   // with the parity bits
    while (depth < words && width > 1) depth *= 2, width /= 2;
    return (bits + width - 1) / width * ((words + depth - 1) / depth);
}

int block_rams(const Table &t) { return static_cast<int>(ram_blocks(t.depth, t.range.bits())); }

double window_registers_cost(int bits, const std::set<Shift> &places, const Raster &raster, const Prices &prices) {
    std::map<int, std::pair<int, int>> spans;   // of each row
    for (const Shift &s : places) {
        const auto [at, is_new] = spans.emplace(s.y, std::pair(s.x, s.x));
        at->second = {std::min(at->second.first, s.x), std::max(at->second.second, s.x)};
    }
    int64_t vectors = 0;
    for (const auto &[row, span] : spans) vectors += (span.second - span.first + raster.lanes - 1) / raster.lanes;
    return prices.flip_flop * double(vectors * raster.lanes * bits);
}

}  // namespace argent::hwgen
