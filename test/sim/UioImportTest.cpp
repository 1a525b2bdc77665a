// argent_import_dmabuf on the device uio:, on a stand-in for a board: where a dma-buf lies, its caches, and what cannot be imported.
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "UioBoard.h"
#include "argent_memory.h"

namespace {

constexpr int page = 4096;

/** Entries of pages that lie one behind the other from there on. */
std::function<uint64_t(uint64_t)> pages_from(uint64_t address) {
    return [=](uint64_t n) { return uint64_t(1) << 63 | (address / page + n); };
}

/** Two images of `images`, each in a dma-buf. */
struct Shared {
    Images images;
    UioStandIn::Dmabuf *d[2];
    uint8_t *host[2] = {};
    static constexpr size_t bytes = 384 * 20;  // the rest of the second page is unused
    explicit Shared(Board &board) : images(384, 20, 384, elsewhere, free) {
        for (int k = 0; k < 2; k++) {
            d[k] = &board.make_dmabuf(2 * page, "camera");
            board.page_entry = pages_from(d[k]->bus_address);
            void *p = nullptr;
            REQUIRE_MESSAGE(argent_import_dmabuf("uio:/dev/uio0", d[k]->fd, bytes, ARGENT_ADDRESS_UNKNOWN, &p) == ARGENT_OK, argent_open_text());
            host[k] = static_cast<uint8_t *>(p);
        }
    }
    ~Shared() {
        argent_launch_close();
        for (uint8_t *h : host) CHECK(argent_release_dmabuf(h) == ARGENT_OK);
    }
    Shared(const Shared &) = delete;
    void check(int amount) {
        std::memcpy(host[0], images.in, bytes);
        std::memset(host[1], 0xee, bytes);
        CHECK(images.launch_on(host[0], host[1], amount) == 0);
        CHECK(said == "");
        std::memcpy(images.out, host[1], bytes);
        CHECK(images.wrong(amount) == 0);
    }
};

std::string import_error(int fd, size_t bytes, uint64_t bus_address, int expected) {
    void *host = nullptr;
    CHECK(argent_import_dmabuf("uio:/dev/uio0", fd, bytes, bus_address, &host) == expected);
    CHECK(host == nullptr);
    return argent_open_text();
}

}  // namespace

TEST_CASE("import: images in a dma-buf, without a copy, with its own care for the caches") {
    for (bool coherent : {true, false}) {
        CAPTURE(coherent);
        Board board(coherent);
        Shared s(board);
        CHECK(s.d[0]->syncs[0] == 1);  // of the import, which asks whether it is one
        s.check(5);
        s.check(9);
        CHECK(s.d[0]->syncs[0] == (coherent ? 1 : 3));
        CHECK(s.d[0]->syncs[1] == 0);  // only an output is to be seen
        CHECK(s.d[1]->syncs[0] == (coherent ? 1 : 3));
        CHECK(s.d[1]->syncs[1] == (coherent ? 0 : 2));
        // Beside memory of the device's own.
        Images own(384, 20, 384, argent_image_allocate, argent_image_free);
        CHECK(own.launch_on(s.host[0], own.out, 3) == 0);
        std::memcpy(own.in, s.host[0], Shared::bytes);
        CHECK(own.wrong(3) == 0);
        CHECK(board.count(ARGENT_COUNT_COPIES) == 0);
        CHECK(board.count(ARGENT_COUNT_LAUNCHES) == 3);
    }
}

TEST_CASE("import: an output that is a part of its dma-buf is staged, unless the caches see the device's writes") {
    for (bool coherent : {true, false}) {
        CAPTURE(coherent);
        Board board(coherent);
        Shared s(board);
        Images upper(384, 10, 384, elsewhere, free);
        std::memset(s.host[1], 0xee, Shared::bytes);
        CHECK(upper.launch_on(s.host[0], s.host[1], 5) == 0);
        CHECK(board.count(ARGENT_COUNT_COPIES) == (coherent ? 0 : 1));
        std::memcpy(upper.in, s.host[0], 384 * 10);
        std::memcpy(upper.out, s.host[1], 384 * 10);
        CHECK(upper.wrong(5) == 0);
        CHECK(s.host[1][384 * 10] == 0xee);
    }
}

