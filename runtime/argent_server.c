#define _GNU_SOURCE
#include "argent_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "argent_memory.h"
#include "argent_sim.h"
#include "argent_wire.h"

enum { MAX_MAPPINGS = 1024, MAX_WAIT_US = 100000, CLAIM_ATTEMPTS = 50, CLAIM_PAUSE_NS = 10000000 };
static const int64_t max_rows = 1 << 20, max_bytes = (int64_t)1 << 32;

struct shared {
    uint8_t *base; /* NULL: none */
    uint64_t bytes;
};

struct session {
    const struct argent_serve_options *options;
    int socket;
    void *state; /* of the backend, from HELLO on */
    struct shared shared[ARGENT_WIRE_SEGMENTS];
    struct argent_mappings mappings; /* what exists now */
    uint64_t shared_bytes;
    off_t claim; /* a byte of options->claims */
    char text[ARGENT_WIRE_TEXT]; /* why the last request failed */
    union {
        struct argent_wire_head head;
        struct argent_wire_hello hello;
        struct argent_wire_share share;
        struct argent_wire_map map;
        struct argent_wire_register reg;
        struct argent_wire_arm arm;
        struct argent_wire_transfer transfer;
        struct argent_wire_number number;
        struct argent_wire_port port;
        uint8_t raw[ARGENT_WIRE_LARGEST];
    } in; /* the request, and then the answer */
};

/* ---- messages ---- */

static int transmit(struct session *s, const void *message, uint32_t bytes) {
    ssize_t sent;
    do sent = send(s->socket, message, bytes, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)bytes;
}

static int answer(struct session *s, uint32_t kind, int code, uint32_t bytes) {
    struct argent_wire_error error;
    if (code >= 0) {
        s->in.head.bytes = bytes;
        s->in.head.code = code;
        return transmit(s, &s->in, bytes);
    }
    memset(&error, 0, sizeof error);
    snprintf(error.text, sizeof error.text, "%s", s->text[0] != 0 ? s->text : argent_error_text(code));
    error.head.magic = ARGENT_WIRE_MAGIC;
    error.head.kind = kind;
    error.head.bytes = (uint32_t)(sizeof error.head + strlen(error.text) + 1);
    error.head.code = code;
    return transmit(s, &error, error.head.bytes);
}

/* One packet into s->in. Its length, 0: the client has left. `fd`: the descriptor that came with it, or -1; others are closed. */
static ssize_t receive(struct session *s, int *fd) {
    struct iovec part = {&s->in, sizeof s->in};
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct msghdr m;
    memset(&m, 0, sizeof m);
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    m.msg_control = &control;
    m.msg_controllen = sizeof control;
    ssize_t n;
    do n = recvmsg(s->socket, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    *fd = -1;
    if (n <= 0) return 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
            int one;
            memcpy(&one, CMSG_DATA(c) + i * sizeof one, sizeof one);
            if (*fd < 0)
                *fd = one;
            else
                close(one);
        }
    }
    return (m.msg_flags & MSG_TRUNC) != 0 ? (ssize_t)sizeof s->in + 1 : n;
}

/* ---- requests: each returns a code and, where that is negative, may have set s->text ---- */

#define FAIL(session, code, ...) (snprintf((session)->text, sizeof(session)->text, __VA_ARGS__), (code))

static int backend_says(struct session *s, int code) {
    const char *text = code < 0 && s->options->backend->text != NULL ? s->options->backend->text(s->state) : NULL;
    if (text != NULL) snprintf(s->text, sizeof s->text, "%s", text);
    return code;
}

/* Locks or frees the accelerator's byte of the file of claims. The lock goes with this process, however it ends. */
static int lock_claim(struct session *s, short how) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = how;
    lock.l_whence = SEEK_SET;
    lock.l_start = s->claim;
    lock.l_len = 1;
    return fcntl(s->options->claims, F_SETLK, &lock);
}

static int claim(struct session *s, const char *accelerator) {
    if (s->options->claims < 0) return ARGENT_OK;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const char *c = accelerator; *c != 0; c++) hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    s->claim = (off_t)(hash >> 2 & 0x7fffffff);
    /* The server of a client that has just died needs a moment to notice. */
    for (int attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
        if (lock_claim(s, F_WRLCK) == 0) return ARGENT_OK;
        struct timespec pause = {0, CLAIM_PAUSE_NS};
        nanosleep(&pause, NULL);
    }
    return FAIL(s, ARGENT_BUSY, "accelerator \"%s\" is in use by another process; wait until that has closed it", accelerator);
}

