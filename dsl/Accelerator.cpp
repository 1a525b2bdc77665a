#include <fmt/format.h>

#include <algorithm>

#include "dsl/Spec.h"
#include "dsl/Texts.h"
#include "dsl/argent.h"

namespace argent {
namespace dsl {

Specs &recorded_specs() {
    thread_local Specs specs;
    return specs;
}

Specs take_recorded_specs() {
    Specs taken;
    taken.swap(recorded_specs());
    return taken;
}

Specs specs_of(const Halide::Func &f) {
    const auto reached = f.defined() ? Halide::Internal::build_environment({f.function()}) : std::map<std::string, Halide::Internal::Function>();   // with wrappers
    const auto belongs = [&](const AcceleratorSpec &spec) {
        return std::any_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &out) {
            const auto it = out.defined() ? reached.find(out.name()) : reached.end();
            return it != reached.end() && it->second.same_as(out.function());
        });
    };
    const auto is_lost = [](const AcceleratorSpec &spec) {
        return std::none_of(spec.outs.begin(), spec.outs.end(), [](const Halide::Func &out) { return out.defined(); });
    };
    Specs found, kept;
    for (const auto &spec : recorded_specs()) {
        if (is_lost(*spec) || belongs(*spec)) found.push_back(spec);
        if (!is_lost(*spec)) kept.push_back(spec);
    }
    recorded_specs() = kept;
    return found;
}

}  // namespace dsl

Accelerator accelerate(const Halide::Func &out, std::vector<Halide::Func> inputs, const char *file, int line) {
    return accelerate(std::vector<Halide::Func>{out}, std::move(inputs), file, line);
}

Accelerator accelerate(std::vector<Halide::Func> outs, std::vector<Halide::Func> inputs, const char *file,
                       int line) {
    auto spec = std::make_shared<dsl::AcceleratorSpec>();
    spec->outs = std::move(outs);
    spec->inputs = std::move(inputs);
    spec->where = {file, line};
    dsl::recorded_specs().push_back(spec);
    return Accelerator(spec);
}

Accelerator &Accelerator::block(std::vector<std::pair<Halide::Var, int>> extents, const char *file, int line) {
    spec->blocks.push_back({std::move(extents), {file, line}});
    return *this;
}

Accelerator &Accelerator::throughput(const Halide::Var &x, int pixels, int clocks, const char *file, int line) {
    spec->throughputs.push_back({{x, pixels, clocks}, {file, line}});
    return *this;
}

Accelerator &Accelerator::linebuffer(const Halide::Func &f, const char *file, int line) {
    spec->storage.push_back({{dsl::StorageDirective::Kind::LineBuffer, f}, {file, line}});
    return *this;
}

Accelerator &Accelerator::inlined(const Halide::Func &f, const char *file, int line) {
    spec->storage.push_back({{dsl::StorageDirective::Kind::Inlined, f}, {file, line}});
    return *this;
}

Accelerator &Accelerator::buffered(const Halide::Func &f, const char *file, int line) {
    spec->storage.push_back({{dsl::StorageDirective::Kind::Buffered, f}, {file, line}});
    return *this;
}

Accelerator &Accelerator::unroll(const Halide::Func &f, const Halide::VarOrRVar &v, int n, const char *file,
                                 int line) {
    spec->unrolls.push_back({{f, v, n}, {file, line}});
    return *this;
}

Accelerator &Accelerator::reorder(const Halide::Func &f, std::vector<Halide::VarOrRVar> vars, const char *file,
                                  int line) {
    spec->reorders.push_back({{f, std::move(vars)}, {file, line}});
    return *this;
}

Accelerator &Accelerator::time_share(const Halide::Func &f, int n, const char *file, int line) {
    spec->time_shares.push_back({{f, n}, {file, line}});
    return *this;
}

Accelerator &Accelerator::fifo_depth(const Halide::Func &f, const Halide::Func &g, int n, const char *file,
                                     int line) {
    spec->fifos.push_back({{f, g, n}, {file, line}});
    return *this;
}

Accelerator &Accelerator::board(const std::string &name, const char *file, int line) {
    spec->boards.push_back({name, {file, line}});
    return *this;
}

Accelerator &Accelerator::clock(double mhz, const char *file, int line) {
    spec->clocks.push_back({mhz, {file, line}});
    return *this;
}

Accelerator &Accelerator::streaming(const char *file, int line) {
    spec->streams.push_back({file, line});
    return *this;
}

Accelerator &Accelerator::name(const std::string &name, const char *file, int line) {
    spec->names.push_back({name, {file, line}});
    return *this;
}

}  // namespace argent
