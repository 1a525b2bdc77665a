#include "platform/Timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace argent::platform {

namespace {

constexpr size_t most_spans = 2000;  // of a lane

int order_of(Timeline::Kind kind) {
    switch (kind) {
    case Timeline::Kind::Host:
    case Timeline::Kind::Driver: return 0;
    case Timeline::Kind::Launch: return 1;
    default: return 2;
    }
}

const char *name_of(Timeline::Kind kind) {
    static const char *const names[] = {"host", "driver", "launch", "read", "write"};
    return names[static_cast<int>(kind)];
}

}  // namespace

void Timeline::clear(uint64_t ps) {
    lanes.clear();
    from = ps;
    cut = false;
}

void Timeline::add(const std::string &lane, Kind kind, uint64_t begin, uint64_t end, uint64_t gap) {
    begin = std::max(begin, from);
    if (end <= begin) return;
    std::vector<Span> &spans = lanes[{order_of(kind), lane}];
    if (!spans.empty() && spans.back().kind == kind && begin <= spans.back().end + gap) {
        spans.back().end = std::max(spans.back().end, end);
    } else if (spans.size() < most_spans) {
        spans.push_back({kind, begin, end});
    } else {
        cut = true;
    }
}

std::string Timeline::json(uint64_t now) const {
    const auto us = [&](uint64_t ps) { return double(ps - from) * 1e-6; };
    nlohmann::ordered_json j = {{"end", us(std::max(now, from))}, {"cut", cut}, {"lanes", nlohmann::ordered_json::array()}};
    for (const auto &[key, spans] : lanes) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const Span &s : spans) list.push_back({name_of(s.kind), us(s.begin), us(s.end)});
        j["lanes"].push_back({{"name", key.second}, {"spans", std::move(list)}});
    }
    return j.dump();
}

}  // namespace argent::platform
