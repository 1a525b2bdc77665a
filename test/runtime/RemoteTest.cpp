// The device sim+unix: as a program sees it; the server serves a fake device.
#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "FakeDevice.h"
#include "ServerProcess.h"
#include "argent_halide.h"
#include "argent_memory.h"
#include "blend_driver.h"

extern std::string reported_error;

namespace {

struct Open {
    argent_device *d = nullptr;
    explicit Open(const ServerProcess &server, const char *accelerator = "thing") {
        REQUIRE(argent_open(server.uri().c_str(), accelerator, &d) == ARGENT_OK);
    }
    ~Open() { argent_close(d); }
    std::string text() const { return argent_device_text(d); }
    uint64_t count(argent_count which) const {
        uint64_t v = 0;
        REQUIRE(argent_counter(d, which, &v) == ARGENT_OK);
        return v;
    }
};

}  // namespace

TEST_CASE("remote: nobody listens") {
    argent_device *d = nullptr;
    CHECK(argent_open("sim+unix:/nowhere/socket", "thing", &d) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()) ==
          "device \"sim+unix:/nowhere/socket\": no simulator server listens there (No such file or directory); start one: argent-sim-server "
          "/nowhere/socket libthing_sim.so");
    CHECK(argent_open("sim+unix:", "thing", &d) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()) == "device \"sim+unix:\": the path of a socket has 1 to 107 bytes, this one has 0");
    CHECK(argent_open(("sim+unix:" + std::string(200, 'x')).c_str(), "thing", &d) == ARGENT_NO_DEVICE);
}

TEST_CASE("remote: what the server's device says reaches the program") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.open_code = ARGENT_NO_ACCELERATOR;
    ServerProcess server;
    argent_device *d = nullptr;
    CHECK(argent_open(server.uri().c_str(), "thing", &d) == ARGENT_NO_ACCELERATOR);
    CHECK(std::string(argent_open_text()) == "device \"" + server.uri() + "\": fake:here has no thing today");
}

TEST_CASE("remote: registers, launches, counters, reset") {
    FakeDevice::fresh();
    ServerProcess server;
    Open o(server);
    uint32_t v = 0;
    CHECK(argent_read(o.d, ARGENT_ID, &v) == ARGENT_OK);
    CHECK(v == 0x12345678);
    CHECK(argent_write(o.d, 0x40, 77) == ARGENT_OK);
    CHECK(argent_read(o.d, 0x40, &v) == ARGENT_OK);
    CHECK(v == 77);
    argent_command c{};
    argent_ticket t = 0;
    CHECK(argent_start(o.d, &c, &t) == ARGENT_OK);
    CHECK(argent_wait(o.d, t, -1) == ARGENT_OK);
    CHECK(o.count(ARGENT_COUNT_CLOCKS) == 1001);
    CHECK(argent_reset(o.d) == ARGENT_OK);
    CHECK(argent_counter(o.d, ARGENT_COUNT_BYTES_READ, &t) == ARGENT_UNSUPPORTED);  // the fake device counts no bytes
}

TEST_CASE("remote: memory is shared, and other memory refused") {
    FakeDevice::fresh();
    ServerProcess server;
    Open o(server);
    void *host = nullptr;
    uint64_t address = 0, other = 0;
    CHECK(argent_allocate(o.d, 1000, &host, &address) == ARGENT_OK);
    CHECK(address == 0x100000);
    int mine = 0;
    CHECK(argent_map(o.d, &mine, sizeof mine, ARGENT_READ, &other) == ARGENT_UNSUPPORTED);
    CHECK(o.text() == "the simulator server reaches only memory that argent_allocate or argent_import_dmabuf gave");
    CHECK(argent_map(o.d, static_cast<uint8_t *>(host) + 3, 10, ARGENT_READ, &other) == ARGENT_OK);  // a part of it
    CHECK(other == 0x200003);
    CHECK(argent_unmap(o.d, other) == ARGENT_OK);
    CHECK(argent_unmap(o.d, other) == ARGENT_NOT_MAPPED);
    CHECK(argent_free(o.d, host) == ARGENT_OK);
}

TEST_CASE("remote: the server's memory has an end") {
    FakeDevice::fresh();
    ServerProcess server(40 << 20);
    Open o(server);
    void *host = nullptr;
    uint64_t address = 0;
    CHECK(argent_allocate(o.d, 60 << 20, &host, &address) == ARGENT_OUT_OF_MEMORY);
    CHECK(o.text() == "the simulated memory has 40 MiB, 0 of them in use; 62914560 bytes more do not fit (argent-sim-server --memory=MIB)");
    CHECK(argent_allocate(o.d, 1000, &host, &address) == ARGENT_OK);
}

