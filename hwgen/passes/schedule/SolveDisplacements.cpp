#include "hwgen/passes/schedule/SolveDisplacements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/datapath/Leaves.h"
#include "hwgen/passes/schedule/PlanWindows.h"

namespace argent::hwgen {

namespace {

/** Variables: every stage's displacement, then every producer's last read, then the head of the scan. Where a line memory
 *  has to keep its rows while the scan goes through rows that its producer does not have, a tap must lie whole rows and
 *  whole columns late: then rows and columns are displaced each by themselves, and there is a set of variables for each. */
struct Variables {
    int stages;
    bool split;
    int sets() const { return split ? 2 : 1; }
    int displacement(int stage, int set = 0) const { return 2 * stages * set + stage; }
    int last_read(int producer, int set = 0) const { return 2 * stages * set + stages + producer; }
    int head() const { return 2 * stages * sets(); }
    int count() const { return head() + 1; }
    /** What of a distance a set is about. */
    Distance part(Distance d, int set) const {
        return !split ? d : set == 0 ? Distance{d.rows, 0} : Distance{0, d.cols};
    }
};

Variables variables_of(const Graph &g) {
    bool replays = false;
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) replays = replays || g.stages[t.producer].grid[1].step > 1;
    }
    return {static_cast<int>(g.stages.size()), replays};
}

std::string read_text(const Graph &g, const Stage &consumer, const Tap &t) {
    const Leaf &l = consumer.datapath.leaves()[t.leaf];
    return fmt::format("{} reads {} at ({}, {})", consumer.shown(), g.stages[t.producer].shown(), l.offset[0], l.offset[1]);
}

/** Places of the scan before which stages must not fire, and behind which they must not, by their numbers. */
struct Limits {
    std::map<int, Distance> earliest, latest;
};

DifferenceProblem problem_of(const Graph &g, const Limits &limits) {
    const Variables v = variables_of(g);
    DifferenceProblem problem;
    problem.pitch = g.pitch;
    problem.cost.assign(v.count(), 0);
    std::vector<bool> is_read(v.stages, false);
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) is_read[t.producer] = true;
    }
    for (const auto &[stage, place] : limits.earliest) {
        problem.constraints.push_back({v.head(), v.displacement(stage), place, g.stages[stage].shown() + " begins behind the first column, so that the scan's place tells what it needs"});
    }
    for (const RepeatedRead &r : g.repeated_reads) {
        const std::string reason = fmt::format("{} reads rows of {} that repeat its edges: the first one is there, and all of a column come in one step", g.stages[r.reader].shown(), g.stages[r.producer].shown());
        problem.constraints.push_back({v.displacement(r.producer), v.displacement(r.reader), r.behind, reason});
    }
    for (const auto &[stage, place] : limits.latest) {
        problem.constraints.push_back({v.displacement(stage), v.head(), -place, g.stages[stage].shown() + " is not late, so that its rows are read at the scan's place"});
    }
    for (int set = 0; set < v.sets(); set++) {
        const std::string what = !v.split ? "" : set == 0 ? ", rows" : ", columns";
        for (int i = 0; i < v.stages; i++) {
            const Stage &s = g.stages[i];
            problem.constraints.push_back({v.head(), v.displacement(i, set), {}, s.shown() + " does not fire before the scan begins" + what});
            for (const Tap &t : s.taps) {
                const Distance newest = v.part(t.offset, set), oldest = v.part(t.offset - t.span(), set);
                problem.constraints.push_back({v.displacement(t.producer, set), v.displacement(i, set), newest, read_text(g, s, t) + what});
                problem.constraints.push_back({v.displacement(i, set), v.last_read(t.producer, set), -oldest, read_text(g, s, t) + " last" + what});
            }
        }
        for (const Bundle &b : g.bundles) {
            for (size_t k = 1; k < b.stages.size(); k++) {
                const int one = b.stages[k - 1], other = b.stages[k];
                const std::string reason = fmt::format("{} and {} lie side by side in memory{}", g.stages[one].shown(), g.stages[other].shown(), what);
                problem.constraints.push_back({v.displacement(one, set), v.displacement(other, set), {}, reason});
                problem.constraints.push_back({v.displacement(other, set), v.displacement(one, set), {}, reason});
            }
        }
        for (int p = 0; p < v.stages; p++) {
            problem.constraints.push_back({v.displacement(p, set), v.last_read(p, set), {}, g.stages[p].shown() + " is held until it is read" + what});
            if (!is_read[p]) continue;
            const int64_t bits = g.bits_per_position(p);
            problem.cost[v.displacement(p, set)] -= bits;
            problem.cost[v.last_read(p, set)] += bits;
        }
    }
    return problem;
}

