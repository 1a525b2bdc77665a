#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "dsl/Calls.h"
#include "dsl/Check.h"
#include "dsl/Loops.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** The inputs that the region reads, or all if it reads none. */
std::vector<std::string> read_inputs(const AcceleratorSpec &spec, const Walk &walk) {
    std::vector<Halide::Func> read;
    std::copy_if(spec.inputs.begin(), spec.inputs.end(), std::back_inserter(read), [&](const Halide::Func &f) { return walk.reads(f.name()); });
    return names_of(read.empty() ? spec.inputs : read);
}

class DirectiveChecker {
public:
    DirectiveChecker(const AcceleratorSpec &spec, const Env &env, const Walk &walk, const std::map<std::string, std::string> &stored,
                     const hwgen::Region &region, Diagnostics &d)
        : spec(spec), env(env), walk(walk), stored(stored), region(region), d(d) {
    }
    void check();

private:
    bool check_inside(const Halide::Func &f, const std::string &text, const Location &where);
    bool check_storage(const Given<StorageDirective> &s);
    void check_unroll(const Given<UnrollDirective> &u);
    void check_fifo(const Given<FifoDirective> &f);
    void check_time_share(const Given<TimeShareDirective> &t);
    void check_one_share_each();
    bool check_operators(const Halide::Func &f, const std::string &text, const Location &where);
    void check_reorder(const Given<ReorderDirective> &r);

    const AcceleratorSpec &spec;
    const Env &env;
    const Walk &walk;
    const std::map<std::string, std::string> &stored;
    const hwgen::Region &region;
    Diagnostics &d;
};

bool DirectiveChecker::check_inside(const Halide::Func &f, const std::string &text, const Location &where) {
    const bool inside = std::find(walk.order.begin(), walk.order.end(), f.name()) != walk.order.end() || walk.inputs.count(f.name());
    if (inside) return true;
    d.error(where,
            fmt::format("{}: {} is not inside this accelerator, from {} to {}", text, shown(f), list_of(read_inputs(spec, walk)), list_of(names_of(spec.outs))),
            {"inside are " + list_of(walk.named(env))});
    return false;
}

void DirectiveChecker::check_unroll(const Given<UnrollDirective> &u) {
    const std::string func = shown(u.value.func), var = user_name(u.value.var.name());
    const std::string text = u.value.factor == 0 ? fmt::format("unroll({}, {})", func, var) :
                                                   fmt::format("unroll({}, {}, {})", func, var, u.value.factor);
    const auto bad = [&](const std::string &what, const std::string &note) { d.error(u.where, text + ": " + what, {note}); };
    if (!check_inside(u.value.func, text, u.where)) return;
    const Function &f = env.count(u.value.func.name()) ? env.at(u.value.func.name()) : u.value.func.function();
    const std::vector<std::string> loops = loops_of(f);
    const size_t pure = f.args().size();
    const int64_t extent = iterations_of(f, u.value.var.name());
    if (u.value.factor < 0) {
        bad(fmt::format("the factor is {}, and has to be at least 1", u.value.factor), fmt::format("write unroll({}, {})", func, var));
        return;
    }
    const auto at = std::find(loops.begin(), loops.end(), var);
    if (at == loops.end()) {
        bad(fmt::format("{} has no loop {}, it has {}", func, var, list_of(loops)), "name one of these");
        return;
    }
    const auto shape = walk.shapes.find(u.value.func.name());
    const bool has_shape = shape != walk.shapes.end() && !shape->second.unrolled.empty();
    size_t index = at - loops.begin();
    if (has_shape && index < pure) {
        const auto &scanned = shape->second.scanned, &unrolled = shape->second.unrolled;
        const int dim = static_cast<int>(index);
        if (std::find(unrolled.begin(), unrolled.end(), dim) != unrolled.end()) {
            const int64_t values = walk.scalars.count(f.name()) ? int64_t(walk.scalars.at(f.name()).size()) : 0;
            if (u.value.factor != 0 && u.value.factor < values) {
                bad(fmt::format("{} has {} values, and unrolling only {} of them is not there yet", var, values, u.value.factor),
                    fmt::format("write unroll({}, {})", func, var));
            }
            return;
        }
        index = std::find(scanned.begin(), scanned.end(), dim) - scanned.begin();
    } else if (index < pure && pure > 2) {
        return;   // check_shapes tells what keeps it from being unrolled
    }
    const int pixels = spec.throughputs.empty() ? 1 : spec.throughputs[0].value.pixels;
    const int n = u.value.factor;
    if (index >= pure) {
        if (n != 0 && n < extent) check_operators(u.value.func, text, u.where);
    } else if (n == 0 && index == 0) {
        bad(fmt::format("{} is scanned, and cannot be unrolled as a whole", var),
            fmt::format("write throughput({}, 2) for 2 positions per clock", var));
    } else if (index == 0 && n != pixels) {
        bad(fmt::format("this accelerator computes {} position{} of {} per clock", pixels, pixels == 1 ? "" : "s", var),
            fmt::format("write throughput({}, {})", var, n));
    } else if (index > 0 && n != 1) {
        bad(fmt::format("{} is scanned, one row after the other", var), "leave it out");
    }
}

