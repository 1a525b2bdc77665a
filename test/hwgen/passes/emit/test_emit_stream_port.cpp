#include <doctest/doctest.h>

#include <sstream>

#include "../CoreBench.h"
#include "../Regions.h"
#include "hwgen/ir/Diagnostic.h"

using namespace argent::hwgen;
using Halide::cast;

namespace {

/** A bool and a byte in, two bytes out. */
RegionBuilder mixed(int lanes) {
    RegionBuilder b(640, 480, lanes);
    b.r.streaming = true;
    b.input("image").input("mask", Halide::Bool());
    b.stage("out", select(b.at("mask", 1, 0), cast<uint16_t>(b.at("image", 0, 1)) * cast<uint16_t>(3), cast<uint16_t>(b.at("image", 0, 0))));
    return b;
}

/** The pins of one stream, as the module declares them. */
std::string pins(const std::string &verilog, const std::string &port) {
    std::istringstream lines(verilog);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find(',')));
        std::string all;
        for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
        if (all.find("put wire") != std::string::npos && all.find(" " + port + "_") != std::string::npos) text += all + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("emit_stream_port: one lane has no tkeep, a bool is a byte") {
    const Design d = lower(mixed(1).r);
    const std::string &top = d.rtl.at("region.v");
    CHECK(pins(top, "s_axis_mask") ==
          "input wire s_axis_mask_tvalid\n"
          "output wire s_axis_mask_tready\n"
          "input wire [7:0] s_axis_mask_tdata\n"
          "input wire s_axis_mask_tlast\n"
          "input wire s_axis_mask_tuser\n");
    CHECK(pins(top, "m_axis_out") ==
          "output wire m_axis_out_tvalid\n"
          "input wire m_axis_out_tready\n"
          "output wire [15:0] m_axis_out_tdata\n"
          "output wire m_axis_out_tlast\n"
          "output wire m_axis_out_tuser\n");
    CHECK(top.find("m_axi_") == std::string::npos);
}

TEST_CASE("emit_stream_port: a transfer is a vector, tkeep says how much of it is there") {
    const Design d = lower(mixed(4).r);
    CHECK(pins(d.rtl.at("region.v"), "m_axis_out") ==
          "output wire m_axis_out_tvalid\n"
          "input wire m_axis_out_tready\n"
          "output wire [63:0] m_axis_out_tdata\n"
          "output wire [7:0] m_axis_out_tkeep\n"
          "output wire m_axis_out_tlast\n"
          "output wire m_axis_out_tuser\n");
    CHECK(d.rtl.count("ag_axis_in.v") == 1);
    CHECK(d.rtl.count("ag_axi_read.v") == 0);
}

TEST_CASE("emit_stream_port: no lint warning") {
    if (!has_icarus()) return;
    for (int lanes : {1, 2, 8, 32}) {
        CAPTURE(lanes);
        CHECK(lint(lower(mixed(lanes).r)) == "");
    }
}

TEST_CASE("emit_stream_port: no addresses among the registers, two error bits a stream, another id") {
    const auto manifest = lower(mixed(2).r).manifest;
    for (const auto &r : manifest["registers"]) {
        const std::string name = r["name"];
        CHECK(name.find("address") == std::string::npos);
        CHECK(name.find("stride") == std::string::npos);
        if (name == "error") {
            CHECK(r["doc"] == "framing of the last launch's input streams: bits 1..0 image, 3..2 mask; 1 a row ended early, "
                              "2 a row did not end where it should, 3 a frame did not begin where it should");
        }
    }
    CHECK(!manifest.contains("axi"));
    CHECK(manifest["inputs"][0]["kind"] == "stream");
    CHECK(manifest["inputs"][0]["port"] == "s_axis_image");
    CHECK(manifest["inputs"][0]["bus_bytes"] == 2);
    CHECK(!manifest["inputs"][0].contains("registers"));
    CHECK(manifest["outputs"][0]["port"] == "m_axis_out");
    RegionBuilder memory = mixed(2);
    memory.r.streaming = false;
    CHECK(manifest["id"] != lower(memory.r).manifest["id"]);
}

TEST_CASE("emit_stream_port: a stream has no narrow bus to warn of") {
    CHECK(lower(mixed(32).r).report["warnings"].empty());
}

TEST_CASE("emit_stream_port: the error register has room for 16 inputs") {
    const auto inputs = [](int n) {
        RegionBuilder b(64, 64);
        b.r.streaming = true;
        b.r.streaming_where = {"region.cpp", 8};
        for (int i = 0; i < n; i++) b.input("in" + std::to_string(i));
        Halide::Expr sum = b.at("in0", 0, 0);
        for (int i = 1; i < n; i++) sum = sum + b.at("in" + std::to_string(i), 0, 0);
        b.stage("out", sum);
        return b;
    };
    const Design most = lower(inputs(16).r);
    if (has_icarus()) CHECK(lint(most) == "");
    std::string text;
    try {
        lower(inputs(17).r);
    } catch (const argent::Error &e) {
        text = e.what();
    }
    CHECK(text ==
          "region.cpp:8: error: streaming(): the inputs are 17 streams, one for each plane, and the error register has room for 16\n"
          "region.cpp:8: note: leave streaming() out, or compute some of the inputs inside of the accelerator\n");
}
