#include "hwgen/passes/borders/BorderSources.h"

#include <algorithm>
#include <cstdlib>

namespace argent::hwgen {

namespace {

/** The element that is seen `beyond` (>= 1) elements outside of an endless domain, counted from its edge. */
int reflected(Border border, int beyond) {
    switch (border) {
    case Border::Edge:
    case Border::Least:
    case Border::Largest: return 0;
    case Border::MirrorImage: return beyond - 1;
    case Border::MirrorInterior: return beyond;
    case Border::Repeat:   // of inputs only, in front of the scan
    case Border::Any: break;
    }
    return 0;
}

/** The element of a domain of `extent` that is seen at `index`. */
int seen(Border border, int index, int extent) {
    const auto modulo = [](int a, int b) { return ((a % b) + b) % b; };
    switch (border) {
    case Border::Edge:
    case Border::Least:
    case Border::Largest: return std::clamp(index, 0, extent - 1);
    case Border::MirrorImage: {
        const int at = modulo(index, 2 * extent);
        return at < extent ? at : 2 * extent - 1 - at;
    }
    case Border::MirrorInterior: {
        const int limit = extent - 1;
        return limit == 0 ? 0 : limit - std::abs(limit - modulo(index, 2 * limit));
    }
    case Border::Repeat:
    case Border::Any: break;
    }
    return 0;
}

}  // namespace

std::vector<BorderSource> border_sources(Border border, int offset, int before, int after) {
    if (border == Border::Any) return {};
    std::vector<BorderSource> low, high, small;
    for (int place = -before; place + offset < 0; place++) {
        low.push_back({place, false, 0, reflected(border, -(place + offset)) - place});
    }
    for (int place = -after; place - offset < 0; place++) {
        high.push_back({place, true, 0, place - reflected(border, offset - place)});
    }
    // One reflection is not enough where the domain is narrower than what it reflects.
    const int farthest = std::max({0, before - offset, after + offset});
    for (int extent = 1; extent <= farthest; extent++) {
        for (int place = -before; place < extent + after; place++) {
            int once = offset;
            for (const BorderSource &s : low) {
                if (s.place == place) once = s.offset;
            }
            for (const BorderSource &s : high) {
                if (s.place == extent - 1 - place) once = s.offset;
            }
            const int right = seen(border, place + offset, extent) - place;
            if (right != once) small.push_back({place, false, extent, right});
        }
    }
    small.insert(small.end(), low.begin(), low.end());
    small.insert(small.end(), high.begin(), high.end());
    return small;
}

}  // namespace argent::hwgen
