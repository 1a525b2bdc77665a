// The device uio: on a stand-in for a board, whose fabric is a simulator server.
#include <doctest/doctest.h>

#include <vector>

#include "UioBoard.h"

namespace {

std::string open_error(const char *uri, int expected) {
    argent_device *d = nullptr;
    CHECK(argent_open(uri, "increment", &d) == expected);
    return argent_open_text();
}

}  // namespace

extern "C" void halide_error(void *, const char *message) { said += message; }

TEST_CASE("uio: launches in memory of the u-dma-buf, with no copy") {
    for (bool coherent : {true, false}) {
        CAPTURE(coherent);
        Board board(coherent);
        Images i(384, 20, 384, argent_image_allocate, argent_image_free), j(64, 1, 64, argent_image_allocate, argent_image_free);
        for (int n = 1; n < 4; n++) {
            for (int k = 0; k < 384 * 20; k++) i.in[k] = uint8_t(k * n), i.out[k] = 0xee;
            CHECK(i.launch(n) == 0);
            CHECK(said == "");
            CHECK(i.wrong(n) == 0);
        }
        CHECK(j.launch(100) == 0);
        CHECK(j.wrong(100) == 0);
        CHECK(board.count(ARGENT_COUNT_COPIES) == 0);
        CHECK(board.count(ARGENT_COUNT_LAUNCHES) == 4);
        CHECK(board.count(ARGENT_COUNT_CLOCKS) > 20);
        CHECK(board.raised >= 4);
    }
}

TEST_CASE("uio: images elsewhere are staged") {
    Board board(false);
    Images i(320, 20, 384, elsewhere, free);
    CHECK(i.launch(3) == 0);
    CHECK(i.wrong(3) == 0);
    CHECK(board.count(ARGENT_COUNT_COPIES) == 2);
}

TEST_CASE("uio: an output that shares cache lines with others is staged, unless the caches see the device's writes") {
    for (bool coherent : {true, false}) {
        CAPTURE(coherent);
        Board board(coherent);
        Images tile(300, 5, 384, argent_image_allocate, argent_image_free);
        CHECK(tile.launch(9, 8) == 0);
        CHECK(tile.wrong(9, 8) == 0);
        CHECK(board.count(ARGENT_COUNT_COPIES) == (coherent ? 0 : 1));
        Images odd(75, 3, 75, argent_image_allocate, argent_image_free);  // ends in a line that is its own
        CHECK(odd.launch(9) == 0);
        CHECK(odd.wrong(9) == 0);
        CHECK(board.count(ARGENT_COUNT_COPIES) == (coherent ? 0 : 1));
    }
}

TEST_CASE("uio: memory that stays mapped, cleaned before each launch") {
    Board board(false);
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    void *in = nullptr, *out = nullptr;
    uint64_t at_in = 0, at_out = 0;
    REQUIRE(argent_allocate(d, 1000, &in, &at_in) == ARGENT_OK);
    REQUIRE(argent_allocate(d, 1000, &out, &at_out) == ARGENT_OK);
    argent_register_value registers[] = {{INCREMENT_BROKEN, 0}, {INCREMENT_WIDTH, 1000}, {INCREMENT_HEIGHT, 1}, {INCREMENT_IN_ADDRESS, uint32_t(at_in)},
                                         {INCREMENT_IN_STRIDE, 1000}, {INCREMENT_OUT_ADDRESS, uint32_t(at_out)}, {INCREMENT_OUT_STRIDE, 1000},
                                         {INCREMENT_AMOUNT, 1}};
    argent_command c{};
    c.registers = registers;
    c.register_count = 8;
    for (int n = 0; n < 3; n++) {
        std::memset(in, n * 10, 1000);
        argent_ticket t = 0;
        REQUIRE(argent_start(d, &c, &t) == ARGENT_OK);
        CHECK(argent_wait(d, t, 5000000) == ARGENT_OK);
        CHECK(static_cast<uint8_t *>(out)[0] == n * 10 + 1);
        CHECK(static_cast<uint8_t *>(out)[999] == n * 10 + 1);
    }
    void *too_much = nullptr;
    CHECK(argent_allocate(d, size_t(1) << 30, &too_much, &at_in) == ARGENT_OUT_OF_MEMORY);
    CHECK(std::string(argent_device_text(d)) ==
          "the u-dma-buf udmabuf0 has 41943040 bytes, and no 1073741824 of them in one piece are free; load its module with more");
    CHECK(argent_reset(d) == ARGENT_UNSUPPORTED);
    CHECK(argent_unmap(d, 3) == ARGENT_NOT_MAPPED);
    CHECK(std::string(argent_device_text(d)) == "nothing is mapped at address 0x3");
}

