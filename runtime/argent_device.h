/* A device that is open, for argent_runtime.c and argent_launches.c, which are its two halves. */
#ifndef ARGENT_DEVICE_H
#define ARGENT_DEVICE_H

#include <pthread.h>

#include "argent_loaded.h"
#include "argent_queue.h"
#include "argent_runtime.h"

enum { ARGENT_TEXT = 2048 };

struct argent_device {
    const struct argent_backend *backend;
    void *state;
    char *uri, *accelerator;
    pthread_mutex_t lock;
    unsigned wanted; /* threads that want the lock */
    uint64_t serial; /* no other device of this process has it */
    char text[ARGENT_TEXT];
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

void argent_lock(argent_device *d);
void argent_unlock(argent_device *d);
/* Between two turns of a thread that waits: mutexes are not fair, and others would never come in. */
void argent_let_others_in(argent_device *d);

/* What follows is called with the lock held. */

/* A failure that the runtime itself found. Returns `code`. */
int argent_refused(argent_device *d, int code, const char *text);
/* Remembers why a call failed: the backend's own words, or `otherwise`. Returns `code`. */
int argent_failed(argent_device *d, int code, const char *otherwise);

int argent_read_locked(argent_device *d, uint32_t offset, uint32_t *value);
int argent_write_locked(argent_device *d, uint32_t offset, uint32_t value);

#endif
