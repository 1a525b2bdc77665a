#define _POSIX_C_SOURCE 200809L
#include "argent_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_backends.h"
#include "argent_device.h"
#include "argent_import.h"
#include "argent_memory.h"

static __thread char open_text[ARGENT_TEXT];

/* What failed last in this thread, and on which device: another thread's failure must not stand in its place. */
static __thread char own_text[ARGENT_TEXT];
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

/* ---- devices ---- */

static char *copy_text(const char *s) {
    size_t n = strlen(s) + 1;
    char *c = malloc(n);
    if (c != NULL) memcpy(c, s, n);
    return c;
}

int argent_refused(argent_device *d, int code, const char *text) {
    snprintf(d->text, sizeof d->text, "%s", text);
    memcpy(own_text, d->text, sizeof own_text);
    own_serial = d->serial;
    return code;
}

int argent_failed(argent_device *d, int code, const char *otherwise) {
    const char *text = d->backend->text != NULL ? d->backend->text(d->state) : NULL;
    if (text == NULL || text[0] == 0) text = otherwise != NULL ? otherwise : argent_error_text(code);
    return argent_refused(d, code, text);
}

void argent_lock(argent_device *d) {
    __atomic_add_fetch(&d->wanted, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&d->lock);
    __atomic_sub_fetch(&d->wanted, 1, __ATOMIC_RELAXED);
}

void argent_unlock(argent_device *d) { pthread_mutex_unlock(&d->lock); }

void argent_let_others_in(argent_device *d) {
    struct timespec pause = {0, 20000};
    if (__atomic_load_n(&d->wanted, __ATOMIC_RELAXED) != 0) nanosleep(&pause, NULL);
}

/* Of the URI, or of the one in its place, and what stands behind its colon. NULL: there is none, and open_text says so. */
static const struct argent_backend *backend_of(const char **uri, const char **rest) {
    if (*uri == NULL) *uri = getenv("ARGENT_DEVICE");
    if (*uri == NULL || **uri == 0) *uri = "sim:";
    const char *colon = strchr(*uri, ':');
    const struct argent_backend *backend = colon != NULL ? argent_backend_find(*uri, (size_t)(colon - *uri)) : NULL;
    if (backend == NULL) {
        char known[256];
        argent_backend_list(known, sizeof known);
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
    static __thread char copy[ARGENT_TEXT];
    if (d == NULL) return "no device";
    argent_lock(d);
    memcpy(copy, own_serial == d->serial ? own_text : d->text, sizeof copy);
    argent_unlock(d);
    return copy;
}

const char *argent_open_text(void) { return open_text; }
const char *argent_device_uri(argent_device *d) { return d != NULL ? d->uri : ""; }
const char *argent_device_accelerator(argent_device *d) { return d != NULL ? d->accelerator : ""; }

void *argent_device_state(argent_device *d, const char *scheme) {
    return d != NULL && scheme != NULL && strcmp(d->backend->scheme, scheme) == 0 ? d->state : NULL;
}

/* ---- memory ---- */

void *argent_device_memory(const char *uri, size_t bytes) {
    const char *colon = uri != NULL ? strchr(uri, ':') : NULL;
    const struct argent_backend *b = colon != NULL ? argent_backend_find(uri, (size_t)(colon - uri)) : NULL;
    return b != NULL && b->image != NULL ? b->image(colon + 1, bytes) : NULL;
}

static int map_held(argent_device *d, void *host, size_t bytes, unsigned access, uint64_t *address) {
    int code = d->backend->map(d->state, host, bytes, access, address);
    if (code != ARGENT_OK) return argent_failed(d, code, NULL);
    code = argent_mappings_at(&d->mappings, host, bytes, access, *address);
    if (code == ARGENT_OK) return code;
    d->backend->unmap(d->state, *address);
    return argent_refused(d, code, "out of memory");
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
    argent_lock(d);
    int code = map_locked(d, host, bytes, access, address);
    argent_unlock(d);
    return code;
}

static int unmap_locked(argent_device *d, uint64_t address) {
    const struct argent_mapping *m = argent_mappings_find(&d->mappings, address);
    if (m != NULL && argent_queue_uses(&d->queue, &d->mappings, m))
        return argent_refused(d, ARGENT_BUSY, "memory cannot be unmapped before the launch that uses it has ended; wait for it first");
    int code = d->backend->unmap(d->state, address);
    if ((code == ARGENT_OK || code == ARGENT_GONE) && m != NULL) {
        argent_memory_let_go(m->host);
        argent_mappings_remove(&d->mappings, address);
    }
    return code == ARGENT_OK ? code : argent_failed(d, code, NULL);
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
    argent_lock(d);
    int code = unmap_locked(d, address);
    argent_unlock(d);
    return code;
}

int argent_allocate(argent_device *d, size_t bytes, void **host, uint64_t *address) {
    if (d == NULL || bytes == 0 || host == NULL || address == NULL) return ARGENT_BAD_ARGUMENT;
    *host = NULL;
    argent_lock(d);
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
            argent_failed(d, code, NULL);
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
    argent_unlock(d);
    return code;
}

int argent_free(argent_device *d, void *host) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    if (host == NULL) return ARGENT_OK;
    argent_lock(d);
    struct allocation **link = &d->allocations;
    while (*link != NULL && (*link)->host != host) link = &(*link)->next;
    int code = ARGENT_NOT_MAPPED;
    if (*link == NULL) {
        argent_refused(d, code, "argent_free of memory that argent_allocate did not give");
    } else if ((code = unmap_locked(d, (*link)->address)) == ARGENT_OK || code == ARGENT_GONE) {
        struct allocation *a = *link;
        *link = a->next;
        if (d->backend->free != NULL)
            d->backend->free(d->state, a->host);
        else
            free(a->host);
        free(a);
    }
    argent_unlock(d);
    return code;
}

/* ---- registers ---- */

int argent_read_locked(argent_device *d, uint32_t offset, uint32_t *value) {
    int code = d->backend->read(d->state, offset, value);
    return code == ARGENT_OK ? code : argent_failed(d, code, NULL);
}

int argent_write_locked(argent_device *d, uint32_t offset, uint32_t value) {
    int code = d->backend->write(d->state, offset, value);
    return code == ARGENT_OK ? code : argent_failed(d, code, NULL);
}

int argent_read(argent_device *d, uint32_t offset, uint32_t *value) {
    if (d == NULL || value == NULL || (offset & 3) != 0 || offset >= 4096) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    int code = argent_read_locked(d, offset, value);
    argent_unlock(d);
    return code;
}

int argent_write(argent_device *d, uint32_t offset, uint32_t value) {
    if (d == NULL || (offset & 3) != 0 || offset >= 4096) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    if (argent_loaded_is(offset)) argent_loaded_forget(&d->loaded);
    int code = argent_write_locked(d, offset, value);
    argent_unlock(d);
    return code;
}

/* ---- counters ---- */

int argent_counter(argent_device *d, enum argent_count counter, uint64_t *value) {
    if (d == NULL || value == NULL || (int)counter < 0 || counter >= ARGENT_COUNTERS) return ARGENT_BAD_ARGUMENT;
    int code = ARGENT_OK;
    argent_lock(d);
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
    argent_unlock(d);
    return code;
}

void argent_count_copy(argent_device *d) {
    argent_lock(d);
    d->copies++;
    argent_unlock(d);
}
