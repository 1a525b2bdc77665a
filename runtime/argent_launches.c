#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argent_device.h"

/* How long argent_wait keeps the device from other threads at a time. */
static const int64_t slice_us = 2000;

/* How long a launch waits for one that another process has left running. */
static const int64_t rest_limit_us = 2000000;

static int64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- one begins ---- */

int argent_queue_depth(argent_device *d) {
    (void)d;
    return ARGENT_QUEUE_DEPTH;
}

static int reset_backend(argent_device *d) {
    argent_loaded_forget(&d->loaded);
    int code = d->backend->reset(d->state);
    return code == ARGENT_OK ? code : argent_failed(d, code, NULL);
}

/* Waits for what nobody here has started: left by a process that died, or by a launch that failed in front of it. The control register, when nothing runs. */
static int come_to_rest(argent_device *d, uint32_t *control) {
    int64_t start = now_us();
    for (int resets = 0;;) {
        int code = argent_read_locked(d, ARGENT_CONTROL, control);
        if (code != ARGENT_OK || (*control & ARGENT_CONTROL_IDLE) != 0) return code;
        if (d->backend->reset != NULL && resets++ == 0) {
            if ((code = reset_backend(d)) != ARGENT_OK) return code;
        } else if (now_us() - start > rest_limit_us) {
            return argent_refused(d, ARGENT_BUSY, "the accelerator is at work on a launch that nobody here has started, and does not end it");
        } else {
            struct timespec pause = {0, 100000};
            nanosleep(&pause, NULL);
        }
    }
}

/* Behind a launch that runs: until its arguments have been taken. */
static int until_ready(argent_device *d) {
    uint32_t control = 0;
    for (int looks = 0; looks < 100; looks++) {
        int code = argent_read_locked(d, ARGENT_CONTROL, &control);
        if (code != ARGENT_OK) return code;
        if ((control & ARGENT_CONTROL_READY) != 0) return ARGENT_OK;
    }
    return ARGENT_BUSY;
}

/* Behind a launch that runs, tables are as they should be (can_wait_inside), and stay: while it runs nobody resets the hardware unseen. */
static int write_registers(argent_device *d, const struct argent_command *c, int behind) {
    if (!behind) argent_loaded_forget(&d->loaded);
    for (size_t i = 0; i < c->register_count; i++) {
        if (behind && argent_loaded_is(c->registers[i].offset)) continue;
        int code = argent_write_locked(d, c->registers[i].offset, c->registers[i].value);
        if (code != ARGENT_OK) return code;
    }
    if (!behind) argent_loaded_note(&d->loaded, c);
    return ARGENT_OK;
}

/* Tells the device of the oldest launch that has not begun. `behind`: another one runs. */
static int begin(argent_device *d, int behind) {
    const struct argent_command *c = &argent_queue_at(&d->queue, d->queue.begun + 1)->command;
    int code = ARGENT_OK;
    uint32_t control = 0;
    /* A device that cannot be asked is told anyhow: arming it may mend it. */
    if (!behind && (code = d->backend->arm == NULL ? ARGENT_OK : d->backend->arm(d->state, c)) != ARGENT_OK) return argent_failed(d, code, NULL);
    if ((code = behind ? until_ready(d) : come_to_rest(d, &control)) != ARGENT_OK) return code;
    if (behind && d->backend->arm != NULL && (code = d->backend->arm(d->state, c)) != ARGENT_OK) return argent_failed(d, code, NULL);
    if (c->transfer_count != 0 && (code = d->backend->transfer(d->state, c->transfers, c->transfer_count)) != ARGENT_OK)
        return argent_failed(d, code, NULL);
    if ((code = write_registers(d, c, behind)) != ARGENT_OK) return code;
    if (!behind) {
        d->ended = (uint8_t)(control >> ARGENT_CONTROL_ENDED);
        /* A reset may have come since the last launch, so the interrupt is enabled each time. */
        if ((code = argent_write_locked(d, ARGENT_INTERRUPT_GLOBAL, 1)) != ARGENT_OK) return code;
        if ((code = argent_write_locked(d, ARGENT_INTERRUPT_ENABLE, 1)) != ARGENT_OK) return code;
    }
    if ((code = argent_write_locked(d, ARGENT_CONTROL, ARGENT_CONTROL_START)) != ARGENT_OK) return code;
    d->queue.begun++;
    return ARGENT_OK;
}

