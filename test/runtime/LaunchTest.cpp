// The generated driver of blend_manifest.json on a fake device: every check of a buffer with its text in full.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "FakeDevice.h"
#include "blend_driver.h"

std::string reported_error;

namespace {

std::string &reported = reported_error;

struct Buffer : halide_buffer_t {
    halide_dimension_t dims[3] = {};
    std::vector<uint8_t> memory;

    Buffer(halide_type_code_t code, int bits, int min_x, int width, int min_y, int height, int stride = 0) : halide_buffer_t{} {
        type = halide_type_t(code, uint8_t(bits));
        if (stride == 0) stride = width;
        dims[0] = halide_dimension_t(min_x, width, 1);
        dims[1] = halide_dimension_t(min_y, height, stride);
        dim = dims;
        dimensions = 2;
        memory.resize(size_t(stride > 0 ? stride : -stride) * size_t(height) * size_t(bits / 8) + 128);
        host = memory.data() + (128 - reinterpret_cast<uintptr_t>(memory.data()) % 128) % 128;
    }
    Buffer(const Buffer &) = delete;
};

/** Buffers that fit a launch of 0 .. 9 x 0 .. 4. */
struct Blend {
    Buffer over{halide_type_uint, 8, -2, 14, -1, 9}, under{halide_type_int, 16, 0, 10, 0, 5}, out{halide_type_int, 16, 0, 10, 0, 5};
    float gain = 1.5f;
    FakeDevice &device = FakeDevice::fresh();

    Blend() {
        argent_launch_close();
        argent_launch_code();
        argent_launch_set_device("fake:here");
        reported.clear();
    }
    ~Blend() { argent_launch_close(); }
    int launch(int min_x = 0, int max_x = 9, int min_y = 0, int max_y = 4) {
        reported.clear();
        return blend_launch(&over, &under, min_x, max_x, min_y, max_y, gain, -3, 0x123456789abcdef0u, true, &out);
    }
    /** The text of a launch that must be refused before the device is touched. */
    std::string refusal(int expected_code, int min_x = 0, int max_x = 9, int min_y = 0, int max_y = 4) {
        CHECK(launch(min_x, max_x, min_y, max_y) == expected_code);
        CHECK(argent_launch_code() == ARGENT_BAD_BUFFER);
        CHECK(device.opened == 0);
        return reported;
    }
};

}  // namespace

extern "C" void halide_error(void *, const char *message) { reported += message; }

TEST_CASE("a launch that fits writes the registers and windows") {
    Blend b;
    CHECK(b.launch() == 0);
    CHECK(reported == "");
    auto &r = b.device.registers;
    CHECK(r[BLEND_WIDTH] == 10);
    CHECK(r[BLEND_HEIGHT] == 5);
    CHECK(r[BLEND_MIN_X] == 0);
    // Mapped in order at 1, 2 and 3 MiB; the device sees the host's low 7 bits.
    CHECK(r[BLEND_OVER_ADDRESS] == 0x100000);
    CHECK(r[BLEND_OVER_ADDRESS + 4] == 0);
    CHECK(r[BLEND_UNDER_ADDRESS] == 0x200000);
    CHECK(r[BLEND_OUT_ADDRESS] == 0x300000);
    CHECK(r[BLEND_OVER_STRIDE] == 14);
    CHECK(r[BLEND_UNDER_STRIDE] == 20);
    CHECK(r[BLEND_GAIN] == 0x3fc00000);
    CHECK(r[BLEND_OFFSET] == 0xfd);
    CHECK(r[BLEND_SEED] == 0x9abcdef0);
    CHECK(r[BLEND_SEED + 4] == 0x12345678);
    CHECK(r[BLEND_INT] == 1);
    CHECK(r[ARGENT_INTERRUPT_GLOBAL] == 1);
    CHECK(r[ARGENT_INTERRUPT_ENABLE] == 1);
    CHECK(r[ARGENT_INTERRUPT_STATUS] == 0);
    CHECK(b.device.ports == std::vector<std::string>{"m_axi_over", "m_axi_under", "m_axi_out_d1"});
    CHECK(b.device.windows[0].extent[0] == 14);
    CHECK(b.device.windows[0].extent[1] == 9);
    CHECK(b.device.windows[2].extent[0] == 20);
    CHECK(b.device.windows[2].stride[1] == 20);
    CHECK(b.device.mappings.count == 0);  // unmapped again
    CHECK(b.launch() == 0);
    CHECK(b.device.opened == 1);  // once per process
}

