#include "report/Layout.h"

#include <doctest/doctest.h>
#include <cmath>
#include <random>

using namespace argent::report;

namespace {

bool overlap(Point p, Box a, Point q, Box b) {
    return std::abs(p.x - q.x) < (a.width + b.width) / 2 &&
           std::abs(p.y - q.y) < (a.height + b.height) / 2;
}

}  // namespace

TEST_CASE("a chain is a straight line") {
    const Layout l =
        lay_out({{100, 40}, {100, 40}, {100, 40}}, {{0, 1, {50, 14}}, {1, 2, {50, 14}}}, 1000, 700);
    CHECK(l.boxes[0].x == l.boxes[1].x);
    CHECK(l.boxes[1].x == l.boxes[2].x);
    CHECK(l.boxes[0].y < l.boxes[1].y);
    CHECK(l.boxes[1].y < l.boxes[2].y);
}

TEST_CASE("a diamond has no crossing, whatever the order of its links") {
    const Layout l = lay_out(
        std::vector<Box>(6, {60, 40}),
        {{0, 2, {}}, {0, 1, {}}, {1, 4, {}}, {2, 3, {}}, {4, 5, {}}, {3, 5, {}}}, 1000, 700);
    CHECK((l.boxes[1].x < l.boxes[2].x) == (l.boxes[4].x < l.boxes[3].x));
    CHECK(l.boxes[0].x == l.boxes[5].x);
}

TEST_CASE("a long chain is cut into columns that fit the page") {
    std::vector<Link> links;
    for (int i = 0; i + 1 < 60; i++) links.push_back({i, i + 1, {80, 28}});
    const Layout l = lay_out(std::vector<Box>(60, {180, 42}), links, 1120, 760);
    CHECK(l.width <= 1120);
    CHECK(l.height < 2000);
    CHECK(l.boxes[59].x > l.boxes[0].x + 180);
}

TEST_CASE("boxes and labels never overlap, links go down") {
    std::mt19937 random(11);
    for (int trial = 0; trial < 60; trial++) {
        const int n = 2 + int(random() % 45);
        std::vector<Box> boxes;
        std::vector<Link> links;
        for (int i = 0; i < n; i++) boxes.push_back({80.0 + random() % 160, 42});
        for (int i = 1; i < n; i++) {
            for (unsigned k = random() % 3 + 1; k > 0; k--)
                links.push_back({int(random() % unsigned(i)), i, {double(20 + random() % 80), 28}});
        }
        const Layout l = lay_out(boxes, links, 1120, 760);
        std::vector<std::pair<Point, Box>> all;
        for (size_t i = 0; i < boxes.size(); i++) all.emplace_back(l.boxes[i], boxes[i]);
        for (size_t i = 0; i < links.size(); i++)
            all.emplace_back(l.links[i].label, links[i].label);
        int overlaps = 0, outside = 0;
        for (size_t i = 0; i < all.size(); i++) {
            const auto &[p, box] = all[i];
            outside += p.x - box.width / 2 < 0 || p.x + box.width / 2 > l.width ||
                       p.y - box.height / 2 < 0 || p.y + box.height / 2 > l.height;
            for (size_t j = 0; j < i; j++) overlaps += overlap(p, box, all[j].first, all[j].second);
        }
        CHECK(overlaps == 0);
        CHECK(outside == 0);
    }
}

TEST_CASE("no boxes at all") {
    CHECK(lay_out({}, {}, 1000, 700).boxes.empty());
}
