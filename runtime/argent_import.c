#define _GNU_SOURCE
#include "argent_import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "argent_memory.h"

/* What could shrink while it is mapped would be a way to end this process. */
static int check_descriptor(int fd, size_t bytes, char *text, size_t size) {
    if (fcntl(fd, F_GETFD) < 0) {
        snprintf(text, size, "descriptor %d is not open", fd);
        return ARGENT_BAD_ARGUMENT;
    }
    int64_t has = argent_memory_fixed_bytes(fd);
    if (has < 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0) has = argent_memory_fixed_bytes(fd);
    if (has < 0) {
        snprintf(text, size, "descriptor %d is no dma-buf, and no memfd that could be sealed against shrinking (MFD_ALLOW_SEALING)", fd);
        return ARGENT_BAD_ARGUMENT;
    }
    if ((uint64_t)has < bytes) {
        snprintf(text, size, "the memory of descriptor %d has %lld bytes, not %llu", fd, (long long)has, (unsigned long long)bytes);
        return ARGENT_BAD_ARGUMENT;
    }
    return ARGENT_OK;
}

/* `own`: a copy of the descriptor that stays. Nothing is left mapped where it fails. */
static int map_and_add(const struct argent_backend *backend, const char *rest, int fd, int own, size_t bytes, uint64_t bus_address, void **host, char *text, size_t size) {
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, own, 0);
    if (base == MAP_FAILED) {
        snprintf(text, size, "the memory of the descriptor cannot be mapped: %s; whoever shares it must allow reading and writing (O_RDWR)", strerror(errno));
        return ARGENT_SYSTEM;
    }
    int code = backend->import != NULL ? backend->import(rest, fd, base, bytes, &bus_address, text, size) : ARGENT_OK;
    if (code == ARGENT_OK && !argent_memory_import(base, bytes, own, bus_address)) {
        snprintf(text, size, "more than %d segments of memory", ARGENT_MEMORY_SEGMENTS);
        code = ARGENT_OUT_OF_MEMORY;
    }
    if (code != ARGENT_OK)
        munmap(base, bytes);
    else
        *host = base;
    return code;
}

int argent_import(const struct argent_backend *backend, const char *rest, int fd, size_t bytes, uint64_t bus_address, void **host, char *text, size_t size) {
    if (backend->import == NULL && backend->allocate != NULL) {
        snprintf(text, size, "%s: devices have memory of their own only; copy the image into it (argent_allocate)", backend->scheme);
        return ARGENT_UNSUPPORTED;
    }
    int code = check_descriptor(fd, bytes, text, size);
    if (code != ARGENT_OK) return code;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0) {
        snprintf(text, size, "descriptor %d cannot be kept: %s", fd, strerror(errno));
        return ARGENT_SYSTEM;
    }
    code = map_and_add(backend, rest, fd, own, bytes, bus_address, host, text, size);
    if (code != ARGENT_OK) close(own);
    return code;
}

int argent_release_dmabuf(void *host) {
    size_t bytes = 0;
    int fd = -1;
    if (host == NULL) return ARGENT_OK;
    int code = argent_memory_forget(host, &bytes, &fd);
    if (code != ARGENT_OK) return code;
    munmap(host, bytes);
    close(fd);
    return ARGENT_OK;
}
