#ifndef ARGENT_HWGEN_CLOCKS_REFERENCE_MEMORY_H
#define ARGENT_HWGEN_CLOCKS_REFERENCE_MEMORY_H

/** \file
 * The memory on which clocks are predicted and measured. The simulation harness has the same one.
 *
 * Each port is alone. ARREADY, AWREADY and WREADY are always 1. A read burst that is accepted in clock t gives its first
 * beat in clock t + READ_LATENCY, or right behind the last beat of the burst before it, whichever is later; then a beat in
 * every clock, in order. The response of a write burst is valid WRITE_LATENCY clocks after its last W beat was accepted.
 *
 * Streams: a DMA engine that is started with the accelerator. Its sources show the first transfer READ_LATENCY clocks after the
 * start pulse, and from then on one in every clock until the frame is sent; TREADY of its sinks is always 1. */
namespace argent::hwgen::clocks {

constexpr int READ_LATENCY = 20;  // clocks
constexpr int WRITE_LATENCY = 10; // clocks

} // namespace argent::hwgen::clocks

#endif
