// The server against clients that do not keep to the protocol (argent_wire.h): each is told, and the server serves the next one.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "FakeDevice.h"
#include "ServerProcess.h"
#include "argent_wire.h"

namespace {

struct Answer {
    bool ended = false;
    uint32_t kind = 0;
    int code = 0;
    std::string text;
    std::vector<uint8_t> bytes;
};

/** A client that says what it is told to. */
class Client {
public:
    explicit Client(const ServerProcess &server) : socket(server.connect()) {}
    ~Client() { close(socket); }

    void send(const void *bytes, size_t n, int fd = -1) {
        iovec part{const_cast<void *>(bytes), n};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
        msghdr m{};
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        if (fd >= 0) {
            m.msg_control = control;
            m.msg_controllen = sizeof control;
            cmsghdr *c = CMSG_FIRSTHDR(&m);
            c->cmsg_level = SOL_SOCKET;
            c->cmsg_type = SCM_RIGHTS;
            c->cmsg_len = CMSG_LEN(sizeof fd);
            std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
        }
        sendmsg(socket, &m, MSG_NOSIGNAL);
    }
    Answer take() {
        Answer a;
        a.bytes.resize(ARGENT_WIRE_LARGEST);
        ssize_t n = recv(socket, a.bytes.data(), a.bytes.size(), 0);
        a.bytes.resize(n > 0 ? size_t(n) : 0);
        a.ended = n <= 0;
        if (a.bytes.size() < sizeof(argent_wire_head)) return a;
        argent_wire_head head;
        std::memcpy(&head, a.bytes.data(), sizeof head);
        CHECK(head.bytes == a.bytes.size());
        a.kind = head.kind;
        a.code = head.code;
        if (a.code < 0) a.text = reinterpret_cast<const char *>(a.bytes.data()) + sizeof head;
        return a;
    }
    template<typename T> static T message(uint32_t kind) {
        T m{};
        auto *head = reinterpret_cast<argent_wire_head *>(&m);
        *head = {ARGENT_WIRE_MAGIC, kind, sizeof m, 0};
        return m;
    }
    template<typename T> Answer ask(const T &m, int fd = -1) {
        send(&m, reinterpret_cast<const argent_wire_head *>(&m)->bytes, fd);
        return take();
    }
    static argent_wire_hello hello() {
        auto m = message<argent_wire_hello>(ARGENT_WIRE_HELLO);
        m.version = ARGENT_WIRE_VERSION;
        std::strcpy(m.accelerator, "thing");
        return m;
    }
    void greet() { REQUIRE(ask(hello()).code == ARGENT_OK); }

private:
    int socket;
};

argent_wire_arm good_arm(uint32_t windows) {
    auto m = Client::message<argent_wire_arm>(ARGENT_WIRE_ARM);
    m.settings.beats = m.settings.clocks = 1;
    m.given = 1;
    m.window_count = windows;
    m.head.bytes = uint32_t(offsetof(argent_wire_arm, windows) + windows * sizeof m.windows[0]);
    for (auto &w : m.windows) {
        std::strcpy(w.port, "m_axi_in");
        w.access = ARGENT_READ;
        w.dimensions = 2;
        for (int d = 0; d < 4; d++) w.extent[d] = 8, w.stride[d] = 1;
    }
    return m;
}

int memory_of(size_t bytes, bool sealed) {
    int fd = memfd_create("test", MFD_ALLOW_SEALING);
    REQUIRE(ftruncate(fd, off_t(bytes)) == 0);
    if (sealed) REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    return fd;
}

struct Served {
    FakeDevice &fake = FakeDevice::fresh();
    ServerProcess server{64 << 20};
    ~Served() {
        CHECK(server.alive());
        Client next(server);  // whatever came before
        next.greet();
    }
};

}  // namespace

