#include "Certificate.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using nlohmann::json;

namespace {

struct Pair {
    long rows = 0, cols = 0;
    bool operator==(const Pair &o) const { return rows == o.rows && cols == o.cols; }
    Pair operator-(const Pair &o) const { return {rows - o.rows, cols - o.cols}; }
};

std::string text(const Pair &p) {
    return std::to_string(p.rows) + " rows + " + std::to_string(p.cols);
}

/** In positions, or in clocks behind the head. */
Pair pair_of(const json &d) {
    return d.contains("clocks") ? Pair{0, d.at("clocks")} : Pair{d.at("rows"), d.at("cols")};
}

bool ends_with(const std::string &s, const std::string &end) {
    return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

/** Primal: minimise sum cost v with v[to] - v[from] >= rows * pitch + cols. Dual: flows >= 0 along the constraints, of
 *  which each variable takes in what it costs. Any flow bounds the objective from below by sum flow * weight; where the
 *  two are equal, both are optimal. */
std::string wrong_with_optimum(const json &system, long pitch) {
    const auto positions = [&](const json &d) { return pair_of(d).rows * pitch + pair_of(d).cols; };
    std::map<std::string, long> value, balance;
    long objective = 0;
    for (const json &v : system.at("values")) {
        const std::string name = v.at("name");
        if (!value.emplace(name, positions(v)).second) return "two variables are called " + name;
        balance[name] = v.at("cost");
        objective += v.at("cost").get<long>() * value[name];
    }
    long bound = 0;
    for (const json &c : system.at("constraints")) {
        const std::string from = c.at("from"), to = c.at("to"), reason = c.at("reason");
        const long flow = c.at("flow");
        if (reason.empty()) return "a constraint from " + from + " to " + to + " has no reason";
        if (!value.count(from) || !value.count(to)) return reason + ": there is no such variable";
        if (value[to] - value[from] < positions(c)) return reason + ": violated";
        if (flow < 0) return reason + ": negative flow";
        bound += flow * positions(c);
        balance[to] -= flow;
        balance[from] += flow;
    }
    for (const auto &[name, rest] : balance) {
        if (rest != 0) return name + ": " + std::to_string(rest) + " of its cost is not covered by flow";
    }
    if (objective != system.at("objective_bits").get<long>()) return "the objective is " + std::to_string(objective);
    if (objective != bound) return "the flow proves " + std::to_string(bound) + ", the objective is " + std::to_string(objective);
    return "";
}

/** Everything but the head of the scan says why it stands where it stands. */
std::string wrong_with_reasons(const json &c) {
    for (const json &v : c.at("values")) {
        if (v.at("name") != "(scan)" && v.value("reason", "").empty()) return v.at("name").get<std::string>() + " has no reason";
    }
    return "";
}

/** Where the producer has no row for some rows of the scan, rows and columns are scheduled each by themselves. */
struct Schedule {
    explicit Schedule(const json &certificate) {
        for (const json &v : certificate.at("values")) {
            value[v.at("name")] = pair_of(v);
            if (ends_with(v.at("name"), " (rows)")) is_split = true;
        }
    }
    Pair at(const std::string &stage) const {
        if (!is_split) return value.at(stage);
        return {value.at(stage + " (rows)").rows, value.at(stage + " (columns)").cols};
    }
    std::map<std::string, Pair> value;
    bool is_split = false;
};

/** How much older a read is in the phases of its reader: the newest first. */
std::vector<long> earlier_of(const json &delay, const char *what) {
    return delay.contains("earlier") ? delay.at("earlier").at(what).get<std::vector<long>>() : std::vector<long>{0};
}

Pair span_of(const json &delay) {
    const std::vector<long> rows = earlier_of(delay, "rows"), cols = earlier_of(delay, "cols");
    return {*std::max_element(rows.begin(), rows.end()), *std::max_element(cols.begin(), cols.end())};
}

/** The variable of a stage's last read; a part of it where rows and columns are apart. */
std::string last_read_of(const std::string &variable) {
    const size_t part = std::min(variable.find(" ("), variable.size());
    return variable.substr(0, part) + " (last read)" + variable.substr(part);
}

/** The constraints of the reads: of each the newest phase, and the oldest on the producer's last read. */
using Read = std::tuple<std::string, std::string, long, long>;

std::set<Read> reads_of_schedule(const json &c) {
    std::set<Read> reads;
    for (const json &k : c.at("constraints")) {
        const std::string from = k.at("from"), to = k.at("to");
        const bool is_place = from == "(scan)" || to == "(scan)";   // where a stream may stand, whoever reads it
        if (!is_place && to != last_read_of(from)) reads.insert({from, to, pair_of(k).rows, pair_of(k).cols});
    }
    // What moves through one port is displaced alike: each is then not before the other. No reads do that.
    const std::set<Read> all = reads;
    for (const auto &[from, to, rows, cols] : all) {
        if (rows == 0 && cols == 0 && all.count({to, from, 0, 0})) reads.erase({from, to, 0, 0});
    }
    return reads;
}

std::set<Read> reads_of_delays(const json &c, bool is_split) {
    std::set<Read> reads;
    const auto read = [&](const std::string &from, const std::string &to, const Pair &offset) {
        if (!is_split) {
            reads.insert({from, to, offset.rows, offset.cols});
            return;
        }
        reads.insert({from + " (rows)", to + " (rows)", offset.rows, 0});
        reads.insert({from + " (columns)", to + " (columns)", 0, offset.cols});
    };
    for (const json &d : c.at("delays")) {
        const std::string from = d.at("from"), to = d.at("to");
        const Pair offset = pair_of(d);
        read(from, to, offset);
        read(to, from + " (last read)", span_of(d) - offset);
    }
    for (const json &r : c.value("repeats", json::array())) read(r.at("from"), r.at("to"), pair_of(r));
    return reads;
}

/** What the schedule says of a read is what was built, and every read of the schedule was built. */
std::string wrong_with_delays(const json &c) {
    const Schedule schedule(c);
    for (const json &d : c.at("delays")) {
        const std::string reason = d.at("reason");
        const Pair delay = pair_of(d.at("delay")), needed = schedule.at(d.at("to")) - schedule.at(d.at("from")) - pair_of(d);
        if (!(delay == needed)) return reason + ": the delay is " + text(delay) + ", the schedule needs " + text(needed);
        for (const long pitch : {c.at("pitch").get<long>(), c.at("least_pitch").get<long>()}) {
            if (delay.rows * pitch + delay.cols < 0) return reason + ": the delay is negative in rows of " + std::to_string(pitch);
        }
    }
    if (reads_of_schedule(c) != reads_of_delays(c, schedule.is_split)) return "the delays are not those of the reads in the schedule";
    return "";
}

/** A window steps where its producer has a vector; between two of them the newest one is a step late. */
std::string wrong_with_window(const json &w, const json &c) {
    const std::string producer = w.at("producer");
    const long rows = w.at("rows"), slip = w.at("slip"), words = w.at("words");
    const Pair step = w.contains("step") ? pair_of(w.at("step")) : Pair{1, 1};
    const std::vector<long> registers = w.at("registers");
    const auto up = [](long a, long b) { return a > 0 ? (a + b - 1) / b : -(-a / b); };
    if (long(registers.size()) != rows + 1) return "the window of " + producer + " has registers for another number of rows";
    const long places = c.at("pitch").get<long>() / step.cols - (w.value("holds", false) ? 0 : 1);
    if (words != (rows > 0 ? places + slip : 0)) return "the rows of the window of " + producer + " have another length";
    if (w.value("holds", false) && step.rows == 1) return "the rows of the window of " + producer + " stay, and all are new";
    long most_rows = 0;
    std::vector<long> most(registers.size(), 0);
    for (const json &d : c.at("delays")) {
        if (d.at("from") != producer) continue;
        const Pair delay = pair_of(d.at("delay"));
        const std::string reason = d.at("reason");
        for (const long earlier_row : earlier_of(d, "rows")) {
            for (const long earlier_col : earlier_of(d, "cols")) {
                const long row = up(delay.rows + earlier_row, step.rows);
                if (row < 0 || row > rows) return reason + ": the window does not hold that row";
                const long column = up(delay.cols + earlier_col, step.cols) + d.value("held", 0L) - slip * row;
                if (column < 0 || column > registers[row]) return reason + ": the window does not hold that column";
                most_rows = std::max(most_rows, row);
                most[row] = std::max(most[row], column);
            }
        }
    }
    if (w.value("repeats_last", false) && rows == 1) most_rows = 1;   // the domain's last row, though nobody may read it late
    if (most_rows != rows || most != registers) return "the window of " + producer + " holds what nobody reads";
    return "";
}

/** A window that repeats rows has the domain's first one when a reader begins, and all rows of a column in one step: so it has no slip, and nothing is read earlier than its row. */
std::string wrong_with_repeats(const json &c) {
    for (const json &r : c.value("repeats", json::array())) {
        const std::string producer = r.at("from"), reader = r.at("to");
        if (pair_of(r).rows < 0) return reader + " begins before the first row of " + producer;
        for (const json &d : c.at("delays")) {
            if (d.at("from") == producer && d.at("to") == reader && pair_of(d.at("delay")).cols < 0) return d.at("reason").get<std::string>() + ": a column early, of rows that repeat edges";
        }
        for (const json &w : c.at("windows")) {
            if (w.at("producer") == producer && w.at("slip") != 0) return "the rows of the window of " + producer + " come in several steps, and repeat edges";
        }
    }
    return "";
}

std::string wrong_with_windows(const json &c) {
    std::set<std::string> producers, windows;
    for (const json &d : c.at("delays")) producers.insert(d.at("from"));
    for (const json &w : c.at("windows")) {
        if (w.at("reason").get<std::string>().empty()) return "a window has no reason";
        if (!windows.insert(w.at("producer")).second) return "two windows of one producer";
        const std::string wrong = wrong_with_window(w, c);
        if (!wrong.empty()) return wrong;
    }
    if (producers != windows) return "the windows are not those of the producers that are read";
    return "";
}

/** A stage's value is there after its own clocks. */
long clocks_until_value(const json &clocks, const std::string &stage) {
    long at = 0;
    for (const json &v : clocks.at("values")) {
        if (v.at("name") == stage) at += v.at("clocks").get<long>();
    }
    for (const json &k : clocks.at("constraints")) {
        if (k.at("from") == stage && k.at("to") == stage + " (window)") at += k.at("clocks").get<long>();
    }
    return at;
}

/** The most words of a row that are fired and not yet taken: one is there `latency` + 1 clocks after firing, and its place is free again a clock
 *  after the timeline behind it has taken it. */
long most_of_row(const json &row, long latency) {
    const long words = row.at("words"), given = row.at("given"), taken = row.at("taken");
    std::vector<long> free_at;   // of each word's place
    long most = 0;
    for (long k = 0; k < words; k++) {
        const long there = k * given + latency + 1, next = free_at.empty() ? there : free_at.back() - 1 + taken;
        free_at.push_back(std::max(there, next) + 1);
        most = std::max(most, long(std::count_if(free_at.begin(), free_at.end(), [&](long clock) { return clock > k * given; })));
    }
    return most;
}

std::string wrong_with_fifos(const json &c) {
    for (const json &f : c.at("fifos")) {
        const std::string name = f.at("name").get<std::string>() + " (" + f.at("channel").get<std::string>() + ")";
        const long words = f.at("words");
        if (f.at("needs").empty()) return name + " has no reason";
        for (const json &n : f.at("needs")) {
            if (words < n.at("words").get<long>())
                return name + " holds " + std::to_string(words) + " words and needs " + std::to_string(n.at("words").get<long>()) + ": " +
                       n.at("reason").get<std::string>();
        }
        if (!f.contains("output")) continue;
        const long spare = f.at("spare"), latency = f.at("latency"), clocks = f.at("clocks"), in_flight = latency / clocks;
        if (latency != clocks_until_value(c.at("clocks"), f.at("output"))) return name + ": what fires does not arrive after its latency";
        if (spare < in_flight) return name + ": more may be in flight than it keeps free";
        const long asked_for = spare > 0 ? spare + 2 : 1;   // what is in flight, what fires, and what has fired since the head was told
        if (words < asked_for) return name + " keeps all of its words free";
        const long late = in_flight > 0, kept_free = late * (in_flight + 1 - (latency + 1) / clocks);
        if (f.contains("row") && words < most_of_row(f.at("row"), latency + late) + kept_free) return name + ": a row does not fit that waits to be taken";
        if (words < 2 * (in_flight + 1)) return name + ": the output would wait for what fires next";
    }
    return "";
}

}  // namespace

std::string wrong_with_certificate(const json &c) {
    std::string wrong = wrong_with_optimum(c, c.at("pitch"));
    if (wrong.empty()) wrong = wrong_with_reasons(c);
    if (wrong.empty()) wrong = wrong_with_repeats(c);
    if (wrong.empty()) wrong = wrong_with_delays(c);
    if (wrong.empty()) wrong = wrong_with_windows(c);
    if (wrong.empty()) wrong = wrong_with_optimum(c.at("clocks"), 1);
    if (wrong.empty()) wrong = wrong_with_fifos(c);
    for (const json &before : c.value("before", json::array())) {   // timelines that fill RAMs for this one
        if (wrong.empty()) wrong = wrong_with_certificate(before);
    }
    return wrong;
}