static int hello(struct session *s) {
    struct argent_wire_hello *m = &s->in.hello;
    if (s->state != NULL) return FAIL(s, ARGENT_BAD_ARGUMENT, "this connection has opened its accelerator already");
    if (m->version != ARGENT_WIRE_VERSION)
        return FAIL(s, ARGENT_UNSUPPORTED, "the program speaks version %u of the protocol, this simulator server version %u; build both from the same Argent",
                    (unsigned)m->version, (unsigned)ARGENT_WIRE_VERSION);
    if (memchr(m->accelerator, 0, sizeof m->accelerator) == NULL) return FAIL(s, ARGENT_BAD_ARGUMENT, "the accelerator's name has no end");
    int code = claim(s, m->accelerator);
    if (code != ARGENT_OK) return code;
    code = ARGENT_NO_ACCELERATOR;
    for (size_t i = 0; i < s->options->place_count && code == ARGENT_NO_ACCELERATOR; i++) {
        s->text[0] = 0;
        code = s->options->backend->open(s->options->places[i], m->accelerator, &s->state, s->text, sizeof s->text);
    }
    return code;
}

static int share(struct session *s, int fd) {
    uint64_t bytes = s->in.share.bytes;
    uint32_t segment = s->in.share.segment;
    if (fd < 0) return FAIL(s, ARGENT_BAD_ARGUMENT, "memory to share without a descriptor");
    if (segment >= ARGENT_WIRE_SEGMENTS) return FAIL(s, ARGENT_OUT_OF_MEMORY, "more than %u segments of memory", (unsigned)ARGENT_WIRE_SEGMENTS);
    if (s->shared[segment].base != NULL) return FAIL(s, ARGENT_BAD_ARGUMENT, "segment %u is shared already", (unsigned)segment);
    if (bytes == 0 || bytes > s->options->memory - s->shared_bytes)
        return FAIL(s, ARGENT_OUT_OF_MEMORY,
                    "the simulated memory has %llu MiB, %llu of them in use; %llu bytes more do not fit (argent-sim-server --memory=MIB)",
                    (unsigned long long)(s->options->memory >> 20), (unsigned long long)(s->shared_bytes >> 20), (unsigned long long)bytes);
    /* A file that could shrink would be a way to kill this process. */
    int64_t has = argent_memory_fixed_bytes(fd);
    if (has < 0) return FAIL(s, ARGENT_BAD_ARGUMENT, "shared memory must be a dma-buf, or a memfd that is sealed against shrinking");
    if ((uint64_t)has < bytes)
        return FAIL(s, ARGENT_BAD_ARGUMENT, "the shared memory is smaller than its message says");
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return FAIL(s, ARGENT_SYSTEM, "the shared memory cannot be mapped: %s", strerror(errno));
    s->shared[segment].base = base;
    s->shared[segment].bytes = bytes;
    s->shared_bytes += bytes;
    return ARGENT_OK;
}

static int never_shared(struct session *s, uint32_t segment) {
    if (segment < ARGENT_WIRE_SEGMENTS && s->shared[segment].base != NULL) return 0;
    return FAIL(s, ARGENT_BAD_ARGUMENT, "segment %u was never shared", (unsigned)segment);
}

static int unshare(struct session *s) {
    if (never_shared(s, s->in.share.segment) != 0) return ARGENT_BAD_ARGUMENT;
    struct shared *of = &s->shared[s->in.share.segment];
    for (size_t i = 0; i < s->mappings.count; i++)
        if ((uintptr_t)s->mappings.list[i].host - (uintptr_t)of->base < of->bytes)
            return FAIL(s, ARGENT_BUSY, "segment %u is mapped at address 0x%llx", (unsigned)s->in.share.segment, (unsigned long long)s->mappings.list[i].address);
    munmap(of->base, of->bytes);
    s->shared_bytes -= of->bytes;
    of->base = NULL;
    return ARGENT_OK;
}

