#ifndef ARGENT_HWGEN_PASSES_DATAPATH_EXACTFLOATS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_EXACTFLOATS_H

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Floats whose values are known exactly: integers that the type holds, and square roots of integers, of which only the rounded value
 *  is ever asked for. With p = 24 bits of mantissa (float32; 53 in float64), sqrt correctly rounded, and P = 24 (52):
 *
 *    cast<int>(sqrt(e)), floor(sqrt(e))              ->   Sqrt(e)                       0 <= e < 2^P
 *    cast<int>(sqrt(e) + 0.5f), round(sqrt(e))       ->   Sqrt(e) + (e > Sqrt(e)^2 + Sqrt(e))   0 <= e < 2^(P - 2)
 *    min, max and select of such and of integers     ->   the same of the rounded values, as rounding keeps the order
 *    +, -, * of integers                             ->   the same, up to 2^p
 *
 *  Proof. Let k = floor(sqrt(e)), 2^j <= k < 2^(j + 1). Floats from k to k + 1 are 2^(j + 1 - p) apart, so rounding moves by at most
 *  h = 2^(j - p). k <= sqrt(e), so the float is not below k, which it can hold. e <= (k + 1)^2 - 1, so sqrt(e) is below
 *  k + 1 by more than 1 / (2 (k + 1)) >= 2^-(j + 2); that is not less than h if 2 j + 2 <= p, which e < 2^P sees to; so the float is below k + 1.
 *  A half: e is an integer, so sqrt(e) is away from k + 1/2 by more than 1 / (8 (k + 1)) >= 2^-(j + 4) >= h if 2 j + 4 <= p; so the float is on the
 *  same side, and is not k + 1/2 itself. Adding 0.5 to a float below k + 1/2 gives one below k + 1 of the same exponent, so it is
 *  exact; and of the others, one of at least k + 1. */
class ExactFloats {
public:
    explicit ExactFloats(Datapath &d) : d(d) {}

    /** Whether there may be a rule for this expression, itself a float, its operands not looked at. */
    static bool may_have_rule(const Halide::Expr &);

    /** The integer that a cast of a float constant gives (Halide folds the root of a constant); nothing if the expression is no such cast, or its type does not hold it. */
    static std::optional<int64_t> cast_constant(const Halide::Expr &);

    /** A float expression of a kind that may have a rule, of its operands: nodes of integers and bools, or what this gave for floats.
     *  Throws UnsupportedOp where the value is not known exactly. */
    int combine(const Halide::Expr &, const std::vector<int> &operands);
    /** A comparison of floats. */
    NodeId compare(Op, int a, int b);
    /** What a cast to an integer gives: towards zero. */
    NodeId truncated(int value) const;

private:
    struct Value {
        NodeId down;       // the integer, or the root rounded down
        NodeId nearest;    // rounded at halves; -1 where it is not known
        bool is_integer;   // else a root, or one of several values of which some are
        bool is_half = false;   // the constant 0.5
        bool has_half = false;  // 0.5 has been added, and only what is rounded down is known of that
    };
    int add(Value v) { return values.push_back(v), static_cast<int>(values.size()) - 1; }
    Value integer(NodeId, const Halide::Type &, const char *what) const;
    Value cast(const Halide::Expr &, int operand) const;
    Value sum(const Halide::Expr &, const Value &a, const Value &b) const;
    Value square_root(const Halide::Type &, const Value &) const;
    Value rounded(const Halide::Type &, const std::string &name, const Value &) const;
    Value of_both(Op, const Value &a, const Value &b, NodeId condition = -1) const;
    [[noreturn]] static void refuse_nearest(const Halide::Type &, const std::string &name, const Value &);

    Datapath &d;
    std::vector<Value> values;
};

}  // namespace argent::hwgen

#endif
