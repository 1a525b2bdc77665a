#include "dsl/Capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "boards/Load.h"
#include "dsl/Borders.h"
#include "dsl/Calls.h"
#include "dsl/Check.h"
#include "dsl/ChooseStorage.h"
#include "dsl/HoistParams.h"
#include "dsl/Layout.h"
#include "dsl/Loops.h"
#include "dsl/Simplify.h"
#include "dsl/Tables.h"
#include "dsl/Texts.h"
#include "dsl/Walk.h"
#include "hwgen/passes/BuildDatapath.h"
#include "hwgen/passes/CutTimelines.h"
#include "hwgen/passes/InferRates.h"
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
std::string written(const Function &f, const Scalar &s, const Shape &shape) {
    std::string text;
    if (f.has_pure_definition()) text = printed(f.definition().values()[s.element]);
    for (const Definition &u : f.updates()) text += "; " + printed(u.values()[s.element]);
    for (size_t i = 0; i < shape.unrolled.size(); i++) {
        text += fmt::format("{} {} = {}", i ? "," : ", with", user_name(f.args()[shape.unrolled[i]]), shown(s.at[i].index()));
    }
    return text;
}

/** Every index as `var + constant`, as far as it is one; reads of one element of a Func as reads of a Func of its own. */
class ReadElements : public IRGraphMutator {
public:
    /** `left`: Funcs of which every read stays. */
    ReadElements(const Env &env, const Walk &walk, const std::set<std::string> &left) : env(env), walk(walk), left(left) {}
    std::set<Scalar> found;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
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

private:
    const Env &env;
    const Walk &walk;
    const std::set<std::string> &left;
};

/** The line of the first directive about a Func, if there is one. */
Location directive_of(const AcceleratorSpec &spec, const std::string &func) {
    for (const auto &s : spec.storage) {
        if (s.value.func.name() == func) return s.where;
    }
    for (const auto &t : spec.time_shares) {
        if (t.value.func.name() == func) return t.where;
    }
    return {};
}

/** Stages, producers first, with reads of the inputs as they are. */
void add_funcs(const std::map<std::string, std::string> &stored, const Env &env, const Walk &walk,
               const AcceleratorSpec &spec, Captured &captured, Diagnostics &diagnostics) {
    std::set<std::string> stops = walk.inputs;
    for (const auto &[name, reason] : stored) stops.insert(name);
    Expander expander(env, stops, {spec.where, accelerate_text(spec), walk.outs, {}}, diagnostics);
    std::set<Scalar> seen;
    const std::function<void(const Scalar &)> add = [&](const Scalar &s) {
        if (!seen.insert(s).second) return;
        const Function &f = env.at(s.func);
        const Shape &shape = walk.shapes.at(s.func);
        const std::vector<Expr> values = expander.values(f, fixed_vars(s, f, shape));
        if (values.empty()) return;
        ReadElements elements(env, walk, walk.inputs);
        hwgen::Func stage;
        stage.value = elements.mutate(values[s.element]);
        for (const Scalar &callee : elements.found) add(callee);
        stage.name = scalar_name(s, f, shape);
        stage.label = scalar_label(s, f, shape);
        stage.type = f.output_types()[s.element];
        stage.vars = scanned_vars(f, shape);
        stage.expression = written(f, s, shape);
        stage.reason = stored.at(s.func);
        stage.where = directive_of(spec, s.func);
        captured.region.funcs.push_back(stage);
    };
    for (const std::string &out : walk.outs) {
        const auto elements = walk.scalars.find(out);
        for (const Scalar &s : elements == walk.scalars.end() ? std::vector<Scalar>() : elements->second) add(s);
    }
}

std::string buffer_name(const std::string &wish, const hwgen::Region &r) {
    for (const hwgen::Buffer &b : r.buffers) {
        if (b.name == wish) return buffer_name(wish + "_", r);
    }
    return wish;
}

