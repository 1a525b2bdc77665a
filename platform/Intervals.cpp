#include "platform/Intervals.h"

#include <algorithm>

namespace argent::platform {

void Intervals::add(uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    if (!list.empty() && begin <= list.back().second && begin >= list.back().first) list.back().second = std::max(list.back().second, end);
    else list.emplace_back(begin, end);
}

Intervals Intervals::until(uint64_t end) const {
    auto sorted = list;
    std::sort(sorted.begin(), sorted.end());
    Intervals result;
    for (const auto &i : sorted) result.add(i.first, std::min(i.second, end));
    return result;
}

Intervals Intervals::minus(const Intervals &other) const {
    Intervals result;
    auto o = other.list.begin();
    for (auto [begin, end] : list) {
        while (o != other.list.end() && o->second <= begin) ++o;
        for (auto k = o; k != other.list.end() && k->first < end; ++k) {
            result.add(begin, std::min(k->first, end));
            begin = std::max(begin, k->second);
        }
        result.add(begin, end);
    }
    return result;
}

double Intervals::seconds() const {
    double sum = 0;
    for (const auto &i : list) sum += double(i.second - i.first) * 1e-12;
    return sum;
}

}  // namespace argent::platform
