#define _POSIX_C_SOURCE 200809L
#include "argent_opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argent_halide.h"
#include "argent_keep.h"

static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;
static struct argent_opened *opened_first;
static const char *device_override;

int argent_launch_set_device(const char *uri) {
    const char *kept = argent_keep(uri); /* another thread may just read the one before (argent_launch_uri) */
    if (uri != NULL && kept == NULL) return ARGENT_OUT_OF_MEMORY;
    pthread_mutex_lock(&opened_lock);
    device_override = kept;
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

int argent_opened_find(const struct argent_accelerator *a, struct argent_opened **found, char *text, size_t size) {
    pthread_mutex_lock(&opened_lock);
    const char *uri = uri_locked();
    struct argent_opened *o = opened_first;
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
    struct argent_opened *o = NULL;
    char text[2048];
    int code = argent_opened_find(a, &o, text, sizeof text);
    *device = o != NULL ? o->device : NULL;
    return code;
}

void argent_launch_close(void) {
    pthread_mutex_lock(&opened_lock);
    while (opened_first != NULL) {
        struct argent_opened *o = opened_first;
        opened_first = o->next;
        argent_close(o->device);
        pthread_cond_destroy(&o->left);
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
    pthread_mutex_unlock(&opened_lock);
}

void argent_opened_enter(struct argent_opened *o, int places) {
    pthread_mutex_lock(&o->lock);
    while (o->inside >= places) pthread_cond_wait(&o->left, &o->lock);
    o->inside++;
    pthread_mutex_unlock(&o->lock);
}

void argent_opened_leave(struct argent_opened *o) {
    pthread_mutex_lock(&o->lock);
    o->inside--;
    pthread_cond_broadcast(&o->left);
    pthread_mutex_unlock(&o->lock);
}

void argent_opened_is_gone(struct argent_opened *o) { __atomic_store_n(&o->gone, 1, __ATOMIC_RELEASE); }
