#include "Whole.h"

#include <fmt/format.h>

#include "Golden.h"
#include "Inputs.h"
#include "dsl/Spec.h"
#include "dsl/argent.h"

namespace argent::fuzz {

namespace {

using Halide::Buffer;

/** The extents of what a form makes of a run's output. */
std::vector<int> sizes_of(const Form &form, const Run &run) {
    std::vector<int> sizes = {run.width, run.height};
    if (form.has_output_channels()) sizes.push_back(1 + static_cast<int>(form.also.size()));
    if (form.planes) sizes.push_back(form.planes);
    return sizes;
}

uint64_t bits_at(const Buffer<> &b, const std::vector<int> &at) {
    uint64_t v = 0;
    std::memcpy(&v, b.raw_buffer()->address_of(at.data()), b.type().bytes());
    return b.type().is_bool() ? v & 1 : v;
}

/** Calls `f` for all places of a box of some extents. */
template<typename F>
void each_place(const std::vector<int> &extents, F &&f) {
    std::vector<int> at(extents.size(), 0);
    for (;;) {
        f(at);
        size_t d = 0;
        while (d < at.size() && ++at[d] == extents[d]) at[d++] = 0;
        if (d == at.size()) return;
    }
}

std::string difference(const Buffer<> &got, const Buffer<> &expected, const std::vector<int> &sizes, int64_t &elements) {
    std::string words;
    each_place(sizes, [&](const std::vector<int> &at) {
        const uint64_t g = bits_at(got, at), e = bits_at(expected, at);
        elements++;
        if (g != e && words.empty()) words = fmt::format("element {} is {:#x} instead of {:#x}", fmt::join(at, ","), g, e);
    });
    return words;
}

}  // namespace

std::string run_whole(const Pipeline &p, int64_t &elements) {
    dsl::take_recorded_specs();
    Built built = build_accelerated(p, fmt::format("fz{}", p.seed), p.form);
    Golden golden(p, p.form);
    for (Run run : p.runs) {
        if (p.form.is_plain()) run.min_x = run.min_y = 0;
        const std::vector<int> sizes = sizes_of(p.form, run);
        const Halide::Realization expected = golden.realize(run, sizes);
        set_inputs(p, run, built, p.form);
        const Halide::Realization got = realize(built.out, sizes);
        for (size_t i = 0; i < expected.size(); i++) {
            const std::string words = difference(got[i], expected[i], sizes, elements);
            if (!words.empty()) return fmt::format("mismatch: whole accelerator, run {}x{}: output {}, {}", run.width, run.height, i, words);
        }
    }
    return "";
}

}  // namespace argent::fuzz
