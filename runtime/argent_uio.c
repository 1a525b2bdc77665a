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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "argent_memory.h"

enum { MAP_BYTES = 4096, NAME = 64, PATH = 256, TEXT = 2048, MAX_BUFFERS = 16, MAX_WINDOWS = 32, CACHE_LINE = 64 };
static const int64_t idle_limit_us = 2000000; /* for what another process has left running */

/* ---- registers ---- */

/* Writes to images must have reached memory before the write that starts the accelerator, and what it has written must be seen after the read
 * that shows its end: barriers for devices, not only for other processors. */
static inline void bus_barrier(void) {
#if defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("dsb sy" ::: "memory");
#else
    __sync_synchronize();
#endif
}

static uint32_t plain_load(volatile const uint32_t *at) { return *at; }
static void plain_store(volatile uint32_t *at, uint32_t value) { *at = value; }

static int plain_sync(int dmabuf, uint64_t flags) {
    struct dma_buf_sync sync = {flags};
    int code;
    do code = ioctl(dmabuf, DMA_BUF_IOCTL_SYNC, &sync);
    while (code != 0 && (errno == EINTR || errno == EAGAIN));
    return code;
}

static int plain_page_entries(int pagemap, uint64_t page, uint64_t *entries, size_t n) {
    ssize_t bytes = (ssize_t)(n * sizeof *entries);
    return pread(pagemap, entries, (size_t)bytes, (off_t)(page * sizeof *entries)) == bytes ? 0 : -1;
}

static const struct argent_uio_access plain_access = {plain_load, plain_store, plain_sync, plain_page_entries};
static struct argent_uio_access chosen_access;
static const struct argent_uio_access *access_now = &plain_access;

void argent_uio_set_access(const struct argent_uio_access *access) {
    access_now = &plain_access;
    if (access == NULL) return;
    chosen_access.load = access->load != NULL ? access->load : plain_load;
    chosen_access.store = access->store != NULL ? access->store : plain_store;
    chosen_access.sync = access->sync != NULL ? access->sync : plain_sync;
    chosen_access.page_entries = access->page_entries != NULL ? access->page_entries : plain_page_entries;
    access_now = &chosen_access;
}

/* ---- small files ---- */

static const char *root(void) {
    const char *r = getenv("ARGENT_UIO_ROOT");
    return r != NULL ? r : "";
}

static int open_below_root(const char *path, int flags) {
    char full[4 * PATH];
    snprintf(full, sizeof full, "%s%s", root(), path);
    return open(full, flags | O_CLOEXEC | O_NOCTTY);
}

/* The first word of a file below the root as a number. 0: there is none. */
static int read_number(const char *path, uint64_t *value) {
    char text[64];
    int fd = open_below_root(path, O_RDONLY);
    if (fd < 0) return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0) return 0;
    text[n] = 0;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return errno == 0 && end != text;
}

/* ---- memory: u-dma-bufs, opened once per process ---- */

struct buffer {
    char name[NAME], root[PATH];
    int pool; /* of argent_memory.h */
    uint8_t *base;
    uint64_t bytes, bus_address;
    int coherent;                           /* caches are not to be thought of */
    int offset, size, direction, cpu, device; /* attributes of its sysfs folder */
};

static pthread_mutex_t buffers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer buffers[MAX_BUFFERS];
static int buffer_count;

/* The folder in sysfs; older drivers have another name for the class. 0: there is none. */
static int buffer_folder(const char *name, char *folder, size_t size) {
    static const char *const classes[] = {"u-dma-buf", "udmabuf"};
    for (int i = 0; i < 2; i++) {
        char path[PATH + NAME];
        uint64_t bytes;
        snprintf(folder, size, "/sys/class/%s/%s", classes[i], name);
        snprintf(path, sizeof path, "%s/size", folder);
        if (read_number(path, &bytes)) return 1;
    }
    return 0;
}

