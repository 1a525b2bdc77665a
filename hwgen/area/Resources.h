#ifndef ARGENT_HWGEN_AREA_RESOURCES_H
#define ARGENT_HWGEN_AREA_RESOURCES_H

namespace argent::hwgen {

/** Cells of an FPGA, as a synthesis tool counts them. */
struct Resources {
    double lut = 0;      // look-up tables as logic; inverters are none
    double srl = 0;      // ... as shift registers
    double lutram = 0;   // ... as memory
    double ff = 0;
    double bram18 = 0;   // blocks of 18 kbit
    double dsp = 0;

    Resources &operator+=(const Resources &o) {
        lut += o.lut, srl += o.srl, lutram += o.lutram, ff += o.ff, bram18 += o.bram18, dsp += o.dsp;
        return *this;
    }
    double all_luts() const { return lut + srl + lutram; }
};

}  // namespace argent::hwgen

#endif
