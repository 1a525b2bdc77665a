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
          "@A: note: keep a copy of padded in a RAM, with buffered(), or leave out to the host\n");
}
