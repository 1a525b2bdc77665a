#include "hwgen/passes/schedule/InlineWindows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "hwgen/passes/region/InlineFunc.h"
#include "hwgen/passes/schedule/CrowdedPart.h"
#include "hwgen/passes/schedule/ScheduleStages.h"
#include "hwgen/passes/time/ShareStages.h"

namespace argent::hwgen {

namespace {

/** Tables of memory (Prices) that a table of logic has to save: 20 tables for a block RAM at most. recompute_late asks for less, as it adds one stage; here a whole window is computed
 *  in each of its rows, with registers for more columns. With as little, the products of Harris corners would go for a fifth more tables. */
constexpr double least_gain = 20;

/** What may be saved. */
class Finder {
public:
    explicit Finder(const ScheduledRegion &s) : region(s.region), g(s.graph), rows(s.graph) {
        for (const Func &reader : region.funcs) {
            if (!reader.value.defined()) continue;
            for (const Halide::Internal::Call *c : reads_in(reader.value)) reads[reader.name].insert(c->name);
        }
        for (const Func &f : region.funcs) {
            if (may_go(f)) candidates.insert(f.name);
        }
    }

    /** Funcs that one of them reads, if rows of them are kept that need not be. */
    std::vector<std::string> read_by(const Func &reader) const {
        std::vector<std::string> found;
        const auto read = reads.find(reader.name);
        if (read != reads.end()) std::set_intersection(read->second.begin(), read->second.end(), candidates.begin(), candidates.end(), std::back_inserter(found));
        return found;
    }

    /** Memory that is saved at best if nobody keeps them, but what they read for as long. */
    double saved(const std::vector<std::string> &funcs) const {
        std::set<int> gone;
        for (const std::string &f : funcs) gone.merge(with_parts(rows.stage_of(f)));
        double saved = 0;
        for (int stage : gone) saved += rows.cost(stage, rows.last(stage));
        for (size_t i = 0; i < g.stages.size(); i++) {
            const int stage = static_cast<int>(i);
            if (gone.count(stage)) continue;
            int64_t until = rows.last(stage);
            for (const auto &[reader, reach] : rows.readers(stage)) {
                if (gone.count(reader)) until = std::max(until, reach.last + rows.last(reader));
            }
            saved -= rows.cost(stage, until) - rows.cost(stage, rows.last(stage));
        }
        return saved;
    }

private:
    bool may_go(const Func &f) const {
        const int stage = rows.stage_of(f.name);
        const bool is_output = std::count(region.outputs.begin(), region.outputs.end(), f.name) > 0;
        if (!f.may_be_inlined || is_output || is_timed(region, f.name) || stage < 0 || rows.last(stage) < g.pitch) return false;
        const std::set<int> stages = with_parts(stage);
        return std::none_of(stages.begin(), stages.end(), [&](int s) { return has_lookups(s) || is_shared_in_time(s); });
    }

    /** Each further place of a table takes a port, or the table again. */
    bool has_lookups(int stage) const {
        const std::vector<Node> &nodes = g.stages[stage].datapath.nodes();
        return std::any_of(nodes.begin(), nodes.end(), [](const Node &n) { return n.op == Op::Lookup; });
    }

    /** Whether a stage or who reads it has several clocks for an element, and so fewer operators than a datapath tells. */
    bool is_shared_in_time(int stage) const {
        const std::map<int, Reach> &readers = rows.readers(stage);
        return clocks_of_taps(g, g.stages[stage]) > 1 || std::any_of(readers.begin(), readers.end(), [&](const auto &r) { return clocks_of_taps(g, g.stages[r.first]) > 1; });
    }

    std::set<int> with_parts(int stage) const {
        std::set<int> stages = {stage};
        for (size_t i = 0; i < g.stages.size(); i++) {
            if (g.stages[i].part_of == g.stages[stage].name) stages.insert(static_cast<int>(i));
        }
        return stages;
    }

    const Region &region;
    const Graph &g;
    const KeptRows rows;
    std::map<std::string, std::set<std::string>> reads;   // of each Func, by name
    std::set<std::string> candidates;
};

class Attempts {
public:
    Attempts(ScheduledRegion given, const std::function<Graph(const Region &)> &schedule) : s(std::move(given)), schedule(schedule) { finder.emplace(s); }

    ScheduledRegion run() {
        const std::vector<Func> before = s.region.funcs;
        for (size_t i = before.size(); i-- > 0;) {   // the last ones first: what is inlined there reads what comes before
            while (const size_t gone = inline_for(s.region.funcs[i])) i -= gone;   // they came before it
        }
        tell(before);
        return std::move(s);
    }

private:
    /** Inlines what one Func reads, all of it or one: so many Funcs. */
    size_t inline_for(const Func &reader) {
        const std::vector<std::string> funcs = finder->read_by(reader);
        if (funcs.size() > 1 && inlines(funcs)) return funcs.size();
        return std::any_of(funcs.begin(), funcs.end(), [&](const std::string &f) { return inlines({f}); });
    }

    /** Inlines these Funcs, if that costs less. */
    bool inlines(const std::vector<std::string> &funcs) {
        if (failed.count(funcs)) return false;
        std::optional<ScheduledRegion> without = finder->saved(funcs) > 0 ? without_rows_of(funcs) : std::nullopt;
        if (!without) {
            failed.insert(funcs);
            return false;
        }
        s = std::move(*without);
        finder.emplace(s);
        failed.clear();
        return true;
    }

    std::optional<ScheduledRegion> without_rows_of(const std::vector<std::string> &funcs) const {
        ScheduledRegion without = {s.region, {}};
        for (const std::string &f : funcs) {
            std::optional<Region> r = inline_func(without.region, f);
            if (!r) return {};
            without.region = std::move(*r);
        }
        try {
            without.graph = schedule(without.region);
        } catch (const Error &) {   // of what the user asks for, as it is: a FIFO's depth, say
            return {};
        }
        const double memory = line_memory_cost(s.graph) - line_memory_cost(without.graph), logic = datapath_luts(without.graph) - datapath_luts(s.graph);
        if (memory <= 0 || memory <= least_gain * logic) return {};
        return without;
    }

    /** What was chosen is told as the user would have said it. Of a Func of which some elements are kept nothing can be said. */
    void tell(const std::vector<Func> &before) {
        std::vector<DirectiveText> told;
        for (DirectiveText d : s.region.directives) {
            const auto elements = [&](const std::vector<Func> &funcs) { return std::count_if(funcs.begin(), funcs.end(), [&](const Func &f) { return is_element(f, d.func); }); };
            const auto were = elements(before), are = elements(s.region.funcs);
            if (!d.by_user && !d.func.empty() && are < were) {
                if (are > 0) continue;
                d.text = "inlined" + d.text.substr(d.text.find('('));
            }
            told.push_back(std::move(d));
        }
        s.region.directives = std::move(told);
    }

    ScheduledRegion s;
    const std::function<Graph(const Region &)> &schedule;
    std::optional<Finder> finder;                // of s
    std::set<std::vector<std::string>> failed;   // of s
};

}  // namespace

ScheduledRegion inline_windows(ScheduledRegion s, const std::function<Graph(const Region &)> &schedule) { return Attempts(std::move(s), schedule).run(); }

}  // namespace argent::hwgen
