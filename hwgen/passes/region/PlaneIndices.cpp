#include "hwgen/passes/region/PlaneIndices.h"

#include <algorithm>

namespace argent::hwgen {

int find_index(const std::vector<LaunchScalar> &scalars, const Halide::Expr &index) {
    const auto it = std::find_if(scalars.begin(), scalars.end(), [&](const LaunchScalar &s) { return Halide::Internal::equal(s.value, index); });
    return it == scalars.end() ? -1 : static_cast<int>(it - scalars.begin());
}

std::vector<LaunchScalar> plane_indices(const Region &region) {
    std::vector<LaunchScalar> scalars;
    for (const Buffer &b : region.buffers) {
        for (const Plane &p : b.planes) {
            for (int d = 0; d < b.dimensions; d++) {
                if (!p.moves(d) || find_index(scalars, p.moving[d]) >= 0) continue;
                scalars.push_back({"plane_" + std::to_string(scalars.size()), p.moving[d], ""});
            }
        }
    }
    return scalars;
}

}  // namespace argent::hwgen