TEST_CASE("uio: two launches in the hardware, each with its own caches to care for") {
    Board board(false);
    SUBCASE("one ends after the other") {}
    SUBCASE("the second one ends between two looks at the first one's end") { board.hurries = true; }
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    constexpr int width = 384, height = 12, bytes = width * height;
    uint8_t *in[2], *out[2];
    uint64_t from[2], to[2];
    for (int k = 0; k < 2; k++) {
        in[k] = static_cast<uint8_t *>(argent_image_allocate(bytes));
        out[k] = static_cast<uint8_t *>(argent_image_allocate(bytes));
        REQUIRE(argent_map(d, in[k], bytes, ARGENT_READ, &from[k]) == ARGENT_OK);
        REQUIRE(argent_map(d, out[k], bytes, ARGENT_WRITE, &to[k]) == ARGENT_OK);
    }
    argent_ticket ticket[2] = {};
    const auto finish = [&](int n) {
        const int k = n % 2;
        REQUIRE(argent_wait(d, ticket[k], 10000000) == ARGENT_OK);
        int wrong = 0;
        for (int i = 0; i < bytes; i++) wrong += out[k][i] != uint8_t(i * 3 + n + n);
        CHECK(wrong == 0);
    };
    int waited = 0;
    for (int n = 0; n < 10; n++) {
        const int k = n % 2;
        if (n >= 2) finish(n - 2);
        board.interrupts = n < 6;  // the others are lost
        // The other image's launch may be at work while this one is made.
        for (int i = 0; i < bytes; i++) in[k][i] = uint8_t(i * 3 + n);
        argent_register_value registers[] = {{INCREMENT_BROKEN, 0}, {INCREMENT_WIDTH, width}, {INCREMENT_HEIGHT, height},
                                             {INCREMENT_IN_ADDRESS, uint32_t(from[k])}, {INCREMENT_IN_STRIDE, width},
                                             {INCREMENT_OUT_ADDRESS, uint32_t(to[k])}, {INCREMENT_OUT_STRIDE, width}, {INCREMENT_AMOUNT, uint32_t(n)}};
        argent_window windows[] = {{"m_axi_in", ARGENT_READ, from[k], 1, {bytes}, {1}}, {"m_axi_out", ARGENT_WRITE, to[k], 1, {bytes}, {1}}};
        argent_command command = {registers, sizeof registers / sizeof *registers, windows, 2, nullptr, 0, nullptr};
        REQUIRE(argent_start(d, &command, &ticket[k]) == ARGENT_OK);
        uint32_t control = 0;
        REQUIRE(argent_read(d, ARGENT_CONTROL, &control) == ARGENT_OK);
        waited += (control & ARGENT_CONTROL_START) != 0;
    }
    finish(8);
    finish(9);
    CHECK(waited > 0);
    for (int k = 0; k < 2; k++) {
        CHECK(argent_unmap(d, from[k]) == ARGENT_OK);
        CHECK(argent_unmap(d, to[k]) == ARGENT_OK);
        argent_image_free(in[k]);
        argent_image_free(out[k]);
    }
}

