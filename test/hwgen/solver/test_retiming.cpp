#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "hwgen/solver/Retiming.h"

using namespace argent::hwgen;

namespace {

using Node = RetimingProblem::Node;
using Value = RetimingProblem::Value;

int stands(const RetimingProblem &p, const std::vector<int> &reads, int n) { return reads[n] + p.nodes[n].clocks; }

/** Whether every way between registers is short enough, by adding up delays clock by clock: no pairs, no solver. */
bool is_legal(const RetimingProblem &p, const std::vector<int> &reads, int latency) {
    const int size = static_cast<int>(p.nodes.size());
    std::vector<double> arrival(size);
    const auto valid = [&](int n, int clock) { return stands(p, reads, n) == clock ? arrival[n] : p.clock_to_out; };
    const auto is_short = [&](double at, double delay) { return at <= std::max(p.budget, p.clock_to_out + delay) + 1e-9; };
    for (int n = 0; n < size; ++n) {
        const Node &node = p.nodes[n];
        if (reads[n] < 0) return false;
        double at = 0;
        for (int s : node.operands) {
            if (stands(p, reads, s) > reads[n]) return false;
        }
        for (int s : node.inputs) at = std::max(at, valid(s, reads[n]));
        if (!node.is_leaf && !is_short(at + node.delay, node.delay)) return false;
        arrival[n] = node.is_leaf || node.clocks > 0 ? node.origin : at + node.delay;
        if (node.is_leaf && reads[n] != 0) return false;
    }
    for (int o : p.outputs) {
        const bool leaves_register = p.nodes[o].clocks > 0 && p.nodes[o].origin <= p.clock_to_out;
        if (stands(p, reads, o) + (p.registered && !leaves_register ? 1 : 0) > latency) return false;
        if (!p.registered && !is_short(valid(o, latency) + p.way_out, p.way_out)) return false;
    }
    return true;
}

int64_t bits_of(const RetimingProblem &p, const std::vector<int> &reads, int latency) {
    int64_t bits = 0;
    for (const Value &v : p.values) {
        int last = v.is_output ? latency : stands(p, reads, v.source);
        for (int r : v.readers) last = std::max(last, reads[r] - p.nodes[r].ranks);
        bits += v.bits * (last - stands(p, reads, v.source));
    }
    return bits;
}

/** As early as possible, by adding up delays. */
std::vector<int> earliest(const RetimingProblem &p, int &latency) {
    const int size = static_cast<int>(p.nodes.size());
    std::vector<int> reads(size, 0);
    latency = 0;
    for (int n = 0; n < size; ++n) {
        std::vector<int> until(reads.begin(), reads.begin() + n + 1);
        RetimingProblem part = p;
        part.nodes.resize(n + 1);
        part.outputs.clear();
        while (!is_legal(part, until, 1000)) ++until[n];
        reads[n] = until[n];
    }
    while (!is_legal(p, reads, latency)) ++latency;
    return reads;
}

/** All places of all nodes. */
std::optional<int64_t> least_bits(const RetimingProblem &p, int latency) {
    const int size = static_cast<int>(p.nodes.size());
    std::vector<int> reads(size, 0);
    std::optional<int64_t> least;
    const std::function<void(int)> place = [&](int n) {
        if (n == size) {
            if (is_legal(p, reads, latency)) least = std::min(least.value_or(std::numeric_limits<int64_t>::max()), bits_of(p, reads, latency));
            return;
        }
        for (reads[n] = 0; reads[n] <= (p.nodes[n].is_leaf ? 0 : latency); ++reads[n]) place(n + 1);
        reads[n] = 0;
    };
    place(0);
    return least;
}

struct Random {
    explicit Random(unsigned seed) : random(seed) {}
    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

