// Faults, one by one, as a program meets them: through the driver and the launcher. Each has its code and its text, touches nothing but its own
// output, and the next launch works. docs/faults.md lists them, and those that need several processes (server_test.sh) or a board (UioTest.cpp).
#include <doctest/doctest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "BytePlane.h"
#include "argent_halide.h"
#include "argent_sim.h"
#include "increment_driver.h"

extern std::string halide_said;

namespace {

/** What `broken` means in increment.v. */
enum Broken { Nothing = 0, WideStrobes = 7, ReadOutside = 8, WriteOutside = 9, EarlyDone = 10, NoRready = 12, NoInterrupt = 16, RowMissing = 19,
              ControlError = 21, ControlSilent = 22, NoDone = 25 };

/** An input, an output, and what belongs to others: a buffer, and the memory around the output. */
struct Scene {
    static constexpr int width = 300, height = 4, stride = 304, bytes = stride * height, margin = 1024;
    uint8_t *in = take(), *out = take() + margin, *other = take();
    argent_sim_settings settings{};

    Scene() {
        argent_sim_defaults(&settings);
        settings.watchdog = 3000;
        settings.fault_port = "m_axi_in";
        for (int i = 0; i < bytes; i++) in[i] = uint8_t(i * 7);
        std::memset(out - margin, 0xee, bytes + 2 * margin);
        std::memset(other, 0xaa, bytes);
    }
    ~Scene() {
        argent_launch_close();
        argent_sim_defaults(&settings);
        argent_sim_set(&settings);
        for (uint8_t *p : {in, out - margin, other}) argent_image_free(p);
    }
    static uint8_t *take() {
        auto *p = static_cast<uint8_t *>(argent_image_allocate(bytes + 2 * margin));
        REQUIRE(p != nullptr);
        return p;
    }
    argent_device *device(const argent_accelerator *a = &increment_accelerator) const {
        argent_device *d = nullptr;
        REQUIRE(argent_launch_device(a, &d) == ARGENT_OK);
        return d;
    }
    /** The code of the launcher. */
    int launch(int amount, int broken, const argent_accelerator *a = &increment_accelerator) {
        argent_sim_set(&settings);
        halide_said.clear();
        BytePlane from(in, width, height, stride), to(out, width, height, stride);
        halide_buffer_t *inputs[] = {&from}, *outputs[] = {&to};
        const int32_t box[] = {0, width - 1, 0, height - 1};
        const uint64_t params[] = {uint64_t(amount), uint64_t(broken)};
        argent_launch_code();
        int code = argent_launch(a, inputs, box, params, outputs);
        CHECK((code == 0) == halide_said.empty());
        return argent_launch_code();
    }
    void works() {
        settings.fault = ARGENT_FAULT_NONE;
        CHECK(launch(9, Nothing) == ARGENT_OK);
        CHECK(halide_said == "");
        int wrong = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < stride; x++) wrong += out[y * stride + x] != (x < width ? uint8_t(in[y * stride + x] + 9) : 0xee);
        CHECK(wrong == 0);
    }
    /** Bytes of others that have changed. */
    int harmed() const {
        int n = 0;
        for (int i = 0; i < bytes; i++) n += other[i] != 0xaa || in[i] != uint8_t(i * 7);
        for (int i = 0; i < margin; i++) n += out[i - margin] != 0xee || out[bytes + i] != 0xee;
        return n;
    }
};

struct Fault {
    const char *name;
    argent_sim_fault memory;
    const char *port;
    Broken broken;
    int code;
    const char *text;
};

/** The simulation stops at its next look, some clocks after the limit. */
std::string without_wait(std::string text) {
    const std::string before = "nothing has moved for ";
    size_t at = text.find(before);
    if (at != std::string::npos) text.replace(at + before.size(), text.find(' ', at + before.size()) - at - before.size(), "N");
    return text;
}

}  // namespace

