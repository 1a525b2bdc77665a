/* What can be wrong with the arguments of a launch: collected, then reported in one text, each mistake with both numbers and what would mend it. */
#ifndef ARGENT_CHECK_H
#define ARGENT_CHECK_H

#include "argent_place.h"

struct argent_mistakes {
    int halide_code; /* of the first; 0: there is none */
    size_t used;
    char text[4096];
};

/* Checks all buffers, the box and the params of a launch, as argent_launch takes them, and says where the images lie where nothing is wrong. */
void argent_check(const struct argent_accelerator *a, halide_buffer_t *const *inputs, const int32_t *box, const uint64_t *params, halide_buffer_t *const *outputs,
                  struct argent_places *places, struct argent_mistakes *m);

#endif
