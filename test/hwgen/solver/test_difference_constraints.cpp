#include <doctest/doctest.h>

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>

#include "hwgen/solver/DifferenceConstraints.h"

using namespace argent::hwgen;

namespace argent::hwgen {
std::ostream &operator<<(std::ostream &o, Distance d) { return o << d.str(); }
}  // namespace argent::hwgen

namespace {

/** A problem whose costs are wires: `bits` kept from the value of `from` until `to`. */
struct Wires : DifferenceProblem {
    explicit Wires(int variables, int64_t pitch_ = 640) {
        cost.assign(size_t(variables), 0);
        pitch = pitch_;
    }
    Wires &wire(int from, int to, Distance weight, int64_t bits, std::string reason = "") {
        constraints.push_back({from, to, weight, std::move(reason)});
        cost[size_t(from)] -= bits;
        cost[size_t(to)] += bits;
        return *this;
    }
};

/** What a solution promises beyond is_optimal: `tight` is a forest with a zero in every tree. */
void check_forest(const DifferenceProblem &p, const DifferenceSolution &s) {
    const size_t n = p.cost.size();
    std::vector<size_t> tree(n);
    for (size_t i = 0; i < n; i++) tree[i] = i;
    const auto find = [&](size_t i) {
        while (tree[i] != i) i = tree[i];
        return i;
    };
    for (int k : s.tight) {
        const Constraint &c = p.constraints[size_t(k)];
        CHECK(s.value[size_t(c.to)] == s.value[size_t(c.from)] + c.weight);
        REQUIRE(find(size_t(c.from)) != find(size_t(c.to)));
        tree[find(size_t(c.from))] = find(size_t(c.to));
    }
    CHECK(std::is_sorted(s.tight.begin(), s.tight.end()));
    // every tree has a variable at zero
    std::vector<int> zeros(n, 0);
    for (size_t i = 0; i < n; i++) zeros[find(i)] += s.value[i] == Distance{};
    for (size_t i = 0; i < n; i++) CHECK(zeros[find(i)] >= 1);
}

DifferenceSolution solve(const DifferenceProblem &p) {
    const DifferenceSolution s = minimise(p);
    std::string why;
    CHECK_MESSAGE(is_optimal(p, s, &why), why);
    check_forest(p, s);
    return s;
}

/** Z3's verdict: the optimum, and the least sum of values >= 0 among the optima. */
struct Verdict {
    bool feasible = true, bounded = true;
    int64_t objective = 0, least_sum = 0;
};

Verdict ask_z3(const DifferenceProblem &p) {
    Verdict r;
    z3::context context;
    const size_t n = p.cost.size();
    std::vector<z3::expr> v;
    z3::expr objective = context.real_val(0), sum = context.real_val(0);
    for (size_t i = 0; i < n; i++) {
        v.push_back(context.real_const(("v" + std::to_string(i)).c_str()));
        objective = objective + context.real_val(p.cost[i]) * v[i];
        sum = sum + v[i];
    }
    const auto constrain = [&](z3::optimize &solver) {
        for (const Constraint &c : p.constraints) {
            solver.add(v[size_t(c.to)] - v[size_t(c.from)] >=
                       context.real_val(c.weight.at(p.pitch)));
        }
    };
    // a difference system is totally unimodular: the rational optimum is the integer one
    z3::optimize first(context);
    constrain(first);
    const auto handle = first.minimize(objective);
    if (first.check() == z3::unsat) {
        r.feasible = false;
        return r;
    }
    const z3::expr lower = first.lower(handle).simplify();
    if (!lower.is_numeral()) {
        r.bounded = false;
        return r;
    }
    REQUIRE(lower.is_numeral_i64(r.objective));
    z3::optimize second(context);
    constrain(second);
    for (const z3::expr &x : v) second.add(x >= 0);
    second.add(objective == context.real_val(r.objective));
    const auto least = second.minimize(sum);
    REQUIRE(second.check() == z3::sat);
    REQUIRE(second.lower(least).simplify().is_numeral_i64(r.least_sum));
    return r;
}

bool holds_at(const DifferenceProblem &p, const DifferenceSolution &s, int64_t pitch) {
    for (const Constraint &c : p.constraints) {
        if ((s.value[size_t(c.to)] - s.value[size_t(c.from)] - c.weight).at(pitch) < 0)
            return false;
    }
    return true;
}

/** least_pitch() by trial, and the promise that a solution stays optimal down to there. */
void check_pitches(const DifferenceProblem &p, const DifferenceSolution &s) {
    int64_t least = p.pitch;
    while (least > 1 && holds_at(p, s, least - 1)) least--;
    CHECK(least_pitch(p, s) == least);
    for (int64_t w : {least, (least + p.pitch) / 2}) {
        DifferenceProblem narrower = p;
        narrower.pitch = w;
        DifferenceSolution same = s;
        same.objective = 0;
        for (size_t i = 0; i < p.cost.size(); i++) same.objective += p.cost[i] * s.value[i].at(w);
        std::string why;
        CHECK_MESSAGE(is_optimal(narrower, same, &why), why, " at pitch ", w, " of ", p.pitch);
    }
}

/** A DAG with a few backward edges. Bits on wires, or costs without any order. */
DifferenceProblem random_problem(std::mt19937 &random) {
    const auto pick = [&](int low, int high) {
        return low + int(random() % unsigned(high - low + 1));
    };
    const int n = pick(2, 25);
    Wires p(n, pick(0, 1) ? pick(1, 8) : pick(1, 2000));
    const int reach = pick(0, 1) ? n : 4;
    const auto weight = [&] { return Distance{pick(-1, 3), pick(-6, 6)}; };
    const int forward = pick(n / 2, 3 * n);
    for (int k = 0; k < forward; k++) {
        const int from = pick(0, n - 2);
        p.wire(from, std::min(n - 1, pick(from + 1, from + reach)), weight(), pick(0, 9));
    }
    for (int k = pick(-3, 3); k > 0; k--) {
        const int from = pick(0, n - 1);
        p.wire(from, pick(0, from), {pick(-5, 0), pick(-9, 1)}, pick(0, 2) ? 0 : pick(0, 9));
    }
    if (pick(0, 3) == 0) {
        // moved costs: the sum stays, the optimum may be gone
        for (int k = pick(1, 3); k > 0; k--) {
            const int bits = pick(1, 9);
            p.cost[size_t(pick(0, n - 1))] += bits;
            p.cost[size_t(pick(0, n - 1))] -= bits;
        }
    }
    if (pick(0, 19) == 0) p.cost[0] += pick(-1, 1);
    std::shuffle(p.constraints.begin(), p.constraints.end(), random);
    return std::move(p);
}

void check_cycle(const DifferenceProblem &p, const InfeasibleCycle &e) {
    REQUIRE(!e.constraints.empty());
    Distance sum;
    for (size_t k = 0; k < e.constraints.size(); k++) {
        const Constraint &c = p.constraints[size_t(e.constraints[k])];
        const Constraint &d = p.constraints[size_t(e.constraints[(k + 1) % e.constraints.size()])];
        CHECK(c.to == d.from);
        sum += c.weight;
    }
    CHECK(sum == e.excess);
    CHECK(sum.at(p.pitch) > 0);
}

void check_direction(const DifferenceProblem &p, const UnboundedObjective &e) {
    std::vector<bool> in_set(p.cost.size(), false);
    int64_t cost = 0;
    for (int v : e.variables) {
        in_set[size_t(v)] = true;
        cost += p.cost[size_t(v)];
    }
    CHECK((e.raise ? cost : -cost) < 0);
    for (const Constraint &c : p.constraints) {
        const bool from = in_set[size_t(c.from)], to = in_set[size_t(c.to)];
        CHECK((e.raise ? !from || to : !to || from));
    }
}

}  // namespace