void DirectiveChecker::check_fifo(const Given<FifoDirective> &f) {
    const std::string from = shown(f.value.from), to = shown(f.value.to);
    const std::string text = fmt::format("fifo_depth({}, {}, {})", from, to, f.value.elements);
    if (!check_inside(f.value.from, text, f.where) || !check_inside(f.value.to, text, f.where)) return;
    const std::string name = f.value.from.name();
    if (!stored.count(name) && !walk.inputs.count(name)) {
        d.error(f.where, fmt::format("{}: {} is computed where it is read, and holds no elements", text, from),
                {fmt::format("add linebuffer({}), or leave it out", from)});
        return;
    }
    if (spec.buffered(name)) {
        d.error(f.where, fmt::format("{}: {} is kept in a RAM, whole", text, from), {"leave it out"});
        return;
    }
    std::vector<std::string> readers;
    for (const hwgen::Func &stage : region.funcs) {
        if (!stage.value.defined()) continue;
        const Calls calls = calls_of({stage.value});
        const bool reads = std::any_of(calls.reads.begin(), calls.reads.end(), [&](const Call *c) { return func_of(c->name) == name; });
        if (reads && func_of(stage.name) == f.value.to.name()) return;
        if (reads) readers.push_back(stage.label);
    }
    d.error(f.where, fmt::format("{}: {} does not read {}", text, to, from), {fmt::format("{} is read by {}", from, list_of(readers))});
}

/** Stages are scanned in the order of the block; loops that are unrolled have none. */
void DirectiveChecker::check_reorder(const Given<ReorderDirective> &r) {
    const std::string func = shown(r.value.func);
    std::vector<std::string> given, possible, wanted;
    for (const VarOrRVar &v : r.value.vars) given.push_back(user_name(v.name()));
    const std::string text = fmt::format("reorder({}, {{{}}})", func, fmt::join(given, ", "));
    if (!check_inside(r.value.func, text, r.where)) return;
    const Function &f = env.count(r.value.func.name()) ? env.at(r.value.func.name()) : r.value.func.function();
    const std::vector<std::string> loops = loops_of(f);
    for (const std::string &v : given) {
        if (std::find(loops.begin(), loops.end(), v) == loops.end()) {
            d.error(r.where, fmt::format("{}: {} has no loop {}, it has {}", text, func, v, list_of(loops)), {"name one of these"});
            return;
        }
    }
    const auto shape = walk.shapes.find(f.name());
    std::vector<int> scanned(f.args().size());
    std::iota(scanned.begin(), scanned.end(), 0);
    if (shape != walk.shapes.end()) scanned = shape->second.scanned;
    for (int d : scanned) {
        if (std::count(given.begin(), given.end(), loops[d])) possible.push_back(loops[d]);
    }
    for (const std::string &v : given) {
        if (std::count(possible.begin(), possible.end(), v)) wanted.push_back(v);
    }
    if (wanted == possible) return;
    d.error(r.where, fmt::format("{}: {} is scanned in the order of the block, {} innermost", text, func, loops[scanned[0]]),
            {fmt::format("leave it out, or write reorder({}, {{{}}})", func, fmt::join(possible, ", "))});
}

