#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <random>
#include <tuple>

#include "../CoreBench.h"
#include "../Proof.h"
#include "../RandomWindows.h"
#include "../Regions.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/reuse/ReuseWindows.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;

namespace {

Graph graph_of(const RegionBuilder &b) {
    argent::Diagnostics diagnostics;
    return build_graph(b.r, diagnostics);
}

Expr in(const RegionBuilder &b, int dx, int dy, const std::string &name = "in") { return cast<int32_t>(b.at(name, dx, dy)); }

/** Stages and their expressions' datapaths. */
std::string text(const Graph &g) {
    std::string t;
    for (const Stage &s : g.stages) {
        if (s.kind == Func::Kind::Stage) t += s.name + "\n" + to_string(s.datapath);
    }
    return t;
}

std::vector<std::string> stages(const Graph &g) {
    std::vector<std::string> names;
    for (const Stage &s : g.stages) names.push_back(s.expression.empty() ? s.name : s.expression);
    return names;
}

/** All stages that both graphs have, at one vector, are equal for all values of the inputs. */
std::string proof(const Graph &a, const Graph &b) {
    Proof p;
    for (size_t i = 0; i < a.stages.size(); ++i) {
        if (a.stages[i].kind == Func::Kind::Input) continue;
        for (size_t k = 0; k < b.stages.size(); ++k) {
            if (b.stages[k].name != a.stages[i].name) continue;
            for (int lane = 0; lane < a.lanes; ++lane) {
                const std::string difference =
                    p.differ(p.value(a, static_cast<int>(i), 0, 0, lane), p.value(b, static_cast<int>(k), 0, 0, lane));
                if (!difference.empty()) return a.stages[i].name + " differs: " + difference;
            }
        }
    }
    return "";
}

RegionBuilder gaussian(int pixels, Halide::Type type = Halide::UInt(8)) {
    RegionBuilder b(1920, 1080, pixels);
    b.input("in", type);
    Expr sum = 0;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) sum = sum + (2 - abs(x)) * (2 - abs(y)) * in(b, x, y);
    }
    b.stage("out", cast<uint8_t>(sum >> 4));
    return b;
}

}  // namespace

TEST_CASE("reuse_windows: the columns of a blur become a stage") {
    const Graph g = reuse_windows(graph_of(gaussian(1)));
    CHECK(stages(g) == std::vector<std::string>{"in", "out_sum(x, y) = ((in(x, y + 1) + in(x, y - 1)) + 2*in(x, y))", "out(x, y)"});
    CHECK(g.outputs == std::vector<int>{2});
    CHECK(g.stages[1].range == Interval{0, 1020});
    CHECK(g.stages[1].part_of == "out");
    CHECK(g.stages[2].datapath.leaves().size() == 3);
}

TEST_CASE("reuse_windows: where the host computes the geometry, too, and parts say what they read") {
    RegionBuilder b = gaussian(4);
    b.r.has_host_geometry = true;
    const Graph g = reuse_windows(graph_of(b)), plain = reuse_windows(graph_of(gaussian(4)));
    CHECK(stages(g) == stages(plain));
    CHECK(proof(graph_of(b), g) == "");
    const std::vector<Read> &read = g.stages[1].reads;
    CHECK(read.size() == 2);
    CHECK(read[0].maps[1].offset == std::vector<int>{-1});
    CHECK(read[1].maps[1].offset == std::vector<int>{1});
    for (const Read &r : read) CHECK(r.maps[0].offset == std::vector<int>{0});
    for (const Read &r : g.stages[2].reads) CHECK(r.producer == 1);
}

TEST_CASE("reuse_windows: of several rates, what has each element of the scan") {
    RegionBuilder b = gaussian(1);
    const auto read = [&](Expr x, Expr y) { return cast<int32_t>(Halide::Internal::Call::make(Halide::UInt(8), "out", {x, y}, Halide::Internal::Call::Halide)); };
    const Expr x = 2 * RegionBuilder::x(), y = 2 * RegionBuilder::y();
    b.stage("half", cast<uint8_t>((read(x, y) + read(x + 1, y) + read(x + 2, y) + read(x + 3, y)) >> 2));
    const Graph g = reuse_windows(graph_of(b));
    CHECK(stages(g) == std::vector<std::string>{"in", "out_sum(x, y) = ((in(x, y + 1) + in(x, y - 1)) + 2*in(x, y))", "out(x, y)", "half(x, y)"});
    CHECK(g.stages[3].reads[0].producer == 2);
}

