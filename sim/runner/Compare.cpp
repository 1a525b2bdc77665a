#include "sim/runner/Compare.h"

#include <fmt/format.h>

#include <cstring>

namespace argent::runner {

namespace {

struct Place {
    uint64_t different = 0;
    std::vector<int> first;
};

/** Compares along dimension `d` and all inner ones. */
void compare(const halide_buffer_t *a, const halide_buffer_t *b, int d, const uint8_t *pa, const uint8_t *pb, std::vector<int> &at, Place &place) {
    size_t bytes = size_t(a->type.bytes());
    if (d < 0) {
        if (std::memcmp(pa, pb, bytes) == 0) return;
        if (place.different++ == 0) place.first = at;
        return;
    }
    const halide_dimension_t &da = a->dim[d], &db = b->dim[d];
    if (d == 0 && da.stride == 1 && db.stride == 1 && std::memcmp(pa, pb, bytes * size_t(da.extent)) == 0) return;
    for (int i = 0; i < da.extent; i++) {
        at[size_t(d)] = da.min + i;
        compare(a, b, d - 1, pa + int64_t(i) * da.stride * int64_t(bytes), pb + int64_t(i) * db.stride * int64_t(bytes), at, place);
    }
}

const uint8_t *element(const halide_buffer_t *b, const std::vector<int> &at) {
    int64_t offset = 0;
    for (int d = 0; d < b->dimensions; d++) offset += int64_t(at[size_t(d)] - b->dim[d].min) * b->dim[d].stride;
    return b->host + offset * b->type.bytes();
}

}  // namespace

Difference compare_outputs(const Arguments &hardware, const Arguments &expected) {
    Difference result;
    for (size_t i = 0; i < hardware.list.size(); i++) {
        if (!hardware.list[i].is_output()) continue;
        const halide_buffer_t *a = hardware.list[i].buffer.raw_buffer(), *b = expected.list[i].buffer.raw_buffer();
        Place place;
        std::vector<int> at(size_t(a->dimensions));
        result.elements += hardware.list[i].buffer.number_of_elements();
        compare(a, b, a->dimensions - 1, a->host, b->host, at, place);
        result.different += place.different;
        if (place.different == 0) continue;
        std::string where;
        for (int x : place.first) where += fmt::format("{}{}", where.empty() ? "" : ", ", x);
        result.text += fmt::format("{}{}({}): the hardware has {}, the CPU {}; {} of {} elements differ", result.text.empty() ? "" : "\n",
                                   hardware.list[i].name, where, value_text(a->type, element(a, place.first)),
                                   value_text(b->type, element(b, place.first)), place.different, hardware.list[i].buffer.number_of_elements());
    }
    return result;
}

}  // namespace argent::runner
