/* Simulated devices (`sim:`, `sim:/path/lib.so` and `sim+unix:/path`): settings, counters of the ports, and the contract between the runtime and
 * a model. Everything about a simulation that can be set is here, and only here. */
#ifndef ARGENT_SIM_H
#define ARGENT_SIM_H

#include "argent_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- settings ------------------------------------------------------------------------------------------------ */

enum argent_sim_fault {
    ARGENT_FAULT_NONE,
    ARGENT_FAULT_SLVERR, /* the memory answers one beat (read) or burst (write) with SLVERR */
    ARGENT_FAULT_DECERR, /* ... with DECERR */
    ARGENT_FAULT_SILENT, /* the memory never answers that beat or burst, nor any later one; a stream stands still from it on */
    /* of input streams: */
    ARGENT_FAULT_SHORT, /* the row of that beat ends with it, the rest of it is not sent */
    ARGENT_FAULT_LONG,  /* the row of that beat has one beat more */
    ARGENT_FAULT_USER   /* TUSER of that beat is inverted: a frame begins there, or the frame's begin is not marked */
};

enum { ARGENT_SIM_READ_LATENCY = 20, ARGENT_SIM_WRITE_LATENCY = 10 }; /* of the reference memory */

/* 100000 clocks, or as many as a launch of the largest block takes if those are more: an accelerator with much look-ahead computes for long without a transfer. */
#define ARGENT_SIM_PATIENT UINT64_MAX

struct argent_sim_settings {
    /* The memory. The defaults are the reference memory: no stalls, one beat a clock. */
    uint32_t read_latency;  /* ARGENT_SIM_READ_LATENCY=20: clocks from the address to the first beat; of streams: from the start */
    uint32_t write_latency; /* ARGENT_SIM_WRITE_LATENCY=10: clocks from the last beat to the response */
    uint32_t beats, clocks; /* ARGENT_SIM_BANDWIDTH=1/1: at most so many beats in so many clocks, on each port */
    /* Random stalls of every channel, gaps in the data and jitter of the latency: 0 none, 100 very many. */
    uint32_t stalls;        /* ARGENT_SIM_STALLS=0 */
    uint64_t seed;          /* ARGENT_SIM_SEED=1: of the stalls and of what registers hold before the reset */
    /* Clocks without a transfer on any port after which a launch is given up (ARGENT_STUCK); 0: never. */
    uint64_t watchdog;      /* ARGENT_SIM_WATCHDOG, else ARGENT_SIM_PATIENT */
    /* Waveforms (FST, all signals) of the launches, from clock `from` to clock `to` of each; NULL: none. */
    const char *trace;      /* ARGENT_SIM_TRACE=file.fst */
    uint64_t trace_from;    /* ARGENT_SIM_TRACE_FROM=0 */
    uint64_t trace_to;      /* ARGENT_SIM_TRACE_TO=18446744073709551615 */
    /* Not 0: each launch finds the accelerator fresh from a reset with other random values in its registers. */
    uint32_t fresh;         /* ARGENT_SIM_FRESH=0 */
    /* A fault on the n-th (from 0) beat read, or burst written, of each launch through a port. */
    enum argent_sim_fault fault; /* ARGENT_SIM_FAULT=slverr:m_axi_padded:7 (or decerr, silent; short, long, user) */
    const char *fault_port;
    uint64_t fault_at;
};

/* What the environment says (the variables above), otherwise the defaults. */
void argent_sim_defaults(struct argent_sim_settings *settings);

/* The settings of all simulations that this process drives (those in a server too, but for waveforms, which the server's own
 * environment asks for); each uses them from its next launch on. Strings are copied. Until the
 * first call they are argent_sim_defaults. ARGENT_BAD_ARGUMENT (null, no beats or clocks). */
int argent_sim_set(const struct argent_sim_settings *settings);
void argent_sim_get(struct argent_sim_settings *settings);

/* ---- counters of a port, in the last launch -------------------------------------------------------------------- */

struct argent_sim_port_counts {
    const char *name;
    int writes;              /* 0: an input's port, 1: an output's */
    uint64_t bursts, beats;  /* that were transferred; a burst of a stream is a row */
    uint64_t bytes;          /* read: beats x bus width; written: strobes that were set; streams: of the image */
    uint64_t expected_bytes; /* of the armed windows; 0: unknown */
    uint64_t stalled;        /* clocks in which the accelerator offered or asked for data and the memory was not ready */
    uint64_t first, last;    /* clocks of the first and last beat, from the start */
};
/* ARGENT_BAD_ARGUMENT: no such port, or the device is no simulation. ARGENT_GONE (`sim+unix:`). */
int argent_sim_port(argent_device *device, uint32_t index, struct argent_sim_port_counts *port);