TEST_CASE("reuse_windows: rows of sums are kept in place of what they are sums of") {
    for (int pixels : {1, 2, 4, 8}) {
        CAPTURE(pixels);
        RegionBuilder b(1920, 1080, pixels);
        b.input("in", Halide::UInt(16));
        Expr sum = 0;
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) sum = sum + in(b, x, y);
        }
        b.stage("out", sum);
        const Graph g = graph_of(b), reused = reuse_windows(g);
        CHECK(reused.stages.size() == 3);
        CHECK(reused.stages[1].range == Interval{0, 3 * 65535});
        CHECK(proof(g, reused) == "");
    }
}

TEST_CASE("reuse_windows: lanes share what their neighbours have") {
    const Graph g = reuse_windows(graph_of(gaussian(4)));
    REQUIRE(g.stages.size() == 3);
    CHECK(g.stages[1].datapath.outputs.size() == 4);
    CHECK(g.stages[2].datapath.leaves().size() == 6);   // 4 + 2 of the column sums, and not 4 * 3
}

TEST_CASE("reuse_windows: borders are chosen among what is computed once") {
    const auto blur = [](bool has_borders) {
        RegionBuilder b(1920, 1080, 8);
        b.input("in");
        const auto at = [&](int dx, int dy) { return cast<int32_t>(bordered(b, "in", dx, dy, Border::Edge, has_borders, has_borders)); };
        const auto column = [&](int dx) { return at(dx, -1) + 2 * at(dx, 0) + at(dx, 1); };
        b.stage("out", cast<uint8_t>((column(-1) + 2 * column(0) + column(1)) >> 4));
        return reuse_windows(graph_of(b));
    };
    CHECK(blur(false).stages.size() == 3);   // eight lanes read ten columns: little would be computed twice, but of three rows in registers
    CHECK(blur(true).stages.size() == 3);
}

TEST_CASE("reuse_windows: rows are chosen where a column enters the window, for all columns that are read") {
    const auto parts = [](int radius, bool has_borders, int columns = 3) {
        RegionBuilder b(1920, 1080);
        b.input("in");
        Expr sum = 0;
        for (int y = -radius; y <= radius; ++y) {
            for (int x = 0; x < columns; ++x) sum = sum + (cast<int32_t>(bordered(b, "in", x, y, Border::Edge, false, has_borders)) & (77 + 5 * x + 17 * y));
        }
        b.stage("out", sum);
        const Graph g = reuse_windows(graph_of(b));
        int rows = 0;
        for (const Stage &s : g.stages) rows += s.id.find("_row") != std::string::npos;
        if (rows == 0) return 0;
        for (const Stage &s : g.stages) {   // the rows have the border, and nobody else
            for (const Leaf &leaf : s.datapath.leaves()) {
                CHECK((leaf.border.size() > 1 && leaf.border[1].has_value()) == (s.id.find("_row") != std::string::npos));
            }
        }
        return rows;
    };
    CHECK(parts(1, true) == 3);
    CHECK(parts(4, true) == 9);
    CHECK(parts(4, false) == 0);     // nothing to choose
    CHECK(parts(4, true, 1) == 0);   // one column: no more often than once
}

TEST_CASE("reuse_windows: rows of factors are chosen where a column enters the window, as no product's tables have room for a choice") {
    const auto parts = [](bool of_products, int pixels) {
        RegionBuilder b(1920, 1080, pixels);
        b.input("in");
        b.input("weight");
        Expr sum = 0;
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const Expr read = cast<int32_t>(bordered(b, "in", x, y, Border::Edge, false)), weight = in(b, 0, 0, "weight") ^ (x + 7 * y + 20);
                sum = sum + (of_products ? read * weight : read & weight);
            }
        }
        b.stage("out", sum);
        const Graph g = reuse_windows(graph_of(b));
        return std::count_if(g.stages.begin(), g.stages.end(), [](const Stage &s) { return s.id.find("_row") != std::string::npos; });
    };
    CHECK(parts(true, 2) == 3);
    CHECK(parts(false, 2) == 0);   // four columns are read, and two choices in front of adders are one
    CHECK(parts(true, 8) == 3);    // only two of ten columns are read twice, but a factor is chosen for its first digit and for the others
    CHECK(parts(false, 8) == 0);
}

