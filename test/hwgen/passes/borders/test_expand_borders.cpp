#include <doctest/doctest.h>

#include <map>
#include <random>
#include <tuple>

#include "../Regions.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/borders/CoverBorders.h"
#include "hwgen/passes/borders/CoverSides.h"
#include "hwgen/passes/borders/ExpandBorders.h"
#include "hwgen/passes/borders/FreeExteriors.h"
#include "hwgen/passes/borders/RepeatInputs.h"
#include "hwgen/passes/datapath/SelectByOrder.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/InferBoxes.h"
#include "hwgen/passes/reuse/ReuseWindows.h"
#include "hwgen/passes/reuse/ShareExtremes.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

Graph graph_of(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return build_graph(b.r, diagnostics);
}

/** Elements of a graph on a domain of w x h, by the datapaths' own evaluation; reads with borders as Halide has them, and nothing
 *  outside of the domain for those that have lost theirs, but where inputs repeat a row's first or last element. */
class Image {
public:
    Image(const Graph &g, int w, int h) : g(infer_boxes(g)), extent{w, h} {}

    /** Lane `lane` of the vector that begins at x. */
    Wide at(int stage, int x, int y, int lane) {
        const Stage &s = g.stages[stage];
        if (s.kind == Func::Kind::Input) x += lane;
        const int last = extent[0] - 1;
        if (s.repeats) x = std::clamp(x, 0, last);
        if (s.kind == Func::Kind::Input && x > last && x <= last + s.spread && x / s.lanes == last / s.lanes) x = last;
        if (s.kind == Func::Kind::Input) return x < 0 || x >= extent[0] || y < 0 || y >= extent[1] ? 255 - (x + y) % 2 : (x * 37 + y * 101 + x * y) % 251;
        const auto key = std::tuple(stage, x, y, lane);
        const auto known = values.find(key);
        if (known != values.end()) return known->second;
        std::vector<Wide> leaves;
        for (const Leaf &l : s.datapath.leaves()) leaves.push_back(leaf(l, x, y));
        return values[key] = evaluate(s.datapath, leaves)[lane];
    }

private:
    int inside(Border border, int i, int n) const {
        const auto modulo = [](int a, int b) { return ((a % b) + b) % b; };
        if (border == Border::Edge) return std::clamp(i, 0, n - 1);
        if (border == Border::MirrorImage) return modulo(i, 2 * n) < n ? modulo(i, 2 * n) : 2 * n - 1 - modulo(i, 2 * n);
        return n == 1 ? 0 : n - 1 - std::abs(n - 1 - modulo(i, 2 * (n - 1)));
    }

    Wide leaf(const Leaf &l, int x, int y) {
        const int place[2] = {x, y};
        if (l.kind == Leaf::Kind::Extent) return extent[l.dim] == l.place;
        if (l.kind == Leaf::Kind::Beyond) return l.from_end ? place[l.dim] + l.place >= extent[l.dim] : place[l.dim] + l.place < 0;
        if (l.kind == Leaf::Kind::Place) {
            if (l.lane == Leaf::any_lane) return (place[0] - l.offset[0]) / g.lanes == (extent[0] - 1 - l.place) / g.lanes;
            const int at = place[l.dim] + l.lane;
            return l.from_end ? at == extent[l.dim] - 1 - l.place : at == l.place;
        }
        int read[2];
        for (int dim = 0; dim < 2; ++dim) {
            read[dim] = place[dim] + l.offset[dim];
            const bool is_outside = read[dim] < 0 || read[dim] >= extent[dim];
            if (!l.border.empty() && l.border[dim] == Border::Any) continue;   // as inputs have it, or what is made of that
            if (!l.border.empty() && l.border[dim] && is_covered(*l.border[dim]) && is_outside) return l.border[dim] == Border::Least ? l.range.lo : l.range.hi;
            if (!l.border.empty() && l.border[dim]) read[dim] = inside(*l.border[dim], read[dim], extent[dim]);
        }
        if (g.stages[l.producer].repeats_rows) read[1] = std::clamp(read[1], 0, extent[1] - 1);
        // Vectors begin with the first element that anybody needs.
        const Stage &p = g.stages[l.producer];
        const int behind = (read[0] - p.box[0].min) % p.lanes, first = read[0] - (behind < 0 ? behind + p.lanes : behind);
        return at(l.producer, first, read[1], read[0] - first);
    }

