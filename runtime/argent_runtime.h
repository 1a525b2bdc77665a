/* Argent runtime: one small C99 interface to an accelerator, wherever it is.
 *
 *   URI                     what it is
 *   sim:                    a Verilator model that is linked into this process
 *   sim:/path/lib.so        the same, loaded at run time
 *   sim+unix:/path          a simulator server (argent-sim-server) that listens on this Unix socket
 *   uio:/dev/uio0           a board's fabric, under Linux (argent_uio.h)
 *   platform:pynq-z2        a model of the whole board around the Verilator model (argent_platform.h)
 *   mock:                   none: the host's processor computes, for tests of programs (argent_mock.h)
 *
 * Rules that hold for every call:
 * - It returns ARGENT_OK (0) or one of the negative codes below; `argent_error_text(code)` says what the code means and
 *   `argent_device_text(device)` what happened last on this device, with numbers.
 * - Any number of threads may use a device; a call that changes it excludes the others for as long as it runs, and
 *   argent_wait lets them in between.
 * - A failed call changes nothing that it does not say; the device stays usable unless the code is ARGENT_GONE.
 * - Offsets are bytes from the start of the register map. Addresses are those that the device sees. */
#ifndef ARGENT_RUNTIME_H
#define ARGENT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum argent_code {
    ARGENT_OK = 0,
    ARGENT_BAD_ARGUMENT = -1,    /* a null pointer, an odd offset, an empty range, an unknown ticket */
    ARGENT_NO_DEVICE = -2,       /* the URI names nothing that can be opened */
    ARGENT_NO_ACCELERATOR = -3,  /* the device is there, this accelerator is not in it */
    ARGENT_OUT_OF_MEMORY = -4,   /* of the host's memory, or of the device's address space */
    ARGENT_NOT_MAPPED = -5,      /* the range was never mapped, or is no longer */
    ARGENT_BUSY = -6,            /* the queue of launches is full; wait for one and try again */
    ARGENT_TIMEOUT = -7,         /* the launch still runs; wait again, or argent_reset */
    ARGENT_STUCK = -8,           /* nothing moves any more (simulation; the text says what waits for what) */
    ARGENT_BUS_ERROR = -9,       /* memory answered with an error: an access outside of what was mapped */
    ARGENT_PROTOCOL = -10,       /* a rule of the bus was broken (simulation; the text says which) */
    ARGENT_REFUSED = -11,        /* the hardware refuses the launch: a register is out of range */
    ARGENT_GONE = -12,           /* the device has vanished; close it and open it again */
    ARGENT_UNSUPPORTED = -13,    /* this kind of device cannot do that */
    ARGENT_SYSTEM = -14,         /* the operating system refused; the text has its reason */
    ARGENT_WRONG_ID = -15,       /* another accelerator, or another version of its register map */
    ARGENT_BAD_BUFFER = -16,     /* a buffer cannot be given to the accelerator (argent_launch) */
    ARGENT_CANCELLED = -17,      /* argent_cancel or argent_reset ended this launch */
    ARGENT_MISFRAMED = -18,      /* an input stream's rows or frames were not those of the registers; the output is not to be used */
    ARGENT_NO_MEMORY = -19,      /* nothing answers at an address (DECERR) */
    ARGENT_OUTSIDE = -20         /* the accelerator held back an access outside of the window that its registers give; the output is not to be used */
};

