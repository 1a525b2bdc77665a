#include "argent_queue.h"

#include <stdlib.h>
#include <string.h>

/* Ports keep their names: the caller's may go away. */
static size_t names_of(const struct argent_window *list, size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += strlen(list[i].port) + 1;
    return bytes;
}

static struct argent_window *copy_windows(const struct argent_window *from, size_t count, struct argent_window *to, char **names) {
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        to[i].port = strcpy(*names, from[i].port);
        *names += strlen(*names) + 1;
    }
    return to;
}

static int copy_command(struct argent_queued *to, const struct argent_command *from) {
    size_t windows = from->windows != NULL ? from->window_count : 0, transfers = from->transfer_count;
    size_t bytes = (windows + transfers) * sizeof *from->windows + from->register_count * sizeof *from->registers + names_of(from->windows, windows) +
                   names_of(from->transfers, transfers);
    char *memory = malloc(bytes + 1);
    if (memory == NULL) return ARGENT_OUT_OF_MEMORY;
    memset(to, 0, sizeof *to);
    to->memory = memory;
    to->command = *from;
    struct argent_window *lists = (struct argent_window *)memory;
    struct argent_register_value *registers = (struct argent_register_value *)(lists + windows + transfers);
    char *names = (char *)(registers + from->register_count);
    if (from->windows != NULL) to->command.windows = copy_windows(from->windows, windows, lists, &names);
    to->command.transfers = copy_windows(from->transfers, transfers, lists + windows, &names);
    if (from->register_count != 0) memcpy(registers, from->registers, from->register_count * sizeof *registers);
    to->command.registers = registers;
    return ARGENT_OK;
}

struct argent_queued *argent_queue_at(struct argent_queue *q, argent_ticket ticket) { return &q->waiting[ticket % ARGENT_QUEUE_DEPTH]; }

int argent_queue_add(struct argent_queue *q, const struct argent_command *command) {
    if (q->started - q->ended >= ARGENT_QUEUE_DEPTH) return ARGENT_BUSY;
    int code = copy_command(argent_queue_at(q, q->started + 1), command);
    if (code == ARGENT_OK) q->started++;
    return code;
}

static void forget(struct argent_queued *l) {
    free(l->memory);
    memset(l, 0, sizeof *l);
}

void argent_queue_drop(struct argent_queue *q) { forget(argent_queue_at(q, q->started--)); }

static void note(struct argent_over *o, const struct argent_result *result, const char *text) {
    free(o->text);
    o->is_over = 1;
    o->result = *result;
    o->text = NULL;
    if (text != NULL && (o->text = malloc(strlen(text) + 1)) != NULL) strcpy(o->text, text);
}

void argent_queue_end(struct argent_queue *q, const struct argent_result *result, const char *text) {
    struct argent_queued *l = argent_queue_at(q, ++q->ended);
    if (l->to != NULL) note(l->to, result, text);
    forget(l);
    if (q->begun < q->ended) q->begun = q->ended;
    note(&q->over[q->ended % ARGENT_QUEUE_REMEMBERED], result, text);
}

const struct argent_over *argent_queue_over(const struct argent_queue *q, argent_ticket ticket) {
    return ticket == 0 || ticket > q->ended || ticket + ARGENT_QUEUE_REMEMBERED <= q->ended ? NULL : &q->over[ticket % ARGENT_QUEUE_REMEMBERED];
}

static int holds(const struct argent_mapping *m, uint64_t address) { return address - m->address < m->bytes; }

/* All bytes of the box, whose rows and planes may run downwards. */
static int holds_all(const struct argent_mapping *m, const struct argent_window *w) {
    uint64_t first = w->address, last = w->address;
    for (int d = 0; d < w->dimensions; d++) {
        int64_t reach = (w->extent[d] - 1) * w->stride[d];
        if (reach < 0)
            first += (uint64_t)reach;
        else
            last += (uint64_t)reach;
    }
    return holds(m, first) && holds(m, last);
}

static int touches(const struct argent_window *list, size_t count, const struct argent_mappings *all, const struct argent_mapping *own) {
    for (size_t i = 0; i < count; i++) {
        if (!holds(own, list[i].address)) continue;
        int others = 0;
        for (size_t j = 0; j < all->count; j++) others += &all->list[j] != own && holds_all(&all->list[j], &list[i]);
        if (others == 0) return 1;
    }
    return 0;
}

int argent_queue_uses(struct argent_queue *q, const struct argent_mappings *all, const struct argent_mapping *own) {
    for (argent_ticket t = q->ended + 1; t <= q->started; t++) {
        const struct argent_queued *l = argent_queue_at(q, t);
        if (l->cancelled) continue;
        if (l->command.windows == NULL || touches(l->command.windows, l->command.window_count, all, own) ||
            touches(l->command.transfers, l->command.transfer_count, all, own))
            return 1;
    }
    return 0;
}

void argent_queue_free(struct argent_queue *q) {
    for (int i = 0; i < ARGENT_QUEUE_DEPTH; i++) forget(&q->waiting[i]);
    for (int i = 0; i < ARGENT_QUEUE_REMEMBERED; i++) free(q->over[i].text);
}
