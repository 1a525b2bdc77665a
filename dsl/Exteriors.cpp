#include "dsl/Exteriors.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hwgen/ir/Index.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** A loop variable plus a constant. */
struct Place {
    size_t dim = 0;
    int64_t offset = 0;
};

class Teller : public IRGraphMutator {
public:
    Teller(const hwgen::Region &region, const hwgen::Func &f) : region(region), f(f) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const LT *op) override { return told(op, is_before(op->a, op->b, false)); }
    Expr visit(const LE *op) override { return told(op, is_before(op->a, op->b, true)); }
    Expr visit(const GT *op) override { return told(op, is_before(op->b, op->a, false)); }
    Expr visit(const GE *op) override { return told(op, is_before(op->b, op->a, true)); }
    Expr visit(const EQ *op) override { return told(op, is_at(op->a, op->b)); }
    Expr visit(const NE *op) override { return told(op, negated(is_at(op->a, op->b))); }

private:
    /** `op`, unless something stands in its place. */
    template<typename Op>
    Expr told(const Op *op, const Expr &instead) {
        return instead.defined() ? instead : IRGraphMutator::visit(op);
    }

    static Expr negated(const Expr &e) { return e.defined() ? !e : e; }

    /** a < b, or a <= b; undefined if that asks for no edge. */
    Expr is_before(const Expr &a, const Expr &b, bool or_equal) const {
        const std::optional<Place> left = place_of(a), right = place_of(b);
        if (left && !right) return is_before(*left, b, or_equal, false);
        if (right && !left) return is_before(*right, a, !or_equal, true);   // a <= place where not place < a
        return {};
    }

    /** place < bound, or place <= bound; or not so. */
    Expr is_before(const Place &p, const Expr &bound, bool or_equal, bool is_not) const {
        if (const auto first = from_edge(bound, p.dim, false)) {
            const int64_t offset = p.offset - *first - or_equal;
            if (is_near(offset)) return is_not ? !beyond(p, offset, false) : beyond(p, offset, false);
        }
        if (const auto last = from_edge(bound, p.dim, true)) {
            const int64_t offset = p.offset - *last + !or_equal;
            if (is_near(-offset)) return is_not ? beyond(p, offset, true) : !beyond(p, offset, true);
        }
        return {};
    }

    /** a == b: a <= b, and not a < b. */
    Expr is_at(const Expr &a, const Expr &b) const {
        const Expr up_to = is_before(a, b, true), before = is_before(a, b, false);
        return up_to.defined() && before.defined() ? up_to && !before : Expr();
    }

    Expr beyond(const Place &p, int64_t offset, bool is_behind) const {
        return hwgen::beyond(is_behind, Variable::make(Int(32), f.vars[p.dim]) + static_cast<int>(offset));
    }

    std::optional<Place> place_of(const Expr &e) const {
        if (const Variable *v = e.as<Variable>()) {
            const auto dim = std::find(f.vars.begin(), f.vars.end(), v->name) - f.vars.begin();
            if (dim == static_cast<int64_t>(f.vars.size()) || dim >= static_cast<int64_t>(region.borders.size()) || v->type != Int(32)) return std::nullopt;
            return Place{static_cast<size_t>(dim), 0};
        }
        const Add *sum = e.as<Add>();
        const Sub *difference = e.as<Sub>();
        if (!sum && !difference) return std::nullopt;
        const auto constant = as_const_int(sum ? sum->b : difference->b);
        std::optional<Place> p = constant ? place_of(sum ? sum->a : difference->a) : std::nullopt;
        if (p) p->offset += sum ? *constant : -*constant;
        return p;
    }

    /** How far `bound` lies behind the domain's first or last element, if that is a number. */
    std::optional<int64_t> from_edge(const Expr &bound, size_t dim, bool is_last) const {
        const Expr edge = is_last ? region.borders[dim].max : region.borders[dim].min;
        if (!edge.defined() || is_const(edge, is_last ? INT32_MAX : INT32_MIN) || bound.type() != Int(32)) return std::nullopt;
        if (std::any_of(f.vars.begin(), f.vars.end(), [&](const std::string &v) { return expr_uses_var(bound, v); })) return std::nullopt;
        const Expr distance = simplify(bound - edge);
        const auto number = as_const_int(distance);
        return number ? std::optional<int64_t>(*number) : std::nullopt;
    }

    /** Whether an edge that is so far outside of the domain is asked for: launches scan as far, and there is a flag for each place inside. */
    static bool is_near(int64_t outside) { return outside >= -4 && outside <= 16; }

    const hwgen::Region &region;
    const hwgen::Func &f;
};

}  // namespace

void tell_exteriors(hwgen::Region &region) {
    for (hwgen::Func &f : region.funcs) {
        if (f.value.defined()) f.value = Teller(region, f).mutate(f.value);
    }
}

}  // namespace argent::dsl
