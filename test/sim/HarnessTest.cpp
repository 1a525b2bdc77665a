// The harness against a tiny accelerator (increment.v), and against each of its mistakes. On the device of ARGENT_DEVICE: linked (sim:), or
// in a server (sim+unix:).
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "argent_halide.h"
#include "argent_launch.h"
#include "argent_sim.h"
#include "increment_driver.h"

namespace {

enum Broken {
    Nothing, ArChanges, ArFalls, WChanges, LongBurst, Crosses, EarlyLast, WideStrobes, ReadOutside, WriteOutside, EarlyDone, NoW, NoRready,
    SpuriousB, ValidInReset, WFalls, NoInterrupt, NoLast, BadSize, RowMissing, ErrorRegister, ControlError, ControlSilent, StrobesChange,
    FixedBurst, NoDone, WWaits, NoAw
};

/** Two images with rows of `stride` bytes in one aligned memory, and a canary around the output. */
struct Images {
    int width, height, stride;
    uint8_t *base, *in, *out;

    Images(int w, int h, int s, int phase = 0) : width(w), height(h), stride(s) {
        size_t bytes = size_t(2 * (s * h + 4096 + 512));
        base = static_cast<uint8_t *>(argent_image_allocate(bytes));
        REQUIRE(base != nullptr);
        std::memset(base, 0xee, bytes);
        in = base + phase;
        out = base + (s * h + 2048) / 128 * 128 + 128 + phase;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) in[y * s + x] = uint8_t(x * 7 + y * 31);
    }
    ~Images() { argent_image_free(base); }
    Images(const Images &) = delete;
    int wrong(int amount) const {
        int n = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) n += out[y * stride + x] != uint8_t(in[y * stride + x] + amount);
        return n;
    }
    /** Bytes beside the output's rows that were written. */
    int spilled() const {
        int n = 0;
        for (int i = -64; i < stride * height + 64; i++) {
            int x = i >= 0 ? i % stride : -1;
            if ((x < 0 || x >= width || i >= stride * height) && out[i] != 0xee) n++;
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
        REQUIRE(argent_open(nullptr, "increment", &d) == ARGENT_OK);
    }
    ~Device() {
        argent_close(d);
        argent_sim_defaults(&settings);
        argent_sim_set(&settings);
    }
    int launch(Images &i, int amount, int broken, bool armed = true) {
        argent_sim_set(&settings);
        uint64_t in = 0, out = 0;
        size_t bytes = size_t(i.stride * (i.height - 1) + i.width);
        REQUIRE(argent_map(d, i.in, bytes, ARGENT_READ, &in) == ARGENT_OK);
        REQUIRE(argent_map(d, i.out, bytes, ARGENT_WRITE, &out) == ARGENT_OK);
        argent_register_value registers[] = {{INCREMENT_BROKEN, uint32_t(broken)}, {INCREMENT_WIDTH, uint32_t(i.width)},
                                             {INCREMENT_HEIGHT, uint32_t(i.height)}, {INCREMENT_IN_ADDRESS, uint32_t(in)},
                                             {INCREMENT_IN_STRIDE, uint32_t(i.stride)}, {INCREMENT_OUT_ADDRESS, uint32_t(out)},
                                             {INCREMENT_OUT_STRIDE, uint32_t(i.stride)}, {INCREMENT_AMOUNT, uint32_t(amount)}};
        argent_window windows[] = {{"m_axi_in", ARGENT_READ, in, 2, {i.width, i.height}, {1, i.stride}},
                                   {"m_axi_out", ARGENT_WRITE, out, 2, {i.width, i.height}, {1, i.stride}}};
        argent_command command = {registers, sizeof registers / sizeof *registers, armed ? windows : nullptr, armed ? 2u : 0u};
        argent_ticket ticket = 0;
        int code = argent_start(d, &command, &ticket);
        if (code == ARGENT_OK) code = argent_wait(d, ticket, -1);
        CHECK(argent_unmap(d, in) == ARGENT_OK);
        CHECK(argent_unmap(d, out) == ARGENT_OK);
        return code;
    }
    std::string text() const { return argent_device_text(d); }
    uint64_t count(argent_count c) const {
        uint64_t v = 0;
        CHECK(argent_counter(d, c, &v) == ARGENT_OK);
        return v;
    }
};

}  // namespace