TEST_CASE("parts of larger images, negative minima and negative strides") {
    Blend b;
    Buffer over(halide_type_uint, 8, -10, 40, -10, 40, 50), out(halide_type_int, 16, -5, 30, -5, 30, 32);
    CHECK(blend_launch(&over, &b.under, 3, 6, 1, 2, 1, 0, 0, false, &out) == 0);
    auto &r = b.device.registers;
    // over starts at (3 - 2, 1 - 1): 11 columns and 10 rows in; the host address keeps its low bits.
    CHECK(r[BLEND_OVER_ADDRESS] % 128 == (11 + 10 * 50) % 128);
    CHECK(r[BLEND_OUT_ADDRESS] % 128 == ((8 + 6 * 32) * 2) % 128);
    CHECK(r[BLEND_UNDER_ADDRESS] % 128 == ((3 + 10) * 2) % 128);
    CHECK(r[BLEND_OVER_STRIDE] == 50);
    // Upside down: the first row is the last in memory.
    b.under.host += 4 * 20;
    b.under.dims[1].stride = -10;
    CHECK(b.launch() == 0);
    CHECK(r[BLEND_UNDER_STRIDE] == uint32_t(-20));
    CHECK(r[BLEND_UNDER_ADDRESS] == 0x200000 + 80);
}

TEST_CASE("an empty output is done at once") {
    Blend b;
    CHECK(b.launch(5, 4) == 0);
    CHECK(b.launch(0, 9, 0, -1) == 0);
    CHECK(b.device.opened == 0);
}

TEST_CASE("a bounds query gets the box that is read") {
    Blend b;
    b.over.host = b.under.host = b.out.host = nullptr;
    CHECK(b.launch(10, 29, 5, 9) == 0);
    CHECK(b.device.opened == 0);
    CHECK(b.over.dims[0].min == 8);
    CHECK(b.over.dims[0].extent == 24);
    CHECK(b.over.dims[1].min == 4);
    CHECK(b.over.dims[1].extent == 9);
    CHECK(b.under.dims[0].min == 10);
    CHECK(b.under.dims[0].extent == 20);
    CHECK(b.out.dims[0].min == 0);
}

