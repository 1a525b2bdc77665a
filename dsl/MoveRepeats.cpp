#include "dsl/MoveRepeats.h"

#include <algorithm>
#include <functional>

#include "dsl/Simplify.h"
#include "dsl/Texts.h"
#include "hwgen/ir/Index.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** The reads of one Func along one dimension. What is not scanned along two, and will be refused for that, is looked at, too. */
struct ReadsAlong : IRGraphVisitor {
    struct Read {
        std::string producer;
        std::optional<hwgen::Index> index;
    };
    const hwgen::Region &region;
    const hwgen::Func &f;
    const size_t dim;
    std::vector<Read> reads;
    bool has_coordinate = false;   // elsewhere than in an index
    ReadsAlong(const hwgen::Region &region, const hwgen::Func &f, size_t dim) : region(region), f(f), dim(dim) {
        if (f.value.defined() && dim < f.vars.size()) f.value.accept(this);
    }

    using IRGraphVisitor::visit;
    void visit(const Variable *op) override { has_coordinate = has_coordinate || op->name == f.vars[dim]; }
    void visit(const Call *op) override {
        if (op->call_type != Call::Halide || hwgen::is_table_read(region, *op)) return IRGraphVisitor::visit(op);
        for (size_t d = 0; d < op->args.size(); d++) {
            if (d == dim) reads.push_back({op->name, hwgen::index_of(op->args[d], f.vars[d])});
            else if (expr_uses_var(op->args[d], f.vars[dim])) has_coordinate = true;
        }
    }
};

class Mover {
public:
    Mover(hwgen::Region &region, std::vector<TakenBorder> &taken) : region(region), taken(taken) {}

    void run() {
        for (size_t i = region.funcs.size(); i-- > 0;) {   // readers first: what has been moved may be moved on
            for (size_t dim = 0; dim < region.funcs[i].vars.size(); dim++) move(region.funcs[i], dim);
        }
    }

private:
    /** The number of a border that repeats `f` along `dim`; -1 if none does. */
    int repeat_of(const hwgen::Func &f, size_t dim) const {
        for (const hwgen::Func &reader : region.funcs) {
            for (const ReadsAlong::Read &r : ReadsAlong(region, reader, dim).reads) {
                if (r.producer == f.name && is_repeated(r.index)) return r.index->domain;
            }
        }
        return -1;
    }

    bool is_repeated(const std::optional<hwgen::Index> &index) const { return index && index->has_own_domain() && index->border == hwgen::Border::Repeat; }

    /** ... with the period of taken[domain]. */
    bool has_period(const std::optional<hwgen::Index> &index, int domain) const {
        if (!is_repeated(index)) return false;
        const BorderedIndex &a = taken[index->domain].index, &b = taken[domain].index;
        return is_const_zero(simplified((a.max - a.min) - (b.max - b.min)));
    }

    /** ... and with its bounds. */
    bool is_repeated(const std::optional<hwgen::Index> &index, int domain) const {
        return has_period(index, domain) && is_const_zero(simplified(taken[index->domain].index.min - taken[domain].index.min));
    }

    const hwgen::Func *func(const std::string &name) const {
        const auto f = std::find_if(region.funcs.begin(), region.funcs.end(), [&](const hwgen::Func &f) { return f.name == name; });
        return f == region.funcs.end() ? nullptr : &*f;
    }

    bool is_periodic(const ReadsAlong::Read &r, size_t dim, int domain) const {
        if (has_period(r.index, domain)) return r.index->map.is_plain();
        const bool is_plain = r.index && !r.index->border && r.index->map.is_plain();
        return is_plain && func(r.producer) && is_periodic(*func(r.producer), dim, domain);
    }

    bool is_periodic(const hwgen::Func &f, size_t dim, int domain) const {
        if (!f.value.defined()) return false;
        const ReadsAlong own(region, f, dim);
        return !own.has_coordinate && std::all_of(own.reads.begin(), own.reads.end(), [&](const auto &r) { return is_periodic(r, dim, domain); });
    }

    /** Whether all read `f` repeated alike, and it reads what is periodic, or at its own place. */
    bool can_repeat_inputs(const hwgen::Func &f, size_t dim, int domain) const {
        if (!f.value.defined() || std::count(region.outputs.begin(), region.outputs.end(), f.name)) return false;
        for (const hwgen::Func &reader : region.funcs) {
            for (const ReadsAlong::Read &r : ReadsAlong(region, reader, dim).reads) {
                if (r.producer == f.name && !is_repeated(r.index, domain)) return false;
            }
        }
        const ReadsAlong own(region, f, dim);
        return !own.has_coordinate && std::all_of(own.reads.begin(), own.reads.end(), [&](const ReadsAlong::Read &r) {
            return is_periodic(r, dim, domain) || (r.index && !r.index->border && r.index->map.is_plain() && r.index->map.offset[0] == 0);
        });
    }

    /** `change` of every read along `dim`. */
    void rewrite(hwgen::Func &f, size_t dim, const std::function<Expr(const Call &, const ReadsAlong::Read &)> &change) {
        struct Rewrite : IRGraphMutator {
            const hwgen::Region &region;
            const hwgen::Func &f;
            const size_t dim;
            const std::function<Expr(const Call &, const ReadsAlong::Read &)> &change;
            Rewrite(const hwgen::Region &region, const hwgen::Func &f, size_t dim, const std::function<Expr(const Call &, const ReadsAlong::Read &)> &change)
                : region(region), f(f), dim(dim), change(change) {}
            using IRGraphMutator::visit;
            Expr visit(const Call *op) override {
                const bool is_along = op->call_type == Call::Halide && !hwgen::is_table_read(region, *op) && dim < op->args.size();
                if (!is_along) return IRGraphMutator::visit(op);
                std::vector<Expr> args = op->args;
                args[dim] = change(*op, {op->name, hwgen::index_of(args[dim], f.vars[dim])});
                return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
            }
        };
        if (f.value.defined()) f.value = Rewrite(region, f, dim, change).mutate(f.value);
    }

    void move(hwgen::Func &f, size_t dim) {
        const int domain = repeat_of(f, dim);
        if (domain < 0 || f.kind != hwgen::Func::Kind::Stage) return;
        if (!is_periodic(f, dim, domain)) {
            if (!can_repeat_inputs(f, dim, domain)) return;
            rewrite(f, dim, [&](const Call &read, const ReadsAlong::Read &r) {
                if (is_periodic(r, dim, domain)) return read.args[dim];
                const Expr place = Variable::make(Int(32), f.vars[dim]);
                const std::string &from = taken[domain].moved_from;
                taken.push_back({f.name, read.name, dim, taken[domain].index, shown(Expr(&read)), false, from.empty() ? f.name : from});
                taken.back().index.inner = place;
                return hwgen::with_border(hwgen::Border::Repeat, place, static_cast<int>(taken.size()) - 1);
            });
        }
        for (hwgen::Func &reader : region.funcs) {
            rewrite(reader, dim, [&](const Call &read, const ReadsAlong::Read &r) {
                if (r.producer != f.name || !has_period(r.index, domain)) return read.args[dim];
                taken[r.index->domain].is_gone = true;
                return read.args[dim].as<Call>()->args[0];
            });
        }
    }

    hwgen::Region &region;
    std::vector<TakenBorder> &taken;
};

}  // namespace

void move_repeats(hwgen::Region &region, std::vector<TakenBorder> &taken) {
    Mover(region, taken).run();
}

}  // namespace argent::dsl
