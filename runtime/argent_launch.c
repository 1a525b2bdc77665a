#define _POSIX_C_SOURCE 200809L
#include "argent_launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* ---- one image of a launch ---- */

struct placed {
    const struct argent_image *image;
    bool writes;
    int32_t min[ARGENT_MAX_DIMENSIONS], extent[ARGENT_MAX_DIMENSIONS]; /* the box, in the buffer's coordinates */
    int64_t stride[ARGENT_MAX_DIMENSIONS];                             /* bytes */
    uint8_t *first;                                                    /* the box's first element */
    uint8_t *low, *high;                                               /* all bytes of the box lie in [low, high) */
    uint64_t mapped;                                                   /* where the device sees low */
    uint64_t address;                                                  /* where it sees first */
};

static const char *role(const struct placed *p) { return p->writes ? "output" : "input"; }

static void set_box(struct placed *p, const int32_t *box) {
    for (int d = 0; d < p->image->dimensions; d++) {
        p->min[d] = box[2 * d] + p->image->box[d].min;
        p->extent[d] = (int32_t)((int64_t)box[2 * d + 1] + p->image->box[d].max - p->min[d] + 1);
    }
}

/* Everything that can be wrong with one buffer. Fills in strides and addresses when nothing is. */
static void check_image(const struct argent_accelerator *a, struct placed *p, const halide_buffer_t *b, struct mistakes *m) {
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
        if (need_min < have_min || need_max > have_max)
            mistake(m, halide_error_code_access_out_of_bounds,
                    "%s: %s %s: dimension %d of the buffer covers %" PRId64 " to %" PRId64 ", the accelerator %s %" PRId64 " to %" PRId64
                    "; make the buffer at least that large, or compute less of the output",
                    a->name, role(p), image->name, d, have_min, have_max, verb, need_min, need_max);
    }
    if (image->dimensions > 0 && b->dim[0].stride != 1 && p->extent[0] > 1)
        mistake(m, halide_error_code_constraint_violated,
                "%s: %s %s: neighbours in dimension 0 are %d elements apart, the accelerator needs 1; copy the image into a planar buffer, or fix "
                "dim(0).set_stride(1)",
                a->name, role(p), image->name, b->dim[0].stride);
    int64_t bytes = element_bytes(image), row = bytes * (image->dimensions > 0 ? p->extent[0] : 1), inner = row;
    for (int d = 1; d < image->dimensions; d++) {
        int64_t stride = (int64_t)b->dim[d].stride * bytes;
        uint32_t bits = image->stride[d].offset != ARGENT_NO_REGISTER ? image->stride[d].bits : 64;
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

    int64_t offset = 0, low = 0, high = row;
    p->stride[0] = bytes;
    for (int d = 0; d < image->dimensions; d++) {
        int64_t stride = (int64_t)b->dim[d].stride * bytes;
        offset += (p->min[d] - (int64_t)b->dim[d].min) * stride;
        if (d == 0) continue;
        p->stride[d] = stride;
        int64_t span = stride * (p->extent[d] - 1);
        if (span < 0)
            low += span;
        else
            high += span;
    }
    p->first = b->host + offset;
    p->low = p->first + low;
    p->high = p->first + high;
    uintptr_t wrong = (uintptr_t)p->first % image->alignment;
    for (int d = 1; wrong == 0 && d < image->dimensions; d++)
        if (p->extent[d] > 1 && p->stride[d] % (int64_t)image->alignment != 0) wrong = (uintptr_t)(p->stride[d] % (int64_t)image->alignment);
    if (wrong != 0)
        mistake(m, halide_error_code_unaligned_host_ptr,
                "%s: %s %s: the rows start %d bytes behind a multiple of %u, the accelerator needs multiples of %u; allocate the image aligned, "
                "with rows that are a multiple of it",
                a->name, role(p), image->name, (int)(wrong < image->alignment ? wrong : wrong + image->alignment), image->alignment,
                image->alignment);
}

