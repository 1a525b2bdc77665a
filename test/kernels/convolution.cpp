#include "Kernel.h"

namespace {

/** A window of N x N with weights that have nothing in common: (37 (N j + i) + 11) mod Modulus + 1. */
template<int N, int Modulus, int Shift>
class Convolution : public Kernel<Convolution<N, Modulus, Shift>> {
public:
    Halide::Expr compute() {
        Halide::Expr sum = 0;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) sum += ((37 * (N * j + i) + 11) % Modulus + 1) * this->in(i - N / 2, j - N / 2);
        }
        return Halide::cast<uint8_t>(sum >> Shift);
    }
};

using Convolution4 = Convolution<4, 61, 9>;
using Convolution8 = Convolution<8, 127, 12>;

}  // namespace

ARGENT_REGISTER_GENERATOR(Convolution4, conv_4x4)
ARGENT_REGISTER_GENERATOR(Convolution8, conv_8x8)
