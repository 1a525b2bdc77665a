/* Outputs that begin in the middle of a vector.
 *
 * Vectors begin where a scan does, and near the edge of an image with a border a scan begins at the edge. An output that begins
 * elsewhere is launched from its first vector on, into memory of the host's own, and what was asked for is copied from there. */
#ifndef ARGENT_ALIGN_H
#define ARGENT_ALIGN_H

#include <stdbool.h>

#include "argent_launch.h"

/* Memory for an output that begins `before` elements in front of what was asked for. */
struct argent_whole {
    halide_buffer_t buffer;
    halide_dimension_t dim[ARGENT_MAX_DIMENSIONS];
    void *memory;
};

/* Laid out as the given buffer, which was checked. `box`: what was asked for, minimum and maximum in each dimension of the block.
 * Returns false without memory for it. */
bool argent_whole_make(const struct argent_image *image, const halide_buffer_t *given, const int32_t *box, int32_t before, struct argent_whole *whole);

/* Copies what was asked for to the given buffer. `params`: of the launch. */
void argent_whole_copy(const struct argent_image *image, const struct argent_whole *whole, const int32_t *box, const uint64_t *params, const halide_buffer_t *given);

#endif