TEST_CASE("reuse_windows: a one that all readers of a sum add goes into it, where no more than that is left to add") {
    const auto mean = [](int at_four, int at_two) {
        RegionBuilder b(640, 480);
        b.input("in", Halide::UInt(4));
        const auto both = [&](int x) { return in(b, x, -1) + in(b, x, 1); };
        b.stage("out", cast<uint8_t>(max((both(-1) + both(1) + at_four) >> 2, (both(0) + at_two) >> 1)));
        const Graph before = graph_of(b), after = reuse_windows(before);
        CHECK(proof(before, after) == "");
        REQUIRE(after.stages.size() > before.stages.size());
        return after.stages[1].range;
    };
    CHECK(mean(2, 1) == Interval{1, 31});
    CHECK(mean(3, 1) == Interval{1, 31});
    CHECK(mean(4, 1) == Interval{0, 30});   // two would be left
    CHECK(mean(2, 0) == Interval{0, 30});
}

TEST_CASE("reuse_windows: minima of columns are computed once") {
    RegionBuilder b(640, 480);
    b.input("in");
    const auto low = [&](int x) { return min(b.at("in", x, 0), b.at("in", x, 1)); };
    b.stage("out", max(low(0), max(low(1), low(2))));
    const Graph g = reuse_windows(graph_of(b));
    CHECK(stages(g)[1] == "out_min(x, y) = min(in(x, y + 1), in(x, y))");
    CHECK(proof(graph_of(b), g) == "");
}

TEST_CASE("reuse_windows: a stage some windows later reads the rows that are kept, and not a row that another one has chosen at the border") {
    RegionBuilder b(1920, 1080);
    b.input("in");
    Expr sum = cast<uint16_t>(0), late = cast<uint16_t>(0);
    for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) sum = sum + cast<uint16_t>(bordered(b, "in", dx, dy)) + cast<uint16_t>(bordered(b, "in", dx, dy) ^ (5 * dy + dx + 40));
    }
    b.stage("sum", sum);
    for (int dy = -2; dy <= 2; ++dy) late = late + (b.at("sum", 0, dy) ^ (3 * dy + 40));
    b.stage("out", late + cast<uint16_t>(bordered(b, "in", 0, 0)));
    const Design d = lower(b.r);
    int parts = 0, rows = 0;
    for (const auto &s : d.report["stages"]) parts += s["name"].get<std::string>().find("sum_") == 0;
    for (const auto &w : d.report["windows"]) rows += w["producer"].get<std::string>().find("sum_") == 0 ? w["rows"].get<int>() : 0;
    CHECK(parts >= 2);
    CHECK(rows == 0);
}

TEST_CASE("reuse_windows: nothing is read twice, nothing changes") {
    RegionBuilder b(640, 480);
    b.input("in");
    b.stage("mid", cast<uint8_t>((in(b, -1, 0) + in(b, 1, 1)) / 2)).stage("out", b.at("mid", 0, 0) ^ b.at("mid", 3, 0));
    const Graph before = graph_of(b);
    CHECK(text(reuse_windows(before)) == text(before));
}

TEST_CASE("reuse_windows: what depends on where it is computed is not moved") {
    RegionBuilder b(640, 480);
    b.input("in");
    const auto at = [&](int x) { return max(in(b, x, 0) * (b.x() + x), in(b, x, 1)); };
    b.stage("out", at(0) + at(1) + at(2));
    const Graph before = graph_of(b);
    CHECK(reuse_windows(before).stages.size() == before.stages.size());
}

