#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z");

/** padded -> gained -> blurred -> out, and gained -> out. RVars r.x, r.y of 3 values each. */
struct Filter {
    Func padded = host_image("padded"), gained{"gained"}, blurred{"blurred"}, out{"out"}, other = host_image("other");
    RDom r{-1, 3, -1, 3, "r"};
    Filter() {
        gained(x, y) = cast<uint16_t>(padded(x, y)) * padded(x, y);
        blurred(x, y) = cast<uint32_t>(0);
        blurred(x, y) += cast<uint32_t>(gained(x + r.x, y + r.y));
        out(x, y) = blurred(x, y) / 9 + gained(x, y);
        blurred.compute_root();
        gained.compute_root();
    }
    argent::Accelerator accelerate() { return argent::accelerate(out, {padded}); }
    argent::Accelerator with_block() { return accelerate().block({{x, 64}, {y, 32}}); }
};

}  // namespace

TEST_CASE("7 positions per clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 7); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 7): 7 positions per clock are not possible\n"
          "@A: note: write throughput(x, 8), or one of 1, 2, 4, 8, 16 and 32\n");
}

TEST_CASE("0 positions per clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 0); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 0): 0 positions per clock are not possible\n"
          "@A: note: write throughput(x, 1), or one of 1, 2, 4, 8, 16 and 32\n");
}

TEST_CASE("-1 positions per clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, -1); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, -1): -1 positions per clock are not possible\n"
          "@A: note: write throughput(x, 1), or one of 1, 2, 4, 8, 16 and 32\n");
}

TEST_CASE("64 positions per clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 64); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 64): 64 positions per clock are not possible\n"
          "@A: note: write throughput(x, 32), or one of 1, 2, 4, 8, 16 and 32\n");
}

TEST_CASE("throughput along y") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(y, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(y, 2): positions are not counted along y, but along x\n"
          "@A: note: write throughput(x, 2)\n");
}

TEST_CASE("throughput along no dimension") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(z, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(z, 2): z is no dimension of out, which has x and y\n"
          "@A: note: write throughput(x, 2)\n");
}

TEST_CASE("one position per 0 clocks") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 1, 0); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 1, 0): one position per 0 clocks is not possible\n"
          "@A: note: give at least 1 clock\n");
}

TEST_CASE("2 positions per 3 clocks") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 2, 3); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: throughput(x, 2, 3): 2 positions per 3 clocks are not possible\n"
          "@A: note: write throughput(x, 2), or throughput(x, 1, n) for one position per n clocks\n");
}

TEST_CASE("throughput twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 2); HERE('A');
        a.throughput(x, 4); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: throughput(x, 4): the throughput is given already at @A, as throughput(x, 2)\n"
          "@B: note: keep one of the two\n");
}
