#include "platform/Cpu.h"

#include <utility>

namespace argent::platform {

using sc_core::sc_time;

Cpu::Cpu(sc_core::sc_module_name name) : sc_module(name), bus("bus") {
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(execute);
    SC_METHOD(interrupted);
    for (auto &i : interrupts) sensitive << i.pos();
    dont_initialize();
}

void Cpu::access(bool writes, uint64_t address, uint32_t *value, std::function<void(bool)> done) {
    wanted = {writes, address, value, std::move(done)};
    go.notify(sc_core::SC_ZERO_TIME);
}

void Cpu::execute() {
    tlm::tlm_generic_payload access;
    for (;;) {
        wait(go);
        wait(sc_time(register_ns, sc_core::SC_NS));
        access.set_command(wanted.writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        access.set_address(wanted.address);
        access.set_data_ptr(reinterpret_cast<unsigned char *>(wanted.value));
        access.set_data_length(4);
        access.set_streaming_width(4);
        access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_time delay;
        bus->b_transport(access, delay);
        wait(delay);
        wanted.done(access.is_response_ok());
    }
}

void Cpu::interrupted() {
    if (on_interrupt) on_interrupt();
}

}  // namespace argent::platform
