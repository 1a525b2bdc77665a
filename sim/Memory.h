#ifndef ARGENT_SIM_MEMORY_H
#define ARGENT_SIM_MEMORY_H

#include <cstdint>
#include <string>
#include <vector>

#include "argent_sim.h"

namespace argent::sim {

/** What went wrong in a launch: the first code, and texts (the first few). */
struct Findings {
    int code = ARGENT_OK;
    unsigned count = 0;
    std::string text;
    void add(int finding_code, const std::string &finding);
    void clear() { *this = Findings(); }
};

/** The bytes that one port may touch, and a cache of the row that was touched last. */
class Window {
public:
    explicit Window(const argent_window &w);
    /** Whether any byte of [first, last) lies in the window. */
    bool touches(uint64_t first, uint64_t last) {
        return (first < row_end && last > row_begin) || find(first, last);
    }
    /** Whether every byte of [first, last) does. */
    bool holds(uint64_t first, uint64_t last);
    uint64_t bytes() const { return total; }

private:
    bool find(uint64_t first, uint64_t last);
    bool find_row(uint64_t base, uint64_t first, uint64_t last);

    uint64_t base = 0, row = 0, total = 0;      // first byte; bytes of a row; all bytes
    int64_t extent[3] = {1, 1, 1}, stride[3] = {0, 0, 0};  // of rows, positive strides
    uint64_t row_begin = 0, row_end = 0;
};

/** Translates device addresses; each port has one, with a cache of the mapping that it used last. */
class View {
public:
    void set(const argent_mapping *list, size_t count, unsigned access) {
        mappings = list;
        mapping_count = count;
        wanted = access;
        begin = end = 0;
    }
    /** Host memory of [address, address + bytes), or null if it is not mapped as a whole. */
    uint8_t *whole(uint64_t address, uint64_t bytes) {
        if (address >= begin && address + bytes <= end) return host + (address - begin);
        return find(address) && address + bytes <= end ? host + (address - begin) : nullptr;
    }
    /** Host memory of one byte, or null. */
    uint8_t *byte(uint64_t address) {
        if (address >= begin && address < end) return host + (address - begin);
        return find(address) ? host + (address - begin) : nullptr;
    }

private:
    bool find(uint64_t address);

    const argent_mapping *mappings = nullptr;
    size_t mapping_count = 0;
    unsigned wanted = 0;
    uint64_t begin = 0, end = 0;
    uint8_t *host = nullptr;
};

}  // namespace argent::sim

#endif
