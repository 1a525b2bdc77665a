#include "dsl/Tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dsl/Borders.h"
#include "dsl/EvaluateConstants.h"
#include "dsl/Simplify.h"
#include "dsl/Texts.h"
#include "hwgen/verilog/Names.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Registers for elements of all tables, of the 508 that the control port has; and memories, of its addresses. */
constexpr int most_element_words = 400, most_loaded_tables = 32;

bool is_image_or_func(const Call *op) { return op->call_type == Call::Halide || op->call_type == Call::Image; }

class Reads : public IRGraphVisitor {
public:
    std::vector<const Call *> found;

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (is_image_or_func(op)) found.push_back(op);
    }
};

std::vector<const Call *> reads_of(const hwgen::Func &f) {
    Reads reads;
    if (f.value.defined()) f.value.accept(&reads);
    return reads.found;
}

hwgen::Wide number(const Buffer<> &b, const int *at) {
    const void *p = b.raw_buffer()->address_of(at);
    const Type t = b.type();
    switch (t.bytes()) {
    case 1: return t.is_uint() ? hwgen::Wide(*static_cast<const uint8_t *>(p)) : *static_cast<const int8_t *>(p);
    case 2: return t.is_uint() ? hwgen::Wide(*static_cast<const uint16_t *>(p)) : *static_cast<const int16_t *>(p);
    case 4: return t.is_uint() ? hwgen::Wide(*static_cast<const uint32_t *>(p)) : *static_cast<const int32_t *>(p);
    default: return t.is_uint() ? hwgen::Wide(*static_cast<const uint64_t *>(p)) : *static_cast<const int64_t *>(p);
    }
}

/** Elements of `b` in a box that it holds, innermost dimension first. */
std::vector<hwgen::Wide> elements(const Buffer<> &b, const hwgen::TablePlaces &box) {
    std::vector<hwgen::Wide> all;
    std::vector<int> at;
    for (const hwgen::Interval &i : box) at.push_back(static_cast<int>(i.lo));
    for (;;) {
        all.push_back(number(b, at.data()));
        size_t d = 0;
        for (; d < at.size(); d++) {
            if (++at[d] <= box[d].hi) break;
            at[d] = static_cast<int>(box[d].lo);
        }
        if (d == at.size()) return all;
    }
}

bool covers(const Buffer<> &b, const hwgen::TablePlaces &box) {
    for (size_t d = 0; d < box.size(); d++) {
        if (box[d].lo < b.dim(int(d)).min() || box[d].hi > b.dim(int(d)).max()) return false;
    }
    return true;
}

/** Halide evaluates the Func once for all lanes and readers that stay within what is known. */
std::function<std::vector<hwgen::Wide>(const hwgen::TablePlaces &)> contents_of(const Function &f, int value_index) {
    const auto known = std::make_shared<std::optional<Buffer<>>>();
    return [f, value_index, known](const hwgen::TablePlaces &box) {
        if (!*known || !covers(**known, box)) {
            std::vector<std::pair<int, int>> bounds;
            for (const hwgen::Interval &i : box) bounds.emplace_back(static_cast<int>(i.lo), static_cast<int>(i.hi));
            *known = evaluate_constants(f, bounds)[static_cast<size_t>(value_index)];
        }
        return elements(**known, box);
    };
}

std::vector<std::optional<hwgen::Interval>> bounds_of(const Buffer<> &b) {
    std::vector<std::optional<hwgen::Interval>> bounds;
    for (int d = 0; d < b.dimensions(); d++) bounds.push_back(hwgen::Interval{b.dim(d).min(), b.dim(d).max()});
    return bounds;
}

std::optional<hwgen::Interval> constant_bounds(const Expr &min, const Expr &extent) {
    if (!min.defined() || !extent.defined()) return std::nullopt;
    const auto lo = as_const_int(simplified(min)), n = as_const_int(simplified(extent));
    if (!lo || !n || *n < 1) return std::nullopt;
    return hwgen::Interval{*lo, *lo + *n - 1};
}

/** What set_bounds or bound say. */
std::vector<std::optional<hwgen::Interval>> declared_bounds(const Function &f, const Parameter &image) {
    std::vector<std::optional<hwgen::Interval>> bounds;
    for (int d = 0; d < f.dimensions(); d++) {
        bounds.emplace_back();
        if (image.defined()) bounds.back() = constant_bounds(image.min_constraint(d), image.extent_constraint(d));
        for (const Bound &b : f.schedule().bounds()) {
            if (!image.defined() && b.var == f.args()[d]) bounds.back() = constant_bounds(b.min, b.extent);
        }
    }
    return bounds;
}

