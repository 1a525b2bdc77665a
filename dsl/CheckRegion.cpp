#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dsl/Borders.h"
#include "dsl/Calls.h"
#include "dsl/Capture.h"
#include "dsl/Check.h"
#include "dsl/HoistParams.h"
#include "dsl/Simplify.h"
#include "dsl/Tables.h"
#include "dsl/Texts.h"
#include "hwgen/ir/Index.h"
#include "hwgen/passes/datapath/ExactFloats.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** As far as a block reaches. */
constexpr int64_t largest_distance = 65535;

bool uses(const Expr &e, const std::string &var) {
    return expr_uses_var(e, var);
}

/** Everything in an index that is no loop variable. */
struct IndexParts : IRGraphVisitor {
    std::vector<std::string> params, funcs;
    bool has_image_bounds = false;
    using IRGraphVisitor::visit;
    void visit(const Variable *op) override {
        if (op->param.defined()) params.push_back(user_name(op->name));
        has_image_bounds |= op->param.defined() && op->param.is_buffer();
    }
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type != Call::Halide && op->call_type != Call::Image) return;
        funcs.push_back(op->func.defined() ? shown(Halide::Func(Function(op->func))) : user_name(op->name));
    }
};

/** By how much it moves with `var`, if that is the same everywhere. */
std::optional<int64_t> step_of(const Expr &e, const std::string &var) {
    return as_const_int(simplified(substitute(var, Variable::make(Int(32), var) + 1, e) - e));
}

/** (a * var + c) / b with constants. */
bool is_rate(const Expr &e, const std::string &var) {
    const Div *quotient = e.as<Div>();
    return step_of(quotient && is_const(quotient->b) ? quotient->a : e, var).value_or(0) != 0;
}

class Checker {
public:
    Checker(const AcceleratorSpec &spec, const Env &env, const Walk &walk, const std::map<std::string, std::string> &stored,
            const hwgen::Region &region, Diagnostics &d)
        : spec(spec), env(env), walk(walk), stored(stored), region(region), d(d), call(accelerate_text(spec)) {
    }

    /** No follow-up errors: what cannot be judged because of an earlier mistake is left out. */
    void check() {
        const bool walked = std::none_of(walk.own.begin(), walk.own.end(), [](const auto &f) { return f.second.empty(); });
        if (walked) check_inputs();
        check_images();
        const bool shapes = check_shapes();
        check_types();
        if (walked && shapes) check_reads();
        check_directives(spec, env, walk, stored, region, d);
    }

private:
    void error(const std::string &text, std::vector<std::string> notes) { d.error(spec.where, call + ": " + text, std::move(notes)); }
    std::string leave(const std::string &func) const {
        const std::string name = walk.named_reader_of(func, env);
        return walk.is_out(name) ? fmt::format("leave {} to the host", user_name(name)) :
                                  fmt::format("list {} as an input and the host computes it", user_name(name));
    }
    /** Where it could be read anywhere. */
    std::string in_ram(const std::string &name) const {
        const Parameter image = env.count(name) ? image_of(env.at(name)) : Parameter();
        if (image.defined() || walk.inputs.count(name)) return fmt::format("keep a copy of {} in a RAM, with buffered(), or ", user_name(image.defined() ? image.name() : name));
        return fmt::format("keep {0} in a RAM, buffered({0}), or ", user_name(name));
    }
    /** A Func of the region that reads `name` as the user has written it, perhaps to no effect. */
    std::string written_reader(const std::string &name) const {
        const std::vector<std::string> names = walk.named(env);
        std::set<std::string> seen(walk.inputs.begin(), walk.inputs.end());
        std::vector<std::pair<std::string, std::string>> todo;   // and the named Func that it belongs to
        for (const std::string &out : walk.outs) todo.emplace_back(out, out);
        while (!todo.empty()) {
            const auto [f, named] = todo.back();
            todo.pop_back();
            if (!seen.insert(f).second || !env.count(f)) continue;
            for (const auto &[callee, function] : find_direct_calls(env.at(f))) {
                if (callee == name) return user_name(named);
                const bool has_name = std::find(names.begin(), names.end(), user_name(callee)) != names.end();
                todo.emplace_back(callee, has_name ? callee : named);
            }
        }
        return "";
    }
    bool is_table_input(const std::string &name) const {
        return std::any_of(region.tables.begin(), region.tables.end(), [&](const hwgen::TableSource &t) { return t.name == name; });
    }
    bool is_table_read(const Call *c) const {
        return hwgen::is_table_read(region, *c) || (c->call_type == Call::Halide && (walk.constants.count(c->name) || spec.buffered(c->name)));
    }
    void check_inputs();
    void check_images();
    void check_shape(const std::string &what, const std::string &name, const std::vector<std::string> &vars);
    bool has_borders_everywhere(const std::string &image) const;
    bool check_shapes();
    void check_types();
    void check_reads();
    void check_read(const std::string &reader, const std::vector<std::string> &vars, const Call *read, std::set<std::string> &kinds);
    /** The variables of `reader` and the indices of `read` that the scan walks through, in its order. */
    std::vector<std::string> scanned_vars(const std::string &reader) const;
    std::vector<Expr> scanned_indices(const Call *read) const;

