#include "argent_registers.h"

#include <stdlib.h>
#include <string.h>

/* The most writes that loading a table's memory can take. */
static int64_t table_writes(const struct argent_table *t) {
    if (t->place.offset == ARGENT_NO_REGISTER) return 0;
    int64_t count = 1;
    for (int d = 0; d < t->dimensions; d++) count *= (int64_t)t->index[d].max - t->index[d].min + 1;
    return 3 * count;
}

bool argent_registers_make(const struct argent_accelerator *a, struct argent_registers *r) {
    int64_t most = ARGENT_MAX_REGISTERS;
    for (int i = 0; i < a->table_count; i++) most += table_writes(&a->tables[i]);
    r->count = 0;
    r->capacity = (int32_t)most;
    r->list = most == ARGENT_MAX_REGISTERS ? r->fixed : malloc((size_t)most * sizeof *r->list);
    return r->list != NULL;
}

void argent_registers_free(struct argent_registers *r) {
    if (r->list != r->fixed) free(r->list);
}

static void set_register(struct argent_registers *r, struct argent_register_at at, uint64_t value) {
    if (at.offset == ARGENT_NO_REGISTER) return;
    if (at.bits < 32) value &= ((uint64_t)1 << at.bits) - 1;
    for (uint32_t word = 0; word < (at.bits > 32 ? 2u : 1u) && r->count < r->capacity; word++) {
        r->list[r->count].offset = (uint32_t)at.offset + 4 * word;
        r->list[r->count].value = (uint32_t)(value >> (32 * word));
        r->count++;
    }
}

const struct argent_part *argent_registers_reach(const struct argent_places *places) {
    for (int i = 0; i < places->part_count; i++) {
        const struct argent_part *p = &places->parts[i];
        int bits = p->stream->address.bits;
        if (p->stream->address.offset == ARGENT_NO_REGISTER || bits >= 64) continue;
        if ((argent_part_address(p) + (uint64_t)(p->high - p->first) - 1) >> bits != 0) return p;
    }
    return NULL;
}

/* Registers of windows are none of the first arguments, so that offset 0 is none. */
static void set_window(struct argent_registers *r, const struct argent_part *p) {
    if (p->stream->low.offset <= 0 || p->stream->high.offset <= 0) return;
    set_register(r, p->stream->low, argent_part_address(p) - (uint64_t)(p->first - p->low));
    set_register(r, p->stream->high, argent_part_address(p) + (uint64_t)(p->high - p->first) - 1);
}

void argent_registers_fill(const struct argent_accelerator *a, const int32_t *box, const uint64_t *params, const struct argent_places *places,
                           struct argent_registers *r) {
    const struct argent_part *parts = places->parts;
    const int part_count = places->part_count;
    const int32_t *domain = argent_domain_of(a, box);
    for (int d = 0; d < a->dimensions; d++) {
        set_register(r, a->block[d].extent, (uint64_t)((int64_t)domain[2 * d + 1] - domain[2 * d] + 1));
        set_register(r, a->block[d].min, (uint64_t)(int64_t)domain[2 * d]);
        for (int i = 0; i < part_count && a->block[d].has_domain; i++) {
            if (!parts[i].of->writes) continue;
            set_register(r, parts[i].stream->first[d], (uint64_t)((int64_t)box[2 * d] - domain[2 * d]));
            set_register(r, parts[i].stream->end[d], (uint64_t)((int64_t)box[2 * d + 1] - domain[2 * d] + 1));
            set_register(r, parts[i].stream->extent[d], (uint64_t)((int64_t)box[2 * d + 1] - box[2 * d] + 1));
        }
    }
    for (int i = 0; i < part_count; i++) {
        set_register(r, parts[i].stream->address, argent_part_address(&parts[i]));
        if (parts[i].stream->start_row_param > 0) {
            int64_t start_row = (int32_t)params[parts[i].stream->start_row_param - 1];
            set_register(r, parts[i].stream->start_address, argent_part_address(&parts[i]) + (uint64_t)(start_row * parts[i].stride[1]));
            set_register(r, parts[i].stream->last_address, argent_part_address(&parts[i]) + (uint64_t)((parts[i].extent[1] - 1) * parts[i].stride[1]));
        }
        for (int k = 1; k < parts[i].of->image->scanned_count; k++) set_register(r, parts[i].stream->stride[k], (uint64_t)parts[i].stride[k]);
        set_window(r, &parts[i]);
    }
    for (int i = 0; i < a->param_count; i++) set_register(r, a->params[i].at, params[i]);
}

/* The bits of one element, signed ones sign-extended. */
static uint64_t element_at(const struct argent_table *t, const halide_buffer_t *b, const int32_t *place) {
    int64_t index = 0;
    for (int d = 0; d < t->dimensions; d++) index += (int64_t)(place[d] - b->dim[d].min) * b->dim[d].stride;
    const void *p = b->host + index * ((t->type.bits + 7) / 8);
    bool is_signed = t->type.code == halide_type_int;
    switch ((t->type.bits + 7) / 8) {
    case 1: return is_signed ? (uint64_t)(int64_t) * (const int8_t *)p : *(const uint8_t *)p;
    case 2: return is_signed ? (uint64_t)(int64_t) * (const int16_t *)p : *(const uint16_t *)p;
    case 4: return is_signed ? (uint64_t)(int64_t) * (const int32_t *)p : *(const uint32_t *)p;
    default: return *(const uint64_t *)p;
    }
}

void argent_registers_load(const struct argent_table *t, const halide_buffer_t *b, struct argent_registers *r) {
    for (int i = 0; i < t->element_count; i++) set_register(r, t->elements[i].at, element_at(t, b, t->elements[i].place));
    if (t->place.offset == ARGENT_NO_REGISTER) return;
    int32_t place[ARGENT_MAX_DIMENSIONS];
    for (int d = 0; d < t->dimensions; d++) place[d] = t->index[d].min;
    uint64_t next = UINT64_MAX;
    for (;;) {
        uint64_t address = 0;
        for (int d = 0; d < t->dimensions; d++) {
            uint64_t low = (uint64_t)(int64_t)place[d] & (((uint64_t)1 << t->index[d].bits) - 1);
            address |= low << t->index[d].shift;
        }
        if (address != next) set_register(r, t->place, address);
        set_register(r, t->element, element_at(t, b, place));
        next = address + 1;
        int d = 0;
        for (; d < t->dimensions; d++) {
            if (place[d]++ < t->index[d].max) break;
            place[d] = t->index[d].min;
        }
        if (d == t->dimensions) return;
    }
}

void argent_window_fill(const struct argent_part *p, struct argent_window *w) {
    memset(w, 0, sizeof *w);
    w->port = p->stream->port;
    w->access = p->of->writes ? ARGENT_WRITE : ARGENT_READ;
    w->address = argent_part_address(p);
    w->dimensions = p->of->image->scanned_count;
    w->extent[0] = p->row;
    w->stride[0] = 1;
    for (int k = 1; k < w->dimensions; k++) {
        w->extent[k] = p->extent[k];
        w->stride[k] = p->stride[k];
    }
}
