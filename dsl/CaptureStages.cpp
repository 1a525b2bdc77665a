#include "dsl/CaptureStages.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <vector>

#include "dsl/ReadElements.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

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

}  // namespace

void capture_stages(const std::map<std::string, std::string> &stored, const Env &env, const Walk &walk,
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
        stage.may_be_inlined = !stage.where.known() && f.schedule().compute_level().is_inlined();
        captured.region.funcs.push_back(stage);
    };
    for (const std::string &out : walk.outs) {
        const auto elements = walk.scalars.find(out);
        for (const Scalar &s : elements == walk.scalars.end() ? std::vector<Scalar>() : elements->second) add(s);
    }
}

void capture_buffered(const AcceleratorSpec &spec, const Env &env, const Walk &walk, hwgen::Region &region) {
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
            if (hwgen::is_element(f, s.value.func.name())) b.elements.push_back({f.name, f.label, f.type});
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

}  // namespace argent::dsl
