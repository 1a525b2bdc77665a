#ifndef ARGENT_TEST_HWGEN_PASSES_RANDOM_WINDOWS_H
#define ARGENT_TEST_HWGEN_PASSES_RANDOM_WINDOWS_H

#include <functional>
#include <random>
#include <string>

#include "Regions.h"

/** Random windows: sums, extremes of sums, products, of taps and of each other at several places. */
inline RegionBuilder random_windows(unsigned seed) {
    using Halide::cast;
    using Halide::Expr;
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    RegionBuilder b(below(2) ? 40 : 1920, 40, 1 << below(3));
    b.input("in", below(2) ? Halide::UInt(8) : Halide::Int(8));
    const auto at = [&](int dx, int dy, const std::string &name = "in") { return cast<int32_t>(b.at(name, dx, dy)); };
    const int kind = below(4), n = 2 + below(3);
    const bool separable = below(2);
    int u[5], v[5];
    for (int i = 0; i < 5; ++i) u[i] = below(7) - 2, v[i] = below(7) - 2;
    const auto window = [&](const std::function<Expr(int, int)> &of) {
        Expr sum = below(50);
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) sum = sum + (separable ? u[x] * v[y] : below(60) - 20) * of(x, y);
        }
        return sum;
    };
    const auto tap = [&](int x, int y) { return at(x - 1, y - 1); };
    const auto extreme = [&](int x, int y) { return max(tap(x, y) - tap(x + 1, y), tap(x, y + 1)); };
    const auto product = [&](int x, int y) { return (tap(x, y) - tap(x, y + 1)) * (tap(x, y) + 3); };
    const auto part = [&](int x, int y) { return kind == 0 ? tap(x, y) : kind == 1 ? extreme(x, y) : kind == 2 ? product(x, y) : cast<int32_t>(abs(extreme(x, y) - tap(x, y))); };
    Expr value = window(part);
    if (below(2)) value = max(value, window(tap));
    if (below(3) == 0) value = cast<int32_t>(abs(value - tap(0, 2))) + cast<int32_t>(abs(value + tap(1, 1)));
    if (below(3) == 0) value = value + b.x();
    b.stage("mid", below(2) ? cast<uint8_t>(value >> 3) : cast<int16_t>(value));
    b.stage("out", cast<uint8_t>(at(0, 0, "mid") + at(1, 0, "mid") * 3 + max(at(2, 0, "mid"), at(1, 1, "mid"))));
    return b;
}

#endif
