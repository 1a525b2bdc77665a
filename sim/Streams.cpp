#include "Streams.h"

#include <fmt/format.h>

#include <algorithm>

namespace argent::sim {

StreamPort::StreamPort(const StreamPins &p, Findings &f) : pins(p), findings(f) {
    counters.name = pins.name;
    counters.writes = pins.writes;
}

void StreamPort::set_mappings(const argent_mapping *list, size_t count) { view.set(list, count, pins.writes ? ARGENT_WRITE : ARGENT_READ); }

void StreamPort::arm(const argent_sim_settings &s, const argent_window *, size_t, uint64_t now, unsigned index_of_port) {
    counters = argent_sim_port_counts{};
    counters.name = pins.name;
    counters.writes = pins.writes;
    columns = rows = vector = column = row = 0;
    random.seed(s.seed * 64 + index_of_port);
    stall.clear();
    stalls = std::min(s.stalls, 100u);
    latency = s.read_latency;
    beats_per = s.beats;
    clocks_per = s.clocks;
    tokens = clocks_per;
    bool mine = s.fault_port != nullptr && std::strcmp(s.fault_port, pins.name) == 0;
    fault = mine ? s.fault : ARGENT_FAULT_NONE;
    const bool possible = fault == ARGENT_FAULT_NONE || fault == ARGENT_FAULT_SILENT || (fault > ARGENT_FAULT_SILENT && !pins.writes);
    if (!possible)
        findings.add(ARGENT_BAD_ARGUMENT, fmt::format("{}: a stream that {} has no such fault; it has {}", pins.name, pins.writes ? "comes out" : "goes in",
                                                      pins.writes ? "silent" : "short, long, user and silent"));
    fault_at = s.fault_at;
    silent = any_fault = begun = false;
    start = last_transfer = now;
}

void StreamPort::transfer(const argent_window &b) {
    box = b;
    columns = (b.extent[0] + pins.bus_bytes - 1) / pins.bus_bytes;
    rows = 1;
    for (int d = 1; d < b.dimensions; d++) rows *= b.extent[d];
    vector = column = row = 0;
    std::fill(index, index + 4, 0);
    row_address = b.address;
    counters.expected_bytes = uint64_t(b.extent[0] * rows);
}

void StreamPort::advance() {
    counters.bytes += row_bytes();
    vector++;
    if (++column < columns) return;
    column = 0;
    row++;
    counters.bursts++;
    row_address = box.address;
    bool carry = true;
    for (int d = 1; d < box.dimensions; d++) {
        if (carry) carry = ++index[d] == box.extent[d];
        if (carry) index[d] = 0;
        row_address += uint64_t(index[d] * box.stride[d]);
    }
}

void StreamPort::protocol(uint64_t now, const std::string &text) {
    findings.add(ARGENT_PROTOCOL, fmt::format("{}: {} (clock {})", pins.name, text, now - start));
}

std::string StreamPort::fmt_place(int64_t row, int64_t column) { return fmt::format("transfer {} of row {}", column, row); }

/* ---- into the accelerator ---- */

void SourcePort::arm(const argent_sim_settings &s, const argent_window *windows, size_t count, uint64_t now, unsigned index_of_port) {
    StreamPort::arm(s, windows, count, now, index_of_port);
    // What was shown and not taken belongs to a launch that is over.
    showing = lengthen = extra = false;
    *pins.tvalid = 0;
}

void SourcePort::clear() {
    StreamPort::clear();
    showing = false;
    *pins.tvalid = 0;
}

void SourcePort::show() {
    auto *data = static_cast<uint8_t *>(pins.tdata);
    if (fault_now(ARGENT_FAULT_SILENT)) {
        silent = any_fault = true;
        return;
    }
    const unsigned mine = extra ? 0 : row_bytes();
    const uint8_t *host = mine != 0 ? view.whole(address(), mine) : nullptr;
    if (host != nullptr) std::memcpy(data, host, mine);
    for (unsigned i = host != nullptr ? mine : 0; i < pins.bus_bytes; i++) data[i] = uint8_t(random.next() >> 56);
    if (host == nullptr && mine != 0 && !any_fault) {
        any_fault = true;  // one text for each port and launch
        findings.add(ARGENT_BUS_ERROR, fmt::format("{}: the DMA reads 0x{:08x}, which is not mapped for it", pins.name, address()));
    }
    bool last = extra || at_row_end(), user = !extra && vector == 0;
    if (fault_now(ARGENT_FAULT_USER)) {
        user = !user;
        any_fault = true;
    }
    if (fault_now(ARGENT_FAULT_SHORT)) last = any_fault = true;
    if (fault_now(ARGENT_FAULT_LONG)) lengthen = any_fault = true;
    if (lengthen && last && !extra) last = false;
    *pins.tlast = last;
    *pins.tuser = user;
    if (pins.tkeep != nullptr) {
        auto *keep = static_cast<uint8_t *>(pins.tkeep);
        for (unsigned i = 0; i < pins.bus_bytes; i += 8) keep[i / 8] = 0;
        for (unsigned i = 0; i < (extra ? pins.bus_bytes : mine); i++) keep[i / 8] = uint8_t(keep[i / 8] | 1u << i % 8);
    }
    showing = true;
}

/** While TVALID is low anything may stand on the other pins. */
void SourcePort::show_nothing() {
    auto *data = static_cast<uint8_t *>(pins.tdata);
    for (unsigned i = 0; i < pins.bus_bytes; i++) data[i] = uint8_t(random.next() >> 56);
    *pins.tlast = random.next() >> 63;
    *pins.tuser = random.next() >> 63;
}

void SourcePort::taken() {
    if (extra) {
        extra = lengthen = false;
        return;
    }
    bool row_ends = at_row_end();
    if (fault == ARGENT_FAULT_SHORT && counters.beats == fault_at + 1) {
        while (!at_row_end()) advance();
        row_ends = true;
    }
    if (lengthen && row_ends) extra = true;
    advance();
}

void SourcePort::finish() {
    if (any_fault || silent) return;
    if (in_frame())
        protocol(last_transfer, fmt::format("the accelerator says done before it has taken {}: {} of {} transfers were taken", place(), vector, columns * rows));
}

std::string SourcePort::waits() const {
    const char *injected = any_fault ? " (a fault was injected)" : "";
    if (columns == 0) return fmt::format("{}: the DMA was given no frame", pins.name);
    if (silent) return fmt::format("{}: the core waits for TVALID of the DMA{}: {} comes next", pins.name, injected, place());
    if (showing) return fmt::format("{}: the DMA's {} waits for TREADY of the core{}", pins.name, place(), injected);
    if (!in_frame()) return fmt::format("{}: all {} transfers of the frame were taken{}", pins.name, counters.beats, injected);
    return fmt::format("{}: the core waits for TVALID of the DMA: {} comes next", pins.name, place());
}

/* ---- out of it ---- */

void SinkPort::clear() {
    StreamPort::clear();
    *pins.tready = 0;
}

std::string SinkPort::after_reset() const { return *pins.tvalid != 0 ? fmt::format("{}: TVALID is not 0 after reset", pins.name) : ""; }

void SinkPort::hold(bool valid, bool ready, uint64_t now) {
    Held seen{valid && !ready, 0, *pins.tlast, *pins.tuser, {}};
    const unsigned keep_bytes = (pins.bus_bytes + 7) / 8;
    if (pins.tkeep != nullptr) std::memcpy(seen.keep, pins.tkeep, keep_bytes);
    else std::memset(seen.keep, 255, keep_bytes);
    auto *data = static_cast<const uint8_t *>(pins.tdata);
    for (unsigned i = 0; i < pins.bus_bytes; i++)
        if (seen.keep[i / 8] >> i % 8 & 1) seen.data = (seen.data ^ data[i]) * 0x100000001b3u + i;
    if (held.now) {
        const char *what = !valid                                                  ? nullptr
                           : std::memcmp(seen.keep, held.keep, keep_bytes) != 0 ? "TKEEP"
                           : seen.data != held.data                             ? "TDATA"
                           : seen.last != held.last                             ? "TLAST"
                           : seen.user != held.user                             ? "TUSER"
                                                                                : "";
        if (what == nullptr) protocol(now, "TVALID fell before TREADY came");
        else if (*what != 0) protocol(now, fmt::format("{} changed while TVALID waited for TREADY", what));
    }
    held = seen;
}

void SinkPort::take(uint64_t now) {
    if (columns == 0) return protocol(now, "the core sends, and the DMA was given no frame");
    if (!in_frame()) return protocol(now, fmt::format("a transfer after the frame's last one, of {}", columns * rows));
    const unsigned mine = row_bytes();
    if (bool last = *pins.tlast; last != at_row_end())
        protocol(now, last ? fmt::format("TLAST on {}, a row has {}", place(), columns) : fmt::format("no TLAST on {}, the row's last", place()));
    if (bool user = *pins.tuser; user != (vector == 0))
        protocol(now, user ? fmt::format("TUSER on {}", place()) : "no TUSER on the frame's first transfer");
    if (pins.tkeep != nullptr) {
        auto *keep = static_cast<const uint8_t *>(pins.tkeep);
        for (unsigned i = 0; i < pins.bus_bytes; i++) {
            if ((keep[i / 8] >> i % 8 & 1) == (i < mine)) continue;
            protocol(now, fmt::format("TKEEP of byte {} is {} on {}, of which {} bytes belong to the row", i, keep[i / 8] >> i % 8 & 1, place(), mine));
            break;
        }
    }
    if (uint8_t *host = view.whole(address(), mine); host != nullptr) {
        std::memcpy(host, pins.tdata, mine);
    } else if (!any_fault) {
        any_fault = true;
        findings.add(ARGENT_BUS_ERROR, fmt::format("{}: the DMA writes to 0x{:08x}, which is not mapped for it (clock {})", pins.name, address(), now - start));
    }
    advance();
}

void SinkPort::finish() {
    if (any_fault) return;
    if (in_frame())
        protocol(last_transfer, fmt::format("the accelerator says done after {} of the frame's {} transfers", vector, columns * rows));
}

std::string SinkPort::waits() const {
    const char *injected = silent ? " (a fault was injected)" : "";
    if (*pins.tvalid && !*pins.tready) return fmt::format("{}: the core's {} waits for TREADY of the DMA{}", pins.name, place(), injected);
    if (columns == 0) return fmt::format("{}: the DMA was given no frame", pins.name);
    if (in_frame()) return fmt::format("{}: {} of {} transfers have come: the core has nothing to offer", pins.name, vector, columns * rows);
    return "";
}

}  // namespace argent::sim
