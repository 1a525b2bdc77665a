#define _POSIX_C_SOURCE 200809L
#include "argent_runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_import.h"
#include "argent_loaded.h"
#include "argent_memory.h"
#include "argent_mock.h"
#include "argent_platform.h"
#include "argent_queue.h"
#include "argent_remote.h"
#include "argent_sim.h"
#include "argent_uio.h"

enum { MAX_BACKENDS = 16, TEXT = 2048 };

/* How long argent_wait keeps the device from other threads at a time. */
static const int64_t slice_us = 2000;

/* How long a launch waits for one that another process has left running. */
static const int64_t rest_limit_us = 2000000;

struct argent_device {
    const struct argent_backend *backend;
    void *state;
    char *uri, *accelerator;
    pthread_mutex_t lock;
    unsigned wanted; /* threads that want the lock */
    uint64_t serial; /* no other device of this process has it */
    char text[TEXT];
    struct argent_queue queue;
    struct argent_loaded loaded;
    uint8_t ended; /* launches, modulo 256: the hardware's number, as far as it has been looked at */
    struct argent_result last; /* of the last launch that ended without error */
    uint64_t launches, failures, clocks_total;
    struct allocation {
        void *host;
        uint64_t address;
        struct allocation *next;
    } *allocations;
    struct argent_mappings mappings; /* what exists now */
    uint64_t copies;
};

static pthread_mutex_t backends_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct argent_backend *backends[MAX_BACKENDS];
static size_t backend_count;

static __thread char open_text[TEXT];

/* What failed last in this thread, and on which device: another thread's failure must not stand in its place. */
static __thread char own_text[TEXT];
static __thread uint64_t own_serial;

const char *argent_error_text(int code) {
    switch (code) {
    case ARGENT_OK: return "no error";
    case ARGENT_BAD_ARGUMENT: return "a bad argument";
    case ARGENT_NO_DEVICE: return "no such device";
    case ARGENT_NO_ACCELERATOR: return "the device does not hold this accelerator";
    case ARGENT_OUT_OF_MEMORY: return "out of memory that the device can reach";
    case ARGENT_NOT_MAPPED: return "the memory is not mapped";
    case ARGENT_BUSY: return "the device is busy";
    case ARGENT_TIMEOUT: return "the time is up and the launch still runs";
    case ARGENT_STUCK: return "nothing moves any more";
    case ARGENT_BUS_ERROR: return "a bus error";
    case ARGENT_PROTOCOL: return "a rule of the bus was broken";
    case ARGENT_REFUSED: return "the hardware refuses the launch";
    case ARGENT_GONE: return "the device is gone";
    case ARGENT_UNSUPPORTED: return "this kind of device cannot do that";
    case ARGENT_SYSTEM: return "the operating system refused";
    case ARGENT_WRONG_ID: return "another accelerator or another version of it";
    case ARGENT_BAD_BUFFER: return "a buffer that the accelerator cannot work on";
    case ARGENT_CANCELLED: return "cancelled by a reset";
    case ARGENT_MISFRAMED: return "an input stream's rows or frames are not those of the launch";
    case ARGENT_NO_MEMORY: return "nothing answers at an address";
    case ARGENT_OUTSIDE: return "an access outside of the window";
    default: return "an unknown error code";
    }
}

/* ---- backends ---- */

int argent_add_backend(const struct argent_backend *b) {
    if (b == NULL || b->scheme == NULL || b->open == NULL || b->close == NULL || b->map == NULL || b->unmap == NULL ||
        b->read == NULL || b->write == NULL || b->wait == NULL)
        return ARGENT_BAD_ARGUMENT;
    int code = ARGENT_OK;
    pthread_mutex_lock(&backends_lock);
    size_t i = 0;
    while (i < backend_count && strcmp(backends[i]->scheme, b->scheme) != 0) i++;
    if (i == MAX_BACKENDS) {
        code = ARGENT_OUT_OF_MEMORY;
    } else {
        backends[i] = b;
        if (i == backend_count) backend_count++;
    }
    pthread_mutex_unlock(&backends_lock);
    return code;
}

/* Those that need no argent_add_backend; `index` from 0, NULL behind the last. */
static const struct argent_backend *built_in(size_t index) {
    switch (index) {
    case 0: return argent_sim_backend();
    case 1: return argent_remote_backend();
    case 2: return argent_uio_backend();
    case 3: return argent_mock_backend();
    case 4: return argent_platform_backend();
    default: return NULL;
    }
}

static int has_scheme(const struct argent_backend *b, const char *scheme, size_t length) {
    return strlen(b->scheme) == length && memcmp(b->scheme, scheme, length) == 0;
}

