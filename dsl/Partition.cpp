#include "dsl/Partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dsl/Check.h"
#include "dsl/Split.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

struct Copy {
    std::vector<Function> outputs;
    Env env;
};

Copy copy_of(const std::vector<Halide::Func> &outputs) {
    std::vector<Function> functions;
    for (const Halide::Func &f : outputs) functions.push_back(f.function());
    auto [copied, copied_env] = deep_copy(functions, build_environment(functions));   // with the wrappers
    for (auto &[name, f] : copied_env) f.lock_loop_levels();   // or Halide will not tell what they are
    return {copied, copied_env};
}

/** compute_root for the edges of an accelerator that have no compute level. */
void give_compute_level(Function f) {
    if (!f.schedule().compute_level().is_inlined() || image_of(f).defined()) return;
    Halide::Func(f).compute_root();
    f.lock_loop_levels();
}

bool slides(const Function &f) {
    const FuncSchedule &schedule = f.schedule();
    return !(schedule.store_level() == schedule.compute_level());
}

/** Every launch computes and reads all that it needs: Halide tells an extern stage neither what earlier iterations left of a sliding window,
 *  nor which part of a ring is this iteration's, and folds storage as if there was none. Only what runs ahead in a thread of its own slides,
 *  and an input only if the outputs, `reader_slides`, do. True if that is not what the schedule says. */
bool compute_whole(Function edge, bool reader_slides) {
    FuncSchedule &schedule = edge.schedule();
    const bool stops_sliding = slides(edge) && !(schedule.async() && reader_slides);
    const bool has_ring = schedule.ring_buffer().defined();
    schedule.ring_buffer() = Expr();
    if (stops_sliding) schedule.store_level() = schedule.compute_level();
    return stops_sliding || has_ring;
}

/** For the report, what was scheduled otherwise. */
std::vector<std::string> compute_edges_whole(const std::vector<Halide::Func> &outs, const std::vector<Captured::Input> &inputs, Env &env) {
    std::vector<std::string> changed, warnings;
    for (const Halide::Func &f : outs) {
        if (compute_whole(env.at(f.name()), true)) changed.push_back(f.name());
    }
    const bool all_slide = std::all_of(outs.begin(), outs.end(), [&](const Halide::Func &f) { return slides(env.at(f.name())); });
    for (const Captured::Input &input : inputs) {
        const auto f = env.find(input.func.name());
        if (f != env.end() && !input.image.defined() && compute_whole(f->second, all_slide)) changed.push_back(f->first);
    }
    for (const std::string &name : changed) {
        warnings.push_back(fmt::format("{} is computed whole for every launch, and not as a sliding window or a ring; launches run ahead, and strips slide, where inputs and outputs "
                                       "of an accelerator have async() and store_root()",
                                       user_name(name)));
    }
    return warnings;
}

/** Takes out wrappers of calls that are in hardware now: Halide would look for their callers. */
void drop_wrappers_of_regions(Env &env, const std::vector<Function> &outputs) {
    Env host;
    for (const Function &f : outputs) {
        for (const auto &[name, function] : find_transitive_calls(env.at(f.name()))) host.emplace(name, function);
    }
    std::set<std::string> callees;   // of Funcs that the host computes
    for (const auto &[name, f] : host) {
        if (f.has_extern_definition()) continue;
        for (const auto &[callee, function] : find_direct_calls(f)) callees.insert(callee);
    }
    for (auto &[name, f] : host) {
        auto &wrappers = f.schedule().wrappers();
        for (auto it = wrappers.begin(); it != wrappers.end();) {
            const auto caller = host.find(it->first);
            const bool is_used = it->first.empty() ? callees.count(name) > 0 :
                                                     caller != host.end() && !caller->second.has_extern_definition();
            it = is_used ? std::next(it) : wrappers.erase(it);
        }
    }
}

/** compute_with is schedule only: what is in hardware leaves the loops that the host fuses. */
void drop_fusions_of_regions(Env &env, const std::vector<Function> &outputs) {
    Env host;
    for (const Function &f : outputs) {
        for (const auto &[name, function] : find_transitive_calls(env.at(f.name()))) host.emplace(name, function);
    }
    const auto has_loops = [&](const std::string &name) {
        const auto f = host.find(name);
        return f != host.end() && !f->second.has_extern_definition();
    };
    for (auto &[name, f] : host) {
        const auto drop = [&, name = name](StageSchedule &s) {
            LoopLevel &level = s.fuse_level().level;
            const bool is_fused = level.defined() && !level.is_inlined() && !level.is_root();
            if (is_fused && (!has_loops(name) || !has_loops(level.func()))) s.fuse_level() = FuseLoopLevel();
            auto &pairs = s.fused_pairs();
            pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                                       [&](const FusedPair &p) { return !has_loops(p.func_1) || !has_loops(p.func_2); }),
                        pairs.end());
        };
        if (f.has_pure_definition()) drop(f.definition().schedule());
        for (size_t u = 0; u < f.updates().size(); u++) drop(f.update(static_cast<int>(u)).schedule());
    }
}

