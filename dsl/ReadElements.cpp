#include "dsl/ReadElements.h"

#include <optional>
#include <vector>

#include "dsl/Simplify.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

Expr ReadElements::visit(const Call *op) {
    if (op->call_type != Call::Halide) return IRGraphMutator::visit(op);
    std::vector<Expr> args;
    for (const Expr &a : op->args) args.push_back(simplified_index(mutate(a)));
    const Expr call = Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    const auto shape = left.count(op->name) ? walk.shapes.end() : walk.shapes.find(op->name);
    const auto element = shape == walk.shapes.end() ? std::nullopt : scalar_read(call.as<Call>(), shape->second);
    if (!element) return call;
    found.insert(*element);
    const Function &f = walk.inputs.count(op->name) ? walk.input_funcs.at(op->name) : env.at(op->name);
    const std::string name = scalar_name(*element, f, shape->second);
    if (name == op->name) return call;
    std::vector<Expr> scanned;
    for (int d : shape->second.scanned) scanned.push_back(args[d]);
    return Call::make(op->type, name, scanned, Call::Halide);
}

}  // namespace argent::dsl
