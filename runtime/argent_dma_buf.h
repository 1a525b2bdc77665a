/* Where the hardware sees memory of other drivers. */
#ifndef ARGENT_DMA_BUF_H
#define ARGENT_DMA_BUF_H

#include <stddef.h>
#include <stdint.h>

/* The bus address of a dma-buf that is mapped at `host`: what a u-dma-buf says that exported it, or else the kernel of the process's pages. If `*address` is
 * known (not ARGENT_ADDRESS_UNKNOWN), whether it can be. Returns a code, and why in `text` (of `size` bytes). */
int argent_dma_buf_address(int fd, const void *host, size_t bytes, uint64_t *address, char *text, size_t size);

#endif
