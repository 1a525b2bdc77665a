#include "hwgen/passes/region/SizeRams.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "hwgen/passes/region/InferRates.h"
#include "hwgen/passes/region/LargestOf.h"
#include "hwgen/passes/region/Needs.h"
#include "hwgen/passes/region/RamReads.h"

namespace argent::hwgen {

using namespace Halide::Internal;
using Halide::Expr;

Expr needed_end(const Graph &g, int func, int stage, int dim, bool is_max) {
    const Needed &needed = g.stages[stage].needed[func];
    if (!needed.any) return {};
    const Expr cut = g.needs.cut(func, stage, dim, is_max);
    if (cut.defined()) return cut;
    const Expr box = Variable::make(Halide::Int(32), box_variable(dim, is_max, func));
    return expression_of((is_max ? needed.last : needed.first)[dim], box);
}

namespace {

/** Whether it depends on what only a launch tells: bounds of images, and Params without a declared range. */
bool has_unknowns(const Expr &e) {
    struct Finder : IRGraphVisitor {
        bool found = false;
        using IRGraphVisitor::visit;
        void visit(const Variable *op) override {
            found = found || (op->param.defined() && (op->param.is_buffer() || !op->param.min_value().defined() || !op->param.max_value().defined()));
        }
    } finder;
    e.accept(&finder);
    return finder.found;
}

/** An expression of one dimension for launches whose images end at `first` and `last`. */
class ImagesAround : public IRGraphMutator {
public:
    ImagesAround(const Expr &first, const Expr &last) : first(first), last(last) {}

protected:
    using IRGraphMutator::visit;
    Expr visit(const Variable *op) override {
        if (!op->param.defined() || !op->param.is_buffer()) return op;
        // Whichever dimension of the image that is: channels may come first, and columns.
        const auto is_of = [&](const char *what) { return op->name.find(op->param.name() + what) == 0; };
        return is_of(".min.") ? first : is_of(".extent.") ? last - first + 1 : Expr(op);
    }

private:
    const Expr first, last;
};

class Sizer {
public:
    Sizer(Cut cut, const std::function<Graph(const Region &)> &schedule, Diagnostics &d) : cut(std::move(cut)), schedule(schedule), d(d) {}

    Cut run() {
        Diagnostics reported_later;
        for (Ram &ram : cut.rams) {
            const Region &writer = cut.timelines[ram.writer];
            const Rates rates = infer_rates(writer, reported_later);
            for (size_t i = 0; i < writer.funcs.size() && i < rates.lanes.size(); i++) {
                if (ram.of.has(writer.funcs[i].name)) ram.lanes = rates.lanes[i];
            }
            ram.columns = ram.rows = 64;   // until all that is read of it is known
        }
        for (size_t t = cut.timelines.size(); t-- > 0;) {
            const bool is_last = t + 1 == cut.timelines.size();
            if (!is_last) settle(cut.rams[t]);
            if (d.has_errors()) break;
            const Graph g = schedule(read_rams(cut.timelines[t], cut.rams));
            if (is_last) take_outputs(g);
            else finish(cut.rams[t], g);
            for (Ram &ram : cut.rams) {
                if (std::count(ram.readers.begin(), ram.readers.end(), int(t))) widen(ram, static_cast<int>(t), g);
            }
        }
        return std::move(cut);
    }

private:
    /** Of the last timeline: its output Funcs are the accelerator's. */
    void take_outputs(const Graph &g) {
        for (int dim = 0; dim < 2; dim++) {
            reach[dim] = g.last_base(dim, g.block[dim]) + 1;
            origin[dim] = g.origin[dim];
        }
        for (int func = 0; func < g.func_count(); func++) strides.push_back({g.output_of(func).grid[0].stride, g.output_of(func).grid[1].stride});
        for (Ram &ram : cut.rams) ram.of_output.resize(strides.size());
    }

    void widen(Ram &ram, int timeline, const Graph &g) {
        const Region &region = cut.timelines[timeline];
        for (const Func &reader : region.funcs) {
            const std::vector<Places> places[2] = {places_in(reader, ram, 0), places_in(reader, ram, 1)};
            if (places[0].empty()) continue;
            const int stage = static_cast<int>(std::find_if(g.stages.begin(), g.stages.end(), [&](const Stage &s) { return s.name == reader.name; }) - g.stages.begin());
            for (size_t output = 0; output < strides.size(); output++) {
                std::map<std::string, Halide::Internal::Interval> needed;
                for (int dim = 0; dim < 2; dim++) {
                    const Expr first = end_for(output, timeline, g, stage, dim, false), last = end_for(output, timeline, g, stage, dim, true);
                    if (first.defined()) needed[reader.vars[dim]] = {first, last};
                }
                if (needed.size() < 2) continue;
                for (int dim = 0; dim < 2; dim++) {
                    for (const Places &p : places[dim]) widen(ram, output, dim, reader, bounds_of(p, needed, region, g));
                }
            }
        }
    }

