#include "dsl/Simplify.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

struct FindOverflow : IRGraphVisitor {
    bool found = false;
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        found = found || op->is_intrinsic(Call::signed_integer_overflow);
        if (!found) IRGraphVisitor::visit(op);
    }
};

}  // namespace

Expr simplified(const Expr &e) {
    const Expr simpler = simplify(e);
    FindOverflow overflow;
    simpler.accept(&overflow);
    return overflow.found ? e : simpler;
}

Expr simplified_index(const Expr &e) {
    struct FindRead : IRGraphVisitor {
        bool found = false;
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            found = found || op->call_type == Call::Halide || op->call_type == Call::Image;
            if (!found) IRGraphVisitor::visit(op);
        }
    } read;
    e.accept(&read);
    if (read.found) return e;
    const Expr plain = simplified(remove_likelies(e));   // borders around numbers leave likely(0)
    return is_const(plain) ? plain : simplified(e);
}

std::optional<std::vector<int>> constant_place(const Call *read) {
    std::vector<int> at;
    for (const Expr &a : read->args) {
        const auto value = as_const_int(a);
        if (!value) return std::nullopt;
        at.push_back(static_cast<int>(*value));
    }
    return at;
}

}  // namespace argent::dsl
