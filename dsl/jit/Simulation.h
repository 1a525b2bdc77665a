#ifndef ARGENT_DSL_JIT_SIMULATION_H
#define ARGENT_DSL_JIT_SIMULATION_H

#include <Halide.h>

#include <string>
#include <vector>

#include "dsl/Partition.h"
#include "dsl/argent.h"

namespace argent::dsl {

/** What realize() runs: a pipeline with its accelerators' models loaded into this process, compiled once for all sizes. */
class Simulation {
public:
    /** Splits `f` and builds the models. `specs`: specs_of(f). Throws argent::Error with all Diagnostics. */
    Simulation(const Halide::Func &f, const Specs &specs, const std::string &device, const Location &where);

    /** f.realize(sizes). Throws Halide::RuntimeError, with the driver's words. */
    Halide::Realization realize(std::vector<int> sizes);

    const std::vector<hwgen::Design> &designs() const { return parts.designs; }

    /** A function of the library of models and drivers. */
    template<typename F>
    F *function(const std::string &name) const { return reinterpret_cast<F *>(symbol(name)); }

private:
    void *symbol(const std::string &name) const;
    Halide::JITExtern launcher_of(const Captured &captured, const hwgen::Design &design) const;

    Partitioned parts;
    Halide::Pipeline host;
    std::string device;
    void *library;   // it stays loaded: JIT-compiled code may be cached
};

}  // namespace argent::dsl

#endif
