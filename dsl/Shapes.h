#ifndef ARGENT_DSL_SHAPES_H
#define ARGENT_DSL_SHAPES_H

#include <Halide.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dsl/Spec.h"
#include "hwgen/ir/Region.h"

/** Hardware is two-dimensional. All else is unrolled: every value of a dimension that is not scanned, like every element of
 *  a Tuple, is a Func of its own there.
 *    yuv(x, y, c), c in 0 .. 2   ->   yuv_c0(x, y), yuv_c1(x, y), yuv_c2(x, y)
 *  Scans along more than two dimensions are loops of the host around launches: what the loops' variables are is known then, so these
 *  dimensions are unrolled, too, with the places that one launch reads in place of numbers.
 *    out(x, y, z) reads in(x, y, z - 1) and in(x, y, z)   ->   out_z(x, y) reads in_z_m1(x, y) and in_z(x, y) */
namespace argent::dsl {

/** More values of the unrolled dimensions of an output than this are no channels. */
constexpr int most_channels = 16;

/** The dimensions of a Func, by index. */
struct Shape {
    std::vector<int> scanned;    // the scan walks through them, innermost first
    std::vector<int> unrolled;
    std::vector<int> looped;     // of an output: those of the unrolled ones that the host loops over
    std::vector<int> inner;      // of an output: those of the unrolled ones that are scanned inside of the last of `scanned`
    bool is_looped(int d) const { return std::find(looped.begin(), looped.end(), d) != looped.end(); }
    bool is_inner(int d) const { return std::find(inner.begin(), inner.end(), d) != inner.end(); }
};

/** A dimension's values. */
struct Span {
    int min = 0;
    int extent = 0;   // 0: not known when the pipeline is compiled
};

/** Of an output: what unroll() and reorder() say; otherwise the first two dimensions of the block are scanned, and others unrolled
 *  or, if they are too large for that or the first output is, looped over. Channels that the block or reorder() has inside of the second one are unrolled, too,
 *  but have a clock each.
 *    block({{c, 3}, {x, 64}, {y, 32}})   ->   scanned x, y; unrolled c; inner c */
Shape output_shape(const AcceleratorSpec &spec, const Halide::Internal::Function &out);

/** Clocks that the inner dimensions of an output's scan make of one. */
int clocks_of_inner(const AcceleratorSpec &spec, const Halide::Internal::Function &out);

/** The variables of the scan, innermost first. */
std::vector<std::string> scanned_vars(const Halide::Internal::Function &f, const Shape &shape);

/** What bound(), set_bounds() and the block say of dimension `d` of an output. */
Span span_of(const AcceleratorSpec &spec, const Halide::Internal::Function &out, int d);

/** What bound() or set_bounds() say of dimension `d` of a Func or image; extent 0 if nothing. */
Span declared_span(const Halide::Internal::Function &f, const Halide::Parameter &image, int d);

/** The variable of a host's loop, in the region: what the host passes to every launch. */
Halide::Expr loop_variable(const std::string &var);

/** An index of an unrolled dimension: a number, or what follows from the variables of loops and Params. */
struct Place {
    int number = 0;
    Halide::Expr moving;         // undefined: the number
    std::string key;             // of `moving`: equal if it is the same place

    Place() = default;
    Place(int number) : number(number) {}
    explicit Place(const Halide::Expr &moving);
    Halide::Expr index() const { return moving.defined() ? moving : Halide::Expr(number); }
    bool operator<(const Place &o) const { return std::tie(number, key) < std::tie(o.number, o.key); }
};

/** One element, of those that become Funcs of their own. */
struct Scalar {
    std::string func;
    int element = 0;             // of a Tuple
    std::vector<Place> at;       // as unrolled of the Shape
    bool operator<(const Scalar &o) const {
        return std::tie(func, element, at) < std::tie(o.func, o.element, o.at);
    }
};

/** All elements of a Func, whose unrolled dimensions have these places; the first dimension fastest. None if one has none. */
std::vector<Scalar> scalars_of(const Halide::Internal::Function &f, const std::vector<std::vector<Place>> &places);
std::vector<Place> places_of(const Span &span);

/** In the region: f itself if there is but one; yuv.c0, minmax.1, f.c2.k0, in.z_m1, and f.turned if its columns are scanned as rows. Users' names
 *  have no points. */
std::string scalar_name(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);
/** For people and Verilog: yuv_c0, minmax_1. */
std::string scalar_label(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** The variables of `f` that have a place in `s`. */
std::map<std::string, Halide::Expr> fixed_vars(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** Its plane of the Func's buffer, called `name`. */
hwgen::Plane plane_of(const std::string &name, const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** Numbers (or places) in place of variables; then chains of select and mux over them are one branch, and indices simple. */
Halide::Expr with_numbers(const Halide::Expr &e, const std::map<std::string, Halide::Expr> &fixed);

/** The Place of an index; nothing for one that moves with the scan. */
std::optional<Place> place_of(const Halide::Expr &index);

/** The element that a call of a Func with this shape reads; nothing if an index of an unrolled dimension is no Place. */
std::optional<Scalar> scalar_read(const Halide::Internal::Call *call, const Shape &shape);

}  // namespace argent::dsl

#endif
