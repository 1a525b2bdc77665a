#include <doctest/doctest.h>

#include "../../Golden.h"
#include "../Leaves.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/verilog/Ast.h"

using namespace argent::hwgen;

namespace {

NodeId tap(Datapath &d, int dx, int dy) {
    Leaf l;
    l.producer = 0;
    l.offset = {dx, dy};
    l.name = std::string("padded") + (dx < 0 ? "_m" : "_p") + std::to_string(std::abs(dx)) + (dy < 0 ? "_m" : "_p") + std::to_string(std::abs(dy));
    l.range = Interval::unsigned_of(8);
    return d.leaf(l);
}

std::string emit(const Datapath &d, double period, const std::string &name, const std::string &comment) {
    return argent::verilog::print(emit_stage(d, pipeline_datapath(d, part("xc7"), period), name, comment).module);
}

}  // namespace

TEST_CASE("emit_stage: a 3x3 Gaussian") {
    Datapath d;
    NodeId sum = d.constant(8);
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) sum = d.add(sum, d.make(Op::Mul, {tap(d, x, y), d.constant((2 - std::abs(x)) * (2 - std::abs(y)))}));
    }
    d.outputs = {d.make(Op::Shr, {sum}, 4)};
    check_golden("gaussian.v", emit(balance_datapath(d), 5, "gaussian", "gaussian(x, y) = (... + 8) / 16"));
}

TEST_CASE("emit_stage: division, signs, saturation") {
    Datapath d;
    NodeId a = tap(d, 0, 0), b = tap(d, 1, 0);
    NodeId q = d.make(Op::Div, {a, d.make(Op::Max, {b, d.constant(1)})}), r = d.make(Op::Mod, {a, d.make(Op::Max, {b, d.constant(1)})});
    NodeId difference = d.sub(q, r);
    d.outputs = {d.make(Op::Min, {d.make(Op::Abs, {difference}), d.constant(100)}), d.make(Op::Lt, {difference, d.constant(0)})};
    StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 5), "quotient", "");
    CHECK(m.cells == std::vector<std::string>{"ag_div"});
    CHECK(m.outputs == std::vector<std::string>{"out_0", "out_1"});
    CHECK(m.output_width == 7);
    check_golden("quotient.v", argent::verilog::print(m.module));
}

TEST_CASE("emit_stage: a root, and a quotient whose remainder nobody wants") {
    Datapath d;
    const NodeId x = tap(d, 0, 0), y = tap(d, 1, 0);
    const NodeId root = d.make(Op::Sqrt, {d.add(d.make(Op::Mul, {x, x}), d.make(Op::Mul, {y, y}))});
    d.outputs = {d.make(Op::Div, {root, d.make(Op::Max, {y, d.constant(20)})})};
    const StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 5), "root", "");
    CHECK(m.cells == std::vector<std::string>{"ag_sqrt", "ag_div"});
    check_golden("root.v", argent::verilog::print(m.module));
}

TEST_CASE("emit_stage: products that are accumulated, with the registers inside of their multipliers") {
    Datapath d;
    NodeId sum = d.make(Op::Add, {tap(d, 0, 1), d.constant(77)});
    for (int i = 0; i < 3; ++i) {
        Leaf weight;
        weight.kind = Leaf::Kind::Param;
        weight.name = "weight_" + std::to_string(i);
        weight.range = Interval::signed_of(18);
        sum = d.make(Op::Accumulate, {d.make(Op::Mul, {tap(d, i, 0), d.leaf(weight)}), sum});
    }
    d.outputs = {sum};
    check_golden("accumulate.v", emit(d, 5, "accumulate", "weight_0 * padded(x, y) + ... + padded(x, y + 1) + 77"));
}

TEST_CASE("emit_stage: a parameter is read in a later clock as it stands at the port") {
    Datapath d;
    const Interval byte = Interval::unsigned_of(8);
    d.outputs = {d.add(d.add(d.add(tap(d, 0, 0), leaf(d, "first", byte)), leaf(d, "second", byte)), leaf(d, "third", byte))};
    const Schedule s = pipeline_datapath(d, part("xc7"), 3);
    CHECK(s.latency == 3);
    CHECK(s.register_bits == 9 + 10 + 10);
    check_golden("parameters.v", argent::verilog::print(emit_stage(d, s, "parameters", "").module));
}

TEST_CASE("emit_stage: cells that loop are told when an element begins, in the clock in which they read it") {
    Datapath d;
    const NodeId x = tap(d, 0, 0), y = tap(d, 1, 0), by = d.make(Op::Max, {y, d.constant(1)});
    const NodeId squares = d.add(d.make(Op::Mul, {x, x}), d.make(Op::Mul, {y, y}));
    d.outputs = {d.add(d.make(Op::Sqrt, {squares}), d.make(Op::Div, {x, by})), d.make(Op::Mod, {x, by})};
    const StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 5, {}, Ends::Registers, 9), "loop", "");
    CHECK(m.starts);
    CHECK(m.cells == std::vector<std::string>{"ag_div_loop", "ag_sqrt_loop"});
    check_golden("loop.v", argent::verilog::print(m.module));
    CHECK(!emit_stage(d, pipeline_datapath(d, part("xc7"), 5), "loop", "").starts);
}

