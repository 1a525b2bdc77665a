#define _POSIX_C_SOURCE 200809L
#include "argent_launch.h"

#include "argent_align.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_halide.h"
#include "argent_stage.h"

/* Weak: a program without Halide's runtime (a driver test, a JIT host) gets the text on stderr. */
#pragma weak halide_error

/* Of the whole process: Halide may make launches in threads of its own. */
static int last_code;

int argent_launch_code(void) { return __atomic_exchange_n(&last_code, ARGENT_OK, __ATOMIC_ACQ_REL); }

/* ---- mistakes: collected, then reported in one text ---- */

struct mistakes {
    int halide_code; /* of the first */
    size_t used;
    char text[4096];
};

static void mistake(struct mistakes *m, int halide_code, const char *format, ...) {
    if (m->halide_code == 0) m->halide_code = halide_code;
    if (m->used != 0 && m->used + 1 < sizeof m->text) m->text[m->used++] = '\n';
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(m->text + m->used, sizeof m->text - m->used, format, arguments);
    va_end(arguments);
    if (n > 0) m->used += (size_t)n;
    if (m->used >= sizeof m->text) m->used = sizeof m->text - 1;
}

static int report(int code, int halide_code, const char *text) {
    __atomic_store_n(&last_code, code, __ATOMIC_RELEASE);
    if (halide_error != NULL)
        halide_error(NULL, text);
    else
        fprintf(stderr, "%s\n", text);
    return halide_code;
}

/* ---- types ---- */

struct type_text {
    char text[24];
};

static struct type_text type_text(struct halide_type_t t) {
    static const char *const names[] = {"int", "uint", "float", "handle", "bfloat"};
    struct type_text s;
    if (t.code == halide_type_uint && t.bits == 1)
        snprintf(s.text, sizeof s.text, "bool");
    else
        snprintf(s.text, sizeof s.text, "%s%d", t.code <= 4 ? names[t.code] : "type", t.bits);
    if (t.lanes != 1) snprintf(s.text + strlen(s.text), sizeof s.text - strlen(s.text), "x%d", t.lanes);
    return s;
}

static int64_t element_bytes(const struct argent_image *image) { return (image->type.bits + 7) / 8; }

/* ---- one image of a launch, and what its ports move ---- */

struct placed {
    const struct argent_image *image;
    bool writes;
    int32_t min[ARGENT_MAX_DIMENSIONS], extent[ARGENT_MAX_DIMENSIONS]; /* what all ports need, in the buffer's coordinates */
    uint8_t *low, *high;                                               /* all bytes of it lie in [low, high) */
    struct argent_stage at;                                            /* where the device sees low */
};

/* Dimensions are the block's. */
struct part {
    const struct placed *of;
    const struct argent_stream *stream;
    int32_t min[ARGENT_MAX_DIMENSIONS];
    int32_t extent[ARGENT_MAX_DIMENSIONS];
    int64_t stride[ARGENT_MAX_DIMENSIONS]; /* bytes */
    int64_t row;                           /* bytes */
    uint8_t *first;                        /* the box's first element */
    uint8_t *low, *high;                   /* all bytes of the box lie in [low, high) */
};

static const char *role(const struct placed *p) { return p->writes ? "output" : "input"; }

/* The block's dimension that the buffer's dimension follows, or -1. */
static int scanned_as(const struct argent_image *image, int d) {
    for (int k = 0; k < image->scanned_count; k++)
        if (image->scanned[k] == d) return k;
    return -1;
}

/* Minimum and maximum of what a port needs of dimension `d` of the buffer. */
static int64_t needs_min(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params) {
    int k = scanned_as(image, d);
    if (s->at_params[d] > 0) return (int32_t)params[s->at_params[d] - 1];
    if (k >= 0 && s->box_params > 0) return (int32_t)params[s->box_params - 1 + 2 * k];
    return (k < 0 ? 0 : (int64_t)box[2 * k]) + s->box[d].min;
}

static int64_t needs_max(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params) {
    int k = scanned_as(image, d);
    if (s->at_params[d] > 0) return (int32_t)params[s->at_params[d] - 1];
    if (k >= 0 && s->box_params > 0) return (int32_t)params[s->box_params + 2 * k];
    return (k < 0 ? 0 : (int64_t)box[2 * k + 1]) + s->box[d].max;
}

/* Elements of memory from one of a row to the next. */
static int64_t step(const struct argent_image *image) {
    int64_t stride = image->strides[image->scanned[0]];
    return stride > 0 ? stride : 1;
}

/* Elements of memory in a row of `extent`: where the image is interleaved, the planes of the last one count. */
static int64_t row_elements(const struct argent_image *image, const struct argent_stream *s, int64_t extent) {
    int64_t planes = 0;
    for (int d = 0; d < image->dimensions; d++)
        if (scanned_as(image, d) < 0) planes += (s->box[d].max - s->box[d].min) * (int64_t)image->strides[d];
    return (extent - 1) * step(image) + planes + 1;
}

static void check_strides(const struct argent_accelerator *a, const struct placed *p, const halide_buffer_t *b, struct mistakes *m) {
    const struct argent_image *image = p->image;
    for (int d = 0; d < image->dimensions; d++) {
        if (image->strides[d] == 0 || p->extent[d] == 1 || b->dim[d].stride == image->strides[d]) continue;
        if (step(image) == 1)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: neighbours in dimension %d are %d elements apart, the accelerator needs 1; copy the image into a planar buffer, or "
                    "fix dim(%d).set_stride(1)",
                    a->name, role(p), image->name, d, b->dim[d].stride, d);
        else
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: neighbours in dimension %d are %d elements apart, the accelerator needs %d; copy the image into an interleaved "
                    "buffer (make_interleaved), or take out set_stride() and build the accelerator for planar ones",
                    a->name, role(p), image->name, d, b->dim[d].stride, image->strides[d]);
        return;
    }
}

static void set_box(struct placed *p, const int32_t *box, const uint64_t *params) {
    for (int d = 0; d < p->image->dimensions; d++) {
        int64_t min = INT64_MAX, max = INT64_MIN;
        for (int i = 0; i < p->image->stream_count; i++) {
            const struct argent_stream *s = &p->image->streams[i];
            int64_t low = needs_min(p->image, s, d, box, params), high = needs_max(p->image, s, d, box, params);
            if (low < min) min = low;
            if (high > max) max = high;
        }
        p->min[d] = (int32_t)min;
        p->extent[d] = (int32_t)(max - min + 1);
    }
}

