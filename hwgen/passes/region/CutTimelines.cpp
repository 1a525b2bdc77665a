#include "hwgen/passes/region/CutTimelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hwgen/passes/region/InferRates.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

namespace {

/** Funcs and variables in a value. */
struct Uses : IRGraphVisitor {
    std::set<std::string> funcs, variables;
    using IRGraphVisitor::visit;
    void visit(const Call *op) override {
        IRGraphVisitor::visit(op);
        if (op->call_type == Call::Halide) funcs.insert(op->name);
    }
    void visit(const Variable *op) override { variables.insert(op->name); }
};

Uses uses_of(const Func &f) {
    Uses uses;
    if (f.value.defined()) f.value.accept(&uses);
    return uses;
}

class Cutter {
public:
    explicit Cutter(const Region &region) : region(region) { cut.whole = region; }

    Cut run() {
        for (const std::string &out : region.outputs) ids.reserve(verilog::stem(label_of(out)));
        for (const Func &f : region.funcs) {
            if (const Buffered *b = buffered_at(f.name)) add_ram(*b);
        }
        add_timeline(region.outputs, label_of(region.outputs[0]));
        for (size_t t = 0; t < cut.timelines.size(); t++) {
            for (Ram &ram : cut.rams) {
                const auto &funcs = cut.timelines[t].funcs;
                const bool reads = std::any_of(funcs.begin(), funcs.end(), [&](const Func &f) { return reads_ram(f, ram); });
                if (reads && int(t) != ram.writer) ram.readers.push_back(static_cast<int>(t));
            }
        }
        return std::move(cut);
    }

private:
    /** The buffered Func of which `name` is the last element: all that it needs comes before. */
    const Buffered *buffered_at(const std::string &name) const {
        for (const Buffered &b : region.buffered) {
            const auto last = std::find_if(region.funcs.rbegin(), region.funcs.rend(), [&](const Func &f) { return b.has(f.name); });
            if (last != region.funcs.rend() && last->name == name) return &b;
        }
        return nullptr;
    }

    static bool reads_ram(const Func &f, const Ram &ram) {
        const std::set<std::string> funcs = uses_of(f).funcs;
        return std::any_of(ram.of.elements.begin(), ram.of.elements.end(), [&](const Buffered::Element &e) { return funcs.count(e.name) > 0; });
    }

    std::string label_of(const std::string &name) const {
        const auto f = std::find_if(region.funcs.begin(), region.funcs.end(), [&](const Func &f) { return f.name == name; });
        return f->label.empty() ? f->name : f->label;
    }

    void add_ram(const Buffered &b) {
        Ram ram;
        ram.of = b;
        ram.id = ids.unique(verilog::stem(b.label));
        ram.writer = static_cast<int>(cut.timelines.size());
        cut.rams.push_back(ram);
        std::vector<std::string> outputs;
        for (const Buffered::Element &e : b.elements) outputs.push_back(e.name);
        Region &r = add_timeline(outputs, b.label);
        r.output_funcs.clear();
        for (Func &f : r.funcs) {
            if (!b.has(f.name)) continue;
            r.block_vars = f.vars;
            if (b.elements.size() > 1) f.label = own_label(f.label, f.name);
            else f.label = ram.id;
        }
        if (!region.throughput_where.known()) r.clocks = default_clocks(r);
    }

    /** What `outputs` need, without what RAMs hold. */
    std::set<std::string> needed(const std::vector<std::string> &outputs) const {
        std::set<std::string> found(outputs.begin(), outputs.end());
        for (auto f = region.funcs.rbegin(); f != region.funcs.rend(); ++f) {
            if (!found.count(f->name)) continue;
            for (const std::string &callee : uses_of(*f).funcs) {
                const bool is_held = std::any_of(region.buffered.begin(), region.buffered.end(), [&](const Buffered &b) { return b.has(callee); });
                if (!is_held) found.insert(callee);
            }
        }
        return found;
    }

    Region &add_timeline(const std::vector<std::string> &outputs, const std::string &label) {
        Region r = region;
        const std::set<std::string> names = needed(outputs);
        const auto is_gone = [&](const std::string &name) { return !names.count(name); };
        r.name = fmt::format("{}_{}", region.name, verilog::stem(label));
        r.outputs = outputs;
        r.has_host_geometry = true;
        r.funcs.erase(std::remove_if(r.funcs.begin(), r.funcs.end(), [&](const Func &f) { return is_gone(f.name); }), r.funcs.end());
        r.fifo_depths.erase(std::remove_if(r.fifo_depths.begin(), r.fifo_depths.end(), [&](const FifoDepth &d) { return is_gone(d.from) || is_gone(d.to); }),
                            r.fifo_depths.end());
        r.time_shares.erase(std::remove_if(r.time_shares.begin(), r.time_shares.end(), [&](const TimeShare &s) { return is_gone(s.func); }), r.time_shares.end());
        keep_read_params(r);
        for (Func &f : r.funcs) {
            if (f.kind == Func::Kind::Input) take_input(r, f, label);
        }
        for (Buffer &b : r.buffers) {
            const auto is_here = [&](const Plane &p) { return std::any_of(r.funcs.begin(), r.funcs.end(), [&](const Func &f) { return f.name == p.func; }); };
            b.planes.erase(std::remove_if(b.planes.begin(), b.planes.end(), [&](const Plane &p) { return !is_here(p); }), b.planes.end());
            if (b.is_interleaved() && b.planes.size() > 1 && !streams.insert(b.name).second) b.stream = ids.unique(verilog::stem(fmt::format("{}_for_{}", b.name, label)));
        }
        cut.timelines.push_back(std::move(r));
        return cut.timelines.back();
    }

