// The generated driver of tables_manifest.json on a fake device: buffers that are loaded before the launch.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "FakeDevice.h"
#include "tables_driver.h"

extern std::string reported_error;   // LaunchTest.cpp

namespace {

struct Image : halide_buffer_t {
    halide_dimension_t dims[2] = {{0, 4, 1}, {0, 2, 4}};
    uint8_t memory[64] = {};
    Image() : halide_buffer_t{} {
        type = halide_type_t(halide_type_uint, 8);
        dim = dims;
        dimensions = 2;
        host = memory;
    }
    Image(const Image &) = delete;
};

/** curve(i, j) = 100 * i + j for -3 .. 3 and 3 .. 7, each i a row apart; wide(i) = i * 2^33 + 7 for 0 .. 3. */
struct Tables {
    Image in, out;
    int16_t curve_memory[7 * 5];
    uint64_t wide_memory[4];
    halide_dimension_t curve_dims[2] = {{-3, 7, 5}, {3, 5, 1}}, wide_dims[1] = {{0, 4, 1}};
    halide_buffer_t curve{}, wide{};
    FakeDevice &device = FakeDevice::fresh();

    Tables() {
        for (int i = -3; i <= 3; i++) {
            for (int j = 3; j <= 7; j++) curve_memory[(i + 3) * 5 + j - 3] = int16_t(100 * i + j);
        }
        for (uint64_t i = 0; i < 4; i++) wide_memory[i] = (i << 33) + 7;
        curve.type = halide_type_t(halide_type_int, 16);
        curve.dim = curve_dims;
        curve.dimensions = 2;
        curve.host = reinterpret_cast<uint8_t *>(curve_memory);
        wide.type = halide_type_t(halide_type_uint, 64);
        wide.dim = wide_dims;
        wide.dimensions = 1;
        wide.host = reinterpret_cast<uint8_t *>(wide_memory);
        argent_launch_close();
        argent_launch_set_device("fake:here");
    }
    ~Tables() {
        argent_launch_observe(nullptr, nullptr);
        argent_launch_close();
    }
    std::string launch(int expected_code) {
        reported_error.clear();
        CHECK(tables_launch(&in, &curve, &wide, 0, 3, 0, 1, &out) == expected_code);
        return reported_error;
    }
};

}  // namespace

TEST_CASE("tables: elements go to registers, the rest to memories, one run of places after the other") {
    Tables t;
    std::vector<std::pair<uint32_t, uint32_t>> writes;
    argent_launch_observe(
        [](const argent_launch_record *r, void *context) {
            for (int i = 0; i < r->register_count; i++) {
                const auto &w = r->registers[i];
                if (w.offset >= TABLES_CURVE_PLACE) static_cast<decltype(writes) *>(context)->push_back({w.offset, w.value});
            }
        },
        &writes);
    CHECK(t.launch(0) == "");
    CHECK(t.device.registers[TABLES_CURVE_M2_6] == uint16_t(-200 + 6));
    const uint32_t place = TABLES_CURVE_PLACE, element = TABLES_CURVE_ELEMENT, wide = TABLES_WIDE_ELEMENT;
    // The low bits of -1 .. 2 are 3, 0, 1, 2; the second index is bit 2.
    const std::vector<std::pair<uint32_t, uint32_t>> expected = {
        {place, 3}, {element, uint16_t(-100 + 4)}, {place, 0}, {element, 4}, {element, 104}, {element, 204},
        {place, 7}, {element, uint16_t(-100 + 5)}, {place, 4}, {element, 5}, {element, 105}, {element, 205},
        {TABLES_WIDE_PLACE, 0}, {wide, 7}, {wide + 4, 0}, {wide, 7}, {wide + 4, 2}, {wide, 7}, {wide + 4, 4}};
    CHECK(writes == expected);
}

TEST_CASE("tables: a bounds query tells what has to be there") {
    Tables t;
    t.in.host = t.out.host = t.curve.host = t.wide.host = nullptr;
    CHECK(t.launch(0) == "");
    CHECK(t.device.launches == 0);
    CHECK(t.curve.dim[0].min == -2);
    CHECK(t.curve.dim[0].extent == 5);
    CHECK(t.curve.dim[1].min == 4);
    CHECK(t.curve.dim[1].extent == 3);
    CHECK(t.wide.dim[0].extent == 3);
}

TEST_CASE("tables: refusals") {
    Tables t;
    SUBCASE("too small") {
        t.curve_dims[1].extent = 3;
        CHECK(t.launch(halide_error_code_access_out_of_bounds) ==
              "tables: table curve: dimension 1 of the buffer covers 3 to 5, the table has places 4 to 6; make the buffer at least that large, or "
              "bound the index in the pipeline");
    }
    SUBCASE("not there") {
        t.wide.host = nullptr;
        CHECK(t.launch(halide_error_code_host_is_null) == "tables: table wide: the buffer's host pointer is null; allocate it first");
        t.wide.device = 1;
        CHECK(t.launch(halide_error_code_host_is_null) == "tables: table wide: the buffer's host pointer is null; call copy_to_host() first");
    }
    SUBCASE("null") {
        reported_error.clear();
        CHECK(tables_launch(&t.in, nullptr, &t.wide, 0, 3, 0, 1, &t.out) == halide_error_code_buffer_argument_is_null);
        CHECK(reported_error == "tables: table curve: no buffer was given; it needs one of int16 with 2 dimensions");
    }
    SUBCASE("another type") {
        t.curve.type = halide_type_t(halide_type_uint, 16);
        CHECK(t.launch(halide_error_code_bad_type) == "tables: table curve: the buffer holds uint16, the table int16; pass a buffer of int16");
    }
    SUBCASE("other dimensions") {
        t.curve.dimensions = 1;
        CHECK(t.launch(halide_error_code_bad_dimensions) ==
              "tables: table curve: the buffer has 1 dimensions, the table 2; slice it or embed it");
    }
    CHECK(t.device.launches == 0);
}
