#include "dsl/Generator.h"

#include "dsl/argent.h"

namespace argent::dsl {

Halide::Pipeline PartitionedGenerator::build_pipeline() {
    take_recorded_specs();   // of a generator that threw
    const Halide::Pipeline whole = inner->build_pipeline();
    const Specs specs = take_recorded_specs();
    if (specs.empty()) return whole;
    if (options.function.empty()) options.function = inner->name();
    try {
        Partitioned result = partition(whole.outputs(), specs, options);
        if (when_built) when_built(result);
        return result.host;
    } catch (const Error &e) {
        if (when_wrong) when_wrong(e);
        throw;
    }
}

std::unique_ptr<Halide::Internal::AbstractGenerator> wrap_generator(
    std::unique_ptr<Halide::Internal::AbstractGenerator> inner) {
    return std::make_unique<PartitionedGenerator>(std::move(inner));
}

}  // namespace argent::dsl
