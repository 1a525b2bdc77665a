#ifndef ARGENT_FUZZ_SHRINK_H
#define ARGENT_FUZZ_SHRINK_H

#include <functional>
#include <string>

#include "Farm.h"
#include "Pipeline.h"

namespace argent::fuzz {

/** Every pipeline that is a step simpler and that Halide still defines; the greatest steps first. */
std::vector<Pipeline> simpler(const Pipeline &);

/** Simplifies a failing pipeline while it fails in the same way, for at most `seconds`. `failure` becomes what the
 *  result fails with. */
Pipeline shrink(Pipeline p, std::string &failure, FarmOptions options, int seconds, const std::function<void(const std::string &)> &say);

}  // namespace argent::fuzz

#endif
