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

    /** In which order RAMs are filled, and all other Funcs follow: their readers, or all the outputs. */
    struct Way {
        bool are_rams_turned, may_turn;
    };
    void run(const Way &chosen) {
        way = chosen;
        reads.clear();
        for (auto name = walk.order.rbegin(); name != walk.order.rend(); ++name) {   // consumers first
            if (walk.constants.count(*name)) continue;
            if (!walk.is_out(*name)) order(*name);
            for (const Expr &value : walk.own_of(*name)) {
                for (const Call *c : hwgen::reads_in(value)) reads[c->name].push_back({c, *name});
            }
        }
        for (const auto &[name, f] : walk.input_funcs) order(name);
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

    void order(const std::string &name) {
        std::vector<int> &scanned = walk.shapes.at(name).scanned;
        std::sort(scanned.begin(), scanned.end());
        if (scanned.size() != 2) return;
        const bool is_turned = spec.buffered(name) ? way.are_rams_turned :
                               way.may_turn        ? all_follow_columns(reads[name], scanned) :
                                                     is_out_turned();
        if (is_turned) std::swap(scanned[0], scanned[1]);
    }

    bool is_out_turned() const {
        const std::vector<int> &scanned = walk.shapes.at(walk.outs[0]).scanned;
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
            const auto stride = [&](int d) { return image.stride_constraint(d).defined() ? as_const_int(image.stride_constraint(d)).value_or(0) : 0; };
            int channels = 1;   // that lie side by side
            for (int d = 0; d < f.dimensions(); d++) {
                const Expr extent = image.extent_constraint(d);
                if (d != dims[0] && d != dims[1] && stride(d) == 1 && extent.defined()) channels = static_cast<int>(as_const_int(extent).value_or(1));
            }
            const auto is_first = [&](int d) { return stride(d) == 1 || (channels > 1 && stride(d) >= channels && stride(d) <= most_channels); };
            return is_first(dims[0]) ? dims[0] : is_first(dims[1]) ? dims[1] : -1;
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
    Way way{};
    std::map<std::string, std::vector<Read>> reads;   // by callee
};

}  // namespace

void order_scans(const AcceleratorSpec &spec, const Env &env, Walk &walk) {
    ScanOrder order(spec, env, walk);
    for (const ScanOrder::Way way : {ScanOrder::Way{false, true}, {true, true}, {false, false}}) {
        order.run(way);
        if (!order.is_any_stored_otherwise()) return;
    }
}

}  // namespace argent::dsl
