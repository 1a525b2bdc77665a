#include "Ports.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::sim {

namespace {

enum : uint8_t { okay = 0, slverr = 2, decerr = 3 };

/** The compiler knows the common sizes. */
inline void copy_beat(void *to, const void *from, unsigned bytes) {
    switch (bytes) {
    case 4: std::memcpy(to, from, 4); break;
    case 8: std::memcpy(to, from, 8); break;
    case 16: std::memcpy(to, from, 16); break;
    default: std::memcpy(to, from, bytes);
    }
}

unsigned log2_of(unsigned n) {
    unsigned k = 0;
    while (1u << k < n) k++;
    return k;
}

}  // namespace

/* ---- what all ports share ---- */

Port::Port(const PortPins &p, Findings &f, bool writes) : pins(p), findings(f), size_code(log2_of(p.bus_bytes)), prefix(writes ? 'W' : 'R') {
    counters.name = pins.name;
    counters.writes = writes;
}

void Port::set_mappings(const argent_mapping *list, size_t count) { view.set(list, count, pins.writes ? ARGENT_WRITE : ARGENT_READ); }

void Port::arm(const argent_sim_settings &s, const argent_window *list, size_t count, uint64_t now, unsigned index) {
    windows.clear();
    counters = argent_sim_port_counts{};
    counters.name = pins.name;
    counters.writes = pins.writes;
    for (size_t i = 0; i < count; i++) {
        if (std::strcmp(list[i].port, pins.name) != 0) continue;
        windows.emplace_back(list[i]);
        counters.expected_bytes += windows.back().bytes();
    }
    random.seed(s.seed * 64 + index);
    stalls = std::min(s.stalls, 100u);
    beats_per = s.beats;
    clocks_per = s.clocks;
    tokens = clocks_per;
    bool mine = s.fault_port != nullptr && std::strcmp(s.fault_port, pins.name) == 0;
    fault = mine ? s.fault : ARGENT_FAULT_NONE;
    if (fault > ARGENT_FAULT_SILENT)
        findings.add(ARGENT_BAD_ARGUMENT, fmt::format("{}: a port of memory has no such fault; it has slverr, decerr and silent", pins.name));
    fault_at = s.fault_at;
    start = last_transfer = now;
    silent = any_error = false;
}

void Port::attach(const argent_sim_world *w, uint32_t index) {
    world = w;
    world_index = index;
    most_outstanding = w != nullptr ? std::min(w->outstanding, 255u) : 255;
}

void Port::clear() {
    answered = 0;
    held_address = Held();
    silent = false;
    *pins.aready = 0;
}

std::string Port::after_reset() const {
    std::string text;
    auto low = [&](const uint8_t *pin, const char *name) {
        if (pin != nullptr && *pin != 0) text += fmt::format("{}{}: {} is not 0 after reset", text.empty() ? "" : "\n", pins.name, name);
    };
    low(pins.avalid, pins.writes ? "AWVALID" : "ARVALID");
    low(pins.wvalid, "WVALID");
    return text;
}

void Port::protocol(uint64_t now, const std::string &text) {
    findings.add(ARGENT_PROTOCOL, fmt::format("{}: {} (clock {})", pins.name, text, now - start));
}

void Port::hold_address(bool valid, bool ready, uint64_t now) {
    uint64_t address = address_pin(), payload = address_payload();
    if (held_address.now) {
        if (!valid)
            protocol(now, fmt::format("A{0}VALID fell before A{0}READY came", prefix));
        else if (address != held_address.a)
            protocol(now, fmt::format("A{0}ADDR changed from 0x{1:08x} to 0x{2:08x} while A{0}VALID waited for A{0}READY", prefix, held_address.a, address));
        else if (payload != held_address.b)
            protocol(now, fmt::format("the burst's length, size or kind changed while A{0}VALID waited for A{0}READY", prefix));
    }
    held_address = {valid && !ready, address, payload};
}

void Port::check_burst(const Burst &b, uint64_t now) {
    if (b.total > pins.max_burst)
        protocol(now, fmt::format("a burst of {} beats at 0x{:08x}; at most {} are allowed", b.total, b.address, pins.max_burst));
    if (*pins.asize != size_code)
        protocol(now, fmt::format("A{}SIZE is {} ({} bytes) on a bus of {} bytes", prefix, *pins.asize, 1u << *pins.asize, pins.bus_bytes));
    if (*pins.aburst != 1) protocol(now, fmt::format("A{}BURST is {}; only 1 (INCR) is allowed", prefix, *pins.aburst));
    uint64_t last = b.address / pins.bus_bytes * pins.bus_bytes + uint64_t(b.total) * pins.bus_bytes - 1;
    if ((b.address ^ last) >> 12 != 0) protocol(now, fmt::format("the burst from 0x{:08x} to 0x{:08x} crosses a 4 KiB boundary", b.address, last));
}

