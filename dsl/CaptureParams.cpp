#include "dsl/CaptureParams.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dsl/HoistParams.h"
#include "dsl/Texts.h"
#include "hwgen/passes/datapath/BuildDatapath.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

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

/** What is read by an index: tables and RAMs. */
std::set<std::string> tables_of(const hwgen::Region &region) {
    std::set<std::string> tables;
    for (const hwgen::TableSource &t : region.tables) tables.insert(t.name);
    for (const hwgen::Buffered &b : region.buffered) {
        for (const hwgen::Buffered::Element &e : b.elements) tables.insert(e.name);
    }
    return tables;
}

/** Mistakes that show in the Params themselves. Returns whether every range holds a value. */
bool check_params(const FindParams &all, const AcceleratorSpec &spec, Diagnostics &diagnostics) {
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
        return false;
    }
    return true;
}

}  // namespace

void capture_params(const AcceleratorSpec &spec, Captured &captured, Diagnostics &diagnostics) {
    FindParams all, finder;
    std::vector<HostScalar> scalars;
    const std::set<std::string> tables = tables_of(captured.region);
    for (hwgen::Func &f : captured.region.funcs) {
        if (!f.value.defined()) continue;
        f.value.accept(&all);
        f.value = hoist_params(f.value, scalars, tables);
        f.value.accept(&finder);
    }
    if (!check_params(all, spec, diagnostics)) return;
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

}  // namespace argent::dsl