static const struct argent_backend *find_backend(const char *scheme, size_t length) {
    const struct argent_backend *found = NULL;
    for (size_t i = 0; built_in(i) != NULL; i++)
        if (has_scheme(built_in(i), scheme, length)) found = built_in(i);
    pthread_mutex_lock(&backends_lock);
    for (size_t i = 0; i < backend_count; i++)
        if (has_scheme(backends[i], scheme, length)) found = backends[i];
    pthread_mutex_unlock(&backends_lock);
    return found;
}

void *argent_device_memory(const char *uri, size_t bytes) {
    const char *colon = uri != NULL ? strchr(uri, ':') : NULL;
    const struct argent_backend *b = colon != NULL ? find_backend(uri, (size_t)(colon - uri)) : NULL;
    return b != NULL && b->image != NULL ? b->image(colon + 1, bytes) : NULL;
}

static void list_scheme(const struct argent_backend *b, char *out, size_t size) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s:", used != 0 ? " " : "", b->scheme);
}

/* The known schemes as "sim: mock:", for messages. */
static void list_backends(char *out, size_t size) {
    out[0] = 0;
    for (size_t i = 0; built_in(i) != NULL; i++) list_scheme(built_in(i), out, size);
    pthread_mutex_lock(&backends_lock);
    for (size_t i = 0; i < backend_count; i++) {
        size_t k = 0;
        while (built_in(k) != NULL && strcmp(built_in(k)->scheme, backends[i]->scheme) != 0) k++;
        if (built_in(k) == NULL) list_scheme(backends[i], out, size);
    }
    pthread_mutex_unlock(&backends_lock);
}

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- devices ---- */

static char *copy_text(const char *s) {
    size_t n = strlen(s) + 1;
    char *c = malloc(n);
    if (c != NULL) memcpy(c, s, n);
    return c;
}

/* A failure that the runtime itself found. */
static int refused(argent_device *d, int code, const char *text) {
    snprintf(d->text, sizeof d->text, "%s", text);
    memcpy(own_text, d->text, sizeof own_text);
    own_serial = d->serial;
    return code;
}

/* Remembers why a call failed: the backend's own words, or `otherwise`. */
static int failed(argent_device *d, int code, const char *otherwise) {
    const char *text = d->backend->text != NULL ? d->backend->text(d->state) : NULL;
    if (text == NULL || text[0] == 0) text = otherwise != NULL ? otherwise : argent_error_text(code);
    return refused(d, code, text);
}

/* ---- the device's lock ---- */

static void lock(argent_device *d) {
    __atomic_add_fetch(&d->wanted, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&d->lock);
    __atomic_sub_fetch(&d->wanted, 1, __ATOMIC_RELAXED);
}

static void unlock(argent_device *d) { pthread_mutex_unlock(&d->lock); }

/* Between two turns of a thread that waits: mutexes are not fair, and others would never come in. */
static void let_others_in(argent_device *d) {
    struct timespec pause = {0, 20000};
    if (__atomic_load_n(&d->wanted, __ATOMIC_RELAXED) != 0) nanosleep(&pause, NULL);
}

/* Of the URI, or of the one in its place, and what stands behind its colon. NULL: there is none, and open_text says so. */
static const struct argent_backend *backend_of(const char **uri, const char **rest) {
    if (*uri == NULL) *uri = getenv("ARGENT_DEVICE");
    if (*uri == NULL || **uri == 0) *uri = "sim:";
    const char *colon = strchr(*uri, ':');
    const struct argent_backend *backend = colon != NULL ? find_backend(*uri, (size_t)(colon - *uri)) : NULL;
    if (backend == NULL) {
        char known[256];
        list_backends(known, sizeof known);
        snprintf(open_text, sizeof open_text, "device \"%s\" is of no known kind; known are %s", *uri, known);
    } else {
        *rest = colon + 1;
    }
    return backend;
}

int argent_open(const char *uri, const char *accelerator, argent_device **device) {
    open_text[0] = 0;
    if (device == NULL || accelerator == NULL) {
        snprintf(open_text, sizeof open_text, "argent_open needs the name of an accelerator and a place for the device");
        return ARGENT_BAD_ARGUMENT;
    }
    *device = NULL;
    const char *rest;
    const struct argent_backend *backend = backend_of(&uri, &rest);
    if (backend == NULL) return ARGENT_NO_DEVICE;
    argent_device *d = calloc(1, sizeof *d);
    if (d != NULL) {
        d->uri = copy_text(uri);
        d->accelerator = copy_text(accelerator);
    }
    if (d == NULL || d->uri == NULL || d->accelerator == NULL) {
        if (d != NULL) {
            free(d->uri);
            free(d->accelerator);
            free(d);
        }
        snprintf(open_text, sizeof open_text, "out of memory");
        return ARGENT_OUT_OF_MEMORY;
    }
    static uint64_t devices;
    d->serial = __atomic_add_fetch(&devices, 1, __ATOMIC_RELAXED);
    d->backend = backend;
    int code = backend->open(rest, accelerator, &d->state, open_text, sizeof open_text);
    if (code != ARGENT_OK) {
        if (open_text[0] == 0) snprintf(open_text, sizeof open_text, "device \"%s\": %s", uri, argent_error_text(code));
        free(d->uri);
        free(d->accelerator);
        free(d);
        return code;
    }
    open_text[0] = 0;
    pthread_mutex_init(&d->lock, NULL);
    *device = d;
    return ARGENT_OK;
}