/** Before the stages: what they read of the inputs that are no tables, and the buffers that hold it. */
void add_inputs(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured) {
    std::set<std::string> tables;
    for (const Captured::Input &t : captured.tables) tables.insert(t.func.name());
    ReadElements elements_of(env, walk, tables);
    for (hwgen::Func &f : captured.region.funcs) f.value = elements_of.mutate(f.value);
    const std::set<Scalar> &read = elements_of.found;
    std::vector<hwgen::Func> inputs;
    for (const Halide::Func &in : spec.inputs) {
        if (tables.count(in.name())) continue;
        const Function &f = walk.input_funcs.at(in.name());
        const Shape &shape = walk.shapes.at(in.name());
        captured.inputs.push_back({f, env.count(in.name()) ? image_of(f) : Parameter()});
        captured.input_shapes.push_back(shape);
        for (int element = 0; element < f.outputs(); element++) {
            hwgen::Buffer buffer;
            buffer.name = buffer_name(f.outputs() > 1 ? fmt::format("{}_{}", shown(in), element) : shown(in), captured.region);
            buffer.type = f.output_types()[element];
            buffer.dimensions = f.dimensions();
            buffer.scanned = shape.scanned;
            buffer.is_element = f.outputs() > 1;
            std::vector<Scalar> elements;
            std::vector<Place> any(shape.unrolled.size());
            for (const Scalar &s : read) {
                if (s.func != in.name()) continue;
                any = s.at;
                if (s.element == element) elements.push_back(s);
            }
            if (elements.empty()) elements.push_back({in.name(), element, any});   // the host passes it, read or not
            for (const Scalar &s : elements) {
                hwgen::Func input;
                input.kind = hwgen::Func::Kind::Input;
                input.name = scalar_name(s, f, shape);
                input.label = shown(in) + scalar_label(s, f, shape).substr(user_name(f.name()).size());
                input.type = buffer.type;
                input.vars = scanned_vars(f, shape);
                input.reason = "an input";
                buffer.planes.push_back(plane_of(input.name, s, f, shape));
                inputs.push_back(input);
            }
            captured.region.buffers.push_back(buffer);
        }
    }
    captured.region.funcs.insert(captured.region.funcs.begin(), inputs.begin(), inputs.end());
}

/** Whether an element is in the launch's own plane; other outputs may read more. */
bool is_of_launch(const Scalar &s, const Function &f, const Shape &shape, const Walk &walk) {
    for (size_t i = 0; i < shape.unrolled.size(); i++) {
        const int d = shape.unrolled[i];
        if (shape.is_looped(d) && s.at[i].key != Place(walk.loops.at(f.args()[d])).key) return false;
    }
    return true;
}

void add_output(const Walk &walk, int func, Captured &captured) {
    const Function &f = captured.outs[func].func;
    const Shape &shape = walk.shapes.at(f.name());
    for (int element = 0; element < f.outputs(); element++) {
        hwgen::Buffer buffer;
        buffer.name = buffer_name(f.outputs() > 1 ? fmt::format("{}_{}", user_name(f.name()), element) : user_name(f.name()), captured.region);
        buffer.type = f.output_types()[element];
        buffer.dimensions = f.dimensions();
        buffer.scanned = shape.scanned;
        for (const Scalar &s : walk.scalars.at(f.name())) {
            if (s.element != element || !is_of_launch(s, f, shape, walk)) continue;
            buffer.planes.push_back(plane_of(scalar_name(s, f, shape), s, f, shape));
            captured.region.outputs.push_back(buffer.planes.back().func);
            captured.region.output_funcs.push_back(func);
        }
        captured.region.buffers.push_back(buffer);
    }
}

/** Planes that lie side by side. Needs inputs and outputs. */
void find_layouts(const AcceleratorSpec &spec, const std::set<std::string> &pipeline_outputs, Captured &captured, Diagnostics &diagnostics) {
    const int pixels = spec.throughputs.empty() ? 1 : std::max(1, spec.throughputs[0].value.pixels);
    auto buffer = captured.region.buffers.begin();
    const auto find = [&](const Function &f, const Parameter &image, bool is_written) {
        const size_t before = diagnostics.all().size();
        std::vector<int> extents;
        for (int d = 0; d < f.dimensions(); d++) extents.push_back(is_written ? span_of(spec, f, d).extent : declared_span(f, image, d).extent);
        for (int element = 0; element < f.outputs(); element++, ++buffer) {
            const bool is_output = pipeline_outputs.count(f.name()) && !f.output_buffers().empty();
            const Parameter given = image.defined() ? image : is_output ? f.output_buffers()[element] : Parameter();
            const std::string name = image.defined() ? user_name(image.name()) : user_name(f.name());
            if (diagnostics.all().size() > before) continue;   // one Tuple, one mistake
            find_layout(*buffer, {f, given, name, extents, is_written, pixels, spec.where, accelerate_text(spec)}, diagnostics);
        }
    };
    for (const Captured::Input &input : captured.inputs) find(input.func, input.image, false);
    for (const Captured::Output &out : captured.outs) find(out.func, {}, true);
}

