#include <fmt/format.h>

#include "dsl/Texts.h"
#include "dsl/argent.h"
#include "dsl/jit/Simulation.h"

namespace argent {

using namespace Halide;

namespace {

/** What is wrong with the call itself. */
void check_call(const Func &f, const std::vector<int> &sizes, const std::string &device, const dsl::Specs &specs, const Location &where) {
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

Realization realize(const Func &f, std::vector<int> sizes, const std::string &device, const char *file, int line) {
    const dsl::Specs specs = dsl::specs_of(f);
    check_call(f, sizes, device, specs, {file, line});
    return dsl::Simulation(f, specs, device, {file, line}).realize(std::move(sizes));
}

}  // namespace argent
