#include "hwgen/ir/Region.h"

namespace argent::hwgen {

const Buffer *buffer_of(const Region &r, const std::string &func) {
    for (const Buffer &b : r.buffers) {
        for (const Plane &p : b.planes) {
            if (p.func == func) return &b;
        }
    }
    return nullptr;
}

}  // namespace argent::hwgen
