#include "hwgen/passes/region/InferReach.h"

#include <algorithm>

#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/region/ImageBounds.h"
#include "hwgen/passes/region/Needs.h"

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

namespace {

/** So many more elements than a stencil reaches, and expressions say something else than how wide it is. */
constexpr int64_t most_added = 16;

/** An end of what fills a RAM, for outputs that are as large as a domain: an output within an image asks for no more. */
class OutputsLikeDomain : public IRGraphMutator {
public:
    OutputsLikeDomain(const Domain1 &domain, int dim) : domain(domain), dim(dim) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const Variable *op) override {
        const auto is_end = [&](bool is_max) { return op->name.rfind(box_variable(dim, is_max), 0) == 0; };   // of any output
        if (is_end(false) && domain.min.defined()) return domain.min;
        return is_end(true) && domain.max.defined() ? domain.max : Expr(op);
    }

private:
    const Domain1 &domain;
    const int dim;
};

class ReachFinder {
public:
    /** For one output Func. */
    ReachFinder(const Region &region, const Rates &rates, int dim, int func) : region(region), rates(rates), dim(dim), func(func) {
        for (size_t i = 0; i < region.funcs.size(); i++) number[region.funcs[i].name] = static_cast<int>(i);
    }

    void run(Reaches &reaches) {
        std::vector<int> strides, outs;
        for (const auto &grid : rates.grids) strides.push_back(grid[dim].stride);
        for (size_t i = 0; i < region.outputs.size(); i++) {
            if (region.output_funcs.empty() || region.output_funcs[i] == func) outs.push_back(number.at(region.outputs[i]));
        }
        NeedsFlow flow(rates.origin[dim], strides, outs);
        domains.assign(region.funcs.size(), std::vector<Domain1>());
        find_domain_of_output(outs);
        for (size_t i = region.funcs.size(); i-- > 0;) {
            for (const auto &[producer, index] : reads_of(region.funcs[i])) {
                if (!index.has_own_domain()) {
                    flow.read(static_cast<int>(i), producer, index.map);
                    continue;
                }
                const Domain1 &domain = region.domains[index.domain];
                Range reach;
                for (const auto &[root, needs] : flow.read_inside(static_cast<int>(i), producer, index.map)) {
                    const std::vector<Domain1> of_root = root == NeedsFlow::outputs ? std::vector<Domain1>{of_output} : domains[root];
                    for (const Domain1 &d : of_root) {
                        reach.min = std::max(reach.min, before(needs.first(flow.step(producer)), d, domain));
                        reach.max = std::max(reach.max, behind(needs.last(flow.step(producer)), d, domain));
                    }
                }
                domains[producer].push_back(domain);
                Range &known = reaches[{region.funcs[i].name, region.funcs[producer].name, dim, index}];
                known = {std::max(known.min, reach.min), std::max(known.max, reach.max)};
            }
        }
    }

private:
    std::vector<std::pair<int, Index>> reads_of(const Func &f) const {
        std::vector<std::pair<int, Index>> reads;
        if (!f.value.defined()) return reads;
        for (const Call *c : reads_in(f.value)) {
            const auto producer = number.find(c->name);
            const std::optional<Index> index = producer == number.end() ? std::nullopt : index_of(c->args[dim], f.vars[dim]);
            if (index) reads.emplace_back(producer->second, *index);
        }
        return reads;
    }

    /** What fills a RAM is told. Images of the output's rate are mostly as large as it is. */
    void find_domain_of_output(const std::vector<int> &outs) {
        of_output = region.filled[dim];
        const int stride = rates.grids[outs[0]][dim].stride;
        const auto is_closed = [](const Domain1 &d) { return d.min.defined() && d.max.defined(); };
        for (size_t i = 0; i < region.funcs.size(); i++) {
            if (rates.grids[i][dim].stride == stride && is_closed(region.funcs[i].edges[dim]) && of_output.is_open()) of_output = region.funcs[i].edges[dim];
        }
        for (const Func &f : region.funcs) {
            for (const auto &[producer, index] : reads_of(f)) {
                if (!index.has_own_domain() || !of_output.is_open() || rates.grids[producer][dim].stride != stride) continue;
                if (is_closed(region.domains[index.domain])) of_output = region.domains[index.domain];
            }
        }
    }

    int before(const IndexMap &first, const Domain1 &of_root, const Domain1 &domain) const {
        if (!domain.min.defined()) return 0;
        int64_t reach = 0;
        for (int v = 0; v < first.period; v++) reach = std::max(reach, floor_div(int64_t(v) * first.step, first.period) - first.offset[v]);
        Farthest farthest(false, reach + most_added, [&](const Expr &end) { return domain.min - expression_of(first, end); });
        return of_end(farthest, of_root.min, domain, reach);
    }

    int behind(const IndexMap &last, const Domain1 &of_root, const Domain1 &domain) const {
        if (!domain.max.defined()) return 0;
        int64_t reach = 0;
        for (int v = 0; v < last.period; v++) {
            // The root's elements 0..v are an image; so are as many as that makes here, rounded down.
            const int64_t end = std::min(floor_div(int64_t(v + 1) * last.step, last.period) - 1, floor_div(int64_t(v) * last.step, last.period));
            reach = std::max(reach, last.offset[v] - end);
        }
        Farthest farthest(true, reach + most_added, [&](const Expr &end) { return expression_of(last, end) - domain.max; });
        return of_end(farthest, of_root.max, domain, reach);
    }

    /** How far reads go from the end of what reads, if it is known; of what follows the output, with one as large as the domain. */
    int of_end(Farthest &farthest, const Expr &end, const Domain1 &domain, int64_t otherwise) const {
        if (!end.defined()) return static_cast<int>(otherwise);
        const auto always = farthest.of(end);
        return static_cast<int>(always ? *always : farthest.of(OutputsLikeDomain(domain, dim).mutate(end)).value_or(otherwise));
    }

    const Region &region;
    const Rates &rates;
    const int dim, func;
    std::map<std::string, int> number;
    std::vector<std::vector<Domain1>> domains;   // of roots: inside of which they are needed
    Domain1 of_output;
};

}  // namespace

Reaches infer_reach(const Region &region, const Rates &rates) {
    Reaches reaches;
    if (region.domains.empty()) return reaches;
    const int funcs = region.output_funcs.empty() ? 1 : 1 + *std::max_element(region.output_funcs.begin(), region.output_funcs.end());
    for (int func = 0; func < funcs; func++) {
        for (int dim = 0; dim < 2; dim++) ReachFinder(region, rates, dim, func).run(reaches);
    }
    return reaches;
}

}  // namespace argent::hwgen
