#include <doctest/doctest.h>

#include "Refusal.h"

using namespace argent::test;

namespace {

/** What only a generator can get wrong, and that mistakes get through one as they do through realize. */
class Wrong : public Halide::Generator<Wrong> {
public:
    GeneratorParam<bool> used{"used", false};
    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<Buffer<uint8_t, 2>> mask{"mask"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        masked(x, y) = input(x, y) & mask(x, y);
        output(x, y) = input(x, y) + 1;
        if (used) output(x, y) += masked(x, y);
    }
    void schedule() {
        argent::accelerate((HERE('A'), masked), used ? std::vector<Func>{input} : std::vector<Func>{input, mask})
            .block({{x, 64}, {y, 32}});
    }

private:
    Var x{"x"}, y{"y"};
    Func masked{"masked"};
};

void build(bool used) {
    const Halide::GeneratorContext context(Halide::get_host_target());
    auto generator = Halide::Internal::GeneratorRegistry::create("argent_test_wrong", context);
    generator->set_generatorparam_value("used", used ? "true" : "false");
    generator->build_pipeline();
}

}  // namespace

ARGENT_REGISTER_GENERATOR(Wrong, argent_test_wrong)

TEST_CASE("an accelerator that no output of the generator needs") {
    const std::string text = refusal_of([] { build(false); });
    CHECK(text ==
          "@A: error: accelerate(masked, {input, mask}): no output of the generator needs masked\n"
          "@A: note: take it out, or read masked on the way to output\n");
}

TEST_CASE("an Input<Buffer<>> that is read in the region and not listed") {
    const std::string text = refusal_of([] { build(true); });
    CHECK(text ==
          "@A: error: accelerate(masked, {input}): masked reads the image mask, which is not among the inputs\n"
          "@A: note: write accelerate(masked, {input, mask})\n");
}
