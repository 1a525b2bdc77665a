#include "hwgen/passes/region/InferDomain.h"

#include <algorithm>

#include "hwgen/ir/Index.h"

namespace argent::hwgen {

namespace {

using namespace Halide::Internal;

void widen(Range &r, int lo, int hi) {
    r.min = std::min(r.min, lo);
    r.max = std::max(r.max, hi);
}

/** What is asked of the domain's edges. */
std::vector<PlaceBeyond> beyonds_in(const Func &f) {
    struct Finder : IRGraphVisitor {
        const Func &f;
        std::vector<PlaceBeyond> found;
        explicit Finder(const Func &f) : f(f) { f.value.accept(this); }
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            if (const auto b = beyond_of(*op, f.vars)) found.push_back(*b);
            IRGraphVisitor::visit(op);
        }
    };
    return Finder(f).found;
}

}  // namespace

Domain infer_domain(const Region &region) {
    const size_t dims = region.block.size();
    Domain domain;
    domain.bordered.assign(dims, false);
    domain.reach.assign(dims, {});
    std::map<std::string, Box> computed;   // relative to the domain
    std::map<std::string, Box> needed;     // relative to the output, as if no border ended anything
    const auto reach_to = [&](size_t dim, const Range &reached) {
        domain.bordered[dim] = true;
        domain.reach[dim].min = std::max(domain.reach[dim].min, -reached.min);
        domain.reach[dim].max = std::max(domain.reach[dim].max, reached.max);
    };
    const auto boxes_of = [&](std::map<std::string, Box> &boxes, const std::string &name) -> Box & {
        return boxes.emplace(name, Box(dims)).first->second;
    };
    for (auto f = region.funcs.rbegin(); f != region.funcs.rend(); ++f) {
        const Box own = boxes_of(computed, f->name), own_needed = boxes_of(needed, f->name);
        if (!f->value.defined()) continue;
        for (const Call *c : reads_in(f->value)) {
            if (is_table_read(region, *c)) continue;
            for (size_t dim = 0; dim < c->args.size() && dim < dims; dim++) {
                const std::optional<Index> i = index_of(c->args[dim], f->vars[dim]);
                if (!i || !i->map.is_plain()) continue;   // refused elsewhere; other rates have no borders
                const int offset = i->map.offset[0];
                Range reached{own_needed[dim].min + offset, own_needed[dim].max + offset};
                if (i->border && !i->has_own_domain() && *i->border != Border::Edge) {   // what is mirrored lies on the other side
                    const int farthest = std::max(-reached.min, reached.max);
                    reached = {-farthest, farthest};
                }
                widen(boxes_of(needed, c->name)[dim], reached.min, reached.max);
                if (!i->border || i->has_own_domain()) {   // the host computes what is needed
                    widen(boxes_of(computed, c->name)[dim], own[dim].min + offset, own[dim].max + offset);
                    continue;
                }
                reach_to(dim, reached);
            }
        }
        for (const PlaceBeyond &b : beyonds_in(*f)) reach_to(b.dim, {own_needed[b.dim].min + b.offset, own_needed[b.dim].max + b.offset});
    }
    // Whole vectors, so that the output of a launch in the middle of an image begins in lane 0.
    domain.reach[0].min = (domain.reach[0].min + region.pixels - 1) / region.pixels * region.pixels;
    for (auto &[name, box] : computed) {
        for (Range &r : box) r = {std::max(0, -r.min), std::max(0, r.max)};
    }
    domain.outside = std::move(computed);
    return domain;
}

}  // namespace argent::hwgen