/* Whether two boxes share a byte. Exact for boxes whose rows lie in one raster (parts of one image); otherwise by their spans. */
static bool overlap(const struct placed *a, const struct placed *b) {
    if (a->high <= b->low || b->high <= a->low) return false;
    if (a->image->dimensions != 2 || b->image->dimensions != 2 || a->stride[1] != b->stride[1] || a->stride[1] == 0) return true;
    int64_t pitch = a->stride[1] < 0 ? -a->stride[1] : a->stride[1];
    int64_t wide_a = a->extent[0] * a->stride[0], wide_b = b->extent[0] * b->stride[0];
    int64_t shift = (int64_t)((uintptr_t)b->first - (uintptr_t)a->first) % pitch;
    if (shift < 0) shift += pitch;
    return shift < wide_a || shift + wide_b > pitch;
}

static void check_overlap(const struct argent_accelerator *a, const struct placed *images, int count, struct mistakes *m) {
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (!images[j].writes || !overlap(&images[i], &images[j])) continue;
            const uint8_t *low = images[i].low > images[j].low ? images[i].low : images[j].low;
            const uint8_t *high = images[i].high < images[j].high ? images[i].high : images[j].high;
            mistake(m, halide_error_code_constraint_violated,
                    "%s: output %s lies on %s %s: they share %" PRId64
                    " bytes of memory; the accelerator reads and writes at once, so give the output a buffer of its own",
                    a->name, images[j].image->name, role(&images[i]), images[i].image->name, (int64_t)(high - low));
        }
}

static void check_block(const struct argent_accelerator *a, const int32_t *box, struct mistakes *m) {
    for (int d = 0; d < a->dimensions; d++) {
        int64_t extent = (int64_t)box[2 * d + 1] - box[2 * d] + 1;
        if (extent > a->block[d].max_extent)
            mistake(m, halide_error_code_explicit_bounds_too_small,
                    "%s: a launch computes %" PRId64 " of %s, the block has at most %d; tile the output and compute the accelerated Func at the "
                    "tile (tile and compute_at), or give a larger block({{%s, %" PRId64 "}, ...})",
                    a->name, extent, a->block[d].var, a->block[d].max_extent, a->block[d].var, extent);
    }
}

/* ---- bounds queries ---- */

static bool is_query(const halide_buffer_t *b) { return b != NULL && b->host == NULL && b->device == 0; }

static void answer_query(const struct argent_image *image, const int32_t *box, halide_buffer_t *b) {
    struct placed p = {0};
    p.image = image;
    set_box(&p, box);
    b->type = image->type;
    int32_t stride = 1;
    for (int d = 0; d < image->dimensions && d < b->dimensions; d++) {
        b->dim[d].min = p.min[d];
        b->dim[d].extent = p.extent[d];
        b->dim[d].stride = stride;
        stride *= p.extent[d];
    }
}

/* ---- devices: opened once per process, URI and accelerator ---- */

struct opened {
    argent_device *device;
    pthread_mutex_t lock; /* held for a whole launch */
    int gone;             /* another one is opened in its place; it stays until the end, others may still wait for its lock */
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

/* Opens the device and makes sure that it is what the driver was made for. */
static int open_device(const struct argent_accelerator *a, const char *uri, argent_device **device, char *text, size_t size) {
    int code = argent_open(uri, a->name, device);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: cannot open the device: %s", a->name, argent_open_text());
        return code;
    }
    if (a->id == 0 || a->id_at.offset == ARGENT_NO_REGISTER) return ARGENT_OK;
    uint32_t id = 0;
    code = argent_read(*device, (uint32_t)a->id_at.offset, &id);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: device \"%s\" does not tell its identification: %s", a->name, uri, argent_device_text(*device));
    } else if (id != a->id) {
        snprintf(text, size,
                 "%s: device \"%s\" says 0x%08x, this driver was made for 0x%08x; driver and hardware must come from one build: build both again",
                 a->name, uri, (unsigned)id, (unsigned)a->id);
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
    const char *uri = device_override;
    if (uri == NULL) uri = getenv("ARGENT_DEVICE");
    if (uri == NULL || uri[0] == 0) uri = "sim:";
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
    struct argent_register_value list[ARGENT_MAX_REGISTERS];
    int32_t count;
};

