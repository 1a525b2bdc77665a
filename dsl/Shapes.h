#ifndef ARGENT_DSL_SHAPES_H
#define ARGENT_DSL_SHAPES_H

#include <Halide.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dsl/Spec.h"

/** Hardware is two-dimensional. All else is unrolled: every value of a dimension that is not scanned, like every element of
 *  a Tuple, is a Func of its own there.
 *    yuv(x, y, c), c in 0 .. 2   ->   yuv_c0(x, y), yuv_c1(x, y), yuv_c2(x, y) */
namespace argent::dsl {

/** More values of the unrolled dimensions of an output than this are no channels. */
constexpr int most_channels = 16;

/** The dimensions of a Func, by index. */
struct Shape {
    std::vector<int> scanned;    // the scan walks through them, innermost first
    std::vector<int> unrolled;
};

/** A dimension's values. */
struct Span {
    int min = 0;
    int extent = 0;   // 0: not known when the pipeline is compiled
};

/** Of an output: what unroll() says; otherwise the first two dimensions of the block are scanned and others, of which the
 *  extents are known, unrolled. */
Shape output_shape(const AcceleratorSpec &spec, const Halide::Internal::Function &out);

/** What bound(), set_bounds() and the block say of dimension `d` of an output. */
Span span_of(const AcceleratorSpec &spec, const Halide::Internal::Function &out, int d);

/** What bound() or set_bounds() say of dimension `d` of a Func or image; extent 0 if nothing. */
Span declared_span(const Halide::Internal::Function &f, const Halide::Parameter &image, int d);

/** One element, of those that become Funcs of their own. */
struct Scalar {
    std::string func;
    int element = 0;             // of a Tuple
    std::vector<int> at;         // as unrolled of the Shape
    bool operator<(const Scalar &o) const {
        return std::tie(func, element, at) < std::tie(o.func, o.element, o.at);
    }
};

/** All elements of a Func, whose unrolled dimensions have these spans; the first dimension fastest. None if one is empty. */
std::vector<Scalar> scalars_of(const Halide::Internal::Function &f, const std::vector<Span> &spans);

/** In the region: f itself if there is but one; yuv.c0, minmax.1, f.c2.k0. Users' names have no points. */
std::string scalar_name(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);
/** For people and Verilog: yuv_c0, minmax_1. */
std::string scalar_label(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** The variables of `f` that have a number in `s`. */
std::map<std::string, int> fixed_vars(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** Its place in the Func's buffer: 0 in the scanned dimensions. */
std::vector<int> plane_at(const Scalar &s, const Halide::Internal::Function &f, const Shape &shape);

/** Numbers in place of variables; then chains of select and mux over them are one branch, and indices simple. */
Halide::Expr with_numbers(const Halide::Expr &e, const std::map<std::string, int> &fixed);

/** The element that a call of a Func with this shape reads; nothing if an index of an unrolled dimension is no number. */
std::optional<Scalar> scalar_read(const Halide::Internal::Call *call, const Shape &shape);

}  // namespace argent::dsl

#endif