TEST_CASE("refusals: each with both numbers and what would mend it") {
    SUBCASE("null") {
        Blend b;
        reported.clear();
        CHECK(blend_launch(nullptr, &b.under, 0, 9, 0, 4, 1, 0, 0, false, &b.out) == halide_error_code_buffer_argument_is_null);
        CHECK(reported == "blend: input over: no buffer was given; it needs one of uint8 with 2 dimensions");
    }
    SUBCASE("type") {
        Blend b;
        b.over.type = halide_type_t(halide_type_int, 8);
        CHECK(b.refusal(halide_error_code_bad_type) == "blend: input over: the buffer holds int8, the accelerator reads uint8; pass a buffer of uint8");
        b.over.type = halide_type_t(halide_type_uint, 1);
        CHECK(b.refusal(halide_error_code_bad_type) == "blend: input over: the buffer holds bool, the accelerator reads uint8; pass a buffer of uint8");
        b.over.type = halide_type_t(halide_type_uint, 8, 4);
        CHECK(b.refusal(halide_error_code_bad_type) == "blend: input over: the buffer holds uint8x4, the accelerator reads uint8; pass a buffer of uint8");
    }
    SUBCASE("dimensions") {
        Blend b;
        b.out.dimensions = 3;
        CHECK(b.refusal(halide_error_code_bad_dimensions) ==
              "blend: output out$1: the buffer has 3 dimensions, the accelerator writes 2; slice it or embed it with Halide::Runtime::Buffer");
    }
    SUBCASE("host pointer") {
        Blend b;
        b.over.host = nullptr;
        CHECK(b.refusal(halide_error_code_host_is_null) == "blend: input over: the buffer's host pointer is null; allocate it first");
        b.over.device = 1;
        CHECK(b.refusal(halide_error_code_host_is_null) ==
              "blend: input over: the image is in another device's memory only (its host pointer is null); call copy_to_host() first");
    }
    SUBCASE("extents") {
        Blend b;
        b.over.dims[0].extent = 13;
        CHECK(b.refusal(halide_error_code_access_out_of_bounds) ==
              "blend: input over: dimension 0 of the buffer covers -2 to 10, the accelerator reads -2 to 11; make the buffer at least that large, or "
              "compute less of the output");
        b.over.dims[0].extent = 14;
        CHECK(b.refusal(halide_error_code_access_out_of_bounds, 0, 9, -1, 3) ==
              "blend: input over: dimension 1 of the buffer covers -1 to 7, the accelerator reads -2 to 6; make the buffer at least that large, or "
              "compute less of the output\n"
              "blend: input under: dimension 1 of the buffer covers 0 to 4, the accelerator reads -1 to 3; make the buffer at least that large, or "
              "compute less of the output\n"
              "blend: output out$1: dimension 1 of the buffer covers 0 to 4, the accelerator writes -1 to 3; make the buffer at least that large, or "
              "compute less of the output");
    }
    SUBCASE("block") {
        Blend b;
        Buffer over(halide_type_uint, 8, -2, 104, -1, 104), under(halide_type_int, 16, 0, 100, 0, 100), out(halide_type_int, 16, 0, 100, 0, 100);
        CHECK(blend_launch(&over, &under, 0, 64, 0, 32, 1, 0, 0, false, &out) == halide_error_code_explicit_bounds_too_small);
        CHECK(reported ==
              "blend: a launch computes 65x33 elements (x, y), the block has at most 64x32; let the host compute the accelerated Func f in tiles of "
              "a Func that reads it, or of a copy: copy(x, y) = f(x, y), copy.tile(x, y, xo, yo, xi, yi, 64, 32), f.compute_at(copy, xo); or give "
              "a larger block({{x, 65}, {y, 33}})");
        reported.clear();
        CHECK(blend_launch(&over, &under, 0, 9, 3, 35, 1, 0, 0, false, &out) == halide_error_code_explicit_bounds_too_small);
        CHECK(reported ==
              "blend: a launch computes 10x33 elements (x, y), the block has at most 64x32; let the host compute the accelerated Func f in tiles of "
              "a Func that reads it, or of a copy: copy(x, y) = f(x, y), copy.tile(x, y, xo, yo, xi, yi, 64, 32), f.compute_at(copy, xo); or give "
              "a larger block({{x, 64}, {y, 33}})");
        CHECK(blend_launch(&over, &under, 0, 63, 0, 31, 1, 0, 0, false, &out) == 0);
    }
    SUBCASE("dense") {
        Blend b;
        Buffer over(halide_type_uint, 8, -2, 14, -1, 9, 42);
        over.dims[0].stride = 3;
        CHECK(blend_launch(&over, &b.under, 0, 9, 0, 4, 1, 0, 0, false, &b.out) == halide_error_code_constraint_violated);
        CHECK(reported ==
              "blend: input over: neighbours in dimension 0 are 3 elements apart, the accelerator needs 1; copy the image into a planar buffer, or fix "
              "dim(0).set_stride(1)");
    }
    SUBCASE("stride") {
        Blend b;
        b.over.dims[1].stride = 40000;
        CHECK(b.refusal(halide_error_code_buffer_extents_too_large) ==
              "blend: input over: the rows of dimension 1 are 40000 bytes apart, the register holds at most 32767; use a buffer with shorter rows, or "
              "make the image in parts");
        b.over.dims[1].stride = 14;
        b.out.dims[1].stride = 9;
        CHECK(b.refusal(halide_error_code_constraint_violated) ==
              "blend: output out$1: the rows of dimension 1 are 18 bytes apart, but one is 20 bytes long; rows that overlap cannot be written");
    }
    SUBCASE("alignment") {
        Blend b;
        b.under.host += 1;
        CHECK(b.refusal(halide_error_code_unaligned_host_ptr) ==
              "blend: input under: the rows start 1 bytes behind a multiple of 2, the accelerator needs multiples of 2; allocate the image aligned, "
              "with rows that are a multiple of it");
    }
    SUBCASE("overlap") {
        Blend b;
        b.out.host = b.under.host + 40;
        CHECK(b.refusal(halide_error_code_constraint_violated) ==
              "blend: output out$1 lies on input under: they share 60 bytes of memory; the accelerator reads and writes at once, so give the output a "
              "buffer of its own");
    }
    SUBCASE("two parts of one image are no overlap") {
        Blend b;
        Buffer both(halide_type_int, 16, 0, 20, 0, 5);
        Blend c;
        c.under.host = both.host;
        c.out.host = both.host + 20;
        c.under.dims[1].stride = c.out.dims[1].stride = 20;
        CHECK(c.launch() == 0);
        c.out.host = both.host + 18;
        CHECK(c.launch() == halide_error_code_constraint_violated);
    }
}

