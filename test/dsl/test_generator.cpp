#include <doctest/doctest.h>

#include "Pieces.h"
#include "dsl/Generator.h"

using namespace Halide;

namespace {

class Filter : public Generator<Filter> {
public:
    GeneratorParam<int> pixels{"pixels", 1};
    GeneratorParam<bool> accelerates{"accelerates", true};
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<int32_t> gain{"gain", 3, 1, 9};
    Output<Buffer<int32_t, 2>> output{"output"};

    void generate() { output(x, y) = input(x, y) * gain + input(x + 1, y); }
    void schedule() {
        if (accelerates) argent::accelerate(output, {input}).block({{x, 64}, {y, 32}}).throughput(x, pixels);
    }

private:
    Var x{"x"}, y{"y"};
};

std::unique_ptr<argent::dsl::PartitionedGenerator> make(const std::vector<std::pair<std::string, std::string>> &params = {}) {
    auto made = Internal::GeneratorRegistry::create("argent_test_filter", GeneratorContext(get_host_target()));
    auto *partitioned = dynamic_cast<argent::dsl::PartitionedGenerator *>(made.release());
    REQUIRE(partitioned);
    for (const auto &[name, value] : params) partitioned->set_generatorparam_value(name, value);
    return std::unique_ptr<argent::dsl::PartitionedGenerator>(partitioned);
}

}  // namespace

ARGENT_REGISTER_GENERATOR(Filter, argent_test_filter)

TEST_CASE("generator: what the user's generator says of itself comes through") {
    const auto g = make();
    CHECK(g->name() == "argent_test_filter");
    std::string args;
    for (const auto &a : g->arginfos()) args += a.name + " ";
    CHECK(args == "input gain output ");
    CHECK(g->context().target() == get_host_target());
}

TEST_CASE("generator: the pipeline is the host's, the designs are told") {
    const auto g = make({{"pixels", "4"}});
    std::vector<argent::hwgen::Design> designs;
    g->when_built = [&](const argent::dsl::Partitioned &p) { designs = p.designs; };
    const Pipeline host = g->build_pipeline();
    REQUIRE(designs.size() == 1);
    CHECK(designs[0].name == "argent_test_filter");
    CHECK(designs[0].manifest["throughput"]["pixels"] == 4);
    CHECK(host.outputs()[0].function().has_extern_definition());
    CHECK(host.outputs()[0].name() == g->output_func("output").at(0).name());
}

TEST_CASE("generator: what accelerates nothing is left alone") {
    const auto g = make({{"accelerates", "false"}});
    bool built = false;
    g->when_built = [&](const argent::dsl::Partitioned &) { built = true; };
    CHECK_FALSE(g->build_pipeline().outputs()[0].function().has_extern_definition());
    CHECK_FALSE(built);
}

TEST_CASE("generator: the golden model") {
    const auto g = make();
    g->options.cpu_only = true;
    CHECK_FALSE(g->build_pipeline().outputs()[0].function().has_extern_definition());
}

TEST_CASE("generator: mistakes are told before they are thrown, and the next build is not theirs") {
    const auto wrong = make({{"pixels", "7"}});
    std::string told;
    wrong->when_wrong = [&](const argent::Error &e) { told = e.what(); };
    CHECK_THROWS_AS(wrong->build_pipeline(), argent::Error);
    CHECK(told.find("throughput(x, 7)") != std::string::npos);
    CHECK(make()->build_pipeline().outputs()[0].function().has_extern_definition());
}
