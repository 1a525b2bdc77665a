#ifndef ARGENT_HWGEN_PASSES_TIME_SHARED_JOBS_H
#define ARGENT_HWGEN_PASSES_TIME_SHARED_JOBS_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Datapath.h"
#include "hwgen/passes/datapath/OpenSums.h"

namespace argent::hwgen {

/** Operators down to leaves. Two of equal shape differ in leaves and constants only. */
struct Cone {
    std::string shape;               // empty: too large
    std::vector<NodeId> operands;    // leaves and constants, in the order of the shape
    std::vector<Interval> wraps;     // of its Wrap nodes, likewise
    std::set<NodeId> nodes;
    double cost = 0;                 // of its operators
};

struct Term {
    NodeId node = -1;
    Wide coefficient = 1;
    Cone cone;
};

/** Terms of one shape that one operator puts together: all that a root has of that shape. Const: a single one. */
struct Job {
    NodeId root = -1;
    Op op = Op::Const;
    Wide factor = 1;                 // of the sum of all terms
    std::vector<Term> terms;
    bool has_coefficients = false;   // beside the factor
    Interval range;                  // of what the terms make together, or of the low bits of it that anybody needs
    bool is_modular = false;         // the latter
    double cost = 0;                 // computed in one clock
};

/** A sum as terms times coefficients, and what is left of its constants. */
struct TermsOfSum {
    std::map<NodeId, Wide> terms;
    Wide constant = 0;
};

/** Look-up tables that put one more value of a range together with others. */
double price_of_gathering(Op, Interval range);

/** What of a datapath can take turns on one set of operators: sums, choices and single products, quotients and remainders that are of one
 *  shape. `is_operand`: nodes that are computed before all of it, beside leaves and constants.
 *    a * k0 + b * k1 + c / 3   ->   "Add (Mul x x)": {a * k0, b * k1}; "Const (Div x x)": {c / 3} */
class SharedJobs {
public:
    SharedJobs(const Datapath &d, std::vector<bool> is_operand, const Prices &prices);

    const std::map<std::string, std::vector<Job>> &by_shape() const { return jobs; }
    TermsOfSum sum_of(NodeId root) const;
    std::vector<Term> choices_of(NodeId root) const;
    bool is_operand(NodeId n) const;
    /** Of one operator, in look-up tables. */
    double cost_of(NodeId n) const;
    /** Adders, or choices, that put terms together to the root, which stands among them. */
    std::set<NodeId> gathering(NodeId root) const;
    /** Arguments in the same order for all of a shape: larger operands first, then taps, params and constants. */
    std::vector<int> order_of(const Node &node) const;

private:
    std::vector<NodeId> roots() const;
    Wide scale_of(NodeId n) const;
    void add_sums(NodeId root);
    void add_job(NodeId root, Op op, std::vector<Term> terms);
    bool measure(Job &j) const;
    Cone cone_of(NodeId n) const;
    bool walk(NodeId n, Cone &c, int &left) const;

    const Datapath &d;
    const std::vector<bool> given;    // nodes that are operands
    const std::vector<int> needed;    // low bits of each node; any others will do
    const Prices prices;
    std::map<std::string, std::vector<Job>> jobs;   // by what operators they take
};

inline bool is_choice(Op op) { return op == Op::Min || op == Op::Max; }

}  // namespace argent::hwgen

#endif
