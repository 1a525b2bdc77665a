#include <doctest/doctest.h>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** A window, a deep path and a short one; `directives` adds to the accelerator. */
void compare_with(const std::function<void(argent::Accelerator &, Func &gained, Func &blurred, Func &out)> &directives) {
    compare(
        [&] {
            Func padded = padded_noise<uint8_t>("padded"), gained("gained"), blurred("blurred"), out("out");
            RDom r(-1, 3, -1, 3, "r");
            gained(x, y) = cast<uint16_t>(padded(x, y)) * padded(x, y);
            blurred(x, y) = cast<uint32_t>(0);
            blurred(x, y) += cast<uint32_t>(gained(x + r.x, y + r.y));
            out(x, y) = cast<uint16_t>(blurred(x, y) / 9) ^ gained(x, y);
            argent::Accelerator accelerator = argent::accelerate(out, {padded});
            accelerator.block({{x, 64}, {y, 32}});
            directives(accelerator, gained, blurred, out);
            return out;
        },
        {{1, 1}, {37, 11}});
}

}  // namespace

TEST_CASE("linebuffer") {
    compare_with([](argent::Accelerator &a, Func &gained, Func &blurred, Func &) { a.linebuffer(gained).linebuffer(blurred); });
}

TEST_CASE("inlined, also where a compute level says otherwise") {
    compare_with([](argent::Accelerator &a, Func &gained, Func &blurred, Func &) {
        gained.compute_root();
        a.inlined(gained).inlined(blurred).throughput(x, 2);
    });
}

TEST_CASE("linebuffer of an input") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), out("out");
        out(x, y) = padded(x - 1, y) + padded(x, y + 1);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}).linebuffer(padded);
        return out;
    });
}

TEST_CASE("unroll of a window's loops, and of a Var as far as the throughput goes") {
    compare([] {
        Func padded = padded_noise<uint8_t>("padded"), acc("acc"), out("out");
        RDom r(0, 3, 0, 2, "r");
        acc(x, y) = cast<uint16_t>(0);
        acc(x, y) += cast<uint16_t>(padded(x + r.x, y + r.y));
        out(x, y) = acc(x, y);
        argent::accelerate(out, {padded})
            .block({{x, 64}, {y, 32}})
            .throughput(x, 2)
            .unroll(acc, r.x)
            .unroll(acc, r.y, 2)
            .unroll(out, x, 2);
        return out;
    });
}

TEST_CASE("fifo_depth above what is needed") {
    compare_with([](argent::Accelerator &a, Func &gained, Func &blurred, Func &out) {
        a.linebuffer(gained).linebuffer(blurred).fifo_depth(gained, out, 500);
    });
}

TEST_CASE("name, board and clock") {
    compare_with([](argent::Accelerator &a, Func &, Func &, Func &) { a.name("my_filter").board("zcu104").clock(250); });
    compare_with([](argent::Accelerator &a, Func &, Func &, Func &) { a.name("slow").board("ulx3s").clock(25).throughput(x, 2); });
}
