// argent_import_dmabuf: what is taken and what is not, on every kind of device that needs no model; memfds stand for dma-bufs.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "FakeDevice.h"
#include "ServerProcess.h"
#include "argent_memory.h"
#include "argent_mock.h"
#include "blend_driver.h"

namespace {

/** A memfd, as another driver would give it. */
struct Descriptor {
    int fd;
    explicit Descriptor(size_t bytes, unsigned flags = MFD_ALLOW_SEALING) : fd(memfd_create("shared", flags)) { REQUIRE(ftruncate(fd, off_t(bytes)) == 0); }
    ~Descriptor() { close(fd); }
};

struct Imported {
    uint8_t *host = nullptr;
    Imported(const char *uri, int fd, size_t bytes) {
        void *p = nullptr;
        REQUIRE_MESSAGE(argent_import_dmabuf(uri, fd, bytes, ARGENT_ADDRESS_UNKNOWN, &p) == ARGENT_OK, argent_open_text());
        host = static_cast<uint8_t *>(p);
    }
    ~Imported() { CHECK(argent_release_dmabuf(host) == ARGENT_OK); }
    Imported(const Imported &) = delete;
};

std::string refusal(int fd, size_t bytes, int expected, const char *uri = "mock:") {
    void *host = &fd;
    CHECK(argent_import_dmabuf(uri, fd, bytes, ARGENT_ADDRESS_UNKNOWN, &host) == expected);
    CHECK(host == nullptr);
    return argent_open_text();
}

}  // namespace

TEST_CASE("import: the same bytes, at an address that devices of the kind reach") {
    FakeDevice &fake = FakeDevice::fresh();
    Descriptor d(10000);
    Imported i("fake:here", d.fd, 10000);
    uint8_t first = 77;
    REQUIRE(pwrite(d.fd, &first, 1, 9999) == 1);
    CHECK(i.host[9999] == 77);
    argent_device *device = nullptr;
    REQUIRE(argent_open("fake:here", "thing", &device) == ARGENT_OK);
    uint64_t address = 0;
    CHECK(argent_map(device, i.host + 100, 200, ARGENT_READ, &address) == ARGENT_OK);
    CHECK(fake.mappings.list[0].host == i.host + 100);
    CHECK(argent_release_dmabuf(i.host) == ARGENT_BUSY);
    CHECK(argent_unmap(device, address) == ARGENT_OK);
    argent_close(device);
}

TEST_CASE("import: the descriptor may be closed, and what is no start of it is not released") {
    Imported *i;
    {
        Descriptor d(4096);
        i = new Imported("mock:", d.fd, 4096);
    }
    std::memset(i->host, 1, 4096);
    CHECK(argent_release_dmabuf(i->host + 1) == ARGENT_NOT_MAPPED);
    CHECK(argent_release_dmabuf(&i) == ARGENT_NOT_MAPPED);
    CHECK(argent_release_dmabuf(nullptr) == ARGENT_OK);
    CHECK(argent_memory_free(i->host) == 0);  // nor as what it is not
    uint8_t *host = i->host;
    delete i;
    CHECK(argent_release_dmabuf(host) == ARGENT_NOT_MAPPED);
}

