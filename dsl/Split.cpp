#include "dsl/Split.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "dsl/Simplify.h"
#include "hwgen/passes/borders/FoldEdges.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr read_at(const Captured::Input &input, const Function &func, const std::vector<Expr> &at, int element) {
    return input.image.defined() ? Call::make(input.image, at) : Call::make(func, at, element);
}

/** An end of what an input has to have: `map` of the end of the scan, or `cut`. */
Expr needed_end(const hwgen::IndexMap &map, const Expr &cut, bool is_first, size_t dim, size_t func, const std::vector<Expr> &scan_first,
                const std::vector<Expr> &scan_last) {
    const int d = static_cast<int>(dim), f = static_cast<int>(func);
    if (!cut.defined()) return hwgen::expression_of(map, (is_first ? scan_first : scan_last)[dim]);
    return substitute({{hwgen::box_variable(d, false, f), scan_first[dim]}, {hwgen::box_variable(d, true, f), scan_last[dim]}}, cut);
}

/** The corners of what one output Func needs of all planes of a buffer, with its scan from `first` to `last`; none if it needs nothing. */
struct Corners {
    std::vector<Expr> lowest, highest;
};

/** Whether one of an input's timelines has a scan of its own, which is not the outputs'. */
bool has_own_scan(const hwgen::Design::Needs &needs) {
    return !needs.boxes.empty();
}

/** Whether an output Func needs anything of it. */
bool is_needed_for(const hwgen::Design::Needs &needs, size_t func) {
    return has_own_scan(needs) ? needs.of[0].any && needs.boxes[func].first[0].defined() : needs.of[func].any;
}

/** First and last element of an input that one of its timelines needs for an output Func, along a dimension of the scan. */
std::pair<Expr, Expr> ends_of(const hwgen::Design::Needs &needs, size_t func, size_t dim, std::vector<Expr> scan_first, std::vector<Expr> scan_last) {
    if (has_own_scan(needs)) {
        std::map<std::string, Expr> outer;
        for (size_t d = 0; d < scan_first.size(); d++) {
            outer[hwgen::box_variable(static_cast<int>(d), false, static_cast<int>(func))] = scan_first[d];
            outer[hwgen::box_variable(static_cast<int>(d), true, static_cast<int>(func))] = scan_last[d];
        }
        for (size_t d = 0; d < scan_first.size(); d++) {
            scan_first[d] = substitute(outer, needs.boxes[func].first[d]);
            scan_last[d] = substitute(outer, needs.boxes[func].last[d]);
        }
        func = 0;   // the only one of that timeline
    }
    const hwgen::Edges &edges = needs.edges[dim];   // the launcher complains of an image with nothing between them
    const hwgen::Needed &needed = needs.of[func];
    const auto end = [&](bool is_first) {
        const Expr cut = needs.cut.empty() ? Expr() : (is_first ? needs.cut[func].first : needs.cut[func].last)[dim];
        return needed_end((is_first ? needed.first : needed.last)[dim], cut, is_first, dim, func, scan_first, scan_last);
    };
    if (edges.folds()) return {edges.min, max(edges.max, edges.min)};
    return {hwgen::inside(edges, end(true)), hwgen::inside(edges, end(false))};
}

/** Whether an image is read through RAMs, and so anywhere, or through a stage that is mirrored: its first element may be the last column's. */
bool is_read_anywhere(const hwgen::Buffer &buffer, const hwgen::Design &design) {
    for (const hwgen::Plane &p : buffer.planes) {
        for (const hwgen::Design::Needs &needs : design.input_needs.at(p.func)) {
            if (has_own_scan(needs) || !needs.cut.empty()) return true;
        }
    }
    return false;
}

Corners corners_of(const hwgen::Buffer &buffer, const hwgen::Design &design, size_t func, const std::vector<Expr> &scan_first,
                   const std::vector<Expr> &scan_last, const std::map<std::string, Expr> &loops) {
    Corners corners;
    for (int d = 0; d < buffer.dimensions; d++) {
        const auto scanned = std::find(buffer.scanned.begin(), buffer.scanned.end(), d);
        const size_t dim = scanned - buffer.scanned.begin();
        Expr low, high;
        for (const hwgen::Plane &p : buffer.planes) {
            for (const hwgen::Design::Needs &needs : design.input_needs.at(p.func)) {
                Expr first = p.moves(d) ? p.moving[d] : Expr(p.at[d]), last = first;
                if (!is_needed_for(needs, func)) continue;
                if (scanned != buffer.scanned.end()) std::tie(first, last) = ends_of(needs, func, dim, scan_first, scan_last);
                low = low.defined() ? min(low, first) : first;
                high = high.defined() ? max(high, last) : last;
            }
        }
        if (!low.defined()) return {};
        corners.lowest.push_back(simplified(substitute(loops, low)));
        corners.highest.push_back(simplified(substitute(loops, high)));
    }
    return corners;
}

