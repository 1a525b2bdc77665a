#ifndef ARGENT_DSL_GENERATOR_H
#define ARGENT_DSL_GENERATOR_H

#include <functional>
#include <memory>

#include "dsl/Partition.h"

namespace argent::dsl {

/** A generator whose pipeline is partitioned after schedule() has returned: a decorator of Halide's AbstractGenerator.
 *  All else is the inner generator's. */
class PartitionedGenerator : public Halide::Internal::AbstractGenerator {
public:
    explicit PartitionedGenerator(Halide::Internal::AbstractGeneratorPtr inner) : inner(std::move(inner)) {}

    /** Before build_pipeline(); default: the generator's own name, to be accelerated. */
    Options options;
    /** Called with the result of build_pipeline(). */
    std::function<void(const Partitioned &)> when_built;
    /** Called with the user's mistakes in place of the throw. */
    std::function<void(const Error &)> when_wrong;

    Halide::Pipeline build_pipeline() override;

    std::string name() override { return inner->name(); }
    Halide::GeneratorContext context() const override { return inner->context(); }
    std::vector<ArgInfo> arginfos() override { return inner->arginfos(); }
    void set_generatorparam_value(const std::string &name, const std::string &value) override {
        inner->set_generatorparam_value(name, value);
    }
    void set_generatorparam_value(const std::string &name, const Halide::LoopLevel &level) override {
        inner->set_generatorparam_value(name, level);
    }
    std::vector<Halide::Parameter> input_parameter(const std::string &name) override {
        return inner->input_parameter(name);
    }
    std::vector<Halide::Func> output_func(const std::string &name) override { return inner->output_func(name); }
    void bind_input(const std::string &name, const std::vector<Halide::Parameter> &v) override {
        inner->bind_input(name, v);
    }
    void bind_input(const std::string &name, const std::vector<Halide::Func> &v) override {
        inner->bind_input(name, v);
    }
    void bind_input(const std::string &name, const std::vector<Halide::Expr> &v) override {
        inner->bind_input(name, v);
    }
    bool emit_cpp_stub(const std::string &path) override { return inner->emit_cpp_stub(path); }
    bool emit_hlpipe(const std::string &path) override { return inner->emit_hlpipe(path); }
    bool allow_out_of_order_inputs_and_outputs() const override {
        return inner->allow_out_of_order_inputs_and_outputs();
    }

private:
    Halide::Internal::AbstractGeneratorPtr inner;
};

}  // namespace argent::dsl

#endif
