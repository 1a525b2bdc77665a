// The harness against a tiny accelerator with AXI4-Stream ports (flow.v), against each of its mistakes, and against streams that
// are out of step.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "BytePlane.h"
#include "argent_launch.h"
#include "argent_sim.h"
#include "flow_driver.h"

namespace {

enum Broken {
    Nothing, ValidFalls, DataChanges, LastChanges, EarlyLast, NoLast, UserTwice, NoUser, WholeKeep, OneMore, EarlyDone, NeverReady,
    ValidInReset, NeverValid, UserChanges, KeepChanges
};

std::string launch_text;

/** Two images in one memory, rows `stride` bytes apart. */
struct Images {
    int width, height, stride;
    std::vector<uint8_t> in, out;
    BytePlane from, to;

    Images(int w, int h, int s)
        : width(w), height(h), stride(s), in(size_t(s * h), 0xee), out(size_t(s * h + 64), 0xee), from(in.data(), w, h, s), to(out.data(), w, h, s) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) in[size_t(y * s + x)] = uint8_t(x * 7 + y * 31);
    }
    /** Bytes of the output's box, and beside it, that are not what they should be. */
    int wrong(int amount) const {
        int n = 0;
        for (int i = 0; i < int(out.size()); i++) {
            bool inside = i / stride < height && i % stride < width;
            n += out[size_t(i)] != (inside ? uint8_t(in[size_t(i)] + amount) : 0xee);
        }
        return n;
    }
};

struct Device {
    argent_device *d = nullptr;
    argent_sim_settings settings{};

    Device() {
        argent_sim_defaults(&settings);
        settings.watchdog = 3000;
        argent_sim_set(&settings);
        REQUIRE(argent_launch_device(&flow_accelerator, &d) == ARGENT_OK);
    }
    ~Device() {
        argent_launch_close();
        argent_sim_defaults(&settings);
        argent_sim_set(&settings);
    }
    /** The argent_code; its text is in launch_text, the number of quiet clocks replaced. */
    int launch(Images &i, int amount, int broken = Nothing) {
        argent_sim_set(&settings);
        argent_launch_code();
        launch_text.clear();
        int result = flow_launch(&i.from, 0, i.width - 1, 0, i.height - 1, int8_t(amount), uint8_t(broken), &i.to);
        int code = argent_launch_code();
        CHECK((result == 0) == (code == ARGENT_OK));
        if (size_t n = launch_text.find("moved for "); n != std::string::npos)
            launch_text.replace(n + 10, launch_text.find(' ', n + 10) - n - 10, "3000");
        return code;
    }
    uint64_t clocks() const {
        uint64_t v = 0;
        CHECK(argent_counter(d, ARGENT_COUNT_CLOCKS, &v) == ARGENT_OK);
        return v;
    }
    argent_sim_port_counts port(uint32_t i) const {
        argent_sim_port_counts p{};
        CHECK(argent_sim_port(d, i, &p) == ARGENT_OK);
        return p;
    }
    void fault(argent_sim_fault kind, const char *name, uint64_t at) {
        settings.fault = kind;
        settings.fault_port = name;
        settings.fault_at = at;
    }
};

}  // namespace

extern "C" void halide_error(void *, const char *message) { launch_text = message; }

TEST_CASE("streams: an image comes out right at any size, without a byte beside it") {
    Device device;
    for (int width : {1, 3, 4, 5, 8, 63, 64})
        for (int height : {1, 2, 7}) {
            Images i(width, height, width + 5);
            CAPTURE(width);
            CAPTURE(height);
            CHECK(device.launch(i, 5) == ARGENT_OK);
            CHECK(launch_text == "");
            CHECK(i.wrong(5) == 0);
        }
}

