#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "hwgen/passes/borders/BorderSources.h"

using namespace argent::hwgen;

namespace {

/** By the definitions of Halide's BoundaryConditions, over lo = 0. */
int expected(Border border, int index, int extent) {
    while (index < 0 || index >= extent) {
        if (border == Border::Edge || extent == 1) return std::clamp(index, 0, extent - 1);
        const int shift = border == Border::MirrorImage ? 1 : 0;
        index = index < 0 ? -index - shift : 2 * (extent - 1) - index + shift;
    }
    return index;
}

/** What a datapath that follows the list sees: the first entry that holds. */
int followed(const std::vector<BorderSource> &sources, int offset, int place, int extent) {
    for (const BorderSource &s : sources) {
        if (s.extent > 0 && s.extent != extent) continue;
        if ((s.from_end ? extent - 1 - s.place : s.place) == place) return place + s.offset;
    }
    return place + offset;
}

}  // namespace

TEST_CASE("border_sources: the element that Halide reads, for every place and extent") {
    for (Border border : {Border::Edge, Border::MirrorImage, Border::MirrorInterior}) {
        for (int offset = -4; offset <= 4; offset++) {
            for (int before = 0; before <= 2; before++) {
                for (int after = 0; after <= 2; after++) {
                    const std::vector<BorderSource> sources = border_sources(border, offset, before, after);
                    for (int extent = 1; extent <= 12; extent++) {
                        for (int place = -before; place < extent + after; place++) {
                            CAPTURE(int(border));
                            CAPTURE(offset);
                            CAPTURE(extent);
                            CAPTURE(place);
                            REQUIRE(followed(sources, offset, place, extent) == expected(border, place + offset, extent));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("border_sources: nothing for a read that stays inside, one for the edge of a small stencil") {
    CHECK(border_sources(Border::MirrorInterior, 0, 0, 0).empty());
    const std::vector<BorderSource> left = border_sources(Border::Edge, -1, 0, 0);
    REQUIRE(left.size() == 1);
    CHECK_FALSE(left[0].from_end);
    CHECK(left[0].place == 0);
    CHECK(left[0].offset == 0);
}
