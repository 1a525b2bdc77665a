/* The launches of a device that have not ended, in their order, with copies of their commands, and how the last ones ended. No locks: the device
 * has one. Used by argent_launches.c. */
#ifndef ARGENT_QUEUE_H
#define ARGENT_QUEUE_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGENT_QUEUE_DEPTH = 2, ARGENT_QUEUE_REMEMBERED = 16 };

struct argent_queue {
    uint64_t started, begun, ended; /* tickets: given, told to the device, and over; ended <= begun <= started <= ended + depth */
    struct argent_queued {
        struct argent_command command; /* all of it in `memory` */
        void *memory;
        int cancelled;           /* it will not begin */
        struct argent_over *to;  /* who waits gets the result here, too: others may have made the queue forget it; NULL: nobody */
    } waiting[ARGENT_QUEUE_DEPTH];
    struct argent_over {
        int is_over;
        struct argent_result result;
        char *text; /* NULL: nothing to say */
    } over[ARGENT_QUEUE_REMEMBERED];
};

/* Takes a copy; its ticket is `started` then. ARGENT_BUSY (full), ARGENT_OUT_OF_MEMORY. */
int argent_queue_add(struct argent_queue *q, const struct argent_command *command);

/* Of a ticket that has not ended. */
struct argent_queued *argent_queue_at(struct argent_queue *q, argent_ticket ticket);

/* Forgets the newest, which has not begun. */
void argent_queue_drop(struct argent_queue *q);

/* The oldest is over. */
void argent_queue_end(struct argent_queue *q, const struct argent_result *result, const char *text);

/* Of a ticket that has ended; NULL: it has not, or is too old. */
const struct argent_over *argent_queue_over(const struct argent_queue *q, argent_ticket ticket);

/* Whether a launch that has not ended may touch memory of the mapping `own` of `all`, and no other one of them holds all that it touches there. */
int argent_queue_uses(struct argent_queue *q, const struct argent_mappings *all, const struct argent_mapping *own);

void argent_queue_free(struct argent_queue *q);

#ifdef __cplusplus
}
#endif
#endif