/* The part of the register map that all accelerators share (layout of ap_ctrl_hs). */
enum argent_register {
    ARGENT_CONTROL = 0x00,           /* bit 0 start: it waits, and its arguments have not been taken; 1 done; 2 idle: no launch runs or waits;
                                        3 ready: the next launch's arguments and start are taken; 16 to 23 launches that have ended */
    ARGENT_INTERRUPT_GLOBAL = 0x04,  /* bit 0: the interrupt pin is enabled */
    ARGENT_INTERRUPT_ENABLE = 0x08,  /* bit 0: the end of a launch raises it; 1: that it is ready for the next one */
    ARGENT_INTERRUPT_STATUS = 0x0c,  /* bit 0: a launch has ended; 1: the arguments of one were taken. A 1 written toggles its bit: write back what was read */
    ARGENT_ARGUMENTS = 0x10,         /* arguments from here, of the launch to come, also while one runs */
    ARGENT_ID = 0x800,               /* identification: a hash of the interface */
    ARGENT_VERSION = 0x804,          /* of this layout: ARGENT_LAYOUT_VERSION */
    ARGENT_CYCLES = 0x808,           /* clocks of the launch that ended last, 64 bits, low word first */
    ARGENT_STALLS_IN = 0x810,        /* clocks of it in which the core waited for an input */
    ARGENT_STALLS_OUT = 0x814,       /* ... for room in an output */
    ARGENT_ERROR = 0x818,            /* what went wrong in it; 0: nothing */
    ARGENT_REFUSED_BY = 0x81c,       /* not 0: it did not begin, because registers are out of range (a bit for each, in manifest.json) */
    ARGENT_ERROR_NOW = 0x820,        /* what has gone wrong so far in the launch that runs */
    ARGENT_RESULTS = 0x840,          /* + 8 to + 0x1c: ARGENT_CYCLES to ARGENT_REFUSED_BY of the launches 0, 2, 4 ... since reset, the last of them */
    ARGENT_RESULTS_ODD = 0x860,      /* the same of the launches 1, 3, 5 ...: what is known of a launch stays until the next but one has ended */
    ARGENT_TABLES = 0xc00            /* tables from here; written while no launch runs */
};
enum { ARGENT_LAYOUT_VERSION = 2 };
enum { ARGENT_CONTROL_START = 1, ARGENT_CONTROL_DONE = 2, ARGENT_CONTROL_IDLE = 4, ARGENT_CONTROL_READY = 8, ARGENT_CONTROL_ENDED = 16 /* shift */ };

typedef struct argent_device argent_device;
typedef uint64_t argent_ticket; /* a launch; counts up from 1 on each device */

/* ---- devices ------------------------------------------------------------------------------------------------- */

/* Opens `accelerator` (its name in manifest.json) on the device `uri`; NULL: the variable ARGENT_DEVICE, or `sim:`.
 * ARGENT_BAD_ARGUMENT, ARGENT_NO_DEVICE, ARGENT_NO_ACCELERATOR, ARGENT_OUT_OF_MEMORY, ARGENT_SYSTEM; `*device` is NULL then
 * and argent_open_text() says why. */
int argent_open(const char *uri, const char *accelerator, argent_device **device);

/* Ends what still runs, unmaps what is mapped and frees the device. NULL is fine. Nobody may use it any more.
 * Never fails (ARGENT_OK). */
int argent_close(argent_device *device);

/* Stops what runs and what waits (their tickets end with ARGENT_CANCELLED), puts the accelerator into its state after reset; mappings stay.
 * ARGENT_BAD_ARGUMENT, ARGENT_UNSUPPORTED, ARGENT_GONE. */
int argent_reset(argent_device *device);

/* What a code means; never NULL. */
const char *argent_error_text(int code);

/* What failed last on this device in this thread, or, if nothing has, in any, in full; "" if nothing has. Valid until this thread calls it again. */
const char *argent_device_text(argent_device *device);

/* Why this thread's last argent_open or argent_import_dmabuf failed; "" if it did not. Valid until its next one. */
const char *argent_open_text(void);

/* The URI and the accelerator's name as opened; valid until argent_close. */
const char *argent_device_uri(argent_device *device);
const char *argent_device_accelerator(argent_device *device);

/* ---- memory -------------------------------------------------------------------------------------------------- */

enum argent_access {
    ARGENT_READ = 1, /* what the device may do with it */
    ARGENT_WRITE = 2,
    ARGENT_GAPS = 4  /* argent_map: not with all of it, and others may be at work on the rest (a tile of a larger image) */
};

/* Lets the device reach [host, host + bytes), which stays the caller's, without a copy, and tells where the device sees it
 * (`*address` is equal to `host` modulo 128). The same memory may be mapped several times: each gets its own address.
 * ARGENT_BAD_ARGUMENT (empty, null), ARGENT_OUT_OF_MEMORY (no address left), ARGENT_UNSUPPORTED (memory of a kind that this
 * device cannot reach: take it from argent_allocate), ARGENT_GONE. */
int argent_map(argent_device *device, void *host, size_t bytes, unsigned access, uint64_t *address);

/* Ends the mapping at `address`. ARGENT_BAD_ARGUMENT, ARGENT_NOT_MAPPED, ARGENT_BUSY (a launch has not ended whose
 * windows or transfers lie in it, or that has no windows). */
int argent_unmap(argent_device *device, uint64_t address);

/* Memory that the device can reach, aligned to 128 bytes, its content undefined, mapped for both; freed by argent_free or
 * argent_close. ARGENT_BAD_ARGUMENT, ARGENT_OUT_OF_MEMORY, ARGENT_GONE. */
int argent_allocate(argent_device *device, size_t bytes, void **host, uint64_t *address);

