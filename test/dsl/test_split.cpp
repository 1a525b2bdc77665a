#include <doctest/doctest.h>

#include <vector>

#include "Pieces.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");

struct Launch {
    int min_x, max_x, min_y, max_y;
    int in_min[2], in_max[2];
    bool operator==(const Launch &o) const {
        return min_x == o.min_x && max_x == o.max_x && min_y == o.min_y && max_y == o.max_y && std::equal(in_min, in_min + 2, o.in_min) &&
               std::equal(in_max, in_max + 2, o.in_max);
    }
};

std::vector<Launch> launches;
int queries;
int32_t last_gain;

/** In place of the launcher: notes what is asked, computes in(x - 1, y) + in(x, y + 2) * gain. */
extern "C" int note_launch(halide_buffer_t *in, int min_x, int max_x, int min_y, int max_y, int32_t gain, halide_buffer_t *out) {
    if (!in->host || !out->host) {
        queries++;
        return 0;
    }
    launches.push_back({min_x, max_x, min_y, max_y, {in->dim[0].min, in->dim[1].min},
                        {in->dim[0].min + in->dim[0].extent - 1, in->dim[1].min + in->dim[1].extent - 1}});
    last_gain = gain;
    for (int py = min_y; py <= max_y; py++) {
        for (int px = min_x; px <= max_x; px++) {
            const auto at = [&](int ax, int ay) {
                const int place[] = {ax, ay};
                return *reinterpret_cast<const uint8_t *>(in->address_of(place));
            };
            const int place[] = {px, py};
            *reinterpret_cast<int32_t *>(out->address_of(place)) = at(px - 1, py) + at(px, py + 2) * gain;
        }
    }
    return 0;
}

struct Pieces {
    Param<int> gain{"gain", 5};
    Func in, filtered{"filtered"};
    explicit Pieces(const Func &input) : in(input) {
        filtered(x, y) = cast<int32_t>(in(x - 1, y)) + cast<int32_t>(in(x, y + 2)) * gain;
    }
    void accelerate() { argent::accelerate(filtered, {in}).block({{x, 64}, {y, 32}}); }
};

/** Runs the host part of `out` with the launcher above; the CPU's own result has to be the same. */
void check_host(Func out, const std::vector<int> &size) {
    launches.clear();
    queries = 0;
    Pipeline host = partitioned(out).host;
    const std::vector<Type> args = {type_of<halide_buffer_t *>(), Int(32), Int(32), Int(32), Int(32), Int(32), type_of<halide_buffer_t *>()};
    host.set_jit_externs({{"pipeline_launch", JITExtern(ExternCFunction(reinterpret_cast<void *>(note_launch), ExternSignature(Int(32), false, args)))}});
    const Buffer<int32_t> got = host.realize(size)[0], expected = out.realize(size)[0];
    expected.for_each_element([&](const int *at) { REQUIRE(got(at[0], at[1]) == expected(at[0], at[1])); });
}

}  // namespace

TEST_CASE("split: one launch computes what is wanted, and the input is what its box needs") {
    Pieces p(source());
    p.accelerate();
    check_host(p.filtered, {20, 10});
    CHECK(launches == std::vector<Launch>{{0, 19, 0, 9, {-1, 0}, {19, 11}}});
    CHECK(last_gain == 5);
    CHECK(queries == 0);
}

TEST_CASE("split: consumers on the host ask for their own boxes") {
    Pieces p(source());
    Func out("out");
    out(x, y) = p.filtered(x + 3, y) - p.filtered(x - 2, y - 1);
    p.accelerate();
    check_host(out, {20, 10});
    CHECK(launches == std::vector<Launch>{{-2, 22, -1, 9, {-3, -1}, {22, 11}}});
}

TEST_CASE("split: tiles launch once each, and the input is computed where it is wanted") {
    Pieces p(source());
    Func out("out");
    out(x, y) = p.filtered(x, y) + 1;
    out.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    p.filtered.compute_at(out, xo);
    p.in.compute_at(out, xo);
    p.accelerate();
    check_host(out, {20, 8});
    CHECK(launches == std::vector<Launch>{{0, 7, 0, 3, {-1, 0}, {7, 5}},    {8, 15, 0, 3, {7, 0}, {15, 5}},    {16, 19, 0, 3, {15, 0}, {19, 5}},
                                          {0, 7, 4, 7, {-1, 4}, {7, 9}},    {8, 15, 4, 7, {7, 4}, {15, 9}},    {16, 19, 4, 7, {15, 4}, {19, 9}}});
    CHECK(queries == 0);
}

TEST_CASE("split: an image is passed whole, never copied") {
    ImageParam image(UInt(8), 2, "image");
    Buffer<uint8_t> data(40, 30);
    data.set_min(-5, -3);
    data.for_each_element([&](int px, int py) { data(px, py) = static_cast<uint8_t>(px * 31 + py * 7); });
    image.set(data);
    Pieces p(image);
    p.accelerate();
    check_host(p.filtered, {20, 10});
    CHECK(launches == std::vector<Launch>{{0, 19, 0, 9, {-5, -3}, {34, 26}}});
}

TEST_CASE("split: the launcher's failure is the pipeline's") {
    Pieces p(source());
    p.accelerate();
    Pipeline host = partitioned(p.filtered).host;
    const std::vector<Type> args = {type_of<halide_buffer_t *>(), Int(32), Int(32), Int(32), Int(32), Int(32), type_of<halide_buffer_t *>()};
    int (*fails)(halide_buffer_t *, int, int, int, int, int32_t, halide_buffer_t *) = [](halide_buffer_t *, int, int, int, int, int32_t, halide_buffer_t *) { return -7; };
    host.set_jit_externs({{"pipeline_launch", JITExtern(ExternCFunction(reinterpret_cast<void *>(fails), ExternSignature(Int(32), false, args)))}});
    CHECK_THROWS_AS(host.realize({4, 4}), RuntimeError);
}
