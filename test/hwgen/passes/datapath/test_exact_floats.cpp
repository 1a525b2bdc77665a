#include "hwgen/passes/datapath/ExactFloats.h"

#include <doctest/doctest.h>

#include <cmath>

#include "hwgen/passes/datapath/BuildDatapath.h"

using namespace argent::hwgen;
using namespace Halide;
using argent::hwgen::Interval;

namespace {

/** Whether floor(sqrt(e)) is k in floats, and where e <= most_nearest rounding at halves is what the nodes compute. */
template<typename F>
bool is_exact(uint64_t e, uint64_t k, uint64_t most_nearest) {
    const F root = std::sqrt(static_cast<F>(e));
    if (static_cast<uint64_t>(root) != k) return false;
    if (e > most_nearest) return true;
    const uint64_t nearest = k + (e > k * k + k);
    return static_cast<uint64_t>(root + F(0.5)) == nearest && static_cast<uint64_t>(std::nearbyint(root)) == nearest;
}

struct Fixture {
    Var x{"x"};
    ImageParam in{Int(32), 1, "in"};
    StageSource source;
    Fixture() {
        source.vars = {"x"};
        source.producers["in"] = 0;
    }
    Expr e(Interval range) {
        source.producer_ranges["in"] = range;
        return Internal::Call::make(in.parameter(), {x});
    }
    Datapath build(const Expr &value) {
        source.value = value;
        return build_datapath(source);
    }
    std::string refusal(const Expr &value) {
        try {
            build(value);
        } catch (const UnsupportedOp &u) {
            return u.what();
        }
        return "accepted";
    }
    Wide value_of(const Expr &value, Wide at) {
        const Datapath d = build(value);
        return evaluate(d, {at})[0];
    }
};

}  // namespace

TEST_CASE("exact_floats: every root of float32 below 2^24, at halves below 2^22") {
    uint64_t k = 0, wrong = 0;
    for (uint64_t e = 0; e < 1 << 24; ++e) {
        if ((k + 1) * (k + 1) <= e) ++k;
        wrong += !is_exact<float>(e, k, (1 << 22) - 1);
    }
    CHECK(wrong == 0);
    CHECK_FALSE(is_exact<float>(4097 * 4097 - 2, 4096, 0));   // not far above the bound
}

