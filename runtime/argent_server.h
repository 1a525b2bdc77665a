/* The other end of `sim+unix:`: serves one client on a socket with the devices of a backend. argent-sim-server is made of it.
 * Whatever a client sends, it reaches nothing but its own device and the memory that it shared. */
#ifndef ARGENT_SERVER_H
#define ARGENT_SERVER_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

struct argent_serve_options {
    const struct argent_backend *backend;
    const char *const *places; /* what stands behind the scheme: tried in this order until one has the accelerator */
    size_t place_count;
    uint64_t memory;           /* bytes that a client may share, in all */
    int claims;                /* a file of whose bytes one is locked for each accelerator, so that it has one client at a time among
                                  processes; -1: not checked */
};

/* Serves until the client leaves: ARGENT_OK. Or until it sends what is no message: it is told so, and the result is ARGENT_PROTOCOL with
 * the reason in `why`. The socket is not closed. */
int argent_serve(int socket, const struct argent_serve_options *options, char *why, size_t size);

#ifdef __cplusplus
}
#endif
#endif