/* Frees what argent_allocate gave. NULL is fine. ARGENT_BAD_ARGUMENT, ARGENT_NOT_MAPPED, ARGENT_BUSY; ARGENT_GONE (it is freed all the same). */
int argent_free(argent_device *device, void *host);

/* Memory that a device of this URI can reach, if it cannot reach all that there is; otherwise, or if there is no more of it, NULL. Freed by
 * argent_memory_free (argent_memory.h). What argent_image_allocate (argent_halide.h) is made of. */
void *argent_device_memory(const char *uri, size_t bytes);

#define ARGENT_ADDRESS_UNKNOWN UINT64_MAX

/* Memory of another driver (a camera's, a display's) that comes as the descriptor of a dma-buf: `bytes` of it, from its start, are mapped into this process
 * at `*host`, and launches on devices of this URI reach it without a copy, as what argent_allocate gives; argent_map tells its address. Descriptors are the
 * way between programs, too: simulated devices also take a memfd (sealed against shrinking, or MFD_ALLOW_SEALING). `fd` stays the caller's and may be
 * closed. `uri` NULL: the variable ARGENT_DEVICE, or `sim:`. Belongs to the process, not to a device: any number of them may use it, and come and go.
 * `bus_address`: where hardware sees it, if the caller knows, or ARGENT_ADDRESS_UNKNOWN. Only `uio:` wants it, and finds it out by itself for a whole u-dma-buf
 * and, with CAP_SYS_ADMIN, where the kernel tells the addresses of pages (docs/boards.md).
 * ARGENT_BAD_ARGUMENT (`fd` is not open, is of another kind, or has less than `bytes`), ARGENT_NO_DEVICE, ARGENT_OUT_OF_MEMORY (too many), ARGENT_UNSUPPORTED
 * (devices that take no such memory; or it is not in one piece, or nobody knows where), ARGENT_SYSTEM; argent_open_text() says why. */
int argent_import_dmabuf(const char *uri, int fd, size_t bytes, uint64_t bus_address, void **host);

/* Ends that. NULL is fine. ARGENT_NOT_MAPPED (argent_import_dmabuf did not give it), ARGENT_BUSY (it is mapped for a device: a launch has not ended, or
 * argent_unmap is missing; nothing has changed). */
int argent_release_dmabuf(void *host);

/* ---- registers ----------------------------------------------------------------------------------------------- */

/* One 32-bit register. Reading has no side effect. ARGENT_BAD_ARGUMENT (offset not a multiple of 4, or beyond the map),
 * ARGENT_BUS_ERROR (the device answered with an error), ARGENT_STUCK (it did not answer), ARGENT_GONE. */
int argent_read(argent_device *device, uint32_t offset, uint32_t *value);
int argent_write(argent_device *device, uint32_t offset, uint32_t value);

/* ---- launches ------------------------------------------------------------------------------------------------ */

struct argent_register_value {
    uint32_t offset, value;
};

/* The bytes that a launch may touch through one port: `extent[0]` bytes, repeated extent[1] times every stride[1] bytes,
 * and so on. Simulators check every access against them. */
struct argent_window {
    const char *port; /* its name in manifest.json */
    unsigned access;  /* ARGENT_READ or ARGENT_WRITE */
    uint64_t address;
    int32_t dimensions; /* 1 to 4 */
    int64_t extent[4];
    int64_t stride[4]; /* stride[0] is 1 */
};

/* A launch in terms of images: what the host's processor needs to compute the same (mock:). */
struct halide_buffer_t;
struct argent_images {
    struct halide_buffer_t *const *inputs;  /* images, then tables */
    const uint64_t *params;                 /* as argent_launch takes them */
    struct halide_buffer_t *const *outputs; /* no more than the block */
};

struct argent_command {
    const struct argent_register_value *registers; /* written in this order, before the start */
    size_t register_count;
    const struct argent_window *windows; /* may be NULL: then every mapping is open to every port */
    size_t window_count;
    /* AXI4-Stream ports have no addresses: a DMA engine of the device moves these boxes between memory and the ports, row by
     * row, each as one frame, and begins with the start. ARGENT_READ: from memory into the accelerator. */
    const struct argent_window *transfers;
    size_t transfer_count;
    const struct argent_images *images; /* may be NULL where a device is hardware or a model of it; must stay until the launch has ended */
};