TEST_CASE("shared: an image that several have mapped, let go while a launch of another one uses it") {
    Board board(false);
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    constexpr int width = 384, height = 12, bytes = width * height;
    auto *image = static_cast<uint8_t *>(argent_image_allocate(bytes + width)), *in = image + width, *out = static_cast<uint8_t *>(argent_image_allocate(bytes));
    for (int i = 0; i < bytes; i++) in[i] = uint8_t(i), out[i] = 0xee;
    uint64_t whole = 0, upper = 0, middle = 0, around = 0, to = 0;
    REQUIRE(argent_map(d, in, bytes / 2, ARGENT_WRITE, &upper) == ARGENT_OK);   // shorter, and of another kind
    REQUIRE(argent_map(d, in, bytes, ARGENT_READ, &whole) == ARGENT_OK);
    REQUIRE(argent_map(d, in + width, width, ARGENT_READ, &middle) == ARGENT_OK);
    REQUIRE(argent_map(d, image, 2 * width, ARGENT_READ, &around) == ARGENT_OK);   // holds where the launch begins to read, and not all of it
    REQUIRE(argent_map(d, out, bytes, ARGENT_WRITE, &to) == ARGENT_OK);
    CHECK(whole == upper);
    argent_register_value registers[] = {{INCREMENT_BROKEN, 0}, {INCREMENT_WIDTH, width}, {INCREMENT_HEIGHT, height}, {INCREMENT_IN_ADDRESS, uint32_t(whole)},
                                         {INCREMENT_IN_STRIDE, width}, {INCREMENT_OUT_ADDRESS, uint32_t(to)}, {INCREMENT_OUT_STRIDE, width}, {INCREMENT_AMOUNT, 5}};
    argent_window windows[] = {{"m_axi_in", ARGENT_READ, whole, 1, {bytes}, {1}}, {"m_axi_out", ARGENT_WRITE, to, 1, {bytes}, {1}}};
    argent_command command = {registers, sizeof registers / sizeof *registers, windows, 2, nullptr, 0, nullptr};
    argent_ticket ticket = 0;
    REQUIRE(argent_start(d, &command, &ticket) == ARGENT_OK);
    CHECK(argent_unmap(d, middle) == ARGENT_OK);
    CHECK(argent_unmap(d, upper) == ARGENT_OK);
    CHECK(argent_unmap(d, whole) == ARGENT_BUSY);   // the last one that holds all
    REQUIRE(argent_wait(d, ticket, 10000000) == ARGENT_OK);
    int wrong = 0;
    for (int i = 0; i < bytes; i++) wrong += out[i] != uint8_t(i + 5);
    CHECK(wrong == 0);
    CHECK(argent_unmap(d, whole) == ARGENT_OK);
    CHECK(argent_unmap(d, whole) == ARGENT_NOT_MAPPED);
    CHECK(argent_unmap(d, around) == ARGENT_OK);
    CHECK(argent_unmap(d, to) == ARGENT_OK);
    argent_image_free(image);
    argent_image_free(out);
}

TEST_CASE("uio: without interrupts, and with lost ones") {
    Images i(320, 20, 384, elsewhere, free);
    for (const char *options : {"", ",interrupt=none"}) {
        Board board(true, options);
        board.interrupts = false;
        CHECK(i.launch(3) == 0);
        CHECK(i.wrong(3) == 0);
        CHECK(board.raised == 0);
    }
}

TEST_CASE("uio: interrupts that mean nothing") {
    Board board(true);
    Images i(384, 64, 384, argent_image_allocate, argent_image_free);
    board.spurious = 2;
    for (int n = 0; n < 4; n++) CHECK(i.launch(3) == 0);
    CHECK(i.wrong(3) == 0);
    CHECK(board.spurious == 0);
    CHECK(board.raised > 2);
}

TEST_CASE("uio: the fabric goes away in mid-frame, and comes back") {
    Board board(true);
    Images i(320, 20, 384, elsewhere, free);
    CHECK(i.launch(3) == 0);
    board.fabric = false;
    CHECK(i.launch(3) != 0);
    CHECK(argent_launch_code() == ARGENT_GONE);
    CHECK(said == "increment: the launch cannot be started: the control register reads as ones: the fabric's clock has stopped, or its bitstream is gone");
    CHECK(i.launch(3) != 0);
    CHECK(said.find("device \"uio:/dev/uio0\": the control register reads as ones") != std::string::npos);
    board.fabric = true;
    argent_launch_close();
    CHECK(i.launch(5) == 0);
    CHECK(i.wrong(5) == 0);
}

TEST_CASE("uio: the interrupt's device is removed") {
    Board board(true);
    Images i(320, 20, 384, elsewhere, free);
    CHECK(i.launch(3) == 0);
    board.unplug_interrupt();
    CHECK(i.launch(3) != 0);
    CHECK(argent_launch_code() == ARGENT_GONE);
    CHECK(said.find("the interrupt of the UIO device fails: ") != std::string::npos);
}

