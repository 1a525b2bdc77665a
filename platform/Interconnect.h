#ifndef ARGENT_PLATFORM_INTERCONNECT_H
#define ARGENT_PLATFORM_INTERCONNECT_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <vector>

#include "platform/Board.h"

namespace argent::platform {

enum { max_slots = 8, slot_ports = 32, slot_bytes = 0x10000 };

/** Routes and arbitrates: the processor's accesses to the accelerators (64 KiB of addresses each), and the accelerators' bursts to the memory.
 *
 *  A board has some memory ports, each with a channel for reading and one for writing of `port_bytes` per clock. The images' ports are dealt to
 *  them in turn, readers and writers each by themselves. Bursts go to the memory one at a time, round robin over the channels, and round robin
 *  over the images that share one; the data of a channel follow each other. */
class Interconnect : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Interconnect> processor;
    std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket<Interconnect>>> controls;     // a slot each
    std::vector<std::unique_ptr<tlm_utils::simple_target_socket_tagged<Interconnect>>> masters;  // slot * slot_ports + port
    tlm_utils::simple_initiator_socket<Interconnect> memory;

    explicit Interconnect(sc_core::sc_module_name name);

    void configure(const Board &board);
    /** An image's port comes, or goes. Returns the board's port. */
    int connect(unsigned slot, unsigned port, bool writes);
    void disconnect(unsigned slot);

    struct Channel {
        bool writes = false;
        int port = 0;
        std::vector<unsigned> masters;
        size_t next = 0;    // of the masters
        uint64_t free = 0;  // ps
        uint64_t bytes = 0;
        double busy_s = 0;
    };
    const std::vector<Channel> &channels() const { return channel_list; }

private:
    struct Master {
        int channel = -1;
        std::deque<tlm::tlm_generic_payload *> waiting;
    };
    struct Request {
        unsigned master = 0;
        tlm::tlm_generic_payload *burst = nullptr;
    };

    void route(tlm::tlm_generic_payload &access, sc_core::sc_time &delay);
    tlm::tlm_sync_enum forward(int master, tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_core::sc_time &delay);
    void arbitrate();
    bool next(Request &request);
    void answer(const Request &request, sc_core::sc_time delay);
    Channel &channel_for(bool writes);

    Board board;
    std::vector<Master> master_list;
    std::vector<Channel> channel_list;
    size_t turn = 0;  // of the channels
    bool memory_full = false;
    Request in_memory;  // the one that waits for room
};

}  // namespace argent::platform

#endif
