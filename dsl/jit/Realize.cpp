#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "dsl/Emit.h"
#include "dsl/Partition.h"
#include "dsl/Split.h"
#include "dsl/Texts.h"
#include "dsl/argent.h"
#include "dsl/jit/ModelBuilder.h"
#include "hwgen/verilog/Names.h"

namespace argent {

using namespace Halide;

namespace {

/** The shared library of one pipeline's accelerators. It stays loaded: JIT-compiled code may be cached. */
class Model {
public:
    explicit Model(const std::string &path) : library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (!library) throw std::runtime_error(dlerror());
    }
    template<typename F>
    F *function(const std::string &name) const {
        void *address = dlsym(library, name.c_str());
        if (!address) throw std::runtime_error(dlerror());
        return reinterpret_cast<F *>(address);
    }

private:
    void *library;
};

JITExtern launcher_of(const dsl::Captured &captured, const hwgen::Design &design, const std::string &launcher, const Model &model) {
    const std::vector<hwgen::TableSource> &tables = captured.region.tables;
    const size_t outputs = captured.outs[0].func.outputs(), inputs = captured.region.buffers.size() - outputs;   // those of other Funcs are passed as inputs are
    const size_t loaded = std::count_if(tables.begin(), tables.end(), [](const hwgen::TableSource &t) { return !t.is_rom(); });
    std::vector<Type> args(inputs + loaded, type_of<halide_buffer_t *>());
    args.insert(args.end(), (captured.has_domain() ? 4 : 2) * captured.region.block.size(), Int(32));
    for (const Expr &p : captured.params) args.push_back(p.type());
    args.insert(args.end(), design.scalars.size(), Int(32));
    for (const Expr &p : captured.cpu_params) args.push_back(p.type());
    args.insert(args.end(), outputs, type_of<halide_buffer_t *>());
    return JITExtern(ExternCFunction(reinterpret_cast<void *>(model.function<int()>(launcher)),
                                     ExternSignature(Int(32), false, args)));
}

/** What is wrong with the call itself. */
void check_call(const Halide::Func &f, const std::vector<int> &sizes, const std::string &device, const dsl::Specs &specs,
                const Location &where) {
    std::string call = fmt::format("realize({}, {{{}}}", dsl::shown(f), fmt::join(sizes, ", "));
    call += device == "sim:" ? ")" : fmt::format(", \"{}\")", device);
    Diagnostics d;
    if (!f.defined()) {
        d.error(where, fmt::format("{}: {} has no definition", call, dsl::shown(f)));
        d.throw_errors();
    }
    if (specs.empty()) {
        d.error(where, fmt::format("{}: nothing that {} needs is accelerated", call, dsl::shown(f)),
                {fmt::format("call accelerate() on {} or on a Func that it reads", dsl::shown(f))});
    }
    const std::string scheme = device.substr(0, device.find(':') + 1);
    if (scheme != "sim:") {
        d.error(where, fmt::format("{}: there is no backend for {}", call, scheme.empty() ? device : scheme), {"there is sim:"});
    }
    if (sizes.size() != f.args().size()) {
        std::vector<std::string> vars;
        for (const Var &v : f.args()) vars.push_back(dsl::user_name(v.name()));
        d.error(where,
                fmt::format("{}: {} size{} given, and {} has {} dimension{}", call, sizes.size(), sizes.size() == 1 ? " is" : "s are",
                            dsl::shown(f), vars.size(), vars.size() == 1 ? "" : "s"),
                {"give the extents of " + dsl::list_of(vars)});
    }
    d.throw_errors();
}

}  // namespace

Realization realize(const Halide::Func &f, std::vector<int> sizes, const std::string &device, const char *file, int line) {
    const std::string function = verilog::legal(dsl::user_name(f.name()));
    const dsl::Specs specs = dsl::specs_of(f);
    check_call(f, sizes, device, specs, {file, line});
    const dsl::Partitioned parts = dsl::partition({f}, specs, {function, "", false, {file, line}});

    std::vector<std::string> names;
    for (const hwgen::Design &d : parts.designs) names.push_back(d.name);
    const Model model(dsl::build_model(function, names, dsl::emitted_files(function, parts.designs, {"verilog", "driver", "sim"})));
    std::map<std::string, JITExtern> externs;
    for (size_t i = 0; i < parts.designs.size(); i++) {
        const std::string launcher = parts.designs[i].manifest["launcher"];
        externs.emplace(launcher, launcher_of(parts.captured[i], parts.designs[i], launcher, model));
        for (size_t func = 1; func < parts.captured[i].outs.size(); func++) {
            const std::string placeholder = dsl::placeholder_name(launcher, func);
            std::vector<Type> args(1, Int(32));
            args.insert(args.end(), parts.captured[i].outs[func].func.outputs(), type_of<halide_buffer_t *>());
            externs.emplace(placeholder, JITExtern(ExternCFunction(reinterpret_cast<void *>(model.function<int()>(placeholder)), ExternSignature(Int(32), false, args))));
        }
    }
    model.function<void()>("argent_jit_clear")();
    model.function<int(const char *)>("argent_launch_set_device")(device.c_str());
    Pipeline host = parts.host;
    host.set_jit_externs(externs);
    try {
        return host.realize(std::move(sizes), get_jit_target_from_environment().with_feature(Target::StrictFloat));
    } catch (const RuntimeError &e) {
        const std::string words = model.function<const char *()>("argent_jit_error")();
        if (words.empty()) throw;
        throw RuntimeError((words + "\n" + e.what()).c_str());
    }
}

}  // namespace argent