TEST_CASE("an image comes out right, at any size and phase, without a byte beside it") {
    Device device;
    for (int width : {1, 7, 8, 9, 127, 128, 129, 300})
        for (int height : {1, 2, 5})
            for (int phase : {0, 3}) {
                Images i(width, height, width + 13, phase);
                CAPTURE(width);
                CAPTURE(phase);
                CHECK(device.launch(i, 5, Nothing) == ARGENT_OK);
                CHECK(i.wrong(5) == 0);
                CHECK(i.spilled() == 0);
            }
}

TEST_CASE("rows that are shorter than a beat and follow each other") {
    Device device;
    for (int phase = 0; phase < 8; phase++) {
        Images i(1, 5, 1, phase);
        CAPTURE(phase);
        CHECK(device.launch(i, 5, Nothing) == ARGENT_OK);
        CHECK(i.wrong(5) == 0);
        CHECK(i.spilled() == 0);
    }
}

TEST_CASE("random stalls, little bandwidth and long latencies change no data") {
    Device device;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        device.settings.seed = seed;
        device.settings.stalls = uint32_t(seed * 5);
        device.settings.fresh = seed % 2;
        device.settings.beats = 1;
        device.settings.clocks = 1 + seed % 3;
        device.settings.read_latency = uint32_t(seed * 3);
        Images i(150, 4, 160);
        CAPTURE(seed);
        CHECK(device.launch(i, int(seed), Nothing) == ARGENT_OK);
        CHECK(device.text() == "");
        CHECK(i.wrong(int(seed)) == 0);
        CHECK(i.spilled() == 0);
    }
}

TEST_CASE("the same seed gives the same clocks, another one others") {
    std::vector<uint64_t> clocks;
    for (uint64_t seed : {7u, 7u, 8u}) {
        Device device;
        device.settings.stalls = 50;
        device.settings.seed = seed;
        Images i(150, 4, 160);
        CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
        clocks.push_back(device.count(ARGENT_COUNT_CLOCKS));
    }
    CHECK(clocks[0] == clocks[1]);
    CHECK(clocks[0] != clocks[2]);
}

TEST_CASE("the reference memory: latencies are exact") {
    // A burst: start pulse, AR one clock later; 20 clocks to the first beat; AW and the first W together in the clock behind
    // the last beat; one clock in which the core sees that all has gone; B 10 clocks after the last W.
    Device device;
    Images one(8, 1, 8), two(16, 1, 16);
    CHECK(device.launch(one, 1, Nothing) == ARGENT_OK);
    uint64_t first = device.count(ARGENT_COUNT_CLOCKS);
    CHECK(first == 1 + 20 + 1 + 10 + 1);
    CHECK(device.launch(two, 1, Nothing) == ARGENT_OK);
    CHECK(device.count(ARGENT_COUNT_CLOCKS) == first + 2);  // one beat more to read, one more to write
    device.settings.read_latency = 50;
    device.settings.write_latency = 4;
    CHECK(device.launch(one, 1, Nothing) == ARGENT_OK);
    CHECK(device.count(ARGENT_COUNT_CLOCKS) == first + 30 - 6);
}

