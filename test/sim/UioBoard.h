#ifndef ARGENT_TEST_UIO_BOARD_H
#define ARGENT_TEST_UIO_BOARD_H

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstring>
#include <string>

#include "BytePlane.h"
#include "UioStandIn.h"
#include "argent_halide.h"
#include "argent_uio.h"
#include "increment_driver.h"

/** What halide_error got since the last launch. */
inline std::string said;

/** Two images of one size, each where `allocate` takes it. */
struct Images {
    int width, height, stride;
    uint8_t *in, *out;
    void (*free_image)(void *);

    Images(int w, int h, int s, void *(*allocate)(size_t), void (*free_image)(void *)) : width(w), height(h), stride(s), free_image(free_image) {
        in = static_cast<uint8_t *>(allocate(size_t(s * h)));
        out = static_cast<uint8_t *>(allocate(size_t(s * h)));
        for (int i = 0; i < s * h; i++) in[i] = uint8_t(i * 7), out[i] = 0xee;
    }
    ~Images() {
        free_image(in);
        free_image(out);
    }
    Images(const Images &) = delete;
    int launch(int amount, int min_x = 0, int broken = 0) { return launch_on(in, out, amount, min_x, broken); }
    int launch_on(uint8_t *from, uint8_t *to, int amount, int min_x = 0, int broken = 0) {
        said.clear();
        BytePlane a(from, width, height, stride), b(to, width, height, stride);
        return increment_launch(&a, min_x, width - 1, 0, height - 1, int8_t(amount), uint8_t(broken), &b);
    }
    /** Elements that are not as a launch from column min_x leaves them. */
    int wrong(int amount, int min_x = 0) const {
        int n = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < stride; x++) {
                int i = y * stride + x;
                n += out[i] != (x >= min_x && x < width ? uint8_t(in[i] + amount) : 0xee);
            }
        return n;
    }
};

/** Memory that the device cannot reach. The tiny accelerator does not split bursts at 4 KiB: rows are whole bursts. */
inline void *elsewhere(size_t bytes) { return aligned_alloc(128, (bytes + 127) / 128 * 128); }

struct Board : UioStandIn {
    explicit Board(bool coherent, const char *options = "") : UioStandIn(coherent) {
        argent_launch_code();
        argent_launch_set_device((uri() + options).c_str());
    }
    ~Board() {
        argent_launch_close();
        argent_launch_set_device(nullptr);
    }
    uint64_t count(argent_count which) const {
        argent_device *d = nullptr;
        uint64_t v = 0;
        REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
        REQUIRE(argent_counter(d, which, &v) == ARGENT_OK);
        return v;
    }
};

#endif
