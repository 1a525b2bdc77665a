#include <doctest/doctest.h>

#include "hwgen/area/Elaborate.h"
#include "hwgen/area/MapTables.h"
#include "hwgen/verilog/Build.h"

using namespace argent::hwgen;
using namespace argent::verilog;

namespace {

Resources area_of(const Module &m, const std::vector<const Module *> &parts = {}) {
    Modules modules;
    for (const Module *p : parts) modules[p->name] = p;
    return map_tables(elaborate(m, modules));
}

/** sum <= enable ? a + b : sum; reset to 0. */
Module accumulator(int bits) {
    Builder b("accumulator", "");
    const Expr clk = b.input("clk"), rst = b.input("rst"), enable = b.input("enable"), a = b.input("a", bits), out = b.output("out", bits);
    const Expr sum = b.declare_reg("sum", bits);
    b.update({sum, binary(BinaryOp::Add, sum, a), enable, literal(0, bits), {}});
    b.assign(out, sum);
    (void)clk, (void)rst;
    return b.take();
}

}  // namespace

TEST_CASE("elaborate: an accumulator is an adder and its register; enable and reset are pins") {
    const Resources area = area_of(accumulator(8));
    CHECK(area.lut == 8);
    CHECK(area.ff == 8);
}

TEST_CASE("elaborate: bits that nobody reads are not made, across modules") {
    const Module part = accumulator(8);
    Builder b("top", "");
    const Expr clk = b.input("clk"), rst = b.input("rst"), a = b.input("a", 8), out = b.output("out", 2);
    const Expr all = b.wire("all", 8);
    b.instance({"accumulator", "part", {}, {{"clk", clk}, {"rst", rst}, {"enable", literal(1, 1)}, {"a", a}, {"out", all}}, {}});
    b.assign(out, slice(all, 1, 0));
    const Resources area = area_of(b.take(), {&part});
    CHECK(area.ff == 2);
    CHECK(area.lut == 2);
}

TEST_CASE("elaborate: a cell counts as it says, with the logic in front of its pins") {
    Builder b("top", "");
    const Expr clk = b.input("clk"), x = b.input("x"), y = b.input("y"), words = b.input("words", 12), out = b.output("out", 11);
    b.instance({"ag_line_address", "address", {{"ADDR_W", "11"}},
                {{"clk", clk}, {"clear", x}, {"step", binary(BinaryOp::And, x, y)}, {"words", words}, {"addr", out}}, {}});
    const Resources area = area_of(b.take());
    CHECK(area.lut == 8);   // 7 of the cell's: rtl/README.md
    CHECK(area.ff == 11);
}

TEST_CASE("elaborate: a net whose bits depend on one another ends") {
    Builder b("top", "");
    const Expr a = b.input("a", 2), out = b.output("out");
    const Expr w = b.wire("w", 2);
    b.assign(w, concat({slice(w, 0, 0), slice(a, 0, 0)}));
    b.assign(out, slice(w, 1, 1));
    CHECK(area_of(b.take()).lut == 0);
}

TEST_CASE("elaborate: a memory that is written what it gave keeps all of it") {
    Builder b("top", "");
    const Expr clk = b.input("clk"), step = b.input("step"), addr = b.input("addr", 4), in = b.input("in", 8), out = b.output("out", 8);
    const Expr kept = b.wire("kept", 24);
    b.instance({"ag_line_memory", "rows", {{"WIDTH", "24"}, {"DEPTH", "16"}, {"ADDR_W", "4"}},
                {{"clk", clk}, {"en", step}, {"addr", addr}, {"wdata", concat({slice(kept, 15, 0), in})}, {"rdata", kept}}, {}});
    b.assign(out, slice(kept, 23, 16));   // the oldest row; the others are read by the memory itself
    CHECK(area_of(b.take()).ff == 24);
}

TEST_CASE("elaborate: a cell is told which bits of its inputs are no constant, and what it does not read is not made") {
    Builder b("top", "");
    const Expr clk = b.input("clk"), rst = b.input("rst"), bits = b.input("bits", 32), out = b.output("out", 32);
    const Expr low = b.declare_reg("low", 32);
    b.update({low, bits, {}, {}, {}});
    b.instance({"ag_axi_guard", "guard", {}, {{"clk", clk}, {"rst", rst}, {"low", low}, {"high", concat({literal(0, 10), slice(bits, 21, 0)})}, {"s_addr", bits}, {"m_addr", out}}, {}});
    const Netlist n = elaborate(b.take(), {});
    CHECK(n.cells.at(0).varying.at("low") == 20);    // pages of 4096 bytes
    CHECK(n.cells.at(0).varying.at("high") == 10);
    CHECK(n.cells.at(0).varying.at("s_addr") == 32);
    CHECK(map_tables(n).ff == 20 + 4);
}
