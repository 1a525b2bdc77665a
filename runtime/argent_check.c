#include "argent_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds to a text of `size` bytes; what does not fit is cut off. */
static void append(char *text, size_t size, size_t *used, const char *format, va_list arguments) {
    int n = vsnprintf(text + *used, size - *used, format, arguments);
    if (n > 0) *used += (size_t)n;
    if (*used >= size) *used = size - 1;
}

static void mistake(struct argent_mistakes *m, int halide_code, const char *format, ...) {
    if (m->halide_code == 0) m->halide_code = halide_code;
    if (m->used != 0 && m->used + 1 < sizeof m->text) m->text[m->used++] = '\n';
    va_list arguments;
    va_start(arguments, format);
    append(m->text, sizeof m->text, &m->used, format, arguments);
    va_end(arguments);
}

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

/* ---- images ---- */

static void check_strides(const struct argent_accelerator *a, const struct argent_placed *p, const halide_buffer_t *b, struct argent_mistakes *m) {
    const struct argent_image *image = p->image;
    for (int d = 0; d < image->dimensions; d++) {
        if (image->strides[d] == 0 || p->extent[d] == 1 || b->dim[d].stride == image->strides[d]) continue;
        if (argent_step(image) == 1)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: neighbours in dimension %d are %d elements apart, the accelerator needs 1; copy the image into a planar buffer, or "
                    "fix dim(%d).set_stride(1)",
                    a->name, argent_role(p), image->name, d, b->dim[d].stride, d);
        else
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: neighbours in dimension %d are %d elements apart, the accelerator needs %d; copy the image into an interleaved "
                    "buffer (make_interleaved), or take out set_stride() and build the accelerator for planar ones",
                    a->name, argent_role(p), image->name, d, b->dim[d].stride, image->strides[d]);
        return;
    }
}

/* Whether it is a buffer of the right kind; if not even of as many dimensions, the rest of it means nothing. */
static bool check_kind(const struct argent_accelerator *a, const struct argent_placed *p, const halide_buffer_t *b, struct argent_mistakes *m) {
    const struct argent_image *image = p->image;
    const char *verb = p->writes ? "writes" : "reads";
    if (b == NULL) {
        mistake(m, halide_error_code_buffer_argument_is_null, "%s: %s %s: no buffer was given; it needs one of %s with %d dimensions", a->name,
                argent_role(p), image->name, type_text(image->type).text, image->dimensions);
        return false;
    }
    if (b->type.code != image->type.code || b->type.bits != image->type.bits || b->type.lanes != image->type.lanes)
        mistake(m, halide_error_code_bad_type, "%s: %s %s: the buffer holds %s, the accelerator %s %s; pass a buffer of %s", a->name, argent_role(p),
                image->name, type_text(b->type).text, verb, type_text(image->type).text, type_text(image->type).text);
    if (b->dimensions != image->dimensions) {
        mistake(m, halide_error_code_bad_dimensions,
                "%s: %s %s: the buffer has %d dimensions, the accelerator %s %d; slice it or embed it with Halide::Runtime::Buffer", a->name,
                argent_role(p), image->name, b->dimensions, verb, image->dimensions);
        return false;
    }
    if (b->host == NULL) {
        if (b->device != 0)
            mistake(m, halide_error_code_host_is_null,
                    "%s: %s %s: the image is in another device's memory only (its host pointer is null); call copy_to_host() first", a->name,
                    argent_role(p), image->name);
        else
            mistake(m, halide_error_code_host_is_null, "%s: %s %s: the buffer's host pointer is null; allocate it first", a->name, argent_role(p),
                    image->name);
    }
    return true;
}

static void check_coordinates(const struct argent_accelerator *a, const struct argent_placed *p, const halide_buffer_t *b, struct argent_mistakes *m) {
    const struct argent_image *image = p->image;
    for (int d = 0; d < image->dimensions; d++) {
        int64_t have_min = b->dim[d].min, have_max = have_min + b->dim[d].extent - 1;
        int64_t need_min = p->min[d], need_max = need_min + p->extent[d] - 1;
        if (need_max < need_min)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: %s %s: its borders in dimension %d leave nothing between %" PRId64 " and %" PRId64 "; the last coordinate must not lie in front of the first",
                    a->name, argent_role(p), image->name, d, need_min, need_max);
        else if (need_min < have_min || need_max > have_max)
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: %s %s: dimension %d of the buffer covers %" PRId64 " to %" PRId64 ", the accelerator %s %" PRId64 " to %" PRId64
                    "; make the buffer at least that large, or compute less of the output",
                    a->name, argent_role(p), image->name, d, have_min, have_max, p->writes ? "writes" : "reads", need_min, need_max);
    }
}

