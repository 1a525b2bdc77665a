#ifndef ARGENT_PLATFORM_INTERVALS_H
#define ARGENT_PLATFORM_INTERVALS_H

#include <cstdint>
#include <utility>
#include <vector>

namespace argent::platform {

/** When something was so: a set of moments, in picoseconds. Intervals come in any order. */
class Intervals {
public:
    void add(uint64_t begin, uint64_t end);
    void clear() { list.clear(); }

    /** In order, without overlaps, and cut off there. */
    Intervals until(uint64_t end) const;
    /** Of two that are in order. */
    Intervals minus(const Intervals &other) const;
    /** Of one that is in order. */
    double seconds() const;

private:
    std::vector<std::pair<uint64_t, uint64_t>> list;
};

}  // namespace argent::platform

#endif
