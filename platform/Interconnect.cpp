#include "platform/Interconnect.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/Burst.h"

namespace argent::platform {

using sc_core::sc_time;

Interconnect::Interconnect(sc_core::sc_module_name name)
    : sc_module(name), processor("processor"), memory("memory"), master_list(max_slots * slot_ports) {
    processor.register_b_transport(this, &Interconnect::route);
    memory.register_nb_transport_bw(this, &Interconnect::backward);
    for (int s = 0; s < max_slots; s++)
        controls.push_back(std::make_unique<tlm_utils::simple_initiator_socket<Interconnect>>(fmt::format("control_{}", s).c_str()));
    for (int m = 0; m < max_slots * slot_ports; m++) {
        masters.push_back(std::make_unique<tlm_utils::simple_target_socket_tagged<Interconnect>>(fmt::format("master_{}", m).c_str()));
        masters.back()->register_nb_transport_fw(this, &Interconnect::forward, m);
    }
}

void Interconnect::configure(const Board &b) {
    board = b;
    channel_list.clear();
    for (Master &m : master_list) m = Master();
    turn = 0;
    memory_full = false;
}

/** Of the board's channels the one with the fewest images; a new one as long as the board has more ports. */
Interconnect::Channel &Interconnect::channel_for(bool writes) {
    Channel *least = nullptr;
    int count = 0;
    for (Channel &c : channel_list) {
        if (c.writes != writes) continue;
        count++;
        if (least == nullptr || c.masters.size() < least->masters.size()) least = &c;
    }
    if (least != nullptr && (least->masters.empty() || (board.ports != 0 && count >= board.ports))) return *least;
    Channel c;
    c.writes = writes;
    c.port = count;
    channel_list.push_back(c);
    return channel_list.back();
}

int Interconnect::connect(unsigned slot, unsigned port, bool writes) {
    const unsigned m = slot * slot_ports + port;
    Channel &c = channel_for(writes);
    c.masters.push_back(m);
    master_list[m].channel = int(&c - channel_list.data());
    return c.port;
}

void Interconnect::disconnect(unsigned slot) {
    for (unsigned m = slot * slot_ports; m < (slot + 1) * slot_ports; m++) {
        if (master_list[m].channel < 0) continue;
        auto &of = channel_list[size_t(master_list[m].channel)].masters;
        of.erase(std::find(of.begin(), of.end(), m));
        for (auto *burst : master_list[m].waiting) burst->release();
        master_list[m] = Master();
    }
}

void Interconnect::route(tlm::tlm_generic_payload &access, sc_time &delay) {
    const uint64_t address = access.get_address();
    if (address / slot_bytes >= max_slots) {
        access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    access.set_address(address % slot_bytes);
    (*controls[address / slot_bytes])->b_transport(access, delay);
    access.set_address(address);
}

tlm::tlm_sync_enum Interconnect::forward(int master, tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_time &) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    burst.acquire();
    master_list[size_t(master)].waiting.push_back(&burst);
    arbitrate();
    return tlm::TLM_ACCEPTED;
}

bool Interconnect::next(Request &request) {
    for (size_t i = 0; i < channel_list.size(); i++) {
        const size_t k = (turn + i) % channel_list.size();
        Channel &c = channel_list[k];
        for (size_t j = 0; j < c.masters.size(); j++) {
            const size_t at = (c.next + j) % c.masters.size();
            auto &waiting = master_list[c.masters[at]].waiting;
            if (waiting.empty()) continue;
            request = {c.masters[at], waiting.front()};
            waiting.pop_front();
            c.next = (at + 1) % c.masters.size();
            turn = (k + 1) % channel_list.size();
            return true;
        }
    }
    return false;
}

void Interconnect::arbitrate() {
    Request request;
    while (!memory_full && next(request)) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay;
        if (memory->nb_transport_fw(*request.burst, phase, delay) == tlm::TLM_COMPLETED) {
            answer(request, delay);
        } else {
            memory_full = true;
            in_memory = request;
        }
    }
}

tlm::tlm_sync_enum Interconnect::backward(tlm::tlm_generic_payload &, tlm::tlm_phase &, sc_time &delay) {
    memory_full = false;
    answer(in_memory, delay);
    arbitrate();
    return tlm::TLM_COMPLETED;
}

/** The memory's answer, no sooner than the channel can move the data. */
void Interconnect::answer(const Request &request, sc_time delay) {
    Master &m = master_list[request.master];
    auto &burst = static_cast<Burst &>(*request.burst);
    if (m.channel >= 0 && board.ports != 0) {
        Channel &c = channel_list[size_t(m.channel)];
        const uint64_t now = sc_core::sc_time_stamp().value();
        const double clock_ps = 1e6 / board.clock_mhz;
        const unsigned bytes = burst.get_data_length(), clocks = (bytes + unsigned(board.port_bytes) - 1) / unsigned(board.port_bytes);
        const uint64_t moving = uint64_t(clocks * clock_ps), arrival = now + delay.value();
        c.bytes += bytes;
        c.busy_s += double(moving) * 1e-12;
        // A write's data have come with the request; a read's begin with the answer. A bus that is wider than the port shows its first beat when the
        // others will follow without a gap.
        const uint64_t begin = std::max(c.writes ? now - std::min(now, moving) : arrival, c.free);
        c.free = begin + moving;
        const auto wide = uint64_t(clocks > burst.beats ? (clocks - burst.beats) * clock_ps : 0);
        delay = sc_time(double((c.writes ? std::max(arrival, c.free) : begin + wide) - now), sc_core::SC_PS);
    } else if (m.channel >= 0) {
        channel_list[size_t(m.channel)].bytes += burst.get_data_length();
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    (*masters[request.master])->nb_transport_bw(burst, phase, delay);
    burst.release();
}

}  // namespace argent::platform
