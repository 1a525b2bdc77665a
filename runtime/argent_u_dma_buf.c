#define _GNU_SOURCE
#include "argent_u_dma_buf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "argent_board.h"
#include "argent_memory.h"

enum { MAX_BUFFERS = 16 };

static pthread_mutex_t buffers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct argent_u_dma_buf buffers[MAX_BUFFERS];
static int buffer_count;

int argent_u_dma_buf_folder(const char *name, char *folder, size_t size) {
    static const char *const classes[] = {"u-dma-buf", "udmabuf"};
    for (int i = 0; i < 2; i++) {
        char path[ARGENT_BOARD_PATH + ARGENT_BOARD_NAME];
        uint64_t bytes;
        snprintf(folder, size, "/sys/class/%s/%s", classes[i], name);
        snprintf(path, sizeof path, "%s/size", folder);
        if (argent_board_number(path, &bytes)) return 1;
    }
    return 0;
}

static int open_attribute(const char *folder, const char *name) {
    char path[2 * ARGENT_BOARD_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return argent_board_open(path, O_WRONLY);
}

static int open_attributes(struct argent_u_dma_buf *b, const char *folder) {
    b->offset = open_attribute(folder, "sync_offset");
    b->size = open_attribute(folder, "sync_size");
    b->direction = open_attribute(folder, "sync_direction");
    b->cpu = open_attribute(folder, "sync_for_cpu");
    b->device = open_attribute(folder, "sync_for_device");
    return b->offset >= 0 && b->size >= 0 && b->direction >= 0 && b->cpu >= 0 && b->device >= 0;
}

static void close_attributes(struct argent_u_dma_buf *b) {
    const int all[] = {b->offset, b->size, b->direction, b->cpu, b->device};
    for (int i = 0; i < 5; i++)
        if (all[i] >= 0) close(all[i]);
}

static int open_buffer(struct argent_u_dma_buf *b, const char *name, char *text, size_t size) {
    char folder[ARGENT_BOARD_PATH], path[ARGENT_BOARD_PATH + ARGENT_BOARD_NAME];
    uint64_t coherent = 0;
    memset(b, 0, sizeof *b);
    b->offset = b->size = b->direction = b->cpu = b->device = -1;
    snprintf(b->name, sizeof b->name, "%s", name);
    snprintf(b->root, sizeof b->root, "%s", argent_board_root());
    if (!argent_u_dma_buf_folder(name, folder, sizeof folder)) {
        snprintf(text, size, "there is no u-dma-buf %s in /sys/class/u-dma-buf; load the module (modprobe u-dma-buf udmabuf0=67108864), or name another: uio:...,memory=NAME", name);
        return ARGENT_NO_DEVICE;
    }
    snprintf(path, sizeof path, "%s/size", folder);
    int known = argent_board_number(path, &b->bytes);
    snprintf(path, sizeof path, "%s/phys_addr", folder);
    known = known && argent_board_number(path, &b->bus_address) && b->bytes != 0 && b->bytes <= SIZE_MAX;
    snprintf(path, sizeof path, "%s/dma_coherent", folder);
    b->coherent = argent_board_number(path, &coherent) && coherent != 0;
    if (!known) {
        snprintf(text, size, "%s/size and phys_addr cannot be read", folder);
        return ARGENT_SYSTEM;
    }
    if (!b->coherent && !open_attributes(b, folder)) {
        snprintf(text, size, "the files %s/sync_* cannot be written: %s", folder, strerror(errno));
        close_attributes(b);
        return ARGENT_SYSTEM;
    }
    /* Cached: the processor works on images at full speed, and cleans the cache around a launch. */
    snprintf(path, sizeof path, "/dev/%s", name);
    int fd = argent_board_open(path, O_RDWR);
    void *base = fd >= 0 ? mmap(NULL, (size_t)b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    int reason = errno;
    if (fd >= 0) close(fd);
    b->pool = base != MAP_FAILED ? argent_memory_adopt(base, (size_t)b->bytes) : -1;
    if (b->pool < 0) {
        snprintf(text, size, "%s cannot be mapped: %s", path, base == MAP_FAILED ? strerror(reason) : "too many segments of memory");
        if (base != MAP_FAILED) munmap(base, (size_t)b->bytes);
        close_attributes(b);
        return ARGENT_SYSTEM;
    }
    b->base = base;
    return ARGENT_OK;
}

int argent_u_dma_buf_find(const char *name, struct argent_u_dma_buf **found, char *text, size_t size) {
    int code = ARGENT_OK;
    *found = NULL;
    pthread_mutex_lock(&buffers_lock);
    for (int i = 0; i < buffer_count; i++)
        if (strcmp(buffers[i].name, name) == 0 && strcmp(buffers[i].root, argent_board_root()) == 0) *found = &buffers[i];
    if (*found == NULL && buffer_count == MAX_BUFFERS) {
        snprintf(text, size, "more than %d u-dma-bufs", MAX_BUFFERS);
        code = ARGENT_OUT_OF_MEMORY;
    } else if (*found == NULL && (code = open_buffer(&buffers[buffer_count], name, text, size)) == ARGENT_OK) {
        *found = &buffers[buffer_count++];
    }
    pthread_mutex_unlock(&buffers_lock);
    return code;
}

int argent_u_dma_buf_sync(const struct argent_u_dma_buf *b, const struct argent_mapping *m, int for_device, char *text, size_t size) {
    enum { BOTH = 0, TO_DEVICE = 1, FROM_DEVICE = 2 };
    int attribute = for_device ? b->device : b->cpu;
    /* A line of an output's edge may hold a neighbour's bytes: it is written back, never thrown away. */
    uint64_t direction = for_device ? (m->access == ARGENT_READ ? TO_DEVICE : BOTH) : FROM_DEVICE;
    uint64_t first = (uint64_t)(m->host - b->base) / ARGENT_CACHE_LINE * ARGENT_CACHE_LINE;
    uint64_t last = ((uint64_t)(m->host - b->base) + m->bytes + ARGENT_CACHE_LINE - 1) / ARGENT_CACHE_LINE * ARGENT_CACHE_LINE;
    const struct {
        int fd;
        uint64_t value;
    } steps[] = {{b->offset, first}, {b->size, last - first}, {b->direction, direction}, {attribute, 1}};
    for (int i = 0; i < 4; i++) {
        char word[24];
        int n = snprintf(word, sizeof word, "%" PRIu64 "\n", steps[i].value);
        if (write(steps[i].fd, word, (size_t)n) != n) {
            snprintf(text, size, "the cache of u-dma-buf %s cannot be synchronised: %s", b->name, strerror(errno));
            return ARGENT_SYSTEM;
        }
    }
    return ARGENT_OK;
}