TEST_CASE("nothing to do") {
    CHECK(solve(DifferenceProblem{}).value.empty());
    const DifferenceSolution s = solve(Wires(3));
    CHECK(s.value == std::vector<Distance>(3));
    CHECK(s.objective == 0);
    CHECK(s.tight.empty());
    CHECK(least_pitch(Wires(3), s) == 1);
}

TEST_CASE("a chain takes the sums of its weights") {
    Wires p(3, 640);
    p.wire(0, 1, {1, 1}, 8).wire(1, 2, {0, 3}, 16);
    const DifferenceSolution s = solve(p);
    CHECK(s.value == std::vector<Distance>{{}, {1, 1}, {1, 4}});
    CHECK(s.objective == 8 * 641 + 16 * 3);
    CHECK(s.tight == std::vector<int>{0, 1});
    CHECK(s.flow == std::vector<int64_t>{8, 16});
    CHECK(least_pitch(p, s) == 1);
}

TEST_CASE("slack in a diamond goes where the wires are narrow") {
    // 0 -> 1 -> 3 is short, 0 -> 2 -> 3 long; 1 -> 3 is wider than 0 -> 1, so 1 waits
    Wires p(4, 100);
    p.wire(0, 1, {0, 1}, 8).wire(1, 3, {0, 1}, 32).wire(0, 2, {2, 0}, 8).wire(2, 3, {0, 5}, 8);
    CHECK(solve(p).value == std::vector<Distance>{{}, {2, 4}, {2, 0}, {2, 5}});
    // wider on the other side: 1 is early
    p.cost[1] += 30;
    p.cost[3] -= 30;
    const DifferenceSolution s = solve(p);
    CHECK(s.value == std::vector<Distance>{{}, {0, 1}, {2, 0}, {2, 5}});
    CHECK(s.flow == std::vector<int64_t>{6, 0, 10, 10});
}

