#include <doctest/doctest.h>

#include "Pieces.h"
#include "dsl/Borders.h"

using namespace Halide;
using argent::dsl::bordered_index;
using argent::hwgen::Border;

namespace {

Var x("x"), y("y");
const Param<int> first{"first"}, extent{"extent"};

/** The index by which Halide's boundary condition reads its Func. */
Expr index_of(Func (*condition)(const Func &, const Region &), const Expr &at) {
    Func f("f");
    f(x) = x;
    const Func bounded = condition(f, {{first, extent}});
    struct Read : Internal::IRVisitor {
        Expr index;
        using Internal::IRVisitor::visit;
        void visit(const Internal::Call *op) override {
            if (op->call_type == Internal::Call::Halide) index = op->args[0];
            Internal::IRVisitor::visit(op);
        }
    } read;
    Internal::substitute_in_all_lets(bounded.function().definition().values()[0]).accept(&read);
    return Internal::substitute(bounded.function().args()[0], at, read.index);
}

}  // namespace

TEST_CASE("borders: the forms of BoundaryConditions, whatever the distance") {
    const std::vector<std::pair<Func (*)(const Func &, const Region &), Border>> forms = {
        {[](const Func &f, const Region &r) { return BoundaryConditions::repeat_edge(f, r); }, Border::Edge},
        {[](const Func &f, const Region &r) { return BoundaryConditions::mirror_image(f, r); }, Border::MirrorImage},
        {[](const Func &f, const Region &r) { return BoundaryConditions::mirror_interior(f, r); }, Border::MirrorInterior}};
    for (const auto &[condition, border] : forms) {
        for (int distance : {0, -1, 3}) {
            const Expr index = index_of(condition, x + distance);
            CAPTURE(index);
            const auto b = bordered_index(index, x.name());
            REQUIRE(b);
            CHECK(int(b->border) == int(border));
            CHECK(Internal::can_prove(b->inner == x + distance));
            CHECK(Internal::can_prove(b->min == first));
            CHECK(Internal::can_prove(b->max == first + extent - 1));
        }
    }
}

TEST_CASE("borders: a clamp, in any order of writing and open on a side") {
    for (const Expr &e : {clamp(x - 1, 0, extent - 1), max(min(extent - 1, x - 1), 0), clamp(x, 1, extent) - 1, clamp(x + 3, 2, 11)}) {
        CAPTURE(Internal::simplify(e));
        CHECK(bordered_index(e, x.name()));
        CHECK(bordered_index(Internal::simplify(e), x.name()));
    }
    const auto open = bordered_index(max(x - 2, 0), x.name());
    REQUIRE(open);
    CHECK(open->min.defined());
    CHECK_FALSE(open->max.defined());
}

TEST_CASE("borders: a clamp whose upper bound wins") {
    const auto ordered = bordered_index(min(max(x - 1, 0), 9), x.name());
    REQUIRE(ordered);
    CHECK(Internal::can_prove(ordered->min == 0));
    const auto numbers = bordered_index(min(max(x - 1, first), extent), x.name());
    REQUIRE(numbers);
    CHECK(Internal::can_prove(numbers->min == min(first, extent)));
    CHECK(Internal::can_prove(numbers->max == extent));
    const ImageParam image(UInt(8), 1);
    const auto of_image = bordered_index(min(max(2 * x, 0), image.width() - 1), x.name());
    REQUIRE(of_image);
    CHECK(Internal::can_prove(of_image->min == 0));   // as by clamp(2 * x, 0, image.width() - 1)
}

TEST_CASE("borders: around other rates") {
    for (const Expr &inner : {2 * x, 2 * x - 1, x / 2, x / 2 - 1 + 2 * (x % 2), (3 * x + 1) / 2, x - x % 2, ((3 * x + 1) / 2 * 2) / 3 + 1, (2 * x + 1) / 3 * 3 / 2}) {
        for (const Expr &e : {clamp(inner, 0, extent - 1), max(min(extent - 1, inner), first), clamp(inner, 0, 15)}) {
            CAPTURE(e);
            const auto b = bordered_index(e, x.name());
            REQUIRE(b);
            CHECK(int(b->border) == int(Border::Edge));
            CHECK(Internal::can_prove(b->inner == inner));
        }
    }
    using Form = Func (*)(const Func &, const Region &);
    const std::vector<std::pair<Border, Form>> forms = {
        {Border::Edge, [](const Func &f, const Region &r) { return BoundaryConditions::repeat_edge(f, r); }},
        {Border::MirrorImage, [](const Func &f, const Region &r) { return BoundaryConditions::mirror_image(f, r); }},
        {Border::MirrorInterior, [](const Func &f, const Region &r) { return BoundaryConditions::mirror_interior(f, r); }},
        {Border::Repeat, [](const Func &f, const Region &r) { return BoundaryConditions::repeat_image(f, r); }}};
    for (const auto &[border, form] : forms) {
        for (const Expr &inner : {2 * x + 3, 2 * x - 1, x / 2, x / 3 + 1, (x - 3) / 2, (x + 5) / 3, ((3 * x + 1) / 2 * 2) / 3 + 1, ((4 * x + 1) / 3 * 3 + 2) / 4}) {
            for (const Expr &index : {index_of(form, inner), Internal::simplify(index_of(form, inner))}) {   // which moves constants
                CAPTURE(index);
                const auto b = bordered_index(index, x.name());
                REQUIRE(b);
                CHECK(int(b->border) == int(border));
                CHECK(Internal::can_prove(b->inner == inner));
            }
        }
    }
}

TEST_CASE("borders: a remainder") {
    for (const Expr &e : {x % extent, (x - first) % extent + first, (x + 3) % 8, (2 * x - 1) % extent}) {
        CAPTURE(e);
        const auto b = bordered_index(e, x.name());
        REQUIRE(b);
        CHECK(int(b->border) == int(Border::Repeat));
    }
    CHECK_FALSE(bordered_index(x % extent + 1 - x % 7, x.name()));
}

TEST_CASE("borders: no index is taken for one that it is not") {
    CHECK_FALSE(bordered_index(x + 1, x.name()));
    CHECK_FALSE(bordered_index(clamp(y, 0, extent - 1), x.name()));
    CHECK_FALSE(bordered_index(clamp(x, 0, extent - 1) + 1 - clamp(x, 0, 7), x.name()));
    CHECK_FALSE(bordered_index(abs(x), x.name()));
}
