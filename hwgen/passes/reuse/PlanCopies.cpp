#include "hwgen/passes/reuse/PlanCopies.h"

#include <algorithm>

namespace argent::hwgen {

namespace {

/** A further module, clocks of latency and valid bits. */
constexpr double price_of_stage = 4;

/** Who reads a signal, and where. */
struct Demand {
    int reader;   // stage, or number of stages + copy
    int lag;      // of the reader
    Shift at;
    bool operator<(const Demand &o) const { return std::tie(reader, lag, at) < std::tie(o.reader, o.lag, o.at); }
};

class Planner {
public:
    Planner(const Signals &signals, const std::vector<std::vector<SignalAt>> &outputs, const std::map<int, Keep> &keep, const Raster &raster,
            const Prices &prices, Rows rows)
        : signals(signals), outputs(outputs), keep(keep), raster(raster), prices(prices), kept_rows(rows), ranges(signals.ranges()) {}

    CopyPlan run() {
        sort();
        find_lags();
        find_cones();
        find_leaves();
        demands.resize(signals.size());
        for (size_t stage = 0; stage < outputs.size(); ++stage) {
            for (size_t lane = 0; lane < outputs[stage].size(); ++lane) {
                SignalAt s = outputs[stage][lane];
                if (signals[s.signal].is_moving) s.at.x -= static_cast<int>(lane);
                demands[s.signal].insert({static_cast<int>(stage), plan.stage_lag[stage], s.at});
            }
        }
        for (auto s = order.rbegin(); s != order.rend(); ++s) decide(*s);
        return std::move(plan);
    }

private:
    /** What is read before its readers. */
    void sort() {
        std::vector<char> state(signals.size(), 0);   // 1: on the way, 2: done
        for (const auto &stage : outputs) {
            for (const SignalAt &root : stage) {
                std::vector<int> stack = {root.signal};
                while (!stack.empty()) {
                    const int s = stack.back();
                    if (state[s] != 0) {
                        if (state[s] == 1) order.push_back(s);
                        state[s] = 2;
                        stack.pop_back();
                        continue;
                    }
                    state[s] = 1;
                    for (const SignalAt &r : signals.reads(s)) {
                        if (state[r.signal] == 0) stack.push_back(r.signal);
                    }
                }
            }
            ordered.push_back(static_cast<std::ptrdiff_t>(order.size()));
        }
    }

    /** Rows behind the inputs' newest; what a stage reads of another one is as late as that is. */
    void find_lags() {
        plan.lag.assign(signals.size(), 0);
        auto next = order.begin();
        for (size_t stage = 0; stage < outputs.size(); ++stage) {
            for (; next != order.begin() + ordered[stage]; ++next) plan.lag[*next] = lag_of(*next);
            int lag = outputs[stage].empty() ? 0 : INT32_MIN;
            for (const SignalAt &s : outputs[stage]) lag = std::max(lag, s.at.y + plan.lag[s.signal]);
            plan.stage_lag.push_back(lag);
        }
    }

    int lag_of(int s) const {
        if (signals[s].is_stored()) return plan.stage_lag.at(signals[s].leaf.producer);
        std::optional<int> lag;
        for (const SignalAt &r : signals.reads(s)) {
            if (signals[r.signal].is_moving) lag = std::max(lag.value_or(INT32_MIN), r.at.y + plan.lag[r.signal]);
        }
        return lag.value_or(0);
    }

    double own_cost(int s) const {
        const Signal &signal = signals[s];
        if (signal.kind == Signal::Kind::Sum) return sum_cost(signal.sum, ranges, prices);
        if (signal.kind == Signal::Kind::Leaf) return 0;
        return operator_cost(signals, s, prices);
    }

