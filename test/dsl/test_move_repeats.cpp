#include <doctest/doctest.h>

#include <array>

#include "Pieces.h"
#include "hwgen/ir/Index.h"

using namespace Halide;
using namespace argent::test;
namespace hwgen = argent::hwgen;

namespace {

Var x("x"), y("y");

/** The offsets in x of all reads of a stage; ? where there is a border. */
std::string offsets_of(const hwgen::Func &f) {
    struct Reads : Internal::IRVisitor {
        const hwgen::Func &f;
        std::string text;
        explicit Reads(const hwgen::Func &f) : f(f) {}
        using Internal::IRVisitor::visit;
        void visit(const Internal::Call *op) override {
            if (op->call_type != Internal::Call::Halide) return Internal::IRVisitor::visit(op);
            const auto index = hwgen::index_of(op->args[0], f.vars[0]);
            text += (text.empty() ? "" : " ") + (index && !index->border ? std::to_string(index->map.offset[0]) : "?");
        }
    } reads(f);
    f.value.accept(&reads);
    return reads.text;
}

/** What becomes of out(x, y) = stage(repeat(x + 3), y) + stage(repeat(x), y), with the bounds 0..15: the offsets of the stage, then of out; or that
 *  the stage is in a RAM. */
std::string moved(const std::function<Expr(const ImageParam &, const Func &repeated)> &value) {
    const ImageParam in(UInt(8), 2, "in");
    Func repeated("repeated"), stage("stage"), out("out");
    repeated(x, y) = in(x % 16, y);
    stage(x, y) = value(in, repeated);
    stage.compute_root();
    out(x, y) = stage((x + 3) % 16, y) ^ stage(x % 16, y);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    const hwgen::Region r = captured(out);
    if (!r.buffered.empty()) return r.warnings.empty() ? "in a RAM, and nobody is told" : "in a RAM";
    REQUIRE(funcs_of(r) == "in stage out");
    CHECK(r.funcs[0].edges[0].border == hwgen::Border::Repeat);
    return offsets_of(r.funcs[1]) + ", " + offsets_of(r.funcs[2]);
}

}  // namespace

TEST_CASE("move_repeats: a stage of what is repeated repeats itself") {
    CHECK(moved([](const ImageParam &, const Func &f) { return f(x - 1, y) + f(x + 1, y); }) == "15 1, 3 0");
}

TEST_CASE("move_repeats: a stage that reads at its own place repeats what it reads") {
    CHECK(moved([](const ImageParam &in, const Func &) { return in(x, y) / 2 + in(x, y + 1); }) == "0 0, 3 0");
}

TEST_CASE("move_repeats: a stage that depends on its coordinate, or that reads elsewhere, is kept in a RAM") {
    CHECK(moved([](const ImageParam &, const Func &f) { return f(x, y) + cast<uint8_t>(x); }) == "in a RAM");
    CHECK(moved([](const ImageParam &in, const Func &) { return in(x, y) + in(x + 1, y); }) == "in a RAM");
}
