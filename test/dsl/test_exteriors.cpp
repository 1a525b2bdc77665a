#include <doctest/doctest.h>

#include <sstream>

#include "dsl/Exteriors.h"

using namespace Halide;

namespace {

Var x("x"), y("y");
const Param<int> first{"first"}, extent{"extent"};

/** What is left of `value` where the domain is first .. first + extent - 1 along x, and 0 .. 99 along y. */
std::string told(const Expr &value, const Expr &lo = first, const Expr &hi = first + extent - 1) {
    argent::hwgen::Region r;
    r.borders = {{lo, hi}, {0, 99}};
    argent::hwgen::Func f;
    f.vars = {x.name(), y.name()};
    f.value = value;
    r.funcs.push_back(f);
    argent::dsl::tell_exteriors(r);
    std::ostringstream text;
    text << r.funcs[0].value;
    return text.str();
}

}  // namespace

TEST_CASE("tell_exteriors: comparisons with the edges, from either side") {
    CHECK(told(x < first) == "(uint1)argent_is_in_front(x + 0)");
    CHECK(told(first > x) == "(uint1)argent_is_in_front(x + 0)");
    CHECK(told(x + 2 <= first) == "(uint1)argent_is_in_front(x + 1)");
    CHECK(told(x >= first) == "!(uint1)argent_is_in_front(x + 0)");
    CHECK(told(first <= x + 1) == "!(uint1)argent_is_in_front(x + 1)");
    CHECK(told(x >= first + extent) == "(uint1)argent_is_behind(x + 0)");
    CHECK(told(x - 1 > first + extent - 1) == "(uint1)argent_is_behind(x + -1)");
    CHECK(told(x < first + extent) == "!(uint1)argent_is_behind(x + 0)");
    CHECK(told(extent + first - 1 >= x) == "!(uint1)argent_is_behind(x + 0)");
    CHECK(told(y < 0 || y > 99) == "((uint1)argent_is_in_front(y + 0) || (uint1)argent_is_behind(y + 0))");
    CHECK(told(x <= first) == "(uint1)argent_is_in_front(x + -1)");   // and the first column
    CHECK(told(x < first + extent - 2) == "!(uint1)argent_is_behind(x + 2)");
    CHECK(told(x == first) == "((uint1)argent_is_in_front(x + -1) && !(uint1)argent_is_in_front(x + 0))");
    CHECK(told(x + 1 != first + extent) == "!(!(uint1)argent_is_behind(x + 0) && !!(uint1)argent_is_behind(x + 1))");
    CHECK(told(y >= 102) == "(uint1)argent_is_behind(y + -2)");
}

TEST_CASE("tell_exteriors: what is no edge stays") {
    const std::vector<Expr> others = {x < first + 9,          // far inside of the domain
                                      x < extent, y < 50, x == first + 9, x < y,
                                      y < -100,               // launches would scan as far
                                      x * 2 < first, cast<int16_t>(x) < 0};
    for (const Expr &e : others) {
        std::ostringstream before;
        before << e;
        CHECK(told(e) == before.str());
    }
    CHECK(told(x < first, Int(32).min(), Int(32).max()) == "(x < first)");   // no domain
    CHECK(told(x < first, Expr(), Expr()) == "(x < first)");
}
