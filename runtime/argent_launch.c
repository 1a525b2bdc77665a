#define _POSIX_C_SOURCE 200809L
#include "argent_launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_align.h"
#include "argent_check.h"
#include "argent_describe.h"
#include "argent_opened.h"
#include "argent_registers.h"
#include "argent_stage.h"

/* Weak: a program without Halide's runtime (a driver test, a JIT host) gets the text on stderr. */
#pragma weak halide_error

/* Of the whole process: Halide may make launches in threads of its own. */
static int last_code;

int argent_launch_code(void) { return __atomic_exchange_n(&last_code, ARGENT_OK, __ATOMIC_ACQ_REL); }

static int report(int code, int halide_code, const char *text) {
    __atomic_store_n(&last_code, code, __ATOMIC_RELEASE);
    if (halide_error != NULL)
        halide_error(NULL, text);
    else
        fprintf(stderr, "%s\n", text);
    return halide_code;
}

/* ---- bounds queries ---- */

static bool is_query(const halide_buffer_t *b) { return b != NULL && b->host == NULL && b->device == 0; }

static void answer_query(const struct argent_image *image, const int32_t *box, const uint64_t *params, halide_buffer_t *b) {
    struct argent_placed p = {0};
    p.image = image;
    argent_set_box(&p, box, params);
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

/* Whether Halide asks what the launch needs, which is answered: no buffer has memory. */
static bool answer_queries(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params,
                           halide_buffer_t *const *outputs) {
    const int input_count = a->input_count + a->table_count;
    for (int i = 0; i < input_count; i++)
        if (!is_query(inputs[i])) return false;
    for (int i = 0; i < a->output_count; i++)
        if (!is_query(outputs[i])) return false;
    for (int i = 0; i < a->input_count; i++) answer_query(&a->inputs[i], argent_domain_of(a, box), params, inputs[i]);
    for (int i = 0; i < a->table_count; i++) answer_table_query(&a->tables[i], inputs[a->input_count + i]);
    return true;
}

/* ---- observers ---- */

static pthread_mutex_t observer_lock = PTHREAD_MUTEX_INITIALIZER;
static void (*observer_now)(const struct argent_launch_record *, void *);
static void *observer_context;

void argent_launch_observe(void (*observer)(const struct argent_launch_record *, void *), void *context) {
    pthread_mutex_lock(&observer_lock);
    observer_now = observer;
    observer_context = context;
    pthread_mutex_unlock(&observer_lock);
}

static void observe(const struct argent_accelerator *a, argent_device *device, int code, const struct argent_result *result, const int32_t *box,
                    const struct argent_places *places, const struct argent_registers *registers, double seconds) {
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
            record.domain_min[d] = argent_domain_of(a, box)[2 * d];
            record.domain_extent[d] = argent_domain_of(a, box)[2 * d + 1] - argent_domain_of(a, box)[2 * d] + 1;
        }
        for (int i = 0; i < places->part_count; i++) {
            const struct argent_part *part = &places->parts[i];
            list[i].image = part->of->image;
            list[i].stream = part->stream;
            list[i].writes = part->of->writes;
            list[i].dimensions = part->of->image->scanned_count;
            list[i].address = argent_part_address(part);
            list[i].row = part->row;
            memcpy(list[i].min, part->min, sizeof list[i].min);
            memcpy(list[i].extent, part->extent, sizeof list[i].extent);
            memcpy(list[i].stride, part->stride, sizeof list[i].stride);
        }
        record.stream_count = places->part_count;
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

/* Threads that may work on launches of a device: as many as it has places for: while one runs, images of the next are staged and its registers known. One at a
 * time where somebody measures, and where a frame that goes wrong is cleared away by a reset. */
static int threads_on(const struct argent_accelerator *a, argent_device *device) {
    pthread_mutex_lock(&observer_lock);
    bool is_observed = observer_now != NULL;
    pthread_mutex_unlock(&observer_lock);
    return is_observed || argent_takes_streams(a) ? 1 : argent_queue_depth(device);
}

/* ---- the launch ---- */

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t time_limit_us(argent_device *device) {
    const char *s = getenv("ARGENT_TIMEOUT_MS");
    char *end = NULL;
    long long milliseconds = s != NULL ? strtoll(s, &end, 10) : 0;
    if (s != NULL && end != s && *end == 0) return milliseconds < 0 || milliseconds > INT64_MAX / 1000 ? -1 : milliseconds * 1000;
    if (s != NULL && *s != 0) fprintf(stderr, "argent: ARGENT_TIMEOUT_MS=\"%s\" is no number of milliseconds\n", s);
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
        argent_describe_framing(a, result->error, text, size);
    } else if (code != ARGENT_OK) {
        snprintf(text, size, ticket == 0 ? "%s: the launch cannot be started: %s" : "%s: the launch failed: %s", a->name, argent_device_text(device));
        uint32_t error = 0;
        if (code == ARGENT_REFUSED) argent_describe_refusal(a, command, result->error, text, size);
        if (code == ARGENT_STUCK && argent_takes_streams(a) && argent_read(device, ARGENT_ERROR_NOW, &error) == ARGENT_OK) argent_describe_framing(a, error, text, size);
    } else if (result->error != 0 && a->error_at.offset != ARGENT_NO_REGISTER) {
        int used = snprintf(text, size, "%s: ", a->name);
        code = argent_describe_error(a, result->error, text + used, size - (size_t)used);
        /* What is left of such a frame may be on its way still. */
        if (code == ARGENT_MISFRAMED) argent_reset(device);
    }
    return code;
}

