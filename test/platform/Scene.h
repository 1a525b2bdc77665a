#ifndef ARGENT_TEST_PLATFORM_SCENE_H
#define ARGENT_TEST_PLATFORM_SCENE_H

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "argent_halide.h"
#include "argent_platform.h"
#include "increment_driver.h"

/** The tiny accelerator of test/sim on a device, with images of its own. It reads a burst, writes it, and reads the next one. */
class Scene {
public:
    explicit Scene(const std::string &uri, int w = 300, int h = 9) : width(w), height(h) {
        REQUIRE_MESSAGE(argent_open(uri.c_str(), "increment", &device) == ARGENT_OK, argent_open_text());
        fill();
    }
    /** Further images for a device that is open, and stays so. */
    Scene(argent_device *d, int w, int h) : device(d), width(w), height(h), is_guest(true) { fill(); }
    ~Scene() {
        if (!is_guest) argent_close(device);
        argent_image_free(in);
        argent_image_free(out);
    }
    Scene(const Scene &) = delete;

    /** Starts it; `finish` waits. */
    argent_ticket start(int by = 5) {
        amount = by;
        REQUIRE(argent_map(device, in, size_t(bytes()), ARGENT_READ, &from) == ARGENT_OK);
        REQUIRE(argent_map(device, out, size_t(bytes()), ARGENT_WRITE, &to) == ARGENT_OK);
        argent_register_value registers[] = {{INCREMENT_BROKEN, 0},
                                             {INCREMENT_WIDTH, uint32_t(width)},
                                             {INCREMENT_HEIGHT, uint32_t(height)},
                                             {INCREMENT_IN_ADDRESS, uint32_t(from)},
                                             {INCREMENT_IN_STRIDE, uint32_t(width)},
                                             {INCREMENT_OUT_ADDRESS, uint32_t(to)},
                                             {INCREMENT_OUT_STRIDE, uint32_t(width)},
                                             {INCREMENT_AMOUNT, uint32_t(by)}};
        argent_window windows[] = {{"m_axi_in", ARGENT_READ, from, 2, {width, height}, {1, width}},
                                   {"m_axi_out", ARGENT_WRITE, to, 2, {width, height}, {1, width}}};
        argent_command command = {registers, sizeof registers / sizeof *registers, windows, 2, nullptr, 0, nullptr};
        REQUIRE(argent_start(device, &command, &ticket) == ARGENT_OK);
        return ticket;
    }
    int finish() {
        int code = argent_wait(device, ticket, -1);
        unmap();
        return code;
    }
    void unmap() {
        CHECK(argent_unmap(device, from) == ARGENT_OK);
        CHECK(argent_unmap(device, to) == ARGENT_OK);
    }
    int launch(int by = 5) {
        start(by);
        return finish();
    }
    uint64_t clocks() const {
        uint64_t v = 0;
        CHECK(argent_counter(device, ARGENT_COUNT_CLOCKS, &v) == ARGENT_OK);
        return v;
    }
    int wrong() const {
        int n = 0;
        for (int i = 0; i < bytes(); i++) n += out[i] != uint8_t(in[i] + amount);
        return n;
    }
    int bytes() const { return width * height; }

    argent_device *device = nullptr;
    int width, height, amount = 0;
    bool is_guest = false;

private:
    void fill() {
        in = take();
        out = take();
        for (int i = 0; i < bytes(); i++) in[i] = uint8_t(i * 7 + i / 31);
    }
    uint8_t *take() const {
        auto *p = static_cast<uint8_t *>(argent_image_allocate(size_t(bytes())));
        REQUIRE(p != nullptr);
        std::memset(p, 0xee, size_t(bytes()));
        return p;
    }
    uint8_t *in = nullptr, *out = nullptr;
    uint64_t from = 0, to = 0;
    argent_ticket ticket = 0;
};

/** Clocks of one launch alone on that device. */
inline uint64_t clocks_on(const std::string &uri, int width = 300, int height = 9) {
    Scene s(uri, width, height);
    CHECK(s.launch() == ARGENT_OK);
    CHECK(s.wrong() == 0);
    return s.clocks();
}

/** A board's file that is nobody's board: `more` are further lines, after those of [ddr]. */
inline std::string board_file(const std::string &name, int ports, int port_bytes, double mb_per_second, double refresh_ns = 100) {
    std::ofstream f(name);
    f << "name = \"test\"\nclock_mhz = 100\n[memory]\nports = " << ports << "\nport_bytes = " << port_bytes
      << "\noutstanding = 8\n[ddr]\nkind = \"a memory\"\nmb_per_second = " << mb_per_second
      << "\nread_latency_ns = 100\nwrite_latency_ns = 50\nbanks = 4\nrow_bytes = 1024\nrow_miss_ns = 30\nturnaround_ns = 10\n"
         "refresh_interval_ns = 1000\nrefresh_ns = "
      << refresh_ns << "\nqueue = 4\n[cpu]\nkind = \"a processor\"\nslowdown = 0\nregister_ns = 100\ninterrupt_ns = 1000\n";
    return "./" + name;
}

inline nlohmann::json read_report(const std::string &file) {
    std::ifstream in(file);
    REQUIRE(in.good());
    return nlohmann::json::parse(in);
}

#endif
