#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("an input at two rates") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), low("low"), out("out");
        low(x, y) = padded(2 * x, y);
        low.compute_root();
        out(x, y) = low(x, y) + padded(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: padded is read at two rates in x: out reads it at x, and low at x*2; one would go through it 2 times as fast as the other, and "
          "what lies between grows with the image, so no timeline holds both\n"
          "@A: note: give low its own copy of padded: another input, which is read from memory at its own rate\n");
}

TEST_CASE("a stage at two rates in y") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), sum("sum"), a("a"), out("out");
        sum(x, y) = padded(x, y) + padded(x + 1, y);
        sum.compute_root();
        a(x, y) = sum(x, 3 * y / 2);
        a.compute_root();
        out(x, y) = a(x, y) + sum(x, 3 * y + 1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: sum is read at two rates in y: out reads it at (y*3) + 1, and a at (y*3)/2; one would go through it 2 times as fast as the "
          "other, and what lies between grows with the image, so no timeline holds both\n"
          "@A: note: compute sum twice, once for each rate: sum.clone_in(a)\n");
}

TEST_CASE("a throughput that is no whole number of elements") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(3 * x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 1); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 1): at this rate padded would have 3 elements for each position of the scan, and a memory port carries 1, 2, 4, "
          "8, 16 or 32\n"
          "@A: note: write throughput(x, 1, 3)\n");
}

TEST_CASE("fifo_depth that is too small for a path through another rate") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), gained("gained"), low("low"), out("out");
        gained(x, y) = padded(x, y) / 2 + 1;
        gained.compute_root();
        low(x, y) = gained(2 * x, 2 * y) / 2 + gained(2 * x + 1, 2 * y + 2) / 2;
        low.compute_root();
        out(x, y) = gained(x, y) - low(x / 2, y / 2 + 1);
        argent::Accelerator a = argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        a.fifo_depth(gained, out, 265); HERE('A');
        return out;
    });
    // out's row y needs low's row y / 2 + 1, which needs gained's row y + 4: four rows of 66 elements, and two.
    CHECK(text ==
          "@A: error: fifo_depth(gained, out, 265) is too small: the path through low needs 266\n"
          "@A: note: leave it out, or give at least 266\n");
}

TEST_CASE("a throughput that is no whole number of positions") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x / 3, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 2); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 2): at this rate padded would have 2/3 elements for each position of the scan, and that has to be a whole "
          "number, or one in a whole number of positions\n"
          "@A: note: write throughput(x, 1)\n");
}

TEST_CASE("more levels than the base grid has room for") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), f = padded;
        for (int level = 0; level < 3; level++) {
            Func next("level");
            next(x, y) = f(x, y / 32);
            next.compute_root();
            f = next;
        }
        argent::accelerate(f, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return f;
    });
    CHECK(text ==
          "@A: error: padded has 1 element in y where the finest Func of the accelerator has 32768, and at most 4096 are possible\n"
          "@A: note: leave some of the levels to the host\n");
}

TEST_CASE("an index that no timeline follows") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x * x, y) + padded(select(x < 5, x, x / 2), y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads padded(x*x, y), and x*x does not follow x at a constant rate\n"
          "@A: note: leave out to the host\n");
}

TEST_CASE("a border between stages of several rates") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), half("half"), out("out");
        half(x, y) = padded(2 * x, y) + padded(2 * x + 1, y);
        half.compute_root();
        out(x, y) = half(clamp(x / 2 + 1, 0, 31), y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads half(max(min(x/2, 30), -1) + 1, y), a border between stages, and in a region of several rates only "
          "inputs have borders, the same for all their readers\n"
          "@A: note: let the host compute half, with its border, and list it as an input\n");
}

TEST_CASE("reads with other edges, and with none, where rates differ") {
    const std::string text = refusal([] {
        ImageParam in(UInt(8), 2, "in");
        Func out("out");
        out(x, y) = in(clamp(x / 2, 0, 9), y) + in(clamp(x / 2 + 1, 0, in.dim(0).max()), y) + in(x / 2, y / 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(max(min((x/2) + 2, in.extent.0 + in.min.0), 1) + -1, y), a border that other reads of in do not "
          "have, and in a region of several rates only inputs have borders, the same for all their readers\n"
          "@A: note: list the padded image as an input and the host computes it\n");
    const std::string other = refusal([] {
        ImageParam in(UInt(8), 2, "in");
        Func out("out");
        out(x, y) = in(clamp(x / 2, 0, 9), y) + in(x / 2 + 1, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(other ==
          "@A: error: accelerate(out, {in}): out reads in((x/2) + 1, y) without the border that other reads of in have, and in a region of several rates all of "
          "them have to have the same\n"
          "@A: note: read it everywhere as the border makes it, or list the padded image as an input and the host computes it\n");
}
