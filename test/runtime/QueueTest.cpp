// Launches that wait for each other, on a fake device: the queue, time-outs, cancelling, and threads (also under ThreadSanitizer).
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "FakeDevice.h"

namespace {

struct Open {
    FakeDevice &fake;
    argent_device *d = nullptr;
    explicit Open(bool takes_two = false) : fake(FakeDevice::fresh(false, takes_two)) { REQUIRE(argent_open("fake:x", "thing", &d) == ARGENT_OK); }
    ~Open() { argent_close(d); }
    std::string text() const { return argent_device_text(d); }
    /** A launch that writes `value` to register 0x10. */
    int start(uint32_t value, argent_ticket *ticket, const argent_window *window = nullptr) const {
        argent_register_value r = {0x10, value};
        argent_command c{};
        c.registers = &r;
        c.register_count = 1;
        c.windows = window;
        c.window_count = window != nullptr;
        int code = argent_start(d, &c, ticket);
        r.value = 0xdead;  // what was given is copied
        return code;
    }
};

argent_window window(const char *port, uint64_t address) {
    argent_window w{};
    w.port = port;
    w.access = ARGENT_WRITE;
    w.address = address;
    w.dimensions = 1;
    w.extent[0] = 16;
    w.stride[0] = 1;
    return w;
}

}  // namespace

TEST_CASE("queue: a launch waits for the one before, and begins as soon as that has been seen to end") {
    Open o;
    argent_ticket t[3] = {};
    CHECK(argent_queue_depth(o.d) == 2);
    o.fake.never_done = true;
    CHECK(o.start(7, &t[0]) == ARGENT_OK);
    CHECK(o.start(8, &t[1]) == ARGENT_OK);
    CHECK(o.start(9, &t[2]) == ARGENT_BUSY);
    CHECK(o.text() == "a launch runs and another one waits; wait for one of them before the next");
    CHECK(o.fake.launches == 1);
    CHECK(o.fake.registers[0x10] == 7);
    argent_result r{};
    CHECK(argent_launch_result(o.d, t[0], &r) == ARGENT_TIMEOUT);
    o.fake.never_done = false;
    o.fake.registers[ARGENT_STALLS_IN] = 5;
    o.fake.registers[ARGENT_ERROR] = 3;
    CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
    CHECK(o.fake.launches == 2);
    CHECK(o.fake.registers[0x10] == 8);
    o.fake.registers[ARGENT_ERROR] = 0;
    CHECK(o.start(9, &t[2]) == ARGENT_OK);
    CHECK(argent_wait(o.d, 0, -1) == ARGENT_OK);
    CHECK(o.fake.launches == 3);
    // Each has results of its own.
    REQUIRE(argent_launch_result(o.d, t[0], &r) == ARGENT_OK);
    CHECK(r.code == ARGENT_OK);
    CHECK(r.clocks == 1001);
    CHECK(r.error == 3);
    CHECK(r.stalls_in == 5);
    REQUIRE(argent_launch_result(o.d, t[2], &r) == ARGENT_OK);
    CHECK(r.clocks == 1003);
    CHECK(r.error == 0);
    CHECK(argent_launch_result(o.d, 99, &r) == ARGENT_BAD_ARGUMENT);
}

TEST_CASE("queue: a launch that cannot begin ends with the reason, and the next begins") {
    Open o;
    argent_ticket t[3] = {};
    REQUIRE(o.start(1, &t[0]) == ARGENT_OK);
    REQUIRE(o.start(2, &t[1]) == ARGENT_OK);
    o.fake.arm_code = ARGENT_PROTOCOL;
    o.fake.text = "it is not in the mood";
    CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
    o.fake.arm_code = ARGENT_OK;
    o.fake.text = "something else";
    CHECK(o.start(3, &t[2]) == ARGENT_OK);
    CHECK(argent_wait(o.d, t[1], -1) == ARGENT_PROTOCOL);
    CHECK(o.text() == "it is not in the mood");
    CHECK(argent_wait(o.d, t[2], -1) == ARGENT_OK);
}