static void check_rows(const struct argent_accelerator *a, const struct argent_placed *p, const halide_buffer_t *b, struct argent_mistakes *m) {
    const struct argent_image *image = p->image;
    int64_t bytes = argent_element_bytes(image), inner = bytes * argent_row_elements(image, &image->streams[0], p->extent[image->scanned[0]]);
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
                    a->name, argent_role(p), image->name, d, stride, limit);
        else if (p->writes && (stride < 0 ? -stride : stride) < inner)
            mistake(m, halide_error_code_constraint_violated,
                    "%s: output %s: the rows of dimension %d are %" PRId64 " bytes apart, but one is %" PRId64
                    " bytes long; rows that overlap cannot be written",
                    a->name, image->name, d, stride, inner);
        inner = (stride < 0 ? -stride : stride) * (p->extent[d] - 1) + inner;
    }
}

/* What the hardware has room for, and where rows must begin. */
static bool check_part(const struct argent_accelerator *a, const struct argent_part *part, struct argent_mistakes *m) {
    const struct argent_placed *p = part->of;
    const struct argent_image *image = p->image;
    if (part->stream->most_row_elements > 0 && part->extent[0] > part->stream->most_row_elements)
        mistake(m, halide_error_code_buffer_extents_too_large,
                "%s: %s %s: the image is repeated, so a row of %d elements is taken in whole, and there is room for %d; give a block that is as "
                "wide as the image, or compute a part that does not reach from one copy of the image to the next",
                a->name, argent_role(p), image->name, (int)part->extent[0], (int)part->stream->most_row_elements);
    uintptr_t wrong = (uintptr_t)part->first % image->alignment;
    for (int k = 1; wrong == 0 && k < image->scanned_count; k++)
        if (part->extent[k] > 1 && part->stride[k] % (int64_t)image->alignment != 0) wrong = (uintptr_t)(part->stride[k] % (int64_t)image->alignment);
    if (wrong == 0) return true;
    mistake(m, halide_error_code_unaligned_host_ptr,
            "%s: %s %s: the rows start %d bytes behind a multiple of %u, the accelerator needs multiples of %u; allocate the image aligned, "
            "with rows that are a multiple of it",
            a->name, argent_role(p), image->name, (int)(wrong < image->alignment ? wrong : wrong + image->alignment), image->alignment,
            image->alignment);
    return false;
}

/* Everything that can be wrong with one buffer. Fills in its parts when nothing is. */
static void check_image(const struct argent_accelerator *a, struct argent_placed *p, const halide_buffer_t *b, const int32_t *box, const uint64_t *params,
                        struct argent_part *parts, struct argent_mistakes *m) {
    const size_t before = m->used;
    if (!check_kind(a, p, b, m)) return;
    check_coordinates(a, p, b, m);
    check_strides(a, p, b, m);
    check_rows(a, p, b, m);
    if (m->used != before) return;
    for (int i = 0; i < p->image->stream_count; i++) {
        struct argent_part *part = &parts[i];
        part->of = p;
        part->stream = &p->image->streams[i];
        argent_set_part(part, b, box, params);
        if (i == 0 || part->low < p->low) p->low = part->low;
        if (i == 0 || part->high > p->high) p->high = part->high;
        if (!check_part(a, part, m)) return;
    }
}

/* Whether two boxes share a byte. Exact for boxes whose rows lie in one raster (parts of one image); otherwise by their spans. */
static bool overlap(const struct argent_part *a, const struct argent_part *b) {
    if (a->high <= b->low || b->high <= a->low) return false;
    if (a->of->image->scanned_count != 2 || b->of->image->scanned_count != 2 || a->stride[1] != b->stride[1] || a->stride[1] == 0) return true;
    int64_t pitch = a->stride[1] < 0 ? -a->stride[1] : a->stride[1];
    int64_t shift = (int64_t)((uintptr_t)b->first - (uintptr_t)a->first) % pitch;
    if (shift < 0) shift += pitch;
    return shift < a->row || shift + b->row > pitch;
}

static int64_t shared_bytes(const struct argent_part *a, const struct argent_part *b) {
    const uint8_t *low = a->low > b->low ? a->low : b->low;
    const uint8_t *high = a->high < b->high ? a->high : b->high;
    return (int64_t)(high - low);
}

