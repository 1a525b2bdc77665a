/* The device `platform:BOARD`: the Verilator model on a SystemC model of a board (platform/), which is in a library of its own, so that programs need
 * SystemC only when they open such a device.
 *
 *   platform:pynq-z2               a board that Argent knows
 *   platform:./mine.toml           or a file (boards/README.md)
 *   platform:pynq-z2,ports=1       options behind commas: docs/platform.md
 *
 * The library is looked for in the file that ARGENT_PLATFORM names, then as libargent_platform.so where the loader looks (the program's RUNPATH,
 * LD_LIBRARY_PATH). Models are found as for `sim:`. All such devices of a process are on one board, whose memory and time they share. */
#ifndef ARGENT_PLATFORM_H
#define ARGENT_PLATFORM_H

#include "argent_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

const struct argent_backend *argent_platform_backend(void);

/* A frame of the application begins or ends in this thread: what the platform counts (its table is per frame then), and host stages before the first
 * and behind the last launch. Without these calls everything counts from the first device that is opened. `uri` NULL: the variable
 * ARGENT_DEVICE. ARGENT_OK, also for other devices, where it does nothing; ARGENT_NO_DEVICE (argent_platform_text says why). */
int argent_platform_frame_begin(const char *uri);
int argent_platform_frame_end(const char *uri);

/* This thread computes for so long, in the board's time: a host stage that is not there yet, or whose time on the board is known (with cpu=0 no other time of
 * the program counts, and all is the same in every run). As the two above. */
int argent_platform_compute(const char *uri, double seconds);

/* Threads have each a time of their own there: what one computes passes in its own time, and the board follows when it uses an accelerator. Where a thread waits for
 * another one the platform has to be told, or it would count as idle: the one that is waited for asks for its time when it lets go, and the other one goes
 * on after that. argent_tasks.h does it for Halide's async(). `*picoseconds` is 0 on other devices. As the two above. */
int argent_platform_time(const char *uri, uint64_t *picoseconds);
int argent_platform_after(const char *uri, uint64_t picoseconds);

/* Who was at work when in the last frame, or, without frames, since the first device was opened, as JSON (docs/platform.md): what report.html draws. NULL: no
 * device has been opened on a board. Valid until this thread calls it again. */
const char *argent_platform_timeline(void);

/* Why this thread's last call of these failed. */
const char *argent_platform_text(void);

/* ---- the contract with the library ------------------------------------------------------------------------------ */

enum { ARGENT_PLATFORM_VERSION = 3 };

struct argent_platform_library {
    uint32_t version; /* ARGENT_PLATFORM_VERSION */
    /* A model that is `model` on a board; it is free again when its simulation is destroyed. `board`: the URI behind the colon.
     * ARGENT_NO_DEVICE (no such board or option; another board is in use; no room). */
    int (*wrap)(const char *board, const struct argent_sim_model *model, const struct argent_sim_model **wrapped, char *text, size_t size);
    /* ARGENT_NO_DEVICE. */
    int (*frame)(const char *board, int begins, char *text, size_t size);
    int (*compute)(const char *board, double seconds, char *text, size_t size);
    const char *(*timeline)(void);
    int (*time)(const char *board, uint64_t *picoseconds, char *text, size_t size);
    int (*after)(const char *board, uint64_t picoseconds, char *text, size_t size);
};
/* What the library exports under this name. */
typedef const struct argent_platform_library *argent_platform_entry(void);
#define ARGENT_PLATFORM_ENTRY "argent_platform_library"

#ifdef __cplusplus
}
#endif
#endif