int argent_close(argent_device *d) {
    if (d == NULL) return ARGENT_OK;
    while (d->allocations != NULL) {
        struct allocation *a = d->allocations;
        d->allocations = a->next;
        d->backend->unmap(d->state, a->address);
        if (d->backend->free != NULL)
            d->backend->free(d->state, a->host);
        else
            free(a->host);
        free(a);
    }
    d->backend->close(d->state);
    for (size_t i = 0; i < d->mappings.count; i++) argent_memory_let_go(d->mappings.list[i].host);
    argent_queue_free(&d->queue);
    argent_loaded_free(&d->loaded);
    argent_mappings_free(&d->mappings);
    pthread_mutex_destroy(&d->lock);
    free(d->uri);
    free(d->accelerator);
    free(d);
    return ARGENT_OK;
}

const char *argent_device_text(argent_device *d) {
    static __thread char copy[TEXT];
    if (d == NULL) return "no device";
    lock(d);
    memcpy(copy, own_serial == d->serial ? own_text : d->text, sizeof copy);
    unlock(d);
    return copy;
}

const char *argent_open_text(void) { return open_text; }
const char *argent_device_uri(argent_device *d) { return d != NULL ? d->uri : ""; }
const char *argent_device_accelerator(argent_device *d) { return d != NULL ? d->accelerator : ""; }

void *argent_device_state(argent_device *d, const char *scheme) {
    return d != NULL && scheme != NULL && strcmp(d->backend->scheme, scheme) == 0 ? d->state : NULL;
}

/* ---- memory ---- */

static int map_held(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    int code = d->backend->map(d->state, host, bytes, access, address);
    if (code != ARGENT_OK) return failed(d, code, NULL);
    code = argent_mappings_at(&d->mappings, host, bytes, access, *address);
    if (code == ARGENT_OK) return code;
    d->backend->unmap(d->state, *address);
    return refused(d, code, "out of memory");
}

static int map_locked(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    argent_memory_hold(host);
    int code = map_held(d, host, bytes, access, address);
    if (code != ARGENT_OK) argent_memory_let_go(host);
    return code;
}

int argent_map(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    if (d == NULL || host == NULL || bytes == 0 || address == NULL || (access & (ARGENT_READ | ARGENT_WRITE)) == 0 || access > (ARGENT_READ | ARGENT_WRITE | ARGENT_GAPS))
        return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = map_locked(d, host, bytes, access, address);
    unlock(d);
    return code;
}

static int unmap_locked(argent_device *d, uint64_t address) {
    size_t i = 0;
    while (i < d->mappings.count && d->mappings.list[i].address != address) i++;
    if (i < d->mappings.count && argent_queue_uses(&d->queue, address, d->mappings.list[i].bytes))
        return refused(d, ARGENT_BUSY, "memory cannot be unmapped before the launch that uses it has ended; wait for it first");
    int code = d->backend->unmap(d->state, address);
    if ((code == ARGENT_OK || code == ARGENT_GONE) && i < d->mappings.count) {
        argent_memory_let_go(d->mappings.list[i].host);
        argent_mappings_remove(&d->mappings, address);
    }
    return code == ARGENT_OK ? code : failed(d, code, NULL);
}

int argent_import_dmabuf(const char *uri, int fd, size_t bytes, uint64_t bus_address, void **host) {
    open_text[0] = 0;
    if (host != NULL) *host = NULL;
    if (bytes == 0 || host == NULL) {
        snprintf(open_text, sizeof open_text, "argent_import_dmabuf needs a number of bytes and a place for the pointer");
        return ARGENT_BAD_ARGUMENT;
    }
    const char *rest;
    const struct argent_backend *backend = backend_of(&uri, &rest);
    if (backend == NULL) return ARGENT_NO_DEVICE;
    return argent_import(backend, rest, fd, bytes, bus_address, host, open_text, sizeof open_text);
}

int argent_unmap(argent_device *d, uint64_t address) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = unmap_locked(d, address);
    unlock(d);
    return code;
}