    const Graph g;
    const int extent[2];
    std::map<std::tuple<int, int, int, int>, Wide> values;
};

std::string difference(const Graph &before, const Graph &after) {
    for (int w = 1; w <= std::max(9, 2 * before.lanes + 2); ++w) {
        for (int h = 1; h <= 4; ++h) {
            Image a(before, w, h), b(after, w, h);
            for (int y = 0; y < h; ++y) {
                for (int x = 0; x < w; ++x) {
                    const int lane = x % before.lanes;
                    if (a.at(before.outputs[0], x - lane, y, lane) != b.at(after.outputs[0], x - lane, y, lane)) {
                        return std::to_string(w) + "x" + std::to_string(h) + " at " + std::to_string(x) + ", " + std::to_string(y);
                    }
                }
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("expand_borders: a read becomes a choice by the place") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", bordered(b, "in", -1, 0, Border::Edge, true, false));
    const Graph g = expand_borders(graph_of(b));
    const std::vector<Leaf> &leaves = g.stages[1].datapath.leaves();
    REQUIRE(leaves.size() == 3);
    CHECK(leaves[0].name == "in_m1_p0");
    CHECK(leaves[0].bordered == std::vector<bool>{true, false});
    CHECK(leaves[1].name == "in_p0_p0");
    CHECK(leaves[2].name == "x_is_first");
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: what is read at its own place gives the border to its readers") {
    RegionBuilder b(64, 48);
    b.input("in");
    b.stage("twice", cast<uint16_t>(bordered(b, "in", 0, 0, Border::Edge)) * 2);
    b.stage("out", b.at("twice", -1, 0) + b.at("twice", 1, 0));
    const Graph g = expand_borders(graph_of(b));
    CHECK(g.stages[1].datapath.leaves().size() == 1);   // no choice
    CHECK(g.stages[2].datapath.leaves().size() == 5);   // -1, 0, 1, first, last
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: lanes that read one element choose it once") {
    RegionBuilder b(64, 48, 8);
    b.input("in").stage("out", bordered(b, "in", -1, 0, Border::Edge, true, false) + bordered(b, "in", 1, 0, Border::Edge, true, false));
    const Graph g = expand_borders(graph_of(b));
    int places = 0;
    for (const Leaf &l : g.stages[1].datapath.leaves()) places += l.kind == Leaf::Kind::Place;
    CHECK(places == 1 + 8);   // the first element is in lane 0, the last one anywhere
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: a sum lets each lane choose for itself") {
    RegionBuilder b(64, 48, 4);
    b.input("in").stage("out", cast<uint16_t>(bordered(b, "in", 1, 0, Border::Edge, true, false)) + bordered(b, "in", 0, 0, Border::Edge, true, false));
    const Graph g = expand_borders(graph_of(b));
    const Datapath &d = g.stages[1].datapath;
    for (const Node &n : d.nodes()) {   // what one lane reads behind the end is its neighbour's own element
        if (n.op == Op::Add) CHECK((d[n.args[0]].op == Op::Select) != (d[n.args[1]].op == Op::Select));
    }
    CHECK(g.stages[0].spread == 0);
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: what is compared with the element that it repeats is chosen by its lane alone") {
    for (const bool is_read_else : {false, true}) {   // then the input repeats its last element
        RegionBuilder b(64, 48, 8);
        b.input("in");
        const auto in = [&](int x) { return bordered(b, "in", x, 0, Border::Edge, true, false); };
        b.stage("less", select(in(0) < in(1), cast<uint8_t>(1), cast<uint8_t>(0)));
        const Expr both = b.at("less", -1, 0) + b.at("less", 0, 0);
        b.stage("out", is_read_else ? both + min(in(-1), in(1)) : both);
        const Graph g = expand_borders(graph_of(b));
        CHECK(g.stages[0].spread == int(is_read_else));
        const Datapath &d = g.stages[1].datapath;
        int choices = 0;
        for (const Node &n : d.nodes()) {
            if (n.op == Op::Lt) choices += d[n.args[0]].op == Op::Select || d[n.args[1]].op == Op::Select;
        }
        CHECK(choices == 1);   // of the lane that is outside of the domain in the first vector
        CHECK(difference(graph_of(b), g) == "");
    }
}

TEST_CASE("expand_borders: an input repeats its last element in the lanes behind it, where more than sums would have to choose") {
    RegionBuilder b(64, 48, 8);
    b.input("in").stage("out", min(bordered(b, "in", -1, 0, Border::Edge, true, false), bordered(b, "in", 1, 0, Border::Edge, true, false)));
    const Graph g = expand_borders(graph_of(b));
    CHECK(g.stages[0].spread == 1);
    std::vector<std::string> places;
    for (const Leaf &l : g.stages[1].datapath.leaves()) {
        if (l.kind == Leaf::Kind::Place) places.push_back(l.name);
    }
    std::sort(places.begin(), places.end());
    CHECK(places == std::vector<std::string>{"x_ends", "x_is_first"});
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: stages that are read outside of the domain begin their vectors there") {
    for (int lanes : {2, 4, 8}) {
        CAPTURE(lanes);
        RegionBuilder b(64, 48, lanes);
        const auto in = [&](int x) { return bordered(b, "in", x, 0, Border::Edge, true, false); };
        b.input("in").stage("mid", min(in(-1), max(in(0), in(2))));
        b.stage("out", max(b.at("mid", -1, 0), min(b.at("mid", 0, 0), b.at("mid", 1, 0))));
        const Graph g = expand_borders(graph_of(b));
        CHECK(g.stages[0].spread == (lanes >= 3 ? 3 : 0));   // no further than a vector
        CHECK(difference(graph_of(b), g) == "");
    }
}

TEST_CASE("expand_borders: a number stands for rows outside, wherever that is") {
    for (const int lanes : {1, 4}) {
        RegionBuilder b(64, 48, lanes);
        b.input("in");
        Expr column = bordered(b, "in", 0, 0);
        for (const int dy : {-1, 1, 2, 3}) column = max(column, bordered(b, "in", 0, dy));
        b.stage("column", column);
        b.stage("out", max(b.at("column", 0, 0), b.at("column", 1, -1)));
        const Graph covered = cover_borders(graph_of(b));
        const Graph g = expand_borders(covered);
        const Datapath &d = g.stages[1].datapath;
        const auto is_covered = [&](const Node &n) { return n.op == Op::Select && d.is_const(n.args[1]); };
        CHECK(std::count_if(d.nodes().begin(), d.nodes().end(), is_covered) == 4 * lanes);
        CHECK(difference(covered, g) == "");
        CHECK(difference(graph_of(b), g) == "");
    }
}

TEST_CASE("expand_borders: a number stands for columns outside of whole windows, and of all that they share") {
    for (const int lanes : {1, 2, 4, 8}) {
        for (unsigned seed = 0; seed < 6; ++seed) {
            CAPTURE(lanes);
            CAPTURE(seed);
            std::mt19937 random(seed);
            const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
            RegionBuilder b(64, 48, lanes);
            b.input("in");
            Expr all = bordered(b, "in", 0, 0), least = all;
            for (int dy = -1 - below(2); dy <= 1; ++dy) {
                const int from = -below(4), to = 1 + below(3);
                for (int dx = from; dx <= to; ++dx) all = max(all, bordered(b, "in", dx, dy));
                for (int dx = from; dx <= to; ++dx) least = min(least, bordered(b, "in", dx, dy));
            }
            b.stage("out", below(2) ? all - least : all);
            const Graph covered = cover_sides(graph_of(b));
            const Graph g = expand_borders(reuse_windows(cover_borders(select_by_order(share_extremes(covered)))));
            CHECK(difference(graph_of(b), covered) == "");
            CHECK(difference(graph_of(b), g) == "");
            const auto is_number = [](const Datapath &d, const Node &n) { return n.op == Op::Select && d.is_const(n.args[1]); };
            int numbers = 0;
            for (const Stage &s : g.stages) {
                for (const Node &n : s.datapath.nodes()) numbers += is_number(s.datapath, n);
            }
            CHECK(numbers > 0);
        }
    }
}

TEST_CASE("expand_borders: an input that is mirrored, too, repeats nothing") {
    RegionBuilder b(64, 48, 8);
    b.input("in").stage("out", min(bordered(b, "in", 1, 0, Border::Edge, true, false), bordered(b, "in", -1, 0, Border::MirrorInterior, true, false)));
    const Graph g = expand_borders(graph_of(b));
    CHECK(g.stages[0].spread == 0);
    CHECK(difference(graph_of(b), g) == "");
}

TEST_CASE("expand_borders: around a domain of its own, what would be read is asked for its place") {
    RegionBuilder b(64, 48, 2);
    b.r.domains = {{0, 7}};
    b.input("in");
    const auto inside = [&](int offset) {
        const Expr read = b.at("in", offset, 0);
        std::vector<Expr> args = read.as<Halide::Internal::Call>()->args;
        args[0] = with_border(Border::Edge, args[0], 0);
        return Halide::Internal::Call::make(read.type(), "in", args, Halide::Internal::Call::Halide);
    };
    b.stage("out", inside(-1) + inside(0) + inside(1));
    const Graph before = graph_of(b), g = expand_borders(before);
    CHECK(reuse_windows(before).stages.size() == before.stages.size());   // the same read, moved, may meet another end
    int taps = 0, places = 0;
    for (const Leaf &l : g.stages[1].datapath.leaves()) {
        taps += l.kind == Leaf::Kind::Tap;
        if (l.kind != Leaf::Kind::Place) continue;
        places++;
        CHECK(l.producer == 0);
        CHECK(l.domain == 0);
        CHECK(l.place == -1);
    }
    CHECK(taps == 4);       // -1, 0, 1, 2
    CHECK(places == 4);     // -1 and 0 in front of the first for lanes 0 and 1, which both read 0; 1 and 2 behind the last
}

TEST_CASE("expand_borders: what windows repeat is not chosen") {
    std::mt19937 random(3);
    const auto any = [&](int lo, int hi) { return lo + static_cast<int>(random() % (hi - lo + 1)); };
    for (int k = 0; k < 40; ++k) {
        CAPTURE(k);
        RegionBuilder b(64, 48, 1 << any(0, 2));
        const auto in = [&] { return bordered(b, "in", any(-2, 2), any(-3, 3)); };
        b.input("in").stage("row", min(bordered(b, "in", 1, 0), bordered(b, "in", -1, 0)) ^ 3);   // its window repeats rows, not that of what it reads
        b.stage("mid", in() + min(in(), in())).stage("late", b.at("mid", any(-1, 1), any(-4, 1)) + b.at("mid", 0, any(-1, 4)) + b.at("row", 0, any(-2, 2)) + b.at("row", 0, any(-2, 2)));
        b.stage("out", b.at("late", 0, 0) + b.at("late", any(-1, 1), any(-2, 2)) + in());
        const Graph before = graph_of(b), reused = reuse_windows(before, {}, Rows::Traded, Outside::Repeated), g = expand_borders(reused, Outside::Repeated);
        CHECK(g.stages[0].repeats_rows);
        for (const Stage &s : g.stages) {
            for (const Leaf &l : s.datapath.leaves()) CHECK(!(l.kind == Leaf::Kind::Place && l.dim == 1));
        }
        CHECK(difference(before, g) == "");
    }
}

TEST_CASE("expand_borders: a constant exterior is told by the places outside") {
    for (const int lanes : {1, 2, 4, 8}) {
        CAPTURE(lanes);
        RegionBuilder b(64, 48, lanes);
        const Expr x = RegionBuilder::x(), y = RegionBuilder::y();
        b.input("in");
        b.stage("padded", select(beyond(false, x) || beyond(true, x) || beyond(false, y) || beyond(true, y), cast<uint8_t>(7), bordered(b, "in", 0, 0)));
        b.stage("out", b.at("padded", -2, -1) + b.at("padded", 1, 0) + b.at("padded", 2, 1));
        const Graph freed = free_exteriors(graph_of(b)), g = expand_borders(reuse_windows(repeat_inputs(freed)));
        CHECK(difference(graph_of(b), g) == "");
        CHECK(!g.stages[0].repeats);
        CHECK(g.stages[0].spread == 0);
        int taps = 0, rows = 0;
        for (const Leaf &l : g.stages[1].datapath.leaves()) {
            taps += l.kind == Leaf::Kind::Tap;
            rows += l.kind == Leaf::Kind::Place && l.dim == 1;
            if (l.kind == Leaf::Kind::Tap) CHECK(l.bordered == std::vector<bool>{true, true});
        }
        CHECK(taps == lanes);
        CHECK(rows == 2);   // the one in front, and the one behind
    }
}

TEST_CASE("expand_borders: what may be any number outside is no part of two windows") {
    RegionBuilder b(64, 48);
    const Expr x = RegionBuilder::x();
    const auto blend = [&](int dx) {
        const auto in = [&](int more) { return cast<uint16_t>(bordered(b, "in", dx + more, 0, Border::Edge, true, false)); };
        return select(beyond(false, x + dx) || beyond(true, x + dx + 2), cast<uint16_t>(7), in(0) * 5 ^ in(1) * 3 ^ in(2) * 7);
    };
    b.input("in").stage("out", blend(-1) + blend(1));
    const Graph before = graph_of(b), freed = free_exteriors(before);
    CHECK(reuse_windows(before).stages.size() > before.stages.size());
    CHECK(reuse_windows(freed).stages.size() == freed.stages.size());
}

TEST_CASE("expand_borders: whatever is asked of places outside, of all small images") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        RegionBuilder b(64, 48, 1 << below(4));
        const Expr x = RegionBuilder::x(), y = RegionBuilder::y();
        const auto outside = [&](int dx, int dy) {
            Expr any = beyond(false, x + dx + below(2)) || beyond(true, x + dx);
            if (below(3)) any = any || beyond(false, y + dy) || beyond(true, y + dy - below(2));
            return any;
        };
        b.input("in");
        const auto chosen = [&](int dx, int dy) { return select(outside(dx, dy), cast<uint8_t>(dx + 9), bordered(b, "in", dx, dy) / 2); };
        b.stage("mid", chosen(-below(2), below(2)) + (below(2) ? chosen(below(3), 0) : bordered(b, "in", below(2), 1)));
        b.stage("out", b.at("mid", -below(3), 0) ^ b.at("mid", below(3), below(2)));
        const Graph before = graph_of(b), freed = free_exteriors(before);
        CHECK(difference(before, expand_borders(freed)) == "");
        CHECK(difference(before, expand_borders(reuse_windows(repeat_inputs(freed)))) == "");
    }
}

TEST_CASE("expand_borders: without borders nothing changes") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", -1, 0) + b.at("in", 1, 0));
    const Graph before = graph_of(b);
    CHECK(to_string(expand_borders(before).stages[1].datapath) == to_string(before.stages[1].datapath));
}

