// test_sim_loaded <library>: a model that is not linked but loaded by its path, and found by ARGENT_SIM_PATH's error text.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "BytePlane.h"
#include "increment_driver.h"

extern "C" void halide_error(void *, const char *message) { std::fprintf(stderr, "%s\n", message); }

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    argent_device *d = nullptr;
    if (argent_open("sim:", "increment", &d) != ARGENT_NO_ACCELERATOR) return std::puts("an unlinked model was found"), 1;
    if (std::strstr(argent_open_text(), "linked models: none") == nullptr) return std::puts(argent_open_text()), 1;
    std::string uri = std::string("sim:") + argv[1];
    if (argent_open(uri.c_str(), "nonesuch", &d) != ARGENT_NO_ACCELERATOR) return std::puts("a model that is not there was found"), 1;
    if (std::strstr(argent_open_text(), "holds no model of \"nonesuch\"; its models: increment") == nullptr) return std::puts(argent_open_text()), 1;

    argent_launch_set_device(uri.c_str());
    std::vector<uint8_t> in(40 * 8), out(40 * 8);
    for (size_t i = 0; i < in.size(); i++) in[i] = uint8_t(i);
    BytePlane a(in.data(), 40, 8, 40), b(out.data(), 40, 8, 40);
    // The tiny accelerator wants input and output to lie equally to the bus.
    if ((reinterpret_cast<uintptr_t>(a.host) ^ reinterpret_cast<uintptr_t>(b.host)) % 8 != 0) return std::puts("allocated unequally"), 1;
    if (increment_launch(&a, 0, 39, 0, 7, 3, 0, &b) != 0) return 1;
    for (size_t i = 0; i < in.size(); i++)
        if (out[i] != uint8_t(in[i] + 3)) return std::printf("element %zu is %d\n", i, out[i]), 1;
    argent_launch_close();
    return 0;
}