/** Puts registers in place of reads of loaded tables at constant places. */
class ElementReader : public IRGraphMutator {
public:
    ElementReader(hwgen::Region &region, const std::set<std::string> &taken) : region(region), taken(taken) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        const auto t = std::find_if(region.tables.begin(), region.tables.end(), [&](const hwgen::TableSource &s) {
            return !s.is_rom() && is_image_or_func(op) && s.name == hwgen::table_key(*op);
        });
        const auto at = t == region.tables.end() ? std::nullopt : constant_place(op);
        if (!at || op->type.is_float()) return IRGraphMutator::visit(op);
        const int table = static_cast<int>(t - region.tables.begin());
        for (const hwgen::Param &p : region.params) {
            if (p.table == table && p.place == *at) return Variable::make(op->type, p.variable);
        }
        std::string name = t->label;
        for (int i : *at) name += fmt::format("_{}{}", i < 0 ? "m" : "", std::abs(int64_t(i)));
        std::string variable = name;   // and another one if the user has such a Param
        while (!taken.insert(variable).second) variable += "_";
        hwgen::Param p{name, variable, op->type, hwgen::Interval::of(op->type)};
        p.doc = fmt::format("element ({}) of {}", fmt::join(*at, ", "), t->label);
        p.table = table;
        p.place = *at;
        region.params.push_back(p);
        for (size_t d = 0; d < at->size(); d++) {
            const hwgen::Interval here{(*at)[d], (*at)[d]};
            if (t->elements.size() <= d) t->elements.push_back(here);
            t->elements[d] = t->elements[d].hull(here);
        }
        return Variable::make(op->type, variable);
    }

private:
    hwgen::Region &region;
    std::set<std::string> taken;   // names of variables
};

std::set<std::string> variables_of(const hwgen::Region &region) {
    struct Names : IRGraphVisitor {
        std::set<std::string> found;
        using IRGraphVisitor::visit;
        void visit(const Variable *op) override { found.insert(op->name); }
    } names;
    for (const hwgen::Func &f : region.funcs) {
        names.found.insert(f.vars.begin(), f.vars.end());
        if (f.value.defined()) f.value.accept(&names);
    }
    return std::move(names.found);
}

/** Whether a read goes through an image with the scan: at numbers, and along two dimensions at places that follow a variable. */
bool is_scan(const Call *read, const std::vector<std::string> &vars) {
    int along = 0;
    for (const Expr &index : read->args) {
        if (reads_data(index)) return false;
        const bool follows = std::any_of(vars.begin(), vars.end(), [&](const std::string &v) {
            return moves_with(index, {v}) && (hwgen::index_of(index, v) || bordered_index(index, v));
        });
        if (!follows && !is_const(index) && !place_of(index)) return false;
        along += follows;
    }
    return along >= 2;
}

/** How many places a read can reach, whatever the coordinates are; many if that is not known. */
int64_t places_of_read(const Call *read, const std::vector<std::optional<hwgen::Interval>> &declared) {
    int64_t count = 1;
    std::map<Expr, ConstantInterval, ExprCompare> cache;   // what is shared is looked at once
    for (size_t d = 0; d < read->args.size(); d++) {
        const ConstantInterval known = constant_integer_bounds(read->args[d], Scope<ConstantInterval>::empty_scope(), &cache);
        hwgen::Interval span = declared[d] ? *declared[d] : hwgen::Interval::of(Int(32));
        if (known.min_defined) span.lo = std::max<hwgen::Wide>(span.lo, known.min);
        if (known.max_defined) span.hi = std::min<hwgen::Wide>(span.hi, known.max);
        count *= std::min<int64_t>(hwgen::most_loaded_elements + 1, std::max<int64_t>(1, static_cast<int64_t>(span.hi - span.lo + 1)));
        if (count > hwgen::most_loaded_elements) break;
    }
    return count;
}

/** Whether stages read it as a table: along one dimension; or never at an index that moves with the scan; or never as an image is, at few enough
 *  places. */
bool is_table(const std::string &name, const std::vector<std::optional<hwgen::Interval>> &declared, const hwgen::Region &region) {
    bool moves = false, is_image = false;
    std::vector<const Call *> all;
    for (const hwgen::Func &f : region.funcs) {
        for (const Call *c : reads_of(f)) {
            if (c->name != name) continue;
            all.push_back(c);
            moves = moves || std::any_of(c->args.begin(), c->args.end(), [&](const Expr &index) { return moves_with(index, f.vars); });
            is_image = is_image || is_scan(c, f.vars);
        }
    }
    if (declared.size() < 2 || !moves) return !all.empty();
    const auto is_small = [&](const Call *c) { return places_of_read(c, declared) <= hwgen::most_loaded_elements; };
    return !is_image && std::all_of(all.begin(), all.end(), is_small);
}

