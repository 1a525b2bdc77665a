#define _GNU_SOURCE
#include "argent_memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "argent_runtime.h"

/* A part of a segment, used or free. Kept outside of the segment: what a device may write to must not hold pointers. */
struct block {
    size_t offset, bytes;
    int used;
    struct block *next; /* by offset, without gaps */
};

struct segment {
    int pool;
    uint64_t serial; /* 0: there is none here */
    uint8_t *base;
    size_t bytes;
    int fd, imported;
    uint64_t bus_address;
    unsigned held; /* imported: mappings of devices that lie in it */
    struct block *blocks;
};

static const size_t segment_bytes = (size_t)32 << 20; /* at least; pages that nobody touches cost nothing */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct segment segments[ARGENT_MEMORY_SEGMENTS];
static uint32_t segment_count; /* behind the last one that there is */
static uint64_t serials;
static int pool_count = 1;

static struct block *new_block(size_t offset, size_t bytes, struct block *next) {
    struct block *b = malloc(sizeof *b);
    if (b == NULL) return NULL;
    b->offset = offset;
    b->bytes = bytes;
    b->used = 0;
    b->next = next;
    return b;
}

/* NULL: out of memory, or too many. */
static struct segment *new_segment(int pool, uint8_t *base, size_t bytes, int fd) {
    uint32_t i = 0;
    while (i < segment_count && segments[i].serial != 0) i++;
    struct block *all = i < ARGENT_MEMORY_SEGMENTS ? new_block(0, bytes, NULL) : NULL;
    if (all == NULL) return NULL;
    if (i == segment_count) segment_count++;
    struct segment *s = &segments[i];
    memset(s, 0, sizeof *s);
    s->pool = pool;
    s->serial = ++serials;
    s->base = base;
    s->bytes = bytes;
    s->fd = fd;
    s->blocks = all;
    return s;
}

