/* Memory that devices can reach: segments, and an allocator over them. Of the whole process, so that several devices can work on one
 * image. Pool 0 is memory that other processes can reach; it grows. A backend may add pools of memory that is there already.
 * Used by backends; people call argent_allocate. */
#ifndef ARGENT_MEMORY_H
#define ARGENT_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ARGENT_MEMORY_ALIGNMENT = 128, ARGENT_MEMORY_SEGMENTS = 64, ARGENT_MEMORY_SHARED = 0 };

/* Where a range lies. Segments stay for as long as the process does, so `segment` names one for good. */
struct argent_memory_place {
    int pool;
    uint32_t segment;       /* below ARGENT_MEMORY_SEGMENTS */
    int fd;                 /* pool 0: a memfd that cannot shrink */
    uint64_t segment_bytes;
    uint64_t offset;        /* of the range in the segment */
    uint64_t allocation, allocation_bytes; /* where the allocation lies that the range begins in, rounded up to the alignment */
};

/* A new pool of memory that stays for as long as the process does; its number, or -1: there are too many. */
int argent_memory_adopt(void *base, size_t bytes);

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
