#ifndef ARGENT_HWGEN_IR_BOARD_H
#define ARGENT_HWGEN_IR_BOARD_H

#include <string>

namespace argent::hwgen {

/** What the compiler needs to know of a board; read from boards/<name>.toml by boards/Load.h. */
struct Board {
    std::string name;          // pynq-z2
    std::string part;          // xc7z020clg400-1
    std::string family;        // xc7, xcup or ecp5: the delay model of Part.h
    double clock_mhz = 100;    // of the accelerator, unless clock() says otherwise
    int port_bytes = 8;        // widest data bus of a memory port
    int address_bits = 32;     // that the memory ports drive
    int ports = 4;             // memory ports that the board offers
    int block_ram_kbit = 5040; // of the part
};

}  // namespace argent::hwgen

#endif
