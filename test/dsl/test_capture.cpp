#include <doctest/doctest.h>

#include "Pieces.h"

using namespace Halide;
using namespace argent::test;
namespace hwgen = argent::hwgen;

namespace {

Var x("x"), y("y");

/** name: type lo..hi, of every param. */
std::string params_of(const hwgen::Region &r) {
    std::string text;
    for (const hwgen::Param &p : r.params) {
        std::ostringstream type;
        type << p.type;
        text += p.name + ": " + type.str() + " " + hwgen::to_string(p.range) + "\n";
    }
    return text;
}

std::string directives_of(const hwgen::Region &r) {
    std::string text;
    for (const hwgen::DirectiveText &d : r.directives) text += (d.by_user ? "user " : "default ") + d.text + "\n";
    return text;
}

}  // namespace

TEST_CASE("capture: inputs first, then producers before consumers, the output last") {
    Func in = source(), a("a"), b("b"), out("out");
    a(x, y) = in(x, y) + in(x, y + 1);
    b(x, y) = a(x, y) + a(x + 1, y);
    out(x, y) = b(x, y) ^ a(x, y);
    a.compute_root();
    b.compute_root();
    argent::accelerate(out, {in}).block({{x, 640}, {y, 480}}).throughput(x, 4);
    const hwgen::Region r = captured(out);
    CHECK(funcs_of(r) == "source a b out");
    CHECK(r.outputs == std::vector<std::string>{"out"});
    CHECK(r.block == std::vector<int>{640, 480});
    CHECK(r.pixels == 4);
    CHECK(r.name == "pipeline");
    CHECK(r.funcs[2].expression == "a(x, y) + a(x + 1, y)");
}

TEST_CASE("capture: the full set of directives, given and chosen") {
    Func in = source(), a("a"), out("out");
    a(x, y) = in(x, y) + in(x, y + 1);
    out(x, y) = a(x, y) + a(x + 1, y);
    argent::accelerate(out, {in}).block({{x, 640}, {y, 480}}).name("filter");
    CHECK(directives_of(captured(out)) ==
          "user block({{x, 640}, {y, 480}})\n"
          "default throughput(x, 1)\n"
          "default linebuffer(a)\n"
          "default board(\"pynq-z2\")\n"
          "default clock(150)\n"
          "user name(\"filter\")\n");
}

TEST_CASE("capture: channels inside of the image have a clock each") {
    const Var c("c");
    Func in = source(), out("out");
    out(x, y, c) = in(x + c, y);
    argent::accelerate(out, {in}).block({{x, 640}, {c, 3}, {y, 480}}).name("filter");
    CHECK(directives_of(captured(out)) ==
          "user block({{x, 640}, {c, 3}, {y, 480}})\n"
          "default throughput(x, 1, 3)\n"
          "default board(\"pynq-z2\")\n"
          "default clock(150)\n"
          "user name(\"filter\")\n");
}

TEST_CASE("capture: wrappers and clones are the Funcs that are read") {
    Func in = source(), a("a"), b("b"), out("out");
    a(x, y) = in(x, y) + 1;
    b(x, y) = a(x, y) + a(x + 1, y);
    out(x, y) = b(x, y) ^ a(x + 3, y);
    Func wrapper = a.in(b);
    wrapper.compute_root();
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    const std::string funcs = funcs_of(captured(out));
    CAPTURE(funcs);
    CHECK(captured(out).funcs.size() == 4);
    CHECK(funcs.find('$') == std::string::npos);   // names as the user knows them

    Func c = source(), d("d"), e("e"), last("last");
    d(x, y) = c(x, y) + 1;
    e(x, y) = d(x, y) + d(x + 1, y);
    last(x, y) = e(x, y) ^ d(x + 3, y);
    Func clone = d.clone_in(e);
    clone.compute_root();
    argent::accelerate(last, {c}).block({{x, 64}, {y, 32}});
    CHECK(captured(last).funcs.size() >= 3);
}

TEST_CASE("capture: Params are registers with their declared range, in the order of their names") {
    Param<uint8_t> gain("gain");
    Param<int> level("level", 4, -8, 8);
    Param<bool> invert("invert");
    Param<int64_t> bias("bias");
    Func in = source(), out("out");
    out(x, y) = cast<int64_t>(select(invert, cast<int32_t>(in(x, y) * gain), in(x, y) - level)) + bias;
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(params_of(captured(out)) ==
          "bias: int64 -9223372036854775808..9223372036854775807\n"
          "gain: uint8 0..255\n"
          "invert: uint1 0..1\n"
          "level: int32 -8..8\n");
}

