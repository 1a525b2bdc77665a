#include "hwgen/passes/datapath/BuildDatapath.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "hwgen/ir/Arithmetic.h"
#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/datapath/ExactFloats.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

namespace {

using namespace Halide;
using namespace Halide::Internal;
using hwgen::Interval;
using Intrinsic = Call::IntrinsicOp;

[[noreturn]] void unsupported(const std::string &op, const std::string &why) { throw UnsupportedOp(op, why); }

void require_integer(Type t, const std::string &op) {
    if (!(t.is_int() || t.is_uint()) || !t.is_scalar()) {
        std::ostringstream name;
        name << t;
        unsupported(op, "type " + name.str() + " is not an integer");
    }
}

/** The intrinsic a call names, or IntrinsicOpCount. */
Intrinsic intrinsic_of(const Call &c) {
    static const std::unordered_map<std::string, Intrinsic> table = [] {
        std::unordered_map<std::string, Intrinsic> t;
        for (int i = 0; i < Call::IntrinsicOpCount; ++i) {
            auto op = static_cast<Intrinsic>(i);
            t[Call::get_intrinsic_name(op)] = op;
        }
        return t;
    }();
    auto i = table.find(c.name);
    return c.is_intrinsic() && i != table.end() ? i->second : Call::IntrinsicOpCount;
}

bool is_read(const Call &c) { return c.call_type == Call::Halide || c.call_type == Call::Image; }

/** The names that a Let or a lowering has bound, and where the search goes on. */
struct Binding {
    int outer;
    std::string name;
    NodeId value;
};

class Builder {
public:
    Builder(const StageSource &s, Datapath &d, std::map<std::string, TablePlaces> *read_places) : source(s), d(d), floats(d), tables(d, read_places) {}

    NodeId lane(int j) {
        lane_index = j;
        memo.clear();
        return eval(source.value, -1);
    }

private:
    struct Key {
        const IRNode *node;
        int scope;
        bool operator==(const Key &o) const { return node == o.node && scope == o.scope; }
    };
    struct KeyHash {
        size_t operator()(const Key &k) const { return std::hash<const void *>()(k.node) * 31 + static_cast<size_t>(k.scope); }
    };
    struct Task {
        Expr e;
        int scope;
    };

    /** Depth first with a stack of our own: a node is combined when its operands are there. */
    NodeId eval(const Expr &root, int scope) {
        std::vector<Task> stack = {{root, scope}};
        while (!stack.empty()) {
            Task t = stack.back();
            if (memo.count({t.e.get(), t.scope})) {
                stack.pop_back();
                continue;
            }
            if (const Let *let = t.e.as<Let>()) {
                NodeId value, body;
                if (!known(let->value, t.scope, value)) {
                    stack.push_back({let->value, t.scope});
                } else if (int inner = scope_of(let, t.scope, value); !known(let->body, inner, body)) {
                    stack.push_back({let->body, inner});
                } else {
                    remember(t.e, t.scope, body);
                }
                continue;
            }
            std::vector<Expr> operands = operands_of(t.e);
            std::vector<NodeId> values;
            for (auto o = operands.rbegin(); o != operands.rend(); ++o) {   // so that the first comes up first
                NodeId v;
                if (known(*o, t.scope, v)) {
                    values.insert(values.begin(), v);
                } else {
                    stack.push_back({*o, t.scope});
                }
            }
            if (values.size() == operands.size()) remember(t.e, t.scope, combine(t.e, values, t.scope));
        }
        return memo.at({root.get(), scope});
    }

    bool known(const Expr &e, int scope, NodeId &value) const {
        auto i = memo.find({e.get(), scope});
        if (i == memo.end()) return false;
        value = i->second;
        return true;
    }

    void remember(const Expr &e, int scope, NodeId value) {
        keep_alive.push_back(e);
        memo[{e.get(), scope}] = value;
    }

    int bind(int outer, const std::string &name, NodeId value) {
        bindings.push_back({outer, name, value});
        return static_cast<int>(bindings.size()) - 1;
    }

    int scope_of(const Let *let, int outer, NodeId value) {
        auto [i, is_new] = let_scopes.insert({{let, outer, lane_index}, -1});
        if (is_new) i->second = bind(outer, let->name, value);
        return i->second;
    }

    const TableSource *table_of(const Call &c) const {
        if (source.tables.empty() || !is_read(c)) return nullptr;
        const auto t = source.tables.find(table_key(c));
        return t == source.tables.end() ? nullptr : t->second;
    }