/** That `func` is a stage with operators of its own. */
bool DirectiveChecker::check_operators(const Halide::Func &f, const std::string &text, const Location &where) {
    const std::string func = shown(f), &name = f.name();
    if (walk.inputs.count(name)) {
        d.error(where, fmt::format("{}: {} is an input, and has no operators", text, func), {"leave it out"});
        return false;
    }
    if (walk.is_out(name) || stored.count(name)) return true;
    if (!walk.own.count(name) && !walk.constants.count(name)) {
        d.error(where, fmt::format("{}: {} is read where it has no effect", text, func), {"leave it out"});
        return false;
    }
    d.error(where, fmt::format("{}: {} is computed where it is read, with the operators of its readers", text, func),
            {fmt::format("add linebuffer({}), or share those of a Func that reads it", func)});
    return false;
}

void DirectiveChecker::check_time_share(const Given<TimeShareDirective> &t) {
    const std::string func = shown(t.value.func), text = fmt::format("time_share({}, {})", func, t.value.clocks);
    if (!check_inside(t.value.func, text, t.where)) return;
    if (t.value.clocks < 2) {
        d.error(t.where, text + ": to share an operator takes 2 clocks at least", {fmt::format("write time_share({}, 2), or leave it out", func)});
        return;
    }
    check_operators(t.value.func, text, t.where);
}

/** That no Func is told twice, and differently, how many clocks its operators spend on an element. */
void DirectiveChecker::check_one_share_each() {
    std::map<std::string, std::pair<std::string, int>> known;   // by Func: text and clocks
    for (const RolledLoops &l : rolled_loops(spec, env)) known.insert({l.func.name(), {l.text, l.clocks}});
    for (const auto &t : spec.time_shares) {
        const std::string text = time_share_text(t.value);
        const auto [it, is_new] = known.insert({t.value.func.name(), {text, t.value.clocks}});
        if (is_new || it->second.second == t.value.clocks) continue;
        d.error(t.where, fmt::format("{}: {} has {} already", text, shown(t.value.func), it->second.first), {"keep one of the two"});
    }
}

/** That the Func can be kept in that way, or not be kept. */
bool DirectiveChecker::check_storage(const Given<StorageDirective> &s) {
    const bool keeps = s.value.kind != StorageDirective::Kind::Inlined, buffers = s.value.kind == StorageDirective::Kind::Buffered;
    const std::string func = shown(s.value.func), &name = s.value.func.name(), text = storage_text(s.value);
    const auto bad = [&](const std::string &what, const std::string &note) {
        d.error(s.where, fmt::format("{}: {}", text, what), {note});
        return false;
    };
    if (!check_inside(s.value.func, text, s.where)) return false;
    if (walk.inputs.count(name)) {
        if (buffers) return bad(func + " is an input, and comes from memory", fmt::format("define a Func that copies {}, and keep that in a RAM", func));
        return keeps ? false : bad(func + " is an input, and comes from memory", "leave it out");
    }
    if (walk.is_out(name)) return bad(func + " is the output, and goes to memory", "leave it out");
    if (!buffers) return true;
    if (walk.constants.count(name)) return bad(func + " holds constants, and is a ROM where it is read at computed places", "leave it out");
    const auto captured = std::find_if(region.buffered.begin(), region.buffered.end(), [&](const hwgen::Buffered &b) { return func_of(b.elements[0].name) == name; });
    if (captured != region.buffered.end() || d.has_errors()) return true;   // an error that was found before may be why
    return bad(func + " is read where it has no effect", "leave it out");
}

void DirectiveChecker::check() {
    std::map<std::string, const Given<StorageDirective> *> first;
    for (const auto &s : spec.storage) {
        if (!check_storage(s)) continue;
        const auto [it, is_new] = first.emplace(s.value.func.name(), &s);
        if (is_new || it->second->value.kind == s.value.kind) continue;
        const std::string text = storage_text(s.value), other = storage_text(it->second->value);
        d.error(s.where, fmt::format("{}: {} has {} already at {}", text, shown(s.value.func), other.substr(0, other.find('(')), shown(it->second->where)),
                {"keep one of the two"});
    }
    for (const auto &u : spec.unrolls) check_unroll(u);
    for (const auto &f : spec.fifos) check_fifo(f);
    for (const auto &t : spec.time_shares) check_time_share(t);
    for (const auto &r : spec.reorders) check_reorder(r);
    if (!d.has_errors()) check_one_share_each();
}

}  // namespace

void check_directives(const AcceleratorSpec &spec, const Env &env, const Walk &walk, const std::map<std::string, std::string> &stored,
                      const hwgen::Region &region, Diagnostics &diagnostics) {
    DirectiveChecker(spec, env, walk, stored, region, diagnostics).check();
}

}  // namespace argent::dsl