    /** Of a signal, and of all that only it reads. */
    void find_cones() {
        std::vector<int> readers(signals.size(), 0);
        for (int s : order) {
            std::set<int> read;
            for (const SignalAt &r : signals.reads(s)) read.insert(r.signal);
            for (int r : read) ++readers[r];
        }
        for (const auto &stage : outputs) {
            for (const SignalAt &s : stage) readers[s.signal] += 2;
        }
        cone.assign(signals.size(), 0);
        for (int s : order) {
            cone[s] = own_cost(s);
            std::set<int> read;
            for (const SignalAt &r : signals.reads(s)) read.insert(r.signal);
            for (int r : read) {
                if (readers[r] == 1) cone[s] += cone[r];
            }
        }
    }

    /** What is read in the end, of moving signals. */
    void find_leaves() {
        leaves.resize(signals.size());
        for (int s : order) {
            if (signals[s].is_stored()) leaves[s] = {{s, {}}};
            for (const SignalAt &r : signals.reads(s)) {
                if (!signals[r.signal].is_moving) continue;
                for (const SignalAt &l : leaves[r.signal]) leaves[s].insert({l.signal, l.at + r.at});
            }
            if (signals[s].kind != Signal::Kind::Leaf) ++of_leaves[leaves[s]];
            if (signals[s].kind != Signal::Kind::Op) continue;
            for (const SignalAt &r : signals[s].args) {
                read_by_others.insert(r.signal);
                if (signals[s].node.op == Op::Mul) factors.insert(r.signal);
            }
        }
    }

    static int along(Shift at, int dimension) { return dimension == 0 ? at.x : at.y; }

    const std::optional<Border> &border_of(const SignalAt &leaf, int dimension) const {
        static const std::optional<Border> none;
        const auto &border = signals[leaf.signal].leaf.border;
        return dimension < static_cast<int>(border.size()) ? border[dimension] : none;
    }

    /** Whether its border can be that of its readers (LiftBorders.h): all that it reads lies at one place along the dimension, behind one border. */
    bool is_lifted(int s, int dimension) const {
        if (leaves[s].empty()) return false;
        const SignalAt &first = *leaves[s].begin();
        const std::optional<Border> &border = border_of(first, dimension);
        return border && std::all_of(leaves[s].begin(), leaves[s].end(), [&](const SignalAt &l) {
            return along(l.at, dimension) == along(first.at, dimension) && border_of(l, dimension) == border;
        });
    }

    /** Tables of a bit that is chosen at a border, so far from the window's middle: as many elements as lie between may be in its place. One table chooses one of three,
     *  and that of an adder behind it one of two, every other time; the tables of a product's digits are full. */
    static double choice_cost(int place, bool before_adders = true) { return place == 0 ? 0 : (std::abs(place) + 1) / 2 - (before_adders ? 0.5 : 0); }

    /** Lanes of a place of the window that choose. Only the first lanes are in front of a row; any may be its last, but where the edge is repeated those
     *  behind it have it already, or choose it in an adder (ExpandBorders.h). */
    int lanes_that_choose(int place, int dimension, Border border) const {
        if (dimension == 1 && raster.repeats_rows) return 0;
        const bool is_outer = dimension == 0 && (place < 0 || border == Border::Edge);
        return is_outer ? std::min(std::abs(place), raster.lanes) : raster.lanes;
    }

    /** What a signal's borders cost if it is computed at each of these places (the multiplexers are shared with what else is computed of the same
     *  elements), less what they cost if it is computed once and read there. */
    double saved_at_borders(int s, const std::set<Shift> &at) const {
        double saved = 0;
        for (int d = 0; d < 2; ++d) {
            if (!is_lifted(s, d)) continue;
            const Border border = *border_of(*leaves[s].begin(), d);
            std::set<SignalAt> computed;
            std::set<int> read;
            for (Shift place : at) {
                for (const SignalAt &l : leaves[s]) computed.insert({l.signal, l.at + place});
                read.insert(along(place, d));
            }
            const auto cost = [&](int place, int signal) { return lanes_that_choose(place, d, border) * choice_cost(place) * ranges[signal].bits(); };
            for (const SignalAt &l : computed) saved += cost(along(l.at, d), l.signal) / of_leaves.at(leaves[s]);
            for (int place : read) saved -= cost(place, s);
        }
        return saved;
    }

