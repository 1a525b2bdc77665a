#include <doctest/doctest.h>

#include "Compare.h"
#include "Launches.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

Expr box(const Func &f, int width, int height) {
    Expr sum = cast<uint16_t>(0);
    for (int dy = 0; dy < height; ++dy) {
        for (int dx = 0; dx < width; ++dx) sum = sum + cast<uint16_t>(f(x + dx - width / 2, y + dy - height / 2));
    }
    return sum;
}

/** The disparity of least difference, as stereo cameras are matched. */
Func matched(const Func &left, const Func &right, int disparities, int window) {
    Func out("out");
    Expr least, best;
    for (int d = 0; d < disparities; ++d) {
        Func difference("difference" + std::to_string(d));
        difference(x, y) = cast<uint8_t>(absd(left(x, y), right(x - d, y)));
        const Expr sum = box(difference, window, window);
        best = d == 0 ? cast<uint8_t>(0) : select(sum < least, cast<uint8_t>(d), best);
        least = d == 0 ? sum : min(least, sum);
    }
    out(x, y) = best;
    return out;
}

}  // namespace

TEST_CASE("two images with borders of their own share windows") {
    for (int pixels : {1, 2, 8}) {
        CAPTURE(pixels);
        compare([=] {
            ImageParam left(UInt(8), 2, "left"), right(UInt(8), 2, "right");
            left.set(noise<uint8_t>(21, 9, 1));
            right.set(noise<uint8_t>(17, 11, 2));
            const Func out = matched(BoundaryConditions::repeat_edge(left), BoundaryConditions::mirror_image(right), 3, 5);
            argent::accelerate(out, {left, right}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("outputs share windows, each of a box of its own") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        compare([=] {
            Func padded = padded_noise<uint8_t>("padded"), smooth("smooth"), mean("mean"), largest("largest"), out("out");
            smooth(x, y) = cast<uint8_t>((padded(x, y) + cast<uint16_t>(padded(x + 1, y))) / 2);
            mean(x, y) = cast<uint8_t>(box(smooth, 4, 4) / 16);
            Expr most = smooth(x - 2, y);
            for (int d = -1; d <= 2; ++d) most = max(most, max(smooth(x + d, y), smooth(x + d, y + 2)));
            largest(x, y) = most;
            out(x, y) = cast<int16_t>(mean(x, y)) - largest(x + 3, y - 2) + mean(x - 1, y + 1);
            argent::accelerate({mean, largest}, {padded}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        });
    }
}

TEST_CASE("windows behind a RAM, and in front of it, are shared") {
    for (int lanes : {1, 4}) {
        CAPTURE(lanes);
        compare_launches([&] {
            Func padded = padded_noise<uint8_t>("padded"), blur("blur"), turned("turned"), out("out");
            blur(x, y) = cast<uint8_t>(box(padded, 4, 3) / 12);
            turned(x, y) = blur(y, x);
            out(x, y) = cast<uint8_t>(box(turned, 3, 4) / 12);
            argent::accelerate(out, {padded}).block({{x, 32}, {y, 24}}).throughput(x, lanes).buffered(blur);
            return out;
        }, {{1, 1}, {9, 1}, {1, 7}, {13, 5}, {32, 24}});
    }
}