TEST_CASE("failures of the device come through Halide's error handler, and the next launch works") {
    Blend b;
    SUBCASE("open") {
        b.device.open_code = ARGENT_NO_DEVICE;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: cannot open the device: fake:here has no blend today");
        CHECK(argent_launch_code() == ARGENT_NO_DEVICE);
        CHECK(argent_launch_code() == ARGENT_OK);
        b.device.open_code = ARGENT_OK;
    }
    SUBCASE("unknown kind") {
        argent_launch_set_device("gpu:0");
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: cannot open the device: device \"gpu:0\" is of no known kind; known are sim: sim+unix: uio: mock: platform: fake:");
        argent_launch_set_device("fake:here");
    }
    SUBCASE("identification") {
        b.device.registers[ARGENT_ID] = 7;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported ==
              "blend: device \"fake:here\" says 0x00000007, this driver was made for 0x12345678; driver and hardware must come from one build: build "
              "both again");
        CHECK(argent_launch_code() == ARGENT_WRONG_ID);
        CHECK(b.device.closed == 1);
        b.device.registers[ARGENT_ID] = 0x12345678;
    }
    SUBCASE("version of the register layout") {
        b.device.registers[ARGENT_VERSION] = 9;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported ==
              "blend: device \"fake:here\" has version 9 of the register layout, this runtime knows 2; take the runtime of the Argent that made the "
              "hardware");
        CHECK(argent_launch_code() == ARGENT_WRONG_ID);
        b.device.registers[ARGENT_VERSION] = ARGENT_LAYOUT_VERSION;
    }
    SUBCASE("memory") {
        b.device.map_code = ARGENT_UNSUPPORTED;
        b.device.text = "this memory has no bus address";
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: input over: its memory cannot be reached by the device: this memory has no bus address");
        b.device.map_code = ARGENT_OK;
    }
    SUBCASE("memory behind the last address that a register holds") {
        b.device.above = uint64_t(1) << 32;   // two images have registers of 64 bits
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported.find("blend: output out$1: its memory is at 0x1") == 0);
        CHECK(reported.find(", and the addresses of the accelerator have 32 bits") != std::string::npos);
        CHECK(argent_launch_code() == ARGENT_BAD_BUFFER);
        CHECK(b.device.launches == 0);
        b.device.above = 0;
    }
    SUBCASE("bus error in hardware") {
        b.device.registers[BLEND_ERROR] = 5;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported ==
              "blend: input over (m_axi_over): the memory answered a read with an error; output out$1 (m_axi_out_d1): the memory answered a write with an error");
        b.device.registers[BLEND_ERROR] = 8;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: the accelerator reports an error of no port (bus errors: bit 0 over, 1 under, 2 out)");
        CHECK(argent_launch_code() == ARGENT_BUS_ERROR);
        b.device.registers[BLEND_ERROR] = 0;
    }
    SUBCASE("a port's first mistake has a code") {
        argent_accelerator two_bits = blend_accelerator;
        two_bits.error_bits = 2;
        halide_buffer_t *inputs[] = {&b.over, &b.under}, *outputs[] = {&b.out};
        const int32_t box[] = {0, 9, 0, 4};
        const uint64_t params[4] = {};
        const auto says = [&](uint32_t error) {
            b.device.registers[BLEND_ERROR] = error;
            reported.clear();
            CHECK(argent_launch(&two_bits, inputs, box, params, outputs) == halide_error_code_device_run_failed);
            b.device.registers[BLEND_ERROR] = 0;
            return argent_launch_code();
        };
        CHECK(says(0x04) == ARGENT_OUTSIDE);
        CHECK(reported == "blend: input under (m_axi_under): an access outside of the window that the driver armed was held back");
        CHECK(says(0x32) == ARGENT_BUS_ERROR);
        CHECK(reported == "blend: input over (m_axi_over): the memory answered a read with an error (SLVERR); output out$1 (m_axi_out_d1): nothing answers "
                          "writes at an address (DECERR)");
        CHECK(says(0x30) == ARGENT_NO_MEMORY);
        CHECK(says(0x20) == ARGENT_BUS_ERROR);
        CHECK(reported == "blend: output out$1 (m_axi_out_d1): the memory answered a write with an error (SLVERR)");
    }
    SUBCASE("refused") {
        static const argent_check checks[] = {{"width", BLEND_WIDTH, 1, 9}, {"height", BLEND_HEIGHT, 1, 32}};
        argent_accelerator checked = blend_accelerator;
        checked.check_count = 2;
        checked.checks = checks;
        halide_buffer_t *inputs[] = {&b.over, &b.under}, *outputs[] = {&b.out};
        const int32_t box[] = {0, 9, 0, 4};
        const uint64_t params[4] = {};
        b.device.registers[ARGENT_REFUSED_BY] = 1;
        CHECK(argent_launch(&checked, inputs, box, params, outputs) == halide_error_code_device_run_failed);
        CHECK(argent_launch_code() == ARGENT_REFUSED);
        CHECK(reported == "blend: the launch failed: the hardware refuses the launch: registers are out of range (0x81c says 0x00000001); register width is 10 and "
                          "takes 1 to 9");
        b.device.registers[ARGENT_REFUSED_BY] = 0;
    }
    SUBCASE("lost in the middle") {
        b.device.wait_code = ARGENT_GONE;
        b.device.text = "the cable is out";
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: the launch failed: the cable is out");
        CHECK(argent_launch_code() == ARGENT_GONE);
        b.device.wait_code = 0;
        CHECK(b.launch() == 0);
        CHECK(b.device.opened == 2);  // opened anew
    }
    SUBCASE("time-out") {
        setenv("ARGENT_TIMEOUT_MS", "20", 1);
        b.device.never_done = true;
        CHECK(b.launch() == halide_error_code_device_run_failed);
        CHECK(reported == "blend: the launch has not ended after 20 ms (ARGENT_TIMEOUT_MS) and was given up");
        CHECK(argent_launch_code() == ARGENT_TIMEOUT);
        CHECK(b.device.resets == 1);
        b.device.never_done = false;
        b.device.looks_until_done = 20;
        setenv("ARGENT_TIMEOUT_MS", "long", 1);   // no number, and so no limit of 0
        CHECK(b.launch() == 0);
        unsetenv("ARGENT_TIMEOUT_MS");
        b.device.never_done = false;
    }
    CHECK(b.device.mappings.count == 0);
    b.device.text.clear();
    CHECK(b.launch() == 0);
    CHECK(b.device.mappings.count == 0);
}

