/* The kinds of devices: those that are built in, and those of argent_add_backend. */
#ifndef ARGENT_BACKENDS_H
#define ARGENT_BACKENDS_H

#include "argent_runtime.h"

/* By the `length` letters in front of a URI's colon; NULL: there is none. */
const struct argent_backend *argent_backend_find(const char *scheme, size_t length);

/* The known schemes as "sim: mock:", for messages. */
void argent_backend_list(char *out, size_t size);

#endif
