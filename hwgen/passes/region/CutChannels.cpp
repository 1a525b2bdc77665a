#include "hwgen/passes/region/CutChannels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/ir/Cost.h"
#include "hwgen/passes/region/ChannelDepth.h"
#include "hwgen/passes/region/InferRates.h"
#include "hwgen/passes/region/SizeRams.h"
#include "hwgen/passes/time/ShareStages.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

namespace {

const int least_clocks = 4;         // for an element: below that, too little is gained
const double price_of_scan = 500;   // tables: a head with its scans, and the registers of its place
const int64_t part_of_launch = 256, few_clocks = 1024;   // the second timeline may end so much later than one timeline would
const size_t most_tried = 4;
const int most_words = 1 << 15;     // of a FIFO

std::string label_of(const Func &f) {
    return f.label.empty() ? f.name : f.label;
}

std::string describe(double tables) {
    return fmt::format("{:.0f} look-up tables", tables);
}

/** Which Funcs read which. */
class Reads {
public:
    explicit Reads(const Region &region) {
        std::map<std::string, size_t> index;
        for (const Func &f : region.funcs) {
            of.emplace_back();
            if (f.value.defined()) {
                for (const Halide::Internal::Call *c : reads_in(f.value)) {
                    if (index.count(c->name)) of.back().insert(index.at(c->name));
                }
            }
            index[f.name] = of.size() - 1;
        }
    }

    /** What `roots` need, without what only `end` needs. */
    std::vector<bool> needed(const std::vector<size_t> &roots, size_t end) const {
        std::vector<bool> is_needed(of.size(), false);
        for (size_t r : roots) is_needed[r] = true;
        for (size_t i = of.size(); i-- > 0;) {
            if (!is_needed[i] || i == end) continue;
            for (size_t producer : of[i]) is_needed[producer] = true;
        }
        return is_needed;
    }

private:
    std::vector<std::set<size_t>> of;
};

/** Funcs at which a cut leaves nothing in common but themselves, the first of each rate. */
std::vector<size_t> candidates(const Region &region, const Rates &rates) {
    const size_t count = region.funcs.size(), nothing = count;
    const auto clocks_of = [&](size_t i) { return int64_t(rates.clocks) * rates.grids[i][0].step * rates.grids[i][1].step; };
    const auto is_slow = [&](size_t i) { return region.funcs[i].kind == Func::Kind::Stage && rates.lanes[i] == 1 && clocks_of(i) >= least_clocks; };
    std::vector<size_t> outputs, found;
    for (size_t i = 0; i < count; i++) {
        if (std::count(region.outputs.begin(), region.outputs.end(), region.funcs[i].name)) outputs.push_back(i);
    }
    if (!std::all_of(outputs.begin(), outputs.end(), is_slow)) return {};   // as nearly always
    const Reads reads(region);
    std::set<std::pair<int, int>> known;
    for (size_t i = 0; i < count && found.size() < most_tried; i++) {
        const std::array<Grid, 2> &grid = rates.grids[i];
        if (!is_slow(i) || known.count({grid[0].stride, grid[1].stride}) || std::count(outputs.begin(), outputs.end(), i)) continue;
        const std::vector<bool> behind = reads.needed(outputs, i), before = reads.needed({i}, nothing);
        bool fits = behind[i];
        for (size_t k = 0; k < count; k++) {
            if (k == i) continue;
            fits = fits && !(behind[k] && before[k]);
            for (int dim = 0; dim < 2 && behind[k]; dim++) fits = fits && rates.grids[k][dim].stride % grid[dim].stride == 0;
        }
        if (!fits) continue;
        known.insert({grid[0].stride, grid[1].stride});
        found.push_back(i);
    }
    return found;
}

/** Look-up tables that are saved by sharing operators in time. */
double saved_by_sharing(Graph g, const Region &region) {
    Diagnostics of_another;   // it is decided later what is built
    g = share_stages(std::move(g), region, of_another);
    double sum = 0;
    for (const Stage &s : g.stages) sum += s.shared ? s.shared->saves : 0;
    return sum;
}

int stage_of(const Graph &g, const std::string &name) {
    const auto s = std::find_if(g.stages.begin(), g.stages.end(), [&](const Stage &s) { return s.name == name; });
    return static_cast<int>(s - g.stages.begin());
}

double fifo_cost(int bits, int64_t words, const Prices &prices) {
    if (words <= 64 || bits * words <= 2048) return 10 + double(bits) * double((words + 31) / 32);   // as ag_fifo chooses
    return 30 + prices.block_ram * double((bits * words + 18431) / 18432);
}

class Cutter {
public:
    Cutter(const Region &region, const Rates &rates, const std::function<Graph(const Region &)> &schedule) : region(region), rates(rates), schedule(schedule) {}

