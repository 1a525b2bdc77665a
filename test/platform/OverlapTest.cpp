// Host and accelerator at the same time, by Halide's own async() and ring_buffer(), on the board's time.
#include <HalideBuffer.h>
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "argent_launch.h"
#include "argent_platform.h"
#include "argent_sim.h"
#include "argent_tasks.h"
#include "overlap_async.h"
#include "overlap_in_turn.h"
#include "overlap_ring.h"

namespace {

constexpr int width = 1000, rows = 128;
double seconds_of_a_strip = 0;

/** What Halide says when it begins to compute a strip of the host stage: that takes so long on the board. */
int32_t host_computes(void *, const halide_trace_event_t *event) {
    if (event->event == halide_trace_produce && event->parent_id >= 0) argent_platform_compute(nullptr, seconds_of_a_strip);
    return 1;
}

using Pipeline = int (*)(halide_buffer_t *, halide_buffer_t *);

struct Run {
    double total, host, accelerator;
    int launches;
};

Run run(Pipeline pipeline, int strips, double host_seconds) {
    argent_launch_close();
    seconds_of_a_strip = host_seconds;
    const char *file = "overlap.json";
    Halide::Runtime::Buffer<uint8_t> in(width + 2, strips * rows), out(width, strips * rows);
    in.for_each_element([&](int x, int y) { in(x, y) = uint8_t(x * 7 + y * 31 + x * y); });
    CHECK(argent_platform_frame_begin(nullptr) == ARGENT_OK);
    CHECK(pipeline(in, out) == 0);
    CHECK(argent_platform_frame_end(nullptr) == ARGENT_OK);
    argent_launch_close();
    int wrong = 0;
    const auto host = [&](int x, int y) { return uint8_t(in(x, y) * 5 + y); };
    out.for_each_element([&](int x, int y) {
        wrong += out(x, y) != uint8_t(uint8_t(std::abs(host(x, y) - host(x + 1, y)) + host(x + 2, y) / 2) ^ 1);
    });
    CHECK(wrong == 0);
    std::ifstream report(file);
    REQUIRE(report.good());
    const nlohmann::json all = nlohmann::json::parse(report), s = all["seconds"];
    return {s["total"], s["host"].get<double>() + s["host_beside"].get<double>(),
            s["computing"].get<double>() + s["reading"].get<double>() + s["writing"].get<double>(), all["launches"]};
}

}  // namespace

TEST_CASE("a host stage with async(): strips of a balanced pipeline") {
    setenv("ARGENT_DEVICE", "platform:pynq-z2,cpu=0,report=overlap.json", 1);
    halide_set_custom_trace(host_computes);
    argent_tasks_use();
    const int few = 4, strips = 40;
    const double own = run(overlap_in_turn, few, 0).accelerator / few;
    const Run in_turn = run(overlap_in_turn, few, own);
    CHECK(in_turn.launches == few);
    CHECK(in_turn.host == doctest::Approx(few * own));
    CHECK(in_turn.total > 2 * in_turn.host);

    nlohmann::json figures = {{"strips", strips}, {"width", width}, {"rows", rows}};  // for docs/figures.md
    for (const auto &[name, pipeline] : {std::pair<const char *, Pipeline>{"async", overlap_async}, {"ring", overlap_ring}}) {
        const Run r = run(pipeline, strips, own);
        MESSAGE("host ", r.host * 1e3, " ms, accelerator ", r.accelerator * 1e3, " ms, total ", r.total * 1e3, " ms: ", r.total / std::max(r.host, r.accelerator));
        figures[name] = {{"host", r.host}, {"accelerator", r.accelerator}, {"total", r.total}};
        CHECK(r.launches == strips);
        CHECK(r.host == doctest::Approx(strips * own));
        CHECK(r.accelerator == doctest::Approx(r.host).epsilon(0.01));
        CHECK(r.total <= 1.05 * std::max(r.host, r.accelerator));
        CHECK(run(pipeline, few, own).total == run(pipeline, few, own).total);  // whoever is faster on this machine
    }
    std::ofstream("overlap_figures.json") << figures;
}

TEST_CASE("a launch that fails ends the pipeline, and the next one is right") {
    setenv("ARGENT_DEVICE", "platform:pynq-z2,cpu=0,report=overlap.json", 1);
    argent_tasks_use();
    argent_sim_settings settings;
    argent_sim_defaults(&settings);
    settings.watchdog = 3000;
    settings.fault = ARGENT_FAULT_SILENT;
    settings.fault_port = "m_axi_prepared";
    settings.fault_at = 20;
    argent_sim_set(&settings);
    Halide::Runtime::Buffer<uint8_t> in(width + 2, 4 * rows), out(width, 4 * rows);
    in.fill(0);
    CHECK(overlap_ring(in, out) != 0);
    CHECK(argent_launch_code() == ARGENT_STUCK);
    argent_sim_defaults(&settings);
    argent_sim_set(&settings);
    run(overlap_ring, 4, 1e-3);
}

TEST_CASE("the same on a device without a board's time") {
    setenv("ARGENT_DEVICE", "sim:", 1);
    argent_tasks_use();
    Halide::Runtime::Buffer<uint8_t> in(width + 2, 3 * rows), out(width, 3 * rows), expected(width, 3 * rows);
    in.for_each_element([&](int x, int y) { in(x, y) = uint8_t(x * y + 3 * y); });
    CHECK(overlap_in_turn(in, expected) == 0);
    for (Pipeline pipeline : {overlap_async, overlap_ring}) {
        out.fill(0);
        CHECK(pipeline(in, out) == 0);
        int wrong = 0;
        out.for_each_element([&](int x, int y) { wrong += out(x, y) != expected(x, y); });
        CHECK(wrong == 0);
    }
    argent_launch_close();
}
