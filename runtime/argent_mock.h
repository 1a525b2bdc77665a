/* The device mock: (argent_runtime.h): no hardware and no simulation; what an accelerator computes is computed by the host's processor, from
 * Halide's own code of the same region. For tests of programs: the driver does all that it does for a board, and results are the
 * same bit for bit. Nothing is said about clocks (ARGENT_CYCLES is 0).
 *
 * The library <target>_mock of add_argent_accelerator adds its accelerators by itself when it is linked. */
#ifndef ARGENT_MOCK_H
#define ARGENT_MOCK_H

#include <HalideRuntime.h>
#include <string.h>

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct argent_mock {
    const char *accelerator;
    uint32_t id; /* what ARGENT_ID says */
    /* As struct argent_images. Not 0: a halide_error_code_t, and halide_error has been called. */
    int (*compute)(const struct argent_images *images);
    struct argent_mock *next;
};

/* Before the device is opened. `mock` must stay; one of the same name takes the other one's place. */
void argent_mock_add(struct argent_mock *mock);

/* Floating-point parameters out of struct argent_images. */
static inline float argent_mock_float32(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}
static inline double argent_mock_float64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The backend's table. */
const struct argent_backend *argent_mock_backend(void);

#ifdef __cplusplus
}
#endif
#endif
