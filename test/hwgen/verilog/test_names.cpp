#include <doctest/doctest.h>

#include <map>
#include <random>

#include "hwgen/verilog/Names.h"

using namespace argent::verilog;

TEST_CASE("legal: good names stay") {
    for (const char *name : {"blur", "grad_x", "f26", "Harris", "a_1_b", "out", "select", "range"}) CHECK(legal(name) == name);
}

TEST_CASE("legal: bad characters, keywords and leading underscores") {
    CHECK(legal("blur$1") == "blur__d1");
    CHECK(legal("f.0") == "f__p0");
    CHECK(legal("reg") == "reg_");
    CHECK(legal("reg_") == "reg__");
    CHECK(legal("int") == "int_");
    CHECK(legal("_t") == "f__n_t");
    CHECK(legal("1st") == "f__n1st");
    CHECK(legal("a__b") == "a__u_b");
    CHECK(legal("\xc3\xa4") == "f__n__xc3__xa4");
    CHECK(legal("") == "f__n");
}

TEST_CASE("stem: no word is reserved there") {
    CHECK(stem("input") == "input");
    CHECK(stem("input_") == "input_");
    CHECK(stem("blur$1") == "blur__d1");
    CHECK(stem("1st") == "f__n1st");
}

TEST_CASE("legal, stem: no two names become one") {
    std::mt19937 random(5);
    std::map<std::string, std::string> seen, seen_stems;
    const std::string letters = "_$.dxpun1reg";
    for (int i = 0; i < 200000; ++i) {
        std::string name;
        for (unsigned k = random() % 9; k > 0; --k) name += letters[random() % letters.size()];
        std::string good = legal(name);
        auto [at, is_new] = seen.emplace(good, name);
        INFO(name, " and ", at->second, " are both ", good);
        CHECK((is_new || at->second == name));
        CHECK_FALSE(is_reserved(good));
        CHECK(seen_stems.emplace(stem(name), name).first->second == name);
        for (char c : good) CHECK((std::isalnum(static_cast<unsigned char>(c)) || c == '_'));
    }
}

TEST_CASE("Scope: taken names get a number, in order of asking") {
    Scope s;
    s.reserve("clk");
    CHECK(s.fresh("clk") == "clk_2");
    CHECK(s.temporary("sum") == "_sum");
    CHECK(s.temporary("sum") == "_sum_2");
    CHECK(s.unique("p1_sum") == "p1_sum");
    CHECK(s.temporary("sum") == "_sum_3");
    CHECK(s.fresh("f$1") == "f__d1");
}
