#include "hwgen/passes/BuildGraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "hwgen/ir/Index.h"
#include "hwgen/passes/BalanceDatapath.h"
#include "hwgen/passes/BuildDatapath.h"
#include "hwgen/passes/FoldDatapath.h"
#include "hwgen/passes/InferDomain.h"
#include "hwgen/passes/InferRates.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

namespace {

std::string type_name(const Halide::Type &t) {
    std::ostringstream out;
    out << t;
    return t.is_bool() ? "bool" : out.str();
}

Interval range_of(const Datapath &d) {
    Interval range = d[d.outputs[0]].range;
    for (NodeId id : d.outputs) range = range.hull(d[id].range);
    return range;
}

/** How the value reads what the datapath still needs. */
std::vector<Read> reads_of(const Func &f, const Datapath &d, const StageSource &source) {
    using namespace Halide::Internal;
    struct Finder : IRGraphVisitor {
        std::vector<const Call *> found;
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type == Call::Halide) found.push_back(op);
        }
    } finder;
    f.value.accept(&finder);
    std::vector<Read> reads;
    for (const Call *c : finder.found) {
        Read r;
        r.producer = source.producers.at(c->name);
        const bool is_needed = std::any_of(d.leaves().begin(), d.leaves().end(), [&](const Leaf &l) {
            return l.kind == Leaf::Kind::Tap && l.producer == r.producer;
        });
        if (!is_needed) continue;
        for (int dim = 0; dim < 2; dim++) r.maps[dim] = index_of(c->args[dim], f.vars[dim])->map;
        reads.push_back(r);
    }
    return reads;
}

/** Planes side by side are one stream, so they have one rate. */
void check_rates(const Graph &g, const Region &region, const Bundle &b, Diagnostics &diagnostics) {
    for (int i : b.stages) {
        const Stage &one = g.stages[b.stages[0]], &other = g.stages[i];
        for (int dim = 0; dim < 2; dim++) {
            if (one.grid[dim].stride == other.grid[dim].stride) continue;
            diagnostics.error(region.where,
                              fmt::format("{} and {} lie side by side in memory, and are read at different rates", one.shown(), other.shown()),
                              {fmt::format("take out the strides of {}, so that each has rows of its own", b.label)});
            return;
        }
    }
}

void add_bundles(Graph &g, const Region &region, const StageSource &source, verilog::Scope &ids, Diagnostics &diagnostics) {
    for (const Buffer &buffer : region.buffers) {
        if (!buffer.is_interleaved() || buffer.planes.empty()) continue;
        Bundle bundle{{}, buffer.name, {}, {}, buffer.strides[buffer.scanned[0]]};
        for (size_t i = 0; i < buffer.planes.size(); i++) {
            const auto it = source.producers.find(buffer.planes[i].func);
            if (it == source.producers.end()) continue;   // reported above
            bundle.stages.push_back(it->second);
            bundle.places.push_back(buffer.place(i));
        }
        if (bundle.stages.empty()) continue;
        check_rates(g, region, bundle, diagnostics);
        bundle.id = bundle.stages.size() == 1 ? g.stages[bundle.stages[0]].id : ids.fresh(buffer.name);
        g.bundles.push_back(std::move(bundle));
    }
}

}  // namespace

Graph build_graph(const Region &region, Diagnostics &diagnostics) {
    Graph g;
    const Rates rates = infer_rates(region, diagnostics);
    if (diagnostics.has_errors()) return g;
    g.lanes = rates.pixels;
    g.clocks = rates.clocks;
    g.has_rates = rates.several();
    for (int dim = 0; dim < 2; dim++) g.origin[dim] = rates.origin[dim];
    g.family = region.board.family;
    g.block = region.block;
    const Domain domain = infer_domain(region);
    g.bordered = domain.bordered;
    g.reach = domain.reach;
    if (g.has_rates && (g.bordered[0] || g.bordered[1])) {
        diagnostics.error(region.where, "borders in a region of several rates are not there yet",
                          {"list the padded image as an input and the host computes it"});
        return g;
    }

    StageSource source;
    for (const Param &p : region.params) source.params[p.variable] = p.range;
    verilog::Scope ids;
    for (size_t i = 0; i < region.funcs.size(); i++) {
        const Func &f = region.funcs[i];
        Stage s;
        s.lanes = source.lanes = rates.lanes[i];
        s.grid = rates.grids[i];
        for (int dim = 0; dim < 2; dim++) source.periods[dim] = s.grid[dim].period;
        g.pitch_unit = std::lcm(g.pitch_unit, s.grid[0].step * s.grid[0].period);
        s.kind = f.kind;
        s.name = f.name;
        s.label = f.label.empty() ? f.name : f.label;
        s.id = ids.fresh(verilog::legal(s.label));
        s.type = type_name(f.type);
        s.expression = f.expression;
        s.reason = f.reason;
        s.range = Interval::of(f.type);
        if (f.kind == Func::Kind::Stage) {
            source.value = f.value;
            source.vars = f.vars;
            source.outside = domain.outside.at(f.name);
            try {
                s.datapath = build_datapath(source);
                s.datapath = balance_datapath(s.datapath);             // narrows: less is needed of many nodes
                s.datapath = fold_datapath(std::move(s.datapath));     // so that it is seen what has become constant
                s.range = range_of(s.datapath);
                if (g.has_rates) s.reads = reads_of(f, s.datapath, source);
            } catch (const UnsupportedOp &e) {
                diagnostics.error(region.where, fmt::format("{}: {}", f.name, e.what()));
                continue;
            }
        }
        source.producers[f.name] = static_cast<int>(g.stages.size());
        source.producer_ranges[f.name] = s.range;
        source.labels[f.name] = s.id;
        g.stages.push_back(std::move(s));
    }
    for (const std::string &out : region.outputs) {
        const auto it = source.producers.find(out);
        if (it != source.producers.end()) g.outputs.push_back(it->second);
    }
    add_bundles(g, region, source, ids, diagnostics);
    return g;
}

}  // namespace argent::hwgen