    std::vector<Expr> operands_of(const Expr &e) const {
        switch (e.node_type()) {
        case IRNodeType::IntImm: case IRNodeType::UIntImm: case IRNodeType::Variable: return {};
        case IRNodeType::Cast: return ExactFloats::cast_constant(e) ? std::vector<Expr>() : std::vector<Expr>{e.as<Cast>()->value};
        case IRNodeType::Reinterpret: return {e.as<Reinterpret>()->value};
        case IRNodeType::Add: return {e.as<Add>()->a, e.as<Add>()->b};
        case IRNodeType::Sub: return {e.as<Sub>()->a, e.as<Sub>()->b};
        case IRNodeType::Mul: return {e.as<Mul>()->a, e.as<Mul>()->b};
        case IRNodeType::Div: return {e.as<Div>()->a, e.as<Div>()->b};
        case IRNodeType::Mod: return {e.as<Mod>()->a, e.as<Mod>()->b};
        case IRNodeType::Min: return {e.as<Min>()->a, e.as<Min>()->b};
        case IRNodeType::Max: return {e.as<Max>()->a, e.as<Max>()->b};
        case IRNodeType::EQ: return {e.as<EQ>()->a, e.as<EQ>()->b};
        case IRNodeType::NE: return {e.as<NE>()->a, e.as<NE>()->b};
        case IRNodeType::LT: return {e.as<LT>()->a, e.as<LT>()->b};
        case IRNodeType::LE: return {e.as<LE>()->a, e.as<LE>()->b};
        case IRNodeType::GT: return {e.as<GT>()->a, e.as<GT>()->b};
        case IRNodeType::GE: return {e.as<GE>()->a, e.as<GE>()->b};
        case IRNodeType::And: return {e.as<And>()->a, e.as<And>()->b};
        case IRNodeType::Or: return {e.as<Or>()->a, e.as<Or>()->b};
        case IRNodeType::Not: return {e.as<Not>()->a};
        case IRNodeType::Select: return {e.as<Select>()->condition, e.as<Select>()->true_value, e.as<Select>()->false_value};
        case IRNodeType::Call: {
            const Call *c = e.as<Call>();
            if (table_of(*c)) return c->args;
            if (is_read(*c) || beyond_of(*c, source.vars)) return {};   // affine arguments, taken apart by read() and is_beyond()
            if (c->is_intrinsic(Call::return_second)) return {c->args.at(1)};
            if (c->is_intrinsic(Call::memoize_expr)) return {c->args.at(0)};
            if (!c->is_intrinsic() && !ExactFloats::may_have_rule(e)) unsupported(c->name, "a call of a function outside of Halide");
            return c->args;
        }
        case IRNodeType::FloatImm: return {};
        default: unsupported("expression", "a kind of Halide expression that no scalar integer pipeline holds");
        }
    }

    NodeId wrapped(NodeId a, Type t) { return d.wrap(a, Interval::of(t)); }
    NodeId negated(NodeId a) { return d.make(Op::Xor, {a, d.constant(1)}); }

    NodeId combine(const Expr &e, const std::vector<NodeId> &v, int scope) {
        const Type t = e.type();
        if (t.is_float() && e.node_type() != IRNodeType::Variable) return floats.combine(e, v);
        switch (e.node_type()) {
        case IRNodeType::IntImm: return d.constant(e.as<IntImm>()->value);
        case IRNodeType::UIntImm: return d.constant(e.as<UIntImm>()->value);
        case IRNodeType::Variable: return variable(*e.as<Variable>(), scope);
        case IRNodeType::Cast: {
            if (const auto constant = ExactFloats::cast_constant(e)) return d.constant(*constant);
            const Type from = e.as<Cast>()->value.type();
            require_integer(t, "cast");
            if (from.is_float()) return wrapped(floats.truncated(v[0]), t);
            require_integer(from, "cast");
            return wrapped(v[0], t);
        }
        case IRNodeType::Reinterpret:
            require_integer(t, "reinterpret");
            require_integer(e.as<Reinterpret>()->value.type(), "reinterpret");
            return wrapped(v[0], t);
        case IRNodeType::Add: return arithmetic(Op::Add, v, t, "+");
        case IRNodeType::Sub: return arithmetic(Op::Sub, v, t, "-");
        case IRNodeType::Mul:
            require_integer(t, "*");
            return wrapping_multiply(d, v[0], v[1], Interval::of(t));
        case IRNodeType::Div:
            require_integer(t, "/");
            return wrapped(divide(d, v[0], v[1]), t);
        case IRNodeType::Mod:
            require_integer(t, "%");
            return wrapped(modulo(d, v[0], v[1]), t);
        case IRNodeType::Min: return arithmetic(Op::Min, v, t, "min");
        case IRNodeType::Max: return arithmetic(Op::Max, v, t, "max");
        case IRNodeType::EQ: return compare(Op::Eq, v[0], v[1], e.as<EQ>()->a.type());
        case IRNodeType::NE: return negated(compare(Op::Eq, v[0], v[1], e.as<NE>()->a.type()));
        case IRNodeType::LT: return compare(Op::Lt, v[0], v[1], e.as<LT>()->a.type());
        case IRNodeType::LE: return compare(Op::Le, v[0], v[1], e.as<LE>()->a.type());
        case IRNodeType::GT: return compare(Op::Lt, v[1], v[0], e.as<GT>()->a.type());
        case IRNodeType::GE: return compare(Op::Le, v[1], v[0], e.as<GE>()->a.type());
        case IRNodeType::And: return d.make(Op::And, v);
        case IRNodeType::Or: return d.make(Op::Or, v);
        case IRNodeType::Not: return negated(v[0]);
        case IRNodeType::Select: return arithmetic(Op::Select, v, t, "select");
        case IRNodeType::Call: {
            const Call &c = *e.as<Call>();
            if (const std::optional<PlaceBeyond> place = beyond_of(c, source.vars)) return is_beyond(*place);
            require_integer(t, c.name);
            if (const TableSource *table = table_of(c)) return tables.lookup(*table, v);
            if (c.is_intrinsic(Call::saturating_cast) && c.args[0].type().is_float()) return clamp(d, floats.truncated(v[0]), Interval::of(t));
            return is_read(c) ? read(c) : intrinsic(c, v);
        }
        default: break;
        }
        argent_internal_assert(false, "build_datapath", "a kind of expression that has operands but no rule");
        return -1;
    }

