/* Where the images of a launch lie: what its ports move of each buffer, from the box that is computed. Used by argent_launch.c and what it is made of. */
#ifndef ARGENT_PLACE_H
#define ARGENT_PLACE_H

#include <stdbool.h>

#include "argent_launch.h"
#include "argent_stage.h"

/* An image: all ports together, in the buffer's dimensions and coordinates. */
struct argent_placed {
    const struct argent_image *image;
    bool writes;
    int32_t min[ARGENT_MAX_DIMENSIONS], extent[ARGENT_MAX_DIMENSIONS];
    uint8_t *low, *high;    /* all bytes of it lie in [low, high) */
    struct argent_stage at; /* where the device sees low */
};

/* What one port moves of an image, in the block's dimensions. */
struct argent_part {
    const struct argent_placed *of;
    const struct argent_stream *stream;
    int32_t min[ARGENT_MAX_DIMENSIONS];
    int32_t extent[ARGENT_MAX_DIMENSIONS];
    int64_t stride[ARGENT_MAX_DIMENSIONS]; /* bytes */
    int64_t row;                           /* bytes */
    uint8_t *first;                        /* the box's first element */
    uint8_t *low, *high;                   /* all bytes of the box lie in [low, high) */
};

/* All of a launch: inputs, then outputs. Parts point to images, so it stays where it is. */
struct argent_places {
    struct argent_placed images[ARGENT_MAX_IMAGES];
    int image_count;
    struct argent_part parts[ARGENT_MAX_IMAGES];
    int part_count;
};

/* "input" or "output", for messages. */
const char *argent_role(const struct argent_placed *p);
int64_t argent_element_bytes(const struct argent_image *image);

/* The block's dimension that the buffer's dimension `d` follows, or -1. */
int argent_scanned_as(const struct argent_image *image, int d);

/* Minimum and maximum of what a port needs of dimension `d` of the buffer. */
int64_t argent_needs_min(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params);
int64_t argent_needs_max(const struct argent_image *image, const struct argent_stream *s, int d, const int32_t *box, const uint64_t *params);
/* The same of all ports: min and extent. */
void argent_set_box(struct argent_placed *p, const int32_t *box, const uint64_t *params);

/* What a port moves of a buffer: all of the part but `of` and `stream`, which are known. */
void argent_set_part(struct argent_part *part, const halide_buffer_t *b, const int32_t *box, const uint64_t *params);

/* Elements of memory from one of a row to the next. */
int64_t argent_step(const struct argent_image *image);
/* Elements of memory in a row of `extent`: where the image is interleaved, the planes of the last one count. */
int64_t argent_row_elements(const struct argent_image *image, const struct argent_stream *s, int64_t extent);

/* Where a launch scans: the rectangle behind the output's, or the output's. */
const int32_t *argent_domain_of(const struct argent_accelerator *a, const int32_t *box);
/* Elements of its first vector that lie in front of the output: where a scan begins at the edge of an image, vectors begin there. */
int32_t argent_in_front(const struct argent_accelerator *a, const int32_t *box);

/* Where the device sees the part's first element. */
uint64_t argent_part_address(const struct argent_part *p);
/* What the device may do with an image, as argent_map takes it. The rest of a tile's rows is others'. */
unsigned argent_access_to(const struct argent_placed *p, const struct argent_places *places);

#endif
