#include "Memory.h"

#include <algorithm>

namespace argent::sim {

void Findings::add(int finding_code, const std::string &finding) {
    const unsigned shown = 8;
    if (code == ARGENT_OK) code = finding_code;
    count++;
    if (count <= shown) text += (text.empty() ? "" : "\n") + finding;
    if (count == shown + 1) text += "\n(and more)";
}

Window::Window(const argent_window &w) : base(w.address), row(uint64_t(w.extent[0])), total(uint64_t(w.extent[0])) {
    for (int d = 1; d < w.dimensions; d++) {
        extent[d - 1] = w.extent[d];
        stride[d - 1] = w.stride[d];
        total *= uint64_t(w.extent[d]);
        if (w.stride[d] < 0) {  // the same bytes, counted from the other end
            base -= uint64_t(-w.stride[d] * (w.extent[d] - 1));
            stride[d - 1] = -w.stride[d];
        }
    }
}

bool Window::find_row(uint64_t plane, uint64_t first, uint64_t last) {
    // The first of the rows that share a byte with it; rows may be shorter than a beat, and overlap each other.
    const auto row_at = [&](int64_t bytes) { return bytes < 0 ? (bytes + 1) / stride[0] - 1 : bytes / stride[0]; };
    int64_t low = 0, high = extent[0] - 1;
    if (stride[0] > 0) {
        low = std::max(low, row_at(int64_t(first) - int64_t(plane) - int64_t(row) + stride[0]));
        high = std::min(high, row_at(int64_t(last) - 1 - int64_t(plane)));
    } else {
        high = 0;
    }
    uint64_t begin = plane + uint64_t(low * stride[0]);
    if (low > high || first >= begin + row || last <= begin) return false;
    row_begin = begin;
    row_end = begin + row;
    return true;
}

bool Window::find(uint64_t first, uint64_t last) {
    for (int64_t k = 0; k < extent[2]; k++)
        for (int64_t j = 0; j < extent[1]; j++)
            if (find_row(base + uint64_t(k * stride[2] + j * stride[1]), first, last)) return true;
    return false;
}

bool Window::holds(uint64_t first, uint64_t last) {
    if (first >= row_begin && last <= row_end) return true;
    for (uint64_t a = first; a < last; a++)
        if (!touches(a, a + 1)) return false;
    return true;
}

bool View::find(uint64_t address) {
    for (size_t i = 0; i < mapping_count; i++) {
        const argent_mapping &m = mappings[i];
        if ((m.access & wanted) == 0 || address < m.address || address >= m.address + m.bytes) continue;
        begin = m.address;
        end = m.address + m.bytes;
        host = m.host;
        return true;
    }
    return false;
}

}  // namespace argent::sim