TEST_CASE("ports are counted") {
    Device device;
    Images i(300, 3, 320);
    CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
    argent_sim_port_counts in{}, out{}, none{};
    REQUIRE(argent_sim_port(device.d, 0, &in) == ARGENT_OK);
    REQUIRE(argent_sim_port(device.d, 1, &out) == ARGENT_OK);
    CHECK(argent_sim_port(device.d, 2, &none) == ARGENT_BAD_ARGUMENT);
    CHECK(std::string(in.name) == "m_axi_in");
    CHECK(in.beats == 3 * 38 + 0);
    CHECK(in.bytes == in.beats * 8);
    CHECK(in.writes == 0);
    CHECK(out.writes == 1);
    CHECK(out.bytes == 900);
    CHECK(out.expected_bytes == 900);
    CHECK(out.last <= device.count(ARGENT_COUNT_CLOCKS));
    CHECK(device.count(ARGENT_COUNT_BYTES_WRITTEN) == 900);
    CHECK(device.count(ARGENT_COUNT_MAPPINGS) == 0);
}

TEST_CASE("every broken rule is caught, with its text, and the device works after it") {
    struct Case {
        Broken broken;
        int code;
        unsigned stalls;
        const char *text;  // how it begins
    };
    const Case cases[] = {
        {ArChanges, ARGENT_PROTOCOL, 100, "m_axi_in: ARADDR changed from 0x"},
        {ArFalls, ARGENT_PROTOCOL, 100, "m_axi_in: ARVALID fell before ARREADY came"},
        {WChanges, ARGENT_PROTOCOL, 100, "m_axi_out: WDATA changed while WVALID waited for WREADY"},
        {StrobesChange, ARGENT_PROTOCOL, 100, "m_axi_out: WSTRB or WLAST changed while WVALID waited for WREADY"},
        {WFalls, ARGENT_PROTOCOL, 100, "m_axi_out: WVALID fell before WREADY came"},
        {LongBurst, ARGENT_PROTOCOL, 0, "m_axi_in: a burst of 38 beats at 0x00100000; at most 16 are allowed"},
        {Crosses, ARGENT_PROTOCOL, 0, "m_axi_in: the burst from 0x00100fc8 to 0x00101007 crosses a 4 KiB boundary"},
        {BadSize, ARGENT_PROTOCOL, 0, "m_axi_in: ARSIZE is 2 (4 bytes) on a bus of 8 bytes"},
        {FixedBurst, ARGENT_PROTOCOL, 0, "m_axi_in: ARBURST is 0; only 1 (INCR) is allowed"},
        {EarlyLast, ARGENT_PROTOCOL, 0, "m_axi_out: WLAST on beat 1 of a burst of 16"},
        {NoLast, ARGENT_PROTOCOL, 0, "m_axi_out: no WLAST on the last beat of a burst of 16"},
        {WideStrobes, ARGENT_BUS_ERROR, 0, "m_axi_out: a write to 0x0020012c is outside of the memory that was armed for it"},
        {ReadOutside, ARGENT_BUS_ERROR, 0, "m_axi_in: a read of 0x00142b08 is outside of the memory that was armed for it"},
        {WriteOutside, ARGENT_BUS_ERROR, 0, "m_axi_out: a write to 0x00242b0c is outside of the memory that was mapped for it"},
        {EarlyDone, ARGENT_PROTOCOL, 0, "m_axi_out: the accelerator says done while 1 of its write bursts are unfinished"},
        {RowMissing, ARGENT_PROTOCOL, 0, "m_axi_out: the accelerator says done after it wrote 8700 bytes of a box of 9000"},
        {SpuriousB, ARGENT_PROTOCOL, 0, "s_axi_control: BVALID without a write that was asked for"},
        {ControlError, ARGENT_BUS_ERROR, 0, "s_axi_control: the write of register 0x"},
    };
    for (const Case &c : cases) {
        CAPTURE(c.text);
        Device device;
        device.settings.stalls = c.stalls;
        device.settings.seed = 3;
        Images i(300, 30, 380);
        if (c.broken == LongBurst) i.height = 1;
        CHECK(device.launch(i, 1, c.broken) == c.code);
        CHECK_MESSAGE(device.text().rfind(c.text, 0) == 0, device.text());
        device.settings.fresh = c.broken == ControlError;
        device.settings.stalls = 0;
        CHECK(device.launch(i, 2, Nothing) == ARGENT_OK);
        CHECK(i.wrong(2) == 0);
    }
}

