#include <doctest/doctest.h>

#include <set>

#include "CoreBench.h"
#include "Regions.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

RegionBuilder two_inputs(int lanes) {
    RegionBuilder b(1920, 1080, lanes);
    b.input("image").input("mask", Halide::Bool());
    b.param("gain", Halide::UInt(8), Interval::unsigned_of(8)).param("salt", Halide::UInt(64), Interval::unsigned_of(64));
    b.stage("out", select(b.at("mask", 1, 0), cast<uint64_t>(b.at("image", 0, 1)) * cast<uint64_t>(Halide::Internal::Variable::make(Halide::UInt(8), "gain")),
                          Halide::Internal::Variable::make(Halide::UInt(64), "salt") + cast<uint64_t>(b.x())));
    return b;
}

std::string registers(const nlohmann::ordered_json &manifest) {
    std::string text;
    for (const auto &r : manifest["registers"]) {
        const int offset = r["offset"];
        if (offset < 0x10 || offset >= 0x800) continue;
        text += r["name"].get<std::string>() + " " + std::to_string(offset) + " " + std::to_string(r["bits"].get<int>()) + "\n";
    }
    return text;
}

int port_width(const std::string &verilog, const std::string &port) {
    const size_t at = verilog.find(" " + port + ",");
    const size_t line = verilog.rfind('\n', at) + 1, bracket = verilog.find('[', line);
    REQUIRE(at != std::string::npos);
    return bracket < at ? std::stoi(verilog.substr(bracket + 1)) + 1 : 1;
}

}  // namespace

TEST_CASE("emit_top: arguments follow each other, 64 bits in two words") {
    CHECK(registers(lower(two_inputs(1).r).manifest) ==
          "width 16 11\n"
          "height 20 11\n"
          "min_x 24 32\n"
          "image_address 28 32\n"
          "image_stride 32 32\n"
          "image_low 36 32\n"
          "image_high 40 32\n"
          "mask_address 44 32\n"
          "mask_stride 48 32\n"
          "mask_low 52 32\n"
          "mask_high 56 32\n"
          "out_address 60 32\n"
          "out_stride 64 32\n"
          "out_low 68 32\n"
          "out_high 72 32\n"
          "gain 76 8\n"
          "salt 80 64\n");
}

TEST_CASE("emit_top: a launch is refused beyond what the registers may say, and every port is guarded") {
    const Design d = lower(two_inputs(1).r);
    CHECK(d.manifest["checks"].dump() == R"([{"register":"width","min":1,"max":1920},{"register":"height","min":1,"max":1080}])");
    CHECK(d.manifest["error_bits"] == 2);
    CHECK(d.manifest["inputs"][0]["registers"]["low"] == "image_low");
    CHECK(d.manifest["outputs"][0]["registers"]["high"] == "out_high");
    std::string refused;
    for (const auto &r : d.manifest["registers"])
        if (r["name"] == "refused") refused = r["doc"];
    CHECK(refused == "why the last launch was refused: bit 0 width (1..1920), 1 height (1..1080)");
    const std::string &top = d.rtl.at("region.v");
    for (const char *guard : {"guard_image (", "guard_mask (", "guard_out ("}) CHECK_MESSAGE(top.find(guard) != std::string::npos, guard);
}

TEST_CASE("emit_top: a board with more address bits has wider addresses") {
    RegionBuilder b = two_inputs(1);
    b.r.board = {"zcu104", "xczu7ev-ffvc1156-2-e", "xcup", 300, 16, 40, 4};
    const Design d = lower(b.r);
    CHECK(registers(d.manifest).find("image_address 28 64\nimage_stride 36 32\n") != std::string::npos);
    CHECK(port_width(d.rtl.at("region.v"), "m_axi_image_araddr") == 40);
    CHECK(port_width(d.rtl.at("region.v"), "m_axi_out_awaddr") == 40);
    if (has_icarus()) CHECK(lint(d) == "");
}

TEST_CASE("emit_top: buses are as wide as the throughput needs, and no wider than the board's") {
    const auto bus = [](int lanes, const char *images, int i) { return lower(two_inputs(lanes).r).manifest[images][i]["bus_bytes"].get<int>(); };
    CHECK(bus(1, "inputs", 0) == 4);
    CHECK(bus(4, "inputs", 0) == 4);
    CHECK(bus(8, "inputs", 0) == 8);
    CHECK(bus(32, "inputs", 0) == 8);
    CHECK(bus(8, "inputs", 1) == 8);   // a bool is a byte in memory
    CHECK(bus(1, "outputs", 0) == 8);
}

TEST_CASE("emit_top: a port that cannot keep up is a warning with both numbers") {
    const Design d = lower(two_inputs(2).r);
    CHECK(d.report["warnings"].dump() ==
          "[\"m_axi_out carries 8 bytes a clock, and 16 are needed: 2 positions per clock are not reached on pynq-z2\"]");
    CHECK(lower(two_inputs(1).r).report["warnings"].empty());
}

TEST_CASE("lower: a clock that no pipeline reaches is a warning with both numbers") {
    RegionBuilder b = two_inputs(1);
    b.r.clock_mhz = 5000;
    CHECK(lower(b.r).report["warnings"].dump() ==
          "[\"clock(5000) leaves 0.20 ns, and a step of out that no register can cut takes 4.88 ns on pynq-z2: about 205 MHz are possible\"]");
    b.r.clock_mhz = 150;
    CHECK(lower(b.r).report["warnings"].empty());
}

TEST_CASE("emit_top: bool images, all lanes, no lint warning") {
    if (!has_icarus()) return;
    for (int lanes : {1, 2, 8, 32}) {
        CAPTURE(lanes);
        RegionBuilder b(100, 100, lanes);
        b.input("mask", Halide::Bool()).stage("out", b.at("mask", 0, 0) != b.at("mask", 1, 0));
        CHECK(lint(lower(b.r)) == "");
    }
}

TEST_CASE("emit_top: registers have different names, whatever Params are called") {
    for (const std::string name : {"width", "height", "min_x", "control", "id", "version", "cycles", "error", "image_address", "out_stride"}) {
        CAPTURE(name);
        RegionBuilder b = two_inputs(1);
        b.r.params[0].name = name;
        const Design d = lower(b.r);
        std::set<std::string> seen;
        for (const auto &r : d.manifest["registers"]) CHECK_MESSAGE(seen.insert(r["name"]).second, r["name"].dump());
    }
}

TEST_CASE("emit_top: other registers, other sizes or other ports are another id") {
    const auto id = [](const RegionBuilder &b) { return lower(b.r).manifest["id"].get<uint32_t>(); };
    RegionBuilder smaller = two_inputs(1), renamed = two_inputs(1);
    smaller.r.block[0] = 1919;
    renamed.r.params[0].name = "amount";
    CHECK(id(two_inputs(1)) == id(two_inputs(1)));
    CHECK(id(two_inputs(1)) != id(smaller));
    CHECK(id(two_inputs(1)) != id(two_inputs(8)));   // wider buses
    CHECK(id(two_inputs(1)) != id(renamed));
}