    RetimingProblem problem(int leaves, int operators) {
        RetimingProblem p;
        p.clock_to_out = 1;
        p.budget = 4 + below(6);
        p.registered = below(3) > 0;
        p.way_out = 1 + below(2);
        const int size = leaves + operators, near = 4 + size / 20;
        std::vector<std::set<int>> readers(size);
        for (int n = 0; n < size; ++n) {
            Node node;
            node.origin = 1 + (below(4) ? 0 : below(3));
            if (n < leaves) {
                node.is_leaf = true;
                p.nodes.push_back(node);
                continue;
            }
            node.delay = below(8) ? 1 + below(4) : below(10);   // some take longer than a clock, some nothing
            node.clocks = below(8) ? 0 : 1 + below(2);
            node.ranks = below(5) ? 0 : 1 + below(2);
            std::set<int> operands, inputs;
            for (int k = 1 + below(3); k > 0; --k) operands.insert(below(4) ? std::max(0, n - 1 - below(near)) : below(n));
            for (int s : operands) {   // a gate in the same table is seen through
                const bool through = !p.nodes[s].is_leaf && p.nodes[s].clocks == 0 && node.clocks == 0 && below(4) == 0;
                if (through) inputs.insert(p.nodes[s].inputs.begin(), p.nodes[s].inputs.end());
                else inputs.insert(s);
            }
            node.operands.assign(operands.begin(), operands.end());
            node.inputs.assign(inputs.begin(), inputs.end());
            for (int s : operands) readers[s].insert(n);
            p.nodes.push_back(node);
        }
        for (int n = 0; n < size; ++n) {
            const bool is_output = n == size - 1 || (readers[n].empty() && n >= leaves) || below(12) == 0;
            if (is_output) p.outputs.push_back(n);
            // Some bits have all readers, others a few of them.
            std::vector<int> all(readers[n].begin(), readers[n].end()), some;
            for (int r : all) {
                if (below(2)) some.push_back(r);
            }
            if (!all.empty() || is_output) p.values.push_back({n, 1 + below(12), all, is_output});
            if (!some.empty()) p.values.push_back({n, 1 + below(12), some, false});
        }
        return p;
    }

    std::mt19937 random;
};

RetimingProblem chain(const std::vector<double> &delays) {
    RetimingProblem p;
    p.nodes.emplace_back().is_leaf = true;
    for (double delay : delays) {
        const int before = static_cast<int>(p.nodes.size()) - 1;
        Node n;
        n.delay = delay;
        n.operands = n.inputs = {before};
        p.nodes.push_back(n);
        p.values.push_back({before, 8, {before + 1}, false});
    }
    const int last = static_cast<int>(delays.size());
    p.outputs = {last};
    p.values.push_back({last, 8, {}, true});
    return p;
}

}  // namespace

TEST_CASE("retiming: only the first nodes that are too far are parted from one") {
    RetimingProblem p = chain({2, 2, 2, 2});
    p.budget = 5;
    const std::vector<ClockEdge> edges = clock_edges(p);
    CHECK(edges == std::vector<ClockEdge>{{2, 4}, {1, 3}});
    const Retiming r = retime(p, edges);
    CHECK(r.latency == 2);
    CHECK(r.bits == 16);
}

TEST_CASE("retiming: nothing is parted where all fits") {
    RetimingProblem p = chain({2, 2});
    p.budget = 4;
    CHECK(clock_edges(p).empty());
    CHECK(retime(p, {}).latency == 1);
}

TEST_CASE("retiming: what takes longer than a clock stands alone") {
    RetimingProblem p = chain({1, 9, 1});
    p.budget = 4;
    const Retiming r = retime(p, clock_edges(p));
    CHECK(r.reads == std::vector<int>{0, 0, 1, 2});
    CHECK(r.latency == 3);
}

TEST_CASE("retiming: a value with several readers waits once") {
    // A wide value that two read late, and that is made of a narrow one.
    RetimingProblem p = chain({1, 1, 1, 1});
    p.budget = 1;
    Node wide;
    wide.delay = 1;
    wide.operands = wide.inputs = {0};
    p.nodes.push_back(wide);
    Node sum;
    sum.delay = 1;
    sum.operands = sum.inputs = {4, 5};
    p.nodes.push_back(sum);
    p.nodes.push_back(sum);
    p.values.back() = {4, 8, {6, 7}, false};
    p.values[0] = {0, 8, {1, 5}, false};
    p.values.push_back({5, 16, {6, 7}, false});
    p.outputs = {6, 7};
    p.values.push_back({6, 1, {}, true});
    p.values.push_back({7, 1, {}, true});
    const Retiming r = retime(p, clock_edges(p));
    CHECK(r.latency == 5);
    CHECK(r.reads[5] == 3);
    CHECK(r.bits == 3 * 8 + 8 + 8 + 8 + 8 + 16 + 2);
}