TEST_CASE("a valid that is high after reset is caught") {
    Device device;
    Images i(8, 1, 8);
    device.launch(i, 1, ValidInReset);
    CHECK(argent_reset(device.d) == ARGENT_PROTOCOL);
    CHECK(device.text() == "m_axi_in: ARVALID is not 0 after reset");
}

TEST_CASE("the watchdog says which channel waits for which") {
    struct Case {
        Broken broken;
        const char *text;
    };
    const Case cases[] = {
        {NoRready,
         "nothing has moved for 3000 clocks (since clock 2 of the launch):\n"
         "m_axi_in: the memory's R waits for RREADY of the core\n"
         "m_axi_out: no write is under way, 0 of 1200 bytes are written: the core has nothing to offer"},
        {NoW,
         "nothing has moved for 3000 clocks (since clock 38 of the launch):\n"
         "m_axi_in: no read is under way, 16 beats (128 bytes) have come for a box of 1200 bytes: the core does not ask for more\n"
         "m_axi_out: the memory waits for W of the core: 16 beats of a burst of 16 are missing"},
        {NoDone, "no channel waits, all boxes have been transferred: the core does not say done"},
        {NoAw, "m_axi_out: 16 beats of W have come, the memory waits for their AW"},
    };
    for (const Case &c : cases) {
        Device device;
        Images i(300, 4, 304);
        CHECK(device.launch(i, 1, c.broken) == ARGENT_STUCK);
        std::string text = device.text();
        // The run stops at the next look, a while after the limit.
        size_t n = text.find("moved for ");
        text.replace(n + 10, text.find(' ', n + 10) - n - 10, "3000");
        CAPTURE(text);
        CHECK(text.find(c.text) != std::string::npos);
        CHECK(device.launch(i, 2, Nothing) == ARGENT_OK);
        CHECK(i.wrong(2) == 0);
    }
}

TEST_CASE("the memory takes W before its AW") {
    Device device;
    Images i(300, 4, 304);
    CHECK(device.launch(i, 1, WWaits) == ARGENT_OK);
    CHECK(i.wrong(1) == 0);
}

TEST_CASE("an interrupt that is lost is no harm") {
    Device device;
    Images i(300, 4, 304);
    CHECK(device.launch(i, 1, NoInterrupt) == ARGENT_OK);
    CHECK(i.wrong(1) == 0);
}

TEST_CASE("a control port that does not answer") {
    Device device;
    Images i(8, 1, 8);
    CHECK(device.launch(i, 1, ControlSilent) == ARGENT_STUCK);
    CHECK(device.text().find("waits for AWREADY for 2000 clocks") != std::string::npos);
}

TEST_CASE("faults of the memory") {
    Device device;
    Images i(300, 4, 304);
    uint32_t error = 0;
    device.settings.fault_port = "m_axi_in";
    device.settings.fault_at = 7;
    device.settings.fault = ARGENT_FAULT_SLVERR;
    CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
    CHECK(argent_read(device.d, INCREMENT_ERROR, &error) == ARGENT_OK);
    CHECK(error == 1);
    device.settings.fault_port = "m_axi_out";
    device.settings.fault = ARGENT_FAULT_DECERR;
    CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
    CHECK(argent_read(device.d, INCREMENT_ERROR, &error) == ARGENT_OK);
    CHECK(error == 2);
    device.settings.fault = ARGENT_FAULT_SILENT;
    CHECK(device.launch(i, 1, Nothing) == ARGENT_STUCK);
    CHECK(device.text().find("m_axi_out: the core waits for B of the memory, which owes 1 responses (a fault was injected)") != std::string::npos);
    device.settings.fault_port = "m_axi_in";
    CHECK(device.launch(i, 1, Nothing) == ARGENT_STUCK);
    CHECK(device.text().find("m_axi_in: the core waits for R of the memory, which owes 1 bursts (a fault was injected)") != std::string::npos);
    device.settings.fault = ARGENT_FAULT_NONE;
    CHECK(device.launch(i, 3, Nothing) == ARGENT_OK);
    CHECK(i.wrong(3) == 0);
}