/* Whether the hardware can take it while a launch runs: only arguments are kept apart, not tables, and what a launch without windows touches is not known. */
static int can_wait_inside(const argent_device *d, const struct argent_queued *l) {
    if (!d->backend->takes_two || l->cancelled || l->command.transfer_count != 0 || l->command.windows == NULL) return 0;
    for (size_t i = 0; i < l->command.register_count; i++) {
        uint32_t offset = l->command.registers[i].offset;
        if (offset < ARGENT_ARGUMENTS || (offset >= ARGENT_ID && !argent_loaded_is(offset))) return 0;
    }
    return argent_loaded_has(&d->loaded, &l->command);
}

/* ---- one ends ---- */

/* What the registers say of the oldest launch, which has ended. */
static int read_result(argent_device *d, struct argent_result *r) {
    enum { WORDS = 6 };
    uint32_t words[WORDS] = {0}, odd = d->ended & 1, at = odd ? ARGENT_RESULTS_ODD : ARGENT_RESULTS;
    for (uint32_t i = 0; i < WORDS; i++) {
        int code = argent_read_locked(d, at + 8 + 4 * i, &words[i]);
        if (code != ARGENT_OK) return code;
    }
    if (words[5] != 0) {
        char text[128];
        snprintf(text, sizeof text, "the hardware refuses the launch: registers are out of range (0x%03x says 0x%08x)", ARGENT_REFUSED_BY, (unsigned)words[5]);
        r->error = words[5];
        return argent_refused(d, ARGENT_REFUSED, text);
    }
    r->clocks = (uint64_t)words[1] << 32 | words[0];
    r->stalls_in = words[2];
    r->stalls_out = words[3];
    r->error = words[4];
    if (d->backend->counter == NULL) return ARGENT_OK;
    int slot = (int)(1 + odd) << ARGENT_COUNT_SLOT;
    d->backend->counter(d->state, (enum argent_count)(ARGENT_COUNT_BYTES_READ + slot), &r->bytes_read);
    d->backend->counter(d->state, (enum argent_count)(ARGENT_COUNT_BYTES_WRITTEN + slot), &r->bytes_written);
    return ARGENT_OK;
}

/* Notes how the oldest launch ended; why stands in d->text. Where it did not end by itself the hardware's queue means nothing any more: what waits
 * in it begins anew. */
static void end_oldest(argent_device *d, int code) {
    struct argent_result r = {code, 0, 0, 0, 0, 0, 0};
    if (code == ARGENT_OK) r.code = read_result(d, &r);
    if (r.code == ARGENT_OK) {
        d->launches++;
        d->clocks_total += r.clocks;
        d->last = r;
    } else {
        d->failures++;
    }
    d->ended++;
    argent_queue_end(&d->queue, &r, r.code != ARGENT_OK ? d->text : NULL);
    if (code == ARGENT_OK) return;
    d->queue.begun = d->queue.ended;
    argent_loaded_forget(&d->loaded);
}

/* Lets the next ones begin: one if none runs, and another one behind it. Those that cannot end with the reason, when they are the oldest. */
static void go_on(argent_device *d) {
    struct argent_queue *q = &d->queue;
    while (q->begun < q->started) {
        struct argent_queued *l = argent_queue_at(q, q->begun + 1);
        int behind = q->begun != q->ended;
        if (behind) {
            if (!can_wait_inside(d, l) || begin(d, behind) != ARGENT_OK) return;
            continue;
        }
        int code = l->cancelled ? argent_refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began") : begin(d, behind);
        if (code != ARGENT_OK) end_oldest(d, code);
    }
}

/* What the control register says of those that have begun; a negative code: the hardware knows nothing of them. */
static int note_ends(argent_device *d, uint32_t control) {
    struct argent_queue *q = &d->queue;
    unsigned ends = (uint8_t)((control >> ARGENT_CONTROL_ENDED) - d->ended);
    if (ends > q->begun - q->ended || (ends == 0 && (control & ARGENT_CONTROL_IDLE) != 0))
        return argent_refused(d, ARGENT_CANCELLED, "the accelerator was reset, and not by this program");
    for (; ends != 0; ends--) end_oldest(d, ARGENT_OK);
    return ARGENT_OK;
}

