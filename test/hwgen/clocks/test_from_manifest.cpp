#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "../passes/Regions.h"
#include "hwgen/Lower.h"
#include "hwgen/clocks/FromManifest.h"

using namespace argent::hwgen;
using argent::hwgen::clocks::dense_launch;
using argent::hwgen::clocks::predict;
using argent::hwgen::clocks::system_of;
using nlohmann::json;

namespace {

/** What a formula of the manifest says of W x H. */
class Formula {
public:
    static double value(const std::string &text, double w, double h) {
        Formula f(text, w, h);
        const double v = f.sum();
        CHECK(f.at == text.size());
        return v;
    }

private:
    Formula(const std::string &text, double w, double h) : text(text), w(w), h(h) {
    }
    bool take(const std::string &token) {
        while (at < text.size() && text[at] == ' ') at++;
        if (text.compare(at, token.size(), token) != 0) return false;
        at += token.size();
        return true;
    }
    double sum() {
        double v = product();
        for (;;) {
            if (take("+")) v += product();
            else if (take("-")) v -= product();
            else return v;
        }
    }
    double product() {
        double v = factor();
        for (;;) {
            if (take("*")) v *= factor();
            else if (take("/")) v /= factor();
            else return v;
        }
    }
    double factor() {
        if (take("-")) return -factor();
        if (take("W")) return w;
        if (take("H")) return h;
        for (const char *name : {"floor(", "ceil(", "max(", "("}) {
            if (!take(name)) continue;
            double v = sum();
            if (name[0] == 'm' && take(",")) v = std::max(v, sum());
            CHECK(take(")"));
            return name[0] == 'f' ? std::floor(v) : name[0] == 'c' ? std::ceil(v) : v;
        }
        size_t digits = 0;
        const double v = std::stod(text.substr(at), &digits);
        at += digits;
        return v;
    }
    const std::string &text;
    double w, h;
    size_t at = 0;
};

/** What lower() wrote, as others read it. */
json manifest_of(const RegionBuilder &b) {
    return json::parse(lower(b.r).manifest.dump());
}

}  // namespace

TEST_CASE("from_manifest: sizes, displacements and ports of a launch") {
    const json manifest = manifest_of(diamond(64, 48, 4));
    auto launch = dense_launch(manifest, 10, 7);
    REQUIRE(launch.inputs.size() == 1);
    REQUIRE(launch.outputs.size() == 1);
    CHECK(launch.inputs[0].stride == 12);        // 10 elements and one beyond on each side
    CHECK(launch.outputs[0].stride == 10 * 2);   // 16 bits
    launch.inputs[0] = {0x1234, -640};
    const auto system = system_of(manifest, launch);
    CHECK(system.clocks_per_fire == 1);
    CHECK(system.pitch == 4);                    // a vector more, and the rows of the output do not go around
    REQUIRE(system.inputs.size() == 1);
    REQUIRE(system.outputs.size() == 1);
    const auto &in = system.inputs[0];
    CHECK(in.scan.cols == 3);
    CHECK(in.scan.rows == 9);
    CHECK(in.scan.dx == 0);
    CHECK(in.scan.dy == 0);
    CHECK(in.port.address == 0x1234);
    CHECK(in.port.row_stride == -640);
    CHECK(in.port.row_elements == 12);
    CHECK(in.port.rows == 9);
    CHECK(in.port.lanes == 4);
    CHECK(in.port.elem_bytes == 1);
    const auto &out = system.outputs[0];
    CHECK(out.scan.cols == 3);
    CHECK(out.scan.rows == 7);
    CHECK(out.scan.dy == 2);
    CHECK(out.port.row_elements == 10);
    CHECK(out.latency == manifest["latency"]["fire_to_output"].get<int>());
    CHECK(out.fifo_depth >= out.latency);
}

TEST_CASE("from_manifest: rows are never shorter than the least pitch") {
    RegionBuilder b(64, 48);
    b.input("in").stage("out", b.at("in", 3, 0) + b.at("in", 0, 1));
    const json manifest = manifest_of(b);
    const int least = manifest["clocks"]["model"]["least_pitch"];
    CHECK(least > 1);
    CHECK(system_of(manifest, dense_launch(manifest, 1, 1)).pitch == std::max(least, 4));
    CHECK(system_of(manifest, dense_launch(manifest, 64, 1)).pitch == 67);
}

TEST_CASE("from_manifest: the block's clocks are those that the manifest has") {
    for (int lanes : {1, 2, 8}) {
        CAPTURE(lanes);
        const json manifest = manifest_of(diamond(64, 48, lanes));
        CHECK(predict(system_of(manifest, dense_launch(manifest, 64, 48))).clocks == manifest["clocks"]["at_block"].get<long>());
    }
    RegionBuilder slow = diamond(64, 48);
    slow.r.clocks = 3;
    const json manifest = manifest_of(slow);
    const auto prediction = predict(system_of(manifest, dense_launch(manifest, 64, 48)));
    CHECK(prediction.clocks == manifest["clocks"]["at_block"].get<long>());
    CHECK(prediction.clocks >= 3 * 66 * 50);   // all positions of the input's box
}

TEST_CASE("from_manifest: the formula's leading term is the scan") {
    const json manifest = manifest_of(diamond(1920, 1080));
    CHECK(manifest["clocks"]["formula"].get<std::string>().find("(H + 1) * (W + 2)") != std::string::npos);
    const long clocks = manifest["clocks"]["at_block"];
    CHECK(clocks >= 1082L * 1922);
    CHECK(clocks < 1082L * 1922 + 200);
}

TEST_CASE("from_manifest: the formula holds for other sizes too, of one rate and of several") {
    const auto read = [](const std::string &name, const Halide::Expr &x, const Halide::Expr &y) {
        return Halide::Internal::Call::make(Halide::UInt(8), name, {x, y}, Halide::Internal::Call::Halide);
    };
    for (int lanes : {1, 2}) {
        CAPTURE(lanes);
        RegionBuilder up(640, 480, lanes), down(640, 480, lanes);
        const Halide::Expr x = up.x(), y = up.y();
        up.input("in").stage("low", read("in", 2 * x - 1, 2 * y) + read("in", 2 * x + 1, 2 * y + 5));
        up.stage("out", read("low", x / 2, (y + 1) / 2) + read("low", (x + 1) / 2, y / 2));
        down.input("in").stage("out", read("in", 2 * x - 1, 3 * y) + read("in", 2 * x + 1, 3 * y + 2));
        for (const RegionBuilder &b : {diamond(640, 480, lanes), up, down}) {
            const json manifest = manifest_of(b);
            const std::string formula = manifest["clocks"]["formula"];
            CAPTURE(formula);
            for (const auto &[w, h] : std::vector<std::pair<int, int>>{{640, 480}, {640, 100}, {320, 480}, {97, 33}}) {
                CAPTURE(w);
                CAPTURE(h);
                const double clocks = predict(system_of(manifest, dense_launch(manifest, w, h))).clocks;
                CHECK(std::abs(clocks - Formula::value(formula, w, h)) <= 4 + 3 * (480 - h));   // a row of an image that begins inside a beat may take one more
            }
        }
    }
}

TEST_CASE("from_manifest: a manifest without its fields is refused") {
    json manifest = manifest_of(diamond(64, 48));
    const auto launch = dense_launch(manifest, 8, 8);
    manifest["clocks"]["model"].erase("least_pitch");
    CHECK_THROWS_AS(system_of(manifest, launch), json::exception);
    CHECK_THROWS_AS(dense_launch(json::object(), 8, 8), json::exception);
}