    /** First or last element that one output Func of the accelerator needs of a timeline's stage, in terms of that Func's box. */
    Expr end_for(size_t output, int timeline, const Graph &g, int stage, int dim, bool is_max) const {
        if (timeline == static_cast<int>(cut.rams.size())) return needed_end(g, static_cast<int>(output), stage, dim, is_max);
        const StageNeeds &filled = cut.rams[timeline].of_output[output];
        const Expr end = needed_end(g, 0, stage, dim, is_max);
        if (!end.defined() || !filled.first[0].defined()) return {};
        std::map<std::string, Expr> box;
        for (int d = 0; d < 2; d++) {
            box[box_variable(d, false)] = filled.first[d];
            box[box_variable(d, true)] = filled.last[d];
        }
        return substitute(box, end);
    }

    void widen(Ram &ram, size_t output, int dim, const Func &reader, Halide::Internal::Interval bounds) {
        if (const auto &declared = ram.of.declared[dim]) {
            const Expr lo = static_cast<int>(declared->lo), hi = static_cast<int>(declared->hi);
            bounds.min = bounds.has_lower_bound() ? Halide::clamp(bounds.min, lo, hi) : lo;
            bounds.max = bounds.has_upper_bound() ? Halide::clamp(bounds.max, lo, hi) : hi;
        }
        if (!bounds.is_bounded()) {
            refuse_unbounded(ram, dim, reader);
            return;
        }
        StageNeeds &own = ram.of_output[output];
        own.first[dim] = lesser(own.first[dim], bounds.min);
        own.last[dim] = greater(own.last[dim], bounds.max);
    }

    static Expr lesser(const Expr &known, const Expr &e) { return simplify(known.defined() ? Halide::min(known, e) : e); }
    static Expr greater(const Expr &known, const Expr &e) { return simplify(known.defined() ? Halide::max(known, e) : e); }

    void refuse_unbounded(const Ram &ram, int dim, const Func &reader) {
        if (!blamed.insert(ram.id).second) return;
        const std::string var = cut.timelines[ram.writer].block_vars[dim], by = reader.label.empty() ? reader.name : reader.label;
        d.error(ram.of.where, fmt::format("{}: {} reads it at unbounded places of {}, and a RAM keeps a part that is known before a launch", ram.of.text, by, var),
                {fmt::format("bound the index, for example clamp(i, 0, {0}), or say {1}.bound({2}, 0, {3})", cut.whole.block[dim] - 1, ram.of.label, var, cut.whole.block[dim])});
    }

    /** Of which launches a RAM's size is asked: of all; of those whose outputs begin at 0, where reads do not move together; or with images around these, or as
     *  large as these, whose edges reads may follow. */
    enum class Launches { All, At0, InImages, LikeImages };

    /** The most elements that such launches can need in one dimension; nothing if that cannot be told, or depends on unknowns where outputs have a place. */
    std::optional<int64_t> most_of(const Ram &ram, int dim, Launches launches) const {
        const auto &declared = ram.of.declared[dim];
        std::optional<int64_t> most;
        if (declared) most = static_cast<int64_t>(declared->hi - declared->lo + 1);
        Scope<Halide::Internal::Interval> scope;
        const std::map<std::string, Expr> ends = largest_boxes(launches != Launches::All, scope);
        Expr elements = ram.last[dim] - ram.first[dim] + 1;
        const Expr first = ends.at(box_variable(dim, false)), last = ends.at(box_variable(dim, true));
        if (launches == Launches::LikeImages) elements = ImagesAround(first, last).mutate(elements);
        if (launches == Launches::InImages) {
            elements = ImagesAround(first - Variable::make(Halide::Int(32), "before"), last + Variable::make(Halide::Int(32), "behind")).mutate(elements);
            for (const char *more : {"before", "behind"}) scope.push(more, {0, Halide::Internal::Interval::pos_inf()});
        }
        elements = simplify(substitute_in_all_lets(substitute(ends, elements)));   // no bound is found of a let's
        if (launches != Launches::All && has_unknowns(elements)) return most;
        const auto number = largest_of(elements, {box_variable(dim, false), box_variable(1 - dim, false)}, scope);
        if (number && (!most || *number < *most)) most = *number;
        return most;
    }

    /** The ends of the outputs' boxes. One has its extents. Several are anywhere in what the scan reaches; all of them whole is more than any launch. */
    std::map<std::string, Expr> largest_boxes(bool is_at_0, Scope<Halide::Internal::Interval> &scope) const {
        std::map<std::string, Expr> ends;
        for (int d = 0; d < 2; d++) {
            const std::string extent = fmt::format("extent.{}", d), place = box_variable(d, false);
            const bool is_one = strides.size() == 1;
            scope.push(extent, {1, is_one ? cut.whole.block[d] : static_cast<int>(reach[d])});
            const Expr begin = is_at_0 ? Expr(0) : Variable::make(Halide::Int(32), place), count = Variable::make(Halide::Int(32), extent);
            for (size_t output = 0; output < strides.size(); output++) {
                const int stride = is_one ? 1 : strides[output][d];
                const Expr first = is_one ? begin : begin * (origin[d] / stride);   // of several, the scan's origins are counted
                ends[box_variable(d, false, static_cast<int>(output))] = first;
                ends[box_variable(d, true, static_cast<int>(output))] = first + (count - 1) / stride;
            }
        }
        return ends;
    }

