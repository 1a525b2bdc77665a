#include "dsl/Check.h"

#include <fmt/format.h>

#include "boards/Load.h"
#include "dsl/Capture.h"

namespace argent::dsl {

bool check_spec(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics) {
    if (spec.outs.size() != 1 || !spec.outs[0].defined() || !env.count(spec.outs[0].name())) {
        diagnostics.error(spec.where, "accelerate: the output is not defined");
        return false;
    }
    if (spec.blocks.empty()) diagnostics.error(spec.where, "accelerate: the block is missing");
    return !diagnostics.has_errors();
}

void check_region(const AcceleratorSpec &spec, const Env &env, const std::map<std::string, std::string> &stored,
                  const hwgen::Region &region, Diagnostics &diagnostics) {
}

void check_together(const Specs &specs, const Env &env, Diagnostics &diagnostics) {
}

}  // namespace argent::dsl
