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

TEST_CASE("linebuffer of a Func outside") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.linebuffer(f.other); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: linebuffer(other): other is not inside this accelerator, from padded to out\n"
          "@A: note: inside are gained, blurred and out\n");
}

TEST_CASE("inlined of a Func outside") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.other); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: inlined(other): other is not inside this accelerator, from padded to out\n"
          "@A: note: inside are gained, blurred and out\n");
}

TEST_CASE("unroll of a Func outside") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.other, x, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(other, x, 2): other is not inside this accelerator, from padded to out\n"
          "@A: note: inside are gained, blurred and out\n");
}

TEST_CASE("fifo_depth of a Func outside") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.fifo_depth(f.other, f.out, 100); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: fifo_depth(other, out, 100): other is not inside this accelerator, from padded to out\n"
          "@A: note: inside are gained, blurred and out\n");
}

TEST_CASE("inlined input") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.padded); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: inlined(padded): padded is an input, and comes from memory\n"
          "@A: note: leave it out\n");
}

TEST_CASE("inlined output") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.out); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: inlined(out): out is the output, and goes to memory\n"
          "@A: note: leave it out\n");
}

TEST_CASE("output in line buffers") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.linebuffer(f.out); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: linebuffer(out): out is the output, and goes to memory\n"
          "@A: note: leave it out\n");
}

TEST_CASE("linebuffer and inlined") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.linebuffer(f.gained); HERE('A');
        a.inlined(f.gained); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: inlined(gained): gained has linebuffer already at @A\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("inlined and linebuffer") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.gained); HERE('A');
        a.linebuffer(f.gained); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: linebuffer(gained): gained has inlined already at @A\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("unroll of a Var that is no loop") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.blurred, z); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, z): blurred has no loop z, it has x, y, r.x and r.y\n"
          "@A: note: name one of these\n");
}

TEST_CASE("unroll of a part of a window, of a Func with an element every clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.blurred, f.r.x, 2).unroll(f.blurred, f.r.y, 1); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, r.x, 2).unroll(blurred, r.y, 1): blurred has an element every clock, and nothing can be shared in time\n"
          "@A: note: leave it out, or slow the whole accelerator down with throughput(x, 1, 6)\n");
}

TEST_CASE("unroll of a part of a window of a Func that is inlined") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.blurred).unroll(f.blurred, f.r.x, 1); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, r.x, 1): blurred is computed where it is read, with the operators of its readers\n"
          "@A: note: add linebuffer(blurred), or share those of a Func that reads it\n");
}

TEST_CASE("unroll by a negative factor") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.blurred, f.r.x, -1); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, r.x, -1): the factor is -1, and has to be at least 1\n"
          "@A: note: write unroll(blurred, r.x)\n");
}

TEST_CASE("unroll of x by another factor than the throughput") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.throughput(x, 2); HERE('A');
        a.unroll(f.blurred, x, 4); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: unroll(blurred, x, 4): this accelerator computes 2 positions of x per clock\n"
          "@B: note: write throughput(x, 4)\n");
}

TEST_CASE("unroll of x as a whole") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.blurred, x); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, x): x is scanned, and cannot be unrolled as a whole\n"
          "@A: note: write throughput(x, 2) for 2 positions per clock\n");
}

TEST_CASE("unroll of y") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.unroll(f.blurred, y, 2); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: unroll(blurred, y, 2): y is scanned, one row after the other\n"
          "@A: note: leave it out\n");
}

TEST_CASE("fifo_depth that is too small") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.fifo_depth(f.gained, f.out, 4); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: fifo_depth(gained, out, 4) is too small: the path through blurred needs 68\n"
          "@A: note: leave it out, or give at least 68\n");
}

TEST_CASE("fifo_depth that is too small for a window") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block().throughput(x, 2);
        a.fifo_depth(f.gained, f.blurred, 100); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: fifo_depth(gained, blurred, 100) is too small: the window of blurred needs 136\n"
          "@A: note: leave it out, or give at least 136\n");
}

TEST_CASE("fifo_depth of a Func that the other does not read") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.fifo_depth(f.padded, f.out, 100); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: fifo_depth(padded, out, 100): out does not read padded\n"
          "@A: note: padded is read by gained\n");
}

