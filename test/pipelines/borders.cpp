#include <doctest/doctest.h>

#include <array>
#include <random>
#include <tuple>

#include "Compare.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

using Bounded = Func (*)(const ImageParam &);

Func edge(const ImageParam &in) { return BoundaryConditions::repeat_edge(in); }
Func mirror_image(const ImageParam &in) { return BoundaryConditions::mirror_image(in); }
Func mirror_interior(const ImageParam &in) { return BoundaryConditions::mirror_interior(in); }
Func exterior(const ImageParam &in) { return BoundaryConditions::constant_exterior(in, 7); }
Func clamped(const ImageParam &in) {
    Func f("clamped");
    f(x, y) = in(clamp(x, in.dim(0).min(), in.dim(0).max()), max(min(y, in.dim(1).max()), in.dim(1).min()));
    return f;
}

const std::vector<std::pair<const char *, Bounded>> forms = {{"repeat_edge", edge}, {"mirror_image", mirror_image},
    {"mirror_interior", mirror_interior}, {"constant_exterior", exterior}, {"clamp", clamped}};

ImageParam image_of(int width, int height, std::vector<int> min = {0, 0}) {
    ImageParam in(UInt(8), 2, "in");
    Buffer<uint8_t, 2> pixels = noise<uint8_t>(width, height);
    pixels.set_min(min);
    in.set(pixels);
    return in;
}

Func weighted(const Func &f, int radius) {
    Func out("out");
    Expr sum = cast<uint16_t>(0);
    for (int i = -radius; i <= radius; i++) {
        for (int j = -radius; j <= radius; j++) sum += cast<uint16_t>((i + radius) * 3 + j + 7) * f(x + i, y + j);
    }
    out(x, y) = sum;
    return out;
}

/** One stencil over the whole image. */
void whole(Bounded bounded, int width, int height, int radius, int pixels) {
    compare([=] {
        const ImageParam in = image_of(width, height);
        Func out = weighted(bounded(in), radius);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
        return out;
    }, {{width, height}});
}

}  // namespace

TEST_CASE("borders of a 3x3 stencil, from one element up") {
    for (const auto &[name, bounded] : forms) {
        CAPTURE(std::string(name));
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {1, 7}, {9, 1}, {2, 3}, {37, 11}}) whole(bounded, w, h, 1, 1);
    }
}

TEST_CASE("mirrors that are smaller than what they reflect") {
    for (Bounded bounded : {mirror_image, mirror_interior}) {
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {3, 2}, {4, 9}, {23, 5}}) whole(bounded, w, h, 3, 1);
    }
}

TEST_CASE("borders at several positions per clock") {
    for (const auto &[bounded, radius, pixels] : std::vector<std::tuple<Bounded, int, int>>{{edge, 2, 2}, {edge, 4, 4}, {mirror_image, 2, 4}, {exterior, 2, 8}}) {
        CAPTURE(pixels);
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {3, 4}, {29, 6}, {32, 3}}) whole(bounded, w, h, radius, pixels);
    }
}

TEST_CASE("the largest and the smallest of windows, behind any border") {
    const auto extremes = [](Bounded bounded, int width, int height, int pixels) {
        compare([=] {
            const ImageParam in = image_of(width, height);
            const Func f = bounded(in);
            const RDom square(-2, 5, -2, 5), row(-3, 7, 0, 1);
            Func out("out"), around("signed");
            around(x, y) = cast<int16_t>(f(x, y)) * 3 - 300;
            out(x, y) = maximum(f(x + square.x, y + square.y)) - minimum(around(x + row.x, y + row.x));
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        }, {{width, height}});
    };
    for (const auto &[name, bounded] : forms) {
        CAPTURE(std::string(name));
        for (const int pixels : {2, 8}) {
            CAPTURE(pixels);
            for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {3, 4}, {29, 6}}) extremes(bounded, w, h, pixels);
        }
    }
}

