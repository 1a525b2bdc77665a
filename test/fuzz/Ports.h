#ifndef ARGENT_FUZZ_PORTS_H
#define ARGENT_FUZZ_PORTS_H

#include <cstdint>

/** The top module of a model as plain pointers: what the generated glue tells the driver. */
namespace argent::fuzz {

constexpr int most_inputs = 3, most_params = 24, most_places = 18, most_data_bits = 2048;

/** Bits of the word `status` of an instance. */
enum Status { STATUS_BUSY = 1, STATUS_WAIT_IN = 2, STATUS_WAIT_OUT = 4, STATUS_VALID = 8, STATUS_READY = 16 };

struct Ports {
    void *model;
    void (*eval)(void *model);
    void (*close)(void *model);
    // Inputs of all instances; each takes them over at the falling edge of its own clock.
    uint8_t *rst, *start, *in_valid, *out_ready;
    uint32_t *width, *height, *min_x, *min_y;
    uint64_t *params[most_params];
    uint32_t *places[most_places];   // CoreInfo::places
    uint32_t *data[most_inputs];
    struct Instance {
        uint8_t *clk;
        uint32_t *status;   // STATUS_READY << i: of input i
        uint32_t *data;     // of the output
    } instances[256];
};

}  // namespace argent::fuzz

#endif