/** One for each value of a Tuple: as many as buffers that the host passes. */
void add_loaded(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured) {
    for (const Halide::Func &in : spec.inputs) {
        const Function &f = walk.input_funcs.at(in.name());
        const Parameter image = env.count(in.name()) ? image_of(f) : Parameter();
        const auto declared = declared_bounds(f, image);
        if (!is_table(in.name(), declared, captured.region)) continue;
        for (int element = 0; element < f.outputs(); element++) {
            hwgen::TableSource t;
            t.name = hwgen::table_key(in.name(), element);
            t.label = f.outputs() > 1 ? fmt::format("{}_{}", shown(in), element) : shown(in);
            t.type = f.output_types()[element];
            t.declared = declared;
            captured.region.tables.push_back(std::move(t));
        }
        captured.tables.push_back({f, image});
    }
}

void add_roms(const Env &env, const Walk &walk, hwgen::Region &region) {
    for (const hwgen::Func &f : region.funcs) {
        for (const Call *c : reads_of(f)) {
            const std::string key = hwgen::table_key(*c);
            const bool known = std::any_of(region.tables.begin(), region.tables.end(), [&](const hwgen::TableSource &t) { return t.name == key; });
            const bool is_buffer = c->call_type == Call::Image && c->image.defined();
            if (known || !(is_buffer || (c->call_type == Call::Halide && walk.constants.count(c->name)))) continue;
            if (is_buffer && reads_in_step(c)) continue;   // an image that nobody has listed
            if (c->type.is_float()) continue;
            hwgen::TableSource t;
            t.name = key;
            t.label = user_name(c->name);
            t.type = c->type;
            if (is_buffer) {
                const Buffer<> image = c->image;
                t.declared = bounds_of(image);
                t.contents = [image](const hwgen::TablePlaces &box) { return elements(image, box); };
            } else {
                t.declared.resize(c->args.size());
                t.contents = contents_of(env.at(c->name), c->value_index);
            }
            region.tables.push_back(std::move(t));
        }
    }
}

}  // namespace

bool reads_data(const Expr &e) {
    Reads reads;
    e.accept(&reads);
    return !reads.found.empty();
}

bool reads_in_step(const Call *read) {
    return std::none_of(read->args.begin(), read->args.end(), reads_data) &&
           std::any_of(read->args.begin(), read->args.end(), [](const Expr &i) { return i.as<Variable>(); });
}

bool moves_with(const Expr &index, const std::vector<std::string> &vars) {
    struct Finder : IRGraphVisitor {
        const std::vector<std::string> &vars;
        bool found = false;
        explicit Finder(const std::vector<std::string> &vars) : vars(vars) {}
        using IRGraphVisitor::visit;
        void visit(const Variable *op) override {
            found = found || (!op->param.defined() && std::find(vars.begin(), vars.end(), op->name) != vars.end());
        }
        void visit(const Call *op) override {
            if (!is_image_or_func(op)) IRGraphVisitor::visit(op);
        }
    } finder(vars);
    index.accept(&finder);
    return finder.found;
}

void find_tables(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured, Diagnostics &diagnostics) {
    hwgen::Region &region = captured.region;
    add_loaded(spec, env, walk, captured);
    if (region.tables.size() > most_loaded_tables) {
        diagnostics.error(spec.where, fmt::format("{}: {} tables are loaded, and at most {} can be", accelerate_text(spec), region.tables.size(), most_loaded_tables),
                          {"put several into one, with a dimension more"});
    }
    for (const hwgen::TableSource &t : region.tables) {
        if (t.declared.size() <= 4) continue;
        diagnostics.error(spec.where, fmt::format("{}: the table {} has {} dimensions, and what is loaded has at most 4", accelerate_text(spec), t.label, t.declared.size()),
                          {"give it fewer"});
    }
    add_roms(env, walk, region);
    verilog::Scope ids;
    for (hwgen::TableSource &t : region.tables) t.id = ids.unique(verilog::stem(t.label));

    ElementReader elements(region, variables_of(region));
    for (hwgen::Func &f : region.funcs) {
        if (f.value.defined()) f.value = elements.mutate(f.value);
    }
    std::vector<int> words(region.tables.size(), 0);
    int sum = 0;
    for (const hwgen::Param &p : region.params) {
        words[p.table] += p.type.bits() > 32 ? 2 : 1;
        sum += p.type.bits() > 32 ? 2 : 1;
    }
    if (sum <= most_element_words) return;
    const size_t largest = std::max_element(words.begin(), words.end()) - words.begin();
    diagnostics.error(spec.where,
                      fmt::format("{}: {} elements of {} are read at constant places, which takes {} registers, and tables have at most {}",
                                  accelerate_text(spec), words[largest] / (region.tables[largest].type.bits() > 32 ? 2 : 1),
                                  region.tables[largest].label, sum, most_element_words),
                      {"use a smaller window, or compute rows and columns apart"});
}

}  // namespace argent::dsl