TEST_CASE("extremes of random shapes that overlap, where edges are repeated") {
    const auto shapes = [](unsigned seed, int width, int height, int pixels) {
        compare([=] {
            std::mt19937 random(seed);
            const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
            const ImageParam in = image_of(width, height);
            const Func f = edge(in);
            Func around("signed"), out("out");
            around(x, y) = cast<int16_t>(f(x, y)) - 100;
            const bool is_computed = below(2);   // a stage in between
            const auto at = [&](int dx, int dy) { return is_computed ? cast<int32_t>(around(x + dx, y + dy)) : cast<int32_t>(f(x + dx, y + dy)); };
            Expr sum;
            for (int i = 0, shapes = 1 + below(3); i < shapes; ++i) {
                const bool is_largest = below(2), is_nested = below(3) == 0;
                const int density = 1 + below(5);   // 4 and more: whole rows
                Expr all = density < 4 ? at(below(3) - 1, below(5) - 2) : at(0, 0);
                for (int dy = -3; dy <= 3; ++dy) {
                    const int before = below(2) ? 0 : 1 + below(2), behind = density < 4 ? before : below(3);
                    for (int dx = -before; dx <= behind; ++dx) {
                        if (below(4) >= density) continue;
                        Expr value = at(dx, dy);
                        if (is_nested) value = is_largest ? min(value, at(dx, dy + 1)) : max(value, at(dx, dy + 1));
                        all = is_largest ? max(all, value) : min(all, value);
                    }
                }
                sum = sum.defined() ? sum * 3 + all : all;
            }
            out(x, y) = sum;
            out.partition(x, Partition::Never).partition(y, Partition::Never);   // or Halide is long at the CPU code
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        }, {{width, height}});
    };
    for (unsigned seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        const auto [w, h] = std::array<std::pair<int, int>, 3>{{{21, 9}, {5, 2}, {1, 1}}}[seed / 3 % 3];
        shapes(seed, w, h, 1 << seed % 4);
    }
}

TEST_CASE("products of a window with taps that come at run time, behind any border") {
    const auto products = [](Bounded bounded, int width, int height, int pixels) {
        compare([=] {
            const ImageParam in = image_of(width, height);
            ImageParam taps(Int(8), 2, "taps");
            taps.set(noise<int8_t>(4, 5, 3));
            const Func f = bounded(in);
            const RDom r(0, 4, 0, 5);
            Func out("out");
            out(x, y) = sum(cast<int32_t>(f(x + r.x - 1, y + r.y - 3)) * taps(r.x, r.y)) + f(x - 2, y);
            argent::accelerate(out, {in, taps}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
            return out;
        }, {{width, height}});
    };
    for (const auto &[name, bounded] : forms) {
        CAPTURE(std::string(name));
        for (const int pixels : {1, 4}) {
            for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {3, 4}, {29, 9}}) products(bounded, w, h, pixels);
        }
    }
}

TEST_CASE("a border, then a chain of stencils that are computed outside of the image too") {
    for (const auto &[bounded, all] : std::vector<std::pair<Bounded, std::vector<int>>>{{edge, {1, 4}}, {mirror_interior, {2}}, {clamped, {1}}}) {
        for (int pixels : all) {
            CAPTURE(pixels);
            for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {5, 2}, {31, 9}}) {
                compare([=, bounded = bounded, w = w, h = h] {
                    const ImageParam in = image_of(w, h);
                    Func a("a"), b("b"), out("out");
                    const Func f = bounded(in);
                    a(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 1, y);
                    b(x, y) = a(x, y - 1) * 3 + a(x, y + 2);
                    out(x, y) = b(x + 1, y) - b(x - 2, y) + f(x, y);
                    a.compute_root();
                    b.compute_root();
                    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                    return out;
                }, {{w, h}});
            }
        }
    }
}

TEST_CASE("a border between two stages of the region") {
    for (int pixels : {1, 2}) {
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {2, 5}, {33, 7}}) {
            compare([=, w = w, h = h] {
                const ImageParam in = image_of(w, h);
                const Region bounds = {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}};
                Func blur("blur"), out("out");
                const Func f = BoundaryConditions::repeat_edge(in);
                blur(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 1, y + 1);
                const Func g = BoundaryConditions::mirror_interior(blur, bounds);
                out(x, y) = g(x - 1, y - 1) * 3 + g(x + 1, y + 1);
                blur.compute_root();
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            }, {{w, h}});
        }
    }
}

TEST_CASE("a Func without a directive that is read once, beyond a border") {
    for (int pixels : {1, 4}) {
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {2, 5}, {33, 7}}) {
            compare([=, w = w, h = h] {
                const ImageParam in = image_of(w, h);
                const Region bounds = {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}};
                Func right("right"), out("out");
                right(x, y) = cast<uint16_t>(BoundaryConditions::mirror_image(in)(x + 1, y - 1)) * 3;
                out(x, y) = BoundaryConditions::repeat_edge(right, bounds)(x + 2, y + 1) + in(x, y);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            }, {{w, h}});
        }
    }
}

