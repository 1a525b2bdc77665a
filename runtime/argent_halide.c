#define _POSIX_C_SOURCE 200809L
#include "argent_halide.h"

#include <HalideRuntime.h>
#include <stdlib.h>

#include "argent_launch.h"
#include "argent_memory.h"

/* Weak: a driver may be used without Halide's runtime. */
#pragma weak halide_set_custom_malloc
#pragma weak halide_set_custom_free

static halide_malloc_t usual_malloc;
static halide_free_t usual_free;

static void *device_memory(size_t bytes) { return argent_device_memory(argent_launch_uri(), bytes); }

void *argent_image_allocate(size_t bytes) {
    void *host = device_memory(bytes);
    if (host == NULL && posix_memalign(&host, ARGENT_MEMORY_ALIGNMENT, bytes) != 0) host = NULL;
    return host;
}

void argent_image_free(void *host) {
    if (!argent_memory_free(host)) free(host);
}

static void *halide_allocates(void *user_context, size_t bytes) {
    void *host = device_memory(bytes);
    return host != NULL ? host : usual_malloc(user_context, bytes);
}

static void halide_frees(void *user_context, void *host) {
    if (!argent_memory_free(host)) usual_free(user_context, host);
}

void argent_halide_use_memory(void) {
    if (halide_set_custom_malloc == NULL || halide_set_custom_free == NULL || usual_malloc != NULL) return;
    usual_free = halide_set_custom_free(halide_frees);
    usual_malloc = halide_set_custom_malloc(halide_allocates);
}
