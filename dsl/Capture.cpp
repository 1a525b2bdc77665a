#include "dsl/Capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "boards/Load.h"
#include "dsl/Check.h"
#include "dsl/ChooseStorage.h"
#include "dsl/HoistParams.h"
#include "dsl/Simplify.h"
#include "dsl/Texts.h"
#include "dsl/Walk.h"
#include "hwgen/passes/BuildDatapath.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

Parameter image_of(const Function &f) {
    const Call *call = f.has_pure_definition() ? f.is_wrapper() : nullptr;
    const bool unscheduled = call && f.schedule().compute_level().is_inlined();
    return unscheduled && call->call_type == Call::Image && call->param.defined() ? call->param : Parameter();
}

namespace {

/** Scalars that come from the host, in the order of their names. */
class FindParams : public IRGraphVisitor {
public:
    std::map<std::string, Expr> found;
    std::set<std::string> twice;   // names of several Params

protected:
    using IRGraphVisitor::visit;
    void visit(const Variable *op) override {
        if (!op->param.defined()) return;
        const auto [it, is_new] = found.emplace(op->name, op);
        if (!is_new && !it->second.as<Variable>()->param.same_as(op->param)) twice.insert(op->name);
    }
};

class FindCalls : public IRGraphVisitor {
public:
    std::vector<const Call *> images;
    std::set<std::string> funcs;

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type == Call::Image) images.push_back(op);
        if (op->call_type == Call::Halide) funcs.insert(op->name);
    }
};

hwgen::Interval declared_range(const Expr &variable) {
    const Variable *v = variable.as<Variable>();
    hwgen::Interval range = hwgen::Interval::of(v->type);
    if (v->param.is_buffer()) return range;
    const auto bound = [&](const Expr &e, hwgen::Wide otherwise) -> hwgen::Wide {
        if (!e.defined()) return otherwise;
        if (const auto i = as_const_int(e)) return *i;
        if (const auto u = as_const_uint(e)) return *u;
        return otherwise;
    };
    range.lo = std::max(range.lo, bound(v->param.min_value(), range.lo));
    range.hi = std::min(range.hi, bound(v->param.max_value(), range.hi));
    return range;
}

/** For comments and the report: nothing that fills pages. */
std::string printed(const Expr &e) {
    constexpr size_t longest = 300;
    struct Size : IRVisitor {
        int nodes = 0;
        using IRVisitor::visit;
        void visit(const Call *op) override {
            nodes += 2;
            IRVisitor::visit(op);
        }
        void visit(const Add *op) override {
            nodes++;
            IRVisitor::visit(op);
        }
    } size;
    e.accept(&size);
    if (size.nodes > 200) return fmt::format("({} operators)", size.nodes);
    const std::string text = shown(e);
    return text.size() > longest ? text.substr(0, longest) + " ..." : text;
}

/** As the user wrote it: the Func's own definition. */
std::string written(const Function &f) {
    std::string text;
    if (f.has_pure_definition()) text = printed(f.definition().values()[0]);
    for (const Definition &u : f.updates()) text += "; " + printed(u.values()[0]);
    return text;
}

/** Every index as `var + constant`, as far as it is one. */
class SimplifyIndices : public IRGraphMutator {
protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide) return IRGraphMutator::visit(op);
        std::vector<Expr> args;
        for (const Expr &a : op->args) args.push_back(simplified(mutate(a)));
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }
};

