#include "hwgen/describe/Certificate.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <set>

#include "hwgen/describe/Json.h"
#include "hwgen/passes/region/ChannelDepth.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

namespace {

/** What SolveDisplacements solved, and the flow that proves it. */
ordered_json displacements_json(const Graph &g) {
    const int n = static_cast<int>(g.stages.size()), count = static_cast<int>(g.displacement_problem.cost.size());
    const bool split = count > 2 * n + 1;   // rows and columns apart
    const auto name = [&](int v) {
        // Ids, because users' names may occur twice; and what is no name cannot be an id.
        if (v == count - 1) return std::string("(scan)");
        const Stage &s = g.stages[v % n];
        const std::string of = v / n % 2 == 1 ? " (last read)" : "";
        return s.id + of + (!split ? "" : v < 2 * n ? " (rows)" : " (columns)");
    };
    ordered_json constraints = ordered_json::array(), values = ordered_json::array();
    for (size_t k = 0; k < g.displacement_problem.constraints.size(); k++) {
        const Constraint &c = g.displacement_problem.constraints[k];
        constraints.push_back({{"from", name(c.from)}, {"to", name(c.to)}, {"rows", c.weight.rows},
                               {"cols", c.weight.cols}, {"reason", c.reason}, {"flow", g.displacement_solution.flow[k]}});
    }
    for (int v = 0; v < count; v++) {
        const Distance d = g.displacement_solution.value[v];
        values.push_back({{"name", name(v)}, {"rows", d.rows}, {"cols", d.cols}, {"cost", g.displacement_problem.cost[v]}});
    }
    ordered_json certificate = {{"pitch", g.displacement_problem.pitch}, {"least_pitch", g.least_pitch}, {"constraints", constraints},
            {"values", values}, {"objective_bits", g.displacement_solution.objective}};
    if (g.bits_unit() > 1) certificate["bits_unit"] = g.bits_unit();   // costs and objective are in 1 / bits_unit bits
    return certificate;
}

const std::string as_early = "as early as it can: ", as_late = "as late as it can: ";

/** Why each variable has its value: along the tight constraints from what stands at the beginning. */
std::vector<std::string> reasons(const DifferenceProblem &problem, const DifferenceSolution &solution) {
    const size_t count = solution.value.size();
    std::vector<std::vector<int>> at(count);
    for (int k : solution.tight) {
        at[problem.constraints[k].from].push_back(k);
        at[problem.constraints[k].to].push_back(k);
    }
    std::vector<std::string> reason(count);
    std::vector<bool> is_known(count, false);
    const auto walk = [&](size_t root) {
        std::deque<size_t> next = {root};
        is_known[root] = true;
        for (; !next.empty(); next.pop_front()) {
            for (int k : at[next.front()]) {
                const Constraint &c = problem.constraints[k];
                const bool forward = size_t(c.from) == next.front();
                const size_t other = forward ? c.to : c.from;
                if (is_known[other]) continue;
                is_known[other] = true;
                reason[other] = (forward ? as_early : as_late) + c.reason;
                next.push_back(other);
            }
        }
    };
    const int head = static_cast<int>(count) - 1;
    walk(head);
    for (const Constraint &c : problem.constraints) {   // what else begins with the scan
        if (c.from != head || is_known[c.to] || solution.value[c.to] != solution.value[head] + c.weight) continue;
        reason[c.to] = as_early + c.reason;
        walk(c.to);
    }
    for (bool found = true; found;) {   // and what then is as early as it can be behind those
        found = false;
        for (const Constraint &c : problem.constraints) {
            if (!is_known[c.from] || is_known[c.to] || solution.value[c.to] != solution.value[c.from] + c.weight) continue;
            reason[c.to] = as_early + c.reason;
            walk(c.to);
            found = true;
        }
    }
    return reason;
}

std::string read_text(const Graph &g, const Stage &consumer, const Tap &t) {
    const Leaf &l = consumer.datapath.leaves()[t.leaf];
    return fmt::format("{} reads {} at ({}, {})", consumer.shown(), g.stages[t.producer].shown(), l.offset[0], l.offset[1]);
}

std::vector<int64_t> earlier(const std::vector<Tap::Phase> &phases) {
    std::vector<int64_t> list;
    for (const Tap::Phase &p : phases) list.push_back(p.earlier);
    return list;
}

/** Reads of several lanes are one where they find the same vectors. */
ordered_json delays_json(const Graph &g) {
    ordered_json delays = ordered_json::array();
    for (const Stage &s : g.stages) {
        std::set<std::pair<std::array<int64_t, 5>, std::array<std::vector<int64_t>, 2>>> known;
        for (const Tap &t : s.taps) {
            const std::array<std::vector<int64_t>, 2> phases = {earlier(t.rows), earlier(t.columns)};
            if (!known.insert({{t.producer, t.offset.rows, t.offset.cols, t.delay.rows, t.delay.cols}, phases}).second) continue;
            delays.push_back({{"from", g.stages[t.producer].id}, {"to", s.id}, {"rows", t.offset.rows}, {"cols", t.offset.cols},
                              {"delay", distance_json(t.delay)}, {"reason", read_text(g, s, t)}});
            if (t.held) delays.back()["held"] = t.held;   // read a step of the window later, so that it stands until the next one
            if (g.has_rates) delays.back()["earlier"] = {{"rows", phases[0]}, {"cols", phases[1]}};
        }
    }
    return delays;
}

/** What a window that repeats rows asks of its readers. */
ordered_json repeats_json(const Graph &g) {
    ordered_json repeats = ordered_json::array();
    for (const RepeatedRead &r : g.repeated_reads) {
        repeats.push_back({{"from", g.stages[r.producer].id}, {"to", g.stages[r.reader].id}, {"rows", r.behind.rows}, {"cols", r.behind.cols}});
    }
    return repeats;
}

/** The oldest read of each producer, as a text. */
std::vector<std::string> oldest_reads(const Graph &g) {
    std::vector<std::string> reads(g.stages.size());
    std::vector<int64_t> oldest(g.stages.size());
    for (const Stage &s : g.stages) {
        for (const Tap &t : s.taps) {
            const int64_t late = t.oldest().at(g.pitch);
            if (!reads[t.producer].empty() && late <= oldest[t.producer]) continue;
            oldest[t.producer] = late;
            reads[t.producer] = fmt::format("{}, {} late", read_text(g, s, t), t.oldest().str());
        }
    }
    return reads;
}

ordered_json windows_json(const Graph &g) {
    const std::vector<std::string> oldest = oldest_reads(g);
    ordered_json windows = ordered_json::array();
    for (const Window &w : g.windows) {
        const Stage &p = g.stages[w.producer];
        windows.push_back({{"producer", p.id}, {"rows", w.rows}, {"words", g.row_words(w)},
                           {"slip", w.slip}, {"registers", w.columns}, {"reason", oldest[w.producer]}});
        if (w.tail > 0) windows.back()["tail"] = w.tail;
        if (w.repeats_last) windows.back()["repeats_last"] = true;   // a row at least
        if (w.holds) windows.back()["holds"] = true;   // a place of its own for each step of a row
        if (g.has_rates) windows.back()["step"] = {{"rows", p.grid[1].step}, {"cols", p.grid[0].step}};
    }
    return windows;
}

/** The variable of a bundle of outputs. */
std::string leaving(const Bundle &b) {
    return b.id + " (leaves)";
}

/** The clocks behind the head as they were built; the flow shows that no other choice keeps fewer bits waiting. */
ordered_json clocks_json(const Graph &g) {
    const int n = static_cast<int>(g.stages.size());
    const auto name = [&](int v) {
        const int bundle = v - 2 * n - 1, kept = bundle - static_cast<int>(g.bundles.size());
        if (kept >= 0) return fmt::format("(last reader {})", kept);   // of what several stages read
        return v < n ? g.stages[v].id : v < 2 * n ? g.stages[v - n].id + " (window)" : v == 2 * n ? std::string("(head)") : leaving(g.bundles[bundle]);
    };
    ordered_json constraints = ordered_json::array(), values = ordered_json::array();
    for (size_t k = 0; k < g.phase_problem.constraints.size(); k++) {
        const Constraint &c = g.phase_problem.constraints[k];
        constraints.push_back({{"from", name(c.from)}, {"to", name(c.to)}, {"clocks", c.weight.cols}, {"reason", c.reason},
                               {"flow", g.phase_solution.flow[k]}});
    }
    for (int v = 0; v < static_cast<int>(g.phase_problem.cost.size()); v++) {
        const int64_t clocks = g.phase_solution.value[v].cols - g.phase_solution.value[2 * n].cols;
        values.push_back({{"name", name(v)}, {"clocks", clocks}, {"cost", g.phase_problem.cost[v]}});
    }
    return {{"constraints", constraints}, {"values", values}, {"objective_bits", g.phase_solution.objective}};
}

ordered_json need(int64_t words, const std::string &reason) {
    return {{"words", words}, {"reason", reason}};
}

/** The FIFO that lets the head go on while an output waits. */
ordered_json output_fifo(const Graph &g, const CoreStream &c, const std::string &channel) {
    return {{"name", "fifo_" + c.id}, {"channel", channel}, {"output", c.planes.step > 1 ? leaving(c.planes) : g.stages[c.stage].id}, {"words", c.fifo_depth},
            {"spare", c.spare}, {"latency", c.fire_to_push}, {"clocks", c.clocks},
            {"needs", {need(c.asked_for(), fmt::format("the head fires while {} words are free{}: nothing stops what has been fired, {} word{} at most in the {} clocks to the FIFO",
                                                         c.asked_for(), c.spare > 0 ? ", as of a clock ago" : "", c.in_flight, c.in_flight == 1 ? "" : "s", c.fire_to_push)),
                       need(2 * (c.in_flight + 1), "when the head goes on, as many leave until what it fires is there, but for the two clocks in which it is told: with fewer the output would wait for it")}}};
}

/** The FIFO through which another timeline takes the output. */
ordered_json channel_fifo(const Graph &g, const CoreStream &c, const Ram &ram) {
    ordered_json fifo = output_fifo(g, c, "the channel of " + ram.of.label);
    const ChannelRow row = row_of_channel(g, c.stage, ram.channel->clocks);
    fifo["row"] = {{"words", row.words}, {"given", row.given}, {"taken", row.taken}};
    fifo["needs"].push_back(need(channel_fifo_words(row, c.fire_to_push),
                                 fmt::format("a row of {} words is fired, one in {} clocks, and taken one in {}: with fewer the head would wait for the timeline behind it",
                                             row.words, row.given, row.taken)));
    return fifo;
}

ordered_json port_fifo(const ordered_json &image, int burst, bool is_input) {
    ordered_json needs = ordered_json::array();
    if (image["kind"] == "stream") {
        needs.push_back(need(2, "a vector a clock; TREADY falls when it is full, so any depth is right"));
    } else if (is_input) {
        needs.push_back(need(burst, "a burst is asked for when there is room for all of it, so that the memory never waits"));
        needs.push_back(need(2 * burst + 8, "a burst comes in while the next is asked for"));
    } else {
        needs.push_back(need(burst, "a burst's address is sent when all of its data is there, so that the memory never waits"));
        needs.push_back(need(2 * burst, "a burst leaves while the next is gathered"));
    }
    const std::string name = fmt::format("fifo {} {}", is_input ? "in front of" : "behind", image["name"].get<std::string>());
    return {{"name", name}, {"channel", image["port"]}, {"words", image["fifo_beats"]}, {"needs", needs}};
}

ordered_json fifos_json(const Timelines &t, int timeline, const ordered_json &manifest) {
    ordered_json fifos = ordered_json::array();
    const Graph &g = t.all[timeline].graph;
    const Core &core = t.all[timeline].core;
    const int last = static_cast<int>(t.rams.size());
    const int burst = manifest.contains("axi") ? manifest["axi"]["max_burst"].get<int>() : 0;
    for (const auto &image : manifest["inputs"]) {
        if (image.value("timeline", last) == timeline) fifos.push_back(port_fifo(image, burst, true));
    }
    for (size_t i = 0; i < core.outputs.size(); i++) {
        if (timeline < last && t.rams[timeline].channel) {
            fifos.push_back(channel_fifo(g, core.outputs[i], t.rams[timeline]));
            continue;
        }
        if (timeline < last) {
            fifos.push_back(output_fifo(g, core.outputs[i], "the RAM of " + t.rams[timeline].of.label));
            continue;
        }
        const ordered_json &image = manifest["outputs"][i];
        fifos.push_back(output_fifo(g, core.outputs[i], image["port"]));
        if (image.contains("fifo_beats")) fifos.push_back(port_fifo(image, burst, false));
    }
    return fifos;
}

}  // namespace

ordered_json certificate_json(const Timelines &t, int timeline, const ordered_json &manifest) {
    const Graph &g = t.all[timeline].graph;
    ordered_json certificate = displacements_json(g);
    const std::vector<std::string> why = reasons(g.displacement_problem, g.displacement_solution);
    for (size_t v = 0; v < why.size(); v++) {
        if (!why[v].empty()) certificate["values"][v]["reason"] = why[v];
    }
    certificate["delays"] = delays_json(g);
    if (!g.repeated_reads.empty()) certificate["repeats"] = repeats_json(g);
    certificate["windows"] = windows_json(g);
    certificate["clocks"] = clocks_json(g);
    certificate["fifos"] = fifos_json(t, timeline, manifest);
    return certificate;
}

}  // namespace argent::hwgen