static int open_attribute(const char *folder, const char *name) {
    char path[2 * PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return open_below_root(path, O_WRONLY);
}

static int open_attributes(struct buffer *b, const char *folder) {
    b->offset = open_attribute(folder, "sync_offset");
    b->size = open_attribute(folder, "sync_size");
    b->direction = open_attribute(folder, "sync_direction");
    b->cpu = open_attribute(folder, "sync_for_cpu");
    b->device = open_attribute(folder, "sync_for_device");
    return b->offset >= 0 && b->size >= 0 && b->direction >= 0 && b->cpu >= 0 && b->device >= 0;
}

static void close_attributes(struct buffer *b) {
    const int all[] = {b->offset, b->size, b->direction, b->cpu, b->device};
    for (int i = 0; i < 5; i++)
        if (all[i] >= 0) close(all[i]);
}

static int open_buffer(struct buffer *b, const char *name, char *text, size_t size) {
    char folder[PATH], path[PATH + NAME];
    uint64_t coherent = 0;
    memset(b, 0, sizeof *b);
    b->offset = b->size = b->direction = b->cpu = b->device = -1;
    snprintf(b->name, sizeof b->name, "%s", name);
    snprintf(b->root, sizeof b->root, "%s", root());
    if (!buffer_folder(name, folder, sizeof folder)) {
        snprintf(text, size, "there is no u-dma-buf %s in /sys/class/u-dma-buf; load the module (modprobe u-dma-buf udmabuf0=67108864), or name another: uio:...,memory=NAME", name);
        return ARGENT_NO_DEVICE;
    }
    snprintf(path, sizeof path, "%s/size", folder);
    int known = read_number(path, &b->bytes);
    snprintf(path, sizeof path, "%s/phys_addr", folder);
    known = known && read_number(path, &b->bus_address) && b->bytes != 0 && b->bytes <= SIZE_MAX;
    snprintf(path, sizeof path, "%s/dma_coherent", folder);
    b->coherent = read_number(path, &coherent) && coherent != 0;
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
    int fd = open_below_root(path, O_RDWR);
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

static int find_buffer(const char *name, struct buffer **found, char *text, size_t size) {
    int code = ARGENT_OK;
    *found = NULL;
    pthread_mutex_lock(&buffers_lock);
    for (int i = 0; i < buffer_count; i++)
        if (strcmp(buffers[i].name, name) == 0 && strcmp(buffers[i].root, root()) == 0) *found = &buffers[i];
    if (*found == NULL && buffer_count == MAX_BUFFERS) {
        snprintf(text, size, "more than %d u-dma-bufs", MAX_BUFFERS);
        code = ARGENT_OUT_OF_MEMORY;
    } else if (*found == NULL && (code = open_buffer(&buffers[buffer_count], name, text, size)) == ARGENT_OK) {
        *found = &buffers[buffer_count++];
    }
    pthread_mutex_unlock(&buffers_lock);
    return code;
}

/* ---- the URI ---- */

struct parts {
    char device[PATH], interrupt[PATH], memory[NAME];
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
        if (strncmp(rest, "memory=", 7) == 0 && n > 7 && n - 7 < NAME) {
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

/* ---- memory of other drivers: where the hardware sees a dma-buf ---- */

/* The name of its exporter; 0: it has none. */
static int exporter_of(int fd, char *name, size_t size) {
    char path[PATH], text[TEXT];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    int file = open_below_root(path, O_RDONLY);
    ssize_t n = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) close(file);
    if (n <= 0) return 0;
    text[n] = 0;
    const char *key = "\nexp_name:", *at = strstr(text, key);
    if (at == NULL) return 0;
    at += strlen(key);
    at += strspn(at, " \t");
    snprintf(name, size, "%.*s", (int)strcspn(at, "\n"), at);
    return name[0] != 0;
}

/* A dma-buf that a u-dma-buf has exported: its name is the exporter's. 1: it is one, and where that lies is known. */
static int of_u_dma_buf(int fd, char *name, size_t size, uint64_t *first, uint64_t *bytes) {
    char folder[PATH], path[PATH + NAME];
    if (!exporter_of(fd, name, size) || strchr(name, '/') != NULL || !buffer_folder(name, folder, sizeof folder)) return 0;
    snprintf(path, sizeof path, "%s/size", folder);
    if (!read_number(path, bytes)) return 0;
    snprintf(path, sizeof path, "%s/phys_addr", folder);
    return read_number(path, first);
}

/* The kernel's own word for pages of this process. */
static int address_by_pages(const uint8_t *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    enum { ENTRIES = 512 };
    const uint64_t present = (uint64_t)1 << 63, frame_mask = ((uint64_t)1 << 55) - 1, page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t count = (bytes + page_bytes - 1) / page_bytes, first = 0, entries[ENTRIES];
    int file = open_below_root("/proc/self/pagemap", O_RDONLY), code = ARGENT_OK;
    for (uint64_t done = 0; done < count && code == ARGENT_OK; done += ENTRIES) {
        size_t n = count - done < ENTRIES ? (size_t)(count - done) : ENTRIES;
        for (size_t i = 0; i < n; i++) (void)*(volatile const uint8_t *)(host + (done + i) * page_bytes); /* pages come when they are touched */
        if (file < 0 || access_now->page_entries(file, (uintptr_t)host / page_bytes + done, entries, n) != 0) {
            snprintf(text, size, "/proc/self/pagemap cannot be read: %s; give the dma-buf's bus address", strerror(errno));
            code = ARGENT_SYSTEM;
        }
        for (size_t i = 0; i < n && code == ARGENT_OK; i++) {
            uint64_t frame = entries[i] & frame_mask;
            if (done + i == 0) first = frame;
            if ((entries[i] & present) != 0 && frame == first + done + i && frame != 0) continue;
            code = ARGENT_UNSUPPORTED;
            if ((entries[i] & present) == 0)
                snprintf(text, size, "the kernel does not tell where this dma-buf lies; give its bus address, or have a u-dma-buf export it");
            else if (frame == 0)
                snprintf(text, size, "this process may not know where its memory lies (CAP_SYS_ADMIN); give the dma-buf's bus address, or run as root");
            else
                snprintf(text, size, "the dma-buf is not in one piece: its page %" PRIu64 " of %" PRIu64 " does not follow the one before it; "
                         "allocate it in contiguous memory (CMA)", done + i, count);
        }
    }
    if (file >= 0) close(file);
    *address = first * page_bytes;
    return code;
}

static int bus_address_of(int fd, const void *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    char name[NAME];
    uint64_t first = 0, all = 0;
    if (of_u_dma_buf(fd, name, sizeof name, &first, &all)) {
        if (*address == ARGENT_ADDRESS_UNKNOWN) {
            if (argent_memory_fixed_bytes(fd) != (int64_t)all) {
                snprintf(text, size, "the dma-buf is a part of the u-dma-buf %s; give its bus address, which U_DMA_BUF_IOCTL_EXPORT has told", name);
                return ARGENT_UNSUPPORTED;
            }
            *address = first;
        } else if (*address < first || bytes > all || *address - first > all - bytes) {
            snprintf(text, size, "the dma-buf is of the u-dma-buf %s, at 0x%" PRIx64 " to 0x%" PRIx64 "; its %llu bytes cannot lie at 0x%" PRIx64, name, first,
                     first + all - 1, (unsigned long long)bytes, *address);
            return ARGENT_BAD_ARGUMENT;
        }
        return ARGENT_OK;
    }
    return *address != ARGENT_ADDRESS_UNKNOWN ? ARGENT_OK : address_by_pages(host, bytes, address, text, size);
}

static int uio_import(const char *rest, int fd, const void *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    struct parts p;
    char why[TEXT] = "";
    int code = parse(rest, &p, text, size);
    if (code != ARGENT_OK) return code;
    if (access_now->sync(fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW) != 0) {
        snprintf(why, sizeof why, "the descriptor is no dma-buf (%s); hardware needs memory that stays where it is", strerror(errno));
        code = ARGENT_BAD_ARGUMENT;
    } else {
        code = bus_address_of(fd, host, bytes, address, why, sizeof why);
    }
    if (code == ARGENT_OK && (*address > UINT32_MAX || bytes > (uint64_t)UINT32_MAX + 1 - *address)) {
        snprintf(why, sizeof why, "the dma-buf's %llu bytes at 0x%" PRIx64 " end beyond 4 GiB, and addresses have 32 bits", (unsigned long long)bytes, *address);
        code = ARGENT_UNSUPPORTED;
    }
    if (code != ARGENT_OK) snprintf(text, size, "device \"uio:%s\": %s", p.device, why);
    return code;
}

/* ---- devices ---- */

struct uio {
    int device, interrupt; /* files; interrupt -1: none */
    int waits;             /* the interrupt is enabled in the kernel */
    volatile uint32_t *registers;
    struct buffer *memory;
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
    if (access_now->sync(fd, flags) == 0) return ARGENT_OK;
    snprintf(u->text, sizeof u->text, "the cache of an imported dma-buf cannot be synchronised: %s", strerror(errno));
    return ARGENT_SYSTEM;
}

/* Takes care of the cache for what is mapped in [address, ...), of the device's own memory. Returns a code. */
static int sync_range(struct uio *u, const struct argent_mapping *m, int for_device) {
    enum { BOTH = 0, TO_DEVICE = 1, FROM_DEVICE = 2 };
    struct buffer *b = u->memory;
    int attribute = for_device ? b->device : b->cpu;
    /* A line of an output's edge may hold a neighbour's bytes: it is written back, never thrown away. */
    uint64_t direction = for_device ? (m->access == ARGENT_READ ? TO_DEVICE : BOTH) : FROM_DEVICE;
    uint64_t first = (uint64_t)(m->host - b->base) / CACHE_LINE * CACHE_LINE;
    uint64_t last = ((uint64_t)(m->host - b->base) + m->bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    const struct {
        int fd;
        uint64_t value;
    } steps[] = {{b->offset, first}, {b->size, last - first}, {b->direction, direction}, {attribute, 1}};
    for (int i = 0; i < 4; i++) {
        char text[24];
        int n = snprintf(text, sizeof text, "%" PRIu64 "\n", steps[i].value);
        if (write(steps[i].fd, text, (size_t)n) != n) {
            snprintf(u->text, sizeof u->text, "the cache of u-dma-buf %s cannot be synchronised: %s", b->name, strerror(errno));
            return ARGENT_SYSTEM;
        }
    }
    return ARGENT_OK;
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
        code = imported ? sync_dmabuf(u, place.fd, for_device, m->access) : sync_range(u, m, for_device);
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
    *value = access_now->load(u->registers + offset / 4);
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
    access_now->store(u->registers + offset / 4, value);
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
    u->device = open_below_root(p->device, O_RDWR);
    if (u->device < 0) {
        snprintf(text, size, "device \"uio:%s\": %s", p->device,
                 errno == ENOENT ? "there is no such file; is the accelerator in the device tree as generic-uio, and the bitstream loaded?" : strerror(errno));
        return ARGENT_NO_DEVICE;
    }
    if (flock(u->device, LOCK_EX | LOCK_NB) != 0) {
        snprintf(text, size, "device \"uio:%s\" is in use by another process; wait until that has closed it", p->device);
        return ARGENT_BUSY;
    }
    char path[PATH + NAME];
    const char *name = strrchr(p->device, '/') + 1;
    uint64_t bytes = 0;
    snprintf(path, sizeof path, "/sys/class/uio/%s/maps/map0/size", name);
    if (!read_number(path, &bytes) || bytes < MAP_BYTES) {
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
    u->interrupt = open_below_root(p->interrupt, O_RDWR);
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
    if (code == ARGENT_OK && (code = find_buffer(p.memory, &u->memory, u->text, sizeof u->text)) != ARGENT_OK)
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
    if (place->offset % CACHE_LINE == 0 && end % CACHE_LINE == 0) return 1;
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
        snprintf(u->text, sizeof u->text, "the image shares cache lines of %d bytes with other data, and the u-dma-buf %s is not coherent", CACHE_LINE, u->memory->name);
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

static void *uio_image(const char *rest, size_t bytes) {
    struct parts p;
    struct buffer *memory;
    char text[TEXT];
    if (parse(rest, &p, text, sizeof text) != ARGENT_OK || find_buffer(p.memory, &memory, text, sizeof text) != ARGENT_OK) return NULL;
    return argent_memory_allocate(memory->pool, bytes);
}

static const char *uio_text(void *state) { return ((struct uio *)state)->text; }

const struct argent_backend *argent_uio_backend(void) {
    static const struct argent_backend backend = {.scheme = "uio", .open = uio_open, .close = uio_close, .map = uio_map, .unmap = uio_unmap,
                                                  .allocate = uio_allocate, .free = uio_free, .read = uio_read, .write = uio_write,
                                                  .arm = uio_arm, .wait = uio_wait, .text = uio_text, .image = uio_image, .import = uio_import, .takes_two = 1};
    return &backend;
}