/** `value`, and what makes Halide see that a stage with this box reads the `corners` of images. It never comes to that; but without,
 *  a bounds query would not tell what the images have to be, and images that are too small would only be found by the launcher. */
Expr with_reads(const Expr &value, const std::vector<Expr> &corners, const std::vector<Expr> &mins, const std::vector<Expr> &maxs) {
    if (corners.empty()) return value;
    Expr sum = 0, is_empty = const_false();
    for (const Expr &e : corners) sum = sum + cast<int>(e);
    for (size_t d = 0; d < mins.size(); d++) is_empty = is_empty || maxs[d] < mins[d];
    return Call::make(Int(32), Call::if_then_else, {!is_empty, select(is_empty, sum, value), value}, Call::PureIntrinsic);
}

/** All channels are computed, whichever somebody wants. */
void bound_channels(const Captured::Output &output, Function &out) {
    for (size_t i = 0; i < output.spans.size(); i++) {
        if (output.shape.is_looped(output.shape.unrolled[i])) continue;
        const std::string &var = out.args()[output.shape.unrolled[i]];
        auto &bounds = out.schedule().bounds();
        const bool is_given = std::any_of(bounds.begin(), bounds.end(), [&](const Bound &b) { return b.var == var && b.extent.defined(); });
        if (!is_given) bounds.push_back({var, output.spans[i].min, output.spans[i].extent, Expr(), Expr()});
    }
}

/** Leaves the Function's name, types, schedule and output buffers, and nothing that computes. */
void drop_definitions(Function &f) {
    f.update_with_deserialization(f.name(), f.origin_name(), f.output_types(), f.required_types(),
                                  f.required_dimensions(), f.args(), f.schedule(), Definition(), {}, f.debug_file(),
                                  f.output_buffers(), {}, "", NameMangling::Default, DeviceAPI::Host, Expr(),
                                  f.is_tracing_loads(), f.is_tracing_stores(), f.is_tracing_realizations(),
                                  f.get_trace_tags(), f.should_not_profile(), false);
}

/** What the user declared of an output's memory: define_extern makes new Parameters. */
void declare_again(const std::vector<Parameter> &declared, Function &out) {
    for (size_t i = 0; i < declared.size() && i < out.output_buffers().size(); i++) {
        Parameter now = out.output_buffers()[i];
        const Parameter &old = declared[i];
        if (now.same_as(old)) continue;
        now.set_host_alignment(old.host_alignment());
        for (int d = 0; d < out.dimensions(); d++) {
            now.set_min_constraint(d, old.min_constraint(d));
            now.set_extent_constraint(d, old.extent_constraint(d));
            now.set_stride_constraint(d, old.stride_constraint(d));
            now.set_min_constraint_estimate(d, old.min_constraint_estimate(d));
            now.set_extent_constraint_estimate(d, old.extent_constraint_estimate(d));
        }
    }
}

/** First or last coordinate of the domain of a launch whose output goes from `min` to `max`. */
Expr domain_edge(const Captured &captured, const hwgen::Design &design, size_t dim, bool first, const Expr &output) {
    if (!design.bordered[dim]) return output;
    const hwgen::Domain1 &border = captured.region.borders[dim];
    return first ? max(output - design.reach[dim].min, border.min) : min(output + design.reach[dim].max, border.max);
}

/** One output Func in the host's pipeline. */
struct HostOutput {
    Function func;
    std::vector<std::string> vars;     // that are scanned
    // Bounds inference defines these names around the stage; buffers may be larger than what is required.
    std::vector<Expr> mins, maxs;
    Expr proxy;
    std::vector<Expr> image_corners;   // reads of images at both ends of the box
    std::map<std::string, Expr> loops; // what a launch gets for the variables of the region's
};