TEST_CASE("import: what is refused, and why") {
    FakeDevice::fresh();
    Descriptor d(4096), unsealed(4096, 0), sealed(4096);
    CHECK(refusal(d.fd, 0, ARGENT_BAD_ARGUMENT) == "argent_import_dmabuf needs a number of bytes and a place for the pointer");
    CHECK(argent_import_dmabuf("mock:", d.fd, 1, ARGENT_ADDRESS_UNKNOWN, nullptr) == ARGENT_BAD_ARGUMENT);
    CHECK(refusal(-1, 100, ARGENT_BAD_ARGUMENT) == "descriptor -1 is not open");
    CHECK(refusal(d.fd, 4097, ARGENT_BAD_ARGUMENT) == "the memory of descriptor " + std::to_string(d.fd) + " has 4096 bytes, not 4097");
    CHECK(refusal(unsealed.fd, 4096, ARGENT_BAD_ARGUMENT) ==
          "descriptor " + std::to_string(unsealed.fd) + " is no dma-buf, and no memfd that could be sealed against shrinking (MFD_ALLOW_SEALING)");
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    CHECK(refusal(pipes[0], 1, ARGENT_BAD_ARGUMENT).find("is no dma-buf, and no memfd") != std::string::npos);
    CHECK(refusal(d.fd, 100, ARGENT_NO_DEVICE, "abacus:") ==
          "device \"abacus:\" is of no known kind; known are sim: sim+unix: uio: mock: platform: fake:");
    // To be read only: it could be mapped, but no launch could write to it.
    REQUIRE(fcntl(sealed.fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    int reader = open(("/proc/self/fd/" + std::to_string(sealed.fd)).c_str(), O_RDONLY | O_CLOEXEC);
    CHECK(refusal(reader, 4096, ARGENT_SYSTEM) ==
          "the memory of the descriptor cannot be mapped: Permission denied; whoever shares it must allow reading and writing (O_RDWR)");
    for (int fd : {pipes[0], pipes[1], reader}) close(fd);
}

TEST_CASE("import: a kind of device that has memory of its own and takes no other") {
    FakeDevice::fresh();
    FakeDevice::backend()->allocate = [](void *, size_t bytes, void **host) { return (*host = malloc(bytes)) != nullptr ? int(ARGENT_OK) : int(ARGENT_OUT_OF_MEMORY); };
    FakeDevice::backend()->free = [](void *, void *host) { free(host); };
    Descriptor d(4096);
    CHECK(refusal(d.fd, 4096, ARGENT_UNSUPPORTED, "fake:here") == "fake: devices have memory of their own only; copy the image into it (argent_allocate)");
}

TEST_CASE("import: a device is asked, and its reason is told") {
    FakeDevice::fresh();
    static uint64_t told;
    FakeDevice::backend()->import = [](const char *rest, int, const void *host, size_t bytes, uint64_t *address, char *text, size_t size) {
        told = *address;
        *address += 1;
        snprintf(text, size, "%s does not like %d bytes", rest, int(bytes));
        return host == nullptr || bytes == 5 ? int(ARGENT_UNSUPPORTED) : int(ARGENT_OK);
    };
    Descriptor d(4096);
    CHECK(refusal(d.fd, 5, ARGENT_UNSUPPORTED, "fake:here") == "here does not like 5 bytes");
    void *host = nullptr;
    CHECK(argent_import_dmabuf("fake:here", d.fd, 6, 0x1234, &host) == ARGENT_OK);
    CHECK(told == 0x1234);
    argent_memory_place place{};
    REQUIRE(argent_memory_find(host, 6, &place) == 1);
    CHECK(place.imported == 1);
    CHECK(place.bus_address == 0x1235);
    CHECK(argent_memory_find(host, 7, &place) == 0);
    CHECK(argent_release_dmabuf(host) == ARGENT_OK);
    CHECK(argent_memory_find(host, 6, &place) == 0);
}

TEST_CASE("import: there may be many, one after the other, but not at once") {
    Descriptor d(4096);
    std::string last;
    for (int round = 0; round < 3; round++) {
        void *hosts[ARGENT_MEMORY_SEGMENTS] = {};
        int n = 0;
        while (n < ARGENT_MEMORY_SEGMENTS && argent_import_dmabuf("mock:", d.fd, 4096, ARGENT_ADDRESS_UNKNOWN, &hosts[n]) == ARGENT_OK) n++;
        CHECK(n >= ARGENT_MEMORY_SEGMENTS / 2);  // others of this process are segments, too
        CHECK(refusal(d.fd, 4096, ARGENT_OUT_OF_MEMORY) == "more than 64 segments of memory");
        while (n > 0) CHECK(argent_release_dmabuf(hosts[--n]) == ARGENT_OK);
    }
}

TEST_CASE("import: a launch that is under way keeps it, and so does a device, until it is closed") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.never_done = true;
    Descriptor d(4096);
    void *host = nullptr;
    REQUIRE(argent_import_dmabuf("fake:here", d.fd, 4096, ARGENT_ADDRESS_UNKNOWN, &host) == ARGENT_OK);
    argent_device *first = nullptr, *second = nullptr;
    REQUIRE(argent_open("fake:here", "thing", &first) == ARGENT_OK);
    REQUIRE(argent_open("fake:here", "thing", &second) == ARGENT_OK);
    uint64_t at = 0, other = 0;
    REQUIRE(argent_map(first, host, 4096, ARGENT_READ, &at) == ARGENT_OK);
    REQUIRE(argent_map(second, static_cast<uint8_t *>(host) + 128, 128, ARGENT_READ, &other) == ARGENT_OK);
    argent_window window = {"m_axi_in", ARGENT_READ, at, 1, {4096}, {1}};
    argent_command c{};
    c.windows = &window;
    c.window_count = 1;
    argent_ticket t = 0;
    REQUIRE(argent_start(first, &c, &t) == ARGENT_OK);
    CHECK(argent_unmap(first, at) == ARGENT_BUSY);
    CHECK(argent_release_dmabuf(host) == ARGENT_BUSY);
    static_cast<uint8_t *>(host)[4095] = 1;  // it is still there
    CHECK(argent_cancel(first, t) == ARGENT_OK);
    CHECK(argent_unmap(first, at) == ARGENT_OK);
    argent_close(first);
    CHECK(argent_release_dmabuf(host) == ARGENT_BUSY);
    argent_close(second);
    CHECK(argent_release_dmabuf(host) == ARGENT_OK);
}

TEST_CASE("import: a simulator server maps the same memory, and lets go of it") {
    FakeDevice &fake = FakeDevice::fresh();
    fake.registers[ARGENT_ID] = BLEND_ID_VALUE;
    fake.fill = 0x5a;
    ServerProcess server(64 << 20);
    Descriptor d(40 << 20);
    const std::string uri = server.uri();
    argent_device *device = nullptr;
    REQUIRE(argent_open(uri.c_str(), "thing", &device) == ARGENT_OK);
    // Two of them at once would be more than the server has: each takes the place of the one before.
    for (int n = 0; n < 4; n++) {
        Imported i(uri.c_str(), d.fd, size_t(40) << 20);
        uint64_t at = 0;
        REQUIRE(argent_map(device, i.host + 4096, 100, ARGENT_WRITE, &at) == ARGENT_OK);
        std::memset(i.host + 4096, 0, 101);
        argent_window window = {"m_axi_out", ARGENT_WRITE, at, 1, {100}, {1}};
        argent_command c{};
        c.windows = &window;
        c.window_count = 1;
        argent_ticket t = 0;
        REQUIRE(argent_start(device, &c, &t) == ARGENT_OK);
        CHECK(argent_wait(device, t, -1) == ARGENT_OK);
        CHECK(i.host[4096] == 0x5a);
        CHECK(i.host[4195] == 0x5a);
        CHECK(i.host[4196] == 0);
        CHECK(argent_unmap(device, at) == ARGENT_OK);
    }
    argent_close(device);
}

namespace {

int sum_of(const argent_images *images) {
    const halide_buffer_t &in = *images->inputs[0], &out = *images->outputs[0];
    for (int y = 0; y < out.dim[1].extent; y++)
        for (int x = 0; x < out.dim[0].extent; x++)
            reinterpret_cast<int16_t *>(out.host)[x * out.dim[0].stride + y * out.dim[1].stride] = int16_t(in.host[x + y * in.dim[1].stride] + 1);
    return 0;
}

}  // namespace

TEST_CASE("import: images of a launch, on mock:, without a copy") {
    static argent_mock mock = {"blend", BLEND_ID_VALUE, sum_of, nullptr};
    argent_mock_add(&mock);
    argent_launch_close();
    argent_launch_set_device("mock:");
    Descriptor d(4096);
    {
        Imported i("mock:", d.fd, 4096);
        halide_dimension_t over_dims[2] = {{-2, 14, 1}, {-1, 9, 14}}, dims[2] = {{0, 10, 1}, {0, 5, 10}};
        halide_buffer_t a{}, b{}, c{};
        a.type = halide_type_t(halide_type_uint, 8);
        b.type = c.type = halide_type_t(halide_type_int, 16);
        a.dimensions = b.dimensions = c.dimensions = 2;
        a.dim = over_dims, b.dim = c.dim = dims;
        a.host = i.host, b.host = i.host + 1024, c.host = i.host + 2048;
        for (int k = 0; k < 14 * 9; k++) i.host[k] = uint8_t(k);
        CHECK(blend_launch(&a, &b, 0, 9, 0, 4, 1.5f, 0, 0, false, &c) == 0);
        int16_t got;
        REQUIRE(pread(d.fd, &got, 2, 2048 + 2 * 49) == 2);
        CHECK(got == 9 + 4 * 14 + 1);
        argent_device *device = nullptr;
        REQUIRE(argent_launch_device(&blend_accelerator, &device) == ARGENT_OK);
        uint64_t copies = 1;
        CHECK(argent_counter(device, ARGENT_COUNT_COPIES, &copies) == ARGENT_OK);
        CHECK(copies == 0);
    }
    argent_launch_close();
    argent_launch_set_device(nullptr);
}
