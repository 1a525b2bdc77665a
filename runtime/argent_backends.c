#define _POSIX_C_SOURCE 200809L
#include "argent_backends.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "argent_mock.h"
#include "argent_platform.h"
#include "argent_remote.h"
#include "argent_sim.h"
#include "argent_uio.h"

enum { MAX_BACKENDS = 16 };

static pthread_mutex_t backends_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct argent_backend *backends[MAX_BACKENDS];
static size_t backend_count;

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

const struct argent_backend *argent_backend_find(const char *scheme, size_t length) {
    const struct argent_backend *found = NULL;
    for (size_t i = 0; built_in(i) != NULL; i++)
        if (has_scheme(built_in(i), scheme, length)) found = built_in(i);
    pthread_mutex_lock(&backends_lock);
    for (size_t i = 0; i < backend_count; i++)
        if (has_scheme(backends[i], scheme, length)) found = backends[i];
    pthread_mutex_unlock(&backends_lock);
    return found;
}

static void list_scheme(const struct argent_backend *b, char *out, size_t size) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s:", used != 0 ? " " : "", b->scheme);
}

void argent_backend_list(char *out, size_t size) {
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