TEST_CASE("faults of memory and accelerator: code, text, nothing else touched, and the next launch works") {
    const char *const read_error = "increment: input in (m_axi_in): the memory answered a read with an error";
    const char *const write_error = "increment: output out (m_axi_out): the memory answered a write with an error";
    const Fault faults[] = {
        {"SLVERR on a read", ARGENT_FAULT_SLVERR, "m_axi_in", Nothing, ARGENT_BUS_ERROR, read_error},
        {"DECERR on a read", ARGENT_FAULT_DECERR, "m_axi_in", Nothing, ARGENT_BUS_ERROR, read_error},
        {"SLVERR on a write", ARGENT_FAULT_SLVERR, "m_axi_out", Nothing, ARGENT_BUS_ERROR, write_error},
        {"DECERR on a write", ARGENT_FAULT_DECERR, "m_axi_out", Nothing, ARGENT_BUS_ERROR, write_error},
        {"memory that never answers a read", ARGENT_FAULT_SILENT, "m_axi_in", Nothing, ARGENT_STUCK,
         "increment: the launch failed: nothing has moved for N clocks (since clock 22 of the launch):\n"
         "m_axi_in: the core waits for R of the memory, which owes 1 bursts (a fault was injected)\n"
         "m_axi_out: no write is under way, 0 of 1200 bytes are written: the core has nothing to offer"},
        {"memory that never answers a write", ARGENT_FAULT_SILENT, "m_axi_out", Nothing, ARGENT_STUCK,
         "increment: the launch failed: nothing has moved for N clocks (since clock 115 of the launch):\n"
         "m_axi_in: no read is under way, 32 beats (256 bytes) have come for a box of 1200 bytes: the core does not ask for more\n"
         "m_axi_out: the core waits for B of the memory, which owes 1 responses (a fault was injected)"},
        {"an accelerator that hangs in mid-frame", ARGENT_FAULT_NONE, nullptr, NoRready, ARGENT_STUCK,
         "increment: the launch failed: nothing has moved for N clocks (since clock 2 of the launch):\n"
         "m_axi_in: the memory's R waits for RREADY of the core\n"
         "m_axi_out: no write is under way, 0 of 1200 bytes are written: the core has nothing to offer"},
        {"an accelerator that never says done", ARGENT_FAULT_NONE, nullptr, NoDone, ARGENT_STUCK,
         "increment: the launch failed: nothing has moved for N clocks (since clock 695 of the launch):\n"
         "no channel waits, all boxes have been transferred: the core does not say done"},
        {"a read outside of the image", ARGENT_FAULT_NONE, nullptr, ReadOutside, ARGENT_BUS_ERROR,
         "increment: the launch failed: m_axi_in: a read of 0x00140390 is outside of the memory that was armed for it (clock 550)"},
        {"a write outside of the image", ARGENT_FAULT_NONE, nullptr, WriteOutside, ARGENT_BUS_ERROR,
         "increment: the launch failed: m_axi_out: a write to 0x00240390 is outside of the memory that was mapped for it (clock 564)"},
        {"bytes written beside a row", ARGENT_FAULT_NONE, nullptr, WideStrobes, ARGENT_BUS_ERROR,
         "increment: the launch failed: m_axi_out: a write to 0x0020012c is outside of the memory that was armed for it (clock 157)"},
        {"done before the last write was answered", ARGENT_FAULT_NONE, nullptr, EarlyDone, ARGENT_PROTOCOL,
         "increment: the launch failed: m_axi_out: the accelerator says done while 1 of its write bursts are unfinished (clock 671)"},
        {"a row that is not written", ARGENT_FAULT_NONE, nullptr, RowMissing, ARGENT_PROTOCOL,
         "increment: the launch failed: m_axi_out: the accelerator says done after it wrote 900 bytes of a box of 1200 (clock 529)"},
        {"a control port that answers with an error", ARGENT_FAULT_NONE, nullptr, ControlError, ARGENT_BUS_ERROR,
         "increment: the launch cannot be started: s_axi_control: the write of register 0x034 was answered with response 2"},
        {"a control port that does not answer", ARGENT_FAULT_NONE, nullptr, ControlSilent, ARGENT_STUCK,
         "increment: the launch cannot be started: s_axi_control: the write of register 0x004 waits for AWREADY for 2000 clocks"},
        {"an interrupt that is lost", ARGENT_FAULT_NONE, nullptr, NoInterrupt, ARGENT_OK, ""},
    };
    for (const Fault &f : faults) {
        CAPTURE(f.name);
        Scene scene;
        scene.settings.fault = f.memory;
        if (f.port != nullptr) scene.settings.fault_port = f.port;
        scene.settings.fault_at = f.memory == ARGENT_FAULT_SILENT ? 1 : 2;
        CHECK(scene.launch(1, f.broken) == f.code);
        CHECK(without_wait(halide_said) == f.text);
        CHECK(scene.harmed() == 0);
        scene.settings.fresh = 1;  // the register `broken` is not reset
        scene.works();
        CHECK(scene.harmed() == 0);
    }
}

