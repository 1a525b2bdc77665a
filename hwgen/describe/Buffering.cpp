#include "hwgen/describe/Buffering.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "hwgen/describe/Json.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

std::set<int> producers_of(const Stage &consumer) {
    std::set<int> producers;
    for (const Tap &t : consumer.taps) producers.insert(t.producer);
    return producers;
}

/** The longest delay of a consumer's taps of one of its producers. */
Distance oldest_read(const Graph &g, const Stage &consumer, int producer) {
    std::optional<Distance> oldest;
    for (const Tap &t : consumer.taps) {
        if (t.producer == producer && (!oldest || t.oldest().at(g.pitch) > oldest->at(g.pitch))) oldest = t.oldest();
    }
    return *oldest;
}

/** From one producer to one consumer. */
ordered_json edge_json(const Graph &g, const Stage &consumer, int producer) {
    std::set<std::pair<int, int>> reads;
    for (const Tap &t : consumer.taps) {
        if (t.producer != producer) continue;
        const Leaf &l = consumer.datapath.leaves()[t.leaf];
        reads.insert({l.offset[0], l.offset[1]});
    }
    int x0 = reads.begin()->first, x1 = x0, y0 = reads.begin()->second, y1 = y0;
    ordered_json list = ordered_json::array();
    for (const auto &[x, y] : reads) {
        x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
        if (x > x1 - (consumer.lanes - 1) && consumer.lanes > 1 && list.size() > 400) continue;
        list.push_back({x, y});
    }
    const Stage &p = g.stages[producer];
    const Distance oldest = oldest_read(g, consumer, producer);
    return {{"from", p.shown()},
            {"to", consumer.shown()},
            {"bits", p.bits() * p.lanes},
            {"reads", list},
            {"window", {std::max(1, x1 - x0 + 1 - (consumer.lanes - 1)), y1 - y0 + 1}},
            {"delay", distance_json(oldest)},
            {"depth", g.elements_in(producer, oldest.at(g.pitch))}};
}

/** From one timeline to the next. */
ordered_json channel_edge(const Timelines &t, const Ram &ram) {
    const Timeline &writer = t.all[ram.writer], &reader = t.all[ram.readers[0]];
    const CoreStream &given = stream_of(writer, ram.of.elements[0]), &taken = channel_input(t, ram);
    const ordered_json none = ordered_json::array({0, 0});
    return {{"from", writer.graph.stages[given.stage].shown()}, {"to", reader.graph.stages[taken.stage].shown()}, {"bits", given.element_bits},
            {"reads", ordered_json::array({none})}, {"window", {1, 1}}, {"delay", {{"rows", 0}, {"cols", given.fifo_depth}}}, {"depth", given.fifo_depth}};
}

}  // namespace

ordered_json edges_json(const Graph &g) {
    ordered_json edges = ordered_json::array();
    for (const Stage &consumer : g.stages) {
        for (int producer : producers_of(consumer)) edges.push_back(edge_json(g, consumer, producer));
    }
    return edges;
}

ordered_json ram_edges_json(const Timelines &t, const Ram &ram) {
    if (ram.channel) return ordered_json::array({channel_edge(t, ram)});
    ordered_json edges = ordered_json::array();
    for (int reader : ram.readers) {
        const Graph &g = t.all[reader].graph;
        for (const Stage &s : g.stages) {
            const std::map<std::string, int> lookups = lookups_of(s.datapath);
            std::set<std::string> read;   // each has a table for every lane
            for (const TableSource &table : g.tables) {
                if (table.ram != ram.writer || !lookups.count(table.id) || !read.insert(table.label).second) continue;
                edges.push_back({{"from", table.label}, {"to", s.shown()}, {"bits", table.type.bits() * ram.lanes}, {"reads", ordered_json::array()},
                                 {"window", {ram.most[0], ram.most[1]}}, {"delay", {{"rows", ram.rows}, {"cols", 0}}}, {"depth", ram.depth() * ram.lanes}});
            }
        }
    }
    return edges;
}

ordered_json windows_json(const Graph &g) {
    ordered_json windows = ordered_json::array();
    for (const Window &w : g.windows) {
        const Stage &p = g.stages[w.producer];
        const int64_t width = int64_t(p.bits()) * p.lanes;
        int64_t registers = 0;
        for (int64_t c : w.columns) registers += c;
        ordered_json consumers = ordered_json::array();
        for (const Stage &s : g.stages) {
            const bool reads = std::any_of(s.taps.begin(), s.taps.end(),
                                           [&](const Tap &t) { return t.producer == w.producer; });
            if (reads) consumers.push_back(s.shown());
        }
        const int64_t words = g.row_words(w);
        windows.push_back({{"producer", p.shown()},
                           {"rows", w.rows},
                           {"row_words", words},
                           {"row_bits", width},
                           {"register_bits", registers * width},
                           {"ram_bits", words * width * w.rows},
                           {"consumers", consumers}});
        if (w.repeats_first > 0 || w.repeats_last) windows.back()["repeats_rows"] = true;
    }
    return windows;
}

int64_t separate_bits(const Graph &g) {
    int64_t bits = 0;
    for (const Stage &consumer : g.stages) {
        for (int p : producers_of(consumer)) bits += oldest_read(g, consumer, p).at(g.pitch) * g.bits_per_position(p);
    }
    return bits / g.bits_unit();
}

}  // namespace argent::hwgen
