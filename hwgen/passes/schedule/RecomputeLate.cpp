#include "hwgen/passes/schedule/RecomputeLate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "hwgen/passes/schedule/CrowdedPart.h"
#include "hwgen/passes/schedule/ScheduleStages.h"

namespace argent::hwgen {

namespace {

/** Tables of memory (Prices) that a table of logic has to save: it comes with flip-flops, and most parts have more block RAMs for a table than the dearest. */
constexpr double least_gain = 8;

/** Funcs that are computed again for each other, at most. */
constexpr int most_depth = 8;

constexpr double never = 1e9;

double cost_of(const Graph &g) { return line_memory_cost(g) + least_gain * datapath_luts(g); }

/** Funcs that are computed again for some readers of the last one. */
struct Again {
    std::set<std::string> funcs, readers;
    int64_t rows = 0;     // of the scan, by which the readers are later than all others
    double gain = 0;      // tables
};

class Finder {
public:
    Finder(const ScheduledRegion &s) : region(s.region), g(s.graph), rows(s.graph) {}

    /** What pays most by an estimate, for the later ones of the readers of a Func. */
    std::optional<Again> best(const std::string &func) const {
        const int stage = rows.stage_of(func);
        if (stage < 0 || !may_be_again(stage)) return {};
        std::map<std::string, Reach> readers;   // parts are read for the stage that they are of
        for (const auto &[i, reach] : rows.readers(stage)) {
            const Stage &s = g.stages[i];
            const auto [known, is_new] = readers.emplace(s.part_of.empty() ? s.name : s.part_of, reach);
            if (!is_new) known->second = known->second | reach;
        }
        std::vector<std::pair<std::string, Reach>> sorted(readers.begin(), readers.end());
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second.last < b.second.last; });
        std::optional<Again> best;
        for (size_t early = 1; early < sorted.size(); early++) {
            const int64_t kept = sorted[early - 1].second.last;
            Again a = {{}, {}, 0, 0};
            Reach late = sorted[early].second;
            for (size_t i = early; i < sorted.size(); i++) {
                late = late | sorted[i].second;
                a.readers.insert(sorted[i].first);
            }
            a.rows = (late.last - kept) / g.pitch;
            if (a.rows < 1) continue;
            const double saved = rows.cost(stage, late.last) - rows.cost(stage, kept);
            a.gain = saved - compute_again(stage, late, saved, 0, a.funcs);
            if (a.gain > 0 && (!best || a.gain > best->gain)) best = a;
        }
        return best;
    }

private:
    bool may_be_again(int stage) const {
        const Stage &s = g.stages[stage];
        return s.kind == Func::Kind::Stage && !s.where.known() && !is_timed(region, s.name);
    }

    /** Of a stage that fires later by so much that nobody waits, and what it reads; or `most`, if it is no less. `depth`: of what is computed again for others. */
    double compute_again(int stage, const Reach &reach, double most, int depth, std::set<std::string> &funcs) const {
        double cost = rows.cost(stage, reach.last - reach.first) + least_gain * datapath_luts(g.stages[stage].datapath);
        if (g.stages[stage].part_of.empty()) funcs.insert(g.stages[stage].name);
        for (size_t i = 0; i < g.stages.size(); i++) {
            if (cost >= most || depth == most_depth) return most;
            const auto read = rows.readers(static_cast<int>(i)).find(stage);
            if (read != rows.readers(static_cast<int>(i)).end()) cost += have_late(static_cast<int>(i), read->second + reach.first, depth + 1, funcs);
        }
        return std::min(cost, most);
    }

    /** Of what a stage has, so late: kept for longer, or computed again. */
    double have_late(int stage, const Reach &reach, int depth, std::set<std::string> &funcs) const {
        const Stage &s = g.stages[stage];
        const int64_t already = rows.last(stage);
        const bool is_part = !s.part_of.empty();   // of one that is computed again
        const double longer = is_part ? never : rows.cost(stage, std::max(reach.last, already)) - rows.cost(stage, already);
        if (longer <= 0 || funcs.count(s.name)) return 0;
        if (!may_be_again(stage)) return longer;
        std::set<std::string> more = funcs;
        const double again = compute_again(stage, reach, longer, depth, more);
        if (again < longer) funcs = more;
        return again;
    }

    const Region &region;
    const Graph &g;
    const KeptRows rows;
};

std::string shown(const Func &f) { return f.label.empty() ? f.name : f.label; }

/** The region with these Funcs twice. */
Region with_copies(const Region &given, const Again &again) {
    Region r = given;
    r.funcs.clear();
    std::map<std::string, std::string> copy_of;
    const auto renamed = [&](Halide::Expr value) {
        for (const auto &[func, copy] : copy_of) value = with_reads_of(value, func, copy);
        return value;
    };
    std::vector<std::string> readers;
    for (const Func &f : given.funcs) {
        if (again.readers.count(f.name)) readers.push_back(shown(f));
    }
    for (const Func &f : given.funcs) {
        r.funcs.push_back(f);
        if (again.readers.count(f.name)) r.funcs.back().value = renamed(f.value);
        if (!again.funcs.count(f.name)) continue;
        Func copy = f;
        copy.value = renamed(f.value);
        copy.name += "_again";
        while (std::any_of(given.funcs.begin(), given.funcs.end(), [&](const Func &g) { return g.name == copy.name; })) copy.name += "_";
        copy.label = shown(f) + "_again";
        copy.reason = fmt::format("computed again {} rows later, for {}: smaller than to keep it", again.rows, fmt::join(readers, ", "));
        copy_of[f.name] = copy.name;
        r.funcs.push_back(std::move(copy));
        const auto is_about = [&](const DirectiveText &d) { return !d.by_user && !d.func.empty() && is_element(f, d.func); };
        r.directives.erase(std::remove_if(r.directives.begin(), r.directives.end(), is_about), r.directives.end());
    }
    return r;
}

}  // namespace

ScheduledRegion recompute_late(ScheduledRegion s, const std::function<Graph(const Region &)> &schedule) {
    const std::vector<Func> funcs = s.region.funcs;
    for (auto f = funcs.rbegin(); f != funcs.rend(); ++f) {   // the last ones first: what they read may be computed again for them
        const std::optional<Again> again = Finder(s).best(f->name);
        if (!again) continue;
        ScheduledRegion copied = {with_copies(s.region, *again), {}};
        copied.graph = schedule(copied.region);
        if (cost_of(copied.graph) < cost_of(s.graph)) s = std::move(copied);
    }
    return s;
}

}  // namespace argent::hwgen
