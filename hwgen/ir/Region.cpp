#include "hwgen/ir/Region.h"

#include <algorithm>

namespace argent::hwgen {

int Buffer::place(size_t i) const {
    const auto behind = [&](const Plane &p) {
        int place = 0;
        for (size_t d = 0; d < p.at.size(); d++) place += p.at[d] * strides[d];
        return place;
    };
    int first = behind(planes[i]);
    for (size_t j = 0; j < planes.size(); j++) {
        if (are_together(i, j)) first = std::min(first, behind(planes[j]));
    }
    return behind(planes[i]) - first;
}

bool Buffer::are_together(size_t i, size_t j) const {
    const Plane &a = planes[i], &b = planes[j];
    for (int d = 0; d < dimensions; d++) {
        if (!moves(d)) continue;   // channels, whose places in memory are known
        if (a.at[d] != b.at[d] || a.moves(d) != b.moves(d) || (a.moves(d) && !Halide::Internal::equal(a.moving[d], b.moving[d]))) return false;
    }
    return true;
}

bool is_element(const Func &f, const std::string &of) { return f.name.substr(0, f.name.find('.')) == of; }

std::vector<const Halide::Internal::Call *> reads_in(const Halide::Expr &e) {
    using namespace Halide::Internal;
    struct Reads : IRGraphVisitor {
        std::vector<const Call *> found;
        using IRGraphVisitor::visit;
        void visit(const Call *op) override {
            IRGraphVisitor::visit(op);
            if (op->call_type == Call::Halide || op->call_type == Call::Image) found.push_back(op);
        }
    } reads;
    e.accept(&reads);
    return reads.found;
}

Halide::Expr with_reads_of(const Halide::Expr &e, const std::string &from, const std::string &to) {
    using namespace Halide::Internal;
    struct Rename : IRGraphMutator {
        const std::string &from, &to;
        Rename(const std::string &from, const std::string &to) : from(from), to(to) {}
        using IRGraphMutator::visit;
        Halide::Expr visit(const Call *op) override {
            const Halide::Expr e = IRGraphMutator::visit(op);
            const Call *call = e.as<Call>();
            if (!call || call->call_type != Call::Halide || call->name != from) return e;
            return Call::make(call->type, to, call->args, call->call_type, call->func, call->value_index, call->image, call->param);
        }
    };
    return e.defined() ? Rename(from, to).mutate(e) : e;
}

bool is_timed(const Region &r, const std::string &func) {
    return std::any_of(r.fifo_depths.begin(), r.fifo_depths.end(), [&](const FifoDepth &d) { return d.from == func || d.to == func; }) ||
           std::any_of(r.time_shares.begin(), r.time_shares.end(), [&](const TimeShare &t) { return t.func == func; });
}

bool is_table_read(const Region &r, const Halide::Internal::Call &c) {
    if (std::any_of(r.buffered.begin(), r.buffered.end(), [&](const Buffered &b) { return b.has(c.name); })) return true;
    if (r.tables.empty()) return false;
    const std::string key = table_key(c);
    return std::any_of(r.tables.begin(), r.tables.end(), [&](const TableSource &t) { return t.name == key; });
}

const Buffer *buffer_of(const Region &r, const std::string &func) {
    for (const Buffer &b : r.buffers) {
        for (const Plane &p : b.planes) {
            if (p.func == func) return &b;
        }
    }
    return nullptr;
}

}  // namespace argent::hwgen
