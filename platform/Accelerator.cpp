#include "platform/Accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/Interconnect.h"

namespace argent::platform {

using sc_core::sc_time;

namespace {

constexpr uint64_t slice = 4096;         // clocks until the harness looks at its watchdog
constexpr size_t stack_bytes = 8 << 20;  // models are large functions

uint64_t now_ps() { return sc_core::sc_time_stamp().value(); }

}  // namespace

Accelerator::Accelerator(sc_core::sc_module_name name) : sc_module(name), control("control") {
    control.register_b_transport(this, &Accelerator::transport);
    for (int p = 0; p < slot_ports; p++) {
        memory.push_back(std::make_unique<tlm_utils::simple_initiator_socket_tagged<Accelerator>>(fmt::format("memory_{}", p).c_str()));
        memory.back()->register_nb_transport_bw(this, &Accelerator::backward, p);
    }
    world.self = this;
    world.clock = [](void *self) { return static_cast<Accelerator *>(self)->clock(); };
    world.burst = [](void *self, uint32_t port, int writes, uint64_t address, uint32_t beats, uint32_t bytes) {
        static_cast<Accelerator *>(self)->ask(port, writes != 0, address, beats, bytes);
    };
    world.launch = [](void *self, int begins) { static_cast<Accelerator *>(self)->launch(begins != 0); };
    SC_HAS_PROCESS(Accelerator);
    SC_THREAD(live);
    set_stack_size(stack_bytes);
}

bool Accelerator::open(const argent_sim_model &m, const argent_sim_settings &settings, const Board &board) {
    void *made = m.create(&m, &settings);
    if (made == nullptr) return false;
    model = &m;
    simulation = made;
    world.outstanding = uint32_t(board.outstanding);
    period = uint64_t(1e6 / board.clock_mhz + 0.5);
    edge = now_ps();
    life++;
    running = begun = false;
    unread = 0;
    news = later = 0;
    count = Counts();
    model->attach(simulation, &world);
    port_names.clear();
    argent_sim_port_counts port{};
    for (uint32_t p = 0; p < slot_ports && model->port(simulation, p, &port) == ARGENT_OK; p++) port_names.push_back(port.name);
    return true;
}

void Accelerator::close() {
    running = false;
    if (begun) launch(false);
    life++;
    model->attach(simulation, nullptr);
    model->destroy(simulation);
    simulation = nullptr;
}

int Accelerator::reset(bool fresh) {
    running = false;
    if (begun) launch(false);
    life++;
    news = later = 0;
    unread = 0;
    return model->reset(simulation, fresh);
}

void Accelerator::post(std::function<void()> what, std::function<void()> done) {
    job = std::move(what);
    job_done = std::move(done);
    wake.notify(sc_core::SC_ZERO_TIME);
}

/** The pins say so. */
void Accelerator::launch(bool begins) {
    if (begins == begun) return;  // it was refused
    begun = begins;
    unread += !begins;
    if (on_activity) on_activity(begins ? 1 : -1);
}

void Accelerator::resume() {
    if (news != 0 || running) return;
    running = true;
    wake.notify(sc_core::SC_ZERO_TIME);
}

int Accelerator::take_news() {
    int n = news;
    news = later;
    later = 0;
    return n == 2 ? 1 : n;
}

void Accelerator::live() {
    for (;;) {
        if (job) {
            auto what = std::move(job);
            job = nullptr;
            what();
            job_done();
        } else if (running) {
            const int said = model->run(simulation, slice);
            if (said == 0) continue;
            // The next launch goes on whether the program has looked or not.
            if (said != 2) running = said == 1 && model->launches(simulation) != 0;
            if (news == 0) {
                news = said;
                news_at = now_ps();
            } else if (said < 0) {
                later = said;
            } else {
                continue;
            }
            interrupt.write(said != 2);
            // Those who wait are to hear of it, too, if no interrupt comes.
            sc_core::sc_pause();
        } else {
            wait(wake);
            interrupt.write(false);
            if (now_ps() > edge) edge += (now_ps() - edge + period - 1) / period * period;
            if (now_ps() < edge) wait(sc_time(double(edge - now_ps()), sc_core::SC_PS));
        }
    }
}

/** Called by the harness at the end of a clock; returns when the next one begins. */
int Accelerator::clock() {
    edge = now_ps() + period;
    wait(sc_time::from_value(period));
    return job != nullptr;
}

/* ---- registers ---- */

void Accelerator::transport(tlm::tlm_generic_payload &access, sc_time &) {
    const auto offset = uint32_t(access.get_address());
    auto *data = reinterpret_cast<uint32_t *>(access.get_data_ptr());
    if (simulation == nullptr) {
        access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    sc_core::sc_event done;
    post(
        [&] {
            code = access.is_write() ? model->write(simulation, offset, *data) : model->read(simulation, offset, data);
            if (code == ARGENT_OK) note(access.is_write(), offset, *data);
        },
        [&] { done.notify(sc_core::SC_ZERO_TIME); });
    wait(done);
    access.set_response_status(code == ARGENT_OK ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

/** What the driver does tells when a launch begins, and what the counters said of it. */
void Accelerator::note(bool writes, uint32_t offset, uint32_t value) {
    if (writes && offset == ARGENT_CONTROL && (value & ARGENT_CONTROL_START) != 0) {
        running = true;
    }
    if (writes || unread == 0 || offset < ARGENT_RESULTS || offset >= ARGENT_RESULTS_ODD + 0x20) return;
    const uint32_t what = ARGENT_ID + offset % 0x20;
    if (what == ARGENT_CYCLES) count.clocks += value;
    if (what == ARGENT_CYCLES + 4) count.clocks += uint64_t(value) << 32;
    if (what == ARGENT_STALLS_IN) count.stalls_in += value;
    if (what != ARGENT_STALLS_OUT) return;
    count.stalls_out += value;
    count.launches++;
    unread--;
    if (model->launches(simulation) == 0) running = false;  // it may have ended without an interrupt
}

/* ---- bursts ---- */

void Accelerator::ask(uint32_t port, bool writes, uint64_t address, uint32_t beats, uint32_t bytes) {
    Burst &burst = pool.take();
    burst.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    burst.set_address(address);
    burst.set_data_length(bytes);
    burst.set_streaming_width(bytes);
    burst.port = port;
    burst.beats = beats;
    burst.life = life;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    (*memory[port])->nb_transport_fw(burst, phase, delay);
    burst.release();
}

/** The delay of a burst's first data, or response, as a clock of the harness. */
tlm::tlm_sync_enum Accelerator::backward(int port, tlm::tlm_generic_payload &transaction, tlm::tlm_phase &, sc_time &delay) {
    const auto &burst = static_cast<const Burst &>(transaction);
    if (simulation == nullptr || burst.life != life) return tlm::TLM_COMPLETED;
    const uint64_t at = now_ps() + delay.value(), clocks = at > edge ? (at - edge + period - 1) / period : 0;
    model->answer(simulation, uint32_t(port), model->time(simulation) + clocks);
    const bool writes = burst.is_write();
    if (on_burst && size_t(port) < port_names.size()) on_burst(port_names[size_t(port)], writes, now_ps(), at + (writes ? 0 : burst.beats * period));
    return tlm::TLM_COMPLETED;
}

}  // namespace argent::platform