bool is_element(const hwgen::Func &f, const Halide::Func &of) {
    return f.name.substr(0, f.name.find('.')) == of.name();
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
    std::set<std::string> tables;
    for (const hwgen::TableSource &t : captured.region.tables) tables.insert(t.name);
    for (const hwgen::Buffered &b : captured.region.buffered) {
        for (const hwgen::Buffered::Element &e : b.elements) tables.insert(e.name);
    }
    for (hwgen::Func &f : captured.region.funcs) {
        if (!f.value.defined()) continue;
        f.value.accept(&all);
        f.value = hoist_params(f.value, scalars, tables);
        f.value.accept(&finder);
    }
    for (const std::string &name : all.twice) {
        const std::string plain = user_name(name);
        diagnostics.error(spec.where, fmt::format("{}: two Params are called {}", accelerate_text(spec), plain),
                          {fmt::format("give each a name of its own, e.g. \"{}_2\"", plain)});
    }
    for (const auto &[name, variable] : all.found) {
        if (!variable.type().is_int() && !variable.type().is_uint()) continue;   // the host computes with floats
        const hwgen::Interval range = declared_range(variable);
        if (range.lo <= range.hi) continue;
        const std::string plain = user_name(name);
        const auto number = [](hwgen::Wide w) { return fmt::format("{}", static_cast<int64_t>(w)); };
        diagnostics.error(spec.where, fmt::format("{}: the Param {} has the range {} to {}, which holds no value", accelerate_text(spec), plain,
                                                  number(range.lo), number(range.hi)),
                          {fmt::format("give the lower bound first, e.g. {}.set_range({}, {})", plain, number(range.hi), number(range.lo))});
        return;
    }
    std::vector<hwgen::Param> &params = captured.region.params;
    verilog::Scope names;
    std::vector<hwgen::Param> elements;   // of tables: behind the others
    elements.swap(params);
    for (const auto &[name, variable] : finder.found) {
        params.push_back({names.fresh(plain_name(name)), name, variable.type(), declared_range(variable)});
        params.back().host = variable;
        captured.params.push_back(variable);
    }
    for (size_t i = 0; i < scalars.size(); i++) {
        const HostScalar &s = scalars[i];
        params.push_back({names.fresh(host_name(s, i)), s.variable, s.value.type(), range_of(s.value),
                          "computed by the host: " + printed(s.value)});
        params.back().host = s.value;
        captured.params.push_back(s.value);
    }
    for (hwgen::Param &p : elements) {
        p.name = names.fresh(p.name);
        params.push_back(p);
    }
}

/** The shapes of the outputs, the block in the order of its dimensions, and what moves at a time. */
void add_block(const AcceleratorSpec &spec, const Walk &region_walk, Captured &captured) {
    hwgen::Region &r = captured.region;
    for (Captured::Output &out : captured.outs) {
        out.shape = region_walk.shapes.at(out.func.name());
        for (int d : out.shape.unrolled) out.spans.push_back(out.shape.is_looped(d) ? Span() : span_of(spec, out.func, d));
        for (int d : out.shape.looped) out.loops[out.func.args()[d]] = region_walk.loops.at(out.func.args()[d]);
    }
    for (const std::string &scanned : scanned_vars(captured.outs[0].func, captured.outs[0].shape)) {
        for (const auto &[var, extent] : spec.blocks[0].value) {
            if (var.name() != scanned) continue;
            r.block_vars.push_back(scanned);
            r.block.push_back(extent);
        }
    }
    if (!spec.throughputs.empty()) {
        r.pixels = spec.throughputs[0].value.pixels;
        r.clocks = spec.throughputs[0].value.clocks;
        r.throughput_where = spec.throughputs[0].where;
    }
}

/** The Funcs that are kept in RAMs, as far as they reach an output. Needs stages. */
void add_buffered(const AcceleratorSpec &spec, const Env &env, const Walk &walk, hwgen::Region &region) {
    std::set<std::string> seen;
    for (const auto &s : spec.storage) {
        const std::string &name = s.value.func.name();
        const bool may_be = !walk.inputs.count(name) && !walk.is_out(name) && !walk.constants.count(name) && env.count(name);
        if (s.value.kind != StorageDirective::Kind::Buffered || !may_be || !seen.insert(name).second) continue;
        hwgen::Buffered b;
        b.label = user_name(name);
        b.where = s.where;
        b.text = storage_text(s.value);
        for (const hwgen::Func &f : region.funcs) {
            if (is_element(f, s.value.func)) b.elements.push_back({f.name, f.label, f.type});
        }
        if (b.elements.empty()) continue;   // said by check_directives
        const std::vector<int> &scanned = walk.shapes.at(name).scanned;
        for (size_t dim = 0; dim < 2 && dim < scanned.size(); dim++) {
            const Span declared = declared_span(env.at(name), {}, scanned[dim]);
            if (declared.extent > 0) b.declared[dim] = hwgen::Interval{declared.min, declared.min + declared.extent - 1};
        }
        region.buffered.push_back(std::move(b));
    }
}

