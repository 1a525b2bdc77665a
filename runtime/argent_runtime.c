#define _POSIX_C_SOURCE 200809L
#include "argent_runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_remote.h"
#include "argent_sim.h"
#include "argent_uio.h"

enum { MAX_BACKENDS = 16, REMEMBERED = 16, TEXT = 2048 };

/* How long argent_wait keeps the device from other threads at a time. */
static const int64_t slice_us = 2000;

struct argent_device {
    const struct argent_backend *backend;
    void *state;
    char *uri, *accelerator;
    pthread_mutex_t lock;
    char text[TEXT];
    /* Launches: started counts tickets, ended those that are over; results of the last ones. */
    uint64_t started, ended;
    int results[REMEMBERED];
    uint64_t launches, failures, clocks, clocks_total;
    struct allocation {
        void *host;
        uint64_t address;
        struct allocation *next;
    } *allocations;
    uint64_t mappings, copies;
};

static pthread_mutex_t backends_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct argent_backend *backends[MAX_BACKENDS];
static size_t backend_count;

static __thread char open_text[TEXT];

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
    return index == 0 ? argent_sim_backend() : index == 1 ? argent_remote_backend() : index == 2 ? argent_uio_backend() : NULL;
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

/* ---- devices ---- */

static char *copy_text(const char *s) {
    size_t n = strlen(s) + 1;
    char *c = malloc(n);
    if (c != NULL) memcpy(c, s, n);
    return c;
}

/* Remembers why a call failed: the backend's own words, or `otherwise`. */
static int failed(argent_device *d, int code, const char *otherwise) {
    const char *text = d->backend->text != NULL ? d->backend->text(d->state) : NULL;
    if (text == NULL || text[0] == 0) text = otherwise != NULL ? otherwise : argent_error_text(code);
    snprintf(d->text, sizeof d->text, "%s", text);
    return code;
}

/* A failure that the runtime itself found. */
static int refused(argent_device *d, int code, const char *text) {
    snprintf(d->text, sizeof d->text, "%s", text);
    return code;
}

int argent_open(const char *uri, const char *accelerator, argent_device **device) {
    open_text[0] = 0;
    if (device == NULL || accelerator == NULL) {
        snprintf(open_text, sizeof open_text, "argent_open needs the name of an accelerator and a place for the device");
        return ARGENT_BAD_ARGUMENT;
    }
    *device = NULL;
    if (uri == NULL) uri = getenv("ARGENT_DEVICE");
    if (uri == NULL || uri[0] == 0) uri = "sim:";
    const char *colon = strchr(uri, ':');
    const struct argent_backend *backend = colon != NULL ? find_backend(uri, (size_t)(colon - uri)) : NULL;
    if (backend == NULL) {
        char known[256];
        list_backends(known, sizeof known);
        snprintf(open_text, sizeof open_text, "device \"%s\" is of no known kind; known are %s", uri, known);
        return ARGENT_NO_DEVICE;
    }
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
    d->backend = backend;
    int code = backend->open(colon + 1, accelerator, &d->state, open_text, sizeof open_text);
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
    pthread_mutex_destroy(&d->lock);
    free(d->uri);
    free(d->accelerator);
    free(d);
    return ARGENT_OK;
}

/* Notes how the oldest running launch ended. */
static void end_launch(argent_device *d, int code) {
    d->ended++;
    d->results[d->ended % REMEMBERED] = code;
    if (code != ARGENT_OK) {
        d->failures++;
        return;
    }
    d->launches++;
    uint32_t low = 0, high = 0;
    if (d->backend->read(d->state, ARGENT_CYCLES, &low) == ARGENT_OK && d->backend->read(d->state, ARGENT_CYCLES + 4, &high) == ARGENT_OK) {
        d->clocks = (uint64_t)high << 32 | low;
        d->clocks_total += d->clocks;
    }
}

