#include "hwgen/area/Netlist.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

constexpr int group_inputs = 6;   // of a table that compares

bool is_constant(Lit a) { return a < 2; }

}  // namespace

Lit Netlist::add(Node n) {
    nodes.push_back(n);
    return 2 * (static_cast<int>(nodes.size()) - 1);
}

Lit Netlist::gate(Node::Kind kind, Lit a, Lit b) {
    const auto [at, is_new] = gates.emplace(std::array<int, 3>{static_cast<int>(kind), a, b}, 0);
    if (!is_new) return at->second;
    Node n{kind};
    n.a = a, n.b = b;
    return at.value() = add(n);
}

Lit Netlist::land(Lit a, Lit b) {
    if (a > b) std::swap(a, b);
    if (a == 0 || a == invert(b)) return 0;
    if (a == 1 || a == b) return b;
    return gate(Node::Kind::And, a, b);
}

Lit Netlist::lxor(Lit a, Lit b) {
    const Lit inverted = (a ^ b) & 1;
    a &= ~1, b &= ~1;
    if (a > b) std::swap(a, b);
    if (a == b) return inverted;
    if (a == 0) return b ^ inverted;
    return gate(Node::Kind::Xor, a, b) ^ inverted;
}

Lit Netlist::mux(Lit condition, Lit then_value, Lit else_value) {
    if (condition == 1 || then_value == else_value) return then_value;
    if (condition == 0) return else_value;
    if (condition & 1) return mux(invert(condition), else_value, then_value);
    const Lit made = then_value == invert(else_value) ? lxor(condition, else_value) :
                     is_constant(then_value) && is_constant(else_value) ? condition ^ else_value :
                     lor(land(condition, then_value), land(invert(condition), else_value));
    if (is_constant(made) || choice_of(made)) return made;
    if (made >= static_cast<int>(chosen.size())) chosen.resize(2 * nodes.size(), -1);
    chosen[made] = static_cast<int>(choices.size());
    choices.push_back({condition, then_value, else_value});
    return made;
}

Lit Netlist::all_of(const Lits &of) {
    Lit all = 1;
    for (Lit l : of) all = land(all, l);
    return all;
}

Lit Netlist::any_of(Lits of) {
    for (Lit &l : of) l = invert(l);
    return invert(all_of(of));
}

Lits Netlist::sum(const Lits &a, const Lits &b, bool subtract, Lit carry) {
    const size_t width = a.size();
    const Lit flip = subtract ? 1 : 0;
    Lits result;
    size_t low = 0;   // below, nothing is added
    while (low < width && b[low] == 0 && carry == flip) result.push_back(a[low++]);
    while (low < width && !subtract && a[low] == 0 && carry == 0) result.push_back(b[low++]);
    if (low == width) return result;
    if (width - low <= 2) {
        Lit c = carry;
        for (size_t i = low; i < width; i++) {
            const Lit y = b[i] ^ flip, p = lxor(a[i], y);
            result.push_back(lxor(p, c));
            c = lor(land(a[i], y), land(p, c));
        }
        return result;
    }
    Chain chain;
    chain.carry_in = carry;
    chain.low = static_cast<int>(low);
    std::vector<int> key = {carry, -1, chain.low};
    for (size_t i = low; i < width; i++) {
        chain.propagate.push_back(lxor(a[i], b[i] ^ flip));
        chain.generate.push_back(a[i]);
        key.push_back(chain.propagate.back());
        key.push_back(a[i]);
    }
    const auto [known, is_new] = known_chains.emplace(key, static_cast<int>(nodes.size()));
    const int first = known->second, bits = static_cast<int>(width - low);
    if (is_new) {
        for (int i = 0; i < bits; i++) {
            Node n{Node::Kind::Sum};
            n.of = static_cast<int>(chains.size()), n.bit = i;
            add(n);
        }
        chains.push_back(std::move(chain));
    }
    for (int i = 0; i < bits; i++) result.push_back(2 * (first + i));
    return result;
}

