#include <doctest/doctest.h>

#include "../Leaves.h"
#include "hwgen/passes/time/SharedJobs.h"

using namespace argent::hwgen;

namespace {

SharedJobs jobs_of(const Datapath &d) { return SharedJobs(d, std::vector<bool>(d.nodes().size(), false), Prices()); }

}  // namespace

TEST_CASE("shared_jobs: terms of a sum are of one shape, whatever their constants, and a common factor is taken out") {
    Datapath d;
    NodeId sum = d.constant(0);
    for (int i = 0; i < 3; i++) sum = d.add(sum, d.make(Op::Mul, {input(d, i), d.constant(6 * i + 6)}));
    d.outputs = {sum};
    const SharedJobs jobs = jobs_of(d);
    REQUIRE(jobs.by_shape().size() == 1);
    const std::vector<Job> &all = jobs.by_shape().begin()->second;
    REQUIRE(all.size() == 1);
    CHECK(all[0].op == Op::Add);
    CHECK(all[0].factor == 6);
    CHECK(all[0].has_coefficients);
    REQUIRE(all[0].terms.size() == 3);
    for (int i = 0; i < 3; i++) CHECK(all[0].terms[i].coefficient == i + 1);
    CHECK(all[0].range.hi == 255 * (1 + 2 + 3));
}

TEST_CASE("shared_jobs: products of two leaves, a quotient and a median") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2);
    const NodeId products = d.add(d.make(Op::Mul, {a, b}), d.make(Op::Mul, {c, b}));
    const NodeId quotient = d.make(Op::Div, {a, c});
    const NodeId least = d.make(Op::Min, {d.make(Op::Min, {a, b}), c});
    d.outputs = {products, quotient, least};
    const SharedJobs jobs = jobs_of(d);
    std::map<Op, size_t> terms;
    for (const auto &[shape, all] : jobs.by_shape()) {
        for (const Job &j : all) terms[j.op] = std::max(terms[j.op], j.terms.size());
    }
    CHECK(terms[Op::Add] == 2);     // both products
    CHECK(terms[Op::Const] == 1);   // alone, the quotient and each product
    CHECK(terms[Op::Min] == 3);
    CHECK(jobs.sum_of(products).terms.size() == 2);
    CHECK(jobs.choices_of(least).size() == 3);
}

TEST_CASE("shared_jobs: a sum that is a term of another is no root of its own, and one that is read is") {
    Datapath d;
    const NodeId inner = d.add(input(d, 0), input(d, 1));
    d.outputs = {d.add(inner, input(d, 2)), d.make(Op::And, {d.add(input(d, 3), input(d, 4)), input(d, 5)})};
    const SharedJobs jobs = jobs_of(d);
    std::set<NodeId> roots;
    for (const auto &[shape, all] : jobs.by_shape()) {
        for (const Job &j : all) roots.insert(j.root);
    }
    CHECK(roots.count(inner) == 0);
    CHECK(roots.size() == 2);
}
