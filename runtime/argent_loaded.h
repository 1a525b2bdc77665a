/* What a launch has written into an accelerator's tables, so that the next one with the same tables need not write it again: then it can wait in the
 * hardware, whose tables are not kept apart. No locks: the device has one. Used by argent_launches.c. */
#ifndef ARGENT_LOADED_H
#define ARGENT_LOADED_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct argent_loaded {
    int known;
    struct argent_register_value *list; /* in the order in which it was written */
    size_t count, capacity;
};

/* Whether this is a register of a table. */
int argent_loaded_is(uint32_t offset);

/* Whether the tables are as this command writes them; true of one that writes none. */
int argent_loaded_has(const struct argent_loaded *l, const struct argent_command *command);

/* They are now; where there is no memory, nothing is known. */
void argent_loaded_note(struct argent_loaded *l, const struct argent_command *command);

/* Nobody knows: a reset, or somebody else has written. */
void argent_loaded_forget(struct argent_loaded *l);

void argent_loaded_free(struct argent_loaded *l);

#ifdef __cplusplus
}
#endif
#endif