TEST_CASE("a skip path bounds the pitch") {
    Wires p(3, 640);
    p.wire(0, 1, {1, 0}, 8).wire(1, 2, {1, 2}, 8).wire(0, 2, {0, 41}, 8);
    const DifferenceSolution s = solve(p);
    CHECK(s.value == std::vector<Distance>{{}, {1, 0}, {2, 2}});
    CHECK(least_pitch(p, s) == 20);  // 2 * 20 + 2 >= 41
}

TEST_CASE("components are solved apart, each from zero") {
    Wires p(5, 10);
    p.wire(3, 1, {0, 7}, 4).wire(0, 4, {1, 0}, 2);
    const DifferenceSolution s = solve(p);
    CHECK(s.value == std::vector<Distance>{{}, {0, 7}, {}, {}, {1, 0}});
    CHECK(s.objective == 48);
}

TEST_CASE("among equals the one that lasts to lower pitches") {
    // at pitch 10 a row and 10 columns are the same; below it only 10 columns satisfy both
    Wires p(2, 10);
    p.wire(0, 1, {1, 0}, 1).wire(0, 1, {0, 10}, 1);
    const DifferenceSolution s = solve(p);
    CHECK(s.value[1] == Distance{0, 10});
    CHECK(least_pitch(p, s) == 1);
    // and where no lower pitch has a solution, the pitch itself is still solved
    p.constraints.push_back({1, 0, {-1, 0}, ""});
    CHECK(least_pitch(p, solve(p)) == 10);
}

