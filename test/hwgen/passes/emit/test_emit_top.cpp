#include <doctest/doctest.h>

#include "../CoreBench.h"
#include "../TwoInputs.h"

using namespace argent::hwgen;

namespace {

int port_width(const std::string &verilog, const std::string &port) {
    const size_t at = verilog.find(" " + port + ",");
    const size_t line = verilog.rfind('\n', at) + 1, bracket = verilog.find('[', line);
    REQUIRE(at != std::string::npos);
    return bracket < at ? std::stoi(verilog.substr(bracket + 1)) + 1 : 1;
}

}  // namespace

TEST_CASE("emit_top: a board with more address bits has wider addresses") {
    RegionBuilder b = two_inputs(1);
    b.r.board = {"zcu104", "xczu7ev-ffvc1156-2-e", "xcup", 300, 16, 40, 4};
    const Design d = lower(b.r);
    CHECK(port_width(d.rtl.at("region.v"), "m_axi_image_araddr") == 40);
    CHECK(port_width(d.rtl.at("region.v"), "m_axi_out_awaddr") == 40);
    if (has_icarus()) CHECK(lint(d) == "");
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

