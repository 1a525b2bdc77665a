#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace fs = std::filesystem;

TEST_CASE("waveforms: realize() writes them where ARGENT_SIM_TRACE says, and only then") {
    const fs::path file = fs::temp_directory_path() / ("argent_waveforms_" + std::to_string(getpid()) + ".fst");
    const Make make = [] {
        Var x("x"), y("y");
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        out(x, y) = cast<uint8_t>(padded(x, y) + padded(x + 1, y));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        return out;
    };
    compare(make, {{13, 5}});
    CHECK(!fs::exists(file));
    setenv("ARGENT_SIM_TRACE", file.c_str(), 1);
    compare(make, {{13, 5}});
    unsetenv("ARGENT_SIM_TRACE");
    CHECK(fs::exists(file));   // its words are written when this process ends
    fs::remove(file);
}
