#ifndef ARGENT_FUZZ_OPERATORS_H
#define ARGENT_FUZZ_OPERATORS_H

#include <Halide.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "Pipeline.h"

namespace argent::fuzz {

using Wide = __int128;

/** All integers lo..hi. The fuzzer's own analysis, which decides what Halide defines; the compiler's is under test. */
struct Range {
    Wide lo = 0, hi = 0;
    bool contains(Wide v) const { return lo <= v && v <= hi; }
    bool within(Range o) const { return o.lo <= lo && hi <= o.hi; }
    Range hull(Range o) const { return {lo < o.lo ? lo : o.lo, hi > o.hi ? hi : o.hi}; }
};
Range range_of_type(Type);

/** What `range` of an operator gets to see. */
struct Operands {
    Type type;                     // of the result
    std::vector<Type> types;
    std::vector<Range> ranges;
    std::vector<bool> is_nonzero;  // for certain
};

/** Where a generator of random operators finds operands for it. */
enum class Shape {
    Same,        // operands and result of one type
    Compare,     // operands of one type, result bool
    Bool,        // all bool
    Unsign,      // operands of a type, result unsigned of as many bits
    Shift,       // a value, and an amount of as many bits
    Widen,       // operands of a narrow type, result twice as wide
    WidenShift,
    WidenRight,  // wide, narrow -> wide
    MulShift,    // two of a type, and an amount
    Lerp,        // two of a type, and a weight
    Select, Mux, Cast, Reinterpret, Narrow, Extract, Concat, Promise
};

struct Operator {
    const char *name;
    Shape shape;
    int arity;        // -1: any
    int weight;       // how often random pipelines have it
    bool is_typed;    // the result's type is written
    std::function<Type(Type, const std::vector<Type> &)> result;   // Type() (no bits): operands not accepted
    std::function<Halide::Expr(Type, std::vector<Halide::Expr>)> build;
    /** Nothing: Halide may leave the result undefined. */
    std::function<std::optional<Range>(const Operands &)> range;
};

const std::vector<Operator> &operators();
const Operator *find_operator(const std::string &name);
bool is_reduction(const std::string &name);   // sum, product, maximum, minimum

/** `exact` in `t`: itself if it fits, all of `t` where t wraps, nothing where overflow is undefined. */
std::optional<Range> wrapped(Range exact, Type t);
Range product(Range a, Range b);

/** Roughly: statements of a simulation. */
int cost_of(const Term &);

}  // namespace argent::fuzz

#endif
