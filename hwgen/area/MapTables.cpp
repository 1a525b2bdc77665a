#include "hwgen/area/MapTables.h"

#include <algorithm>
#include <cmath>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

using Kind = Netlist::Node::Kind;

constexpr int table_inputs_xc7 = 6, most_cuts = 6, rounds = 3;
constexpr int shortest_shift = 3, longest_shift = 32;   // registers in a row that become a table

bool is_gate(const Netlist::Node &n) { return n.kind == Kind::And || n.kind == Kind::Xor; }

/** Sums that a hard multiplier makes behind its product: one reads all of it, bit by bit as it is, and nothing else does. Low bits that the sum has of the product
 *  alone are the sum's own. */
std::vector<int> sums_in_multipliers(const Netlist &net) {
    std::vector<int> host(net.chains.size(), -1);
    const auto behind = [&](Lit l) {   // also through the register behind it
        const Netlist::Node &n = net.nodes[l / 2];
        return n.kind == Kind::Register ? net.nodes[net.registers[n.of].d / 2] : n;
    };
    const auto product_of = [&](Lit l) {
        const Netlist::Node n = behind(l);
        return n.kind == Kind::Product ? n.of : -1;
    };
    std::vector<bool> is_joining(net.nodes.size(), false);   // gates of chains
    for (const Netlist::Chain &c : net.chains) {
        for (Lit l : c.propagate) is_joining[l / 2] = net.nodes[l / 2].kind == Kind::Xor;
    }
    constexpr int all = 1 << 20;
    std::vector<int> shared(net.products.size(), 0);   // so many low bits are read elsewhere, at most
    const auto shares = [&](Lit l) {
        if (const int p = product_of(l); p >= 0) shared[p] = std::max(shared[p], behind(l).bit + 1);
    };
    for (size_t n = 0; n < net.nodes.size(); n++) {
        if (is_gate(net.nodes[n]) && !is_joining[n]) shares(net.nodes[n].a), shares(net.nodes[n].b);
    }
    for (const Netlist::Register &r : net.registers) {
        if (net.nodes[r.d / 2].kind == Kind::Register) shares(r.d);
    }
    for (Lit l : net.outputs) shares(l);
    std::vector<int> reader(net.products.size(), -1);
    for (size_t c = 0; c < net.chains.size(); c++) {
        const Netlist::Chain &chain = net.chains[c];
        for (size_t i = 0; i < chain.propagate.size(); i++) {
            const Lit l = chain.propagate[i];
            const Netlist::Node &n = net.nodes[l / 2];
            for (Lit operand : {n.kind == Kind::Xor ? n.a : l, n.kind == Kind::Xor ? n.b : l}) {
                const int p = product_of(operand);
                if (p < 0) continue;
                const int bit = behind(operand).bit, place = chain.low + static_cast<int>(i);
                const bool is_shifted = bit != place && (bit > place || bit != net.products[p].bits - 1);   // the sign may be repeated
                if (is_shifted || (reader[p] >= 0 && reader[p] != static_cast<int>(c))) shared[p] = all;
                reader[p] = static_cast<int>(c);
            }
        }
    }
    for (size_t p = 0; p < reader.size(); p++) {
        if (reader[p] >= 0 && shared[p] <= net.chains[reader[p]].low) host[reader[p]] = static_cast<int>(p);
    }
    return host;
}

/** Sums in front of a hard multiplier that nothing else reads, but for a register between: it makes them, too. */
std::vector<bool> sums_before_multipliers(const Netlist &net) {
    std::vector<int> readers(net.nodes.size(), 0), products(net.nodes.size(), 0);   // of each node; those that are products, or registers that only they read
    const auto read = [&](Lit l) { readers[l / 2]++; };
    for (const Netlist::Node &n : net.nodes) {
        if (is_gate(n)) read(n.a), read(n.b);
    }
    for (const Netlist::Chain &c : net.chains) {
        for (const Lits *of : {&c.propagate, &c.generate}) std::for_each(of->begin(), of->end(), read);
    }
    for (const Netlist::Cell &c : net.cells) std::for_each(c.inputs.begin(), c.inputs.end(), read);
    std::for_each(net.outputs.begin(), net.outputs.end(), read);
    for (const Netlist::Product &p : net.products) {
        for (Lit l : p.inputs) read(l), products[l / 2]++;
    }
    for (const Netlist::Register &r : net.registers) {
        read(r.d), read(r.enable), read(r.reset);
        if (readers[r.node] > 0 && readers[r.node] == products[r.node]) products[r.d / 2]++;
    }
    std::vector<bool> is_before(net.chains.size(), false), is_elsewhere(net.chains.size(), false);
    for (size_t n = 0; n < net.nodes.size(); n++) {
        if (net.nodes[n].kind != Kind::Sum || readers[n] == 0) continue;
        (products[n] == readers[n] ? is_before : is_elsewhere)[net.nodes[n].of] = true;
    }
    for (size_t c = 0; c < is_before.size(); c++) is_before[c] = is_before[c] && !is_elsewhere[c];
    return is_before;
}

