#include "Kernel.h"

namespace {

/** A binomial blur of N x N, written as one sum over the window. */
template<int N>
class Gaussian : public Kernel<Gaussian<N>> {
public:
    Halide::Expr compute() {
        int weight[N] = {1};
        for (int i = 1; i < N; i++) weight[i] = weight[i - 1] * (N - i) / i;
        Halide::Expr sum = 0;
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) sum += weight[i] * weight[j] * this->in(i - N / 2, j - N / 2);
        }
        return Halide::cast<uint8_t>(sum >> (2 * (N - 1)));
    }
};

}  // namespace

ARGENT_REGISTER_GENERATOR(Gaussian<3>, gaussian_3x3)
ARGENT_REGISTER_GENERATOR(Gaussian<5>, gaussian_5x5)
