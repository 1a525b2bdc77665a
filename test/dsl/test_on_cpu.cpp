#include <doctest/doctest.h>

#include "Pieces.h"

using namespace Halide;
using namespace argent::test;

namespace {

Var x("x"), y("y");

/** What the device mock: would compute of `size` elements from (4, 3) on, where the only input has just what hardware reads. */
template<typename T>
Buffer<T> on_cpu(const argent::dsl::Partitioned &p, const Func &in, std::vector<int> min, std::vector<int> extent, int width, int height,
                 const std::map<std::string, int> &scalars = {}) {
    argent::dsl::OnCpu region = p.on_cpu.at(0);
    Buffer<uint8_t> input(extent[0], extent[1]);
    input.set_min(min);
    Func(in).realize(input);
    region.buffers.at(0).set_buffer(input);
    for (argent::dsl::OnCpu::Scalar &s : region.scalars) s.param.set_scalar<int>(scalars.at(s.value.as<Internal::Variable>()->name));
    Buffer<T> output(width, height);
    output.set_min(std::vector<int>{4, 3});
    region.outs.at(0).realize(output, strict());
    return output;
}

template<typename T>
void check_equal(const Buffer<T> &got, Func f, int width, int height) {
    Buffer<T> wanted(width, height);
    wanted.set_min(std::vector<int>{4, 3});
    f.realize(wanted, strict());
    wanted.for_each_element([&](int px, int py) { REQUIRE(got(px, py) == wanted(px, py)); });
}

}  // namespace

TEST_CASE("on_cpu: the region alone, from an input that is no larger than the hardware's") {
    Func in = source(), edges("edges"), out("out"), host("host");
    edges(x, y) = cast<uint16_t>(in(x - 1, y)) + in(x + 1, y + 2);
    out(x, y) = edges(x, y) * 3;
    host(x, y) = out(x, y) + 1;
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    const argent::dsl::Partitioned p = partitioned(host);
    CHECK(p.on_cpu.size() == 1);
    CHECK(p.on_cpu[0].scalars.empty());
    check_equal(on_cpu<uint16_t>(p, in, {3, 3}, {9, 7}, 7, 5), out, 7, 5);
}

TEST_CASE("on_cpu: a schedule that computes more than the block, at loops of the host") {
    Func in = source(), edges("edges"), out("out"), host("host");
    Var xo("xo"), yo("yo"), xi("xi"), yi("yi");
    edges(x, y) = cast<uint16_t>(in(x - 1, y)) + in(x + 1, y + 2);
    out(x, y) = edges(x, y) * 3;
    host(x, y) = out(x, y);
    host.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    out.compute_at(host, xo).vectorize(x, 16, TailStrategy::RoundUp);
    edges.compute_at(host, xo).vectorize(x, 32, TailStrategy::RoundUp);
    in.compute_at(host, yo);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    check_equal(on_cpu<uint16_t>(partitioned(host), in, {3, 3}, {9, 7}, 7, 5), host, 7, 5);
}

TEST_CASE("on_cpu: wrappers are applied, updates stay") {
    Func in = source(), sums("sums"), out("out");
    RDom r(-1, 3, "r");
    sums(x, y) = cast<uint16_t>(0);
    sums(x, y) += in.in(sums)(x + r, y);
    out(x, y) = sums(x, y) + in(x, y + 1);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    check_equal(on_cpu<uint16_t>(partitioned(out), in, {3, 3}, {9, 6}, 7, 5), out, 7, 5);
}

TEST_CASE("on_cpu: what the host computes of Params comes as the Params themselves, behind the others") {
    Func in = source(), out("out");
    Param<int> gain("gain"), plain("plain");
    out(x, y) = cast<uint16_t>(in(x, y) * (gain * gain / 7) + plain);
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    const argent::dsl::Partitioned p = partitioned(out);
    const auto &params = p.designs[0].manifest["params"];
    REQUIRE(params.size() == 3);
    CHECK(params[0]["name"] == "plain");
    CHECK(params[1]["name"] == "gain_host");
    CHECK(params[2].dump() == R"({"name":"gain","type":"int32","register":null,"bits":32,"kind":"cpu"})");
    CHECK(p.captured[0].cpu_params.size() == 1);
    std::map<std::string, size_t> index;
    for (const auto &s : p.on_cpu[0].scalars) index[s.value.as<Internal::Variable>()->name] = s.index;
    CHECK(index.at("gain") == 2);
    CHECK(index.at("plain") == 0);
    gain.set(13);
    plain.set(5);
    check_equal(on_cpu<uint16_t>(p, in, {4, 3}, {7, 5}, 7, 5, {{"gain", 13}, {"plain", 5}}), out, 7, 5);
}

TEST_CASE("on_cpu: the golden has none") {
    Func in = source(), out("out");
    out(x, y) = in(x, y) + 1;
    argent::accelerate(out, {in}).block({{x, 64}, {y, 32}});
    CHECK(partitioned(out, true).on_cpu.empty());
}
