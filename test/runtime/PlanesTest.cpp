// The generated driver of rgb_manifest.json on a fake device: buffers of more than two dimensions, a port for each plane.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "FakeDevice.h"
#include "rgb_driver.h"

extern std::string reported_error;   // LaunchTest.cpp

namespace {

struct Planes : halide_buffer_t {
    halide_dimension_t dims[3] = {};
    std::vector<uint8_t> memory;

    Planes(int bits, halide_dimension_t a, halide_dimension_t b, halide_dimension_t c) : halide_buffer_t{}, dims{a, b, c}, memory(4096) {
        type = halide_type_t(halide_type_uint, uint8_t(bits));
        dim = dims;
        dimensions = 3;
        host = memory.data() + (128 - reinterpret_cast<uintptr_t>(memory.data()) % 128) % 128;
    }
    Planes(const Planes &) = delete;
};

/** Buffers that fit a launch of 0 .. 9 x 0 .. 4: three planes of 12 x 7; channels behind x and y in the output. */
struct Rgb {
    Planes in{8, {-1, 12, 1}, {0, 7, 12}, {0, 3, 84}}, out{16, {0, 2, 50}, {0, 10, 1}, {0, 5, 10}};
    FakeDevice &device = FakeDevice::fresh();

    Rgb() {
        argent_launch_close();
        argent_launch_set_device("fake:here");
    }
    ~Rgb() { argent_launch_close(); }
    std::string launch(int expected_code) {
        reported_error.clear();
        CHECK(rgb_launch(&in, 0, 9, 0, 4, &out) == expected_code);
        return reported_error;
    }
};

}  // namespace

TEST_CASE("planes: one address for each, one mapping for all") {
    Rgb b;
    CHECK(b.launch(0) == "");
    auto &r = b.device.registers;
    CHECK(r[RGB_IN_C0_ADDRESS] == 0x100000);
    CHECK(r[RGB_IN_C2_ADDRESS] == 0x100000 + 2 * 84 + 1);
    CHECK(r[RGB_IN_C0_STRIDE] == 12);
    CHECK(r[RGB_OUT_C0_ADDRESS] == 0x200000);
    CHECK(r[RGB_OUT_C1_ADDRESS] == 0x200000 + 100);
    CHECK(r[RGB_OUT_C0_STRIDE] == 20);
    CHECK(b.device.ports == std::vector<std::string>{"m_axi_in_c0", "m_axi_in_c2", "m_axi_out_c0", "m_axi_out_c1"});
    CHECK(b.device.windows[0].extent[0] == 12);
    CHECK(b.device.windows[0].extent[1] == 5);
    CHECK(b.device.windows[1].extent[0] == 10);
    CHECK(b.device.windows[1].extent[1] == 7);
    CHECK(b.device.windows[3].extent[0] == 20);
}

TEST_CASE("planes: where no channel is wanted nothing is done") {
    Rgb b;
    b.out.dims[0] = {2, 0, 50};
    CHECK(b.launch(0) == "");
    CHECK(b.device.ports.empty());
    b.out.dims[0] = {1, 1, 50};
    CHECK(b.launch(halide_error_code_access_out_of_bounds) != "");
}

TEST_CASE("planes: refusals") {
    SUBCASE("a channel that is not there") {
        Rgb b;
        b.in.dims[2].extent = 2;
        CHECK(b.launch(halide_error_code_access_out_of_bounds) ==
              "rgb: input in: dimension 2 of the buffer covers 0 to 1, the accelerator reads 0 to 2; make the buffer at least that large, or "
              "compute less of the output");
    }
    SUBCASE("not dense") {
        Rgb b;
        b.out.dims[0].stride = 1;
        b.out.dims[1].stride = 2;
        b.out.dims[2].stride = 20;
        CHECK(b.launch(halide_error_code_constraint_violated) ==
              "rgb: output out: neighbours in dimension 1 are 2 elements apart, the accelerator needs 1; copy the image into a planar buffer, or fix "
              "dim(1).set_stride(1)");
    }
    SUBCASE("planes on each other") {
        Rgb b;
        b.out.dims[0].stride = 5;
        CHECK(b.launch(halide_error_code_constraint_violated) ==
              "rgb: output out: its planes share 90 bytes of memory; planes that overlap cannot be written");
    }
    SUBCASE("dimensions") {
        Rgb b;
        b.in.dimensions = 2;
        CHECK(b.launch(halide_error_code_bad_dimensions) ==
              "rgb: input in: the buffer has 2 dimensions, the accelerator reads 3; slice it or embed it with Halide::Runtime::Buffer");
    }
    SUBCASE("the output beside a plane of the input, in one buffer") {
        Rgb b;
        b.out.host = b.in.host + 84 + 6;   // in the plane that nobody reads, up to the next one
        CHECK(b.launch(halide_error_code_constraint_violated).find("rgb: output out lies on input in: they share ") == 0);
    }
}
