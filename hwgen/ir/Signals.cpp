#include "hwgen/ir/Signals.h"

#include <fmt/format.h>

#include <algorithm>

#include "hwgen/ir/Diagnostic.h"

namespace argent::hwgen {

namespace {

/** Longer sums are not opened where they are terms of others. */
constexpr size_t longest_sum = 1024;

constexpr Wide largest = Wide(1) << 60;

/** Sums and products of such numbers are far from overflow. */
bool is_small(const LinearSum &s) {
    const auto small = [](Wide v) { return -largest < v && v < largest; };
    return small(s.constant) && std::all_of(s.terms.begin(), s.terms.end(), [&](const auto &term) { return small(term.second); });
}

std::string key_of(const Leaf &l) {
    switch (l.kind) {
    case Leaf::Kind::Tap: {
        std::string key = fmt::format("tap {}", l.producer);
        for (const auto &b : l.border) key += b ? fmt::format(" border {}", static_cast<int>(*b)) : " plain";
        return key;
    }
    case Leaf::Kind::Place: return fmt::format("place {} {} {} {}", l.dim, l.place, l.lane, l.from_end);
    case Leaf::Kind::Extent: return fmt::format("extent {} {}", l.dim, l.place);
    case Leaf::Kind::Beyond: return fmt::format("beyond {} {} {}", l.dim, l.place, l.from_end);
    case Leaf::Kind::Coord: return fmt::format("coord {}", l.dim);
    case Leaf::Kind::Param: return "param " + l.name;
    case Leaf::Kind::Value: break;   // of operators that are shared in time, which comes later
    }
    return "";
}

}  // namespace

int Signals::intern(Signal s, const std::string &key) {
    const auto [at, is_new] = index.emplace(key, size());
    if (is_new) all.push_back(std::move(s));
    else all[at->second].range = all[at->second].range.intersect(s.range);
    return at->second;
}

std::vector<Interval> Signals::ranges() const {
    std::vector<Interval> r;
    for (const Signal &s : all) r.push_back(s.range);
    return r;
}

std::vector<SignalAt> Signals::reads(int i) const {
    std::vector<SignalAt> found = all[i].args;
    for (const auto &[at, coefficient] : all[i].sum.terms) found.push_back(at);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

SignalAt Signals::sum(const LinearSum &given, Interval range) {
    LinearSum s;
    Shift first;
    bool any = false, movable = true;
    for (const auto &[at, coefficient] : given.terms) {
        const Signal &term = all[at.signal];
        movable = movable && term.is_movable;
        if (!term.is_moving) continue;
        if (!any || at.at < first) first = at.at;
        any = true;
    }
    if (!movable) first = {};
    for (const auto &[at, coefficient] : given.terms) s.add({at.signal, all[at.signal].is_moving ? at.at - first : Shift{}}, coefficient);
    s.constant = given.constant;
    if (s.constant == 0 && s.terms.size() == 1 && s.terms.begin()->second == 1) return {s.terms.begin()->first.signal, s.terms.begin()->first.at + first};
    std::string key = fmt::format("sum {}", to_string(s.constant));
    for (const auto &[at, coefficient] : s.terms) key += fmt::format(" {} {} {} {}", to_string(coefficient), at.signal, at.at.y, at.at.x);
    Signal signal;
    signal.kind = Signal::Kind::Sum;
    signal.range = range_of(s, [&](int i) { return all[i].range; }).intersect(range);
    signal.sum = std::move(s);
    signal.is_moving = any;
    signal.is_movable = movable;
    return {intern(std::move(signal), key), first};
}

SignalAt Signals::leaf(Leaf l) {
    Signal s;
    Shift at;
    s.range = l.range;
    s.is_moving = l.kind == Leaf::Kind::Tap;
    // What lies outside of a domain and may be any number is another one for each that reads it.
    const bool is_loose = std::count(l.border.begin(), l.border.end(), Border::Any) > 0;
    s.is_movable = l.kind != Leaf::Kind::Coord && l.kind != Leaf::Kind::Place && l.kind != Leaf::Kind::Beyond && !is_loose;
    if (s.is_moving) {
        at = {l.offset.at(1), l.offset.at(0)};
        l.offset = {0, 0};
    }
    const std::string key = key_of(l);
    s.leaf = std::move(l);
    return {intern(std::move(s), key), at};
}

SignalAt Signals::operation(const Datapath &d, const Node &given, std::vector<SignalAt> args) {
    Node n = given;
    Signal s;
    s.kind = Signal::Kind::Op;
    s.is_moving = false;
    if (n.op == Op::Lookup) {
        const Table &t = d.tables()[n.amount];
        n.amount = static_cast<int>(std::find(tables.begin(), tables.end(), t) - tables.begin());
        if (n.amount == static_cast<int>(tables.size())) tables.push_back(t);
        s.is_movable = t.is_rom();   // what is loaded is loaded into the stage that the user sees
    }
    Shift first;
    for (const SignalAt &a : args) {
        s.is_movable = s.is_movable && all[a.signal].is_movable;
        if (!all[a.signal].is_moving) continue;
        if (!s.is_moving || a.at < first) first = a.at;
        s.is_moving = true;
    }
    if (!s.is_movable) first = {};
    for (SignalAt &a : args) a.at = all[a.signal].is_moving ? a.at - first : Shift{};
    if (commutes(n.op)) std::sort(args.begin(), args.end());
    std::string key = fmt::format("{} {} {} {}", name_of(n.op), n.amount, to_string(n.range.lo), to_string(n.range.hi));
    for (const SignalAt &a : args) key += fmt::format(" {} {} {}", a.signal, a.at.y, a.at.x);
    s.node = n;
    s.node.args.clear();
    s.args = std::move(args);
    s.range = n.range;
    return {intern(std::move(s), key), first};
}

std::vector<SignalAt> Signals::outputs_of(const Datapath &d) {
    std::vector<LinearSum> values(d.nodes().size());   // each node as a sum of what is none
    std::vector<bool> live(values.size(), false);
    for (NodeId o : d.outputs) live[o] = true;
    for (NodeId id = static_cast<NodeId>(live.size()) - 1; id >= 0; --id) {
        if (!live[id]) continue;
        for (NodeId a : d[id].args) live[a] = true;
    }
    const auto signal_of = [&](NodeId id) { return sum(values[id], d[id].range); };
    const auto opened = [&](NodeId id, size_t others) {
        if (values[id].terms.size() + others <= longest_sum && is_small(values[id])) return values[id];
        LinearSum whole;
        whole.add(signal_of(id), 1);
        return whole;
    };
    const auto scaled = [&](const Node &n, Wide by) {
        LinearSum product;
        product.add(opened(n.args[0], 0), by);
        return product;
    };
    for (NodeId id = 0; id < static_cast<NodeId>(values.size()); ++id) {
        if (!live[id]) continue;
        const Node &n = d[id];
        LinearSum &value = values[id];
        if (n.op == Op::Const) {
            value.constant = n.value;
        } else if (n.op == Op::Leaf) {
            value.add(leaf(d.leaves()[n.amount]), 1);
        } else if (n.op == Op::Add || n.op == Op::Sub) {
            value = opened(n.args[0], values[n.args[1]].terms.size());
            value.add(opened(n.args[1], value.terms.size()), n.op == Op::Sub ? -1 : 1);
        } else if (n.op == Op::Not) {
            value = scaled(n, -1);
            value.constant -= 1;
        } else if (n.op == Op::Shl && n.amount < 60) {
            value = scaled(n, Wide(1) << n.amount);
        } else if (n.op == Op::Mul && d.is_const(n.args[1]) && d[n.args[1]].value < largest) {
            value = scaled(n, d[n.args[1]].value);
        }
        const bool is_sum = !value.terms.empty() || n.op == Op::Const;
        if (is_sum && is_bounded(value, [&](int i) { return all[i].range; })) continue;
        std::vector<SignalAt> args;
        for (NodeId a : n.args) args.push_back(signal_of(a));
        value = {};
        value.add(operation(d, n, std::move(args)), 1);
    }
    std::vector<SignalAt> outputs;
    for (NodeId o : d.outputs) outputs.push_back(signal_of(o));
    return outputs;
}

double operator_cost(const Signals &signals, int signal, const Prices &prices) {
    const Signal &s = signals[signal];
    std::vector<Interval> args;
    for (const SignalAt &a : s.args) args.push_back(signals[a.signal].range);
    return operator_cost(s.node, args, s.args.size() == 2 && s.args[0] == s.args[1], prices);
}

}  // namespace argent::hwgen