TEST_CASE("a contradiction names its cycle") {
    Wires p(4, 10);
    p.wire(0, 1, {1, 0}, 1, "b reads a")
        .wire(1, 2, {0, 2}, 1, "c reads b")
        .wire(2, 1, {0, -1}, 0, "c may be 1 after b");
    try {
        minimise(p);
        FAIL("solved");
    } catch (const InfeasibleCycle &e) {
        check_cycle(p, e);
        std::vector<int> cycle = e.constraints;
        std::sort(cycle.begin(), cycle.end());
        CHECK(cycle == std::vector<int>{1, 2});
        CHECK(e.excess == Distance{0, 1});
        const std::string text = e.what();
        CHECK(text.find("constraints contradict each other at pitch 10: v") == 0);
        CHECK(text.find("v1 -> v2 >= 2 (c reads b)") != text.npos);
        CHECK(text.find("v2 -> v1 >= -1 (c may be 1 after b)") != text.npos);
        CHECK(text.find("; they add up to 1 round the cycle, at most 0 can hold") != text.npos);
    }
    // a self loop is the shortest cycle; 0 and less are no constraint
    CHECK_NOTHROW(minimise(Wires(1).wire(0, 0, {0, 0}, 3)));
    CHECK_THROWS_AS(minimise(Wires(1).wire(0, 0, {0, 1}, 3)), InfeasibleCycle);
    CHECK_THROWS_AS(minimise(Wires(1, 5).wire(0, 0, {1, -4}, 3)), InfeasibleCycle);
    CHECK_NOTHROW(minimise(Wires(1, 4).wire(0, 0, {1, -4}, 3)));
}

TEST_CASE("a cost without a minimum names what to move") {
    Wires p(4, 10);
    p.wire(0, 1, {0, 1}, 4).wire(2, 3, {0, 1}, 0);
    p.cost[2] = 5, p.cost[3] = -5;  // the gap wants to grow
    CHECK_THROWS_WITH_AS(minimise(p),
                         "the cost has no minimum: raising v3 by 1 changes it by -5 and no "
                         "constraint forbids it",
                         UnboundedObjective);
    p.cost[2] = 0, p.cost[3] = 3;  // nothing holds the component
    CHECK_THROWS_WITH_AS(minimise(p),
                         "the cost has no minimum: lowering v2, v3 together by 1 changes it by -3 "
                         "and no constraint forbids it",
                         UnboundedObjective);
}

TEST_CASE("refusals") {
    CHECK_THROWS_WITH_AS(minimise(Wires(2, 0)), "the pitch is 0, it must be at least 1",
                         std::invalid_argument);
    DifferenceProblem p = Wires(2);
    p.constraints.push_back({0, 2, {}, ""});
    CHECK_THROWS_WITH_AS(minimise(p), "constraint 0 names variable 2 of 2", std::invalid_argument);
    CHECK_THROWS_AS(minimise(Wires(2, 1 << 30).wire(0, 1, {INT64_MIN, INT64_MIN}, 1)),
                    std::overflow_error);
    CHECK_THROWS_AS(minimise(Wires(2).wire(0, 1, {0, int64_t{1} << 40}, int64_t{1} << 40)),
                    std::overflow_error);
    const Wires q = Wires(2).wire(0, 1, {1, 0}, 1);
    DifferenceSolution s = minimise(q);
    s.value[1] = {};
    CHECK_THROWS_WITH_AS(least_pitch(q, s), "no least pitch: v0 -> v1 >= 1 row fails at pitch 640",
                         std::invalid_argument);
}

TEST_CASE("the largest numbers do not overflow") {
    const int64_t big = (int64_t{1} << 61) / 3;
    Wires p(4, 1 << 20);
    p.wire(0, 1, {big >> 20, 0}, 1).wire(1, 2, {-(big >> 20), 5}, 1).wire(0, 2, {0, big}, 1);
    const DifferenceSolution s = solve(p);
    CHECK(s.objective == 2 * big);
    CHECK(Distance{-1, -2}.str() == "-1 row - 2");
    CHECK(Distance{3, 1}.str() == "3 rows + 1");
}