/* Everything that can be wrong with one buffer. Fills in its parts when nothing is. */
static void check_image(const struct argent_accelerator *a, struct placed *p, const halide_buffer_t *b, const int32_t *box, const uint64_t *params,
                        struct part *parts, struct mistakes *m) {
    const struct argent_image *image = p->image;
    const char *verb = p->writes ? "writes" : "reads";
    if (b == NULL) {
        mistake(m, halide_error_code_buffer_argument_is_null, "%s: %s %s: no buffer was given; it needs one of %s with %d dimensions", a->name,
                role(p), image->name, type_text(image->type).text, image->dimensions);
        return;
    }
    size_t before = m->used;
    if (b->type.code != image->type.code || b->type.bits != image->type.bits || b->type.lanes != image->type.lanes)
        mistake(m, halide_error_code_bad_type, "%s: %s %s: the buffer holds %s, the accelerator %s %s; pass a buffer of %s", a->name, role(p),
                image->name, type_text(b->type).text, verb, type_text(image->type).text, type_text(image->type).text);
    if (b->dimensions != image->dimensions) {
        mistake(m, halide_error_code_bad_dimensions,
                "%s: %s %s: the buffer has %d dimensions, the accelerator %s %d; slice it or embed it with Halide::Runtime::Buffer", a->name,
                role(p), image->name, b->dimensions, verb, image->dimensions);
        return;
    }
    if (b->host == NULL) {
        if (b->device != 0)
            mistake(m, halide_error_code_host_is_null,
                    "%s: %s %s: the image is in another device's memory only (its host pointer is null); call copy_to_host() first", a->name,
                    role(p), image->name);
        else
            mistake(m, halide_error_code_host_is_null, "%s: %s %s: the buffer's host pointer is null; allocate it first", a->name, role(p),
                    image->name);
    }
    for (int d = 0; d < image->dimensions; d++) {
        int64_t have_min = b->dim[d].min, have_max = have_min + b->dim[d].extent - 1;
        int64_t need_min = p->min[d], need_max = need_min + p->extent[d] - 1;
        if (need_max < need_min)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: its borders in dimension %d leave nothing between %" PRId64 " and %" PRId64 "; the last coordinate must not lie in front of the first",
                    a->name, role(p), image->name, d, need_min, need_max);
        else if (need_min < have_min || need_max > have_max)
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: %s %s: dimension %d of the buffer covers %" PRId64 " to %" PRId64 ", the accelerator %s %" PRId64 " to %" PRId64
                    "; make the buffer at least that large, or compute less of the output",
                    a->name, role(p), image->name, d, have_min, have_max, verb, need_min, need_max);
    }
    check_strides(a, p, b, m);
    int64_t bytes = element_bytes(image), inner = bytes * row_elements(image, &image->streams[0], p->extent[image->scanned[0]]);
    for (int k = 1; k < image->scanned_count; k++) {
        int d = image->scanned[k];
        int64_t stride = (int64_t)b->dim[d].stride * bytes;
        uint32_t bits = image->streams[0].stride[k].offset != ARGENT_NO_REGISTER ? image->streams[0].stride[k].bits : 64;
        int64_t limit = bits >= 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
        if (p->extent[d] <= 1) continue;
        if (stride > limit || stride < -limit - 1)
            mistake(m, halide_error_code_buffer_extents_too_large,
                    "%s: %s %s: the rows of dimension %d are %" PRId64 " bytes apart, the register holds at most %" PRId64
                    "; use a buffer with shorter rows, or make the image in parts",
                    a->name, role(p), image->name, d, stride, limit);
        else if (p->writes && (stride < 0 ? -stride : stride) < inner)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: output %s: the rows of dimension %d are %" PRId64 " bytes apart, but one is %" PRId64
                    " bytes long; rows that overlap cannot be written",
                    a->name, image->name, d, stride, inner);
        inner = (stride < 0 ? -stride : stride) * (p->extent[d] - 1) + inner;
    }
    if (m->used != before) return;

    for (int i = 0; i < image->stream_count; i++) {
        struct part *part = &parts[i];
        part->of = p;
        part->stream = &image->streams[i];
        int64_t offset = 0, low = 0, high = 0;
        for (int d = 0; d < image->dimensions; d++) {
            int64_t stride = (int64_t)b->dim[d].stride * bytes;
            offset += (needs_min(image, part->stream, d, box, params) - (int64_t)b->dim[d].min) * stride;
        }
        for (int k = 0; k < image->scanned_count; k++) {
            int d = image->scanned[k];
            part->min[k] = (int32_t)needs_min(image, part->stream, d, box, params);
            part->extent[k] = (int32_t)(needs_max(image, part->stream, d, box, params) - needs_min(image, part->stream, d, box, params) + 1);
            part->stride[k] = k == 0 ? bytes * step(image) : (int64_t)b->dim[d].stride * bytes;
            if (k == 0) part->row = bytes * row_elements(image, part->stream, part->extent[k]);
            int64_t span = k == 0 ? part->row : part->stride[k] * (part->extent[k] - 1);
            if (span < 0)
                low += span;
            else
                high += span;
        }
        if (part->stream->most_row_elements > 0 && part->extent[0] > part->stream->most_row_elements)
            mistake(m, halide_error_code_buffer_extents_too_large,
                    "%s: %s %s: the image is repeated, so a row of %d elements is taken in whole, and there is room for %d; give a block that is as "
                    "wide as the image, or compute a part that does not reach from one copy of the image to the next",
                    a->name, role(p), image->name, (int)part->extent[0], (int)part->stream->most_row_elements);
        part->first = b->host + offset;
        part->low = part->first + low;
        part->high = part->first + high;
        if (i == 0 || part->low < p->low) p->low = part->low;
        if (i == 0 || part->high > p->high) p->high = part->high;
        uintptr_t wrong = (uintptr_t)part->first % image->alignment;
        for (int k = 1; wrong == 0 && k < image->scanned_count; k++)
            if (part->extent[k] > 1 && part->stride[k] % (int64_t)image->alignment != 0) wrong = (uintptr_t)(part->stride[k] % (int64_t)image->alignment);
        if (wrong == 0) continue;
        mistake(m, halide_error_code_unaligned_host_ptr,
                "%s: %s %s: the rows start %d bytes behind a multiple of %u, the accelerator needs multiples of %u; allocate the image aligned, "
                "with rows that are a multiple of it",
                a->name, role(p), image->name, (int)(wrong < image->alignment ? wrong : wrong + image->alignment), image->alignment,
                image->alignment);
        return;
    }
}

