#include "argent_align.h"

#include <stdlib.h>
#include <string.h>

static int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

static int64_t rounded_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

/* Whether dimension d stands inside of e: by the strides that the hardware wants or, where any will do, that the buffer has. Of an extent of 1 they may be equal. */
static bool is_inside(const struct argent_image *image, const halide_buffer_t *b, int d, int e) {
    int64_t fixed_d = image->strides[d], fixed_e = image->strides[e];
    int64_t stride_d = fixed_d > 0 ? fixed_d : magnitude(b->dim[d].stride), stride_e = fixed_e > 0 ? fixed_e : magnitude(b->dim[e].stride);
    return stride_d != stride_e ? stride_d < stride_e : fixed_d > 0 && fixed_e == 0;
}

/* The buffer's dimensions, the innermost first. */
static void order_of(const struct argent_image *image, const halide_buffer_t *b, int *order) {
    for (int d = 0; d < b->dimensions; d++) {
        int at = d;
        for (; at > 0 && is_inside(image, b, d, order[at - 1]); at--) order[at] = order[at - 1];
        order[at] = d;
    }
}

bool argent_whole_make(const struct argent_image *image, const halide_buffer_t *given, const int32_t *box, int32_t before, struct argent_whole *whole) {
    int order[ARGENT_MAX_DIMENSIONS];
    int64_t bytes = (image->type.bits + 7) / 8, alignment = image->alignment, stride = 1;
    whole->memory = NULL;
    whole->buffer = *given;
    whole->buffer.dim = whole->dim;
    memcpy(whole->dim, given->dim, (size_t)given->dimensions * sizeof whole->dim[0]);
    for (int k = 0; k < image->scanned_count; k++) {
        halide_dimension_t *d = &whole->dim[image->scanned[k]];
        d->min = box[2 * k] - (k == 0 ? before : 0);
        d->extent = box[2 * k + 1] - d->min + 1;
    }
    order_of(image, given, order);
    for (int i = 0; i < given->dimensions; i++) {
        halide_dimension_t *d = &whole->dim[order[i]];
        int64_t fixed = image->strides[order[i]];
        stride = fixed > stride ? fixed : fixed > 0 ? stride : rounded_up(stride * bytes, alignment) / bytes;
        d->stride = (int32_t)stride;
        stride *= d->extent;
        if (stride > INT32_MAX) return false;
    }
    whole->memory = malloc((size_t)(stride * bytes + alignment));
    whole->buffer.host = (uint8_t *)(uintptr_t)rounded_up((int64_t)(uintptr_t)whole->memory, alignment);
    return whole->memory != NULL;
}

static uint8_t *element(const halide_buffer_t *b, const int32_t *place, int64_t bytes) {
    int64_t at = 0;
    for (int d = 0; d < b->dimensions; d++) at += (int64_t)(place[d] - b->dim[d].min) * b->dim[d].stride;
    return b->host + at * bytes;
}

void argent_whole_copy(const struct argent_image *image, const struct argent_whole *whole, const int32_t *box, const uint64_t *params, const halide_buffer_t *given) {
    int64_t bytes = (image->type.bits + 7) / 8;
    for (int i = 0; i < image->stream_count; i++) {   /* what lies between its planes is others' */
        int32_t first[ARGENT_MAX_DIMENSIONS], last[ARGENT_MAX_DIMENSIONS], place[ARGENT_MAX_DIMENSIONS];
        for (int d = 0; d < given->dimensions; d++) {
            int32_t param = image->streams[i].at_params[d];
            first[d] = param > 0 ? (int32_t)params[param - 1] : image->streams[i].box[d].min;
            last[d] = param > 0 ? first[d] : image->streams[i].box[d].max;
        }
        for (int k = 0; k < image->scanned_count; k++) {
            first[image->scanned[k]] += box[2 * k];
            last[image->scanned[k]] += box[2 * k + 1];
        }
        memcpy(place, first, sizeof place);
        for (int d = 0; d < given->dimensions;) {
            memcpy(element(given, place, bytes), element(&whole->buffer, place, bytes), (size_t)bytes);
            for (d = 0; d < given->dimensions && ++place[d] > last[d]; d++) place[d] = first[d];
        }
    }
}
