// The device mock: with the driver of blend_manifest.json: what the host's processor is given to compute, and what is said when it cannot.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "argent_mock.h"
#include "blend_driver.h"

extern std::string reported_error;

namespace {

struct Image : halide_buffer_t {
    halide_dimension_t dims[2];
    std::vector<int16_t> memory;
    Image(halide_type_code_t code, int bits, int min_x, int width, int min_y, int height) : halide_buffer_t{}, memory(size_t(width) * size_t(height) + 64, -1) {
        type = halide_type_t(code, uint8_t(bits));
        dims[0] = halide_dimension_t(min_x, width, 1);
        dims[1] = halide_dimension_t(min_y, height, width);
        dim = dims;
        dimensions = 2;
        host = reinterpret_cast<uint8_t *>(memory.data());
    }
    Image(const Image &) = delete;
};

int code_of_compute = 0;
int computed = 0;

/** x + 100 * y + offset in every element of the output. */
int compute(const argent_images *images) {
    computed++;
    CHECK(argent_mock_float32(images->params[0]) == 1.5f);
    CHECK(int(images->params[1]) == -3);
    CHECK(images->inputs[0]->dim[0].min == -2);
    const halide_buffer_t &out = *images->outputs[0];
    for (int y = 0; y < out.dim[1].extent; y++)
        for (int x = 0; x < out.dim[0].extent; x++)
            reinterpret_cast<int16_t *>(out.host)[x * out.dim[0].stride + y * out.dim[1].stride] =
                int16_t(x + out.dim[0].min + 100 * (y + out.dim[1].min) + int(images->params[1]));
    return code_of_compute;
}

struct Mocked {
    Image over{halide_type_uint, 8, -2, 14, -1, 9}, under{halide_type_int, 16, 0, 10, 0, 5}, out{halide_type_int, 16, -1, 12, -1, 7};
    Mocked() {
        static argent_mock mock = {"blend", BLEND_ID_VALUE, compute, nullptr};
        static const int added = (argent_mock_add(&mock), 1);
        (void)added;
        argent_launch_close();
        argent_launch_code();
        argent_launch_set_device("mock:");
        reported_error.clear();
        code_of_compute = computed = 0;
    }
    ~Mocked() {
        argent_launch_close();
        argent_launch_set_device(nullptr);
    }
    int launch() { return blend_launch(&over, &under, 1, 9, 2, 4, 1.5f, -3, 0, true, &out); }
};

}  // namespace

TEST_CASE("mock: the processor computes the block, and nothing beside it") {
    Mocked m;
    CHECK(m.launch() == 0);
    CHECK(reported_error == "");
    CHECK(computed == 1);
    for (int y = -1; y < 6; y++)
        for (int x = -1; x < 11; x++) {
            const bool inside = x >= 1 && x <= 9 && y >= 2 && y <= 4;
            CHECK(m.out.memory[size_t((y + 1) * 12 + x + 1)] == (inside ? x + 100 * y - 3 : -1));
        }
    argent_device *device = nullptr;
    CHECK(argent_launch_device(&blend_accelerator, &device) == ARGENT_OK);
    uint64_t launches = 0, copies = 1, mappings = 1, clocks = 1, bytes = 0;
    CHECK(argent_counter(device, ARGENT_COUNT_LAUNCHES, &launches) == ARGENT_OK);
    CHECK(argent_counter(device, ARGENT_COUNT_COPIES, &copies) == ARGENT_OK);
    CHECK(argent_counter(device, ARGENT_COUNT_MAPPINGS, &mappings) == ARGENT_OK);
    CHECK(argent_counter(device, ARGENT_COUNT_CLOCKS, &clocks) == ARGENT_OK);
    CHECK(launches == 1);
    CHECK(copies == 0);
    CHECK(mappings == 0);
    CHECK(clocks == 0);
    CHECK(argent_counter(device, ARGENT_COUNT_BYTES_READ, &bytes) == ARGENT_UNSUPPORTED);
    uint32_t offset = 0;
    CHECK(argent_read(device, BLEND_OFFSET, &offset) == ARGENT_OK);
    CHECK(offset == 0xfd);   // the driver has written its registers
}

TEST_CASE("mock: buffers are checked as for any device") {
    Mocked m;
    m.under.dims[0].extent = 3;
    CHECK(m.launch() != 0);
    CHECK(argent_launch_code() == ARGENT_BAD_BUFFER);
    CHECK(computed == 0);
}

TEST_CASE("mock: Halide's own mistake ends the launch, and the next one works") {
    Mocked m;
    code_of_compute = halide_error_code_out_of_memory;
    CHECK(m.launch() == halide_error_code_device_run_failed);
    CHECK(argent_launch_code() == ARGENT_SYSTEM);
    CHECK(reported_error == "blend: the launch failed: the host's processor could not compute blend: Halide's error -11");
    code_of_compute = 0;
    CHECK(m.launch() == 0);
}

TEST_CASE("mock: what cannot be opened or started") {
    Mocked m;
    argent_device *device = nullptr;
    CHECK(argent_open("mock:here", "blend", &device) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()) == "device \"mock:here\": nothing follows mock:");
    CHECK(argent_open("mock:", "other", &device) == ARGENT_NO_ACCELERATOR);
    CHECK(std::string(argent_open_text()) == "device \"mock:\": other is not linked into this program as something that the host's processor computes; link "
                                             "the library <target>_mock of its add_argent_accelerator(<target>)");
    REQUIRE(argent_open("mock:", "blend", &device) == ARGENT_OK);
    argent_command c{};
    CHECK(argent_start(device, &c, nullptr) == ARGENT_UNSUPPORTED);
    CHECK(std::string(argent_device_text(device)) == "mock: computes from images, and this command has none (argent_command.images); use sim: for launches "
                                                     "that a program makes of registers");
    CHECK(argent_close(device) == ARGENT_OK);
}

TEST_CASE("mock: reset and cancel") {
    Mocked m;
    argent_device *device = nullptr;
    REQUIRE(argent_open("mock:", "blend", &device) == ARGENT_OK);
    argent_images images{};
    argent_command c{};
    c.images = &images;
    argent_ticket first = 0, second = 0;
    CHECK(argent_start(device, &c, &first) == ARGENT_OK);
    CHECK(argent_start(device, &c, &second) == ARGENT_OK);
    CHECK(argent_cancel(device, second) == ARGENT_OK);
    CHECK(argent_reset(device) == ARGENT_OK);
    CHECK(argent_wait(device, first, -1) == ARGENT_CANCELLED);
    CHECK(argent_wait(device, second, -1) == ARGENT_CANCELLED);
    CHECK(computed == 0);
    uint32_t id = 0, control = 0;
    CHECK(argent_read(device, ARGENT_ID, &id) == ARGENT_OK);
    CHECK(argent_read(device, ARGENT_CONTROL, &control) == ARGENT_OK);
    CHECK(id == BLEND_ID_VALUE);
    CHECK(control == (ARGENT_CONTROL_IDLE | ARGENT_CONTROL_READY));
    CHECK(argent_close(device) == ARGENT_OK);
}