TEST_CASE("remote: a launch stages what the server cannot reach, row by row") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.registers[ARGENT_ID] = BLEND_ID_VALUE;
    fake.fill = 0x5a;
    ServerProcess server;
    argent_launch_close();
    argent_launch_set_device(server.uri().c_str());
    std::vector<uint8_t> over(14 * 9), under(10 * 5 * 2), out(32 * 5 * 2, 1);
    halide_dimension_t over_dims[2] = {{-2, 14, 1}, {-1, 9, 14}}, under_dims[2] = {{0, 10, 1}, {0, 5, 10}}, out_dims[2] = {{0, 10, 1}, {0, 5, 32}};
    halide_buffer_t a{}, b{}, c{};
    a.type = halide_type_t(halide_type_uint, 8);
    b.type = c.type = halide_type_t(halide_type_int, 16);
    a.dimensions = b.dimensions = c.dimensions = 2;
    a.dim = over_dims, b.dim = under_dims, c.dim = out_dims;
    auto *shared = static_cast<uint8_t *>(argent_memory_allocate(ARGENT_MEMORY_SHARED, over.size()));
    SUBCASE("all of them") {
        a.host = over.data(), b.host = under.data(), c.host = out.data();
        CHECK(blend_launch(&a, &b, 0, 9, 0, 4, 1, 0, 0, false, &c) == 0);
    }
    SUBCASE("not what lies in shared memory") {
        a.host = shared, b.host = under.data(), c.host = out.data();
        CHECK(blend_launch(&a, &b, 0, 9, 0, 4, 1, 0, 0, false, &c) == 0);
    }
    for (size_t i = 0; i < out.size(); i++) REQUIRE(out[i] == (i % 64 < 20 ? 0x5a : 1));
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&blend_accelerator, &d) == ARGENT_OK);
    uint64_t copies = 0, mappings = 0;
    CHECK(argent_counter(d, ARGENT_COUNT_COPIES, &copies) == ARGENT_OK);
    CHECK(copies == (a.host == shared ? 2 : 3));
    CHECK(argent_counter(d, ARGENT_COUNT_MAPPINGS, &mappings) == ARGENT_OK);
    CHECK(mappings == 0);
    argent_memory_free(shared);
    argent_launch_close();
}

TEST_CASE("remote: images are allocated where the device of the moment reaches them") {
    argent_memory_place place{};
    argent_launch_set_device("sim:");
    void *own = argent_image_allocate(100);
    CHECK(argent_memory_find(own, 100, &place) == 0);
    argent_launch_set_device("sim+unix:/nowhere");
    void *shared = argent_image_allocate(100);
    CHECK(argent_memory_find(shared, 100, &place) == 1);
    for (void *p : {own, shared}) {
        CHECK(reinterpret_cast<uintptr_t>(p) % 128 == 0);
        argent_image_free(p);  // each to where it came from
    }
    argent_image_free(nullptr);
    argent_launch_set_device(nullptr);
}

TEST_CASE("remote: a server that is killed is gone, and a new one can be opened") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.never_done = true;
    ServerProcess server;
    Open o(server);
    argent_command c{};
    argent_ticket t = 0;
    CHECK(argent_start(o.d, &c, &t) == ARGENT_OK);
    CHECK(argent_wait(o.d, t, 5000) == ARGENT_TIMEOUT);
    std::thread killer([&] { server.kill(SIGKILL); });
    CHECK(argent_wait(o.d, t, -1) == ARGENT_GONE);
    killer.join();
    CHECK(o.text() == "the simulator server has ended");
    uint32_t v = 0;
    CHECK(argent_read(o.d, ARGENT_ID, &v) == ARGENT_GONE);
    CHECK(o.text() == "the simulator server is gone since an earlier call; close the device and open it again");
    fake.never_done = false;
    ServerProcess another;
    Open again(another);
    CHECK(argent_read(again.d, ARGENT_ID, &v) == ARGENT_OK);
}

TEST_CASE("remote: a server that is stopped does not answer, which is found") {
    FakeDevice::fresh();
    ServerProcess server;
    setenv("ARGENT_REMOTE_TIMEOUT_MS", "50", 1);
    Open o(server);
    unsetenv("ARGENT_REMOTE_TIMEOUT_MS");
    server.kill(SIGSTOP);
    uint32_t v = 0;
    CHECK(argent_read(o.d, ARGENT_ID, &v) == ARGENT_GONE);
    CHECK(o.text() == "the simulator server does not answer (ARGENT_REMOTE_TIMEOUT_MS)");
    // When it comes to itself again it finds that nobody is there, though the device is still open, and serves the next one.
    server.kill(SIGCONT);
    setenv("ARGENT_REMOTE_TIMEOUT_MS", "5000", 1);
    Open again(server);
    unsetenv("ARGENT_REMOTE_TIMEOUT_MS");
    CHECK(argent_read(again.d, ARGENT_ID, &v) == ARGENT_OK);
}

TEST_CASE("remote: a launcher whose server has ended opens the next one") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.registers[ARGENT_ID] = BLEND_ID_VALUE;
    argent_launch_close();
    argent_launch_code();
    std::vector<uint8_t> memory(1000);
    halide_dimension_t dims[2] = {{-2, 14, 1}, {-1, 9, 14}};
    halide_buffer_t a{}, b{}, c{};
    a.type = halide_type_t(halide_type_uint, 8);
    b.type = c.type = halide_type_t(halide_type_int, 16);
    a.dimensions = b.dimensions = c.dimensions = 2;
    a.dim = b.dim = c.dim = dims;
    a.host = memory.data(), b.host = memory.data() + 128, c.host = memory.data() + 640;
    for (int i = 0; i < 2; i++) {
        ServerProcess server;
        argent_launch_set_device(server.uri().c_str());
        CHECK(blend_launch(&a, &b, 0, 5, 0, 1, 1, 0, 0, false, &c) == 0);
        server.kill(SIGKILL);
        reported_error.clear();
        CHECK(blend_launch(&a, &b, 0, 5, 0, 1, 1, 0, 0, false, &c) != 0);
        CHECK(argent_launch_code() == ARGENT_GONE);
        CHECK(reported_error == "blend: input over: its memory cannot be reached by the device: the simulator server has ended");
    }
    argent_launch_close();
}