TEST_CASE("exact_floats: roots of float64 around all squares and halves below 2^52 and 2^50") {
    // Between two neighbours of a square or of k^2 + k the root does not come nearer to k, k + 1/2 or k + 1.
    uint64_t wrong = 0;
    for (uint64_t k = 1; k < uint64_t(1) << 26; ++k) {
        for (uint64_t e : {k * k, k * k + k, k * k + k + 1, (k + 1) * (k + 1) - 1}) wrong += !is_exact<double>(e, k, (uint64_t(1) << 50) - 1);
    }
    CHECK(wrong == 0);
    const uint64_t beyond = (uint64_t(1) << 26) + 1;
    CHECK_FALSE(is_exact<double>(beyond * beyond - 1, beyond - 1, 0));
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: a root is one node, and what nobody rounds at halves is not computed") {
    const Expr v = e({0, 2000000});
    CHECK(value_of(cast<uint16_t>(sqrt(cast<float>(v))), 1999999) == 1414);
    const Datapath d = build(cast<uint8_t>(min(sqrt(cast<float>(v)), 255.0f)));
    CHECK(d[d.outputs[0]].op == Op::Min);
    CHECK(d[d[d.outputs[0]].args[0]].op == Op::Sqrt);
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: rounded at halves") {
    const Expr v = e({0, 2000000}), root = sqrt(cast<float>(v));
    for (Wide at : {0, 1, 2, 3, 6, 7, 240, 241, 65280, 65281, 1999999}) {
        const Wide nearest = static_cast<Wide>(std::llround(std::sqrt(static_cast<double>(at))));
        CHECK(bool(value_of(cast<uint16_t>(root + 0.5f), at) == nearest));
        CHECK(bool(value_of(cast<uint16_t>(round(root)), at) == nearest));
        CHECK(bool(value_of(cast<uint16_t>(floor(min(root, 1000.0f) + 0.5f)), at) == std::min<Wide>(nearest, 1000)));
    }
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: integers stay integers, a negative radicand is not defined but harmless") {
    const Expr f = cast<float>(e({-300, 1000}));
    const Datapath d = build(cast<int16_t>(select(f < 0.0f, f * f - 2.0f, max(f, 3.0f))));
    CHECK(bool(evaluate(d, {-7})[0] == 47));
    CHECK(bool(evaluate(d, {2})[0] == 3));
    CHECK(bool(build(cast<uint8_t>(sqrt(f)))[0].range.lo == -300));
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: a bool is the low bit of what is left of a root, as on the CPU") {
    const Expr root = sqrt(cast<float>(e({0, 1000})));
    for (Wide at : {0, 1, 3, 4, 8, 9, 16, 1000}) {
        const Wide low = static_cast<Wide>(std::sqrt(static_cast<double>(at))) & 1;
        CHECK(bool(value_of(cast<uint8_t>(cast<bool>(root)), at) == low));
        CHECK(bool(value_of(cast<uint8_t>(cast<bool>(cast<int16_t>(root))), at) == low));
    }
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: a cast of a constant that Halide has folded is an integer") {
    CHECK(bool(evaluate(build(cast<uint8_t>(sqrt(Expr(56.0f))) + cast<uint8_t>(e({0, 9}))), {2})[0] == 9));
    CHECK(bool(evaluate(build(cast<int16_t>(Expr(-7.9f)) + cast<int16_t>(e({0, 9}))), {0})[0] == -7));
    CHECK(*ExactFloats::cast_constant(Halide::Internal::Cast::make(Bool(), Expr(0.5f))) == 0);
    CHECK_FALSE(ExactFloats::cast_constant(Halide::Internal::Cast::make(UInt(8), Expr(300.5f))));
    CHECK(*ExactFloats::cast_constant(Halide::Internal::Cast::make(Int(8), Expr(-7.9f))) == -7);
}

TEST_CASE_FIXTURE(Fixture, "exact_floats: what is not exact is refused with the numbers") {
    CHECK(refusal(cast<uint16_t>(sqrt(cast<float>(e({0, 20000000}))))) ==
          "cast: float32 holds all integers up to 16777216 only, and this is 0..20000000: limit it by clamp(), or compute with doubles");
    CHECK(refusal(cast<uint16_t>(sqrt(cast<float>(e({0, 16777216}))))) ==
          "sqrt_f32: its operand is 0..16777216, and float32 has the exact root, rounded down, of integers up to 16777215 only: limit it by clamp(), or compute with doubles");
    CHECK(refusal(cast<uint16_t>(sqrt(cast<double>(e({0, 20000000}))))) == "accepted");
    CHECK(refusal(cast<uint16_t>(sqrt(cast<float>(e({0, 5000000}))) + 0.5f)) == "+: a root of float32 is rounded at halves exactly up to 2^22 only");
    CHECK(refusal(cast<uint16_t>(sqrt(cast<float>(e({0, 500}))) * 2.0f)) == "*: float32 is computed with where it is no integer: round it first, by a cast to an integer");
    CHECK(refusal(cast<uint16_t>(sqrt(cast<float>(e({0, 500}))) * 0.7f)) == "float constant: of float32 is not computed in hardware");
    CHECK(refusal(cast<uint16_t>(cast<float>(e({0, 500})) + 0.5f)) == "accepted");
    CHECK(refusal(cast<int16_t>(cast<float>(e({-5, 500})) + 0.5f)) == "+: 0.5 is added to what may be -5..500, of which float32 does not hold all halves above 0");
    CHECK(refusal(cast<uint16_t>(fast_inverse_sqrt(cast<float>(e({0, 500}))))) != "accepted");
    CHECK(refusal(cast<uint16_t>(cast(Float(16), e({0, 500})))) != "accepted");
}