/** The shortest rows for which the solution can be built: it holds, no stage is displaced by more than a row in columns
 *  alone, every tap is some rows late, and a line memory has a word at least (its depth is pitch - 1 + slip). */
int64_t least_usable_pitch(const Graph &g) {
    int64_t least = std::max<int64_t>(2 * g.pitch_unit, least_pitch(g.displacement_problem, g.displacement_solution));
    for (const Stage &s : g.stages) {
        least = std::max(least, std::abs(s.displacement.cols));
        for (const Tap &t : s.taps) {
            if (t.delay.rows < 0) least = std::max(least, 2 * g.pitch);   // longer rows make it columns
            if (t.delay.rows > 0) least = std::max(least, (2 - floor_div(t.delay.cols, t.delay.rows)) * g.stages[t.producer].grid[0].step);
        }
    }
    return least;
}

/** Directly, or by what was made a stage of its own window. */
bool reads(const Graph &g, int reader, int producer) {
    return std::any_of(g.stages[reader].taps.begin(), g.stages[reader].taps.end(), [&](const Tap &t) {
        return t.producer == producer || (!g.stages[t.producer].part_of.empty() && reads(g, t.producer, producer));
    });
}

/** The stage after `from` on the longest way to `to`, or nothing if it is read directly. */
const Stage *through(const Graph &g, int from, int to) {
    for (int i = to - 1; i > from; i--) {
        if (g.stages[i].part_of.empty() && reads(g, i, from) && reads(g, to, i)) return &g.stages[i];
    }
    return nullptr;
}

/** Elements of `from` that are held between it and the oldest read of `to`, directly or by what was made a stage of `to`'s window. */
int64_t held(const Graph &g, int from, int to) {
    int64_t most = 0;
    for (const Tap &t : g.stages[to].taps) {
        const int64_t late = g.elements_in(from, t.oldest().at(g.pitch));
        if (t.producer == from) {
            most = std::max(most, late + g.stages[from].lanes);
        } else if (!g.stages[t.producer].part_of.empty()) {
            const int64_t before = held(g, from, t.producer);
            if (before > 0) most = std::max(most, late + before);
        }
    }
    return most;
}

/** What a fifo_depth() lacks, and why. */
struct Lack {
    const FifoDepth *given = nullptr;
    int64_t needed = 0;
    std::string of;
};

Lack lack_of(const Graph &g, const FifoDepth &f) {
    int from = -1, to = -1;
    for (size_t i = 0; i < g.stages.size(); i++) {
        if (g.stages[i].name == f.from) from = static_cast<int>(i);
        if (g.stages[i].name == f.to) to = static_cast<int>(i);
    }
    if (from < 0 || to < 0) return {&f, 0, {}};   // reported by the check of the region
    const Stage *middle = through(g, from, to);
    return {&f, held(g, from, to), middle ? "the path through " + middle->shown() : "the window of " + g.stages[to].shown()};
}

