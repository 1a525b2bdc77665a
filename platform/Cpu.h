#ifndef ARGENT_PLATFORM_CPU_H
#define ARGENT_PLATFORM_CPU_H

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

#include "platform/Board.h"
#include "platform/Interconnect.h"

namespace argent::platform {

/** The processor as the fabric sees it: the driver's register accesses, one at a time, and the accelerators' interrupts. The program itself runs
 *  on this machine's processor; System turns its time into the board's. */
class Cpu : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<Cpu> bus;
    sc_core::sc_in<bool> interrupts[max_slots];

    explicit Cpu(sc_core::sc_module_name name);

    void configure(const Board &board) { register_ns = board.cpu.register_ns; }
    /** Begins an access to a register of the fabric; `done` is called with whether it went well. */
    void access(bool writes, uint64_t address, uint32_t *value, std::function<void(bool)> done);

    /** Called when an interrupt comes. */
    std::function<void()> on_interrupt;

private:
    void execute();
    void interrupted();

    struct Access {
        bool writes = false;
        uint64_t address = 0;
        uint32_t *value = nullptr;
        std::function<void(bool)> done;
    } wanted;
    double register_ns = 0;
    sc_core::sc_event go;
};

}  // namespace argent::platform

#endif
