/* The devices of launches: each is opened once per process, URI and accelerator, and taken from argent_launch_set_device, ARGENT_DEVICE, or `sim:`. */
#ifndef ARGENT_OPENED_H
#define ARGENT_OPENED_H

#include <pthread.h>

#include "argent_launch.h"

struct argent_opened {
    argent_device *device;
    pthread_mutex_t lock;
    pthread_cond_t left;
    int inside; /* launches between enter and leave */
    int gone;   /* another one is opened in its place; it stays until the end, others may still be inside */
    struct argent_opened *next;
};

/* The device that is chosen now, opened if it is not yet, and of this accelerator's build. On failure a code, and why in `text` (of `size` bytes). */
int argent_opened_find(const struct argent_accelerator *a, struct argent_opened **found, char *text, size_t size);

/* At most `places` threads are at work on launches of a device: others wait in enter. */
void argent_opened_enter(struct argent_opened *o, int places);
void argent_opened_leave(struct argent_opened *o);
/* Later launches open it anew. */
void argent_opened_is_gone(struct argent_opened *o);

#endif