TEST_CASE("fifo_depth of a Func that is no stage") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.gained); HERE('A');
        a.fifo_depth(f.gained, f.out, 100); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: fifo_depth(gained, out, 100): gained is computed where it is read, and holds no elements\n"
          "@B: note: add linebuffer(gained), or leave it out\n");
}

TEST_CASE("reorder() against the order of the block, of loops that are not there") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.reorder(f.blurred, {y, f.r.x, x}); HERE('A');
        a.reorder(f.gained, {x, f.r.x}); HERE('B');
        a.reorder(f.other, {x, y}); HERE('C');
        a.reorder(f.blurred, {f.r.y, x, f.r.x, y});   // what is unrolled has no order
        return f.out;
    });
    CHECK(text ==
          "@A: error: reorder(blurred, {y, r.x, x}): blurred is scanned in the order of the block, x innermost\n"
          "@A: note: leave it out, or write reorder(blurred, {x, y})\n"
          "@B: error: reorder(gained, {x, r.x}): gained has no loop r.x, it has x and y\n"
          "@B: note: name one of these\n"
          "@C: error: reorder(other, {x, y}): other is not inside this accelerator, from padded to out\n"
          "@C: note: inside are gained, blurred and out\n");
}

TEST_CASE("time_share of a Func with an element every clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.time_share(f.blurred, 4); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: time_share(blurred, 4): blurred has an element every clock, and nothing can be shared in time\n"
          "@A: note: leave it out, or slow the whole accelerator down with throughput(x, 1, 4)\n");
}

TEST_CASE("time_share of an input, of what is inlined, of something else, in one clock") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block();
        a.inlined(f.gained);
        a.time_share(f.padded, 4); HERE('A');
        a.time_share(f.gained, 4); HERE('B');
        a.time_share(f.other, 4); HERE('C');
        a.time_share(f.blurred, 1); HERE('D');
        return f.out;
    });
    CHECK(text ==
          "@A: error: time_share(padded, 4): padded is an input, and has no operators\n"
          "@A: note: leave it out\n"
          "@B: error: time_share(gained, 4): gained is computed where it is read, with the operators of its readers\n"
          "@B: note: add linebuffer(gained), or share those of a Func that reads it\n"
          "@C: error: time_share(other, 4): other is not inside this accelerator, from padded to out\n"
          "@C: note: inside are gained, blurred and out\n"
          "@D: error: time_share(blurred, 1): to share an operator takes 2 clocks at least\n"
          "@D: note: write time_share(blurred, 2), or leave it out\n");
}

TEST_CASE("time_share of a Func that is kept, and read where it has no effect") {
    const std::string text = refusal([] {
        Filter f;
        Func out("out");
        out(x, y) = select(Internal::const_false(), cast<uint16_t>(f.blurred(x, y)), f.gained(x, y));
        argent::Accelerator a = argent::accelerate(out, {f.padded}).block({{x, 64}, {y, 32}}).throughput(x, 1, 4);
        a.linebuffer(f.blurred);
        a.time_share(f.blurred, 4); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: time_share(blurred, 4): blurred is read where it has no effect\n"
          "@A: note: leave it out\n");
}

TEST_CASE("time_share, told twice and differently") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block().throughput(x, 1, 8);
        a.unroll(f.blurred, f.r.x, 1);
        a.time_share(f.blurred, 8); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: time_share(blurred, 8): blurred has unroll(blurred, r.x, 1) already\n"
          "@A: note: keep one of the two\n");
}

TEST_CASE("time_share of a Func without operators that are alike") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.with_block().throughput(x, 1, 4);
        a.time_share(f.gained, 4); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: time_share(gained, 4): gained has no two operators that are alike and cost more than choosing between their operands\n"
          "@A: note: leave it out\n");
}

TEST_CASE("streaming(): more inputs than the error register has room for") {
    const std::string text = refusal([] {
        Func out("out");
        std::vector<Func> inputs;
        Halide::Expr sum = Halide::cast<uint16_t>(0);
        for (int i = 0; i < 17; i++) {
            inputs.push_back(host_image("in" + std::to_string(i)));
            sum += Halide::cast<uint16_t>(inputs.back()(x, y));
        }
        out(x, y) = sum;
        argent::Accelerator a = argent::accelerate(out, inputs).block({{x, 64}, {y, 64}});
        a.streaming(); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: streaming(): the inputs are 17 streams, one for each plane, and the error register has room for 16\n"
          "@A: note: leave streaming() out, or compute some of the inputs inside of the accelerator\n");
}