TEST_CASE("streams: gaps and back-pressure change no data") {
    Device device;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        device.settings.seed = seed;
        device.settings.stalls = uint32_t(seed * 5);
        device.settings.fresh = seed % 2;
        device.settings.clocks = 1 + seed % 3;
        device.settings.read_latency = uint32_t(seed * 3);
        Images i(150, 6, 160);
        CAPTURE(seed);
        CHECK(device.launch(i, int(seed)) == ARGENT_OK);
        CHECK(launch_text == "");
        CHECK(i.wrong(int(seed)) == 0);
    }
}

TEST_CASE("streams: the reference DMA is exact") {
    // The first transfer stands READ_LATENCY clocks after the start pulse; two clocks through ag_axis_in, one through
    // ag_axis_out; done is seen in the clock behind the last transfer.
    Device device;
    Images one(4, 1, 4), many(40, 3, 40);
    CHECK(device.launch(one, 1) == ARGENT_OK);
    CHECK(device.clocks() == 20 + 2 + 1 + 1);
    CHECK(device.launch(many, 1) == ARGENT_OK);
    CHECK(device.clocks() == 20 + 2 + 1 + 1 + 29);
    device.settings.read_latency = 50;
    CHECK(device.launch(one, 1) == ARGENT_OK);
    CHECK(device.clocks() == 50 + 2 + 1 + 1);
}

TEST_CASE("streams: ports are counted") {
    Device device;
    Images i(30, 3, 32);
    CHECK(device.launch(i, 1) == ARGENT_OK);
    const auto in = device.port(0), out = device.port(1);
    CHECK(std::string(in.name) == "s_axis_in");
    CHECK(in.beats == 3 * 8);
    CHECK(in.bursts == 3);
    CHECK(in.bytes == 90);
    CHECK(in.expected_bytes == 90);
    CHECK(out.writes == 1);
    CHECK(out.beats == 3 * 8);
    CHECK(out.bytes == 90);
}

TEST_CASE("streams: every broken rule is caught, with its text, and the device works after it") {
    struct Case {
        Broken broken;
        unsigned stalls;
        const char *text;
    };
    const Case cases[] = {
        {ValidFalls, 100, "m_axis_out: TVALID fell before TREADY came (clock "},
        {DataChanges, 100, "m_axis_out: TDATA changed while TVALID waited for TREADY (clock "},
        {LastChanges, 100, "m_axis_out: TLAST changed while TVALID waited for TREADY (clock "},
        {UserChanges, 100, "m_axis_out: TUSER changed while TVALID waited for TREADY (clock "},
        {KeepChanges, 100, "m_axis_out: TKEEP changed while TVALID waited for TREADY (clock "},
        {EarlyLast, 0, "m_axis_out: TLAST on transfer 0 of row 0, a row has 8 (clock "},
        {NoLast, 0, "m_axis_out: no TLAST on transfer 7 of row 0, the row's last (clock "},
        {UserTwice, 0, "m_axis_out: TUSER on transfer 1 of row 0 (clock "},
        {NoUser, 0, "m_axis_out: no TUSER on the frame's first transfer (clock "},
        {WholeKeep, 0, "m_axis_out: TKEEP of byte 2 is 1 on transfer 7 of row 0, of which 2 bytes belong to the row (clock "},
        {OneMore, 0, "m_axis_out: a transfer after the frame's last one, of 240 (clock "},
        {EarlyDone, 0, "m_axis_out: the accelerator says done after 9 of the frame's 240 transfers (clock "},
    };
    for (const Case &c : cases) {
        CAPTURE(c.text);
        Device device;
        device.settings.stalls = c.stalls;
        device.settings.seed = 3;
        Images i(30, 30, 38);
        CHECK(device.launch(i, 1, c.broken) == ARGENT_PROTOCOL);
        CHECK_MESSAGE(launch_text.find(c.text) != std::string::npos, launch_text);
        device.settings.stalls = 0;
        CHECK(device.launch(i, 2) == ARGENT_OK);
        CHECK(launch_text == "");
        CHECK(i.wrong(2) == 0);
    }
}

