#ifndef ARGENT_HWGEN_IR_PART_H
#define ARGENT_HWGEN_IR_PART_H

#include <cstdint>
#include <string>

namespace argent::hwgen {

/** The figures of a Part are good to some percent: paths may be up to so much longer than the period where that saves registers. */
constexpr double most_excess = 0.12;

/** What the pipeline pass knows of an FPGA family: delays in ns, each with the usual piece of routing behind it.
 *  Figures of the slowest speed grade on sale. Sources stand in Part.cpp; they are for choosing register positions,
 *  not for signing off a clock. */
struct Part {
    std::string family;          // "xc7", "xcup", "ecp5"

    double net = 0;              // the usual piece of routing
    double clock_to_out = 0;     // flip-flop, clock to its output and on into the fabric
    double setup = 0;            // flip-flop, clock skew included
    double set = 0;              // more where a table tells its set or reset, as that stands elsewhere
    double lut = 0;              // one look-up table and the net to the next
    int lut_inputs = 6;
    double wide_input = 0;       // what a fifth and a sixth input of one add, each
    double carry_start = 0;      // into a carry chain, out of it, and the net to the next: an adder of no bits
    double carry_per_bit = 0;
    double absorbed = 0;         // what a bitwise operand in an adder's own tables adds to it,
    double absorbed_wide = 0;    // and each bit but three of which one of its bits is made

    double ram_clock_to_out = 0;             // block RAM without its output register, net included
    double ram_registered_clock_to_out = 0;  // block RAM with it
    double spread = 0;                       // what a net takes more that reaches block RAMs all over the part, of a core with many of them

    int ram_address_bits = 14;               // of a block RAM (18 Kbit) whose words are one bit wide

    double excess = most_excess; // less in a crowd
    double luts_per_ram = 0;     // look-up tables to each 18 Kbit of block RAM: what one is worth
    double luts_per_memory_lut = 1;  // ... to each that can be memory

    double multiplier = 0;       // one hard multiplier without its registers, nets included
    double multiplier_in = 0;    // from its ports to the register behind the product
    double multiplier_out = 0;   // from that register out of it, nets included
    int multiplier_a = 0;        // widths of its operands, sign included: a >= b
    int multiplier_b = 0;
    int multiplier_ranks = 0;    // registers that it has for each operand
    int accumulator_bits = 0;    // of the adder behind the product, sign included; 0: none

    /** Delay of a product that one hard multiplier makes (SplitProducts.h), or of operands of a few bits. */
    double product(int a_bits, int b_bits) const;
    /** Delay of adding or comparing numbers of so many bits. */
    double carry(int bits) const { return carry_start + bits * carry_per_bit; }
    /** Whether this is a part as a large core sees it (crowded()). */
    bool is_crowded() const { return excess <= 0; }
};

/** The part of a family; throws std::invalid_argument for an unknown one (boards are checked before). */
const Part &part(const std::string &family);

/** What makes nets longer than the usual piece. */
struct Crowd {
    double luts = 0;    // of a lane of the core's datapaths, as a lane has hardly more to do with others than a core of one lane
    int64_t rams = 0;   // of the accelerator, 18 Kbit each
    int lanes = 1;
};
/** A core with no more than this is one of those that the figures are fitted to; one with more than `many` is crowded. */
constexpr Crowd few = {1000, 12}, many = {1300, 22};

/** The part as a core in such a crowd sees it. Beyond many.luts its nets are longer, beyond few.rams those from RAMs, as they stand in columns all over it; and of
 *  its many paths one is sure to be as long as it may be, so where there are more than few.luts tables, those of a lane times the root of the lanes, paths may exceed the
 *  period by less, and in a crowd by nothing. */
Part crowded(Part, const Crowd &);

}  // namespace argent::hwgen

#endif