/** The accelerator's region for the host's processor. What it wants of the host, and nobody passes to the launcher yet, is passed, too. */
OnCpu take_on_cpu(Captured &captured, hwgen::Design &design, const std::vector<Halide::Func> &outputs) {
    OnCpu region = region_on_cpu(captured, wrap_func_calls(copy_of(outputs).env));
    const auto is = [](const Expr &e, const std::string &name) { return e.as<Variable>() && e.as<Variable>()->name == name; };
    for (OnCpu::Scalar &s : region.scalars) {
        const std::string name = s.value.as<Variable>()->name;
        const auto passed = std::find_if(captured.params.begin(), captured.params.end(), [&](const Expr &e) { return is(e, name); });
        s.index = passed - captured.params.begin();
        if (passed != captured.params.end()) continue;
        s.index = captured.params.size() + design.scalars.size() + captured.cpu_params.size();
        captured.cpu_params.push_back(s.value);
        const Type t = s.value.type();
        const std::string type = t.is_bool() ? "bool" : fmt::format("{}{}", t.is_float() ? "float" : t.is_int() ? "int" : "uint", t.bits());
        design.manifest["params"].push_back({{"name", user_name(name)}, {"type", type}, {"register", nullptr}, {"bits", t.bits()}, {"kind", "cpu"}});
    }
    return region;
}

/** All of them, by line. */
void throw_in_order(const Diagnostics &diagnostics) {
    if (!diagnostics.has_errors()) return;
    std::vector<Diagnostic> sorted = diagnostics.all();
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic &a, const Diagnostic &b) {
        return a.where.file == b.where.file && a.where.line < b.where.line;
    });
    throw Error(sorted);
}

/** All modules are linked together: no two accelerators may have one of the same name. */
void check_modules(const Specs &specs, const std::vector<hwgen::Design> &designs, Diagnostics &diagnostics) {
    std::map<std::string, size_t> owners;
    for (size_t i = 0; i < designs.size() && designs.size() == specs.size(); i++) {
        for (const auto &[file, text] : designs[i].rtl) {
            if (file.rfind("ag_", 0) == 0) continue;
            const size_t owner = owners.emplace(file, i).first->second;
            if (owner == i) continue;
            diagnostics.error(specs[i]->where,
                              fmt::format("{}: the accelerator at {} has a module {} too", accelerate_text(*specs[i]),
                                          shown(specs[owner]->where), file.substr(0, file.rfind('.'))),
                              {"tell them apart with .name(\"...\")"});
            break;
        }
    }
}

bool is_output(const std::vector<Halide::Func> &outputs, const std::string &name) {
    for (const Halide::Func &f : outputs) {
        if (f.name() == name) return true;
    }
    return false;
}

Partitioned partitioned(const std::vector<Halide::Func> &outputs, const Specs &specs, const Options &options) {
    Diagnostics diagnostics;
    Copy walked = copy_of(outputs);
    walked.env = wrap_func_calls(walked.env);
    for (auto &[name, f] : walked.env) f.lock_loop_levels();
    check_together(specs, walked.env, outputs, diagnostics);

    std::set<std::string> output_names;
    for (const Halide::Func &f : outputs) output_names.insert(f.name());
    Partitioned result;
    for (const auto &spec : specs) {
        AcceleratorSpec with_board = *spec;
        if (with_board.boards.empty() && !options.board.empty()) {
            with_board.boards.push_back({options.board, spec->where});
        }
        auto captured = capture(with_board, walked.env, options.function, specs.size() == 1, diagnostics, output_names);
        if (captured) result.captured.push_back(std::move(*captured));
    }
    throw_in_order(diagnostics);
    for (const Captured &c : result.captured) {
        if (options.cpu_only) break;
        try {
            result.designs.push_back(hwgen::lower(c.region));
        } catch (const Error &e) {
            for (const Diagnostic &d : e.diagnostics()) diagnostics.error(d.where, d.message, d.notes);
        }
    }
    check_modules(specs, result.designs, diagnostics);
    throw_in_order(diagnostics);

    Copy host = copy_of(outputs);
    for (size_t i = 0; i < result.captured.size(); i++) {
        const Captured &c = result.captured[i];
        std::vector<Halide::Func> outs;
        for (const Captured::Output &out : c.outs) {
            outs.emplace_back(out.func);
            if (!is_output(outputs, out.func.name())) give_compute_level(host.env.at(out.func.name()));
        }
        std::vector<Captured::Input> read = c.inputs;
        read.insert(read.end(), c.tables.begin(), c.tables.end());
        for (const Captured::Input &input : read) {
            const auto f = host.env.find(input.func.name());
            if (f != host.env.end() && !input.image.defined()) give_compute_level(f->second);
        }
        if (options.cpu_only) {
            for (const hwgen::Func &f : c.region.funcs) {
                const auto stage = host.env.find(f.name);
                if (f.kind == hwgen::Func::Kind::Stage && stage != host.env.end() && !is_output(outs, f.name)) {
                    give_compute_level(stage->second);
                }
            }
        } else {
            for (const std::string &w : compute_edges_whole(outs, read, host.env)) result.designs[i].report["warnings"].push_back(w);
            result.on_cpu.push_back(take_on_cpu(result.captured[i], result.designs[i], outputs));
            split(c, result.designs[i], result.designs[i].manifest["launcher"], host.env);
        }
    }
    if (!options.cpu_only) {
        drop_wrappers_of_regions(host.env, host.outputs);
        drop_fusions_of_regions(host.env, host.outputs);
    }
    std::vector<Halide::Func> host_outputs;
    for (const Function &f : host.outputs) host_outputs.emplace_back(host.env.at(f.name()));
    result.host = Pipeline(host_outputs);
    return result;
}

}  // namespace

Partitioned partition(const std::vector<Halide::Func> &outputs, const Specs &specs, const Options &options) {
    Partitioned result;
    // Expressions are walked by recursion, and thousands of Funcs inlined into each other are one.
    Halide::Internal::run_with_large_stack([&] { result = partitioned(outputs, specs, options); });
    return result;
}

}  // namespace argent::dsl