void add_funcs(const std::map<std::string, std::string> &stored, const Env &env, const Walk &walk,
               const AcceleratorSpec &spec, Captured &captured, Diagnostics &diagnostics) {
    std::set<std::string> stops = walk.inputs;
    for (const auto &[name, reason] : stored) stops.insert(name);
    const std::string &out = walk.out;
    Expander expander(env, stops, {spec.where, accelerate_text(spec), out, {}}, diagnostics);
    std::set<std::string> seen = walk.inputs;
    const std::function<void(const std::string &)> add = [&](const std::string &name) {
        if (!seen.insert(name).second) return;
        const Function &f = env.at(name);
        const std::vector<Expr> values = expander.values(f);
        if (values.empty()) return;
        FindCalls calls;
        values[0].accept(&calls);
        for (const std::string &callee : calls.funcs) add(callee);
        hwgen::Func stage;
        stage.name = name;
        stage.label = user_name(name);
        stage.type = f.output_types()[0];
        stage.vars = f.args();
        stage.value = SimplifyIndices().mutate(values[0]);
        stage.expression = written(f);
        stage.reason = stored.at(name);
        captured.region.funcs.push_back(stage);
    };
    add(out);
}

/** padded.extent.0 -> padded_extent_0 */
std::string plain_name(const std::string &variable) {
    std::string name = user_name(variable);
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

/** The wish for what the host computes of up to three Params: gain_bias_host. */
std::string host_name(const HostScalar &s, size_t number) {
    if (s.params.empty() || s.params.size() > 3) return fmt::format("host_{}", number);
    std::string name;
    for (const std::string &p : s.params) name += plain_name(p) + "_";
    return name + "host";
}

/** What a host scalar can be, from the declared ranges of its Params. */
hwgen::Interval range_of(const Expr &value) {
    FindParams finder;
    value.accept(&finder);
    hwgen::StageSource source;
    source.value = value;
    for (const auto &[name, variable] : finder.found) {
        if (variable.type().is_float()) return hwgen::Interval::of(value.type());
        source.params[name] = declared_range(variable);
    }
    try {
        const hwgen::Datapath d = hwgen::build_datapath(source);
        return d[d.outputs[0]].range;
    } catch (const hwgen::UnsupportedOp &) {   // floats
        return hwgen::Interval::of(value.type());
    }
}

void add_params(const AcceleratorSpec &spec, Captured &captured, Diagnostics &diagnostics) {
    FindParams all, finder;
    std::vector<HostScalar> scalars;
    for (hwgen::Func &f : captured.region.funcs) {
        if (!f.value.defined()) continue;
        f.value.accept(&all);
        f.value = hoist_params(f.value, scalars);
        f.value.accept(&finder);
    }
    for (const std::string &name : all.twice) {
        const std::string plain = user_name(name);
        diagnostics.error(spec.where, fmt::format("{}: two Params are called {}", accelerate_text(spec), plain),
                          {fmt::format("give each a name of its own, e.g. \"{}_2\"", plain)});
    }
    std::vector<hwgen::Param> &params = captured.region.params;
    verilog::Scope names;
    for (const auto &[name, variable] : finder.found) {
        params.push_back({names.fresh(plain_name(name)), name, variable.type(), declared_range(variable)});
        captured.params.push_back(variable);
    }
    for (size_t i = 0; i < scalars.size(); i++) {
        const HostScalar &s = scalars[i];
        params.push_back({names.fresh(host_name(s, i)), s.variable, s.value.type(), range_of(s.value),
                          "computed by the host: " + printed(s.value)});
        captured.params.push_back(s.value);
    }
}

void add_directives(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, hwgen::Region &r) {
    std::string extents;
    for (size_t i = 0; i < r.block.size(); i++) {
        extents += fmt::format("{}{{{}, {}}}", i ? ", " : "", r.block_vars[i], r.block[i]);
    }
    r.directives.push_back({fmt::format("block({{{}}})", extents), !spec.blocks.empty()});
    r.directives.push_back({r.clocks == 1 ? fmt::format("throughput({}, {})", r.block_vars[0], r.pixels) :
                                            fmt::format("throughput({}, {}, {})", r.block_vars[0], r.pixels, r.clocks),
                            !spec.throughputs.empty()});
    for (const auto &[name, reason] : stored) {
        if (name == r.outputs[0]) continue;
        r.directives.push_back({fmt::format("linebuffer({})", user_name(name)), reason.rfind("linebuffer", 0) == 0});
    }
    for (const auto &s : spec.storage) {
        if (s.value.kind != StorageDirective::Kind::Inlined) continue;
        r.directives.push_back({fmt::format("inlined({})", user_name(s.value.func.name())), true});
    }
    for (const auto &f : spec.fifos) {
        r.directives.push_back({fmt::format("fifo_depth({}, {}, {})", user_name(f.value.from.name()),
                                            user_name(f.value.to.name()), f.value.elements),
                                true});
    }
    r.directives.push_back({fmt::format("board(\"{}\")", r.board.name), !spec.boards.empty()});
    r.directives.push_back({fmt::format("clock({:g})", r.clock_mhz), !spec.clocks.empty()});
    r.directives.push_back({fmt::format("name(\"{}\")", r.name), !spec.names.empty()});
}

/** ns::edges -> ns_edges_out; table -> table_. */
std::string default_name(const std::string &function, const std::string &out) {
    std::string name;
    for (size_t i = 0; i < function.size(); i++) {
        const bool is_scope = function.compare(i, 2, "::") == 0;
        name += is_scope ? '_' : function[i];
        i += is_scope;
    }
    if (!out.empty()) name += verilog::legal("f_" + out).substr(1);   // a keyword is none behind a prefix
    return verilog::is_reserved(name) ? name + "_" : name;
}

}  // namespace