int argent_allocate(argent_device *d, size_t bytes, void **host, uint64_t *address) {
    if (d == NULL || bytes == 0 || host == NULL || address == NULL) return ARGENT_BAD_ARGUMENT;
    *host = NULL;
    lock(d);
    int code = ARGENT_OUT_OF_MEMORY;
    struct allocation *a = calloc(1, sizeof *a);
    if (a != NULL) {
        if (d->backend->allocate != NULL)
            code = d->backend->allocate(d->state, bytes, &a->host);
        else
            code = posix_memalign(&a->host, 128, bytes) == 0 ? ARGENT_OK : ARGENT_OUT_OF_MEMORY;
        if (code == ARGENT_OK) {
            code = map_locked(d, a->host, bytes, ARGENT_READ | ARGENT_WRITE, &a->address);
            if (code != ARGENT_OK) {
                if (d->backend->free != NULL)
                    d->backend->free(d->state, a->host);
                else
                    free(a->host);
            }
        } else {
            failed(d, code, NULL);
        }
        if (code == ARGENT_OK) {
            a->next = d->allocations;
            d->allocations = a;
            *host = a->host;
            *address = a->address;
        } else {
            free(a);
        }
    }
    unlock(d);
    return code;
}

int argent_free(argent_device *d, void *host) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    if (host == NULL) return ARGENT_OK;
    lock(d);
    struct allocation **link = &d->allocations;
    while (*link != NULL && (*link)->host != host) link = &(*link)->next;
    int code = ARGENT_NOT_MAPPED;
    if (*link == NULL) {
        refused(d, code, "argent_free of memory that argent_allocate did not give");
    } else if ((code = unmap_locked(d, (*link)->address)) == ARGENT_OK || code == ARGENT_GONE) {
        struct allocation *a = *link;
        *link = a->next;
        if (d->backend->free != NULL)
            d->backend->free(d->state, a->host);
        else
            free(a->host);
        free(a);
    }
    unlock(d);
    return code;
}

/* ---- registers ---- */

static int read_locked(argent_device *d, uint32_t offset, uint32_t *value) {
    int code = d->backend->read(d->state, offset, value);
    return code == ARGENT_OK ? code : failed(d, code, NULL);
}

static int write_locked(argent_device *d, uint32_t offset, uint32_t value) {
    int code = d->backend->write(d->state, offset, value);
    return code == ARGENT_OK ? code : failed(d, code, NULL);
}

int argent_read(argent_device *d, uint32_t offset, uint32_t *value) {
    if (d == NULL || value == NULL || (offset & 3) != 0 || offset >= 4096) return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = read_locked(d, offset, value);
    unlock(d);
    return code;
}

int argent_write(argent_device *d, uint32_t offset, uint32_t value) {
    if (d == NULL || (offset & 3) != 0 || offset >= 4096) return ARGENT_BAD_ARGUMENT;
    lock(d);
    if (argent_loaded_is(offset)) argent_loaded_forget(&d->loaded);
    int code = write_locked(d, offset, value);
    unlock(d);
    return code;
}

/* ---- launches ---- */

int argent_queue_depth(argent_device *d) {
    (void)d;
    return ARGENT_QUEUE_DEPTH;
}

static int reset_backend(argent_device *d) {
    argent_loaded_forget(&d->loaded);
    int code = d->backend->reset(d->state);
    return code == ARGENT_OK ? code : failed(d, code, NULL);
}

/* Waits for what nobody here has started: left by a process that died, or by a launch that failed in front of it. The control register, when nothing runs. */
static int come_to_rest(argent_device *d, uint32_t *control) {
    int64_t start = now_us();
    for (int resets = 0;;) {
        int code = read_locked(d, ARGENT_CONTROL, control);
        if (code != ARGENT_OK || (*control & ARGENT_CONTROL_IDLE) != 0) return code;
        if (d->backend->reset != NULL && resets++ == 0) {
            if ((code = reset_backend(d)) != ARGENT_OK) return code;
        } else if (now_us() - start > rest_limit_us) {
            return refused(d, ARGENT_BUSY, "the accelerator is at work on a launch that nobody here has started, and does not end it");
        } else {
            struct timespec pause = {0, 100000};
            nanosleep(&pause, NULL);
        }
    }
}

/* Behind a launch that runs: until its arguments have been taken. */
static int until_ready(argent_device *d) {
    uint32_t control = 0;
    for (int looks = 0; looks < 100; looks++) {
        int code = read_locked(d, ARGENT_CONTROL, &control);
        if (code != ARGENT_OK) return code;
        if ((control & ARGENT_CONTROL_READY) != 0) return ARGENT_OK;
    }
    return ARGENT_BUSY;
}