static void check_overlap(const struct argent_accelerator *a, const struct argent_places *places, struct argent_mistakes *m) {
    const struct argent_part *parts = places->parts;
    const int count = places->part_count;
    const struct argent_placed *pairs[ARGENT_MAX_IMAGES][2];
    int known = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            const struct argent_placed *p = parts[i].of, *q = parts[j].of;
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
                        a->name, q->image->name, argent_role(p), p->image->name, shared_bytes(&parts[i], &parts[j]));
        }
}

/* ---- tables ---- */

static void check_table(const struct argent_accelerator *a, const struct argent_table *t, const halide_buffer_t *b, struct argent_mistakes *m) {
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

/* ---- what is computed ---- */

static const int32_t *rectangle_of(const struct argent_accelerator *a, const struct argent_placed *p, const int32_t *box) {
    return p->writes ? box : argent_domain_of(a, box);
}

/* What a border brings inside is seen by readers inside of the image only. */
static void check_domain(const struct argent_accelerator *a, const int32_t *box, struct argent_mistakes *m) {
    const int32_t *domain = argent_domain_of(a, box);
    for (int d = 0; d < a->dimensions; d++) {
        if (!a->block[d].has_domain) continue;
        if (box[2 * d] < domain[2 * d] || box[2 * d + 1] > domain[2 * d + 1])
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: the output covers %d to %d of %s, and the image with the border ends at %d and %d: the accelerator computes inside of it "
                    "only; compute no more than that (on the host: TailStrategy::GuardWithIf or ShiftInwards in place of RoundUp), or list the Func with the "
                    "border as an input",
                    a->name, box[2 * d], box[2 * d + 1], a->block[d].var, domain[2 * d], domain[2 * d + 1]);
    }
    int32_t before = argent_in_front(a, box);
    if (before > 0 && box[1] - box[0] + before >= a->block[0].max_extent)
        mistake(m, halide_error_code_explicit_bounds_too_small,
                "%s: the output begins %d elements of %s behind the image's edge, so its %d elements begin in the middle of a vector of %d, and the block "
                "is too narrow for all of these vectors; compute fewer elements, or begin at the edge, at a multiple of %d, or further inside",
                a->name, box[0] - domain[0], a->block[0].var, box[1] - box[0] + 1, a->pixels, a->pixels);
}

/* Borders between stages: they may lie as far inside of what is read as there are taps for. */
static void check_beyond(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, struct argent_mistakes *m) {
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
    append(w->text, sizeof w->text, &w->used, format, arguments);
    va_end(arguments);
}

static void check_block(const struct argent_accelerator *a, const int32_t *box, struct argent_mistakes *m) {
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
static void check_numbers(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, struct argent_mistakes *m) {
    for (int i = 0; i < a->output_count; i++) {
        const struct argent_image *image = &a->outputs[i];
        for (int k = 0; k < image->scanned_count; k++) {
            int d = image->scanned[k];
            int64_t min = argent_needs_min(image, &image->streams[0], d, box, params), max = argent_needs_max(image, &image->streams[0], d, box, params);
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

void argent_check(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params, halide_buffer_t *const *outputs,
                  struct argent_places *places, struct argent_mistakes *m) {
    memset(places, 0, sizeof *places);
    m->halide_code = 0;
    m->used = 0;
    m->text[0] = 0;
    check_block(a, box, m);
    check_domain(a, box, m);
    check_numbers(a, box, params, m);
    check_beyond(a, box, params, m);
    if (m->used != 0 && a->has_domain) return; /* the images' boxes mean nothing then */
    places->image_count = a->input_count + a->output_count;
    for (int i = 0; i < places->image_count; i++) {
        struct argent_placed *p = &places->images[i];
        p->writes = i >= a->input_count;
        p->image = p->writes ? &a->outputs[i - a->input_count] : &a->inputs[i];
        const int32_t *rectangle = rectangle_of(a, p, box);
        argent_set_box(p, rectangle, params);
        check_image(a, p, p->writes ? outputs[i - a->input_count] : inputs[i], rectangle, params, places->parts + places->part_count, m);
        places->part_count += p->image->stream_count;
    }
    for (int i = 0; i < a->table_count; i++) check_table(a, &a->tables[i], inputs[a->input_count + i], m);
    if (m->used == 0) check_overlap(a, places, m);
}
