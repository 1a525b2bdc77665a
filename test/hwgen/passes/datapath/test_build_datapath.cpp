#include <doctest/doctest.h>

#include "hwgen/passes/datapath/BuildDatapath.h"

using namespace argent::hwgen;
using namespace Halide;
using argent::hwgen::Interval;

namespace {

struct Fixture {
    ImageParam in{UInt(8), 2, "in"};
    Var x{"x"}, y{"y"};
    StageSource source;
    Fixture() {
        source.vars = {"x", "y"};
        source.producers = {{"in", 0}};
    }
    Expr at(int dx, int dy) {
        Expr i = dx == 0 ? Expr(x) : x + dx, j = dy == 0 ? Expr(y) : dy < 0 ? y - (-dy) : y + dy;
        return Internal::Call::make(in.parameter(), {i, j});
    }
    Datapath build(Expr value) {
        source.value = value;
        return build_datapath(source);
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "build_datapath: reads become taps, wrapping is explicit") {
    CHECK(to_string(build((at(-1, 0) + at(1, -2)) / 2)) ==
          "n0 = in_m1_p0 : 0..255\n"
          "n1 = in_p1_m2 : 0..255\n"
          "n2 = Add(n0, n1) : 0..510\n"
          "n3 = Wrap(n2) : 0..255\n"
          "n4 = 2\n"
          "n5 = Shr(n3, 1) : 0..127\n"
          "outputs n5\n");
}

TEST_CASE_FIXTURE(Fixture, "build_datapath: a copy is a leaf and nothing else") {
    CHECK(to_string(build(at(0, 0))) == "n0 = in_p0_p0 : 0..255\noutputs n0\n");
}

TEST_CASE_FIXTURE(Fixture, "build_datapath: lanes share taps; coordinates count on") {
    source.lanes = 2;
    source.coords["x"] = {0, 100};
    source.params["gain"] = {1, 4};
    Datapath d = build(cast<int32_t>(at(0, 0)) - cast<int32_t>(at(1, 0)) + x * Internal::Variable::make(Int(32), "gain"));
    CHECK(d.outputs.size() == 2);
    CHECK(d.leaves().size() == 5);   // three taps, x, gain
    CHECK(d[d.outputs[1]].range == Interval{-255 + 1, 255 + 404});
}

TEST_CASE_FIXTURE(Fixture, "build_datapath: floats and unknown calls are refused by name") {
    auto refusal = [&](const Expr &e) {
        try {
            build(e);
        } catch (const UnsupportedOp &u) {
            return std::string(u.what());
        }
        return std::string("accepted");
    };
    CHECK(refusal(cast<uint8_t>(cast<float>(at(0, 0)) * 2.5f)) == "float constant: of float32 is not computed in hardware");
    CHECK(refusal(cast<uint8_t>(exp(cast<float>(at(0, 0))))) == "exp_f32: a call of a function outside of Halide");
    CHECK(refusal(Internal::Call::make(in.parameter(), {x * y, y})) == "in: index (x*y) of dimension 0 is no place that moves with the stage's variable at a constant rate");
    CHECK(refusal(Internal::Variable::make(Int(32), "z")) == "z: a variable that is neither a loop variable nor a Param");
    source.producers.clear();
    CHECK(refusal(at(0, 0)) == "in: a read of something that is no stage");
}

TEST_CASE_FIXTURE(Fixture, "build_datapath: deep and shared expressions take linear time and no stack") {
    Expr deep = at(0, 0);
    for (int i = 0; i < 20000; ++i) deep = deep + (i % 2 ? at(1, 0) : at(0, 1));
    CHECK(build(deep).nodes().size() > 20000);
    Expr shared = at(0, 0);
    for (int i = 0; i < 200; ++i) shared = shared * shared + at(1, 0);   // 2^200 paths
    CHECK(build(shared).nodes().size() < 1500);
    Expr lets = at(0, 0) + at(1, 1);
    for (int i = 0; i < 200; ++i) {
        Expr v = Internal::Variable::make(UInt(8), "t" + std::to_string(i));
        lets = Internal::Let::make("t" + std::to_string(i), i ? at(i, 0) : at(0, 0), lets + v * v);
    }
    CHECK(build(lets).leaves().size() == 201);
}
