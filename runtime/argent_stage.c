#include "argent_stage.h"

#include <string.h>

enum { PHASE = 128 };

int argent_stage_map(argent_device *device, void *host, size_t bytes, unsigned access, struct argent_stage *stage) {
    memset(stage, 0, sizeof *stage);
    stage->host = host;
    int code = argent_map(device, host, bytes, access, &stage->address);
    if (code != ARGENT_UNSUPPORTED) return code;
    size_t phase = (uintptr_t)host % PHASE;
    if (bytes > SIZE_MAX - phase) return ARGENT_OUT_OF_MEMORY;
    code = argent_allocate(device, bytes + phase, &stage->allocation, &stage->address);
    if (code != ARGENT_OK) return code;
    stage->copy = (uint8_t *)stage->allocation + phase;
    stage->address += phase;
    argent_count_copy(device);
    return ARGENT_OK;
}

void argent_stage_unmap(argent_device *device, struct argent_stage *stage) {
    if (stage->copy != NULL)
        argent_free(device, stage->allocation);
    else
        argent_unmap(device, stage->address);
}

static void move_rows(const struct argent_stage *stage, const struct argent_window *w, int back) {
    int64_t count[4] = {1, 1, 1, 1}, stride[4] = {0, 0, 0, 0};
    for (int d = 1; d < w->dimensions; d++) {
        count[d] = w->extent[d];
        stride[d] = w->stride[d];
    }
    int64_t first = (int64_t)(w->address - stage->address);
    for (int64_t k = 0; k < count[3]; k++)
        for (int64_t j = 0; j < count[2]; j++)
            for (int64_t i = 0; i < count[1]; i++) {
                int64_t at = first + i * stride[1] + j * stride[2] + k * stride[3];
                uint8_t *host = stage->host + at, *copy = stage->copy + at;
                memcpy(back ? host : copy, back ? copy : host, (size_t)w->extent[0]);
            }
}

void argent_stage_before(const struct argent_stage *stage, const struct argent_window *window) {
    if (stage->copy != NULL && window->access == ARGENT_READ) move_rows(stage, window, 0);
}

void argent_stage_after(const struct argent_stage *stage, const struct argent_window *window) {
    if (stage->copy != NULL && window->access == ARGENT_WRITE) move_rows(stage, window, 1);
}