std::optional<Captured> capture(const AcceleratorSpec &spec, const Env &env, const std::string &function,
                                bool only_accelerator, Diagnostics &diagnostics) {
    Diagnostics found;
    const auto give_up = [&]() -> std::optional<Captured> {
        for (const Diagnostic &d : found.all()) diagnostics.error(d.where, d.message, d.notes);
        return std::nullopt;
    };
    const bool walkable = check_spec(spec, env, found);
    if (!walkable) return give_up();

    Captured captured;
    hwgen::Region &r = captured.region;
    const std::string out = spec.outs[0].name();
    captured.out = env.at(out);
    Diagnostics on_the_way;
    const Walk region_walk = walk(spec, env, on_the_way);
    const bool walked = !on_the_way.has_errors();
    for (const Diagnostic &d : on_the_way.all()) found.error(d.where, d.message, d.notes);
    for (const Halide::Func &f : spec.inputs) {
        const auto known = env.find(f.name());
        const Function func = known != env.end() ? known->second : f.function();
        hwgen::Func input;
        input.kind = hwgen::Func::Kind::Input;
        input.name = f.name();
        input.label = shown(f);
        input.type = func.output_types()[0];
        input.vars = func.args();
        input.reason = "an input";
        captured.inputs.push_back({func, known != env.end() ? image_of(func) : Parameter()});
        r.funcs.push_back(input);
    }
    const std::map<std::string, std::string> stored = choose_storage(spec, env, region_walk);
    if (walked) add_funcs(stored, env, region_walk, spec, captured, found);
    check_region(spec, env, region_walk, stored, r, found);
    if (found.has_errors()) return give_up();

    r.function = function;
    r.name = !spec.names.empty() ? spec.names[0].value : default_name(function, only_accelerator ? "" : user_name(out));
    r.where = spec.where;
    r.outputs = {out};
    for (const auto &[var, extent] : spec.blocks[0].value) {
        r.block_vars.push_back(var.name());
        r.block.push_back(extent);
    }
    if (!spec.throughputs.empty()) {
        r.pixels = spec.throughputs[0].value.pixels;
        r.clocks = spec.throughputs[0].value.clocks;
    }
    r.board = *boards::load(spec.boards.empty() ? "pynq-z2" : spec.boards[0].value);
    r.clock_mhz = spec.clocks.empty() ? r.board.clock_mhz : spec.clocks[0].value;
    for (const auto &f : spec.fifos) {
        r.fifo_depths.push_back({f.value.from.name(), f.value.to.name(), f.value.elements, f.where});
    }
    add_params(spec, captured, diagnostics);
    add_directives(spec, stored, r);
    return captured;
}

}  // namespace argent::dsl
