#ifndef ARGENT_FUZZ_COVERAGE_H
#define ARGENT_FUZZ_COVERAGE_H

#include <map>
#include <string>

#include "Farm.h"
#include "Pipeline.h"

namespace argent::fuzz {

/** What the pipelines so far had in them. */
class Coverage {
public:
    void add(const Pipeline &, const Verdict &);
    std::string text() const;
    /** Operators x types that have not been met, of those that there are. */
    int missing() const;
    int reconverging_percent() const { return pipelines ? 100 * reconverging / pipelines : 0; }

private:
    void add_form(const Form &);
    using Counts = std::map<std::string, int>;
    int pipelines = 0, refused_by_halide = 0, reconverging = 0, constant = 0, several_rates = 0, stages = 0, fewest_stages = 1 << 30;
    int64_t elements = 0;
    std::map<std::string, Counts> operators;   // operator -> type of its first operand
    std::map<std::string, Counts> casts;       // from -> to
    Counts windows, throughputs, storage, borders, leaves, params, sizes, gaps, widths, reductions, forms;
};

}  // namespace argent::fuzz

#endif