TEST_CASE("a stage that is needed inside of several bounds") {
    for (const auto &[w, h] : std::vector<std::pair<int, int>>{{9, 1}, {2, 3}, {33, 7}}) {
        compare([=, w = w, h = h] {
            const ImageParam in = image_of(w, h);
            const Region image = {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}};
            Func level("level"), once("once"), out("out");
            level(x, y) = cast<uint16_t>(edge(in)(x, y)) * 3;
            once(x, y) = BoundaryConditions::repeat_edge(level, image)(x, y) + 1;
            level.compute_root(), once.compute_root();
            const auto from = [&](int distance) { return clamp(x - 1, in.dim(0).min(), in.dim(0).max()) + distance; };
            out(x, y) = once(from(6), y) + once(from(-2), y) * 5;
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
            return out;
        }, {{w, h}});
    }
}

TEST_CASE("any crop of an image with borders, images with any minimum") {
    for (Bounded bounded : {edge, mirror_image, exterior}) {
        for (const auto &[left, top, w, h] : std::vector<std::array<int, 4>>{{0, 0, 3, 2}, {1, 2, 1, 1}, {5, 3, 7, 4}, {20, 0, 9, 9}, {0, 8, 29, 1}}) {
            compare_at([=] {
                const ImageParam in = image_of(29, 9, {-5, 11});
                Func out = weighted(bounded(in), 2);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                return out;
            }, {left - 5, top + 11}, {{w, h}});
        }
    }
}

TEST_CASE("exteriors that are written by hand, and edges that are asked for from elsewhere") {
    const auto make = [](int form, int pixels, int width, int height) {
        const ImageParam in = image_of(width, height, {-5, 11});
        const Expr left = in.dim(0).min(), right = in.dim(0).max(), top = in.dim(1).min(), bottom = in.dim(1).max();
        const Func all = edge(in);
        Func f("f"), out("out");
        const Expr inside = x >= left && x <= right && y >= top && y <= bottom, read = in(clamp(x, left, right), clamp(y, top, bottom));
        switch (form) {
        case 0: f(x, y) = select(inside, read, cast<uint8_t>(200)); break;
        case 1: f(x, y) = select(!inside, cast<uint8_t>(3), read / 2 + all(x + 1, y)); break;             // one read that matters, one that may not
        case 2: f(x, y) = select(x < left || right < x, cast<uint8_t>(9), read); break;                   // columns only
        case 3: f(x, y) = select(x + 2 > right, all(x - 1, y), select(y - 1 < top, cast<uint8_t>(1), all(x, y - 1))); break;
        case 4: f(x, y) = select(y > bottom || y < top - 1, cast<uint8_t>(0), all(x, y)) + select(inside, all(x, y + 1), mirror_interior(in)(x, y)); break;
        case 5: f(x, y) = select(x == left || right - 1 == x || y == bottom, cast<uint8_t>(5), all(x + 1, y - 1)); break;   // a frame
        default: f(x, y) = select(x < left || y > bottom, cast<uint8_t>(77), all(x + 4, y - 3)); break;   // further than anything is read
        }
        f.compute_root();
        const Expr own = cast<uint16_t>(f(x - 4, y + 3)) * 3;
        out(x, y) = form < 6 ? cast<uint16_t>(f(x - 2, y)) * 3 + f(x, y - 1) + f(x + 3, y + 2) : own;
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
        return out;
    };
    for (int form = 0; form < 7; form++) {
        for (const int pixels : {1 << form % 4, form % 2 ? 1 : 8}) {
            CAPTURE(form);
            CAPTURE(pixels);
            for (const auto &[left, top, w, h] : std::vector<std::array<int, 4>>{{0, 0, 29, 9}, {1, 2, 1, 1}, {8, 4, 11, 3}, {20, 0, 9, 9}, {0, 8, 29, 1}}) {
                compare_at([=] { return make(form, pixels, 29, 9); }, {left - 5, top + 11}, {{w, h}});
            }
            for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {2, 3}, {1, 7}, {5, 1}, {3, 2}}) {   // narrower than what is asked for
                compare_at([=, w = w, h = h] { return make(form, pixels, w, h); }, {-5, 11}, {{w, h}});
            }
        }
    }
}

TEST_CASE("rows that end earlier on the scan than those of the image, from one element up") {
    for (const int reach : {2, 4}) {
        for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {1, 4}, {2, 1}, {2, 3}, {3, 1}, {4, 2}, {5, 3}, {9, 2}}) {
            for (const int left : {0, 1, 3}) {
                CAPTURE(std::to_string(reach) + " of " + std::to_string(w) + "x" + std::to_string(h) + " behind " + std::to_string(left));
                const Make make = [=, w = w, h = h] {
                    const ImageParam in = image_of(w + left + 1, h);
                    const Func f = exterior(in);
                    Func out("out");   // the newest row is read at the output's own column only
                    out(x, y) = cast<uint16_t>(f(x + reach, y)) * 3 + f(x, y + 1);
                    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                    return out;
                };
                compare_at(make, {left, 0}, {{w, h}, {w + 1, h}});
            }
        }
    }
}

