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

TEST_CASE("a block Var that is no dimension") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{z, 64}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{z, 64}, {y, 32}}): z is no dimension of out, which has x and y\n"
          "@A: note: name x and y: block({{x, ...}, {y, ...}})\n");
}

TEST_CASE("a block without a dimension") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, 64}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}}): y is missing, a dimension of out\n"
          "@A: note: write block({{x, 64}, {y, ...}})\n");
}

TEST_CASE("a block without any dimension") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({}): x and y are missing, dimensions of out\n"
          "@A: note: write block({{x, ...}, {y, ...}})\n");
}

TEST_CASE("a block with a dimension twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, 64}, {y, 32}, {x, 16}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 64}, {y, 32}, {x, 16}}): x is given twice, as 64 and as 16\n"
          "@A: note: keep one of the two\n");
}

TEST_CASE("an extent of 0") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, 0}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 0}, {y, 32}}): the extent of x is 0, and has to be at least 1\n"
          "@A: note: give the largest extent of x that one launch is to compute\n");
}

TEST_CASE("negative extents") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, -64}, {y, -1}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, -64}, {y, -1}}): the extent of x is -64, and has to be at least 1\n"
          "@A: note: give the largest extent of x that one launch is to compute\n"
          "@A: error: block({{x, -64}, {y, -1}}): the extent of y is -1, and has to be at least 1\n"
          "@A: note: give the largest extent of y that one launch is to compute\n");
}

TEST_CASE("an extent that is too large") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, 70000}, {y, 32}}); HERE('A');
        return f.out;
    });
    CHECK(text ==
          "@A: error: block({{x, 70000}, {y, 32}}): the extent of x is 70000, and at most 65535 is possible\n"
          "@A: note: compute larger images in several launches: tile the consumer of out\n");
}

TEST_CASE("columns first, of images that are stored in rows") {
    const std::string text = refusal([] {
        ImageParam image(UInt(8), 2, "image");
        Func around = BoundaryConditions::repeat_edge(image), out("out");
        out(x, y) = around(x + 1, y);
        argent::accelerate(out, {image}).block({{y, 32}, {x, 64}}); HERE('A');
        return out;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {image}): image is stored with dim(0) before dim(1), and rows along dim(1) have to be together in memory\n"
          "@A: note: write image.dim(0).set_stride(Expr()).dim(1).set_stride(1), or exchange the two in block()\n"
          "@A: error: accelerate(out, {image}): out is stored with dim(0) before dim(1), and rows along dim(1) have to be together in memory\n"
          "@A: note: write out.dim(0).set_stride(Expr()).dim(1).set_stride(1), or exchange the two in block()\n");
}

TEST_CASE("columns first, of Funcs that are stored in rows") {
    const std::string text = refusal([] {
        Filter f;
        argent::accelerate(f.out, {f.padded}).block({{y, 32}, {x, 64}}); HERE('A');
        Func rows("rows");
        rows(x, y) = f.out(x, y);
        return rows;
    });
    CHECK(text ==
          "@A: error: accelerate(out, {padded}): padded is stored with x before y, and rows along y have to be together in memory\n"
          "@A: note: take y in front in padded.reorder_storage(), or exchange the two in block()\n"
          "@A: error: accelerate(out, {padded}): out is stored with x before y, and rows along y have to be together in memory\n"
          "@A: note: take y in front in out.reorder_storage(), or exchange the two in block()\n");
}

TEST_CASE("block twice") {
    const std::string text = refusal([] {
        Filter f;
        argent::Accelerator a = f.accelerate();
        a.block({{x, 64}, {y, 32}}); HERE('A');
        a.block({{x, 16}, {y, 16}}); HERE('B');
        return f.out;
    });
    CHECK(text ==
          "@B: error: block({{x, 16}, {y, 16}}): the block is given already at @A, as {{x, 64}, {y, 32}}\n"
          "@B: note: keep one of the two\n");
}

TEST_CASE("an image that is larger than the block, and not in tiles") {
    Func padded = host_image("padded"), edges("edges");
    edges(x, y) = absd(padded(x, y), padded(x + 1, y));
    argent::accelerate(edges, {padded}).block({{x, 8}, {y, 16}});
    std::string text;
    try {
        argent::realize(edges, {11, 3});
    } catch (const RuntimeError &e) {
        text = e.what();
    }
    CHECK(text.substr(0, text.find('\n')) ==
          "edges: a launch computes 11x3 elements (x, y), the block has at most 8x16; let the host compute the accelerated Func f in tiles of a Func "
          "that reads it, or of a copy: copy(x, y) = f(x, y), copy.tile(x, y, xo, yo, xi, yi, 8, 16), f.compute_at(copy, xo); or give a larger "
          "block({{x, 11}, {y, 16}})");
}
