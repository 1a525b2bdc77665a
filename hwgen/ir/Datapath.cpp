#include "hwgen/ir/Datapath.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace {

constexpr Wide bound = Wide(1) << 126;

int magnitude_bits(Wide v) {   // of v >= 0
    auto u = static_cast<unsigned __int128>(v);
    uint64_t high = static_cast<uint64_t>(u >> 64), low = static_cast<uint64_t>(u);
    if (high) return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

/** floor(sqrt(v)), 0 of what is negative: digit by digit. */
Wide square_root(Wide v) {
    Wide root = 0;
    for (Wide digit = v > 0 ? Wide(1) << (magnitude_bits(v) - 1) / 2 : 0; digit > 0; digit >>= 1) {
        if (root + digit <= v / (root + digit)) root += digit;
    }
    return root;
}

bool is_power_of_two(Wide v) { return v > 0 && (v & (v - 1)) == 0; }

Wide wrap_value(Wide v, Interval range) {
    int n = range.bits();
    unsigned __int128 mask = n >= 128 ? ~static_cast<unsigned __int128>(0) : (static_cast<unsigned __int128>(1) << n) - 1;
    unsigned __int128 low = static_cast<unsigned __int128>(v) & mask;
    if (range.is_signed() && ((low >> (n - 1)) & 1)) low |= ~mask;
    return static_cast<Wide>(low);
}

bool is_bool(Interval i) { return i.lo >= 0 && i.hi <= 1; }

bool commutes(Op op) {
    switch (op) {
    case Op::Add: case Op::Mul: case Op::Min: case Op::Max: case Op::And: case Op::Or: case Op::Xor: case Op::Eq:
        return true;
    default:
        return false;
    }
}

void mix(uint64_t &h, uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull, h ^= h >> 29; }
void mix(uint64_t &h, Wide v) { mix(h, static_cast<uint64_t>(v)), mix(h, static_cast<uint64_t>(v >> 64)); }

uint64_t hash(const Node &n) {
    uint64_t h = static_cast<uint64_t>(n.op) + 1;
    for (NodeId a : n.args) mix(h, static_cast<uint64_t>(a));
    mix(h, n.value), mix(h, static_cast<uint64_t>(n.amount)), mix(h, n.range.lo), mix(h, n.range.hi);
    return h;
}

/** Of what makes a leaf itself: see Leaf::operator==. */
uint64_t hash(const Leaf &l) {
    uint64_t h = static_cast<uint64_t>(l.kind) + 1;
    switch (l.kind) {
    case Leaf::Kind::Tap:
        mix(h, static_cast<uint64_t>(l.producer));
        for (int o : l.offset) mix(h, static_cast<uint64_t>(o));
        for (const auto &b : l.border) mix(h, b ? 1 + static_cast<uint64_t>(*b) : 0);
        for (const OwnDomain &o : l.domains) mix(h, static_cast<uint64_t>(o.domain));
        break;
    case Leaf::Kind::Coord: mix(h, static_cast<uint64_t>(l.dim)); break;
    case Leaf::Kind::Place:
    case Leaf::Kind::Extent:
        for (int field : {l.dim, l.place, l.lane, int(l.from_end), l.domain}) mix(h, static_cast<uint64_t>(field));
        break;
    case Leaf::Kind::Param: mix(h, std::hash<std::string>()(l.name)); break;
    case Leaf::Kind::Value: mix(h, static_cast<uint64_t>(l.place)); break;
    }
    return h;
}

bool same(const Node &a, const Node &b) {
    return a.op == b.op && a.args == b.args && a.value == b.value && a.amount == b.amount && a.range == b.range;
}

}  // namespace

int Interval::bits() const {
    return lo < 0 ? signed_bits() : std::max(1, magnitude_bits(hi));
}

int Interval::signed_bits() const {
    int for_hi = hi >= 0 ? magnitude_bits(hi) : magnitude_bits(-1 - hi);
    int for_lo = lo < 0 ? magnitude_bits(-1 - lo) : 0;
    return std::max(for_hi, for_lo) + 1;
}

Interval Interval::hull(const Interval &o) const { return {std::min(lo, o.lo), std::max(hi, o.hi)}; }

Interval Interval::intersect(const Interval &o) const {
    Interval r{std::max(lo, o.lo), std::min(hi, o.hi)};
    return r.lo <= r.hi ? r : *this;
}

