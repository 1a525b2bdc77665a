#include <doctest/doctest.h>

#include <array>
#include <random>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("ranks of rows, columns, crosses and random places, behind any border") {
    const auto ranks = [](unsigned seed, const NamedBorder &border, int width, int height, int pixels) {
        compare([=] {
            std::mt19937 random(seed);
            const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
            ImageParam in(UInt(8), 2, "in");
            in.set(noise<uint8_t>(width, height));
            const Func f = border.around(in);
            Func out("out");
            const int count = 3 + below(5), shape = below(4);
            std::vector<Expr> values;
            for (int i = 0; i < count; ++i) {
                const int along = i - count / 2, dx = shape == 0 ? along : shape == 1 ? 0 : shape == 2 ? (i % 2 ? along : 0) : below(5) - 2;
                const int dy = shape == 0 ? 0 : shape == 1 ? along : shape == 2 ? (i % 2 ? 0 : along) : below(5) - 2;
                values.push_back(cast<int16_t>(f(x + dx, y + dy)) - cast<int16_t>(seed % 2 ? 0 : 100));
            }
            for (int pass = 0; pass < count; ++pass) {
                for (int i = pass % 2; i + 1 < count; i += 2) {
                    const Expr low = min(values[i], values[i + 1]), high = max(values[i], values[i + 1]);
                    values[i] = low, values[i + 1] = high;
                }
            }
            out(x, y) = values[below(count)] * cast<int16_t>(3) - (below(2) ? values[count / 2] : cast<int16_t>(0));
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        }, {{width, height}});
    };
    for (unsigned seed = 0; seed < 15; ++seed) {
        const NamedBorder &border = named_borders[seed % named_borders.size()];
        CAPTURE(seed);
        CAPTURE(border.name);
        const auto [w, h] = std::array<std::pair<int, int>, 3>{{{21, 9}, {1, 3}, {6, 1}}}[seed / 5 % 3];
        ranks(seed, border, w, h, 1 << seed % 4);
    }
}