TEST_CASE("queue: cancelling ends one launch and no other") {
    Open o;
    argent_ticket t[4] = {};
    o.fake.never_done = true;
    REQUIRE(o.start(1, &t[0]) == ARGENT_OK);
    REQUIRE(o.start(2, &t[1]) == ARGENT_OK);
    SUBCASE("the one that waits") {
        CHECK(argent_cancel(o.d, t[1]) == ARGENT_OK);
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_CANCELLED);
        CHECK(o.text() == "the launch was cancelled before it began");
        CHECK(argent_wait(o.d, t[0], 0) == ARGENT_TIMEOUT);
        CHECK(argent_wait(o.d, 0, 0) == ARGENT_TIMEOUT);   // for all that is under way: the other one
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_CANCELLED);
        CHECK(o.fake.launches == 1);
        CHECK(o.fake.resets == 0);
    }
    SUBCASE("the one that runs") {
        CHECK(argent_cancel(o.d, t[0]) == ARGENT_OK);
        CHECK(o.fake.resets == 1);
        CHECK(o.fake.launches == 2);
        CHECK(o.fake.registers[0x10] == 2);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_CANCELLED);
        CHECK(o.text() == "the launch was cancelled");
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
    }
    SUBCASE("both, by a reset") {
        CHECK(argent_reset(o.d) == ARGENT_OK);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_CANCELLED);
        CHECK(o.text() == "the device was reset while the launch ran");
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_CANCELLED);
        CHECK(o.fake.launches == 1);
    }
    SUBCASE("one that has ended, and one that never was") {
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, 0, -1) == ARGENT_OK);
        CHECK(argent_cancel(o.d, t[0]) == ARGENT_OK);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
        CHECK(argent_cancel(o.d, 0) == ARGENT_BAD_ARGUMENT);
        CHECK(argent_cancel(o.d, 99) == ARGENT_BAD_ARGUMENT);
    }
    o.fake.never_done = false;
    CHECK(o.start(3, &t[2]) == ARGENT_OK);
    CHECK(argent_wait(o.d, t[2], -1) == ARGENT_OK);
}

TEST_CASE("queue: a wait with a limit ends at it") {
    Open o;
    argent_ticket t = 0;
    o.fake.never_done = true;
    REQUIRE(o.start(1, &t) == ARGENT_OK);
    auto begin = std::chrono::steady_clock::now();
    CHECK(argent_wait(o.d, t, 30000) == ARGENT_TIMEOUT);
    CHECK(o.text() == "the time is up and the launch still runs");
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(30));
    o.fake.never_done = false;
    CHECK(argent_wait(o.d, t, 30000) == ARGENT_OK);
}

TEST_CASE("queue: a launch that takes long and ends well leaves no text") {
    Open o;
    o.fake.looks_until_done = 50;
    argent_ticket t = 0;
    CHECK(o.start(7, &t) == ARGENT_OK);
    CHECK(argent_wait(o.d, t, -1) == ARGENT_OK);
    CHECK(o.text() == "");
}

TEST_CASE("queue: memory stays with the launches that use it, and with no other") {
    Open o;
    static uint8_t memory[2][4096];
    uint64_t first = 0, second = 0;
    REQUIRE(argent_map(o.d, memory[0], 4096, ARGENT_WRITE, &first) == ARGENT_OK);
    REQUIRE(argent_map(o.d, memory[1], 4096, ARGENT_WRITE, &second) == ARGENT_OK);
    argent_ticket t[2] = {};
    argent_window a = window("a", first + 100), b = window("b", second);
    REQUIRE(o.start(1, &t[0], &a) == ARGENT_OK);
    REQUIRE(o.start(2, &t[1], &b) == ARGENT_OK);
    CHECK(argent_unmap(o.d, first) == ARGENT_BUSY);
    CHECK(o.text() == "memory cannot be unmapped before the launch that uses it has ended; wait for it first");
    CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
    CHECK(argent_unmap(o.d, first) == ARGENT_OK);
    CHECK(argent_unmap(o.d, second) == ARGENT_BUSY);
    CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
    CHECK(argent_unmap(o.d, second) == ARGENT_OK);
    CHECK(argent_unmap(o.d, second) == ARGENT_NOT_MAPPED);
}