Interval Interval::of(const Halide::Type &t) {
    argent_internal_assert(t.is_int() || t.is_uint(), "Interval::of", "no integer type");
    return t.is_int() ? signed_of(t.bits()) : unsigned_of(t.bits());
}

bool Leaf::operator==(const Leaf &o) const {
    if (kind != o.kind) return false;
    switch (kind) {
    case Kind::Tap: return producer == o.producer && offset == o.offset && phases == o.phases && border == o.border && domains == o.domains;
    case Kind::Coord: return dim == o.dim;
    case Kind::Place:
        return dim == o.dim && place == o.place && lane == o.lane && from_end == o.from_end && domain == o.domain && producer == o.producer && phases == o.phases;
    case Kind::Extent: return dim == o.dim && place == o.place && domain == o.domain;
    case Kind::Param: return name == o.name;
    case Kind::Value: return place == o.place;
    }
    return false;
}

bool Table::operator==(const Table &o) const {
    if (depth != o.depth || is_rom() != o.is_rom()) return false;
    return is_rom() ? contents == o.contents || *contents == *o.contents : name == o.name;
}

std::string offset_name(int offset) {
    return (offset < 0 ? "_m" : "_p") + std::to_string(std::abs(offset));
}

std::string tap_name(const std::string &producer, const std::vector<int> &offset) {
    std::string name = producer;
    for (int o : offset) name += offset_name(o);
    return name;
}

const char *name_of(Op op) {
    static const char *const names[] = {"Const", "Leaf", "Add", "Sub", "Mul", "Min", "Max", "Abs", "And", "Or", "Xor", "Not",
                                        "Shl", "Shr", "ShlBy", "ShrBy", "Eq", "Lt", "Le", "Select", "Wrap", "Div", "Mod", "Sqrt", "Lookup"};
    return names[static_cast<int>(op)];
}

std::optional<Interval> range_of(Op op, const std::vector<Interval> &in, int amount) {
    const Interval a = in.at(0), b = in.size() > 1 ? in[1] : Interval{};
    auto within = [](Interval r) -> std::optional<Interval> {
        if (r.lo < -bound || r.hi > bound) return std::nullopt;
        return r;
    };
    switch (op) {
    case Op::Add: return within({a.lo + b.lo, a.hi + b.hi});
    case Op::Sub: return within({a.lo - b.hi, a.hi - b.lo});
    case Op::Mul: {
        Interval r;
        bool first = true;
        for (Wide x : {a.lo, a.hi}) {
            for (Wide y : {b.lo, b.hi}) {
                Wide p;
                if (__builtin_mul_overflow(x, y, &p)) return std::nullopt;
                r = first ? Interval{p, p} : r.hull({p, p});
                first = false;
            }
        }
        return within(r);
    }
    case Op::Min: return Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::Max: return Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case Op::Abs:
        if (a.lo >= 0) return a;
        if (a.hi <= 0) return Interval{-a.hi, -a.lo};
        return Interval{0, std::max(-a.lo, a.hi)};
    case Op::And:
        if (a.lo >= 0 && b.lo >= 0) return Interval{0, std::min(a.hi, b.hi)};
        if (a.lo >= 0) return Interval{0, a.hi};
        if (b.lo >= 0) return Interval{0, b.hi};
        return Interval::signed_of(std::max(a.signed_bits(), b.signed_bits()));
    case Op::Or:
        if (a.lo >= 0 && b.lo >= 0) return Interval{std::max(a.lo, b.lo), Interval::unsigned_of(std::max(a.bits(), b.bits())).hi};
        return Interval::signed_of(std::max(a.signed_bits(), b.signed_bits()));
    case Op::Xor:
        if (a.lo >= 0 && b.lo >= 0) return Interval::unsigned_of(std::max(a.bits(), b.bits()));
        return Interval::signed_of(std::max(a.signed_bits(), b.signed_bits()));
    case Op::Not: return within({-1 - a.hi, -1 - a.lo});
    case Op::Shl: {
        if (amount > 126 && !(a == Interval{0, 0})) return std::nullopt;
        Wide lo, hi, scale = Wide(1) << std::min(amount, 126);
        if (__builtin_mul_overflow(a.lo, scale, &lo) || __builtin_mul_overflow(a.hi, scale, &hi)) return std::nullopt;
        return within({lo, hi});
    }
    case Op::Shr: return Interval{a.lo >> std::min(amount, 127), a.hi >> std::min(amount, 127)};
    case Op::ShlBy: {
        if (amount > 126) return std::nullopt;
        if (a.lo >= 0 && magnitude_bits(a.hi) + std::min<Wide>(b.hi, 127) <= amount)
            return Interval{a.lo << static_cast<int>(b.lo), a.hi << static_cast<int>(b.hi)};
        return Interval::unsigned_of(amount);
    }
    case Op::ShrBy: {
        int least = static_cast<int>(std::min<Wide>(b.lo, 127)), most = static_cast<int>(std::min<Wide>(b.hi, 127));
        return Interval{a.lo >= 0 ? a.lo >> most : a.lo >> least, a.hi >= 0 ? a.hi >> least : a.hi >> most};
    }
    case Op::Eq: case Op::Lt: case Op::Le: return Interval{0, 1};
    case Op::Select: return b.hull(in.at(2));
    case Op::Div: return Interval{a.lo / std::max<Wide>(b.hi, 1), a.hi / std::max<Wide>(b.lo, 1)};
    case Op::Mod: return Interval{0, std::min(a.hi, std::max<Wide>(b.hi - 1, 0))};
    case Op::Sqrt: return Interval{square_root(a.lo), square_root(a.hi)};
    case Op::Const: case Op::Leaf: case Op::Wrap: case Op::Lookup: break;
    }
    argent_internal_assert(false, "range_of", "no rule for this operator");
    return std::nullopt;
}