    NodeId arithmetic(Op op, const std::vector<NodeId> &v, Type t, const char *name) {
        require_integer(t, name);
        return wrapped(d.make(op, v), t);
    }

    NodeId compare(Op op, NodeId a, NodeId b, Type t) {
        if (t.is_float()) return floats.compare(op, a, b);
        require_integer(t, "comparison");
        return d.make(op, {a, b});
    }

    NodeId variable(const Variable &v, int scope) {
        for (int s = scope; s >= 0; s = bindings[s].outer) {
            if (bindings[s].name == v.name) return bindings[s].value;
        }
        require_integer(v.type, v.name);
        Leaf l;
        l.name = v.name;
        auto dim = std::find(source.vars.begin(), source.vars.end(), v.name);
        if (dim != source.vars.end() && !v.param.defined()) {
            l.kind = Leaf::Kind::Coord;
            l.dim = static_cast<int>(dim - source.vars.begin());
            auto range = source.coords.find(v.name);
            l.range = range != source.coords.end() ? range->second : Interval::of(v.type);
            NodeId at = d.leaf(l);
            return l.dim == 0 ? wrapped(d.add(at, d.constant(lane_index)), v.type) : at;
        }
        auto param = source.params.find(v.name);
        if (param == source.params.end() && !v.param.defined()) unsupported(v.name, "a variable that is neither a loop variable nor a Param");
        l.kind = Leaf::Kind::Param;
        l.range = param != source.params.end() ? param->second.intersect(Interval::of(v.type)) : Interval::of(v.type);
        return d.leaf(l);
    }

    NodeId read(const Call &c) {
        auto producer = source.producers.find(c.name);
        if (producer == source.producers.end()) unsupported(c.name, "a read of something that is no stage");
        if (c.value_index != 0) unsupported(c.name, "a read of a further Tuple element");
        std::vector<Index> indices;
        for (size_t i = 0; i < c.args.size(); ++i) indices.push_back(index(c, i));
        return tap(c, indices);
    }

    NodeId tap(const Call &c, const std::vector<Index> &indices) {
        Leaf l;
        l.kind = Leaf::Kind::Tap;
        l.producer = source.producers.at(c.name);
        const auto label = source.labels.find(c.name);
        l.name = label == source.labels.end() ? verilog::stem(c.name) : label->second;
        bool has_phases = false;
        for (size_t i = 0; i < indices.size(); ++i) {
            const IndexMap &map = indices[i].map;
            std::vector<int> phases;
            for (int phase = 0; phase < (i < 2 ? source.periods[i] : 1); ++phase) {
                phases.push_back(map.at(i == 0 ? phase * source.lanes + lane_index : phase));
            }
            l.offset.push_back(phases[0]);
            l.border.push_back(indices[i].border);
            l.domains.emplace_back();
            if (indices[i].has_own_domain()) l.domains.back() = {indices[i].domain, source.reach(c.name, static_cast<int>(i), indices[i])};
            l.name += offset_name(phases[0]);
            has_phases = has_phases || phases.size() > 1;
            l.phases.push_back(std::move(phases));
        }
        if (!has_phases) l.phases.clear();
        if (std::none_of(l.border.begin(), l.border.end(), [](const auto &b) { return b.has_value(); })) l.border.clear();
        if (std::none_of(l.domains.begin(), l.domains.end(), [](const OwnDomain &o) { return o.domain != common_domain; })) l.domains.clear();
        auto range = source.producer_ranges.find(c.name);
        l.range = range != source.producer_ranges.end() ? range->second.intersect(Interval::of(c.type)) : Interval::of(c.type);
        return d.leaf(l);
    }

