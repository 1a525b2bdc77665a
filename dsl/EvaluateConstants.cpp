#include "dsl/EvaluateConstants.h"

#include <algorithm>

#include "dsl/Simplify.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr element(const Buffer<> &b, const std::vector<int> &at) {
    const Type t = b.type();
    const void *p = b.raw_buffer()->address_of(at.data());
    switch (t.bits()) {
    case 1:
    case 8: return t.is_uint() ? make_const(t, int64_t(*(const uint8_t *)p)) : make_const(t, int64_t(*(const int8_t *)p));
    case 16:
        if (t.is_float()) return Expr();
        return t.is_uint() ? make_const(t, int64_t(*(const uint16_t *)p)) : make_const(t, int64_t(*(const int16_t *)p));
    case 32:
        if (t.is_float()) return make_const(t, double(*(const float *)p));
        return t.is_uint() ? make_const(t, uint64_t(*(const uint32_t *)p)) : make_const(t, int64_t(*(const int32_t *)p));
    default:
        if (t.is_float()) return make_const(t, *(const double *)p);
        return t.is_uint() ? make_const(t, *(const uint64_t *)p) : make_const(t, *(const int64_t *)p);
    }
}

bool holds(const Buffer<> &b, const std::vector<int> &at) {
    for (size_t d = 0; d < at.size(); d++) {
        if (at[d] < b.dim(int(d)).min() || at[d] > b.dim(int(d)).max()) return false;
    }
    return true;
}

/** Puts numbers in place of reads of evaluated Funcs and embedded Buffers at constant places. */
class ConstantReader : public IRGraphMutator {
public:
    explicit ConstantReader(const EvaluatedFuncs &evaluated) : evaluated(evaluated) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        const auto at = constant_place(op);
        if (at && op->call_type == Call::Image && op->image.defined() && holds(op->image, *at)) {
            Expr e = element(op->image, *at);
            if (e.defined()) return e;
        }
        if (at && op->call_type == Call::Halide) {
            const auto it = evaluated.find(op->name);
            if (it != evaluated.end()) {
                Expr e = element(it->second[op->value_index], *at);
                if (e.defined()) return e;
            }
        }
        return IRGraphMutator::visit(op);
    }

private:
    const EvaluatedFuncs &evaluated;
};

/** Folds what has become constant; each node on its own, so that shared graphs stay small. */
class Folder : public IRGraphMutator {
public:
    using IRGraphMutator::mutate;
    Expr mutate(const Expr &e) override {
        Expr result = IRGraphMutator::mutate(e);
        // simplify() would visit what both branches share once a use.
        if (const Select *s = result.as<Select>()) return is_const_one(s->condition) ? s->true_value : is_const_zero(s->condition) ? s->false_value : result;
        if (result.defined() && !is_const(result) && has_constant_children(result)) result = simplified(result);
        return result;
    }

private:
    static bool has_constant_children(const Expr &e) {
        const auto constant = [](const Expr &c) { return is_const(c); };
        if (const Cast *c = e.as<Cast>()) return constant(c->value);
        if (const Call *c = e.as<Call>()) {
            return c->is_pure() && c->call_type != Call::Halide && c->call_type != Call::Image && !c->args.empty() &&
                   std::all_of(c->args.begin(), c->args.end(), constant);
        }
        if (const Not *n = e.as<Not>()) return constant(n->a);
        return binary_constant<Add>(e) || binary_constant<Sub>(e) || binary_constant<Mul>(e) ||
               binary_constant<Div>(e) || binary_constant<Mod>(e) || binary_constant<Min>(e) ||
               binary_constant<Max>(e) || binary_constant<EQ>(e) || binary_constant<NE>(e) ||
               binary_constant<LT>(e) || binary_constant<LE>(e) || binary_constant<GT>(e) ||
               binary_constant<GE>(e) || binary_constant<And>(e) || binary_constant<Or>(e);
    }
    template<typename T>
    static bool binary_constant(const Expr &e) {
        const T *op = e.as<T>();
        return op && is_const(op->a) && is_const(op->b);
    }
};

}  // namespace

std::vector<Buffer<>> evaluate_constants(const Function &f, const std::vector<std::pair<int, int>> &box) {
    auto [outputs, copies] = deep_copy({f}, build_environment({f}));
    for (auto &[name, copy] : copies) {
        const LoopLevel level = copy.has_update_definition() ? LoopLevel::root() : LoopLevel::inlined();
        copy.schedule().compute_level() = level;
        copy.schedule().store_level() = level;
        copy.schedule().hoist_storage_level() = level;
    }
    std::vector<int> mins, extents;
    for (const auto &[lo, hi] : box) {
        mins.push_back(lo);
        extents.push_back(hi - lo + 1);
    }
    std::vector<Buffer<>> buffers;
    for (const Type &t : f.output_types()) {
        Buffer<> b(t, extents);
        b.set_min(mins);
        buffers.push_back(b);
    }
    // Through a copy: updates may write outside of the box.
    Halide::Func whole(outputs[0]), part;
    std::vector<Var> vars(box.size());
    if (f.outputs() == 1) part(vars) = whole(vars);
    else part(vars) = Tuple(whole(vars));
    whole.compute_root();
    part.realize(Realization(buffers), get_jit_target_from_environment().with_feature(Target::StrictFloat));   // as the golden
    return buffers;
}

Expr with_constants(const Expr &e, const EvaluatedFuncs &evaluated) {
    return Folder().mutate(ConstantReader(evaluated).mutate(e));
}

Expr read_beyond_buffer(const Expr &e) {
    struct Beyond : IRGraphVisitor {
        Expr found;
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            const auto at = constant_place(op);
            if (at && op->call_type == Call::Image && op->image.defined() && !holds(op->image, *at)) found = op;
        }
    } beyond;
    e.accept(&beyond);
    return beyond.found;
}

}  // namespace argent::dsl
