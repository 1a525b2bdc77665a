/* Words for what the hardware says of a launch. */
#ifndef ARGENT_DESCRIBE_H
#define ARGENT_DESCRIBE_H

#include <stdbool.h>

#include "argent_launch.h"

/* The ports of the inputs give an error register of two bits each to streams, of one or two bits each to memory ports; never both kinds. */
bool argent_takes_streams(const struct argent_accelerator *a);

/* Behind `text`: which registers the hardware refuses, from the bits of ARGENT_REFUSED_BY. */
void argent_describe_refusal(const struct argent_accelerator *a, const struct argent_command *c, uint32_t bits, char *text, size_t size);

/* What the error register says. The code of the first port's mistake. */
int argent_describe_error(const struct argent_accelerator *a, uint32_t error, char *text, size_t size);

/* Behind `text`, of a launch that does not end: a stream that is out of step may be the reason. */
void argent_describe_framing(const struct argent_accelerator *a, uint32_t error, char *text, size_t size);

#endif