Wide evaluate(Op op, const std::vector<Wide> &in, int amount, Interval range) {
    Wide a = in.empty() ? 0 : in[0], b = in.size() > 1 ? in[1] : 0;
    switch (op) {
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Min: return std::min(a, b);
    case Op::Max: return std::max(a, b);
    case Op::Abs: return a < 0 ? -a : a;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Not: return ~a;
    case Op::Shl: return static_cast<Wide>(static_cast<unsigned __int128>(a) << amount);
    case Op::Shr: return a >> std::min(amount, 127);
    case Op::ShlBy:
        return wrap_value(b > 127 ? 0 : static_cast<Wide>(static_cast<unsigned __int128>(a) << static_cast<int>(b)),
                          Interval::unsigned_of(amount));
    case Op::ShrBy: return a >> static_cast<int>(std::min<Wide>(b, 127));
    case Op::Eq: return a == b;
    case Op::Lt: return a < b;
    case Op::Le: return a <= b;
    case Op::Select: return a ? b : in.at(2);
    case Op::Wrap: return wrap_value(a, range);
    case Op::Div: return b == 0 ? 0 : a / b;
    case Op::Mod: return b == 0 ? 0 : a % b;
    case Op::Sqrt: return square_root(a);
    case Op::Const: case Op::Leaf: case Op::Lookup: break;
    }
    argent_internal_assert(false, "evaluate", "a node that is more than its arguments");
    return 0;
}

std::vector<Wide> evaluate(const Datapath &d, const std::vector<Wide> &leaf_values,
                           const std::map<std::string, std::vector<Wide>> &loaded) {
    std::vector<Wide> values;
    values.reserve(d.nodes().size());
    for (const Node &n : d.nodes()) {
        if (n.op == Op::Const) {
            values.push_back(n.value);
        } else if (n.op == Op::Leaf) {
            values.push_back(leaf_values.at(n.amount));
        } else if (n.op == Op::Lookup) {
            const Table &t = d.tables()[n.amount];
            values.push_back((t.is_rom() ? *t.contents : loaded.at(t.name)).at(static_cast<size_t>(values[n.args[0]])));
        } else {
            std::vector<Wide> in;
            for (NodeId a : n.args) in.push_back(values[a]);
            values.push_back(evaluate(n.op, in, n.amount, n.range));
        }
    }
    std::vector<Wide> out;
    for (NodeId o : d.outputs) out.push_back(values[o]);
    return out;
}

NodeId Datapath::intern(Node n) {
    uint64_t h = hash(n);
    auto found = index.equal_range(h);
    for (auto i = found.first; i != found.second; ++i) {
        if (same(all[i->second], n)) return i->second;
    }
    all.push_back(std::move(n));
    NodeId id = static_cast<NodeId>(all.size()) - 1;
    index.emplace(h, id);
    return id;
}

