#include <doctest/doctest.h>

#include "../TwoInputs.h"
#include "hwgen/Lower.h"

using namespace argent::hwgen;

TEST_CASE("plan_ports: buses are as wide as the throughput needs, and no wider than the board's") {
    const auto bus = [](int lanes, const char *images, int i) { return lower(two_inputs(lanes).r).manifest[images][i]["bus_bytes"].get<int>(); };
    CHECK(bus(1, "inputs", 0) == 4);
    CHECK(bus(4, "inputs", 0) == 4);
    CHECK(bus(8, "inputs", 0) == 8);
    CHECK(bus(32, "inputs", 0) == 8);
    CHECK(bus(8, "inputs", 1) == 8);   // a bool is a byte in memory
    CHECK(bus(1, "outputs", 0) == 8);
}
