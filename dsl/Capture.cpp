#include "dsl/Capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "boards/Load.h"
#include "dsl/Borders.h"
#include "dsl/Calls.h"
#include "dsl/CaptureEdges.h"
#include "dsl/CaptureParams.h"
#include "dsl/CaptureStages.h"
#include "dsl/Check.h"
#include "dsl/ChooseStorage.h"
#include "dsl/ListDirectives.h"
#include "dsl/Loops.h"
#include "dsl/Tables.h"
#include "dsl/Texts.h"
#include "dsl/Walk.h"
#include "hwgen/passes/region/CutTimelines.h"
#include "hwgen/passes/region/InferRates.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

Parameter image_of(const Function &f) {
    const Call *call = f.has_pure_definition() ? f.is_wrapper() : nullptr;
    const bool unscheduled = call && f.schedule().compute_level().is_inlined();
    return unscheduled && call->call_type == Call::Image && call->param.defined() ? call->param : Parameter();
}

namespace {

/** The shapes of the outputs, the block in the order of its dimensions, and what moves at a time. */
void add_block(const AcceleratorSpec &spec, const Walk &region_walk, Captured &captured) {
    hwgen::Region &r = captured.region;
    for (Captured::Output &out : captured.outs) {
        out.shape = region_walk.shapes.at(out.func.name());
        for (int d : out.shape.unrolled) out.spans.push_back(out.shape.is_looped(d) ? Span() : span_of(spec, out.func, d));
        for (int d : out.shape.looped) out.loops[out.func.args()[d]] = region_walk.loops.at(out.func.args()[d]);
    }
    for (const std::string &scanned : scanned_vars(captured.outs[0].func, captured.outs[0].shape)) {
        for (const auto &[var, extent] : spec.blocks[0].value) {
            if (var.name() != scanned) continue;
            r.block_vars.push_back(scanned);
            r.block.push_back(extent);
        }
    }
    if (!spec.throughputs.empty()) {
        r.pixels = spec.throughputs[0].value.pixels;
        r.clocks = spec.throughputs[0].value.clocks;
        r.throughput_where = spec.throughputs[0].where;
    }
}

/** Between each element of a Func with channels and each of the other. */
void add_fifo_depths(const AcceleratorSpec &spec, hwgen::Region &r) {
    for (const auto &f : spec.fifos) {
        for (const hwgen::Func &from : r.funcs) {
            for (const hwgen::Func &to : r.funcs) {
                if (!hwgen::is_element(from, f.value.from.name()) || !hwgen::is_element(to, f.value.to.name())) continue;
                r.fifo_depths.push_back({from.name, to.name, f.value.elements, f.where, fifo_text(f.value)});
            }
        }
    }
}

/** The user's, and those of loops that are not unrolled. */
void add_time_shares(const AcceleratorSpec &spec, const Env &env, hwgen::Region &r) {
    for (const auto &t : spec.time_shares) {
        for (const hwgen::Func &f : r.funcs) {
            if (hwgen::is_element(f, t.value.func.name())) r.time_shares.push_back({f.name, t.value.clocks, t.where, time_share_text(t.value)});
        }
    }
    for (const RolledLoops &l : rolled_loops(spec, env)) {
        for (const hwgen::Func &f : r.funcs) {
            if (hwgen::is_element(f, l.func.name())) r.time_shares.push_back({f.name, l.clocks, l.where, l.text});
        }
        r.directives.push_back({l.text, true});
    }
}

/** ns::edges -> ns_edges_out; table -> table_. */
std::string default_name(const std::string &function, const std::string &out) {
    std::string name;
    for (size_t i = 0; i < function.size(); i++) {
        const bool is_scope = function.compare(i, 2, "::") == 0;
        name += is_scope ? '_' : function[i];
        i += is_scope;
    }
    if (!out.empty()) name += verilog::legal("f_" + out).substr(1);   // a keyword is none behind a prefix
    return verilog::is_reserved(name) ? name + "_" : name;
}

/** Of Funcs that are stages all the same (ThroughBorders.h). */
void warn_of_inlined(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, hwgen::Region &r) {
    for (const auto &s : spec.storage) {
        if (s.value.kind != StorageDirective::Kind::Inlined || !stored.count(s.value.func.name())) continue;
        const std::string name = user_name(s.value.func.name());
        r.warnings.push_back(fmt::format("inlined({0}) has no effect: {0} is read beyond a border, and reads elsewhere than at its own place", name));
    }
}

/** The same with these stages in RAMs, where what is repeated can be read again; nothing if they are said to be elsewhere, or that is refused, too. */
std::optional<Captured> capture_with_rams(const AcceleratorSpec &given, const std::set<std::string> &repeated, const Env &env, const std::string &function,
                                          bool only_accelerator, const std::set<std::string> &pipeline_outputs) {
    AcceleratorSpec spec = given;
    std::set<std::string> funcs;
    for (const std::string &stage : repeated) funcs.insert(func_of(stage));
    const auto is_stored = [&](const auto &s) { return funcs.count(s.value.func.name()) > 0; };
    if (std::any_of(spec.storage.begin(), spec.storage.end(), is_stored)) return std::nullopt;   // in a window, as was said
    for (const std::string &f : funcs) spec.storage.push_back({{StorageDirective::Kind::Buffered, Halide::Func(env.at(f)), false}, given.where});
    Diagnostics refused;
    std::optional<Captured> captured = capture(spec, env, function, only_accelerator, refused, pipeline_outputs);
    if (!captured || refused.has_errors()) return std::nullopt;
    for (const std::string &f : funcs) {
        captured->region.warnings.push_back(fmt::format("{0} is kept in a RAM, as buffered({0}) does: it is repeated, so its last columns or rows are needed before its first", user_name(f)));
    }
    return captured;
}

}  // namespace