/* Writes the registers, starts, and returns without waiting. The command is copied, but for its images. `ticket` may be NULL. While another launch runs this one
 * waits in the hardware, which begins it by itself a few clocks after the other one's end. Where that cannot be it waits here, and begins in the call (argent_wait,
 * argent_start, argent_cancel; of any thread) that sees the other one end; if it cannot, it ends with the reason. That is so for commands that write other tables
 * (ARGENT_TABLES and up) than the launch in front of them did, have transfers, or no windows.
 * ARGENT_BAD_ARGUMENT, ARGENT_BUSY (see argent_queue_depth), ARGENT_OUT_OF_MEMORY, ARGENT_BUS_ERROR, ARGENT_UNSUPPORTED (transfers, and the device has no
 * DMA engine), ARGENT_GONE; nothing was started then. */
int argent_start(argent_device *device, const struct argent_command *command, argent_ticket *ticket);

/* Waits until that launch has ended; 0: all of them. `microseconds` < 0: no limit; 0: only look.
 * Returns how it ended: ARGENT_OK, or ARGENT_STUCK, ARGENT_BUS_ERROR, ARGENT_PROTOCOL, ARGENT_REFUSED, ARGENT_CANCELLED, ARGENT_GONE; or
 * ARGENT_TIMEOUT: it still runs. How a launch ended is remembered for the next 16. ARGENT_BAD_ARGUMENT: never started, or too old. */
int argent_wait(argent_device *device, argent_ticket ticket, int64_t microseconds);

/* How a launch went. */
struct argent_result {
    int code;       /* as argent_wait returns it; what follows is of those that ended without error */
    uint32_t error; /* what ARGENT_ERROR said; or, of those that were refused, ARGENT_REFUSED_BY */
    uint64_t clocks;
    uint32_t stalls_in, stalls_out;
    uint64_t bytes_read, bytes_written; /* on the bus; 0 if the device does not count them */
};

/* The same for a launch that has ended, without waiting; why it failed is argent_device_text then. ARGENT_TIMEOUT: it has not ended;
 * ARGENT_BAD_ARGUMENT: never started, or too old. */
int argent_launch_result(argent_device *device, argent_ticket ticket, struct argent_result *result);

/* Ends this launch, and no other: its ticket ends with ARGENT_CANCELLED. One that waits here will not begin; one that runs, or waits in the hardware, is
 * stopped by a reset of the accelerator, and the other one begins, anew if it ran. One that has ended stays as it was (ARGENT_OK).
 * ARGENT_BAD_ARGUMENT (never started), ARGENT_UNSUPPORTED (the hardware has it, and this device cannot be reset), ARGENT_GONE. */
int argent_cancel(argent_device *device, argent_ticket ticket);

/* argent_start and argent_wait in one, for a thread that has nothing else to do meanwhile: how the launch ended is not forgotten, whatever other
 * threads launch. After ARGENT_TIMEOUT the launch has been cancelled (or, where the device cannot be reset, still runs), and result->error is
 * what ARGENT_ERROR_NOW said before. `*ticket` is 0 if it was not started. As the two of them. */
int argent_run(argent_device *device, const struct argent_command *command, int64_t microseconds, argent_ticket *ticket, struct argent_result *result);

/* How many launches can be started and not yet ended: 2, so that one can be prepared while another one runs. */
int argent_queue_depth(argent_device *device);

/* ---- counters ------------------------------------------------------------------------------------------------ */

enum argent_count {
    ARGENT_COUNT_LAUNCHES,      /* ended without error */
    ARGENT_COUNT_FAILURES,      /* ended with one */
    ARGENT_COUNT_CLOCKS,        /* of the last launch that ended without error: what ARGENT_CYCLES says */
    ARGENT_COUNT_STALLS_IN,     /* of them, those in which the core waited for an input */
    ARGENT_COUNT_STALLS_OUT,    /* ... for room in an output */
    ARGENT_COUNT_CLOCKS_TOTAL,  /* of all of them */
    ARGENT_COUNT_BYTES_READ,    /* on the bus, in the last launch (beats x bus width) */
    ARGENT_COUNT_BYTES_WRITTEN, /* on the bus, in the last launch (bytes whose strobe was set) */
    ARGENT_COUNT_MAPPINGS,      /* that exist now */
    ARGENT_COUNT_COPIES,        /* buffers that argent_launch had to copy because the device cannot reach them */
    ARGENT_COUNTERS
};
/* ARGENT_BAD_ARGUMENT; ARGENT_UNSUPPORTED: this device does not count that. */
int argent_counter(argent_device *device, enum argent_count counter, uint64_t *value);

/* ---- backends: how to add a kind of device ------------------------------------------------------------------- */