    const AcceleratorSpec &spec;
    const Env &env;
    const Walk &walk;
    const std::map<std::string, std::string> &stored;
    const hwgen::Region &region;
    Diagnostics &d;
    std::string call;
};

void Checker::check_inputs() {
    if (spec.inputs.empty()) return;   // said by check_images
    for (const Halide::Func &in : spec.inputs) {
        if (walk.reads(in.name())) continue;
        std::vector<std::string> rest, through;
        for (const Halide::Func &other : spec.inputs) {
            if (other.name() == in.name()) continue;
            rest.push_back(shown(other));
            const bool hides = env.count(other.name()) && find_transitive_calls(env.at(other.name())).count(in.name());
            if (hides) through.push_back(shown(other));
        }
        std::vector<std::string> notes;
        if (!through.empty()) {
            notes.push_back(fmt::format("it is read by {} only, which is an input itself and computed by the host", list_of(through)));
        }
        const std::string reader = written_reader(in.name());
        if (through.empty() && !reader.empty()) {
            notes.push_back(fmt::format("{} reads it where it has no effect: is there a condition that never holds, or a factor of 0?", reader));
        }
        if (!rest.empty()) notes.push_back("take it out: " + accelerate_text(outs_text(spec), rest));
        error(fmt::format("the input {} does not reach {}", shown(in), list_of(names_of(spec.outs), "or")), notes);
    }
}

void Checker::check_images() {
    std::vector<std::pair<std::string, std::string>> missing;   // image, its first reader
    for (const std::string &name : walk.order) {
        for (const Call *c : calls_of(walk.own_of(name)).reads) {
            if (is_table_read(c)) continue;
            if (c->call_type == Call::Image && c->image.defined()) {
                if (!reads_in_step(c)) continue;   // a table in an expression that nothing needs
                error(fmt::format("{} reads the Buffer {}, which is not among the inputs", user_name(name), user_name(c->name)),
                      {"define a Func that copies it, and list that as an input"});
                break;
            }
            if (c->call_type != Call::Image || !c->param.defined()) continue;
            const bool is_wrapper = image_of(env.at(name)).defined();
            const std::string reader = is_wrapper ? walk.reader_of(name, env) : name;
            const std::string image = user_name(c->param.name());
            const bool known = std::any_of(missing.begin(), missing.end(), [&](const auto &m) { return m.first == image; });
            if (!known) missing.emplace_back(image, user_name(walk.named_reader_of(reader, env)));
        }
    }
    if (spec.inputs.empty()) {
        std::vector<std::string> images;
        for (const auto &m : missing) images.push_back(m.first);
        const std::string out = list_of(names_of(spec.outs));
        if (images.empty()) {
            error(fmt::format("there are no inputs, and {} reads no image", out),
                  {fmt::format("leave {} to the host: an accelerator needs at least one image to stream in", out)});
        } else {
            error(fmt::format("there are no inputs, but {} reads {}", missing[0].second, list_of(images)),
                  {"write " + accelerate_text(outs_text(spec), images)});
        }
        return;
    }
    const bool any_image = std::any_of(region.funcs.begin(), region.funcs.end(), [](const hwgen::Func &f) { return f.kind == hwgen::Func::Kind::Input; });
    const bool are_images = std::all_of(spec.outs.begin(), spec.outs.end(), [](const Halide::Func &f) { return f.dimensions() > 1; });   // or check_shapes tells
    if (!any_image && missing.empty() && are_images) {
        error(fmt::format("{} {} read at no place that moves with the scan, so there is no image to stream in", list_of(names_of(spec.inputs)),
                          spec.inputs.size() == 1 ? "is" : "are"),
              {fmt::format("leave {} to the host", shown(spec.outs[0]))});
    }
    for (const auto &[image, reader] : missing) {
        std::vector<std::string> all = names_of(spec.inputs);
        all.push_back(image);
        error(fmt::format("{} reads the image {}, which is not among the inputs", reader, image),
              {"write " + accelerate_text(outs_text(spec), all)});
    }
}