std::optional<Captured> capture(const AcceleratorSpec &spec, const Env &env, const std::string &function,
                                bool only_accelerator, Diagnostics &diagnostics, const std::set<std::string> &pipeline_outputs) {
    Diagnostics found;
    const auto give_up = [&]() -> std::optional<Captured> {
        for (const Diagnostic &d : found.all()) diagnostics.error(d.where, d.message, d.notes);
        return std::nullopt;
    };
    const bool walkable = check_spec(spec, env, found);
    if (!walkable) return give_up();

    Captured captured;
    hwgen::Region &r = captured.region;
    for (const Halide::Func &f : spec.outs) captured.outs.push_back({env.at(f.name()), {}, {}, {}});
    Diagnostics on_the_way;
    const Walk region_walk = walk(spec, env, on_the_way);
    const bool walked = !on_the_way.has_errors();
    for (const Diagnostic &d : on_the_way.all()) found.error(d.where, d.message, d.notes);
    const std::map<std::string, std::string> stored = choose_storage(spec, env, region_walk);
    if (walked) capture_stages(stored, env, region_walk, spec, captured, found);
    capture_buffered(spec, env, region_walk, r);
    find_tables(spec, env, region_walk, captured, found);
    capture_inputs(spec, env, region_walk, captured);
    const bool is_constant = std::any_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &f) { return region_walk.shapes.count(f.name()) == 0; });   // refused below
    if (walked && !found.has_errors() && !is_constant) {
        capture_outputs(region_walk, captured);
        add_block(spec, region_walk, captured);
        Diagnostics repeats;
        for (const std::set<std::string> &repeated : take_borders(r, accelerate_text(spec), spec.where, repeats)) {
            if (auto kept = capture_with_rams(spec, repeated, env, function, only_accelerator, pipeline_outputs)) return kept;
        }
        for (const Diagnostic &d : repeats.all()) found.error(d.where, d.message, d.notes);
        if (spec.throughputs.empty()) r.clocks = hwgen::default_clocks(hwgen::cut_timelines(r).timelines.back()) * clocks_of_inner(spec, captured.outs[0].func);
    }
    check_region(spec, env, region_walk, stored, r, found);
    if (found.has_errors()) return give_up();

    r.function = function;
    r.name = !spec.names.empty() ? spec.names[0].value : default_name(function, only_accelerator ? "" : user_name(spec.outs[0].name()));
    r.where = spec.where;
    find_layouts(spec, pipeline_outputs, captured, found);
    if (found.has_errors()) return give_up();
    r.call = accelerate_text(spec);
    r.board = *boards::load(spec.boards.empty() ? "pynq-z2" : spec.boards[0].value);
    r.clock_mhz = spec.clocks.empty() ? r.board.clock_mhz : spec.clocks[0].value;
    r.streaming = !spec.streams.empty();
    if (r.streaming) r.streaming_where = spec.streams[0];
    add_fifo_depths(spec, r);
    add_time_shares(spec, env, r);
    capture_params(spec, captured, diagnostics);
    warn_of_inlined(spec, stored, r);
    list_directives(spec, stored, captured);
    return captured;
}

}  // namespace argent::dsl
