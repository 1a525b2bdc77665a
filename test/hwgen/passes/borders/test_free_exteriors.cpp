#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <vector>

#include "hwgen/passes/borders/FreeExteriors.h"

using namespace argent::hwgen;

namespace {

NodeId tap(Datapath &d, int x, int y, std::optional<Border> of_x, std::optional<Border> of_y) {
    Leaf l;
    l.offset = {x, y};
    l.producer = 0;
    l.border = {of_x, of_y};
    l.range = {0, 255};
    return d.leaf(l);
}

NodeId beyond(Datapath &d, int dim, int place, bool is_behind) {
    Leaf l;
    l.kind = Leaf::Kind::Beyond;
    l.dim = dim;
    l.place = place;
    l.from_end = is_behind;
    l.range = {0, 1};
    return d.leaf(l);
}

NodeId either(Datapath &d, const std::vector<NodeId> &bits) {
    NodeId all = d.constant(0);
    for (NodeId b : bits) all = d.make(Op::Or, {all, b});
    return all;
}

NodeId opposite(Datapath &d, NodeId bit) { return d.make(Op::Xor, {bit, d.constant(1)}); }

/** The borders of the only tap. */
std::vector<std::optional<Border>> borders_of(const Datapath &d) {
    std::vector<std::optional<Border>> found;
    int taps = 0;
    for (const Leaf &l : d.leaves()) {
        if (l.kind == Leaf::Kind::Tap) found = l.border, taps++;
    }
    CHECK(taps == 1);
    return found;
}

using Borders = std::vector<std::optional<Border>>;

}  // namespace

TEST_CASE("free_exteriors: a constant exterior needs no border") {
    for (const Border b : {Border::Edge, Border::MirrorImage, Border::MirrorInterior}) {
        Datapath d;
        const NodeId outside = either(d, {beyond(d, 0, 0, false), beyond(d, 0, 0, true), beyond(d, 1, 0, false), beyond(d, 1, 0, true)});
        d.outputs = {d.select(outside, d.constant(7), tap(d, 0, 0, b, b))};
        CHECK(borders_of(free_exteriors(d)) == Borders{Border::Any, Border::Any});
    }
}

TEST_CASE("free_exteriors: one dimension of two") {
    Datapath d;
    d.outputs = {d.select(either(d, {beyond(d, 1, 0, false), beyond(d, 1, 0, true)}), d.constant(7), tap(d, 0, 0, Border::Edge, Border::Edge))};
    CHECK(borders_of(free_exteriors(d)) == Borders{Border::Edge, Border::Any});
}

TEST_CASE("free_exteriors: what is inside, said the other way round") {
    Datapath d;
    const NodeId in_front = opposite(d, beyond(d, 0, -1, false)), behind = opposite(d, beyond(d, 0, 2, true));
    const NodeId read = tap(d, 1, 0, Border::Edge, std::nullopt);
    d.outputs = {d.select(d.make(Op::And, {in_front, behind}), d.add(read, d.constant(3)), d.constant(0))};
    CHECK(borders_of(free_exteriors(d)) == Borders{Border::Any, std::nullopt});   // it lies between the two
}

TEST_CASE("free_exteriors: choices within choices") {
    Datapath d;
    const NodeId inner = d.select(beyond(d, 0, 0, true), d.constant(9), tap(d, 0, 0, Border::Edge, std::nullopt));
    d.outputs = {d.select(beyond(d, 0, 0, false), d.constant(7), d.make(Op::Max, {inner, d.constant(20)}))};
    CHECK(borders_of(free_exteriors(d)) == Borders{Border::Any, std::nullopt});
}

TEST_CASE("free_exteriors: a border that decides stays") {
    const auto stays = [](const std::function<NodeId(Datapath &, NodeId in_front, NodeId behind, NodeId read)> &output) {
        Datapath d;
        d.outputs = {output(d, beyond(d, 0, 0, false), beyond(d, 0, 0, true), tap(d, 0, 0, Border::Edge, std::nullopt))};
        CHECK(borders_of(free_exteriors(d)) == Borders{Border::Edge, std::nullopt});
    };
    stays([](Datapath &d, NodeId in_front, NodeId, NodeId read) { return d.select(in_front, d.constant(7), read); });   // one side
    stays([](Datapath &d, NodeId in_front, NodeId behind, NodeId read) {   // inside, a number; outside, what the border makes of it
        return d.select(either(d, {in_front, behind}), read, d.constant(7));
    });
    stays([](Datapath &d, NodeId in_front, NodeId behind, NodeId read) {   // both at once, which is nowhere
        return d.select(d.make(Op::And, {in_front, behind}), d.constant(7), read);
    });
    stays([](Datapath &d, NodeId in_front, NodeId behind, NodeId read) {   // read twice
        return d.add(read, d.select(either(d, {in_front, behind}), d.constant(7), read));
    });
    stays([](Datapath &d, NodeId in_front, NodeId, NodeId read) {   // another element
        return d.select(either(d, {in_front, beyond(d, 0, -1, true)}), d.constant(7), read);
    });
    stays([](Datapath &d, NodeId in_front, NodeId behind, NodeId read) {   // a condition of its own
        return d.select(d.make(Op::Lt, {read, d.constant(9)}), d.constant(7), d.select(either(d, {in_front, behind}), d.constant(8), d.constant(5)));
    });
}