/** Two dimensions of a Func are scanned; the indices of all others are numbers. */
void Checker::check_shape(const std::string &what, const std::string &name, const std::vector<std::string> &vars) {
    const auto known = walk.shapes.find(name);
    if (known == walk.shapes.end() || known->second.scanned.size() == 2) return;
    std::vector<std::string> plain, scanned;
    for (const std::string &v : vars) plain.push_back(user_name(v));
    for (int d : known->second.scanned) scanned.push_back(plain[d]);
    if (vars.size() < 2) {
        error(fmt::format("{} has {}, and 2 are possible for now", what,
                          vars.empty() ? "no dimensions" : fmt::format("1 dimension ({})", plain[0])),
              {"give it an x and a y, or leave it to the host"});
        return;
    }
    if (scanned.size() < 2) {
        error(fmt::format("{} is scanned along {}, and has to be along two dimensions", what, scanned.empty() ? "nothing" : list_of(scanned)),
              {fmt::format("leave one of {} to move with the scan", list_of(plain))});
        return;
    }
    // Too many move with the scan. Blame an index that is no number and does not follow a variable of its reader.
    for (const std::string &reader : walk.order) {
        for (const Call *c : calls_of(walk.own_of(reader)).reads) {
            if (c->call_type != Call::Halide || c->name != name) continue;
            int blamed = -1;
            for (int d : known->second.scanned) {
                const std::vector<std::string> &own_vars = env.at(reader).args();
                const bool follows = std::any_of(own_vars.begin(), own_vars.end(), [&](const std::string &v) { return bool(hwgen::index_of(c->args[d], v)); });
                if (!is_const(c->args[d]) && !follows) blamed = d;
            }
            if (blamed < 0) continue;
            error(fmt::format("{} reads {}, and {} of {}, which is unrolled, is no number there", user_name(reader), shown(Expr(c)), plain[blamed],
                              user_name(name)),
                  {fmt::format("read it at numbers and choose with mux, or {}", leave(reader))});
            return;
        }
    }
    std::vector<std::string> notes = {fmt::format("read it at numbers along one of {}, so that this dimension can be unrolled", list_of(scanned))};
    const std::string image = env.count(name) && image_of(env.at(name)).defined() ? shown(Halide::Func(env.at(name))) : "";
    if (has_borders_everywhere(image)) {
        notes = {fmt::format("it has a border along each of them: say how many channels there are, e.g. {}.dim({}).set_bounds(0, 3), so that they are numbers", image,
                             known->second.scanned.back())};
    }
    error(fmt::format("{} is scanned along {}, and 2 dimensions are possible for now", what, list_of(scanned)), notes);
}

/** Whether all indices of a read of the image, or of a wrapper of it, depend on the size of one. */
bool Checker::has_borders_everywhere(const std::string &image) const {
    for (const std::string &reader : walk.order) {
        for (const Call *c : calls_of(walk.own_of(reader)).reads) {
            if (!env.count(c->name) || shown(Halide::Func(env.at(c->name))) != image) continue;
            const bool all = std::all_of(c->args.begin(), c->args.end(), [](const Expr &index) {
                IndexParts parts;
                index.accept(&parts);
                return parts.has_image_bounds;
            });
            if (all) return true;
        }
    }
    return false;
}

bool Checker::check_shapes() {
    const size_t before = d.all().size();
    for (const Halide::Func &in : spec.inputs) {
        if (is_table_input(in.name())) continue;
        const bool is_image = env.count(in.name()) && image_of(env.at(in.name())).defined();
        check_shape(is_image ? "the image " + shown(in) : shown(in), in.name(), in.function().args());
    }
    for (const std::string &name : walk.order) {
        if (stored.count(name)) check_shape(user_name(name), name, env.at(name).args());
    }
    return d.all().size() == before;
}

std::string type_text(Type t) {
    return fmt::format("{}{}", t.is_bfloat() ? "bfloat" : "float", t.bits());
}