TEST_CASE("retiming: what waits in the registers of its reader costs nothing") {
    // A chain of four, and a node behind its end that reads the leaf, too.
    RetimingProblem p = chain({1, 1, 1, 1});
    p.budget = 1;
    p.nodes[4].operands = p.nodes[4].inputs = {0, 3};
    p.values[0].readers = {1, 4};
    const auto bits = [&](int ranks) {
        p.nodes[4].ranks = ranks;
        return retime(p, clock_edges(p)).bits;
    };
    CHECK(bits(0) == 3 * 8 + 8 + 8 + 8 + 8);
    CHECK(bits(2) == 8 + 8 + 8 + 0 + 8);   // the last value of the chain waits there, too
    CHECK(bits(9) == 8 + 8 + 0 + 8);       // the first node still reads the leaf in clock 0
}

TEST_CASE("retiming: cells that are one read at once") {
    for (bool is_one : {false, true}) {
        RetimingProblem p = chain({1, 1, 1, 1});
        p.budget = 1;
        Node cell;
        cell.clocks = 1;
        cell.origin = 1;   // there is a register behind it
        cell.operands = cell.inputs = {0};
        p.nodes.push_back(cell);   // read at once
        p.nodes.push_back(cell);   // wide, and leaves with the rest
        p.values[0].readers = {1, 5, 6};
        p.values[0].bits = 1;
        p.values[1].readers = {5};
        p.values.push_back({5, 50, {2}, false});
        p.values.push_back({6, 50, {}, true});
        p.nodes.push_back(p.nodes[2]);
        p.nodes.back().operands = p.nodes.back().inputs = {5};
        p.values[1] = {5, 50, {7}, false};
        p.values.push_back({7, 1, {}, true});
        p.outputs = {4, 6, 7};
        if (is_one) p.together = {{5, 6}};
        const Retiming r = retime(p, clock_edges(p));
        CHECK(r.latency == 4);
        CHECK(r.reads[6] == (is_one ? r.reads[5] : 2));
    }
}

TEST_CASE("retiming: small graphs, against all places of all nodes") {
    int many = 0;
    for (unsigned seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        const RetimingProblem p = Random(seed).problem(1 + static_cast<int>(seed % 3), 2 + static_cast<int>(seed % 5));
        const Retiming r = retime(p, clock_edges(p));
        int latency = 0;
        earliest(p, latency);
        if (latency > 5) continue;
        ++many;
        CHECK(r.latency == latency);
        CHECK(is_legal(p, r.reads, r.latency));
        CHECK(bits_of(p, r.reads, r.latency) == r.bits);
        CHECK(r.bits == least_bits(p, r.latency));
        if (latency > 0) CHECK_FALSE(least_bits(p, latency - 1).has_value());
    }
    CHECK(many > 500);
}

TEST_CASE("retiming: large graphs are legal, and no single node or group in front of one saves a bit by another clock") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        const RetimingProblem p = Random(seed).problem(20, 200);
        const Retiming r = retime(p, clock_edges(p));
        int latency = 0;
        const std::vector<int> early = earliest(p, latency);
        CHECK(r.latency == latency);
        CHECK(is_legal(p, r.reads, r.latency));
        CHECK(bits_of(p, r.reads, r.latency) == r.bits);
        CHECK(r.bits <= bits_of(p, early, latency));
        // Downhill from there: nothing to be found.
        std::vector<int> reads = r.reads;
        for (int n = 0; n < static_cast<int>(p.nodes.size()); ++n) {
            for (int by : {-1, 1}) {
                reads[n] += by;
                if (is_legal(p, reads, latency)) CHECK(bits_of(p, reads, latency) >= r.bits);
                reads[n] -= by;
            }
        }
    }
}
