#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "boards/Load.h"
#include "dsl/Capture.h"
#include "dsl/Check.h"
#include "dsl/Shapes.h"
#include "dsl/Texts.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using Halide::Internal::find_transitive_calls;
using Halide::Internal::Function;

namespace {

constexpr int largest_extent = 65535;

bool check_edges(const AcceleratorSpec &spec, const Env &env, Diagnostics &d) {
    const std::string call = accelerate_text(spec);
    const auto error = [&](const std::string &text, const std::string &note) {
        d.error(spec.where, call + ": " + text, {note});
    };
    if (spec.outs.empty()) {
        d.error(spec.where, fmt::format("accelerate({{}}, {{{}}}): there is no output", fmt::join(names_of(spec.inputs), ", ")),
                {"name the Func that the accelerator is to compute"});
        return false;
    }
    bool walkable = true;
    for (const Halide::Func &out : spec.outs) {
        if (out.defined()) continue;
        error(fmt::format("{} has no definition", shown(out)),
              fmt::format("define it before this line, e.g. {}(x, y) = ...", shown(out)));
        walkable = false;
    }
    if (!walkable) return false;
    std::set<std::string> outs, seen;
    for (const Halide::Func &out : spec.outs) {
        if (outs.insert(out.name()).second) continue;
        error(fmt::format("the output {} is listed twice", shown(out)), "list each Func once");
        walkable = false;
    }
    std::vector<std::string> once;
    for (const Halide::Func &in : spec.inputs) {
        if (seen.insert(in.name()).second) once.push_back(shown(in));
    }
    seen.clear();
    for (const Halide::Func &in : spec.inputs) {
        if (!in.defined()) {
            error(fmt::format("the input {} has no definition", shown(in)),
                  fmt::format("define it before this line, or list what {} reads", shown(spec.outs[0])));
            walkable = false;
        } else if (outs.count(in.name())) {
            const char *what = spec.outs.size() == 1 ? "the output" : "an output";
            error(fmt::format("{} is both {} and an input", shown(in), what),
                  fmt::format("list the Funcs or images that {} reads", shown(in)));
            walkable = false;
        } else if (!seen.insert(in.name()).second) {
            error(fmt::format("the input {} is listed twice", shown(in)),
                  "write " + accelerate_text(outs_text(spec), once));
            walkable = false;
        } else if (env.count(in.name())) {
            for (const auto &[name, f] : find_transitive_calls(env.at(in.name()))) {
                if (!outs.count(name)) continue;
                error(fmt::format("the input {} is computed from {}, which is an output", shown(in), user_name(name)),
                      fmt::format("compute {} in the accelerator too, or {} in another one", shown(in), user_name(name)));
                walkable = false;
            }
        }
    }
    return walkable && std::all_of(spec.outs.begin(), spec.outs.end(), [&](const Halide::Func &f) { return env.count(f.name()) > 0; });
}

/** "the second line is the error, the first is named". */
template<typename T, typename Text>
void check_given_once(const std::vector<Given<T>> &given, const char *what, Text text, Diagnostics &d) {
    for (size_t i = 1; i < given.size(); i++) {
        d.error(given[i].where,
                fmt::format("{}: the {} is given already at {}, as {}", text(given[i].value), what, shown(given[0].where),
                            text(given[0].value)),
                {"keep one of the two"});
    }
}

/** Extents of unrolled dimensions: that they are known, small, and what the Func itself says. */
void check_unrolled(const AcceleratorSpec &spec, const Function &out, const Shape &shape, Diagnostics &d) {
    const auto &given = spec.blocks[0];
    const std::string call = block_text(given.value), name = user_name(out.name());
    const auto error = [&](const std::string &text, const std::string &note) { d.error(given.where, call + ": " + text, {note}); };
    int64_t values = 1;
    std::vector<std::string> vars;
    for (int dim : shape.unrolled) {
        if (shape.is_looped(dim)) continue;
        const std::string var = user_name(out.args()[dim]);
        const Span span = span_of(spec, out, dim);
        for (const auto &[block_var, extent] : given.value) {
            if (block_var.name() != out.args()[dim] || extent < 1 || extent == span.extent) continue;
            error(fmt::format("{} has {} values, {} to {}, and the block says {}", var, span.extent, span.min, span.min + span.extent - 1, extent),
                  fmt::format("write {{{}, {}}}", var, span.extent));
        }
        values *= std::max(span.extent, 1);
        vars.push_back(var);
    }
    if (values <= most_channels) return;
    error(fmt::format("{} has {} values of {}, all computed at once, and at most {} are possible", name, values, list_of(vars), most_channels),
          "compute some of them in another accelerator");
}

void check_block(const AcceleratorSpec &spec, const Function &func, const Shape &shape, Diagnostics &d) {
    const std::vector<std::string> vars = func.args();
    const std::string out = shown(spec.outs[0]);
    if (spec.blocks.empty()) {
        d.error(spec.where, accelerate_text(spec) + ": the block is missing",
                {"add the largest size that one launch is to compute, e.g. .block({{x, 1920}, {y, 1080}})"});
        return;
    }
    std::vector<std::string> plain;
    for (const std::string &v : vars) plain.push_back(user_name(v));
    const auto &given = spec.blocks[0];
    const std::string call = block_text(given.value);
    const auto error = [&](const std::string &text, const std::string &note) { d.error(given.where, call + ": " + text, {note}); };
    const auto all_open = [&] {
        std::string text;
        for (const std::string &v : plain) text += (text.empty() ? "{" : ", {") + v + ", ...}";
        return "block({" + text + "})";
    };
    std::map<std::string, int> extents;
    bool has_unknown = false;
    for (const auto &[var, extent] : given.value) {
        const std::string v = user_name(var.name());
        if (std::find(vars.begin(), vars.end(), var.name()) == vars.end()) {
            error(fmt::format("{} is no dimension of {}, which has {}", v, out, list_of(plain)),
                  fmt::format("name {}: {}", list_of(plain), all_open()));
            has_unknown = true;
            continue;
        }
        const auto [it, is_new] = extents.emplace(v, extent);
        if (!is_new) {
            error(fmt::format("{} is given twice, as {} and as {}", v, it->second, extent), "keep one of the two");
            continue;
        }
        if (extent < 1) {
            error(fmt::format("the extent of {} is {}, and has to be at least 1", v, extent),
                  fmt::format("give the largest extent of {} that one launch is to compute", v));
        } else if (extent > largest_extent) {
            error(fmt::format("the extent of {} is {}, and at most {} is possible", v, extent, largest_extent),
                  fmt::format("compute larger images in several launches: tile the consumer of {}", out));
        }
    }
    std::vector<std::string> missing;
    for (size_t dim = 0; dim < plain.size(); dim++) {
        const bool is_unrolled = std::find(shape.unrolled.begin(), shape.unrolled.end(), int(dim)) != shape.unrolled.end();
        if (!extents.count(plain[dim]) && !(is_unrolled && span_of(spec, func, int(dim)).extent > 0)) missing.push_back(plain[dim]);
    }
    if (!missing.empty() && !has_unknown) {
        std::string text;
        for (const std::string &v : plain) {
            text += text.empty() ? "{" : ", {";
            text += extents.count(v) ? fmt::format("{}, {}}}", v, extents[v]) : v + ", ...}";
        }
        error(fmt::format("{} {} missing, {} of {}", list_of(missing), missing.size() == 1 ? "is" : "are",
                          missing.size() == 1 ? "a dimension" : "dimensions", out),
              "write block({" + text + "})");
    }
    if (missing.empty() && !has_unknown) check_unrolled(spec, func, shape, d);
    for (size_t i = 1; i < spec.blocks.size(); i++) {
        const std::string first = block_text(spec.blocks[0].value);
        d.error(spec.blocks[i].where,
                fmt::format("{}: the block is given already at {}, as {}", block_text(spec.blocks[i].value),
                            shown(spec.blocks[0].where), first.substr(6, first.size() - 7)),
                {"keep one of the two"});
    }
}

/** An output behind the first: the block is about the first, and how many channels this one has is known all the same. */
void check_other_output(const AcceleratorSpec &spec, const Function &out, Diagnostics &d) {
    const std::string call = accelerate_text(spec), name = user_name(out.name());
    const auto error = [&](const std::string &text, const std::string &note) { d.error(spec.where, call + ": " + text, {note}); };
    int64_t values = 1;
    for (int dim : output_shape(spec, out).unrolled) {
        if (output_shape(spec, out).is_looped(dim)) continue;
        const Span span = span_of(spec, out, dim);
        const std::string var = user_name(out.args()[dim]);
        if (span.extent < 1) {
            error(fmt::format("how many values of {} the output {} has is not known", var, name), fmt::format("add {}.bound({}, 0, ...)", name, var));
            return;
        }
        values *= span.extent;
    }
    if (values > most_channels) {
        error(fmt::format("{} has {} values for each position, all computed at once, and at most {} are possible", name, values, most_channels),
              "compute some of them in another accelerator");
    }
    const Halide::LoopLevel level = out.schedule().compute_level();
    if (level.defined() && !level.is_inlined() && !level.is_root()) {
        error(fmt::format("{} is computed at a loop, and outputs of several Funcs are computed at root", name),
              fmt::format("write {}.compute_root(), or one accelerator for each of {}", name, list_of(names_of(spec.outs))));
    }
}

/** Scans along more than two dimensions: one launch computes a plane of every output. */
void check_loops(const AcceleratorSpec &spec, Diagnostics &d) {
    const auto loops_of = [&](const Function &out) {
        std::set<std::string> vars;
        for (int dim : output_shape(spec, out).looped) vars.insert(out.args()[dim]);
        return vars;
    };
    const auto scan_of = [&](const Function &out) {
        const Shape shape = output_shape(spec, out);
        std::vector<std::string> vars;
        for (const auto *dims : {&shape.scanned, &shape.looped}) {
            for (int dim : *dims) vars.push_back(user_name(out.args()[dim]));
        }
        return list_of(vars);
    };
    const Function &first = spec.outs[0].function();
    for (const Halide::Func &f : spec.outs) {
        if (loops_of(f.function()) == loops_of(first)) continue;
        d.error(spec.where, fmt::format("{}: {} is scanned along {}, and {} along {}: outputs of several Funcs have what is scanned outside of the image in common",
                                        accelerate_text(spec), shown(spec.outs[0]), scan_of(first), shown(f), scan_of(f.function())),
                {fmt::format("use the same variables in all of them, or write one accelerator for each of {}", list_of(names_of(spec.outs)))});
        return;
    }
}

/** Channels that are scanned inside of x or y have a clock each. */
void check_inner(const AcceleratorSpec &spec, const Function &out, const Shape &shape, Diagnostics &d) {
    if (shape.inner.empty()) return;
    std::vector<std::string> vars;
    for (int dim : shape.inner) vars.push_back(user_name(out.args()[dim]));
    const std::string x = user_name(out.args()[shape.scanned[0]]);
    const int least = clocks_of_inner(spec, out);
    std::string unroll = "or";
    for (const std::string &v : vars) unroll += fmt::format(" unroll({}, {})", shown(spec.outs[0]), v);
    if (spec.throughputs.empty() || spec.throughputs[0].value.clocks >= least) return;
    const auto &t = spec.throughputs[0].value;
    d.error(spec.throughputs[0].where,
            fmt::format("{}: {} {} scanned one value a clock, and a position of {} takes {} clocks", throughput_text(user_name(t.x.name()), t.pixels, t.clocks),
                        list_of(vars), vars.size() == 1 ? "is" : "are", x, least),
            {fmt::format("write {}, {}", throughput_text(x, 1, least), unroll)});
}

void check_throughput(const AcceleratorSpec &spec, const std::vector<std::string> &vars, const std::string &innermost, Diagnostics &d) {
    if (spec.throughputs.empty()) return;
    const auto &given = spec.throughputs[0];
    const auto &t = given.value;
    const std::string x = user_name(t.x.name()), first = user_name(innermost);
    const auto text = [](const AcceleratorSpec::Throughput &t) { return throughput_text(user_name(t.x.name()), t.pixels, t.clocks); };
    const auto error = [&](const std::string &what, const std::string &note) { d.error(given.where, text(t) + ": " + what, {note}); };
    if (std::find(vars.begin(), vars.end(), t.x.name()) == vars.end()) {
        std::vector<std::string> plain;
        for (const std::string &v : vars) plain.push_back(user_name(v));
        error(fmt::format("{} is no dimension of {}, which has {}", x, shown(spec.outs[0]), list_of(plain)),
              "write " + throughput_text(first, t.pixels, t.clocks));
    } else if (t.x.name() != innermost) {
        error(fmt::format("positions are not counted along {}, but along {}", x, first),
              "write " + throughput_text(first, t.pixels, t.clocks));
    }
    static const int possible[] = {1, 2, 4, 8, 16, 32};
    if (std::find(std::begin(possible), std::end(possible), t.pixels) == std::end(possible)) {
        int next = 32;
        for (int p : possible) {
            if (p >= t.pixels && next > p) next = p;
        }
        error(fmt::format("{} positions per clock are not possible", t.pixels),
              fmt::format("write {}, or one of 1, 2, 4, 8, 16 and 32", throughput_text(first, next, t.clocks)));
    }
    if (t.clocks < 1) {
        error(fmt::format("one position per {} clocks is not possible", t.clocks), "give at least 1 clock");
    } else if (t.clocks > 1 && t.pixels > 1) {
        error(fmt::format("{} positions per {} clocks are not possible", t.pixels, t.clocks),
              fmt::format("write {}, or throughput({}, 1, n) for one position per n clocks", throughput_text(first, t.pixels, 1), first));
    }
    check_given_once(spec.throughputs, "throughput", text, d);
}

void check_names(const AcceleratorSpec &spec, Diagnostics &d) {
    const auto board_text = [](const std::string &b) { return fmt::format("board(\"{}\")", b); };
    const auto clock_text = [](double c) { return fmt::format("clock({:g})", c); };
    const auto name_text = [](const std::string &n) { return fmt::format("name(\"{}\")", n); };
    double default_mhz = boards::load("pynq-z2")->clock_mhz;
    if (!spec.boards.empty()) {
        const auto &b = spec.boards[0];
        const auto board = boards::load(b.value);
        if (board) default_mhz = board->clock_mhz;
        else d.error(b.where, board_text(b.value) + ": there is no board of this name", {"there are " + list_of(boards::names())});
    }
    check_given_once(spec.boards, "board", board_text, d);
    if (!spec.clocks.empty() && !(spec.clocks[0].value > 0 && std::isfinite(spec.clocks[0].value))) {
        d.error(spec.clocks[0].where, clock_text(spec.clocks[0].value) + ": the clock has to be above 0 MHz",
                {fmt::format("leave it out for the board's {:g} MHz", default_mhz)});
    }
    check_given_once(spec.clocks, "clock", clock_text, d);
    if (!spec.names.empty()) {
        const auto &n = spec.names[0];
        const auto error = [&](const std::string &text, const std::string &note) { d.error(n.where, name_text(n.value) + ": " + text, {note}); };
        const bool starts = !n.value.empty() && (std::isalpha(static_cast<unsigned char>(n.value[0])) || n.value[0] == '_');
        const bool goes_on = std::all_of(n.value.begin(), n.value.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
        static const std::set<std::string> c_words = {
            "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
            "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static",
            "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main"};
        static const std::set<std::string> cpp_words = {
            "bool", "catch", "class", "const_cast", "constexpr", "decltype", "delete", "dynamic_cast", "explicit", "export", "false",
            "friend", "mutable", "namespace", "new", "noexcept", "nullptr", "operator", "private", "protected", "public",
            "reinterpret_cast", "static_assert", "static_cast", "template", "this", "thread_local", "throw", "true", "try", "typeid",
            "typename", "using", "virtual", "wchar_t", "and", "or", "not", "xor", "bitand", "bitor", "compl", "asm"};
        if (!starts || !goes_on) {
            error(fmt::format("\"{}\" is no C identifier", n.value), "begin with a letter, and go on with letters, digits and _");
        } else if (c_words.count(n.value)) {
            error(fmt::format("\"{}\" is a keyword of C", n.value), "take another name");
        } else if (cpp_words.count(n.value)) {
            error(fmt::format("\"{}\" is a keyword of C++", n.value), "take another name");
        } else if (verilog::is_reserved(n.value)) {
            error(fmt::format("\"{}\" is a keyword of Verilog", n.value), "take another name");
        } else if (n.value.rfind("ag_", 0) == 0) {
            error("names that begin with ag_ belong to Argent's library cells", "take another name");
        }
    }
    check_given_once(spec.names, "name", name_text, d);
}

}  // namespace

bool check_spec(const AcceleratorSpec &spec, const Env &env, Diagnostics &diagnostics) {
    const bool walkable = check_edges(spec, env, diagnostics);
    for (size_t i = 1; i < spec.outs.size(); i++) {
        if (env.count(spec.outs[i].name())) check_other_output(spec, env.at(spec.outs[i].name()), diagnostics);
    }
    if (!spec.outs.empty() && spec.outs[0].defined()) {
        const std::vector<std::string> vars = spec.outs[0].function().args();
        if (!vars.empty()) {
            const Function &out = spec.outs[0].function();
            const Shape shape = output_shape(spec, out);
            check_block(spec, out, shape, diagnostics);
            check_inner(spec, out, shape, diagnostics);
            check_throughput(spec, vars, shape.scanned.empty() ? vars[0] : vars[shape.scanned[0]], diagnostics);
        }
    }
    if (walkable) check_loops(spec, diagnostics);
    check_names(spec, diagnostics);
    return walkable;
}

}  // namespace argent::dsl