/** One text for each directive: of a Func with channels, the one that needs most. */
void check_fifo_depths(const Graph &g, const Region &region, Diagnostics &diagnostics) {
    std::vector<Lack> lacks;
    for (const FifoDepth &f : region.fifo_depths) {
        const Lack lack = lack_of(g, f);
        if (f.elements >= lack.needed) continue;
        const auto same = std::find_if(lacks.begin(), lacks.end(), [&](const Lack &l) {
            return l.given->text == f.text && l.given->where.line == f.where.line && l.given->where.file == f.where.file;
        });
        if (same == lacks.end()) lacks.push_back(lack);
        else if (lack.needed > same->needed) *same = lack;
    }
    for (const Lack &l : lacks) {
        diagnostics.error(l.given->where, fmt::format("{} is too small: {} needs {}", l.given->text, l.of, l.needed),
                          {fmt::format("leave it out, or give at least {}", l.needed)});
    }
}

/** How much longer than the domain's rows of the scan would be with all streams and borders in_raster: a scan of its own costs
 *  some 40 LUT each. Only where that is next to nothing of a row; else what the longest row has. */
int raster_extra(const Graph &g) {
    constexpr int most_elements = 4;   // 0.2 % of a row of 1920
    int longest = 0, needed = 0;
    for (const Stage &s : g.stages) {
        const int extra = s.box[0].max - s.box[0].min;
        longest = std::max(longest, extra);
        const bool is_stream = s.kind == Func::Kind::Input || std::count(g.outputs.begin(), g.outputs.end(), &s - g.stages.data()) > 0;
        const bool has_border = std::any_of(s.datapath.leaves().begin(), s.datapath.leaves().end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Place; });
        if (is_stream || has_border) needed = std::max<int64_t>(needed, extra + s.displacement.cols * g.lanes);
    }
    return !g.has_rates && needed <= longest + most_elements ? needed : 0;
}

/** Of all readers of windows that repeat rows. */
std::vector<RepeatedRead> repeated_reads(const Graph &g) {
    std::vector<RepeatedRead> all;
    for (size_t i = 0; i < g.stages.size(); i++) {
        for (const int producer : producers_of(g.stages[i].datapath)) {
            const Stage &p = g.stages[producer];
            if (p.repeats_rows) all.push_back({producer, static_cast<int>(i), Distance{-p.box[1].min, 0}});
        }
    }
    return all;
}

/** Lets readers be later to which rows of one column would come in several steps; whether any has to. */
bool wait_for_columns(Graph &g) {
    bool is_late = false;
    for (RepeatedRead &r : g.repeated_reads) {
        int64_t missing = 0;
        for (const Tap &t : g.stages[r.reader].taps) {
            if (t.producer == r.producer) missing = std::max(missing, -t.delay.cols);
        }
        if (missing > 0) r.behind = g.stages[r.reader].displacement - g.stages[r.producer].displacement + Distance{0, missing};
        is_late = is_late || missing > 0;
    }
    return is_late;
}

/** Needs boxes. Leaves: displacements, delays, the pitch. */
Graph solve(Graph g, const Limits &limits) {
    g.repeated_reads = repeated_reads(g);
    int attempts = 4;   // who waits makes others wait; can_repeat_rows tells whether all are right in the end
    // A solution holds for the pitch that it was found at and for shorter rows down to a least one. Where that is longer
    // than the block's rows, rows are scanned as if they were longer, and the problem is another one.
    for (;;) {
        g.pitch = g.row_pitch(g.domain(0));
        g.displacement_problem = problem_of(g, limits);
        g.displacement_solution = minimise(g.displacement_problem);
        const std::vector<Distance> &value = g.displacement_solution.value;
        const Variables v = variables_of(g);
        for (size_t i = 0; i < g.stages.size(); i++) {
            Distance &d = g.stages[i].displacement = {};
            for (int set = 0; set < v.sets(); set++) d += v.part(value[v.displacement(static_cast<int>(i), set)] - value[v.head()], set);
        }
        for (Stage &s : g.stages) {
            for (Tap &t : s.taps) t.delay = s.displacement - g.stages[t.producer].displacement - t.offset;
        }
        if (attempts-- > 0 && wait_for_columns(g)) continue;
        const int64_t least = least_usable_pitch(g);
        g.least_pitch = least;
        const int extra = raster_extra(g);
        if (least <= g.pitch && extra <= g.longest_extra()) break;
        g.row_extra = std::max(g.row_extra, extra);
    }
    g.pitch = g.row_pitch(g.domain(0));
    return g;
}

