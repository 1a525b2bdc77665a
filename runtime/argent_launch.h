/* Argent launcher: what stands between a Halide pipeline and argent_runtime.h.
 *
 * A generated driver (emit/Driver.h) describes its accelerator in a static table; argent_launch checks the buffers against
 * it, maps them, writes the registers, starts, waits, and reports what fails through halide_error(NULL, text).
 * Images are listed with the innermost dimension first; those that are scanned are the block's. Each value of another dimension
 * is a plane, with a port of its own and rows that are dense in memory; or, if the image is interleaved, all planes are one port. */
#ifndef ARGENT_LAUNCH_H
#define ARGENT_LAUNCH_H

#include <HalideRuntime.h>
#include <string.h>

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGENT_MAX_DIMENSIONS = 4, ARGENT_MAX_IMAGES = 32, ARGENT_MAX_REGISTERS = 512, ARGENT_NO_REGISTER = -1 };

/* A register or none: offset ARGENT_NO_REGISTER. More than 32 bits are two words, the low one first. */
struct argent_register_at {
    int32_t offset;
    uint32_t bits;
};

/* One dimension of the output block. */
struct argent_block_dimension {
    const char *var;
    int32_t max_extent;                /* the block's: the most that one launch computes */
    struct argent_register_at extent;  /* takes the extent of the domain */
    struct argent_register_at min;     /* takes its minimum, if a stage reads its coordinates */
    int has_domain;                    /* a border ends the domain here; otherwise it is the output */
};

/* What is needed of a dimension of a buffer: domain.min + min .. domain.max + max where it is scanned, else min .. max. */
struct argent_box {
    int32_t min, max;
};

/* A port, and the part of a buffer that it moves. */
struct argent_stream {
    const char *port;
    uint32_t bus_bytes;
    int32_t is_axis; /* an AXI4-Stream port: no address or stride, the device's DMA engine moves the part */
    struct argent_box box[ARGENT_MAX_DIMENSIONS]; /* by the buffer's dimensions */
    int32_t box_params; /* not 0: params, from this one on (counted from 1), are minimum and maximum of each scanned dimension instead.
                           Outputs of other Funcs than the first have them */
    int32_t at_params[ARGENT_MAX_DIMENSIONS]; /* by the buffer's dimensions; not 0: this param (counted from 1) is the index that is moved */
    struct argent_register_at address;
    struct argent_register_at start_address; /* inputs whose rows are mirrored or repeated: of the row that is read first, */
    struct argent_register_at last_address;  /* and of the box's last; where the registers exist */
    int32_t start_row_param;                 /* counted from 1: its row in the box */
    int32_t most_row_elements;               /* not 0: of a row of the box, which is taken in whole */
    struct argent_register_at low, high;     /* the window: addresses of the lowest and the highest byte of the box; offset 0: none */
    struct argent_register_at stride[ARGENT_MAX_DIMENSIONS]; /* bytes, signed, by the block's dimensions; [0] is never used */
    struct argent_register_at first[ARGENT_MAX_DIMENSIONS];  /* outputs, where the block has a domain: elements of it before */
    struct argent_register_at end[ARGENT_MAX_DIMENSIONS];    /* the output's first, elements of it up to the output's last, */
    struct argent_register_at extent[ARGENT_MAX_DIMENSIONS]; /* and elements of the output */
};

/* A buffer. */
struct argent_image {
    const char *name;
    struct halide_type_t type;
    int32_t dimensions;
    int32_t scanned_count;                  /* how many of the dimensions are the block's */
    int32_t scanned[ARGENT_MAX_DIMENSIONS]; /* which, in the order of the block */
    int32_t strides[ARGENT_MAX_DIMENSIONS]; /* elements from index to index that the hardware is built for; 0: any */
    uint32_t alignment;                     /* of addresses, in bytes; at least an element's */
    int32_t stream_count;
    const struct argent_stream *streams;
};

struct argent_param {
    const char *name;
    struct halide_type_t type;
    struct argent_register_at at;
    const char *otherwise; /* not NULL: a number of the launch, of which more than `most` cannot be computed; what it counts */
    int32_t most;
};

/* How far a read lies beyond its border, further than there is hardware for: params[param], which the launcher refuses if it is more
 * than 0; INT32_MIN where the border has nothing inside. */
struct argent_beyond {
    int32_t param;
    const char *reader, *of;
    int32_t dimension; /* of the block */
};

/* A table is a buffer that is loaded into the accelerator before every launch: single elements into registers, and all
 * places that are read by index into a memory behind two registers (the place of the next element, and the element). */
struct argent_table_element {
    int32_t place[ARGENT_MAX_DIMENSIONS];
    struct argent_register_at at;
};

/* What the memory holds of one dimension, and which bits of an address the low bits of the index are. */
struct argent_table_index {
    int32_t min, max;
    uint32_t bits, shift;
};

struct argent_table {
    const char *name;
    struct halide_type_t type;
    int32_t dimensions;
    struct argent_box box[ARGENT_MAX_DIMENSIONS]; /* what has to be there; coordinates, not offsets */
    int32_t element_count;
    const struct argent_table_element *elements;
    struct argent_register_at place, element; /* no registers: no memory */
    struct argent_table_index index[ARGENT_MAX_DIMENSIONS];
};

