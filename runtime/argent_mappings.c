#include <stdlib.h>
#include <string.h>

#include "argent_runtime.h"

enum { MAPPING_UNIT = 1 << 20, MAPPING_GAP = 4096, MAPPING_PHASE = 128 };

int argent_mappings_add(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t *address) {
    const uint64_t space = (uint64_t)1 << 32;
    uint64_t phase = (uintptr_t)host % MAPPING_PHASE;
    if (bytes > space) return ARGENT_OUT_OF_MEMORY;
    uint64_t need = (phase + bytes + MAPPING_GAP + MAPPING_UNIT - 1) / MAPPING_UNIT * MAPPING_UNIT;
    uint64_t base = MAPPING_UNIT; /* the first unit stays free: a null address must not be a good one */
    size_t i = 0;
    for (; i < m->count; i++) {
        uint64_t first = m->list[i].address / MAPPING_UNIT * MAPPING_UNIT;
        if (base + need <= first) break;
        base = (m->list[i].address + m->list[i].bytes + MAPPING_GAP + MAPPING_UNIT - 1) / MAPPING_UNIT * MAPPING_UNIT;
    }
    if (base + need > space) return ARGENT_OUT_OF_MEMORY;
    *address = base + phase;
    return argent_mappings_at(m, host, bytes, access, *address);
}

int argent_mappings_at(struct argent_mappings *m, void *host, size_t bytes, unsigned access, uint64_t address) {
    size_t i = 0;
    while (i < m->count && m->list[i].address <= address) i++;
    if (m->count == m->capacity) {
        size_t capacity = m->capacity != 0 ? 2 * m->capacity : 16;
        struct argent_mapping *list = realloc(m->list, capacity * sizeof *list);
        if (list == NULL) return ARGENT_OUT_OF_MEMORY;
        m->list = list;
        m->capacity = capacity;
    }
    memmove(m->list + i + 1, m->list + i, (m->count - i) * sizeof *m->list);
    m->count++;
    m->list[i].address = address;
    m->list[i].host = host;
    m->list[i].bytes = bytes;
    m->list[i].access = access;
    return ARGENT_OK;
}

const struct argent_mapping *argent_mappings_find(const struct argent_mappings *m, uint64_t address) {
    const struct argent_mapping *least = NULL;
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].address == address && (least == NULL || m->list[i].bytes < least->bytes)) least = &m->list[i];
    return least;
}

int argent_mappings_remove(struct argent_mappings *m, uint64_t address) {
    const struct argent_mapping *found = argent_mappings_find(m, address);
    if (found == NULL) return ARGENT_NOT_MAPPED;
    size_t i = (size_t)(found - m->list);
    unsigned access = found->access;
    memmove(m->list + i, m->list + i + 1, (m->count - i - 1) * sizeof *m->list);
    m->count--;
    for (size_t j = 0; j < m->count; j++)
        if (m->list[j].address == address) m->list[j].access |= access; /* this one may be what was meant to stay */
    return ARGENT_OK;
}

void argent_mappings_free(struct argent_mappings *m) {
    free(m->list);
    memset(m, 0, sizeof *m);
}
