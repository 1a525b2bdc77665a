/* Halide's async() and ring_buffer() on `platform:`. Halide runs such stages as tasks in threads of its own, which wait for each other at semaphores; here each
 * thread's time on the board goes along, so that a stage counts while it computes and not while it waits, and all is the same in every run (with cpu=0).
 * On other devices, and on hardware, programs do without. */
#ifndef ARGENT_TASKS_H
#define ARGENT_TASKS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Puts this in the place of Halide's tasks and semaphores (halide_set_custom_parallel_runtime), for the device that launches use; parallel loops stay Halide's
 * own. Before the first pipeline runs. Nothing happens in a program without Halide's runtime. */
void argent_tasks_use(void);

#ifdef __cplusplus
}
#endif
#endif
