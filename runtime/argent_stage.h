/* An image as a device sees it: where it lies, or, if the device cannot reach that, in memory of the device's own ("staged"). */
#ifndef ARGENT_STAGE_H
#define ARGENT_STAGE_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct argent_stage {
    uint64_t address; /* where the device sees the range; equal to the host's modulo 128 in either case, so clocks do not differ */
    uint8_t *host;
    uint8_t *copy;      /* NULL: the device works on `host` itself */
    void *allocation;   /* what holds the copy */
};

/* Maps [host, host + bytes), or allocates a copy of it, whose content is undefined, and counts it (ARGENT_COUNT_COPIES).
 * As argent_map and argent_allocate, but for ARGENT_UNSUPPORTED. */
int argent_stage_map(argent_device *device, void *host, size_t bytes, unsigned access, struct argent_stage *stage);
void argent_stage_unmap(argent_device *device, struct argent_stage *stage);

/* Copies the rows of a window on the range, if it is staged: those that the device will read before a launch, and those that it has
 * written after it. Bytes between the rows are left alone, others may be at work on them. */
void argent_stage_before(const struct argent_stage *stage, const struct argent_window *window);
void argent_stage_after(const struct argent_stage *stage, const struct argent_window *window);

#ifdef __cplusplus
}
#endif
#endif
