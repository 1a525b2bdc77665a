#include "dsl/OrderScans.h"

#include <algorithm>

#include "dsl/Calls.h"
#include "dsl/Capture.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

class ScanOrder {
public:
    ScanOrder(const AcceleratorSpec &spec, const Env &env, Walk &walk) : spec(spec), env(env), walk(walk) {}

    /** `may_turn`: rows and columns may be exchanged on the way. Otherwise all Funcs have the outputs' order. */
    void run(bool may_turn) {
        reads.clear();
        for (auto name = walk.order.rbegin(); name != walk.order.rend(); ++name) {   // consumers first
            if (walk.constants.count(*name)) continue;
            if (!walk.is_out(*name)) order(*name, may_turn);
            for (const Expr &value : walk.own_of(*name)) {
                for (const Call *c : hwgen::reads_in(value)) reads[c->name].push_back({c, *name});
            }
        }
        for (const auto &[name, f] : walk.input_funcs) order(name, may_turn);
    }

    /** Whether an input's rows, as they are scanned, are not together in memory. */
    bool is_any_stored_otherwise() const {
        return std::any_of(walk.input_funcs.begin(), walk.input_funcs.end(), [&](const auto &input) {
            const std::vector<int> &scanned = walk.shapes.at(input.first).scanned;
            return scanned.size() == 2 && first_stored(input.second, scanned) == scanned[1];
        });
    }

private:
    struct Read {
        const Call *call;
        std::string reader;
    };

    void order(const std::string &name, bool may_turn) {
        std::vector<int> &scanned = walk.shapes.at(name).scanned;
        std::sort(scanned.begin(), scanned.end());
        if (scanned.size() != 2 || spec.buffered(name)) return;
        if (may_turn ? all_follow_columns(reads[name], scanned) : is_turned(walk.outs[0])) std::swap(scanned[0], scanned[1]);
    }

    bool is_turned(const std::string &name) const {
        const std::vector<int> &scanned = walk.shapes.at(name).scanned;
        return !std::is_sorted(scanned.begin(), scanned.end());
    }

    bool all_follow_columns(const std::vector<Read> &reads, const std::vector<int> &dims) const {
        bool any = false;
        for (const Read &r : reads) {
            const std::vector<std::string> vars = scanned_vars(env.at(r.reader), walk.shapes.at(r.reader));
            if (vars.size() != 2) return false;
            const auto follows = [&](int dim, int var) {
                const Expr &index = r.call->args[dims[dim]];
                return expr_uses_var(index, vars[var]) && !expr_uses_var(index, vars[1 - var]);
            };
            if (follows(0, 0) || follows(1, 1)) return false;
            any = any || follows(0, 1) || follows(1, 0);
        }
        return any;
    }

    /** Which of two dimensions has its elements together in memory, as far as that is known. */
    int first_stored(const Function &f, const std::vector<int> &dims) const {
        const Parameter image = env.count(f.name()) ? image_of(f) : Parameter();
        if (image.defined()) {
            const auto is_one = [&](int d) { return image.stride_constraint(d).defined() && is_const_one(image.stride_constraint(d)); };
            return is_one(dims[0]) ? dims[0] : is_one(dims[1]) ? dims[1] : -1;
        }
        for (const StorageDim &s : f.schedule().storage_dims()) {
            for (int d : dims) {
                if (f.args()[d] == s.var) return d;
            }
        }
        return -1;
    }

    const AcceleratorSpec &spec;
    const Env &env;
    Walk &walk;
    std::map<std::string, std::vector<Read>> reads;   // by callee
};

}  // namespace

void order_scans(const AcceleratorSpec &spec, const Env &env, Walk &walk) {
    ScanOrder order(spec, env, walk);
    order.run(true);
    if (order.is_any_stored_otherwise()) order.run(false);
}

}  // namespace argent::dsl