NodeId Datapath::constant(Wide value) {
    argent_internal_assert(-bound <= value && value <= bound, "Datapath", "a constant beyond 2^126");
    Node n;
    n.value = value;
    n.range = {value, value};
    return intern(std::move(n));
}

NodeId Datapath::leaf(const Leaf &l) {
    if (l.range.is_point()) return constant(l.range.lo);
    Node n;
    n.op = Op::Leaf;
    n.amount = static_cast<int>(leaf_list.size());
    const uint64_t h = hash(l);
    const auto [first, last] = leaf_index.equal_range(h);
    for (auto i = first; i != last; ++i) {
        if (leaf_list[i->second] == l) n.amount = i->second;
    }
    if (n.amount == static_cast<int>(leaf_list.size())) {
        leaf_list.push_back(l);
        leaf_index.emplace(h, n.amount);
    }
    std::vector<bool> &bordered = leaf_list[n.amount].bordered;
    if (l.bordered.empty()) bordered.clear();
    for (size_t dim = 0; dim < bordered.size(); dim++) bordered[dim] = bordered[dim] && l.bordered[dim];
    for (size_t dim = 0; dim < l.domains.size(); dim++) {
        Range &reach = leaf_list[n.amount].domains[dim].reach;   // whoever reads it reaches farthest
        reach = {std::max(reach.min, l.domains[dim].reach.min), std::max(reach.max, l.domains[dim].reach.max)};
    }
    n.range = leaf_list[n.amount].range;
    return intern(std::move(n));
}

NodeId Datapath::lookup(const Table &t, NodeId address) {
    const Interval at = all[address].range;
    argent_internal_assert(at.lo >= 0 && at.hi < t.depth, "Datapath", "a table is read beyond its last element");
    Interval range = t.range;
    if (t.is_rom()) {
        for (Wide i = at.lo; i <= at.hi; ++i) {
            const Wide v = (*t.contents)[static_cast<size_t>(i)];
            range = i == at.lo ? Interval{v, v} : range.hull({v, v});
        }
    }
    if (range.is_point()) return constant(range.lo);
    auto i = std::find(table_list.begin(), table_list.end(), t);
    Node n;
    n.op = Op::Lookup;
    n.args = {address};
    n.range = range;
    n.amount = static_cast<int>(i - table_list.begin());
    if (i == table_list.end()) table_list.push_back(t);
    return intern(std::move(n));
}

NodeId Datapath::copy_lookup(const Datapath &from, const Node &n, NodeId address) {
    const Table &t = from.tables()[n.amount];
    const Interval range = all[address].range;
    const bool is_inside = range.lo >= 0 && range.hi < t.depth;
    return lookup(t, is_inside ? address : known_wrap(address, from[n.args[0]].range));
}

NodeId Datapath::copy(const Datapath &from, NodeId id, std::vector<NodeId> args) {
    const Node &n = from[id];
    switch (n.op) {
    case Op::Const: return constant(n.value);
    case Op::Leaf: return leaf(from.leaves()[n.amount]);
    case Op::Wrap: return known_wrap(args[0], n.range);
    case Op::Lookup: return copy_lookup(from, n, args[0]);
    default: return make(n.op, std::move(args), n.amount);
    }
}

NodeId Datapath::copy_apart(NodeId id) {
    const Node n = all[id];   // push_back may move it
    all.push_back(n);
    return static_cast<NodeId>(all.size()) - 1;
}

std::vector<Interval> Datapath::operand_ranges(NodeId id) const {
    std::vector<Interval> ranges;
    for (NodeId a : (*this)[id].args) ranges.push_back((*this)[a].range);
    return ranges;
}

void Datapath::renumber_producers(const std::vector<int> &producers) {
    leaf_index.clear();
    for (size_t i = 0; i < leaf_list.size(); ++i) {
        Leaf &l = leaf_list[i];
        if (l.kind == Leaf::Kind::Tap) l.producer = producers.at(l.producer);
        leaf_index.emplace(hash(l), static_cast<int>(i));
    }
}

bool Datapath::fits(Op op, const std::vector<NodeId> &args, int amount) const {
    std::vector<Interval> in;
    for (NodeId a : args) in.push_back(all[a].range);
    return range_of(op, in, amount).has_value();
}