    NodeId is_beyond(const PlaceBeyond &b) {
        Leaf l;
        l.kind = Leaf::Kind::Beyond;
        l.dim = static_cast<int>(b.dim);
        l.place = b.offset + (b.dim == 0 ? lane_index : 0);
        l.from_end = b.is_behind;
        l.range = {0, 1};
        l.name = verilog::stem(source.vars[b.dim]) + offset_name(l.place) + (b.is_behind ? "_is_behind" : "_is_in_front");
        return d.leaf(l);
    }

    Index index(const Call &c, size_t i) {
        const std::optional<Index> found = i < source.vars.size() ? index_of(c.args[i], source.vars[i]) : std::nullopt;
        if (found) return *found;
        std::ostringstream text;
        text << c.args[i];
        unsupported(c.name, "index " + text.str() + " of dimension " + std::to_string(i) + " is no place that moves with the stage's variable at a constant rate");
    }

    /** Evaluates what Halide itself makes of one call, its operands replaced by variables that stand for known nodes. */
    template<typename Lower>
    NodeId lowered(const Call &c, const std::vector<NodeId> &v, Lower lower) {
        int scope = -1;
        std::vector<Expr> args;
        for (size_t i = 0; i < v.size(); ++i) {
            std::string name = "argent.operand." + std::to_string(i);
            // A constant stays one: some lowerings look at it.
            if (is_const(c.args[i])) {
                args.push_back(c.args[i]);
                continue;
            }
            args.push_back(Variable::make(c.args[i].type(), name));
            scope = bind(scope, name, v[i]);
        }
        Expr result = lower(args);
        return eval(result, scope);
    }

