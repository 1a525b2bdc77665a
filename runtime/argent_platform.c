/* The backend `platform:`: loads the library that holds the board, and is `sim:` with its model on that board otherwise. */
#define _POSIX_C_SOURCE 200809L
#include "argent_platform.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct argent_platform_library *library_now;
static __thread char frame_text[1024];

/* NULL after a text. It stays loaded: SystemC cannot be started twice in a process. */
static const struct argent_platform_library *load_library(char *text, size_t size) {
    const char *path = getenv("ARGENT_PLATFORM");
    if (path == NULL || path[0] == 0) path = "libargent_platform.so";
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(text, size,
                 "the library of the platform cannot be loaded: %s; it is built where SystemC is (Debian: apt-get install libsystemc-dev), and "
                 "the variable ARGENT_PLATFORM can name its file",
                 dlerror());
        return NULL;
    }
    argent_platform_entry *entry;
    *(void **)&entry = dlsym(handle, ARGENT_PLATFORM_ENTRY);
    const struct argent_platform_library *library = entry != NULL ? entry() : NULL;
    if (library == NULL || library->version != ARGENT_PLATFORM_VERSION) {
        snprintf(text, size, "%s is no platform of this version of Argent", path);
        dlclose(handle);
        return NULL;
    }
    return library;
}

static const struct argent_platform_library *the_library(char *text, size_t size) {
    pthread_mutex_lock(&library_lock);
    if (library_now == NULL) library_now = load_library(text, size);
    const struct argent_platform_library *library = library_now;
    pthread_mutex_unlock(&library_lock);
    return library;
}

static int wrap(void *board, const struct argent_sim_model *model, const struct argent_sim_model **wrapped, char *text, size_t size) {
    const struct argent_platform_library *library = the_library(text, size);
    return library != NULL ? library->wrap(board, model, wrapped, text, size) : ARGENT_NO_DEVICE;
}

/* The model's library may be named behind all that the board is told: `pynq-z2,cpu=0,model=/path/lib.so`. */
static int platform_open(const char *rest, const char *accelerator, void **state, char *text, size_t size) {
    static const char option[] = ",model=";
    const char *model = strstr(rest, option);
    if (model == NULL) return argent_sim_open("platform", "", accelerator, wrap, (void *)rest, state, text, size);
    char board[1024];
    size_t length = (size_t)(model - rest);
    if (length >= sizeof board || model[sizeof option - 1] == 0) {
        snprintf(text, size, "device \"platform:%s\": model= wants the path of a model, lib<target>_sim.so", rest);
        return ARGENT_NO_DEVICE;
    }
    memcpy(board, rest, length);
    board[length] = 0;
    return argent_sim_open("platform", model + sizeof option - 1, accelerator, wrap, board, state, text, size);
}

static struct argent_backend backend;
static pthread_once_t backend_once = PTHREAD_ONCE_INIT;

static void make_backend(void) {
    backend = *argent_sim_backend();
    backend.scheme = "platform";
    backend.open = platform_open;
    backend.transfer = NULL; /* the board has no DMA engine for streams */
}

const struct argent_backend *argent_platform_backend(void) {
    pthread_once(&backend_once, make_backend);
    return &backend;
}

/* The board of a URI, or of ARGENT_DEVICE; NULL: another device, or no library (then *code is ARGENT_NO_DEVICE). */
static const char *board_of(const char *uri, const struct argent_platform_library **library, int *code) {
    static const char scheme[] = "platform:";
    if (uri == NULL) uri = getenv("ARGENT_DEVICE");
    frame_text[0] = 0;
    *code = ARGENT_OK;
    if (uri == NULL || strncmp(uri, scheme, sizeof scheme - 1) != 0) return NULL;
    *library = the_library(frame_text, sizeof frame_text);
    if (*library == NULL) *code = ARGENT_NO_DEVICE;
    return *library != NULL ? uri + sizeof scheme - 1 : NULL;
}

static int frame(const char *uri, int begins) {
    const struct argent_platform_library *library = NULL;
    int code = ARGENT_OK;
    const char *board = board_of(uri, &library, &code);
    return board != NULL ? library->frame(board, begins, frame_text, sizeof frame_text) : code;
}

int argent_platform_frame_begin(const char *uri) { return frame(uri, 1); }
int argent_platform_frame_end(const char *uri) { return frame(uri, 0); }

int argent_platform_compute(const char *uri, double seconds) {
    const struct argent_platform_library *library = NULL;
    int code = ARGENT_OK;
    if (!(seconds >= 0)) {
        snprintf(frame_text, sizeof frame_text, "argent_platform_compute wants seconds, not less than 0");
        return ARGENT_BAD_ARGUMENT;
    }
    const char *board = board_of(uri, &library, &code);
    return board != NULL ? library->compute(board, seconds, frame_text, sizeof frame_text) : code;
}

int argent_platform_time(const char *uri, uint64_t *picoseconds) {
    const struct argent_platform_library *library = NULL;
    int code = ARGENT_OK;
    *picoseconds = 0;
    const char *board = board_of(uri, &library, &code);
    return board != NULL ? library->time(board, picoseconds, frame_text, sizeof frame_text) : code;
}

int argent_platform_after(const char *uri, uint64_t picoseconds) {
    const struct argent_platform_library *library = NULL;
    int code = ARGENT_OK;
    const char *board = board_of(uri, &library, &code);
    return board != NULL ? library->after(board, picoseconds, frame_text, sizeof frame_text) : code;
}

const char *argent_platform_timeline(void) {
    pthread_mutex_lock(&library_lock);
    const struct argent_platform_library *library = library_now;
    pthread_mutex_unlock(&library_lock);
    return library != NULL ? library->timeline() : NULL;
}

const char *argent_platform_text(void) { return frame_text; }