TEST_CASE("a launch is logged") {
    Blend b;
    struct Seen {
        int n = 0, code = 1, images = 0;
        uint64_t clocks = 0;
        int32_t extent = 0;
    } seen;
    argent_launch_observe(
        [](const argent_launch_record *r, void *c) {
            auto *s = static_cast<Seen *>(c);
            s->n++;
            s->code = r->code;
            s->images = r->stream_count;
            s->clocks = r->clocks;
            s->extent = r->extent[0];
        },
        &seen);
    CHECK(b.launch() == 0);
    CHECK(seen.n == 1);
    CHECK(seen.code == 0);
    CHECK(seen.images == 3);
    CHECK(seen.clocks == 1001);
    CHECK(seen.extent == 10);
    argent_launch_observe(nullptr, nullptr);
}

TEST_CASE("threads may launch at once") {
    Blend b;
    std::vector<std::thread> threads;
    int bad[4] = {};
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            Buffer over(halide_type_uint, 8, -2, 14, -1, 9), under(halide_type_int, 16, 0, 10, 0, 5), out(halide_type_int, 16, 0, 10, 0, 5);
            for (int i = 0; i < 50; i++) bad[t] += blend_launch(&over, &under, 0, 9, 0, 4, 1, 0, 0, false, &out) != 0;
        });
    for (auto &t : threads) t.join();
    for (int n : bad) CHECK(n == 0);
    CHECK(b.device.launches == 200);
    CHECK(b.device.opened == 1);
}