TEST_CASE("crops whose outputs end with their images, as what lies behind turns out not to matter") {
    for (const bool is_y : {false, true}) {
        for (const int size : {1, 2, 3}) {
            for (const int behind : {0, 1, 2, 5}) {
                CAPTURE(std::to_string(size) + " of " + std::to_string(size + behind) + (is_y ? " rows" : " columns"));
                const Make make = [=] {
                    const ImageParam in = is_y ? image_of(3, size + behind) : image_of(size + behind, 3);
                    const Func f = edge(in);
                    Func out("out");   // an even number has no lowest bit
                    out(x, y) = f(x, y) + ((f(is_y ? x : x + 4, is_y ? y + 4 : y) * 2) & 1);
                    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
                    return out;
                };
                compare(make, {{is_y ? 3 : size, is_y ? size : 3}});
            }
        }
    }
}

TEST_CASE("crops that see a stage mirrored, and what that reads") {
    for (const Bounded mirror : {mirror_image, mirror_interior}) {
        for (const int left : {0, 2, 4, 5, 6}) {
            const Make make = [=] {
                const ImageParam in = image_of(7, 2);
                const Region image = {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}};
                Func shifted("shifted"), out("out");
                shifted(x, y) = cast<uint16_t>(edge(in)(x - 2, y)) * 3 + edge(in)(x, y + 1);
                shifted.compute_root();
                const Func seen = mirror == &mirror_image ? BoundaryConditions::mirror_image(shifted, image) : BoundaryConditions::mirror_interior(shifted, image);
                out(x, y) = seen(x + 3, y);
                argent::accelerate(out, {in}).block({{x, 8}, {y, 8}});
                return out;
            };
            compare_at(make, {left, 0}, {{1, 1}, {7 - left, 2}});
        }
    }
}

TEST_CASE("crops behind borders of many rows and columns") {
    for (const auto &[across, down] : std::vector<std::array<int, 2>>{{5, 5}, {6, 5}, {5, 7}}) {
        compare_at([=, across = across, down = down] {
            const ImageParam in = image_of(29, 19, {-5, 11});
            const Func f = edge(in);
            Func out("out");
            out(x, y) = cast<uint16_t>(f(x - across, y)) + 3 * cast<uint16_t>(f(x + across, y)) + 5 * cast<uint16_t>(f(x, y - down)) + 7 * cast<uint16_t>(f(x, y + down));
            argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
            return out;
        }, {2, 13}, {{3, 2}, {9, 5}, {20, 3}, {22, 14}});
    }
}

TEST_CASE("crops near the edge that begin in the middle of a vector") {
    for (const int pixels : {4, 8}) {
        for (const auto &[left, w, h] : std::vector<std::array<int, 3>>{{1, 1, 1}, {1, 28, 3}, {2, 5, 9}, {3, 26, 4}}) {
            compare_at([=] {
                const ImageParam in = image_of(29, 9, {-5, 11});
                Func out = weighted(mirror_image(in), 2);
                argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            }, {left - 5, 11}, {{w, h}});
        }
    }
}

TEST_CASE("crops near the edge of planes, of colours side by side and of Tuples") {
    Var c("c");
    const auto in_colour = [=](bool is_interleaved) {
        const ImageParam in = image_of(29, 9);
        const Func f = edge(in);
        Func out("out"), host("host");
        out(x, y, c) = cast<uint16_t>(f(x - 1, y)) * (cast<uint16_t>(c) + 3) + f(x + 2, y + 1);
        host(x, y, c) = out(x, y, c) + 1;
        out.compute_root().bound(c, 0, 3);
        if (is_interleaved) out.reorder_storage(c, x, y);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}, {c, 3}}).unroll(out, c).throughput(x, 4);
        return host;
    };
    for (const bool is_interleaved : {false, true}) {
        compare_at([=] { return in_colour(is_interleaved); }, {1, 0, 0}, {{1, 1, 3}, {26, 9, 3}});
    }
    compare_at([] {
        const ImageParam in = image_of(29, 9);
        const Func f = edge(in);
        Func out("out");
        out(x, y) = Tuple(cast<uint16_t>(f(x - 1, y)) + f(x + 2, y + 1), f(x, y));
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 4);
        return out;
    }, {1, 2}, {{1, 1}, {26, 6}});
}

