#include "sim/runner/Registry.h"

namespace argent::runner {

namespace {

std::vector<Filter> &list() {
    static std::vector<Filter> filters;
    return filters;
}

}  // namespace

const std::vector<Filter> &filters() { return list(); }

const Filter *find_filter(const std::string &name) {
    for (const Filter &f : list())
        if (f.name() == name) return &f;
    return nullptr;
}

}  // namespace argent::runner

extern "C" void halide_register_argv_and_metadata(int (*call)(void **), const halide_filter_metadata_t *metadata, const char *const *) {
    argent::runner::list().push_back({call, metadata});
}
