#include <doctest/doctest.h>

#include <map>

#include "../Leaves.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/OpenSums.h"

using namespace argent::hwgen;

TEST_CASE("open_sums: terms of what is added, taken away and shifted") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2), e = input(d, 3);
    const NodeId inner = d.make(Op::Shl, {d.sub(c, e)}, 2), root = d.sub(d.add(a, b), inner);
    d.outputs = {root};
    const OpenSums sums(d);
    CHECK(sums.is_root(root));
    CHECK(!sums.is_root(inner));
    CHECK(sums.is_part(inner));
    std::map<NodeId, std::pair<int, bool>> terms;
    for (const OpenSums::Term &t : sums.terms(root)) terms[t.node] = {t.shift, t.is_negative};
    CHECK(terms == std::map<NodeId, std::pair<int, bool>>{{a, {0, false}}, {b, {0, false}}, {c, {2, true}}, {e, {2, false}}});
    CHECK(sums.inner(root).size() == 3);
}

TEST_CASE("open_sums: what others read, too, and outputs are terms") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), pair = d.add(a, b), root = d.add(pair, input(d, 2));
    d.outputs = {root, pair};
    const OpenSums sums(d);
    CHECK(sums.is_root(pair));
    CHECK(!sums.is_part(pair));
    CHECK(sums.terms(root).size() == 2);
}

TEST_CASE("open_sums: terms add up to the sum, on random graphs") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(40);
        const OpenSums sums(d);
        std::vector<NodeId> roots, wanted;
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            if (sums.is_root(n)) roots.push_back(n);
        }
        for (NodeId root : roots) {
            wanted.push_back(root);
            for (const OpenSums::Term &t : sums.terms(root)) wanted.push_back(t.node);
        }
        std::vector<std::vector<OpenSums::Term>> terms;
        for (NodeId root : roots) terms.push_back(sums.terms(root));
        d.outputs = wanted;
        const std::vector<Wide> values = evaluate(d, random.values(d));
        size_t at = 0;
        for (const std::vector<OpenSums::Term> &of_root : terms) {
            Wide left = values[at++];
            for (const OpenSums::Term &t : of_root) {
                const Wide part = values[at++] * (Wide(1) << t.shift);
                left += t.is_negative ? part : -part;
            }
            CHECK(bool(left == 0));
        }
    }
}

TEST_CASE("with_sums: a sum made anew, and all else as it was") {
    Datapath d;
    const NodeId a = input(d, 0), b = input(d, 1), c = input(d, 2), product = d.make(Op::Mul, {b, c});
    const NodeId root = d.sub(d.add(a, product), c);
    d.outputs = {d.make(Op::Min, {root, a})};
    const Datapath after = with_sums(d, OpenSums(d), {root}, {product}, [&](Datapath &to, NodeId of, const std::vector<NodeId> &moved) {
        CHECK(of == root);
        CHECK(moved[product] < 0);
        return to.add(moved[a], to.make(Op::Mul, {moved[c], to.sub(moved[b], to.constant(1))}));   // a + c (b - 1)
    });
    CHECK(count(after, Op::Mul) == 1);
    CHECK(count(after, Op::Add) == 2);   // b - 1 is b + -1
    CHECK(count(after, Op::Sub) == 0);
    CHECK(bool(after.leaves() == d.leaves()));
    CHECK(after[after.outputs[0]].range == d[d.outputs[0]].range);
    RandomDatapath random(1);
    for (int k = 0; k < 20; ++k) {
        const std::vector<Wide> values = random.values(d);
        CHECK(bool(evaluate(after, values) == evaluate(d, values)));
    }
}