/* Behind a launch that runs, tables are as they should be (can_wait_inside), and stay: while it runs nobody resets the hardware unseen. */
static int write_registers(argent_device *d, const struct argent_command *c, int behind) {
    if (!behind) argent_loaded_forget(&d->loaded);
    for (size_t i = 0; i < c->register_count; i++) {
        if (behind && argent_loaded_is(c->registers[i].offset)) continue;
        int code = write_locked(d, c->registers[i].offset, c->registers[i].value);
        if (code != ARGENT_OK) return code;
    }
    if (!behind) argent_loaded_note(&d->loaded, c);
    return ARGENT_OK;
}

/* Tells the device of the oldest launch that has not begun. `behind`: another one runs. */
static int begin(argent_device *d, int behind) {
    const struct argent_command *c = &argent_queue_at(&d->queue, d->queue.begun + 1)->command;
    int code = ARGENT_OK;
    uint32_t control = 0;
    /* A device that cannot be asked is told anyhow: arming it may mend it. */
    if (!behind && (code = d->backend->arm == NULL ? ARGENT_OK : d->backend->arm(d->state, c)) != ARGENT_OK) return failed(d, code, NULL);
    if ((code = behind ? until_ready(d) : come_to_rest(d, &control)) != ARGENT_OK) return code;
    if (behind && d->backend->arm != NULL && (code = d->backend->arm(d->state, c)) != ARGENT_OK) return failed(d, code, NULL);
    if (c->transfer_count != 0 && (code = d->backend->transfer(d->state, c->transfers, c->transfer_count)) != ARGENT_OK)
        return failed(d, code, NULL);
    if ((code = write_registers(d, c, behind)) != ARGENT_OK) return code;
    if (!behind) {
        d->ended = (uint8_t)(control >> ARGENT_CONTROL_ENDED);
        /* A reset may have come since the last launch, so the interrupt is enabled each time. */
        if ((code = write_locked(d, ARGENT_INTERRUPT_GLOBAL, 1)) != ARGENT_OK) return code;
        if ((code = write_locked(d, ARGENT_INTERRUPT_ENABLE, 1)) != ARGENT_OK) return code;
    }
    if ((code = write_locked(d, ARGENT_CONTROL, ARGENT_CONTROL_START)) != ARGENT_OK) return code;
    d->queue.begun++;
    return ARGENT_OK;
}

/* Whether the hardware can take it while a launch runs: only arguments are kept apart, not tables, and what a launch without windows touches is not known. */
static int can_wait_inside(const argent_device *d, const struct argent_queued *l) {
    if (!d->backend->takes_two || l->cancelled || l->command.transfer_count != 0 || l->command.windows == NULL) return 0;
    for (size_t i = 0; i < l->command.register_count; i++) {
        uint32_t offset = l->command.registers[i].offset;
        if (offset < ARGENT_ARGUMENTS || (offset >= ARGENT_ID && !argent_loaded_is(offset))) return 0;
    }
    return argent_loaded_has(&d->loaded, &l->command);
}

/* What the registers say of the oldest launch, which has ended. */
static int read_result(argent_device *d, struct argent_result *r) {
    enum { WORDS = 6 };
    uint32_t words[WORDS] = {0}, odd = d->ended & 1, at = odd ? ARGENT_RESULTS_ODD : ARGENT_RESULTS;
    for (uint32_t i = 0; i < WORDS; i++) {
        int code = read_locked(d, at + 8 + 4 * i, &words[i]);
        if (code != ARGENT_OK) return code;
    }
    if (words[5] != 0) {
        char text[128];
        snprintf(text, sizeof text, "the hardware refuses the launch: registers are out of range (0x%03x says 0x%08x)", ARGENT_REFUSED_BY, (unsigned)words[5]);
        r->error = words[5];
        return refused(d, ARGENT_REFUSED, text);
    }
    r->clocks = (uint64_t)words[1] << 32 | words[0];
    r->stalls_in = words[2];
    r->stalls_out = words[3];
    r->error = words[4];
    if (d->backend->counter == NULL) return ARGENT_OK;
    int slot = (int)(1 + odd) << ARGENT_COUNT_SLOT;
    d->backend->counter(d->state, (enum argent_count)(ARGENT_COUNT_BYTES_READ + slot), &r->bytes_read);
    d->backend->counter(d->state, (enum argent_count)(ARGENT_COUNT_BYTES_WRITTEN + slot), &r->bytes_written);
    return ARGENT_OK;
}

/* Notes how the oldest launch ended; why stands in d->text. Where it did not end by itself the hardware's queue means nothing any more: what waits
 * in it begins anew. */
