#include "dsl/Calls.h"

namespace argent::dsl {

using namespace Halide::Internal;

void Calls::visit(const Call *op) {
    IRGraphVisitor::visit(op);
    if (op->call_type == Call::Halide || op->call_type == Call::Image) reads.push_back(op);
    else if (op->call_type == Call::Extern || op->call_type == Call::ExternCPlusPlus || op->call_type == Call::PureExtern)
        others.push_back(op);
}

Calls calls_of(const std::vector<Halide::Expr> &values) {
    Calls calls;
    for (const Halide::Expr &v : values) v.accept(&calls);
    return calls;
}

std::string func_of(const std::string &element) {
    return element.substr(0, element.find('.'));
}

}  // namespace argent::dsl