TEST_CASE("capture: what the host computes of Params is called after them, and tells how") {
    Param<float> gain("gain", 1.5f, 0.0f, 8.0f);
    Param<int> a("a"), b("b"), c("c"), d("d"), reg("reg"), taken("a_host");
    ImageParam in(UInt(8), 2, "in");
    Func out("out");
    out(x, y) = in(x, y) * cast<int>(gain * 256.0f) + cast<int>(gain + 0.5f) + (a + 1) + (a * b) + (a ^ b ^ c ^ d) + (reg + 3) + taken * in(x, y) +
                in(x + 1, y) * (in.width() - 1);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    std::set<std::string> names;
    std::map<std::string, std::string> docs;
    for (const hwgen::Param &p : captured(out).params) {
        CHECK(names.insert(p.name).second);
        docs[p.name] = p.doc;
    }
    CHECK(docs["gain_host"] == "computed by the host: int32(gain*256.000000f)");
    CHECK(docs["in_extent_0_host"] == "computed by the host: in.extent.0 - 1");
    CHECK(docs["a_host"] == "parameter");
    CHECK(docs["a_host_2"] == "computed by the host: a + 1");
}

TEST_CASE("capture: mins and extents of images that the algorithm reads are registers") {
    ImageParam in(UInt(8), 2, "in");
    Func out("out");
    out(x, y) = select(x < in.width() - 5 && y > in.top(), in(x, y), cast<uint8_t>(0));
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    const hwgen::Region r = captured(out);
    CHECK(r.params.size() >= 2);
    for (const hwgen::Param &p : r.params) CHECK(p.type == Int(32));
}

TEST_CASE("capture: an ImageParam is the image, a Func is computed by the host") {
    ImageParam image(UInt(8), 2, "image");
    Func host = source("host"), out("out");
    out(x, y) = image(x, y) + host(x, y);
    argent::accelerate(out, {image, host}).block({{x, 64}, {y, 32}});
    const auto p = partitioned(out, true);
    REQUIRE(p.captured[0].inputs.size() == 2);
    CHECK(p.captured[0].inputs[0].image.defined());
    CHECK_FALSE(p.captured[0].inputs[1].image.defined());
    CHECK(funcs_of(p.captured[0].region) == "image host out");
}

TEST_CASE("capture: a keyword is a good end of a module's name") {
    Func in = source(), output("output"), odd("1__reg"), out("out");
    output(x, y) = in(x, y) + in(x, y + 1);
    odd(x, y) = output(x, y) + output(x + 1, y);
    out(x, y) = odd(x, y);
    argent::accelerate(output, {in}).block({{x, 64}, {y, 32}});
    argent::accelerate(odd, {output}).block({{x, 64}, {y, 32}});
    const auto parts = partitioned(out);
    CHECK(parts.captured[0].region.name == "pipeline_output");
    CHECK(parts.captured[1].region.name == "pipeline_1__u_reg");
}

TEST_CASE("capture: functions with names that no module can have") {
    const auto name_in = [](const std::string &function) {
        Func in = source(), out("out");
        out(x, y) = in(x, y) + in(x, y + 1);
        argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
        return argent::dsl::partition({out}, argent::dsl::specs_of(out), {function, "", true, {}}).captured.at(0).region.name;
    };
    CHECK(name_in("edge") == "edge_");
    CHECK(name_in("vision::edges") == "vision_edges");
    CHECK(name_in("my__edges") == "my__edges");
}

TEST_CASE("capture: several accelerators are named after their outputs") {
    Func in = source(), first("first"), second("second");
    first(x, y) = in(x, y) + 1;
    second(x, y) = first(x, y) * 3;
    argent::accelerate(first, {in}).block({{x, 64}, {y, 32}});
    argent::accelerate(second, {first}).block({{x, 64}, {y, 32}});
    const auto p = partitioned(second, true);
    REQUIRE(p.captured.size() == 2);
    CHECK(p.captured[0].region.name == "pipeline_first");
    CHECK(p.captured[1].region.name == "pipeline_second");
}