std::string fifo_text(const FifoDirective &f) {
    return fmt::format("fifo_depth({}, {}, {})", user_name(f.from.name()), user_name(f.to.name()), f.elements);
}

std::string time_share_text(const TimeShareDirective &t) {
    return fmt::format("time_share({}, {})", user_name(t.func.name()), t.clocks);
}

bool is_out(const AcceleratorSpec &spec, const std::string &name) {
    return std::any_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &f) { return f.name() == name; });
}

void add_directives(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, Captured &captured) {
    hwgen::Region &r = captured.region;
    std::string extents;
    for (const auto &[var, extent] : spec.blocks[0].value) {
        extents += fmt::format("{}{{{}, {}}}", extents.empty() ? "" : ", ", var.name(), extent);
    }
    r.directives.push_back({fmt::format("block({{{}}})", extents), !spec.blocks.empty()});
    r.directives.push_back({r.clocks == 1 ? fmt::format("throughput({}, {})", r.block_vars[0], r.pixels) :
                                            fmt::format("throughput({}, {}, {})", r.block_vars[0], r.pixels, r.clocks),
                            !spec.throughputs.empty()});
    for (const auto &stage : stored) {
        const std::string &name = stage.first;
        if (is_out(spec, name)) continue;
        const bool is_given = std::any_of(spec.storage.begin(), spec.storage.end(), [&](const auto &s) {
            return s.value.func.name() == name && s.value.kind != StorageDirective::Kind::Inlined && s.value.is_given;
        });
        r.directives.push_back({fmt::format("{}({})", spec.buffered(name) ? "buffered" : "linebuffer", user_name(name)), is_given});
    }
    for (const auto &s : spec.storage) {
        if (s.value.kind != StorageDirective::Kind::Inlined) continue;
        r.directives.push_back({fmt::format("inlined({})", user_name(s.value.func.name())), true});
    }
    for (const Captured::Output &out : captured.outs) {
        if (!out.shape.looped.empty()) {
            std::vector<std::string> order;
            const bool is_given = std::any_of(spec.reorders.begin(), spec.reorders.end(), [&](const auto &o) { return o.value.func.name() == out.func.name(); });
            for (const auto *dims : {&out.shape.scanned, &out.shape.looped}) {
                for (int d : *dims) order.push_back(user_name(out.func.args()[d]));
            }
            r.directives.push_back({fmt::format("reorder({}, {{{}}})", user_name(out.func.name()), fmt::join(order, ", ")), is_given});
        }
        for (int d : out.shape.unrolled) {
            if (out.shape.is_looped(d) || out.shape.is_inner(d)) continue;
            const std::string var = out.func.args()[d];
            const bool is_given = std::any_of(spec.unrolls.begin(), spec.unrolls.end(), [&](const auto &u) {
                return u.value.func.name() == out.func.name() && u.value.var.name() == var;
            });
            r.directives.push_back({fmt::format("unroll({}, {})", user_name(out.func.name()), user_name(var)), is_given});
        }
    }
    for (const auto &f : spec.fifos) {
        r.directives.push_back({fifo_text(f.value), true});
    }
    for (const auto &t : spec.time_shares) {
        r.directives.push_back({time_share_text(t.value), true});
    }
    if (!spec.streams.empty()) r.directives.push_back({"streaming()", true});
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

/** The same with these stages in RAMs, where what is repeated can be read again; nothing if they are said to be elsewhere, or that is refused, too. */
std::optional<Captured> capture_with_rams(const AcceleratorSpec &given, const std::set<std::string> &repeated, const Env &env, const std::string &function,
                                          bool only_accelerator, const std::set<std::string> &pipeline_outputs) {
    AcceleratorSpec spec = given;
    std::set<std::string> funcs;
    for (const std::string &stage : repeated) funcs.insert(func_of(stage));
    const auto is_stored = [&](const auto &s) { return funcs.count(s.value.func.name()) > 0; };
    if (std::any_of(spec.storage.begin(), spec.storage.end(), is_stored)) return std::nullopt;   // in a window, as was said
    for (const std::string &f : funcs) spec.storage.push_back({{StorageDirective::Kind::Buffered, Halide::Func(env.at(f)), false}, given.where});
    Diagnostics refused;
    std::optional<Captured> captured = capture(spec, env, function, only_accelerator, refused, pipeline_outputs);
    if (!captured || refused.has_errors()) return std::nullopt;
    for (const std::string &f : funcs) {
        captured->region.warnings.push_back(fmt::format("{0} is kept in a RAM, as buffered({0}) does: it is repeated, so its last columns or rows are needed before its first", user_name(f)));
    }
    return captured;
}

}  // namespace

