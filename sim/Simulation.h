#ifndef ARGENT_SIM_SIMULATION_H
#define ARGENT_SIM_SIMULATION_H

#include <memory>
#include <string>
#include <vector>

#include "Memory.h"
#include "argent_sim_pins.h"
#include "Ports.h"
#include "Streams.h"
#include "argent_sim.h"

class VerilatedContext;
class VerilatedFstC;

namespace argent::sim {

/** One verilated accelerator, the memory behind its ports and the host's side of its registers.
 *
 *  A clock: the inputs are driven from what happened in the clocks before, the model settles (clock low), transfers are those
 *  channels whose valid and ready are both high then, and the rising edge takes them. */
class Simulation {
public:
    Simulation(const ModelFunctions &functions, const argent_sim_settings &settings);
    ~Simulation();
    Simulation(const Simulation &) = delete;

    /** A pulse on the reset pin; `fresh`: of a new model, whose registers hold other random values. */
    int reset(bool fresh);
    void set_mappings(const argent_mapping *list, size_t count);
    int arm(const argent_sim_settings &settings, const argent_window *windows, size_t count);
    /** What the DMA engine moves in the launch to come. */
    int transfer(const argent_window *boxes, size_t count);
    int read(uint32_t offset, uint32_t *value);
    int write(uint32_t offset, uint32_t value);
    int run(uint64_t clocks);
    int counter(argent_count which, uint64_t *value);
    int port(uint32_t index, argent_sim_port_counts *out);
    uint64_t time() const { return now; }
    /** Launches that were started and have not ended. */
    unsigned launches() const { return in_flight; }
    const char *text() const { return findings.text.c_str(); }
    /** Time and memory are somebody else's from now on; null: one's own again. */
    void attach(const argent_sim_world *w);
    void answer(uint32_t port, uint64_t clock);

private:
    void make_model();
    void free_model();
    template<bool Slow, bool Traced> void clock();
    template<bool Slow, bool Traced> int run_loop(uint64_t clocks);
    /** One clock of any kind. */
    void step();
    int transact(bool write, uint32_t offset, uint32_t *value);
    void check_control();
    void apply(const argent_sim_settings &settings, const argent_window *windows, size_t count);
    void look_at_launches();
    int end_of_run(int code);
    uint64_t patience(const argent_sim_settings &) const;
    std::string waits() const;
    void open_trace(const argent_sim_settings &settings);
    void close_trace();

    const ModelFunctions &functions;
    std::unique_ptr<VerilatedContext> context;
    void *model = nullptr;
    Pins pins;
    Findings findings;
    std::vector<std::unique_ptr<ReadPort>> readers;
    std::vector<std::unique_ptr<WritePort>> writers;
    std::vector<std::unique_ptr<SourcePort>> sources;
    std::vector<std::unique_ptr<SinkPort>> sinks;
    std::vector<Endpoint *> ports;  // in the order of the manifest
    const argent_mapping *mappings = nullptr;
    size_t mapping_count = 0;

    uint64_t now = 0;          // clocks since the model was first made
    // The accelerator takes two launches, and says on two pins when one begins and ends.
    uint64_t started = 0;      // the clock before the first of the launch that runs; or in which its start was written, until it begins
    unsigned in_flight = 0;
    bool begun = false;        // the first of them
    uint64_t ended = 0;        // launches, since the reset
    uint64_t told_ends = 0;    // of them, those of which an interrupt has told
    struct Moved {
        uint64_t read = 0, written = 0;
    } moved[2];                // bytes of the last two that have ended; [launch % 2]
    struct Armed {             // of the launch that waits
        bool is_there = false;
        argent_sim_settings settings{};
        std::vector<argent_window> windows;
        std::vector<std::string> names;
    } next;
    Moved moved_now() const;
    bool slow = false;
    const argent_sim_world *world = nullptr;
    bool interrupted = false;  // the world asks for control
    bool told = false;         // the interrupt is on, and the world knows
    uint64_t next_look = 0;    // when to look for an end that no interrupt told of
    uint64_t models = 0;       // made so far
    uint64_t seed = 1, watchdog = 0;
    unsigned stalls = 0;
    Random random;
    int reads_owed = 0, writes_owed = 0;  // answers on s_axi_control

    std::unique_ptr<VerilatedFstC> trace;
    std::string trace_name;
    uint64_t trace_from = 0, trace_to = 0;
};

}  // namespace argent::sim

#endif