static int map(struct session *s) {
    struct argent_wire_map *m = &s->in.map;
    if (never_shared(s, m->segment) != 0) return ARGENT_BAD_ARGUMENT;
    const struct shared *of = &s->shared[m->segment];
    if (m->bytes == 0 || m->bytes > of->bytes || m->offset > of->bytes - m->bytes)
        return FAIL(s, ARGENT_BAD_ARGUMENT, "the range to map is not in its segment");
    if (m->access == 0 || m->access > (ARGENT_READ | ARGENT_WRITE)) return FAIL(s, ARGENT_BAD_ARGUMENT, "memory is mapped to be read, written, or both");
    if (s->mappings.count == MAX_MAPPINGS) return FAIL(s, ARGENT_OUT_OF_MEMORY, "more than %d mappings", MAX_MAPPINGS);
    int code = s->options->backend->map(s->state, of->base + m->offset, m->bytes, m->access, &m->address);
    if (code != ARGENT_OK) return backend_says(s, code);
    code = argent_mappings_at(&s->mappings, of->base + m->offset, m->bytes, m->access, m->address);
    if (code != ARGENT_OK) s->options->backend->unmap(s->state, m->address);
    return code;
}

static int unmap(struct session *s) {
    int code = s->options->backend->unmap(s->state, s->in.map.address);
    if (code == ARGENT_OK) argent_mappings_remove(&s->mappings, s->in.map.address);
    return backend_says(s, code);
}

static int access_register(struct session *s, int writes) {
    struct argent_wire_register *m = &s->in.reg;
    if ((m->offset & 3) != 0 || m->offset >= 4096) return FAIL(s, ARGENT_BAD_ARGUMENT, "no register is at 0x%x", (unsigned)m->offset);
    const struct argent_backend *b = s->options->backend;
    return backend_says(s, writes ? b->write(s->state, m->offset, m->value) : b->read(s->state, m->offset, &m->value));
}

static int check_window(struct session *s, const struct argent_wire_window *w) {
    if (memchr(w->port, 0, sizeof w->port) == NULL || (w->access != ARGENT_READ && w->access != ARGENT_WRITE) || w->dimensions < 1 || w->dimensions > 4)
        return FAIL(s, ARGENT_BAD_ARGUMENT, "a window's port, access or dimensions make no sense");
    int64_t rows = 1;
    for (int d = 0; d < w->dimensions; d++) {
        int64_t limit = d == 0 ? max_bytes : max_rows;
        if (w->extent[d] < 1 || w->extent[d] > limit || w->stride[d] > max_bytes || w->stride[d] < -max_bytes)
            return FAIL(s, ARGENT_BAD_ARGUMENT, "a window's dimension %d has extent %lld and stride %lld", d, (long long)w->extent[d], (long long)w->stride[d]);
        if (d > 0) rows *= w->extent[d];
        if (rows > max_rows) return FAIL(s, ARGENT_BAD_ARGUMENT, "a window has more than %lld rows", (long long)max_rows);
    }
    return ARGENT_OK;
}

static int take_settings(struct session *s, struct argent_wire_settings *w) {
    if (w->beats == 0 || w->clocks == 0 || w->stalls > 100 || w->fault > ARGENT_FAULT_USER ||
        memchr(w->fault_port, 0, sizeof w->fault_port) == NULL)
        return FAIL(s, ARGENT_BAD_ARGUMENT, "settings of the simulation that make no sense");
    struct argent_sim_settings to;
    argent_sim_get(&to);
    to.read_latency = w->read_latency;
    to.write_latency = w->write_latency;
    to.beats = w->beats;
    to.clocks = w->clocks;
    to.stalls = w->stalls;
    to.fresh = w->fresh;
    to.fault = (enum argent_sim_fault)w->fault;
    to.seed = w->seed;
    to.watchdog = w->watchdog;
    to.fault_at = w->fault_at;
    to.fault_port = w->fault != ARGENT_FAULT_NONE ? w->fault_port : NULL;
    return argent_sim_set(&to);
}

static int take_windows(struct session *s, const struct argent_wire_window *from, uint32_t count, struct argent_window *to) {
    int code = ARGENT_OK;
    for (uint32_t i = 0; i < count && code == ARGENT_OK; i++) {
        code = check_window(s, &from[i]);
        to[i].port = from[i].port;
        to[i].access = from[i].access;
        to[i].address = from[i].address;
        to[i].dimensions = from[i].dimensions;
        memcpy(to[i].extent, from[i].extent, sizeof to[i].extent);
        memcpy(to[i].stride, from[i].stride, sizeof to[i].stride);
    }
    return code;
}