Lit Netlist::less(const Lits &given_a, const Lits &given_b, bool is_signed, bool or_equal) {
    // b > a (>=): from the top, groups of bits that are equal so far or decide.
    Lits a = given_b, b = given_a;
    if (is_signed) std::swap(a.back(), b.back());
    while (a.size() > 1 && a.back() == b.back()) a.pop_back(), b.pop_back();
    int variable = 0;
    for (size_t i = 0; i < a.size(); i++) variable += !is_constant(a[i]) + !is_constant(b[i]);
    std::vector<std::pair<Lit, Lit>> groups;   // propagate, generate; the top one first
    int budget = variable <= group_inputs ? 2 * group_inputs : group_inputs;
    Lit p = 1, g = 0;
    for (size_t i = a.size(); i-- > 0;) {
        const int cost = !is_constant(a[i]) + !is_constant(b[i]);
        if (budget < cost) {
            groups.push_back({p, g});
            p = 1, g = 0, budget = group_inputs;
        }
        budget -= cost;
        g = lor(g, land(p, land(a[i], invert(b[i]))));
        p = land(p, invert(lxor(a[i], b[i])));
    }
    groups.push_back({p, g});
    if (groups.size() <= 2) {
        Lit c = or_equal;
        for (size_t i = groups.size(); i-- > 0;) c = lor(groups[i].second, land(groups[i].first, c));
        return c;
    }
    Chain chain;
    chain.carry_in = or_equal;
    std::vector<int> key = {chain.carry_in, -2};
    for (size_t i = groups.size(); i-- > 0;) {
        chain.propagate.push_back(groups[i].first);
        chain.generate.push_back(groups[i].second);
        key.push_back(groups[i].first);
        key.push_back(groups[i].second);
    }
    const auto [known, is_new] = known_chains.emplace(key, static_cast<int>(nodes.size()));
    if (is_new) {
        Node n{Node::Kind::Carry};
        n.of = static_cast<int>(chains.size()), n.bit = static_cast<int>(groups.size()) - 1;
        add(n);
        chains.push_back(std::move(chain));
    }
    return 2 * known->second;
}

Lits Netlist::product(const Lits &a, const Lits &b, bool is_signed, int bits) {
    const auto significant = [&](const Lits &of) {
        size_t n = of.size();
        while (n > 1 && of[n - 1] == (is_signed ? of[n - 2] : 0)) n--;
        return static_cast<int>(n) + (is_signed ? 0 : 1);   // the multipliers are signed
    };
    Product p{a, significant(a), significant(b), bits};
    p.inputs.insert(p.inputs.end(), b.begin(), b.end());
    std::vector<int> key = p.inputs;
    key.insert(key.end(), {static_cast<int>(a.size()), is_signed, bits});
    const auto [known, is_new] = known_products.emplace(key, static_cast<int>(nodes.size()));
    if (is_new) {
        for (int i = 0; i < bits; i++) {
            Node n{Node::Kind::Product};
            n.of = static_cast<int>(products.size()), n.bit = i;
            add(n);
        }
        products.push_back(std::move(p));
    }
    Lits result;
    for (int i = 0; i < bits; i++) result.push_back(2 * (known->second + i));
    return result;
}

Netlist::Register Netlist::simplified(Register r) {
    for (;;) {
        const Lit flip = choice_of(r.d) ? 0 : 1;
        const Choice *choice = choice_of(r.d ^ flip);
        if (!choice) return r;
        const Lit condition = (*choice)[0], yes = (*choice)[1] ^ flip, no = (*choice)[2] ^ flip;
        if (std::max(yes, no) / 2 >= r.d / 2) return r;   // a choice that came out as one of what it chooses from
        const bool holds = r.node >= 0 && (yes == 2 * r.node || no == 2 * r.node), is_constant_choice = is_constant(yes) || is_constant(no);
        if (holds) {
            r.enable = land(r.enable, no == 2 * r.node ? condition : invert(condition));
            r.d = no == 2 * r.node ? yes : no;
        } else if (is_constant_choice && (r.reset == 0 || r.resets_to == ((is_constant(yes) ? yes : no) == 1))) {
            const Lit clears = is_constant(yes) ? condition : invert(condition);
            r.reset = lor(r.reset, land(r.enable, clears));   // the pin wins over the enable
            r.resets_to = (is_constant(yes) ? yes : no) == 1;
            r.d = is_constant(yes) ? no : yes;
        } else {
            return r;
        }
    }
}

Lit Netlist::clocked(Register r) {
    r = simplified(r);
    if (is_constant(r.d) && (r.reset == 0 || r.resets_to == (r.d == 1))) return r.d;
    const auto [at, is_new] = known_registers.emplace(std::array<int, 4>{r.d, r.enable, r.reset, r.resets_to}, 0);
    if (!is_new) return at->second;
    const Lit q = declare_register();
    r.node = q / 2;
    registers.back() = r;
    return at.value() = q;
}

Lit Netlist::declare_register() {
    const Lit q = add({Node::Kind::Register});
    nodes[q / 2].of = static_cast<int>(registers.size());
    registers.emplace_back().node = q / 2;
    return q;
}

void Netlist::drive(Lit q, Register r) {
    r.node = q / 2;
    registers[nodes[q / 2].of] = simplified(r);
}

}  // namespace argent::hwgen
