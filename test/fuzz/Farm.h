#ifndef ARGENT_FUZZ_FARM_H
#define ARGENT_FUZZ_FARM_H

#include <functional>
#include <string>
#include <vector>

#include "Pipeline.h"

namespace argent::fuzz {

struct Verdict {
    bool is_known = false;
    std::string failure;       // empty: fine. Its first word is the kind: refused, lint, mismatch, protocol, clocks, hang,
                               // crash, golden
    int64_t elements = 0;      // compared
    bool is_constant = false;  // the output had one value only: a weak test
    bool is_refused_by_halide = false;   // RefusedByHalide: neither fine nor a failure
    bool is_whole = false;     // it ran as a whole accelerator, in its form
    std::string kind() const { return failure.substr(0, failure.find(':')); }
};

struct FarmOptions {
    std::string folder;        // for models; made if it is not there
    int jobs = 1;
    int batch = 25;            // pipelines in one Verilator model
    bool only_compile = false; // neither model nor CPU
    int whole_every = 0;       // every n-th pipeline runs as a whole accelerator with its AXI ports, too, in its form; 0: none
    bool all_forms = false;    // so does each that has another form than the plain one
};

/** Checks pipelines in processes of their own, so that nothing that dies or hangs takes others with it. `done` is told each
 *  verdict as soon as it is known. */
std::vector<Verdict> check_all(const std::vector<Pipeline> &, const FarmOptions &,
                               const std::function<void(size_t, const Verdict &)> &done = {});

}  // namespace argent::fuzz

#endif
