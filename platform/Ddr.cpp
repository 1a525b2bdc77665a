#include "platform/Ddr.h"

#include <algorithm>

#include "argent_sim.h"

namespace argent::platform {

using sc_core::sc_time;

namespace {

uint64_t now_ps() { return sc_core::sc_time_stamp().value(); }

}  // namespace

Ddr::Ddr(sc_core::sc_module_name name) : sc_module(name), bus("bus") {
    bus.register_nb_transport_fw(this, &Ddr::forward);
    SC_HAS_PROCESS(Ddr);
    SC_METHOD(has_room);
    sensitive << room;
    dont_initialize();
}

void Ddr::configure(const Board &b) {
    board = b;
    count = Counts();
    banks.assign(size_t(b.ddr.banks), Bank());
    begins.clear();
    bus_free = now_ps();
    next_refresh = now_ps() + ps(b.ddr.refresh_interval_ns);
    last_write = false;
    held = nullptr;
    room.cancel();
}

/** Neighbouring rows lie in different banks, and so do rows that are a power of two apart: otherwise images, whose addresses are multiples of 1
 *  MiB here, would always meet in one bank. (Permutation-based interleaving; controllers do it too.) */
Ddr::Bank &Ddr::bank_of(uint64_t row) {
    uint64_t bank = 0;
    for (uint64_t r = row; r != 0 && banks.size() > 1; r /= banks.size()) bank += r % banks.size();
    return banks[bank % banks.size()];
}

/** When the row of this address can be used. */
uint64_t Ddr::open_row(uint64_t address, uint64_t now) {
    const uint64_t row = address / uint64_t(board.ddr.row_bytes);
    Bank &bank = bank_of(row);
    uint64_t ready = std::max(now, bank.free);
    if (bank.row != row) {
        count.row_misses++;
        ready += ps(board.ddr.row_miss_ns);
        bank.row = row;
    }
    return ready;
}

/** When a transfer of this length ends that begins at `start`, which is put off by a refresh that is going on; later ones interrupt it. All rows are
 *  closed then. Refreshes that fell into idle time have done no other harm. */
uint64_t Ddr::end_of(uint64_t &start, uint64_t length) {
    const uint64_t interval = ps(board.ddr.refresh_interval_ns), duration = ps(board.ddr.refresh_ns);
    if (next_refresh + interval < start) next_refresh += (start - next_refresh) / interval * interval;
    uint64_t end = start + length;
    for (; next_refresh < end; next_refresh += interval) {
        const uint64_t over = next_refresh + duration;
        if (next_refresh <= start) {
            start = std::max(start, over);
            end = start + length;
        } else {
            end += duration;
        }
        for (Bank &b : banks) b = {~uint64_t(0), over};
    }
    return end;
}

sc_time Ddr::serve(const tlm::tlm_generic_payload &burst) {
    const uint64_t now = now_ps();
    const bool writes = burst.is_write();
    const unsigned bytes = burst.get_data_length();
    count.bursts++;
    (writes ? count.bytes_written : count.bytes_read) += bytes;
    const double clock_ps = 1e6 / board.clock_mhz;
    if (board.ddr.ideal) return sc_time((writes ? ARGENT_SIM_WRITE_LATENCY : ARGENT_SIM_READ_LATENCY) * clock_ps, sc_core::SC_PS);

    const auto length = uint64_t(bytes * 1e12 / board.ddr.bytes_per_second + 0.5);
    const uint64_t free_before = std::max(now, bus_free);
    uint64_t start = bus_free + (writes != last_write ? ps(board.ddr.turnaround_ns) : 0);
    start = std::max({start, now, open_row(burst.get_address(), now)});
    bus_free = end_of(start, length);
    last_write = writes;
    bank_of(burst.get_address() / uint64_t(board.ddr.row_bytes)).free = bus_free;
    begins.push_back(start);
    count.busy_s += double(bus_free - free_before) * 1e-12;
    if (writes) return sc_time(double(bus_free - now) + double(ps(board.ddr.write_latency_ns)), sc_core::SC_PS);
    // Where the memory is slower than a port, the first beat waits until the others follow at the port's pace.
    const double port_ps = double(bytes) / board.port_bytes * clock_ps;
    const double wait_for_pace = std::max(0.0, double(length) - port_ps);
    return sc_time(double(start - now) + double(ps(board.ddr.read_latency_ns)) + wait_for_pace, sc_core::SC_PS);
}

tlm::tlm_sync_enum Ddr::forward(tlm::tlm_generic_payload &burst, tlm::tlm_phase &phase, sc_time &delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;  // END_RESP: nothing is left to do
    while (!begins.empty() && begins.front() <= now_ps()) begins.pop_front();
    if (begins.size() >= size_t(board.ddr.queue)) {
        sc_assert(held == nullptr);
        held = &burst;
        room.notify(sc_time(double(begins.front() - now_ps()), sc_core::SC_PS));
        return tlm::TLM_ACCEPTED;
    }
    delay += serve(burst);
    burst.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
}

void Ddr::has_room() {
    if (held == nullptr) return;
    tlm::tlm_generic_payload &burst = *held;
    held = nullptr;
    begins.pop_front();
    sc_time delay = serve(burst);
    burst.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    bus->nb_transport_bw(burst, phase, delay);
}

}  // namespace argent::platform
