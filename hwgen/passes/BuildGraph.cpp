#include "hwgen/passes/BuildGraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "hwgen/passes/BalanceDatapath.h"
#include "hwgen/passes/BuildDatapath.h"
#include "hwgen/passes/FoldDatapath.h"
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

}  // namespace

Graph build_graph(const Region &region, Diagnostics &diagnostics) {
    Graph g;
    g.lanes = region.pixels;
    g.clocks = region.clocks;
    g.family = region.board.family;
    g.block = region.block;

    StageSource source;
    source.lanes = region.pixels;
    for (const Param &p : region.params) source.params[p.variable] = p.range;
    verilog::Scope ids;
    for (const Func &f : region.funcs) {
        Stage s;
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
            try {
                s.datapath = build_datapath(source);
                s.datapath = balance_datapath(s.datapath);             // narrows: less is needed of many nodes
                s.datapath = fold_datapath(std::move(s.datapath));     // so that it is seen what has become constant
                s.range = range_of(s.datapath);
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
    return g;
}

}  // namespace argent::hwgen