TEST_CASE("queue: start and wait in one") {
    Open o;
    argent_command c{};
    argent_ticket t = 7;
    argent_result r{};
    o.fake.looks_until_done = 3;
    CHECK(argent_run(o.d, &c, -1, &t, &r) == ARGENT_OK);
    CHECK(t == 1);
    CHECK(r.clocks == 1001);
    o.fake.never_done = true;
    o.fake.registers[ARGENT_ERROR_NOW] = 6;
    CHECK(argent_run(o.d, &c, 20000, &t, &r) == ARGENT_TIMEOUT);
    CHECK(t == 2);
    CHECK(r.error == 6);
    CHECK(o.fake.resets == 1);
    CHECK(argent_wait(o.d, t, 0) == ARGENT_CANCELLED);
    o.fake.never_done = false;
    o.fake.wait_code = ARGENT_PROTOCOL;
    o.fake.text = "a rule";
    CHECK(argent_run(o.d, &c, -1, &t, &r) == ARGENT_PROTOCOL);
    CHECK(o.text() == "a rule");
    o.fake.wait_code = 0;
    o.fake.arm_code = ARGENT_BAD_ARGUMENT;
    CHECK(argent_run(o.d, &c, -1, &t, &r) == ARGENT_BAD_ARGUMENT);
    CHECK(t == 0);
    o.fake.arm_code = ARGENT_OK;
    // Behind one that never ends: given up before it begins, or by somebody else.
    o.fake.never_done = true;
    argent_ticket first = 0;
    REQUIRE(o.start(1, &first) == ARGENT_OK);
    CHECK(argent_run(o.d, &c, 5000, &t, &r) == ARGENT_TIMEOUT);
    CHECK(argent_wait(o.d, first, 0) == ARGENT_TIMEOUT);
    CHECK(argent_reset(o.d) == ARGENT_OK);
    REQUIRE(o.start(1, &first) == ARGENT_OK);
    std::thread other([&] {
        while (argent_cancel(o.d, first + 1) != ARGENT_OK) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    CHECK(argent_run(o.d, &c, -1, &t, &r) == ARGENT_CANCELLED);
    CHECK(o.text() == "the launch was cancelled before it began");
    other.join();
}

TEST_CASE("queue: a device that takes two gets the next launch while one runs, and each keeps its results") {
    Open o(true);
    argent_window a = window("a", 0x1000), b = window("b", 0x2000);
    argent_ticket t[4] = {};
    o.fake.never_done = true;
    REQUIRE(o.start(7, &t[0], &a) == ARGENT_OK);
    REQUIRE(o.start(8, &t[1], &b) == ARGENT_OK);
    CHECK(o.fake.launches == 2);
    CHECK(o.fake.registers[0x10] == 8);
    CHECK(o.fake.windows[0].address == 0x2000);
    CHECK(o.start(9, &t[2], &a) == ARGENT_BUSY);
    // Both end before anybody looks, and an interrupt is enough for two.
    o.fake.registers[ARGENT_STALLS_IN] = 5;
    o.fake.end();
    o.fake.registers[ARGENT_STALLS_IN] = 6;
    o.fake.end();
    o.fake.spurious = 1;
    CHECK(argent_wait(o.d, t[0], 0) == ARGENT_OK);
    argent_result r{};
    REQUIRE(argent_launch_result(o.d, t[0], &r) == ARGENT_OK);
    CHECK(r.clocks == 1001);
    CHECK(r.stalls_in == 5);
    REQUIRE(argent_launch_result(o.d, t[1], &r) == ARGENT_OK);
    CHECK(r.clocks == 1002);
    CHECK(r.stalls_in == 6);
    // The number of launches that have ended has 8 bits.
    o.fake.never_done = false;
    for (int n = 0; n < 600; n++) {
        REQUIRE(o.start(uint32_t(n), &t[2], &a) == ARGENT_OK);
        REQUIRE(o.start(uint32_t(n), &t[3], &b) == ARGENT_OK);
        REQUIRE(argent_wait(o.d, t[3], -1) == ARGENT_OK);
        REQUIRE(argent_launch_result(o.d, t[2], &r) == ARGENT_OK);
        REQUIRE(r.clocks == uint64_t(1003 + 2 * n));
    }
}

TEST_CASE("queue: what is no argument, or has no windows, waits here until nothing runs") {
    Open o(true);
    argent_window a = window("a", 0x1000);
    argent_ticket t[2] = {};
    argent_register_value table[2] = {{ARGENT_TABLES, 0}, {ARGENT_TABLES + 4, 17}};
    argent_command with_table{};
    with_table.registers = table;
    with_table.register_count = 2;
    with_table.windows = &a;
    with_table.window_count = 1;
    o.fake.never_done = true;
    REQUIRE(o.start(7, &t[0], &a) == ARGENT_OK);
    SUBCASE("a table") { REQUIRE(argent_start(o.d, &with_table, &t[1]) == ARGENT_OK); }
    SUBCASE("no windows") { REQUIRE(o.start(8, &t[1]) == ARGENT_OK); }
    CHECK(o.fake.launches == 1);
    CHECK(o.fake.registers.count(ARGENT_TABLES) == 0);
    o.fake.never_done = false;
    CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
    CHECK(o.fake.launches == 2);
}

TEST_CASE("queue: a launch with the tables of the one in front of it waits in the hardware, and they are not written again") {
    Open o(true);
    argent_window a = window("a", 0x1000), b = window("b", 0x2000);
    argent_ticket t[3] = {};
    argent_register_value first[3] = {{0x10, 1}, {ARGENT_TABLES, 0}, {ARGENT_TABLES + 4, 17}};
    argent_register_value second[3] = {{0x10, 2}, {ARGENT_TABLES, 0}, {ARGENT_TABLES + 4, 17}};
    argent_command one{}, two{};
    one.registers = first, one.register_count = 3, one.windows = &a, one.window_count = 1;
    two.registers = second, two.register_count = 3, two.windows = &b, two.window_count = 1;
    o.fake.never_done = true;
    const auto finish = [&](argent_ticket ticket) {
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, ticket, -1) == ARGENT_OK);
        o.fake.never_done = true;
    };
    const auto spoil = [&] { o.fake.registers[ARGENT_TABLES] = o.fake.registers[ARGENT_TABLES + 4] = 99; };
    REQUIRE(argent_start(o.d, &one, &t[0]) == ARGENT_OK);
    CHECK(o.fake.registers[ARGENT_TABLES + 4] == 17);
    spoil();  // so that it would be seen
    int launches = 2;
    SUBCASE("the same ones") {
        REQUIRE(argent_start(o.d, &two, &t[1]) == ARGENT_OK);
        CHECK(o.fake.launches == 2);
        CHECK(o.fake.registers[0x10] == 2);
        CHECK(o.fake.registers[ARGENT_TABLES + 4] == 99);
        // And one behind that, too.
        o.fake.end();
        o.fake.spurious = 1;
        REQUIRE(argent_start(o.d, &one, &t[2]) == ARGENT_OK);
        CHECK(o.fake.launches == 3);
        CHECK(o.fake.registers[ARGENT_TABLES + 4] == 99);
        finish(t[2]);
        // Where nothing runs they are written: a simulation may have been reset.
        REQUIRE(argent_start(o.d, &two, &t[2]) == ARGENT_OK);
        CHECK(o.fake.registers[ARGENT_TABLES + 4] == 17);
        launches = 4;
        t[1] = t[2];
    }
    SUBCASE("another value") { second[2].value = 18; }
    SUBCASE("another place") { second[1].offset = ARGENT_TABLES + 8; }
    SUBCASE("fewer") { two.register_count = 2; }
    argent_register_value more[4] = {second[0], second[1], second[2], {ARGENT_TABLES + 8, 1}};
    SUBCASE("more") { two.registers = more, two.register_count = 4; }
    SUBCASE("somebody has written to them") { CHECK(argent_write(o.d, ARGENT_TABLES + 4, 5) == ARGENT_OK); }
    SUBCASE("a reset in between") {
        REQUIRE(argent_start(o.d, &two, &t[1]) == ARGENT_OK);
        CHECK(o.fake.launches == 2);
        CHECK(argent_cancel(o.d, t[0]) == ARGENT_OK);  // the other one begins anew, with its tables
        CHECK(o.fake.registers[ARGENT_TABLES + 4] == 17);
        finish(t[1]);
        return;
    }
    if (launches == 2) {
        REQUIRE(argent_start(o.d, &two, &t[1]) == ARGENT_OK);
        CHECK(o.fake.launches == 1);
        CHECK(o.fake.registers[0x10] == 1);
    }
    finish(t[1]);
    CHECK(o.fake.launches == launches);
    CHECK(o.fake.registers[0x10] == 2);
    for (size_t i = 1; i < two.register_count; i++) CHECK(o.fake.registers[two.registers[i].offset] == two.registers[i].value);
}

