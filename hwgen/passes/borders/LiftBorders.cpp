#include "hwgen/passes/borders/LiftBorders.h"

#include <algorithm>

#include "hwgen/ir/Index.h"

namespace argent::hwgen {

namespace {

using namespace Halide::Internal;

/** The indices of all reads along one dimension. */
struct Along : IRGraphVisitor {
    const Region &region;
    size_t dim;
    const Func &f;
    std::vector<Index> reads;
    bool has_coordinate = false;   // elsewhere than in an index
    bool has_other_rate = false;
    Along(const Region &region, const Func &f, size_t dim) : region(region), dim(dim), f(f) { f.value.accept(this); }

    using IRGraphVisitor::visit;
    void visit(const Variable *op) override { has_coordinate = has_coordinate || op->name == f.vars[dim]; }
    void visit(const Call *op) override {
        if (op->call_type != Call::Halide || is_table_read(region, *op)) return IRGraphVisitor::visit(op);
        for (size_t d = 0; d < op->args.size(); d++) {
            const std::optional<Index> index = d < f.vars.size() ? index_of(op->args[d], f.vars[d]) : std::nullopt;
            if (d != dim) continue;
            if (index && index->map.is_plain()) reads.push_back(*index);
            else has_other_rate = true;
        }
    }
};

/** Takes the border from all reads along `dim`, or gives one to those of a producer that have none. */
class Rewrite : public IRGraphMutator {
public:
    Rewrite(const Region &region, const Func &f, size_t dim) : region(region), f(f), dim(dim) {}
    Rewrite(const Region &region, const Func &f, size_t dim, std::string producer, Border border)
        : region(region), f(f), dim(dim), producer(std::move(producer)), border(border) {}

private:
    using IRGraphMutator::visit;
    Halide::Expr visit(const Call *op) override {
        const bool is_other = is_table_read(region, *op) || (!producer.empty() && op->name != producer);
        if (op->call_type != Call::Halide || is_other) return IRGraphMutator::visit(op);
        std::vector<Halide::Expr> args = op->args;
        const bool has_border = index_of(args[dim], f.vars[dim])->border.has_value();
        if (border && !has_border) args[dim] = with_border(*border, args[dim]);
        if (!border) args[dim] = Variable::make(Halide::Int(32), f.vars[dim]);
        return Call::make(op->type, op->name, args, op->call_type, op->func, op->value_index, op->image, op->param);
    }

    const Region &region;
    const Func &f;
    const size_t dim;
    const std::string producer;   // empty: all, which are at the stage's own place
    const std::optional<Border> border;
};

/** The border of all that the stage reads at its own place, if there is one and it may be its readers' instead. */
std::optional<Border> liftable(const Region &region, const Func &f, size_t dim) {
    if (!f.value.defined() || std::count(region.outputs.begin(), region.outputs.end(), f.name)) return std::nullopt;
    const Along own(region, f, dim);
    if (own.has_coordinate || own.has_other_rate || own.reads.empty()) return std::nullopt;
    const std::optional<Border> border = own.reads[0].border;
    const bool is_one = std::all_of(own.reads.begin(), own.reads.end(), [&](const Index &i) { return i.border == border && i.map.offset[0] == 0; });
    if (!border || !is_one) return std::nullopt;   // as nearly always
    if (own.reads[0].has_own_domain()) return std::nullopt;   // its readers may have others
    const bool is_plain = std::none_of(region.funcs.begin(), region.funcs.end(),
                                       [&](const Func &reader) { return reader.value.defined() && Along(region, reader, dim).has_other_rate; });
    return is_plain ? border : std::nullopt;
}

}  // namespace

Region lift_borders(Region region) {
    for (size_t i = 0; i < region.funcs.size(); i++) {   // producers first: what was lifted may be lifted again
        for (size_t dim = 0; dim < region.funcs[i].vars.size(); dim++) {
            const std::optional<Border> border = liftable(region, region.funcs[i], dim);
            if (!border) continue;
            const std::string name = region.funcs[i].name;
            region.funcs[i].value = Rewrite(region, region.funcs[i], dim).mutate(region.funcs[i].value);
            for (Func &reader : region.funcs) {
                if (reader.value.defined()) reader.value = Rewrite(region, reader, dim, name, *border).mutate(reader.value);
            }
        }
    }
    return region;
}

}  // namespace argent::hwgen
