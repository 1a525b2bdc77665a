/* The backend `sim:`: finds a model, gives host memory addresses, and passes settings on. The simulation itself is in sim/. */
#define _POSIX_C_SOURCE 200809L
#include "argent_sim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_device.h"
#include "argent_keep.h"
#include "argent_remote.h"

/* ---- settings ---- */

static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;
static struct argent_sim_settings settings_now;
static int settings_known; /* strings are argent_keep()'s, because a simulation may still read the old ones */

static uint64_t number(const char *name, uint64_t otherwise) {
    const char *s = getenv(name);
    if (s == NULL || *s == 0) return otherwise;
    char *end;
    unsigned long long v = strtoull(s, &end, 0);
    if (*end == 0) return v;
    fprintf(stderr, "argent: %s=\"%s\" is no number; %llu is used\n", name, s, (unsigned long long)otherwise);
    return otherwise;
}

void argent_sim_defaults(struct argent_sim_settings *s) {
    memset(s, 0, sizeof *s);
    s->read_latency = (uint32_t)number("ARGENT_SIM_READ_LATENCY", ARGENT_SIM_READ_LATENCY);
    s->write_latency = (uint32_t)number("ARGENT_SIM_WRITE_LATENCY", ARGENT_SIM_WRITE_LATENCY);
    s->beats = s->clocks = 1;
    const char *bandwidth = getenv("ARGENT_SIM_BANDWIDTH");
    unsigned beats, clocks;
    if (bandwidth != NULL && *bandwidth != 0) {
        if (sscanf(bandwidth, "%u/%u", &beats, &clocks) == 2 && beats > 0 && clocks > 0) {
            s->beats = beats;
            s->clocks = clocks;
        } else {
            fprintf(stderr, "argent: ARGENT_SIM_BANDWIDTH=\"%s\" is not beats/clocks; 1/1 is used\n", bandwidth);
        }
    }
    s->stalls = (uint32_t)number("ARGENT_SIM_STALLS", 0);
    s->seed = number("ARGENT_SIM_SEED", 1);
    s->watchdog = number("ARGENT_SIM_WATCHDOG", ARGENT_SIM_PATIENT);
    s->trace = getenv("ARGENT_SIM_TRACE");
    if (s->trace != NULL && s->trace[0] == 0) s->trace = NULL;
    s->trace_from = number("ARGENT_SIM_TRACE_FROM", 0);
    s->trace_to = number("ARGENT_SIM_TRACE_TO", UINT64_MAX);
    s->fresh = (uint32_t)number("ARGENT_SIM_FRESH", 0);
    const char *fault = getenv("ARGENT_SIM_FAULT");
    if (fault != NULL && *fault != 0) {
        char kind[16], port[128];
        unsigned long long at;
        if (sscanf(fault, "%15[^:]:%127[^:]:%llu", kind, port, &at) == 3) {
            static const char *const kinds[] = {"", "slverr", "decerr", "silent", "short", "long", "user"};
            for (int k = ARGENT_FAULT_SLVERR; k <= ARGENT_FAULT_USER; k++)
                if (strcmp(kind, kinds[k]) == 0) s->fault = (enum argent_sim_fault)k;
            s->fault_at = at;
            pthread_mutex_lock(&settings_lock);
            s->fault_port = argent_keep(port);
            pthread_mutex_unlock(&settings_lock);
        }
        if (s->fault == ARGENT_FAULT_NONE)
            fprintf(stderr, "argent: ARGENT_SIM_FAULT=\"%s\" is not kind:port:n, with one of slverr, decerr, silent, short, long, user\n", fault);
    }
}

int argent_sim_set(const struct argent_sim_settings *s) {
    if (s == NULL || s->beats == 0 || s->clocks == 0) return ARGENT_BAD_ARGUMENT;
    pthread_mutex_lock(&settings_lock);
    settings_now = *s;
    settings_now.trace = argent_keep(s->trace);
    settings_now.fault_port = argent_keep(s->fault_port);
    settings_known = 1;
    pthread_mutex_unlock(&settings_lock);
    return ARGENT_OK;
}

void argent_sim_get(struct argent_sim_settings *s) {
    pthread_mutex_lock(&settings_lock);
    int known = settings_known;
    if (known) *s = settings_now;
    pthread_mutex_unlock(&settings_lock);
    if (known) return;
    argent_sim_defaults(s);
    argent_sim_set(s);
}

/* ---- the backend ---- */

struct sim {
    const struct argent_sim_model *model;
    void *simulation;
    void *library;
    struct argent_mappings mappings;
    int lost; /* something failed that only a reset can mend: the next launch begins with one */
    char text[256];
};

static const struct argent_sim_model *find_model(const struct argent_sim_model *first, const char *accelerator) {
    for (const struct argent_sim_model *m = first; m != NULL; m = m->next)
        if (strcmp(m->name, accelerator) == 0 && m->version == ARGENT_SIM_MODEL_VERSION) return m;
    return NULL;
}

