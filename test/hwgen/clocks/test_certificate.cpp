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

TEST_CASE("certificate: windows that repeat rows") {
    RegionBuilder b(1920, 1080, 4);
    b.input("in");
    Halide::Expr sum = Halide::cast<uint8_t>(0);
    for (int dy = -4; dy <= 4; ++dy) sum = sum ^ (bordered(b, "in", dy == 4 ? 0 : 5, dy) + 7 * (dy + 4));   // older rows a column early, if the stage did not wait
    b.stage("out", sum);
    const json c = certificate_of(b.r);
    CHECK(wrong_with_certificate(c) == "");
    CHECK(c["repeats"].size() >= 1);
    json unknown = c, early = c, skewed = c;
    unknown["repeats"].clear();
    CHECK(wrong_with_certificate(unknown) == "the delays are not those of the reads in the schedule");
    early["repeats"][0]["rows"] = -1;
    CHECK(wrong_with_certificate(early).find("begins before the first row of in") != std::string::npos);
    skewed["windows"][0]["slip"] = 1;
    CHECK(wrong_with_certificate(skewed).find("come in several steps") != std::string::npos);
    skewed = c;
    skewed["delays"][0]["delay"]["cols"] = -1;
    CHECK(wrong_with_certificate(skewed).find("a column early") != std::string::npos);
    RegionBuilder below(1920, 1080);   // a row is kept for the last one alone
    below.input("in").stage("out", bordered(below, "in", 0, 2) ^ 1);
    CHECK(wrong_with_certificate(certificate_of(below.r)) == "");
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

TEST_CASE("certificate: several outputs behind a RAM") {
    RegionBuilder b(64, 32, 2);
    const Halide::Expr across = Halide::Internal::Call::make(Halide::UInt(8), "kept", {b.y(), b.x()}, Halide::Internal::Call::Halide);
    b.input("in").stage("kept", b.at("in", 1, 0) + b.at("in", 0, 2));
    b.stage("turned", across + b.at("in", 0, 0)).stage("out", b.at("turned", 0, 0) + b.at("turned", 1, 1)).stage("plain", b.at("in", 2, 1) + b.at("in", 0, 0));
    b.r.outputs = {"out", "plain"};
    b.r.output_funcs = {0, 1};
    Buffered kept;
    kept.label = "kept";
    kept.elements = {{"kept", "kept", Halide::UInt(8)}};
    b.r.buffered = {kept};
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

TEST_CASE("certificate: what was built otherwise than the schedule says is refused") {
    const json c = certificate_of(diamond(64, 48).r);
    const auto changed = [&](const auto &change) {
        json other = c;
        change(other);
        return wrong_with_certificate(other);
    };
    const auto field = [](json &list, const char *key, const std::string &value) -> json & {
        for (json &item : list) {
            if (item.at(key) == value) return item;
        }
        throw std::runtime_error("nothing has " + value);
    };
    const auto less = [](json &number) { number = number.get<int>() - 1; };

    CHECK(changed([&](json &d) { less(field(d["delays"], "reason", "blur reads in at (-1, -1)")["delay"]["cols"]); }) ==
          "blur reads in at (-1, -1): the delay is 2 rows + 1, the schedule needs 2 rows + 2");
    CHECK(changed([&](json &d) { d["delays"].erase(0); }) == "the delays are not those of the reads in the schedule");
    CHECK(changed([&](json &d) { less(field(d["windows"], "producer", "in")["registers"][2]); }) ==
          "blur reads in at (-1, -1): the window does not hold that column");
    CHECK(changed([&](json &d) { field(d["windows"], "producer", "in")["registers"][2] = 3; }) == "the window of in holds what nobody reads");
    CHECK(changed([&](json &d) { less(field(d["windows"], "producer", "in")["words"]); }) == "the rows of the window of in have another length");
    CHECK(changed([&](json &d) { d["windows"].erase(0); }) == "the windows are not those of the producers that are read");
    CHECK(changed([&](json &d) { less(field(d["clocks"]["values"], "name", "blur (window)")["clocks"]); }).find("violated") != std::string::npos);
    CHECK(changed([&](json &d) { field(d["fifos"], "name", "fifo_out")["words"] = 4; }) ==
          "fifo_out (m_axi_out) holds 4 words and needs 6: the head fires while 6 words are free, as of a clock ago: nothing stops what has been fired, 4 words at most in the 4 clocks to the FIFO");
    CHECK(changed([&](json &d) { field(d["fifos"], "name", "fifo_out")["words"] = 9; }) ==
          "fifo_out (m_axi_out) holds 9 words and needs 10: when the head goes on, as many leave until what it fires is there, but for the two clocks in which it is told: with fewer the output would wait for it");
    CHECK(changed([&](json &d) { less(field(d["fifos"], "name", "fifo_out")["spare"]); }) == "fifo_out (m_axi_out): more may be in flight than it keeps free");
    CHECK(changed([&](json &d) { less(field(d["fifos"], "name", "fifo_out")["latency"]); }) ==
          "fifo_out (m_axi_out): what fires does not arrive after its latency");
    CHECK(changed([&](json &d) { field(d["fifos"], "name", "fifo in front of in")["words"] = 15; }) ==
          "fifo in front of in (m_axi_in) holds 15 words and needs 16: a burst is asked for when there is room for all of it, so that the memory never waits");
}

TEST_CASE("certificate: every displacement says why") {
    const json c = certificate_of(diamond(64, 48).r);
    const auto reason = [&](const std::string &name) {
        for (const json &v : c.at("values")) {
            if (v.at("name") == name) return v.value("reason", "");
        }
        return std::string("there is no " + name);
    };
    CHECK(reason("in") == "as early as it can: in does not fire before the scan begins");
    CHECK(reason("blur") == "as early as it can: blur reads in at (1, 1)");
    CHECK(reason("out") == "as early as it can: out reads blur at (0, 0)");
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