static void set_register(struct registers *r, struct argent_register_at at, uint64_t value) {
    if (at.offset == ARGENT_NO_REGISTER) return;
    if (at.bits < 32) value &= ((uint64_t)1 << at.bits) - 1;
    for (uint32_t word = 0; word < (at.bits > 32 ? 2u : 1u) && r->count < ARGENT_MAX_REGISTERS; word++) {
        r->list[r->count].offset = (uint32_t)at.offset + 4 * word;
        r->list[r->count].value = (uint32_t)(value >> (32 * word));
        r->count++;
    }
}

static void fill_registers(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, const struct placed *images,
                           int image_count, struct registers *r) {
    for (int d = 0; d < a->dimensions; d++) {
        set_register(r, a->block[d].extent, (uint64_t)((int64_t)box[2 * d + 1] - box[2 * d] + 1));
        set_register(r, a->block[d].min, (uint64_t)(int64_t)box[2 * d]);
    }
    for (int i = 0; i < image_count; i++) {
        set_register(r, images[i].image->address, images[i].address);
        for (int d = 1; d < images[i].image->dimensions; d++) set_register(r, images[i].image->stride[d], (uint64_t)images[i].stride[d]);
    }
    for (int i = 0; i < a->param_count; i++) set_register(r, a->params[i].at, params[i]);
}

static void fill_window(const struct placed *p, struct argent_window *w) {
    memset(w, 0, sizeof *w);
    w->port = p->image->port;
    w->access = p->writes ? ARGENT_WRITE : ARGENT_READ;
    w->address = p->address;
    w->dimensions = p->image->dimensions > 0 ? p->image->dimensions : 1;
    w->extent[0] = p->stride[0] * (p->image->dimensions > 0 ? p->extent[0] : 1);
    w->stride[0] = 1;
    for (int d = 1; d < p->image->dimensions; d++) {
        w->extent[d] = p->extent[d];
        w->stride[d] = p->stride[d];
    }
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t time_limit_us(argent_device *device) {
    const char *s = getenv("ARGENT_TIMEOUT_MS");
    if (s != NULL && *s != 0) return strtoll(s, NULL, 10) * 1000;
    return strncmp(argent_device_uri(device), "sim:", 4) == 0 ? -1 : 10000000;
}

/* Starts, waits, and reads the error register. */
static int run(const struct argent_accelerator *a, argent_device *device, const struct argent_command *command, char *text, size_t size) {
    argent_ticket ticket = 0;
    int code = argent_start(device, command, &ticket);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: the launch cannot be started: %s", a->name, argent_device_text(device));
        return code;
    }
    int64_t limit = time_limit_us(device);
    code = argent_wait(device, ticket, limit);
    if (code == ARGENT_TIMEOUT) {
        snprintf(text, size, "%s: the launch has not ended after %" PRId64 " ms (ARGENT_TIMEOUT_MS) and was given up", a->name, limit / 1000);
        argent_reset(device);
        return code;
    }
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: the launch failed: %s", a->name, argent_device_text(device));
        return code;
    }
    uint32_t error = 0;
    if (a->error_at.offset == ARGENT_NO_REGISTER) return ARGENT_OK;
    code = argent_read(device, (uint32_t)a->error_at.offset, &error);
    if (code != ARGENT_OK) {
        snprintf(text, size, "%s: the error register cannot be read: %s", a->name, argent_device_text(device));
    } else if (error != 0) {
        snprintf(text, size, "%s: the accelerator reports error 0x%x%s%s%s", a->name, (unsigned)error, a->error_doc != NULL ? " (" : "",
                 a->error_doc != NULL ? a->error_doc : "", a->error_doc != NULL ? ")" : "");
        code = ARGENT_BUS_ERROR;
    }
    return code;
}

