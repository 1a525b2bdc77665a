#include "argent_place.h"

int64_t argent_element_bytes(const struct argent_image *image) { return (image->type.bits + 7) / 8; }

const char *argent_role(const struct argent_placed *p) { return p->writes ? "output" : "input"; }

int argent_scanned_as(const struct argent_image *image, int d) {
    for (int k = 0; k < image->scanned_count; k++)
        if (image->scanned[k] == d) return k;
    return -1;
}

int64_t argent_needs_min(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params) {
    int k = argent_scanned_as(image, d);
    if (s->at_params[d] > 0) return (int32_t)params[s->at_params[d] - 1];
    if (k >= 0 && s->box_params > 0) return (int32_t)params[s->box_params - 1 + 2 * k];
    return (k < 0 ? 0 : (int64_t)box[2 * k]) + s->box[d].min;
}

int64_t argent_needs_max(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params) {
    int k = argent_scanned_as(image, d);
    if (s->at_params[d] > 0) return (int32_t)params[s->at_params[d] - 1];
    if (k >= 0 && s->box_params > 0) return (int32_t)params[s->box_params + 2 * k];
    return (k < 0 ? 0 : (int64_t)box[2 * k + 1]) + s->box[d].max;
}

int64_t argent_step(const struct argent_image *image) {
    int64_t stride = image->strides[image->scanned[0]];
    return stride > 0 ? stride : 1;
}

int64_t argent_row_elements(const struct argent_image *image, const struct argent_stream *s, int64_t extent) {
    int64_t planes = 0;
    for (int d = 0; d < image->dimensions; d++)
        if (argent_scanned_as(image, d) < 0) planes += (s->box[d].max - s->box[d].min) * (int64_t)image->strides[d];
    return (extent - 1) * argent_step(image) + planes + 1;
}

void argent_set_box(struct argent_placed *p, const int32_t *box, const uint64_t *params) {
    for (int d = 0; d < p->image->dimensions; d++) {
        int64_t min = INT64_MAX, max = INT64_MIN;
        for (int i = 0; i < p->image->stream_count; i++) {
            const struct argent_stream *s = &p->image->streams[i];
            int64_t low = argent_needs_min(p->image, s, d, box, params), high = argent_needs_max(p->image, s, d, box, params);
            if (low < min) min = low;
            if (high > max) max = high;
        }
        p->min[d] = (int32_t)min;
        p->extent[d] = (int32_t)(max - min + 1);
    }
}

void argent_set_part(struct argent_part *part, const halide_buffer_t *b, const int32_t *box, const uint64_t *params) {
    const struct argent_image *image = part->of->image;
    const int64_t bytes = argent_element_bytes(image);
    int64_t offset = 0, low = 0, high = 0;
    for (int d = 0; d < image->dimensions; d++)
        offset += (argent_needs_min(image, part->stream, d, box, params) - (int64_t)b->dim[d].min) * b->dim[d].stride * bytes;
    for (int k = 0; k < image->scanned_count; k++) {
        const int d = image->scanned[k];
        const int64_t min = argent_needs_min(image, part->stream, d, box, params), max = argent_needs_max(image, part->stream, d, box, params);
        part->min[k] = (int32_t)min;
        part->extent[k] = (int32_t)(max - min + 1);
        part->stride[k] = k == 0 ? bytes * argent_step(image) : (int64_t)b->dim[d].stride * bytes;
        if (k == 0) part->row = bytes * argent_row_elements(image, part->stream, part->extent[k]);
        const int64_t span = k == 0 ? part->row : part->stride[k] * (part->extent[k] - 1);
        if (span < 0)
            low += span;
        else
            high += span;
    }
    part->first = b->host + offset;
    part->low = part->first + low;
    part->high = part->first + high;
}

const int32_t *argent_domain_of(const struct argent_accelerator *a, const int32_t *box) { return a->has_domain ? box + 2 * a->dimensions : box; }

int32_t argent_in_front(const struct argent_accelerator *a, const int32_t *box) {
    const int32_t *domain = argent_domain_of(a, box);
    return a->block[0].has_domain && box[0] > domain[0] ? (box[0] - domain[0]) % a->pixels : 0;
}

uint64_t argent_part_address(const struct argent_part *p) { return p->of->at.address + (uint64_t)(p->first - p->of->low); }

unsigned argent_access_to(const struct argent_placed *p, const struct argent_places *places) {
    int64_t bytes = 0;
    for (int i = 0; i < places->part_count; i++) {
        const struct argent_part *part = &places->parts[i];
        if (part->of != p) continue;
        int64_t own = part->stride[0];
        for (int k = 0; k < p->image->scanned_count; k++) own *= part->extent[k];
        bytes += own;
    }
    return (p->writes ? ARGENT_WRITE : ARGENT_READ) | (bytes < p->high - p->low ? ARGENT_GAPS : 0u);
}
