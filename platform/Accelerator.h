#ifndef ARGENT_PLATFORM_ACCELERATOR_H
#define ARGENT_PLATFORM_ACCELERATOR_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "argent_sim.h"
#include "platform/Board.h"
#include "platform/Burst.h"

namespace argent::platform {

/** A place in the fabric: a Verilator model in the harness of sim/ (its pins, checks and verdicts), whose clocks are SystemC's and whose memory
 *  is the board's. Modules cannot come once SystemC runs, so the places are there from the start, and a model is put into one.
 *
 *  All that the harness does happens in one SystemC thread, `live`: launches clock by clock, register accesses, and what others want done
 *  (`post`). */
class Accelerator : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Accelerator> control;                                         // registers, 32 bits each
    std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket_tagged<Accelerator>>> memory;  // the images' ports
    sc_core::sc_out<bool> interrupt{"interrupt"};

    explicit Accelerator(sc_core::sc_module_name name);

    /** Puts a model in; false: out of memory. */
    bool open(const argent_sim_model &model, const argent_sim_settings &settings, const Board &board);
    /** Takes it out. Not while `live` is at work on it: from a posted job. */
    void close();
    /** A pulse on the reset pin, from a posted job; what has been asked of the memory is nobody's then. */
    int reset(bool fresh);
    /** What the harness said of the last register access. */
    int access_code() const { return code; }

    /** Has `live` do this between two clocks. One at a time; `done` is called when it has been done. */
    void post(std::function<void()> job, std::function<void()> done);
    /** Goes on with a launch, or with looking for its end. */
    void resume();
    /** 0: the launch goes on. Otherwise what the harness said of its end (1: the driver should look), once. */
    int take_news();
    bool has_news() const { return news != 0; }
    bool interrupts() const { return news == 1; }
    uint64_t news_since() const { return news_at; }  // ps

    struct Counts {
        uint64_t launches = 0, clocks = 0, stalls_in = 0, stalls_out = 0;
    };
    const Counts &counts() const { return count; }

    /** Told when a launch begins (1) and when it has ended (-1). */
    std::function<void(int)> on_activity;
    /** ... and of each burst of a port: when it was asked for, and when its data, or its response, will have come (ps). */
    std::function<void(const std::string &port, bool writes, uint64_t begin, uint64_t end)> on_burst;

    const argent_sim_model *model = nullptr;
    void *simulation = nullptr;

private:
    void live();
    void transport(tlm::tlm_generic_payload &access, sc_core::sc_time &delay);
    void note(bool writes, uint32_t offset, uint32_t value);
    int clock();
    void ask(uint32_t port, bool writes, uint64_t address, uint32_t beats, uint32_t bytes);
    tlm::tlm_sync_enum backward(int port, tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void launch(bool begins);

    argent_sim_world world{};
    BurstPool pool;
    std::vector<std::string> port_names;
    sc_core::sc_event wake;
    std::function<void()> job, job_done;
    uint64_t period = 1, edge = 0;  // ps: of a clock; when the clock begins that the harness counts as its `time`
    uint64_t life = 0;              // counts resets: bursts of an earlier one are nobody's
    bool running = false;  // clocks are counted: a launch is in flight, or somebody waits for one
    bool begun = false;    // a launch runs
    unsigned unread = 0;   // launches that have ended, and whose counters the driver has not read
    uint64_t news_at = 0;
    int news = 0, later = 0, code = 0;  // of a failure while there are other news: later
    Counts count;
};

}  // namespace argent::platform

#endif
