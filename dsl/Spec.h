#ifndef ARGENT_DSL_SPEC_H
#define ARGENT_DSL_SPEC_H

#include <Halide.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Diagnostic.h"

namespace argent::dsl {

/** A directive's value and the line that gave it. */
template<typename T>
struct Given {
    T value{};
    Location where;
};

struct StorageDirective {
    enum class Kind { LineBuffer, Inlined, Buffered } kind;
    Halide::Func func;
    bool is_given = true;   // else nobody said so: there is no other way
};

struct FifoDirective {
    Halide::Func from, to;
    int elements = 0;
};

struct TimeShareDirective {
    Halide::Func func;
    int clocks = 0;
};

struct UnrollDirective {
    Halide::Func func;
    Halide::VarOrRVar var;
    int factor = 0;   // 0: all
};

struct ReorderDirective {
    Halide::Func func;
    std::vector<Halide::VarOrRVar> vars;   // innermost first
};

/** What one accelerate() and its directives said, unchecked. */
struct AcceleratorSpec {
    std::vector<Halide::Func> outs, inputs;
    Location where;
    std::vector<Given<std::vector<std::pair<Halide::Var, int>>>> blocks;
    struct Throughput {
        Halide::Var x;
        int pixels = 1, clocks = 1;
    };
    std::vector<Given<Throughput>> throughputs;
    std::vector<Given<StorageDirective>> storage;
    std::vector<Given<UnrollDirective>> unrolls;
    std::vector<Given<FifoDirective>> fifos;
    std::vector<Given<TimeShareDirective>> time_shares;
    std::vector<Given<std::string>> boards, names;
    std::vector<Given<double>> clocks;
    std::vector<Location> streams;             // of streaming()
    std::vector<Given<ReorderDirective>> reorders;
    /** buffered(func), if somebody said so. */
    const Given<StorageDirective> *buffered(const std::string &func) const {
        for (const auto &s : storage) {
            if (s.value.kind == StorageDirective::Kind::Buffered && s.value.func.name() == func) return &s;
        }
        return nullptr;
    }
};

using Specs = std::vector<std::shared_ptr<AcceleratorSpec>>;

/** What accelerate() recorded in this thread and nobody has taken yet. Halide names Funcs process-wide in the same
 *  way; a generator or realize() takes the list as soon as the schedule is complete. */
Specs &recorded_specs();

/** Empties and returns recorded_specs(). */
Specs take_recorded_specs();

/** Those of recorded_specs() that `f` needs, and those that cannot belong to anything (their output is not defined).
 *  The former stay recorded: a script may realize the same Func again. */
Specs specs_of(const Halide::Func &f);

}  // namespace argent::dsl

#endif
