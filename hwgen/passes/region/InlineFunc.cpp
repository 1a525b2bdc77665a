#include "hwgen/passes/region/InlineFunc.h"

#include <algorithm>

#include "hwgen/ir/Index.h"

namespace argent::hwgen {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

/** A Func's value at the place of a read. */
class Moved : public IRGraphMutator {
public:
    Moved(const Region &region, const Func &f, const Func &reader, const std::vector<Expr> &places) : region(region), f(f), reader(reader), places(places) {
        for (size_t dim = 0; dim < places.size(); dim++) indices.push_back(*index_of(places[dim], reader.vars[dim]));
    }
    bool is_possible = true;

private:
    using IRGraphMutator::visit;

    Expr visit(const Variable *op) override {
        const auto var = std::find(f.vars.begin(), f.vars.end(), op->name);
        if (op->param.defined() || var == f.vars.end()) return op;   // a Param may be called x
        const size_t dim = var - f.vars.begin();
        is_possible = is_possible && !indices[dim].border;   // no coordinate of an element says which element it is instead
        return places[dim];
    }

    Expr visit(const Call *op) override {
        if (const std::optional<PlaceBeyond> place = beyond_of(*op, f.vars)) is_possible = is_possible && indices[place->dim].map.is_plain();
        if (op->call_type != Call::Halide || is_table_read(region, *op)) return IRGraphMutator::visit(op);
        std::vector<Expr> args;
        for (size_t dim = 0; dim < op->args.size(); dim++) args.push_back(index(op->args[dim], dim));
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

    /** Of what the Func reads, from the reader's place. */
    Expr index(const Expr &own, size_t dim) {
        const std::optional<Index> at = index_of(own, f.vars[dim]);
        if (indices[dim].border) {
            is_possible = is_possible && at && !at->border && at->map == IndexMap() && !indices[dim].has_own_domain();
            return places[dim];
        }
        const bool may_move = at && (!at->border || (!at->has_own_domain() && indices[dim].map.is_plain()));   // the common domain is around the reader's own place
        const Expr moved = simplify(substitute(f.vars[dim], places[dim], own));
        is_possible = is_possible && may_move && index_of(moved, reader.vars[dim]).has_value();
        return moved;
    }

    const Region &region;
    const Func &f, &reader;
    const std::vector<Expr> &places;
    std::vector<Index> indices;
};

/** A reader's value without its reads of a Func. */
class Inliner : public IRGraphMutator {
public:
    Inliner(const Region &region, const Func &f, const Func &reader) : region(region), f(f), reader(reader) {}
    bool is_possible = true;

private:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        if (op->call_type != Call::Halide || op->name != f.name || is_table_read(region, *op)) return IRGraphMutator::visit(op);
        for (size_t dim = 0; dim < op->args.size(); dim++) {
            const std::optional<Index> index = dim < reader.vars.size() ? index_of(op->args[dim], reader.vars[dim]) : std::nullopt;
            is_possible = is_possible && index;
        }
        if (!is_possible) return op;
        Moved moved(region, f, reader, op->args);
        const Expr value = moved.mutate(f.value);
        is_possible = moved.is_possible;
        return value;
    }

    const Region &region;
    const Func &f, &reader;
};

}  // namespace

std::optional<Region> inline_func(const Region &given, const std::string &func) {
    const auto f = std::find_if(given.funcs.begin(), given.funcs.end(), [&](const Func &f) { return f.name == func; });
    const size_t each = reads_in(f->value).size();
    Region r = given;
    r.funcs.erase(r.funcs.begin() + (f - given.funcs.begin()));
    for (Func &reader : r.funcs) {
        if (!reader.value.defined()) continue;
        const std::vector<const Call *> reads = reads_in(reader.value);
        const size_t count = std::count_if(reads.begin(), reads.end(), [&](const Call *c) { return c->name == func; });
        if (count == 0) continue;
        if (reads.size() + count * each > most_inlined_reads) return std::nullopt;
        Inliner inliner(given, *f, reader);
        reader.value = inliner.mutate(reader.value);
        if (!inliner.is_possible) return std::nullopt;
    }
    return r;
}

}  // namespace argent::hwgen
