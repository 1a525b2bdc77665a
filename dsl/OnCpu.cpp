#include "dsl/OnCpu.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr bound_of(const Parameter &buffer, const char *which, int dim) {
    return Variable::make(Int(32), fmt::format("{}.{}.{}", buffer.name(), which, dim), buffer);
}

/** Reads images in place of Funcs of the host, and all images inside of their bounds; scalars that nobody passes otherwise become Params. */
class Cut : public IRGraphMutator {
public:
    std::map<std::string, std::vector<Parameter>> funcs;   // inputs by the name of their Func: one for each element
    std::set<std::string> images;                          // names of their Parameters
    std::vector<OnCpu::Scalar> scalars;

protected:
    using IRGraphMutator::visit;

    Expr visit(const Call *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Call *call = e.as<Call>();
        if (!call) return e;
        const auto input = call->call_type == Call::Halide ? funcs.find(call->name) : funcs.end();
        if (input != funcs.end()) return read(input->second[call->value_index], call->args);
        if (call->call_type == Call::Image && call->param.defined() && images.count(call->param.name())) return read(call->param, call->args);
        return e;
    }

    Expr visit(const Variable *op) override {
        if (!op->param.defined() || (op->param.is_buffer() && images.count(op->param.name()))) return op;
        for (const OnCpu::Scalar &s : scalars)
            if (s.value.as<Variable>()->name == op->name) return Variable::make(op->type, s.param.name(), s.param);
        const Parameter param(op->type, false, 0, fmt::format("scalar_{}", scalars.size()));
        scalars.push_back({op, param, 0});
        return Variable::make(op->type, param.name(), param);
    }

private:
    /** What lies beyond is read by elements only that nobody wants. */
    static Expr read(const Parameter &buffer, const std::vector<Expr> &args) {
        std::vector<Expr> inside;
        for (size_t d = 0; d < args.size(); d++) {
            const Expr min = bound_of(buffer, "min", static_cast<int>(d)), extent = bound_of(buffer, "extent", static_cast<int>(d));
            inside.push_back(clamp(args[d], min, min + extent - 1));
        }
        return Call::make(buffer, inside);
    }
};

/** Takes out of a stage's schedule what speaks of Funcs that may not be here; and parallel loops: it runs under the device's lock, and who waits for such a loop may be given
 *  another launch to do. */
void leave_alone(StageSchedule &s) {
    for (Dim &d : s.dims()) {
        if (d.for_type == ForType::Parallel) d.for_type = ForType::Serial;
    }
    s.fuse_level() = FuseLoopLevel();
    s.fused_pairs().clear();
    s.prefetches().clear();
}

/** In memory of its own, or inlined, wherever the host's loops are. */
void detach(Function &f, bool is_stored) {
    FuncSchedule &s = f.schedule();
    const LoopLevel level = is_stored || !s.compute_level().is_inlined() ? LoopLevel::root() : LoopLevel::inlined();
    s.compute_level() = s.store_level() = s.hoist_storage_level() = level;
    s.async() = false;
    s.ring_buffer() = Expr();
    s.wrappers().clear();   // they have been applied
    leave_alone(f.definition().schedule());
    for (size_t u = 0; u < f.updates().size(); u++) leave_alone(f.update(static_cast<int>(u)).schedule());
}

/** The Functions of the region. */
std::map<std::string, Function> between(const std::vector<Captured::Output> &outs, const Env &env,
                                        const std::map<std::string, std::vector<Parameter>> &inputs) {
    std::map<std::string, Function> found;
    std::vector<Function> todo;
    for (const Captured::Output &o : outs) todo.push_back(env.at(o.func.name()));
    while (!todo.empty()) {
        const Function f = todo.back();
        todo.pop_back();
        if (!found.emplace(f.name(), f).second) continue;
        for (const auto &[name, callee] : find_direct_calls(f))
            if (!inputs.count(name)) todo.push_back(env.at(name));
    }
    return found;
}

}  // namespace

OnCpu region_on_cpu(const Captured &captured, Env env) {
    OnCpu result;
    Cut cut;
    std::vector<Captured::Input> inputs = captured.inputs;
    inputs.insert(inputs.end(), captured.tables.begin(), captured.tables.end());
    for (const Captured::Input &input : inputs) {
        for (int element = 0; element < input.func.outputs(); element++) {
            Parameter buffer = input.image;
            if (!buffer.defined()) {
                buffer = Parameter(input.func.output_types()[element], true, input.func.dimensions(), fmt::format("input_{}", result.buffers.size()));
                if (buffer.dimensions() > 0) buffer.set_stride_constraint(0, Expr());   // planes and pixels lie as the host likes
            }
            cut.funcs[input.func.name()].push_back(buffer);
            cut.images.insert(buffer.name());
            result.buffers.push_back(buffer);
        }
    }

    std::map<std::string, Function> region = between(captured.outs, env, cut.funcs);
    std::set<std::string> stored;
    for (const Captured::Output &o : captured.outs) stored.insert(o.func.name());
    for (const hwgen::Func &f : captured.region.funcs) stored.insert(f.name.substr(0, f.name.find('.')));
    for (auto &[func, f] : region) {
        f.mutate(&cut);
        detach(f, stored.count(func) > 0);
    }
    result.scalars = cut.scalars;

    // Through copies: the schedule of the accelerator's own outputs may compute more than the block.
    for (const Captured::Output &o : captured.outs) {
        Halide::Func whole(region.at(o.func.name())), block(captured.region.name + "_block");
        std::vector<Var> vars;
        for (const std::string &v : o.func.args()) vars.emplace_back(v);
        if (whole.outputs() == 1) block(vars) = whole(vars);
        else block(vars) = Tuple(whole(vars));
        for (OutputImageParam &b : block.output_buffers()) b.dim(0).set_stride(Expr());
        result.outs.push_back(block);
    }
    return result;
}

Module compile_on_cpu(const OnCpu &region, const std::string &symbol, const Target &target) {
    std::vector<Argument> args;
    for (const Parameter &b : region.buffers) args.emplace_back(b.name(), Argument::InputBuffer, b.type(), b.dimensions(), ArgumentEstimates{});
    for (const OnCpu::Scalar &s : region.scalars) args.emplace_back(s.param.name(), Argument::InputScalar, s.param.type(), 0, ArgumentEstimates{});
    Pipeline pipeline(region.outs);
    return pipeline.compile_to_module(args, symbol, target.with_feature(Target::NoRuntime), LinkageType::External);
}

}  // namespace argent::dsl