/* The models of a list as `a, b`, for messages. */
static void list_models(const struct argent_sim_model *first, char *out, size_t size) {
    snprintf(out, size, "%s", first == NULL ? "none" : "");
    for (const struct argent_sim_model *m = first; m != NULL; m = m->next) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s%s", used != 0 ? ", " : "", m->name,
                 m->version == ARGENT_SIM_MODEL_VERSION ? "" : " (of another version of Argent)");
    }
}

static int load(struct sim *s, const char *path, const char *accelerator, char *text, size_t size) {
    s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (s->library == NULL) {
        snprintf(text, size, "device \"sim:%s\": %s", path, dlerror());
        return ARGENT_NO_DEVICE;
    }
    /* Its constructors have registered with its own list, or with ours where that is visible to it. */
    struct argent_sim_model *(*registered)(void);
    *(void **)&registered = dlsym(s->library, "argent_sim_registered");
    const struct argent_sim_model *first = registered != NULL ? registered() : NULL;
    s->model = find_model(first, accelerator);
    if (s->model == NULL) s->model = find_model(argent_sim_registered(), accelerator);
    if (s->model == NULL) {
        char known[512];
        list_models(first, known, sizeof known);
        snprintf(text, size, "device \"sim:%s\" holds no model of \"%s\"; its models: %s", path, accelerator, known);
        return ARGENT_NO_ACCELERATOR;
    }
    return ARGENT_OK;
}

/* A folder of ARGENT_SIM_PATH that holds lib<accelerator>_sim.so. */
static int search(struct sim *s, const char *accelerator, char *text, size_t size) {
    const char *path = getenv("ARGENT_SIM_PATH");
    while (path != NULL && *path != 0) {
        size_t n = strcspn(path, ":");
        char file[1024];
        snprintf(file, sizeof file, "%.*s/lib%s_sim.so", (int)n, path, accelerator);
        FILE *f = fopen(file, "rb");
        if (f != NULL) {
            fclose(f);
            return load(s, file, accelerator, text, size);
        }
        path += n + (path[n] == ':');
    }
    return ARGENT_NO_ACCELERATOR;
}

static void sim_close(void *state) {
    struct sim *s = state;
    if (s->simulation != NULL) s->model->destroy(s->simulation);
    argent_mappings_free(&s->mappings);
    /* The library stays loaded: a model's name may still stand in somebody's message. */
    free(s);
}

int argent_sim_open(const char *scheme, const char *place, const char *accelerator, argent_sim_wrap *wrap, void *context, void **state, char *text,
                    size_t size) {
    struct sim *s = calloc(1, sizeof *s);
    if (s == NULL) return ARGENT_OUT_OF_MEMORY;
    int code = ARGENT_OK;
    if (place[0] != 0) {
        code = load(s, place, accelerator, text, size);
    } else if ((s->model = find_model(argent_sim_registered(), accelerator)) == NULL) {
        code = search(s, accelerator, text, size);
        if (code == ARGENT_NO_ACCELERATOR && text[0] == 0) {
            char known[512];
            list_models(argent_sim_registered(), known, sizeof known);
            snprintf(text, size,
                     "device \"%s:\" has no model of \"%s\" (linked models: %s); link %s_sim, name its library (sim:/path/lib%s_sim.so), or "
                     "put its folder into ARGENT_SIM_PATH",
                     scheme, accelerator, known, accelerator, accelerator);
        }
    }
    if (code == ARGENT_OK && wrap != NULL) code = wrap(context, s->model, &s->model, text, size);
    if (code == ARGENT_OK) {
        struct argent_sim_settings settings;
        argent_sim_get(&settings);
        s->simulation = s->model->create(s->model, &settings);
        if (s->simulation == NULL) {
            snprintf(text, size, "out of memory for the model of \"%s\"", accelerator);
            code = ARGENT_OUT_OF_MEMORY;
        }
    }
    if (code != ARGENT_OK) {
        sim_close(s);
        return code;
    }
    *state = s;
    return ARGENT_OK;
}

static int sim_open(const char *rest, const char *accelerator, void **state, char *text, size_t size) {
    return argent_sim_open("sim", rest, accelerator, NULL, NULL, state, text, size);
}

static int sim_reset(void *state) {
    struct sim *s = state;
    s->lost = 0;
    s->text[0] = 0;
    return s->model->reset(s->simulation, 0);
}

static int sim_map(void *state, void *host, size_t bytes, unsigned access, uint64_t *address) {
    struct sim *s = state;
    s->text[0] = 0;
    int code = argent_mappings_add(&s->mappings, host, bytes, access & ~(unsigned)ARGENT_GAPS, address);
    if (code != ARGENT_OK)
        snprintf(s->text, sizeof s->text, "no 32-bit addresses left for %llu bytes; %llu ranges are mapped", (unsigned long long)bytes,
                 (unsigned long long)s->mappings.count);
    s->model->mappings(s->simulation, s->mappings.list, s->mappings.count);
    return code;
}

