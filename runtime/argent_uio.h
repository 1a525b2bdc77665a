/* The device `uio:`: an accelerator in a Zynq's fabric, under Linux. Registers by mmap of /dev/uioN, the interrupt by reading it,
 * images in the contiguous memory of a u-dma-buf.
 *
 *   uio:/dev/uio0                       memory: the u-dma-buf udmabuf0
 *   uio:/dev/uio0,memory=udmabuf-argent another one, by its name in /sys/class/u-dma-buf
 *   uio:/dev/uio0,interrupt=/dev/uio1   the interrupt of another UIO device; interrupt=none: look again and again
 *
 * ARGENT_UIO_ROOT: a folder in which /dev and /sys are looked for (a container's, or a test's). */
#ifndef ARGENT_UIO_H
#define ARGENT_UIO_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The backend of `uio:`, which the runtime has built in. A device is used by one process at a time (ARGENT_BUSY). */
const struct argent_backend *argent_uio_backend(void);

/* How registers are read and written (`at` lies in the mapping), and the kernel is asked for what files do not say. For those who watch a bus or play a
 * board. NULL, all of it or one of them: plain accesses again. */
struct argent_uio_access {
    uint32_t (*load)(volatile const uint32_t *at);
    void (*store)(volatile uint32_t *at, uint32_t value);
    int (*sync)(int dmabuf, uint64_t flags);                                     /* DMA_BUF_IOCTL_SYNC; 0, or -1 and errno */
    int (*page_entries)(int pagemap, uint64_t page, uint64_t *entries, size_t n); /* n of /proc/self/pagemap, from this page of the process on; 0, or -1 and errno */
};
void argent_uio_set_access(const struct argent_uio_access *access);

#ifdef __cplusplus
}
#endif
#endif