TEST_CASE("server: what is no message ends the connection, with the reason") {
    Served s;
    Client c(s.server);
    Answer a;
    SUBCASE("less than a head") {
        c.send("hello", 5);
        a = c.take();
        CHECK(a.text == "a message of 5 bytes, which is less than its head");
    }
    SUBCASE("something else") {
        c.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27);
        a = c.take();
        CHECK(a.text == "a message that does not begin as Argent's do");
    }
    SUBCASE("cut off") {
        auto m = Client::hello();
        c.send(&m, 100);
        a = c.take();
        CHECK(a.text == "a message that says it has 152 bytes came with 100");
    }
    SUBCASE("unknown") {
        a = c.ask(Client::message<argent_wire_head>(99));
        CHECK(a.text == "a message of the unknown kind 99");
    }
    SUBCASE("of another length than its kind has") {
        a = c.ask(Client::message<argent_wire_number>(ARGENT_WIRE_READ + 100));
        CHECK(a.code == ARGENT_PROTOCOL);
        Client another(s.server);
        auto m = Client::message<argent_wire_share>(ARGENT_WIRE_RESET);
        CHECK(another.ask(m).text == "a message of kind 9 has 16 bytes, not 32");
    }
    SUBCASE("too long") {
        std::vector<uint8_t> bytes(ARGENT_WIRE_LARGEST + 100, 1);
        c.send(bytes.data(), bytes.size());
        a = c.take();
        CHECK(a.text == "a message of more than 32768 bytes");
    }
    SUBCASE("more windows than bytes") {
        c.greet();
        auto m = good_arm(3);
        m.window_count = 4;
        a = c.ask(m);
        CHECK(a.code == ARGENT_PROTOCOL);
        Client another(s.server);
        another.greet();
        m.window_count = 0xffffffff;
        CHECK(another.ask(m).code == ARGENT_PROTOCOL);
    }
    CHECK(a.code == ARGENT_PROTOCOL);
    CHECK(c.take().ended);
}

TEST_CASE("server: every truncation of every message is refused") {
    Served s;
    auto arm = good_arm(2);
    auto hello = Client::hello();
    for (size_t n = 1; n < arm.head.bytes; n += 7) {
        Client c(s.server);
        c.greet();
        c.send(&arm, n);
        CHECK(c.take().code == ARGENT_PROTOCOL);
    }
    for (size_t n = 1; n < sizeof hello; n += 3) {
        Client c(s.server);
        c.send(&hello, n);
        CHECK(c.take().code == ARGENT_PROTOCOL);
    }
}

TEST_CASE("server: nothing is done for a client that has not said who it is") {
    Served s;
    Client c(s.server);
    auto m = Client::message<argent_wire_register>(ARGENT_WIRE_READ);
    Answer a = c.ask(m);
    CHECK(a.code == ARGENT_BAD_ARGUMENT);
    CHECK(a.text == "this connection has not opened an accelerator");
    auto h = Client::hello();
    h.version = 7;
    a = c.ask(h);
    CHECK(a.code == ARGENT_UNSUPPORTED);
    CHECK(a.text == "the program speaks version 7 of the protocol, this simulator server version 2; build both from the same Argent");
    h = Client::hello();
    std::memset(h.accelerator, 'x', sizeof h.accelerator);
    CHECK(c.ask(h).text == "the accelerator's name has no end");
    c.greet();
    CHECK(c.ask(Client::hello()).text == "this connection has opened its accelerator already");
}