NodeId Datapath::known_wrap(NodeId a, Interval range) {
    if (range.is_point()) return constant(range.lo);
    if (is_const(a)) return constant(wrap_value(all[a].value, range));
    // Only the low bits matter: an inner wrap to at least as many is nothing.
    while (all[a].op == Op::Wrap && all[a].range.bits() >= range.bits()) a = all[a].args[0];
    if (range.contains(all[a].range)) return a;
    Node n;
    n.op = Op::Wrap;
    n.args = {a};
    n.range = range;
    return intern(std::move(n));
}

NodeId Datapath::wrap(NodeId a, Interval type) {
    const Interval r = all[a].range;
    if (type.contains(r)) return a;
    int n = type.bits();
    argent_internal_assert(type == Interval::signed_of(n) || type == Interval::unsigned_of(n), "Datapath", "wrap to a type that is no power of two");
    // All of the range in one period of 2^n: the result is the range moved.
    Wide lo = wrap_value(r.lo, type), hi = wrap_value(r.hi, type);
    auto span = [](Wide from, Wide to) { return static_cast<unsigned __int128>(to) - static_cast<unsigned __int128>(from); };
    if (lo <= hi && span(lo, hi) == span(r.lo, r.hi)) return known_wrap(a, {lo, hi});
    return known_wrap(a, type);
}

NodeId Datapath::fact(NodeId a, Interval known) {
    Interval range = all[a].range.intersect(known);
    if (range == all[a].range) return a;
    if (range.is_point()) return constant(range.lo);
    if (is_const(a)) return a;
    Node n;
    n.op = Op::Wrap;
    n.args = {a};
    n.range = range;
    return intern(std::move(n));
}