/* Whether two boxes share a byte. Exact for boxes whose rows lie in one raster (parts of one image); otherwise by their spans. */
static bool overlap(const struct part *a, const struct part *b) {
    if (a->high <= b->low || b->high <= a->low) return false;
    if (a->of->image->scanned_count != 2 || b->of->image->scanned_count != 2 || a->stride[1] != b->stride[1] || a->stride[1] == 0) return true;
    int64_t pitch = a->stride[1] < 0 ? -a->stride[1] : a->stride[1];
    int64_t shift = (int64_t)((uintptr_t)b->first - (uintptr_t)a->first) % pitch;
    if (shift < 0) shift += pitch;
    return shift < a->row || shift + b->row > pitch;
}

static int64_t shared_bytes(const struct part *a, const struct part *b) {
    const uint8_t *low = a->low > b->low ? a->low : b->low;
    const uint8_t *high = a->high < b->high ? a->high : b->high;
    return (int64_t)(high - low);
}

static void check_overlap(const struct argent_accelerator *a, const struct part *parts, int count, struct mistakes *m) {
    const struct placed *pairs[ARGENT_MAX_IMAGES][2];
    int known = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            const struct placed *p = parts[i].of, *q = parts[j].of;
            bool is_known = false; /* one text for two images, however many of their parts it is */
            for (int k = 0; k < known && !is_known; k++) is_known = pairs[k][0] == p && pairs[k][1] == q;
            if (is_known || !q->writes || !overlap(&parts[i], &parts[j])) continue;
            if (known < ARGENT_MAX_IMAGES) pairs[known][0] = p, pairs[known++][1] = q;
            if (p == q)
                mistake(m, halide_error_code_constraint_violated,
                        "%s: output %s: its planes share %" PRId64 " bytes of memory; planes that overlap cannot be written", a->name, p->image->name,
                        shared_bytes(&parts[i], &parts[j]));
            else
                mistake(m, halide_error_code_constraint_violated,
                        "%s: output %s lies on %s %s: they share %" PRId64
                        " bytes of memory; the accelerator reads and writes at once, so give the output a buffer of its own",
                        a->name, q->image->name, role(p), p->image->name, shared_bytes(&parts[i], &parts[j]));
        }
}

/* ---- tables ---- */

static void check_table(const struct argent_accelerator *a, const struct argent_table *t, const halide_buffer_t *b, struct mistakes *m) {
    if (b == NULL) {
        mistake(m, halide_error_code_buffer_argument_is_null, "%s: table %s: no buffer was given; it needs one of %s with %d dimensions", a->name,
                t->name, type_text(t->type).text, t->dimensions);
        return;
    }
    if (b->type.code != t->type.code || b->type.bits != t->type.bits || b->type.lanes != t->type.lanes)
        mistake(m, halide_error_code_bad_type, "%s: table %s: the buffer holds %s, the table %s; pass a buffer of %s", a->name, t->name,
                type_text(b->type).text, type_text(t->type).text, type_text(t->type).text);
    if (b->dimensions != t->dimensions) {
        mistake(m, halide_error_code_bad_dimensions, "%s: table %s: the buffer has %d dimensions, the table %d; slice it or embed it", a->name, t->name,
                b->dimensions, t->dimensions);
        return;
    }
    if (b->host == NULL)
        mistake(m, halide_error_code_host_is_null, "%s: table %s: the buffer's host pointer is null; %s", a->name, t->name,
                b->device != 0 ? "call copy_to_host() first" : "allocate it first");
    for (int d = 0; d < t->dimensions; d++) {
        int64_t min = b->dim[d].min, max = min + b->dim[d].extent - 1;
        if (t->box[d].min < min || t->box[d].max > max)
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: table %s: dimension %d of the buffer covers %" PRId64 " to %" PRId64 ", the table has places %d to %d; make the buffer at "
                    "least that large, or bound the index in the pipeline",
                    a->name, t->name, d, min, max, t->box[d].min, t->box[d].max);
    }
}

/* The bits of one element, signed ones sign-extended. */
static uint64_t element_at(const struct argent_table *t, const halide_buffer_t *b, const int32_t *place) {
    int64_t index = 0;
    for (int d = 0; d < t->dimensions; d++) index += (int64_t)(place[d] - b->dim[d].min) * b->dim[d].stride;
    const void *p = b->host + index * ((t->type.bits + 7) / 8);
    bool is_signed = t->type.code == halide_type_int;
    switch ((t->type.bits + 7) / 8) {
    case 1: return is_signed ? (uint64_t)(int64_t) * (const int8_t *)p : *(const uint8_t *)p;
    case 2: return is_signed ? (uint64_t)(int64_t) * (const int16_t *)p : *(const uint16_t *)p;
    case 4: return is_signed ? (uint64_t)(int64_t) * (const int32_t *)p : *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

/* Where a launch scans: the rectangle behind the output's, or the output's. */
static const int32_t *domain_of(const struct argent_accelerator *a, const int32_t *box) { return a->has_domain ? box + 2 * a->dimensions : box; }

static const int32_t *rectangle_of(const struct argent_accelerator *a, const struct placed *p, const int32_t *box) {
    return p->writes ? box : domain_of(a, box);
}

/* Elements of its first vector that lie in front of the output: where a scan begins at the edge of an image, vectors begin there. */
static int32_t in_front(const struct argent_accelerator *a, const int32_t *box) {
    const int32_t *domain = domain_of(a, box);
    return a->block[0].has_domain && box[0] > domain[0] ? (box[0] - domain[0]) % a->pixels : 0;
}

/* What a border brings inside is seen by readers inside of the image only. */
static void check_domain(const struct argent_accelerator *a, const int32_t *box, struct mistakes *m) {
    const int32_t *domain = domain_of(a, box);
    for (int d = 0; d < a->dimensions; d++) {
        if (!a->block[d].has_domain) continue;
        if (box[2 * d] < domain[2 * d] || box[2 * d + 1] > domain[2 * d + 1])
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: the output covers %d to %d of %s, and the image with the border ends at %d and %d: the accelerator computes inside of it "
                    "only; compute no more than that (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp)",
                    a->name, box[2 * d], box[2 * d + 1], a->block[d].var, domain[2 * d], domain[2 * d + 1]);
    }
    int32_t before = in_front(a, box);
    if (before > 0 && box[1] - box[0] + before >= a->block[0].max_extent)
        mistake(m, halide_error_code_explicit_bounds_too_small,
                "%s: the output begins %d elements of %s behind the image's edge, so its %d elements begin in the middle of a vector of %d, and the block "
                "is too narrow for all of these vectors; compute fewer elements, or begin at the edge, at a multiple of %d, or further inside",
                a->name, box[0] - domain[0], a->block[0].var, box[1] - box[0] + 1, a->pixels, a->pixels);
}

/* Borders between stages: they may lie as far inside of what is read as there are taps for. */
static void check_beyond(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, struct mistakes *m) {
    for (int i = 0; i < a->beyond_count; i++) {
        const struct argent_beyond *b = &a->beyond[i];
        int32_t elements = (int32_t)params[b->param];
        int d = b->dimension;
        if (elements == INT32_MIN)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: the border that %s has around %s in dimension %d leaves nothing: the last coordinate must not lie in front of the first", a->name,
                    b->reader, b->of, d);
        else if (elements > 0)
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: the output covers %d to %d of %s, and there %s reads %s %d elements further beyond its border than the accelerator reaches; compute "
                    "no more than the image (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp)",
                    a->name, box[2 * d], box[2 * d + 1], a->block[d].var, b->reader, b->of, elements);
    }
}

