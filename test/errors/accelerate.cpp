#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y"), z("z");

}  // namespace

TEST_CASE("an output without definition") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), edges("edges"), out("out");
        argent::accelerate(edges, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        out(x, y) = padded(x, y);
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(edges, {padded}): edges has no definition\n"
          "@A: note: define it before this line, e.g. edges(x, y) = ...\n");
}

TEST_CASE("an input without definition") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mask("mask"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded, mask}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, mask}): the input mask has no definition\n"
          "@A: note: define it before this line, or list what out reads\n");
}

TEST_CASE("no output") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(std::vector<Func>{}, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({}, {padded}): there is no output\n"
          "@A: note: name the Func that the accelerator is to compute\n");
}

TEST_CASE("an output twice") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), lo("lo"), out("out");
        lo(x, y) = min(padded(x, y), padded(x + 1, y));
        out(x, y) = lo(x, y) + lo(x, y + 1);
        argent::accelerate({lo, lo}, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({lo, lo}, {padded}): the output lo is listed twice\n"
          "@A: note: list each Func once\n");
}

TEST_CASE("an input that the host computes from an output") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), lo("lo"), between("between"), hi("hi"), out("out");
        lo(x, y) = min(padded(x, y), padded(x + 1, y));
        between(x, y) = lo(x, y) / 3;
        hi(x, y) = padded(x, y) + between(x, y);
        out(x, y) = hi(x, y) - lo(x, y);
        argent::accelerate({lo, hi}, {padded, between}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({lo, hi}, {padded, between}): the input between is computed from lo, which is an output\n"
          "@A: note: compute between in the accelerator too, or lo in another one\n");
}

TEST_CASE("an output that only another output reads") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), lo("lo"), hi("hi"), out("out");
        lo(x, y) = min(padded(x, y), padded(x + 1, y));
        hi(x, y) = lo(x, y) + lo(x + 1, y);
        out(x, y) = hi(x, y) + 1;
        argent::accelerate({hi, lo}, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({hi, lo}, {padded}): lo is read in the accelerator only\n"
          "@A: note: take it out of the outputs: it need not leave the accelerator\n");
}

TEST_CASE("an output of several whose channels nobody counts, and one that is computed at a loop") {
    const Var c("c");
    std::string text = refusal([&] {
        Func padded = host_image("padded"), lo("lo"), colours("colours"), out("out");
        lo(x, y) = min(padded(x, y), padded(x + 1, y));
        colours(x, y, c) = padded(x, y) + cast<uint8_t>(c);
        out(x, y) = lo(x, y) + colours(x, y, 0);
        argent::accelerate({lo, colours}, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({lo, colours}, {padded}): how many values of c the output colours has is not known\n"
          "@A: note: add colours.bound(c, 0, ...)\n");
    text = refusal([] {
        Func padded = host_image("padded"), lo("lo"), hi("hi"), out("out");
        lo(x, y) = min(padded(x, y), padded(x + 1, y));
        hi(x, y) = max(padded(x, y), padded(x + 1, y));
        out(x, y) = lo(x, y) + hi(x, y);
        hi.compute_at(out, y);
        argent::accelerate({lo, hi}, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate({lo, hi}, {padded}): hi is computed at a loop, and outputs of several Funcs are computed at root\n"
          "@A: note: write hi.compute_root(), or one accelerator for each of lo and hi\n");
}

TEST_CASE("no inputs, though an image is read") {
    ImageParam in(UInt(8), 2, "in");
    const std::string text = refusal([&] {
        Func bright("bright"), out("out");
        bright(x, y) = in(x, y) + 10;
        out(x, y) = bright(x - 1, y) + bright(x + 1, y);
        argent::accelerate(out, {}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {}): there are no inputs, but bright reads in\n"
          "@A: note: write accelerate(out, {in})\n");
}

TEST_CASE("no inputs, and nothing is read") {
    const std::string text = refusal([] {
        Func out("out");
        out(x, y) = x + y;
        argent::accelerate(out, {}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {}): there are no inputs, and out reads no image\n"
          "@A: note: leave out to the host: an accelerator needs at least one image to stream in\n");
}

TEST_CASE("the output among its inputs") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {out}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {out}): out is both the output and an input\n"
          "@A: note: list the Funcs or images that out reads\n");
}

TEST_CASE("an input listed twice") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded, padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, padded}): the input padded is listed twice\n"
          "@A: note: write accelerate(out, {padded})\n");
}

