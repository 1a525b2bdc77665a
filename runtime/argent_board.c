#define _GNU_SOURCE
#include "argent_board.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

const struct argent_uio_access *argent_board_access(void) { return access_now; }

void argent_uio_set_access(const struct argent_uio_access *access) {
    access_now = &plain_access;
    if (access == NULL) return;
    chosen_access.load = access->load != NULL ? access->load : plain_load;
    chosen_access.store = access->store != NULL ? access->store : plain_store;
    chosen_access.sync = access->sync != NULL ? access->sync : plain_sync;
    chosen_access.page_entries = access->page_entries != NULL ? access->page_entries : plain_page_entries;
    access_now = &chosen_access;
}

const char *argent_board_root(void) {
    const char *r = getenv("ARGENT_UIO_ROOT");
    return r != NULL ? r : "";
}

int argent_board_open(const char *path, int flags) {
    char full[1024];
    snprintf(full, sizeof full, "%s%s", argent_board_root(), path);
    return open(full, flags | O_CLOEXEC | O_NOCTTY);
}

int argent_board_number(const char *path, uint64_t *value) {
    char text[64];
    int fd = argent_board_open(path, O_RDONLY);
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
