#define _POSIX_C_SOURCE 200809L
#include "argent_mock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 4096 / 4 };

struct state {
    const struct argent_mock *mock;
    const struct argent_images *armed;     /* of the command that was armed last */
    const struct argent_images *images[2]; /* of the launches that were started, the older one first */
    uint32_t started, ended;               /* launches, since the reset */
    uint32_t registers[REGISTERS];
    struct argent_mappings mappings;
    char text[256];
};

static pthread_mutex_t mocks_lock = PTHREAD_MUTEX_INITIALIZER;
static struct argent_mock *mocks;

void argent_mock_add(struct argent_mock *mock) {
    pthread_mutex_lock(&mocks_lock);
    mock->next = mocks;
    mocks = mock;
    pthread_mutex_unlock(&mocks_lock);
}

static const struct argent_mock *find(const char *accelerator) {
    pthread_mutex_lock(&mocks_lock);
    const struct argent_mock *m = mocks;
    while (m != NULL && strcmp(m->accelerator, accelerator) != 0) m = m->next;
    pthread_mutex_unlock(&mocks_lock);
    return m;
}

static int reset_mock(void *state) {
    struct state *s = state;
    memset(s->registers, 0, sizeof s->registers);
    s->registers[ARGENT_ID / 4] = s->mock->id;
    s->registers[ARGENT_VERSION / 4] = ARGENT_LAYOUT_VERSION;
    s->started = s->ended = 0;
    return ARGENT_OK;
}

static uint32_t control_of(const struct state *s) {
    uint32_t waiting = s->started - s->ended;
    return (s->ended & 255) << ARGENT_CONTROL_ENDED | (waiting == 2 ? ARGENT_CONTROL_START : ARGENT_CONTROL_READY) |
           (waiting == 0 ? ARGENT_CONTROL_IDLE | (s->ended != 0 ? ARGENT_CONTROL_DONE : 0u) : 0u);
}

static int open_mock(const char *rest, const char *accelerator, void **state, char *text, size_t size) {
    if (rest[0] != 0) {
        snprintf(text, size, "device \"mock:%s\": nothing follows mock:", rest);
        return ARGENT_NO_DEVICE;
    }
    const struct argent_mock *mock = find(accelerator);
    if (mock == NULL) {
        snprintf(text, size, "device \"mock:\": %s is not linked into this program as something that the host's processor computes; link the library "
                 "<target>_mock of its add_argent_accelerator(<target>)", accelerator);
        return ARGENT_NO_ACCELERATOR;
    }
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(text, size, "out of memory");
        return ARGENT_OUT_OF_MEMORY;
    }
    s->mock = mock;
    *state = s;
    return reset_mock(s);
}

static void close_mock(void *state) {
    struct state *s = state;
    argent_mappings_free(&s->mappings);
    free(s);
}

static int map_mock(void *state, void *host, size_t bytes, unsigned access, uint64_t *address) {
    return argent_mappings_add(&((struct state *)state)->mappings, host, bytes, access, address);
}

static int unmap_mock(void *state, uint64_t address) { return argent_mappings_remove(&((struct state *)state)->mappings, address); }

static int read_mock(void *state, uint32_t offset, uint32_t *value) {
    struct state *s = state;
    *value = offset == ARGENT_CONTROL ? control_of(s) : s->registers[offset / 4];
    return ARGENT_OK;
}

static int write_mock(void *state, uint32_t offset, uint32_t value) {
    struct state *s = state;
    uint32_t *r = &s->registers[offset / 4];
    if (offset == ARGENT_CONTROL && (value & ARGENT_CONTROL_START) != 0) {
        if (s->started - s->ended < 2) s->images[s->started++ & 1] = s->armed;
    } else if (offset == ARGENT_INTERRUPT_STATUS) {
        *r &= ~value;
    } else if (offset != ARGENT_CONTROL && offset < ARGENT_ID) {
        *r = value;
    }
    return ARGENT_OK;
}

static int arm_mock(void *state, const struct argent_command *command) {
    struct state *s = state;
    s->armed = command->images;
    if (s->armed != NULL) return ARGENT_OK;
    snprintf(s->text, sizeof s->text, "mock: computes from images, and this command has none (argent_command.images); use sim: for launches that a program makes of registers");
    return ARGENT_UNSUPPORTED;
}

/* Streams are images, too. */
static int transfer_mock(void *state, const struct argent_window *transfers, size_t count) {
    (void)state, (void)transfers, (void)count;
    return ARGENT_OK;
}

static int wait_mock(void *state, int64_t microseconds) {
    (void)microseconds;
    struct state *s = state;
    if (s->started == s->ended) return 0;
    s->registers[ARGENT_INTERRUPT_STATUS / 4] = 1;
    int code = s->mock->compute(s->images[s->ended++ & 1]);
    if (code == 0) return 1;
    snprintf(s->text, sizeof s->text, "the host's processor could not compute %s: Halide's error %d", s->mock->accelerator, code);
    return ARGENT_SYSTEM;
}

static const char *text_mock(void *state) { return ((struct state *)state)->text; }

const struct argent_backend *argent_mock_backend(void) {
    static const struct argent_backend backend = {
        .scheme = "mock",
        .open = open_mock,
        .close = close_mock,
        .reset = reset_mock,
        .map = map_mock,
        .unmap = unmap_mock,
        .read = read_mock,
        .write = write_mock,
        .arm = arm_mock,
        .wait = wait_mock,
        .text = text_mock,
        .transfer = transfer_mock,
        .takes_two = 1,
    };
    return &backend;
}
