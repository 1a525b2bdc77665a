// What Halide would compile: increment() on the accelerator and increment_cpu(), with their metadata, and the few functions of
// Halide's runtime that the runner uses. `lie` makes the CPU's result differ in one element.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "increment_driver.h"

namespace {

halide_error_handler_t handler = [](void *, const char *m) { std::fprintf(stderr, "%s\n", m); };

/** in(x, y) + amount, of in clamped to its own extents (a border) if `border` is not 0. */
bool query(halide_buffer_t *in, halide_buffer_t *out) {
    if (in->host != nullptr && out->host != nullptr) return false;
    if (in->host == nullptr)
        for (int d = 0; d < 2; d++) in->dim[d] = halide_dimension_t(out->dim[d].min, out->dim[d].extent, d == 0 ? 1 : out->dim[0].extent);
    if (out->host == nullptr) {
        out->dim[0].stride = 1;
        out->dim[1].stride = out->dim[0].extent;
    }
    return true;
}

int increment(void **args) {
    auto *in = static_cast<halide_buffer_t *>(args[0]), *out = static_cast<halide_buffer_t *>(args[3]);
    if (query(in, out)) return 0;
    return increment_launch(in, out->dim[0].min, out->dim[0].min + out->dim[0].extent - 1, out->dim[1].min,
                            out->dim[1].min + out->dim[1].extent - 1, *static_cast<int8_t *>(args[1]), *static_cast<uint8_t *>(args[2]), out);
}

int increment_cpu(void **args) {
    auto *in = static_cast<halide_buffer_t *>(args[0]), *out = static_cast<halide_buffer_t *>(args[3]);
    if (query(in, out)) return 0;
    bool lie = std::getenv("LIE") != nullptr;
    for (int y = 0; y < out->dim[1].extent; y++)
        for (int x = 0; x < out->dim[0].extent; x++) {
            uint8_t v = in->host[(out->dim[0].min + x - in->dim[0].min) + (out->dim[1].min + y - in->dim[1].min) * in->dim[1].stride];
            out->host[x + y * out->dim[1].stride] = uint8_t(v + *static_cast<int8_t *>(args[1]) + (lie && x == 3 && y == 2));
        }
    return 0;
}

halide_scalar_value_t amount, zero, least, most;
halide_filter_argument_t arguments[4];
halide_filter_metadata_t hardware, cpu;

struct Register {
    Register() {
        amount.u.i8 = 5;
        least.u.i8 = -100;
        most.u.i8 = 100;
        auto set = [](int i, const char *name, int kind, int dimensions, halide_type_t type, halide_scalar_value_t *value) {
            arguments[i].name = name;
            arguments[i].kind = kind;
            arguments[i].dimensions = dimensions;
            arguments[i].type = type;
            arguments[i].scalar_def = value;
        };
        set(0, "in", halide_argument_kind_input_buffer, 2, halide_type_t(halide_type_uint, 8), nullptr);
        set(1, "amount", halide_argument_kind_input_scalar, 0, halide_type_t(halide_type_int, 8), &amount);
        set(2, "broken", halide_argument_kind_input_scalar, 0, halide_type_t(halide_type_uint, 8), &zero);
        set(3, "out", halide_argument_kind_output_buffer, 2, halide_type_t(halide_type_uint, 8), nullptr);
        arguments[1].scalar_min = &least;
        arguments[1].scalar_max = &most;
        arguments[2].scalar_min = arguments[2].scalar_max = &zero;
        hardware.version = cpu.version = halide_filter_metadata_t::VERSION;
        hardware.num_arguments = cpu.num_arguments = 4;
        hardware.arguments = cpu.arguments = arguments;
        hardware.target = cpu.target = "host";
        hardware.name = "increment";
        cpu.name = "increment_cpu";
        halide_register_argv_and_metadata(increment, &hardware, nullptr);
        halide_register_argv_and_metadata(increment_cpu, &cpu, nullptr);
    }
} registered;

}  // namespace

extern "C" {

void halide_error(void *c, const char *m) { handler(c, m); }
halide_error_handler_t halide_set_error_handler(halide_error_handler_t h) {
    auto before = handler;
    handler = h;
    return before;
}
halide_print_t halide_set_custom_print(halide_print_t) { return nullptr; }
}