TEST_CASE("queue: failures and resets with a launch in the hardware's queue") {
    Open o(true);
    argent_window a = window("a", 0x1000), b = window("b", 0x2000);
    argent_ticket t[2] = {};
    o.fake.never_done = true;
    REQUIRE(o.start(7, &t[0], &a) == ARGENT_OK);
    REQUIRE(o.start(8, &t[1], &b) == ARGENT_OK);
    SUBCASE("the one that runs fails: the other one begins anew") {
        o.fake.wait_code = ARGENT_PROTOCOL;
        o.fake.text = "a rule";
        CHECK(argent_wait(o.d, t[0], 0) == ARGENT_PROTOCOL);
        o.fake.wait_code = 0;
        CHECK(o.fake.resets == 1);
        CHECK(o.fake.launches == 3);
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
        CHECK(o.fake.registers[0x10] == 8);
    }
    SUBCASE("the one that runs is refused, and the other one is not") {
        o.fake.registers[ARGENT_REFUSED_BY] = 4;
        o.fake.end();
        o.fake.registers[ARGENT_REFUSED_BY] = 0;
        o.fake.spurious = 1;
        CHECK(argent_wait(o.d, t[0], 0) == ARGENT_REFUSED);
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
        CHECK(o.fake.launches == 2);
    }
    SUBCASE("a reset ends both") {
        CHECK(argent_reset(o.d) == ARGENT_OK);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_CANCELLED);
        CHECK(o.fake.launches == 2);
    }
    SUBCASE("cancelling the one that runs lets the other one begin") {
        CHECK(argent_cancel(o.d, t[0]) == ARGENT_OK);
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
        CHECK(o.fake.launches == 3);
    }
    SUBCASE("cancelling the one that waits in the hardware lets the other one begin anew") {
        CHECK(argent_cancel(o.d, t[1]) == ARGENT_OK);
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_CANCELLED);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
        CHECK(o.fake.launches == 3);
        CHECK(o.fake.registers[0x10] == 7);
    }
    SUBCASE("somebody else resets the accelerator: nobody waits for ever") {
        FakeDevice::backend()->reset(&o.fake);
        o.fake.spurious = 1;
        CHECK(argent_wait(o.d, t[0], 0) == ARGENT_CANCELLED);
        CHECK(o.text() == "the accelerator was reset, and not by this program");
        o.fake.never_done = false;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_OK);
    }
    SUBCASE("the device goes away") {
        o.fake.wait_code = o.fake.arm_code = ARGENT_GONE;
        CHECK(argent_wait(o.d, t[1], -1) == ARGENT_GONE);
        CHECK(argent_wait(o.d, t[0], -1) == ARGENT_GONE);
        o.fake.wait_code = o.fake.arm_code = 0;
    }
    o.fake.never_done = false;
    CHECK(o.start(3, &t[0], &a) == ARGENT_OK);
    CHECK(argent_wait(o.d, t[0], -1) == ARGENT_OK);
}

