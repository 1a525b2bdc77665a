// argent_runtime.h itself, on a fake device.
#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "FakeDevice.h"

namespace {

struct Open {
    FakeDevice &fake = FakeDevice::fresh();
    argent_device *d = nullptr;
    Open() { REQUIRE(argent_open("fake:x", "thing", &d) == ARGENT_OK); }
    ~Open() { argent_close(d); }
};

}  // namespace

TEST_CASE("opening") {
    argent_device *d = nullptr;
    CHECK(argent_open("fake:x", nullptr, &d) == ARGENT_BAD_ARGUMENT);
    CHECK(std::string(argent_open_text()) == "argent_open needs the name of an accelerator and a place for the device");
    CHECK(argent_open("nocolon", "thing", &d) == ARGENT_NO_DEVICE);
    Open o;
    CHECK(std::string(argent_device_uri(o.d)) == "fake:x");
    CHECK(std::string(argent_device_accelerator(o.d)) == "thing");
    CHECK(std::string(argent_open_text()) == "");
    CHECK(argent_device_state(o.d, "fake") == &o.fake);
    CHECK(argent_device_state(o.d, "sim") == nullptr);
    CHECK(argent_close(nullptr) == ARGENT_OK);
}

TEST_CASE("every code has its own text") {
    std::set<std::string> texts;
    for (int code = 0; code >= -18; code--) texts.insert(argent_error_text(code));
    CHECK(texts.size() == 19);
    CHECK(texts.count(argent_error_text(-99)) == 0);
}

TEST_CASE("addresses: multiples of 1 MiB and the host's low 7 bits, the same in every run") {
    Open o;
    std::vector<uint8_t> memory(3 << 20);
    uint8_t *base = memory.data() + (128 - reinterpret_cast<uintptr_t>(memory.data()) % 128);
    uint64_t a = 0, b = 0, c = 0, again = 0;
    CHECK(argent_map(o.d, base + 5, 1000, ARGENT_READ, &a) == ARGENT_OK);
    CHECK(a == 0x100005);
    CHECK(argent_map(o.d, base + 127, 1 << 20, ARGENT_WRITE, &b) == ARGENT_OK);
    CHECK(b == 0x20007f);
    CHECK(argent_map(o.d, base, 10, ARGENT_READ, &c) == ARGENT_OK);
    CHECK(c == 0x400000);  // the one before needs two units
    CHECK(argent_unmap(o.d, b) == ARGENT_OK);
    CHECK(argent_map(o.d, base, 10, ARGENT_READ, &again) == ARGENT_OK);
    CHECK(again == 0x200000);
    CHECK(argent_map(o.d, base, 10, ARGENT_READ, &again) == ARGENT_OK);  // twice the same memory
    CHECK(again == 0x300000);
    CHECK(argent_unmap(o.d, 0x123) == ARGENT_NOT_MAPPED);
    CHECK(argent_map(o.d, nullptr, 10, ARGENT_READ, &a) == ARGENT_BAD_ARGUMENT);
    CHECK(argent_map(o.d, base, 0, ARGENT_READ, &a) == ARGENT_BAD_ARGUMENT);
    CHECK(argent_map(o.d, base, 1, 0, &a) == ARGENT_BAD_ARGUMENT);
    uint64_t count = 0;
    CHECK(argent_counter(o.d, ARGENT_COUNT_MAPPINGS, &count) == ARGENT_OK);
    CHECK(count == 4);
}

TEST_CASE("the address space ends at 4 GiB") {
    Open o;
    auto *host = reinterpret_cast<void *>(uintptr_t(0x10000000));  // never touched
    uint64_t a = 0, b = 0;
    CHECK(argent_map(o.d, host, size_t(3) << 30, ARGENT_READ, &a) == ARGENT_OK);
    CHECK(argent_map(o.d, host, size_t(2) << 30, ARGENT_READ, &b) == ARGENT_OUT_OF_MEMORY);
    CHECK(argent_map(o.d, host, size_t(5) << 30, ARGENT_READ, &b) == ARGENT_OUT_OF_MEMORY);
    CHECK(argent_unmap(o.d, a) == ARGENT_OK);
    CHECK(argent_map(o.d, host, size_t(2) << 30, ARGENT_READ, &b) == ARGENT_OK);
}

TEST_CASE("memory of the device") {
    Open o;
    void *host = nullptr;
    uint64_t address = 0;
    CHECK(argent_allocate(o.d, 1000, &host, &address) == ARGENT_OK);
    CHECK(reinterpret_cast<uintptr_t>(host) % 128 == 0);
    CHECK(address == 0x100000);
    std::memset(host, 1, 1000);
    int other;
    CHECK(argent_free(o.d, &other) == ARGENT_NOT_MAPPED);
    CHECK(std::string(argent_device_text(o.d)) == "argent_free of memory that argent_allocate did not give");
    CHECK(argent_free(o.d, host) == ARGENT_OK);
    CHECK(argent_free(o.d, nullptr) == ARGENT_OK);
    CHECK(o.fake.mappings.count == 0);
    CHECK(argent_allocate(o.d, 10, &host, &address) == ARGENT_OK);  // freed by argent_close
}

