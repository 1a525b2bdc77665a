#include "dsl/Expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dsl/EvaluateConstants.h"
#include "dsl/Shapes.h"
#include "dsl/Simplify.h"
#include "dsl/Texts.h"
#include "hwgen/ir/TableSource.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** More points than this make no window. */
constexpr int64_t most_unrolled = 1 << 14;

/** Replaces variables, and calls of `self` by its current values, all at once. */
class Substituter : public IRGraphMutator {
public:
    std::map<std::string, Expr> variables;
    std::string self;
    std::vector<std::string> self_args;
    std::vector<Expr> self_values;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Variable *op) override {
        const auto it = variables.find(op->name);
        return op->param.defined() || it == variables.end() ? Expr(op) : it->second;
    }
    Expr visit(const Call *op) override {
        if (op->name == self && op->call_type == Call::Halide) return self_value(op);
        if (op->call_type != Call::Halide && op->call_type != Call::Image) return IRGraphMutator::visit(op);
        std::vector<Expr> args;
        for (const Expr &a : op->args) args.push_back(simplified_index(mutate(a)));
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

private:
    /** What an update reads of the Func itself: where it writes, or at a number, e.g. of another channel. */
    Expr self_value(const Call *op);
};

Expr Substituter::self_value(const Call *op) {
    std::map<std::string, Expr> numbers;
    for (size_t i = 0; i < op->args.size(); i++) {
        if (const auto at = as_const_int(simplified(mutate(op->args[i])))) numbers[self_args[i]] = static_cast<int>(*at);
    }
    const Expr &value = self_values[op->value_index];
    return numbers.empty() ? value : with_numbers(value, numbers);
}

class ConstantCalls : public IRGraphVisitor {
public:
    ConstantCalls(Expander &expander) : expander(expander) {}
    std::map<std::string, std::vector<std::pair<int, int>>> boxes;   // per Func, per dimension: lowest and highest
    bool any_other = false;

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type != Call::Halide || !expander.is_constant(op->name)) return;
        std::vector<std::pair<int, int>> point;
        for (const Expr &a : op->args) {
            const auto value = as_const_int(a);
            if (!value) {
                any_other = any_other || !expander.is_rom(op);
                return;
            }
            point.emplace_back(static_cast<int>(*value), static_cast<int>(*value));
        }
        auto [it, is_new] = boxes.emplace(op->name, point);
        if (is_new) return;
        for (size_t i = 0; i < point.size(); i++) {
            it->second[i].first = std::min(it->second[i].first, point[i].first);
            it->second[i].second = std::max(it->second[i].second, point[i].second);
        }
    }

private:
    Expander &expander;
};

/** image.min.2, image.extent.2: a number, if set_bounds() says so. A border of channels is none then. */
Expr declared_bound(const Variable *op) {
    const Parameter &image = op->param;
    for (int d = 0; d < image.dimensions(); d++) {
        const bool is_min = op->name == fmt::format("{}.min.{}", image.name(), d);
        if (!is_min && op->name != fmt::format("{}.extent.{}", image.name(), d)) continue;
        const Expr e = is_min ? image.min_constraint(d) : image.extent_constraint(d);
        const auto number = e.defined() ? as_const_int(simplified(e)) : std::nullopt;
        if (number) return make_const(op->type, *number);
    }
    return op;
}

}  // namespace