HostOutput host_output(const Captured &captured, const hwgen::Design &design, size_t func, Env &env) {
    HostOutput o;
    o.func = env.at(captured.outs[func].func.name());
    for (int d : captured.outs[func].shape.scanned) o.vars.push_back(o.func.args()[d]);
    std::map<std::string, Expr> to_mins, to_maxs;
    std::vector<Expr> first, last, first_of_all, last_of_all;   // of the scan that one element of the output needs, and all of them
    for (size_t d = 0; d < o.vars.size(); d++) {
        const std::string &v = o.vars[d], loop = o.func.name() + ".s0." + v;
        o.mins.push_back(to_mins[v] = Variable::make(Int(32), loop + ".min"));
        o.maxs.push_back(to_maxs[v] = Variable::make(Int(32), loop + ".max"));
        const Expr at = Variable::make(Int(32), v);
        first.push_back(domain_edge(captured, design, d, true, at));
        last.push_back(domain_edge(captured, design, d, false, at));
        first_of_all.push_back(domain_edge(captured, design, d, true, o.mins[d]));
        last_of_all.push_back(domain_edge(captured, design, d, false, o.maxs[d]));
    }
    std::map<std::string, Expr> loops;   // for one element
    for (const auto &[var, in_region] : captured.outs[func].loops) {
        const std::string &name = in_region.as<Variable>()->name;
        loops[name] = Variable::make(Int(32), var);
        o.loops[name] = to_mins[var] = to_maxs[var] = Variable::make(Int(32), o.func.name() + ".s0." + var);
    }
    for (std::vector<Expr> *ends : {&first, &last, &first_of_all, &last_of_all}) {
        for (Expr &e : *ends) e = substitute(loops, e);   // a domain may end where a loop of the host says
    }
    const Type type = o.func.output_types()[0];
    o.proxy = make_zero(type);
    auto buffer = captured.region.buffers.begin();
    for (const Captured::Input &input : captured.inputs) {
        const Function of = env.count(input.func.name()) ? env.at(input.func.name()) : input.func;
        for (int element = 0; element < of.outputs(); element++, ++buffer) {
            if (buffer->planes.empty()) continue;
            // Read anywhere, no element needs the corner of what all of them need.
            const bool anywhere = is_read_anywhere(*buffer, design);
            const Corners corners = corners_of(*buffer, design, func, anywhere ? first_of_all : first, anywhere ? last_of_all : last, loops);
            if (corners.lowest.empty()) continue;
            o.proxy = o.proxy + cast(type, read_at(input, of, corners.lowest, element)) + cast(type, read_at(input, of, corners.highest, element));
            if (!input.image.defined()) continue;
            o.image_corners.push_back(substitute(to_mins, read_at(input, of, corners.lowest, element)));
            o.image_corners.push_back(substitute(to_maxs, read_at(input, of, corners.highest, element)));
        }
    }
    auto needed = design.table_boxes.begin();
    for (const Captured::Input &table : captured.tables) {
        const Function of = env.count(table.func.name()) ? env.at(table.func.name()) : table.func;
        for (int element = 0; element < of.outputs(); element++, ++needed) {
            std::vector<Expr> lowest, highest;
            for (const hwgen::Interval &places : *needed) {
                lowest.emplace_back(static_cast<int>(places.lo));
                highest.emplace_back(static_cast<int>(places.hi));
            }
            const std::vector<Expr> corners = {read_at(table, of, lowest, element), read_at(table, of, highest, element)};
            o.proxy = o.proxy + cast(type, corners[0]) + cast(type, corners[1]);
            if (table.image.defined()) o.image_corners.insert(o.image_corners.end(), corners.begin(), corners.end());
        }
    }
    return o;
}

/** Halide calls an extern stage for all of it, but for dimensions with a loop: the call is inside, and gets one place's part of the output. */
void loop_around(const Captured::Output &output, Function &out) {
    std::vector<Dim> &dims = out.definition().schedule().dims();   // innermost first
    for (Dim &dim : dims) {
        if (output.loops.count(dim.var)) dim.for_type = ForType::Serial;
    }
    std::stable_partition(dims.begin(), dims.end(), [](const Dim &dim) { return dim.for_type == ForType::Extern; });
}

/** In place of its definition, a call of `symbol`. */
void call_instead(HostOutput &o, const Captured::Output &output, const std::string &symbol, const std::vector<ExternFuncArgument> &args) {
    std::vector<Var> dims;
    for (const std::string &v : o.func.args()) dims.emplace_back(v);
    const std::vector<Type> types = o.func.output_types();
    const std::vector<StorageDim> storage = o.func.schedule().storage_dims();
    const std::vector<Parameter> declared = o.func.output_buffers();
    drop_definitions(o.func);
    o.func.extern_definition_proxy_expr() = o.proxy;
    o.func.define_extern(symbol, args, types, dims, NameMangling::C, DeviceAPI::Host);
    o.func.schedule().storage_dims() = storage;   // define_extern makes them those of the arguments
    declare_again(declared, o.func);
    loop_around(output, o.func);
    bound_channels(output, o.func);
}