TEST_CASE("import: a dma-buf of a u-dma-buf lies where sysfs says, or where its exporter has said") {
    Board board(false);
    board.write("/sys/class/u-dma-buf/camera/size", "16384\n");
    uint64_t at;
    {
        UioStandIn::Dmabuf &d = board.make_dmabuf(4 * page, "camera");
        at = d.bus_address;
        CHECK(import_error(d.fd, 4 * page, ARGENT_ADDRESS_UNKNOWN, ARGENT_SYSTEM) ==  // it has no phys_addr
              "device \"uio:/dev/uio0\": /proc/self/pagemap cannot be read: Input/output error; give the dma-buf's bus address");
        board.write("/sys/class/u-dma-buf/camera/phys_addr", std::to_string(at) + "\n");
        void *host = nullptr;
        REQUIRE(argent_import_dmabuf("uio:/dev/uio0", d.fd, 4 * page, ARGENT_ADDRESS_UNKNOWN, &host) == ARGENT_OK);
        argent_memory_place place{};
        REQUIRE(argent_memory_find(host, 1, &place) == 1);
        CHECK(place.bus_address == at);
        CHECK(argent_release_dmabuf(host) == ARGENT_OK);
        char wrong[200];
        snprintf(wrong, sizeof wrong, "device \"uio:/dev/uio0\": the dma-buf is of the u-dma-buf camera, at 0x%llx to 0x%llx; its 16384 bytes cannot lie at 0x%llx",
                 (unsigned long long)at, (unsigned long long)at + 16383, (unsigned long long)at + page);
        CHECK(import_error(d.fd, 4 * page, at + page, ARGENT_BAD_ARGUMENT) == wrong);
        CHECK(import_error(d.fd, 4 * page, at - page, ARGENT_BAD_ARGUMENT).find("cannot lie at") != std::string::npos);
    }
    // A part of a larger one.
    UioStandIn::Dmabuf &d = board.make_dmabuf(2 * page, "camera");
    CHECK(import_error(d.fd, 2 * page, ARGENT_ADDRESS_UNKNOWN, ARGENT_UNSUPPORTED) ==
          "device \"uio:/dev/uio0\": the dma-buf is a part of the u-dma-buf camera; give its bus address, which U_DMA_BUF_IOCTL_EXPORT has told");
    void *host = nullptr;
    REQUIRE(argent_import_dmabuf("uio:/dev/uio0", d.fd, 2 * page, at + page, &host) == ARGENT_OK);
    CHECK(argent_release_dmabuf(host) == ARGENT_OK);
}

TEST_CASE("import: an address that the caller knows is believed") {
    Board board(false);
    Images i(384, 20, 384, elsewhere, free);
    UioStandIn::Dmabuf &d = board.make_dmabuf(2 * page, "vb2");
    void *host = nullptr;
    REQUIRE(argent_import_dmabuf("uio:/dev/uio0", d.fd, 2 * page, d.bus_address, &host) == ARGENT_OK);
    CHECK(i.launch_on(i.in, static_cast<uint8_t *>(host), 1) == 0);
    std::memcpy(i.out, host, 384 * 20);
    CHECK(i.wrong(1) == 0);
    CHECK(board.count(ARGENT_COUNT_COPIES) == 1);  // the input, which is elsewhere
    CHECK(argent_release_dmabuf(host) == ARGENT_OK);
}

