#include "argent_describe.h"

#include <stdio.h>
#include <string.h>

bool argent_takes_streams(const struct argent_accelerator *a) { return a->input_count != 0 && a->inputs[0].streams[0].is_axis; }

/* One port's bits of the error register, in words; NULL: nothing is wrong. */
static const char *port_error(bool is_axis, bool writes, int count, uint32_t bits) {
    static const char *const framing[] = {NULL, "a row of the stream ended early", "a row of the stream did not end where it should",
                                          "a frame did not begin where it should (TUSER)"};
    static const char *const bus[] = {NULL, "an access outside of the window that the driver armed was held back",
                                      "the memory answered a read with an error (SLVERR)", "nothing answers reads at an address (DECERR)",
                                      "the memory answered a write with an error (SLVERR)", "nothing answers writes at an address (DECERR)"};
    if (is_axis) return framing[bits & 3];
    if (count == 2) return bus[(bits & 3) + (writes && (bits & 2) != 0 ? 2 : 0)];
    if ((bits & 1) == 0) return NULL;
    return writes ? "the memory answered a write with an error" : "the memory answered a read with an error";
}

/* The code of the first port's mistake. */
static int bus_code(uint32_t bits) { return bits == 1 ? ARGENT_OUTSIDE : bits == 2 ? ARGENT_BUS_ERROR : ARGENT_NO_MEMORY; }

void argent_describe_refusal(const struct argent_accelerator *a, const struct argent_command *c, uint32_t bits, char *text, size_t size) {
    size_t used = strlen(text);
    for (int i = 0; i < a->check_count; i++) {
        const struct argent_check *check = &a->checks[i];
        if ((bits >> (i < 31 ? i : 31) & 1) == 0) continue;
        for (size_t k = 0; k < c->register_count && used < size; k++) {
            uint32_t value = c->registers[k].value;
            if (c->registers[k].offset != check->offset || (value >= check->min && value <= check->max)) continue;
            used += (size_t)snprintf(text + used, size - used, "; register %s is %u and takes %u to %u", check->name, (unsigned)value, (unsigned)check->min, (unsigned)check->max);
        }
    }
}

int argent_describe_error(const struct argent_accelerator *a, uint32_t error, char *text, size_t size) {
    bool axis = argent_takes_streams(a);
    int count = axis || a->error_bits == 2 ? 2 : 1;
    int code = axis ? ARGENT_MISFRAMED : ARGENT_BUS_ERROR;
    size_t used = 0;
    for (int i = 0; i < a->input_count + (axis ? 0 : a->output_count); i++) {
        bool writes = i >= a->input_count;
        const struct argent_image *image = writes ? &a->outputs[i - a->input_count] : &a->inputs[i];
        for (int k = 0; k < image->stream_count && used < size; k++, error >>= count) {
            const char *what = port_error(axis, writes, count, error);
            if (count == 2 && !axis && used == 0 && what != NULL) code = bus_code(error & 3);
            if (what != NULL)
                used += (size_t)snprintf(text + used, size - used, "%s%s %s (%s): %s", used != 0 ? "; " : "", writes ? "output" : "input", image->name,
                                         image->streams[k].port, what);
        }
    }
    if (used == 0)
        snprintf(text, size, "the accelerator reports an error of no port%s%s%s", a->error_doc != NULL ? " (" : "", a->error_doc != NULL ? a->error_doc : "",
                 a->error_doc != NULL ? ")" : "");
    return code;
}

void argent_describe_framing(const struct argent_accelerator *a, uint32_t error, char *text, size_t size) {
    if (!argent_takes_streams(a) || a->error_at.offset == ARGENT_NO_REGISTER || error == 0) return;
    size_t used = strlen(text);
    if (used + 1 < size) text[used++] = '\n';
    argent_describe_error(a, error, text + used, size - used);
}
