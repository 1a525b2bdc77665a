#ifndef ARGENT_HWGEN_PASSES_REGION_IMAGE_BOUNDS_H
#define ARGENT_HWGEN_PASSES_REGION_IMAGE_BOUNDS_H

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace argent::hwgen {

/** An expression of images' minima and extents, simplified for images with at least one element: a launch of others is refused. */
Halide::Expr simplified_of_images(const Halide::Expr &);

/** How far reads lie beyond a domain at most, by one end of what reads. That end may be one of several (min, max, select): what fills a RAM begins
 *  where the first of its readers does, and ends where the last one does. */
class Farthest {
public:
    /** `beyond`: so many elements, for an end that is one expression. `is_last`: more for ends farther behind; else for those farther in front. `most`: more do not count as known. */
    Farthest(bool is_last, int64_t most, std::function<Halide::Expr(Halide::Expr)> beyond) : is_last(is_last), most(most), beyond(std::move(beyond)) {}

    /** 0 or more; nothing if that cannot be told. */
    std::optional<int64_t> of(const Halide::Expr &end);

private:
    using Known = std::optional<int64_t>;
    Known of_end(const Halide::Expr &end, int added);
    Known of_parts(const Halide::Expr &end, int added);
    Known bound_of(const Halide::Expr &elements) const;

    const bool is_last;
    const int64_t most;
    const std::function<Halide::Expr(Halide::Expr)> beyond;
    std::map<std::pair<const Halide::Internal::IRNode *, int>, Known> all;
};

}  // namespace argent::hwgen

#endif
