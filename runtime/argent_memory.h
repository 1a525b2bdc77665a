/* Memory that devices can reach: segments, and an allocator over them. Of the whole process, so that several devices can work on one
 * image. Pool 0 is memory that other processes can reach; it grows. A backend may add pools of memory that is there already, and memory of other
 * drivers comes and goes (argent_import.h).
 * Used by backends; people call argent_allocate. */
#ifndef ARGENT_MEMORY_H
#define ARGENT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGENT_MEMORY_ALIGNMENT = 128, ARGENT_MEMORY_SEGMENTS = 64, ARGENT_MEMORY_SHARED = 0 };

/* Where a range lies. */
struct argent_memory_place {
    int pool;
    uint32_t segment;       /* below ARGENT_MEMORY_SEGMENTS; another one has it when this one is forgotten */
    uint64_t serial;        /* no other segment of this process has it, ever; from 1 on */
    int fd;                 /* other processes can map the segment by it, and it cannot shrink; -1: they cannot */
    int imported;
    uint64_t bus_address;   /* of imported segments; or ARGENT_ADDRESS_UNKNOWN */
    uint64_t segment_bytes;
    uint64_t offset;        /* of the range in the segment */
    uint64_t allocation, allocation_bytes; /* where the allocation lies that the range begins in, rounded up to the alignment */
};

/* A new pool of memory that stays for as long as the process does; its number, or -1: there are too many. */
int argent_memory_adopt(void *base, size_t bytes);

/* The same for memory of another driver, which may be forgotten. Nothing is allocated in it. 0: there are too many. */
int argent_memory_import(void *base, size_t bytes, int fd, uint64_t bus_address);

/* Ends that; the caller unmaps it and closes `*fd`. ARGENT_OK, ARGENT_NOT_MAPPED (`base` is no start of such memory), ARGENT_BUSY (held). */
int argent_memory_forget(const void *base, size_t *bytes, int *fd);

/* While it is mapped for a device it is not forgotten. Other memory is not meant: nothing happens. */
void argent_memory_hold(const void *host);
void argent_memory_let_go(const void *host);

/* The serial of the segment that has this number now; 0: none has. */
uint64_t argent_memory_serial(uint32_t segment);

/* Bytes of a file that cannot get smaller under those who map it: a dma-buf, or a memfd that is sealed against shrinking. -1: it is none. */
int64_t argent_memory_fixed_bytes(int fd);

/* Aligned to ARGENT_MEMORY_ALIGNMENT, content undefined. NULL: out of memory. */
void *argent_memory_allocate(int pool, size_t bytes);

/* 0: it is not the start of an allocation, and nothing was done. */
int argent_memory_free(void *host);

/* 0: the range does not lie in a segment as a whole. */
int argent_memory_find(const void *host, size_t bytes, struct argent_memory_place *place);

#ifdef __cplusplus
}
#endif
#endif
