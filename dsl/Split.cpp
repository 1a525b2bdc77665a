#include "dsl/Split.h"

#include <algorithm>
#include <map>

#include "dsl/Simplify.h"
#include "hwgen/passes/FoldEdges.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr read_at(const Captured::Input &input, const Function &func, const std::vector<Expr> &at, int element) {
    return input.image.defined() ? Call::make(input.image, at) : Call::make(func, at, element);
}

/** The corners of what all planes of a buffer need, with the scan from `first` to `last`. */
struct Corners {
    std::vector<Expr> lowest, highest;
};

Corners corners_of(const hwgen::Buffer &buffer, const hwgen::Design &design, const std::vector<Expr> &scan_first,
                   const std::vector<Expr> &scan_last) {
    Corners corners;
    for (int d = 0; d < buffer.dimensions; d++) {
        const auto scanned = std::find(buffer.scanned.begin(), buffer.scanned.end(), d);
        const size_t dim = scanned - buffer.scanned.begin();
        Expr low, high;
        for (const hwgen::Plane &p : buffer.planes) {
            Expr first = p.at[d], last = p.at[d];
            if (scanned != buffer.scanned.end()) {
                const hwgen::Design::Needs &needs = design.input_needs.at(p.func);
                const hwgen::Edges &edges = needs.edges[dim];   // the launcher complains of an image with nothing between them
                first = edges.folds() ? edges.min : hwgen::inside(edges, hwgen::expression_of(needs.first[dim], scan_first[dim]));
                last = edges.folds() ? max(edges.max, edges.min) : hwgen::inside(edges, hwgen::expression_of(needs.last[dim], scan_last[dim]));
            }
            low = low.defined() ? min(low, first) : first;
            high = high.defined() ? max(high, last) : last;
        }
        corners.lowest.push_back(simplified(low));
        corners.highest.push_back(simplified(high));
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
void bound_channels(const Captured &captured, Function &out) {
    for (size_t i = 0; i < captured.out_spans.size(); i++) {
        const std::string &var = out.args()[captured.out_shape.unrolled[i]];
        auto &bounds = out.schedule().bounds();
        const bool is_given = std::any_of(bounds.begin(), bounds.end(), [&](const Bound &b) { return b.var == var && b.extent.defined(); });
        if (!is_given) bounds.push_back({var, captured.out_spans[i].min, captured.out_spans[i].extent, Expr(), Expr()});
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

}  // namespace

void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env) {
    Function out = env.at(captured.out.name());
    const std::vector<Type> types = out.output_types();
    std::vector<std::string> vars;   // that are scanned
    for (int d : captured.out_shape.scanned) vars.push_back(out.args()[d]);

    // Bounds inference defines these names around the stage; buffers may be larger than what is required.
    std::vector<Expr> mins, maxs;
    std::map<std::string, Expr> to_mins, to_maxs;
    for (const std::string &v : vars) {
        const std::string loop = out.name() + ".s0." + v;
        mins.push_back(to_mins[v] = Variable::make(Int(32), loop + ".min"));
        maxs.push_back(to_maxs[v] = Variable::make(Int(32), loop + ".max"));
    }

    std::vector<Expr> first, last;   // of the scan that one element of the output needs
    for (size_t d = 0; d < vars.size(); d++) {
        const Expr v = Variable::make(Int(32), vars[d]);
        first.push_back(domain_edge(captured, design, d, true, v));
        last.push_back(domain_edge(captured, design, d, false, v));
    }

    Expr proxy = make_zero(types[0]);
    std::vector<Expr> image_corners;
    std::vector<ExternFuncArgument> args;
    auto buffer = captured.region.buffers.begin();
    for (const Captured::Input &input : captured.inputs) {
        const Function func = env.count(input.func.name()) ? env.at(input.func.name()) : input.func;
        for (int element = 0; element < func.outputs(); element++, ++buffer) {
            if (buffer->planes.empty()) continue;
            const Corners corners = corners_of(*buffer, design, first, last);
            proxy = proxy + cast(types[0], read_at(input, func, corners.lowest, element)) +
                    cast(types[0], read_at(input, func, corners.highest, element));
            if (!input.image.defined()) continue;
            image_corners.push_back(substitute(to_mins, read_at(input, func, corners.lowest, element)));
            image_corners.push_back(substitute(to_maxs, read_at(input, func, corners.highest, element)));
        }
        args.push_back(input.image.defined() ? ExternFuncArgument(input.image) :
                                               ExternFuncArgument(func.get_contents()));
    }
    auto needed = design.table_boxes.begin();
    for (const Captured::Input &table : captured.tables) {
        const Function func = env.count(table.func.name()) ? env.at(table.func.name()) : table.func;
        for (int element = 0; element < func.outputs(); element++, ++needed) {
            std::vector<Expr> lowest, highest;
            for (const hwgen::Interval &places : *needed) {
                lowest.emplace_back(static_cast<int>(places.lo));
                highest.emplace_back(static_cast<int>(places.hi));
            }
            const std::vector<Expr> corners = {read_at(table, func, lowest, element), read_at(table, func, highest, element)};
            proxy = proxy + cast(types[0], corners[0]) + cast(types[0], corners[1]);
            if (table.image.defined()) image_corners.insert(image_corners.end(), corners.begin(), corners.end());
        }
        args.push_back(table.image.defined() ? ExternFuncArgument(table.image) : ExternFuncArgument(func.get_contents()));
    }
    for (size_t d = 0; d < vars.size(); d++) {
        args.push_back(d == 0 ? with_reads(mins[d], image_corners, mins, maxs) : mins[d]);
        args.push_back(maxs[d]);
    }
    for (size_t d = 0; d < vars.size() && captured.has_domain(); d++) {
        args.push_back(domain_edge(captured, design, d, true, mins[d]));
        args.push_back(domain_edge(captured, design, d, false, maxs[d]));
    }
    for (const Expr &p : captured.params) args.push_back(p);
    std::map<std::string, Expr> box;
    for (size_t d = 0; d < vars.size(); d++) {
        for (bool is_max : {false, true}) box[hwgen::box_variable(static_cast<int>(d), is_max)] = is_max ? maxs[d] : mins[d];
    }
    for (const hwgen::LaunchScalar &s : design.scalars) args.push_back(substitute(box, s.value));

    std::vector<Var> dims;
    for (const std::string &v : out.args()) dims.emplace_back(v);
    const std::vector<StorageDim> storage = out.schedule().storage_dims();
    const std::vector<Parameter> declared = out.output_buffers();
    drop_definitions(out);
    out.extern_definition_proxy_expr() = proxy;
    out.define_extern(launcher, args, types, dims, NameMangling::C, DeviceAPI::Host);
    out.schedule().storage_dims() = storage;   // define_extern makes them those of the arguments
    declare_again(declared, out);
    bound_channels(captured, out);
}

}  // namespace argent::dsl
