#include "dsl/Shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "dsl/HoistParams.h"
#include "dsl/Simplify.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

const std::string loop_suffix = "$0";   // of no name that Halide makes; users do not see it

Span constant_span(const Expr &min, const Expr &extent) {
    const auto lo = min.defined() ? as_const_int(simplified(min)) : std::nullopt;
    const auto n = extent.defined() ? as_const_int(simplified(extent)) : std::nullopt;
    if (!n) return {};
    return {static_cast<int>(lo.value_or(0)), static_cast<int>(*n)};
}

Span bound_of(const Function &f, int d) {
    for (const Bound &b : f.schedule().bounds()) {
        if (b.var == f.args()[d]) return constant_span(b.min, b.extent);
    }
    return {};
}

/** As Expand's: a node is folded when all that it reads is a number, so that shared graphs stay small. */
class NumberFolder : public IRGraphMutator {
public:
    explicit NumberFolder(const std::map<std::string, Expr> &fixed) : fixed(fixed) {}

    using IRGraphMutator::mutate;
    Expr mutate(const Expr &e) override {
        Expr result = IRGraphMutator::mutate(e);
        if (result.defined() && !is_const(result) && reads_numbers_only(result)) result = simplified(result);
        return result;
    }

protected:
    using IRGraphMutator::visit;
    Expr visit(const Variable *op) override {
        const auto it = fixed.find(op->name);
        return op->param.defined() || it == fixed.end() ? Expr(op) : cast(op->type, it->second);
    }
    Expr visit(const Select *op) override {
        const Expr condition = mutate(op->condition);
        if (is_const_one(condition)) return mutate(op->true_value);
        if (is_const_zero(condition)) return mutate(op->false_value);
        return Select::make(condition, mutate(op->true_value), mutate(op->false_value));
    }
    Expr visit(const And *op) override {
        const Expr a = mutate(op->a), b = mutate(op->b);
        if (is_const_zero(a) || is_const_zero(b)) return make_zero(op->type);
        return is_const_one(a) ? b : is_const_one(b) ? a : And::make(a, b);
    }
    Expr visit(const Or *op) override {
        const Expr a = mutate(op->a), b = mutate(op->b);
        if (is_const_one(a) || is_const_one(b)) return make_one(op->type);
        return is_const_zero(a) ? b : is_const_zero(b) ? a : Or::make(a, b);
    }
    Expr visit(const Call *op) override {
        if (op->is_intrinsic(Call::mux)) {
            const auto index = as_const_int(mutate(op->args[0]));
            const int64_t last = static_cast<int64_t>(op->args.size()) - 2;
            if (index) return mutate(op->args[1 + (*index < 0 ? last : std::min(*index, last))]);
        }
        if (op->is_intrinsic({Call::likely, Call::likely_if_innermost})) {
            const Expr inner = mutate(op->args[0]);
            if (is_const(inner)) return inner;
        }
        if (op->call_type != Call::Halide && op->call_type != Call::Image) return IRGraphMutator::visit(op);
        std::vector<Expr> args;
        for (const Expr &a : op->args) args.push_back(simplified_index(mutate(a)));
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

private:
    static bool reads_numbers_only(const Expr &e) {
        if (const Call *c = e.as<Call>()) {
            if (!c->is_pure() || c->call_type == Call::Halide || c->call_type == Call::Image) return false;
        }
        if (e.as<Variable>()) return false;
        struct Children : IRVisitor {
            bool all = true, any = false;
            void note(const Expr &e) {
                any = true;
                all = all && is_const(e);
            }
            using IRVisitor::visit;
            void visit(const Cast *op) override { note(op->value); }
            void visit(const Not *op) override { note(op->a); }
            void visit(const Call *op) override {
                for (const Expr &a : op->args) note(a);
            }
#define ARGENT_BINARY(Op) \
    void visit(const Op *op) override { note(op->a), note(op->b); }
            ARGENT_BINARY(Add)
            ARGENT_BINARY(Sub)
            ARGENT_BINARY(Mul)
            ARGENT_BINARY(Div)
            ARGENT_BINARY(Mod)
            ARGENT_BINARY(Min)
            ARGENT_BINARY(Max)
            ARGENT_BINARY(EQ)
            ARGENT_BINARY(NE)
            ARGENT_BINARY(LT)
            ARGENT_BINARY(LE)
            ARGENT_BINARY(GT)
            ARGENT_BINARY(GE)
#undef ARGENT_BINARY
            void visit(const Select *) override {}
            void visit(const And *) override {}
            void visit(const Or *) override {}
        } children;
        e.accept(&children);
        return children.any && children.all;
    }
    const std::map<std::string, Expr> &fixed;
};

/** Finds variables of loops. */
struct LoopVariables : IRGraphVisitor {
    std::vector<Expr> found;
    using IRGraphVisitor::visit;
    void visit(const Variable *op) override {
        if (op->param.defined() && ends_with(op->name, loop_suffix)) found.push_back(op);
    }
};

std::vector<Expr> loop_variables(const Expr &e) {
    LoopVariables loops;
    e.accept(&loops);
    return loops.found;
}

/** What is brought between two bounds that do not move. */
Expr without_bounds(const Expr &e) {
    const auto within = [&](const Expr &a, const Expr &b) { return loop_variables(b).empty() ? without_bounds(a) : loop_variables(a).empty() ? without_bounds(b) : e; };
    if (const Min *op = e.as<Min>()) return within(op->a, op->b);
    if (const Max *op = e.as<Max>()) return within(op->a, op->b);
    const Call *op = e.as<Call>();
    return op && op->is_intrinsic({Call::likely, Call::likely_if_innermost}) ? without_bounds(op->args[0]) : e;
}

/** z, z_m1, z_p2; of others than z + 2 a number that tells them apart, too: z_m1_5be0cd19, where that is kept within bounds. */
std::string name_of(const Place &p) {
    const Expr loop = loop_variables(p.moving)[0];
    std::string name = user_name(loop.as<Variable>()->name);
    const auto offset = as_const_int(simplified(without_bounds(p.moving) - loop));
    if (offset && *offset != 0) name += fmt::format("_{}{}", *offset < 0 ? "m" : "p", std::abs(*offset));
    if (as_const_int(simplified(p.moving - loop))) return name;
    uint32_t hash = 2166136261u;   // FNV-1a
    for (unsigned char c : p.key) hash = (hash ^ c) * 16777619u;
    return fmt::format("{}_{:08x}", name, hash);
}

std::string suffix(const Scalar &s, const Function &f, const Shape &shape, char between) {
    std::string text;
    if (f.outputs() > 1) text += fmt::format("{}{}", between, s.element);
    for (size_t i = 0; i < shape.unrolled.size(); i++) {
        const Place &at = s.at[i];
        const std::string var = user_name(f.args()[shape.unrolled[i]]);
        const bool is_implicit = var[0] == '_';
        if (at.moving.defined()) text += between + name_of(at);
        else text += fmt::format("{}{}{}{}", between, is_implicit ? "" : var, at.number < 0 ? "m" : "", std::abs(at.number));
    }
    return text;
}

/** Whether a reorder() has dimension `d` outside of all that are `scanned`. */
bool is_outside(const AcceleratorSpec &spec, const Function &out, int d, const std::vector<int> &scanned) {
    return std::any_of(spec.reorders.begin(), spec.reorders.end(), [&](const auto &r) {
        const std::vector<VarOrRVar> &vars = r.value.vars;
        const auto place = [&](int dim) { return std::find_if(vars.begin(), vars.end(), [&](const VarOrRVar &v) { return v.name() == out.args()[dim]; }); };
        return r.value.func.name() == out.name() && place(d) != vars.end() &&
               std::all_of(scanned.begin(), scanned.end(), [&](int s) { return place(s) < place(d); });
    });
}

/** Whether the first output, which block() and reorder() are about, has loops of this variable. */
bool is_loop_of_first(const AcceleratorSpec &spec, const Function &out, const std::string &var) {
    const Halide::Func &f = spec.outs[0];
    if (!f.defined() || f.name() == out.name()) return false;
    const Function &first = f.function();
    const Shape shape = output_shape(spec, first);
    return std::any_of(shape.looped.begin(), shape.looped.end(), [&](int d) { return first.args()[d] == var; });
}

/** The block's dimensions, then the Func's; reorder() changes places. */
std::vector<int> scan_order(const AcceleratorSpec &spec, const Function &out) {
    const std::vector<std::string> &args = out.args();
    std::vector<int> order;
    const auto dim_of = [&](const std::string &var) {
        const auto at = std::find(args.begin(), args.end(), var);
        return at == args.end() ? -1 : static_cast<int>(at - args.begin());
    };
    const auto add = [](std::vector<int> &dims, int d) {
        if (d >= 0 && std::find(dims.begin(), dims.end(), d) == dims.end()) dims.push_back(d);
    };
    if (!spec.blocks.empty()) {
        for (const auto &[var, extent] : spec.blocks[0].value) add(order, dim_of(var.name()));
    }
    for (int d = 0; d < static_cast<int>(args.size()); d++) add(order, d);
    for (const auto &r : spec.reorders) {
        if (r.value.func.name() != out.name()) continue;
        std::vector<int> given;
        for (const VarOrRVar &v : r.value.vars) add(given, dim_of(v.name()));
        auto next = given.begin();
        for (int &d : order) {
            if (std::find(given.begin(), given.end(), d) != given.end()) d = *next++;
        }
    }
    return order;
}

/** Channels, in front of the second dimension that has none: their number is a fact, or their place was chosen. Of a block of few columns, scanned column
 *  by column, only the first tells them from what is scanned, or the throughput, which is said of columns. */
std::vector<int> inner_of(const AcceleratorSpec &spec, const Function &out, const std::vector<int> &order, const std::vector<bool> &is_unrolled) {
    const std::string along = spec.throughputs.empty() ? "" : spec.throughputs[0].value.x.name();
    for (const bool may_be_moved : {true, false}) {
        std::vector<int> channels, others;
        for (auto d = order.begin(); d != order.end(); ++d) {
            if (is_unrolled[*d]) continue;
            const int values = span_of(spec, out, *d).extent;
            const auto passed = std::count_if(d, order.end(), [&](int later) {   // what is smaller has been passed by nothing: it is a channel behind
                const int other = span_of(spec, out, later).extent;
                return later < *d && (other == 0 || other > values);
            });
            const bool is_moved = may_be_moved && passed > (out.args()[*d] == along ? 1 : 0);
            const bool is_channel = values > 0 && values <= most_channels && (is_moved || declared_span(out, {}, *d).extent > 0);
            if (!is_channel) others.push_back(*d);
            else if (others.size() < 2) channels.push_back(*d);
        }
        if (others.size() >= 2) return channels;
    }
    return {};
}

}  // namespace