/* The hardware refuses a launch unless this register is between the two. */
struct argent_check {
    const char *name;
    uint32_t offset, min, max;
};

struct argent_accelerator {
    const char *name;
    const char *function;
    uint32_t id; /* read back from id_at; 0 or no register: not checked */
    struct argent_register_at id_at;
    struct argent_register_at error_at; /* not 0 after a launch: it failed */
    int32_t error_bits;                 /* of each memory port in it; 0: one */
    int32_t check_count;
    const struct argent_check *checks;  /* as bits of ARGENT_REFUSED_BY; those beyond the 32nd share its bit */
    const char *error_doc;              /* what its bits mean, for messages; may be NULL */
    int32_t dimensions;
    const struct argent_block_dimension *block;
    int has_domain; /* a dimension of the block has one */
    int32_t pixels; /* of a row that move at once; where there is a domain */
    int32_t input_count;
    const struct argent_image *inputs;
    int32_t output_count;
    const struct argent_image *outputs;
    int32_t param_count;
    const struct argent_param *params;
    int32_t table_count;
    const struct argent_table *tables;
    int32_t beyond_count;
    const struct argent_beyond *beyond;
};

/* Computes one block.
 * `inputs`: the images, then the tables.
 * `box`: minimum and maximum (inclusive) of the output in each dimension of the block, innermost first: 2 * dimensions numbers.
 *   An accelerator with borders takes as many for the domain, which the launch scans: the output and what it needs, cut off at
 *   the image's edges.
 * `params`: the bits of each value, signed ones sign-extended to 64 bits.
 *   Outputs of several Funcs: the box is the first one's, and those of the others are among the params.
 * Returns 0, or a halide_error_code_t after halide_error. What happens:
 * - max < min in any dimension, or no index of a dimension beyond the block's in any output: nothing, 0.
 * - All buffers without host and device memory: a bounds query; inputs get the minimum and extent that the box needs, 0.
 * - Otherwise every buffer is checked (null, type, dimensions, density, extents, block, alignment, stride, overlap) and all
 *   mistakes are reported in one text; then the device of ARGENT_DEVICE (default `sim:`) is opened, once per process, and
 *   the launch made. Launches on one device follow each other; threads may call this at any time, and while one thread's launch
 *   runs, another's is prepared and waits in the queue.
 * - ARGENT_TIMEOUT_MS: milliseconds after which a launch is given up (argent_cancel); its time in the queue counts (default: never on `sim:`,
 *   `sim+unix:` and `platform:`, which have a watchdog, and on `mock:`; 10000 elsewhere). */
int argent_launch(const struct argent_accelerator *accelerator, halide_buffer_t *const *inputs, const int32_t *box,
                  const uint64_t *params, halide_buffer_t *const *outputs);

/* The bits of a floating-point parameter. */
static inline uint64_t argent_float32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint64_t argent_float64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The argent_code of the last launch in this process that failed, since the last time that this was asked, or ARGENT_OK.
 * ARGENT_BAD_BUFFER: a mistake in the arguments. */
int argent_launch_code(void);

/* The URI of the device that a launch would use now. Valid until the next argent_launch_set_device. */
const char *argent_launch_uri(void);

/* Overrides ARGENT_DEVICE for later launches of this process; NULL: the environment again. ARGENT_OUT_OF_MEMORY. */
int argent_launch_set_device(const char *uri);

/* The device that argent_launch uses for this accelerator, opened if need be. As argent_open, and ARGENT_WRONG_ID. */
int argent_launch_device(const struct argent_accelerator *accelerator, argent_device **device);

/* Closes all devices that argent_launch has opened. No launch may be running. */
void argent_launch_close(void);

/* ---- the log of launches ---------------------------------------------------------------------------------------- */

/* What one port has moved. Dimensions are the block's. */
struct argent_launch_stream {
    const struct argent_image *image;
    const struct argent_stream *stream;
    int writes;                            /* 0 input, 1 output */
    int32_t dimensions;
    uint64_t address;                      /* of the first element of the box, as the device sees it */
    int32_t min[ARGENT_MAX_DIMENSIONS];    /* of the box */
    int32_t extent[ARGENT_MAX_DIMENSIONS]; /* elements of it */
    int64_t stride[ARGENT_MAX_DIMENSIONS]; /* bytes */
    int64_t row;                           /* bytes of a row */
};

struct argent_launch_record {
    const struct argent_accelerator *accelerator;
    argent_device *device;
    int code;                              /* how it ended */
    int32_t min[ARGENT_MAX_DIMENSIONS];    /* of the output */
    int32_t extent[ARGENT_MAX_DIMENSIONS];
    int32_t domain_min[ARGENT_MAX_DIMENSIONS]; /* the same without borders */
    int32_t domain_extent[ARGENT_MAX_DIMENSIONS];
    int32_t stream_count;                  /* of the inputs, then of the outputs */
    const struct argent_launch_stream *streams;
    int32_t register_count;
    const struct argent_register_value *registers;
    uint64_t clocks;                       /* from start to done; 0 if the device does not count */
    uint64_t bytes_read, bytes_written;
    double seconds;                        /* from start to done, on the host's clock */
};

/* Calls `observer` after each launch that was started, until the next call; NULL: nobody. It must not launch. */
void argent_launch_observe(void (*observer)(const struct argent_launch_record *record, void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
