#ifndef ARGENT_SIM_PINS_H
#define ARGENT_SIM_PINS_H

#include <cstdint>

class VerilatedContext;
class VerilatedFstC;

namespace argent::sim {

/** Where a model keeps the pins of one image's AXI4 port. Data, address and strobes as Verilator stores them (little
 *  endian, the width in bytes beside them). A read port leaves aw, w and b null; a write port ar and r. */
struct PortPins {
    const char *name = nullptr;
    bool writes = false;
    unsigned bus_bytes = 0;      // of a beat
    unsigned max_burst = 16;     // beats
    unsigned address_bytes = 4;  // of the address pin's storage
    unsigned strobe_bytes = 1;   // of the strobe pin's storage

    // ar or aw
    uint8_t *avalid = nullptr, *aready = nullptr, *alen = nullptr, *asize = nullptr, *aburst = nullptr, *acache = nullptr, *aprot = nullptr;
    const void *aaddr = nullptr;
    // r
    uint8_t *rvalid = nullptr, *rready = nullptr, *rlast = nullptr, *rresp = nullptr;
    void *rdata = nullptr;
    // w and b
    uint8_t *wvalid = nullptr, *wready = nullptr, *wlast = nullptr;
    const void *wdata = nullptr, *wstrb = nullptr;
    uint8_t *bvalid = nullptr, *bready = nullptr, *bresp = nullptr;
};

/** ... and of one image's AXI4-Stream port. Data and keep bits as Verilator stores them. */
struct StreamPins {
    const char *name = nullptr;
    bool writes = false;      // the accelerator is the source
    unsigned bus_bytes = 0;   // of a transfer, at most 1024
    uint8_t *tvalid = nullptr, *tready = nullptr, *tlast = nullptr, *tuser = nullptr;
    void *tdata = nullptr, *tkeep = nullptr;   // tkeep may be null: transfers are always whole
};

/** s_axi_control, clock, reset, interrupt, and what tells a launch's first clock and the one after its last. */
struct ControlPins {
    uint8_t *clk = nullptr, *rst_n = nullptr, *interrupt = nullptr, *begins = nullptr, *ends = nullptr;
    uint16_t *awaddr = nullptr, *araddr = nullptr;
    uint8_t *awprot = nullptr, *awvalid = nullptr, *awready = nullptr;
    uint32_t *wdata = nullptr, *rdata = nullptr;
    uint8_t *wstrb = nullptr, *wvalid = nullptr, *wready = nullptr;
    uint8_t *bresp = nullptr, *bvalid = nullptr, *bready = nullptr;
    uint8_t *arprot = nullptr, *arvalid = nullptr, *arready = nullptr;
    uint8_t *rresp = nullptr, *rvalid = nullptr, *rready = nullptr;
};

/** A FIFO between two of the accelerator's own parts. No pins: nets inside of the model, which the watchdog looks at. */
struct ChannelNets {
    const char *name = nullptr;              // of the Func whose elements it holds
    const char *writer = nullptr, *reader = nullptr;
    const uint8_t *valid = nullptr;          // it has a word
    const uint8_t *writer_wait_in = nullptr, *writer_wait_out = nullptr;   // for an input, for room
    const uint8_t *reader_wait_in = nullptr;                               // for an input, this one or another
};

enum { max_ports = 32 };

struct Pins {
    ControlPins control;
    PortPins ports[max_ports];
    unsigned port_count = 0;
    StreamPins streams[max_ports];
    unsigned stream_count = 0;
    ChannelNets channels[max_ports];
    unsigned channel_count = 0;
    uint64_t clocks_of_block = 0;   // that a launch of the largest block takes; 0: not known
};

/** What the generated glue (Glue.h) knows of a Verilated model. */
struct ModelFunctions {
    void *(*create)(VerilatedContext *context);
    void (*destroy)(void *model);
    void (*bind)(void *model, Pins *pins);
    void (*eval)(void *model);
    void (*trace)(void *model, VerilatedFstC *file);   // null: the model has no waveforms
};


}  // namespace argent::sim

struct argent_sim_model;

/** Fills in the C table of a model; `name` and `functions` must stay. Called by the glue's constructor. */
void argent_sim_make_model(argent_sim_model *model, const char *name, const argent::sim::ModelFunctions *functions);

#endif
