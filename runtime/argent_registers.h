/* What a launch writes to registers, and the windows of its ports. */
#ifndef ARGENT_REGISTERS_H
#define ARGENT_REGISTERS_H

#include "argent_place.h"

struct argent_registers {
    struct argent_register_value fixed[ARGENT_MAX_REGISTERS];
    struct argent_register_value *list; /* fixed, or an allocated one */
    int32_t count, capacity;
};

/* Empty, with room for all that a launch writes. false: out of memory. */
bool argent_registers_make(const struct argent_accelerator *a, struct argent_registers *r);
void argent_registers_free(struct argent_registers *r);

/* Sizes, addresses, strides, windows and params. `box`, `params`: as argent_launch takes them. */
void argent_registers_fill(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, const struct argent_places *places, struct argent_registers *r);
/* The first part that lies, in whole or in part, behind the last address that its registers can hold; or NULL. */
const struct argent_part *argent_registers_reach(const struct argent_places *places);
/* The elements of a table. */
void argent_registers_load(const struct argent_table *t, const halide_buffer_t *b, struct argent_registers *r);

void argent_window_fill(const struct argent_part *p, struct argent_window *w);

#endif
