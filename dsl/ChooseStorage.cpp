#include "dsl/ChooseStorage.h"

#include <fmt/format.h>

#include <algorithm>

#include "dsl/Capture.h"
#include "dsl/Tables.h"
#include "dsl/Texts.h"
#include "dsl/ThroughBorders.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

const std::string by_level = "has a compute level";

/** As many places as this are many: no need to count on. */
constexpr size_t enough_places = 1000;

/** Operators that cost logic in one evaluation: wires (casts, shifts and products by powers of two) are free. */
class Cost : public IRGraphVisitor {
public:
    int total = 0;

protected:
    using IRGraphVisitor::visit;
    template<typename T>
    void add(const T *op, int cost) {
        IRGraphVisitor::visit(op);
        total += cost;
    }
    static bool is_power_of_two(const Expr &e) {
        const auto v = as_const_int(e);
        return v && *v > 0 && (*v & (*v - 1)) == 0;
    }
    void visit(const Add *op) override { add(op, 1); }
    void visit(const Sub *op) override { add(op, 1); }
    void visit(const Mul *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 2 : 6); }
    void visit(const Div *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 4 : 12); }
    void visit(const Mod *op) override { add(op, is_power_of_two(op->b) ? 0 : is_const(op->b) ? 6 : 12); }
    void visit(const Min *op) override { add(op, 2); }
    void visit(const Max *op) override { add(op, 2); }
    void visit(const EQ *op) override { add(op, 1); }
    void visit(const NE *op) override { add(op, 1); }
    void visit(const LT *op) override { add(op, 1); }
    void visit(const LE *op) override { add(op, 1); }
    void visit(const GT *op) override { add(op, 1); }
    void visit(const GE *op) override { add(op, 1); }
    void visit(const Select *op) override { add(op, 1); }
    void visit(const Call *op) override {
        if (op->call_type == Call::Halide || op->call_type == Call::Image) {   // indices cost nothing, but for those of tables
            if (std::any_of(op->args.begin(), op->args.end(), reads_data)) add(op, 4);
            return;
        }
        const bool free = op->is_intrinsic(Call::likely) ||
                          (op->is_intrinsic(Call::shift_left) && is_const(op->args[1])) ||
                          (op->is_intrinsic(Call::shift_right) && is_const(op->args[1]));
        add(op, free ? 0 : 1);
    }
};

/** The distinct reads of elements, as printed. */
class Reads : public IRGraphVisitor {
public:
    Reads(const Walk &walk, const std::vector<std::string> &vars) : walk(walk), vars(vars) {}
    std::map<Scalar, std::set<std::string>> found;   // printed args
    std::set<std::string> aside;                     // Funcs that are read where no scan comes along: at numbers, or at a computed place

protected:
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type != Call::Halide) return;
        std::string key;
        for (const Expr &a : op->args) key += key_of(a) + ";";
        const auto shape = walk.shapes.find(op->name);
        const auto element = shape == walk.shapes.end() ? std::nullopt : scalar_read(op, shape->second);
        found[element.value_or(Scalar{op->name, op->value_index, {}})].insert(key);
        const bool moves = std::any_of(op->args.begin(), op->args.end(), [&](const Expr &a) { return moves_with(a, vars); });
        if (!moves || std::any_of(op->args.begin(), op->args.end(), reads_data)) aside.insert(op->name);
    }

private:
    const Walk &walk;
    const std::vector<std::string> vars;
};

}  // namespace

std::map<std::string, std::string> choose_storage(const AcceleratorSpec &spec, const Env &env, const Walk &walk) {
    std::map<std::string, std::string> stored;
    for (const std::string &out : walk.outs) stored[out] = walk.outs.size() == 1 ? "the output" : "an output";
    std::set<std::string> inlined;
    for (const auto &s : spec.storage) {
        const std::string name = s.value.func.name();
        if (walk.inputs.count(name)) continue;
        if (s.value.kind == StorageDirective::Kind::Inlined) {
            inlined.insert(name);
        } else {
            const std::string file = s.where.file.substr(s.where.file.find_last_of('/') + 1);
            stored[name] = fmt::format("{}, {}:{}", storage_text(s.value), file, s.where.line);
        }
    }
    for (const std::string &name : walk.order) {
        const Function &f = env.at(name);
        if (f.dimensions() == 0) inlined.insert(name);   // of Params: a register
        const bool may_be = !walk.constants.count(name) && !image_of(f).defined();
        if (!may_be || stored.count(name) || inlined.count(name)) continue;
        if (!f.schedule().compute_level().is_inlined()) stored[name] = by_level;
    }
    // Consumers decide for their producers: an element is wanted at the places where the stages that it ends up in read it.
    std::map<Scalar, std::set<std::string>> places;
    std::set<std::string> aside;   // Funcs that nobody can scan: of one dimension, read aside of a scan, or by others of these
    for (const auto &[name, shape] : walk.shapes) {
        if (shape.scanned.size() < 2) aside.insert(name);
    }
    ThroughBorders borders(env, walk);
    for (auto it = walk.order.rbegin(); it != walk.order.rend(); ++it) {
        const std::string &name = *it;
        const auto own = walk.own.find(name);
        if (own == walk.own.end() && !walk.constants.count(name)) stored.erase(name);   // nothing reads it
        if (own == walk.own.end() || own->second.empty()) continue;
        if (aside.count(name) && stored.count(name) && stored.at(name) == by_level) stored.erase(name);
        if (!stored.count(name) && borders.needs_stage(name, stored)) stored[name] = "read beyond a border";
        borders.pass_on(name, stored.count(name) > 0);
        const auto known = walk.scalars.find(name);
        std::vector<Scalar> elements = known == walk.scalars.end() ? std::vector<Scalar>() : known->second;
        if (elements.size() != own->second.size()) elements.assign(own->second.size(), {name, 0, {}});
        std::vector<Reads> reads;
        const bool may_be_stage = !inlined.count(name) && !aside.count(name);
        for (size_t i = 0; i < elements.size(); i++) {
            Cost cost;
            reads.emplace_back(walk, env.at(name).args());
            own->second[i].accept(&cost);
            own->second[i].accept(&reads.back());
            const size_t count = places[elements[i]].size();
            if (!stored.count(name) && may_be_stage && cost.total * (int64_t(count) - 1) >= 1) {
                stored[name] = fmt::format("read at {} places, {} operators each", count, cost.total);
            }
        }
        for (const Reads &r : reads) {
            aside.insert(r.aside.begin(), r.aside.end());
            if (stored.count(name) || !aside.count(name)) continue;
            for (const auto &[producer, sites] : r.found) aside.insert(producer.func);
        }
        for (size_t i = 0; i < elements.size(); i++) {
            const std::string self = name + fmt::format(":{}:", i);
            for (const auto &[producer, sites] : reads[i].found) {
                if (places[producer].size() > enough_places) continue;
                for (const std::string &site : sites) {
                    if (stored.count(name)) {
                        places[producer].insert(self + site);
                    } else {
                        for (const std::string &place : places[elements[i]]) places[producer].insert(place + "+" + site);
                    }
                }
            }
        }
    }
    return stored;
}

}  // namespace argent::dsl