static void end_oldest(argent_device *d, int code) {
    struct argent_result r = {code, 0, 0, 0, 0, 0, 0};
    if (code == ARGENT_OK) r.code = read_result(d, &r);
    if (r.code == ARGENT_OK) {
        d->launches++;
        d->clocks_total += r.clocks;
        d->last = r;
    } else {
        d->failures++;
    }
    d->ended++;
    argent_queue_end(&d->queue, &r, r.code != ARGENT_OK ? d->text : NULL);
    if (code == ARGENT_OK) return;
    d->queue.begun = d->queue.ended;
    argent_loaded_forget(&d->loaded);
}

/* Lets the next ones begin: one if none runs, and another one behind it. Those that cannot end with the reason, when they are the oldest. */
static void go_on(argent_device *d) {
    struct argent_queue *q = &d->queue;
    while (q->begun < q->started) {
        struct argent_queued *l = argent_queue_at(q, q->begun + 1);
        int behind = q->begun != q->ended;
        if (behind) {
            if (!can_wait_inside(d, l) || begin(d, behind) != ARGENT_OK) return;
            continue;
        }
        int code = l->cancelled ? refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began") : begin(d, behind);
        if (code != ARGENT_OK) end_oldest(d, code);
    }
}

/* What the control register says of those that have begun; a negative code: the hardware knows nothing of them. */
static int note_ends(argent_device *d, uint32_t control) {
    struct argent_queue *q = &d->queue;
    unsigned ends = (uint8_t)((control >> ARGENT_CONTROL_ENDED) - d->ended);
    if (ends > q->begun - q->ended || (ends == 0 && (control & ARGENT_CONTROL_IDLE) != 0))
        return refused(d, ARGENT_CANCELLED, "the accelerator was reset, and not by this program");
    for (; ends != 0; ends--) end_oldest(d, ARGENT_OK);
    return ARGENT_OK;
}

/* Lets some time pass for the launch that runs and notes what has ended, if that is seen. */
static void advance(argent_device *d, int64_t microseconds) {
    if (d->queue.begun == d->queue.ended) return;
    int news = d->backend->wait(d->state, microseconds);
    int code = news < 0 ? failed(d, news, NULL) : ARGENT_OK;
    if (news == 0) return;
    if (news > 0) {
        /* The status bit is cleared before the control register is read: an end between the two raises it again. */
        uint32_t control = 0, status = 0;
        if ((code = read_locked(d, ARGENT_INTERRUPT_STATUS, &status)) == ARGENT_OK && (status & 1) != 0)
            code = write_locked(d, ARGENT_INTERRUPT_STATUS, status);
        if (code == ARGENT_OK) code = read_locked(d, ARGENT_CONTROL, &control);
        if (code == ARGENT_OK) code = note_ends(d, control);
    }
    if (code != ARGENT_OK) end_oldest(d, code);
    go_on(d);
}

static int start_locked(argent_device *d, const struct argent_command *c) {
    struct argent_queue *q = &d->queue;
    if (q->started - q->ended == ARGENT_QUEUE_DEPTH) advance(d, 0);
    if (c->transfer_count != 0 && d->backend->transfer == NULL) {
        char text[512];
        snprintf(text, sizeof text, "%s has no DMA engine that could move images through AXI4-Stream ports (%s); use sim:, or compile without streaming()",
                 d->uri, c->transfers[0].port);
        return refused(d, ARGENT_UNSUPPORTED, text);
    }
    int code = argent_queue_add(q, c);
    if (code == ARGENT_BUSY) return refused(d, code, "a launch runs and another one waits; wait for one of them before the next");
    if (code != ARGENT_OK) return refused(d, code, "out of memory");
    if (q->begun != q->ended) {
        if (q->begun + 1 == q->started) go_on(d);
        return ARGENT_OK;
    }
    code = begin(d, 0);
    if (code != ARGENT_OK) argent_queue_drop(q);
    return code;
}

static int is_sound(const struct argent_command *c) {
    if (c == NULL || (c->register_count != 0 && c->registers == NULL) || (c->transfer_count != 0 && c->transfers == NULL)) return 0;
    for (size_t i = 0; i < c->register_count; i++)
        if ((c->registers[i].offset & 3) != 0 || c->registers[i].offset >= 4096) return 0;
    return 1;
}

int argent_start(argent_device *d, const struct argent_command *c, argent_ticket *ticket) {
    if (d == NULL || !is_sound(c)) return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = start_locked(d, c);
    if (code == ARGENT_OK && ticket != NULL) *ticket = d->queue.started;
    unlock(d);
    return code;
}

static int no_such_launch(argent_device *d) { return refused(d, ARGENT_BAD_ARGUMENT, "no such launch: its ticket was never given, or is too old"); }

