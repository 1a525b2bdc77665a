#include "hwgen/ir/Cost.h"

#include <algorithm>

namespace argent::hwgen {

double operator_cost(const Node &n, const std::vector<Interval> &args, bool is_square, const Prices &prices) {
    const int width = n.range.bits();
    int widest = 0, product = 1;
    for (const Interval &a : args) {
        widest = std::max(widest, a.bits());
        product *= a.bits();
    }
    switch (n.op) {
    case Op::Add: case Op::Sub: case Op::Abs: return width;
    case Op::Mul: return std::min(double(product) * (is_square ? 0.6 : 1.0), prices.multiplier);
    case Op::Min: case Op::Max: return 2 * widest;
    case Op::And: case Op::Or: case Op::Xor: case Op::Select: return width;
    case Op::Eq: return (widest + 2) / 3.0;
    case Op::Lt: case Op::Le: return args[0].is_signed() && args[1] == Interval{0, 0} ? 0 : widest;
    case Op::ShlBy: case Op::ShrBy: return width * ((args[1].bits() + 1) / 2);
    case Op::Div: case Op::Mod: return 2.0 * product;
    case Op::Const: case Op::Leaf: case Op::Not: case Op::Shl: case Op::Shr: case Op::Wrap: case Op::Lookup: return 0;
    }
    return 0;
}

}  // namespace argent::hwgen