TEST_CASE("faults that only streams have") {
    Device device;
    Images i(30, 4, 38);
    device.settings.fault_port = "m_axi_in";
    device.settings.fault = ARGENT_FAULT_LONG;
    CHECK(device.launch(i, 1, Nothing) == ARGENT_BAD_ARGUMENT);
    CHECK(device.text() == "m_axi_in: a port of memory has no such fault; it has slverr, decerr and silent");
    device.settings.fault = ARGENT_FAULT_NONE;
    CHECK(argent_reset(device.d) == ARGENT_OK);
    CHECK(device.launch(i, 3, Nothing) == ARGENT_OK);
    CHECK(i.wrong(3) == 0);
}

TEST_CASE("time-out, busy and reset in mid-frame") {
    Device device;
    Images i(300, 40, 304);
    uint64_t in = 0, out = 0;
    REQUIRE(argent_map(device.d, i.in, 304 * 40, ARGENT_READ, &in) == ARGENT_OK);
    REQUIRE(argent_map(device.d, i.out, 304 * 40, ARGENT_WRITE, &out) == ARGENT_OK);
    argent_register_value registers[] = {{INCREMENT_BROKEN, 0}, {INCREMENT_WIDTH, 300}, {INCREMENT_HEIGHT, 40},
                                         {INCREMENT_IN_ADDRESS, uint32_t(in)}, {INCREMENT_IN_STRIDE, 304},
                                         {INCREMENT_OUT_ADDRESS, uint32_t(out)}, {INCREMENT_OUT_STRIDE, 304}, {INCREMENT_AMOUNT, 1}};
    argent_command command = {registers, 8, nullptr, 0};
    argent_ticket ticket = 0, second = 0;
    REQUIRE(argent_start(device.d, &command, &ticket) == ARGENT_OK);
    CHECK(argent_start(device.d, &command, &second) == ARGENT_OK);
    CHECK(argent_start(device.d, &command, &second) == ARGENT_BUSY);
    CHECK(argent_unmap(device.d, in) == ARGENT_BUSY);
    CHECK(argent_wait(device.d, ticket, 0) == ARGENT_TIMEOUT);
    CHECK(argent_reset(device.d) == ARGENT_OK);
    CHECK(argent_wait(device.d, ticket, 0) == ARGENT_CANCELLED);
    REQUIRE(argent_start(device.d, &command, &second) == ARGENT_OK);
    CHECK(second == ticket + 2);
    CHECK(argent_wait(device.d, second, 10000000) == ARGENT_OK);
    CHECK(i.wrong(1) == 0);
    uint64_t alone = device.count(ARGENT_COUNT_CLOCKS);
    // Cancelled in mid-frame: the one that waits behind it comes right.
    std::memset(i.out, 0xee, 304 * 40);
    REQUIRE(argent_start(device.d, &command, &ticket) == ARGENT_OK);
    REQUIRE(argent_start(device.d, &command, &second) == ARGENT_OK);
    CHECK(argent_cancel(device.d, ticket) == ARGENT_OK);
    CHECK(argent_wait(device.d, ticket, 0) == ARGENT_CANCELLED);
    CHECK(argent_wait(device.d, second, 10000000) == ARGENT_OK);
    CHECK(i.wrong(1) == 0);
    // Frames behind each other: none takes longer than alone.
    for (int n = 0; n < 6; n++) {
        REQUIRE(argent_start(device.d, &command, &second) == ARGENT_OK);
        if (n > 0) CHECK(argent_wait(device.d, second - 1, 10000000) == ARGENT_OK);
        if (n > 0) CHECK(device.count(ARGENT_COUNT_CLOCKS) == alone);
    }
    CHECK(argent_wait(device.d, second, 10000000) == ARGENT_OK);
    CHECK(argent_wait(device.d, 99, 0) == ARGENT_BAD_ARGUMENT);
    CHECK(argent_unmap(device.d, in) == ARGENT_OK);
    CHECK(argent_unmap(device.d, in) == ARGENT_NOT_MAPPED);
}