TEST_CASE("registers") {
    Open o;
    uint32_t v = 0;
    CHECK(argent_write(o.d, 0x40, 77) == ARGENT_OK);
    CHECK(argent_read(o.d, 0x40, &v) == ARGENT_OK);
    CHECK(v == 77);
    CHECK(argent_write(o.d, 0x41, 1) == ARGENT_BAD_ARGUMENT);
    CHECK(argent_read(o.d, 4096, &v) == ARGENT_BAD_ARGUMENT);
}

TEST_CASE("tickets, results and counters") {
    Open o;
    argent_command c{};
    argent_ticket t[20] = {};
    CHECK(argent_wait(o.d, 0, -1) == ARGENT_OK);  // nothing to wait for
    CHECK(argent_queue_depth(o.d) >= 1);
    for (int i = 0; i < 20; i++) {
        o.fake.looks_until_done = 3;
        o.fake.wait_code = i == 18 ? ARGENT_BUS_ERROR : 0;
        REQUIRE(argent_start(o.d, &c, &t[i]) == ARGENT_OK);
        CHECK(t[i] == uint64_t(i + 1));
        CHECK(argent_wait(o.d, t[i], -1) == (i == 18 ? ARGENT_BUS_ERROR : ARGENT_OK));
    }
    CHECK(argent_wait(o.d, t[18], 0) == ARGENT_BUS_ERROR);  // remembered
    CHECK(argent_wait(o.d, t[10], 0) == ARGENT_OK);
    CHECK(argent_wait(o.d, t[1], 0) == ARGENT_BAD_ARGUMENT);
    CHECK(std::string(argent_device_text(o.d)) == "no such launch: its ticket was never given, or is too old");
    uint64_t v = 0;
    CHECK(argent_counter(o.d, ARGENT_COUNT_LAUNCHES, &v) == ARGENT_OK);
    CHECK(v == 19);
    CHECK(argent_counter(o.d, ARGENT_COUNT_FAILURES, &v) == ARGENT_OK);
    CHECK(v == 1);
    CHECK(argent_counter(o.d, ARGENT_COUNT_CLOCKS, &v) == ARGENT_OK);
    CHECK(v == 1020);
    CHECK(argent_counter(o.d, ARGENT_COUNT_COPIES, &v) == ARGENT_OK);
    CHECK(v == 0);
    CHECK(argent_counter(o.d, ARGENT_COUNT_BYTES_READ, &v) == ARGENT_UNSUPPORTED);
}

TEST_CASE("interrupts that mean nothing end no launch") {
    Open o;
    o.fake.spurious = 3;
    o.fake.never_done = true;
    argent_command c{};
    argent_ticket t = 0;
    REQUIRE(argent_start(o.d, &c, &t) == ARGENT_OK);
    for (int i = 0; i < 4; i++) CHECK(argent_wait(o.d, t, 0) == ARGENT_TIMEOUT);
    CHECK(o.fake.spurious == 0);
    o.fake.never_done = false;
    CHECK(argent_wait(o.d, t, -1) == ARGENT_OK);
}

TEST_CASE("memory is not taken away from a launch that runs, nor kept by a device that is gone") {
    Open o;
    void *host = nullptr;
    uint64_t address = 0;
    REQUIRE(argent_allocate(o.d, 100, &host, &address) == ARGENT_OK);
    o.fake.never_done = true;
    argent_command c{};
    REQUIRE(argent_start(o.d, &c, nullptr) == ARGENT_OK);
    CHECK(argent_free(o.d, host) == ARGENT_BUSY);
    CHECK(std::string(argent_device_text(o.d)) == "memory cannot be unmapped before the launch that uses it has ended; wait for it first");
    CHECK(argent_unmap(o.d, address) == ARGENT_BUSY);
    o.fake.wait_code = ARGENT_GONE;
    CHECK(argent_wait(o.d, 0, -1) == ARGENT_GONE);
    o.fake.unmap_code = ARGENT_GONE;
    CHECK(argent_free(o.d, host) == ARGENT_GONE);  // but it is freed:
    CHECK(argent_free(o.d, host) == ARGENT_NOT_MAPPED);
}

TEST_CASE("bad commands start nothing") {
    Open o;
    argent_register_value odd[] = {{0x11, 1}};
    argent_command c{odd, 1, nullptr, 0};
    CHECK(argent_start(o.d, &c, nullptr) == ARGENT_BAD_ARGUMENT);
    CHECK(argent_start(o.d, nullptr, nullptr) == ARGENT_BAD_ARGUMENT);
    CHECK(o.fake.launches == 0);
}
