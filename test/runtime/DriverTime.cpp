// driver_time: what the host's half of a launch costs, on the device mock: with nothing to compute. For ./bench; no test looks at a clock.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "argent_mock.h"
#include "blend_driver.h"

namespace {

argent_mock nothing = {"blend", BLEND_ID_VALUE, [](const argent_images *) { return 0; }, nullptr};

struct Image : halide_buffer_t {
    halide_dimension_t dims[2];
    std::vector<int16_t> memory;
    Image(halide_type_code_t code, int bits, int min, int extent) : halide_buffer_t{}, memory(size_t(extent) * size_t(extent)) {
        type = halide_type_t(code, uint8_t(bits));
        dims[0] = halide_dimension_t(min, extent, 1);
        dims[1] = halide_dimension_t(min, extent, extent);
        dim = dims;
        dimensions = 2;
        host = reinterpret_cast<uint8_t *>(memory.data());
    }
    Image(const Image &) = delete;
};

}  // namespace

int main() {
    enum { LAUNCHES = 2000, TURNS = 50 };   // the quickest turn counts: other programs may run on this machine
    argent_mock_add(&nothing);
    argent_launch_set_device("mock:");
    Image over(halide_type_uint, 8, -2, 40), under(halide_type_int, 16, 0, 32), out(halide_type_int, 16, 0, 32);
    double best = 1e9;
    for (int turn = 0; turn < TURNS; turn++) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < LAUNCHES; i++)
            if (blend_launch(&over, &under, 0, 31, 0, 31, 1.5f, -3, 7, true, &out) != 0) return 1;
        const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / LAUNCHES);
    }
    std::printf("%.2f us in the driver per launch (%d images)\n", best, 3);
    return 0;
}
