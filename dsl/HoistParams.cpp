#include "dsl/HoistParams.h"

#include <fmt/format.h>

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Types that Halide's code for a CPU knows; hardware has all of 1 to 64 bits. */
bool host_knows(Type t) {
    return t.bits() == 1 || t.bits() == 8 || t.bits() == 16 || t.bits() == 32 || t.bits() == 64;
}

class Hoister : public IRGraphMutator {
public:
    Hoister(std::vector<HostScalar> &scalars, const std::set<std::string> &tables) : scalars(scalars), tables(tables) {}

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
        const bool is_read = op->call_type == Call::Halide || op->call_type == Call::Image;
        return is_read && !tables.count(op->name) ? Expr(op) : IRGraphMutator::visit(op);
    }

private:
    std::vector<HostScalar> &scalars;
    const std::set<std::string> &tables;
    OfParams is_of_params;
};

}  // namespace

bool OfParams::operator()(const Expr &e) {
    include(e);
    const Reads &of = known.at(e);
    return of.params && !of.others;
}

void OfParams::include(const Expr &e) {
    const Reads outer = reads;
    const auto it = known.find(e);
    if (it != known.end()) {
        reads = it->second;
    } else {
        reads = {};
        reads.others = !host_knows(e.type());
        e.accept(this);
        known[e] = reads;
    }
    reads = {outer.params || reads.params, outer.others || reads.others};
}

void OfParams::visit(const Variable *op) {
    (op->param.defined() ? reads.params : reads.others) = true;
}

void OfParams::visit(const Call *op) {
    reads.others = reads.others || op->call_type == Call::Halide || op->call_type == Call::Image || !op->is_pure();
    IRGraphVisitor::visit(op);
}

Expr hoist_params(const Expr &value, std::vector<HostScalar> &scalars, const std::set<std::string> &tables) {
    return Hoister(scalars, tables).mutate(value);
}

}  // namespace argent::dsl