/* Clocks since the device was opened. ARGENT_BAD_ARGUMENT, ARGENT_GONE. */
int argent_sim_time(argent_device *device, uint64_t *clocks);

/* ---- worlds: who decides about time around a model (platform/) --------------------------------------------------- */

/* In place of the reference memory, and of clocks that follow each other at once. Called from within a model's functions. */
struct argent_sim_world {
    void *self;
    uint32_t outstanding; /* bursts of a port that may wait for an answer, at most 255 */
    /* A clock has ended; returns when the next one begins. Not 0: `run` is to return soon, others have something to do. */
    int (*clock)(void *self);
    /* A port has asked for a burst: a read with its address, a write with its last beat. To be answered by the model's `answer`, a port's
     * bursts in the order in which they were asked for; it may be called in here. */
    void (*burst)(void *self, uint32_t port, int writes, uint64_t address, uint32_t beats, uint32_t bytes);
    /* With the next clock a launch begins (1), or it has ended with this one (0), also one that was refused and never began. */
    void (*launch)(void *self, int begins);
};

/* ---- models: what the generated glue registers (sim/Glue.h) ------------------------------------------------------ */

enum { ARGENT_SIM_MODEL_VERSION = 4 };

struct argent_sim_model {
    uint32_t version; /* ARGENT_SIM_MODEL_VERSION */
    const char *name; /* the accelerator's */
    const void *pins; /* the harness's own description of it */
    /* NULL: out of memory. */
    void *(*create)(const struct argent_sim_model *model, const struct argent_sim_settings *settings);
    void (*destroy)(void *simulation);
    /* A pulse on the reset pin; `fresh`: of a model with other random values in its registers. Time goes on. */
    int (*reset)(void *simulation, int fresh);
    /* The mappings have changed; the list stays until the next call. */
    void (*mappings)(void *simulation, const struct argent_mapping *list, size_t count);
    /* Before a launch: settings (valid during the call) and windows. While one runs they are for the next one. */
    int (*arm)(void *simulation, const struct argent_sim_settings *settings, const struct argent_window *windows, size_t count);
    /* ... then what the DMA engine moves through stream ports in that launch. ARGENT_BAD_ARGUMENT: no such port. */
    int (*transfer)(void *simulation, const struct argent_window *transfers, size_t count);
    int (*read)(void *simulation, uint32_t offset, uint32_t *value);
    int (*write)(void *simulation, uint32_t offset, uint32_t value);
    /* At most so many clocks; 1: there may be news; 0: nothing yet; or a code: the launch is lost and a reset is needed. In a world also 2:
     * nothing has moved for long, so perhaps it has ended and its interrupt is lost; it goes on otherwise. */
    int (*run)(void *simulation, uint64_t clocks);
    int (*counter)(void *simulation, enum argent_count counter, uint64_t *value);
    int (*port)(void *simulation, uint32_t index, struct argent_sim_port_counts *port);
    uint64_t (*time)(void *simulation);
    /* Launches that were started and have not ended. */
    unsigned (*launches)(void *simulation);
    const char *(*text)(void *simulation);
    /* From now on `world` is around this simulation; it must stay. NULL: the reference memory again. */
    void (*attach)(void *simulation, const struct argent_sim_world *world);
    /* The first beat of that port's oldest unanswered read, or the response to its oldest unanswered write, comes in this clock (of `time`)
     * or as soon after it as the port is free. */
    void (*answer)(void *simulation, uint32_t port, uint64_t clock);
    struct argent_sim_model *next; /* of the registry */
};

/* Called by constructors, before main or in dlopen. The model must stay. */
void argent_sim_register(struct argent_sim_model *model);
struct argent_sim_model *argent_sim_registered(void); /* the first; go on with ->next */

/* The backend of `sim:`, which the runtime has built in. */
const struct argent_backend *argent_sim_backend(void);
/* Its `open` for other devices that are made of models: `wrap` (may be NULL) puts another model in the place of the one that was found. `scheme` and
 * `place` (a library, or empty: what is linked) are as in the URI. */
typedef int argent_sim_wrap(void *context, const struct argent_sim_model *model, const struct argent_sim_model **wrapped, char *text, size_t size);
int argent_sim_open(const char *scheme, const char *place, const char *accelerator, argent_sim_wrap *wrap, void *context, void **state, char *text,
                    size_t size);
/* The same as argent_sim_port and argent_sim_time, of this backend's state: for a server. */
int argent_sim_state_port(void *state, uint32_t index, struct argent_sim_port_counts *port);
uint64_t argent_sim_state_time(void *state);

#ifdef __cplusplus
}
#endif
#endif