TEST_CASE("streams: a valid that is high after reset is caught") {
    Device device;
    Images i(8, 1, 8);
    device.launch(i, 1, ValidInReset);
    CHECK(argent_reset(device.d) == ARGENT_PROTOCOL);
    CHECK(std::string(argent_device_text(device.d)).rfind("m_axis_out: TVALID is not 0 after reset", 0) == 0);
}

TEST_CASE("streams: a misframed input is reported, the launch ends, and the next one is right") {
    struct Case {
        argent_sim_fault fault;
        uint64_t at;
        const char *text;
    };
    const Case cases[] = {
        {ARGENT_FAULT_SHORT, 11, "flow: input in (s_axis_in): a row of the stream ended early"},
        {ARGENT_FAULT_SHORT, 0, "flow: input in (s_axis_in): a row of the stream ended early"},
        {ARGENT_FAULT_LONG, 3, "flow: input in (s_axis_in): a row of the stream did not end where it should"},
        {ARGENT_FAULT_LONG, 39, "flow: input in (s_axis_in): a row of the stream did not end where it should"},
        {ARGENT_FAULT_USER, 20, "flow: input in (s_axis_in): a frame did not begin where it should (TUSER)"},
    };
    for (unsigned stalls : {0u, 60u})
        for (const Case &c : cases) {
            CAPTURE(c.at);
            CAPTURE(stalls);
            Device device;
            device.settings.stalls = stalls;
            Images i(30, 5, 38);
            device.fault(c.fault, "s_axis_in", c.at);
            CHECK(device.launch(i, 1) == ARGENT_MISFRAMED);
            CHECK(launch_text == c.text);
            device.fault(ARGENT_FAULT_NONE, nullptr, 0);
            CHECK(device.launch(i, 2) == ARGENT_OK);
            CHECK(launch_text == "");
            CHECK(i.wrong(2) == 0);
        }
}

TEST_CASE("streams: faults that a port does not have") {
    Device device;
    Images i(30, 5, 38);
    const auto refused = [&](argent_sim_fault fault, const char *port) {
        device.fault(fault, port, 3);
        CHECK(device.launch(i, 1) == ARGENT_BAD_ARGUMENT);
        return launch_text;
    };
    CHECK(refused(ARGENT_FAULT_SLVERR, "s_axis_in") ==
          "flow: the launch cannot be started: s_axis_in: a stream that goes in has no such fault; it has short, long, user and silent");
    CHECK(refused(ARGENT_FAULT_SHORT, "m_axis_out") ==
          "flow: the launch cannot be started: m_axis_out: a stream that comes out has no such fault; it has silent");
    device.fault(ARGENT_FAULT_NONE, nullptr, 0);
    CHECK(argent_reset(device.d) == ARGENT_OK);
    CHECK(device.launch(i, 2) == ARGENT_OK);
    CHECK(i.wrong(2) == 0);
}

// What a failed launch has written shows only where the device works on the image itself.
TEST_CASE("linked: rows behind a misframed one are in their places") {
    Device device;
    for (auto fault : {ARGENT_FAULT_SHORT, ARGENT_FAULT_LONG}) {
        Images i(32, 6, 32);
        device.fault(fault, "s_axis_in", 17);   // in row 2
        CHECK(device.launch(i, 1) == ARGENT_MISFRAMED);
        for (int y : {0, 1, 3, 4, 5})
            for (int x = 0; x < 32; x++) CHECK(i.out[size_t(32 * y + x)] == uint8_t(i.in[size_t(32 * y + x)] + 1));
        for (int x = 0; x < 8; x++) CHECK(i.out[size_t(32 * 2 + x)] == uint8_t(i.in[size_t(32 * 2 + x)] + 1));
    }
}

