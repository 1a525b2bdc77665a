#define _GNU_SOURCE
#include "argent_uio.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "argent_board.h"
#include "argent_dma_buf.h"
#include "argent_memory.h"
#include "argent_u_dma_buf.h"

enum { MAP_BYTES = 4096, TEXT = 2048, MAX_WINDOWS = 32 };
static const int64_t idle_limit_us = 2000000; /* for what another process has left running */

/* ---- the URI ---- */

struct parts {
    char device[ARGENT_BOARD_PATH], interrupt[ARGENT_BOARD_PATH], memory[ARGENT_BOARD_NAME];
};

static int parse(const char *rest, struct parts *p, char *text, size_t size) {
    memset(p, 0, sizeof *p);
    strcpy(p->memory, "udmabuf0");
    size_t n = strcspn(rest, ",");
    snprintf(p->device, sizeof p->device, "%.*s", (int)n, rest);
    snprintf(p->interrupt, sizeof p->interrupt, "%s", p->device);
    rest += n;
    while (*rest == ',') {
        n = strcspn(++rest, ",");
        if (strncmp(rest, "memory=", 7) == 0 && n > 7 && n - 7 < ARGENT_BOARD_NAME) {
            snprintf(p->memory, sizeof p->memory, "%.*s", (int)(n - 7), rest + 7);
        } else if (strncmp(rest, "interrupt=", 10) == 0 && n > 10) {
            snprintf(p->interrupt, sizeof p->interrupt, "%.*s", (int)(n - 10), rest + 10);
        } else {
            snprintf(text, size, "device \"uio:\" has memory=NAME and interrupt=PATH behind its path, not \"%.*s\"", (int)n, rest);
            return ARGENT_NO_DEVICE;
        }
        rest += n;
    }
    if (p->device[0] != '/') {
        snprintf(text, size, "device \"uio:\" wants the path of a UIO device, such as uio:/dev/uio0");
        return ARGENT_NO_DEVICE;
    }
    return ARGENT_OK;
}

/* ---- devices ---- */

/* Writes to images must have reached memory before the write that starts the accelerator, and what it has written must be seen after the read
 * that shows its end: barriers for devices, not only for other processors. */
static inline void bus_barrier(void) {
#if defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("dsb sy" ::: "memory");
#else
    __sync_synchronize();
#endif
}

struct uio {
    int device, interrupt; /* files; interrupt -1: none */
    int waits;             /* the interrupt is enabled in the kernel */
    volatile uint32_t *registers;
    struct argent_u_dma_buf *memory;
    struct argent_mappings mappings;
    struct touched {
        uint64_t address[MAX_WINDOWS];
        size_t count; /* 0: all that is mapped */
    } launches[2];    /* that have been armed, and whose end has not been seen: what they may touch; the older one first */
    unsigned armed;   /* how many */
    uint8_t ended;    /* launches, modulo 256: the hardware's number, as far as it has been looked at */
    uint8_t told;     /* the same, as far as uio_wait has told of it */
    char text[TEXT];
};

/* A dma-buf's own way, which knows no ranges. */
static int sync_dmabuf(struct uio *u, int fd, int for_device, unsigned access) {
    uint64_t flags = !for_device ? DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ : DMA_BUF_SYNC_END | ((access & ARGENT_WRITE) != 0 ? DMA_BUF_SYNC_RW : DMA_BUF_SYNC_WRITE);
    if (argent_board_access()->sync(fd, flags) == 0) return ARGENT_OK;
    snprintf(u->text, sizeof u->text, "the cache of an imported dma-buf cannot be synchronised: %s", strerror(errno));
    return ARGENT_SYSTEM;
}

static int is_touched(const struct argent_mapping *m, const struct touched *by) {
    for (size_t i = 0; i < by->count; i++)
        if (by->address[i] - m->address < m->bytes) return 1;
    return by->count == 0;
}

/* Before a launch: what the processor has written reaches memory. After it: what the accelerator has written is seen. Nothing else: another launch
 * may be at work on the rest. */
