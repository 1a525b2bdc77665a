#include <doctest/doctest.h>

#include <set>

#include "../TwoInputs.h"
#include "hwgen/Lower.h"

using namespace argent::hwgen;

namespace {

std::string registers(const nlohmann::ordered_json &manifest) {
    std::string text;
    for (const auto &r : manifest["registers"]) {
        const int offset = r["offset"];
        if (offset < 0x10 || offset >= 0x800) continue;
        text += r["name"].get<std::string>() + " " + std::to_string(offset) + " " + std::to_string(r["bits"].get<int>()) + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("assign_registers: arguments follow each other, 64 bits in two words") {
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

TEST_CASE("assign_registers: an address of more than 32 bits takes two words") {
    RegionBuilder b = two_inputs(1);
    b.r.board = {"zcu104", "xczu7ev-ffvc1156-2-e", "xcup", 300, 16, 40, 4};
    CHECK(registers(lower(b.r).manifest).find("image_address 28 64\nimage_stride 36 32\n") != std::string::npos);
}

TEST_CASE("assign_registers: a launch is refused beyond what the registers may say, and every port is guarded") {
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

TEST_CASE("assign_registers: registers have different names, whatever Params are called") {
    for (const std::string name : {"width", "height", "min_x", "control", "id", "version", "cycles", "error", "image_address", "out_stride"}) {
        CAPTURE(name);
        RegionBuilder b = two_inputs(1);
        b.r.params[0].name = name;
        const Design d = lower(b.r);
        std::set<std::string> seen;
        for (const auto &r : d.manifest["registers"]) CHECK_MESSAGE(seen.insert(r["name"]).second, r["name"].dump());
    }
}

TEST_CASE("assign_registers: other registers, other sizes or other ports are another id") {
    const auto id = [](const RegionBuilder &b) { return lower(b.r).manifest["id"].get<uint32_t>(); };
    RegionBuilder smaller = two_inputs(1), renamed = two_inputs(1);
    smaller.r.block[0] = 1919;
    renamed.r.params[0].name = "amount";
    CHECK(id(two_inputs(1)) == id(two_inputs(1)));
    CHECK(id(two_inputs(1)) != id(smaller));
    CHECK(id(two_inputs(1)) != id(two_inputs(8)));   // wider buses
    CHECK(id(two_inputs(1)) != id(renamed));
}
