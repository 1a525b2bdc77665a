#include <doctest/doctest.h>

#include <fstream>

#include "../passes/RandomRegion.h"
#include "../passes/Regions.h"
#include "Certificate.h"
#include "hwgen/Lower.h"

using namespace argent::hwgen;
using nlohmann::json;

namespace {

json certificate_of(const Region &r) {
    return json::parse(lower(r).report.dump()).at("certificate");
}

}  // namespace

TEST_CASE("certificate: paths that meet") {
    const json c = certificate_of(diamond(1920, 1080).r);
    CHECK(wrong_with_certificate(c) == "");
    CHECK(c["objective_bits"] == (2 * 1922 + 2) * 8);
}

TEST_CASE("certificate: random regions") {
    for (unsigned seed = 1; seed <= 60; seed++) {
        CAPTURE(seed);
        CHECK(wrong_with_certificate(certificate_of(RandomRegion(seed).region)) == "");
    }
}

TEST_CASE("certificate: several rates") {
    RegionBuilder b(64, 48);
    const auto read = [&](const std::string &name, const Halide::Expr &x, const Halide::Expr &y) {
        return Halide::Internal::Call::make(Halide::UInt(8), name, {x, y}, Halide::Internal::Call::Halide);
    };
    const Halide::Expr x = b.x(), y = b.y();
    b.input("in").stage("low", read("in", 2 * x - 1, 2 * y) + read("in", 2 * x + 1, 2 * y + 2));
    b.stage("out", read("low", x / 2, (y + 1) / 2) + read("low", (x + 1) / 2, y / 2) + read("in", x, y));
    json c = certificate_of(b.r);
    CHECK(wrong_with_certificate(c) == "");
    CHECK(c["bits_unit"] == 4);
    for (auto &v : c["values"]) {
        if (v["name"] == "out (rows)") v["rows"] = v["rows"].get<int>() - 1;
    }
    CHECK(wrong_with_certificate(c).find("violated") != std::string::npos);
}

TEST_CASE("certificate: Funcs of one name can be told apart") {
    RegionBuilder b(64, 48);
    b.input("in$1").stage("sum$1", b.at("in$1", 0, 0) + b.at("in$1", 0, 1)).stage("sum$2", b.at("sum$1", 0, 0) + b.at("sum$1", 1, 1));
    b.r.funcs[1].label = b.r.funcs[2].label = "sum";
    CHECK(wrong_with_certificate(certificate_of(b.r)) == "");
}

TEST_CASE("certificate: a Func called scan is not the scan") {
    RegionBuilder b(64, 48);
    b.input("in").stage("scan", b.at("in", 0, 0) + b.at("in", 0, 1)).stage("out", b.at("scan", 0, 0) + b.at("scan", 1, 1));
    CHECK(wrong_with_certificate(certificate_of(b.r)) == "");
}

TEST_CASE("certificate: one that was tampered with is refused") {
    const json c = certificate_of(diamond(64, 48).r);
    json worse = c;
    for (auto &v : worse["values"]) {
        if (v["name"] == "out" || v["name"] == "blur (last read)" || v["name"] == "in (last read)") v["cols"] = v["cols"].get<int>() + 1;
    }
    CHECK(wrong_with_certificate(worse) != "");
    json early = c;
    for (auto &v : early["values"]) {
        if (v["name"] == "blur") v["rows"] = v["rows"].get<int>() - 1;
    }
    CHECK(wrong_with_certificate(early).find("violated") != std::string::npos);
    json no_flow = c;
    for (auto &k : no_flow["constraints"]) k["flow"] = 0;
    CHECK(wrong_with_certificate(no_flow).find("not covered by flow") != std::string::npos);
}

/** ARGENT_TEST_REPORTS: report.json files of apps, with a colon between. */
TEST_CASE("certificate: apps") {
    const char *list = std::getenv("ARGENT_TEST_REPORTS");
    std::istringstream files(list ? list : "");
    for (std::string file; std::getline(files, file, ':');) {
        CAPTURE(file);
        std::ifstream in(file);
        REQUIRE(in.good());
        const json report = json::parse(in);
        for (const json &accelerator : report.at("accelerators")) CHECK(wrong_with_certificate(accelerator.at("certificate")) == "");
    }
}