TEST_CASE("linked: waveforms appear on demand") {
    std::string name = "/tmp/argent_test_" + std::to_string(getpid()) + ".fst";
    {
        Device device;
        Images i(300, 4, 304);
        CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
        CHECK(fopen(name.c_str(), "rb") == nullptr);
        device.settings.trace = name.c_str();
        CHECK(device.launch(i, 1, Nothing) == ARGENT_OK);
        CHECK(i.wrong(1) == 0);
    }
    FILE *f = fopen(name.c_str(), "rb");
    REQUIRE(f != nullptr);
    fseek(f, 0, SEEK_END);
    CHECK(ftell(f) > 1000);
    fclose(f);
    remove(name.c_str());
}

TEST_CASE("linked: no such model") {
    argent_device *d = nullptr;
    CHECK(argent_open("sim:", "nonesuch", &d) == ARGENT_NO_ACCELERATOR);
    CHECK(d == nullptr);
    CHECK(std::string(argent_open_text()) ==
          "device \"sim:\" has no model of \"nonesuch\" (linked models: increment); link nonesuch_sim, name its library "
          "(sim:/path/libnonesuch_sim.so), or put its folder into ARGENT_SIM_PATH");
    CHECK(argent_open("sim:/nonesuch.so", "increment", &d) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()).rfind("device \"sim:/nonesuch.so\": /nonesuch.so: cannot open shared object file", 0) == 0);
}

TEST_CASE("the whole way: driver, launcher, model") {
    argent_sim_settings s;
    argent_sim_defaults(&s);
    argent_sim_set(&s);
    Images i(300, 4, 304);
    halide_dimension_t in_dims[2] = {{0, 300, 1, 0}, {0, 4, 304, 0}}, out_dims[2] = {{0, 300, 1, 0}, {0, 4, 304, 0}};
    halide_buffer_t in{}, out{};
    in.host = i.in;
    out.host = i.out;
    in.type = out.type = halide_type_t(halide_type_uint, 8);
    in.dimensions = out.dimensions = 2;
    in.dim = in_dims;
    out.dim = out_dims;
    struct Log {
        int launches = 0;
        uint64_t clocks = 0, address = 0, width = 0;
    } log;
    argent_launch_observe(
        [](const argent_launch_record *r, void *c) {
            auto *l = static_cast<Log *>(c);
            l->launches++;
            l->clocks = r->clocks;
            l->address = r->streams[0].address;
            for (int k = 0; k < r->register_count; k++)
                if (r->registers[k].offset == INCREMENT_WIDTH) l->width = r->registers[k].value;
        },
        &log);
    // A tile in the middle: 10 .. 49 of x, 1 .. 2 of y.
    CHECK(increment_launch(&in, 10, 49, 1, 2, 9, 0, &out) == 0);
    int wrong = 0, outside = 0;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 300; x++) {
            bool tile = x >= 10 && x <= 49 && y >= 1 && y <= 2;
            uint8_t v = i.out[y * 304 + x];
            (tile ? wrong : outside) += tile ? v != uint8_t(i.in[y * 304 + x] + 9) : v != 0xee;
        }
    CHECK(wrong == 0);
    CHECK(outside == 0);
    CHECK(log.launches == 1);
    CHECK(log.width == 40);
    CHECK(log.clocks > 80);
    CHECK(log.address % 128 == (reinterpret_cast<uintptr_t>(i.in) + 304 + 10) % 128);
    argent_launch_observe(nullptr, nullptr);
    argent_launch_close();
}