Span declared_span(const Function &f, const Parameter &image, int d) {
    if (image.defined()) return constant_span(image.min_constraint(d), image.extent_constraint(d));
    const Span bound = bound_of(f, d);
    if (bound.extent > 0 || f.output_buffers().empty() || !f.output_buffers()[0].defined()) return bound;
    const Parameter &p = f.output_buffers()[0];
    return constant_span(p.min_constraint(d), p.extent_constraint(d));
}

Span span_of(const AcceleratorSpec &spec, const Function &out, int d) {
    const Span declared = declared_span(out, {}, d);
    if (declared.extent > 0 || spec.blocks.empty()) return declared;
    for (const auto &[var, extent] : spec.blocks[0].value) {
        if (var.name() == out.args()[d]) return {0, extent};
    }
    return {};
}

Shape output_shape(const AcceleratorSpec &spec, const Function &out) {
    const std::vector<std::string> &args = out.args();
    Shape shape;
    std::vector<bool> is_unrolled(args.size(), false);
    for (const auto &u : spec.unrolls) {
        if (args.size() <= 2 || u.value.func.name() != out.name() || u.value.factor != 0) continue;
        for (size_t d = 0; d < args.size(); d++) is_unrolled[d] = is_unrolled[d] || args[d] == u.value.var.name();
    }
    const std::vector<int> order = scan_order(spec, out);
    shape.inner = inner_of(spec, out, order, is_unrolled);
    for (int d : shape.inner) is_unrolled[d] = true;
    for (int d : order) {
        if (is_unrolled[d]) continue;
        if (shape.scanned.size() < 2) {
            shape.scanned.push_back(d);
            continue;
        }
        const bool is_looped = is_outside(spec, out, d, shape.scanned) || span_of(spec, out, d).extent > most_channels || is_loop_of_first(spec, out, args[d]);
        if (is_looped) shape.looped.push_back(d);
        is_unrolled[d] = true;
    }
    std::sort(shape.looped.begin(), shape.looped.end());
    for (int d = 0; d < static_cast<int>(args.size()); d++) {
        if (is_unrolled[d]) shape.unrolled.push_back(d);
    }
    return shape;
}

