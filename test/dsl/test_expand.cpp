#include <doctest/doctest.h>

#include "Pieces.h"
#include "dsl/Expand.h"

using namespace Halide;
using namespace Halide::Internal;
using namespace argent::test;

namespace {

Var x("x"), y("y"), i("i"), j("j");

argent::dsl::Env env_of(const Func &f) {
    auto env = wrap_func_calls(build_environment({f.function()}));
    for (auto &[name, function] : env) function.lock_loop_levels();
    return env;
}

argent::dsl::Expander::Context context(const Func &f) {
    return {{"expand.cpp", 3}, "accelerate(" + f.name() + ", {source})", {f.name()}, [](const std::string &) { return std::string(); }};
}

/** Puts numbers in place of reads of source(). */
class ReadSource : public IRGraphMutator {
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide) return IRGraphMutator::visit(op);
        REQUIRE(op->args.size() == 2);
        const Expr ex = simplify(mutate(op->args[0])), ey = simplify(mutate(op->args[1]));
        REQUIRE(is_const(ex));
        REQUIRE(is_const(ey));
        return simplify(cast(op->type, ex * 7 + ey * 13 + ex * ey));
    }
};

/** The expanded value of `f` at a place, as a number. */
int64_t value_at(const Func &f, const Expr &value, int px, int py) {
    Expr e = substitute({{f.args()[0].name(), Expr(px)}, {f.args()[1].name(), Expr(py)}}, value);
    e = simplify(ReadSource().mutate(e));
    if (const auto n = as_const_int(e)) return *n;
    if (const auto n = as_const_uint(e)) return static_cast<int64_t>(*n);
    FAIL("not a number: ", e);
    return 0;
}

/** Expands `f` down to `source` and compares a few elements with what Halide computes. Returns the value. */
Expr check_expanded(Func f, const std::string &source) {
    const argent::dsl::Env env = env_of(f);
    argent::Diagnostics diagnostics;
    argent::dsl::Expander expander(env, {source}, context(f), diagnostics);
    const std::vector<Expr> values = expander.values(env.at(f.name()));
    for (const argent::Diagnostic &d : diagnostics.all()) FAIL_CHECK(to_string(d));
    REQUIRE(values.size() == 1);

    Func wide(f.name() + "_wide");
    wide(x, y) = cast<int64_t>(f(x, y));
    Buffer<int64_t> expected(5, 4);
    expected.set_min(-2, 3);
    wide.realize(expected, strict());
    expected.for_each_element([&](int px, int py) { CHECK(value_at(f, values[0], px, py) == expected(px, py)); });
    return values[0];
}

std::string refusal(const Func &f, const std::string &source) {
    const argent::dsl::Env env = env_of(f);
    argent::Diagnostics diagnostics;
    argent::dsl::Expander expander(env, {source}, context(f), diagnostics);
    CHECK(expander.values(env.at(f.name())).empty());
    std::string text;
    for (const argent::Diagnostic &d : diagnostics.all()) text += to_string(d);
    return text;
}

/** Distinct reads of a Func. */
int reads(const Expr &e) {
    struct Count : IRGraphVisitor {
        std::set<std::string> seen;
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type == Call::Halide) seen.insert((std::ostringstream() << Expr(op)).str());
        }
    } count;
    e.accept(&count);
    return static_cast<int>(count.seen.size());
}

}  // namespace

TEST_CASE("expand: what is inlined by default, through several Funcs") {
    Func in = source(), a("a"), b("b"), out("out");
    a(x, y) = in(x + 1, y) - in(x - 1, y);
    b(i, j) = a(i, j + 1) + a(i, j);
    out(x, y) = b(x + 2, y) * b(x, y);
    CHECK(reads(check_expanded(out, in.name())) == 6);   // columns -1, 1 and 3 of two rows
}

TEST_CASE("expand: a stop stays as it is") {
    Func in = source(), out("out");
    out(x, y) = in(x, y);
    const Expr value = check_expanded(out, in.name());
    const Call *call = value.as<Call>();
    REQUIRE(call);
    CHECK(call->name == in.name());
}

TEST_CASE("expand: sums are unrolled, in any of their forms") {
    Func in = source(), out("out"), acc("acc");
    RDom r(-1, 3, 0, 2, "r");
    acc(x, y) = cast<uint16_t>(7);
    acc(x, y) += cast<uint16_t>(in(x + r.x, y + r.y)) * cast<uint16_t>(r.x + 5);
    acc(x, y) = acc(x, y) ^ cast<uint16_t>(in(x, y));
    out(x, y) = acc(x, y) + sum(cast<uint16_t>(in(x + r.x, y - r.y))) + maximum(in(x + r.x, y));
    CHECK(reads(check_expanded(out, in.name())) == 9);
}

TEST_CASE("expand: where() of constants, places and data") {
    Func in = source(), out("out");
    RDom disc(-2, 5, -2, 5, "disc"), odd(0, 3, "odd"), light(0, 3, "light");
    disc.where(disc.x * disc.x + disc.y * disc.y <= 4);
    odd.where((x + odd) % 2 == 1);
    light.where(in(x + light, y) > 100);
    out(x, y) = sum(cast<uint32_t>(in(x + disc.x, y + disc.y)));
    CHECK(reads(check_expanded(out, in.name())) == 13);
    Func other("other");
    other(x, y) = cast<uint32_t>(0);
    other(x, y) += cast<uint32_t>(in(x + odd, y));
    other(x, y) = other(x, y) * 3 + cast<uint32_t>(in(x + light, y));
    check_expanded(other, in.name());
}