static int sim_unmap(void *state, uint64_t address) {
    struct sim *s = state;
    s->text[0] = 0;
    int code = argent_mappings_remove(&s->mappings, address);
    if (code != ARGENT_OK) snprintf(s->text, sizeof s->text, "nothing is mapped at address 0x%llx", (unsigned long long)address);
    s->model->mappings(s->simulation, s->mappings.list, s->mappings.count);
    return code;
}

static int sim_read(void *state, uint32_t offset, uint32_t *value) {
    struct sim *s = state;
    s->text[0] = 0;
    int code = s->model->read(s->simulation, offset, value);
    if (code != ARGENT_OK) s->lost = 1;
    return code;
}

static int sim_write(void *state, uint32_t offset, uint32_t value) {
    struct sim *s = state;
    s->text[0] = 0;
    int code = s->model->write(s->simulation, offset, value);
    if (code != ARGENT_OK) s->lost = 1;
    return code;
}

static int sim_arm(void *state, const struct argent_command *command) {
    struct sim *s = state;
    struct argent_sim_settings settings;
    argent_sim_get(&settings);
    s->text[0] = 0;
    if (!s->lost && settings.fresh != 0 && s->model->launches(s->simulation) != 0) return ARGENT_BUSY; /* a new model only for a new beginning */
    if (s->lost || settings.fresh != 0) {
        s->lost = 0;
        int code = s->model->reset(s->simulation, settings.fresh != 0);
        if (code != ARGENT_OK) return code;
    }
    int code = s->model->arm(s->simulation, &settings, command->windows, command->window_count);
    if (code != ARGENT_OK) s->lost = 1;
    return code;
}

static int sim_transfer(void *state, const struct argent_window *transfers, size_t count) {
    struct sim *s = state;
    int code = s->model->transfer(s->simulation, transfers, count);
    if (code != ARGENT_OK) s->lost = 1;
    return code;
}

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int sim_wait(void *state, int64_t microseconds) {
    struct sim *s = state;
    s->text[0] = 0;
    int64_t start = now_us();
    for (;;) {
        int news = s->model->run(s->simulation, 1024);
        if (news < 0) s->lost = 1;
        if (news != 0 || now_us() - start >= microseconds) return news;
    }
}

static int sim_counter(void *state, enum argent_count counter, uint64_t *value) {
    struct sim *s = state;
    return s->model->counter(s->simulation, counter, value);
}

static const char *sim_text(void *state) {
    struct sim *s = state;
    return s->text[0] != 0 ? s->text : s->model->text(s->simulation);
}

const struct argent_backend *argent_sim_backend(void) {
    static const struct argent_backend backend = {.scheme = "sim", .open = sim_open, .close = sim_close, .reset = sim_reset, .map = sim_map,
                                                  .unmap = sim_unmap, .read = sim_read, .write = sim_write, .arm = sim_arm, .wait = sim_wait,
                                                  .counter = sim_counter, .text = sim_text, .transfer = sim_transfer, .takes_two = 1};
    return &backend;
}

int argent_sim_state_port(void *state, uint32_t index, struct argent_sim_port_counts *port) {
    struct sim *s = state;
    return s->model->port(s->simulation, index, port);
}

uint64_t argent_sim_state_time(void *state) {
    struct sim *s = state;
    return s->model->time(s->simulation);
}

/* ---- any simulation, here or in a server ---- */

/* The state of a device that is made of a model in this process, or NULL. */
static void *state_here(argent_device *device) {
    void *sim = argent_device_state(device, "sim");
    return sim != NULL ? sim : argent_device_state(device, "platform");
}

int argent_sim_port(argent_device *device, uint32_t index, struct argent_sim_port_counts *port) {
    void *here = state_here(device), *there = argent_device_state(device, "sim+unix");
    if (port == NULL || (here == NULL && there == NULL)) return ARGENT_BAD_ARGUMENT;
    argent_lock(device); /* a reset makes its ports anew */
    int code = here != NULL ? argent_sim_state_port(here, index, port) : argent_remote_port(there, index, port);
    argent_unlock(device);
    return code;
}

int argent_sim_time(argent_device *device, uint64_t *clocks) {
    void *here = state_here(device), *there = argent_device_state(device, "sim+unix");
    if (clocks == NULL || (here == NULL && there == NULL)) return ARGENT_BAD_ARGUMENT;
    int code = ARGENT_OK;
    argent_lock(device);
    if (here == NULL) code = argent_remote_time(there, clocks);
    else *clocks = argent_sim_state_time(here);
    argent_unlock(device);
    return code;
}
