#include "hwgen/passes/time/SharedJobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "hwgen/passes/datapath/DemandedBits.h"

namespace argent::hwgen {

namespace {

const int most_nodes_of_a_term = 64;
const Wide most_coefficient = Wide(1) << 24;

Wide magnitude(Wide v) { return v < 0 ? -v : v; }

bool scales(const Datapath &d, NodeId n) { return d[n].op == Op::Shl || (d[n].op == Op::Mul && d.is_const(d[n].args[1])); }

void take_factor(Job &j) {
    Wide common = 0;
    bool is_positive = false;
    for (const Term &t : j.terms) {
        Wide a = common, b = magnitude(t.coefficient);
        while (b != 0) std::tie(a, b) = std::pair(b, a % b);
        common = a;
        is_positive = is_positive || t.coefficient > 0;
    }
    j.factor = is_positive ? common : -common;
    for (Term &t : j.terms) {
        t.coefficient /= j.factor;
        j.has_coefficients = j.has_coefficients || t.coefficient != 1;
    }
}

/** Of the canonical signed form, but at least 1. */
int digits(Wide c) {
    int n = 0;
    for (c = magnitude(c); c != 0; c >>= 1) {
        if (!(c & 1)) continue;
        n++;
        if ((c & 3) == 3) c += 1;
    }
    return std::max(n, 1);
}

}  // namespace

double price_of_gathering(Op op, Interval range) {
    return (is_choice(op) ? 2.0 : 1.0) * range.bits();
}

SharedJobs::SharedJobs(const Datapath &d, std::vector<bool> is_operand, const Prices &prices)
    : d(d), given(std::move(is_operand)), needed(needed_low_bits(d)), prices(prices) {
    for (NodeId root : roots()) {
        if (is_sum(d[root].op)) add_sums(root);
        else if (is_choice(d[root].op)) add_job(root, d[root].op, choices_of(root));
        else add_job(root, Op::Const, {{root, 1, {}}});
    }
}

/** Nodes whose value somebody takes other than to add or to choose from. */
std::vector<NodeId> SharedJobs::roots() const {
    const NodeId size = static_cast<NodeId>(d.nodes().size());
    std::vector<bool> live(size, false), is_read(size, false);
    std::vector<NodeId> roots;
    for (NodeId o : d.outputs) live[o] = is_read[o] = true;
    for (NodeId n = size - 1; n >= 0; n--) {
        if (!live[n]) continue;
        for (NodeId a : d[n].args) {
            live[a] = true;
            const bool goes_on = is_sum(d[a].op) || scales(d, a) ? (is_sum(d[n].op) || (scales(d, n) && !is_read[n])) :
                                                                   is_choice(d[a].op) && d[a].op == d[n].op;
            if (!goes_on) is_read[a] = true;
        }
    }
    for (NodeId n = 0; n < size; n++) {
        const Op op = d[n].op;
        if (!live[n]) continue;
        const bool is_operator = op == Op::Div || op == Op::Mod || op == Op::Sqrt || is_product(d, n);
        if (is_operator || (is_read[n] && (is_sum(op) || is_choice(op)))) roots.push_back(n);
    }
    return roots;
}

TermsOfSum SharedJobs::sum_of(NodeId root) const {
    TermsOfSum sum;
    std::map<NodeId, Wide> open = {{root, 1}};
    while (!open.empty()) {
        const auto [n, c] = *open.rbegin();   // the latest first: all that lead to it have been seen
        open.erase(n);
        const Node &node = d[n];
        const Wide scale = scale_of(n);
        if (c == 0) {
            continue;
        } else if (node.op == Op::Const) {
            sum.constant += c * node.value;
        } else if (is_sum(node.op)) {
            open[node.args[0]] += c;
            open[node.args[1]] += node.op == Op::Add ? c : -c;
        } else if (scale != 0 && magnitude(c) < most_coefficient) {
            open[node.args[0]] += c * scale;
        } else {
            sum.terms[n] += c;
        }
    }
    return sum;
}

std::set<NodeId> SharedJobs::gathering(NodeId root) const {
    std::set<NodeId> open = {root}, all;
    while (!open.empty()) {
        const NodeId n = *open.rbegin();
        open.erase(n);
        all.insert(n);
        for (NodeId a : d[n].args) {
            const bool goes_on = is_choice(d[root].op) ? d[a].op == d[root].op : (is_sum(d[n].op) || scales(d, n)) && (is_sum(d[a].op) || scales(d, a));
            if (goes_on) open.insert(a);
        }
    }
    return all;
}

/** What a shift or a product with a constant multiplies by; 0 for other nodes. */
Wide SharedJobs::scale_of(NodeId n) const {
    const Wide scale = d[n].op == Op::Shl && d[n].amount < 24 ? Wide(1) << d[n].amount : d[n].op == Op::Mul && scales(d, n) ? d[d[n].args[1]].value : 0;
    return magnitude(scale) < most_coefficient ? scale : 0;
}

void SharedJobs::add_sums(NodeId root) {
    std::map<std::string, std::vector<Term>> by_shape;
    for (const auto &[n, c] : sum_of(root).terms) {
        if (c == 0) continue;
        Term t{n, c, cone_of(n)};
        by_shape[t.cone.shape].push_back(std::move(t));
    }
    for (auto &[shape, terms] : by_shape) add_job(root, Op::Add, std::move(terms));
}

std::vector<Term> SharedJobs::choices_of(NodeId root) const {
    std::set<NodeId> open = {root};
    std::vector<Term> terms;
    while (!open.empty()) {
        const NodeId n = *open.rbegin();
        open.erase(n);
        if (d[n].op == d[root].op) open.insert(d[n].args.begin(), d[n].args.end());
        else terms.push_back({n, 1, {}});
    }
    return terms;
}

/** Those of the most frequent shape; the others stay where they are. */
void SharedJobs::add_job(NodeId root, Op op, std::vector<Term> terms) {
    std::map<std::string, int> shapes;
    for (Term &t : terms) {
        if (t.cone.shape.empty()) t.cone = cone_of(t.node);
        if (!t.cone.shape.empty()) shapes[t.cone.shape]++;
    }
    if (shapes.empty()) return;
    const auto most = std::max_element(shapes.begin(), shapes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    Job j;
    j.root = root;
    j.op = op;
    for (Term &t : terms) {
        if (t.cone.shape == most->first) j.terms.push_back(std::move(t));
    }
    if (op != Op::Const && j.terms.size() < 2) return;
    if (op == Op::Add) take_factor(j);
    if (!measure(j)) return;
    if (!is_choice(op) && needed[root] < j.range.bits()) {
        j.range = Interval::unsigned_of(needed[root]);
        j.is_modular = true;
    }
    const std::string key = fmt::format("{} {} {}", name_of(op), j.has_coefficients ? "scaled" : "", most->first);
    jobs[key].push_back(std::move(j));
}

/** Range of all terms together, and what they cost when each has its own operators. No: the range is beyond all bounds. */
bool SharedJobs::measure(Job &j) const {
    bool is_first = true;
    for (const Term &t : j.terms) {
        const auto value = range_of(Op::Mul, {d[t.node].range, {t.coefficient, t.coefficient}}, 0);
        const auto sum = !value || is_first ? value : range_of(j.op, {j.range, *value}, 0);
        if (!sum) return false;
        j.range = *sum;
        if (!is_first) j.cost += price_of_gathering(j.op, j.range);
        is_first = false;
        j.cost += t.cone.cost + (digits(t.coefficient) - 1) * value->bits();
    }
    return true;
}

Cone SharedJobs::cone_of(NodeId n) const {
    Cone c;
    int left = most_nodes_of_a_term;
    if (!walk(n, c, left)) c.shape.clear();
    return c;
}

bool SharedJobs::is_operand(NodeId n) const {
    return d[n].op == Op::Leaf || d[n].op == Op::Const || given[n];
}

bool SharedJobs::walk(NodeId n, Cone &c, int &left) const {
    if (--left < 0) return false;
    const Node &node = d[n];
    if (is_operand(n)) {
        c.shape += 'x';
        c.operands.push_back(n);
        return true;
    }
    if (node.op == Op::Lookup) return false;   // of one table; others are read by other memories
    c.nodes.insert(n);
    c.shape += fmt::format("({} {}", name_of(node.op), node.amount);
    if (node.op == Op::Wrap) {
        c.shape += fmt::format(" {}{}", node.range.is_signed() ? "i" : "u", node.range.bits());
        c.wraps.push_back(node.range);
    }
    c.cost += cost_of(n);
    for (int k : order_of(node)) {
        c.shape += ' ';
        if (!walk(node.args[k], c, left)) return false;
    }
    c.shape += ')';
    return true;
}

double SharedJobs::cost_of(NodeId n) const {
    const std::vector<NodeId> &args = d[n].args;
    return operator_cost(d[n], d.operand_ranges(n), args.size() == 2 && args[0] == args[1], prices);
}

std::vector<int> SharedJobs::order_of(const Node &node) const {
    std::vector<int> order(node.args.size());
    std::iota(order.begin(), order.end(), 0);
    if (!commutes(node.op)) return order;
    const auto rank = [&](int k) {
        const Node &arg = d[node.args[k]];
        if (arg.op == Op::Const) return 100;
        if (arg.op != Op::Leaf) return 0;
        return 1 + static_cast<int>(d.leaves()[arg.amount].kind);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    return order;
}

}  // namespace argent::hwgen
