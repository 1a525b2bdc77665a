#include "hwgen/area/Capacity.h"

namespace argent::hwgen {

std::optional<Resources> capacity_of(const std::string &part) {
    struct Size {
        const char *prefix;
        int lut, ff, bram18, dsp;
    };
    static const Size sizes[] = {
        {"xc7z020", 53200, 106400, 280, 220},     // DS190
        {"xczu7ev", 230400, 460800, 624, 1728},   // DS891; without UltraRAM
        {"LFE5U-85F", 83640, 83640, 208, 156},    // FPGA-DS-02012; tables of four inputs
    };
    for (const Size &s : sizes) {
        if (part.rfind(s.prefix, 0) != 0) continue;
        Resources r;
        r.lut = s.lut, r.ff = s.ff, r.bram18 = s.bram18, r.dsp = s.dsp;
        return r;
    }
    return std::nullopt;
}

}  // namespace argent::hwgen