/* Lets some time pass for the launch that runs and notes what has ended, if that is seen. */
static void advance(argent_device *d, int64_t microseconds) {
    if (d->queue.begun == d->queue.ended) return;
    int news = d->backend->wait(d->state, microseconds);
    int code = news < 0 ? argent_failed(d, news, NULL) : ARGENT_OK;
    if (news == 0) return;
    if (news > 0) {
        /* The status bit is cleared before the control register is read: an end between the two raises it again. */
        uint32_t control = 0, status = 0;
        if ((code = argent_read_locked(d, ARGENT_INTERRUPT_STATUS, &status)) == ARGENT_OK && (status & 1) != 0)
            code = argent_write_locked(d, ARGENT_INTERRUPT_STATUS, status);
        if (code == ARGENT_OK) code = argent_read_locked(d, ARGENT_CONTROL, &control);
        if (code == ARGENT_OK) code = note_ends(d, control);
    }
    if (code != ARGENT_OK) end_oldest(d, code);
    go_on(d);
}

static int start_locked(argent_device *d, const struct argent_command *c) {
    struct argent_queue *q = &d->queue;
    if (q->started - q->ended == ARGENT_QUEUE_DEPTH) advance(d, 0);
    if (c->transfer_count != 0 && d->backend->transfer == NULL) {
        char text[512];
        snprintf(text, sizeof text, "%s has no DMA engine that could move images through AXI4-Stream ports (%s); use sim:, or compile without streaming()",
                 d->uri, c->transfers[0].port);
        return argent_refused(d, ARGENT_UNSUPPORTED, text);
    }
    int code = argent_queue_add(q, c);
    if (code == ARGENT_BUSY) return argent_refused(d, code, "a launch runs and another one waits; wait for one of them before the next");
    if (code != ARGENT_OK) return argent_refused(d, code, "out of memory");
    if (q->begun != q->ended) {
        if (q->begun + 1 == q->started) go_on(d);
        return ARGENT_OK;
    }
    code = begin(d, 0);
    if (code != ARGENT_OK) argent_queue_drop(q);
    return code;
}

static int is_sound(const struct argent_command *c) {
    if (c == NULL || (c->register_count != 0 && c->registers == NULL) || (c->transfer_count != 0 && c->transfers == NULL)) return 0;
    for (size_t i = 0; i < c->register_count; i++)
        if ((c->registers[i].offset & 3) != 0 || c->registers[i].offset >= 4096) return 0;
    return 1;
}

int argent_start(argent_device *d, const struct argent_command *c, argent_ticket *ticket) {
    if (d == NULL || !is_sound(c)) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    int code = start_locked(d, c);
    if (code == ARGENT_OK && ticket != NULL) *ticket = d->queue.started;
    argent_unlock(d);
    return code;
}

static int no_such_launch(argent_device *d) { return argent_refused(d, ARGENT_BAD_ARGUMENT, "no such launch: its ticket was never given, or is too old"); }

/* How a launch ended, in `*result`; ARGENT_TIMEOUT: it has not (without a text: who waits on looks again); ARGENT_BAD_ARGUMENT. */
static int look(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    const struct argent_over *o = argent_queue_over(&d->queue, ticket);
    memset(result, 0, sizeof *result);
    if (o != NULL) {
        *result = o->result;
        if (o->text != NULL) argent_refused(d, o->result.code, o->text);
        return ARGENT_OK;
    }
    if (ticket <= d->queue.ended || ticket > d->queue.started) return no_such_launch(d);
    if (!argent_queue_at(&d->queue, ticket)->cancelled) return ARGENT_TIMEOUT;
    result->code = argent_refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began");
    return ARGENT_OK;
}

int argent_launch_result(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    if (d == NULL || result == NULL) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    int code = look(d, ticket, result);
    if (code == ARGENT_TIMEOUT) argent_refused(d, code, argent_error_text(code));
    argent_unlock(d);
    return code;
}

int argent_wait(argent_device *d, argent_ticket ticket, int64_t microseconds) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    int64_t start = microseconds > 0 ? now_us() : 0;
    for (;;) {
        argent_lock(d);
        struct argent_queue *q = &d->queue;
        uint64_t wanted = ticket != 0 ? ticket : q->started;
        while (ticket == 0 && wanted > q->ended + 1 && argent_queue_at(q, wanted)->cancelled) wanted--; /* others are under way */
        int64_t left = microseconds < 0 ? slice_us : microseconds == 0 ? 0 : microseconds - (now_us() - start);
        if (wanted > q->ended && wanted <= q->started && !argent_queue_at(q, wanted)->cancelled)
            advance(d, left < 0 ? 0 : left < slice_us ? left : slice_us);
        struct argent_result r;
        int code = wanted == 0 ? ARGENT_OK : look(d, wanted, &r);
        if (code == ARGENT_OK && wanted != 0) code = r.code;
        if (code == ARGENT_TIMEOUT && left <= 0) argent_refused(d, code, argent_error_text(code));
        argent_unlock(d);
        if (code != ARGENT_TIMEOUT || left <= 0) return code;
        argent_let_others_in(d);
    }
}

