#include "argent_loaded.h"

#include <stdlib.h>
#include <string.h>

int argent_loaded_is(uint32_t offset) { return offset >= ARGENT_TABLES; }

int argent_loaded_has(const struct argent_loaded *l, const struct argent_command *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->register_count; i++) {
        const struct argent_register_value *r = &c->registers[i];
        if (!argent_loaded_is(r->offset)) continue;
        if (!l->known || n == l->count || l->list[n].offset != r->offset || l->list[n].value != r->value) return 0;
        n++;
    }
    /* One that writes less may mean other places by it: a place is counted on from the one before. */
    return n == 0 || n == l->count;
}

void argent_loaded_note(struct argent_loaded *l, const struct argent_command *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->register_count; i++) n += argent_loaded_is(c->registers[i].offset) != 0;
    if (n == 0) return;
    l->known = 0;
    if (n > l->capacity) {
        struct argent_register_value *list = realloc(l->list, n * sizeof *list);
        if (list == NULL) return;
        l->list = list;
        l->capacity = n;
    }
    l->count = 0;
    for (size_t i = 0; i < c->register_count; i++)
        if (argent_loaded_is(c->registers[i].offset)) l->list[l->count++] = c->registers[i];
    l->known = 1;
}

void argent_loaded_forget(struct argent_loaded *l) { l->known = 0; }

void argent_loaded_free(struct argent_loaded *l) {
    free(l->list);
    memset(l, 0, sizeof *l);
}
