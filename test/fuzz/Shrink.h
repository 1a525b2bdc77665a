#ifndef ARGENT_FUZZ_SHRINK_H
#define ARGENT_FUZZ_SHRINK_H

#include <functional>
#include <string>

#include "Farm.h"
#include "Pipeline.h"

namespace argent::fuzz {

/** In what way a pipeline fails: the kind; of a refusal or a warning also its words, without names and numbers. */
std::string way_of(const std::string &failure);

/** Every pipeline that is a step simpler and that Halide still defines; the greatest steps first. */
std::vector<Pipeline> simpler(const Pipeline &);

/** Tells what becomes of some pipelines. */
using Oracle = std::function<std::vector<Verdict>(const std::vector<Pipeline> &)>;

/** Simplifies a failing pipeline while it fails in the same way, asking about `together` candidates at a
 *  time, for at most `seconds`. `failure` becomes what the result fails with. */
Pipeline shrink(Pipeline p, std::string &failure, const Oracle &oracle, size_t together, int seconds,
                const std::function<void(const std::string &)> &say = {});

/** The same by check_all, which does only as much as the failure needs. */
Pipeline shrink(const Pipeline &p, std::string &failure, FarmOptions options, int seconds,
                const std::function<void(const std::string &)> &say);

}  // namespace argent::fuzz

#endif