/* A new segment of shared memory with room for `bytes`, or NULL. */
static struct segment *grow(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = bytes > segment_bytes ? (bytes + page - 1) / page * page : segment_bytes;
    if (size < bytes) return NULL;
    int fd = memfd_create("argent", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return NULL;
    /* A server refuses memory that could shrink under it. */
    void *base = MAP_FAILED;
    if (ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
        base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    struct segment *s = base != MAP_FAILED ? new_segment(ARGENT_MEMORY_SHARED, base, size, fd) : NULL;
    if (s == NULL) {
        if (base != MAP_FAILED) munmap(base, size);
        close(fd);
    }
    return s;
}

int argent_memory_adopt(void *base, size_t bytes) {
    pthread_mutex_lock(&lock);
    int pool = new_segment(pool_count, base, bytes, -1) != NULL ? pool_count++ : -1;
    pthread_mutex_unlock(&lock);
    return pool;
}

/* First fit. */
static void *take(struct segment *s, size_t bytes) {
    struct block *b = s->blocks;
    while (b != NULL && (b->used || b->bytes < bytes)) b = b->next;
    if (b == NULL) return NULL;
    if (b->bytes > bytes) {
        struct block *rest = new_block(b->offset + bytes, b->bytes - bytes, b->next);
        if (rest == NULL) return NULL;
        b->bytes = bytes;
        b->next = rest;
    }
    b->used = 1;
    return s->base + b->offset;
}

void *argent_memory_allocate(int pool, size_t bytes) {
    size_t need = (bytes + ARGENT_MEMORY_ALIGNMENT - 1) / ARGENT_MEMORY_ALIGNMENT * ARGENT_MEMORY_ALIGNMENT;
    if (need < bytes) return NULL;
    if (need == 0) need = ARGENT_MEMORY_ALIGNMENT;
    void *host = NULL;
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < segment_count && host == NULL; i++)
        if (segments[i].serial != 0 && segments[i].pool == pool) host = take(&segments[i], need);
    if (host == NULL && pool == ARGENT_MEMORY_SHARED) {
        struct segment *s = grow(need);
        if (s != NULL) host = take(s, need);
    }
    pthread_mutex_unlock(&lock);
    return host;
}

static void join_with_next(struct block *b) {
    struct block *next = b->next;
    if (next == NULL || b->used || next->used) return;
    b->bytes += next->bytes;
    b->next = next->next;
    free(next);
}

/* The segment that holds the byte at `host`, or NULL. */
static struct segment *segment_of(const void *host) {
    uintptr_t at = (uintptr_t)host;
    for (uint32_t i = 0; i < segment_count; i++)
        if (segments[i].serial != 0 && at >= (uintptr_t)segments[i].base && at - (uintptr_t)segments[i].base < segments[i].bytes) return &segments[i];
    return NULL;
}

int argent_memory_free(void *host) {
    int freed = 0;
    pthread_mutex_lock(&lock);
    struct segment *s = segment_of(host);
    if (s != NULL && !s->imported) {
        size_t offset = (size_t)((uint8_t *)host - s->base);
        struct block *before = NULL, *b = s->blocks;
        while (b->offset != offset && b->next != NULL) {
            before = b;
            b = b->next;
        }
        if (b->offset == offset && b->used) {
            b->used = 0;
            join_with_next(b);
            if (before != NULL) join_with_next(before);
            freed = 1;
        }
    }
    pthread_mutex_unlock(&lock);
    return freed;
}

int argent_memory_find(const void *host, size_t bytes, struct argent_memory_place *place) {
    pthread_mutex_lock(&lock);
    const struct segment *s = segment_of(host);
    int found = 0;
    if (s != NULL) {
        size_t offset = (size_t)((const uint8_t *)host - s->base);
        if (bytes <= s->bytes - offset) {
            place->pool = s->pool;
            place->segment = (uint32_t)(s - segments);
            place->serial = s->serial;
            place->fd = s->fd;
            place->imported = s->imported;
            place->bus_address = s->bus_address;
            place->segment_bytes = s->bytes;
            place->offset = offset;
            const struct block *b = s->blocks;
            while (b->next != NULL && b->next->offset <= offset) b = b->next;
            place->allocation = b->offset;
            place->allocation_bytes = b->bytes;
            found = 1;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- memory of other drivers ---- */

int argent_memory_import(void *base, size_t bytes, int fd, uint64_t bus_address) {
    pthread_mutex_lock(&lock);
    struct segment *s = new_segment(pool_count, base, bytes, fd);
    if (s != NULL) {
        pool_count++;
        s->imported = s->blocks->used = 1;
        s->bus_address = bus_address;
    }
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

int argent_memory_forget(const void *base, size_t *bytes, int *fd) {
    int code = ARGENT_NOT_MAPPED;
    pthread_mutex_lock(&lock);
    struct segment *s = segment_of(base);
    if (s != NULL && s->imported && s->base == base) {
        code = s->held != 0 ? ARGENT_BUSY : ARGENT_OK;
        if (code == ARGENT_OK) {
            *bytes = s->bytes;
            *fd = s->fd;
            free(s->blocks);
            s->serial = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static void change_holds(const void *host, int by) {
    pthread_mutex_lock(&lock);
    struct segment *s = segment_of(host);
    if (s != NULL && s->imported) s->held += (unsigned)by;
    pthread_mutex_unlock(&lock);
}

void argent_memory_hold(const void *host) { change_holds(host, 1); }
void argent_memory_let_go(const void *host) { change_holds(host, -1); }

uint64_t argent_memory_serial(uint32_t segment) {
    pthread_mutex_lock(&lock);
    uint64_t serial = segment < segment_count ? segments[segment].serial : 0;
    pthread_mutex_unlock(&lock);
    return serial;
}

int64_t argent_memory_fixed_bytes(int fd) {
    enum { DMA_BUF_FILES = 0x444d4142 }; /* DMA_BUF_MAGIC of linux/magic.h, which older systems do not have */
    struct statfs files;
    struct stat status;
    if (fstatfs(fd, &files) == 0 && files.f_type == DMA_BUF_FILES) return lseek(fd, 0, SEEK_END);
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(fd, &status) == 0 ? (int64_t)status.st_size : -1;
}