/* ---- reading ---- */

void ReadPort::arm(const argent_sim_settings &s, const argent_window *list, size_t count, uint64_t now, unsigned index) {
    Port::arm(s, list, count, now, index);
    latency = s.read_latency;
    stall_a.clear();
    stall_d.clear();
}

void ReadPort::clear() {
    Port::clear();
    bursts.clear();
    showing = false;
    *pins.rvalid = 0;
}

void ReadPort::show(uint64_t now) {
    const Burst &b = bursts.front();
    uint64_t address = b.address / pins.bus_bytes * pins.bus_bytes;
    uint8_t response = okay;
    const uint8_t *host = view.whole(address, pins.bus_bytes);
    if (host != nullptr && (windows.empty() || windows[0].touches(address, address + pins.bus_bytes)))
        copy_beat(pins.rdata, host, pins.bus_bytes);
    else
        response = odd_beat(address, now);
    if (fault_now(counters.beats)) {
        if (fault == ARGENT_FAULT_SILENT) {
            silent = true;
            return;
        }
        response = fault == ARGENT_FAULT_SLVERR ? slverr : decerr;
    }
    any_error |= response != okay;
    *pins.rresp = response;
    *pins.rlast = b.beats == 1;
    showing = true;
    counters.bytes += pins.bus_bytes;
}

uint8_t ReadPort::odd_beat(uint64_t address, uint64_t now) {
    auto *data = static_cast<uint8_t *>(pins.rdata);
    bool mapped = false, armed = windows.empty();
    for (Window &w : windows) armed |= w.touches(address, address + pins.bus_bytes);
    for (unsigned i = 0; i < pins.bus_bytes; i++) {
        // Bytes beside the image are not ours to show: anything may stand there, and nothing may depend on it.
        const uint8_t *host = armed ? view.byte(address + i) : nullptr;
        data[i] = host != nullptr ? *host : uint8_t(random.next() >> 56);
        mapped |= host != nullptr;
    }
    if (mapped) return okay;
    if (!any_error)  // one text for each port and launch
        findings.add(ARGENT_BUS_ERROR, fmt::format("{}: a read of 0x{:08x} is outside of the memory that was {} for it (clock {})", pins.name,
                                                   address, armed ? "mapped" : "armed", now - start));
    return decerr;
}

void ReadPort::finish() {
    if (any_error || silent) return;
    if (!bursts.empty())
        protocol(last_transfer, fmt::format("the accelerator says done while {} of its read bursts are unfinished", bursts.size()));
}