TEST_CASE("reuse_windows: proven on narrow inputs") {
    for (const int lanes : {1, 2}) {
        CAPTURE(lanes);
        RegionBuilder sobel(640, 480, lanes);
        sobel.input("in", Halide::UInt(3));
        const Expr gx = (in(sobel, 1, -1) + 2 * in(sobel, 1, 0) + in(sobel, 1, 1)) - (in(sobel, -1, -1) + 2 * in(sobel, -1, 0) + in(sobel, -1, 1));
        const Expr gy = (in(sobel, -1, 1) + 2 * in(sobel, 0, 1) + in(sobel, 1, 1)) - (in(sobel, -1, -1) + 2 * in(sobel, 0, -1) + in(sobel, 1, -1));
        sobel.stage("out", cast<uint8_t>(min(abs(gx) + abs(gy), 31)));
        const Graph before = graph_of(sobel), after = reuse_windows(before);
        CHECK(after.stages.size() > before.stages.size());
        CHECK(proof(before, after) == "");
    }
    const RegionBuilder blur = gaussian(2, Halide::UInt(4));
    CHECK(proof(graph_of(blur), reuse_windows(graph_of(blur))) == "");
}

TEST_CASE("reuse_windows: a proof that can fail") {
    RegionBuilder a = gaussian(1, Halide::UInt(2)), b(1920, 1080);
    b.input("in", Halide::UInt(2)).stage("out", cast<uint8_t>(in(b, 0, 0)));
    CHECK(proof(graph_of(a), graph_of(b)) != "");
}

namespace {

/** Elements of a graph over noise, by the datapaths' own evaluation. */
class Image {
public:
    Image(const Graph &g, unsigned seed) : g(g), seed(seed) {}
    Wide at(int stage, int x, int y, int lane = 0) {
        const Stage &s = g.stages[stage];
        if (s.kind == Func::Kind::Input) {
            std::mt19937 random(seed * 7919u + static_cast<unsigned>((x + lane) * 131 + y * 17 + 5));
            random();
            switch (random() % 4) {
            case 0: return s.range.lo;
            case 1: return s.range.hi;
            default: return s.range.lo + static_cast<Wide>(random() % static_cast<unsigned>(s.range.hi - s.range.lo + 1));
            }
        }
        const auto key = std::tuple(stage, x, y, lane);
        const auto known = values.find(key);
        if (known != values.end()) return known->second;
        std::vector<Wide> leaves;
        for (const Leaf &l : s.datapath.leaves()) leaves.push_back(l.kind == Leaf::Kind::Coord ? x : at(l.producer, x + l.offset[0], y + l.offset[1]));
        const Wide value = evaluate(s.datapath, leaves)[lane];
        CHECK(s.range.contains(value));
        return values[key] = value;
    }

private:
    const Graph &g;
    const unsigned seed;
    std::map<std::tuple<int, int, int, int>, Wide> values;
};

/** A tap that has not as many bits as what it is a tap of. */
std::string misread(const Graph &g) {
    for (const Stage &s : g.stages) {
        for (const Leaf &l : s.datapath.leaves()) {
            if (l.kind == Leaf::Kind::Tap && l.range.bits() != g.stages[l.producer].range.bits()) return s.name + " reads " + l.name + " of " + g.stages[l.producer].name;
        }
    }
    return "";
}

}  // namespace

TEST_CASE("reuse_windows: random windows keep their values") {
    int shared = 0;
    for (unsigned seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        const RegionBuilder b = random_windows(seed);
        const Graph before = graph_of(b), after = reuse_windows(before);
        shared += after.stages.size() > before.stages.size();
        INFO("seed ", seed, "\n", text(before), text(after));
        CHECK(misread(after) == "");
        for (unsigned image = 0; image < 6; ++image) {
            Image a(before, image), c(after, image);
            for (int lane = 0; lane < before.lanes; ++lane) {
                const bool equal = a.at(before.outputs[0], 3, 5, lane) == c.at(after.outputs[0], 3, 5, lane);
                REQUIRE(equal);
            }
        }
    }
    CHECK(shared > 75);
}

TEST_CASE("reuse_windows: random windows in Verilog, with gaps and stalls") {
    if (!has_icarus()) return;
    for (unsigned seed = 1000; seed < 1008; ++seed) {
        RegionBuilder b = random_windows(seed);
        b.r.block = {40, 12};
        CAPTURE(seed);
        CHECK(run_core(b.r, {{23, 9}, {1, 1}, {40, 12}, {5, 1}}, true, seed) == "");
    }
}
