// What an accelerator of the compiler does with registers that make no sense: it refuses them, or keeps its ports inside of their windows.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "BytePlane.h"
#include "argent_halide.h"
#include "argent_sim.h"
#include "gaussian_3x3_p2_driver.h"

extern std::string halide_said;

namespace {

constexpr int width = 200, height = 100, bytes = width * height, margin = 4096;

/** A launch that works, whose registers are then changed. Every port may touch all mapped memory, as far as the simulator is concerned. */
struct Scene {
    uint8_t *in = take(), *out = take() + margin;
    std::vector<argent_register_value> registers;
    argent_sim_settings settings{};
    argent_device *device = nullptr;
    argent_result result{};
    std::string text;

    static uint8_t *take() {
        auto *p = static_cast<uint8_t *>(argent_image_allocate(bytes + 2 * margin));
        REQUIRE(p != nullptr);
        return p;
    }
    Scene() {
        argent_sim_defaults(&settings);
        settings.watchdog = 3000;
        argent_launch_set_device("sim:");
        for (int i = 0; i < bytes; i++) in[i] = uint8_t(i * 7 + i / width);
        argent_launch_observe([](const argent_launch_record *r, void *self) {
            static_cast<Scene *>(self)->registers.assign(r->registers, r->registers + r->register_count);
        }, this);
        REQUIRE(launch() == ARGENT_OK);
        argent_launch_observe(nullptr, nullptr);
        REQUIRE(argent_launch_device(&gaussian_3x3_p2_accelerator, &device) == ARGENT_OK);
        std::memset(out - margin, 0xee, bytes + 2 * margin);
    }
    ~Scene() {
        argent_launch_close();
        argent_sim_defaults(&settings);
        argent_sim_set(&settings);
        argent_image_free(in);
        argent_image_free(out - margin);
    }
    /** Through the driver. */
    int launch(const argent_accelerator *a = &gaussian_3x3_p2_accelerator, int last = width - 1) {
        argent_sim_set(&settings);
        halide_said.clear();
        BytePlane from(in, last + 1, height, last + 1), to(out, last + 1, height, last + 1);
        halide_buffer_t *inputs[] = {&from}, *outputs[] = {&to};
        const int32_t box[] = {0, last, 0, height - 1, 0, last, 0, height - 1};
        argent_launch_code();
        argent_launch(a, inputs, box, nullptr, outputs);
        return argent_launch_code();
    }
    uint32_t value(uint32_t offset) const {
        for (const auto &r : registers)
            if (r.offset == offset) return r.value;
        return 0;
    }
    /** With other values in registers; how it ended. */
    int with(const std::vector<argent_register_value> &others) {
        std::vector<argent_register_value> all = registers;
        for (const auto &o : others)
            for (auto &r : all)
                if (r.offset == o.offset) r.value = o.value;
        uint64_t address = 0;
        // In the order of the driver, so the addresses are the same.
        REQUIRE(argent_map(device, in, bytes, ARGENT_READ | ARGENT_WRITE, &address) == ARGENT_OK);
        CHECK(address == value(GAUSSIAN_3X3_P2_INPUT_ADDRESS));
        REQUIRE(argent_map(device, out, bytes, ARGENT_READ | ARGENT_WRITE, &address) == ARGENT_OK);
        CHECK(address == value(GAUSSIAN_3X3_P2_OUTPUT_ADDRESS));
        argent_command command{};
        command.registers = all.data();
        command.register_count = all.size();
        argent_ticket ticket = 0;
        int code = argent_run(device, &command, -1, &ticket, &result);
        text = argent_device_text(device);
        CHECK(argent_unmap(device, value(GAUSSIAN_3X3_P2_INPUT_ADDRESS)) == ARGENT_OK);
        CHECK(argent_unmap(device, value(GAUSSIAN_3X3_P2_OUTPUT_ADDRESS)) == ARGENT_OK);
        return code;
    }
    int written() const {
        int n = 0;
        for (int i = 0; i < bytes; i++) n += out[i] != 0xee;
        return n;
    }
    void nothing_else_changed() const {
        int n = 0;
        for (int i = 0; i < bytes; i++) n += in[i] != uint8_t(i * 7 + i / width);
        for (int i = 0; i < margin; i++) n += out[i - margin] != 0xee || out[bytes + i] != 0xee;
        CHECK(n == 0);
    }
    void works() {
        settings.fault = ARGENT_FAULT_NONE;
        CHECK(launch() == ARGENT_OK);
        CHECK(halide_said == "");
        int wrong = 0;
        for (int y = 1; y < height - 1; y++)
            for (int x = 1; x < width - 1; x++) {
                const uint8_t *p = in + y * width + x;
                const int sum = p[-width - 1] + 2 * p[-width] + p[-width + 1] + 2 * p[-1] + 4 * p[0] + 2 * p[1] + p[width - 1] + 2 * p[width] + p[width + 1];
                wrong += out[y * width + x] != sum / 16;
            }
        CHECK(wrong == 0);
    }
};

}  // namespace

