#include <dlfcn.h>
#include <fmt/format.h>

#include "dsl/Emit.h"
#include "dsl/Partition.h"
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

JITExtern launcher_of(const dsl::Captured &captured, const std::string &launcher, const Model &model) {
    std::vector<Type> args(captured.inputs.size(), type_of<halide_buffer_t *>());
    args.insert(args.end(), 2 * captured.region.block.size(), Int(32));
    for (const Expr &p : captured.params) args.push_back(p.type());
    args.push_back(type_of<halide_buffer_t *>());
    return JITExtern(ExternCFunction(reinterpret_cast<void *>(model.function<int()>(launcher)),
                                     ExternSignature(Int(32), false, args)));
}

}  // namespace

Realization realize(const Halide::Func &f, std::vector<int> sizes, const std::string &device, const char *file, int line) {
    const std::string function = verilog::legal(dsl::user_name(f.name()));
    const dsl::Partitioned parts = dsl::partition({f}, dsl::specs_of(f), {function, "", false, {file, line}});

    std::vector<std::string> names;
    for (const hwgen::Design &d : parts.designs) names.push_back(d.name);
    const Model model(dsl::build_model(function, names, dsl::emitted_files(function, parts.designs, {"verilog", "driver", "sim"})));
    std::map<std::string, JITExtern> externs;
    for (size_t i = 0; i < parts.designs.size(); i++) {
        const std::string launcher = parts.designs[i].manifest["launcher"];
        externs.emplace(launcher, launcher_of(parts.captured[i], launcher, model));
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
