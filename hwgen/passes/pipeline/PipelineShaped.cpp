#include "hwgen/passes/pipeline/PipelineShaped.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/MultiplyByConstants.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/datapath/SplitProducts.h"
#include "hwgen/passes/pipeline/AbsorbOperands.h"
#include "hwgen/passes/pipeline/AccumulateProducts.h"
#include "hwgen/passes/pipeline/FastFilters.h"
#include "hwgen/passes/pipeline/JoinProducts.h"
#include "hwgen/passes/pipeline/SeparateCarries.h"
#include "hwgen/passes/pipeline/ShapeSums.h"
#include "hwgen/passes/pipeline/SharePairs.h"

namespace argent::hwgen {

namespace {

constexpr int most_slack = 2;   // levels: deeper trees are hardly cheaper than chains

/** Tables of adders, and what hard multipliers are worth: one for each bit that both operands have, as the other bits and the last carry go straight into the chain; and those of choices in front
 *  of one that are not part of it. A tool takes the longer operand of an Add into the tables, whichever stands second. */
class AdderTables {
public:
    AdderTables(const Datapath &d, int lut_inputs) : d(d), wiring(wiring_of(d)), operands(d, wiring), host(absorbed_operands(d, wiring, lut_inputs)) {}

    double count() const {
        int tables = 0;
        std::set<NodeId> choices;   // that are there
        for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) {
            if (wiring.is_logic(n) && is_product(d, n)) tables += static_cast<int>(Prices().multiplier);
            if (!wiring.is_logic(n) || !is_sum(n) || host[n] >= 0) continue;
            const std::vector<Bit> &a = operand(n, 0), &b = operand(n, 1);
            for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) tables += a[i].source >= 0 && b[i].source >= 0;
            add_choices(a, d[n].op == Op::Add && width(a) >= width(b), choices);
            add_choices(b, d[n].op == Op::Sub || width(b) >= width(a), choices);
        }
        for (NodeId n : choices) tables += wiring.demanded[n];
        return tables;
    }

private:
    bool is_sum(NodeId n) const { return d[n].op == Op::Add || d[n].op == Op::Sub; }

    /** Of an addition of one that is the carry into this one, what it adds to. */
    const std::vector<Bit> &operand(NodeId n, int k) const {
        const NodeId a = d[n].args[k];
        if (host[a] != n || !is_sum(a)) return operands.of(n, k);
        return operands.of(a, d.is_const(d[a].args[0]) ? 1 : 0);
    }

    void add_choices(const std::vector<Bit> &bits, bool may_be_part, std::set<NodeId> &choices) const {
        for (const Bit &bit : bits) {
            if (bit.source >= 0 && d[bit.source].op == Op::Select && (host[bit.source] < 0 || !may_be_part)) choices.insert(bit.source);
        }
    }

    /** Without what only repeats the sign. */
    static size_t width(const std::vector<Bit> &bits) {
        size_t width = bits.size();
        while (width > 0 && bits[width - 1].source < 0) --width;
        while (width > 1 && bits[width - 1] == bits[width - 2]) --width;
        return width;
    }

    const Datapath &d;
    const Wiring wiring;
    const OperandBits operands;
    const std::vector<NodeId> host;
};

/** The datapath as it is, and as others of the same outputs. */
std::vector<Datapath> ways_of(Datapath d, const Part &part) {
    std::vector<Datapath> ways = {std::move(d)};
    if (std::optional<Datapath> paired = share_pairs(ways[0])) ways.push_back(std::move(*paired));
    std::vector<Datapath> filters = {ways[0]};   // of lanes that are twice as far from each other each time
    while (std::optional<Datapath> fast = fast_filters(filters.back())) filters.push_back(std::move(*fast));
    for (Datapath &f : filters) {
        if (std::optional<Datapath> accumulated = accumulate_products(f, part)) ways.push_back(std::move(*accumulated));
        std::optional<Datapath> joined = join_products(f, part);
        if (joined || &f != &filters[0]) ways.push_back(joined ? std::move(*joined) : std::move(f));
    }
    return ways;
}

}  // namespace

ShapedPipeline pipeline_shaped(const Datapath &products, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks) {
    double least = 0;
    ShapedPipeline best;
    std::set<std::string> known;
    for (const Datapath &way : ways_of(multiply_by_constants(products), part)) {
        for (int slack = most_slack + 1; slack >= 0; --slack) {
            ShapedPipeline shaped;
            const Datapath sums = slack > most_slack ? way : shape_sums(way, slack, part.lut_inputs);
            shaped.datapath = separate_carries(split_products(multiply_by_digits(sums, part), part), part.lut_inputs);
            if (!known.insert(to_string(shaped.datapath)).second) continue;
            shaped.schedule = pipeline_datapath(shaped.datapath, part, period_ns, leaf_arrival_ns, ends, clocks);
            const double cost = AdderTables(shaped.datapath, part.lut_inputs).count() + Prices().flip_flop * shaped.schedule.register_bits;
            const bool is_large = shaped.datapath.nodes().size() > large_datapath;
            if (known.size() == 1 || cost < least) {
                least = cost;
                best = std::move(shaped);
            }
            if (is_large) break;
        }
    }
    return best;
}

}  // namespace argent::hwgen
