#include "dsl/StagesOfCoordinates.h"

#include <algorithm>

#include "dsl/Borders.h"
#include "dsl/Simplify.h"
#include "hwgen/ir/IndexMap.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Reads of Funcs of coordinates by one Func: who of them is read elsewhere than along with the scan, so that no window has it. Beyond a border only those
 *  in `kept` are, as a launch may reach further than a stage has taps for, and arithmetic goes anywhere. */
class ReadElsewhere : public IRGraphVisitor {
public:
    ReadElsewhere(const Function &reader, const std::set<std::string> &kept, Expander &expander) : kept(kept), expander(expander), vars(reader.args()) {
        reader.accept(this);
    }
    std::set<std::string> found, all;

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type != Call::Halide || !expander.is_constant(op->name)) return;
        all.insert(op->name);
        if (!goes_along(op) || expander.is_rom(op)) found.insert(op->name);
    }
    void visit(const Variable *op) override {
        if (!op->reduction_domain.defined()) return;
        for (const ReductionVariable &v : op->reduction_domain.domain()) firsts[v.var] = v.min;
    }

private:
    /** Indices move with the reader's variables, in their order; others are numbers. */
    bool goes_along(const Call *read) const {
        size_t next = 0;
        bool moves = false;
        for (const Expr &arg : read->args) {
            const Expr index = simplified_index(substitute(firsts, arg));   // a window's first place
            if (is_const(index)) continue;
            const auto var = std::find_if(vars.begin() + next, vars.end(), [&](const std::string &v) {
                return hwgen::index_map_of(index, v) || (kept.count(read->name) && goes_along_inside(index, v));
            });
            if (var == vars.end()) return false;
            next = var - vars.begin() + 1;
            moves = true;
        }
        return moves;
    }
    static bool goes_along_inside(const Expr &index, const std::string &var) {
        const std::optional<BorderedIndex> border = bordered_index(index, var);
        return border && border->border != hwgen::Border::Repeat;   // a place that is repeated is as good as any other
    }

    const std::set<std::string> &kept;
    Expander &expander;
    const std::vector<std::string> vars;
    std::map<std::string, Expr> firsts;   // of RDoms
};

}  // namespace

std::set<std::string> stages_of_coordinates(const AcceleratorSpec &spec, const Env &env, const std::vector<std::string> &order, Expander &expander) {
    std::set<std::string> kept, stages, elsewhere;
    for (const auto &s : spec.storage) {
        if (s.value.kind == StorageDirective::Kind::LineBuffer) kept.insert(s.value.func.name());
    }
    for (auto reader = order.rbegin(); reader != order.rend(); ++reader) {
        const ReadElsewhere reads(env.at(*reader), kept, expander);
        const std::set<std::string> &found = elsewhere.count(*reader) ? reads.all : reads.found;   // what is inlined goes where its reader does
        elsewhere.insert(found.begin(), found.end());
    }
    for (const std::string &name : order) {
        const bool is_wanted = kept.count(name) || !env.at(name).schedule().compute_level().is_inlined();
        if (is_wanted && expander.is_constant(name) && !elsewhere.count(name)) stages.insert(name);
    }
    return stages;
}

}  // namespace argent::dsl