/** Identities that hold for all integers; each is cheap, local and never makes more nodes than it removes. */
std::optional<NodeId> Datapath::simplify(Op op, std::vector<NodeId> &args, int &amount) {
    auto range = [&](NodeId id) { return all[id].range; };
    if (commutes(op) && (is_const(args[0]) || (!is_const(args[1]) && args[0] > args[1]))) std::swap(args[0], args[1]);
    const NodeId a = args[0], b = args.size() > 1 ? args[1] : -1;
    const bool constant_b = b >= 0 && is_const(b);
    const Wide c = constant_b ? all[b].value : 0;
    // A copy: make() below may move the nodes.
    const Node left = all[a];

    switch (op) {
    case Op::Add:
        if (constant_b && c == 0) return a;
        if (constant_b && left.op == Op::Add && is_const(left.args[1])) {
            Wide sum = c + all[left.args[1]].value;
            return make(Op::Add, {left.args[0], constant(sum)});
        }
        if (all[b].op == Op::Sub && is_const(all[b].args[0], 0)) return make(Op::Sub, {a, all[b].args[1]});
        if (left.op == Op::Sub && is_const(left.args[0], 0)) return make(Op::Sub, {b, left.args[1]});
        break;
    case Op::Sub:
        if (a == b) return constant(0);
        if (constant_b) return make(Op::Add, {a, constant(-c)});
        if (all[b].op == Op::Sub && is_const(all[b].args[0], 0)) return make(Op::Add, {a, all[b].args[1]});
        break;
    case Op::Mul:
        if (!constant_b) break;
        if (c == 0) return b;
        if (c == 1) return a;
        if (c < 0) return make(Op::Sub, {constant(0), make(Op::Mul, {a, constant(-c)})});
        if ((c & 1) == 0) {
            int zeros = 0;
            Wide odd = c;
            while ((odd & 1) == 0) odd /= 2, ++zeros;
            return make(Op::Shl, {make(Op::Mul, {a, constant(odd)})}, zeros);
        }
        if (left.op == Op::Mul && is_const(left.args[1]) && fits(Op::Mul, {b, left.args[1]}))
            return make(Op::Mul, {left.args[0], constant(c * all[left.args[1]].value)});
        break;
    case Op::Min:
        if (a == b || range(a).hi <= range(b).lo) return a;
        if (range(b).hi <= range(a).lo) return b;
        break;
    case Op::Max:
        if (a == b || range(a).lo >= range(b).hi) return a;
        if (range(b).lo >= range(a).hi) return b;
        break;
    case Op::Abs:
        if (left.range.lo >= 0) return a;
        if (left.range.hi <= 0) return make(Op::Sub, {constant(0), a});
        if (left.op == Op::Sub && is_const(left.args[0], 0)) return make(Op::Abs, {left.args[1]});
        break;
    case Op::And:
        if (a == b) return a;
        if (!constant_b) break;
        if (c == 0) return b;
        if (c == -1) return a;
        if (is_power_of_two(c + 1)) return wrap(a, Interval::unsigned_of(magnitude_bits(c)));
        break;
    case Op::Or:
        if (a == b) return a;
        if (constant_b && c == 0) return a;
        if (constant_b && c == -1) return b;
        break;
    case Op::Xor:
        if (a == b) return constant(0);
        if (!constant_b) break;
        if (c == 0) return a;
        if (c == -1) return make(Op::Not, {a});
        if (c == 1 && left.op == Op::Xor && is_const(left.args[1], 1)) return left.args[0];
        if (c == 1 && left.op == Op::Lt) return make(Op::Le, {left.args[1], left.args[0]});
        if (c == 1 && left.op == Op::Le) return make(Op::Lt, {left.args[1], left.args[0]});
        break;
    case Op::Not:
        if (left.op == Op::Not) return left.args[0];
        break;
    case Op::Shl:
        if (amount == 0 || is_const(a, 0)) return a;
        if (left.op == Op::Shl) return make(Op::Shl, {left.args[0]}, left.amount + amount);
        break;
    case Op::Shr:
        if (amount == 0) return a;
        if (left.op == Op::Shr) return make(Op::Shr, {left.args[0]}, std::min(127, left.amount + amount));
        if (left.op == Op::Shl && left.amount >= amount) return make(Op::Shl, {left.args[0]}, left.amount - amount);
        if (left.op == Op::Shl) return make(Op::Shr, {left.args[0]}, amount - left.amount);
        break;
    case Op::ShlBy:
        if (constant_b) {
            int low = static_cast<int>(std::max<Wide>(0, amount - c));   // only these bits of a can matter
            if (low == 0) return constant(0);
            return make(Op::Shl, {wrap(a, Interval::unsigned_of(low))}, static_cast<int>(c));
        }
        break;
    case Op::ShrBy:
        if (constant_b) return make(Op::Shr, {a}, static_cast<int>(std::min<Wide>(c, 127)));
        break;
    case Op::Eq:
        if (a == b) return constant(1);
        if (range(a).hi < range(b).lo || range(b).hi < range(a).lo) return constant(0);
        if (constant_b && is_bool(left.range)) return c == 1 ? a : make(Op::Xor, {a, constant(1)});
        break;
    case Op::Lt:
        if (a == b || range(a).lo >= range(b).hi) return constant(0);
        if (range(a).hi < range(b).lo) return constant(1);
        if (is_bool(range(a)) && is_const(b, 1)) return make(Op::Xor, {a, constant(1)});
        if (is_bool(range(b)) && is_const(a, 0)) return b;
        for (int k = 0; k < 2; k++) {   // with a choice of which the other operand is one: not less than itself
            const Node choice = all[args[k]];
            const NodeId other = args[1 - k];
            if (choice.op != Op::Select || (choice.args[1] != other && choice.args[2] != other)) continue;
            const bool is_first = choice.args[1] == other;
            const NodeId differs = is_first ? make(Op::Xor, {choice.args[0], constant(1)}) : choice.args[0], value = choice.args[is_first ? 2 : 1];
            return make(Op::And, {differs, k == 0 ? make(Op::Lt, {value, other}) : make(Op::Lt, {other, value})});
        }
        break;
    case Op::Le:
        if (a == b || range(a).hi <= range(b).lo) return constant(1);
        if (range(a).lo > range(b).hi) return constant(0);
        if (constant_b) return make(Op::Lt, {a, constant(c + 1)});
        if (is_const(a)) return make(Op::Lt, {constant(left.value - 1), b});
        break;
    case Op::Select: {
        const NodeId e = args[2];
        if (is_const(a)) return left.value ? b : e;
        if (b == e) return b;
        if (is_const(b, 1) && is_const(e, 0)) return a;
        if (is_const(b, 0) && is_const(e, 1)) return make(Op::Xor, {a, constant(1)});
        if (left.op == Op::Xor && is_const(left.args[1], 1)) return make(Op::Select, {left.args[0], e, b});
        if (left.op == Op::Lt || left.op == Op::Le) {
            if (left.args[0] == b && left.args[1] == e) return make(Op::Min, {b, e});
            if (left.args[0] == e && left.args[1] == b) return make(Op::Max, {b, e});
        }
        break;
    }
    case Op::Div:
        if (range(b).hi <= 1) return a;
        if (range(a).hi < range(b).lo) return constant(0);
        if (constant_b && is_power_of_two(c)) return make(Op::Shr, {a}, magnitude_bits(c) - 1);
        break;
    case Op::Mod:
        if (range(b).hi <= 1) return constant(0);
        if (range(a).hi < range(b).lo) return a;
        if (constant_b && is_power_of_two(c)) return wrap(a, Interval::unsigned_of(magnitude_bits(c) - 1));
        break;
    case Op::Sqrt: case Op::Const: case Op::Leaf: case Op::Wrap: case Op::Lookup: break;
    }
    return std::nullopt;
}