int clocks_of_inner(const AcceleratorSpec &spec, const Function &out) {
    int clocks = 1;
    for (int d : output_shape(spec, out).inner) clocks *= span_of(spec, out, d).extent;
    return clocks;
}

std::vector<std::string> scanned_vars(const Function &f, const Shape &shape) {
    std::vector<std::string> vars;
    for (int d : shape.scanned) vars.push_back(f.args()[d]);
    return vars;
}

Expr loop_variable(const std::string &var) {
    const std::string name = user_name(var) + loop_suffix;
    return Variable::make(Int(32), name, Parameter(Int(32), false, 0, name));
}

Place::Place(const Expr &moving) : moving(moving), key((std::ostringstream() << moving).str()) {
}

std::vector<Place> places_of(const Span &span) {
    std::vector<Place> places;
    for (int i = 0; i < span.extent; i++) places.emplace_back(span.min + i);
    return places;
}

std::vector<Scalar> scalars_of(const Function &f, const std::vector<std::vector<Place>> &places) {
    size_t count = 1;
    for (const auto &p : places) count *= p.size();
    std::vector<Scalar> all;
    for (int element = 0; element < f.outputs(); element++) {
        for (size_t n = 0; n < count; n++) {
            Scalar s{f.name(), element, {}};
            size_t rest = n;
            for (const auto &p : places) {
                s.at.push_back(p[rest % p.size()]);
                rest /= p.size();
            }
            all.push_back(s);
        }
    }
    return all;
}