std::optional<Captured> capture(const AcceleratorSpec &spec, const Env &env, const std::string &function,
                                bool only_accelerator, Diagnostics &diagnostics, const std::set<std::string> &pipeline_outputs) {
    Diagnostics found;
    const auto give_up = [&]() -> std::optional<Captured> {
        for (const Diagnostic &d : found.all()) diagnostics.error(d.where, d.message, d.notes);
        return std::nullopt;
    };
    const bool walkable = check_spec(spec, env, found);
    if (!walkable) return give_up();

    Captured captured;
    hwgen::Region &r = captured.region;
    for (const Halide::Func &f : spec.outs) captured.outs.push_back({env.at(f.name()), {}, {}, {}});
    Diagnostics on_the_way;
    const Walk region_walk = walk(spec, env, on_the_way);
    const bool walked = !on_the_way.has_errors();
    for (const Diagnostic &d : on_the_way.all()) found.error(d.where, d.message, d.notes);
    const std::map<std::string, std::string> stored = choose_storage(spec, env, region_walk);
    if (walked) add_funcs(stored, env, region_walk, spec, captured, found);
    add_buffered(spec, env, region_walk, r);
    find_tables(spec, env, region_walk, captured, found);
    add_inputs(spec, env, region_walk, captured);
    const bool is_constant = std::any_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &f) { return region_walk.shapes.count(f.name()) == 0; });   // refused below
    if (walked && !found.has_errors() && !is_constant) {
        for (size_t func = 0; func < spec.outs.size(); func++) add_output(region_walk, static_cast<int>(func), captured);
        add_block(spec, region_walk, captured);
        Diagnostics repeats;
        const std::set<std::string> repeated = take_borders(r, accelerate_text(spec), spec.where, repeats);
        if (!repeated.empty()) {
            if (auto kept = capture_with_rams(spec, repeated, env, function, only_accelerator, pipeline_outputs)) return kept;
        }
        for (const Diagnostic &d : repeats.all()) found.error(d.where, d.message, d.notes);
        if (spec.throughputs.empty()) r.clocks = hwgen::default_clocks(hwgen::cut_timelines(r).timelines.back()) * clocks_of_inner(spec, captured.outs[0].func);
    }
    check_region(spec, env, region_walk, stored, r, found);
    if (found.has_errors()) return give_up();

    r.function = function;
    r.name = !spec.names.empty() ? spec.names[0].value : default_name(function, only_accelerator ? "" : user_name(spec.outs[0].name()));
    r.where = spec.where;
    find_layouts(spec, pipeline_outputs, captured, found);
    if (found.has_errors()) return give_up();
    r.call = accelerate_text(spec);
    r.board = *boards::load(spec.boards.empty() ? "pynq-z2" : spec.boards[0].value);
    r.clock_mhz = spec.clocks.empty() ? r.board.clock_mhz : spec.clocks[0].value;
    r.streaming = !spec.streams.empty();
    if (r.streaming) r.streaming_where = spec.streams[0];
    for (const auto &f : spec.fifos) {
        for (const hwgen::Func &from : r.funcs) {
            for (const hwgen::Func &to : r.funcs) {   // of a Func with channels, each element
                if (!is_element(from, f.value.from) || !is_element(to, f.value.to)) continue;
                r.fifo_depths.push_back({from.name, to.name, f.value.elements, f.where, fifo_text(f.value)});
            }
        }
    }
    for (const auto &t : spec.time_shares) {
        for (const hwgen::Func &f : r.funcs) {
            if (is_element(f, t.value.func)) r.time_shares.push_back({f.name, t.value.clocks, t.where, time_share_text(t.value)});
        }
    }
    for (const RolledLoops &l : rolled_loops(spec, env)) {
        for (const hwgen::Func &f : r.funcs) {
            if (is_element(f, l.func)) r.time_shares.push_back({f.name, l.clocks, l.where, l.text});
        }
        r.directives.push_back({l.text, true});
    }
    add_params(spec, captured, diagnostics);
    add_directives(spec, stored, captured);
    return captured;
}

}  // namespace argent::dsl