struct words {
    char text[256];
    size_t used;
};

static void add(struct words *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(w->text + w->used, sizeof w->text - w->used, format, arguments);
    va_end(arguments);
    if (n > 0) w->used += (size_t)n;
    if (w->used >= sizeof w->text) w->used = sizeof w->text - 1;
}

static void check_block(const struct argent_accelerator *a, const int32_t *box, struct mistakes *m) {
    /* of x and y: the extents wanted, those of the block; then what .tile and .block take */
    struct words wanted = {0}, most = {0}, vars = {0}, outer = {0}, inner = {0}, tile = {0}, larger = {0};
    bool is_larger = false;
    for (int d = 0; d < a->dimensions; d++) {
        const struct argent_block_dimension *b = &a->block[d];
        const char *comma = d != 0 ? ", " : "", *times = d != 0 ? "x" : "";
        int64_t extent = (int64_t)box[2 * d + 1] - box[2 * d] + 1;
        is_larger |= extent > b->max_extent;
        add(&wanted, "%s%" PRId64, times, extent);
        add(&most, "%s%d", times, b->max_extent);
        add(&vars, "%s%s", comma, b->var);
        add(&outer, ", %so", b->var);
        add(&inner, ", %si", b->var);
        add(&tile, ", %d", b->max_extent);
        add(&larger, "%s{%s, %" PRId64 "}", comma, b->var, extent > b->max_extent ? extent : b->max_extent);
    }
    if (!is_larger) return;
    mistake(m, halide_error_code_explicit_bounds_too_small,
            "%s: a launch computes %s elements (%s), the block has at most %s; let the host compute the accelerated Func f in tiles of a Func that "
            "reads it, or of a copy: copy(%s) = f(%s), copy.tile(%s%s%s%s), f.compute_at(copy, %so); or give a larger block({%s})",
            a->name, wanted.text, vars.text, most.text, vars.text, vars.text, vars.text, outer.text, inner.text, tile.text, a->block[0].var, larger.text);
}

/* Where there are outputs of several Funcs: how far they lie apart, and that there is something of each. */
static void check_numbers(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, struct mistakes *m) {
    for (int i = 0; i < a->output_count; i++) {
        const struct argent_image *image = &a->outputs[i];
        for (int k = 0; k < image->scanned_count; k++) {
            int d = image->scanned[k];
            int64_t min = needs_min(image, &image->streams[0], d, box, params), max = needs_max(image, &image->streams[0], d, box, params);
            if (max < min)
                mistake(m, halide_error_code_explicit_bounds_too_small, "%s: nothing is wanted of the output %s, whose dimension %d goes from %" PRId64
                        " to %" PRId64 "; compute something of it, or accelerate it by itself", a->name, image->name, d, min, max);
        }
    }
    for (int i = 0; i < a->param_count; i++) {
        const struct argent_param *p = &a->params[i];
        if (p->otherwise == NULL || (int32_t)params[i] <= p->most) continue;
        mistake(m, halide_error_code_explicit_bounds_too_small, "%s: %s: %d, and at most %d are possible; compute parts of the outputs that lie "
                "closer together, or give a larger block", a->name, p->otherwise, (int)(int32_t)params[i], (int)p->most);
    }
}

/* ---- bounds queries ---- */

static bool is_query(const halide_buffer_t *b) { return b != NULL && b->host == NULL && b->device == 0; }

static void answer_query(const struct argent_image *image, const int32_t *box, const uint64_t *params, halide_buffer_t *b) {
    struct placed p = {0};
    p.image = image;
    set_box(&p, box, params);
    b->type = image->type;
    int32_t stride = 1;
    for (int d = 0; d < image->dimensions && d < b->dimensions; d++) {
        b->dim[d].min = p.min[d];
        b->dim[d].extent = p.extent[d];
        b->dim[d].stride = stride;
        stride *= p.extent[d];
    }
}

static void answer_table_query(const struct argent_table *t, halide_buffer_t *b) {
    b->type = t->type;
    int32_t stride = 1;
    for (int d = 0; d < t->dimensions && d < b->dimensions; d++) {
        b->dim[d].min = t->box[d].min;
        b->dim[d].extent = t->box[d].max - t->box[d].min + 1;
        b->dim[d].stride = stride;
        stride *= b->dim[d].extent;
    }
}

/* ---- devices: opened once per process, URI and accelerator ---- */

struct opened {
    argent_device *device;
    pthread_mutex_t lock;
    pthread_cond_t left;
    int inside;           /* launches between enter and leave */
    int gone;             /* another one is opened in its place; it stays until the end, others may still be inside */
    struct opened *next;
};

static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;
static struct opened *opened_first;
static char *device_override;

int argent_launch_set_device(const char *uri) {
    char *copy = NULL;
    if (uri != NULL) {
        copy = malloc(strlen(uri) + 1);
        if (copy == NULL) return ARGENT_OUT_OF_MEMORY;
        strcpy(copy, uri);
    }
    pthread_mutex_lock(&opened_lock);
    free(device_override);
    device_override = copy;
    pthread_mutex_unlock(&opened_lock);
    return ARGENT_OK;
}

static const char *uri_locked(void) {
    const char *uri = device_override;
    if (uri == NULL) uri = getenv("ARGENT_DEVICE");
    return uri != NULL && uri[0] != 0 ? uri : "sim:";
}

const char *argent_launch_uri(void) {
    pthread_mutex_lock(&opened_lock);
    const char *uri = uri_locked();
    pthread_mutex_unlock(&opened_lock);
    return uri;
}

/* Images that Halide allocates before the first launch belong to it, too. */
__attribute__((constructor)) static void take_over_memory(void) { argent_halide_use_memory(); }