/* How a launch ended, in `*result`; ARGENT_TIMEOUT: it has not (without a text: who waits on looks again); ARGENT_BAD_ARGUMENT. */
static int look(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    const struct argent_over *o = argent_queue_over(&d->queue, ticket);
    memset(result, 0, sizeof *result);
    if (o != NULL) {
        *result = o->result;
        if (o->text != NULL) refused(d, o->result.code, o->text);
        return ARGENT_OK;
    }
    if (ticket <= d->queue.ended || ticket > d->queue.started) return no_such_launch(d);
    if (!argent_queue_at(&d->queue, ticket)->cancelled) return ARGENT_TIMEOUT;
    result->code = refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began");
    return ARGENT_OK;
}

int argent_launch_result(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    if (d == NULL || result == NULL) return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = look(d, ticket, result);
    if (code == ARGENT_TIMEOUT) refused(d, code, argent_error_text(code));
    unlock(d);
    return code;
}

int argent_wait(argent_device *d, argent_ticket ticket, int64_t microseconds) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    int64_t start = microseconds > 0 ? now_us() : 0;
    for (;;) {
        lock(d);
        struct argent_queue *q = &d->queue;
        uint64_t wanted = ticket != 0 ? ticket : q->started;
        int64_t left = microseconds < 0 ? slice_us : microseconds == 0 ? 0 : microseconds - (now_us() - start);
        if (wanted > q->ended && wanted <= q->started && !argent_queue_at(q, wanted)->cancelled)
            advance(d, left < 0 ? 0 : left < slice_us ? left : slice_us);
        struct argent_result r;
        int code = wanted == 0 ? ARGENT_OK : look(d, wanted, &r);
        if (code == ARGENT_OK && wanted != 0) code = r.code;
        if (code == ARGENT_TIMEOUT && left <= 0) refused(d, code, argent_error_text(code));
        unlock(d);
        if (code != ARGENT_TIMEOUT || left <= 0) return code;
        let_others_in(d);
    }
}

/* ---- ends before the end ---- */

/* Ends what runs, unless `why` is NULL: then it begins anew, as all that waits in the hardware. */
static int reset_locked(argent_device *d, const char *why) {
    if (d->backend->reset == NULL) return refused(d, ARGENT_UNSUPPORTED, "this kind of device cannot be reset by a program");
    int code = reset_backend(d);
    if (code != ARGENT_OK) return code;
    if (d->queue.begun > d->queue.ended && why != NULL) end_oldest(d, refused(d, ARGENT_CANCELLED, why));
    d->queue.begun = d->queue.ended;
    return code;
}

static int cancel_locked(argent_device *d, argent_ticket ticket) {
    struct argent_queue *q = &d->queue;
    int code = ARGENT_OK;
    if (ticket == 0 || ticket > q->started) {
        code = no_such_launch(d);
    } else if (ticket > q->begun) {
        argent_queue_at(q, ticket)->cancelled = 1;
    } else if (ticket > q->ended + 1) {
        /* It waits in the hardware, which forgets nothing but all. */
        if ((code = reset_locked(d, NULL)) == ARGENT_OK) argent_queue_at(q, ticket)->cancelled = 1;
        go_on(d);
    } else if (ticket > q->ended) {
        code = reset_locked(d, "the launch was cancelled");
        go_on(d);
    }
    return code;
}

int argent_cancel(argent_device *d, argent_ticket ticket) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    lock(d);
    int code = cancel_locked(d, ticket);
    unlock(d);
    return code;
}

int argent_reset(argent_device *d) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    lock(d);
    struct argent_queue *q = &d->queue;
    int code = reset_locked(d, "the device was reset while the launch ran");
    for (argent_ticket t = q->ended + 1; t <= q->started && code == ARGENT_OK; t++) argent_queue_at(q, t)->cancelled = 1;
    if (code == ARGENT_OK) go_on(d);
    unlock(d);
    return code;
}

/* ---- start and wait in one ---- */

/* Its time is up. */
static int give_up(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    uint32_t error = 0;
    if (ticket == d->queue.ended + 1 && d->backend->read(d->state, ARGENT_ERROR_NOW, &error) == ARGENT_OK) result->error = error;
    cancel_locked(d, ticket);
    if (ticket > d->queue.ended) argent_queue_at(&d->queue, ticket)->to = NULL;
    return refused(d, ARGENT_TIMEOUT, argent_error_text(ARGENT_TIMEOUT));
}