/** What outputs depend on, and what is wanted of gates by what is none. */
class Live {
public:
    explicit Live(const Netlist &net) : net(net), nodes(net.nodes.size(), false), cells(net.cells.size(), false),
                                        products(net.products.size(), false), highest(net.chains.size(), -1), readers(net.nodes.size(), 0),
                                        in_multipliers(net.nodes.size(), 0), on_deep_ports(net.nodes.size(), 0), host(sums_in_multipliers(net)),
                                        is_before(sums_before_multipliers(net)) {
        for (Lit l : net.outputs) root(l);
        while (!pending.empty()) {
            const int n = pending.back();
            pending.pop_back();
            visit(n);
        }
    }

    const Netlist &net;
    std::vector<bool> nodes, cells, products;
    std::vector<int> highest;       // bit of each chain that is wanted
    std::vector<int> readers;       // of each node
    std::vector<int> in_multipliers;   // ... that are hard multipliers
    std::vector<int> on_deep_ports;    // ... at ports with two registers in a row: factors, and one operand of a sum in front
    std::vector<int> host;          // of each chain: the product whose multiplier adds, or -1
    std::vector<bool> is_before;    // ... whether a multiplier behind it adds
    std::vector<int> roots;         // nodes that stand on a wire

    /** Comes out of a hard multiplier, which has a register behind it: of all bits from the lowest one on, or of none. */
    bool is_of_multiplier(int n) const {
        const Netlist::Node &node = net.nodes[n];
        return (node.kind == Kind::Product || (node.kind == Kind::Sum && host[node.of] >= 0)) && nodes[n - node.bit];
    }
    std::vector<int> registers;

private:
    void want(Lit l) {
        const int n = l / 2;
        readers[n]++;
        if (nodes[n]) return;
        nodes[n] = true;
        pending.push_back(n);
    }
    void root(Lit l) {
        want(l);
        roots.push_back(l / 2);
    }

    void multiplied(Lit l, bool is_deep) {
        root(l);
        in_multipliers[l / 2]++;
        on_deep_ports[l / 2] += is_deep;
    }

    void visit(int n) {
        const Netlist::Node &node = net.nodes[n];
        switch (node.kind) {
        case Kind::Constant: case Kind::Input: return;
        case Kind::And: case Kind::Xor: want(node.a), want(node.b); return;
        case Kind::Sum: case Kind::Carry: {
            const Netlist::Chain &c = net.chains[node.of];
            if (highest[node.of] < 0) root(c.carry_in);
            for (int &i = highest[node.of]; i < node.bit;) {
                i++;
                const Netlist::Node &joined = net.nodes[c.propagate[i] / 2];
                if ((host[node.of] >= 0 || is_before[node.of]) && joined.kind == Kind::Xor) {
                    for (Lit l : {joined.a, joined.b}) multiplied(l, is_before[node.of] && l / 2 == c.generate[i] / 2);
                    continue;
                }
                root(c.propagate[i]);
                root(c.generate[i]);
            }
            return;
        }
        case Kind::Register: {
            const Netlist::Register &r = net.registers[node.of];
            registers.push_back(node.of);
            for (Lit l : {r.d, r.enable, r.reset}) root(l);
            return;
        }
        case Kind::Cell:
            if (cells[node.of]) return;
            cells[node.of] = true;
            for (Lit l : net.cells[node.of].inputs) root(l);
            return;
        case Kind::Product:
            if (products[node.of]) return;
            products[node.of] = true;
            for (Lit l : net.products[node.of].inputs) multiplied(l, true);
            return;
        }
    }

