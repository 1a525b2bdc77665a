// The text of generated drivers.
#include <doctest/doctest.h>

#include <fstream>

#include "runtime/emit/Driver.h"

using nlohmann::json;

namespace {

json manifest() { return json::parse(std::ifstream(ARGENT_TEST_MANIFEST)); }

}  // namespace

TEST_CASE("names in C") {
    auto files = argent::runtime::emit_driver(manifest());
    REQUIRE(files.size() == 2);
    const std::string &h = files.at("blend_driver.h"), &c = files.at("blend_driver.c");
    CHECK(h.find("int blend_launch(halide_buffer_t *over,\n"
                 "                 halide_buffer_t *under,\n"
                 "                 int32_t min_x,\n"
                 "                 int32_t max_x,\n"
                 "                 int32_t min_y,\n"
                 "                 int32_t max_y,\n"
                 "                 float gain,\n"
                 "                 int8_t offset,\n"
                 "                 uint64_t seed,\n"
                 "                 bool int_,\n"
                 "                 halide_buffer_t *out_1);") != std::string::npos);
    CHECK(h.find("#define BLEND_MIN_X         0x018 /* rw, 32 bits: ends * / early */\n") != std::string::npos);
    CHECK(c.find("{argent_float32_bits(gain), (uint64_t)(int64_t)offset, (uint64_t)seed, (uint64_t)int_}") != std::string::npos);
}

TEST_CASE("the same manifest gives the same bytes") { CHECK(argent::runtime::emit_driver(manifest()) == argent::runtime::emit_driver(manifest())); }

TEST_CASE("a manifest that names a register which is not there is refused") {
    json m = manifest();
    m["accelerators"][0]["params"][0]["register"] = "nonesuch";
    CHECK_THROWS_WITH(argent::runtime::emit_driver(m), "manifest: register nonesuch is named but not in the list of registers");
    m.erase("function");
    CHECK_THROWS_AS(argent::runtime::emit_driver(m), json::exception);
}
