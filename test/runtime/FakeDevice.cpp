#include "FakeDevice.h"

#include <cstdio>
#include <cstring>

FakeDevice &FakeDevice::now() {
    static FakeDevice device;
    return device;
}

static argent_backend backend{};

/** The windows of a launch have at most two dimensions here. */
static void fill_windows(FakeDevice &d, const std::vector<argent_window> &windows) {
    for (const argent_window &w : windows)
        for (int64_t row = 0; w.access == ARGENT_WRITE && row < (w.dimensions > 1 ? w.extent[1] : 1); row++)
            for (size_t i = 0; i < d.mappings.count; i++) {
                const argent_mapping &m = d.mappings.list[i];
                uint64_t at = w.address + uint64_t(row * w.stride[1]);
                if (at >= m.address && at < m.address + m.bytes) std::memset(m.host + (at - m.address), d.fill, size_t(w.extent[0]));
            }
}

void FakeDevice::tell() {
    registers[ARGENT_CONTROL] = (waiting.size() == 2 ? ARGENT_CONTROL_START : ARGENT_CONTROL_READY) | (waiting.empty() ? ARGENT_CONTROL_IDLE : 0) |
                                uint32_t(ended & 255) << ARGENT_CONTROL_ENDED;
}

void FakeDevice::end() {
    if (!waiting.empty()) {
        if (fill != -1) fill_windows(*this, waiting.front().windows);
        registers[ARGENT_CYCLES] = waiting.front().cycles;
        const uint32_t results = ended % 2 != 0 ? ARGENT_RESULTS_ODD : ARGENT_RESULTS;
        for (uint32_t at = 8; at < 0x20; at += 4) registers[results + at] = registers[ARGENT_ID + at];
        waiting.pop_front();
        ended++;
    }
    registers[ARGENT_INTERRUPT_STATUS] = 1;
    tell();
}

argent_backend *FakeDevice::backend() { return &::backend; }

FakeDevice &FakeDevice::fresh(bool with_dma, bool takes_two) {
    argent_backend &backend = ::backend;
    argent_mappings_free(&now().mappings);
    now() = FakeDevice();
    now().registers[ARGENT_ID] = 0x12345678;
    now().registers[ARGENT_VERSION] = ARGENT_LAYOUT_VERSION;
    now().tell();
    backend = argent_backend{};
    backend.scheme = "fake";
    backend.open = [](const char *rest, const char *accelerator, void **state, char *text, size_t size) {
        FakeDevice &d = now();
        if (d.open_code != ARGENT_OK) {
            snprintf(text, size, "fake:%s has no %s today", rest, accelerator);
            return d.open_code;
        }
        d.opened++;
        *state = &d;
        return int(ARGENT_OK);
    };
    backend.close = [](void *) { now().closed++; };
    backend.reset = [](void *) {
        now().resets++;
        now().waiting.clear();
        now().ended = 0;
        now().tell();
        return int(ARGENT_OK);
    };
    backend.map = [](void *, void *host, size_t bytes, unsigned access, uint64_t *address) {
        FakeDevice &d = now();
        if (d.map_code != ARGENT_OK) return d.map_code;
        const int code = argent_mappings_add(&d.mappings, host, bytes, access, address);
        if (code == ARGENT_OK) *address += d.above;
        return code;
    };
    backend.unmap = [](void *, uint64_t address) {
        FakeDevice &d = now();
        return d.unmap_code != ARGENT_OK ? d.unmap_code : argent_mappings_remove(&d.mappings, address - d.above);
    };
    backend.read = [](void *, uint32_t offset, uint32_t *value) {
        *value = now().registers[offset];
        return now().read_code;
    };
    backend.write = [](void *, uint32_t offset, uint32_t value) {
        FakeDevice &d = now();
        if (offset == ARGENT_INTERRUPT_STATUS) {
            d.registers[offset] ^= value;
            return int(ARGENT_OK);
        }
        d.registers[offset] = value;
        if (offset == ARGENT_CONTROL) {
            if (d.waiting.size() < 2) d.waiting.push_back({1000 + uint32_t(++d.launches), d.windows});
            d.tell();
        }
        return int(ARGENT_OK);
    };
    backend.arm = [](void *, const argent_command *c) {
        FakeDevice &d = now();
        d.windows.assign(c->windows, c->windows + c->window_count);
        d.ports.clear();
        for (argent_window &w : d.windows) d.ports.push_back(w.port);
        if (d.observe != nullptr) d.observe(d);
        return d.arm_code;
    };
    backend.wait = [](void *, int64_t) {
        FakeDevice &d = now();
        if (d.wait_code != 0) return d.wait_code;
        if (d.spurious > 0) return d.spurious--, 1;
        if (d.never_done || --d.looks_until_done > 0) return 0;
        d.end();
        return 1;
    };
    backend.text = [](void *) { return now().text.c_str(); };
    backend.takes_two = takes_two;
    backend.transfer = nullptr;
    if (with_dma)
        backend.transfer = [](void *, const argent_window *list, size_t count) {
            now().transfers.assign(list, list + count);
            return now().dma_code;
        };
    argent_add_backend(&backend);
    return now();
}
