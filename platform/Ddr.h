#ifndef ARGENT_PLATFORM_DDR_H
#define ARGENT_PLATFORM_DDR_H

#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <vector>

#include "platform/Board.h"

namespace argent::platform {

/** The board's memory and its controller: a queue, one data bus, banks with an open row each, refresh.
 *
 *  A burst is begun in the order of its coming, as soon as the bus is free and its row is open; rows are opened while others move data. It takes
 *  the bus for its bytes, and for the turnaround where the direction changes. A request that finds room in the queue is answered at once
 *  (TLM_COMPLETED) with the delay of its first data, or of a write's response; otherwise by BEGIN_RESP when there is room, with the same delay.
 *  The one who asks has one such request at a time. Ideal memory has the latencies of sim: and nothing else. */
class Ddr : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Ddr> bus;

    explicit Ddr(sc_core::sc_module_name name);

    /** Another board, or the same anew: nothing is open and nothing waits. */
    void configure(const Board &board);

    struct Counts {
        uint64_t bursts = 0, row_misses = 0, bytes_read = 0, bytes_written = 0;
        double busy_s = 0;  // the bus moved data, or nothing could because of rows, turnaround or refresh
    };
    const Counts &counts() const { return count; }

private:
    struct Bank {
        uint64_t row = ~uint64_t(0), free = 0;
    };
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    /** Takes a burst on; the delay of its first data or response, from now. */
    sc_core::sc_time serve(const tlm::tlm_generic_payload &burst);
    Bank &bank_of(uint64_t row);
    uint64_t open_row(uint64_t address, uint64_t now);
    uint64_t end_of(uint64_t &start, uint64_t length);
    void has_room();

    uint64_t ps(double ns) const { return uint64_t(ns * 1000 + 0.5); }

    Board board;
    Counts count;
    std::vector<Bank> banks;
    std::deque<uint64_t> begins;  // of the bursts in the queue, ps
    uint64_t bus_free = 0, next_refresh = 0;
    bool last_write = false;
    tlm::tlm_generic_payload *held = nullptr;
    sc_core::sc_event room;
};

}  // namespace argent::platform

#endif