/** Replaces calls of Functions that are neither stops nor constant by their bodies. */
class Inliner : public IRGraphMutator {
public:
    Inliner(Expander &expander, std::string self, bool constants_too)
        : expander(expander), self(std::move(self)), constants_too(constants_too) {
    }

protected:
    using IRGraphMutator::visit;
    Expr visit(const Variable *op) override { return op->param.defined() && op->param.is_buffer() ? declared_bound(op) : Expr(op); }
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide && op->call_type != Call::Image) return IRGraphMutator::visit(op);
        std::vector<Expr> args;
        for (const Expr &a : op->args) {
            const Expr inlined = mutate(a);
            args.push_back(inlined.same_as(a) ? a : simplified_index(inlined));   // as the user typed it, if it can be
        }
        const Expr call =
            Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
        if (op->call_type == Call::Image || op->name == self || expander.stops.count(op->name)) return call;
        if (!constants_too && expander.is_constant(op->name)) return call;
        if (constants_too && constant_place(call.as<Call>())) return call;
        if (constants_too && expander.is_constant(op->name) && expander.is_rom(call.as<Call>())) return call;
        const Function &callee = expander.env.at(op->name);
        const std::vector<Expr> &values = expander.body(callee);
        if (values.empty()) return make_zero(op->type);
        if (is_same_point(args, callee.args())) return values[op->value_index];   // long rows of points stay cheap
        Substituter s;
        for (size_t i = 0; i < args.size(); i++) s.variables[callee.args()[i]] = args[i];
        return s.mutate(values[op->value_index]);
    }

private:
    /** f(x, y) of a Func f that calls its own Vars x and y. */
    static bool is_same_point(const std::vector<Expr> &args, const std::vector<std::string> &vars) {
        return std::equal(args.begin(), args.end(), vars.begin(), vars.end(), [](const Expr &arg, const std::string &var) {
            const Variable *v = arg.as<Variable>();
            return v != nullptr && v->name == var && !v->param.defined();
        });
    }

    Expander &expander;
    std::string self;
    bool constants_too;
};

void Expander::refuse(const std::string &message, const std::string &note) {
    failed = true;
    diagnostics.error(context.where, context.call + ": " + message, {note});
}

std::string Expander::leave(const Function &f) const {
    const std::string named = context.named ? context.named(f.name()) : f.name();
    if (std::find(context.outs.begin(), context.outs.end(), named) != context.outs.end()) return fmt::format("leave {} to the host", user_name(named));
    return fmt::format("list {} as an input and the host computes it", user_name(named));
}

/** blurred.update(0); sum.update(0) in blurred. */
std::string Expander::update_name(const Function &f, size_t update) const {
    const std::string name = fmt::format("{}.update({})", user_name(f.name()), update), named = context.named ? context.named(f.name()) : f.name();
    return named == f.name() ? name : fmt::format("{} in {}", name, user_name(named));
}

bool Expander::is_constant(const std::string &name) {
    if (stops.count(name)) return false;
    const auto known = constant.find(name);
    if (known != constant.end()) return known->second;
    struct Finder : IRGraphVisitor {
        Expander &expander;
        std::string self;
        bool found = false;
        Finder(Expander &e, std::string self) : expander(e), self(std::move(self)) {}
        using IRGraphVisitor::visit;
        void visit(const Variable *op) override { found = found || op->param.defined(); }
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type == Call::Image) found = found || op->param.defined();
            if (op->call_type == Call::Halide && op->name != self) found = found || !expander.is_constant(op->name);
        }
    } finder(*this, name);
    const Function &f = env.at(name);
    if (f.has_extern_definition()) return constant[name] = false;
    f.accept(&finder);
    return constant[name] = !finder.found;
}

bool Expander::is_rom(const Call *read) {
    const Function &f = env.at(read->name);
    const auto [known, is_new] = evaluated_only.emplace(read->name, false);
    if (is_new) {
        struct Floats : IRGraphVisitor {
            bool found = false;
            using IRGraphVisitor::visit;
            void include(const Expr &e) override {
                found = found || e.type().is_float();
                if (!found) IRGraphVisitor::include(e);
            }
        } floats;
        const auto look_at = [&](const Definition &d) {
            for (const Expr &v : d.values()) floats.include(v);
            floats.include(d.predicate());
        };
        look_at(f.definition());
        bool scatters = false;
        for (const Definition &u : f.updates()) {
            look_at(u);
            for (size_t i = 0; i < u.args().size(); i++) {
                const Variable *v = u.args()[i].as<Variable>();
                scatters = scatters || !v || v->name != f.args()[i];
            }
        }
        known->second = floats.found || scatters;
    }
    if (known->second) return true;
    if (f.updates().empty() && f.schedule().compute_level().is_inlined()) return false;
    double elements = 1;
    for (const Expr &a : read->args) {
        const Interval places = find_constant_bounds(a, Scope<Interval>());
        if (!places.is_bounded()) return false;
        const auto lo = as_const_int(places.min), hi = as_const_int(places.max);
        if (!lo || !hi) return false;
        elements *= double(*hi) - double(*lo) + 1;
    }
    return elements <= hwgen::most_rom_elements;
}