std::string ReadPort::waits() const {
    std::string text;
    auto line = [&](const std::string &s) { text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", pins.name, s); };
    if (*pins.avalid && !*pins.aready) line("AR waits for ARREADY of the memory");
    if (showing && !*pins.rready) line("the memory's R waits for RREADY of the core");
    if (!bursts.empty() && !showing)
        line(fmt::format("the core waits for R of the memory, which owes {} bursts{}", bursts.size(), silent ? " (a fault was injected)" : ""));
    uint64_t got = counters.beats * pins.bus_bytes;
    if (text.empty() && got < counters.expected_bytes)
        line(fmt::format("no read is under way, {} beats ({} bytes) have come for a box of {} bytes: the core does not ask for more", counters.beats,
                         got, counters.expected_bytes));
    return text;
}

/* ---- writing ---- */

void WritePort::arm(const argent_sim_settings &s, const argent_window *list, size_t count, uint64_t now, unsigned index) {
    Port::arm(s, list, count, now, index);
    latency = s.write_latency;
    all_strobes = pins.bus_bytes == 64 ? ~uint64_t(0) : (uint64_t(1) << pins.bus_bytes) - 1;
    ended = 0;
    stall_a.clear();
    stall_d.clear();
    stall_b.clear();
}

void WritePort::clear() {
    Port::clear();
    bursts.clear();
    answers.clear();
    ahead.clear();
    held_data = Held();
    showing = false;
    response = okay;
    *pins.wready = 0;
    *pins.bvalid = 0;
}

void WritePort::write(const uint8_t *data, uint64_t strobe, bool last, uint64_t now, bool slow) {
    Burst &b = bursts.front();
    uint64_t address = b.address / pins.bus_bytes * pins.bus_bytes;
    uint8_t *host = strobe == all_strobes ? view.whole(address, pins.bus_bytes) : nullptr;
    if (host != nullptr && (windows.empty() || windows[0].holds(address, address + pins.bus_bytes))) {
        copy_beat(host, data, pins.bus_bytes);
        counters.bytes += pins.bus_bytes;
    } else {
        write_bytes(address, data, strobe, now);
    }
    if (last != (b.beats == 1))
        protocol(now, last ? fmt::format("WLAST on beat {} of a burst of {}", b.total - b.beats + 1, b.total)
                           : fmt::format("no WLAST on the last beat of a burst of {}", b.total));
    b.address += pins.bus_bytes;
    if (--b.beats != 0) return;
    uint64_t due = now + latency;
    if (slow && stalls != 0) due += random.next() % (1 + uint64_t(latency) * stalls / 50);
    if (fault_now(ended)) {
        if (fault == ARGENT_FAULT_SILENT) silent = true;
        else response = fault == ARGENT_FAULT_SLVERR ? slverr : decerr;
    }
    any_error |= response != okay;
    answers.push({world != nullptr ? unanswered : due, response});
    response = okay;
    ended++;
    const Burst burst = b;
    bursts.pop();
    if (world == nullptr) return;
    Burst whole = burst;
    whole.address -= uint64_t(burst.total) * pins.bus_bytes;  // it has been counted up, beat by beat
    ask(whole);
}

void WritePort::write_bytes(uint64_t address, const uint8_t *data, uint64_t strobe, uint64_t now) {
    for (unsigned i = 0; i < pins.bus_bytes; i++) {
        if ((strobe >> i & 1) == 0) continue;
        counters.bytes++;
        uint8_t *host = view.byte(address + i);
        bool armed = windows.empty();
        for (Window &w : windows) armed |= w.holds(address + i, address + i + 1);
        if (host != nullptr && armed) {
            *host = data[i];
        } else if (response == okay) {
            response = decerr;
            if (any_error) continue;
            any_error = true;
            findings.add(ARGENT_BUS_ERROR, fmt::format("{}: a write to 0x{:08x} is outside of the memory that was {} for it (clock {})", pins.name,
                                                       address + i, host == nullptr ? "mapped" : "armed", now - start));
        }
    }
}

void WritePort::keep_ahead() {
    Beat b{};
    std::memcpy(b.data, pins.wdata, pins.bus_bytes);
    b.strobe = strobe_pin();
    b.last = *pins.wlast;
    ahead.push(b);
}

uint64_t WritePort::data_hash() const {
    uint64_t h = 0;
    auto *data = static_cast<const uint8_t *>(pins.wdata);
    for (unsigned i = 0; i < pins.bus_bytes; i++)
        if (strobe_pin() >> i & 1) h = (h ^ data[i]) * 0x100000001b3u;
    return h;
}

void WritePort::hold_data(bool valid, bool ready, uint64_t now) {
    uint64_t hash = data_hash(), others = strobe_pin() * 2 + *pins.wlast;
    if (held_data.now) {
        if (!valid) protocol(now, "WVALID fell before WREADY came");
        else if (others != held_data.b) protocol(now, "WSTRB or WLAST changed while WVALID waited for WREADY");
        else if (hash != held_data.a) protocol(now, "WDATA changed while WVALID waited for WREADY");
    }
    held_data = {valid && !ready, hash, others};
}

void WritePort::show() {
    *pins.bresp = answers.front().response;
    showing = true;
}

void WritePort::finish() {
    if (any_error || silent) return;
    if (!bursts.empty() || !answers.empty() || !ahead.empty())
        protocol(last_transfer, fmt::format("the accelerator says done while {} of its write bursts are unfinished", bursts.size() + answers.size()));
    else if (counters.expected_bytes != 0 && counters.bytes != counters.expected_bytes)
        protocol(last_transfer, fmt::format("the accelerator says done after it wrote {} bytes of a box of {}", counters.bytes, counters.expected_bytes));
}

std::string WritePort::waits() const {
    std::string text;
    auto line = [&](const std::string &s) { text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", pins.name, s); };
    const char *injected = silent ? " (a fault was injected)" : "";
    if (*pins.avalid && !*pins.aready) line("AW waits for AWREADY of the memory");
    if (*pins.wvalid && !*pins.wready) line(fmt::format("W waits for WREADY of the memory{}", injected));
    if (!bursts.empty() && !*pins.wvalid) line(fmt::format("the memory waits for W of the core: {} beats of a burst of {} are missing",
                                                           const_cast<Ring<Burst, 256> &>(bursts).front().beats,
                                                           const_cast<Ring<Burst, 256> &>(bursts).front().total));
    if (!ahead.empty()) line(fmt::format("{} beats of W have come, the memory waits for their AW", ahead.size()));
    if (showing && !*pins.bready) line("the memory's B waits for BREADY of the core");
    if (!answers.empty() && !showing) line(fmt::format("the core waits for B of the memory, which owes {} responses{}", answers.size(), injected));
    if (text.empty() && counters.bytes < counters.expected_bytes)
        line(fmt::format("no write is under way, {} of {} bytes are written: the core has nothing to offer", counters.bytes, counters.expected_bytes));
    return text;
}

}  // namespace argent::sim