TEST_CASE("a clamp that is open on one side") {
    compare([] {
        const ImageParam in = image_of(21, 6);
        Func out("out");
        out(x, y) = in(max(x - 2, 0), y) + in(x, min(y + 1, in.dim(1).max())) + in(min(in.dim(0).max(), x + 1), max(0, y - 3));
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{21, 6}});
}

TEST_CASE("a clamp that is written with its upper bound outside") {
    compare([] {
        const ImageParam in = image_of(21, 6);
        Func out("out");
        out(x, y) = in(min(max(x - 2, 0), in.width() - 1), y) - in(clamp(x + 1, 0, in.width() - 1), min(max(0, y + 1), in.height() - 1));
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{21, 6}});
}

TEST_CASE("a border, and the coordinate of one dimension") {
    compare([] {
        const ImageParam in = image_of(13, 7);
        Func bounded = edge(in), out("out");
        out(x, y) = bounded(x - 1, y + 1) + cast<uint8_t>(x);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{13, 7}});
}

TEST_CASE("two inputs that each go on beyond their own edges") {
    for (int pixels : {1, 4}) {
        CAPTURE(pixels);
        for (const std::vector<int> &min : std::vector<std::vector<int>>{{0, 0}, {-9, 3}, {17, -20}}) {
            CAPTURE(min[0]);
            compare_at([=] {
                const ImageParam a = image_of(29, 9, {-5, 11});
                ImageParam b(UInt(8), 2, "b");
                b.set(noise<uint8_t>(13, 21, 2));
                Func out("out");
                const Func f = BoundaryConditions::repeat_edge(a), g = BoundaryConditions::constant_exterior(b, 7);
                out(x, y) = cast<uint16_t>(f(x - 1, y)) + f(x + 2, y + 1) + 3 * cast<uint16_t>(g(x, y - 2)) + g(x + 1, y);
                argent::accelerate(out, {a, b}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                return out;
            }, min, {{1, 1}, {38, 13}});
        }
    }
}

TEST_CASE("an image that is repeated, from one element up, wherever the output is") {
    for (const auto &[w, h] : std::vector<std::pair<int, int>>{{1, 1}, {2, 3}, {29, 9}}) {
        CAPTURE(w);
        for (const std::vector<int> &min : std::vector<std::vector<int>>{{0, 0}, {-5, 11}, {-200, 70}}) {
            CAPTURE(min[0]);
            for (int pixels : {1, 4}) {
                CAPTURE(pixels);
                compare_at([=, w = w, h = h] {
                    const ImageParam in = image_of(w, h, {-5, 11});
                    Func out = weighted(BoundaryConditions::repeat_image(in), 2);
                    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
                    return out;
                }, min, {{1, 1}, {2, 5}, {31, 12}, {64, 32}});
            }
        }
    }
}

TEST_CASE("rows that are repeated by hand, and columns that go on as they are at the edge") {
    compare([] {
        const ImageParam in = image_of(29, 9);
        Func out("out");
        out(x, y) = in(clamp(x - 1, 0, in.dim(0).max()), (y + 1) % 9) + in(clamp(x + 2, 0, in.dim(0).max()), y % 9);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {{1, 1}, {40, 30}});
    compare([] {
        const ImageParam in = image_of(29, 9);
        Func out("out");
        out(x, y) = in((x + 30) % 29, clamp(y - 1, 0, in.dim(1).max())) + in(x % 29, clamp(y, 0, in.dim(1).max()));
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    }, {{1, 1}, {40, 30}});
}

TEST_CASE("an interleaved image that is repeated at one rate, and mirrored at another") {
    compare_at([&] {
        const ImageParam in = coloured_noise(29, 9);
        Func out("out");
        const Func f = BoundaryConditions::repeat_image(in, {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}});
        out(x, y) = cast<uint16_t>(f(x, y, 0)) + 3 * cast<uint16_t>(f(x + 1, y, 1)) + f(x, y + 1, 2);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        return out;
    }, {-5, 7}, {{1, 1}, {40, 12}});
    compare_at([&] {
        const ImageParam in = coloured_noise(29, 9);
        Func out("out");
        const Func f = BoundaryConditions::mirror_image(in, {{in.dim(0).min(), in.dim(0).extent()}, {in.dim(1).min(), in.dim(1).extent()}});
        out(x, y) = cast<uint16_t>(f(2 * x, 2 * y, 0)) + f(2 * x + 1, 2 * y - 1, 1) + f(2 * x, 2 * y + 1, 2);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return out;
    }, {-5, 2}, {{1, 1}, {20, 5}});
}
