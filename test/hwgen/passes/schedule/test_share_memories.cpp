#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../Regions.h"
#include "../Reports.h"
#include "hwgen/passes/schedule/ShareMemories.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

/** Products of neighbours, each kept for two rows, as Harris corners have. */
RegionBuilder products(int count, int width = 1920, int pixels = 1, int more_rows = 0) {
    RegionBuilder b(width, 32, pixels);
    b.input("in");
    Expr out = cast<uint16_t>(0);
    const auto u16 = [](const Expr &e) { return cast<uint16_t>(e); };
    for (int i = 0; i < count; ++i) {
        const std::string name = "product" + std::to_string(i);
        b.stage(name, u16(b.at("in", 0, 0)) * u16(b.at("in", i, 0)));
        out = out ^ (b.at(name, 0, 0) + b.at(name, 1, 1)) ^ b.at(name, 0, 2 + (i == 0 ? more_rows : 0));
    }
    b.stage("out", out);
    return b;
}

int count(const Design &d, const std::string &text) {
    int found = 0;
    for (const auto &[name, file] : d.rtl) {
        for (size_t at = file.find(text); name.find("_window.v") != std::string::npos && at != std::string::npos; at = file.find(text, at + 1)) found++;
    }
    return found;
}

const std::vector<CoreLaunch> launches = {{40, 6}, {40, 6, true}, {1, 1}, {7, 3}, {39, 2}};

/** Windows alike, of so many bits: of one row, or of ten. */
Graph windows_of(const std::vector<int> &bits, int words = 1921) {
    Graph g;
    g.pitch = words + 1;
    g.block = {words, 8};
    g.bordered = {false, false};
    g.reach = Box(2);
    for (const int n : bits) {
        Stage s;
        const int rows = n < 100 ? 1 : 10;
        s.range = {0, (Wide(1) << n / rows) - 1};
        s.box = Box(2);
        s.window_phase = 9;
        Window w;
        w.producer = static_cast<int>(g.stages.size());
        w.rows = rows;
        w.columns.assign(rows + 1, 0);
        g.stages.push_back(s);
        g.windows.push_back(w);
    }
    return g;
}

std::vector<int> hosts(const Graph &g) {
    const Graph shared = share_memories(g);
    std::vector<int> hosts;
    for (const Window &w : shared.windows) hosts.push_back(w.host);
    return hosts;
}

}  // namespace

TEST_CASE("share_memories: rows of products lie in one memory where that is fewer block RAMs") {
    for (const int pixels : {1, 2}) {
        CAPTURE(pixels);
        const RegionBuilder b = products(3, 1920, pixels);
        const Design d = lower(b.r);
        CHECK(count(d, "] guests_kept") == 1);
        if (has_icarus()) CHECK(run_core(b.r, launches) == "");
    }
    CHECK(count(lower(products(1).r), "] guests_kept") == 0);
    CHECK(count(lower(products(2).r), "] guests_kept") == 0);   // 64 bits of 9 are 8 block RAMs, as 32 and 32 are
}

TEST_CASE("share_memories: windows that the head's place addresses share, too") {
    RegionBuilder b(1920, 32);
    Expr out = cast<uint8_t>(0);
    for (const char *name : {"red", "green", "blue"}) {
        b.input(name);
        for (int dy = 0; dy <= 3; ++dy) out = (out ^ b.at(name, 0, dy)) + b.at(name, 1, dy);
    }
    b.stage("out", out);
    const Design d = lower(b.r);
    CHECK(count(d, "] guests_kept") == 1);
    CHECK(count(d, "ag_row_memory #") == 1);
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("share_memories: windows with more rows and registers share, too") {
    const RegionBuilder b = products(4, 1920, 1, 1);
    CHECK(count(lower(b.r), "] guests_kept") >= 1);
    if (has_icarus()) CHECK(run_core(b.r, launches) == "");
}

TEST_CASE("share_memories: of the fewest block RAMs, of at most 16 in one memory, and with no guest for nothing") {
    CHECK(hosts(windows_of({32, 32, 32})) == std::vector<int>{-1, 0, 0});    // 4, 4 and 4: 96 bits of 9 are 11
    CHECK(hosts(windows_of({30, 32, 30})) == std::vector<int>{-1, 0, -1});   // 62 bits are 7, and 92 no fewer than 7 and 4
    CHECK(hosts(windows_of({9, 18})) == std::vector<int>{-1, -1});
    CHECK(hosts(windows_of({18, 5, 3, 9})) == std::vector<int>{-1, -1, 1, -1});
    CHECK(hosts(windows_of({130, 13})) == std::vector<int>{-1, 0});          // 15 and 2: 16
    CHECK(hosts(windows_of({140, 13})) == std::vector<int>{-1, -1});         // 16 and 2: 17
    CHECK(hosts(windows_of({200, 5, 4})) == std::vector<int>{-1, -1, 1});    // a large one alone
}

TEST_CASE("share_memories: not at another clock, of other words, in banks or behind a tail, nor in look-up tables") {
    const auto none = [](Graph g) { return hosts(g) == std::vector<int>{-1, -1}; };
    Graph g = windows_of({5, 4});
    CHECK(hosts(g) == std::vector<int>{-1, 0});
    Graph later = g, further = g, tail = g, banks = g, slip = g;
    later.stages[1].window_phase = 10;
    further.stages[1].displacement.cols = 1;
    tail.windows[1].tail = 1;
    banks.windows[1].bank_rows = 1;
    slip.windows[1].slip = 1;
    for (const Graph &other : {later, further, tail, banks, slip}) CHECK(none(other));
    CHECK(none(windows_of({5, 4}, 60)));
}