TEST_CASE("expand: the order of an update that does not commute is Halide's") {
    Func in = source(), out("out");
    RDom r(0, 3, 0, 2, "r");
    out(x, y) = cast<uint32_t>(1);
    out(x, y) = out(x, y) * 5 + cast<uint32_t>(in(x + r.x, y + r.y)) + cast<uint32_t>(r.y * 100 + r.x);
    check_expanded(out, in.name());
}

TEST_CASE("expand: Funcs of constants become numbers, updates included") {
    Func in = source(), pascal("pascal"), out("out");
    RDom build(1, 4, "build"), r(0, 5, "r");
    pascal(i) = 1;
    pascal(build) = pascal(build - 1) * (5 - build) / build;
    out(x, y) = sum(cast<int32_t>(in(x + r - 2, y)) * pascal(r));
    CHECK(reads(check_expanded(out, in.name())) == 5);
}

TEST_CASE("expand: constants whose difference overflows can be compared") {
    Func in = source("source"), k("k"), f("f");
    k(i) = 0;
    k(1) = 12;
    RDom r(0, 2, "r");
    f(x, y) = cast<uint8_t>(0);
    f(x, y) += select(k(r) == -2147483646, in(x, y), in(x + r, y));
    argent::Diagnostics diagnostics;
    const argent::dsl::Env env = env_of(f);
    argent::dsl::Expander expander(env, {in.name()}, context(f), diagnostics);
    const std::vector<Expr> values = expander.values(env.at(f.name()));
    CHECK(diagnostics.all().empty());
    std::ostringstream text;
    text << values.at(0);
    CHECK(text.str().find("select(12 == -2147483646, ") != std::string::npos);   // and no signed_integer_overflow
}

TEST_CASE("expand: float maths on constants has the bits of strict_float") {
    Func in = source(), k("k"), out("out");
    k(i) = reinterpret<uint32_t>(exp(cast<float>(i) * 0.1f + 0.3333333f) * cast<float>(i) + 0.7f);
    RDom r(1, 40, "r");
    out(x, y) = cast<uint32_t>(in(x, y));
    out(x, y) = out(x, y) * 5 + k(r);
    SUBCASE("inlined") {}
    SUBCASE("compute_root") { k.compute_root(); }
    SUBCASE("vectorized further than it is read") { k.compute_root().vectorize(i, 16); }
    check_expanded(out, in.name());
}

TEST_CASE("expand: a Func of constants that is read at the place of a pixel is inlined") {
    Func in = source(), ramp("ramp"), out("out");
    ramp(i) = i * 3 + 1;
    out(x, y) = cast<int32_t>(in(x, y)) + ramp(x) * ramp(y - 1);
    check_expanded(out, in.name());
}

TEST_CASE("expand: embedded Buffers are read at constant places") {
    Buffer<int16_t, 1> taps(3);
    taps(0) = -5, taps(1) = 300, taps(2) = 7;
    Func in = source(), out("out");
    RDom r(0, 3, "r");
    out(x, y) = sum(cast<int32_t>(in(x + r, y)) * taps(r));
    CHECK(reads(check_expanded(out, in.name())) == 3);
}

TEST_CASE("expand: a read beyond an embedded Buffer is refused") {
    Buffer<int16_t, 1> taps(3);
    taps.fill(1);
    Func in = source(), out("out");
    RDom r(0, 5, "r");
    out(x, y) = sum(cast<int32_t>(in(x + r, y)) * taps(r));
    CHECK(refusal(out, in.name()) != "");
}

TEST_CASE("expand: elements of a Tuple") {
    Func in = source(), pair("pair"), out("out");
    pair(x, y) = Tuple(in(x, y) * 2, in(x + 1, y) / 3);
    out(x, y) = pair(x, y)[0] - pair(x, y + 1)[1];
    check_expanded(out, in.name());
    Func where("where");
    RDom r(0, 4, "r");
    where(x, y) = argmax(r, in(x + r, y))[0];
    check_expanded(where, in.name());
}

TEST_CASE("expand: a Param of the name of a Var is the Var, as in Halide") {
    Param<int> px("x", 3);
    Func in = source(), scaled("scaled"), out("out");
    scaled(x, y) = cast<int32_t>(in(x, y)) * px;
    out(x, y) = scaled(x + 5, y);
    check_expanded(out, in.name());
}

TEST_CASE("expand: a scan is refused") {
    Func in = source(), scan("scan");
    RDom r(1, 9, "r");
    scan(x, y) = cast<int32_t>(in(x, y));
    scan(r, y) = scan(r - 1, y) + scan(r, y);
    const std::string text = refusal(scan, in.name());
    CAPTURE(text);
    CHECK(text.rfind("expand.cpp:3: error: accelerate(scan, {source}): ", 0) == 0);
    CHECK(text.find("only window reductions") != std::string::npos);
    CHECK(text.find("expand.cpp:3: note: ") != std::string::npos);
}

TEST_CASE("expand: a window whose size is a Param is refused") {
    Param<int> radius("radius");
    Func in = source(), out("out");
    RDom r(0, radius, "r");
    out(x, y) = sum(cast<int32_t>(in(x + r, y)));
    CHECK(refusal(out, in.name()).find("whose bounds depend on the Param radius") != std::string::npos);
}