    NodeId intrinsic(const Call &c, const std::vector<NodeId> &v) {
        const Type t = c.type;
        const Interval type = Interval::of(t);
        for (const Expr &a : c.args) require_integer(a.type(), c.name);
        const Type first = c.args.empty() ? t : c.args[0].type();
        auto sum = [&](Op op) { return d.make(op, {v[0], v[1]}); };
        auto half = [&](NodeId a) { return d.wrap(d.make(Op::Shr, {a}, 1), type); };

        switch (intrinsic_of(c)) {
        case Call::bitwise_and: return d.wrap(sum(Op::And), type);
        case Call::bitwise_or: return d.wrap(sum(Op::Or), type);
        case Call::bitwise_xor: return d.wrap(sum(Op::Xor), type);
        case Call::bitwise_not: return d.wrap(d.make(Op::Not, {v[0]}), type);
        case Call::abs: return d.wrap(d.make(Op::Abs, {v[0]}), type);
        case Call::absd: return d.wrap(d.make(Op::Abs, {sum(Op::Sub)}), type);

        case Call::shift_left: return d.wrap(shift_left(d, v[0], v[1], type), type);
        case Call::shift_right: return d.wrap(shift_right(d, v[0], v[1], type), type);
        case Call::rounding_shift_right: return d.wrap(shift_right(d, v[0], v[1], type, true), type);
        case Call::rounding_shift_left: return d.wrap(shift_right(d, v[0], d.sub(d.constant(0), v[1]), type, true), type);
        case Call::widening_shift_left: return d.wrap(shift_left(d, v[0], v[1], type), type);
        case Call::widening_shift_right: return d.wrap(shift_right(d, v[0], v[1], type), type);

        case Call::widening_add: case Call::widen_right_add: return d.wrap(sum(Op::Add), type);
        case Call::widening_sub: case Call::widen_right_sub: return d.wrap(sum(Op::Sub), type);
        case Call::widening_mul: case Call::widen_right_mul: return wrapping_multiply(d, v[0], v[1], type);
        case Call::saturating_add: return clamp(d, sum(Op::Add), type);
        case Call::saturating_sub: return clamp(d, sum(Op::Sub), type);
        case Call::saturating_cast: return clamp(d, v[0], type);
        case Call::halving_add: return half(sum(Op::Add));
        case Call::sorted_avg:   // a + (b - a) / 2 in the type itself, as Halide lowers it
            return d.wrap(d.add(v[0], half(d.wrap(d.sub(v[1], v[0]), type))), type);
        case Call::halving_sub: return half(sum(Op::Sub));
        case Call::rounding_halving_add: return half(d.add(sum(Op::Add), d.constant(1)));
        case Call::mul_shift_right: return multiply_shift_right(d, v[0], v[1], v[2], type, false);
        case Call::rounding_mul_shift_right: return multiply_shift_right(d, v[0], v[1], v[2], type, true);

        case Call::div_round_to_zero: return d.wrap(divide_to_zero(d, v[0], v[1]), type);
        case Call::mod_round_to_zero: return d.wrap(modulo_to_zero(d, v[0], v[1]), type);
        case Call::popcount: return popcount(d, v[0], first.bits());
        case Call::count_leading_zeros: return leading_zeros(d, v[0], first.bits());
        case Call::count_trailing_zeros: return trailing_zeros(d, v[0], first.bits());

        case Call::lerp:
            return lowered(c, v, [&](const std::vector<Expr> &a) { return lower_lerp(t, a[0], a[1], a[2], Target("x86-64-linux")); });
        case Call::mux: {
            NodeId result = v.back();
            for (size_t i = v.size() - 2; i >= 1; --i)
                result = d.select(d.make(Op::Eq, {v[0], d.constant(static_cast<Wide>(i) - 1)}), v[i], result);
            return result;
        }
        case Call::if_then_else:
            if (v.size() != 3) unsupported(c.name, "no value is given for the other case");
            return d.select(v[0], v[1], v[2]);
        case Call::select_mask: return d.select(negated(d.make(Op::Eq, {v[0], d.constant(0)})), v[1], v[2]);
        case Call::bool_to_mask: return d.wrap(d.sub(d.constant(0), v[0]), type);
        case Call::cast_mask: return d.wrap(v[0], type);
        case Call::concat_bits: {
            NodeId all = d.constant(0);
            int at = 0;
            for (size_t i = 0; i < v.size(); ++i) {
                const int bits = c.args[i].type().bits();
                all = d.make(Op::Or, {all, d.make(Op::Shl, {d.wrap(v[i], Interval::unsigned_of(bits))}, at)});
                at += bits;
            }
            return d.wrap(all, type);
        }
        case Call::extract_bits: {
            NodeId bits = d.wrap(v[0], Interval::unsigned_of(first.bits()));
            return d.wrap(shift_right(d, bits, v[1], Interval::unsigned_of(first.bits())), type);
        }

        case Call::likely: case Call::likely_if_innermost: case Call::return_second: case Call::memoize_expr: return v[0];
        case Call::promise_clamped: case Call::unsafe_promise_clamped: {
            Interval known = d[v[0]].range;
            if (v.size() > 1) known.lo = d[v[1]].range.lo;
            if (v.size() > 2) known.hi = d[v[2]].range.hi;
            return known.lo <= known.hi ? d.fact(v[0], known) : v[0];
        }
        case Call::strict_add: return d.wrap(sum(Op::Add), type);
        case Call::strict_sub: return d.wrap(sum(Op::Sub), type);
        case Call::strict_mul: return wrapping_multiply(d, v[0], v[1], type);
        case Call::strict_div: return d.wrap(divide(d, v[0], v[1]), type);
        case Call::strict_min: return sum(Op::Min);
        case Call::strict_max: return sum(Op::Max);
        case Call::strict_eq: return sum(Op::Eq);
        case Call::strict_lt: return sum(Op::Lt);
        case Call::strict_le: return sum(Op::Le);
        default: unsupported(c.name, "an operator without a rule in hardware");
        }
    }

    const StageSource &source;
    Datapath &d;
    ExactFloats floats;
    TableReads tables;
    int lane_index = 0;
    std::unordered_map<Key, NodeId, KeyHash> memo;
    std::map<std::tuple<const Let *, int, int>, int> let_scopes;
    std::vector<Binding> bindings;
    std::vector<Expr> keep_alive;   // memo's keys are addresses: none may be used twice
};

}  // namespace

Datapath build_datapath(const StageSource &source, std::map<std::string, TablePlaces> *read_places) {
    argent_internal_assert(source.value.defined() && source.lanes >= 1, "build_datapath", "a stage without value or lanes");
    require_integer(source.value.type(), "stage");
    Datapath d;
    Builder builder(source, d, read_places);
    for (int j = 0; j < source.lanes; ++j) d.outputs.push_back(builder.lane(j));
    return d;
}

}  // namespace argent::hwgen