std::string scalar_name(const Scalar &s, const Function &f, const Shape &shape) {
    const bool is_turned = !std::is_sorted(shape.scanned.begin(), shape.scanned.end());   // or its indices would be taken for the Func's own
    return s.func + suffix(s, f, shape, '.') + (is_turned ? ".turned" : "");
}

std::string scalar_label(const Scalar &s, const Function &f, const Shape &shape) {
    return user_name(s.func) + suffix(s, f, shape, '_');
}

std::map<std::string, Expr> fixed_vars(const Scalar &s, const Function &f, const Shape &shape) {
    std::map<std::string, Expr> fixed;
    for (size_t i = 0; i < shape.unrolled.size(); i++) fixed[f.args()[shape.unrolled[i]]] = s.at[i].index();
    return fixed;
}

hwgen::Plane plane_of(const std::string &name, const Scalar &s, const Function &f, const Shape &shape) {
    hwgen::Plane plane{name, std::vector<int>(f.dimensions()), std::vector<Expr>(f.dimensions())};
    for (size_t i = 0; i < shape.unrolled.size(); i++) {
        plane.at[shape.unrolled[i]] = s.at[i].number;
        plane.moving[shape.unrolled[i]] = s.at[i].moving;
    }
    return plane;
}

Expr with_numbers(const Expr &e, const std::map<std::string, Expr> &fixed) {
    return NumberFolder(fixed).mutate(e);
}

std::optional<Place> place_of(const Expr &index) {
    if (const auto number = as_const_int(index)) return Place(static_cast<int>(*number));
    if (loop_variables(index).empty() || !OfParams()(index)) return std::nullopt;
    return Place(index);
}

std::optional<Scalar> scalar_read(const Call *call, const Shape &shape) {
    Scalar s{call->name, call->value_index, {}};
    for (int d : shape.unrolled) {
        const std::optional<Place> at = place_of(call->args[d]);
        if (!at) return std::nullopt;
        s.at.push_back(*at);
    }
    return s;
}

}  // namespace argent::dsl
