#include <doctest/doctest.h>

#include "../Regions.h"
#include "hwgen/passes/region/RamReads.h"

using namespace argent::hwgen;
using Halide::Expr;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();
const Halide::Parameter image(Halide::UInt(8), true, 2, "image");

Expr of_image(const char *what) { return Halide::Internal::Variable::make(Halide::Int(32), std::string("image.") + what + ".0", image); }

/** As BoundaryConditions::repeat_image has it. */
Expr repeated(const Expr &i) {
    const Expr lo = of_image("min"), extent = of_image("extent");
    return select(i < lo || i >= lo + extent, (i - lo) % extent + lo, clamp(i, lo, lo + extent - 1));
}

Expr kept_at(const Expr &i, const Expr &j) { return Halide::Internal::Call::make(Halide::UInt(8), "kept", {i, j}, Halide::Internal::Call::Halide); }

/** Of a stage with this value. */
std::vector<Places> places(const Expr &value, int dim) {
    RegionBuilder b(64, 32);
    b.stage("out", value);
    Ram ram;
    ram.of.elements = {{"kept", "kept", Halide::UInt(8)}};
    return places_in(b.r.funcs[0], ram, dim);
}

}  // namespace

TEST_CASE("places_in: indices that are one, moved, are told together") {
    const std::vector<Places> stencil = places(kept_at(repeated(x - 2), y + 1) + kept_at(repeated(x + 5), y + 3) + kept_at(repeated(x), y - 1), 0);
    REQUIRE(stencil.size() == 1);
    CHECK(stencil[0].var == "x");
    CHECK(stencil[0].first == -2);
    CHECK(stencil[0].last == 5);
    CHECK(Halide::Internal::equal(stencil[0].index, Halide::Internal::simplify(repeated(x))));
    const std::vector<Places> transposed = places(kept_at(y + 3, x) + kept_at(y - 1, x), 0);
    REQUIRE(transposed.size() == 1);
    CHECK(transposed[0].var == "y");
    CHECK(transposed[0].first == -1);
    CHECK(transposed[0].last == 3);
    CHECK(places(kept_at(x + 1, y) + kept_at(2 * x + 1, y) + kept_at(repeated(x), y) + kept_at(7, y), 0).size() == 4);
    CHECK(places(x + y, 0).empty());
    // Mirrored at 0, x - 9 and x + 9 may be one place, and not all from 0 on; and so may be x - 9 and x + 9 of 18.
    const auto mirrored = [](const Expr &i) { return select(i < 0, -i, i); };
    CHECK(places(kept_at(mirrored(x - 9), y) + kept_at(mirrored(x + 9), y), 0).size() == 2);
    CHECK(places(kept_at((x - 9) % 18, y) + kept_at((x + 9) % 18, y), 0).size() == 2);
}

TEST_CASE("bounds_of: all that is read of a repeated image, and no more where it is not repeated") {
    const std::vector<Places> all = places(kept_at(repeated(x - 2), y) + kept_at(repeated(x + 3), y) + kept_at(repeated(x), y), 0);
    REQUIRE(all.size() == 1);
    const RegionBuilder b(64, 32);
    for (int first = 5; first < 35; first++) {
        for (int last : {first, first + 4, first + 22}) {
            const Halide::Internal::Interval bounds = bounds_of(all[0], {{"x", {first, last}}, {"y", {0, 3}}}, b.r, Graph());
            const auto value = [](const Expr &e) {
                const std::map<std::string, Expr> sizes = {{"image.min.0", 10}, {"image.extent.0", 20}};
                return int(*Halide::Internal::as_const_int(Halide::Internal::simplify(substitute(sizes, substitute_in_all_lets(e)))));
            };
            const bool is_inside = first - 2 >= 10 && last + 3 <= 29;
            CAPTURE(first);
            CAPTURE(last);
            CHECK(value(bounds.min) == (is_inside ? first - 2 : 10));
            CHECK(value(bounds.max) == (is_inside ? last + 3 : 29));
        }
    }
}
