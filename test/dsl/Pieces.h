#ifndef ARGENT_TEST_DSL_PIECES_H
#define ARGENT_TEST_DSL_PIECES_H

#include <Halide.h>

#include <string>

#include "argent.h"
#include "dsl/Partition.h"
#include "dsl/Spec.h"

namespace argent::test {

/** What the host computes in these tests: uint8(x * 7 + y * 13 + x * y). */
inline Halide::Func source(const std::string &name = "source") {
    Halide::Func f(name);
    Halide::Var x("x"), y("y");
    f(x, y) = Halide::cast<uint8_t>(x * 7 + y * 13 + x * y);
    return f;
}

inline dsl::Partitioned partitioned(const Halide::Func &f, bool cpu_only = false) {
    return dsl::partition({f}, dsl::specs_of(f), {"pipeline", "", cpu_only, {}});
}

/** The only accelerator's region. */
inline hwgen::Region captured(const Halide::Func &f) {
    return partitioned(f, true).captured.at(0).region;
}

/** Names of the region's Funcs, inputs first. */
inline std::string funcs_of(const hwgen::Region &r) {
    std::string names;
    for (const hwgen::Func &f : r.funcs) names += (names.empty() ? "" : " ") + f.label;
    return names;
}

inline Halide::Target strict() {
    return Halide::get_jit_target_from_environment().with_feature(Halide::Target::StrictFloat);
}

}  // namespace argent::test

#endif