    /** Registers and choices at the upper and lower border for the further columns of what a signal reads in the end, if it is computed at each of these
     *  places; they are shared with what else is computed of the same elements. */
    double saved_at_columns(int s, const std::set<Shift> &at) const {
        std::map<int, std::set<Shift>> own, all;   // of each leaf's signal
        std::set<std::pair<SignalAt, int>> elements;
        for (const SignalAt &l : leaves[s]) {
            own[l.signal].insert(l.at);
            for (Shift place : at) {
                all[l.signal].insert({l.at.y, l.at.x + place.x});
                for (int lane = 0; lane < raster.lanes; ++lane) elements.insert({{l.signal, {l.at.y, 0}}, l.at.x + place.x + lane});
            }
        }
        double saved = 0;
        for (const auto &[leaf, places] : all) {
            const int bits = ranges[leaf].bits();
            saved += window_registers_cost(bits, places, raster, prices) - window_registers_cost(bits, own.at(leaf), raster, prices);
        }
        for (const auto &[leaf, x] : elements) {
            const bool is_own = x >= 0 && x < raster.lanes;
            if (!raster.repeats_rows && !is_own && border_of(leaf, 1) && !is_lifted(s, 1)) saved += choice_cost(leaf.at.y) * ranges[leaf.signal].bits();
        }
        return saved / of_leaves.at(leaves[s]);
    }

    /** What s reads is read by `reader`, from this place on. */
    void pass_on(int s, int reader, int lag, Shift from) {
        for (const SignalAt &r : signals.reads(s)) {
            demands[r.signal].insert({reader, lag, signals[r.signal].is_moving ? from + r.at : Shift{}});
        }
    }

    void decide(int s) {
        const std::set<Demand> &d = demands[s];
        const Signal &signal = signals[s];
        std::map<int, std::vector<Demand>> late;   // rows late -> readers
        for (const Demand &r : d) late[r.lag - r.at.y - plan.lag[s]].push_back(r);
        if (signal.kind == Signal::Kind::Leaf) {
            if (signal.is_stored() && pays_to_choose_rows(s, late)) {
                for (const auto &[rows, readers] : late) add_copy(s, rows, plan.lag[s] + rows, readers);
            }
            return;
        }
        const bool may_be_copied = d.size() > 1 && signal.is_moving && signal.is_movable;
        const std::optional<Keep> how = may_be_copied ? choice(s, late) : std::nullopt;
        if (!how) {
            for (const Demand &r : d) pass_on(s, r.reader, r.lag, r.at);
        } else if (*how == Keep::All) {
            add_copy(s, std::nullopt, plan.lag[s], {d.begin(), d.end()});
        } else {
            for (const auto &[rows, readers] : late) add_copy(s, rows, plan.lag[s] + rows, readers);
        }
    }

    /** Whether the rows of a window are better chosen where a column enters it, at the upper and lower border, than for each column that is read. All rows
     *  come a clock later then. */
    bool pays_to_choose_rows(int s, const std::map<int, std::vector<Demand>> &late) const {
        if (raster.repeats_rows || !border_of({s, {}}, 1) || !signals[s].leaf.domains.empty()) return false;
        const int bits = ranges[s].bits();
        const bool is_factor = factors.count(s) > 0;
        const int tables_before_readers = is_factor ? 2 : 1;   // a product's first digits are added in one clock, the others in later ones
        double again = 0, once = price_of_stage;
        for (const auto &[rows, readers] : late) {
            const int row = readers[0].at.y;
            const double chosen = choice_cost(row, !is_factor);
            std::set<int> columns;
            for (const Demand &r : readers) {
                if (r.at.y != row) return false;
                for (int lane = 0; lane < raster.lanes; ++lane) columns.insert(r.at.x + lane);
            }
            again += chosen * bits * double(columns.size()) * tables_before_readers;
            once += (chosen + prices.flip_flop) * bits * raster.lanes;
        }
        return once < again;
    }

