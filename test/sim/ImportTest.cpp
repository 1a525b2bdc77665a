// Images in memory of another driver (argent_import_dmabuf), on the device of ARGENT_DEVICE: simulated accelerators read and write the very bytes that
// the descriptor leads to. A memfd stands for the dma-buf.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "BytePlane.h"
#include "argent_launch.h"
#include "increment_driver.h"

namespace {

constexpr int width = 128, height = 9, stride = 256, bytes = stride * height;

/** Two planes of a camera's frame, in one descriptor: input and output. */
struct Frame {
    int fd = memfd_create("frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    uint8_t *host = nullptr;
    Frame() {
        REQUIRE(ftruncate(fd, 2 * bytes) == 0);
        void *p = nullptr;
        REQUIRE_MESSAGE(argent_import_dmabuf(nullptr, fd, 2 * bytes, ARGENT_ADDRESS_UNKNOWN, &p) == ARGENT_OK, argent_open_text());
        host = static_cast<uint8_t *>(p);
    }
    ~Frame() {
        CHECK(argent_release_dmabuf(host) == ARGENT_OK);
        close(fd);
    }
    Frame(const Frame &) = delete;
    int launch(int amount) const {
        BytePlane in(host, width, height, stride), out(host + bytes, width, height, stride);
        return increment_launch(&in, 0, width - 1, 0, height - 1, int8_t(amount), 0, &out);
    }
    /** Of what another process sees. */
    int wrong(int amount) const {
        uint8_t now[2 * bytes];
        REQUIRE(pread(fd, now, sizeof now, 0) == sizeof now);
        int n = 0;
        for (int i = 0; i < bytes; i++) n += now[bytes + i] != (i % stride < width ? uint8_t(now[i] + amount) : 0);
        return n;
    }
    /** A camera writes a frame. */
    void expose(int seed) const {
        uint8_t picture[bytes];
        for (int i = 0; i < bytes; i++) picture[i] = uint8_t(i * 7 + seed);
        REQUIRE(pwrite(fd, picture, sizeof picture, 0) == sizeof picture);
    }
};

uint64_t count(argent_count which) {
    argent_device *d = nullptr;
    uint64_t v = 0;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    REQUIRE(argent_counter(d, which, &v) == ARGENT_OK);
    return v;
}

}  // namespace

TEST_CASE("import: a camera's buffers, frame after frame, without a copy") {
    argent_launch_close();
    Frame ring[3];
    for (int n = 0; n < 6; n++) {
        ring[n % 3].expose(n);
        CHECK(ring[n % 3].launch(n) == 0);
        CHECK(ring[n % 3].wrong(n) == 0);
    }
    CHECK(count(ARGENT_COUNT_LAUNCHES) == 6);
    CHECK(count(ARGENT_COUNT_COPIES) == 0);
    CHECK(count(ARGENT_COUNT_MAPPINGS) == 0);
    argent_launch_close();  // before the frames
}

TEST_CASE("import: buffers that come and go, and a device that is opened anew") {
    argent_launch_close();
    for (int n = 0; n < 70; n++) {  // more than there are segments
        Frame f;
        f.expose(n);
        CHECK(f.launch(3) == 0);
        CHECK(f.wrong(3) == 0);
        if (n == 30) argent_launch_close();
    }
    CHECK(count(ARGENT_COUNT_COPIES) == 0);
    argent_launch_close();
}