TEST_CASE("queue: threads launch, start, cancel and look at one device") {
    bool takes_two = false;
    SUBCASE("one launch at a time") {}
    SUBCASE("two") { takes_two = true; }
    Open o(takes_two);
    constexpr int threads = 6, rounds = 60;
    std::atomic<int> good{0}, cancelled{0}, unknown{0}, bad{0};
    std::atomic<bool> ended{false};
    std::vector<std::thread> all;
    for (int k = 0; k < threads; k++)
        all.emplace_back([&, k] {
            static thread_local uint8_t memory[256];
            for (int n = 0; n < rounds; n++) {
                uint64_t address = 0;
                if (argent_map(o.d, memory, sizeof memory, ARGENT_WRITE, &address) != ARGENT_OK) bad++;
                argent_window w = window("a", address);
                argent_ticket t = 0;
                argent_result r{};
                argent_command c{};
                c.windows = &w;
                c.window_count = 1;
                int code;
                if (n % 4 != 0) {
                    while ((code = argent_run(o.d, &c, -1, &t, &r)) == ARGENT_BUSY) argent_wait(o.d, 0, 1000);
                    (code == ARGENT_OK && r.clocks > 1000 ? good : bad)++;
                } else {
                    while ((code = argent_start(o.d, &c, &t)) == ARGENT_BUSY) argent_wait(o.d, 0, 1000);
                    if (code != ARGENT_OK || argent_cancel(o.d, t) != ARGENT_OK) bad++;
                    code = argent_wait(o.d, t, -1);
                    // Others may have launched so often meanwhile that nobody knows any more how it ended.
                    (code == ARGENT_OK ? good : code == ARGENT_CANCELLED ? cancelled : code == ARGENT_BAD_ARGUMENT ? unknown : bad)++;
                    if (code == ARGENT_CANCELLED && std::strstr(argent_device_text(o.d), "the launch was cancelled") == nullptr) bad++;
                }
                if (argent_unmap(o.d, address) != ARGENT_OK) bad++;
            }
        });
    std::thread onlooker([&] {
        while (!ended) {
            uint64_t v = 0;
            uint32_t id = 0;
            if (argent_counter(o.d, ARGENT_COUNT_LAUNCHES, &v) != ARGENT_OK || argent_read(o.d, ARGENT_ID, &id) != ARGENT_OK || id != 0x12345678) bad++;
            std::this_thread::yield();
        }
    });
    for (std::thread &t : all) t.join();
    ended = true;
    onlooker.join();
    argent_wait(o.d, 0, -1);
    CHECK(bad == 0);
    CHECK(good + cancelled + unknown == threads * rounds);
    CHECK(good >= threads * rounds / 4 * 3);
    uint64_t launches = 0, failures = 0, mappings = 1;
    CHECK(argent_counter(o.d, ARGENT_COUNT_LAUNCHES, &launches) == ARGENT_OK);
    CHECK(argent_counter(o.d, ARGENT_COUNT_FAILURES, &failures) == ARGENT_OK);
    CHECK(argent_counter(o.d, ARGENT_COUNT_MAPPINGS, &mappings) == ARGENT_OK);
    CHECK(launches + failures == threads * rounds);
    CHECK(launches >= uint64_t(good));
    CHECK(failures >= uint64_t(cancelled));
    CHECK(mappings == 0);
}