NodeId Datapath::make(Op op, std::vector<NodeId> args, int amount) {
    argent_internal_assert(op != Op::Const && op != Op::Leaf && op != Op::Wrap && op != Op::Lookup, "Datapath", "make() of a constant, leaf, wrap or lookup");
    for (NodeId a : args) argent_internal_assert(a >= 0 && a < static_cast<NodeId>(all.size()), "Datapath", "an argument that is no node");
    if (std::all_of(args.begin(), args.end(), [&](NodeId a) { return is_const(a); }) && fits(op, args, amount)) {
        std::vector<Wide> in;
        for (NodeId a : args) in.push_back(all[a].value);
        return constant(evaluate(op, in, amount, {}));
    }
    if (auto simpler = simplify(op, args, amount)) return *simpler;
    std::vector<Interval> in;
    for (NodeId a : args) in.push_back(all[a].range);
    auto range = range_of(op, in, amount);
    argent_internal_assert(range.has_value(), "Datapath", std::string(name_of(op)) + " leaves 2^126");
    if (op == Op::Mul && args[0] == args[1]) {   // a square is not negative
        const Interval a = in[0];
        *range = {a.contains(0) ? 0 : std::min(a.lo * a.lo, a.hi * a.hi), std::max(a.lo * a.lo, a.hi * a.hi)};
    }
    if (range->is_point()) return constant(range->lo);
    Node n;
    n.op = op;
    n.args = std::move(args);
    n.range = *range;
    n.amount = amount;
    return intern(std::move(n));
}

std::string to_string(Wide v) {
    if (v == 0) return "0";
    std::string digits;
    bool negative = v < 0;
    for (; v != 0; v /= 10) {
        int digit = static_cast<int>(v % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    }
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::string to_string(Interval i) { return to_string(i.lo) + ".." + to_string(i.hi); }

std::string to_string(const Datapath &d) {
    std::string text;
    for (size_t i = 0; i < d.nodes().size(); ++i) {
        const Node &n = d.nodes()[i];
        text += "n" + std::to_string(i) + " = ";
        if (n.op == Op::Const) {
            text += to_string(n.value) + "\n";
            continue;
        }
        if (n.op == Op::Leaf) {
            text += d.leaves()[n.amount].name;
        } else {
            text += std::string(name_of(n.op)) + "(";
            for (size_t k = 0; k < n.args.size(); ++k) text += (k ? ", n" : "n") + std::to_string(n.args[k]);
            if (n.op == Op::Shl || n.op == Op::Shr || n.op == Op::ShlBy) text += ", " + std::to_string(n.amount);
            if (n.op == Op::Lookup) text += ", " + d.tables()[n.amount].name;
            text += ")";
        }
        text += " : " + to_string(n.range) + "\n";
    }
    text += "outputs";
    for (NodeId o : d.outputs) text += " n" + std::to_string(o);
    return text + "\n";
}

std::map<std::string, int> lookups_of(const Datapath &d) {
    std::map<std::string, int> count;
    std::set<NodeId> seen;
    std::vector<NodeId> todo(d.outputs.begin(), d.outputs.end());
    while (!todo.empty()) {
        const NodeId n = todo.back();
        todo.pop_back();
        if (!seen.insert(n).second) continue;
        if (d[n].op == Op::Lookup) count[d.tables()[d[n].amount].name]++;
        todo.insert(todo.end(), d[n].args.begin(), d[n].args.end());
    }
    return count;
}

}  // namespace argent::hwgen