/* Opens the device and makes sure that it is what the driver was made for. */
static int open_device(const struct argent_accelerator *a, const char *uri, argent_device **device, char *text, size_t size) {
    int code = argent_open(uri, a->name, device);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: cannot open the device: %s", a->name, argent_open_text());
        return code;
    }
    if (a->id == 0 || a->id_at.offset == ARGENT_NO_REGISTER) return ARGENT_OK;
    uint32_t id = 0, version = 0;
    code = argent_read(*device, (uint32_t)a->id_at.offset, &id);
    if (code == ARGENT_OK) code = argent_read(*device, ARGENT_VERSION, &version);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: device \"%s\" does not tell its identification: %s", a->name, uri, argent_device_text(*device));
    } else if (id != a->id) {
        snprintf(text, size,
                 "%s: device \"%s\" says 0x%08x, this driver was made for 0x%08x; driver and hardware must come from one build: build both again",
                 a->name, uri, (unsigned)id, (unsigned)a->id);
        code = ARGENT_WRONG_ID;
    } else if (version != ARGENT_LAYOUT_VERSION) {
        snprintf(text, size, "%s: device \"%s\" has version %u of the register layout, this runtime knows %d; take the runtime of the Argent that made the hardware",
                 a->name, uri, (unsigned)version, ARGENT_LAYOUT_VERSION);
        code = ARGENT_WRONG_ID;
    }
    if (code != ARGENT_OK) {
        argent_close(*device);
        *device = NULL;
    }
    return code;
}

static int find_device(const struct argent_accelerator *a, struct opened **found, char *text, size_t size) {
    pthread_mutex_lock(&opened_lock);
    const char *uri = uri_locked();
    struct opened *o = opened_first;
    while (o != NULL && (__atomic_load_n(&o->gone, __ATOMIC_ACQUIRE) || strcmp(argent_device_uri(o->device), uri) != 0 ||
                         strcmp(argent_device_accelerator(o->device), a->name) != 0))
        o = o->next;
    int code = ARGENT_OK;
    if (o == NULL) {
        argent_device *device = NULL;
        code = open_device(a, uri, &device, text, size);
        if (code == ARGENT_OK && (o = calloc(1, sizeof *o)) == NULL) {
            argent_close(device);
            snprintf(text, size, "%s: out of memory", a->name);
            code = ARGENT_OUT_OF_MEMORY;
        }
        if (code == ARGENT_OK) {
            o->device = device;
            pthread_mutex_init(&o->lock, NULL);
            pthread_cond_init(&o->left, NULL);
            o->next = opened_first;
            opened_first = o;
        }
    }
    *found = o;
    pthread_mutex_unlock(&opened_lock);
    return code;
}

int argent_launch_device(const struct argent_accelerator *a, argent_device **device) {
    if (a == NULL || device == NULL) return ARGENT_BAD_ARGUMENT;
    struct opened *o = NULL;
    char text[2048];
    int code = find_device(a, &o, text, sizeof text);
    *device = o != NULL ? o->device : NULL;
    return code;
}

