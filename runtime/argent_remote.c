#define _GNU_SOURCE
#include "argent_remote.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "argent_memory.h"
#include "argent_wire.h"

/* Segments have one number on both sides. */
typedef char as_many_segments[(int)ARGENT_WIRE_SEGMENTS == (int)ARGENT_MEMORY_SEGMENTS ? 1 : -1];

struct remote {
    int socket;
    int gone;                                /* nothing is sent any more */
    uint64_t shared[ARGENT_WIRE_SEGMENTS];   /* the serial of the segment that the server knows by this number; 0: none */
    pthread_mutex_t asking;                  /* one question at a time; the counters of ports are asked without the device's mutex */
    char ports[ARGENT_WIRE_WINDOWS][ARGENT_WIRE_NAME]; /* names that argent_remote_port gave; each is written once */
    char text[ARGENT_WIRE_TEXT];
};

static int gone(struct remote *r, const char *why) {
    r->gone = 1;
    if (r->socket >= 0) shutdown(r->socket, SHUT_RDWR); /* a server that comes to itself again must not wait for more, and keep the accelerator */
    snprintf(r->text, sizeof r->text, "the simulator server %s", why);
    return ARGENT_GONE;
}

static int send_message(struct remote *r, struct argent_wire_head *message, int fd) {
    struct iovec part = {message, message->bytes};
    union {
        struct cmsghdr aligned;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr m;
    memset(&m, 0, sizeof m);
    memset(&control, 0, sizeof control);
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    if (fd >= 0) {
        m.msg_control = &control;
        m.msg_controllen = sizeof control;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    ssize_t sent;
    do sent = sendmsg(r->socket, &m, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)message->bytes ? ARGENT_OK : gone(r, sent < 0 && errno == EAGAIN ? "takes no messages" : "has ended");
}

static int ask_alone(struct remote *r, uint32_t kind, void *message, size_t bytes, int fd, void *answer, size_t answer_bytes) {
    r->text[0] = 0;
    if (r->gone) return gone(r, "is gone since an earlier call; close the device and open it again");
    struct argent_wire_head *head = message;
    head->magic = ARGENT_WIRE_MAGIC;
    head->kind = kind;
    head->bytes = (uint32_t)bytes;
    head->code = 0;
    int code = send_message(r, head, fd);
    if (code != ARGENT_OK) return code;

    union {
        struct argent_wire_head head;
        struct argent_wire_error error;
    } got;
    ssize_t n;
    do n = recv(r->socket, &got, sizeof got, MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return gone(r, "does not answer (ARGENT_REMOTE_TIMEOUT_MS)");
    if (n <= 0) return gone(r, "has ended");
    if ((size_t)n < sizeof got.head || (size_t)n > sizeof got || got.head.magic != ARGENT_WIRE_MAGIC || got.head.bytes != (uint32_t)n ||
        got.head.kind != kind)
        return gone(r, "answers in a way that this program does not understand; build both from the same Argent");
    if (got.head.code < 0) {
        if ((size_t)n < sizeof got) got.error.text[(size_t)n - sizeof got.head] = 0;
        got.error.text[sizeof got.error.text - 1] = 0;
        memcpy(r->text, got.error.text, sizeof r->text);
        if (got.head.code == ARGENT_GONE) r->gone = 1;
        return got.head.code;
    }
    if ((size_t)n != answer_bytes) return gone(r, "answers with a message of another length; build both from the same Argent");
    memcpy(answer, &got, answer_bytes);
    return got.head.code;
}

/* Sends a message and takes the answer, which has the same form unless its code is negative. */
static int ask(struct remote *r, uint32_t kind, void *message, size_t bytes, int fd, void *answer, size_t answer_bytes) {
    pthread_mutex_lock(&r->asking);
    int code = ask_alone(r, kind, message, bytes, fd, answer, answer_bytes);
    pthread_mutex_unlock(&r->asking);
    return code;
}

/* ---- the backend ---- */

static void remote_close(void *state) {
    struct remote *r = state;
    pthread_mutex_destroy(&r->asking);
    if (r->socket >= 0) {
        /* The accelerator is free when this returns: the server closes its end when it has let go of all. */
        char nothing;
        if (!r->gone && shutdown(r->socket, SHUT_WR) == 0)
            while (recv(r->socket, &nothing, sizeof nothing, 0) > 0) continue;
        close(r->socket);
    }
    free(r);
}

static void limit_waits(int socket) {
    const char *s = getenv("ARGENT_REMOTE_TIMEOUT_MS");
    long ms = s != NULL && *s != 0 ? strtol(s, NULL, 10) : 0;
    if (ms <= 0) ms = 30000;
    struct timeval limit;
    limit.tv_sec = ms / 1000;
    limit.tv_usec = ms % 1000 * 1000;
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

/* Connects to the server at `path`. */
static int reach(struct remote *r, const char *path, const char *accelerator, char *text, size_t size) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (path[0] == 0 || strlen(path) >= sizeof address.sun_path) {
        snprintf(text, size, "device \"sim+unix:%s\": the path of a socket has 1 to %u bytes, this one has %u", path,
                 (unsigned)sizeof address.sun_path - 1, (unsigned)strlen(path));
        return ARGENT_NO_DEVICE;
    }
    strcpy(address.sun_path, path);
    r->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (r->socket < 0) {
        snprintf(text, size, "device \"sim+unix:%s\": no socket: %s", path, strerror(errno));
        return ARGENT_SYSTEM;
    }
    limit_waits(r->socket);
    if (connect(r->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        snprintf(text, size, "device \"sim+unix:%s\": no simulator server listens there (%s); start one: argent-sim-server %s lib%s_sim.so", path,
                 strerror(errno), path, accelerator);
        return ARGENT_NO_DEVICE;
    }
    return ARGENT_OK;
}

static int remote_open(const char *path, const char *accelerator, void **state, char *text, size_t size) {
    struct remote *r = calloc(1, sizeof *r);
    if (r == NULL) return ARGENT_OUT_OF_MEMORY;
    r->socket = -1;
    pthread_mutex_init(&r->asking, NULL);
    int code = reach(r, path, accelerator, text, size);
    if (code == ARGENT_OK) {
        struct argent_wire_hello hello;
        memset(&hello, 0, sizeof hello);
        hello.version = ARGENT_WIRE_VERSION;
        snprintf(hello.accelerator, sizeof hello.accelerator, "%s", accelerator);
        code = ask(r, ARGENT_WIRE_HELLO, &hello, sizeof hello, -1, &hello, sizeof hello);
        if (code != ARGENT_OK) snprintf(text, size, "device \"sim+unix:%s\": %s", path, r->text);
    }
    if (code != ARGENT_OK) {
        remote_close(r);
        return code;
    }
    *state = r;
    return ARGENT_OK;
}

static int remote_reset(void *state) {
    struct argent_wire_head head;
    return ask(state, ARGENT_WIRE_RESET, &head, sizeof head, -1, &head, sizeof head);
}

/* Segments that have been forgotten here. */
static int unshare_old(struct remote *r) {
    int code = ARGENT_OK;
    for (uint32_t i = 0; i < ARGENT_WIRE_SEGMENTS && code == ARGENT_OK; i++) {
        if (r->shared[i] == 0 || r->shared[i] == argent_memory_serial(i)) continue;
        struct argent_wire_share share;
        memset(&share, 0, sizeof share);
        share.segment = i;
        code = ask(r, ARGENT_WIRE_UNSHARE, &share, sizeof share, -1, &share, sizeof share);
        if (code == ARGENT_OK) r->shared[i] = 0;
    }
    return code;
}

/* Makes sure that the server has the segment. */
static int share(struct remote *r, const struct argent_memory_place *place) {
    if (r->shared[place->segment] == place->serial) return ARGENT_OK;
    int code = unshare_old(r);
    if (code != ARGENT_OK) return code;
    struct argent_wire_share share;
    memset(&share, 0, sizeof share);
    share.segment = place->segment;
    share.bytes = place->segment_bytes;
    code = ask(r, ARGENT_WIRE_SHARE, &share, sizeof share, place->fd, &share, sizeof share);
    if (code == ARGENT_OK) r->shared[place->segment] = place->serial;
    return code;
}

static int remote_map(void *state, void *host, size_t bytes, unsigned access, uint64_t *address) {
    struct remote *r = state;
    struct argent_memory_place place;
    r->text[0] = 0;
    if (!argent_memory_find(host, bytes, &place) || place.fd < 0) {
        snprintf(r->text, sizeof r->text, "the simulator server reaches only memory that argent_allocate or argent_import_dmabuf gave");
        return ARGENT_UNSUPPORTED;
    }
    int code = share(r, &place);
    if (code != ARGENT_OK) return code;
    struct argent_wire_map map;
    memset(&map, 0, sizeof map);
    map.segment = place.segment;
    map.access = access & ~(unsigned)ARGENT_GAPS;
    map.offset = place.offset;
    map.bytes = bytes;
    code = ask(r, ARGENT_WIRE_MAP, &map, sizeof map, -1, &map, sizeof map);
    if (code == ARGENT_OK) *address = map.address;
    return code;
}

static int remote_unmap(void *state, uint64_t address) {
    struct argent_wire_map map;
    memset(&map, 0, sizeof map);
    map.address = address;
    return ask(state, ARGENT_WIRE_UNMAP, &map, sizeof map, -1, &map, sizeof map);
}

/* The server maps the same descriptor when a launch first uses it. */
static int remote_import(const char *path, int fd, const void *host, size_t bytes, uint64_t *bus_address, char *text, size_t size) {
    (void)path, (void)fd, (void)host, (void)bytes, (void)bus_address, (void)text, (void)size;
    return ARGENT_OK;
}

static void *remote_image(const char *path, size_t bytes) {
    (void)path;
    return argent_memory_allocate(ARGENT_MEMORY_SHARED, bytes);
}

static int remote_allocate(void *state, size_t bytes, void **host) {
    struct remote *r = state;
    *host = argent_memory_allocate(ARGENT_MEMORY_SHARED, bytes);
    if (*host != NULL) return ARGENT_OK;
    snprintf(r->text, sizeof r->text, "no shared memory for %llu bytes", (unsigned long long)bytes);
    return ARGENT_OUT_OF_MEMORY;
}

static void remote_free(void *state, void *host) {
    (void)state;
    argent_memory_free(host);
}

static int remote_read(void *state, uint32_t offset, uint32_t *value) {
    struct argent_wire_register m;
    memset(&m, 0, sizeof m);
    m.offset = offset;
    int code = ask(state, ARGENT_WIRE_READ, &m, sizeof m, -1, &m, sizeof m);
    if (code == ARGENT_OK) *value = m.value;
    return code;
}

static int remote_write(void *state, uint32_t offset, uint32_t value) {
    struct argent_wire_register m;
    memset(&m, 0, sizeof m);
    m.offset = offset;
    m.value = value;
    return ask(state, ARGENT_WIRE_WRITE, &m, sizeof m, -1, &m, sizeof m);
}

/* The settings of this process are those of the simulation, as with `sim:`. */
static void fill_settings(struct argent_wire_settings *to) {
    struct argent_sim_settings s;
    argent_sim_get(&s);
    to->read_latency = s.read_latency;
    to->write_latency = s.write_latency;
    to->beats = s.beats;
    to->clocks = s.clocks;
    to->stalls = s.stalls;
    to->fresh = s.fresh;
    to->fault = s.fault;
    to->seed = s.seed;
    to->watchdog = s.watchdog;
    to->fault_at = s.fault_at;
    if (s.fault_port != NULL) snprintf(to->fault_port, sizeof to->fault_port, "%s", s.fault_port);
}

static int too_many_windows(struct remote *r, size_t count) {
    snprintf(r->text, sizeof r->text, "a launch with %u windows; a simulator server takes at most %u", (unsigned)count, (unsigned)ARGENT_WIRE_WINDOWS);
    return ARGENT_UNSUPPORTED;
}

static void fill_windows(struct argent_wire_window *to, const struct argent_window *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        snprintf(to[i].port, sizeof to[i].port, "%s", from[i].port);
        to[i].access = from[i].access;
        to[i].dimensions = from[i].dimensions;
        to[i].address = from[i].address;
        memcpy(to[i].extent, from[i].extent, sizeof to[i].extent);
        memcpy(to[i].stride, from[i].stride, sizeof to[i].stride);
    }
}

static int remote_arm(void *state, const struct argent_command *command) {
    struct remote *r = state;
    struct argent_wire_arm arm;
    memset(&arm, 0, sizeof arm);
    if (command->window_count > ARGENT_WIRE_WINDOWS) return too_many_windows(r, command->window_count);
    fill_settings(&arm.settings);
    arm.given = command->windows != NULL;
    arm.window_count = arm.given ? (uint32_t)command->window_count : 0;
    fill_windows(arm.windows, command->windows, arm.window_count);
    struct argent_wire_head answer;
    return ask(r, ARGENT_WIRE_ARM, &arm, offsetof(struct argent_wire_arm, windows) + arm.window_count * sizeof arm.windows[0], -1, &answer, sizeof answer);
}

static int remote_transfer(void *state, const struct argent_window *transfers, size_t count) {
    struct remote *r = state;
    struct argent_wire_transfer m;
    memset(&m, 0, sizeof m);
    if (count > ARGENT_WIRE_WINDOWS) return too_many_windows(r, count);
    m.window_count = (uint32_t)count;
    fill_windows(m.windows, transfers, count);
    struct argent_wire_head answer;
    return ask(r, ARGENT_WIRE_TRANSFER, &m, offsetof(struct argent_wire_transfer, windows) + count * sizeof m.windows[0], -1, &answer, sizeof answer);
}

static int ask_number(void *state, uint32_t kind, uint64_t *number) {
    struct argent_wire_number m;
    memset(&m, 0, sizeof m);
    m.number = *number;
    int code = ask(state, kind, &m, sizeof m, -1, &m, sizeof m);
    if (code >= 0) *number = m.number;
    return code;
}

static int remote_wait(void *state, int64_t microseconds) {
    uint64_t number = microseconds > 0 ? (uint64_t)microseconds : 0;
    return ask_number(state, ARGENT_WIRE_WAIT, &number);
}

static int remote_counter(void *state, enum argent_count counter, uint64_t *value) {
    uint64_t number = counter;
    int code = ask_number(state, ARGENT_WIRE_COUNTER, &number);
    if (code == ARGENT_OK) *value = number;
    return code;
}

static const char *remote_text(void *state) { return ((struct remote *)state)->text; }

const struct argent_backend *argent_remote_backend(void) {
    static const struct argent_backend backend = {.scheme = "sim+unix", .open = remote_open, .close = remote_close, .reset = remote_reset,
                                                  .map = remote_map, .unmap = remote_unmap, .allocate = remote_allocate, .free = remote_free,
                                                  .read = remote_read, .write = remote_write, .arm = remote_arm, .wait = remote_wait,
                                                  .counter = remote_counter, .text = remote_text, .transfer = remote_transfer,
                                                  .image = remote_image, .import = remote_import, .takes_two = 1};
    return &backend;
}

int argent_remote_port(void *state, uint32_t index, struct argent_sim_port_counts *port) {
    struct remote *r = state;
    struct argent_wire_port m;
    memset(&m, 0, sizeof m);
    m.index = index;
    if (index >= ARGENT_WIRE_WINDOWS) return ARGENT_BAD_ARGUMENT;
    int code = ask(r, ARGENT_WIRE_PORT, &m, sizeof m, -1, &m, sizeof m);
    if (code != ARGENT_OK) return code;
    m.name[sizeof m.name - 1] = 0;
    pthread_mutex_lock(&r->asking);
    if (r->ports[index][0] == 0) memcpy(r->ports[index], m.name, sizeof m.name);
    pthread_mutex_unlock(&r->asking);
    memset(port, 0, sizeof *port);
    port->name = r->ports[index];
    port->writes = m.writes != 0;
    port->bursts = m.bursts;
    port->beats = m.beats;
    port->bytes = m.bytes;
    port->expected_bytes = m.expected_bytes;
    port->stalled = m.stalled;
    port->first = m.first;
    port->last = m.last;
    return ARGENT_OK;
}

int argent_remote_time(void *state, uint64_t *clocks) {
    *clocks = 0;
    return ask_number(state, ARGENT_WIRE_TIME, clocks);
}