static int arm(struct session *s) {
    struct argent_wire_arm *m = &s->in.arm;
    struct argent_window windows[ARGENT_WIRE_WINDOWS];
    int code = take_settings(s, &m->settings);
    if (code == ARGENT_OK) code = take_windows(s, m->windows, m->window_count, windows);
    if (code != ARGENT_OK || s->options->backend->arm == NULL) return code;
    struct argent_command command;
    memset(&command, 0, sizeof command);
    command.windows = m->given ? windows : NULL;
    command.window_count = m->given ? m->window_count : 0;
    return backend_says(s, s->options->backend->arm(s->state, &command));
}

static int transfer(struct session *s) {
    struct argent_window windows[ARGENT_WIRE_WINDOWS];
    if (s->options->backend->transfer == NULL) return FAIL(s, ARGENT_UNSUPPORTED, "the server's device has no DMA engine for AXI4-Stream ports");
    int code = take_windows(s, s->in.transfer.windows, s->in.transfer.window_count, windows);
    if (code != ARGENT_OK) return code;
    return backend_says(s, s->options->backend->transfer(s->state, windows, s->in.transfer.window_count));
}

static int wait(struct session *s) {
    uint64_t us = s->in.number.number;
    return backend_says(s, s->options->backend->wait(s->state, us < MAX_WAIT_US ? (int64_t)us : MAX_WAIT_US));
}

static int reset(struct session *s) {
    if (s->options->backend->reset == NULL) return ARGENT_UNSUPPORTED;
    return backend_says(s, s->options->backend->reset(s->state));
}

static int counter(struct session *s) {
    uint64_t which = s->in.number.number;
    if (which >> ARGENT_COUNT_SLOT > 2 || (which & ((1 << ARGENT_COUNT_SLOT) - 1)) >= ARGENT_COUNTERS) return ARGENT_BAD_ARGUMENT;
    if (s->options->backend->counter == NULL) return ARGENT_UNSUPPORTED;
    return backend_says(s, s->options->backend->counter(s->state, (enum argent_count)which, &s->in.number.number));
}

static int port(struct session *s) {
    struct argent_wire_port *m = &s->in.port;
    struct argent_sim_port_counts counts;
    if (strcmp(s->options->backend->scheme, "sim") != 0) return ARGENT_UNSUPPORTED;
    int code = argent_sim_state_port(s->state, m->index, &counts);
    if (code != ARGENT_OK) return code;
    snprintf(m->name, sizeof m->name, "%s", counts.name);
    m->writes = counts.writes != 0;
    m->bursts = counts.bursts;
    m->beats = counts.beats;
    m->bytes = counts.bytes;
    m->expected_bytes = counts.expected_bytes;
    m->stalled = counts.stalled;
    m->first = counts.first;
    m->last = counts.last;
    return ARGENT_OK;
}

static int time_of(struct session *s) {
    if (strcmp(s->options->backend->scheme, "sim") != 0) return ARGENT_UNSUPPORTED;
    s->in.number.number = argent_sim_state_time(s->state);
    return ARGENT_OK;
}

static int obey(struct session *s, int fd) {
    s->text[0] = 0;
    if (s->in.head.kind == ARGENT_WIRE_HELLO) return hello(s);
    if (s->state == NULL) return FAIL(s, ARGENT_BAD_ARGUMENT, "this connection has not opened an accelerator");
    switch (s->in.head.kind) {
    case ARGENT_WIRE_SHARE: return share(s, fd);
    case ARGENT_WIRE_UNSHARE: return unshare(s);
    case ARGENT_WIRE_MAP: return map(s);
    case ARGENT_WIRE_UNMAP: return unmap(s);
    case ARGENT_WIRE_READ: return access_register(s, 0);
    case ARGENT_WIRE_WRITE: return access_register(s, 1);
    case ARGENT_WIRE_ARM: return arm(s);
    case ARGENT_WIRE_WAIT: return wait(s);
    case ARGENT_WIRE_RESET: return reset(s);
    case ARGENT_WIRE_COUNTER: return counter(s);
    case ARGENT_WIRE_PORT: return port(s);
    case ARGENT_WIRE_TRANSFER: return transfer(s);
    default: return time_of(s);
    }
}

