#include "Launches.h"

#include <doctest/doctest.h>

#include <type_traits>

#include "sim/runner/Launches.h"

namespace argent::test {
namespace {

/** CHECKs the only launch since the last call. */
void check_launch(runner::LaunchRecorder &recorder, const nlohmann::json &manifest) {
    const std::vector<runner::LaunchLog> launches = recorder.take();
    REQUIRE(launches.size() == 1);
    const runner::Forecast forecast = runner::predict(manifest, launches[0]);
    CHECK(forecast.reason == "");
    CHECK(static_cast<long>(launches[0].clocks) == forecast.clocks);
    CHECK(launches[0].ports.size() == launches[0].images.size());
    CHECK(runner::wrong_traffic(manifest, launches[0]) == "");
}

}  // namespace

Halide::Func blur_of(const Halide::Func &image) {
    Halide::Func blur("blur");
    Halide::Var x("x"), y("y");
    const auto at = [&](int dx, int dy) { return Halide::cast<uint16_t>(image(x + dx, y + dy)); };
    blur(x, y) = Halide::cast<uint8_t>((at(-1, 0) + at(1, -1) + 2 * at(0, 1)) / 4);
    return blur;
}

void compare_launches(const Make &make, const Sizes &sizes) {
    dsl::Simulation accelerated = simulation_of(make);
    runner::LaunchRecorder recorder(accelerated.function<std::remove_pointer_t<runner::LaunchRecorder::Observe>>("argent_launch_observe"));
    nlohmann::json manifest;
    manifest["accelerators"].push_back(nlohmann::json::parse(accelerated.designs().at(0).manifest.dump()));
    compare(accelerated, make, sizes, [&] { check_launch(recorder, manifest); });
}

void compare_launches_at(const Make &make, const std::vector<int> &mins, const Sizes &sizes) { compare_launches(read_from(make, mins), sizes); }

int windows_repeating_rows(dsl::Simulation &accelerated) {
    int windows = 0;
    for (const auto &w : accelerated.designs().at(0).report["windows"]) windows += w.contains("repeats_rows");
    return windows;
}

Halide::Expr weighed(const Halide::Func &f, int left, int right, int up, int down) {
    const Halide::Var x("x"), y("y");
    Halide::Expr sum = Halide::cast<uint16_t>(0);
    for (int j = -up; j <= down; ++j) {
        for (int i = -left; i <= right; ++i) sum = sum + ((Halide::cast<uint16_t>(f(x + i, y + j)) ^ (7 * j + 3 * i + 60)) >> 2);
    }
    return sum;
}

}  // namespace argent::test