/* An output, and no more of it than the block. */
struct cropped {
    halide_buffer_t buffer;
    halide_dimension_t dim[ARGENT_MAX_DIMENSIONS];
};

static halide_buffer_t *crop(const struct argent_placed *p, const halide_buffer_t *b, struct cropped *c) {
    c->buffer = *b;
    c->buffer.dim = c->dim;
    for (int d = 0; d < b->dimensions; d++) {
        c->dim[d] = b->dim[d];
        c->dim[d].min = p->min[d];
        c->dim[d].extent = p->extent[d];
        c->buffer.host += ((int64_t)p->min[d] - b->dim[d].min) * b->dim[d].stride * argent_element_bytes(p->image);
    }
    return &c->buffer;
}

/* The images are mapped: registers and windows are filled in, and it runs. */
static int launch_mapped(const struct argent_accelerator *a, argent_device *device, const int32_t *box, const uint64_t *params, const struct argent_places *places,
                         halide_buffer_t *const *inputs, halide_buffer_t *const *outputs, char *text, size_t size) {
    const struct argent_part *far = argent_registers_reach(places);
    if (far != NULL) {
        snprintf(text, size, "%s: %s %s: its memory is at 0x%" PRIx64 ", and the addresses of the accelerator have %d bits", a->name, argent_role(far->of), far->of->image->name,
                 argent_part_address(far), far->stream->address.bits);
        return ARGENT_BAD_BUFFER;
    }
    struct argent_registers registers;
    if (!argent_registers_make(a, &registers)) {
        snprintf(text, size, "%s: out of memory", a->name);
        return ARGENT_OUT_OF_MEMORY;
    }
    argent_registers_fill(a, box, params, places, &registers);
    for (int i = 0; i < a->table_count; i++) argent_registers_load(&a->tables[i], inputs[a->input_count + i], &registers);

    struct argent_window windows[ARGENT_MAX_IMAGES], transfers[ARGENT_MAX_IMAGES], *moved[ARGENT_MAX_IMAGES];
    size_t window_count = 0, transfer_count = 0;
    for (int i = 0; i < places->part_count; i++) {
        const struct argent_part *part = &places->parts[i];
        moved[i] = part->stream->is_axis ? &transfers[transfer_count++] : &windows[window_count++];
        argent_window_fill(part, moved[i]);
        argent_stage_before(&part->of->at, moved[i]);
    }
    struct cropped cropped[ARGENT_MAX_IMAGES];
    halide_buffer_t *blocks[ARGENT_MAX_IMAGES];
    for (int i = 0; i < a->output_count; i++) blocks[i] = crop(&places->images[a->input_count + i], outputs[i], &cropped[i]);
    struct argent_images work = {inputs, params, blocks};
    struct argent_command command = {registers.list, (size_t)registers.count, windows, window_count, transfers, transfer_count, &work};

    double start = seconds_now();
    struct argent_result result;
    memset(&result, 0, sizeof result);
    int code = run(a, device, &command, &result, text, size);
    for (int i = 0; i < places->part_count && code == ARGENT_OK; i++) argent_stage_after(&places->parts[i].of->at, moved[i]);
    observe(a, device, code, &result, box, places, &registers, seconds_now() - start);
    argent_registers_free(&registers);
    return code;
}