    std::vector<int> pending;
};

/** Covers the live gates by tables. */
class Cover {
public:
    explicit Cover(const Live &live) : live(live), net(live.net), cuts(net.nodes.size()), flow(net.nodes.size(), 0), refs(net.nodes.size(), 0) {
        for (size_t n = 0; n < net.nodes.size(); n++) {
            if (!live.nodes[n] || !is_gate(net.nodes[n])) continue;
            order.push_back(static_cast<int>(n));
            refs[n] = std::max(1, live.readers[n]);
        }
        for (int round = 0; round < rounds; round++) {
            pool.clear();
            for (int n : order) choose(n);
            count();
        }
    }
    int tables = 0;

private:
    struct Cut {
        int size = 0;
        std::array<int, table_inputs_xc7> of{};   // ascending
        double flow = 0;
        bool operator==(const Cut &o) const { return size == o.size && std::equal(of.begin(), of.begin() + size, o.of.begin()); }
    };

    struct Range {
        int begin = 0, count = 0;
    };

    static bool merge(const Cut &a, const Cut &b, Cut &to) {
        int i = 0, j = 0;
        to.size = 0;
        while (i < a.size || j < b.size) {
            if (to.size == table_inputs_xc7) return false;
            const int next = j == b.size || (i < a.size && a.of[i] < b.of[j]) ? a.of[i] : b.of[j];
            i += i < a.size && a.of[i] == next;
            j += j < b.size && b.of[j] == next;
            to.of[to.size++] = next;
        }
        return true;
    }

    static bool is_within(const Cut &a, const Cut &b) { return std::includes(b.of.begin(), b.of.begin() + b.size, a.of.begin(), a.of.begin() + a.size); }

    static Cut alone(int n) {
        Cut c;
        c.size = 1;
        c.of[0] = n;
        return c;
    }

    /** A node by itself, and its cuts. */
    void collect(Lit l, std::vector<Cut> &all) const {
        const Range of = cuts[l / 2];
        all.assign(1, alone(l / 2));
        all.insert(all.end(), pool.begin() + of.begin, pool.begin() + of.begin + of.count);
    }

    void choose(int n) {
        found.clear();
        collect(net.nodes[n].a, as);
        collect(net.nodes[n].b, bs);
        for (const Cut &a : as) {
            for (const Cut &b : bs) {
                Cut c;
                if (!merge(a, b, c) || std::any_of(found.begin(), found.end(), [&](const Cut &f) { return is_within(f, c); })) continue;
                c.flow = 1;
                for (int i = 0; i < c.size; i++) c.flow += flow[c.of[i]] / std::max(1.0, refs[c.of[i]]);
                insert(c);
            }
        }
        flow[n] = found[0].flow;
        cuts[n] = {static_cast<int>(pool.size()), std::min(static_cast<int>(found.size()), most_cuts)};
        pool.insert(pool.end(), found.begin(), found.begin() + cuts[n].count);
    }

    /** Behind those that are as good or better. */
    void insert(const Cut &c) {
        const auto is_better = [](const Cut &a, const Cut &b) { return a.flow < b.flow - 1e-9 || (a.flow < b.flow + 1e-9 && a.size < b.size); };
        auto at = found.end();
        while (at != found.begin() && is_better(c, *(at - 1))) --at;
        found.insert(at, c);
    }

    /** The tables that the best cuts make, and how often each is read. */
    void count() {
        std::vector<int> used(net.nodes.size(), 0);
        for (int n : live.roots) used[n]++;
        tables = 0;
        for (size_t i = order.size(); i-- > 0;) {
            const int n = order[i];
            if (!used[n]) continue;
            tables++;
            const Cut &best = pool[cuts[n].begin];
            for (int k = 0; k < best.size; k++) used[best.of[k]]++;
        }
        for (int n : order) refs[n] = (2 * refs[n] + used[n]) / 3;
    }

