#include "dsl/HoistParams.h"

#include <fmt/format.h>

#include <set>

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Types that Halide's code for a CPU knows; hardware has all of 1 to 64 bits. */
bool host_knows(Type t) {
    return t.bits() == 1 || t.bits() == 8 || t.bits() == 16 || t.bits() == 32 || t.bits() == 64;
}

struct Reads : IRGraphVisitor {
    bool params = false, others = false;
    using IRGraphVisitor::visit;
    void include(const Expr &e) override {
        others = others || !host_knows(e.type());
        if (!others) IRGraphVisitor::include(e);   // one pixel is enough to know
    }
    void visit(const Variable *op) override { (op->param.defined() ? params : others) = true; }
    void visit(const Call *op) override {
        others = others || op->call_type == Call::Halide || op->call_type == Call::Image || !op->is_pure();
        IRGraphVisitor::visit(op);
    }
};

class Hoister : public IRGraphMutator {
public:
    explicit Hoister(std::vector<HostScalar> &scalars) : scalars(scalars) {}

    using IRGraphMutator::mutate;
    Expr mutate(const Expr &e) override {
        const Type t = e.type();
        const bool fits = t.is_scalar() && (t.is_int() || t.is_uint()) && t.bits() <= 64;
        if (!fits || e.as<Variable>() || !is_of_params(e)) return IRGraphMutator::mutate(e);
        for (const HostScalar &s : scalars) {
            if (equal(s.value, e)) return Variable::make(t, s.variable);
        }
        struct Names : IRGraphVisitor {
            std::set<std::string> found;
            using IRGraphVisitor::visit;
            void visit(const Variable *op) override { found.insert(op->name); }
        } names;
        e.accept(&names);
        scalars.push_back({fmt::format("host${}", scalars.size()), e, {names.found.begin(), names.found.end()}});
        return Variable::make(t, scalars.back().variable);
    }

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        return op->call_type == Call::Halide || op->call_type == Call::Image ? Expr(op) : IRGraphMutator::visit(op);
    }

private:
    std::vector<HostScalar> &scalars;
};

}  // namespace

bool is_of_params(const Expr &e) {
    Reads reads;
    reads.include(e);
    return reads.params && !reads.others;
}

Expr hoist_params(const Expr &value, std::vector<HostScalar> &scalars) {
    return Hoister(scalars).mutate(value);
}

}  // namespace argent::dsl