void Checker::check_types() {
    const char *integers = "and accelerators compute with integers and bools for now";
    bool reads_floats = false;
    const auto float_in = [](const std::vector<Type> &types) {   // the first element's type if none is
        const auto found = std::find_if(types.begin(), types.end(), [](const Type &t) { return t.is_float(); });
        return found == types.end() ? types[0] : *found;
    };
    for (const Halide::Func &in : spec.inputs) {
        const Type t = float_in(in.function().output_types());
        if (!t.is_float()) continue;
        reads_floats = true;
        error(fmt::format("the input {} is {}, {}", shown(in), type_text(t), integers),
              {"convert it on the host, e.g. to fixed point, and list the result"});
    }
    const auto check_memory = [&](const std::string &what, Type t) {
        const int bits = t.bits();
        if (t.is_float() || bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64) return;
        error(fmt::format("{} is {}int{}, and memory holds elements of 8, 16, 32 and 64 bits", what, t.is_uint() ? "u" : "", bits),
              {"cast it to one of these"});
    };
    for (const Halide::Func &in : spec.inputs) {
        for (const Type &t : in.function().output_types()) check_memory("the input " + shown(in), t);
    }
    for (const std::string &out : walk.outs) {
        for (const Type &t : env.at(out).output_types()) check_memory(user_name(out), t);
    }
    struct Floats : IRGraphVisitor {
        Expr found;   // without a rule
        OfParams is_of_params;
        using IRGraphVisitor::visit;
        void include(const Expr &e) override {
            if (hwgen::ExactFloats::cast_constant(e)) return;
            if (e.type().is_float() && !found.defined() && !hwgen::ExactFloats::may_have_rule(e)) found = e;
            if (e.type().is_float() || !is_of_params(e)) IRGraphVisitor::include(e);   // the host computes those
        }
    };
    for (const std::string &name : walk.order) {
        if (!walk.own.count(name)) continue;
        const std::string plain = user_name(name);
        const std::string note = "use fixed point, or " + leave(name);
        const Type t = float_in(env.at(name).output_types());
        Floats floats;
        for (const Expr &v : walk.own_of(name)) floats.include(v);
        const Calls calls = calls_of(walk.own_of(name));
        const auto table = std::find_if(calls.reads.begin(), calls.reads.end(),
                                        [&](const Call *c) { return c->type.is_float() && is_table_read(c) && !walk.inputs.count(c->name); });
        if (table != calls.reads.end()) {
            const std::string read = user_name((*table)->name);
            error(fmt::format("{} reads the table {}, which is {}, {}", plain, read, type_text((*table)->type), integers),
                  {fmt::format("define a Func of the same indices that casts {} to an integer, e.g. fixed point, and read that", read)});
        } else if (t.is_float()) {
            error(fmt::format("{} is {}, {}", plain, type_text(t), integers), {note});
        } else if (floats.found.defined() && !reads_floats) {
            error(fmt::format("{} computes with {}, which is {}, and of floats only integers and the rounded roots of integers are possible", plain, printed(floats.found),
                              type_text(floats.found.type())),
                  {note});
        }
        for (const Call *c : calls_of(walk.own_of(name)).others) {
            if (c->type.is_float() || floats.found.defined()) continue;
            const bool is_for_host = c->name == "halide_print" || c->name == "halide_error_requirement_failed";   // print() and require()
            error(fmt::format("{} calls {}, which has no expression to build hardware from", plain, c->name),
                  {(is_for_host ? "leave it out, or " : "write it in Halide, or ") + leave(name)});
            break;
        }
    }
}

std::vector<std::string> Checker::scanned_vars(const std::string &reader) const {
    const auto shape = walk.shapes.find(reader);
    return shape == walk.shapes.end() ? env.at(reader).args() : dsl::scanned_vars(env.at(reader), shape->second);
}

std::vector<Expr> Checker::scanned_indices(const Call *read) const {
    const auto shape = walk.shapes.find(read->name);
    if (shape == walk.shapes.end()) return read->args;
    std::vector<Expr> indices;
    for (int d : shape->second.scanned) indices.push_back(read->args[d]);
    return indices;
}

