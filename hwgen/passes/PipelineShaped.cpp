#include "hwgen/passes/PipelineShaped.h"

#include <set>
#include <string>

#include "hwgen/ir/Cost.h"
#include "hwgen/passes/DemandedBits.h"
#include "hwgen/passes/MultiplyByConstants.h"
#include "hwgen/passes/MultiplyByDigits.h"
#include "hwgen/passes/ShapeSums.h"
#include "hwgen/passes/SplitProducts.h"

namespace argent::hwgen {

namespace {

constexpr int most_slack = 2;   // levels: deeper trees are hardly cheaper than chains

/** A table for each bit of carry chains. */
double adder_tables(const Datapath &d) {
    const Wiring wiring = wiring_of(d);
    int tables = 0;
    for (NodeId n = 0; n < static_cast<NodeId>(d.nodes().size()); ++n) tables += wiring.is_logic(n) ? chain_bits(d, wiring, n) : 0;
    return tables;
}

}  // namespace

ShapedPipeline pipeline_shaped(const Datapath &products, const Part &part, double period_ns, const std::vector<double> &leaf_arrival_ns, Ends ends, int clocks) {
    const Datapath d = multiply_by_constants(products);
    double least = 0;
    ShapedPipeline best;
    std::set<std::string> known;
    for (int slack = most_slack + 1; slack >= 0; --slack) {
        ShapedPipeline shaped;
        shaped.datapath = split_products(multiply_by_digits(slack > most_slack ? d : shape_sums(d, slack), part), part);
        if (!known.insert(to_string(shaped.datapath)).second) continue;
        shaped.schedule = pipeline_datapath(shaped.datapath, part, period_ns, leaf_arrival_ns, ends, clocks);
        const double cost = adder_tables(shaped.datapath) + Prices().flip_flop * shaped.schedule.register_bits;
        if (known.size() > 1 && cost >= least) continue;
        least = cost;
        best = std::move(shaped);
        if (best.datapath.nodes().size() > large_datapath) break;
    }
    return best;
}

}  // namespace argent::hwgen
