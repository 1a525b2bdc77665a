/* Memory for images, where the device can reach it: then argent_launch copies nothing.
 *
 * Halide's own allocations (intermediate images, padded inputs) are made here by themselves in every program with an accelerator, unless
 * it calls halide_set_custom_malloc. For images of the program, before the first one is made:
 *
 *   Halide::Runtime::Buffer<>::set_default_allocate_fn(argent_image_allocate);
 *   Halide::Runtime::Buffer<>::set_default_deallocate_fn(argent_image_free); */
#ifndef ARGENT_HALIDE_H
#define ARGENT_HALIDE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For the device that launches use when this is called (argent_launch_set_device, ARGENT_DEVICE): memory that it can reach if it cannot reach all,
 * otherwise, or where there is no more of it, malloc's. Aligned to 128 bytes. NULL: out of memory. */
void *argent_image_allocate(size_t bytes);

/* Frees what argent_image_allocate gave. NULL is fine. */
void argent_image_free(void *host);

/* Called at program start. */
void argent_halide_use_memory(void);

#ifdef __cplusplus
}
#endif
#endif