    /** When all of its readers are known: what all outputs need, and the block of the timeline that writes it. */
    void settle(Ram &ram) {
        if (d.has_errors()) return;   // there may be no bounds
        Region &writer = cut.timelines[ram.writer];
        for (const StageNeeds &own : ram.of_output) {
            for (int dim = 0; dim < 2 && own.first[0].defined(); dim++) {
                ram.first[dim] = lesser(ram.first[dim], own.first[dim]);
                ram.last[dim] = greater(ram.last[dim], own.last[dim]);
            }
        }
        for (int dim = 0; dim < 2; dim++) {
            if (!ram.first[dim].defined()) {
                d.error(ram.of.where, fmt::format("{}: {} is read where it has no effect", ram.of.text, ram.of.label), {"leave it out"});
                return;
            }
            std::optional<int64_t> most = most_of(ram, dim, Launches::All);
            ram.is_checked[dim] = !most || strides.size() > 1;   // larger boxes have larger bounds, but nobody has proven it
            if (!most) most = most_of(ram, dim, Launches::At0);
            if (!most) {
                most = most_of(ram, dim, Launches::InImages);
                if (!most) most = most_of(ram, dim, Launches::LikeImages);
                most = std::max<int64_t>(cut.whole.block[dim], most.value_or(0));
            }
            ram.most[dim] = static_cast<int>(std::clamp<int64_t>(*most, 1, most_ram_elements));
            writer.filled[dim] = {ram.first[dim], ram.last[dim]};
        }
        writer.block = {ram.most[0], ram.most[1]};
        if (int64_t(ram.most[0]) * ram.most[1] <= most_ram_elements / 2) return;
        refuse_size(cut, ram, 1, d);
    }

    static void finish(Ram &ram, const Graph &g) {
        const Stage &s = g.stages[g.outputs[0]];
        const int around = g.shifts_lanes(s) ? 2 * (s.lanes - 1) : s.lanes - 1;   // with the first and the last vector whole
        ram.columns = (ram.most[0] + around) / s.lanes;
        ram.rows = ram.most[1];
    }

public:
    /** `copies`: of all its elements. */
    static void refuse_size(const Cut &cut, const Ram &ram, int64_t copies, Diagnostics &d) {
        const Board &board = cut.whole.board;
        int bits = 0;
        for (const Buffered::Element &e : ram.of.elements) bits += e.type.bits();
        const int64_t kbit = (int64_t(ram.most[0]) * ram.most[1] * bits * copies + 1023) / 1024;
        d.error(ram.of.where,
                fmt::format("{}: {} x {} elements of {} bits{} take {} kbit, and {} has {} kbit of block RAM", ram.of.text, ram.most[0], ram.most[1], bits,
                            copies > 1 ? fmt::format(", {} times for all that is read in a clock,", copies) : "", kbit, board.part, board.block_ram_kbit),
                {copies > 1 ? "give a smaller block, read it at fewer places, or compute fewer positions a clock" :
                              fmt::format("give a smaller block, or leave {} to the host", ram.of.label)});
    }

private:
    Cut cut;
    const std::function<Graph(const Region &)> &schedule;
    Diagnostics &d;
    std::set<std::string> blamed;
    // Of the accelerator's output Funcs:
    std::vector<std::array<int, 2>> strides;   // base elements from element to element
    std::array<int64_t, 2> reach = {1, 1};     // base elements from the scan's origin to the last that all of them may have
    std::array<int, 2> origin = {1, 1};        // base elements from origin to origin
};

}  // namespace

Cut size_rams(Cut cut, const std::function<Graph(const Region &)> &schedule, Diagnostics &diagnostics) {
    return cut.rams.empty() ? cut : Sizer(std::move(cut), schedule, diagnostics).run();
}

void check_rams(const Cut &cut, const Timelines &timelines, Diagnostics &diagnostics) {
    for (const Ram &ram : cut.rams) {
        int64_t bits = 0, one = 0;
        for (const Buffered::Element &e : ram.of.elements) one += int64_t(e.type.bits()) * ram.lanes * ram.depth();
        for (int t : ram.readers) {
            const Graph &g = timelines.all[t].graph;
            for (const Stage &s : g.stages) {
                const std::map<std::string, int> lookups = lookups_of(s.datapath);
                for (const TableSource &table : g.tables) {
                    if (table.ram != ram.writer || !lookups.count(table.id)) continue;
                    bits += int64_t(lookups.at(table.id) + 1) / 2 * table.type.bits() * ram.depth();
                }
            }
        }
        if (bits > int64_t(cut.whole.board.block_ram_kbit) * 1024) Sizer::refuse_size(cut, ram, (bits + one - 1) / one, diagnostics);
    }
}

}  // namespace argent::hwgen
