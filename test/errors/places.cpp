// Where a Func is read: places that neither windows nor tables have.
#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

}  // namespace

TEST_CASE("a distance that depends on a Param") {
    Param<int> shift("shift", 2);
    const std::string text = refusal([&] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x + shift, y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x + shift, y), a distance that depends on the Param shift\n"
          "@A: note: read at constant distances and choose with select or mux, keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host "
          "computes it\n");
}

TEST_CASE("a place that depends on data") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), disp = host_image("disp"), moved("moved"), out("out");
        moved(x, y) = padded(x + disp(x, y), y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded, disp}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, disp}): moved reads padded(x + int32(disp(x, y)), y), a place that depends on the data of disp\n"
          "@A: note: only tables are read at computed places, inputs of at most 65536 places by their bounds that are not read with the scan: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("a place that depends on the data of an image, by the name that the user gave") {
    const std::string text = refusal([] {
        ImageParam in(UInt(8), 2, "in");
        Func out("out");
        out(x, y) = in(in(x, y), y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(int32(in(x, y)), y), a place that depends on the data of in\n"
          "@A: note: only tables are read at computed places, inputs of at most 65536 places by their bounds that are not read with the scan: keep a copy of in in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("a border that ends where an element of a table says") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        ImageParam ends(Int(32), 1, "ends");
        ends.dim(0).set_bounds(0, 4);
        out(x, y) = padded(clamp(x, 0, ends(1)), y);
        argent::accelerate(out, {padded, ends}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, ends}): out reads padded(max(min(ends_1, x), 0), y), and where a border ends may depend on Params and bounds of images, "
          "not on element (1) of ends\n"
          "@A: note: pass that number as a Param\n");
}

TEST_CASE("a row that is the same for all rows, written as a border") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, clamp(y, 0, 0));
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads padded(x, max(min(y, 0), 0)), which does not move with y\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("a rate beyond what is possible") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x * 100, y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x*100, y), and rates from 1/64 to 64 are possible\n"
          "@A: note: list moved as an input and the host computes it\n");
}

TEST_CASE("a rate beyond what is possible, upwards") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x, y / 100);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x, y/100), and rates from 1/64 to 64 are possible\n"
          "@A: note: list moved as an input and the host computes it\n");
}

TEST_CASE("x and y exchanged") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(y, x);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(y, x), across the order of the scan\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("a row that stands still") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x, 10);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x, 10), which does not move with y\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("a square") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x * x, y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x*x, y), and x*x does not follow x at a constant rate\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("an image is called by the user's name") {
    ImageParam photo(UInt(8), 2, "photo");
    const std::string text = refusal([&] {
        Func out("out");
        out(x, y) = photo(x * x, y);
        argent::accelerate(out, {photo}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {photo}): out reads photo(x*x, y), and x*x does not follow x at a constant rate\n"
          "@A: note: keep a copy of photo in a RAM, with buffered(), or leave out to the host\n");
}

TEST_CASE("a diagonal") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x + y, y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x + y, y), and x + y does not follow x at a constant rate\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("a place that is squared") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), moved("moved"), out("out");
        moved(x, y) = padded(x, y * y);
        out(x, y) = moved(x - 1, y) + moved(x + 1, y);
        moved.compute_root();
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): moved reads padded(x, y*y), and y*y does not follow y at a constant rate\n"
          "@A: note: keep a copy of padded in a RAM, with buffered(), or list moved as an input and the host computes it\n");
}

TEST_CASE("a bad read by the output itself") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x * 100, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads padded(x*100, y), and rates from 1/64 to 64 are possible\n"
          "@A: note: leave out to the host\n");
}

TEST_CASE("a place that depends on the size of an image, and is no border") {
    const std::string text = refusal([] {
        ImageParam in(UInt(8), 2, "in");
        Func out("out");
        out(x, y) = in(x + in.width() / 2, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {in}): out reads in(x + (in.extent.0/2), y), a distance that depends on in.extent.0\n"
          "@A: note: borders are repeat_edge, mirror_image, mirror_interior, repeat_image, constant_exterior and clamp; for other places keep a copy of in in a RAM, with "
          "buffered(), or leave out to the host\n");
}

TEST_CASE("a sum that is no window is listed by the Func that has it") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), total("total"), out("out");
        RDom r(0, 3);
        total(x, y) = sum(cast<uint16_t>(padded(x * x + r, y)));
        out(x, y) = cast<uint8_t>(total(x, y) / 3);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text.find("list total as an input and the host computes it") != std::string::npos);
}

TEST_CASE("a read from far away") {
    const std::string text = refusal([] {
        Func padded = host_image("padded"), out("out");
        out(x, y) = padded(x, y) + padded(x + 70000, y);
        argent::accelerate(out, {padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads padded(x + 70000, y), and distances of at most 65535 are possible\n"
          "@A: note: leave out to the host\n");
}
