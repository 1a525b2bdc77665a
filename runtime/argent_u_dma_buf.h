/* Contiguous memory of the driver u-dma-buf, as its files in /dev and sysfs give it: a pool of argent_memory.h, and its caches. */
#ifndef ARGENT_U_DMA_BUF_H
#define ARGENT_U_DMA_BUF_H

#include <stddef.h>
#include <stdint.h>

#include "argent_runtime.h"

enum { ARGENT_BOARD_NAME = 64, ARGENT_BOARD_PATH = 256, ARGENT_CACHE_LINE = 64 };

struct argent_u_dma_buf {
    char name[ARGENT_BOARD_NAME], root[ARGENT_BOARD_PATH];
    int pool;                                 /* of argent_memory.h */
    uint8_t *base;
    uint64_t bytes, bus_address;
    int coherent;                             /* caches are not to be thought of */
    int offset, size, direction, cpu, device; /* attributes of its sysfs folder */
};

/* Opened once per process. On failure a code, and why in `text` (of `size` bytes). */
int argent_u_dma_buf_find(const char *name, struct argent_u_dma_buf **found, char *text, size_t size);

/* Its folder in sysfs; older drivers have another name for the class. 0: there is none. */
int argent_u_dma_buf_folder(const char *name, char *folder, size_t size);

/* Writes back or invalidates the cache lines of what is mapped in a buffer that is not coherent. Returns a code, and why in `text`. */
int argent_u_dma_buf_sync(const struct argent_u_dma_buf *b, const struct argent_mapping *m, int for_device, char *text, size_t size);

#endif
