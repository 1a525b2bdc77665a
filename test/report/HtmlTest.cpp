#include "report/Html.h"

#include <doctest/doctest.h>

using namespace argent::report;

TEST_CASE("numbers read well") {
    CHECK(count(0) == "0");
    CHECK(count(9999) == "9999");
    CHECK(count(12345) == "12\u202f345");
    CHECK(count(-1041000) == "\u22121\u202f041\u202f000");
    CHECK(count(INT64_MIN) == "\u22129\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808");
    CHECK(number(2.50, 3) == "2.5");
    CHECK(number(-0.0001, 2) == "0");
    CHECK(number(100, 0) == "100");
    CHECK(count_text("-1369952925225") == "\u22121\u202f369\u202f952\u202f925\u202f225");
    CHECK(count_text("a < b") == "a &lt; b");
    CHECK(bits(640) == "640 bit");
    CHECK(bits(61504) == "61.5 kbit");
}

TEST_CASE("distances and places") {
    CHECK(distance({0, 0}) == "0");
    CHECK(distance({2, 1}) == "2 rows + 1");
    CHECK(distance({1, -4}) == "1 row \u2212 4");
    CHECK(place({"apps/harris/harris.cpp", 31}) == "harris.cpp:31");
    CHECK(plural(1, "row") == "1 row");
    CHECK(extents({1920, 1080}) == "1920 × 1080");
}

TEST_CASE("shortening counts characters, not bytes") {
    CHECK(shorten("größe", 5) == "größe");
    CHECK(shorten("größer", 5) == "größ…");
}
