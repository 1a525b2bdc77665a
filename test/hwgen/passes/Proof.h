#ifndef ARGENT_TEST_HWGEN_PASSES_PROOF_H
#define ARGENT_TEST_HWGEN_PASSES_PROOF_H

#include <z3++.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "hwgen/ir/Graph.h"

/** Datapaths as formulas of Z3: numbers of `width` bits in two's complement, wide enough for every value on the way, so
 *  that they are the integers that nodes denote. */
class Proof {
public:
    explicit Proof(unsigned width = 24) : width(width), solver(context) {}

    /** Output `lane` of the stage at (x, y); what inputs hold there is unknown. */
    z3::expr value(const argent::hwgen::Graph &g, int stage, int x, int y, int lane = 0) {
        using namespace argent::hwgen;
        const Stage &s = g.stages[stage];
        // Lane j of a vector is lane 0, j further; each lane has its own nodes.
        const auto key = std::tuple(&g, stage, x, y, lane);
        const auto known = values.find(key);
        if (known != values.end()) return known->second;
        const z3::expr e = s.kind == Func::Kind::Input ? unknown(s.name + std::to_string(x + lane) + "_" + std::to_string(y), s.range) :
                                                         outputs(s.datapath, [&](const Leaf &l) {
                                                             if (l.kind != Leaf::Kind::Tap) return unknown(l.name, l.range);
                                                             return value(g, l.producer, x + l.offset[0], y + l.offset[1]);
                                                         })[lane];
        values.emplace(key, e);
        return e;
    }

    /** The outputs of a datapath; `leaf` gives the value of each leaf. */
    template<typename OfLeaf>
    std::vector<z3::expr> outputs(const argent::hwgen::Datapath &d, OfLeaf leaf) {
        using namespace argent::hwgen;
        std::vector<z3::expr> e;
        for (const Node &n : d.nodes()) {
            if (n.op == Op::Const) e.push_back(number(n.value));
            else if (n.op == Op::Leaf) e.push_back(leaf(d.leaves()[n.amount]));
            else e.push_back(operation(n, e));
        }
        std::vector<z3::expr> out;
        for (NodeId o : d.outputs) out.push_back(e[o]);
        return out;
    }

    /** A number of which only its interval is known; the same for the same name. */
    z3::expr unknown(const std::string &name, argent::hwgen::Interval range) {
        const z3::expr e = context.bv_const(name.c_str(), width);
        if (bounded.insert({name, range}).second) solver.add(e >= number(range.lo) && e <= number(range.hi));
        return e;
    }

    /** "" if both are equal, whatever the unknowns are; else what makes them differ. */
    std::string differ(const z3::expr &a, const z3::expr &b) { return example(a != b); }

    /** "" if the value is in the interval, whatever the unknowns are. */
    std::string within(const z3::expr &a, argent::hwgen::Interval range) { return example(a < number(range.lo) || a > number(range.hi)); }

private:
    std::string example(const z3::expr &e) {
        solver.push();
        solver.add(e);
        const z3::check_result result = solver.check();
        std::string text;
        if (result == z3::sat) text = solver.get_model().to_string();
        else if (result == z3::unknown) text = "not known: " + solver.reason_unknown();
        solver.pop();
        return text;
    }

    z3::expr number(argent::hwgen::Wide v) { return context.bv_val(static_cast<int64_t>(v), width); }
    z3::expr boolean(const z3::expr &e) { return z3::ite(e, number(1), number(0)); }

    z3::expr operation(const argent::hwgen::Node &n, const std::vector<z3::expr> &e) {
        using namespace argent::hwgen;
        const z3::expr a = e[n.args[0]], b = e[n.args[n.args.size() > 1 ? 1 : 0]];
        switch (n.op) {
        case Op::Add: case Op::Accumulate: return a + b;
        case Op::Sub: return a - b;
        case Op::Mul: return a * b;
        case Op::Min: return z3::ite(a < b, a, b);
        case Op::Max: return z3::ite(a > b, a, b);
        case Op::Abs: return z3::ite(a < number(0), -a, a);
        case Op::And: return a & b;
        case Op::Or: return a | b;
        case Op::Xor: return a ^ b;
        case Op::Not: return ~a;
        case Op::Shl: return z3::shl(a, n.amount);
        case Op::Shr: return z3::ashr(a, n.amount);
        case Op::Eq: return boolean(a == b);
        case Op::Lt: return boolean(a < b);
        case Op::Le: return boolean(a <= b);
        case Op::Select: return z3::ite(a != number(0), b, e[n.args[2]]);
        case Op::Wrap: {
            const unsigned bits = static_cast<unsigned>(n.range.bits());
            const z3::expr low = a.extract(bits - 1, 0);
            return n.range.is_signed() ? z3::sext(low, width - bits) : z3::zext(low, width - bits);
        }
        default: throw std::logic_error(std::string("no formula for ") + name_of(n.op));
        }
    }

    const unsigned width;
    z3::context context;
    z3::solver solver;
    std::map<std::tuple<const argent::hwgen::Graph *, int, int, int, int>, z3::expr> values;
    struct Known {
        std::string name;
        argent::hwgen::Interval range;
        bool operator<(const Known &o) const { return name < o.name; }
    };
    std::set<Known> bounded;
};

/** "" if both have the same outputs for all values of the leaves; else some for which they have not. */
inline std::string proof_of_equality(const argent::hwgen::Datapath &a, const argent::hwgen::Datapath &b) {
    Proof p(12);
    const auto unknown = [&](const argent::hwgen::Leaf &l) { return p.unknown(l.name, l.range); };
    const auto x = p.outputs(a, unknown), y = p.outputs(b, unknown);
    for (size_t i = 0; i < x.size(); ++i) {
        const std::string difference = p.differ(x[i], y[i]);
        if (!difference.empty()) return difference;
    }
    return "";
}

#endif
