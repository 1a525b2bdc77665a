// test_sim_client <what>: a program with the device of ARGENT_DEVICE, for server_test.sh.
//   launch   computes an image twice, once in memory that the server reaches: bits, clocks and copies
//   hold     opens the device, says so, and keeps it until its input ends
//   hang     starts a launch that never ends, says so, and waits
//   hang2    the same with another launch behind it in the hardware
#include <cstdio>
#include <cstring>
#include <vector>

#include "BytePlane.h"
#include "argent_memory.h"
#include "argent_sim.h"
#include "increment_driver.h"

extern "C" void halide_error(void *, const char *message) { std::fprintf(stderr, "%s\n", message); }

namespace {

constexpr int width = 200, height = 9, bytes = width * height;

uint64_t count(argent_count which) {
    argent_device *d = nullptr;
    uint64_t v = 0;
    if (argent_launch_device(&increment_accelerator, &d) != ARGENT_OK || argent_counter(d, which, &v) != ARGENT_OK) std::puts("no counter");
    return v;
}

int launch(uint8_t *in, uint8_t *out, int broken = 0) {
    BytePlane a(in, width, height, width), b(out, width, height, width);
    for (int i = 0; i < bytes; i++) in[i] = uint8_t(i * 5), out[i] = 0;
    if (increment_launch(&a, 0, width - 1, 0, height - 1, 3, broken, &b) != 0) return 1;
    for (int i = 0; i < bytes; i++)
        if (out[i] != uint8_t(in[i] + 3)) return std::printf("element %d is %d\n", i, out[i]), 1;
    return 0;
}

int launch_twice() {
    auto *shared = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, 2 * 2048));
    alignas(128) static uint8_t own[2 * 2048];
    if (launch(own, own + 2048) != 0) return 1;
    uint64_t clocks = count(ARGENT_COUNT_CLOCKS);
    if (count(ARGENT_COUNT_COPIES) != 2) return std::puts("images of the program's own were not staged"), 1;
    if (launch(shared, shared + 2048) != 0) return 1;
    if (count(ARGENT_COUNT_COPIES) != 2) return std::puts("shared images were staged"), 1;
    if (count(ARGENT_COUNT_LAUNCHES) != 2) return std::puts("not two launches"), 1;
    if (clocks == 0 || count(ARGENT_COUNT_CLOCKS) != clocks) return std::puts("staging changes the clocks"), 1;
    std::printf("%llu clocks\n", (unsigned long long)clocks);
    return 0;
}

int hang_with_two(argent_device *d) {
    argent_sim_settings s;
    argent_sim_defaults(&s);
    s.watchdog = 0;
    argent_sim_set(&s);
    auto *image = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, 4096));
    uint64_t at = 0;
    if (argent_map(d, image, 4096, ARGENT_READ | ARGENT_WRITE, &at) != ARGENT_OK) return 1;
    argent_register_value registers[] = {{INCREMENT_BROKEN, 12},       {INCREMENT_WIDTH, width},    {INCREMENT_HEIGHT, height},
                                         {INCREMENT_IN_ADDRESS, uint32_t(at)},  {INCREMENT_IN_STRIDE, width},
                                         {INCREMENT_OUT_ADDRESS, uint32_t(at) + 2048}, {INCREMENT_OUT_STRIDE, width}};
    argent_window windows[] = {{"m_axi_in", ARGENT_READ, at, 1, {bytes}, {1}}, {"m_axi_out", ARGENT_WRITE, at + 2048, 1, {bytes}, {1}}};
    argent_command command = {registers, sizeof registers / sizeof *registers, windows, 2, nullptr, 0, nullptr};
    for (int n = 0; n < 2; n++)
        if (argent_start(d, &command, nullptr) != ARGENT_OK) return 1;
    uint32_t control = 0;
    if (argent_read(d, ARGENT_CONTROL, &control) != ARGENT_OK || (control & ARGENT_CONTROL_START) == 0) return std::puts("no launch waits"), 1;
    std::puts("hangs");
    std::fflush(stdout);
    return argent_wait(d, 0, -1);
}

}  // namespace

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    argent_device *d = nullptr;
    int code = argent_launch_device(&increment_accelerator, &d);
    if (code != ARGENT_OK) return std::fprintf(stderr, "%s: %s\n", argent_error_text(code), argent_open_text()), 4;
    if (std::strcmp(what, "launch") == 0) {
        code = launch_twice();
    } else if (std::strcmp(what, "hold") == 0) {
        std::puts("holds");
        std::fflush(stdout);
        while (std::getchar() != EOF) {}
    } else if (std::strcmp(what, "hang") == 0) {
        argent_sim_settings s;
        argent_sim_defaults(&s);
        s.watchdog = 0;
        argent_sim_set(&s);
        std::puts("hangs");
        std::fflush(stdout);
        static uint8_t images[2 * 2048];
        code = launch(images, images + 2048, 12);  // the accelerator does not take what it reads
        code = code != 0 ? -argent_launch_code() : 0;
    } else if (std::strcmp(what, "hang2") == 0) {
        code = hang_with_two(d);
    } else {
        return 2;
    }
    argent_launch_close();
    return code;
}