TEST_CASE("server: memory that is not safe to share") {
    Served s;
    Client c(s.server);
    c.greet();
    auto m = Client::message<argent_wire_share>(ARGENT_WIRE_SHARE);
    m.bytes = 8192;
    CHECK(c.ask(m).text == "memory to share without a descriptor");
    int open = memory_of(8192, false), small = memory_of(4096, true), good = memory_of(8192, true);
    CHECK(c.ask(m, open).text == "shared memory must be a dma-buf, or a memfd that is sealed against shrinking");
    CHECK(c.ask(m, STDERR_FILENO).text == "shared memory must be a dma-buf, or a memfd that is sealed against shrinking");
    CHECK(c.ask(m, small).text == "the shared memory is smaller than its message says");
    m.bytes = 0;
    CHECK(c.ask(m, good).code == ARGENT_OUT_OF_MEMORY);
    m.bytes = ~uint64_t(0);
    CHECK(c.ask(m, good).code == ARGENT_OUT_OF_MEMORY);
    m.bytes = 8192;
    CHECK(c.ask(m, good).code == ARGENT_OK);
    CHECK(c.ask(m, good).text == "segment 0 is shared already");
    for (m.segment = 1; m.segment < 64; m.segment++) REQUIRE(c.ask(m, good).code == ARGENT_OK);
    CHECK(c.ask(m, good).text == "more than 64 segments of memory");

    auto map = Client::message<argent_wire_map>(ARGENT_WIRE_MAP);
    auto attempt = [&](uint32_t segment, uint64_t offset, uint64_t bytes, uint32_t access) {
        map.segment = segment, map.offset = offset, map.bytes = bytes, map.access = access;
        return c.ask(map).code;
    };
    CHECK(attempt(0, 0, 8192, 3) == ARGENT_OK);
    CHECK(attempt(64, 0, 10, 3) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, 1, 8192, 3) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, ~uint64_t(0), 8192, 3) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, 8192, ~uint64_t(0), 3) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, 0, 0, 3) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, 0, 1, 0) == ARGENT_BAD_ARGUMENT);
    CHECK(attempt(0, 0, 1, 4) == ARGENT_BAD_ARGUMENT);
    for (int i = 1; i < 1024; i++) REQUIRE(attempt(0, 0, 1, 1) == ARGENT_OK);
    CHECK(attempt(0, 0, 1, 1) == ARGENT_OUT_OF_MEMORY);

    m = Client::message<argent_wire_share>(ARGENT_WIRE_UNSHARE);
    CHECK(c.ask(m).text == "segment 0 is mapped at address 0x100000");
    m.segment = 64;
    CHECK(c.ask(m).text == "segment 64 was never shared");
    m.segment = 63;
    CHECK(c.ask(m).code == ARGENT_OK);
    CHECK(c.ask(m).text == "segment 63 was never shared");
    CHECK(attempt(63, 0, 1, 1) == ARGENT_BAD_ARGUMENT);
    m = Client::message<argent_wire_share>(ARGENT_WIRE_SHARE);
    m.segment = 63, m.bytes = 8192;
    CHECK(c.ask(m, good).code == ARGENT_OK);
    for (int fd : {open, small, good}) close(fd);
}

TEST_CASE("server: registers, windows and settings that make no sense") {
    Served s;
    Client c(s.server);
    c.greet();
    auto r = Client::message<argent_wire_register>(ARGENT_WIRE_WRITE);
    r.offset = 4096;
    CHECK(c.ask(r).text == "no register is at 0x1000");
    r.offset = 0x11;
    CHECK(c.ask(r).code == ARGENT_BAD_ARGUMENT);
    auto n = Client::message<argent_wire_number>(ARGENT_WIRE_COUNTER);
    n.number = 1000;
    CHECK(c.ask(n).code == ARGENT_BAD_ARGUMENT);
    CHECK(c.ask(good_arm(64)).code == ARGENT_OK);
    CHECK(c.ask(good_arm(0)).code == ARGENT_OK);

    auto refused = [&](auto change) {
        auto m = good_arm(2);
        change(m);
        return c.ask(m).code == ARGENT_BAD_ARGUMENT;
    };
    CHECK(refused([](auto &m) { std::memset(m.windows[1].port, 'x', sizeof m.windows[1].port); }));
    CHECK(refused([](auto &m) { m.windows[1].dimensions = 5; }));
    CHECK(refused([](auto &m) { m.windows[1].dimensions = 0; }));
    CHECK(refused([](auto &m) { m.windows[1].access = 3; }));
    CHECK(refused([](auto &m) { m.windows[1].extent[0] = 0; }));
    CHECK(refused([](auto &m) { m.windows[1].extent[1] = -1; }));
    CHECK(refused([](auto &m) { m.windows[1].extent[1] = int64_t(1) << 40; }));
    CHECK(refused([](auto &m) { m.windows[1].stride[1] = INT64_MIN; }));
    CHECK(refused([](auto &m) { m.windows[1].dimensions = 4, m.windows[1].extent[1] = m.windows[1].extent[2] = m.windows[1].extent[3] = 1000; }));
    CHECK(refused([](auto &m) { m.settings.beats = 0; }));
    CHECK(refused([](auto &m) { m.settings.fault = 9; }));
    CHECK(refused([](auto &m) { m.settings.stalls = 101; }));
    CHECK(refused([](auto &m) { std::memset(m.settings.fault_port, 'x', sizeof m.settings.fault_port); }));
}

