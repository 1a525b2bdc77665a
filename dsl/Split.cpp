#include "dsl/Split.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr read_at(const Captured::Input &input, const Function &func, const std::vector<Expr> &at) {
    return input.image.defined() ? Call::make(input.image, at) : Call::make(func, at);
}

/** Leaves the Function's name, types, schedule and output buffers, and nothing that computes. */
void drop_definitions(Function &f) {
    f.update_with_deserialization(f.name(), f.origin_name(), f.output_types(), f.required_types(),
                                  f.required_dimensions(), f.args(), f.schedule(), Definition(), {}, f.debug_file(),
                                  f.output_buffers(), {}, "", NameMangling::Default, DeviceAPI::Host, Expr(),
                                  f.is_tracing_loads(), f.is_tracing_stores(), f.is_tracing_realizations(),
                                  f.get_trace_tags(), f.should_not_profile(), false);
}

}  // namespace

void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env) {
    Function out = env.at(captured.out.name());
    const std::vector<std::string> vars = out.args();
    const Type type = out.output_types()[0];

    Expr proxy = make_zero(type);
    std::vector<ExternFuncArgument> args;
    for (size_t i = 0; i < captured.inputs.size(); i++) {
        const Captured::Input &input = captured.inputs[i];
        const Function func = env.count(input.func.name()) ? env.at(input.func.name()) : input.func;
        std::vector<Expr> lowest, highest;
        for (size_t d = 0; d < vars.size(); d++) {
            const Expr v = Variable::make(Int(32), vars[d]);
            lowest.push_back(v + design.input_boxes[i][d].min);
            highest.push_back(v + design.input_boxes[i][d].max);
        }
        proxy = proxy + cast(type, read_at(input, func, lowest)) + cast(type, read_at(input, func, highest));
        args.push_back(input.image.defined() ? ExternFuncArgument(input.image) :
                                               ExternFuncArgument(func.get_contents()));
    }
    // Bounds inference defines these names around the stage; buffers may be larger than what is required.
    for (const std::string &v : vars) {
        const std::string loop = out.name() + ".s0." + v;
        args.push_back(Variable::make(Int(32), loop + ".min"));
        args.push_back(Variable::make(Int(32), loop + ".max"));
    }
    for (const Expr &p : captured.params) args.push_back(p);

    std::vector<Var> dims;
    for (const std::string &v : vars) dims.emplace_back(v);
    drop_definitions(out);
    out.extern_definition_proxy_expr() = proxy;
    out.define_extern(launcher, args, {type}, dims, NameMangling::C, DeviceAPI::Host);
}

}  // namespace argent::dsl