/* Maps the images, launches, unmaps. */
static int launch_on(const struct argent_accelerator *a, argent_device *device, const int32_t *box, const uint64_t *params, struct argent_places *places,
                     halide_buffer_t *const *inputs, halide_buffer_t *const *outputs, char *text, size_t size) {
    int code = ARGENT_OK, mapped = 0;
    for (; mapped < places->image_count; mapped++) {
        struct argent_placed *p = &places->images[mapped];
        code = argent_stage_map(device, p->low, (size_t)(p->high - p->low), argent_access_to(p, places), &p->at);
        if (code == ARGENT_OK) continue;
        snprintf(text, size, "%s: %s %s: its memory cannot be reached by the device: %s", a->name, argent_role(p), p->image->name, argent_device_text(device));
        break;
    }
    if (code == ARGENT_OK) code = launch_mapped(a, device, box, params, places, inputs, outputs, text, size);
    while (mapped > 0) argent_stage_unmap(device, &places->images[--mapped].at);
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

/* Whether no output has an element in the dimensions that the box does not tell: where Halide asks for strips, all channels may be there already. */
static bool have_no_channels(const struct argent_accelerator *a, halide_buffer_t *const *outputs) {
    for (int i = 0; i < a->output_count; i++) {
        const struct argent_image *image = &a->outputs[i];
        const halide_buffer_t *b = outputs[i];
        bool is_empty = false;
        for (int d = 0; d < image->dimensions && b != NULL && b->dimensions == image->dimensions; d++) {
            bool is_scanned = false;
            for (int k = 0; k < image->scanned_count; k++) is_scanned = is_scanned || image->scanned[k] == d;
            is_empty = is_empty || (!is_scanned && b->dim[d].extent <= 0);
        }
        if (!is_empty) return false;
    }
    return true;
}

int argent_launch(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params,
                  halide_buffer_t *const *outputs) {
    for (int d = 0; d < a->dimensions; d++)
        if (box[2 * d + 1] < box[2 * d]) return 0;

    if (answer_queries(a, inputs, box, params, outputs)) return 0;
    if (have_no_channels(a, outputs)) return 0;
    struct argent_places places;
    struct argent_mistakes m;
    argent_check(a, inputs, box, params, outputs, &places, &m);
    if (m.used != 0) return report(ARGENT_BAD_BUFFER, m.halide_code, m.text);
    int32_t before = argent_in_front(a, box);
    if (before > 0) return launch_whole(a, inputs, box, params, outputs, before);

    char text[2560];
    struct argent_opened *o = NULL;
    int code = argent_opened_find(a, &o, text, sizeof text);
    if (code == ARGENT_OK) {
        argent_opened_enter(o, threads_on(a, o->device));
        code = launch_on(a, o->device, box, params, &places, inputs, outputs, text, sizeof text);
        if (code == ARGENT_GONE) argent_opened_is_gone(o);
        argent_opened_leave(o);
    }
    if (code == ARGENT_OK) return 0;
    return report(code, halide_error_code_device_run_failed, text);
}
