#include "dsl/Split.h"

#include <algorithm>
#include <map>

#include "dsl/Simplify.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

Expr read_at(const Captured::Input &input, const Function &func, const std::vector<Expr> &at, int element) {
    return input.image.defined() ? Call::make(input.image, at) : Call::make(func, at, element);
}

/** The corners of what all planes of a buffer need, with the scan at `vars`. */
struct Corners {
    std::vector<Expr> lowest, highest;
};

Corners corners_of(const hwgen::Buffer &buffer, const std::map<std::string, hwgen::Box> &boxes, const std::vector<std::string> &vars) {
    Corners corners;
    for (int d = 0; d < buffer.dimensions; d++) {
        const auto scanned = std::find(buffer.scanned.begin(), buffer.scanned.end(), d);
        const size_t dim = scanned - buffer.scanned.begin();
        int low = INT32_MAX, high = INT32_MIN;
        for (const hwgen::Plane &p : buffer.planes) {
            const bool is_scanned = scanned != buffer.scanned.end();
            low = std::min(low, is_scanned ? boxes.at(p.func)[dim].min : p.at[d]);
            high = std::max(high, is_scanned ? boxes.at(p.func)[dim].max : p.at[d]);
        }
        const Expr origin = scanned == buffer.scanned.end() ? Expr(0) : Variable::make(Int(32), vars[dim]);
        corners.lowest.push_back(simplified(origin + low));
        corners.highest.push_back(simplified(origin + high));
    }
    return corners;
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

}  // namespace

void split(const Captured &captured, const hwgen::Design &design, const std::string &launcher, Env &env) {
    Function out = env.at(captured.out.name());
    const std::vector<Type> types = out.output_types();
    std::vector<std::string> vars;   // that are scanned
    for (int d : captured.out_shape.scanned) vars.push_back(out.args()[d]);
    std::map<std::string, hwgen::Box> boxes;
    for (const hwgen::Func &f : captured.region.funcs) {
        if (f.kind == hwgen::Func::Kind::Input) boxes[f.name] = design.input_boxes[boxes.size()];
    }

    Expr proxy = make_zero(types[0]);
    std::vector<ExternFuncArgument> args;
    auto buffer = captured.region.buffers.begin();
    for (const Captured::Input &input : captured.inputs) {
        const Function func = env.count(input.func.name()) ? env.at(input.func.name()) : input.func;
        for (int element = 0; element < func.outputs(); element++, ++buffer) {
            if (buffer->planes.empty()) continue;
            const Corners corners = corners_of(*buffer, boxes, vars);
            proxy = proxy + cast(types[0], read_at(input, func, corners.lowest, element)) +
                    cast(types[0], read_at(input, func, corners.highest, element));
        }
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
    for (const std::string &v : out.args()) dims.emplace_back(v);
    const std::vector<StorageDim> storage = out.schedule().storage_dims();
    drop_definitions(out);
    out.extern_definition_proxy_expr() = proxy;
    out.define_extern(launcher, args, types, dims, NameMangling::C, DeviceAPI::Host);
    out.schedule().storage_dims() = storage;   // define_extern makes them those of the arguments
    bound_channels(captured, out);
}

}  // namespace argent::dsl