/** A launch computes a plane of every output: of all of them those planes that somebody wants of the first one. */
void share_loops(const Captured &captured, size_t func, const Function &launching, Function &out) {
    for (const auto &[var, in_region] : captured.outs[func].loops) {
        const Expr min = Variable::make(Int(32), launching.name() + ".s0." + var + ".min"), max = Variable::make(Int(32), launching.name() + ".s0." + var + ".max");
        out.schedule().bounds().push_back({var, min, max - min + 1, Expr(), Expr()});
    }
}

/** Whoever reads an output comes behind the launch. Halide orders stages by the calls that it finds in them, in estimates too, which
 *  have no other effect here. */
void order_readers(const HostOutput &launching, const HostOutput &other, Env &env) {
    std::vector<Expr> at(launching.func.dimensions(), 0);
    const Expr call = Call::make(launching.func, at, 0);
    for (auto &[name, f] : env) {
        if (name == launching.func.name() || f.args().empty() || !find_direct_calls(f).count(other.func.name())) continue;
        f.schedule().estimates().push_back({f.args()[0], cast<int32_t>(call), Expr(), Expr(), Expr()});
    }
}

}  // namespace

std::string placeholder_name(const std::string &launcher, size_t func) {
    return launcher + "_" + std::to_string(func);
}

void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env) {
    std::vector<HostOutput> outs;
    for (size_t func = 0; func < captured.outs.size(); func++) outs.push_back(host_output(captured, design, func, env));
    HostOutput &launching = outs[0];
    const size_t dimensions = launching.vars.size();
    for (size_t func = 1; func < outs.size(); func++) {
        HostOutput &o = outs[func];
        call_instead(o, captured.outs[func], placeholder_name(launcher, func), {with_reads(o.mins[0], o.image_corners, o.mins, o.maxs)});
        share_loops(captured, func, launching.func, o.func);
    }
    std::vector<ExternFuncArgument> args;
    for (const Captured::Input &input : captured.inputs) {
        const Function func = env.count(input.func.name()) ? env.at(input.func.name()) : input.func;
        args.push_back(input.image.defined() ? ExternFuncArgument(input.image) : ExternFuncArgument(func.get_contents()));
    }
    for (const Captured::Input &table : captured.tables) {
        const Function func = env.count(table.func.name()) ? env.at(table.func.name()) : table.func;
        args.push_back(table.image.defined() ? ExternFuncArgument(table.image) : ExternFuncArgument(func.get_contents()));
    }
    for (size_t func = 1; func < outs.size(); func++) args.push_back(ExternFuncArgument(outs[func].func.get_contents()));
    for (size_t d = 0; d < dimensions; d++) {
        args.push_back(d == 0 ? with_reads(launching.mins[d], launching.image_corners, launching.mins, launching.maxs) : launching.mins[d]);
        args.push_back(launching.maxs[d]);
    }
    for (size_t d = 0; d < dimensions && captured.has_domain(); d++) {
        args.push_back(substitute(launching.loops, domain_edge(captured, design, d, true, launching.mins[d])));
        args.push_back(substitute(launching.loops, domain_edge(captured, design, d, false, launching.maxs[d])));
    }
    for (const Expr &p : captured.params) args.push_back(substitute(launching.loops, p));
    std::map<std::string, Expr> box = launching.loops;
    for (size_t func = 0; func < outs.size(); func++) {
        for (size_t d = 0; d < dimensions; d++) {
            for (bool is_max : {false, true}) {
                box[hwgen::box_variable(static_cast<int>(d), is_max, static_cast<int>(func))] = is_max ? outs[func].maxs[d] : outs[func].mins[d];
            }
        }
    }
    for (const hwgen::LaunchScalar &s : design.scalars) args.push_back(substitute(box, s.value));
    for (const Expr &p : captured.cpu_params) args.push_back(p);
    call_instead(launching, captured.outs[0], launcher, args);
    for (size_t func = 1; func < outs.size(); func++) order_readers(launching, outs[func], env);
}

}  // namespace argent::dsl
