#include "hwgen/passes/region/LargestOf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace argent::hwgen;
using namespace Halide::Internal;
using Halide::Expr;

namespace {

constexpr int most_elements = 5;

Expr variable(const char *name) { return Variable::make(Halide::Int(32), name); }

/** With n elements from p on. */
std::optional<int64_t> largest(const Expr &e) {
    Scope<Halide::Internal::Interval> scope;
    scope.push("n", {1, most_elements});
    return largest_of(e, {"p", "q"}, scope);
}

/** By trying. */
int64_t tried(const Expr &e) {
    int64_t most = INT64_MIN;
    for (int p = -200; p <= 200; p++) {
        for (int n = 1; n <= most_elements; n++) most = std::max(most, *as_const_int(simplify(substitute("p", p, substitute("n", n, e)))));
    }
    return most;
}

}  // namespace

TEST_CASE("largest_of: what is needed at other rates, wherever it begins") {
    const Expr p = variable("p"), n = variable("n"), last = p + n - 1;
    const std::vector<Expr> all = {
        n + 4,
        (last * 4) / 3 - (p * 4) / 3 + 1,
        (((last + 1) * 4) / 3 - (p * 4) / 3) * 3 + 25,
        (last * 3 + 2) / 2 - (p * 3 - 1) / 2,
        ((last / 2) * 5) / 3 - ((p / 2) * 5 - 2) / 3,
        max((last * 3) / 4, (last + 1) / 4 + (p * 2) / 4) - min((p * 3) / 4, p - p / 4) + 1,
    };
    for (const Expr &e : all) {
        const auto most = largest(e);
        REQUIRE(most.has_value());
        CHECK(*most >= tried(e));
        CHECK(*most <= tried(e) + 1);   // quotients of n are bounded one by one
    }
}

TEST_CASE("largest_of: what depends on another dimension's place, too") {
    const Expr p = variable("p"), q = variable("q"), n = variable("n");
    CHECK(largest((q + n - 1) / 4 - q / 4 + 1) == 2);
    CHECK(largest(p - q / 4 - (p - (q + n - 1) / 4) + 1) == 2);
    CHECK(largest((p + n) / 2 - p / 2 + (q + 2) / 3 - q / 3) == 4);
    CHECK_FALSE(largest(q + n).has_value());
    CHECK_FALSE(largest((p + n) / 16 - p / 16 + (q + n) / 32 - q / 32).has_value());   // 512 phases
}

TEST_CASE("largest_of: nothing of what moves apart, or repeats late") {
    const Expr p = variable("p"), n = variable("n");
    CHECK_FALSE(largest(2 * p - p + n).has_value());
    CHECK_FALSE(largest((p * 3) / 2 - p + n).has_value());
    CHECK_FALSE(largest((p + n) / 128 - p / 127).has_value());
}