TEST_CASE("import: dma-bufs that cannot be imported") {
    Board board(false);
    UioStandIn::Dmabuf &d = board.make_dmabuf(600 * page, "system");
    const std::string device = "device \"uio:/dev/uio0\": ";
    const auto attempt = [&](int expected) { return import_error(d.fd, d.bytes, ARGENT_ADDRESS_UNKNOWN, expected); };
    CHECK(attempt(ARGENT_SYSTEM) == device + "/proc/self/pagemap cannot be read: Input/output error; give the dma-buf's bus address");
    board.page_entry = [](uint64_t) { return uint64_t(0); };
    CHECK(attempt(ARGENT_UNSUPPORTED) == device + "the kernel does not tell where this dma-buf lies; give its bus address, or have a u-dma-buf export it");
    board.page_entry = [](uint64_t) { return uint64_t(1) << 63; };
    CHECK(attempt(ARGENT_UNSUPPORTED) ==
          device + "this process may not know where its memory lies (CAP_SYS_ADMIN); give the dma-buf's bus address, or run as root");
    board.page_entry = [&](uint64_t n) { return uint64_t(1) << 63 | (0x10000 + n + (n >= 599)); };
    board.make_dmabuf(page, "other");  // what is asked next begins anew
    CHECK(attempt(ARGENT_UNSUPPORTED) ==
          device + "the dma-buf is not in one piece: its page 599 of 600 does not follow the one before it; allocate it in contiguous memory (CMA)");
    CHECK(import_error(d.fd, d.bytes, 0xfff00000, ARGENT_UNSUPPORTED) ==
          device + "the dma-buf's 2457600 bytes at 0xfff00000 end beyond 4 GiB, and addresses have 32 bits");
    CHECK(import_error(d.fd, d.bytes, 0x100000000, ARGENT_UNSUPPORTED).find("end beyond 4 GiB") != std::string::npos);
    board.remove("/proc/self/pagemap");
    CHECK(attempt(ARGENT_SYSTEM) == device + "/proc/self/pagemap cannot be read: No such file or directory; give the dma-buf's bus address");
    d.fails = ENOTTY;  // a memfd, whose pages may move
    CHECK(attempt(ARGENT_BAD_ARGUMENT) ==
          device + "the descriptor is no dma-buf (Inappropriate ioctl for device); hardware needs memory that stays where it is");
    void *host = nullptr;
    CHECK(argent_import_dmabuf("uio:nonsense", d.fd, page, 0, &host) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()) == "device \"uio:\" wants the path of a UIO device, such as uio:/dev/uio0");
}

TEST_CASE("import: a dma-buf whose caches cannot be synchronised, and one that is released in flight") {
    Board board(false);
    Shared s(board);
    s.d[0]->fails = EIO;
    CHECK(s.images.launch_on(s.host[0], s.host[1], 1) != 0);
    CHECK(said == "increment: the launch cannot be started: the cache of an imported dma-buf cannot be synchronised: Input/output error");
    s.d[0]->fails = 0;
    s.check(1);
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&increment_accelerator, &d) == ARGENT_OK);
    uint64_t at = 0;
    REQUIRE(argent_map(d, s.host[0], 100, ARGENT_READ, &at) == ARGENT_OK);
    CHECK(at == s.d[0]->bus_address);
    CHECK(argent_release_dmabuf(s.host[0]) == ARGENT_BUSY);
    CHECK(argent_unmap(d, at) == ARGENT_OK);
}

TEST_CASE("import: what this system's kernel tells") {
    int fd = memfd_create("pages", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(ftruncate(fd, page) == 0);
    {
        // A memfd is no dma-buf, whatever the kernel.
        CHECK(import_error(fd, page, 0x100000, ARGENT_BAD_ARGUMENT) ==
              "device \"uio:/dev/uio0\": the descriptor is no dma-buf (Inappropriate ioctl for device); hardware needs memory that stays where it is");
    }
    // If it were one: where this page is depends on the machine, and whether that is told on who asks.
    const argent_uio_access lenient = {nullptr, nullptr, [](int, uint64_t) { return 0; }, nullptr};
    argent_uio_set_access(&lenient);
    void *host = nullptr;
    const int code = argent_import_dmabuf("uio:/dev/uio0", fd, page, ARGENT_ADDRESS_UNKNOWN, &host);
    const std::string text = argent_open_text();
    argent_memory_place place{};
    if (code == ARGENT_OK) {
        CHECK(argent_memory_find(host, page, &place) == 1);
        CHECK(place.bus_address % page == 0);
        CHECK(place.bus_address != 0);
    } else {
        CHECK((text.find("(CAP_SYS_ADMIN)") != std::string::npos || text.find("end beyond 4 GiB") != std::string::npos));
    }
    CHECK(argent_release_dmabuf(host) == ARGENT_OK);
    argent_uio_set_access(nullptr);
    close(fd);
}
