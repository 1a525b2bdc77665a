#include "hwgen/passes/datapath/BuildSum.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

/** node * 2^shift */
struct Item {
    NodeId node;
    int shift;
    int order;
};

class SumBuilder {
public:
    SumBuilder(Datapath &d, const Prices &prices) : d(d), prices(prices) {}

    void add(const Product &p) {
        const int digits = count_signed_digits(p.coefficient);
        const Wide size = p.coefficient < 0 ? -p.coefficient : p.coefficient;
        if ((digits - 1) * double(d[p.node].range.bits()) > prices.multiplier) {
            push(p.coefficient < 0, d.make(Op::Mul, {p.node, d.constant(size)}), 0);
            return;
        }
        for (const Digit &digit : signed_digits(p.coefficient)) push(digit.negative, p.node, digit.exponent);
    }

    void add(Wide constant) {
        if (constant != 0) push(constant < 0, d.constant(constant < 0 ? -constant : constant), 0);
    }

    /** The difference of both sums. */
    NodeId result() {
        const Item a = total(plus), b = total(minus);
        if (minus.empty()) return lifted(a, 0);
        const int common = plus.empty() ? b.shift : std::min(a.shift, b.shift);
        const NodeId x = plus.empty() ? d.constant(0) : lifted(a, common);
        return lifted({d.sub(x, lifted(b, common)), common, 0}, 0);
    }

private:
    void push(bool negative, NodeId node, int shift) {
        std::vector<Item> &items = negative ? minus : plus;
        items.push_back({node, shift, static_cast<int>(items.size())});
    }

    /** The item as a number of 2^common. */
    NodeId lifted(const Item &i, int common) { return d.make(Op::Shl, {i.node}, i.shift - common); }

    Item total(std::vector<Item> items) {
        if (items.empty()) return {d.constant(0), 0, 0};
        const auto wider = [&](const Item &a, const Item &b) {
            const int x = d[a.node].range.bits() + a.shift, y = d[b.node].range.bits() + b.shift;
            return x != y ? x > y : a.order > b.order;
        };
        std::make_heap(items.begin(), items.end(), wider);
        int order = static_cast<int>(items.size());
        const auto pop = [&] {
            std::pop_heap(items.begin(), items.end(), wider);
            const Item i = items.back();
            items.pop_back();
            return i;
        };
        while (items.size() > 1) {
            const Item a = pop(), b = pop();
            const int common = std::min(a.shift, b.shift);
            items.push_back({d.add(lifted(a, common), lifted(b, common)), common, order++});
            std::push_heap(items.begin(), items.end(), wider);
        }
        return items[0];
    }

    Datapath &d;
    const Prices &prices;
    std::vector<Item> plus, minus;
};

}  // namespace

NodeId build_sum(Datapath &d, const std::vector<Product> &products, Wide constant, const Prices &prices) {
    // -1 - a is no subtraction.
    if (products.size() == 1 && products[0].coefficient == -1 && constant == -1) return d.make(Op::Not, {products[0].node});
    SumBuilder builder(d, prices);
    for (const Product &p : products) builder.add(p);
    builder.add(constant);
    return builder.result();
}

}  // namespace argent::hwgen
