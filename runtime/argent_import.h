/* Memory of other drivers, by a descriptor: argent_import_dmabuf without the question of what kind of device it is for. Used by argent_runtime.c. */
#ifndef ARGENT_IMPORT_H
#define ARGENT_IMPORT_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As argent_import_dmabuf, for the devices of `backend` whose URI is `rest` behind its colon. Why not, in `text`. */
int argent_import(const struct argent_backend *backend, const char *rest, int fd, size_t bytes, uint64_t bus_address, void **host, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
