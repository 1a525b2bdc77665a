// The generated driver of interleaved_manifest.json on a fake device: channels side by side, one port for all.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "FakeDevice.h"
#include "interleaved_driver.h"

extern std::string reported_error;   // LaunchTest.cpp

namespace {

struct Pixels : halide_buffer_t {
    halide_dimension_t dims[3] = {};
    std::vector<uint8_t> memory;

    Pixels(int bits, halide_dimension_t a, halide_dimension_t b, halide_dimension_t c) : halide_buffer_t{}, dims{a, b, c}, memory(4096) {
        type = halide_type_t(halide_type_uint, uint8_t(bits));
        dim = dims;
        dimensions = 3;
        host = memory.data() + (128 - reinterpret_cast<uintptr_t>(memory.data()) % 128) % 128;
    }
    Pixels(const Pixels &) = delete;
};

/** Buffers that fit a launch of 0 .. 9 x 0 .. 4: pixels of 4 bytes, of which two are read, in rows of 50; and of 3 words. */
struct Interleaved {
    Pixels in{8, {-1, 12, 4}, {0, 7, 50}, {0, 4, 1}}, out{16, {0, 3, 1}, {0, 10, 3}, {0, 5, 30}};
    FakeDevice &device = FakeDevice::fresh();

    Interleaved() {
        argent_launch_close();
        argent_launch_set_device("fake:here");
    }
    ~Interleaved() { argent_launch_close(); }
    std::string launch(int expected_code) {
        reported_error.clear();
        CHECK(interleaved_launch(&in, 0, 9, 0, 4, &out) == expected_code);
        return reported_error;
    }
};

}  // namespace

TEST_CASE("interleaved: the address of the first channel, and rows up to the last one's last") {
    Interleaved b;
    CHECK(b.launch(0) == "");
    auto &r = b.device.registers;
    CHECK(r[INTERLEAVED_IN_ADDRESS] % 64 == 1);
    CHECK(r[INTERLEAVED_IN_STRIDE] == 50);
    CHECK(r[INTERLEAVED_OUT_STRIDE] == 60);
    CHECK(b.device.ports == std::vector<std::string>{"m_axi_in", "m_axi_out"});
    CHECK(b.device.windows[0].extent[0] == 11 * 4 + 2);
    CHECK(b.device.windows[0].extent[1] == 7);
    CHECK(b.device.windows[1].extent[0] == 60);
    CHECK(b.device.windows[1].extent[1] == 5);
}

TEST_CASE("interleaved: one pixel, wherever it lies") {
    Interleaved b;
    b.in.dims[1].stride = 77;
    CHECK(interleaved_launch(&b.in, 3, 3, 2, 2, &b.out) == 0);
    CHECK(b.device.windows[0].extent[0] == 2 * 4 + 2);
    CHECK(b.device.windows[1].extent[0] == 6);
    CHECK(b.device.registers[INTERLEAVED_IN_STRIDE] == 77);
}

TEST_CASE("interleaved: refusals") {
    SUBCASE("planar") {
        Interleaved b;
        b.in.dims[0].stride = 1;
        CHECK(b.launch(halide_error_code_constraint_violated) ==
              "interleaved: input in: neighbours in dimension 0 are 1 elements apart, the accelerator needs 4; copy the image into an interleaved "
              "buffer (make_interleaved), or take out set_stride() and build the accelerator for planar ones");
    }
    SUBCASE("channels elsewhere") {
        Interleaved b;
        b.out.dims[0].stride = 150;
        CHECK(b.launch(halide_error_code_constraint_violated) ==
              "interleaved: output out: neighbours in dimension 0 are 150 elements apart, the accelerator needs 1; copy the image into an interleaved "
              "buffer (make_interleaved), or take out set_stride() and build the accelerator for planar ones");
    }
    SUBCASE("rows on each other") {
        Interleaved b;
        b.out.dims[2].stride = 29;
        CHECK(b.launch(halide_error_code_constraint_violated) ==
              "interleaved: output out: the rows of dimension 2 are 58 bytes apart, but one is 60 bytes long; rows that overlap cannot be written");
    }
    SUBCASE("a channel that is not there") {
        Interleaved b;
        b.in.dims[2].extent = 2;
        CHECK(b.launch(halide_error_code_access_out_of_bounds) ==
              "interleaved: input in: dimension 2 of the buffer covers 0 to 1, the accelerator reads 1 to 2; make the buffer at least that large, or "
              "compute less of the output");
    }
}
