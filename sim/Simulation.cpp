#include "Simulation.h"

#include <fmt/format.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <cstdio>

#include "hwgen/clocks/ReferenceMemory.h"

namespace argent::sim {

namespace {

constexpr uint64_t control_patience = 2000;  // clocks until a register access is given up
constexpr uint64_t reset_clocks = 16;

static_assert(ARGENT_SIM_READ_LATENCY == hwgen::clocks::READ_LATENCY && ARGENT_SIM_WRITE_LATENCY == hwgen::clocks::WRITE_LATENCY,
              "the simulated reference memory is the one on which clocks are predicted");

/** Who waits at a FIFO inside of the accelerator, when nothing moves any more; empty if nobody does. */
std::string wait_at(const ChannelNets &c) {
    if (*c.writer_wait_out) return fmt::format("the channel of {}: {} waits until {} takes an element out of it", c.name, c.writer, c.reader);
    if (!*c.reader_wait_in || *c.valid) return "";
    const char *state = *c.writer_wait_in ? "waits for an input itself" : "has computed all of them";
    return fmt::format("the channel of {}: {} waits for an element, and {} {}", c.name, c.reader, c.writer, state);
}

}  // namespace

Simulation::Simulation(const ModelFunctions &f, const argent_sim_settings &s) : functions(f), seed(s.seed) {
    make_model();
    watchdog = patience(s);
    reset(false);
}

Simulation::~Simulation() {
    close_trace();
    free_model();
}

void Simulation::make_model() {
    context = std::make_unique<VerilatedContext>();
    // What registers and memories hold at power-on differs from model to model, so that nothing can depend on it.
    context->randReset(2);
    context->randSeed(int(1 + (seed * 7919 + models * 104729) % 1000000007));
    context->traceEverOn(true);
    context->threads(1);
    models++;
    Verilated::threadContextp(context.get());
    model = functions.create(context.get());
    pins = Pins();
    functions.bind(model, &pins);
    readers.clear();
    writers.clear();
    sources.clear();
    sinks.clear();
    ports.clear();
    for (unsigned i = 0; i < pins.port_count; i++) {
        if (pins.ports[i].writes) {
            writers.push_back(std::make_unique<WritePort>(pins.ports[i], findings));
            ports.push_back(writers.back().get());
        } else {
            readers.push_back(std::make_unique<ReadPort>(pins.ports[i], findings));
            ports.push_back(readers.back().get());
        }
    }
    for (unsigned i = 0; i < pins.stream_count; i++) {
        if (pins.streams[i].writes) {
            sinks.push_back(std::make_unique<SinkPort>(pins.streams[i], findings));
            ports.push_back(sinks.back().get());
        } else {
            sources.push_back(std::make_unique<SourcePort>(pins.streams[i], findings));
            ports.push_back(sources.back().get());
        }
    }
    for (Endpoint *p : ports) p->set_mappings(mappings, mapping_count);
    attach(world);
}

void Simulation::attach(const argent_sim_world *w) {
    world = w;
    for (size_t i = 0; i < ports.size(); i++) ports[i]->attach(w, uint32_t(i));
}

void Simulation::answer(uint32_t port, uint64_t clock) {
    if (port < ports.size()) ports[port]->answer(clock);
}

void Simulation::free_model() {
    if (model != nullptr) functions.destroy(model);
    model = nullptr;
}

int Simulation::reset(bool fresh) {
    findings.clear();
    in_flight = 0;
    begun = told = false;
    ended = told_ends = 0;
    moved[0] = moved[1] = Moved();
    next.is_there = false;
    if (fresh) {
        close_trace();
        free_model();
        make_model();
    }
    argent_sim_settings calm{};
    calm.seed = 1;
    calm.beats = calm.clocks = 1;
    slow = false;
    for (Endpoint *p : ports) {
        p->arm(calm, nullptr, 0, now, 0);
        p->clear();
    }
    const ControlPins &c = pins.control;
    *c.awvalid = *c.wvalid = *c.arvalid = *c.bready = *c.rready = 0;
    *c.awprot = *c.arprot = 0;
    *c.wstrb = 15;
    reads_owed = writes_owed = 0;
    *c.rst_n = 0;
    for (uint64_t i = 0; i < reset_clocks; i++) {
        // The reset may have come in mid-transfer: until it has worked, what the pins say means nothing.
        for (Endpoint *p : ports) p->clear();
        *c.clk = 0;
        functions.eval(model);
        *c.clk = 1;
        functions.eval(model);
        now++;
    }
    *c.clk = 0;
    functions.eval(model);
    for (Endpoint *p : ports)
        if (std::string bad = p->after_reset(); !bad.empty()) findings.add(ARGENT_PROTOCOL, bad);
    if (*c.bvalid || *c.rvalid) findings.add(ARGENT_PROTOCOL, "s_axi_control: BVALID or RVALID is not 0 after reset");
    if (*c.interrupt) findings.add(ARGENT_PROTOCOL, "interrupt is not 0 after reset");
    *c.rst_n = 1;
    for (int i = 0; i < 4; i++) step();
    return findings.code;
}

void Simulation::set_mappings(const argent_mapping *list, size_t count) {
    mappings = list;
    mapping_count = count;
    for (Endpoint *p : ports) p->set_mappings(list, count);
}

int Simulation::arm(const argent_sim_settings &s, const argent_window *windows, size_t count) {
    // A mistake that was found between the launches belongs to no other one: it fails this one.
    if (findings.code != ARGENT_OK) {
        int code = findings.code;
        return code;
    }
    if (in_flight == 0) {
        apply(s, windows, count);
        return findings.code;
    }
    // For later: when the launch that runs has ended.
    next.is_there = true;
    next.settings = s;
    next.windows.assign(windows, windows + count);
    next.names.clear();
    next.names.reserve(count);
    for (argent_window &w : next.windows) {
        next.names.emplace_back(w.port);
        w.port = next.names.back().c_str();
    }
    return findings.code;
}

void Simulation::apply(const argent_sim_settings &s, const argent_window *windows, size_t count) {
    open_trace(s);
    seed = s.seed;
    watchdog = patience(s);
    stalls = s.stalls;
    random.seed(seed * 64 + 63);
    for (size_t i = 0; i < ports.size(); i++) ports[i]->arm(s, windows, count, now, unsigned(i));
    slow = s.stalls != 0 || s.beats != s.clocks || s.fault != ARGENT_FAULT_NONE;
    next.is_there = false;
}

int Simulation::transfer(const argent_window *boxes, size_t count) {
    std::vector<StreamPort *> streams;
    for (auto &p : sources) streams.push_back(p.get());
    for (auto &p : sinks) streams.push_back(p.get());
    for (size_t i = 0; i < count; i++) {
        const argent_window &b = boxes[i];
        auto stream = std::find_if(streams.begin(), streams.end(), [&](StreamPort *p) { return std::strcmp(p->pins.name, b.port) == 0; });
        bool sound = stream != streams.end() && (*stream)->pins.writes == (b.access == ARGENT_WRITE) && b.dimensions >= 1 && b.dimensions <= 4;
        for (int d = 0; sound && d < b.dimensions; d++) sound = b.extent[d] > 0;
        if (!sound) {
            findings.add(ARGENT_BAD_ARGUMENT, fmt::format("{}: the DMA has no such channel, or cannot move such a box through it", b.port));
            return ARGENT_BAD_ARGUMENT;
        }
        (*stream)->transfer(b);
    }
    return ARGENT_OK;
}

/* ---- clocks ---- */

void Simulation::check_control() {
    const ControlPins &c = pins.control;
    if (*c.bvalid && writes_owed == 0) findings.add(ARGENT_PROTOCOL, "s_axi_control: BVALID without a write that was asked for");
    if (*c.rvalid && reads_owed == 0) findings.add(ARGENT_PROTOCOL, "s_axi_control: RVALID without a read that was asked for");
}

/** In each clock in which one of the two pins is high, before anything is transferred in it. */
void Simulation::look_at_launches() {
    const ControlPins &c = pins.control;
    if (*c.ends) {
        if (in_flight == 0) {
            findings.add(ARGENT_PROTOCOL, "a launch ends that was not started");
            return;
        }
        if (begun)
            for (Endpoint *p : ports) p->finish();  // otherwise it was refused
        moved[ended++ % 2] = moved_now();
        begun = false;
        in_flight--;
        if (world != nullptr) world->launch(world->self, 0);
        started = now;
        next_look = 1024;
        if (next.is_there) apply(next.settings, next.windows.data(), next.windows.size());
    }
    if (*c.begins) {
        if (in_flight == 0 || begun) findings.add(ARGENT_PROTOCOL, "a launch begins that was not started, or before the one in front of it has ended");
        started = now - 1;
        begun = true;
        next_look = 1024;
        if (world != nullptr) world->launch(world->self, 1);
        for (Endpoint *p : ports) p->begin(now - 1);
    }
}

template<bool Slow, bool Traced> void Simulation::clock() {
    for (auto &p : readers) p->drive<Slow>(now);
    for (auto &p : writers) p->drive<Slow>(now);
    for (auto &p : sources) p->drive<Slow>(now);
    for (auto &p : sinks) p->drive<Slow>(now);
    *pins.control.clk = 0;
    functions.eval(model);
    if (Traced && now - started >= trace_from && now - started <= trace_to) trace->dump(now * 10);
    for (auto &p : readers) p->sample<Slow>(now);
    for (auto &p : writers) p->sample<Slow>(now);
    for (auto &p : sources) p->sample<Slow>(now);
    for (auto &p : sinks) p->sample<Slow>(now);
    if (*pins.control.bvalid | *pins.control.rvalid) check_control();
    *pins.control.clk = 1;
    functions.eval(model);
    if (Traced && now - started >= trace_from && now - started <= trace_to) trace->dump(now * 10 + 5);
    now++;
    if (*pins.control.begins | *pins.control.ends) look_at_launches();
    if (world != nullptr && world->clock(world->self) != 0) interrupted = true;
}

void Simulation::step() {
    if (slow)
        trace ? clock<true, true>() : clock<true, false>();
    else
        trace ? clock<false, true>() : clock<false, false>();
}

template<bool Slow, bool Traced> int Simulation::run_loop(uint64_t clocks) {
    const uint8_t &interrupt = *pins.control.interrupt;
    for (uint64_t i = 0; i < clocks; i++) {
        // The world's program comes when it likes, and the next launch runs meanwhile.
        if (!interrupt) told = false;
        if (interrupt && !told) {
            told = world != nullptr && in_flight != 0;
            return 1;
        }
        clock<Slow, Traced>();
        if (Slow != slow || Traced != (trace != nullptr)) break;   // the launch behind wants it otherwise
        if (findings.code == ARGENT_PROTOCOL) return ARGENT_PROTOCOL;
        if (interrupted) break;
    }
    interrupted = false;
    return interrupt && !told ? 1 : 0;
}

int Simulation::run(uint64_t clocks) {
    int code = slow ? (trace ? run_loop<true, true>(clocks) : run_loop<true, false>(clocks))
                    : (trace ? run_loop<false, true>(clocks) : run_loop<false, false>(clocks));
    if (code != 0 || (in_flight == 0 && told_ends == ended)) return end_of_run(code);
    uint64_t last = started;
    for (const Endpoint *p : ports) last = std::max(last, p->last_transfer);
    uint64_t quiet = now - last;
    if (watchdog != 0 && quiet >= watchdog) {
        findings.add(ARGENT_STUCK, fmt::format("nothing has moved for {} clocks (since clock {} of the launch):\n{}", quiet, last - started, waits()));
        return ARGENT_STUCK;
    }
    if (quiet < 1024) next_look = 1024;
    if (quiet < next_look) return 0;
    next_look *= 4;
    if (in_flight == 0) told_ends = ended;
    return world != nullptr ? 2 : 1;  // nothing moves: perhaps it has ended and the interrupt did not come
}

/** The verdict, when an interrupt has come. */
int Simulation::end_of_run(int code) {
    if (code != 1) return code;
    told_ends = ended;
    return findings.code != ARGENT_OK ? findings.code : 1;
}

/** Clocks without a transfer after which a launch is given up. */
uint64_t Simulation::patience(const argent_sim_settings &s) const {
    constexpr uint64_t least = 100000;
    return s.watchdog == ARGENT_SIM_PATIENT ? std::max(least, pins.clocks_of_block) : s.watchdog;
}

std::string Simulation::waits() const {
    std::string text;
    const auto add = [&](const std::string &w) {
        if (!w.empty()) text += (text.empty() ? "" : "\n") + w;
    };
    for (const Endpoint *p : ports) add(p->waits());
    for (unsigned i = 0; i < pins.channel_count; i++) add(wait_at(pins.channels[i]));
    return text.empty() ? "no channel waits, all boxes have been transferred: the core does not say done" : text;
}

/* ---- registers ---- */

int Simulation::transact(bool write, uint32_t offset, uint32_t *value) {
    const ControlPins &c = pins.control;
    bool starts = write && offset == ARGENT_CONTROL && (*value & ARGENT_CONTROL_START) != 0;
    uint8_t *address_valid = write ? c.awvalid : c.arvalid, *address_ready = write ? c.awready : c.arready;
    uint8_t *answer_valid = write ? c.bvalid : c.rvalid, *answer_ready = write ? c.bready : c.rready;
    const char *a = write ? "AW" : "AR", *b = write ? "B" : "R";
    *(write ? c.awaddr : c.araddr) = uint16_t(offset);
    if (write) *c.wdata = *value;
    // With stalls, address and data come apart, and the host is slow to take the answer.
    uint64_t r = stalls != 0 ? random.next() : 0;
    uint64_t address_at = now + (r & 3) * (r >> 2 & 1), data_at = now + (r >> 3 & 3) * (r >> 5 & 1), ready_after = (r >> 6 & 3) * (r >> 8 & 1);
    bool address_done = false, data_done = !write;
    uint64_t deadline = now + control_patience, answer_seen = 0;
    uint32_t answer = 0;
    for (;;) {
        if (now >= deadline) {
            const char *channel = !address_done ? a : !data_done ? "W" : b;
            findings.add(ARGENT_STUCK, fmt::format("s_axi_control: the {} of register 0x{:03x} waits for {}{} for {} clocks", write ? "write" : "read",
                                                   offset, channel, channel == b ? "VALID" : "READY", control_patience));
            *c.awvalid = *c.wvalid = *c.arvalid = *c.bready = *c.rready = 0;
            return ARGENT_STUCK;
        }
        *address_valid = !address_done && now >= address_at;
        if (write) *c.wvalid = !data_done && now >= data_at;
        *answer_ready = answer_seen != 0 && now - answer_seen >= ready_after;
        if (ready_after == 0) *answer_ready = 1;
        // The model must settle before its ready signals mean anything.
        *c.clk = 0;
        functions.eval(model);
        bool address_moves = *address_valid && *address_ready, data_moves = write && *c.wvalid && *c.wready;
        bool answered = *answer_valid, taken = answered && *answer_ready;
        uint32_t data = write ? *c.bresp : *c.rdata;
        uint8_t response = write ? *c.bresp : *c.rresp;
        if (answered && answer_seen == 0) {
            answer_seen = now;
            answer = data;
            if (!address_done || !data_done) findings.add(ARGENT_PROTOCOL, fmt::format("s_axi_control: {}VALID before the request was taken", b));
        }
        if (answered && data != answer) findings.add(ARGENT_PROTOCOL, fmt::format("s_axi_control: the answer changed while {}VALID waited for {}READY", b, b));
        if (!answered && answer_seen != 0) findings.add(ARGENT_PROTOCOL, fmt::format("s_axi_control: {}VALID fell before {}READY came", b, b));
        if (address_moves && !write) reads_owed++;
        if (write && (address_moves || address_done) && (data_moves || data_done) && !(address_done && data_done)) {
            writes_owed++;
            // One that comes while another one waits is ignored.
            if (starts && (in_flight == 0 || (in_flight == 1 && begun))) in_flight++;
            if (starts && in_flight == 1 && !begun) {
                started = now;
                next_look = 1024;
            }
        }
        step();
        address_done |= address_moves;
        data_done |= data_moves;
        if (!taken) continue;
        (write ? writes_owed : reads_owed)--;
        *answer_ready = 0;
        if (!write) *value = data;
        if (response != 0) {
            findings.add(ARGENT_BUS_ERROR, fmt::format("s_axi_control: the {} of register 0x{:03x} was answered with response {}",
                                                       write ? "write" : "read", offset, response));
            int code = ARGENT_BUS_ERROR;
            return code;
        }
        // What a launch in flight does is its own failure, and not this access's.
        return findings.code == ARGENT_PROTOCOL && (in_flight == 0 || findings.text.rfind("s_axi_control", 0) == 0) ? ARGENT_PROTOCOL : ARGENT_OK;
    }
}

int Simulation::read(uint32_t offset, uint32_t *value) { return transact(false, offset, value); }
int Simulation::write(uint32_t offset, uint32_t value) { return transact(true, offset, &value); }

/* ---- counters ---- */

Simulation::Moved Simulation::moved_now() const {
    Moved m;
    for (auto &p : readers) m.read += p->counters.bytes;
    for (auto &p : sources) m.read += p->counters.bytes;
    for (auto &p : writers) m.written += p->counters.bytes;
    for (auto &p : sinks) m.written += p->counters.bytes;
    return m;
}

int Simulation::counter(argent_count which, uint64_t *value) {
    *value = 0;
    if (int(which) < 0 || int(which) >= 3 << ARGENT_COUNT_SLOT) return ARGENT_UNSUPPORTED;
    const unsigned slot = unsigned(which) >> ARGENT_COUNT_SLOT;
    const Moved m = slot != 0 ? moved[slot - 1] : ended != 0 ? moved[(ended - 1) % 2] : moved_now();
    switch (int(which) & ((1 << ARGENT_COUNT_SLOT) - 1)) {
    case ARGENT_COUNT_BYTES_READ: *value = m.read; return ARGENT_OK;
    case ARGENT_COUNT_BYTES_WRITTEN: *value = m.written; return ARGENT_OK;
    default: return ARGENT_UNSUPPORTED;
    }
}

int Simulation::port(uint32_t index, argent_sim_port_counts *out) {
    if (index >= ports.size()) return ARGENT_BAD_ARGUMENT;
    *out = ports[index]->counters;
    return ARGENT_OK;
}

/* ---- waveforms ---- */

void Simulation::open_trace(const argent_sim_settings &s) {
    std::string name = s.trace != nullptr ? s.trace : "";
    trace_from = s.trace_from;
    trace_to = s.trace_to;
    if (name == trace_name) return;
    close_trace();
    trace_name = name;
    if (name.empty()) return;
    if (!functions.trace) {
        std::fprintf(stderr, "argent: no waveforms in %s: this model was built without them\n", name.c_str());
        return;
    }
    trace = std::make_unique<VerilatedFstC>();
    functions.trace(model, trace.get());
    trace->open(name.c_str());
}

void Simulation::close_trace() {
    if (trace) trace->close();
    trace.reset();
    trace_name.clear();
}

}  // namespace argent::sim