static int sync_launch(struct uio *u, const struct touched *by, int for_device) {
    int code = ARGENT_OK;
    if (u->memory->coherent) return code;
    /* The attributes are the buffer's, and devices share it. */
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    for (size_t i = 0; i < u->mappings.count && code == ARGENT_OK; i++) {
        const struct argent_mapping *m = &u->mappings.list[i];
        if (!is_touched(m, by) || (!for_device && (m->access & ARGENT_WRITE) == 0)) continue;
        struct argent_memory_place place;
        int imported = argent_memory_find(m->host, (size_t)m->bytes, &place) && place.imported;
        code = imported ? sync_dmabuf(u, place.fd, for_device, m->access) : argent_u_dma_buf_sync(u->memory, m, for_device, u->text, sizeof u->text);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return code;
}

/* The device may be opened again, by this process too, before this one is closed. */
static int gone(struct uio *u, const char *why, const char *reason) {
    snprintf(u->text, sizeof u->text, "%s%s", why, reason);
    flock(u->device, LOCK_UN);
    return ARGENT_GONE;
}

/* The processor sees what the launches have written that have ended. */
static int see_ends(struct uio *u, uint32_t control) {
    uint8_t ended = (uint8_t)(control >> ARGENT_CONTROL_ENDED);
    int code = ARGENT_OK;
    while (u->armed != 0 && u->ended != ended && code == ARGENT_OK) {
        code = sync_launch(u, &u->launches[0], 0);
        u->launches[0] = u->launches[1];
        u->armed--;
        u->ended++;
    }
    u->ended = ended;
    return code;
}

/* Whoever is shown by the control register that a launch has ended sees what it has written: here, so that no look at the register can come between. */
static int uio_read(void *state, uint32_t offset, uint32_t *value) {
    struct uio *u = state;
    u->text[0] = 0;
    *value = argent_board_access()->load(u->registers + offset / 4);
    bus_barrier();
    if (offset != ARGENT_CONTROL) return ARGENT_OK;
    /* A clock that stopped, or another bitstream: buses answer with ones then. */
    if (*value == UINT32_MAX) return gone(u, "the control register reads as ones: the fabric's clock has stopped, or its bitstream is gone", "");
    return see_ends(u, *value);
}

static int uio_write(void *state, uint32_t offset, uint32_t value) {
    struct uio *u = state;
    u->text[0] = 0;
    bus_barrier();
    argent_board_access()->store(u->registers + offset / 4, value);
    return ARGENT_OK;
}

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Waits for what another process has started, or this one. */
static int until_idle(struct uio *u) {
    int64_t start = now_us();
    for (;;) {
        uint32_t control = 0;
        int code = uio_read(u, ARGENT_CONTROL, &control);
        if (code != ARGENT_OK) return code;
        if ((control & ARGENT_CONTROL_IDLE) != 0) return ARGENT_OK;
        if (now_us() - start > idle_limit_us) return ARGENT_BUSY;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
}

/* One that was for another process. */
static void forget_interrupt(struct uio *u) {
    uint32_t status = 0;
    if (uio_read(u, ARGENT_INTERRUPT_STATUS, &status) == ARGENT_OK && (status & 1) != 0) uio_write(u, ARGENT_INTERRUPT_STATUS, status);
}

static void uio_close(void *state) {
    struct uio *u = state;
    if (u->registers != NULL) {
        /* Nobody else may get the memory that a launch still writes to. */
        until_idle(u);
        munmap((void *)u->registers, MAP_BYTES);
    }
    if (u->interrupt >= 0) close(u->interrupt);
    if (u->device >= 0) close(u->device);
    argent_mappings_free(&u->mappings);
    free(u);
}

static int map_registers(struct uio *u, const struct parts *p, char *text, size_t size) {
    u->device = argent_board_open(p->device, O_RDWR);
    if (u->device < 0) {
        snprintf(text, size, "device \"uio:%s\": %s", p->device,
                 errno == ENOENT ? "there is no such file; is the accelerator in the device tree as generic-uio, and the bitstream loaded?" : strerror(errno));
        return ARGENT_NO_DEVICE;
    }
    if (flock(u->device, LOCK_EX | LOCK_NB) != 0) {
        snprintf(text, size, "device \"uio:%s\" is in use by another process; wait until that has closed it", p->device);
        return ARGENT_BUSY;
    }
    char path[ARGENT_BOARD_PATH + ARGENT_BOARD_NAME];
    const char *name = strrchr(p->device, '/') + 1;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/sys/class/uio/%s/maps/map0/size", name);
    if (!argent_board_number(path, &bytes) || bytes < MAP_BYTES) {
        snprintf(text, size, "device \"uio:%s\": %s says 0x%" PRIx64 " bytes, the registers have 0x%x; correct `reg` in the device tree", p->device, path, bytes,
                 MAP_BYTES);
        return ARGENT_NO_DEVICE;
    }
    void *registers = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, u->device, 0);
    if (registers == MAP_FAILED) {
        snprintf(text, size, "device \"uio:%s\": its registers cannot be mapped: %s", p->device, strerror(errno));
        return ARGENT_SYSTEM;
    }
    u->registers = registers;
    return ARGENT_OK;
}

static int open_interrupt(struct uio *u, const struct parts *p, char *text, size_t size) {
    if (strcmp(p->interrupt, "none") == 0) return ARGENT_OK;
    u->interrupt = argent_board_open(p->interrupt, O_RDWR);
    if (u->interrupt >= 0) return ARGENT_OK;
    snprintf(text, size, "device \"uio:%s\": its interrupt %s: %s", p->device, p->interrupt, strerror(errno));
    return ARGENT_NO_DEVICE;
}

static int uio_open(const char *rest, const char *accelerator, void **state, char *text, size_t size) {
    (void)accelerator; /* its identification is read by who knows it */
    struct parts p;
    int code = parse(rest, &p, text, size);
    if (code != ARGENT_OK) return code;
    struct uio *u = calloc(1, sizeof *u);
    if (u == NULL) return ARGENT_OUT_OF_MEMORY;
    u->device = u->interrupt = -1;
    code = map_registers(u, &p, text, size);
    if (code == ARGENT_OK) code = open_interrupt(u, &p, text, size);
    if (code == ARGENT_OK && (code = argent_u_dma_buf_find(p.memory, &u->memory, u->text, sizeof u->text)) != ARGENT_OK)
        snprintf(text, size, "device \"uio:%s\": %s", p.device, u->text);
    if (code == ARGENT_OK && (code = until_idle(u)) != ARGENT_OK)
        snprintf(text, size, "device \"uio:%s\": %s", p.device,
                 code == ARGENT_BUSY ? "a launch of a process that has ended still runs; load the bitstream again" : u->text);
    if (code == ARGENT_OK) forget_interrupt(u);
    if (code != ARGENT_OK) {
        if (u->registers != NULL) munmap((void *)u->registers, MAP_BYTES);
        u->registers = NULL;
        uio_close(u);
        return code;
    }
    *state = u;
    return ARGENT_OK;
}

/* Whether no other data share a cache line with the range, so that its lines can be thrown away after a launch. */
static int has_own_lines(const struct argent_memory_place *place, size_t bytes) {
    uint64_t end = place->offset + bytes;
    if (place->offset % ARGENT_CACHE_LINE == 0 && end % ARGENT_CACHE_LINE == 0) return 1;
    return place->offset == place->allocation && end + ARGENT_MEMORY_ALIGNMENT > place->allocation + place->allocation_bytes;
}

/* Whether a dma-buf holds nothing else: the processor may be at work on that while a launch ends. What is behind it in the last page is nobody's. */
static int is_whole(const struct argent_memory_place *place, size_t bytes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return place->offset == 0 && bytes > (place->segment_bytes - 1) / page * page;
}

static int uio_map(void *state, void *host, size_t bytes, unsigned access, uint64_t *address) {
    struct uio *u = state;
    struct argent_memory_place place;
    u->text[0] = 0;
    int found = argent_memory_find(host, bytes, &place), imported = found && place.imported && place.bus_address != ARGENT_ADDRESS_UNKNOWN;
    if (!found || (place.pool != u->memory->pool && !imported)) {
        snprintf(u->text, sizeof u->text, "the accelerator reaches only memory of the u-dma-buf %s, which argent_allocate gives, and what argent_import_dmabuf gives",
                 u->memory->name);
        return ARGENT_UNSUPPORTED;
    }
    if ((access & ARGENT_WRITE) != 0 && !u->memory->coherent && imported && !is_whole(&place, bytes)) {
        snprintf(u->text, sizeof u->text, "the image is a part of its dma-buf, whose cache can be invalidated only as a whole, and the u-dma-buf %s is not coherent", u->memory->name);
        return ARGENT_UNSUPPORTED;
    }
    if ((access & ARGENT_WRITE) != 0 && !u->memory->coherent && ((access & ARGENT_GAPS) != 0 || !has_own_lines(&place, bytes))) {
        snprintf(u->text, sizeof u->text, "the image shares cache lines of %d bytes with other data, and the u-dma-buf %s is not coherent", ARGENT_CACHE_LINE, u->memory->name);
        return ARGENT_UNSUPPORTED;
    }
    *address = (imported ? place.bus_address : u->memory->bus_address) + place.offset;
    return argent_mappings_at(&u->mappings, host, bytes, access & ~(unsigned)ARGENT_GAPS, *address);
}

static int uio_unmap(void *state, uint64_t address) {
    struct uio *u = state;
    u->text[0] = 0;
    int code = argent_mappings_remove(&u->mappings, address);
    if (code != ARGENT_OK) snprintf(u->text, sizeof u->text, "nothing is mapped at address 0x%" PRIx64, address);
    return code;
}

static int uio_allocate(void *state, size_t bytes, void **host) {
    struct uio *u = state;
    *host = argent_memory_allocate(u->memory->pool, bytes);
    if (*host != NULL) return ARGENT_OK;
    snprintf(u->text, sizeof u->text, "the u-dma-buf %s has %" PRIu64 " bytes, and no %llu of them in one piece are free; load its module with more", u->memory->name,
             u->memory->bytes, (unsigned long long)bytes);
    return ARGENT_OUT_OF_MEMORY;
}

static void uio_free(void *state, void *host) {
    (void)state;
    argent_memory_free(host);
}

static int uio_arm(void *state, const struct argent_command *command) {
    struct uio *u = state;
    u->text[0] = 0;
    uint32_t control = 0;
    int code = uio_read(u, ARGENT_CONTROL, &control);
    if (code != ARGENT_OK) return code;
    /* One that was armed and not started, or has failed, is forgotten. */
    if ((control & ARGENT_CONTROL_IDLE) != 0) u->armed = 0;
    if (u->armed == 2) return ARGENT_BUSY;
    struct touched *t = &u->launches[u->armed];
    t->count = command->windows != NULL && command->window_count <= MAX_WINDOWS ? command->window_count : 0;
    for (size_t i = 0; i < t->count; i++) t->address[i] = command->windows[i].address;
    code = sync_launch(u, t, 1);
    if (code == ARGENT_OK) u->armed++;
    return code;
}

/* Sleeps until the interrupt comes, for at most so long. 1: it came; 0: it did not. */
static int sleep_for_interrupt(struct uio *u, int64_t microseconds) {
    uint32_t on = 1, count;
    if (!u->waits && write(u->interrupt, &on, sizeof on) != (ssize_t)sizeof on) goto lost;
    u->waits = 1;
    struct pollfd wanted = {u->interrupt, POLLIN, 0};
    struct timespec limit = {microseconds / 1000000, microseconds % 1000000 * 1000};
    int ready = ppoll(&wanted, 1, &limit, NULL);
    if (ready < 0 && errno != EINTR) goto lost;
    if (ready <= 0) return 0;
    if ((wanted.revents & POLLIN) == 0 || read(u->interrupt, &count, sizeof count) != (ssize_t)sizeof count) goto lost;
    u->waits = 0; /* the kernel has turned it off; on again when the register that raises it is cleared, which the caller does now */
    return 1;
lost:
    return gone(u, "the interrupt of the UIO device fails: ", errno != 0 ? strerror(errno) : "it has been removed");
}

/* Whether the interrupt came or not, the caller looks at the registers: one that is lost does no harm then. */
static int uio_wait(void *state, int64_t microseconds) {
    struct uio *u = state;
    u->text[0] = 0;
    errno = 0;
    if (u->interrupt >= 0) {
        int came = sleep_for_interrupt(u, microseconds);
        if (came < 0) return came;
    } else if (microseconds > 0) {
        struct timespec pause = {0, microseconds < 100 ? microseconds * 1000 : 100000};
        nanosleep(&pause, NULL);
    }
    uint32_t control = 0;
    int code = uio_read(u, ARGENT_CONTROL, &control);
    if (code != ARGENT_OK) return code;
    const int news = (control & ARGENT_CONTROL_IDLE) != 0 || u->told != u->ended;
    u->told = u->ended;
    return news;
}

static int uio_import(const char *rest, int fd, const void *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    struct parts p;
    char why[TEXT] = "";
    int code = parse(rest, &p, text, size);
    if (code != ARGENT_OK) return code;
    if (argent_board_access()->sync(fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW) != 0) {
        snprintf(why, sizeof why, "the descriptor is no dma-buf (%s); hardware needs memory that stays where it is", strerror(errno));
        code = ARGENT_BAD_ARGUMENT;
    } else {
        code = argent_dma_buf_address(fd, host, bytes, address, why, sizeof why);
    }
    if (code == ARGENT_OK && (*address > UINT32_MAX || bytes > (uint64_t)UINT32_MAX + 1 - *address)) {
        snprintf(why, sizeof why, "the dma-buf's %llu bytes at 0x%" PRIx64 " end beyond 4 GiB, and addresses have 32 bits", (unsigned long long)bytes, *address);
        code = ARGENT_UNSUPPORTED;
    }
    if (code != ARGENT_OK) snprintf(text, size, "device \"uio:%s\": %s", p.device, why);
    return code;
}

static void *uio_image(const char *rest, size_t bytes) {
    struct parts p;
    struct argent_u_dma_buf *memory;
    char text[TEXT];
    if (parse(rest, &p, text, sizeof text) != ARGENT_OK || argent_u_dma_buf_find(p.memory, &memory, text, sizeof text) != ARGENT_OK) return NULL;
    return argent_memory_allocate(memory->pool, bytes);
}

static const char *uio_text(void *state) { return ((struct uio *)state)->text; }

const struct argent_backend *argent_uio_backend(void) {
    static const struct argent_backend backend = {.scheme = "uio", .open = uio_open, .close = uio_close, .map = uio_map, .unmap = uio_unmap,
                                                  .allocate = uio_allocate, .free = uio_free, .read = uio_read, .write = uio_write,
                                                  .arm = uio_arm, .wait = uio_wait, .text = uio_text, .image = uio_image, .import = uio_import, .takes_two = 1};
    return &backend;
}