    const Live &live;
    const Netlist &net;
    std::vector<Range> cuts;               // of each node, in the pool: the best first
    std::vector<Cut> pool;
    std::vector<Cut> found, as, bs;        // of the node at work and of what it reads
    std::vector<double> flow, refs;
    std::vector<int> order;
};

/** Flip-flops, and registers in a row with one enable and no reset as shift registers.
 *  A hard multiplier has copies of the registers in front of it, so what it reads is no reader of theirs. */
void count_registers(const Live &live, Resources &area) {
    const Netlist &net = live.net;
    std::vector<int> readers(net.nodes.size(), 0);   // of registers, that are not in multipliers
    for (const Netlist::Register &r : net.registers) readers[r.node] = live.readers[r.node] - live.in_multipliers[r.node];
    for (int i : live.registers) {   // two in a row
        const Netlist::Register &r = net.registers[i];
        if (readers[r.node] == 0 && live.on_deep_ports[r.node] == live.readers[r.node] && net.nodes[r.d / 2].kind == Kind::Register) readers[r.d / 2]--;
    }
    const auto is_behind = [&](const Netlist::Register &r) { return live.is_of_multiplier(r.d / 2) && live.readers[r.d / 2] == 1; };
    // Two registers behind the product, of which the second one is behind its adder, if that adds.
    const auto is_second = [&](const Netlist::Register &r) {
        const Netlist::Node &d = net.nodes[r.d / 2];
        if (d.kind != Kind::Register || live.readers[r.d / 2] != 1) return false;
        const Netlist::Register &first = net.registers[d.of];
        return is_behind(first) && net.nodes[first.d / 2].kind == Kind::Product;
    };
    const auto is_in_multiplier = [&](const Netlist::Register &r) { return is_behind(r) || is_second(r) || readers[r.node] == 0; };
    const auto shifts = [&](const Netlist::Register &r) { return r.reset == 0; };
    const auto before = [&](const Netlist::Register &r) -> const Netlist::Register * {
        const Netlist::Node &d = net.nodes[r.d / 2];
        if ((r.d & 1) || d.kind != Kind::Register || readers[r.d / 2] != 1) return nullptr;
        const Netlist::Register &b = net.registers[d.of];
        return shifts(b) && shifts(r) && b.enable == r.enable && b.node != r.node && !is_behind(b) && !is_second(b) ? &b : nullptr;
    };
    std::vector<bool> has_next(net.registers.size(), false);
    for (int i : live.registers) {
        if (is_in_multiplier(net.registers[i])) continue;
        if (const Netlist::Register *b = before(net.registers[i])) has_next[net.nodes[b->node].of] = true;
    }
    for (int i : live.registers) {
        if (has_next[i] || is_in_multiplier(net.registers[i])) continue;
        int length = 1;
        for (const Netlist::Register *r = before(net.registers[i]); r; r = before(*r)) length++;
        if (length < shortest_shift) {
            area.ff += length;
        } else {
            area.srl += length / longest_shift + (length % longest_shift > 1);
            area.ff += length % longest_shift == 1;
        }
    }
}

double multipliers(const Netlist::Product &p) {
    const Part &xc7 = part("xc7");
    const auto pieces = [](int bits, int most) { return bits <= most ? 1 : (bits - 2) / (most - 1) + 1; };
    const int wide = std::max(p.a_bits, p.b_bits), narrow = std::min(p.a_bits, p.b_bits);
    return pieces(wide, xc7.multiplier_a) * pieces(narrow, xc7.multiplier_b);
}

}  // namespace

Resources map_tables(const Netlist &net) {
    const Live live(net);
    Resources area;
    area.lut = Cover(live).tables;
    count_registers(live, area);
    for (size_t i = 0; i < net.products.size(); i++) {
        if (live.products[i]) area.dsp += multipliers(net.products[i]);
    }
    for (size_t i = 0; i < net.cells.size(); i++) {
        if (!live.cells[i]) continue;
        std::map<std::string, int> used = net.cells[i].varying;
        for (const auto &[port, bits] : net.cells[i].outputs)
            used[port] = static_cast<int>(std::count_if(bits.begin(), bits.end(), [&](Lit l) { return live.nodes[l / 2]; }));
        area += cell_area(net.cells[i].module, net.cells[i].parameters, used);
    }
    return area;
}

}  // namespace argent::hwgen