TEST_CASE("a launch that takes too long is given up") {
    Scene scene;
    scene.settings.watchdog = 0;
    setenv("ARGENT_TIMEOUT_MS", "40", 1);
    CHECK(scene.launch(1, NoDone) == ARGENT_TIMEOUT);
    unsetenv("ARGENT_TIMEOUT_MS");
    CHECK(halide_said == "increment: the launch has not ended after 40 ms (ARGENT_TIMEOUT_MS) and was given up");
    CHECK(scene.harmed() == 0);
    scene.settings.watchdog = 3000;
    scene.works();
}

TEST_CASE("a reset in mid-frame") {
    Scene scene;
    scene.settings.watchdog = 0;
    argent_device *d = scene.device();
    std::atomic<bool> ended{false};
    std::thread other([&] {
        // Before the launch has started a reset cancels nothing: again, until it has.
        while (!ended) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            uint32_t control = 0;
            if (argent_read(d, ARGENT_CONTROL, &control) == ARGENT_OK && (control & ARGENT_CONTROL_IDLE) == 0) argent_reset(d);
        }
    });
    CHECK(scene.launch(1, NoDone) == ARGENT_CANCELLED);
    ended = true;
    other.join();
    CHECK(halide_said == "increment: the launch failed: the device was reset while the launch ran");
    CHECK(scene.harmed() == 0);
    scene.settings.watchdog = 3000;
    scene.works();
}

TEST_CASE("a wrong bitstream") {
    Scene scene;
    argent_accelerator other = increment_accelerator;
    other.id = 0x12345678;
    CHECK(scene.launch(1, Nothing, &other) == ARGENT_WRONG_ID);
    CHECK(halide_said == "increment: device \"" + std::string(argent_launch_uri()) +
                        "\" says 0x1c0ffee1, this driver was made for 0x12345678; driver and hardware must come from one build: build both again");
    CHECK(scene.harmed() == 0);
    scene.works();
}

namespace {

/** Launches that the hardware has both: one of the scene's image, with a mistake, and a good one of an image of its own behind it. */
struct Pair {
    static constexpr int bytes = Scene::bytes;
    Scene scene;
    argent_device *d = scene.device();
    uint8_t *own = Scene::take(), *result = Scene::take();
    uint64_t at[4] = {};
    argent_ticket first = 0, second = 0;

    Pair() {
        for (int i = 0; i < bytes; i++) own[i] = uint8_t(i * 3);
        std::memset(result, 0x77, size_t(bytes));
        uint8_t *const host[4] = {scene.in, scene.out, own, result};
        for (int i = 0; i < 4; i++) REQUIRE(argent_map(d, host[i], size_t(bytes), i % 2 == 0 ? ARGENT_READ : ARGENT_WRITE, &at[i]) == ARGENT_OK);
    }
    ~Pair() {
        argent_reset(d);
        for (uint64_t a : at) CHECK(argent_unmap(d, a) == ARGENT_OK);
        argent_image_free(own);
        argent_image_free(result);
    }
    argent_ticket start(uint64_t from, uint64_t to, int broken) {
        argent_sim_set(&scene.settings);
        argent_register_value registers[] = {{INCREMENT_BROKEN, uint32_t(broken)},
                                             {INCREMENT_WIDTH, uint32_t(Scene::width)},
                                             {INCREMENT_HEIGHT, uint32_t(Scene::height)},
                                             {INCREMENT_IN_ADDRESS, uint32_t(from)},
                                             {INCREMENT_IN_STRIDE, uint32_t(Scene::stride)},
                                             {INCREMENT_OUT_ADDRESS, uint32_t(to)},
                                             {INCREMENT_OUT_STRIDE, uint32_t(Scene::stride)},
                                             {INCREMENT_AMOUNT, 2}};
        argent_window windows[] = {{"m_axi_in", ARGENT_READ, from, 2, {Scene::width, Scene::height}, {1, Scene::stride}},
                                   {"m_axi_out", ARGENT_WRITE, to, 2, {Scene::width, Scene::height}, {1, Scene::stride}}};
        argent_command command = {registers, sizeof registers / sizeof *registers, windows, 2, nullptr, 0, nullptr};
        argent_ticket ticket = 0;
        REQUIRE(argent_start(d, &command, &ticket) == ARGENT_OK);
        return ticket;
    }
    void start_both(int broken) {
        first = start(at[0], at[1], broken);
        scene.settings.fault = ARGENT_FAULT_NONE;
        second = start(at[2], at[3], Nothing);
        uint32_t control = 0;
        REQUIRE(argent_read(d, ARGENT_CONTROL, &control) == ARGENT_OK);
        CHECK((control & (ARGENT_CONTROL_START | ARGENT_CONTROL_IDLE)) == ARGENT_CONTROL_START);  // the second one waits in the hardware
    }
    /** Bytes of the second output that are not as they should be. */
    int wrong() const {
        int n = 0;
        for (int i = 0; i < bytes; i++) n += result[i] != (i % Scene::stride < Scene::width ? uint8_t(own[i] + 2) : 0x77);
        return n;
    }
};

}  // namespace

