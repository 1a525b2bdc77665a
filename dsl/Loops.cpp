#include "dsl/Loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "dsl/Simplify.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide::Internal;

std::vector<std::string> loops_of(const Function &f) {
    std::vector<std::string> loops;
    for (const std::string &v : f.args()) loops.push_back(user_name(v));
    for (const Definition &update : f.updates()) {
        for (const ReductionVariable &r : update.schedule().rvars()) loops.push_back(user_name(r.var));
    }
    return loops;
}

int64_t iterations_of(const Function &f, const std::string &rvar) {
    for (const Definition &update : f.updates()) {
        for (const ReductionVariable &r : update.schedule().rvars()) {
            if (r.var == rvar) return as_const_int(simplified(r.extent)).value_or(0);
        }
    }
    return 0;
}

std::vector<RolledLoops> rolled_loops(const AcceleratorSpec &spec, const Env &env) {
    std::vector<RolledLoops> all;
    for (const auto &u : spec.unrolls) {
        const auto f = env.find(u.value.func.name());
        const int64_t iterations = f == env.end() ? 0 : iterations_of(f->second, u.value.var.name());
        const int n = u.value.factor;
        if (n < 1 || n >= iterations) continue;
        const int rounds = static_cast<int>((iterations + n - 1) / n);
        const std::string text = fmt::format("unroll({}, {}, {})", shown(u.value.func), user_name(u.value.var.name()), n);
        const auto same = std::find_if(all.begin(), all.end(), [&](const RolledLoops &r) { return r.func.name() == u.value.func.name(); });
        if (same == all.end()) {
            all.push_back({u.value.func, rounds, u.where, text});
            continue;
        }
        same->clocks *= rounds;
        same->text += "." + text;
    }
    return all;
}

}  // namespace argent::dsl
