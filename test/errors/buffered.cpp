#include <doctest/doctest.h>

#include "Refusal.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** padded -> kept -> out, which reads kept with x and y exchanged. */
struct Transposed {
    Func padded = host_image("padded"), kept{"kept"}, out{"out"};
    Transposed() {
        kept(x, y) = cast<uint8_t>(padded(x, y) + 1);
        out(x, y) = kept(y, x);
    }
    argent::Accelerator with_block(int width = 64, int height = 32) { return argent::accelerate(out, {padded}).block({{x, width}, {y, height}}); }
};

}  // namespace

TEST_CASE("a Func that is read across the scan, and what to do about it") {
    const std::string text = refusal([] {
        Transposed f;
        f.kept.compute_root();
        argent::accelerate(f.out, {f.padded}).block({{x, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): out reads kept(y, x), across the order of the scan\n"
          "@A: note: keep kept in a RAM, buffered(kept), or leave out to the host\n");
}

TEST_CASE("buffered of an input, of an output, of a Func outside") {
    const std::string text = refusal([] {
        Transposed f;
        Func other = host_image("other");
        argent::Accelerator a = f.with_block().buffered(f.kept);
        a.buffered(f.padded); HERE('A');
        a.buffered(f.out); HERE('B');
        a.buffered(other); HERE('C');
        return f.out;
    });
    CHECK(text ==
          "@A: error: buffered(padded): padded is an input, and comes from memory\n"
          "@A: note: define a Func that copies padded, and keep that in a RAM\n"
          "@B: error: buffered(out): out is the output, and goes to memory\n"
          "@B: note: leave it out\n"
          "@C: error: buffered(other): other is not inside this accelerator, from padded to out\n"
          "@C: note: inside are kept and out\n");
}

TEST_CASE("buffered of a Func that is inlined or in line buffers") {
    const std::string text = refusal([] {
        Transposed f;
        argent::Accelerator a = f.with_block().buffered(f.kept); HERE('A');
        a.inlined(f.kept); HERE('B');
        a.linebuffer(f.kept); HERE('C');
        return f.out;
    });
    CHECK(text ==
          "@B: error: inlined(kept): kept has buffered already at @A\n"
          "@B: note: keep one of the two\n"
          "@C: error: linebuffer(kept): kept has buffered already at @A\n"
          "@C: note: keep one of the two\n");
}

TEST_CASE("buffered of constants") {
    const std::string text = refusal([] {
        Transposed f;
        Func curve("curve");
        curve(x) = cast<uint8_t>(x * x / 255);
        f.out = Func("out");
        f.out(x, y) = cast<uint8_t>(f.kept(y, x) + curve(cast<int32_t>(f.kept(x, y))));
        argent::Accelerator a = f.with_block().buffered(f.kept);
        a.buffered(curve); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: buffered(curve): curve holds constants, and is a ROM where it is read at computed places\n"
          "@A: note: leave it out\n");
}

TEST_CASE("buffered of a Func that is read at unbounded places") {
    const std::string text = refusal([] {
        Transposed f;
        Func where = host_image("where", Int(32));
        f.out = Func("out");
        f.out(x, y) = f.kept(where(x, y), y);
        argent::Accelerator a = argent::accelerate(f.out, {f.padded, where}).block({{x, 64}, {y, 32}});
        a.buffered(f.kept); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: buffered(kept): out reads it at unbounded places of x, and a RAM keeps a part that is known before a launch\n"
          "@A: note: bound the index, for example clamp(i, 0, 63), or say kept.bound(x, 0, 64)\n");
}

TEST_CASE("buffered of a Func that one of several outputs reads at unbounded rows") {
    const std::string text = refusal([] {
        Transposed f;
        Func where = host_image("where", Int(32)), other("other"), both("both");
        other(x, y) = f.kept(y, where(x, y));
        both(x, y) = f.out(x, y) + other(x, y);
        argent::Accelerator a = argent::accelerate({f.out, other}, {f.padded, where}).block({{x, 64}, {y, 32}});
        a.buffered(f.kept); HERE('A');
        return both;
    });
    CHECK(text ==
          "@A: error: buffered(kept): other reads it at unbounded places of y, and a RAM keeps a part that is known before a launch\n"
          "@A: note: bound the index, for example clamp(i, 0, 31), or say kept.bound(y, 0, 32)\n");
}

TEST_CASE("buffered of a Func that is larger than the part's memory") {
    const std::string text = refusal([] {
        Transposed f;
        argent::Accelerator a = f.with_block(1920, 1080);
        a.buffered(f.kept); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: buffered(kept): 1080 x 1920 elements of 8 bits take 16200 kbit, and xc7z020clg400-1 has 5040 kbit of block RAM\n"
          "@A: note: give a smaller block, or leave kept to the host\n");
}

TEST_CASE("buffered of a Func that is read so often that it takes too many copies") {
    const std::string text = refusal([] {
        Transposed f;
        f.out = Func("out");
        f.out(x, y) = f.kept(y, x) + f.kept(y + 1, x) + f.kept(y, x + 1);
        argent::Accelerator a = f.with_block(512, 512).throughput(x, 4);
        a.buffered(f.kept); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: buffered(kept): 513 x 513 elements of 8 bits, 5 times for all that is read in a clock, take 10281 kbit, and xc7z020clg400-1 has 5040 kbit of block RAM\n"
          "@A: note: give a smaller block, read it at fewer places, or compute fewer positions a clock\n");
}

TEST_CASE("fifo_depth of what a RAM keeps, for one of several outputs") {
    const std::string text = refusal([] {
        Transposed f;
        Func other("other");
        other(x, y) = f.kept(x, y);
        argent::Accelerator a = argent::accelerate({f.out, other}, {f.padded}).block({{x, 64}, {y, 32}}).buffered(f.kept);
        a.fifo_depth(f.kept, other, 3); HERE('A');
        Func both("both");
        both(x, y) = f.out(x, y) + other(x, y);
        return both;
    });
    CHECK(text ==
          "@A: error: fifo_depth(kept, other, 3): kept is kept in a RAM, whole\n"
          "@A: note: leave it out\n");
}

TEST_CASE("streaming() of an input that is read before a RAM is full and after") {
    const std::string text = refusal([] {
        Transposed f;
        f.out = Func("out");
        f.out(x, y) = f.kept(y, x) + f.padded(x, y);
        argent::Accelerator a = f.with_block().buffered(f.kept);
        a.streaming(); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: streaming(): padded is read both before a RAM is full and after, and a stream comes once\n"
          "@A: note: leave streaming() out, or keep the input in a RAM, too: a Func that copies it, and buffered()\n");
}

TEST_CASE("a table that is read before a RAM is full and after") {
    const std::string text = refusal([] {
        Transposed f;
        Func curve = host_image("curve");
        f.kept = Func("kept"), f.out = Func("out");
        f.kept(x, y) = curve(clamp(cast<int32_t>(f.padded(x, y)), 0, 15), 0);
        f.out(x, y) = curve(clamp(cast<int32_t>(f.kept(y, x)), 0, 15), 0);
        argent::accelerate(f.out, {f.padded, curve}).block({{x, 64}, {y, 32}}).buffered(f.kept); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded, curve}): the table curve is read both before a RAM is full and after, and is loaded for one of the two\n"
          "@A: note: list a copy of curve as another input, and read that after the RAM\n");
}
