/* The device `sim+unix:PATH`: a simulator server in another process (argent-sim-server). Messages: argent_wire.h. */
#ifndef ARGENT_REMOTE_H
#define ARGENT_REMOTE_H

#include "argent_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The backend of `sim+unix:`, which the runtime has built in. Memory comes from argent_allocate (argent_memory.h).
 * ARGENT_REMOTE_TIMEOUT_MS: how long an answer may take until the server counts as gone (30000). */
const struct argent_backend *argent_remote_backend(void);

/* argent_sim_port and argent_sim_time of this backend's state. */
int argent_remote_port(void *state, uint32_t index, struct argent_sim_port_counts *port);
int argent_remote_time(void *state, uint64_t *clocks);

#ifdef __cplusplus
}
#endif
#endif