int argent_reset(argent_device *d) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    if (d->backend->reset == NULL) return ARGENT_UNSUPPORTED;
    pthread_mutex_lock(&d->lock);
    int code = d->backend->reset(d->state);
    if (code != ARGENT_OK) {
        failed(d, code, NULL);
    } else if (d->ended < d->started) {
        refused(d, ARGENT_CANCELLED, "the device was reset while the launch ran");
        while (d->ended < d->started) end_launch(d, ARGENT_CANCELLED);
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

const char *argent_device_text(argent_device *d) {
    static __thread char copy[TEXT];
    if (d == NULL) return "no device";
    pthread_mutex_lock(&d->lock);
    memcpy(copy, d->text, sizeof copy);
    pthread_mutex_unlock(&d->lock);
    return copy;
}

const char *argent_open_text(void) { return open_text; }
const char *argent_device_uri(argent_device *d) { return d != NULL ? d->uri : ""; }
const char *argent_device_accelerator(argent_device *d) { return d != NULL ? d->accelerator : ""; }

void *argent_device_state(argent_device *d, const char *scheme) {
    return d != NULL && scheme != NULL && strcmp(d->backend->scheme, scheme) == 0 ? d->state : NULL;
}

/* ---- memory ---- */

static int map_locked(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    int code = d->backend->map(d->state, host, bytes, access, address);
    if (code == ARGENT_OK)
        d->mappings++;
    else
        failed(d, code, NULL);
    return code;
}

int argent_map(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    if (d == NULL || host == NULL || bytes == 0 || address == NULL || (access & (ARGENT_READ | ARGENT_WRITE)) == 0 || access > (ARGENT_READ | ARGENT_WRITE | ARGENT_GAPS))
        return ARGENT_BAD_ARGUMENT;
    pthread_mutex_lock(&d->lock);
    int code = map_locked(d, host, bytes, access, address);
    pthread_mutex_unlock(&d->lock);
    return code;
}

static int unmap_locked(argent_device *d, uint64_t address) {
    if (d->ended < d->started)
        return refused(d, ARGENT_BUSY, "memory cannot be unmapped while a launch runs; wait for it first");
    int code = d->backend->unmap(d->state, address);
    if (code == ARGENT_OK)
        d->mappings--;
    else
        failed(d, code, NULL);
    return code;
}

int argent_unmap(argent_device *d, uint64_t address) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    pthread_mutex_lock(&d->lock);
    int code = unmap_locked(d, address);
    pthread_mutex_unlock(&d->lock);
    return code;
}

int argent_allocate(argent_device *d, size_t bytes, void **host, uint64_t *address) {
    if (d == NULL || bytes == 0 || host == NULL || address == NULL) return ARGENT_BAD_ARGUMENT;
    *host = NULL;
    pthread_mutex_lock(&d->lock);
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
    pthread_mutex_unlock(&d->lock);
    return code;
}

int argent_free(argent_device *d, void *host) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    if (host == NULL) return ARGENT_OK;
    pthread_mutex_lock(&d->lock);
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
    pthread_mutex_unlock(&d->lock);
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
    pthread_mutex_lock(&d->lock);
    int code = read_locked(d, offset, value);
    pthread_mutex_unlock(&d->lock);
    return code;
}

int argent_write(argent_device *d, uint32_t offset, uint32_t value) {
    if (d == NULL || (offset & 3) != 0 || offset >= 4096) return ARGENT_BAD_ARGUMENT;
    pthread_mutex_lock(&d->lock);
    int code = write_locked(d, offset, value);
    pthread_mutex_unlock(&d->lock);
    return code;
}

/* ---- launches ---- */

int argent_queue_depth(argent_device *d) {
    (void)d;
    return 1;
}

static int start_locked(argent_device *d, const struct argent_command *c) {
    if (d->started - d->ended >= (uint64_t)argent_queue_depth(d))
        return refused(d, ARGENT_BUSY, "a launch still runs; wait for it before the next");
    int code = ARGENT_OK;
    if (c->transfer_count != 0 && d->backend->transfer == NULL) {
        char text[512];
        snprintf(text, sizeof text, "%s has no DMA engine that could move images through AXI4-Stream ports (%s); use sim:, or compile without streaming()",
                 d->uri, c->transfers[0].port);
        return refused(d, ARGENT_UNSUPPORTED, text);
    }
    if (d->backend->arm != NULL && (code = d->backend->arm(d->state, c)) != ARGENT_OK) return failed(d, code, NULL);
    if (c->transfer_count != 0 && (code = d->backend->transfer(d->state, c->transfers, c->transfer_count)) != ARGENT_OK)
        return failed(d, code, NULL);
    for (size_t i = 0; i < c->register_count; i++)
        if ((code = write_locked(d, c->registers[i].offset, c->registers[i].value)) != ARGENT_OK) return code;
    /* A reset may have come since the last launch, so the interrupt is enabled each time. */
    if ((code = write_locked(d, ARGENT_INTERRUPT_GLOBAL, 1)) != ARGENT_OK) return code;
    if ((code = write_locked(d, ARGENT_INTERRUPT_ENABLE, 1)) != ARGENT_OK) return code;
    if ((code = write_locked(d, ARGENT_CONTROL, ARGENT_CONTROL_START)) != ARGENT_OK) return code;
    d->started++;
    return ARGENT_OK;
}

