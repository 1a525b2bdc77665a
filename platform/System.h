#ifndef ARGENT_PLATFORM_SYSTEM_H
#define ARGENT_PLATFORM_SYSTEM_H

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "argent_sim.h"
#include "platform/Accelerator.h"
#include "platform/Board.h"
#include "platform/Cpu.h"
#include "platform/Ddr.h"
#include "platform/Figures.h"
#include "platform/Interconnect.h"
#include "platform/Intervals.h"
#include "platform/Timeline.h"

namespace argent::platform {

/** The board: modules and wires, the program's calls into it, and its time.
 *
 *  SystemC is one simulation per process, and takes no modules once it runs. So there is one System with places for accelerators; a board is put
 *  in when the first device is opened, and another one when all are closed.
 *
 *  Time. The program runs on this machine. Between two calls of a thread its processor time passes on the board too, `slowdown` times as long; in
 *  a call the board's own time passes. Threads have each a time of their own (as initiators of TLM), which is the board's when a thread uses an
 *  accelerator: until then it may be behind, having computed while another one waited, or ahead. A thread that waits for another one says so (`after`).
 *
 *  Calls come from any thread, one at a time. */
class System {
public:
    static System &get();

    /** A place on that board; throws NoBoard. */
    unsigned reserve(const std::string &uri);
    void release(unsigned slot);
    /** A frame of the application begins or ends in this thread. Throws NoBoard. */
    void frame(const std::string &uri, bool begins);
    /** This thread computes for so long. Throws NoBoard. */
    void compute(const std::string &uri, double seconds);
    /** This thread's time, in ps; and it has waited for that. Throw NoBoard. */
    uint64_t time(const std::string &uri);
    void after(const std::string &uri, uint64_t ps);
    /** The timeline of the last frame, or of all, as JSON. */
    std::string timeline();

    bool open(unsigned slot, const argent_sim_model &model, const argent_sim_settings &settings);
    void close(unsigned slot);
    /** Runs this on the harness, between two clocks. */
    int perform(unsigned slot, const std::function<int(Accelerator &)> &what);
    /** Only looks, and takes no time. */
    template<typename Look>
    auto look(unsigned slot, Look what) {
        std::lock_guard<std::mutex> guard(lock);
        return what(const_cast<const Accelerator &>(*places[slot]));
    }
    int access(unsigned slot, bool writes, uint32_t offset, uint32_t *value);
    /** Lets at most so many clocks pass; as argent_sim_model::run. */
    int run(unsigned slot, uint64_t clocks);

private:
    struct Entry;
    struct Visit;
    System();
    void use(const std::string &uri);
    void advance(uint64_t until, const std::function<bool()> &enough);
    /** Runs this, the driver's work, or its waiting. */
    void drive(const std::function<void()> &what, bool is_work = true);
    /** This thread computes from `begin` on, in its own time. */
    void computes(uint64_t begin, uint64_t end);
    std::string lane();
    double running_time() const;
    void activity(unsigned slot, int change);
    Figures figures() const;
    void finish_report();

    std::mutex lock;
    std::unique_ptr<Cpu> cpu;
    std::unique_ptr<Interconnect> interconnect;
    std::unique_ptr<Ddr> ddr;
    std::vector<std::unique_ptr<Accelerator>> places;
    std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> interrupts;

    std::string uri;
    Board board;
    bool reserved[max_slots] = {};
    uint64_t generation = 0;                       // of boards; a thread's past on another one does not count
    std::vector<std::vector<std::string>> images;  // of the channels
    uint64_t began = 0;                            // ps, of this board
    int active = 0;
    uint64_t active_since = 0;
    double active_before = 0;
    Intervals ran, driven, computed;  // accelerators; the driver; the program
    Figures retired;           // counts of accelerators that were closed
    Figures measured, before;  // of the frames that have ended; when this one began
    bool in_frame = false;
    Timeline now_doing;
    std::string last_frame;    // of the timeline
    uint64_t launched[max_slots] = {};  // ps: when the launch began that runs
};

}  // namespace argent::platform

#endif