TEST_CASE("expand_borders: after reuse_windows, every place of small images") {
    int shared = 0, spread = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        RegionBuilder b(64, 48, 1 << below(4));
        const Border border = static_cast<Border>(below(3));
        const int n = 2 + below(2), from = -below(2) - 1;
        const bool of_x = below(4) != 0, of_y = !of_x || below(4) != 0;
        b.input("in");
        const auto tap = [&](int x, int y) { return cast<int32_t>(bordered(b, "in", from + x, y - 1, border, of_x, of_y)); };
        Expr sum = 0, low = 255;
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) {
                sum = sum + (1 + (x & 1)) * (1 + (y & 1)) * tap(x, y);
                low = min(low, max(tap(x, y), tap(x, y + 1)));
            }
        }
        b.stage("mid", cast<uint8_t>(below(2) ? sum >> 3 : low));
        b.stage("out", below(2) ? b.at("mid", 0, 0) : cast<uint8_t>(b.at("mid", -1, 0) + b.at("mid", 1, 1) / 2));
        const Graph before = graph_of(b), reused = reuse_windows(before), expanded = expand_borders(reused);
        spread += expanded.stages[0].spread > 0;
        shared += reused.stages.size() > before.stages.size();
        CHECK(difference(before, expand_borders(before)) == "");
        CHECK(difference(before, expanded) == "");
    }
    CHECK(shared > 20);
    CHECK(spread > 5);
}
