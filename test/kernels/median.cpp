#include "Kernel.h"

using Halide::Expr;

namespace {

/** The median of 9, as the middle of three sorted columns: of the largest low, the middle middle and the smallest high. */
class Median : public Kernel<Median> {
public:
    Expr compute() {
        Expr low[3], mid[3], high[3];
        for (int i = 0; i < 3; i++) {
            const Expr a = padded(x + i - 1, y - 1), b = padded(x + i - 1, y), c = padded(x + i - 1, y + 1);
            low[i] = min(a, b, c);
            mid[i] = middle(a, b, c);
            high[i] = max(a, b, c);
        }
        return middle(max(low[0], low[1], low[2]), middle(mid[0], mid[1], mid[2]), min(high[0], high[1], high[2]));
    }

private:
    static Expr middle(const Expr &a, const Expr &b, const Expr &c) { return max(min(a, b), min(max(a, b), c)); }
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Median, median_3x3)
