#include "dsl/jit/Simulation.h"

#include <dlfcn.h>

#include <algorithm>

#include "dsl/Emit.h"
#include "dsl/Split.h"
#include "dsl/Texts.h"
#include "dsl/jit/ModelBuilder.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using namespace Halide;

namespace {

std::string function_of(const Func &f) {
    return verilog::legal(user_name(f.name()));
}

void *load(const std::string &function, const std::vector<hwgen::Design> &designs) {
    std::vector<std::string> names;
    for (const hwgen::Design &d : designs) names.push_back(d.name);
    const std::string path = build_model(function, names, emitted_files(function, designs, {"verilog", "driver", "sim"}));
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(dlerror());
    return library;
}

JITExtern extern_of(void *function, const std::vector<Type> &args) {
    return JITExtern(ExternCFunction(function, ExternSignature(Int(32), false, args)));
}

}  // namespace

void *Simulation::symbol(const std::string &name) const {
    void *address = dlsym(library, name.c_str());
    if (!address) throw std::runtime_error(dlerror());
    return address;
}

JITExtern Simulation::launcher_of(const Captured &captured, const hwgen::Design &design) const {
    const std::vector<hwgen::TableSource> &tables = captured.region.tables;
    const size_t outputs = captured.outs[0].func.outputs(), inputs = captured.region.buffers.size() - outputs;   // those of other Funcs are passed as inputs are
    const size_t loaded = std::count_if(tables.begin(), tables.end(), [](const hwgen::TableSource &t) { return !t.is_rom(); });
    std::vector<Type> args(inputs + loaded, type_of<halide_buffer_t *>());
    args.insert(args.end(), (captured.has_domain() ? 4 : 2) * captured.region.block.size(), Int(32));
    for (const Expr &p : captured.params) args.push_back(p.type());
    args.insert(args.end(), design.scalars.size(), Int(32));
    for (const Expr &p : captured.cpu_params) args.push_back(p.type());
    args.insert(args.end(), outputs, type_of<halide_buffer_t *>());
    return extern_of(symbol(design.manifest["launcher"]), args);
}

Simulation::Simulation(const Func &f, const Specs &specs, const std::string &device, const Location &where)
    : parts(partition({f}, specs, {function_of(f), "", false, where})), host(parts.host), device(device),
      library(load(function_of(f), parts.designs)) {
    std::map<std::string, JITExtern> externs;
    for (size_t i = 0; i < parts.designs.size(); i++) {
        const std::string launcher = parts.designs[i].manifest["launcher"];
        externs.emplace(launcher, launcher_of(parts.captured[i], parts.designs[i]));
        for (size_t func = 1; func < parts.captured[i].outs.size(); func++) {
            const std::string placeholder = placeholder_name(launcher, func);
            std::vector<Type> args(1, Int(32));
            args.insert(args.end(), parts.captured[i].outs[func].func.outputs(), type_of<halide_buffer_t *>());
            externs.emplace(placeholder, extern_of(symbol(placeholder), args));
        }
    }
    host.set_jit_externs(externs);
}

Realization Simulation::realize(std::vector<int> sizes) {
    function<void()>("argent_jit_clear")();
    function<int(const char *)>("argent_launch_set_device")(device.c_str());
    try {
        return host.realize(std::move(sizes), get_jit_target_from_environment().with_feature(Target::StrictFloat));
    } catch (const RuntimeError &e) {
        const std::string words = function<const char *()>("argent_jit_error")();
        if (words.empty()) throw;
        throw RuntimeError((words + "\n" + e.what()).c_str());
    }
}

}  // namespace argent::dsl
