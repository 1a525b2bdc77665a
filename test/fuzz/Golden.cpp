#include "Golden.h"

#include "Analysis.h"
#include "Inputs.h"

namespace argent::fuzz {

using namespace Halide;

namespace {

/** Without the vectors of this machine: LLVM needs less time, and pipelines are small. */
Target cpu() {
    const Target host = get_host_target();
    return Target(host.os, host.arch, host.bits, {Target::StrictFloat, Target::NoBoundsQuery});
}

}  // namespace

HostScalars::HostScalars(std::vector<Expr> values, Built built) : values(std::move(values)), built(std::move(built)) {
    std::vector<Expr> words;
    bool is_plain = true;
    for (const Expr &e : this->values) {
        words.push_back(cast<uint64_t>(e));
        const auto *v = e.as<Internal::Variable>();
        is_plain = is_plain && v && !v->param.is_buffer();   // no minimum or extent of an image
    }
    if (is_plain) return;
    computed = Func("scalars");
    computed() = Tuple(words);
    if (words.size() == 1) {
        computed = Func("scalars");
        computed() = words[0];
    }
    computed.compile_jit(cpu());
}

std::vector<uint64_t> HostScalars::run(const Pipeline &p, const Run &run) {
    std::vector<uint64_t> words;
    if (!computed.defined()) {
        for (const Expr &e : values) words.push_back(static_cast<uint64_t>(param_value(p, run, std::stoi(e.as<Internal::Variable>()->name.substr(1)))));
        return words;
    }
    set_inputs(p, run, built);
    const Realization r = computed.realize({}, cpu());
    for (size_t i = 0; i < r.size(); i++) words.push_back(*static_cast<const uint64_t *>(r[i].data()));
    return words;
}

Golden::Golden(const Pipeline &p, const Form &form) : p(p), form(form), built(build_for_cpu(p, form)), compiled(built.out) {
    try {
        compiled.compile_jit(cpu());
    } catch (const CompileError &e) {
        const std::string why = e.what();
        if (why.rfind("Error: Signed integer overflow occurred during constant-folding.", 0) == 0) throw RefusedByHalide(why);
        // Halide's bounds inference does not see that (a ^ b) % 7 is bounded.
        for (const char *unbounded : {" is accessed over an unbounded domain in dimension ", " may be accessed in an unbounded way in dimension "}) {
            if (why.find(unbounded) != std::string::npos) throw RefusedByHalide(why);
        }
        throw;
    } catch (const InternalError &e) {
        const std::string why = e.what();
        if (why.rfind("Error: Symbol not found: ", 0) == 0) throw RefusedByHalide(why);
        throw;
    }
}

std::vector<uint64_t> Golden::run(const Run &run) {
    set_inputs(p, run, built);
    Buffer<> out(p.stages.back().type, std::vector<int>{run.width, run.height});
    out.set_min(run.min_x, run.min_y);
    realize(out);
    std::vector<uint64_t> values;
    for (int y = 0; y < run.height; y++) {
        for (int x = 0; x < run.width; x++) values.push_back(element_bits(out, run.min_x + x, run.min_y + y));
    }
    return values;
}

Realization Golden::realize(const Run &run, const std::vector<int> &sizes) {
    set_inputs(p, run, built, form);
    std::vector<Buffer<>> outs;
    for (const Type &t : built.out.types()) outs.emplace_back(t, sizes);
    Realization r(outs);
    realize(Halide::Pipeline::RealizationArg(r));
    return r;
}

void Golden::realize(Halide::Pipeline::RealizationArg outs) {
    try {
        compiled.realize(std::move(outs), cpu());
    } catch (const RuntimeError &e) {
        const std::string why = e.what();
        const bool is_beyond = why.find(" which is beyond the m") != std::string::npos;
        // A table is read at a place modulo its length. Halide's simplifier drops that where it knows better than its bounds do.
        const bool is_table = why.find("Input buffer values") != std::string::npos;
        if (is_beyond && (is_table || reduces_at_some_coordinates(p))) throw RefusedByHalide(why);
        throw;
    }
}

}  // namespace argent::fuzz