    /** The place of a reader that is nearest to the readers' own: what is read there only needs nothing outside of a border. */
    static Shift anchor_of(const std::vector<Demand> &readers) {
        Shift least = readers[0].at, most = least;
        for (const Demand &r : readers) {
            least = {std::min(least.y, r.at.y), std::min(least.x, r.at.x)};
            most = {std::max(most.y, r.at.y), std::max(most.x, r.at.x)};
        }
        return {std::clamp(0, least.y, most.y), std::clamp(0, least.x, most.x)};
    }

    void add_copy(int s, std::optional<int> late, int lag, const std::vector<Demand> &readers) {
        const int copy = static_cast<int>(plan.copies.size());
        const Shift anchor = anchor_of(readers);
        plan.copies.push_back({s, late, lag + anchor.y, static_cast<int>(readers.size()), anchor});
        plan.index[{s, late}] = copy;
        pass_on(s, static_cast<int>(outputs.size()) + copy, lag + anchor.y, anchor);
    }

    /** Whether share_sums, which knows what is best for a sum, knew all readers of what the sum reads in the end. */
    bool are_rows_traded(int s) const {
        return kept_rows == Rows::Traded && std::all_of(leaves[s].begin(), leaves[s].end(), [&](const SignalAt &l) { return read_by_others.count(l.signal) == 0; });
    }

    /** The cheapest way to have a signal at several places; nothing: compute it there. */
    std::optional<Keep> choice(int s, const std::map<int, std::vector<Demand>> &late) const {
        const int bits = ranges[s].bits();
        double again = 0;
        std::set<Shift> places, read_at;
        for (const auto &[rows, readers] : late) {
            std::map<int, std::set<int>> columns;   // of each reader
            for (const Demand &r : readers) {
                places.insert({-rows, r.at.x});
                read_at.insert(r.at);
                for (int lane = 0; lane < raster.lanes; ++lane) columns[r.reader].insert(r.at.x + lane);
            }
            for (const auto &[reader, x] : columns) again += cone[s] * double(x.size());
        }
        again += saved_at_borders(s, read_at) + saved_at_columns(s, read_at);
        const double once = (cone[s] + prices.flip_flop * bits) * raster.lanes + price_of_stage;
        const double registers = window_registers_cost(bits, places, raster, prices);
        const double by_columns = double(late.size()) * once + registers;
        const double all = once + registers + line_memory_cost(bits, late.rbegin()->first, raster, prices);
        const auto known = keep.find(s);
        if (known != keep.end()) {
            const double kept = are_rows_traded(s) ? once + registers : all;
            if ((known->second == Keep::All ? kept : by_columns) < again) return known->second;
        }
        if (again <= std::min(by_columns, all)) return std::nullopt;
        return all <= by_columns ? Keep::All : Keep::Columns;
    }

    const Signals &signals;
    const std::vector<std::vector<SignalAt>> &outputs;
    const std::map<int, Keep> &keep;
    const Raster &raster;
    const Prices &prices;
    const Rows kept_rows;
    const std::vector<Interval> ranges;
    std::vector<int> order;
    std::vector<std::ptrdiff_t> ordered;           // of them, so many with each stage
    std::vector<double> cone;
    std::vector<std::set<SignalAt>> leaves;
    std::map<std::set<SignalAt>, int> of_leaves;   // signals that are computed of them
    std::set<int> read_by_others;                  // signals that are operands of anything but sums
    std::set<int> factors;                         // signals that are operands of products
    std::vector<std::set<Demand>> demands;
    CopyPlan plan;
};

}  // namespace

int CopyPlan::copy_for(int reader_lag, const SignalAt &s) const {
    auto at = index.find({s.signal, std::nullopt});
    if (at == index.end()) at = index.find({s.signal, reader_lag - s.at.y - lag[s.signal]});
    return at == index.end() ? -1 : at->second;
}

CopyPlan plan_copies(const Signals &signals, const std::vector<std::vector<SignalAt>> &outputs, const std::map<int, Keep> &keep,
                     const Raster &raster, const Prices &prices, Rows rows) {
    return Planner(signals, outputs, keep, raster, prices, rows).run();
}

}  // namespace argent::hwgen
