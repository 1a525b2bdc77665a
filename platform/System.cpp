#include "platform/System.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace argent::platform {

using sc_core::sc_time;

namespace {

constexpr uint64_t second_ps = 1000000000000;

uint64_t now_ps() { return sc_core::sc_time_stamp().value(); }

/** Nanoseconds that this thread has computed. Not the time of the clock on the wall: others use this machine too. */
uint64_t computed_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return uint64_t(t.tv_sec) * 1000000000 + uint64_t(t.tv_nsec);
}

/** Where a thread was when it left the platform. */
struct Past {
    uint64_t generation = 0;  // 0: it never was here
    uint64_t computed_ns = 0, ps = 0;
    int waits_for = -1;  // the slot whose launch it waited for, in vain so far
};
thread_local Past past;

/** Of this thread, from 1 on: the lowest that no living thread has, so that threads that come and go share lanes of the timeline. */
struct Number {
    Number() {
        std::lock_guard<std::mutex> guard(lock);
        while (taken.count(value) != 0) value++;
        taken.insert(value);
    }
    ~Number() {
        std::lock_guard<std::mutex> guard(lock);
        taken.erase(value);
    }
    unsigned value = 1;

private:
    static std::mutex lock;
    static std::set<unsigned> taken;
};
std::mutex Number::lock;
std::set<unsigned> Number::taken;

constexpr uint64_t short_gap = 1000000;  // ps: what is closer together is one in the timeline

}  // namespace

/** A call of the program. What the thread has computed since its last one comes first, unless it is to be forgotten. */
struct System::Entry {
    Entry(System &s, bool forget = false) : system(s), guard(s.lock) {
        is_known = past.generation == s.generation;
        own_ps = is_known ? past.ps : now_ps();
        if (forget || !is_known || s.board.cpu.slowdown == 0) return;
        const auto host = uint64_t(double(computed_ns() - past.computed_ns) * 1000 * s.board.cpu.slowdown);
        s.computes(own_ps, own_ps + host);
        own_ps += host;
    }
    ~Entry() { past = {system.generation, computed_ns(), own_ps, waits_for}; }
    /** On another board there is no past. */
    void use(const std::string &uri) {
        const uint64_t before = system.generation;
        system.use(uri);
        if (system.generation != before) own_ps = now_ps();
    }
    System &system;
    std::lock_guard<std::mutex> guard;
    bool is_known = false;  // the thread has been here
    uint64_t own_ps = 0;    // its own time
    int waits_for = -1;
};

/** One that needs the board, at the thread's own time or, where other threads have needed it later than that, now. */
struct System::Visit : Entry {
    Visit(System &s, bool forget = false) : Entry(s, forget) { s.advance(own_ps, [] { return false; }); }
    ~Visit() { own_ps = now_ps(); }
};

System &System::get() {
    // Never destroyed: SystemC's own objects may be gone before.
    static System *system = new System;
    return *system;
}