TEST_CASE("server: transfers") {
    Served s;
    Client c(s.server);
    c.greet();
    auto m = Client::message<argent_wire_transfer>(ARGENT_WIRE_TRANSFER);
    m.head.bytes = 24;
    CHECK(c.ask(m).text == "the server's device has no DMA engine for AXI4-Stream ports");
    FakeDevice::fresh(true);
    ServerProcess with_dma;
    Client d(with_dma);
    d.greet();
    CHECK(d.ask(m).code == ARGENT_OK);
    m.window_count = 1;
    m.head.bytes += sizeof m.windows[0];
    CHECK(d.ask(m).text == "a window's port, access or dimensions make no sense");
    m.window_count = 2;
    CHECK(d.ask(m).text == "a message of kind 13 has 440 bytes, not 232");
}

TEST_CASE("server: a descriptor that comes with another message is closed") {
    Served s;
    Client c(s.server);
    c.greet();
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    auto r = Client::message<argent_wire_register>(ARGENT_WIRE_READ);
    CHECK(c.ask(r, ends[0]).code == ARGENT_OK);
    close(ends[0]);
    char byte;
    CHECK(read(ends[1], &byte, 1) == 0);  // nobody holds the other end any more
    close(ends[1]);
}

TEST_CASE("server: a client that leaves in the middle") {
    Served s;
    for (int i = 0; i < 20; i++) {
        Client c(s.server);
        if (i % 2 == 0) c.greet();
        auto n = Client::message<argent_wire_number>(ARGENT_WIRE_WAIT);
        c.send(&n, sizeof n);  // and does not take the answer
    }
}

TEST_CASE("server: noise") {
    Served s;
    std::mt19937_64 random(20261121);
    int memory = memory_of(1 << 20, true);
    for (int connection = 0; connection < 60; connection++) {
        Client c(s.server);
        c.greet();
        for (int i = 0; i < 50; i++) {
            // A message that is right but for some random bytes, of the right length more often than not.
            auto m = good_arm(uint32_t(random() % 4));
            auto *raw = reinterpret_cast<uint8_t *>(&m);
            static const uint32_t sizes[ARGENT_WIRE_KINDS] = {0, 152, 32, 48, 48, 24, 24, 0, 24, 16, 24, 208, 24, 24, 32};
            m.head.kind = uint32_t(1 + random() % (ARGENT_WIRE_KINDS - 1));
            if (m.head.kind != ARGENT_WIRE_ARM) {
                m.head.bytes = sizes[m.head.kind];
                std::memset(raw + 16, 0, 200);
            }
            for (uint64_t k = random() % 4; k > 0; k--) raw[16 + random() % (m.head.bytes > 16 ? m.head.bytes - 16 : 1)] = uint8_t(random() >> (random() % 8));
            if (random() % 64 == 0) m.head.bytes ^= 8;
            Answer a = c.ask(m, m.head.kind == ARGENT_WIRE_SHARE ? memory : -1);
            if (a.ended || a.code == ARGENT_PROTOCOL) break;
        }
    }
    close(memory);
}
