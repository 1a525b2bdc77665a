#ifndef ARGENT_TEST_FAKE_DEVICE_H
#define ARGENT_TEST_FAKE_DEVICE_H

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "argent_runtime.h"

/** A device `fake:` without hardware: registers are a map, a launch ends after some looks and can be told to fail. */
struct FakeDevice {
    std::map<uint32_t, uint32_t> registers;
    std::vector<argent_window> windows, transfers;
    std::vector<std::string> ports;
    argent_mappings mappings{};
    uint64_t above = 0;  // what addresses are more than the mappings say
    int looks_until_done = 1;
    int open_code = ARGENT_OK, map_code = ARGENT_OK, unmap_code = ARGENT_OK, arm_code = ARGENT_OK, wait_code = 0, read_code = ARGENT_OK;
    int opened = 0, closed = 0, resets = 0, launches = 0;
    bool never_done = false;
    int spurious = 0;  // interrupts that come before anything has happened
    int dma_code = ARGENT_OK;
    int fill = -1;  // not -1: a launch writes this byte into all rows of its output windows
    void (*observe)(const FakeDevice &) = nullptr;  // of every launch, with its windows
    std::string text;
    struct Waiting {
        uint32_t cycles;
        std::vector<argent_window> windows;
    };
    std::deque<Waiting> waiting;  // launches; the first one runs
    unsigned ended = 0;           // since the reset

    static FakeDevice &now();
    /** As new, and registered as the scheme `fake`. */
    static FakeDevice &fresh(bool with_dma = false, bool takes_two = false);
    static argent_backend *backend();
    /** The oldest launch ends. */
    void end();
    void tell();
};

#endif