Expr Expander::inline_calls(const Expr &e, const std::string &self) {
    return Inliner(*this, self, false).mutate(substitute_in_all_lets(e));
}

bool Expander::window_loops(const Function &f, size_t update, std::vector<Loop> &loops) {
    int64_t points = 1;
    for (const ReductionVariable &r : f.updates()[update].schedule().rvars()) {
        const Expr min = simplified(r.min), extent = simplified(r.extent);
        const auto lo = as_const_int(min), n = as_const_int(extent);
        if (!lo || !n) {
            struct Names : IRVisitor {
                std::set<std::string> found;
                using IRVisitor::visit;
                void visit(const Variable *op) override { found.insert(user_name(op->name)); }
            } names;
            min.accept(&names);
            extent.accept(&names);
            const std::string rvar = user_name(r.var);
            refuse(fmt::format("{} runs over {}, whose bounds depend on the Param {}", update_name(f, update), rvar,
                               fmt::join(names.found, " and ")),
                   fmt::format("give {} constant bounds, and leave elements out with {}.where(...)", rvar,
                               rvar.substr(0, rvar.find('.'))));
            return false;
        }
        loops.push_back({r.var, *lo, std::max<int64_t>(*n, 0)});
        points *= loops.back().extent;
    }
    if (points <= most_unrolled) return true;
    refuse(fmt::format("{} has {} terms, and at most {} are possible", update_name(f, update), points, most_unrolled),
           "use a smaller window, or sum rows first and then columns");
    return false;
}

bool is_var(const Expr &e, const std::string &var) {
    const Variable *v = e.as<Variable>();
    return v && v->name == var;
}

/** A number in each iteration of an RDom. */
bool is_number(const Expr &e) {
    struct Finder : IRGraphVisitor {
        bool any = false;
        using IRGraphVisitor::visit;
        void visit(const Variable *op) override { any = any || !op->reduction_domain.defined(); }
        void visit(const Call *op) override { any = true; }
    } others;
    e.accept(&others);
    return !others.any;
}

/** The update writes all of f or, in some dimensions, one value of each iteration; it reads f only at such places. */
bool Expander::is_window(const Function &f, size_t update, const std::vector<Expr> &values) {
    const Definition &u = f.updates()[update];
    const std::string target = fmt::format("{}({})", user_name(f.name()), fmt::join(f.args(), ", "));
    size_t scanned = 0;
    for (size_t i = 0; i < u.args().size(); i++) scanned += is_var(u.args()[i], f.args()[i]);
    for (size_t i = 0; i < u.args().size(); i++) {
        if (is_var(u.args()[i], f.args()[i]) || (scanned >= 2 && is_number(u.args()[i]))) continue;
        std::vector<std::string> args;
        for (const Expr &a : u.args()) args.push_back(shown(a));
        refuse(fmt::format("{} writes {}({}), and only window reductions, which write {}, are possible for now",
                           update_name(f, update), user_name(f.name()), fmt::join(args, ", "), target),
               leave(f));
        return false;
    }
    struct SelfReads : IRGraphVisitor {
        const Function &f;
        const Definition &update;
        Expr elsewhere;
        SelfReads(const Function &f, const Definition &u) : f(f), update(u) {}
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type != Call::Halide || op->name != f.name()) return;
            for (size_t i = 0; i < op->args.size(); i++) {
                // Of one number others may be read; of all at once, they may have been written or not.
                const bool writes_one = !is_var(update.args()[i], f.args()[i]);
                if (!is_var(op->args[i], f.args()[i]) && !(writes_one && is_number(op->args[i]))) elsewhere = op;
            }
        }
    } reads(f, u);
    for (const Expr &v : values) v.accept(&reads);
    if (!reads.elsewhere.defined()) return true;
    refuse(fmt::format("{} reads {}, and an update may read only {} for now", update_name(f, update),
                       shown(reads.elsewhere), target),
           leave(f));
    return false;
}