/* ---- ends before the end ---- */

/* Ends what runs, unless `why` is NULL: then it begins anew, as all that waits in the hardware. */
static int reset_locked(argent_device *d, const char *why) {
    if (d->backend->reset == NULL) return argent_refused(d, ARGENT_UNSUPPORTED, "this kind of device cannot be reset by a program");
    int code = reset_backend(d);
    if (code != ARGENT_OK) return code;
    if (d->queue.begun > d->queue.ended && why != NULL) end_oldest(d, argent_refused(d, ARGENT_CANCELLED, why));
    d->queue.begun = d->queue.ended;
    return code;
}

static int cancel_locked(argent_device *d, argent_ticket ticket) {
    struct argent_queue *q = &d->queue;
    int code = ARGENT_OK;
    if (ticket == 0 || ticket > q->started) {
        code = no_such_launch(d);
    } else if (ticket > q->begun) {
        argent_queue_at(q, ticket)->cancelled = 1;
    } else if (ticket > q->ended + 1) {
        /* It waits in the hardware, which forgets nothing but all. */
        if ((code = reset_locked(d, NULL)) == ARGENT_OK) argent_queue_at(q, ticket)->cancelled = 1;
        go_on(d);
    } else if (ticket > q->ended) {
        code = reset_locked(d, "the launch was cancelled");
        go_on(d);
    }
    return code;
}

int argent_cancel(argent_device *d, argent_ticket ticket) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    int code = cancel_locked(d, ticket);
    argent_unlock(d);
    return code;
}

int argent_reset(argent_device *d) {
    if (d == NULL) return ARGENT_BAD_ARGUMENT;
    argent_lock(d);
    struct argent_queue *q = &d->queue;
    int code = reset_locked(d, "the device was reset while the launch ran");
    for (argent_ticket t = q->ended + 1; t <= q->started && code == ARGENT_OK; t++) argent_queue_at(q, t)->cancelled = 1;
    if (code == ARGENT_OK) go_on(d);
    argent_unlock(d);
    return code;
}

/* ---- start and wait in one ---- */

/* Its time is up. */
static int give_up(argent_device *d, argent_ticket ticket, struct argent_result *result) {
    uint32_t error = 0;
    if (ticket == d->queue.ended + 1 && d->backend->read(d->state, ARGENT_ERROR_NOW, &error) == ARGENT_OK) result->error = error;
    cancel_locked(d, ticket);
    if (ticket > d->queue.ended) argent_queue_at(&d->queue, ticket)->to = NULL;
    return argent_refused(d, ARGENT_TIMEOUT, argent_error_text(ARGENT_TIMEOUT));
}

int argent_run(argent_device *d, const struct argent_command *c, int64_t microseconds, argent_ticket *ticket, struct argent_result *result) {
    if (d == NULL || ticket == NULL || result == NULL || !is_sound(c)) return ARGENT_BAD_ARGUMENT;
    struct argent_over mine;
    memset(&mine, 0, sizeof mine);
    memset(result, 0, sizeof *result);
    *ticket = 0;
    int64_t start = now_us();
    argent_lock(d);
    int code = start_locked(d, c);
    if (code == ARGENT_OK) {
        *ticket = d->queue.started;
        argent_queue_at(&d->queue, *ticket)->to = &mine;
    }
    while (code == ARGENT_OK && !mine.is_over && !argent_queue_at(&d->queue, *ticket)->cancelled) {
        int64_t left = microseconds < 0 ? slice_us : microseconds - (now_us() - start);
        if (left <= 0) {
            code = give_up(d, *ticket, result);
        } else {
            advance(d, left < slice_us ? left : slice_us);
            if (!mine.is_over) {
                argent_unlock(d);
                argent_let_others_in(d);
                argent_lock(d);
            }
        }
    }
    if (code == ARGENT_OK && !mine.is_over) { /* somebody has cancelled it before it began */
        argent_queue_at(&d->queue, *ticket)->to = NULL;
        code = result->code = argent_refused(d, ARGENT_CANCELLED, "the launch was cancelled before it began");
    } else if (code == ARGENT_OK) {
        *result = mine.result;
        code = mine.result.code;
        if (mine.text != NULL) argent_refused(d, code, mine.text);
    }
    argent_unlock(d);
    free(mine.text);
    return code;
}
