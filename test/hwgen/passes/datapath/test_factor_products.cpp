#include <doctest/doctest.h>

#include <functional>

#include "../Leaves.h"
#include "../Proof.h"
#include "../RandomDatapath.h"
#include "hwgen/passes/datapath/FactorProducts.h"

using namespace argent::hwgen;

namespace {

constexpr Interval narrow = {-4, 6};

/** A sum of products of w, v, a, b, c, and what is left of it. */
struct Sum {
    Datapath d;
    NodeId w = leaf(d, "w", {0, 7}), v = leaf(d, "v", narrow), a = leaf(d, "a", {0, 7}), b = leaf(d, "b", narrow), c = leaf(d, "c", narrow);

    NodeId product(NodeId x, NodeId y) { return d.make(Op::Mul, {x, y}); }
    NodeId twice(NodeId n) { return d.make(Op::Shl, {n}, 1); }

    /** Products of two variables that remain. Equal for all values of the leaves, each output in the interval that it had. */
    int products_left() const {
        const Datapath after = factor_products(d);
        INFO(to_string(after));
        Proof p(24);
        const auto unknown = [&](const Leaf &l) { return p.unknown(l.name, l.range); };
        for (size_t o = 0; o < d.outputs.size(); ++o) {
            CHECK(after[after.outputs[o]].range == d[d.outputs[o]].range);
            CHECK(p.differ(p.outputs(d, unknown)[o], p.outputs(after, unknown)[o]) == "");
        }
        int products = 0;
        for (const Node &n : after.nodes()) products += n.op == Op::Mul && !after.is_const(n.args[1]);
        return products;
    }
};

}  // namespace

TEST_CASE("factor_products: what is added, taken away and shifted, proven") {
    Sum s;
    s.d.outputs = {s.d.add(s.d.sub(s.d.add(s.product(s.w, s.a), s.product(s.w, s.b)), s.twice(s.product(s.w, s.c))), s.product(s.v, s.a))};
    CHECK(s.products_left() == 2);
}

TEST_CASE("factor_products: two factors, each of two products, and a square, proven") {
    Sum s;
    s.d.outputs = {s.d.add(s.d.add(s.product(s.w, s.a), s.product(s.v, s.b)), s.d.sub(s.product(s.w, s.c), s.product(s.v, s.v)))};
    CHECK(s.products_left() == 2);
}

TEST_CASE("factor_products: a blend of two has one product, proven") {
    for (const Wide whole : {7, 8, 1, 0, -1}) {
        CAPTURE(static_cast<int>(whole));
        Sum s;
        const NodeId rest = s.d.sub(s.d.constant(whole), s.w);
        s.d.outputs = {s.d.add(s.product(s.w, s.a), s.product(rest, s.b))};
        CHECK(s.products_left() == 1);
    }
    Sum s;   // three of them, and a weight of more than it
    const NodeId more = s.d.add(s.w, s.d.constant(3));
    s.d.outputs = {s.d.sub(s.d.add(s.product(s.w, s.a), s.product(more, s.b)), s.product(s.d.sub(s.d.constant(8), s.w), s.c))};
    CHECK(s.products_left() == 1);
}

TEST_CASE("factor_products: a constant of many digits stays") {
    Sum s;
    s.d.outputs = {s.d.add(s.product(s.w, s.a), s.product(s.d.sub(s.d.constant(0b1010101), s.w), s.b))};
    CHECK(s.products_left() == 2);
}

TEST_CASE("factor_products: what is so far apart that it hardly meets stays") {
    for (const int shift : {0, 2, 3, 9}) {
        CAPTURE(shift);
        Sum s;
        s.d.outputs = {s.d.add(s.product(s.w, s.a), s.d.make(Op::Shl, {s.product(s.w, s.v)}, shift))};   // 3 and 4 bits
        CHECK(s.products_left() == (shift < 3 ? 1 : 2));
    }
}

TEST_CASE("factor_products: lanes share products, and each has partners for it") {
    Datapath d;
    const NodeId w = leaf(d, "w", {0, 7});
    std::vector<NodeId> products;
    for (int i = 0; i < 4; ++i) products.push_back(d.make(Op::Mul, {w, input(d, i, {0, 7})}));
    for (int lane = 0; lane < 3; ++lane) d.outputs.push_back(d.add(products[lane], products[lane + 1]));
    CHECK(count(factor_products(d), Op::Mul) == 3);
    d.outputs.push_back(products[1]);   // read alone, too, so it is there, and then so are its partners
    CHECK(to_string(factor_products(d)) == to_string(d));
}

TEST_CASE("factor_products: nothing to factor") {
    Sum s;
    s.d.outputs = {s.d.add(s.product(s.w, s.a), s.product(s.v, s.b)), s.product(s.w, s.c)};
    CHECK(to_string(factor_products(s.d)) == to_string(s.d));
}

TEST_CASE("factor_products: random graphs, before = after") {
    int changed = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        RandomDatapath random(seed);
        Datapath d = random.graph(20);
        std::vector<NodeId> terms;   // products of a few numbers, in a random sum
        const NodeId last = static_cast<NodeId>(d.nodes().size()) - 1;
        for (int k = 0; k < 8; ++k) {
            const auto any = [&] {
                const NodeId n = d.wrap(last - random.below(4), random.type());
                return random.below(4) ? n : d.sub(d.constant(random.below(5)), n);
            };
            const NodeId product = d.make(Op::Mul, {any(), any()});
            terms.push_back(random.below(3) ? product : d.make(Op::Shl, {product}, random.below(4)));
        }
        NodeId sum = terms[0];
        for (size_t k = 1; k < terms.size(); ++k) sum = random.below(3) ? d.add(sum, terms[k]) : d.sub(sum, terms[k]);
        d.outputs.push_back(sum);
        if (random.below(2)) d.outputs.push_back(terms[0]);
        const Datapath after = factor_products(d);
        changed += to_string(after) != to_string(d);
        for (int k = 0; k < 10; ++k) {
            const std::vector<Wide> values = random.values(d);
            CHECK(bool(evaluate(d, values) == evaluate(after, reorder(d, values, after))));
        }
    }
    CHECK(changed > 100);
}