TEST_CASE("faults of a launch while another one waits in the hardware: each ends as it should") {
    struct Case {
        const char *name;
        argent_sim_fault memory;
        const char *port;
        Broken broken;
        int code;
        uint32_t error;
    };
    const Case cases[] = {
        {"nothing", ARGENT_FAULT_NONE, nullptr, Nothing, ARGENT_OK, 0},
        {"SLVERR on a read", ARGENT_FAULT_SLVERR, "m_axi_in", Nothing, ARGENT_OK, 1},
        {"SLVERR on a write", ARGENT_FAULT_SLVERR, "m_axi_out", Nothing, ARGENT_OK, 2},
        {"memory that never answers", ARGENT_FAULT_SILENT, "m_axi_in", Nothing, ARGENT_STUCK, 0},
        {"an accelerator that hangs", ARGENT_FAULT_NONE, nullptr, NoRready, ARGENT_STUCK, 0},
        {"one that never says done", ARGENT_FAULT_NONE, nullptr, NoDone, ARGENT_STUCK, 0},
        {"a read outside of the image", ARGENT_FAULT_NONE, nullptr, ReadOutside, ARGENT_BUS_ERROR, 0},
        {"done too early", ARGENT_FAULT_NONE, nullptr, EarlyDone, ARGENT_PROTOCOL, 0},
        {"a row that is not written", ARGENT_FAULT_NONE, nullptr, RowMissing, ARGENT_PROTOCOL, 0},
        {"an interrupt that is lost", ARGENT_FAULT_NONE, nullptr, NoInterrupt, ARGENT_OK, 0},
    };
    for (const Case &c : cases) {
        CAPTURE(c.name);
        Pair p;
        p.scene.settings.fault = c.memory;
        if (c.port != nullptr) p.scene.settings.fault_port = c.port;
        p.scene.settings.fault_at = 2;
        p.start_both(c.broken);
        CHECK(argent_wait(p.d, p.first, -1) == c.code);
        argent_result r{};
        CHECK(argent_launch_result(p.d, p.first, &r) == ARGENT_OK);
        CHECK(r.error == c.error);
        CHECK(argent_wait(p.d, p.second, -1) == ARGENT_OK);
        CHECK(argent_launch_result(p.d, p.second, &r) == ARGENT_OK);
        CHECK(r.error == 0);
        CHECK(r.bytes_written == Scene::width * Scene::height);
        CHECK(p.wrong() == 0);
        CHECK(p.scene.harmed() == 0);
    }
}

TEST_CASE("resets and cancelling while a launch waits in the hardware") {
    Pair p;
    p.scene.settings.watchdog = 0;
    p.start_both(NoDone);
    SUBCASE("a reset ends both") {
        CHECK(argent_reset(p.d) == ARGENT_OK);
        CHECK(argent_wait(p.d, p.first, -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(p.d, p.second, -1) == ARGENT_CANCELLED);
        for (int i = 0; i < Pair::bytes; i++) REQUIRE(p.result[i] == 0x77);
    }
    SUBCASE("the one that runs is cancelled") {
        CHECK(argent_cancel(p.d, p.first) == ARGENT_OK);
        CHECK(argent_wait(p.d, p.first, -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(p.d, p.second, -1) == ARGENT_OK);
        CHECK(p.wrong() == 0);
    }
    SUBCASE("the one that waits is cancelled") {
        CHECK(argent_cancel(p.d, p.second) == ARGENT_OK);
        CHECK(argent_wait(p.d, p.second, -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(p.d, p.first, 1000) == ARGENT_TIMEOUT);
        for (int i = 0; i < Pair::bytes; i++) REQUIRE(p.result[i] == 0x77);
        CHECK(argent_cancel(p.d, p.first) == ARGENT_OK);
    }
    SUBCASE("the one that runs never ends, and its time is up") {
        CHECK(argent_wait(p.d, p.second, 20000) == ARGENT_TIMEOUT);
        CHECK(argent_cancel(p.d, p.first) == ARGENT_OK);
        CHECK(argent_wait(p.d, p.second, -1) == ARGENT_OK);
        CHECK(p.wrong() == 0);
    }
    CHECK(p.scene.harmed() == 0);
    argent_ticket again = p.start(p.at[2], p.at[3], Nothing);
    CHECK(argent_wait(p.d, again, -1) == ARGENT_OK);
    CHECK(p.wrong() == 0);
}