std::vector<Expr> Expander::apply_updates(const Function &f, std::vector<Expr> values) {
    for (size_t u = 0; u < f.updates().size(); u++) {
        const Definition &update = f.updates()[u];
        std::vector<Expr> rhs;
        for (const Expr &v : update.values()) rhs.push_back(inline_calls(v, f.name()));
        std::vector<Loop> loops;
        if (!is_window(f, u, rhs) || !window_loops(f, u, loops)) return {};
        int64_t points = 1;
        for (const Loop &l : loops) points *= l.extent;
        const Expr predicate = inline_calls(update.predicate(), f.name());
        for (int64_t point = 0; point < points; point++) {
            Substituter s;
            s.self = f.name();
            s.self_args = f.args();
            s.self_values = values;
            int64_t rest = point;
            for (const Loop &l : loops) {
                s.variables[l.name] = make_const(Int(32), l.min + rest % l.extent);
                rest /= l.extent;
            }
            Expr condition = simplified(s.mutate(predicate));
            for (size_t i = 0; i < f.args().size(); i++) {
                if (is_var(update.args()[i], f.args()[i])) continue;   // else it writes at one number of many
                condition = condition && Variable::make(Int(32), f.args()[i]) == simplified(s.mutate(update.args()[i]));
            }
            condition = simplified(condition);
            if (is_const_zero(condition)) continue;
            std::vector<Expr> next;
            for (const Expr &v : rhs) {
                Expr e = s.mutate(v);
                next.push_back(is_const_one(condition) ? e : select(condition, e, values[next.size()]));
            }
            values = next;
        }
    }
    return values;
}

const std::vector<Expr> &Expander::body(const Function &f) {
    const auto known = bodies.find(f.name());
    if (known != bodies.end()) return known->second;
    if (f.has_extern_definition() || !f.has_pure_definition()) {
        refuse(f.has_extern_definition() ? fmt::format("{} is an extern stage ({}), which has no expression to build hardware from",
                                                       user_name(f.name()), f.extern_function_name()) :
                                           fmt::format("{} has no definition", user_name(f.name())),
               leave(f));
        return bodies[f.name()] = {};
    }
    std::vector<Expr> values;
    for (const Expr &v : f.definition().values()) values.push_back(inline_calls(v, f.name()));
    values = apply_updates(f, std::move(values));
    return bodies[f.name()] = values;
}

Expr Expander::resolve_constants(Expr e) {
    for (;;) {
        ConstantCalls calls(*this);
        e.accept(&calls);
        for (const auto &[name, box] : calls.boxes) evaluated[name] = evaluate_constants(env.at(name), box);
        e = with_constants(e, evaluated);
        const Expr beyond = read_beyond_buffer(e);
        if (beyond.defined()) refuse(shown(beyond) + " is beyond the Buffer's elements", "read only what it holds");
        if (!calls.any_other || failed) return e;
        e = Inliner(*this, "", true).mutate(e);
    }
}

std::vector<Expr> Expander::values(const Function &f, const std::map<std::string, Expr> &fixed) {
    failed = false;
    std::vector<Expr> values = body(f);
    for (Expr &v : values) v = resolve_constants(fixed.empty() ? v : with_numbers(v, fixed));
    return failed ? std::vector<Expr>() : values;
}

}  // namespace argent::dsl
