#ifndef ARGENT_FUZZ_RANDOM_H
#define ARGENT_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace argent::fuzz {

inline uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/** The same numbers on every machine, which the distributions of <random> do not promise. */
class Random {
public:
    explicit Random(uint64_t seed) : state(mix(seed)) {}
    uint64_t next() { return mix(state++); }
    int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
    /** lo..hi, both included. */
    int between(int lo, int hi) { return lo + below(hi - lo + 1); }
    bool chance(int percent) { return below(100) < percent; }
    template<typename T>
    const T &pick(const std::vector<T> &v) { return v[below(static_cast<int>(v.size()))]; }
    template<typename T>
    T pick(std::initializer_list<T> v) { return *(v.begin() + below(static_cast<int>(v.size()))); }
    /** An index, in proportion to its weight. */
    int weighted(const std::vector<int> &weights) {
        int sum = 0;
        for (int w : weights) sum += w;
        int at = below(sum);
        for (size_t i = 0; i < weights.size(); i++) {
            if ((at -= weights[i]) < 0) return static_cast<int>(i);
        }
        return 0;
    }

private:
    uint64_t state;
};

}  // namespace argent::fuzz

#endif
