// Reads of tables, pass by pass.
#include <doctest/doctest.h>

#include "../Golden.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/datapath/BuildDatapath.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/verilog/Ast.h"

using namespace argent::hwgen;
using Halide::cast;
using Halide::Expr;
using Halide::Int;
using Halide::UInt;

namespace {

/** One stage that reads an image `in` and a table of one dimension, `curve`. */
struct Fixture {
    TableSource curve;
    StageSource source;
    std::vector<TablePlaces> asked;   // what contents() was called with
    Fixture() {
        curve.name = "curve";
        curve.label = curve.id = "curve";
        curve.type = Int(16);
        curve.declared.resize(1);
        curve.contents = [this](const TablePlaces &box) {
            asked.push_back(box);
            std::vector<Wide> elements;
            for (Wide i = box[0].lo; i <= box[0].hi; ++i) elements.push_back(i * i - 100);
            return elements;
        };
        source.vars = {"x", "y"};
        source.producers = {{"in", 0}};
        source.tables = {{"curve", &curve}};
    }
    static Expr in(Halide::Type t = UInt(8), int dx = 0) {
        const Expr x = Halide::Internal::Variable::make(Int(32), "x"), y = Halide::Internal::Variable::make(Int(32), "y");
        return Halide::Internal::Call::make(t, "in", {x + dx, y}, Halide::Internal::Call::Halide);
    }
    static Expr read(Expr index) {
        return Halide::Internal::Call::make(Int(16), "curve", {cast<int32_t>(std::move(index))}, Halide::Internal::Call::Halide);
    }
    Datapath build(Expr value, std::map<std::string, TablePlaces> *read_places = nullptr) {
        source.value = std::move(value);
        return build_datapath(source, read_places);
    }
    std::string refusal(Expr value) {
        try {
            build(std::move(value));
        } catch (const BadTableRead &e) {
            return e.source.label + " " + to_string(e.places[0]);
        }
        return "";
    }
};

Table table(const std::string &name, int depth, int bits, bool is_rom) {
    Table t;
    t.name = name;
    t.depth = depth;
    t.range = Interval::unsigned_of(bits);
    if (is_rom) {
        std::vector<Wide> words;
        for (int i = 0; i < depth; ++i) words.push_back((Wide(i) * 2654435761u >> 7) & t.range.hi);
        t.contents = std::make_shared<const std::vector<Wide>>(words);
    }
    return t;
}

NodeId input(Datapath &d, int producer, int bits) {
    Leaf l;
    l.producer = producer;
    l.name = "in_" + std::to_string(producer);
    l.range = Interval::unsigned_of(bits);
    return d.leaf(l);
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "lookups: build_datapath keeps the places that the index can be, and knows what is there") {
    const Datapath d = build(read(in() / 16));
    CHECK(to_string(d) ==
          "n0 = in_p0_p0 : 0..255\n"
          "n1 = 16\n"
          "n2 = Shr(n0, 4) : 0..15\n"
          "n3 = 0\n"
          "n4 = 15\n"
          "n5 = Lookup(n2, curve) : -100..125\n"
          "outputs n5\n");
    CHECK(asked == std::vector<TablePlaces>{{{0, 15}}});
    CHECK(evaluate(d, {0x37})[0] == 3 * 3 - 100);
}

TEST_CASE_FIXTURE(Fixture, "lookups: places below 0 stand at their low bits") {
    const Datapath d = build(read(cast<int8_t>(in(Int(8))) / 32));   // -4 .. 3
    REQUIRE(d.tables().size() == 1);
    CHECK(d.tables()[0].depth == 8);
    for (int v : {-128, -1, 0, 127}) CHECK(evaluate(d, {v})[0] == (v >> 5) * (v >> 5) - 100);
}

TEST_CASE_FIXTURE(Fixture, "lookups: a place that is a number is a constant, and needs no table") {
    CHECK(to_string(build(read(5))) == "n0 = 5\nn1 = 0\nn2 = -75\noutputs n2\n");
}

TEST_CASE_FIXTURE(Fixture, "lookups: a read of an image stays a tap") {
    const Datapath d = build(in());
    CHECK(d.tables().empty());
    CHECK(asked.empty());
}

TEST_CASE_FIXTURE(Fixture, "lookups: what is loaded can be anything, and all readers' places are collected") {
    curve.contents = nullptr;
    std::map<std::string, TablePlaces> places;
    const Datapath d = build(read(in() / 16) + read(cast<int32_t>(in() / 64) - 2), &places);
    CHECK(places.at("curve") == TablePlaces{{-2, 15}});
    for (const Node &n : d.nodes()) {
        if (n.op == Op::Lookup) CHECK(n.range == Interval::signed_of(16));
    }
}

TEST_CASE_FIXTURE(Fixture, "lookups: too many places, and places that are not there, are refused") {
    CHECK(refusal(read(in(Int(32)))) == "curve -2147483648..2147483647");
    CHECK(refusal(read(in(UInt(16)) / 4)) == "");
    CHECK(refusal(read(in(UInt(16)) / 2)) == "curve 0..32767");
    curve.declared = {Interval{0, 6}};
    CHECK(refusal(read(in(Int(32)))) == "");   // beyond 0 .. 6 Halide defines nothing
    CHECK(refusal(read(cast<int32_t>(in()) + 7)) == "curve 7..262");
    CHECK(asked.back() == TablePlaces{{0, 6}});
}

TEST_CASE_FIXTURE(Fixture, "lookups: fold and balance leave them as they are") {
    const Datapath d = build(read(in() / 16) + read(in(UInt(8), 1) / 16) + in());
    const Datapath after = fold_datapath(balance_datapath(d));
    CHECK(after.tables().size() == 1);
    for (int v : {0, 77, 255}) {
        CHECK(evaluate(after, std::vector<Wide>(after.leaves().size(), v))[0] == evaluate(d, std::vector<Wide>(d.leaves().size(), v))[0]);
    }
}

TEST_CASE("lookups: equal elements in all places that are read are a constant") {
    Datapath d;
    Table t = table("flat", 8, 4, true);
    t.contents = std::make_shared<const std::vector<Wide>>(std::vector<Wide>{7, 7, 7, 7, 7, 7, 7, 1});
    CHECK(d.is_const(d.lookup(t, d.make(Op::Min, {input(d, 0, 3), d.constant(6)}))));
    CHECK_FALSE(d.is_const(d.lookup(t, input(d, 0, 3))));
    CHECK_THROWS_AS(d.lookup(t, input(d, 1, 4)), std::logic_error);
}

TEST_CASE("lookups: small tables are LUTs of one clock; large ones are block RAM, of two clocks where one would be most of the period") {
    const auto form = [](const Table &t, double period) {
        Datapath d;
        d.outputs = {d.lookup(t, input(d, 0, t.depth > 256 ? 10 : 8))};
        return pipeline_datapath(d, part("xc7"), period);
    };
    CHECK_FALSE(form(table("small", 1024, 8, true), 6).tables[0].is_block);   // 136 LUTs; a block RAM is worth 190
    CHECK(form(table("large", 1024, 12, true), 20).tables[0].is_block);
    CHECK(form(table("large", 1024, 12, true), 20).tables[0].clocks == 1);
    CHECK(form(table("large", 1024, 12, true), 5).tables[0].clocks == 2);
    CHECK_FALSE(form(table("loaded", 256, 8, false), 6).tables[0].is_block);
    CHECK(form(table("loaded", 1024, 8, false), 6).tables[0].is_block);       // one LUT of three can be memory
}

TEST_CASE("lookups: loaded memories deeper than two block RAMs are in banks where the clock is fast") {
    const auto pipeline = [](int bits, bool is_rom, double period) {
        Datapath d;
        d.outputs = {d.lookup(table("deep", 1 << bits, 8, is_rom), input(d, 0, bits))};
        return pipeline_datapath(d, part("xc7"), period);
    };
    CHECK(pipeline(16, false, 6).tables[0].bank_bits == 14);
    CHECK(pipeline(16, false, 6).tables[0].clocks == clocks_of_banks(4));
    CHECK(pipeline(16, false, 6).latency == clocks_of_banks(4));
    for (const Schedule &s : {pipeline(15, false, 6), pipeline(16, true, 6)}) {
        CHECK(s.tables[0].bank_bits == 0);
        CHECK(s.tables[0].clocks == 2);
    }
    CHECK(pipeline(16, false, 20).tables[0].clocks == 1);
    CHECK(std::vector<int>{clocks_of_banks(3), clocks_of_banks(4), clocks_of_banks(5), clocks_of_banks(16), clocks_of_banks(17), clocks_of_banks(256)} ==
          std::vector<int>{7, 7, 9, 9, 11, 13});
}

TEST_CASE("lookups: two of a clock share a memory, a third has its own; what is loaded has ports") {
    Datapath d;
    const Table rom = table("gamma", 12, 5, true), loaded = table("curve", 16, 9, false);
    const auto index = [&](int i) { return d.make(Op::Min, {input(d, i, 4), d.constant(11)}); };
    const NodeId sum = d.add(d.add(d.lookup(rom, index(0)), d.lookup(rom, index(1))), d.lookup(rom, index(2)));
    d.outputs = {d.add(sum, d.lookup(loaded, input(d, 3, 4)))};
    const StageModule m = emit_stage(d, pipeline_datapath(d, part("xc7"), 6.67), "tables", "");
    CHECK(m.cells == std::vector<std::string>{"ag_rom", "ag_table"});
    REQUIRE(m.loads.size() == 1);
    CHECK(m.loads[0].id == "curve");
    CHECK(m.loads[0].place_width == 4);
    CHECK(m.loads[0].element_width == 9);
    check_golden("tables.v", argent::verilog::print(m.module));
}
