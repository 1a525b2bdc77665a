#include "dsl/StagesOfCoordinates.h"

#include <algorithm>

#include "dsl/Borders.h"
#include "dsl/Calls.h"
#include "dsl/Simplify.h"
#include "hwgen/ir/IndexMap.h"
#include "hwgen/ir/Region.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Funcs with linebuffer(). */
std::set<std::string> kept_by(const AcceleratorSpec &spec) {
    std::set<std::string> kept;
    for (const auto &s : spec.storage) {
        if (s.value.kind == StorageDirective::Kind::LineBuffer) kept.insert(s.value.func.name());
    }
    return kept;
}

bool goes_along_inside(const Expr &index, const std::string &var) {
    const std::optional<BorderedIndex> border = bordered_index(index, var);
    return border && border->border != hwgen::Border::Repeat;   // a place that is repeated is as good as any other
}

/** Whether indices move with the reader's variables, in their order, and others are numbers. */
bool goes_along(const Call *read, const std::vector<std::string> &vars, bool may_have_borders) {
    size_t next = 0;
    for (const Expr &arg : read->args) {
        const Expr index = simplified_index(arg);
        if (is_const(index)) continue;
        const auto var = std::find_if(vars.begin() + next, vars.end(), [&](const std::string &v) {
            return hwgen::index_map_of(index, v) || (may_have_borders && goes_along_inside(index, v));
        });
        if (var == vars.end()) return false;
        next = var - vars.begin() + 1;
    }
    return next > 0;
}

}  // namespace

std::set<std::string> wanted_stages_of_coordinates(const AcceleratorSpec &spec, const Env &env, const std::vector<std::string> &order, Expander &expander) {
    std::set<std::string> kept = kept_by(spec), wanted;
    for (const std::string &name : order) {
        const bool is_wanted = kept.count(name) || !env.at(name).schedule().compute_level().is_inlined();
        if (is_wanted && expander.is_constant(name)) wanted.insert(name);
    }
    return wanted;
}

std::set<std::string> stages_of_coordinates(std::set<std::string> wanted, const AcceleratorSpec &spec, const Env &env, const Walk &walk, Expander &expander) {
    const std::set<std::string> kept = kept_by(spec);
    std::set<std::string> elsewhere;   // with what is inlined there
    for (auto reader = walk.order.rbegin(); reader != walk.order.rend(); ++reader) {
        for (const Expr &value : walk.own_of(*reader)) {
            for (const Call *read : hwgen::reads_in(value)) {
                if (read->call_type != Call::Halide || !expander.is_constant(read->name)) continue;
                // Beyond a border a launch may reach further than a stage has taps for; arithmetic goes anywhere.
                const bool may_be = goes_along(read, env.at(*reader).args(), kept.count(read->name) > 0) && !expander.is_rom(read);
                if (elsewhere.count(*reader) || !may_be) elsewhere.insert(read->name);
            }
        }
    }
    for (const std::string &name : elsewhere) wanted.erase(name);
    return wanted;
}

}  // namespace argent::dsl
