#include <doctest/doctest.h>

#include "Pieces.h"
#include "dsl/Emit.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

struct Pipe {
    Func in = source(), edges{"edges"}, out{"out"};
    Pipe() {
        RDom r(-1, 3, "r");
        edges(x, y) = sum(cast<uint16_t>(in(x + r, y))) - in(x, y + 1);   // an anonymous Func
        out(x, y) = edges(x, y) * 3 + edges(x + 1, y);
        argent::accelerate(edges, {in}).block({{x, 64}, {y, 32}}).throughput(x, 2);
        out.vectorize(x, 8);
    }
};

std::map<std::string, std::string> files_of(const Func &f) {
    return argent::dsl::emitted_files("pipeline", partitioned(f).designs, argent::dsl::output_kinds());
}

}  // namespace

TEST_CASE("partition: the user's Funcs stay as they are") {
    Pipe p;
    const Buffer<uint16_t> before = p.out.realize({20, 10})[0];
    CHECK(partitioned(p.out).designs.size() == 1);
    CHECK_FALSE(p.edges.function().has_extern_definition());
    const Buffer<uint16_t> after = p.out.realize({20, 10})[0];
    after.for_each_element([&](int px, int py) { REQUIRE(after(px, py) == before(px, py)); });
}

TEST_CASE("partition: the golden stores what the accelerator stores, and accelerates nothing") {
    Func in = source(), a("a"), out("out");
    a(x, y) = in(x, y) + in(x + 1, y) / 3;
    out(x, y) = a(x, y) + a(x, y + 1);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    argent::dsl::Partitioned p = partitioned(out, true);
    CHECK(p.designs.empty());
    std::map<std::string, Internal::Function> env = Internal::find_transitive_calls(p.host.outputs()[0].function());
    CHECK_FALSE(env.at(a.name()).schedule().compute_level().is_inlined());
    CHECK_FALSE(p.host.outputs()[0].function().has_extern_definition());
    const Buffer<uint8_t> golden = p.host.realize({20, 10})[0], plain = out.realize({20, 10})[0];
    plain.for_each_element([&](int px, int py) { REQUIRE(golden(px, py) == plain(px, py)); });
}

TEST_CASE("partition: nothing to accelerate, nothing changed") {
    Func in = source(), out("out");
    out(x, y) = in(x, y) + 1;
    const argent::dsl::Partitioned p = partitioned(out);
    CHECK(p.designs.empty());
    CHECK(p.captured.empty());
}

TEST_CASE("partition: a board in the options is a default, a directive's wins") {
    Func in = source(), out("out");
    out(x, y) = in(x, y) + 1;
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(argent::dsl::partition({out}, argent::dsl::specs_of(out), {"f", "ulx3s", false, {}}).designs[0].manifest["board"] == "ulx3s");
    Func in2 = source(), out2("out2");
    out2(x, y) = in2(x, y) + 1;
    argent::accelerate(out2, {in2}).block({{x, 64}, {y, 32}}).board("zcu104");
    CHECK(argent::dsl::partition({out2}, argent::dsl::specs_of(out2), {"f", "ulx3s", false, {}}).designs[0].manifest["board"] == "zcu104");
}

TEST_CASE("partition: mistakes of all accelerators come at once, by line") {
    Func in = source(), first("first"), second("second");
    first(x, y) = in(x, y) + 1;
    second(x, y) = first(x, y) * 3;
    argent::accelerate(first, {in}).block({{x, 64}, {y, 32}}).throughput(x, 7);
    argent::accelerate(second, {first}).block({{x, 0}, {y, 32}});
    try {
        partitioned(second);
        FAIL("no error");
    } catch (const argent::Error &e) {
        CHECK(e.diagnostics().size() == 2);
        CHECK(e.diagnostics()[0].where.line < e.diagnostics()[1].where.line);
    }
}

TEST_CASE("partition: the same pipeline gives the same bytes, also when it is built again") {
    const Pipe first;
    const auto once = files_of(first.out);
    CHECK(files_of(first.out) == once);
    for (int i = 0; i < 12; i++) Func("unrelated");   // numbers of anonymous Funcs get another digit
    const Pipe second;
    const auto again = files_of(second.out);
    REQUIRE(again.size() == once.size());
    for (const auto &[name, text] : once) {
        CAPTURE(name);
        REQUIRE(again.count(name));
        const std::string &other = again.at(name);
        const size_t at = std::mismatch(text.begin(), text.begin() + std::min(text.size(), other.size()), other.begin()).first - text.begin();
        CHECK_MESSAGE(text == other, text.substr(at > 60 ? at - 60 : 0, 120), " <> ", other.substr(at > 60 ? at - 60 : 0, 120));
    }
}
