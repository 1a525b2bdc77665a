#include <doctest/doctest.h>

#include <set>

#include "../Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/clocks/FromManifest.h"
#include "hwgen/passes/region/ChannelDepth.h"

using namespace argent::hwgen;

namespace {

Halide::Expr x() { return RegionBuilder::x(); }
Halide::Expr y() { return RegionBuilder::y(); }

Halide::Expr read(const std::string &f, const Halide::Expr &a, const Halide::Expr &b) {
    return Halide::Internal::Call::make(Halide::UInt(8), f, {a, b}, Halide::Internal::Call::Halide);
}

/** in -> low, one element in across x down, which takes so many products one after the other. */
RegionBuilder level(int width, int height, int across, int down, int products = 0) {
    RegionBuilder b(width, height);
    b.r.clocks = across;
    const Halide::Expr pixel = read("in", x() * across, y() * down);
    Halide::Expr low = pixel ^ read("in", x() * across + 1, y() * down);
    for (int i = 0; i < products; i++) low = low * (pixel ^ Halide::cast<uint8_t>(i));
    b.input("in").stage("low", low);
    return b;
}

/** size x size taps of a Func, each times a param. */
Halide::Expr convolution(RegionBuilder &b, const std::string &of, int size) {
    Halide::Expr sum = Halide::cast<int32_t>(0);
    for (int i = 0; i < size * size; i++) {
        const std::string tap = of + "_k" + std::to_string(i);
        b.param(tap, Halide::Int(8), Interval::of(Halide::Int(8)));
        sum = sum + Halide::cast<int32_t>(b.at(of, i % size, i / size)) * Halide::cast<int32_t>(Halide::Internal::Variable::make(Halide::Int(8), tap));
    }
    return sum;
}

const nlohmann::ordered_json &stage(const Design &d, const std::string &name) {
    for (const auto &s : d.report["stages"]) {
        if (s["name"] == name) return s;
    }
    throw std::logic_error("no stage " + name);
}

/** Fired, and taken as soon as that may be, clock by clock. */
int most_in_flight(const ChannelRow &row, int latency) {
    std::vector<int64_t> pending;   // clocks in which words are there
    int64_t fired = 0, can_take = 0;
    int most = 0, in_flight = 0;
    for (int64_t now = 0, freed = 0; fired < row.words || !pending.empty(); now++) {
        in_flight -= static_cast<int>(freed);
        freed = 0;
        if (fired < row.words && now % row.given == 0) {
            fired++;
            pending.push_back(now + latency + 1);
            most = std::max(most, ++in_flight);
        }
        if (!pending.empty() && pending[0] <= now && can_take <= now) {
            pending.erase(pending.begin());
            can_take = now + row.taken;
            freed = 1;
        }
    }
    return most;
}

}  // namespace

TEST_CASE("cut_channels: 81 products behind a level at 1/16 are 6, where rows alone would make them 21") {
    RegionBuilder b = level(480, 270, 4, 4);
    b.stage("out", convolution(b, "low", 9));
    const Design d = lower(b.r);
    REQUIRE(d.manifest["fifos"].size() == 1);
    const auto &fifo = d.manifest["fifos"][0];
    CHECK(fifo["name"] == "low");
    CHECK(fifo["writer"] == "region_low_core");
    CHECK(fifo["reader"] == "region_out_core");
    CHECK(fifo["clocks"] == 16);
    CHECK(fifo["bits"] == 8);
    CHECK(fifo["words"] == 488 - ((487 * 4 - 4) / 16 + 1));   // a row less what is taken while it comes, and two clocks of latency
    CHECK(stage(d, "out")["shared"]["sets"] == 6);
    CHECK(stage(d, "low")["storage"] == "FIFO");
    // 278 rows of the channel, of which 4 rows of `in` each; then the rest of the last one.
    const int64_t clocks = d.manifest["clocks"]["at_block"];
    CHECK(clocks > 278 * 4 * 4 * 488);
    CHECK(clocks < 278 * 4 * 4 * 488 + 100);
    CHECK(d.report["timeline"]["ideal"].get<int64_t>() * 1005 > clocks * 1000);
}