/* A backend is a table of functions. `state` is what its open made. The runtime calls them under the device's mutex, so
 * they need no locks of their own. A function that fails writes its reason with argent_fail. NULL where it says optional. */
struct argent_backend {
    const char *scheme; /* "sim", "uio": what stands before the colon */
    /* `rest` is what stands behind the colon. On failure write the reason to `text` (of `size` bytes). */
    int (*open)(const char *rest, const char *accelerator, void **state, char *text, size_t size);
    void (*close)(void *state);
    int (*reset)(void *state); /* optional */
    int (*map)(void *state, void *host, size_t bytes, unsigned access, uint64_t *address);
    int (*unmap)(void *state, uint64_t address);
    int (*allocate)(void *state, size_t bytes, void **host); /* optional: aligned memory of the host, then map */
    void (*free)(void *state, void *host);                   /* optional */
    int (*read)(void *state, uint32_t offset, uint32_t *value);
    int (*write)(void *state, uint32_t offset, uint32_t value);
    /* Optional: told of a command before its registers are written. With `takes_two`: also while a launch runs, then of the one behind it; ARGENT_BUSY:
     * not before that one has ended. */
    int (*arm)(void *state, const struct argent_command *command);
    /* Lets at most about `microseconds` pass, or less if the device may have news (an interrupt): 1; nothing yet: 0; or a
     * negative code that ends the launch. */
    int (*wait)(void *state, int64_t microseconds);
    /* Optional. Of the bytes: of the last launch; or with 1 << ARGENT_COUNT_SLOT added of the last of the launches 0, 2, 4 ... since reset, with
     * 2 << ARGENT_COUNT_SLOT of 1, 3, 5 ... */
    int (*counter)(void *state, enum argent_count counter, uint64_t *value);
    const char *(*text)(void *state);                                         /* optional: the last failure */
    /* Optional: hands a command's transfers to the DMA engine, after arm. Without it argent_start refuses such commands. */
    int (*transfer)(void *state, const struct argent_window *transfers, size_t count);
    /* Optional: memory that devices of this URI can reach, before one of them is opened; argent_memory_free frees it. NULL: there is none. */
    void *(*image)(const char *rest, size_t bytes);
    /* Optional: another driver's memory (argent_import_dmabuf), which is mapped at `host` already, is to be reached by devices of this URI; `map` is given
     * ranges of it then, and finds it by argent_memory_find. `*bus_address` is what the caller said, and stays with it. NULL: devices without `allocate`
     * reach it as all memory, others do not. */
    int (*import)(const char *rest, int fd, const void *host, size_t bytes, uint64_t *bus_address, char *text, size_t size);
    int takes_two; /* a launch may be armed, written and started while one runs; its registers are those of the hardware */
};
enum { ARGENT_COUNT_SLOT = 8 };

/* Adds a backend (or replaces the one of the same scheme). The table must stay. ARGENT_BAD_ARGUMENT, ARGENT_OUT_OF_MEMORY (16 kinds). */
int argent_add_backend(const struct argent_backend *backend);

/* Adds one to ARGENT_COUNT_COPIES: for those who copy an image on behalf of a device. */
void argent_count_copy(argent_device *device);

/* The backend's own state of an open device, or NULL if it is of another scheme: for extensions such as argent_sim.h. */
void *argent_device_state(argent_device *device, const char *scheme);

/* ---- for backends: addresses for host memory ------------------------------------------------------------------ */

/* Gives ranges of host memory 32-bit addresses: the lowest free multiple of 1 MiB, plus the host pointer's low 7 bits, with
 * a gap behind each. So addresses, and the clocks that depend on them, are the same in every run. */
struct argent_mapping {
    uint64_t address;
    uint8_t *host;
    uint64_t bytes;
    unsigned access;
};
struct argent_mappings {
    struct argent_mapping *list; /* sorted by address */
    size_t count, capacity;
};
/* ARGENT_OUT_OF_MEMORY if there is no such place. */
int argent_mappings_add(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t *address);
/* The same at an address that is known; ARGENT_OUT_OF_MEMORY. */
int argent_mappings_at(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t address);
/* What has that address; of several, which are of the same memory, the shortest: the others hold what it holds. NULL if nothing has. */
const struct argent_mapping *argent_mappings_find(const struct argent_mappings *m, uint64_t address);
/* Of that; ARGENT_NOT_MAPPED. */
int argent_mappings_remove(struct argent_mappings *m, uint64_t address);
void argent_mappings_free(struct argent_mappings *m);

#ifdef __cplusplus
}
#endif
#endif