static void observe(const struct argent_accelerator *a, argent_device *device, int code, const int32_t *box, const struct placed *images,
                    int image_count, const struct registers *registers, double seconds) {
    pthread_mutex_lock(&observer_lock);
    if (observer_now != NULL) {
        struct argent_launch_record record;
        struct argent_launch_image list[ARGENT_MAX_IMAGES];
        memset(&record, 0, sizeof record);
        memset(list, 0, sizeof list);
        record.accelerator = a;
        record.device = device;
        record.code = code;
        for (int d = 0; d < a->dimensions; d++) {
            record.min[d] = box[2 * d];
            record.extent[d] = box[2 * d + 1] - box[2 * d] + 1;
        }
        for (int i = 0; i < image_count; i++) {
            list[i].image = images[i].image;
            list[i].writes = images[i].writes;
            list[i].address = images[i].address;
            memcpy(list[i].extent, images[i].extent, sizeof list[i].extent);
            memcpy(list[i].stride, images[i].stride, sizeof list[i].stride);
        }
        record.image_count = image_count;
        record.images = list;
        record.register_count = registers->count;
        record.registers = registers->list;
        argent_counter(device, ARGENT_COUNT_CLOCKS, &record.clocks);
        argent_counter(device, ARGENT_COUNT_BYTES_READ, &record.bytes_read);
        argent_counter(device, ARGENT_COUNT_BYTES_WRITTEN, &record.bytes_written);
        record.seconds = seconds;
        observer_now(&record, observer_context);
    }
    pthread_mutex_unlock(&observer_lock);
}

/* Maps the images, launches, unmaps. */
static int launch_on(const struct argent_accelerator *a, argent_device *device, const int32_t *box, const uint64_t *params,
                     struct placed *images, int image_count, char *text, size_t size) {
    int code = ARGENT_OK, mapped = 0;
    for (; mapped < image_count; mapped++) {
        struct placed *p = &images[mapped];
        code = argent_map(device, p->low, (size_t)(p->high - p->low), p->writes ? ARGENT_WRITE : ARGENT_READ, &p->mapped);
        if (code != ARGENT_OK) {
            snprintf(text, size, "%s: %s %s: its memory cannot be reached by the device: %s", a->name, role(p), p->image->name,
                     argent_device_text(device));
            break;
        }
        p->address = p->mapped + (uint64_t)(p->first - p->low);
    }
    if (code == ARGENT_OK) {
        struct registers registers;
        struct argent_window windows[ARGENT_MAX_IMAGES];
        registers.count = 0;
        fill_registers(a, box, params, images, image_count, &registers);
        for (int i = 0; i < image_count; i++) fill_window(&images[i], &windows[i]);
        struct argent_command command = {registers.list, (size_t)registers.count, windows, (size_t)image_count};
        double start = seconds_now();
        code = run(a, device, &command, text, size);
        observe(a, device, code, box, images, image_count, &registers, seconds_now() - start);
    }
    while (mapped > 0) argent_unmap(device, images[--mapped].mapped);
    return code;
}

int argent_launch(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params,
                  halide_buffer_t *const *outputs) {
    for (int d = 0; d < a->dimensions; d++)
        if (box[2 * d + 1] < box[2 * d]) return 0;

    int count = a->input_count + a->output_count;
    bool query = count > 0;
    for (int i = 0; i < count; i++)
        if (!is_query(i < a->input_count ? inputs[i] : outputs[i - a->input_count])) query = false;
    if (query) {
        for (int i = 0; i < a->input_count; i++) answer_query(&a->inputs[i], box, inputs[i]);
        return 0;
    }

    struct placed images[ARGENT_MAX_IMAGES];
    struct mistakes m;
    m.halide_code = 0;
    m.used = 0;
    m.text[0] = 0;
    memset(images, 0, sizeof images);
    check_block(a, box, &m);
    for (int i = 0; i < count; i++) {
        images[i].writes = i >= a->input_count;
        images[i].image = images[i].writes ? &a->outputs[i - a->input_count] : &a->inputs[i];
        set_box(&images[i], box);
        check_image(a, &images[i], images[i].writes ? outputs[i - a->input_count] : inputs[i], &m);
    }
    if (m.used == 0) check_overlap(a, images, count, &m);
    if (m.used != 0) return report(ARGENT_BAD_BUFFER, m.halide_code, m.text);

    char text[2560];
    struct opened *o = NULL;
    int code = find_device(a, &o, text, sizeof text);
    if (code == ARGENT_OK) {
        pthread_mutex_lock(&o->lock);
        code = launch_on(a, o->device, box, params, images, count, text, sizeof text);
        if (code == ARGENT_GONE) __atomic_store_n(&o->gone, 1, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&o->lock);
    }
    if (code == ARGENT_OK) return 0;
    return report(code, halide_error_code_device_run_failed, text);
}