TEST_CASE("emit_stage: what waits for a loop is loaded with the start, and stands") {
    Datapath d;
    d.outputs = {d.add(d.make(Op::Div, {tap(d, 0, 0), d.make(Op::Max, {tap(d, 1, 0), d.constant(1)})}), tap(d, 0, 1))};
    const StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 5, {}, Ends::Registers, 12), "waits", "");
    const std::string text = argent::verilog::print(m.module);
    CHECK(text.find("if (start)") != std::string::npos);
    CHECK(text.find("reg  [7:0] p1_padded_p0_p1;") != std::string::npos);
    CHECK(text.find("reg  [7:0] p2_padded_p0_p1;") == std::string::npos);
    CHECK(m.register_bits == 16 + 8 + 9);   // the operands, what waits, the sum
}

TEST_CASE("emit_stage: magnitudes are added by one carry chain; saturation looks at high bits") {
    Datapath d;
    const NodeId x = d.sub(tap(d, 0, 0), tap(d, 1, 0)), y = d.sub(tap(d, 0, 1), tap(d, 1, 1));
    const NodeId sum = d.add(d.make(Op::Abs, {x}), d.make(Op::Abs, {y}));
    d.outputs = {d.make(Op::Min, {sum, d.constant(255)}), d.make(Op::Max, {tap(d, 0, 0), tap(d, 0, 1)})};
    check_golden("magnitude.v", emit(d, 50, "magnitude", ""));
}

TEST_CASE("emit_stage: a one is a carry into the sum that it is part of") {
    Datapath d;
    const NodeId chosen = d.select(d.make(Op::Lt, {tap(d, 1, 0), tap(d, 1, 1)}), tap(d, 0, 1), tap(d, 0, 0));
    d.outputs = {d.make(Op::Shr, {d.add(d.add(chosen, d.constant(1)), tap(d, 0, 0))}, 1), d.add(tap(d, 1, 1), d.add(d.constant(1), tap(d, 1, 0)))};
    check_golden("carry.v", emit(d, 50, "carry", ""));
}

TEST_CASE("emit_stage: a comparison that has no time for a table behind its carries is a sign") {
    Datapath d;
    const NodeId x = d.sub(tap(d, 0, 0), tap(d, 1, 0));
    d.outputs = {d.make(Op::Lt, {tap(d, 0, 0), tap(d, 1, 0)}), d.make(Op::Lt, {tap(d, 0, 1), x})};
    const std::string fast = emit(d, 4, "sign", ""), slow = emit(d, 50, "sign", "");
    CHECK(fast.find("{1'd0, padded_p0_p0} - {1'd0, padded_p1_p0}") != std::string::npos);
    CHECK(fast.find(" < ") == std::string::npos);
    CHECK(slow.find("padded_p0_p0 < padded_p1_p0") != std::string::npos);
}

TEST_CASE("emit_stage: nothing looks for equality beside a carry chain") {
    Datapath d;
    d.outputs = {d.make(Op::Le, {tap(d, 0, 0), tap(d, 1, 0)}), d.make(Op::Le, {d.sub(tap(d, 0, 0), tap(d, 1, 0)), d.sub(tap(d, 0, 1), tap(d, 1, 1))})};
    const std::string text = emit(d, 50, "below", "");
    CHECK(text.find("~(padded_p1_p0 < padded_p0_p0)") != std::string::npos);
    for (size_t at = text.find("wire "); at != std::string::npos; at = text.find("wire ", at + 1)) CHECK(text.substr(at, text.find(';', at) - at).find("<=") == std::string::npos);
}

TEST_CASE("emit_stage: a copy is a wire without a clock") {
    Datapath d;
    tap(d, 1, 1);   // read by nobody
    d.outputs = {d.make(Op::Shr, {tap(d, 0, 0)}, 3)};
    StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 5), "copy", "");
    CHECK(m.latency == 0);
    CHECK(m.inputs.size() == 2);
    check_golden("copy.v", argent::verilog::print(m.module));
}

TEST_CASE("emit_stage: the text depends on the graph alone") {
    Datapath d;
    NodeId sum = tap(d, 0, 0);
    for (int i = 1; i < 40; ++i) sum = d.make(i % 3 ? Op::Add : Op::Max, {sum, tap(d, i, i % 5)});
    d.outputs = {sum};
    CHECK(emit(balance_datapath(d), 4, "same", "") == emit(balance_datapath(d), 4, "same", ""));
}

TEST_CASE("emit_stage: a schedule of another graph is refused") {
    Datapath d;
    d.outputs = {d.add(tap(d, 0, 0), tap(d, 1, 0))};
    Schedule s = pipeline_datapath(d, part("xc7"), 5);
    s.stage[d.outputs[0]] = 1;   // its operands are not registered that far
    s.latency = 0;
    CHECK_THROWS_AS(emit_stage(d, s, "wrong", ""), std::logic_error);
}
