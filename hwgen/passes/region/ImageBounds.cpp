#include "hwgen/passes/region/ImageBounds.h"

#include <algorithm>

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

namespace {

/** The extents in an expression, which are 1 or more. */
class Extents : public IRGraphVisitor {
public:
    explicit Extents(const Expr &e) { e.accept(this); }
    Scope<Halide::Internal::Interval> known;

protected:
    using IRGraphVisitor::visit;
    void visit(const Variable *op) override {
        const bool is_extent = op->param.defined() && op->param.is_buffer() && op->name.find(op->param.name() + ".extent.") == 0;
        if (is_extent && !known.contains(op->name)) known.push(op->name, {Expr(1), Halide::Internal::Interval::pos_inf()});
    }
};

std::optional<int64_t> farther(std::optional<int64_t> a, std::optional<int64_t> b) { return a && b ? std::max(a, b) : std::nullopt; }
std::optional<int64_t> nearer(std::optional<int64_t> a, std::optional<int64_t> b) { return a && b ? std::min(a, b) : a ? a : b; }

}  // namespace

Expr simplified_of_images(const Expr &e) { return simplify(e, true, Extents(e).known); }

std::optional<int64_t> Farthest::of(const Expr &end) {
    const Expr flat = substitute_in_all_lets(end);
    all.clear();
    return of_end(flat, 0);
}

Farthest::Known Farthest::of_end(const Expr &end, int added) {
    const std::pair<const IRNode *, int> key(end.get(), added);
    if (const auto known = all.find(key); known != all.end()) return known->second;
    const Known bound = bound_of(beyond(end + added));
    return all[key] = bound ? bound : of_parts(end, added);
}

Farthest::Known Farthest::of_parts(const Expr &end, int added) {
    if (const auto *add = end.as<Add>()) {
        const auto constant = as_const_int(add->b);
        return constant ? of_end(add->a, added + static_cast<int>(*constant)) : std::nullopt;
    }
    if (const auto *either = end.as<Select>()) return farther(of_end(either->true_value, added), of_end(either->false_value, added));
    if (const auto *least = end.as<Min>()) return (is_last ? nearer : farther)(of_end(least->a, added), of_end(least->b, added));
    if (const auto *largest = end.as<Max>()) return (is_last ? farther : nearer)(of_end(largest->a, added), of_end(largest->b, added));
    return std::nullopt;
}

Farthest::Known Farthest::bound_of(const Expr &elements) const {
    const Extents extents(elements);
    const Expr bound = find_constant_bound(simplify(elements, true, extents.known), Direction::Upper, extents.known);
    const auto number = bound.defined() ? as_const_int(bound) : std::nullopt;
    return number && *number <= most ? Known(std::max<int64_t>(0, *number)) : std::nullopt;
}

}  // namespace argent::hwgen
