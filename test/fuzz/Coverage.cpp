#include "Coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "Analysis.h"

namespace argent::fuzz {

namespace {

const std::vector<std::string> type_names = {"bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"};

std::string window_name(const Reach &w, int reads) {
    const int width = w.max_x - w.min_x + 1, height = w.max_y - w.min_y + 1;
    if (reads == 1) return w.min_x == 0 && w.min_y == 0 ? "point" : std::max(std::abs(w.min_x), std::abs(w.min_y)) >= 7 ? "one far" : "one beside";
    const bool beside = w.min_x > 0 || w.max_x < 0 || w.min_y > 0 || w.max_y < 0;
    const std::string shape = height == 1 ? "row" : width == 1 ? "column" : reads == width * height ? "box" : "scattered";
    return (beside ? "one-sided " : "") + shape;
}

std::string listed(const std::map<std::string, int> &counts) {
    std::string s;
    for (const auto &[name, n] : counts) s += fmt::format("{}{} {}", s.empty() ? "" : ", ", name, n);
    return s.empty() ? "none" : s;
}

}  // namespace

void Coverage::add_form(const Form &form) {
    static const char *channels[] = {"", "planar channels", "interleaved channels", "channels first"};
    static const char *outputs[] = {"", "several outputs", "a Tuple of outputs", "unrolled channels of the output", "scanned channels of the output"};
    if (form.is_plain()) forms["plain"]++;
    if (form.is_columns_first) forms["columns first"]++;
    if (form.planes) forms[form.has_unrolled_planes ? "unrolled planes" : "planes"]++;
    if (form.channels != Form::Channels::None) forms[channels[static_cast<int>(form.channels)]]++;
    if (form.outputs != Form::Outputs::One) forms[outputs[static_cast<int>(form.outputs)]]++;
    if (form.has_loaded_tables) forms["loaded tables"]++;
    if (form.tile[0]) forms["tiles"]++;
    if (form.strip) forms["strips"]++;
    if (form.first >= 0) forms[form.is_first_on_host ? "an input of the host" : "two accelerators"]++;
    if (form.buffered >= 0) forms["a RAM"]++;
    if (form.wrapped >= 0) forms["a wrapper"]++;
    if (form.has_streams) forms["streams"]++;
}

void Coverage::add(const Pipeline &p, const Verdict &v) {
    if (v.is_refused_by_halide) {
        refused_by_halide++;
        return;
    }
    const Analysis a = analyse(p);
    if (v.is_whole) add_form(p.form);
    pipelines++;
    reconverging += a.reconverges;
    constant += v.is_constant;
    elements += v.elements;
    stages += static_cast<int>(p.stages.size());
    fewest_stages = std::min(fewest_stages, static_cast<int>(p.stages.size()));
    throughputs[p.clocks == 1 ? fmt::format("{:2} a clock", p.pixels) : "1 in n clocks"]++;
    several_rates += p.has_rates();
    for (const ParamDecl &d : p.params) params[name_of(d.type)]++;
    for (const Table &k : p.tables) leaves["constant Func by " + k.style]++;
    for (const Run &r : p.runs) {
        const bool is_most = r.width == p.block[0] && r.height == p.block[1];
        sizes[r.width == 1 && r.height == 1 ? "1x1" : r.width == 1 ? "one column" : r.height == 1 ? "one row" : is_most ? "block" :
              r.width % 2 || r.height % 2   ? "odd" : "even"]++;
        if (r.min_x || r.min_y) sizes["with a minimum"]++;
        if (r.left || r.right || r.above || r.below) sizes["of a larger image"]++;
        static const char *names[] = {"steady", "random", "slow inputs", "slow output", "one by one", "late output"};
        gaps[names[r.gaps]]++;
    }
    for (int i = 0; i < int(p.inputs.size() + p.stages.size()); i++) {
        if (p.border(i) != Border::None) borders[name_of(p.border(i))]++;
    }
    for (size_t i = 0; i < p.stages.size(); i++) {
        const Stage &s = p.stages[i];
        if (i + 1 < p.stages.size()) storage[s.storage]++;
        if (s.share) storage["shared in time"]++;
        for (size_t j = 0; j < a.reads[i].size(); j++) {
            if (a.reads[i][j]) windows[window_name(a.windows[i][j], a.reads[i][j])]++;
        }
        if (!s.updates.empty()) reductions["update"] += static_cast<int>(s.updates.size());
        for (const ReductionDomain &d : s.domains) reductions["where"] += d.where != nullptr;
        visit_terms(s, [&](const TermPtr &t) {
            if (t->kind == Term::Kind::Coord) leaves["loop variable"]++;
            if (t->kind == Term::Kind::Param) leaves["Param"]++;
            if (t->kind == Term::Kind::Reduce) reductions[t->op]++;
            if (t->kind == Term::Kind::Local) leaves["let"]++;
            if (t->kind == Term::Kind::Table && !t->args.empty()) leaves["constant Func by data"]++;
            if (t->kind != Term::Kind::Operator) return;
            const std::string from = name_of(t->args[0]->type);
            if (t->op == "trunc") widths[fmt::format("{}", t->type.bits())]++;
            else operators[t->op][t->op == "select" || t->op == "mux" ? name_of(t->args[1]->type) : from]++;
            if (t->op == "cast") casts[from][name_of(t->type)]++;
        });
    }
}

/** Whether an operator can have a first operand (of select and mux: a value) of type `t`. */
static bool is_possible(const Operator &o, const std::string &name) {
    Type t;
    parse_type(name, t);
    const Type mirrored = t.is_int() ? Halide::UInt(t.bits()) : Halide::Int(t.bits());
    std::vector<std::vector<Type>> operands = {{t}, {t, t}, {t, t, t}, {t, mirrored}, {t, t, mirrored}, {Halide::Bool(), t, t}, {Halide::UInt(8), t, t},
                                               {t, t, Halide::UInt(8)}, {t, Halide::UInt(8)}};
    if (t.bits() > 8) operands.push_back({t, t.is_int() ? Halide::Int(t.bits() / 2) : Halide::UInt(t.bits() / 2)});
    for (const std::vector<Type> &types : operands) {
        if (o.arity >= 0 ? int(types.size()) != o.arity : types.size() < 3) continue;
        const bool chooses = std::string(o.name) == "select" || std::string(o.name) == "mux";
        if (chooses && types[1] != t) continue;
        for (Type result : {Halide::Bool(), Halide::UInt(8), Halide::Int(8), mirrored}) {
            if (o.result(o.is_typed ? result : Type(), types).bits()) return true;
        }
    }
    return false;
}

int Coverage::missing() const {
    int n = 0;
    for (const Operator &o : fuzz::operators()) {
        if (std::string(o.name) == "trunc") continue;
        const auto row = operators.find(o.name);
        for (const std::string &t : type_names) n += is_possible(o, t) && (row == operators.end() || !row->second.count(t));
    }
    return n;
}

std::string Coverage::text() const {
    std::string s = fmt::format("coverage of {} pipelines: {} stages (at least {}), {} elements compared\n", pipelines, stages,
                                pipelines ? fewest_stages : 0, elements);
    s += fmt::format("  drawn anew because the pipeline is rightly refused (Halide: constants that overflow when folded, reductions at some coordinates, places without bounds; Argent: an input without effect, time_share of nothing alike, a table of two timelines): {}\n", refused_by_halide);
    s += fmt::format("  reconvergent paths: {} %; several rates: {} %; output of one value only: {} %\n", reconverging_percent(),
                     pipelines ? 100 * several_rates / pipelines : 0, pipelines ? 100 * constant / pipelines : 0);
    s += "  throughput: " + listed(throughputs) + "\n  windows: " + listed(windows) + "\n  storage: " + listed(storage) + "\n  borders: " + listed(borders) + "\n";
    s += "  forms of whole accelerators: " + listed(forms) + "\n";
    s += "  sizes: " + listed(sizes) + "\n  neighbours: " + listed(gaps) + "\n  reductions: " + listed(reductions) + "\n";
    s += "  leaves: " + listed(leaves) + "\n  Params: " + listed(params) + "\n";
    s += fmt::format("  casts through other widths: {} of 64\n", widths.size());
    s += fmt::format("  {:9}", "operator");
    for (const std::string &t : type_names) s += fmt::format("{:>6}", t);
    s += fmt::format("   (by the type of the first operand; of select and mux, of the values; {} of what there is not met)\n", missing());
    for (const Operator &o : fuzz::operators()) {
        const auto row = operators.find(o.name);
        if (std::string(o.name) == "trunc") continue;
        s += fmt::format("  {:9}", o.name);
        for (const std::string &t : type_names) {
            const int n = row == operators.end() || !row->second.count(t) ? 0 : row->second.at(t);
            s += fmt::format("{:>6}", n ? std::to_string(n) : is_possible(o, t) ? "0" : ".");
        }
        s += "\n";
    }
    return s;
}

}  // namespace argent::fuzz