/** Bits of a column of all that a stage reads: what its windows hold in a register more if it reads a column later. */
int64_t bits_of_column(const Graph &g, int reader) {
    std::set<std::pair<int, int64_t>> rows;
    for (const Tap &t : g.stages[reader].taps) rows.insert({t.producer, t.delay.rows});
    int64_t bits = 0;
    for (const auto &[producer, row] : rows) bits += g.stages[producer].bits() * g.lanes;
    return bits;
}

/** An output of which a part may leave begins at any place of a row. Where its rows are those of the scan, nothing is in front of its first
 *  place, and it needs a scan of its own (some 30 LUT and 100 FF): a column later the head's tells. */
Graph move_cut_outputs(Graph g) {
    constexpr int64_t most_bits = 128;
    if (g.has_rates || !(g.bordered[0] || g.bordered[1])) return g;
    Limits limits;
    for (int o : g.outputs) {
        if (g.stages[o].displacement.cols != 0) continue;
        if (bits_of_column(g, o) > most_bits) return g;
        limits.earliest[o] = g.stages[o].displacement + Distance{0, 1};
    }
    if (limits.earliest.empty()) return g;
    Graph moved = solve(g, limits);
    const bool all = std::all_of(g.outputs.begin(), g.outputs.end(), [&](int o) { return moved.is_told(moved.stages[o]) && moved.stages[o].displacement.cols > 0; });
    return all ? moved : g;
}

/** Bits of registers in all windows. A line memory that is not read at the head's place has an address of its own, a counter with a comparison. */
int64_t bits_of_windows(const Graph &displaced) {
    constexpr int64_t own_address = 20;
    const Graph g = plan_windows(displaced);
    int64_t bits = 0;
    for (const Window &w : g.windows) {
        bits += std::accumulate(w.columns.begin(), w.columns.end(), int64_t(0)) * g.stages[w.producer].bits() * g.lanes;
        if (w.rows > 0 && !g.is_in_place(w)) bits += own_address;
    }
    return bits;
}

/** The rows of a cross are read a column early, at addresses of their own. With outputs some columns later the head's place is the address, and the registers
 *  of the newest row take the place of those of the oldest. Only where no row of the scan becomes longer. */
Graph read_rows_by_place(Graph g) {
    constexpr int most_columns = 2;
    if (g.has_rates || std::any_of(g.outputs.begin(), g.outputs.end(), [&](int o) { return !g.is_told(g.stages[o]); })) return g;
    Graph best = g;
    for (int columns = 1; columns <= most_columns; columns++) {
        Limits limits;
        for (size_t i = 0; i < g.stages.size(); i++) {
            if (g.stages[i].kind == Func::Kind::Input) limits.latest[static_cast<int>(i)] = g.stages[i].displacement;
        }
        for (int o : g.outputs) limits.earliest[o] = g.stages[o].displacement + Distance{0, columns};
        Graph moved = solve(g, limits);
        const bool all = std::all_of(g.outputs.begin(), g.outputs.end(), [&](int o) { return moved.is_told(moved.stages[o]); });
        if (all && moved.pitch == g.pitch && bits_of_windows(moved) < bits_of_windows(best)) best = std::move(moved);
    }
    return best;
}

}  // namespace

Graph solve_displacements(Graph g, const Region &region, Diagnostics &diagnostics) {
    g = read_rows_by_place(move_cut_outputs(solve(std::move(g), {})));
    check_fifo_depths(g, region, diagnostics);
    return g;
}

}  // namespace argent::hwgen