void argent_launch_close(void) {
    pthread_mutex_lock(&opened_lock);
    while (opened_first != NULL) {
        struct opened *o = opened_first;
        opened_first = o->next;
        argent_close(o->device);
        pthread_cond_destroy(&o->left);
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
    pthread_mutex_unlock(&opened_lock);
}

/* ---- the launch ---- */

static pthread_mutex_t observer_lock = PTHREAD_MUTEX_INITIALIZER;
static void (*observer_now)(const struct argent_launch_record *, void *);
static void *observer_context;

void argent_launch_observe(void (*observer)(const struct argent_launch_record *, void *), void *context) {
    pthread_mutex_lock(&observer_lock);
    observer_now = observer;
    observer_context = context;
    pthread_mutex_unlock(&observer_lock);
}

struct registers {
    struct argent_register_value fixed[ARGENT_MAX_REGISTERS];
    struct argent_register_value *list; /* fixed, or an allocated one */
    int32_t count, capacity;
};

/* The most writes that loading a table's memory can take. */
static int64_t table_writes(const struct argent_table *t) {
    if (t->place.offset == ARGENT_NO_REGISTER) return 0;
    int64_t count = 1;
    for (int d = 0; d < t->dimensions; d++) count *= (int64_t)t->index[d].max - t->index[d].min + 1;
    return 3 * count;
}

/* false: out of memory. */
static bool make_room(const struct argent_accelerator *a, struct registers *r) {
    int64_t most = ARGENT_MAX_REGISTERS;
    for (int i = 0; i < a->table_count; i++) most += table_writes(&a->tables[i]);
    r->count = 0;
    r->capacity = (int32_t)most;
    r->list = most == ARGENT_MAX_REGISTERS ? r->fixed : malloc((size_t)most * sizeof *r->list);
    return r->list != NULL;
}

static void set_register(struct registers *r, struct argent_register_at at, uint64_t value) {
    if (at.offset == ARGENT_NO_REGISTER) return;
    if (at.bits < 32) value &= ((uint64_t)1 << at.bits) - 1;
    for (uint32_t word = 0; word < (at.bits > 32 ? 2u : 1u) && r->count < r->capacity; word++) {
        r->list[r->count].offset = (uint32_t)at.offset + 4 * word;
        r->list[r->count].value = (uint32_t)(value >> (32 * word));
        r->count++;
    }
}

/* Where the device sees the part's first element. */
static uint64_t address_of(const struct part *p) { return p->of->at.address + (uint64_t)(p->first - p->of->low); }

/* Registers of windows are none of the first arguments, so that offset 0 is none. */
static void set_window(struct registers *r, const struct part *p) {
    if (p->stream->low.offset <= 0 || p->stream->high.offset <= 0) return;
    set_register(r, p->stream->low, address_of(p) - (uint64_t)(p->first - p->low));
    set_register(r, p->stream->high, address_of(p) + (uint64_t)(p->high - p->first) - 1);
}

static void fill_registers(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, const struct part *parts,
                           int part_count, struct registers *r) {
    const int32_t *domain = domain_of(a, box);
    for (int d = 0; d < a->dimensions; d++) {
        set_register(r, a->block[d].extent, (uint64_t)((int64_t)domain[2 * d + 1] - domain[2 * d] + 1));
        set_register(r, a->block[d].min, (uint64_t)(int64_t)domain[2 * d]);
        for (int i = 0; i < part_count && a->block[d].has_domain; i++) {
            if (!parts[i].of->writes) continue;
            set_register(r, parts[i].stream->first[d], (uint64_t)((int64_t)box[2 * d] - domain[2 * d]));
            set_register(r, parts[i].stream->end[d], (uint64_t)((int64_t)box[2 * d + 1] - domain[2 * d] + 1));
            set_register(r, parts[i].stream->extent[d], (uint64_t)((int64_t)box[2 * d + 1] - box[2 * d] + 1));
        }
    }
    for (int i = 0; i < part_count; i++) {
        set_register(r, parts[i].stream->address, address_of(&parts[i]));
        if (parts[i].stream->start_row_param > 0) {
            int64_t start_row = (int32_t)params[parts[i].stream->start_row_param - 1];
            set_register(r, parts[i].stream->start_address, address_of(&parts[i]) + (uint64_t)(start_row * parts[i].stride[1]));
            set_register(r, parts[i].stream->last_address, address_of(&parts[i]) + (uint64_t)((parts[i].extent[1] - 1) * parts[i].stride[1]));
        }
        for (int k = 1; k < parts[i].of->image->scanned_count; k++) set_register(r, parts[i].stream->stride[k], (uint64_t)parts[i].stride[k]);
        set_window(r, &parts[i]);
    }
    for (int i = 0; i < a->param_count; i++) set_register(r, a->params[i].at, params[i]);
}

static void load_table(const struct argent_table *t, const halide_buffer_t *b, struct registers *r) {
    for (int i = 0; i < t->element_count; i++) set_register(r, t->elements[i].at, element_at(t, b, t->elements[i].place));
    if (t->place.offset == ARGENT_NO_REGISTER) return;
    int32_t place[ARGENT_MAX_DIMENSIONS];
    for (int d = 0; d < t->dimensions; d++) place[d] = t->index[d].min;
    uint64_t next = UINT64_MAX;
    for (;;) {
        uint64_t address = 0;
        for (int d = 0; d < t->dimensions; d++) {
            uint64_t low = (uint64_t)(int64_t)place[d] & (((uint64_t)1 << t->index[d].bits) - 1);
            address |= low << t->index[d].shift;
        }
        if (address != next) set_register(r, t->place, address);
        set_register(r, t->element, element_at(t, b, place));
        next = address + 1;
        int d = 0;
        for (; d < t->dimensions; d++) {
            if (place[d]++ < t->index[d].max) break;
            place[d] = t->index[d].min;
        }
        if (d == t->dimensions) return;
    }
}

static void fill_window(const struct part *p, struct argent_window *w) {
    memset(w, 0, sizeof *w);
    w->port = p->stream->port;
    w->access = p->of->writes ? ARGENT_WRITE : ARGENT_READ;
    w->address = address_of(p);
    w->dimensions = p->of->image->scanned_count;
    w->extent[0] = p->row;
    w->stride[0] = 1;
    for (int k = 1; k < w->dimensions; k++) {
        w->extent[k] = p->extent[k];
        w->stride[k] = p->stride[k];
    }
}

/* The ports of the inputs give an error register of two bits each to streams, of one bit each to memory ports; never both kinds. */
static bool takes_streams(const struct argent_accelerator *a) { return a->input_count != 0 && a->inputs[0].streams[0].is_axis; }

/* One port's bits of the error register, in words; NULL: nothing is wrong. */
static const char *port_error(bool is_axis, bool writes, int count, uint32_t bits) {
    static const char *const framing[] = {NULL, "a row of the stream ended early", "a row of the stream did not end where it should",
                                          "a frame did not begin where it should (TUSER)"};
    static const char *const bus[] = {NULL, "an access outside of the window that the driver armed was held back",
                                      "the memory answered a read with an error (SLVERR)", "nothing answers reads at an address (DECERR)",
                                      "the memory answered a write with an error (SLVERR)", "nothing answers writes at an address (DECERR)"};
    if (is_axis) return framing[bits & 3];
    if (count == 2) return bus[(bits & 3) + (writes && (bits & 2) != 0 ? 2 : 0)];
    if ((bits & 1) == 0) return NULL;
    return writes ? "the memory answered a write with an error" : "the memory answered a read with an error";
}

/* The code of the first port's mistake. */
static int bus_code(uint32_t bits) { return bits == 1 ? ARGENT_OUTSIDE : bits == 2 ? ARGENT_BUS_ERROR : ARGENT_NO_MEMORY; }

/* Which registers the hardware refuses, for messages. */
static void describe_refusal(const struct argent_accelerator *a, const struct argent_command *c, uint32_t bits, char *text, size_t size) {
    size_t used = strlen(text);
    for (int i = 0; i < a->check_count; i++) {
        const struct argent_check *check = &a->checks[i];
        if ((bits >> (i < 31 ? i : 31) & 1) == 0) continue;
        for (size_t k = 0; k < c->register_count && used < size; k++) {
            uint32_t value = c->registers[k].value;
            if (c->registers[k].offset != check->offset || (value >= check->min && value <= check->max)) continue;
            used += (size_t)snprintf(text + used, size - used, "; register %s is %u and takes %u to %u", check->name, (unsigned)value, (unsigned)check->min, (unsigned)check->max);
        }
    }
}

/* What the error register says, for messages. */
static int describe_error(const struct argent_accelerator *a, uint32_t error, char *text, size_t size) {
    bool axis = takes_streams(a);
    int count = axis || a->error_bits == 2 ? 2 : 1;
    int code = axis ? ARGENT_MISFRAMED : ARGENT_BUS_ERROR;
    size_t used = 0;
    for (int i = 0; i < a->input_count + (axis ? 0 : a->output_count); i++) {
        bool writes = i >= a->input_count;
        const struct argent_image *image = writes ? &a->outputs[i - a->input_count] : &a->inputs[i];
        for (int k = 0; k < image->stream_count && used < size; k++, error >>= count) {
            const char *what = port_error(axis, writes, count, error);
            if (count == 2 && !axis && used == 0 && what != NULL) code = bus_code(error & 3);
            if (what != NULL)
                used += (size_t)snprintf(text + used, size - used, "%s%s %s (%s): %s", used != 0 ? "; " : "", writes ? "output" : "input", image->name,
                                         image->streams[k].port, what);
        }
    }
    if (used == 0)
        snprintf(text, size, "the accelerator reports an error of no port%s%s%s", a->error_doc != NULL ? " (" : "", a->error_doc != NULL ? a->error_doc : "",
                 a->error_doc != NULL ? ")" : "");
    return code;
}

/* A launch that does not end: a stream that is out of step may be the reason. */
static void add_framing(const struct argent_accelerator *a, uint32_t error, char *text, size_t size) {
    if (!takes_streams(a) || a->error_at.offset == ARGENT_NO_REGISTER || error == 0) return;
    size_t used = strlen(text);
    if (used + 1 < size) text[used++] = '\n';
    describe_error(a, error, text + used, size - used);
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t time_limit_us(argent_device *device) {
    const char *s = getenv("ARGENT_TIMEOUT_MS");
    if (s != NULL && *s != 0) return strtoll(s, NULL, 10) * 1000;
    const char *uri = argent_device_uri(device);
    return strncmp(uri, "sim:", 4) == 0 || strncmp(uri, "sim+unix:", 9) == 0 || strncmp(uri, "platform:", 9) == 0 || strcmp(uri, "mock:") == 0 ? -1 : 10000000;
}

/* Starts, waits, and looks at what the error register said. */
static int run(const struct argent_accelerator *a, argent_device *device, const struct argent_command *command, struct argent_result *result, char *text, size_t size) {
    argent_ticket ticket = 0;
    int64_t limit = time_limit_us(device);
    int code = argent_run(device, command, limit, &ticket, result);
    if (code == ARGENT_TIMEOUT) {
        snprintf(text, size, "%s: the launch has not ended after %" PRId64 " ms (ARGENT_TIMEOUT_MS) and was given up", a->name, limit / 1000);
        add_framing(a, result->error, text, size);
    } else if (code != ARGENT_OK) {
        snprintf(text, size, ticket == 0 ? "%s: the launch cannot be started: %s" : "%s: the launch failed: %s", a->name, argent_device_text(device));
        uint32_t error = 0;
        if (code == ARGENT_REFUSED) describe_refusal(a, command, result->error, text, size);
        if (code == ARGENT_STUCK && takes_streams(a) && argent_read(device, ARGENT_ERROR_NOW, &error) == ARGENT_OK) add_framing(a, error, text, size);
    } else if (result->error != 0 && a->error_at.offset != ARGENT_NO_REGISTER) {
        int used = snprintf(text, size, "%s: ", a->name);
        code = describe_error(a, result->error, text + used, size - (size_t)used);
        /* What is left of such a frame may be on its way still. */
        if (code == ARGENT_MISFRAMED) argent_reset(device);
    }
    return code;
}

static void observe(const struct argent_accelerator *a, argent_device *device, int code, const struct argent_result *result, const int32_t *box,
                    const struct part *parts, int part_count, const struct registers *registers, double seconds) {
    pthread_mutex_lock(&observer_lock);
    if (observer_now != NULL) {
        struct argent_launch_record record;
        struct argent_launch_stream list[ARGENT_MAX_IMAGES];
        memset(&record, 0, sizeof record);
        memset(list, 0, sizeof list);
        record.accelerator = a;
        record.device = device;
        record.code = code;
        for (int d = 0; d < a->dimensions; d++) {
            record.min[d] = box[2 * d];
            record.extent[d] = box[2 * d + 1] - box[2 * d] + 1;
            record.domain_min[d] = domain_of(a, box)[2 * d];
            record.domain_extent[d] = domain_of(a, box)[2 * d + 1] - domain_of(a, box)[2 * d] + 1;
        }
        for (int i = 0; i < part_count; i++) {
            list[i].image = parts[i].of->image;
            list[i].stream = parts[i].stream;
            list[i].writes = parts[i].of->writes;
            list[i].dimensions = parts[i].of->image->scanned_count;
            list[i].address = address_of(&parts[i]);
            list[i].row = parts[i].row;
            memcpy(list[i].min, parts[i].min, sizeof list[i].min);
            memcpy(list[i].extent, parts[i].extent, sizeof list[i].extent);
            memcpy(list[i].stride, parts[i].stride, sizeof list[i].stride);
        }
        record.stream_count = part_count;
        record.streams = list;
        record.register_count = registers->count;
        record.registers = registers->list;
        record.clocks = result->clocks;
        record.bytes_read = result->bytes_read;
        record.bytes_written = result->bytes_written;
        record.seconds = seconds;
        observer_now(&record, observer_context);
    }
    pthread_mutex_unlock(&observer_lock);
}

/* As many threads work on launches of a device as it has places for: while one runs, images of the next are staged and its registers known. One at a
 * time where somebody measures, and where a frame that goes wrong is cleared away by a reset. */
static void enter(struct opened *o, const struct argent_accelerator *a) {
    pthread_mutex_lock(&observer_lock);
    int places = observer_now != NULL || takes_streams(a) ? 1 : argent_queue_depth(o->device);
    pthread_mutex_unlock(&observer_lock);
    pthread_mutex_lock(&o->lock);
    while (o->inside >= places) pthread_cond_wait(&o->left, &o->lock);
    o->inside++;
    pthread_mutex_unlock(&o->lock);
}

static void leave(struct opened *o) {
    pthread_mutex_lock(&o->lock);
    o->inside--;
    pthread_cond_broadcast(&o->left);
    pthread_mutex_unlock(&o->lock);
}

/* What the device may do with an image. The rest of a tile's rows is others'. */
static unsigned access_to(const struct placed *p, const struct part *parts, int part_count) {
    int64_t bytes = 0;
    for (int i = 0; i < part_count; i++) {
        if (parts[i].of != p) continue;
        int64_t own = parts[i].stride[0];
        for (int k = 0; k < p->image->scanned_count; k++) own *= parts[i].extent[k];
        bytes += own;
    }
    return (p->writes ? ARGENT_WRITE : ARGENT_READ) | (bytes < p->high - p->low ? ARGENT_GAPS : 0u);
}

/* An output, and no more of it than the block. */
struct cropped {
    halide_buffer_t buffer;
    halide_dimension_t dim[ARGENT_MAX_DIMENSIONS];
};

static halide_buffer_t *crop(const struct placed *p, const halide_buffer_t *b, struct cropped *c) {
    c->buffer = *b;
    c->buffer.dim = c->dim;
    for (int d = 0; d < b->dimensions; d++) {
        c->dim[d] = b->dim[d];
        c->dim[d].min = p->min[d];
        c->dim[d].extent = p->extent[d];
        c->buffer.host += ((int64_t)p->min[d] - b->dim[d].min) * b->dim[d].stride * element_bytes(p->image);
    }
    return &c->buffer;
}

/* Maps the images, launches, unmaps. */
static int launch_on(const struct argent_accelerator *a, argent_device *device, const int32_t *box, const uint64_t *params,
                     struct placed *images, int image_count, const struct part *parts, int part_count, halide_buffer_t *const *inputs,
                     halide_buffer_t *const *outputs, char *text, size_t size) {
    int code = ARGENT_OK, mapped = 0;
    struct registers registers;
    if (!make_room(a, &registers)) {
        snprintf(text, size, "%s: out of memory", a->name);
        return ARGENT_OUT_OF_MEMORY;
    }
    for (; mapped < image_count; mapped++) {
        struct placed *p = &images[mapped];
        code = argent_stage_map(device, p->low, (size_t)(p->high - p->low), access_to(p, parts, part_count), &p->at);
        if (code != ARGENT_OK) {
            snprintf(text, size, "%s: %s %s: its memory cannot be reached by the device: %s", a->name, role(p), p->image->name,
                     argent_device_text(device));
            break;
        }
    }
    if (code == ARGENT_OK) {
        struct argent_window windows[ARGENT_MAX_IMAGES], transfers[ARGENT_MAX_IMAGES];
        size_t window_count = 0, transfer_count = 0;
        fill_registers(a, box, params, parts, part_count, &registers);
        for (int i = 0; i < a->table_count; i++) load_table(&a->tables[i], inputs[a->input_count + i], &registers);
        struct argent_window *moved[ARGENT_MAX_IMAGES];
        for (int i = 0; i < part_count; i++) {
            moved[i] = parts[i].stream->is_axis ? &transfers[transfer_count++] : &windows[window_count++];
            fill_window(&parts[i], moved[i]);
            argent_stage_before(&parts[i].of->at, moved[i]);
        }
        struct cropped cropped[ARGENT_MAX_IMAGES];
        halide_buffer_t *blocks[ARGENT_MAX_IMAGES];
        for (int i = 0; i < a->output_count; i++) blocks[i] = crop(&images[a->input_count + i], outputs[i], &cropped[i]);
        struct argent_images work = {inputs, params, blocks};
        struct argent_command command = {registers.list, (size_t)registers.count, windows, window_count, transfers, transfer_count, &work};
        double start = seconds_now();
        struct argent_result result;
        memset(&result, 0, sizeof result);
        code = run(a, device, &command, &result, text, size);
        for (int i = 0; i < part_count && code == ARGENT_OK; i++) argent_stage_after(&parts[i].of->at, moved[i]);
        observe(a, device, code, &result, box, parts, part_count, &registers, seconds_now() - start);
    }
    while (mapped > 0) argent_stage_unmap(device, &images[--mapped].at);
    if (registers.list != registers.fixed) free(registers.list);
    return code;
}

/* A launch whose output begins `before` elements behind its first vector. */
static int launch_whole(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params,
                        halide_buffer_t *const *outputs, int32_t before) {
    int32_t from_vector[4 * ARGENT_MAX_DIMENSIONS]; /* the output's rectangle and the domain's */
    struct argent_whole wholes[ARGENT_MAX_IMAGES];
    halide_buffer_t *buffers[ARGENT_MAX_IMAGES];
    int code = 0, made = 0;
    memcpy(from_vector, box, 4 * (size_t)a->dimensions * sizeof box[0]);
    from_vector[0] -= before;
    for (; made < a->output_count && code == 0; made++) {
        buffers[made] = &wholes[made].buffer;
        if (argent_whole_make(&a->outputs[made], outputs[made], box, before, &wholes[made])) continue;
        code = report(ARGENT_OUT_OF_MEMORY, halide_error_code_out_of_memory, "no memory for an output that begins in the middle of a vector");
    }
    if (code == 0) code = argent_launch(a, inputs, from_vector, params, buffers);
    for (int i = 0; i < made; i++) {
        if (code == 0) argent_whole_copy(&a->outputs[i], &wholes[i], box, params, outputs[i]);
        free(wholes[i].memory);
    }
    return code;
}

int argent_launch(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params,
                  halide_buffer_t *const *outputs) {
    for (int d = 0; d < a->dimensions; d++)
        if (box[2 * d + 1] < box[2 * d]) return 0;

    int count = a->input_count + a->output_count;
    halide_buffer_t *const *tables = a->table_count > 0 ? inputs + a->input_count : NULL;
    bool query = count > 0;
    for (int i = 0; i < a->table_count; i++)
        if (!is_query(tables[i])) query = false;
    for (int i = 0; i < count; i++)
        if (!is_query(i < a->input_count ? inputs[i] : outputs[i - a->input_count])) query = false;
    if (query) {
        for (int i = 0; i < a->input_count; i++) answer_query(&a->inputs[i], domain_of(a, box), params, inputs[i]);
        for (int i = 0; i < a->table_count; i++) answer_table_query(&a->tables[i], tables[i]);
        return 0;
    }

    struct placed images[ARGENT_MAX_IMAGES];
    struct part parts[ARGENT_MAX_IMAGES];
    int part_count = 0;
    struct mistakes m;
    m.halide_code = 0;
    m.used = 0;
    m.text[0] = 0;
    memset(images, 0, sizeof images);
    memset(parts, 0, sizeof parts);
    check_block(a, box, &m);
    check_domain(a, box, &m);
    check_numbers(a, box, params, &m);
    check_beyond(a, box, params, &m);
    if (m.used != 0 && a->has_domain) return report(ARGENT_BAD_BUFFER, m.halide_code, m.text); /* the images' boxes mean nothing then */
    for (int i = 0; i < count; i++) {
        images[i].writes = i >= a->input_count;
        images[i].image = images[i].writes ? &a->outputs[i - a->input_count] : &a->inputs[i];
        const int32_t *rectangle = rectangle_of(a, &images[i], box);
        set_box(&images[i], rectangle, params);
        check_image(a, &images[i], images[i].writes ? outputs[i - a->input_count] : inputs[i], rectangle, params, parts + part_count, &m);
        part_count += images[i].image->stream_count;
    }
    for (int i = 0; i < a->table_count; i++) check_table(a, &a->tables[i], tables[i], &m);
    if (m.used == 0) check_overlap(a, parts, part_count, &m);
    if (m.used != 0) return report(ARGENT_BAD_BUFFER, m.halide_code, m.text);
    int32_t before = in_front(a, box);
    if (before > 0) return launch_whole(a, inputs, box, params, outputs, before);

    char text[2560];
    struct opened *o = NULL;
    int code = find_device(a, &o, text, sizeof text);
    if (code == ARGENT_OK) {
        enter(o, a);
        code = launch_on(a, o->device, box, params, images, count, parts, part_count, inputs, outputs, text, sizeof text);
        if (code == ARGENT_GONE) __atomic_store_n(&o->gone, 1, __ATOMIC_RELEASE);
        leave(o);
    }
    if (code == ARGENT_OK) return 0;
    return report(code, halide_error_code_device_run_failed, text);
}
