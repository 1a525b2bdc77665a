#define _POSIX_C_SOURCE 200809L
#include "argent_tasks.h"

#include <HalideRuntime.h>
#include <pthread.h>
#include <stdlib.h>

#include "argent_launch.h"
#include "argent_platform.h"

#pragma weak halide_set_custom_parallel_runtime
#pragma weak halide_default_do_par_for
#pragma weak halide_default_do_task
#pragma weak halide_default_do_loop_task
#pragma weak halide_do_loop_task

/* ---- semaphores: each unit has the time at which it was released, the oldest is taken first ---- */

struct unit {
    uint64_t time;
    struct unit *next;
};

/* A thread of the program's and the tasks that it waits for. */
struct run {
    int groups; /* that have not ended */
};

struct semaphore {
    struct halide_semaphore_t *name; /* they lie in Halide's frames, and nobody says when they end */
    const struct run *of;
    int count;
    struct unit *first, **last;
    struct semaphore *next;
};

/* Tasks that were started together; `out_of`: those that one of which has started them. */
struct group {
    struct group *out_of;
    int code; /* of the first that failed; then nobody waits any more */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static struct semaphore *semaphores;
static __thread struct run *inherited; /* by a task */
static __thread struct run own;

static struct run *this_run(void) { return inherited != NULL ? inherited : &own; }

static uint64_t own_time(void) {
    uint64_t time = 0;
    argent_platform_time(argent_launch_uri(), &time);
    return time;
}

static struct semaphore *find(const struct halide_semaphore_t *name) {
    struct semaphore *s = semaphores;
    while (s != NULL && s->name != name) s = s->next;
    return s;
}

static void take_all(struct semaphore *s) {
    while (s->first != NULL) {
        struct unit *u = s->first;
        s->first = u->next;
        free(u);
    }
    s->last = &s->first;
    s->count = 0;
}

/* 0: out of memory. */
static int give(struct semaphore *s, int n, uint64_t time) {
    for (int i = 0; i < n; i++) {
        struct unit *u = malloc(sizeof *u);
        if (u == NULL) return 0;
        u->time = time;
        u->next = NULL;
        *s->last = u;
        s->last = &u->next;
        s->count++;
    }
    return 1;
}

/* When the last of them was released; there are as many. */
static uint64_t take(struct semaphore *s, int n) {
    uint64_t time = 0;
    for (int i = 0; i < n; i++) {
        struct unit *u = s->first;
        s->first = u->next;
        if (s->first == NULL) s->last = &s->first;
        s->count--;
        if (u->time > time) time = u->time;
        free(u);
    }
    return time;
}

static int semaphore_init(struct halide_semaphore_t *name, int n) {
    uint64_t time = own_time();
    pthread_mutex_lock(&lock);
    struct semaphore *s = find(name);
    if (s == NULL && (s = calloc(1, sizeof *s)) != NULL) {
        s->name = name;
        s->next = semaphores;
        semaphores = s;
    }
    int good = s != NULL;
    if (good) {
        s->of = this_run();
        take_all(s);
        good = give(s, n, time);
    }
    pthread_mutex_unlock(&lock);
    return good ? n : -1;
}

static int semaphore_release(struct halide_semaphore_t *name, int n) {
    uint64_t time = own_time();
    pthread_mutex_lock(&lock);
    struct semaphore *s = find(name);
    int count = s != NULL && give(s, n, time) ? s->count : -1;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    return count;
}

static bool semaphore_try_acquire(struct halide_semaphore_t *name, int n) {
    pthread_mutex_lock(&lock);
    struct semaphore *s = find(name);
    bool has = s != NULL && s->count >= n;
    uint64_t time = has ? take(s, n) : 0;
    pthread_mutex_unlock(&lock);
    if (has) argent_platform_after(argent_launch_uri(), time);
    return has;
}

static int has_failed(const struct group *g) {
    while (g != NULL && g->code == 0) g = g->out_of;
    return g != NULL;
}

static void fail(struct group *g, int code) {
    pthread_mutex_lock(&lock);
    if (g->code == 0) g->code = code;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

/* 0: there is none to come, for something has failed. */
static int acquire(struct group *g, struct halide_semaphore_t *name, int n) {
    pthread_mutex_lock(&lock);
    struct semaphore *s = find(name);
    while (s != NULL && s->count < n && !has_failed(g)) pthread_cond_wait(&change, &lock);
    int good = s != NULL && s->count >= n && !has_failed(g);
    uint64_t time = good ? take(s, n) : 0;
    pthread_mutex_unlock(&lock);
    if (s == NULL) fail(g, halide_error_code_out_of_memory); /* there was none for it when it was made */
    if (good) argent_platform_after(argent_launch_uri(), time);
    return good;
}

/* ---- tasks: a thread for each ---- */

struct task {
    pthread_t thread;
    int has_thread;
    void *user_context;
    const struct halide_parallel_task_t *of;
    struct group *group;
    struct run *run;
    uint64_t begins, ends;
};

static int may_go_on(struct task *t) {
    for (int i = 0; i < t->of->num_semaphores; i++)
        if (!acquire(t->group, t->of->semaphores[i].semaphore, t->of->semaphores[i].count)) return 0;
    pthread_mutex_lock(&lock);
    int failed = has_failed(t->group);
    pthread_mutex_unlock(&lock);
    return !failed;
}

static void *run_task(void *argument) {
    struct task *t = argument;
    inherited = t->run;
    argent_platform_after(argent_launch_uri(), t->begins);
    for (int i = 0; i < t->of->extent && may_go_on(t); i++) {
        int code = halide_do_loop_task(t->user_context, t->of->fn, t->of->min + i, 1, t->of->closure, t->group);
        if (code != 0) fail(t->group, code);
    }
    t->ends = own_time();
    return NULL;
}

static int start(struct task *t) {
    t->has_thread = pthread_create(&t->thread, NULL, run_task, t) == 0;
    return t->has_thread;
}

/* Behind the outermost tasks none of their semaphores is in use; another thread's may be. */
static void forget_semaphores(const struct run *run) {
    for (struct semaphore **link = &semaphores; *link != NULL;) {
        struct semaphore *s = *link;
        if (s->of != run) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        take_all(s);
        free(s);
    }
}

static int do_parallel_tasks(void *user_context, int count, struct halide_parallel_task_t *list, void *parent) {
    struct group group = {parent, 0};
    struct task *tasks = calloc((size_t)count + 1, sizeof *tasks);
    if (tasks == NULL) return halide_error_code_out_of_memory;
    struct run *run = this_run();
    pthread_mutex_lock(&lock);
    run->groups++;
    pthread_mutex_unlock(&lock);
    uint64_t begins = own_time(), ends = begins;
    for (int i = 0; i < count; i++) {
        tasks[i].user_context = user_context;
        tasks[i].of = &list[i];
        tasks[i].group = &group;
        tasks[i].run = run;
        tasks[i].begins = begins;
        if (!start(&tasks[i])) fail(&group, halide_error_code_out_of_memory);
    }
    for (int i = 0; i < count; i++) {
        if (!tasks[i].has_thread) continue;
        pthread_join(tasks[i].thread, NULL);
        if (tasks[i].ends > ends) ends = tasks[i].ends;
    }
    argent_platform_after(argent_launch_uri(), ends);
    free(tasks);
    pthread_mutex_lock(&lock);
    if (--run->groups == 0) forget_semaphores(run);
    pthread_mutex_unlock(&lock);
    return group.code;
}

void argent_tasks_use(void) {
    if (halide_set_custom_parallel_runtime == NULL) return;
    halide_set_custom_parallel_runtime(halide_default_do_par_for, halide_default_do_task, halide_default_do_loop_task, do_parallel_tasks, semaphore_init,
                                       semaphore_try_acquire, semaphore_release);
}