/* ---- the session ---- */

/* `fixed` bytes, and as many windows as the message says, if it is long enough to say that. */
static size_t with_windows(size_t fixed, size_t received, const uint32_t *count) {
    if (received < fixed || *count > ARGENT_WIRE_WINDOWS) return fixed;
    return fixed + *count * sizeof(struct argent_wire_window);
}

/* Bytes that a request of this kind has; 0: no such kind. */
static size_t request_bytes(const struct session *s, size_t received) {
    switch (s->in.head.kind) {
    case ARGENT_WIRE_HELLO: return sizeof(struct argent_wire_hello);
    case ARGENT_WIRE_SHARE:
    case ARGENT_WIRE_UNSHARE: return sizeof(struct argent_wire_share);
    case ARGENT_WIRE_MAP:
    case ARGENT_WIRE_UNMAP: return sizeof(struct argent_wire_map);
    case ARGENT_WIRE_READ:
    case ARGENT_WIRE_WRITE: return sizeof(struct argent_wire_register);
    case ARGENT_WIRE_ARM: return with_windows(offsetof(struct argent_wire_arm, windows), received, &s->in.arm.window_count);
    case ARGENT_WIRE_TRANSFER: return with_windows(offsetof(struct argent_wire_transfer, windows), received, &s->in.transfer.window_count);
    case ARGENT_WIRE_RESET: return sizeof(struct argent_wire_head);
    case ARGENT_WIRE_WAIT:
    case ARGENT_WIRE_COUNTER:
    case ARGENT_WIRE_TIME: return sizeof(struct argent_wire_number);
    case ARGENT_WIRE_PORT: return sizeof(struct argent_wire_port);
    default: return 0;
    }
}

/* Whether the packet is a message; otherwise s->text says what it is. */
static int understood(struct session *s, size_t n) {
    s->text[0] = 0;
    if (n > sizeof s->in) return FAIL(s, 0, "a message of more than %u bytes", (unsigned)sizeof s->in);
    if (n < sizeof s->in.head) return FAIL(s, 0, "a message of %u bytes, which is less than its head", (unsigned)n);
    if (s->in.head.magic != ARGENT_WIRE_MAGIC) return FAIL(s, 0, "a message that does not begin as Argent's do");
    if (s->in.head.bytes != n) return FAIL(s, 0, "a message that says it has %u bytes came with %u", (unsigned)s->in.head.bytes, (unsigned)n);
    size_t wanted = request_bytes(s, n);
    if (wanted == 0) return FAIL(s, 0, "a message of the unknown kind %u", (unsigned)s->in.head.kind);
    if (wanted != n) return FAIL(s, 0, "a message of kind %u has %u bytes, not %u", (unsigned)s->in.head.kind, (unsigned)wanted, (unsigned)n);
    return 1;
}

static void end(struct session *s) {
    if (s->state != NULL) s->options->backend->close(s->state);
    for (uint32_t i = 0; i < ARGENT_WIRE_SEGMENTS; i++)
        if (s->shared[i].base != NULL) munmap(s->shared[i].base, s->shared[i].bytes);
    argent_mappings_free(&s->mappings);
    if (s->options->claims >= 0) lock_claim(s, F_UNLCK);
    free(s);
}

int argent_serve(int socket, const struct argent_serve_options *options, char *why, size_t size) {
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) return ARGENT_OUT_OF_MEMORY;
    s->options = options;
    s->socket = socket;
    int result = ARGENT_OK, fd;
    ssize_t n;
    while ((n = receive(s, &fd)) > 0) {
        int good = understood(s, (size_t)n), code = ARGENT_PROTOCOL;
        uint32_t kind = good || n >= (ssize_t)sizeof s->in.head ? s->in.head.kind : 0;
        if (good) code = obey(s, fd);
        if (fd >= 0) close(fd);
        /* The answer has the request's form, except that windows need not come back. */
        int windows = kind == ARGENT_WIRE_ARM || kind == ARGENT_WIRE_TRANSFER;
        if (!answer(s, kind, code, windows ? (uint32_t)sizeof s->in.head : (uint32_t)n)) break;
        if (!good) {
            snprintf(why, size, "%s", s->text);
            result = ARGENT_PROTOCOL;
            break;
        }
    }
    end(s);
    return result;
}