int argent_run(argent_device *d, const struct argent_command *c, int64_t microseconds, argent_ticket *ticket, struct argent_result *result) {
    if (d == NULL || ticket == NULL || result == NULL || !is_sound(c)) return ARGENT_BAD_ARGUMENT;
    struct argent_over mine;
    memset(&mine, 0, sizeof mine);
    memset(result, 0, sizeof *result);
    *ticket = 0;
    int64_t start = now_us();
    lock(d);
    int code = start_locked(d, c);
    if (code == ARGENT_OK) {
        *ticket = d->queue.started;
        argent_queue_at(&d->queue, *ticket)->to = &mine;
    }
    while (code == ARGENT_OK && !mine.is_over && !argent_queue_at(&d->queue, *ticket)->cancelled) {
        int64_t left = microseconds < 0 ? slice_us : microseconds - (now_us() - start);
        if (left <= 0) {
            code = give_up(d, *ticket, result);
        } else {
            advance(d, left < slice_us ? left : slice_us);
            if (!mine.is_over) {
                unlock(d);
                let_others_in(d);
                lock(d);
            }
        }
    }
    if (code == ARGENT_OK && !mine.is_over) { /* somebody has cancelled it before it began */
        argent_queue_at(&d->queue, *ticket)->to = NULL;
        code = result->code = refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began");
    } else if (code == ARGENT_OK) {
        *result = mine.result;
        code = mine.result.code;
        if (mine.text != NULL) refused(d, code, mine.text);
    }
    unlock(d);
    free(mine.text);
    return code;
}

/* ---- counters ---- */

int argent_counter(argent_device *d, enum argent_count counter, uint64_t *value) {
    if (d == NULL || value == NULL || (int)counter < 0 || counter >= ARGENT_COUNTERS) return ARGENT_BAD_ARGUMENT;
    int code = ARGENT_OK;
    lock(d);
    switch (counter) {
    case ARGENT_COUNT_LAUNCHES: *value = d->launches; break;
    case ARGENT_COUNT_FAILURES: *value = d->failures; break;
    case ARGENT_COUNT_CLOCKS: *value = d->last.clocks; break;
    case ARGENT_COUNT_STALLS_IN: *value = d->last.stalls_in; break;
    case ARGENT_COUNT_STALLS_OUT: *value = d->last.stalls_out; break;
    case ARGENT_COUNT_CLOCKS_TOTAL: *value = d->clocks_total; break;
    case ARGENT_COUNT_MAPPINGS: *value = d->mappings.count; break;
    case ARGENT_COUNT_COPIES: *value = d->copies; break;
    default: code = d->backend->counter != NULL ? d->backend->counter(d->state, counter, value) : ARGENT_UNSUPPORTED;
    }
    unlock(d);
    return code;
}

void argent_count_copy(argent_device *d) {
    lock(d);
    d->copies++;
    unlock(d);
}

/* ---- addresses ---- */

enum { MAPPING_UNIT = 1 << 20, MAPPING_GAP = 4096, MAPPING_PHASE = 128 };

int argent_mappings_add(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t *address) {
    const uint64_t space = (uint64_t)1 << 32;
    uint64_t phase = (uintptr_t)host % MAPPING_PHASE;
    if (bytes > space) return ARGENT_OUT_OF_MEMORY;
    uint64_t need = (phase + bytes + MAPPING_GAP + MAPPING_UNIT - 1) / MAPPING_UNIT * MAPPING_UNIT;
    uint64_t base = MAPPING_UNIT; /* the first unit stays free: a null address must not be a good one */
    size_t i = 0;
    for (; i < m->count; i++) {
        uint64_t first = m->list[i].address / MAPPING_UNIT * MAPPING_UNIT;
        if (base + need <= first) break;
        base = (m->list[i].address + m->list[i].bytes + MAPPING_GAP + MAPPING_UNIT - 1) / MAPPING_UNIT * MAPPING_UNIT;
    }
    if (base + need > space) return ARGENT_OUT_OF_MEMORY;
    *address = base + phase;
    return argent_mappings_at(m, host, bytes, access, *address);
}

int argent_mappings_at(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t address) {
    size_t i = 0;
    while (i < m->count && m->list[i].address <= address) i++;
    if (m->count == m->capacity) {
        size_t capacity = m->capacity != 0 ? 2 * m->capacity : 16;
        struct argent_mapping *list = realloc(m->list, capacity * sizeof *list);
        if (list == NULL) return ARGENT_OUT_OF_MEMORY;
        m->list = list;
        m->capacity = capacity;
    }
    memmove(m->list + i + 1, m->list + i, (m->count - i) * sizeof *m->list);
    m->count++;
    m->list[i].address = address;
    m->list[i].host = host;
    m->list[i].bytes = bytes;
    m->list[i].access = access;
    return ARGENT_OK;
}

int argent_mappings_remove(struct argent_mappings *m, uint64_t address) {
    for (size_t i = 0; i < m->count; i++) {
        if (m->list[i].address != address) continue;
        memmove(m->list + i, m->list + i + 1, (m->count - i - 1) * sizeof *m->list);
        m->count--;
        return ARGENT_OK;
    }
    return ARGENT_NOT_MAPPED;
}

void argent_mappings_free(struct argent_mappings *m) {
    free(m->list);
    memset(m, 0, sizeof *m);
}
