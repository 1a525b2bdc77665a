#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z");

}  // namespace

TEST_CASE("two accelerators of one name") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), left("left"), right("right"), out("out");
        left(x, y) = padded(x - 1, y) + 1;
        right(x, y) = padded(x + 1, y) + 2;
        out(x, y) = left(x, y) + right(x, y);
        argent::Accelerator a = argent::accelerate(left, {padded}).block({{x, 64}, {y, 32}});
        argent::Accelerator b = argent::accelerate(right, {padded}).block({{x, 64}, {y, 32}});
        a.name("edges"); HERE('A');
        b.name("edges"); HERE('B');
        return out;
    });
    CHECK(text ==
          "@B: error: name(\"edges\"): the accelerator of left has this name already, given at @A\n"
          "@B: note: take another name\n");
}

TEST_CASE("several mistakes in one go") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mask = host_image("mask"), half("half"), out("out"), other = host_image("other");
        half(x, y) = padded(x * 100, y);
        out(x, y) = half(x - 1, y) + half(x + 1, y);
        half.compute_root();
        argent::Accelerator a = argent::accelerate(out, {padded, mask}); HERE('A');
        a.throughput(x, 7); HERE('B');
        a.block({{x, 64}, {y, 0}}); HERE('C');
        a.linebuffer(other); HERE('D');
        a.board("pynq-z3").clock(-1); HERE('E');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, mask}): the input mask does not reach out\n"
          "@A: note: take it out: accelerate(out, {padded})\n"
          "@A: error: accelerate(out, {padded, mask}): half reads padded(x*100, y), and rates from 1/64 to 64 are possible\n"
          "@A: note: list half as an input and the host computes it\n"
          "@B: error: throughput(x, 7): 7 positions per clock are not possible\n"
          "@B: note: write throughput(x, 8), or one of 1, 2, 4, 8, 16 and 32\n"
          "@C: error: block({{x, 64}, {y, 0}}): the extent of y is 0, and has to be at least 1\n"
          "@C: note: give the largest extent of y that one launch is to compute\n"
          "@D: error: linebuffer(other): other is not inside this accelerator, from padded to out\n"
          "@D: note: inside are half and out\n"
          "@E: error: board(\"pynq-z3\"): there is no board of this name\n"
          "@E: note: there are pynq-z2, ulx3s and zcu104\n"
          "@E: error: clock(-1): the clock has to be above 0 MHz\n"
          "@E: note: leave it out for the board's 150 MHz\n");
}

TEST_CASE("mistakes in two accelerators of one pipeline") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), first("first"), second("second");
        first(x, y) = padded(x, y / 100);
        second(x, y) = first(x - 1, y) + first(x + 1, y);
        argent::accelerate(first, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        argent::accelerate(second, {first}); HERE('B');
        return second;
    });
    CHECK(text ==
          "@A: error: accelerate(first, {padded}): first reads padded(x, y/100), and rates from 1/64 to 64 are possible\n"
          "@A: note: leave first to the host\n"
          "@B: error: accelerate(second, {first}): the block is missing\n"
          "@B: note: add the largest size that one launch is to compute, e.g. .block({{x, 1920}, {y, 1080}})\n");
}

TEST_CASE("each call of a chain is named by its own line") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x - 1, y) + padded(x + 1, y);
        argent::accelerate(out, {padded})
            .block({{(HERE('A'), x), 64}, {z, 32}})
            .throughput((HERE('B'), x), 3)
            .clock((HERE('C'), -1));
        return out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}, {z, 32}}): z is no dimension of out, which has x and y\n"
          "@A: note: name x and y: block({{x, ...}, {y, ...}})\n"
          "@B: error: throughput(x, 3): 3 positions per clock are not possible\n"
          "@B: note: write throughput(x, 4), or one of 1, 2, 4, 8, 16 and 32\n"
          "@C: error: clock(-1): the clock has to be above 0 MHz\n"
          "@C: note: leave it out for the board's 150 MHz\n");
}

TEST_CASE("realize where nothing is accelerated") {
    const std::string text = refusal_of([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        HERE('A'); argent::realize(out, {16, 8});
    });
    CHECK(text ==
          "@A: error: realize(out, {16, 8}): nothing that out needs is accelerated\n"
          "@A: note: call accelerate() on out or on a Func that it reads\n");
}

TEST_CASE("realize with a size too few") {
    const std::string text = refusal_of([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        HERE('A'); argent::realize(out, {16});
    });
    CHECK(text ==
          "@A: error: realize(out, {16}): 1 size is given, and out has 2 dimensions\n"
          "@A: note: give the extents of x and y\n");
}

TEST_CASE("realize on a device of no kind that there is") {
    const std::string text = refusal_of([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}});
        HERE('A'); argent::realize(out, {16, 8}, "foo:");
    });
    CHECK(text ==
          "@A: error: realize(out, {16, 8}, \"foo:\"): there is no backend for foo:\n"
          "@A: note: there is sim:\n");
}

TEST_CASE("after a refusal, the next pipeline knows nothing of it") {
    const std::string first = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).throughput(x, 7); HERE('A');
        return out;
    });
    CHECK(first ==
          "@A: error: throughput(x, 7): 7 positions per clock are not possible\n"
          "@A: note: write throughput(x, 8), or one of 1, 2, 4, 8, 16 and 32\n");
    const std::string second = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded}); HERE('A');
        return out;
    });
    CHECK(second ==
          "@A: error: accelerate(out, {padded}): the block is missing\n"
          "@A: note: add the largest size that one launch is to compute, e.g. .block({{x, 1920}, {y, 1080}})\n");
}

TEST_CASE("two accelerated Funcs of one name") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), left("edges"), right("edges"), out("out");
        left(x, y) = padded(x - 1, y) + 1;
        right(x, y) = padded(x + 1, y) + 2;
        out(x, y) = left(x, y) + right(x, y);
        argent::accelerate(left, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        argent::accelerate(right, {padded}).block({{x, 64}, {y, 32}}); HERE('B');
        return out;
    });
    CHECK(text ==
          "@B: error: accelerate(edges, {padded}): the accelerator at @A has a module out_edges too\n"
          "@B: note: tell them apart with .name(\"...\")\n");
}

TEST_CASE("a stage's module and another accelerator of one name") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), a("a"), b("b"), a_b("a_b"), out("out");
        b(x, y) = padded(x, y) + 1;
        a(x, y) = b(x, y) + b(x + 1, y);
        a_b(x, y) = padded(x, y) * 3;
        out(x, y) = a(x, y) + a_b(x, y);
        argent::accelerate(a, {padded}).block({{x, 64}, {y, 32}}).linebuffer(b); HERE('A');
        argent::accelerate(a_b, {padded}).block({{x, 64}, {y, 32}}); HERE('B');
        return out;
    });
    CHECK(text ==
          "@B: error: accelerate(a_b, {padded}): the accelerator at @A has a module out_a_b too\n"
          "@B: note: tell them apart with .name(\"...\")\n");
}