TEST_CASE("guard: registers out of range are refused, nothing begins, and the next launch works") {
    Scene s;
    const uint32_t most = gaussian_3x3_p2_accelerator.checks[0].max;   // the block's, and what its border adds
    CHECK(most >= 1920);
    CHECK(most < 2047);
    for (uint32_t wide : {0u, most + 1, 2047u}) {
        CAPTURE(wide);
        CHECK(s.with({{GAUSSIAN_3X3_P2_WIDTH, wide}}) == ARGENT_REFUSED);
        CHECK(s.text == "the hardware refuses the launch: registers are out of range (0x81c says 0x00000001)");
        CHECK(s.result.error == 1);
    }
    CHECK(s.with({{GAUSSIAN_3X3_P2_WIDTH, 0}, {GAUSSIAN_3X3_P2_HEIGHT, 0}}) == ARGENT_REFUSED);
    CHECK(s.result.error == 3);
    CHECK(s.written() == 0);
    CHECK(s.with({}) == ARGENT_OK);
    CHECK(s.result.error == 0);
    CHECK(s.written() > bytes / 2);
    s.nothing_else_changed();
    s.works();
}

TEST_CASE("guard: the driver's words for a launch that is refused") {
    Scene s;
    argent_accelerator larger = gaussian_3x3_p2_accelerator;
    argent_block_dimension block[2] = {larger.block[0], larger.block[1]};
    block[0].max_extent = 2000;
    larger.block = block;
    halide_said.clear();
    BytePlane from(s.in, 1921, 2, 1921), to(s.out - margin, 1921, 2, 1921);
    halide_buffer_t *inputs[] = {&from}, *outputs[] = {&to};
    const int32_t box[] = {0, 1920, 0, 1, 0, 1920, 0, 1};
    argent_launch_code();
    CHECK(argent_launch(&larger, inputs, box, nullptr, outputs) == halide_error_code_device_run_failed);
    CHECK(argent_launch_code() == ARGENT_REFUSED);
    CHECK(halide_said == "gaussian_3x3_p2: the launch failed: the hardware refuses the launch: registers are out of range (0x81c says 0x00000004); register "
                         "output_columns is 1921 and takes 1 to 1920");
    CHECK(s.written() == 0);
    s.works();
}

TEST_CASE("guard: no port leaves its window, whatever the registers say") {
    Scene s;
    const uint32_t in = s.value(GAUSSIAN_3X3_P2_INPUT_ADDRESS), out = s.value(GAUSSIAN_3X3_P2_OUTPUT_ADDRESS);
    CHECK(s.value(GAUSSIAN_3X3_P2_INPUT_LOW) == in);
    CHECK(s.value(GAUSSIAN_3X3_P2_INPUT_HIGH) == in + bytes - 1);

    // The window ends in the middle of the input: the rest is read elsewhere in it, and that is told.
    CHECK(s.with({{GAUSSIAN_3X3_P2_INPUT_HIGH, in + bytes / 2}}) == ARGENT_OK);
    CHECK(s.result.error == 1);
    // ... of the output: what lies behind its last page is not written.
    std::memset(s.out, 0xee, bytes);
    CHECK(s.with({{GAUSSIAN_3X3_P2_OUTPUT_HIGH, out + 8000}}) == ARGENT_OK);
    CHECK(s.result.error == 4);
    int behind = 0;
    for (int i = 8192; i < bytes; i++) behind += s.out[i] != 0xee;
    CHECK(behind == 0);
    // Addresses and strides of somewhere else: nothing is written at all.
    std::memset(s.out, 0xee, bytes);
    for (uint32_t wild : {in, 0u, 0xffffff00u, out + bytes + margin}) {
        CAPTURE(wild);
        CHECK(s.with({{GAUSSIAN_3X3_P2_OUTPUT_ADDRESS, wild}}) == ARGENT_OK);
        CHECK(s.result.error == 4);
        CHECK(s.written() == 0);
    }
    CHECK(s.with({{GAUSSIAN_3X3_P2_OUTPUT_STRIDE, 0x80000000u}}) == ARGENT_OK);
    CHECK(s.result.error == 4);
    s.nothing_else_changed();
    s.works();
}

TEST_CASE("guard: SLVERR and DECERR have codes and texts of their own") {
    Scene s;
    struct Case {
        argent_sim_fault fault;
        const char *port;
        int code;
        const char *text;
    };
    for (const Case &c : {Case{ARGENT_FAULT_SLVERR, "m_axi_input", ARGENT_BUS_ERROR, "input input (m_axi_input): the memory answered a read with an error (SLVERR)"},
                          Case{ARGENT_FAULT_DECERR, "m_axi_input", ARGENT_NO_MEMORY, "input input (m_axi_input): nothing answers reads at an address (DECERR)"},
                          Case{ARGENT_FAULT_SLVERR, "m_axi_output", ARGENT_BUS_ERROR, "output output (m_axi_output): the memory answered a write with an error (SLVERR)"},
                          Case{ARGENT_FAULT_DECERR, "m_axi_output", ARGENT_NO_MEMORY, "output output (m_axi_output): nothing answers writes at an address (DECERR)"}}) {
        CAPTURE(c.text);
        s.settings.fault = c.fault;
        s.settings.fault_port = c.port;
        s.settings.fault_at = 3;
        CHECK(s.launch() == c.code);
        CHECK(halide_said == std::string("gaussian_3x3_p2: ") + c.text);
        s.works();
    }
}