int argent_start(argent_device *d, const struct argent_command *c, argent_ticket *ticket) {
    if (d == NULL || c == NULL || (c->register_count != 0 && c->registers == NULL) || (c->transfer_count != 0 && c->transfers == NULL))
        return ARGENT_BAD_ARGUMENT;
    for (size_t i = 0; i < c->register_count; i++)
        if ((c->registers[i].offset & 3) != 0 || c->registers[i].offset >= 4096) return ARGENT_BAD_ARGUMENT;
    pthread_mutex_lock(&d->lock);
    int code = start_locked(d, c);
    if (code == ARGENT_OK && ticket != NULL) *ticket = d->started;
    pthread_mutex_unlock(&d->lock);
    return code;
}

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Lets some time pass for the oldest launch and notes its end, if that is seen. */
static void advance(argent_device *d, int64_t microseconds) {
    int news = d->backend->wait(d->state, microseconds);
    int code = news < 0 ? news : ARGENT_OK;
    if (news > 0) {
        /* The status bit is cleared before the control register is read: an end between the two raises it again. */
        uint32_t control = 0, status = 0;
        if ((code = read_locked(d, ARGENT_INTERRUPT_STATUS, &status)) == ARGENT_OK && (status & 1) != 0)
            code = write_locked(d, ARGENT_INTERRUPT_STATUS, status);
        if (code == ARGENT_OK) code = read_locked(d, ARGENT_CONTROL, &control);
        if (code == ARGENT_OK && ((control & ARGENT_CONTROL_IDLE) == 0 || (control & ARGENT_CONTROL_START) != 0)) return;
    } else if (news == 0) {
        return;
    }
    if (code != ARGENT_OK) failed(d, code, NULL);
    end_launch(d, code);
}

int argent_wait(argent_device *d, argent_ticket ticket, int64_t microseconds) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    int64_t start = microseconds > 0 ? now_us() : 0;
    for (;;) {
        pthread_mutex_lock(&d->lock);
        uint64_t wanted = ticket != 0 ? ticket : d->started;
        if (wanted > d->started || (wanted != 0 && wanted + REMEMBERED <= d->ended)) {
            int code = refused(d, ARGENT_BAD_ARGUMENT, "no such launch: its ticket was never given, or is too old");
            pthread_mutex_unlock(&d->lock);
            return code;
        }
        int64_t left = microseconds < 0 ? slice_us : microseconds == 0 ? 0 : microseconds - (now_us() - start);
        if (wanted > d->ended) advance(d, left < 0 ? 0 : left < slice_us ? left : slice_us);
        if (wanted <= d->ended) {
            int code = wanted == 0 ? ARGENT_OK : d->results[wanted % REMEMBERED];
            pthread_mutex_unlock(&d->lock);
            return code;
        }
        if (microseconds == 0 || left <= 0) {
            refused(d, ARGENT_TIMEOUT, argent_error_text(ARGENT_TIMEOUT));
            pthread_mutex_unlock(&d->lock);
            return ARGENT_TIMEOUT;
        }
        pthread_mutex_unlock(&d->lock);
    }
}

/* ---- counters ---- */

int argent_counter(argent_device *d, enum argent_count counter, uint64_t *value) {
    if (d == NULL || value == NULL || (int)counter < 0 || counter >= ARGENT_COUNTERS) return ARGENT_BAD_ARGUMENT;
    int code = ARGENT_OK;
    pthread_mutex_lock(&d->lock);
    switch (counter) {
    case ARGENT_COUNT_LAUNCHES: *value = d->launches; break;
    case ARGENT_COUNT_FAILURES: *value = d->failures; break;
    case ARGENT_COUNT_CLOCKS: *value = d->clocks; break;
    case ARGENT_COUNT_STALLS_IN:
    case ARGENT_COUNT_STALLS_OUT: {
        uint32_t stalls = 0;
        code = read_locked(d, counter == ARGENT_COUNT_STALLS_IN ? ARGENT_STALLS_IN : ARGENT_STALLS_OUT, &stalls);
        *value = stalls;
        break;
    }
    case ARGENT_COUNT_CLOCKS_TOTAL: *value = d->clocks_total; break;
    case ARGENT_COUNT_MAPPINGS: *value = d->mappings; break;
    case ARGENT_COUNT_COPIES: *value = d->copies; break;
    default: code = d->backend->counter != NULL ? d->backend->counter(d->state, counter, value) : ARGENT_UNSUPPORTED;
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

void argent_count_copy(argent_device *d) {
    pthread_mutex_lock(&d->lock);
    d->copies++;
    pthread_mutex_unlock(&d->lock);
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
