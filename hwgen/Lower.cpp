#include "hwgen/Lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "hwgen/describe/Manifest.h"
#include "hwgen/describe/Report.h"
#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Part.h"
#include "hwgen/passes/borders/CoverBorders.h"
#include "hwgen/passes/borders/CoverSides.h"
#include "hwgen/passes/borders/FreeExteriors.h"
#include "hwgen/passes/borders/LiftBorders.h"
#include "hwgen/passes/borders/RepeatInputs.h"
#include "hwgen/passes/borders/RepeatRows.h"
#include "hwgen/passes/datapath/DemandedBits.h"
#include "hwgen/passes/datapath/MultiplyByConstants.h"
#include "hwgen/passes/datapath/MultiplyByDigits.h"
#include "hwgen/passes/datapath/SelectByOrder.h"
#include "hwgen/passes/datapath/SplitProducts.h"
#include "hwgen/passes/emit/EmitCore.h"
#include "hwgen/passes/emit/EmitSharedStage.h"
#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/passes/emit/EmitStreamPort.h"
#include "hwgen/passes/emit/EmitTimelines.h"
#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/passes/pipeline/PipelineDatapath.h"
#include "hwgen/passes/pipeline/PipelineShaped.h"
#include "hwgen/passes/region/BuildGraph.h"
#include "hwgen/passes/region/CutChannels.h"
#include "hwgen/passes/region/CutTimelines.h"
#include "hwgen/passes/region/PlaneIndices.h"
#include "hwgen/passes/region/SettlePhases.h"
#include "hwgen/passes/region/SizeRams.h"
#include "hwgen/passes/region/UnreadInputs.h"
#include "hwgen/passes/reuse/CompareExtremes.h"
#include "hwgen/passes/reuse/ShareExtremes.h"
#include "hwgen/passes/schedule/BankMemories.h"
#include "hwgen/passes/schedule/CrowdedPart.h"
#include "hwgen/passes/schedule/EstimateArea.h"
#include "hwgen/passes/schedule/FitMemories.h"
#include "hwgen/passes/schedule/InlineWindows.h"
#include "hwgen/passes/schedule/JoinStages.h"
#include "hwgen/passes/schedule/PlanWindows.h"
#include "hwgen/passes/schedule/RecomputeLate.h"
#include "hwgen/passes/schedule/ScheduleStages.h"
#include "hwgen/passes/schedule/ShareMemories.h"
#include "hwgen/passes/schedule/SolvePhases.h"
#include "hwgen/passes/schedule/WaitForMemories.h"
#include "hwgen/passes/time/ShareStages.h"
#include "hwgen/rtl/Cells.h"

