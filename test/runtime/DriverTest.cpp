// The text of generated drivers.
#include <doctest/doctest.h>

#include <fstream>
#include <set>

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

TEST_CASE("words of C++ and macros are no parameters' names") {
    json m = manifest();
    for (const char *name : {"nullptr", "bitand", "linux", "argent_launch"}) {
        m["accelerators"][0]["params"][3]["name"] = name;
        CHECK(argent::runtime::emit_driver(m).at("blend_driver.h").find(std::string("bool ") + name + "_,") != std::string::npos);
    }
}

TEST_CASE("constants are different where names differ in case, or meet another accelerator's") {
    json m = manifest();
    json &registers = m["accelerators"][0]["registers"];
    for (const auto &[name, offset] : {std::pair<const char *, int>{"k", 0x700}, {"K", 0x704}, {"id_value", 0x708}}) {
        registers.push_back({{"name", name}, {"offset", offset}, {"access", "rw"}, {"bits", 32}});
    }
    m["accelerators"].push_back(m["accelerators"][0]);
    m["accelerators"][1]["name"] = "blend_min";
    m["accelerators"][1]["launcher"] = "blend_min_launch";
    m["accelerators"][1]["registers"].push_back({{"name", "x"}, {"offset", 0x70c}, {"access", "rw"}, {"bits", 32}});
    const std::string h = argent::runtime::emit_driver(m).at("blend_driver.h");
    std::set<std::string> names;
    for (size_t at = h.find("#define "); at != std::string::npos; at = h.find("#define ", at + 1)) {
        const std::string name = h.substr(at + 8, h.find_first_of(" \n", at + 8) - at - 8);
        CHECK_MESSAGE(names.insert(name).second, name, " is defined twice");
    }
    CHECK(names.count("BLEND_K") == 1);
    CHECK(names.count("BLEND_K_") == 1);
}

TEST_CASE("the same manifest gives the same bytes") { CHECK(argent::runtime::emit_driver(manifest()) == argent::runtime::emit_driver(manifest())); }

TEST_CASE("a manifest that names a register which is not there is refused") {
    json m = manifest();
    m["accelerators"][0]["params"][0]["register"] = "nonesuch";
    CHECK_THROWS_WITH(argent::runtime::emit_driver(m), "manifest: register nonesuch is named but not in the list of registers");
    m.erase("function");
    CHECK_THROWS_AS(argent::runtime::emit_driver(m), json::exception);
}