System::System() {
    ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
    cpu = std::make_unique<Cpu>("cpu");
    interconnect = std::make_unique<Interconnect>("interconnect");
    ddr = std::make_unique<Ddr>("ddr");
    cpu->bus.bind(interconnect->processor);
    interconnect->memory.bind(ddr->bus);
    for (unsigned s = 0; s < max_slots; s++) {
        places.push_back(std::make_unique<Accelerator>(fmt::format("accelerator_{}", s).c_str()));
        interrupts.push_back(std::make_unique<sc_core::sc_signal<bool>>(fmt::format("interrupt_{}", s).c_str()));
        Accelerator &a = *places.back();
        interconnect->controls[s]->bind(a.control);
        for (unsigned p = 0; p < slot_ports; p++) a.memory[p]->bind(*interconnect->masters[s * slot_ports + p]);
        a.interrupt.bind(*interrupts.back());
        cpu->interrupts[s].bind(*interrupts.back());
        a.on_activity = [this, s](int change) { activity(s, change); };
        a.on_burst = [this, s](const std::string &port, bool writes, uint64_t begin, uint64_t end) {
            now_doing.add(fmt::format("{}.{}", places[s]->model->name, port), writes ? Timeline::Kind::Write : Timeline::Kind::Read, begin, end, short_gap);
        };
    }
    cpu->on_interrupt = [] { sc_core::sc_pause(); };
    std::atexit([] { get().finish_report(); });
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

/** Makes this board the process's, if it has no other one. */
void System::use(const std::string &wanted) {
    bool in_use = in_frame;
    for (bool r : reserved) in_use |= r;
    if (wanted == uri) return;
    if (in_use) throw NoBoard(fmt::format("this process is on platform:{}; it can be on another one when all devices are closed", uri));
    Board b = find_board(wanted);
    finish_report();
    board = b;
    uri = wanted;
    generation++;
    began = now_ps();
    active = 0;
    active_before = 0;
    images.clear();
    now_doing.clear(began);
    last_frame.clear();
    ran.clear();
    driven.clear();
    computed.clear();
    retired = measured = before = Figures();
    cpu->configure(board);
    interconnect->configure(board);
    ddr->configure(board);
}

unsigned System::reserve(const std::string &wanted) {
    Visit e(*this);
    e.use(wanted);
    for (unsigned s = 0; s < max_slots; s++) {
        if (reserved[s]) continue;
        reserved[s] = true;
        return s;
    }
    throw NoBoard(fmt::format("{} accelerators are on the board, there is no room for more", int(max_slots)));
}

void System::release(unsigned slot) {
    Visit e(*this);
    reserved[slot] = false;
    bool any = false;
    for (bool r : reserved) any |= r;
    if (any || in_frame) return;
    finish_report();
    uri.clear();
}

void System::frame(const std::string &wanted, bool begins) {
    Visit e(*this, begins && !in_frame);
    e.use(wanted);
    if (begins == in_frame) return;
    in_frame = begins;
    if (begins) {
        before = figures();
        now_doing.clear(now_ps());
        return;
    }
    Figures f = figures();
    f -= before;
    f.frames = 1;
    measured += f;
    last_frame = now_doing.json(now_ps());
}

void System::compute(const std::string &wanted, double seconds) {
    Entry e(*this);
    e.use(wanted);
    const uint64_t end = e.own_ps + uint64_t(seconds * double(second_ps));
    computes(e.own_ps, end);
    e.own_ps = end;
}

uint64_t System::time(const std::string &wanted) {
    Entry e(*this);
    e.use(wanted);
    return e.own_ps;
}

void System::after(const std::string &wanted, uint64_t ps) {
    Entry e(*this);
    e.use(wanted);
    e.own_ps = e.is_known ? std::max(e.own_ps, ps) : ps;
}

std::string System::timeline() {
    std::lock_guard<std::mutex> guard(lock);
    return uri.empty() ? "" : !last_frame.empty() ? last_frame : now_doing.json(now_ps());
}

/* ---- accelerators ---- */

bool System::open(unsigned slot, const argent_sim_model &model, const argent_sim_settings &settings) {
    Visit e(*this);
    Accelerator &a = *places[slot];
    if (!a.open(model, settings, board)) return false;
    argent_sim_port_counts port{};
    for (uint32_t p = 0; p < slot_ports && model.port(a.simulation, p, &port) == ARGENT_OK; p++) {
        const int of_board = interconnect->connect(slot, p, port.writes != 0);
        const auto &channels = interconnect->channels();
        images.resize(channels.size());
        for (size_t c = 0; c < channels.size(); c++)
            if (channels[c].writes == (port.writes != 0) && channels[c].port == of_board)
                images[c].push_back(fmt::format("{}.{}", model.name, port.name));
    }
    return true;
}

int System::perform(unsigned slot, const std::function<int(Accelerator &)> &what) {
    Visit e(*this);
    Accelerator &a = *places[slot];
    bool done = false;
    int code = ARGENT_OK;
    a.post([&] { code = what(a); },
           [&] {
               done = true;
               sc_core::sc_pause();
           });
    drive([&] { advance(now_ps() + second_ps, [&] { return done; }); });
    return code;
}

void System::close(unsigned slot) {
    perform(slot, [](Accelerator &a) {
        a.close();
        return 0;
    });
    std::lock_guard<std::mutex> guard(lock);
    const auto &c = places[slot]->counts();
    retired.launches += c.launches;
    retired.clocks += c.clocks;
    retired.stalls_in += c.stalls_in;
    retired.stalls_out += c.stalls_out;
    interconnect->disconnect(slot);
}

int System::access(unsigned slot, bool writes, uint32_t offset, uint32_t *value) {
    Visit e(*this);
    bool done = false, good = false;
    drive([&] {
        cpu->access(writes, uint64_t(slot) * slot_bytes + offset, value, [&](bool well) {
            done = true;
            good = well;
            sc_core::sc_pause();
        });
        advance(now_ps() + second_ps, [&] { return done; });
    });
    return good ? ARGENT_OK : places[slot]->access_code() < 0 ? places[slot]->access_code() : ARGENT_BUS_ERROR;
}

int System::run(unsigned slot, uint64_t clocks) {
    Visit e(*this, past.waits_for == int(slot));  // to ask again is no work: on a board the thread would sleep
    Accelerator &a = *places[slot];
    int news = 0;
    drive([&] {
        a.resume();
        advance(now_ps() + uint64_t(double(clocks) * 1e6 / board.clock_mhz), [&] { return a.has_news(); });
        // The program knows of it a little later than it comes.
        if (a.interrupts()) advance(a.news_since() + uint64_t(board.cpu.interrupt_ns * 1000), [] { return false; });
        news = a.take_news();
    }, false);
    if (news == 0) e.waits_for = int(slot);
    return news;
}

/* ---- time ---- */

void System::advance(uint64_t until, const std::function<bool()> &enough) {
    while (!enough() && now_ps() < until) sc_core::sc_start(sc_time::from_value(until - now_ps()), sc_core::SC_RUN_TO_TIME);
}

std::string System::lane() {
    thread_local Number own;
    return own.value == 1 ? "program" : fmt::format("program, thread {}", own.value);
}

void System::drive(const std::function<void()> &what, bool is_work) {
    const uint64_t start = now_ps();
    what();
    driven.add(start, now_ps());
    if (is_work) now_doing.add(lane(), Timeline::Kind::Driver, start, now_ps(), short_gap);
}

void System::computes(uint64_t begin, uint64_t end) {
    computed.add(begin, end);
    now_doing.add(lane(), Timeline::Kind::Host, begin, end, short_gap);
}

double System::running_time() const { return active_before + (active > 0 ? double(now_ps() - active_since) * 1e-12 : 0); }

void System::activity(unsigned slot, int change) {
    if (change > 0) launched[slot] = now_ps();
    else now_doing.add(places[slot]->model->name, Timeline::Kind::Launch, launched[slot], now_ps(), 0);
    if (active == 0) active_since = now_ps();
    active += change;
    if (active != 0) return;
    active_before += double(now_ps() - active_since) * 1e-12;
    ran.add(active_since, now_ps());
}

/* ---- figures ---- */

Figures System::figures() const {
    Figures f = retired;
    Intervals running = ran;
    if (active > 0) running.add(active_since, now_ps());
    running = running.until(now_ps());
    const Intervals program = computed.until(now_ps()), driver = driven.until(now_ps()).minus(running);
    f.driver = driver.seconds();
    f.host = program.minus(running).minus(driver).seconds();
    f.host_beside = program.seconds() - f.host;
    f.total = double(now_ps() - began) * 1e-12;
    f.running = running_time();
    for (unsigned s = 0; s < max_slots; s++) {
        if (!reserved[s] || places[s]->simulation == nullptr) continue;
        const auto &c = places[s]->counts();
        f.launches += c.launches;
        f.clocks += c.clocks;
        f.stalls_in += c.stalls_in;
        f.stalls_out += c.stalls_out;
    }
    f.ddr = ddr->counts();
    const auto &channels = interconnect->channels();
    for (size_t i = 0; i < channels.size(); i++)
        f.channels.push_back({fmt::format("port {}, {}", channels[i].port, channels[i].writes ? "write" : "read"),
                              i < images.size() ? images[i] : std::vector<std::string>(), channels[i].bytes, channels[i].busy_s});
    return f;
}

/** Once for each board: prints the table, or writes the file. */
void System::finish_report() {
    if (uri.empty()) return;
    const Figures f = measured.frames != 0 ? measured : figures();
    if (f.launches == 0) return;
    if (board.report.empty()) {
        std::fputs(table_of(board, f).c_str(), stderr);
    } else if (FILE *file = std::fopen(board.report.c_str(), "w")) {
        std::fputs(json_of(board, f).c_str(), file);
        std::fclose(file);
    } else {
        std::fprintf(stderr, "argent: %s cannot be written\n", board.report.c_str());
    }
    uri.clear();
}

}  // namespace argent::platform