    /** Nothing if that cannot be, or does not pay. */
    std::optional<Cut> at(size_t func) {
        const Func &f = region.funcs[func];
        split(f);
        Region &first = cut.timelines[0], &second = cut.timelines[1];
        if (cut.whole.funcs.size() != region.funcs.size()) return {};   // an input is read on both sides
        Graph behind = schedule(second);
        const int input = stage_of(behind, f.name);
        if (!has_plain_input(behind, input)) return {};
        set_box(behind, input);
        const Graph front = schedule(first);
        const Stage &given = front.stages[front.outputs[0]];
        if (given.lanes != 1 || share_a_table(front, behind)) return {};
        second.funcs[0].range = given.range;
        const int clocks = clocks_behind(front, given, behind);
        const int64_t apart = int64_t(front.clocks) * given.grid[0].step;
        if (clocks <= apart) return {};
        set_clocks(second, clocks);
        behind = schedule(second);
        const double saved = saved_by_sharing(front, first) + saved_by_sharing(behind, second) - saved_by_sharing(schedule(region), region);
        const int words = channel_words(row_of_channel(front, front.outputs[0], clocks), 16);
        const double costs = fifo_cost(given.bits(), words, {}) + price_of_scan;
        if (saved <= costs || words > most_words) return {};
        cut.rams[0].channel->clocks = clocks;
        cut.rams[0].channel->reason = fmt::format("{} has an element in {} clocks on one timeline, at most one in {} of a row; what is behind it takes one in {} on its own, "
                                                  "and shares operators worth {} for {} of FIFO and scan",
                                                  label_of(f), apart * given.grid[1].step, apart, clocks, describe(saved), describe(costs));
        first.taken_clocks = clocks;
        return std::move(cut);
    }

private:
    /** As at a buffered Func, but that the second timeline has it as an input. */
    void split(const Func &f) {
        Region with = region;
        Buffered kept;
        kept.label = label_of(f);
        kept.elements = {{f.name, kept.label, f.type}};
        with.buffered = {kept};
        cut = cut_timelines(with);
        cut.rams[0].channel = Channel();
        Func input;
        input.kind = Func::Kind::Input;
        input.name = f.name;
        input.label = own_label(label_of(f) + "_fifo");
        input.type = f.type;
        input.vars = f.vars;
        input.expression = label_of(f);
        input.reason = "a FIFO between timelines";
        cut.timelines[1].funcs.insert(cut.timelines[1].funcs.begin(), input);
        cut.rams[0].readers = {1};
        for (Region &r : cut.timelines) r.buffered.clear();
        cut.whole.buffered.clear();
        Region &first = cut.timelines[0];
        first.pixels = 1;
        first.clocks = rates.clocks * rates.grids[&f - region.funcs.data()][0].step;
        set_clocks(cut.timelines[1], 1);
    }

    /** Timelines have ports of different names. */
    std::string own_label(std::string label) const {
        const auto is_taken = [&](const Func &f) { return label_of(f) == label; };
        while (std::any_of(region.funcs.begin(), region.funcs.end(), is_taken)) label += "_";
        return label;
    }

    /** A position of the second timeline in so many clocks. Its positions are elements of the channel, the finest that it has. */
    static void set_clocks(Region &second, int clocks) {
        Diagnostics reported_later;
        const Rates rates = infer_rates(second, reported_later);
        for (size_t i = 0; i < second.funcs.size(); i++) {
            if (second.funcs[i].name != second.outputs[0]) continue;
            second.pixels = 1;
            second.clocks = clocks * rates.grids[i][0].stride;
        }
    }

    /** Whether what is read of the channel is a box of it, as it comes. */
    static bool has_plain_input(const Graph &g, int input) {
        if (input == static_cast<int>(g.stages.size())) return false;
        const Stage &s = g.stages[input];
        const bool is_plain = g.func_count() == 1 && s.lanes == 1 && g.lanes == 1 && s.grid[0].stride == 1 && s.grid[1].stride == 1;
        return is_plain && s.edges[0].is_open() && s.edges[1].is_open() && !g.needs.is_cut_anywhere(input);
    }

    /** The host loads a table for one timeline. */
    static bool share_a_table(const Graph &front, const Graph &behind) {
        for (size_t i = 0; i < front.tables.size(); i++) {
            if (front.tables[i].is_loaded() && !front.tables[i].box.empty() && !behind.tables[i].box.empty()) return true;
        }
        return false;
    }

    void set_box(const Graph &behind, int input) {
        Ram &ram = cut.rams[0];
        for (int dim = 0; dim < 2; dim++) {
            ram.first[dim] = Halide::Internal::simplify(needed_end(behind, 0, input, dim, false));
            ram.last[dim] = Halide::Internal::simplify(needed_end(behind, 0, input, dim, true));
            ram.most[dim] = static_cast<int>(behind.most_elements(behind.stages[input], dim));
        }
        ram.of_output = {{ram.first, ram.last}};
        cut.timelines[0].block = {ram.most[0], ram.most[1]};
    }

    /** The most clocks for an element with which the second timeline keeps up, row by row, and ends hardly later. At the block's width. */
    static int clocks_behind(const Graph &front, const Stage &given, const Graph &behind) {
        const int64_t row = int64_t(front.clocks) * given.grid[1].step * front.pitch;   // clocks
        const int64_t apart = int64_t(front.clocks) * given.grid[0].step, launch = row * front.block[1];
        const int64_t later = std::max(launch / part_of_launch, few_clocks) / front.block[0];
        return static_cast<int>(std::min(row / behind.pitch, apart + later));
    }

    const Region &region;
    const Rates &rates;
    const std::function<Graph(const Region &)> &schedule;
    Cut cut;
};

}  // namespace

Cut cut_channels(const Region &region, const std::function<Graph(const Region &)> &schedule) {
    const Cut one = {region, {region}, {}};
    Diagnostics reported_later;
    const Rates rates = infer_rates(region, reported_later);
    if (reported_later.has_errors() || !rates.several()) return one;
    for (size_t func : candidates(region, rates)) {
        try {
            if (std::optional<Cut> cut = Cutter(region, rates, schedule).at(func)) return *cut;
        } catch (const Error &) {   // of a timeline: what the user has to mend shows on one timeline, too
        }
    }
    return one;
}

}  // namespace argent::hwgen
