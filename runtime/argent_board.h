/* Linux's files and accesses behind `uio:`, through which a test can play a board (argent_uio_set_access, ARGENT_UIO_ROOT). */
#ifndef ARGENT_BOARD_H
#define ARGENT_BOARD_H

#include "argent_uio.h"

/* All of it is there. */
const struct argent_uio_access *argent_board_access(void);

/* What stands in front of all paths; "": nothing. */
const char *argent_board_root(void);
/* As open(2), of a path below the root. */
int argent_board_open(const char *path, int flags);
/* The first word of a file below the root as a number. 0: there is none. */
int argent_board_number(const char *path, uint64_t *value);

#endif
