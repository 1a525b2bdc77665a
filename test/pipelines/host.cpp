#include <doctest/doctest.h>

#include "Compare.h"
#include "dsl/Partition.h"
#include "dsl/Spec.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");

const Sizes large = {{1, 1}, {16, 8}, {37, 11}, {70, 29}};

struct Parts {
    Func padded, edges, out;
};

/** Host, accelerator, host. */
Parts parts() {
    Func padded = padded_noise<uint8_t>("padded"), edges("edges"), out("out");
    edges(x, y) = absd(padded(x - 1, y), padded(x + 1, y)) / 2 + absd(padded(x, y - 1), padded(x, y + 1)) / 2;
    out(x, y) = max(edges(x, y), edges(x + 1, y)) + padded(x, y) / 4;
    return {padded, edges, out};
}

/** Of the report of the only accelerator. */
std::string warnings(const Func &f) {
    const auto parts = argent::dsl::partition({f}, argent::dsl::specs_of(f), {"host", "", false, {__FILE__, __LINE__}});
    return parts.designs.at(0).report["warnings"].dump();
}

}  // namespace

TEST_CASE("the host part vectorized and parallel") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 32}}).throughput(x, 2);
            p.out.vectorize(x, 16, TailStrategy::GuardWithIf).parallel(y);
            p.padded.compute_root().vectorize(x, 16);
            return p.out;
        },
        large);
}

TEST_CASE("the host part tiled, the accelerator launched once per tile") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 33}, {y, 8}});
            p.out.tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::GuardWithIf).vectorize(xi, 8);
            p.edges.compute_at(p.out, xo);
            return p.out;
        },
        large);
}

TEST_CASE("an image that is larger than the block in every dimension, by a copy in tiles") {
    compare(
        [] {
            Parts p = parts();
            Func copy("copy");
            copy(x, y) = p.edges(x, y);
            argent::accelerate(p.edges, {p.padded}).block({{x, 16}, {y, 8}}).throughput(x, 2);
            copy.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf);
            p.edges.compute_at(copy, xo);
            return copy;
        },
        {{1, 1}, {16, 8}, {17, 9}, {53, 30}});
}

TEST_CASE("tiles that are shifted inwards") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 33}, {y, 8}}).throughput(x, 4);
            p.out.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::ShiftInwards);
            p.edges.compute_at(p.out, xo);
            p.padded.compute_at(p.out, yo);
            return p.out;
        },
        {{16, 8}, {37, 11}, {70, 29}});
}

TEST_CASE("launches from parallel loops") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 4}});
            p.out.split(y, yo, yi, 4, TailStrategy::GuardWithIf).parallel(yo);
            p.edges.compute_at(p.out, yo);
            return p.out;
        },
        large);
}

TEST_CASE("specialize and unroll on the host") {
    Param<bool> fast("fast", true);
    compare(
        [&] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 32}});
            p.out.specialize(fast).unroll(x, 2, TailStrategy::GuardWithIf);
            return p.out;
        },
        large);
}

TEST_CASE("the accelerator in a thread of its own, a strip ahead of the host") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 8}}).throughput(x, 2);
            p.out.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
            p.edges.compute_at(p.out, yo).store_root().async();
            p.padded.compute_root();
            return p.out;
        },
        large);
}

TEST_CASE("strips of an output with channels, all of which are there after the host's first one") {
    for (bool is_async : {false, true}) {
        CAPTURE(is_async);
        compare(
            [&] {
                Var c("c");
                Func padded = padded_noise<uint8_t>("padded"), both("both"), out("out");
                both(x, y, c) = mux(c, {padded(x, y), padded(x + 1, y + 1) + 1});
                out(x, y, c) = both(x, y, c) * 2;
                both.bound(c, 0, 2);
                argent::accelerate(both, {padded}).block({{x, 80}, {y, 8}, {c, 2}}).unroll(both, c);
                out.split(y, yo, yi, 5, TailStrategy::GuardWithIf);
                both.compute_at(out, yo).store_root();
                if (is_async) both.async();
                return out;
            },
            {{9, 13, 2}, {1, 1, 2}, {80, 5, 1}});
    }
}

TEST_CASE("a host stage and the accelerator in threads of their own") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 8}}).throughput(x, 2);
            p.out.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
            p.edges.compute_at(p.out, yo).store_root().async();
            p.padded.compute_at(p.out, yo).store_root().async();
            return p.out;
        },
        large);
}

TEST_CASE("a host stage that slides in front of the accelerator, also in a thread of its own") {
    for (bool is_async : {false, true}) {
        CAPTURE(is_async);
        compare(
            [&] {
                Parts p = parts();
                argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 8}}).throughput(x, 2);
                p.out.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
                p.edges.compute_at(p.out, yo);
                p.padded.compute_at(p.out, yo).store_root();
                if (is_async) p.padded.async();
                return p.out;
            },
            large);
    }
}

TEST_CASE("a host stage and the accelerator that slide together") {
    for (bool inner : {false, true}) {
        CAPTURE(inner);
        compare(
            [&] {
                Parts p = parts();
                argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 8}}).throughput(x, 2);
                p.out.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
                p.edges.compute_at(p.out, inner ? yi : yo).store_root();
                p.padded.compute_at(p.out, inner ? yi : yo).store_root();
                return p.out;
            },
            large);
    }
}

TEST_CASE("a host stage and the accelerator that slide at different loops") {
    compare(
        [] {
            Parts p = parts();
            argent::accelerate(p.edges, {p.padded}).block({{x, 33}, {y, 8}}).throughput(x, 2);
            p.out.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf);
            p.edges.compute_at(p.out, xo).store_at(p.out, yo);
            p.padded.compute_at(p.out, yo).store_root();
            return p.out;
        },
        large);
}

TEST_CASE("rings of tiles in front of the accelerator and behind it") {
    for (bool is_async : {false, true}) {
        CAPTURE(is_async);
        compare(
            [&] {
                Parts p = parts();
                argent::accelerate(p.edges, {p.padded}).block({{x, 33}, {y, 8}}).throughput(x, 2);
                p.out.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf);
                for (Func f : {p.padded, p.edges}) {
                    f.compute_at(p.out, xo).hoist_storage(p.out, yo).ring_buffer(2);
                    if (is_async) f.async();
                }
                return p.out;
            },
            large);
    }
}

TEST_CASE("the report says where a window does not slide") {
    Parts p = parts();
    argent::accelerate(p.edges, {p.padded}).block({{x, 80}, {y, 8}});
    p.out.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
    p.edges.compute_at(p.out, yo);
    p.padded.compute_at(p.out, yo).store_root().async();
    CHECK(warnings(p.out) == "[\"padded is computed whole for every launch, and not as a sliding window or a ring; launches run ahead, and strips slide, where inputs and "
                             "outputs of an accelerator have async() and store_root()\"]");
    p.edges.store_root().async();
    CHECK(warnings(p.out) == "[]");
}
