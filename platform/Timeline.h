#ifndef ARGENT_PLATFORM_TIMELINE_H
#define ARGENT_PLATFORM_TIMELINE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace argent::platform {

/** Who was at work when, in the last frame (or, if the program says nothing of frames, since the beginning). */
class Timeline {
public:
    enum class Kind { Host, Driver, Launch, Read, Write };

    /** Forgets all; times count from here. */
    void clear(uint64_t ps);
    /** [begin, end) of what `lane` did. What follows within `gap` joins it. */
    void add(const std::string &lane, Kind kind, uint64_t begin, uint64_t end, uint64_t gap);
    /** {"end": microseconds, "lanes": [{"name": ..., "spans": [[kind, first, last], ...]}, ...]}: the program's threads, accelerators, ports.
     *  "cut": there was more than anybody would look at. */
    std::string json(uint64_t now) const;

private:
    struct Span {
        Kind kind;
        uint64_t begin, end;
    };
    std::map<std::pair<int, std::string>, std::vector<Span>> lanes;  // by what they are, then by name
    uint64_t from = 0;
    bool cut = false;
};

}  // namespace argent::platform

#endif
