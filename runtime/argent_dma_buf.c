#define _GNU_SOURCE
#include "argent_dma_buf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "argent_board.h"
#include "argent_memory.h"
#include "argent_u_dma_buf.h"

/* The name of its exporter; 0: it has none. */
static int exporter_of(int fd, char *name, size_t size) {
    char path[ARGENT_BOARD_PATH], text[2048];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    int file = argent_board_open(path, O_RDONLY);
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
    char folder[ARGENT_BOARD_PATH], path[ARGENT_BOARD_PATH + ARGENT_BOARD_NAME];
    if (!exporter_of(fd, name, size) || strchr(name, '/') != NULL || !argent_u_dma_buf_folder(name, folder, sizeof folder)) return 0;
    snprintf(path, sizeof path, "%s/size", folder);
    if (!argent_board_number(path, bytes)) return 0;
    snprintf(path, sizeof path, "%s/phys_addr", folder);
    return argent_board_number(path, first);
}

/* The kernel's own word for pages of this process. */
static int address_by_pages(const uint8_t *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    enum { ENTRIES = 512 };
    const uint64_t present = (uint64_t)1 << 63, frame_mask = ((uint64_t)1 << 55) - 1, page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t count = (bytes + page_bytes - 1) / page_bytes, first = 0, entries[ENTRIES];
    int file = argent_board_open("/proc/self/pagemap", O_RDONLY), code = ARGENT_OK;
    for (uint64_t done = 0; done < count && code == ARGENT_OK; done += ENTRIES) {
        size_t n = count - done < ENTRIES ? (size_t)(count - done) : ENTRIES;
        for (size_t i = 0; i < n; i++) (void)*(volatile const uint8_t *)(host + (done + i) * page_bytes); /* pages come when they are touched */
        if (file < 0 || argent_board_access()->page_entries(file, (uintptr_t)host / page_bytes + done, entries, n) != 0) {
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

int argent_dma_buf_address(int fd, const void *host, size_t bytes, uint64_t *address, char *text, size_t size) {
    char name[ARGENT_BOARD_NAME];
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
