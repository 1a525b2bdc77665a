#include <doctest/doctest.h>

#include <sstream>

#include "../Regions.h"
#include "hwgen/passes/region/InlineFunc.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

const Expr x = RegionBuilder::x(), y = RegionBuilder::y();

Expr read(const std::string &name, const Expr &x, const Expr &y) { return Halide::Internal::Call::make(Halide::UInt(8), name, {x, y}, Halide::Internal::Call::Halide); }

Expr edge(const Expr &index) { return with_border(Border::Edge, index); }

std::string text(const Expr &e) {
    std::ostringstream out;
    out << e;
    return out.str();
}

/** What the last Func is without f; empty if it cannot be. */
std::string without_f(const RegionBuilder &b) {
    const std::optional<Region> r = inline_func(b.r, "f");
    if (!r) return "";
    CHECK(r->funcs.size() == b.r.funcs.size() - 1);
    return text(r->funcs.back().value);
}

RegionBuilder of(const Expr &f, const Expr &out) {
    RegionBuilder b(32, 16);
    b.input("in").stage("f", f).stage("out", out);
    return b;
}

}  // namespace

TEST_CASE("inline_func: a Func's value is moved to each place where it is read") {
    CHECK(without_f(of(read("in", x - 1, y) ^ read("in", x, y + 2), read("f", x + 1, y) * read("f", x, y - 1))) == text((read("in", x, y) ^ read("in", x + 1, y + 2)) * (read("in", x + (-1), y + (-1)) ^ read("in", x, y + 1))));
    CHECK(without_f(of(read("in", x, y) ^ cast<uint8_t>(x + 3 * y), read("f", x + 1, y))) == text(read("in", x + 1, y) ^ cast<uint8_t>((x + 1) + 3 * y)));
}

TEST_CASE("inline_func: variables may have other names") {
    RegionBuilder b = of(read("in", x - 1, y), read("f", x + 3, y));
    Func &f = b.r.funcs[1];
    f.vars = {"u", "v"};
    f.value = read("in", Halide::Internal::Variable::make(Halide::Int(32), "u") - 1, Halide::Internal::Variable::make(Halide::Int(32), "v"));
    CHECK(without_f(b) == text(read("in", x + 2, y)));
}

TEST_CASE("inline_func: a Param may be called x") {
    const Halide::Param<int32_t> p("x");
    CHECK(without_f(of(read("in", x, y) ^ cast<uint8_t>(p), read("f", x + 1, y))) == text(read("in", x + 1, y) ^ cast<uint8_t>(p)));
}

TEST_CASE("inline_func: a border is the Func's, at other places, or the reader's, of what is read at the Func's own place") {
    CHECK(without_f(of(read("in", edge(x - 1), y), read("f", x + 3, edge(y - 2)))) == text(read("in", edge(x + 2), edge(y - 2))));
    CHECK(without_f(of(read("in", x - 1, y), read("f", edge(x + 3), y))) == "");
    CHECK(without_f(of(read("in", edge(x), y), read("f", edge(x + 3), y))) == "");
    CHECK(without_f(of(read("in", with_border(Border::Edge, x, 0), y), read("f", x + 3, y))) == "");   // where whose domain ends
    CHECK(without_f(of(read("in", x, y), read("f", with_border(Border::Edge, x, 0), y))) == "");
    CHECK(without_f(of(read("in", x, y) ^ cast<uint8_t>(x), read("f", edge(x + 3), y))) == "");   // of which element is x the coordinate?
    CHECK(without_f(of(read("in", x, y) ^ cast<uint8_t>(y), read("f", edge(x + 3), y))) != "");
    CHECK(without_f(of(select(beyond(true, x + 1), read("in", x, y), 0), read("f", x + 2, y))) == text(select(beyond(true, (x + 2) + 1), read("in", x + 2, y), 0)));
}

TEST_CASE("inline_func: at other rates, too") {
    CHECK(without_f(of(read("in", 2 * x + 1, y / 3), read("f", x + 2, y))) == text(read("in", x * 2 + 5, y / 3)));
    CHECK(without_f(of(read("in", x + 1, y), read("f", 2 * x, y))) == text(read("in", x * 2 + 1, y)));
    CHECK(without_f(of(read("in", 2 * x, y) ^ cast<uint8_t>(y), read("f", x, y / 2))) == text(read("in", x * 2, y / 2) ^ cast<uint8_t>(y / 2)));
    CHECK(without_f(of(read("in", 9 * x, y), read("f", 8 * x, y))) == "");              // a step of 72
    CHECK(without_f(of(read("in", edge(x), y), read("f", 2 * x, y))) == "");             // the common domain is that of plain places
    CHECK(without_f(of(select(beyond(true, x), read("in", x, y), 0), read("f", 2 * x, y))) == "");
}

TEST_CASE("inline_func: not in a thousand thousand reads") {
    Expr wide = cast<uint8_t>(0);
    for (int i = 0; i < 200; ++i) wide = wide + read("in", x + i, y);
    Expr wider = cast<uint8_t>(0);
    for (int i = 0; i < 200; ++i) wider = wider + read("f", x, y + i);
    CHECK(without_f(of(wide, read("f", x, y) + read("f", x, y + 1))) != "");
    CHECK(without_f(of(wide, wider)) == "");
}
