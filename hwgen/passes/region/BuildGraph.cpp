#include "hwgen/passes/region/BuildGraph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "hwgen/ir/Index.h"
#include "hwgen/passes/borders/BorderSources.h"
#include "hwgen/passes/datapath/BalanceDatapath.h"
#include "hwgen/passes/datapath/BuildDatapath.h"
#include "hwgen/passes/datapath/FactorProducts.h"
#include "hwgen/passes/datapath/FoldDatapath.h"
#include "hwgen/passes/region/InferDomain.h"
#include "hwgen/passes/region/InferRates.h"
#include "hwgen/passes/region/InferReach.h"
#include "hwgen/passes/region/UnreadInputs.h"
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
    std::vector<Read> reads;
    for (const Halide::Internal::Call *c : reads_in(f.value)) {
        const auto producer = source.producers.find(c->name);
        if (producer == source.producers.end()) continue;   // a table
        Read r;
        r.producer = producer->second;
        const bool is_needed = std::any_of(d.leaves().begin(), d.leaves().end(), [&](const Leaf &l) {
            return l.kind == Leaf::Kind::Tap && l.producer == r.producer;
        });
        if (!is_needed) continue;
        for (int dim = 0; dim < 2; dim++) {
            const Index index = *index_of(c->args[dim], f.vars[dim]);
            r.maps[dim] = index.map;
            if (!index.has_own_domain()) continue;
            Read::Inside &inside = r.borders[dim];
            inside.border = index.border;
            inside.domain = index.domain;
            inside.reach = source.reach(c->name, dim, index);
            for (const BorderSource &s : border_sources(*index.border, 0, inside.reach.min, inside.reach.max)) {
                inside.moves = {std::min(inside.moves.min, s.offset), std::max(inside.moves.max, s.offset)};
            }
        }
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

/** Planes come in together, and go on together beyond their edges. */
void check_edges(const Graph &g, const Region &region, const Bundle &b, Diagnostics &diagnostics) {
    const auto agree = [](const Halide::Expr &a, const Halide::Expr &b) {
        return a.defined() == b.defined() && (!a.defined() || Halide::Internal::can_prove(a == b));
    };
    for (int i : b.stages) {
        const Stage &one = g.stages[b.stages[0]], &other = g.stages[i];
        for (int dim = 0; dim < 2; dim++) {
            const Edges &a = one.edges[dim], &c = other.edges[dim];
            if (a.border == c.border && agree(a.min, c.min) && agree(a.max, c.max)) continue;
            diagnostics.error(region.where, fmt::format("{} and {} lie side by side in memory, and are read with different borders", one.shown(), other.shown()),
                              {"read both with the same border, or list the padded image as an input and the host computes it"});
            return;
        }
    }
}

/** Plane `first` of an interleaved buffer, and those behind that come with it. */
void add_bundle(Graph &g, const Region &region, const Buffer &buffer, size_t first, const StageSource &source, verilog::Scope &ids, Diagnostics &diagnostics) {
    Bundle bundle{{}, buffer.name, {}, {}, buffer.strides[buffer.scanned[0]]};
    for (size_t i = first; i < buffer.planes.size(); i++) {
        const auto it = source.producers.find(buffer.planes[i].func);
        if (it == source.producers.end() || !buffer.are_together(first, i)) continue;   // the former is reported above
        bundle.stages.push_back(it->second);
        bundle.places.push_back(buffer.place(i));
    }
    if (bundle.stages.empty()) return;
    if (bundle.stages.size() < buffer.planes.size()) bundle.label = g.stages[bundle.stages[0]].shown();   // one of several
    check_rates(g, region, bundle, diagnostics);
    check_edges(g, region, bundle, diagnostics);
    bundle.id = bundle.stages.size() == 1 ? g.stages[bundle.stages[0]].id : ids.unique(verilog::stem(buffer.stream.empty() ? buffer.name : buffer.stream));
    g.bundles.push_back(std::move(bundle));
}

void add_bundles(Graph &g, const Region &region, const StageSource &source, verilog::Scope &ids, Diagnostics &diagnostics) {
    for (const Buffer &buffer : region.buffers) {
        for (size_t i = 0; i < buffer.planes.size() && buffer.is_interleaved(); i++) {
            bool is_first = true;   // of those that come together
            for (size_t j = 0; j < i; j++) is_first = is_first && !buffer.are_together(i, j);
            if (is_first) add_bundle(g, region, buffer, i, source, ids, diagnostics);
        }
    }
}

/** "0 to 255, -1" */
std::string text_of(const std::vector<std::optional<Interval>> &places) {
    std::string text;
    for (const auto &i : places) {
        const std::string here = !i ? "any" : i->is_point() ? to_string(i->lo) : to_string(i->lo) + " to " + to_string(i->hi);
        text += (text.empty() ? "" : ", ") + here;
    }
    return text;
}

/** One Diagnostic for a read of no place of a table, or of more than it can have. */
void refuse(const Region &region, const std::string &reader, const BadTableRead &e, Diagnostics &diagnostics) {
    const std::string read = fmt::format("{}{} reads the table {} at", region.call.empty() ? "" : region.call + ": ", reader, e.source.label);
    const std::string places = text_of({e.places.begin(), e.places.end()});
    std::vector<std::string> clamps;
    bool is_beyond = false, is_unbounded = false;
    const int many = std::count_if(e.places.begin(), e.places.end(), [](const Interval &i) { return !i.is_point(); });
    for (size_t k = 0; k < e.places.size(); ++k) {
        const Interval &i = e.places[k];
        const auto &declared = e.source.declared[k];
        is_beyond = is_beyond || (declared && (i.hi < declared->lo || i.lo > declared->hi));
        is_unbounded = is_unbounded || i.hi - i.lo >= (Wide(1) << 31) - 1;
        clamps.push_back(i.is_point() ? to_string(i.lo) : fmt::format("clamp({}, 0, {})", "ijklmnop"[k % 8], many == 1 ? 255 : 15));
    }
    if (is_beyond) {
        diagnostics.error(region.where, fmt::format("{} {}, and it has {}", read, places, text_of(e.source.declared)), {"read only what it holds"});
        return;
    }
    diagnostics.error(region.where,
                      fmt::format("{} {}, and a table has at most {}", read,
                                  is_unbounded ? "unbounded places, " + places : fmt::format("{}, which takes {} words", places, layout_of(e.places).depth),
                                  e.source.most()),
                      {fmt::format("bound what it is read at, for example {}({}){}", e.source.label, fmt::join(clamps, ", "),
                                   e.source.is_loaded() ? ", or declare where it ends, with set_bounds or bound" : "")});
}

/** What reaches no output any more, since folding found that its readers do not depend on it. Stages read nothing then, so that nobody
 *  is asked for more than is needed. */
void drop_dead(Graph &g) {
    if (g.outputs.empty()) return;
    const std::vector<bool> read = read_stages(g);
    for (size_t i = 0; i < g.stages.size(); i++) {
        Stage &s = g.stages[i];
        if (read[i] || s.kind == Func::Kind::Input) continue;
        const size_t lanes = s.datapath.outputs.size();
        s.datapath = Datapath();
        s.datapath.outputs.assign(lanes, s.datapath.constant(s.range.lo));
        s.reads.clear();
    }
}

Graph built(const Region &region, const Rates &rates, const std::vector<TableSource> &tables, Diagnostics &diagnostics,
            std::map<std::string, TablePlaces> *read_places) {
    Graph g;
    g.tables = tables;
    g.lanes = rates.pixels;
    g.clocks = rates.clocks;
    g.output_funcs = region.output_funcs;
    g.domains = region.domains;
    g.has_rates = region.has_host_geometry || rates.several() || g.func_count() > 1 || !region.domains.empty() ||
                  std::any_of(region.funcs.begin(), region.funcs.end(), [](const Func &f) { return f.has_edges(); });
    for (int dim = 0; dim < 2; dim++) g.origin[dim] = rates.origin[dim];
    g.family = region.board.family;
    g.block = region.block;
    const Domain domain = infer_domain(region);
    g.bordered = domain.bordered;
    g.reach = domain.reach;
    argent_internal_assert(!g.has_rates || (!g.bordered[0] && !g.bordered[1]), "build_graph", "a border in the common domain, where the host computes the geometry");
    const Reaches reaches = infer_reach(region, rates);

    StageSource source;
    for (const Param &p : region.params) source.params[p.variable] = p.range;
    for (const TableSource &t : tables) source.tables[t.name] = &t;
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
        s.edges = f.edges;
        s.label = f.label.empty() ? f.name : f.label;
        s.id = ids.unique(verilog::stem(s.label));
        if (f.kind == Func::Kind::Input) s.image = image_of(region, f.name);
        s.type = type_name(f.type);
        s.expression = f.expression;
        s.reason = f.reason;
        s.where = f.where;
        s.range = f.range.value_or(Interval::of(f.type));
        if (f.kind == Func::Kind::Stage) {
            source.value = f.value;
            source.vars = f.vars;
            source.reach = [&](const std::string &producer, int dim, const Index &index) { return reaches.at({f.name, producer, dim, index}); };
            try {
                s.datapath = build_datapath(source, read_places);
                s.datapath = balance_datapath(s.datapath);             // narrows: less is needed of many nodes
                s.datapath = factor_products(s.datapath);              // sums are whole from here on
                s.datapath = fold_datapath(std::move(s.datapath));     // so that it is seen what has become constant
                s.range = range_of(s.datapath);
                if (g.has_rates) s.reads = reads_of(f, s.datapath, source);
            } catch (const UnsupportedOp &e) {
                diagnostics.error(region.where, fmt::format("{}: {}", s.label, e.what()));
                continue;
            } catch (const BadTableRead &e) {
                refuse(region, s.label, e, diagnostics);
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
    drop_dead(g);
    add_bundles(g, region, source, ids, diagnostics);
    return g;
}

}  // namespace

Graph build_graph(const Region &region, Diagnostics &diagnostics) {
    std::map<std::string, TablePlaces> read_places;
    const Rates rates = infer_rates(region, diagnostics);
    if (diagnostics.has_errors()) return {};
    Graph g = built(region, rates, region.tables, diagnostics, &read_places);
    if (read_places.empty() || diagnostics.has_errors()) return g;
    // Where an element of a loaded table stands depends on all reads: once more, when they are known.
    std::vector<TableSource> tables = region.tables;
    for (TableSource &t : tables) {
        const auto read = read_places.find(t.name);
        if (read != read_places.end()) t.box = read->second;
    }
    return built(region, rates, tables, diagnostics, nullptr);
}

}  // namespace argent::hwgen
