#include "Kernel.h"

using Halide::Expr;

namespace {

/** The largest of 25 pixels. */
class Dilation : public Kernel<Dilation> {
public:
    Expr compute() {
        const Halide::RDom window(-2, 5, -2, 5);
        return Halide::maximum(padded(x + window.x, y + window.y));
    }
};

/** The smallest of the 69 pixels that are nearer than 5. */
class Erosion : public Kernel<Erosion> {
public:
    Expr compute() {
        Halide::RDom disc(-4, 9, -4, 9);
        disc.where(disc.x * disc.x + disc.y * disc.y < 25);
        return Halide::minimum(padded(x + disc.x, y + disc.y));
    }
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Dilation, dilation_5x5)
ARGENT_REGISTER_GENERATOR(Erosion, erosion_disc)