TEST_CASE("uio: a launch that does not end, and one that another process left") {
    Board board(true);
    Images i(384, 20, 384, argent_image_allocate, argent_image_free);
    setenv("ARGENT_TIMEOUT_MS", "30", 1);
    CHECK(i.launch(3, 0, 25) != 0);  // the accelerator never says done
    CHECK(argent_launch_code() == ARGENT_TIMEOUT);
    CHECK(said == "increment: the launch has not ended after 30 ms (ARGENT_TIMEOUT_MS) and was given up");
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    CHECK(argent_cancel(d, 1) == ARGENT_UNSUPPORTED);
    CHECK(std::string(argent_device_text(d)) == "this kind of device cannot be reset by a program");
    CHECK(argent_wait(d, 1, 0) == ARGENT_TIMEOUT);
    // It runs still, for a program cannot reset it: the next one is given up before it has begun.
    CHECK(i.launch(3) != 0);
    CHECK(said == "increment: the launch has not ended after 30 ms (ARGENT_TIMEOUT_MS) and was given up");
    unsetenv("ARGENT_TIMEOUT_MS");
    CHECK(i.launch(3) != 0);
    CHECK(said == "increment: the launch cannot be started: a launch runs and another one waits; wait for one of them before the next");
    argent_launch_close();
    CHECK(open_error(board.uri().c_str(), ARGENT_BUSY) == "device \"uio:/dev/uio0\": a launch of a process that has ended still runs; load the bitstream again");
}

TEST_CASE("uio: what is missing is named") {
    Board board(false);
    {
        argent_device *d = nullptr;
        REQUIRE(argent_open(board.uri().c_str(), "increment", &d) == ARGENT_OK);
        CHECK(open_error(board.uri().c_str(), ARGENT_BUSY) == "device \"uio:/dev/uio0\" is in use by another process; wait until that has closed it");
        argent_close(d);
    }
    CHECK(open_error("uio:/dev/uio7", ARGENT_NO_DEVICE) ==
          "device \"uio:/dev/uio7\": there is no such file; is the accelerator in the device tree as generic-uio, and the bitstream loaded?");
    CHECK(open_error("uio:uio0", ARGENT_NO_DEVICE) == "device \"uio:\" wants the path of a UIO device, such as uio:/dev/uio0");
    CHECK(open_error("uio:/dev/uio0,size=3", ARGENT_NO_DEVICE) == "device \"uio:\" has memory=NAME and interrupt=PATH behind its path, not \"size=3\"");
    CHECK(open_error("uio:/dev/uio0,interrupt=/dev/none", ARGENT_NO_DEVICE) == "device \"uio:/dev/uio0\": its interrupt /dev/none: No such file or directory");
    CHECK(open_error("uio:/dev/uio0,interrupt=none,memory=other", ARGENT_NO_DEVICE) ==
          "device \"uio:/dev/uio0\": there is no u-dma-buf other in /sys/class/u-dma-buf; load the module (modprobe u-dma-buf udmabuf0=67108864), or name "
          "another: uio:...,memory=NAME");
    board.write("/sys/class/udmabuf/other/size", "4096\n");  // of an older driver
    CHECK(open_error("uio:/dev/uio0,interrupt=none,memory=other", ARGENT_SYSTEM) == "device \"uio:/dev/uio0\": /sys/class/udmabuf/other/size and phys_addr cannot be read");
    board.write("/sys/class/udmabuf/other/phys_addr", "0x10000000\n");
    CHECK(open_error("uio:/dev/uio0,interrupt=none,memory=other", ARGENT_SYSTEM) ==
          "device \"uio:/dev/uio0\": the files /sys/class/udmabuf/other/sync_* cannot be written: No such file or directory");
    board.write("/sys/class/udmabuf/other/dma_coherent", "1\n");
    CHECK(open_error("uio:/dev/uio0,interrupt=none,memory=other", ARGENT_SYSTEM) == "device \"uio:/dev/uio0\": /dev/other cannot be mapped: No such file or directory");
    board.write("/sys/class/uio/uio0/maps/map0/size", "0x100\n");
    CHECK(open_error(board.uri().c_str(), ARGENT_NO_DEVICE) ==
          "device \"uio:/dev/uio0\": /sys/class/uio/uio0/maps/map0/size says 0x100 bytes, the registers have 0x1000; correct `reg` in the device tree");
}
