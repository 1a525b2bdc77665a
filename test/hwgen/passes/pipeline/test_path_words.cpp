#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../Leaves.h"
#include "hwgen/passes/pipeline/PathWords.h"

using namespace argent::hwgen;

namespace {

std::string words(const Datapath &d, double period, Ends ends = Ends::Registers) {
    return fmt::format("{}", fmt::join(path_words(d, pipeline_datapath(d, part("xc7"), period, {}, ends)), ", "));
}

NodeId tap(Datapath &d, const std::string &of, std::vector<int> offset) {
    Leaf l;
    l.name = tap_name(of, offset);
    l.offset = std::move(offset);
    l.range = {0, 255};
    return d.leaf(l);
}

}  // namespace

TEST_CASE("path in words: from a Func through its operators to a register") {
    Datapath d;
    const NodeId sum = d.add(tap(d, "blur", {-1, 0}), tap(d, "blur", {1, 0}));
    d.outputs = {d.make(Op::Max, {sum, tap(d, "edges", {0, 0})})};
    CHECK(words(d, 40) == "blur, add 9 bits, max 9 bits, register");
    CHECK(words(d, 4) == "register, max 9 bits, register");
    CHECK(words(d, 40, Ends::Memory) == "blur, add 9 bits, max 9 bits, FIFO");
}

TEST_CASE("path in words: a product ends in the multiplier's own register, wherever that leads") {
    Datapath d;
    d.outputs = {d.make(Op::Mul, {tap(d, "f", {0, 0}), leaf(d, "weight", Interval::signed_of(18))})};
    CHECK(words(d, 3.5, Ends::Memory) == "f, multiply 26 bits, register");
    d.outputs = {d.make(Op::Accumulate, {d.outputs[0], d.constant(0)})};
    CHECK(words(d, 10, Ends::Memory) == "f, multiply 26 bits, register");
}

TEST_CASE("path in words: a comparison is as wide as what it compares") {
    Datapath d;
    d.outputs = {d.make(Op::Lt, {leaf(d, "limit", {0, 4095}), tap(d, "f", {0, 0})})};
    CHECK(words(d, 40) == "parameter limit, compare 12 bits, register");
}

TEST_CASE("path in words: wires are none, and a stage of them has no other path") {
    Datapath d;
    const NodeId f = tap(d, "f", {0, 0});
    d.outputs = {d.make(Op::Shl, {f}, 2)};
    CHECK(words(d, 40) == "f, wires");
    d.outputs = {d.add(d.make(Op::Shl, {f}, 2), f)};
    CHECK(words(d, 40) == "f, add 11 bits, register");
}

TEST_CASE("path in words: into a divider or a root, whose registers end it") {
    Datapath d;
    d.outputs = {d.make(Op::Sqrt, {tap(d, "f", {0, 0})})};
    CHECK(words(d, 6) == "f, square root, register");
    CHECK(words(d, 6, Ends::Memory) == "f, square root, register");
    d.outputs = {d.make(Op::Div, {tap(d, "f", {0, 0}), leaf(d, "by", {1, 255})})};
    CHECK(words(d, 6, Ends::Memory).find("divide, register") != std::string::npos);
}