TEST_CASE("an input that does not reach the output") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mask = host_image("mask"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded, mask}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, mask}): the input mask does not reach out\n"
          "@A: note: take it out: accelerate(out, {padded})\n");
}

TEST_CASE("an input that is read to no effect") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mask = host_image("mask"), blurred("blurred"), out("out");
        RDom r(-1, 3, "r");
        r.where(r > 5);
        blurred(x, y) = sum(mask(x + r, y));
        out(x, y) = padded(x, y) + blurred(x, y);
        argent::accelerate(out, {padded, mask}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, mask}): the input mask does not reach out\n"
          "@A: note: blurred reads it where it has no effect: is there a condition that never holds, or a factor of 0?\n"
          "@A: note: take it out: accelerate(out, {padded})\n");
}

TEST_CASE("of two inputs that the user knows by one name, one is read to no effect, as only their values tell") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), mask = host_image("padded"), out("out");
        out(x, y) = padded(x, y) + cast<uint8_t>((cast<int32_t>(mask(x, y)) & 1) * 2 & 1);
        argent::accelerate(out, {padded, mask}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: the input padded does not reach out\n"
          "@A: note: out reads it where it has no effect: is there a condition that never holds, or a factor of 0?\n");
}

TEST_CASE("the only input is read to no effect") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        RDom r(-1, 3, "r");
        r.where(r > 5);
        out(x, y) = sum(padded(x + r, y));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the input padded does not reach out\n"
          "@A: note: out reads it where it has no effect: is there a condition that never holds, or a factor of 0?\n");
}

TEST_CASE("an input behind another input") {
    const std::string text = refusal([] {
        Func raw = host_image("raw"), padded("padded"), out("out");
        padded(x, y) = raw(x, y) + 1;
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded, raw}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, raw}): the input raw does not reach out\n"
          "@A: note: it is read by padded only, which is an input itself and computed by the host\n"
          "@A: note: take it out: accelerate(out, {padded})\n");
}

TEST_CASE("an image that is read in the region and not listed") {
    ImageParam mask(UInt(8), 2, "mask");
    const std::string text = refusal([&] {
        Func padded = host_image("padded"), masked("masked"), out("out");
        masked(x, y) = padded(x, y) & mask(x, y);
        out(x, y) = masked(x - 1, y) + masked(x + 1, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): masked reads the image mask, which is not among the inputs\n"
          "@A: note: write accelerate(out, {padded, mask})\n");
}

TEST_CASE("accelerate twice on a Func") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), edges("edges");
        edges(x, y) = absd(padded(x - 1, y), padded(x + 1, y));
        argent::accelerate(edges, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        argent::accelerate(edges, {padded}).block({{x, 64}, {y, 32}}); HERE('B');
        return edges;
    });
    CHECK(text ==
          "@B: error: accelerate(edges, {padded}): edges is accelerated already at @A\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("a region through another accelerator") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), blurred("blurred"), sharp("sharp");
        blurred(x, y) = padded(x - 1, y) / 2 + padded(x + 1, y) / 2;
        sharp(x, y) = 2 * padded(x, y) - blurred(x, y);
        argent::accelerate(blurred, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        argent::accelerate(sharp, {padded}).block({{x, 64}, {y, 32}}); HERE('B');
        return sharp;
    });
    CHECK(text ==
          "@B: error: accelerate(sharp, {padded}): this region goes through blurred, which is accelerated at @A\n"
          "@B: note: list it as an input: accelerate(sharp, {padded, blurred})\n");
}

TEST_CASE("no block") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y);
        argent::accelerate(out, {padded}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): the block is missing\n"
          "@A: note: add the largest size that one launch is to compute, e.g. .block({{x, 1920}, {y, 1080}})\n");
}
