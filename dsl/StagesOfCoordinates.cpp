#include "dsl/StagesOfCoordinates.h"

#include <algorithm>

#include "dsl/Borders.h"
#include "dsl/Simplify.h"
#include "hwgen/ir/IndexMap.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

bool goes_along_inside(const Expr &index, const std::string &var) {
    const std::optional<BorderedIndex> border = bordered_index(index, var);
    return border && border->border != hwgen::Border::Repeat;   // a place that is repeated is as good as any other
}

/** Whether indices move with the reader's variables, in their order, and others are numbers. */
bool goes_along(const Call *read, const std::vector<std::string> &vars) {
    size_t next = 0;
    for (const Expr &arg : read->args) {
        const Expr index = simplified_index(arg);
        if (is_const(index)) continue;
        const auto var = std::find_if(vars.begin() + next, vars.end(), [&](const std::string &v) {
            return hwgen::index_map_of(index, v) || goes_along_inside(index, v);
        });
        if (var == vars.end()) return false;
        next = var - vars.begin() + 1;
    }
    return next > 0;
}

}  // namespace

std::set<std::string> kept_coordinates(const AcceleratorSpec &spec, const std::vector<std::string> &order, Expander &expander) {
    std::set<std::string> kept;
    for (const auto &s : spec.storage) {
        const std::string name = s.value.func.name();
        const bool is_inside = std::find(order.begin(), order.end(), name) != order.end();
        if (s.value.kind == StorageDirective::Kind::LineBuffer && is_inside && expander.is_constant(name)) kept.insert(name);
    }
    return kept;
}

std::set<std::string> stages_of_coordinates(std::set<std::string> kept, const Env &env, const Walk &walk, Expander &expander) {
    std::set<std::string> elsewhere;   // with what is inlined there
    for (auto reader = walk.order.rbegin(); reader != walk.order.rend(); ++reader) {
        for (const Expr &value : walk.own_of(*reader)) {
            for (const Call *read : hwgen::reads_in(value)) {
                if (read->call_type != Call::Halide || !expander.is_constant(read->name)) continue;
                const bool may_be = goes_along(read, env.at(*reader).args()) && !expander.is_rom(read);
                if (elsewhere.count(*reader) || !may_be) elsewhere.insert(read->name);
            }
        }
    }
    for (const std::string &name : elsewhere) kept.erase(name);
    return kept;
}

}  // namespace argent::dsl