TEST_CASE("cut_channels: what does not pay, or has nothing slow, stays on one timeline") {
    RegionBuilder few = level(480, 270, 4, 4);
    few.stage("out", convolution(few, "low", 2));
    CHECK_FALSE(lower(few.r).manifest.contains("fifos"));
    RegionBuilder fast = level(480, 270, 1, 2);
    fast.stage("out", convolution(fast, "low", 9));
    CHECK_FALSE(lower(fast.r).manifest.contains("fifos"));
}

TEST_CASE("cut_channels: what several timelines would need stays on one") {
    RegionBuilder meets = level(480, 270, 4, 4);   // out reads in, too
    meets.stage("blurred", convolution(meets, "low", 9));
    meets.stage("out", meets.at("blurred", 0, 0) + Halide::cast<int32_t>(read("in", 4 * x(), 4 * y() + 1)));
    CHECK_FALSE(lower(meets.r).manifest.contains("fifos"));
    RegionBuilder returns = level(480, 270, 4, 4);   // the output has the image's rate again
    returns.r.clocks = 1;
    returns.stage("blurred", convolution(returns, "low", 9));
    returns.stage("out", Halide::Internal::Call::make(Halide::Int(32), "blurred", {x() / 4, y() / 4}, Halide::Internal::Call::Halide));
    CHECK_FALSE(lower(returns.r).manifest.contains("fifos"));
}

TEST_CASE("cut_channels: a table that is loaded for one timeline only") {
    for (const bool on_both_sides : {false, true}) {
        RegionBuilder b(480, 270);
        b.r.clocks = 4;
        b.input("in").table("curve", Halide::UInt(8));
        const Halide::Expr pixel = read("in", 4 * x(), 4 * y());
        b.stage("low", on_both_sides ? b.read("curve", pixel) : pixel);
        b.stage("out", convolution(b, "low", 9) + Halide::cast<int32_t>(b.read("curve", b.at("low", 0, 0))));
        CHECK(lower(b.r).manifest.contains("fifos") == !on_both_sides);
    }
}

TEST_CASE("cut_channels: at the first Func of the rate, with all that is behind it") {
    RegionBuilder b = level(480, 270, 4, 4);
    b.stage("low2", read("low", x(), y()) + read("low", x() + 1, y())).input("other");
    std::rotate(b.r.funcs.begin(), b.r.funcs.end() - 1, b.r.funcs.end());
    b.stage("out", convolution(b, "low2", 9) + Halide::cast<int32_t>(b.at("other", 0, 0)));
    const Design d = lower(b.r);
    REQUIRE(d.manifest["fifos"].size() == 1);
    CHECK(d.manifest["fifos"][0]["name"] == "low");
    CHECK(d.manifest["inputs"].size() == 2);
    CHECK(d.manifest["clocks"]["at_block"].get<int64_t>() > 0);
}

TEST_CASE("cut_channels: the depth is the least with which the first timeline does not wait, and fewer words cost time alone") {
    std::set<int> spare;
    for (int products : {0, 2, 3, 4, 5, 6}) {
        RegionBuilder b = level(480, 270, 4, 4, products);
        b.stage("out", convolution(b, "low", 9));
        const nlohmann::json manifest = nlohmann::json::parse(lower(b.r).manifest.dump());
        const auto fires_until = [&](int more) {   // of the first timeline
            clocks::System system = clocks::system_of(manifest, clocks::dense_launch(manifest, 480, 270));
            system.before[0].outputs[0].fifo_depth += more;
            spare.insert(system.before[0].outputs[0].spare);
            const clocks::Prediction p = clocks::predict(system);
            CHECK(p.clocks > 0);
            return p.timelines[0].last;
        };
        CAPTURE(products);
        CHECK(fires_until(1000) == fires_until(0));
        CHECK(fires_until(-1) > fires_until(0));
        CHECK(fires_until(-360) > fires_until(0));
    }
    CHECK(spare.size() > 1);   // with none, and with some
}

TEST_CASE("channel_words: as many as are under way at most") {
    for (int64_t words : {1, 2, 5, 17, 64}) {
        for (int64_t given : {1, 3, 4}) {
            for (int64_t taken : {4, 5, 16}) {
                for (int latency : {0, 1, 7, 30}) {
                    CAPTURE(words);
                    CAPTURE(given);
                    CAPTURE(taken);
                    CAPTURE(latency);
                    CHECK(channel_words({words, given, taken}, latency) == most_in_flight({words, given, taken}, latency));
                }
            }
        }
    }
}