/** One Diagnostic for the first bad read of each kind. */
void Checker::check_read(const std::string &reader, const std::vector<std::string> &vars, const Call *read, std::set<std::string> &kinds) {
    const std::vector<Expr> indices = scanned_indices(read);
    for (size_t i = 0; i < indices.size(); i++) {
        if (i < vars.size() && (hwgen::index_of(indices[i], vars[i]) || bordered_index(indices[i], vars[i], vars))) continue;
        const Expr index = simplified_index(indices[i]);   // clamp(y, 0, 0) does not move with y
        IndexParts parts;
        indices[i].accept(&parts);
        const std::string text = fmt::format("{} reads {}", user_name(reader), shown(Expr(read)));
        std::string kind, what, note = in_ram(read->name) + leave(reader);   // where it can be read anywhere
        const std::string own_var = i < vars.size() ? vars[i] : "";
        const bool has_own = !own_var.empty() && uses(index, own_var);
        const bool has_other = std::any_of(vars.begin(), vars.end(), [&](const std::string &v) { return v != own_var && uses(index, v); });
        const bool runs_backwards = has_own && !has_other && step_of(index, own_var).value_or(0) < 0;
        if (!parts.funcs.empty()) {
            kind = "data";
            what = fmt::format("{}, a place that depends on the data of {}", text, parts.funcs[0]);
            note = fmt::format("only tables are read at computed places, inputs of at most {} places by their bounds that are not read with the scan: ", hwgen::most_loaded_elements) + note;
        } else if (runs_backwards) {
            kind = "other";
            what = fmt::format("{}, which runs against {}", text, user_name(own_var));
        } else if (!parts.params.empty()) {
            kind = "param";
            what = fmt::format("{}, a distance that depends on {}{}", text, parts.has_image_bounds ? "" : "the Param ", parts.params[0]);
            note = parts.has_image_bounds ?
                       "borders are repeat_edge, mirror_image, mirror_interior, repeat_image, constant_exterior and clamp; for other places " + note :
                       "read at constant distances and choose with select or mux, " + note;
        } else if (has_own && !has_other && is_rate(index, own_var)) {
            kind = "rate";
            note = leave(reader);
            what = fmt::format("{}, and rates from 1/{} to {} are possible", text, hwgen::most_period, hwgen::most_period);
        } else if (!has_own && has_other) {
            kind = "order";
            what = text + ", across the order of the scan";
        } else if (!has_own && !has_other) {
            kind = "fixed";
            what = fmt::format("{}, which does not move with {}", text, own_var.empty() ? "the scan" : user_name(own_var));
        } else {
            kind = "other";
            what = fmt::format("{}, and {} does not follow {} at a constant rate", text, shown(index), user_name(own_var));
        }
        if (kinds.insert(kind).second) error(what, {note});
        return;
    }
}

void Checker::check_reads() {
    // What counts is what stages read once all is inlined; a Func is blamed for its own reads if it can be.
    std::set<std::string> blamed;
    bool any_bad = false;
    for (const hwgen::Func &f : region.funcs) {
        if (!f.value.defined()) continue;
        for (const Call *c : calls_of({f.value}).reads) {
            if (c->call_type != Call::Halide || is_table_read(c)) continue;
            for (size_t i = 0; i < c->args.size(); i++) {
                const auto read = i < f.vars.size() ? hwgen::index_of(c->args[i], f.vars[i]) : std::nullopt;
                any_bad = any_bad || !read;
                const auto is_far = [](int offset) { return std::abs(offset) > largest_distance; };
                if (!read || std::none_of(read->map.offset.begin(), read->map.offset.end(), is_far) || !blamed.insert(f.name).second) continue;
                error(fmt::format("{} reads {}, and distances of at most {} are possible", user_name(f.name), shown(Expr(c)),
                                  largest_distance),
                      {leave(f.name)});
            }
            any_bad = any_bad || c->args.size() != f.vars.size();
        }
    }
    if (!any_bad) return;
    const size_t before = d.all().size();
    for (const std::string &name : walk.order) {
        std::set<std::string> kinds;
        if (image_of(env.at(name)).defined()) continue;
        for (const Call *c : calls_of(walk.own_of(name)).reads) {
            if (c->call_type == Call::Halide && !is_table_read(c)) check_read(name, scanned_vars(name), c, kinds);
        }
    }
    if (d.all().size() > before) return;
    for (const hwgen::Func &f : region.funcs) {
        std::set<std::string> kinds;
        if (!f.value.defined()) continue;
        for (const Call *c : calls_of({f.value}).reads) {
            if (c->call_type == Call::Halide && !is_table_read(c)) check_read(func_of(f.name), f.vars, c, kinds);
        }
    }
}

}  // namespace

void check_region(const AcceleratorSpec &spec, const Env &env, const Walk &walk,
                  const std::map<std::string, std::string> &stored, const hwgen::Region &region, Diagnostics &diagnostics) {
    Checker(spec, env, walk, stored, region, diagnostics).check();
}

}  // namespace argent::dsl