TEST_CASE("streams: the watchdog says which stream waits for which") {
    struct Case {
        Broken broken;
        argent_sim_fault fault;
        const char *port;
        uint64_t at;
        const char *text;
    };
    const Case cases[] = {
        {NeverReady, ARGENT_FAULT_NONE, nullptr, 0,
         "flow: the launch failed: nothing has moved for 3000 clocks (since clock 0 of the launch):\n"
         "s_axis_in: the DMA's transfer 0 of row 0 waits for TREADY of the core\n"
         "m_axis_out: 0 of 40 transfers have come: the core has nothing to offer"},
        {NeverValid, ARGENT_FAULT_NONE, nullptr, 0,
         "s_axis_in: the DMA's transfer 3 of row 2 waits for TREADY of the core\n"
         "m_axis_out: 0 of 40 transfers have come: the core has nothing to offer"},
        {Nothing, ARGENT_FAULT_SILENT, "s_axis_in", 20,
         "s_axis_in: the core waits for TVALID of the DMA (a fault was injected): transfer 4 of row 2 comes next\n"
         "m_axis_out: 20 of 40 transfers have come: the core has nothing to offer"},
        {Nothing, ARGENT_FAULT_SILENT, "m_axis_out", 3,
         "s_axis_in: the DMA's transfer 6 of row 2 waits for TREADY of the core\n"
         "m_axis_out: the core's transfer 3 of row 0 waits for TREADY of the DMA (a fault was injected)"},
        {Nothing, ARGENT_FAULT_USER, "s_axis_in", 0,   // a frame without a begin: all of it is dropped
         "s_axis_in: all 40 transfers of the frame were taken (a fault was injected)\n"
         "m_axis_out: 0 of 40 transfers have come: the core has nothing to offer\n"
         "input in (s_axis_in): a frame did not begin where it should (TUSER)"},
    };
    for (const Case &c : cases) {
        Device device;
        device.fault(c.fault, c.port, c.at);
        Images i(30, 5, 38);
        CHECK(device.launch(i, 1, c.broken) == ARGENT_STUCK);
        CAPTURE(launch_text);
        CHECK(launch_text.find(c.text) != std::string::npos);
        device.fault(ARGENT_FAULT_NONE, nullptr, 0);
        CHECK(device.launch(i, 2) == ARGENT_OK);
        CHECK(i.wrong(2) == 0);
    }
}

TEST_CASE("streams: the DMA refuses what it cannot move") {
    Device device;
    argent_sim_set(&device.settings);
    const argent_window none = {"s_axis_none", ARGENT_READ, 0x100000, 2, {4, 4}, {1, 4}};
    argent_command command = {nullptr, 0, nullptr, 0, &none, 1};
    CHECK(argent_start(device.d, &command, nullptr) == ARGENT_BAD_ARGUMENT);
    CHECK(std::string(argent_device_text(device.d)) == "s_axis_none: the DMA has no such channel, or cannot move such a box through it");
    const argent_window backwards = {"m_axis_out", ARGENT_READ, 0x100000, 2, {4, 4}, {1, 4}};
    command.transfers = &backwards;
    CHECK(argent_start(device.d, &command, nullptr) == ARGENT_BAD_ARGUMENT);
    const argent_window unmapped = {"s_axis_in", ARGENT_READ, 0x100000, 2, {4, 4}, {1, 4}};
    const argent_register_value registers[] = {{FLOW_WIDTH, 4}, {FLOW_HEIGHT, 4}, {FLOW_BROKEN, 0}};
    command = {registers, 3, nullptr, 0, &unmapped, 1};
    argent_ticket ticket = 0;
    REQUIRE(argent_start(device.d, &command, &ticket) == ARGENT_OK);
    CHECK(argent_wait(device.d, ticket, -1) != ARGENT_OK);
    CHECK_MESSAGE(std::string(argent_device_text(device.d)).find("s_axis_in: the DMA reads 0x00100000, which is not mapped for it") == 0,
                  argent_device_text(device.d));
}