namespace argent::hwgen {

namespace {

/** How many low bits are read of each leaf. */
std::vector<int> demanded_of_leaves(const Datapath &d) {
    std::vector<int> bits(d.leaves().size(), 0);
    const Wiring wiring = wiring_of(d);
    for (size_t n = 0; n < d.nodes().size(); n++) {
        if (d.nodes()[n].op == Op::Leaf) bits[d.nodes()[n].amount] = wiring.demanded[n];
    }
    return bits;
}

/** When the stage's leaves arrive, in ns after the clock edge: from a register, a line memory or an adder. */
std::vector<double> arrivals(const Graph &g, const Stage &s, const Part &p) {
    std::vector<double> ns;
    const std::vector<int> bits = demanded_of_leaves(s.datapath);
    for (const Leaf &l : s.datapath.leaves()) {
        const double sum = bits[ns.size()] == 1 ? p.lut : p.carry(bits[ns.size()]);   // of the least bits a stage reads of a coordinate
        const double logic = l.kind == Leaf::Kind::Coord ? sum : l.kind == Leaf::Kind::Place && !g.is_told(s) ? 2 * p.lut : 0;
        ns.push_back(p.clock_to_out + logic);
    }
    for (const Tap &t : s.taps) ns[t.leaf] = tap_arrival_ns(g, t, p);
    return ns;
}

/** Emitted files do not depend on where the user's source lies. */
std::string file_name(const Location &l) {
    return l.file.substr(l.file.find_last_of('/') + 1);
}

std::string stage_comment(const Region &region, const Stage &s) {
    return fmt::format("{}: {}\n{}:{}", s.shown(), s.expression, file_name(region.where), region.where.line);
}

void check_streams(const Cut &cut, Diagnostics &diagnostics) {
    const Region &region = cut.whole;
    if (!region.streaming || cut.rams.empty()) return;
    for (const Func &f : region.funcs) {
        const size_t copy = f.name.find(own_input);
        if (f.kind != Func::Kind::Input || copy == std::string::npos) continue;
        const auto given = std::find_if(region.funcs.begin(), region.funcs.end(), [&](const Func &g) { return g.name == f.name.substr(0, copy); });
        diagnostics.error(region.streaming_where, fmt::format("streaming(): {} is read both before a RAM is full and after, and a stream comes once", given->label),
                          {"leave streaming() out, or keep the input in a RAM, too: a Func that copies it, and buffered()"});
        return;
    }
}

void check_streams(const Graph &g, const Region &region, Diagnostics &diagnostics) {
    const auto inputs = std::count_if(g.stages.begin(), g.stages.end(), [](const Stage &s) { return s.kind == Func::Kind::Input; });
    if (!region.streaming) return;
    for (const Stage &s : g.stages) {
        if (!s.edges[1].folds()) continue;
        diagnostics.error(region.streaming_where, fmt::format("streaming(): rows of {} are {} beyond its edges, so they are read again, and a stream comes once", s.shown(),
                                                              s.edges[1].border == Border::Repeat ? "repeated" : "mirrored"),
                          {"leave streaming() out, or let rows go on as they are at the edge: repeat_edge, constant_exterior or clamp"});
    }
    if (inputs <= most_input_streams) return;
    diagnostics.error(region.streaming_where, fmt::format("streaming(): the inputs are {} streams, one for each plane, and the error register has room for {}", inputs, most_input_streams),
                      {"leave streaming() out, or compute some of the inputs inside of the accelerator"});
}

/** Every stage's pipeline for the clock; an input is one register. */
std::vector<StageModule> pipeline_stages(Graph &g, const Region &region, const Part &p, verilog::Scope &names) {
    const double period_ns = 1000.0 / region.clock_mhz;
    const auto pipelined = [&](Stage &s, Ends ends, const std::string &name, const std::string &comment) {
        const ShapedPipeline best = pipeline_shaped(s.datapath, p, period_ns, arrivals(g, s, p), ends, g.clocks_of(s));
        s.datapath = best.datapath;
        return emit_stage(s.datapath, best.schedule, name, comment);
    };
    std::vector<StageModule> modules(g.stages.size());
    for (size_t i = 0; i < g.stages.size(); i++) {
        Stage &s = g.stages[i];
        s.latency = 1;
        if (s.kind == Func::Kind::Input || g.joined_of(static_cast<int>(i))) continue;
        const std::string name = names.unique(region.name + "_" + s.id);
        // Products are whole until here: windows and slots of time share them as such.
        if (s.shared) {
            for (Datapath *d : {&s.shared->before, &s.shared->terms, &s.shared->after}) *d = split_products(multiply_by_digits(multiply_by_constants(*d), p), p);
            modules[i] = emit_shared_stage(*s.shared, p, period_ns, g.clocks_of(s), name, stage_comment(region, s), names);
        } else {
            const int stage = static_cast<int>(i);
            const bool only_leaves = std::count(g.outputs.begin(), g.outputs.end(), stage) > 0 && !g.window_of(stage);   // through a FIFO
            modules[i] = pipelined(s, only_leaves ? Ends::Memory : Ends::Registers, name, stage_comment(region, s));
        }
        s.latency = modules[i].latency;
    }
    for (JoinedStages &j : g.joined) {
        std::string comment;
        for (int i : j.stages) comment += (comment.empty() ? "" : "\n") + stage_comment(region, g.stages[i]);
        StageModule &m = modules[j.stages.back()];
        m = pipelined(j.whole, Ends::Memory, names.unique(region.name + "_" + g.stages[j.outputs[0]].id), comment);
        for (int i : j.stages) g.stages[i].latency = 0;
        for (int i : j.outputs) g.stages[i].latency = m.latency;
    }
    return modules;
}

void warn_of_ports(const Timelines &t, Region &region, const Top &top) {
    if (region.streaming) return;   // streams are as wide as the vectors, and no memory is behind them
    const auto port = [&](const MemoryPort &p) {
        const Graph &g = t.all[p.timeline].graph;
        const Stage &s = g.stages[p.stage];
        const double needed = double(p.element_bytes * p.step * s.lanes) / (g.clocks * s.grid[0].step);
        if (needed <= p.bus_bytes) return;
        region.warnings.push_back(fmt::format("m_axi_{} carries {} bytes a clock, and {:g} are needed: {} positions per clock "
                                              "are not reached on {}",
                                              p.id, p.bus_bytes, needed, g.lanes, region.board.name));
    };
    for (const MemoryPort &p : top.inputs) port(p);
    for (const MemoryPort &p : top.outputs) port(p);
    const size_t ports = top.inputs.size() + top.outputs.size();
    if (ports > size_t(region.board.ports)) {
        region.warnings.push_back(fmt::format("{} memory ports are needed, and {} has {}: an interconnect has to share them",
                                              ports, region.board.name, region.board.ports));
    }
}

/** An operator is never cut in two: below its delay no pipeline helps. */
void warn_of_clock(Region &region, const Graph &g, const std::vector<StageModule> &stages) {
    size_t slowest = 0;
    for (size_t i = 0; i < stages.size(); i++) {
        if (stages[i].critical_ns > stages[slowest].critical_ns) slowest = i;
    }
    const double ns = stages[slowest].critical_ns, period = 1000 / region.clock_mhz;
    if (ns <= period * (1 + most_excess) + 1e-6) return;
    region.warnings.push_back(fmt::format("clock({:g}) leaves {:.2f} ns, and a step of {} that no register can cut takes {:.2f} ns on {}: about {:.0f} MHz are "
                                          "possible",
                                          region.clock_mhz, period, g.stages[slowest].shown(), ns, region.board.name, 1000 / ns));
}

/** The host loads a table once, into memories of one layout. */
void check_tables(const Timelines &t, Diagnostics &diagnostics) {
    for (size_t i = 0; i < t.whole.tables.size(); i++) {
        const TableSource &table = t.whole.tables[i];
        const auto readers = std::count_if(t.all.begin(), t.all.end(), [&](const Timeline &timeline) { return !timeline.graph.tables[i].box.empty(); });
        if (!table.is_loaded() || readers < 2) continue;
        diagnostics.error(t.whole.where, fmt::format("{}: the table {} is read both before a RAM is full and after, and is loaded for one of the two", t.whole.call, table.label),
                          {fmt::format("list a copy of {} as another input, and read that after the RAM", table.label)});
    }
}

/** Who has what lies beyond the left and the right edge, readers or inputs, and beyond the upper and the lower one, readers or windows. */
struct Sides {
    Outside columns = Outside::Repeated, rows = Outside::Chosen;
};

/** A region as a graph of stages with their boxes and displacements. Throws what the user has to mend. */
Graph schedule(const Region &region, bool is_provisional = false, Sides beyond = {}) {
    Diagnostics diagnostics;
    Graph g = build_graph(region, diagnostics);   // ranges and reads are known from here on
    if (!is_provisional) check_streams(g, region, diagnostics);
    diagnostics.throw_errors();
    g = free_exteriors(std::move(g));             // first: what is not chosen outside is nobody's border
    g = compare_extremes(std::move(g));           // before others choose: what is compared alone is not chosen
    g = cover_sides(std::move(g));                // of whole windows, before they are taken apart
    g = share_extremes(std::move(g));             // of many values: the next one chooses among three
    g = select_by_order(std::move(g));            // comparisons are what windows share of medians
    g = cover_borders(std::move(g));              // what is an extreme still
    if (beyond.columns == Outside::Repeated) g = repeat_inputs(std::move(g));   // then windows have the same values at their edges as elsewhere
    g = schedule_stages(std::move(g), region, diagnostics, beyond.rows);   // needs reads; folding may have removed some
    diagnostics.throw_errors();
    return g;
}

Region prepared(const Region &given) {
    Region region = settle_phases(given);         // first: plain indices are plain for all that follows
    return lift_borders(std::move(region));       // decides where stages are computed
}

/** From a graph with displacements to the core. */
void build(Timeline &t, const std::vector<Ram> &rams, verilog::Scope &names) {
    Diagnostics diagnostics;
    t.graph = share_stages(std::move(t.graph), t.region, diagnostics);   // needs displacements; changes which places of windows are read
    diagnostics.throw_errors();
    t.graph = plan_windows(std::move(t.graph));   // needs delays; tells which taps come out of memories
    t.graph = fit_memories(std::move(t.graph), part(t.graph.family));   // before anything counts block RAMs
    t.graph = join_stages(std::move(t.graph));    // needs windows: which parts are only read where they stand
    const Part crowd = part_of(t.graph, rams);
    t.graph = bank_memories(std::move(t.graph), crowd);
    t.graph = wait_for_memories(std::move(t.graph), crowd, 1000.0 / t.region.clock_mhz);   // needs windows
    t.modules = pipeline_stages(t.graph, t.region, crowd, names);   // needs to know where taps come from
    t.graph = solve_phases(std::move(t.graph));   // needs latencies
    t.graph = share_memories(std::move(t.graph));   // needs phases
    t.core = emit_core(t.graph, t.region, crowd, t.modules, names);
}

/** Tables for as long as a row of the scan takes. */
double cost_of(const Timeline &t) {
    const Resources r = estimate_core(t);
    const Prices price;
    return (r.all_luts() + price.flip_flop * r.ff + price.block_ram * r.bram18 + price.multiplier * r.dsp) * double(t.graph.row_pitch(t.graph.domain(0)));
}

/** Whether windows repeat rows, and may in the core that this will be. */
bool has_rows_repeated(const Timeline &t, const std::vector<Ram> &rams) {
    const Graph planned = fit_memories(plan_windows(t.graph), part(t.graph.family));
    return can_repeat_rows(planned, part_of(planned, rams), 1000.0 / t.region.clock_mhz);
}

/** What lies beyond the edges is hardly anything of more tables, and to make a core again would take seconds. */
constexpr double most_compared = 20000;

/** A timeline with its core. Only that tells what costs less beyond the edges: choices, which may be free in front of sums, or what goes on there, with windows that
 *  are the same everywhere. So it is made again: of several elements a position with columns chosen; where far rows are chosen, with these repeated, and then with columns the other way. */
void build_cheaper(Timeline &t, const std::vector<Ram> &rams, verilog::Scope &names) {
    const verilog::Scope names_before = names;
    build(t, rams, names);
    if (crowd_of(t.graph, rams).luts * t.graph.lanes > most_compared) return;
    Sides best;
    std::optional<double> least;
    const auto attempt = [&](Sides other) {
        Timeline made{t.region, {}, {}, {}, t.prefix};
        verilog::Scope names_then = names_before;
        try {
            made.graph = schedule(t.region, false, other);
            if (other.rows == Outside::Repeated && !has_rows_repeated(made, rams)) return;
            build(made, rams, names_then);
        } catch (const Error &) {   // of what the user asks for, as it is: a FIFO's depth, say
            return;
        }
        if (!least) least = cost_of(t);
        const double cost = cost_of(made);
        if (cost > *least) return;
        least = cost;
        t = std::move(made);
        names = std::move(names_then);
        best = other;
    };
    const std::vector<Stage> &stages = t.graph.stages;
    const bool has_columns = t.graph.lanes > 1 && std::any_of(stages.begin(), stages.end(), [](const Stage &s) { return s.repeats; });
    if (has_columns) attempt({Outside::Chosen, best.rows});
    if (has_far_rows(t.graph)) attempt({best.columns, Outside::Repeated});
    if (has_columns && best.rows == Outside::Repeated) attempt({best.columns == Outside::Chosen ? Outside::Repeated : Outside::Chosen, best.rows});
}

/** The accelerator's directives are those of all timelines; what one has inlined is, if no other one keeps it. */
void keep_directives(Timelines &t) {
    std::vector<DirectiveText> kept;
    for (const DirectiveText &given : t.whole.directives) {
        DirectiveText said = given;
        bool is_kept = false, is_gone = false;
        for (const Timeline &one : t.all) {
            const std::vector<DirectiveText> &all = one.region.directives;
            if (std::any_of(all.begin(), all.end(), [&](const DirectiveText &d) { return d.text == given.text; })) {
                is_kept = is_kept || std::any_of(one.region.funcs.begin(), one.region.funcs.end(), [&](const Func &f) { return is_element(f, given.func); });
                continue;
            }
            const auto other = std::find_if(all.begin(), all.end(), [&](const DirectiveText &d) { return !d.func.empty() && d.func == given.func; });
            if (other == all.end()) is_gone = true;
            else said = *other;
        }
        if (!is_gone && (said.text == given.text || !is_kept)) kept.push_back(std::move(said));
    }
    t.whole.directives = std::move(kept);
}

/** The region's timelines, each with its graph. */
Timelines scheduled(const Region &given) {
    Diagnostics diagnostics;
    Cut cut = cut_timelines(given);               // first: what follows knows one timeline
    check_streams(cut, diagnostics);
    const auto provisional = [](const Region &r) { return schedule(prepared(r), true); };
    if (cut.rams.empty()) cut = cut_channels(given, provisional);   // by what is saved, where the user has cut nothing
    else cut = size_rams(std::move(cut), provisional, diagnostics);   // needs boxes, and says how large others' may be
    diagnostics.throw_errors();
    Timelines t;
    t.rams = cut.rams;
    t.whole = cut.whole;
    for (size_t i = 0; i < cut.timelines.size(); i++) {
        Timeline timeline;
        ScheduledRegion s = {prepared(read_rams(cut.timelines[i], cut.rams)), {}};   // needs sizes
        s.graph = schedule(s.region);
        s = inline_windows(std::move(s), [](const Region &r) { return schedule(r); });   // needs displacements
        s = recompute_late(std::move(s), [](const Region &r) { return schedule(r); });   // needs displacements
        timeline.region = std::move(s.region);
        timeline.graph = std::move(s.graph);
        if (i + 1 < cut.timelines.size()) timeline.prefix = cut.rams[i].id + "_";
        t.all.push_back(std::move(timeline));
    }
    refuse_unread_images(t, diagnostics);
    check_rams(cut, t, diagnostics);
    check_tables(t, diagnostics);
    diagnostics.throw_errors();
    if (t.rams.empty()) t.whole = t.last().region;
    keep_directives(t);
    return t;
}

void add_rtl(Design &design, const Timelines &t, const Top &top) {
    const auto add = [&](const verilog::Module &m) { design.rtl[m.name + ".v"] = print(m); };
    for (const Timeline &timeline : t.all) {
        for (const StageModule &m : timeline.modules) {
            if (!m.module.name.empty()) add(m.module);
            for (const verilog::Module &part : m.parts) add(part);
        }
    }
    for (const verilog::Module &m : t.core.modules) add(m);
    add(top.module);
    std::vector<std::string> cells = t.core.cells;
    cells.insert(cells.end(), top.cells.begin(), top.cells.end());
    design.rtl.merge(cells_with_parts(cells));
}

/** What the host has to have of the inputs and tables. */
void add_needs(Design &design, const Timelines &t) {
    for (const Func &f : t.whole.funcs) {
        if (f.kind == Func::Kind::Input && f.name.find(own_input) == std::string::npos) design.input_needs[f.name];   // of planes perhaps nothing
    }
    for (size_t i = 0; i < t.all.size(); i++) {
        const Graph &g = t.all[i].graph;
        for (const Stage &s : g.stages) {
            if (s.kind != Func::Kind::Input || is_channel(t, s)) continue;
            const std::string input = s.name.substr(0, s.name.find(own_input));
            Design::Needs &needs = design.input_needs[input].emplace_back();
            needs.of = s.needed;
            needs.edges = s.edges;
            for (const std::vector<StageNeeds> &of_func : g.needs.of) needs.cut.push_back(of_func[&s - g.stages.data()]);
            if (i < t.rams.size()) needs.boxes = t.rams[i].of_output;
        }
    }
    for (size_t i = 0; i < t.whole.tables.size(); i++) {
        const TableSource &table = table_of(t, i);
        if (table.is_loaded()) design.table_boxes.push_back(needed_of(table));
    }
}

}  // namespace

Design lower(const Region &given) {
    Timelines t = scheduled(given);
    verilog::Scope names;                         // of modules
    for (const std::string &taken : {given.name, given.name + "_core"}) names.reserve(taken);
    for (const Timeline &timeline : t.all) names.reserve(timeline.region.name + "_core");
    for (Timeline &timeline : t.all) build_cheaper(timeline, t.rams, names);
    t.core = emit_timelines(t);                   // needs all cores
    const Top top = emit_top(t);
    warn_of_ports(t, t.whole, top);
    for (const Timeline &timeline : t.all) warn_of_clock(t.whole, timeline.graph, timeline.modules);

    Design design;
    design.name = given.name;
    add_rtl(design, t, top);
    add_needs(design, t);
    design.bordered = t.last().graph.bordered;
    design.reach = t.last().graph.reach;
    design.scalars = geometry_of(t, top);         // needs registers
    for (LaunchScalar &index : plane_indices(t.whole)) design.scalars.push_back(std::move(index));
    Manifest manifest = manifest_of(t, top, design.scalars);
    design.report = report_of(t, manifest);
    design.manifest = std::move(manifest.json);
    const auto emitted = std::make_shared<const std::pair<Timelines, Top>>(std::move(t), top);
    design.add_areas = [emitted](nlohmann::ordered_json &report) { add_areas(report, emitted->first, estimate_area(emitted->first, emitted->second)); };
    return design;
}

}  // namespace argent::hwgen
