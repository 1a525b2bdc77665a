#include "hwgen/ir/Datapath.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "hwgen/ir/Diagnostic.h"
#include "hwgen/ir/Simplify.h"

namespace argent::hwgen {

namespace {

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
    case Leaf::Kind::Beyond:
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

bool Leaf::operator==(const Leaf &o) const {
    if (kind != o.kind) return false;
    switch (kind) {
    case Kind::Tap: return producer == o.producer && offset == o.offset && phases == o.phases && border == o.border && domains == o.domains;
    case Kind::Coord: return dim == o.dim;
    case Kind::Place:
        return dim == o.dim && place == o.place && lane == o.lane && from_end == o.from_end && domain == o.domain && producer == o.producer && phases == o.phases;
    case Kind::Extent: return dim == o.dim && place == o.place && domain == o.domain;
    case Kind::Beyond: return dim == o.dim && place == o.place && from_end == o.from_end;
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
    argent_internal_assert(-most_value <= value && value <= most_value, "Datapath", "a constant beyond 2^126");
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
    if (is_const(a)) return constant(wrapped(all[a].value, range));
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
    Wide lo = wrapped(r.lo, type), hi = wrapped(r.hi, type);
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

NodeId Datapath::make(Op op, std::vector<NodeId> args, int amount) {
    argent_internal_assert(op != Op::Const && op != Op::Leaf && op != Op::Wrap && op != Op::Lookup, "Datapath", "make() of a constant, leaf, wrap or lookup");
    for (NodeId a : args) argent_internal_assert(a >= 0 && a < static_cast<NodeId>(all.size()), "Datapath", "an argument that is no node");
    if (std::all_of(args.begin(), args.end(), [&](NodeId a) { return is_const(a); }) && fits(op, args, amount)) {
        std::vector<Wide> in;
        for (NodeId a : args) in.push_back(all[a].value);
        return constant(evaluate(op, in, amount, {}));
    }
    if (const auto simpler = simplify(*this, op, args, amount)) return *simpler;
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