TEST_CASE("is_optimal finds what is wrong") {
    const Wires p = Wires(3, 10).wire(0, 1, {0, 1}, 2).wire(1, 2, {0, 1}, 3);
    const DifferenceSolution good = minimise(p);
    const auto complaint = [&](const std::function<void(DifferenceSolution &)> &spoil) {
        DifferenceSolution s = good;
        spoil(s);
        std::string why;
        CHECK(!is_optimal(p, s, &why));
        CHECK(!is_optimal(p, s));
        return why;
    };
    CHECK(complaint([](auto &s) { s.value[2].cols = 1; }) ==
          "constraint 1: v1 -> v2 >= 1 is violated");
    CHECK(complaint([](auto &s) { s.value[2].rows = 1; }) ==
          "constraint 1: v1 -> v2 >= 1 has a flow but is not tight");
    CHECK(complaint([](auto &s) { s.flow[0] = -1; }) ==
          "constraint 0: v0 -> v1 >= 1 has a negative flow");
    CHECK(complaint([](auto &s) { s.flow[0]++; }) == "the flow into v0 is not its cost");
    CHECK(complaint([](auto &s) { s.objective++; }) ==
          "the objective is not the cost of the values");
    CHECK(complaint([](auto &s) { s.tight.push_back(2); }) ==
          "constraint 2 is listed as tight and is not");
    CHECK(complaint([](auto &s) { s.value.clear(); }) == "0 values for 3 variables");
    CHECK(complaint([](auto &s) { s.flow.clear(); }) == "0 flows for 2 constraints");
}

TEST_CASE("random problems agree with Z3") {
    int solved = 0, infeasible = 0, unbounded = 0, pitched = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const DifferenceProblem p = random_problem(random);
        const Verdict z3 = ask_z3(p);
        try {
            const DifferenceSolution s = solve(p);
            REQUIRE(z3.feasible);
            REQUIRE(z3.bounded);
            CHECK(s.objective == z3.objective);
            int64_t sum = 0;
            for (Distance d : s.value) {
                CHECK(d.at(p.pitch) >= 0);
                sum += d.at(p.pitch);
            }
            CHECK(sum == z3.least_sum);
            check_pitches(p, s);
            pitched += least_pitch(p, s) > 1 && least_pitch(p, s) < p.pitch;
            // the order of the constraints does not matter
            DifferenceProblem shuffled = p;
            std::shuffle(shuffled.constraints.begin(), shuffled.constraints.end(), random);
            const DifferenceSolution other = solve(shuffled);
            for (size_t i = 0; i < p.cost.size(); i++) {
                CHECK(other.value[i].at(p.pitch) == s.value[i].at(p.pitch));
            }
            solved++;
        } catch (const InfeasibleCycle &e) {
            CHECK(!z3.feasible);
            check_cycle(p, e);
            infeasible++;
        } catch (const UnboundedObjective &e) {
            CHECK(z3.feasible);
            CHECK(!z3.bounded);
            check_direction(p, e);
            unbounded++;
        }
    }
    MESSAGE(solved, " solved, ", infeasible, " infeasible, ", unbounded, " unbounded, ", pitched,
            " with a least pitch inside (1, pitch)");
    CHECK(solved > 200);
    CHECK(infeasible > 20);
    CHECK(unbounded > 20);
    CHECK(pitched > 50);
}

TEST_CASE("long chains with skips") {
    for (int n : {300, 3000, 30000}) {
        std::mt19937 random(1);
        const auto pick = [&](int low, int high) {
            return low + int(random() % unsigned(high - low + 1));
        };
        Wires p(n, 1920);
        for (int i = 0; i + 1 < n; i++) p.wire(i, i + 1, {pick(0, 2), pick(-3, 20)}, pick(1, 64));
        for (int k = 0; k < 7 * n / 3; k++) {
            const int from = pick(0, n - 2);
            p.wire(from, std::min(n - 1, from + pick(2, 12)), {pick(0, 9), pick(-3, 20)},
                   pick(1, 64));
        }
        const auto start = std::chrono::steady_clock::now();
        const DifferenceSolution s = minimise(p);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        CHECK(is_optimal(p, s));
        MESSAGE(n, " variables, ", p.constraints.size(), " constraints: ", time.count(), " ms");
    }
}
