#include "RandomTerm.h"

#include <algorithm>

namespace argent::fuzz {

using Halide::Bool;
using Halide::Int;
using Halide::UInt;

Type random_type(Random &r) {
    static const Type types[] = {UInt(8), Int(8), UInt(16), Int(16), UInt(32), Int(32), UInt(64), Int(64), Bool()};
    return types[r.weighted({20, 9, 14, 15, 9, 14, 6, 6, 7})];
}

TermPtr StageWriter::constant(Type t, int64_t v) {
    auto c = std::make_shared<Term>();
    c->kind = Term::Kind::Constant, c->type = t, c->value = v;
    return c;
}

TermPtr StageWriter::random_constant(Type t) {
    if (t.is_bool()) return constant(t, r.below(2));
    const int bits = t.bits();
    int64_t v = 0;
    switch (r.below(6)) {
    case 0: v = r.below(4); break;
    case 1: v = int64_t(1) << r.below(bits - 1); break;
    case 2: v = (int64_t(1) << r.below(bits - 1)) - 1; break;
    case 3: v = static_cast<int64_t>(r.next() >> (64 - bits + 1 + r.below(bits - 1))); break;
    case 4: v = r.between(3, 100); break;
    default: v = t.is_uint() && bits == 64 ? -1 : static_cast<int64_t>(range_of_type(t).hi - r.below(3));
    }
    if (t.is_int() && r.chance(35)) v = -v;
    if (t.is_int() && r.chance(3)) v = static_cast<int64_t>(range_of_type(t).lo);
    return constant(t, v);
}

TermPtr StageWriter::make(const std::string &op, Terms args, Type t) {
    std::vector<Type> types;
    for (const TermPtr &a : args) types.push_back(a->type);
    auto made = std::make_shared<Term>();
    made->kind = Term::Kind::Operator;
    made->type = find_operator(op)->result(t, types);
    made->op = op;
    made->args = std::move(args);
    return made->type.bits() ? made : nullptr;
}

bool StageWriter::is_defined(const TermPtr &t) {
    return t && range_of(*t, {p, stages, lets, domain, &f, self}).has_value();
}

TermPtr StageWriter::convert_plainly(const TermPtr &t, Type to) {
    return t->type == to ? t : make("cast", {t}, to);
}

TermPtr StageWriter::convert(const TermPtr &t, Type to) {
    if (t->type == to) return t;
    if (to.is_bool()) {
        if (r.chance(40)) return make("cast", {t}, to);
        return make(r.pick({"ne", "lt", "gt", "le", "ge", "eq"}), {t, random_constant(t->type)});
    }
    if (t->type.is_bool() && r.chance(30)) return make("select", {t, random_constant(to), random_constant(to)});
    if (!t->type.is_bool()) {
        if (t->type.bits() == to.bits() && r.chance(40)) return make("bits", {t}, to);
        if (r.chance(25)) return make("sat", {t}, to);
        if (r.chance(12)) {
            const int bits = r.between(1, 64);
            return make("cast", {make("trunc", {t}, r.chance(50) ? UInt(bits) : Int(bits))}, to);
        }
    }
    return make("cast", {t}, to);
}

Type StageWriter::some_type(const Terms &pool) {
    if (pool.empty() || r.chance(25)) return random_type(r);
    const Type a = r.pick(pool)->type, b = r.pick(pool)->type;
    return a.bits() > b.bits() ? a : b;   // the wider one, mostly: casts forget
}

TermPtr StageWriter::extra_leaf() {
    auto t = std::make_shared<Term>();
    switch (r.weighted({35, p.params.empty() ? 0 : 25, 12, p.tables.empty() ? 0 : 12, f.lets.empty() ? 0 : 12, seen.empty() ? 0 : 45, domain ? 20 : 0})) {
    case 0: return random_constant(random_type(r));
    case 1:
        t->kind = Term::Kind::Param, t->index = r.below(static_cast<int>(p.params.size())), t->type = p.params[t->index].type;
        break;
    case 2: t->kind = Term::Kind::Coord, t->index = r.below(2), t->type = Int(32); break;
    case 3:
        t->kind = Term::Kind::Table, t->index = r.below(static_cast<int>(p.tables.size())), t->type = p.tables[t->index].type;
        t->dx = r.below(static_cast<int>(p.tables[t->index].values.size()));
        break;
    case 4:
        t->kind = Term::Kind::Local, t->index = r.below(static_cast<int>(f.lets.size())), t->type = f.lets[t->index]->type;
        break;
    case 5: return r.pick(seen);
    default: t->kind = Term::Kind::RVar, t->index = r.below(2), t->type = Int(32);
    }
    return t;
}

/** Without a reduction: Halide does not find the bounds of a Func with updates that is read at one ("Symbol not found"). */
bool StageWriter::is_plain(const TermPtr &place) const {
    bool plain = true;
    visit_terms(place, [&](const TermPtr &t) {
        if (t->kind == Term::Kind::Reduce) plain = false;
        if (t->kind == Term::Kind::Local) plain = plain && is_plain(f.lets[t->index]);
    });
    return plain;
}

/** A table's element, at a place that depends on the data. */
TermPtr StageWriter::looked_up(const TermPtr &place) {
    auto t = std::make_shared<Term>();
    t->kind = Term::Kind::Table, t->index = r.below(static_cast<int>(p.tables.size())), t->type = p.tables[t->index].type;
    t->args = {place};
    return t;
}

/** The next operand, out of the pool if it has one to give. */
TermPtr StageWriter::operand(Terms &pool, Type t) {
    TermPtr from;
    if (pool.empty() || r.chance(12)) {
        from = extra_leaf();
        if (from->kind == Term::Kind::Constant) return random_constant(t);
    } else {
        const int at = r.below(static_cast<int>(pool.size()));
        from = pool[at];
        pool.erase(pool.begin() + at);
        if (!p.tables.empty() && r.chance(8) && is_plain(from)) from = looked_up(from);
    }
    return convert(from, t);
}

/** lowest..highest of type t: a constant or something of the pool. */
TermPtr StageWriter::amount(Terms &pool, Type t, int lowest, int highest) {
    if (t.is_uint()) lowest = std::max(lowest, 0);
    if (r.chance(50)) return constant(t, r.between(lowest, highest));
    const TermPtr v = make("mod", {convert_plainly(operand(pool, t), t), constant(t, highest - std::max(lowest, 0) + 1)});
    if (lowest >= 0) return v;
    return make("sub", {v, constant(t, r.between(0, -lowest))});
}

bool StageWriter::operands(const Operator &o, Terms &pool, Terms &args) {
    const std::string name = o.name;
    Type t = some_type(pool);
    const bool takes_bool = r.chance(30) && (name == "min" || name == "max" || name == "band" || name == "bor" || name == "bxor" || name == "bnot" ||
                            o.shape == Shape::Compare || o.shape == Shape::Select || o.shape == Shape::Mux || o.shape == Shape::Lerp);
    while ((t.is_bool() && !takes_bool) || ((o.shape == Shape::Widen || o.shape == Shape::WidenShift || o.shape == Shape::MulShift || o.shape == Shape::Lerp) && t.bits() == 64)) {
        t = random_type(r);
    }
    const Type mirrored = t.is_int() ? UInt(t.bits()) : Int(t.bits());
    const auto next = [&](Type type) { args.push_back(operand(pool, type)); };
    switch (o.shape) {
    case Shape::Same:
        if (name == "clz" || name == "ctz" || name == "popcount" || o.arity == 1) {
            next(t);
            return true;
        }
        next(t);
        if (name == "dtz" || name == "mtz") {
            args.push_back(r.chance(60) ? random_constant(t) : make("bor", {operand(pool, t), constant(t, 1)}));
        } else if ((name == "div" || name == "mod") && r.chance(60)) {
            args.push_back(random_constant(t));
        } else if (name == "clamp") {
            args.push_back(r.chance(70) ? random_constant(t) : operand(pool, t));
            args.push_back(r.chance(70) ? random_constant(t) : operand(pool, t));
        } else {
            next(t);
        }
        return true;
    case Shape::Compare: next(t), next(t); return true;
    case Shape::Bool:
        for (int i = 0; i < o.arity; i++) next(Bool());
        return true;
    case Shape::Unsign:
        if (name == "abs") t = Int(t.bits());
        for (int i = 0; i < o.arity; i++) next(t);
        return true;
    case Shape::Shift:
        next(t);
        args.push_back(amount(pool, r.chance(50) ? t : mirrored, 1 - t.bits(), t.bits() - 1));
        return true;
    case Shape::Widen:
        next(t), next(name == "wmul" && r.chance(30) ? mirrored : t);
        return true;
    case Shape::WidenShift:
        next(t);
        args.push_back(amount(pool, r.chance(50) ? t : mirrored, 1 - t.bits(), t.bits() - 1));
        return true;
    case Shape::WidenRight:
        if (t.bits() == 8) t = t.is_int() ? Int(16) : UInt(16);
        next(t), next(t.is_int() ? Int(t.bits() / 2) : UInt(t.bits() / 2));
        return true;
    case Shape::MulShift:
        next(t), next(t);
        args.push_back(amount(pool, UInt(t.bits()), 0, 2 * t.bits() - 1));
        return true;
    case Shape::Lerp:
        next(t), next(t), next(UInt(8 << r.below(3)));
        return true;
    case Shape::Select: next(Bool()), next(t), next(t); return true;
    case Shape::Mux: {
        Type index = random_type(r);
        if (index.is_bool()) index = UInt(8);
        const int n = r.between(2, 5);
        args.push_back(r.chance(70) ? make("mod", {operand(pool, index), constant(index, n + 1)}) : operand(pool, index));
        for (int i = 0; i < n; i++) next(t);
        return true;
    }
    case Shape::Cast: case Shape::Reinterpret: case Shape::Narrow: next(t); return true;
    case Shape::Extract:
        if (t.bits() == 8) t = UInt(32);
        next(t);
        return true;
    case Shape::Concat:
        t = UInt(8 << r.below(3));
        next(t), next(t);
        return true;
    case Shape::Promise: {
        next(t);
        TermPtr lo = random_constant(t), hi = random_constant(t);
        args.push_back(lo), args.push_back(hi);
        return true;
    }
    }
    return false;
}

/** What Halide defines, and computes as much of the same as can be. */
TermPtr StageWriter::repaired(const TermPtr &t) {
    const Type type = t->type;
    const Type as_unsigned = UInt(type.bits());
    const auto halved = [&](const TermPtr &a) {
        return a->type.bits() < 16 ? a : make("cast", {make("cast", {a}, Int(a->type.bits() / 2))}, a->type);
    };
    const std::string &op = t->op;
    if (op == "add" || op == "sub" || op == "mul" || op == "neg") {
        Terms args;
        const bool wraps = r.chance(50);
        for (const TermPtr &a : t->args) args.push_back(wraps ? make(r.pick({"cast", "bits"}), {a}, as_unsigned) : halved(a));
        const TermPtr done = make(op, args);
        return wraps ? make("cast", {done}, type) : done;
    }
    if (op == "savg") return make(op, {halved(t->args[0]), halved(t->args[1])});
    if (op == "wradd" || op == "wrsub" || op == "wrmul") {
        if (op == "wrmul") return make(op, {halved(t->args[0]), make("shr", {t->args[1], constant(t->args[1]->type, 2)})});
        return make(op, {halved(t->args[0]), t->args[1]});
    }
    if (op == "shl" || op == "shr" || op == "rshl" || op == "rshr") {
        return make("cast", {make(op, {make("cast", {t->args[0]}, as_unsigned), t->args[1]})}, type);
    }
    if (op == "wshl" || op == "wshr") {
        return make(op, {make("cast", {t->args[0]}, UInt(t->args[0]->type.bits())), t->args[1]});
    }
    if (op == "div" || op == "mod") {
        return make(op, {make("max", {t->args[0], constant(type, static_cast<int64_t>(range_of_type(type).lo + 1))}), t->args[1]});
    }
    if (op == "dtz" || op == "mtz") {
        TermPtr by = t->args[1];
        if (!is_defined(make(op, {constant(by->type, 1), by}))) by = make("bor", {by, constant(by->type, 1)});
        if (type.is_uint()) return make(op, {t->args[0], by});
        return make(op, {make("max", {t->args[0], constant(type, static_cast<int64_t>(range_of_type(type).lo + 1))}), by});
    }
    if (op == "promise") return make(op, {t->args[0], t->args[2], t->args[1]});
    return nullptr;
}

/** Puts one operator more over what is in the pool. False: it did not work out, and nothing has changed. */
bool StageWriter::step(Terms &pool) {
    const std::vector<Operator> &all = operators();
    std::vector<int> weights;
    for (const Operator &o : all) weights.push_back(pool.size() > 1 && o.arity == 1 ? (o.weight + 1) / 2 : o.weight);
    const Operator &o = all[r.weighted(weights)];
    Terms rest = pool, args;
    if (!operands(o, rest, args)) return false;
    for (const TermPtr &a : args) {
        if (!a) return false;
    }
    TermPtr made;
    switch (o.shape) {
    case Shape::Cast: case Shape::Reinterpret: {
        Type to = random_type(r);
        if (o.shape == Shape::Reinterpret) to = args[0]->type.is_int() ? UInt(args[0]->type.bits()) : Int(args[0]->type.bits());
        made = make(o.name, args, to);
        break;
    }
    case Shape::Narrow: {
        const int bits = r.between(1, 64);
        const TermPtr narrow = make("trunc", args, r.chance(50) ? UInt(bits) : Int(bits));
        made = narrow ? make("cast", {narrow}, args[0]->type) : nullptr;
        break;
    }
    case Shape::Extract: {
        Type to = UInt(args[0]->type.bits() / (args[0]->type.bits() > 16 && r.chance(50) ? 4 : 2));
        if (args[0]->type.is_int()) to = Int(to.bits());
        args.push_back(amount(rest, UInt(8), 0, args[0]->type.bits() - to.bits()));
        made = make(o.name, args, to);
        break;
    }
    default: made = make(o.name, args);
    }
    if (!made || !affordable(*made)) return false;
    if (!is_defined(made)) made = repaired(made);
    if (!made || !is_defined(made)) return false;
    bool is_constant = true;   // Halide folds what has only constants
    visit_terms(made, [&](const TermPtr &t) { is_constant = is_constant && (t->args.size() || t->kind == Term::Kind::Constant || t->kind == Term::Kind::Table); });
    if (is_constant) return false;
    if (rest.size() == pool.size() && pool.size() > 0) return false;   // nothing of the pool is in it
    if (made->type.is_bool() && r.chance(70)) {   // one bit alone forgets too much
        const Type t = some_type(rest);
        TermPtr a = operand(rest, t), b = operand(rest, t);
        if (TermPtr chosen = a->type.is_bool() ? make("bxor", {a, make("bxor", {b, made})}) : make("select", {made, a, b})) made = chosen;
        if (!is_defined(made)) return false;
    }
    budget -= cost_of(*made);
    if (f.lets.size() < 6 && !domain && !self && r.chance(12)) {
        const auto range = range_of(*made, {p, stages, lets, domain, &f, self});
        auto local = std::make_shared<Term>();
        local->kind = Term::Kind::Local, local->index = static_cast<int>(f.lets.size()), local->type = made->type;
        f.lets.push_back(made);
        lets.push_back(*range);
        if (r.chance(50)) rest.push_back(local);
        made = local;
    }
    rest.push_back(made);
    pool = rest;
    return true;
}

/** One term out of all of the pool and `extra` operators more. */
TermPtr StageWriter::grow(Terms pool, int extra, Type wanted) {
    for (int tries = 0; pool.size() > 1 && tries < 400; tries++) step(pool);
    for (int tries = 0; extra > 0 && tries < 100; tries++) extra -= step(pool) && pool.size() == 1;
    TermPtr all;
    for (const TermPtr &t : pool) {
        const TermPtr same = convert(t, wanted);
        all = !all ? same : make(wanted.is_bool() ? "bxor" : r.pick({"bxor", "max", "min"}), {all, same});
    }
    return all;
}

/** A balanced or unbalanced tree of one operator, as people write windows. */
TermPtr StageWriter::tree(Terms leaves) {
    Type t = leaves[0]->type;
    if (t.is_bool()) t = UInt(8);
    const std::string op = r.pick({"add", "add", "min", "max", "bxor", "hadd", "sadd", "absd"});
    while (leaves.size() > 1) {
        const int at = r.chance(50) ? 0 : r.below(static_cast<int>(leaves.size()) - 1);
        TermPtr a = leaves[at], b = leaves[at + 1];
        const Type both = op == "absd" ? UInt(t.bits()) : t;
        TermPtr made = make(op, {convert_plainly(a, both), convert_plainly(b, both)});
        if (!is_defined(made)) made = repaired(made);
        budget--;
        leaves[at] = made;
        leaves.erase(leaves.begin() + at + 1);
    }
    return leaves[0];
}

std::vector<StageWriter::Offset> StageWriter::window(int most) {
    std::vector<Offset> w;
    const auto box = [&](int x0, int x1, int y0, int y1) {
        for (int y = y0; y <= y1; y++) {
            for (int x = x0; x <= x1; x++) w.push_back({x, y});
        }
    };
    const auto side = [&] { return r.pick({-1, 1}); };
    switch (r.below(10)) {
    case 0: case 1: w = {{0, 0}}; break;
    case 2: {
        const int n = r.between(1, 3);
        box(-n, n, 0, 0);
        break;
    }
    case 3: {
        const int n = r.between(1, 3);
        box(0, 0, -n, n);
        break;
    }
    case 4: box(-1, 1, -1, 1); break;
    case 5: w = {{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}; break;
    case 6: {   // on one side, away from the element
        const int x = r.between(-7, 6), y = r.between(-4, 3);
        box(x, x + r.between(0, 1), y, y + r.between(0, 1));
        break;
    }
    case 7: w = {{7 * side(), r.chance(50) ? 0 : 7 * side()}}; break;
    case 8: {
        const int n = r.between(2, 4);
        for (int i = 0; i < n; i++) w.push_back({r.between(-7, 7), r.between(-7, 7)});
        break;
    }
    default: {
        const int n = r.between(1, 7);
        w = r.chance(50) ? std::vector<Offset>{{-n, 0}, {n, 0}} : std::vector<Offset>{{0, -n}, {0, n}};
    }
    }
    for (size_t i = w.size(); i > 1; i--) std::swap(w[i - 1], w[r.below(static_cast<int>(i))]);
    if (int(w.size()) > most) w.resize(most);
    return w;
}

StageWriter::Terms StageWriter::reads_of(int producer, int most) {
    Terms reads;
    for (const Offset &o : window(most)) {
        auto t = std::make_shared<Term>();
        t->kind = Term::Kind::Read, t->type = p.producer_type(producer), t->index = producer, t->dx = o.x, t->dy = o.y;
        reads.push_back(t);
        seen.push_back(t);
    }
    return reads;
}

ReductionDomain StageWriter::random_domain(int most_points) {
    ReductionDomain d;
    d.extent_x = r.between(1, std::min(5, most_points));
    d.extent_y = r.between(1, std::max(1, std::min(5, most_points / d.extent_x)));
    if (d.extent_x * d.extent_y == 1) d.extent_x = 2;
    d.min_x = r.chance(60) ? -(d.extent_x / 2) : r.between(-3, 3);
    d.min_y = r.chance(60) ? -(d.extent_y / 2) : r.between(-3, 3);
    return d;
}

/** Something of the producer at the reduction's points. */
TermPtr StageWriter::reduction_body(int producer, const ReductionDomain &d) {
    domain = &d;
    auto read = std::make_shared<Term>();
    read->kind = Term::Kind::Read, read->type = p.producer_type(producer), read->index = producer;
    read->rx = r.pick({1, 1, 1, -1, 2}), read->ry = r.pick({1, 1, 1, -1});
    read->dx = r.chance(70) ? 0 : r.between(-2, 2), read->dy = r.chance(70) ? 0 : r.between(-2, 2);
    Terms pool = {read};
    for (size_t i = 0; i < p.tables.size(); i++) {
        const int values = static_cast<int>(p.tables[i].values.size());
        const bool along_y = r.chance(50);
        const int min = along_y ? d.min_y : d.min_x, extent = along_y ? d.extent_y : d.extent_x;
        if (extent > values || r.chance(40)) continue;
        auto k = std::make_shared<Term>();
        k->kind = Term::Kind::Table, k->type = p.tables[i].type, k->index = static_cast<int>(i);
        (along_y ? k->ry : k->rx) = 1;
        k->dx = -min + r.between(0, values - extent);
        pool.push_back(k);
    }
    const Terms kept = seen;
    seen = {read};   // what stands outside of the reduction would be computed for every point
    const int before = budget;
    const TermPtr body = grow(pool, r.below(3), random_type(r));
    budget -= (before - budget) * (d.points() - 1) + d.points();
    seen = kept;
    domain = nullptr;
    return body;
}

void StageWriter::add_reduction(Terms &pool, int producer) {
    ReductionDomain d = random_domain(std::max(2, budget));
    TermPtr body = reduction_body(producer, d);
    if (body->type.is_bool()) body = make("cast", {body}, UInt(8));
    if (r.chance(20)) {
        domain = &d;
        auto rx = std::make_shared<Term>(), ry = std::make_shared<Term>();
        rx->kind = ry->kind = Term::Kind::RVar, rx->type = ry->type = Int(32), ry->index = 1;
        d.where = r.chance(70) ? make(r.pick({"ne", "le"}), {rx, ry}) : make("eq", {make("mod", {make("add", {rx, ry}), constant(Int(32), 2)}), constant(Int(32), 0)});
        domain = nullptr;
    }
    auto t = std::make_shared<Term>();
    t->kind = Term::Kind::Reduce, t->index = static_cast<int>(f.domains.size());
    t->op = r.pick({"sum", "sum", "sum", "maximum", "minimum", "product"});
    f.domains.push_back(d);
    const auto is_defined_of = [&](const TermPtr &reduced) {
        t->type = reduced->type, t->args = {reduced};
        return is_defined(t);
    };
    if (!is_defined_of(make("cast", {body}, UInt(8)))) f.domains.back().where = nullptr;   // it holds nowhere
    if (!is_defined_of(make("cast", {body}, UInt(8)))) {   // whatever its type
        f.domains.pop_back();
        return;
    }
    while (!is_defined_of(body)) {   // narrower until it cannot overflow
        body = body->type.bits() == 64 ? make("cast", {body}, UInt(64)) : make("cast", {body}, r.chance(50) ? UInt(body->type.bits()) : Int(16));
    }
    pool.push_back(t);
}

void StageWriter::add_updates(int producer) {
    const int n = r.chance(75) ? 1 : 2;
    for (int i = 0; i < n; i++) {
        const ReductionDomain d = random_domain(std::clamp(budget, 2, 9));
        f.domains.push_back(d);
        TermPtr body = convert_plainly(reduction_body(producer, d), f.type);
        auto own = std::make_shared<Term>();
        own->kind = Term::Kind::Self, own->type = f.type;
        Update u;
        u.domain = static_cast<int>(f.domains.size()) - 1;
        const int kind = r.below(5);
        if (f.type.is_bool()) u.value = make(kind < 2 ? "or" : kind < 4 ? "and" : "bxor", {own, body});
        else if (kind == 0 || (f.type.is_int() && f.type.bits() >= 32)) u.value = make(r.pick({"max", "min", "bxor", "sadd", "hadd"}), {own, body});
        else if (kind < 3) u.value = make("add", {own, body});
        else if (kind == 3) u.value = make("select", {make("lt", {own, body}), body, own});
        else u.value = make("add", {make("mul", {own, constant(f.type, 3)}), body});
        f.updates.push_back(u);
    }
}

void StageWriter::write(const std::vector<int> &producers) {
    Terms pool;
    int updates_of = -1;
    for (size_t i = 0; i < producers.size(); i++) {
        const int most = std::max<int>(1, budget * 2 / 3 / static_cast<int>(producers.size()));
        const int kind = r.weighted({62, most >= 3 ? 18 : 0, most >= 3 && i == 0 ? 8 : 0, most >= 4 ? 12 : 0});
        if (kind == 1) {
            add_reduction(pool, producers[i]);
        } else if (kind == 2) {
            updates_of = producers[i];
        } else {
            const Terms reads = reads_of(producers[i], most);
            if (kind == 3) pool.push_back(tree(reads));
            else pool.insert(pool.end(), reads.begin(), reads.end());
        }
    }
    if (pool.empty()) pool.push_back(extra_leaf());
    f.value = grow(pool, std::max(1, std::min(budget - static_cast<int>(pool.size()), 9)), f.type);
    if (!seen.empty() && r.chance(65)) {   // keep some of what came in: deep chains of operators end in constants
        f.value = make(f.type.is_bool() || r.chance(60) ? "bxor" : r.pick({"sadd", "ssub", "hadd"}), {f.value, convert_plainly(r.pick(seen), f.type)});
    }
    if (updates_of >= 0) add_updates(updates_of);
}

}  // namespace argent::fuzz
