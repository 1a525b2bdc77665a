#ifndef ARGENT_RUNNER_REGISTRY_H
#define ARGENT_RUNNER_REGISTRY_H

#include <HalideRuntime.h>

#include <string>
#include <vector>

namespace argent::runner {

/** A function that is linked in, as Halide's registration files announce it. */
struct Filter {
    int (*call)(void **) = nullptr;
    const halide_filter_metadata_t *metadata = nullptr;
    std::string name() const { return metadata->name; }
};

const std::vector<Filter> &filters();
/** Null if it is not linked. */
const Filter *find_filter(const std::string &name);

}  // namespace argent::runner

#endif