    static void keep_read_params(Region &r) {
        std::set<std::string> read;
        for (const Func &f : r.funcs) read.merge(uses_of(f).variables);
        r.params.erase(std::remove_if(r.params.begin(), r.params.end(), [&](const Param &p) { return !read.count(p.variable); }), r.params.end());
    }

    /** An input that another timeline reads already comes a second time, through a port of its own. */
    void take_input(Region &r, Func &input, const std::string &reader) {
        const std::string given = input.name;
        std::string label = input.label.empty() ? input.name : input.label;
        if (!inputs.insert(given).second) {
            input.name = given + own_input + reader;
            label = fmt::format("{}_for_{}", label, reader);
            for (Func &f : r.funcs) f.value = with_reads_of(f.value, given, input.name);
            for (auto *buffers : {&r.buffers, &cut.whole.buffers}) {
                for (Buffer &b : *buffers) add_plane(b, given, input.name);
            }
            Func copy = input;
            copy.label = label;
            cut.whole.funcs.insert(cut.whole.funcs.begin(), copy);
        }
        input.label = own_label(label, input.name);
    }

    /** What timelines have ports for is told apart by labels. */
    std::string own_label(const std::string &label, const std::string &name) {
        return ids.unique(verilog::stem(label)) == verilog::stem(label) ? label : name;
    }

    static void add_plane(Buffer &b, const std::string &given, const std::string &own) {
        const auto plane = std::find_if(b.planes.begin(), b.planes.end(), [&](const Plane &p) { return p.func == given; });
        if (plane == b.planes.end()) return;
        Plane copy = *plane;
        copy.func = own;
        b.planes.push_back(copy);
    }

    const Region &region;
    Cut cut;
    std::set<std::string> inputs;   // that a timeline reads
    std::set<std::string> streams;  // interleaved buffers of which a timeline has several planes
    verilog::Scope ids;             // of streams and RAMs
};

/** Reads memories in place of RAMs. */
class ReadRams : public IRGraphMutator {
public:
    explicit ReadRams(const std::vector<Ram> &rams) : rams(rams) {}
    std::set<int> read;

protected:
    using IRGraphMutator::visit;
    Expr visit(const Call *op) override {
        const Expr e = IRGraphMutator::visit(op);
        const Call *call = e.as<Call>();
        if (!call || call->call_type != Call::Halide) return e;
        for (size_t i = 0; i < rams.size(); i++) {
            if (rams[i].channel || !rams[i].of.has(call->name)) continue;
            read.insert(static_cast<int>(i));
            return element(rams[i], *call);
        }
        return e;
    }

private:
    static Expr variable(const std::string &name) { return Variable::make(Halide::Int(32), name); }

    static Expr element(const Ram &ram, const Call &c) {
        Expr x = c.args[0];
        if (ram.lanes > 1) x = x - variable(first_name(ram));
        const Expr vector = ram.lanes > 1 ? x / ram.lanes : x;
        const Expr word = Halide::unsafe_promise_clamped(c.args[1] * ram.columns + vector - variable(origin_name(ram)), 0, ram.depth() - 1);
        const auto of_lane = [&](int lane) { return Call::make(c.type, fmt::format("{}.ram{}", c.name, lane), {word}, Call::Halide); };
        Expr value = of_lane(0);
        for (int lane = 1; lane < ram.lanes; lane++) value = Halide::select(x % ram.lanes == lane, of_lane(lane), value);
        return value;
    }

    const std::vector<Ram> &rams;
};

}  // namespace

std::string origin_name(const Ram &ram) { return ram.id + "_origin"; }
std::string first_name(const Ram &ram) { return ram.id + "_first"; }

Cut cut_timelines(const Region &region) {
    if (!region.buffered.empty()) return Cutter(region).run();
    return {region, {region}, {}};
}

Region read_rams(Region region, const std::vector<Ram> &rams) {
    ReadRams reads(rams);
    for (Func &f : region.funcs) {
        if (f.value.defined()) f.value = reads.mutate(f.value);
    }
    verilog::Scope ids;
    for (const TableSource &t : region.tables) ids.reserve(t.id);
    for (int i : reads.read) {
        const Ram &ram = rams[i];
        for (const Buffered::Element &e : ram.of.elements) {
            for (int lane = 0; lane < ram.lanes; lane++) {
                TableSource t;
                t.name = fmt::format("{}.ram{}", e.name, lane);
                t.label = e.label;
                t.id = ids.unique(verilog::stem(ram.lanes == 1 ? e.label : fmt::format("{}_{}", e.label, lane)));
                t.type = e.type;
                t.declared.resize(1);
                t.ram = i;
                region.tables.push_back(std::move(t));
            }
        }
        std::vector<std::string> names = {origin_name(ram)};
        if (ram.lanes > 1) names.push_back(first_name(ram));
        for (const std::string &name : names) region.params.push_back({name, name, Halide::Int(32), Interval::of(Halide::Int(32))});
    }
    region.buffered.clear();
    return region;
}

}  // namespace argent::hwgen
