#include "hwgen/ir/Part.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace argent::hwgen {

namespace {

// 7-series, speed grade -1 (Artix-7 / Zynq-7020). Data sheets DS181 / DS187: RAMB36 clock to out 2.45 (0.88 registered); DSP48E1
// unregistered A to P about 3.8. A 7Z020 has 53,200 LUTs and 280 RAMB18; 17,400 of the LUTs
// can be memory. The fabric's figures are not the data sheets' (T_CKO 0.46,
// T_ILO 0.12, CARRY4 0.53 in, 0.114 per four bits, 0.33 out), as nothing open routes such a part with its delays: they are those by
// which nextpnr-ecp5's paths come out, tools/delays.py, and so on the safe side. A net is 1.05 there, and none is in front of a
// register, which stands beside its table; hence the setup. Only a set or reset is a net (0.35 to 0.66) and a setup of 0.42 behind the table that tells it.
// A table of more than four inputs is several behind multiplexers there. A net from a block RAM is longer, as those stand in columns (1.3 to
// 1.9), but this is not a full 1.05 above the data sheet, as its RAMs take 0.96 with the output register on. In front of
// an adder of 10 bits a choice of two took 0.75, of 1 or 2 times a number 1.05, of three numbers 0.91, and a digit of a product, of which three
// bits go to every table, 1.46: hence absorbed_wide.
Part xc7() {
    Part p;
    p.family = "xc7";
    p.net = 1.05;
    p.clock_to_out = 0.52 + 1.05;
    p.setup = -0.90;
    p.set = 0.80;
    p.lut = 0.24 + 1.05;
    p.lut_inputs = 6;
    p.wide_input = 0.15;
    p.carry_start = 0.45 + 0.44 + 1.05;
    p.carry_per_bit = 0.071 / 2;
    p.absorbed = 0.90;
    p.absorbed_wide = 0.20;
    p.ram_clock_to_out = 2.45 + 0.70;
    p.ram_registered_clock_to_out = 0.88 + 0.60;
    p.luts_per_ram = 53200.0 / 280;
    p.luts_per_memory_lut = 53200.0 / 17400;
    p.multiplier = 3.84 + 0.50;
    p.multiplier_in = 2.60;      // assumed, as the way out: the data sheet has them for each use of the ports
    p.multiplier_out = 1.70 + 0.50;
    p.multiplier_a = 25;
    p.multiplier_b = 18;
    p.multiplier_ranks = 2;
    p.accumulator_bits = 48;
    return p;
}

// UltraScale+, speed grade -1. Data sheet DS925: RAMB36 clock to out about 1.3 (0.4 registered), DSP48E2 unregistered
// about 2.4; fabric: rule of thumb, half of 7-series. A ZU7 has 230,400 LUTs, 101,760 of them for memory, and
// 624 RAMB18.
Part xcup() {
    Part p;
    p.family = "xcup";
    p.net = 0.30;
    p.clock_to_out = 0.10 + 0.30;
    p.setup = 0.06 + 0.06;
    p.lut = 0.10 + 0.30;
    p.lut_inputs = 6;
    p.carry_start = 0.25 + 0.15 + 0.25;
    p.carry_per_bit = 0.12 / 8;
    p.ram_clock_to_out = 1.30 + 0.30;
    p.ram_registered_clock_to_out = 0.40 + 0.30;
    p.luts_per_ram = 230400.0 / 624;
    p.luts_per_memory_lut = 230400.0 / 101760;
    p.multiplier = 2.40 + 0.30;
    p.multiplier_in = 1.60;      // assumed in the same proportion
    p.multiplier_out = 1.10 + 0.30;
    p.multiplier_a = 27;
    p.multiplier_b = 18;
    p.multiplier_ranks = 2;
    p.accumulator_bits = 48;
    return p;
}

// ECP5, speed grade 6, as nextpnr-ecp5 0.11 times it: DP16KD 5.7 without output register, MULT18X18D 3.93 (never
// registered inside by this flow), LUT4 0.24, flip-flop 0.52 and in front of its set 0.42, CCU2C 0.45 into, 0.071 per two bits, 0.45 out of the
// chain. Nets: 0.6 to 0.9 in placed designs that are not full. An 85F has 83,640 LUTs, half of them
// for memory, and 208 RAMs.
Part ecp5() {
    Part p;
    p.family = "ecp5";
    p.net = 0.75;
    p.clock_to_out = 0.52 + 0.75;
    p.setup = 0.0;
    p.set = 0.42;
    p.lut = 0.24 + 0.75;
    p.lut_inputs = 4;
    p.carry_start = 0.45 + 0.45 + 0.75;
    p.carry_per_bit = 0.071 / 2;
    p.absorbed = 0.24 + 0.75;   // synth_ecp5 leaves it in tables of its own
    p.ram_clock_to_out = 5.70 + 0.75;
    p.ram_registered_clock_to_out = 0.60 + 0.75;
    p.luts_per_ram = 83640.0 / 208;
    p.luts_per_memory_lut = 2;
    p.multiplier = 3.93 + 0.75;
    p.multiplier_in = p.multiplier;   // no register inside in this flow: one behind it
    p.multiplier_out = p.clock_to_out;
    p.multiplier_a = 18;
    p.multiplier_b = 18;
    return p;
}

}  // namespace

double Part::product(int a_bits, int b_bits) const {
    int wide = std::max(a_bits, b_bits), narrow = std::min(a_bits, b_bits);
    // A few bits cost less in the fabric: rows of partial products, added in a tree.
    return narrow <= 4 ? lut + (narrow > 2 ? 2 : 1) * carry(wide + narrow) : multiplier;
}

// Of placed cores (nextpnr-ecp5): nets in one of 2,700 tables are 0.2 to 0.3 ns longer, for a part of which the other figures have slack; the worst one from one of 33 RAMs takes 2.0 to 2.5, of 61 3.0 to 4.1. Placement
// keeps together what belongs together, so nets grow with the tables' logarithm; RAMs stand where they are, and a core is as wide as the root of their number. Neighbouring lanes
// read one word, and pull it apart: at 4 pixels per clock nets from 16 and 20 RAMs take 2.2 ns.
Part crowded(Part p, const Crowd &c) {
    const double doublings = std::clamp(std::log2(c.luts / many.luts), 0.0, 3.0), rams = double(std::max<int64_t>(0, c.rams - few.rams));
    const double more = 0.10 * p.net * doublings, paths = c.luts * std::sqrt(double(c.lanes));
    p.spread = 0.27 * p.net * std::sqrt(rams);
    const double pulled = std::max(p.spread, std::min(p.spread * (1 + 0.55 * (c.lanes - 1)), 2 * p.net));
    p.clock_to_out += more;
    p.lut += more;
    p.carry_start += more;
    p.ram_clock_to_out += more + pulled;
    p.ram_registered_clock_to_out += more + pulled;
    p.excess = c.rams > many.rams ? 0 : most_excess * std::clamp((many.luts - paths) / (many.luts - few.luts), 0.0, 1.0);
    return p;
}

const Part &part(const std::string &family) {
    static const Part parts[] = {xc7(), xcup(), ecp5()};
    for (const Part &p : parts) {
        if (p.family == family) return p;
    }
    throw std::invalid_argument("unknown FPGA family \"" + family + "\": xc7, xcup or ecp5");
}

}  // namespace argent::hwgen
