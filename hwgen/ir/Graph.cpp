#include "hwgen/ir/Graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

int64_t Graph::columns(const Box &box, int64_t width) const {
    return (width + box[0].max - box[0].min + lanes - 1) / lanes;
}

int Graph::func_count() const {
    return output_funcs.empty() ? 1 : 1 + *std::max_element(output_funcs.begin(), output_funcs.end());
}

const Stage &Graph::output_of(int func) const {
    const auto it = std::find(output_funcs.begin(), output_funcs.end(), func);
    return stages[outputs[it == output_funcs.end() ? 0 : it - output_funcs.begin()]];
}

int Graph::func_of(const Stage &s) const {
    for (size_t i = 0; i < outputs.size(); i++) {
        if (&stages[outputs[i]] == &s) return output_funcs.empty() ? 0 : output_funcs[i];
    }
    return -1;
}

int64_t Graph::last_base(int dim, int64_t extent) const {
    return stages[outputs[0]].grid[dim].stride * (extent - 2) + origin[dim];
}

int64_t Graph::span(const Stage &s, int dim, int64_t extent) const {
    if (!has_rates) return dim == 0 ? columns(s.box, extent) : extent + s.box[1].max - s.box[1].min;
    const Grid &grid = s.grid[dim];
    const int64_t elements = (last_base(dim, extent) + s.box[dim].max) / grid.stride - grid.start;
    return elements / (dim == 0 ? s.lanes : 1) * grid.step + 1;
}

bool Graph::shifts_lanes(const Stage &s) const {
    if (!has_rates || s.lanes == 1) return false;
    if (func_count() > 1) return true;   // the scan may begin anywhere before it
    if (needs.is_cut(static_cast<int>(&s - stages.data()), 0)) return true;
    const IndexMap &first = s.needed[0].first[0];
    for (int v = 0; v < first.period; v++) {
        if ((first.at(v) - s.grid[0].start) % s.lanes != 0) return true;
    }
    return false;
}

Box Graph::streamed(const Stage &s) const {
    return s.repeats ? Box{{0, 0}, s.box[1]} : s.box;
}

Box Graph::shown(const Stage &s) const {
    return s.repeats ? Box{{s.box[0].min, 0}, s.box[1]} : s.box;
}

int64_t Graph::most_elements(const Stage &s, int dim) const {
    const Box box = streamed(s);
    if (!has_rates) return domain(dim) + box[dim].max - box[dim].min;
    return (last_base(dim, block[dim]) + s.box[dim].max) / s.grid[dim].stride - s.grid[dim].start + 1;
}

int64_t Graph::beyond_output() const {
    const int64_t unit = int64_t(lanes) * pitch_unit, period = std::lcm(int64_t(origin[0]), unit);
    int64_t most = 0;
    for (const Stage &s : stages) {
        for (int func = 0; func < func_count(); func++) {
            const int stride = output_of(func).grid[0].stride;
            for (int v = 0; s.needed[func].any && v < period / stride; v++) {   // whatever the last element is
                const int64_t last = (s.needed[func].last[0].at(v) - s.grid[0].start) / s.lanes * s.grid[0].step;
                most = std::max(most, last / pitch_unit * unit - int64_t(v) * stride);
            }
        }
    }
    return most;
}

int64_t Graph::row_pitch(int64_t width) const {
    int64_t longest = least_pitch;
    if (has_rates) {
        longest = std::max(longest, ((last_base(0, width) + beyond_output()) / (int64_t(lanes) * pitch_unit) + 1) * pitch_unit);
    } else {
        longest = std::max(longest, columns({{0, longest_extra()}, {0, 0}}, width));
    }
    return (longest + pitch_unit - 1) / pitch_unit * pitch_unit;
}

int Graph::longest_extra() const {
    int longest = row_extra;
    for (const Stage &s : stages) longest = std::max(longest, s.box[0].max - s.box[0].min);
    return longest;
}

bool Graph::in_raster(const Stage &s) const {
    return is_told(s) && steps_around(s) == 0;
}

int64_t Graph::steps_around(const Stage &s) const {
    const int64_t beyond = s.box[0].max - s.box[0].min + s.displacement.cols * lanes - longest_extra();
    return beyond <= 0 ? 0 : (beyond + lanes - 1) / lanes;
}

bool Graph::is_told(const Stage &s) const {
    constexpr int64_t most_around = 2;   // a register a mark and step; a scan of its own takes some 40 tables
    if (has_rates || s.displacement.rows < 0 || s.displacement.cols < 0) return false;
    const int64_t around = steps_around(s), shortest = std::max(least_pitch, columns({{0, longest_extra()}, {0, 0}}, 1));
    return around == 0 || (around <= most_around && s.displacement.cols <= shortest);
}

bool Graph::is_in_place(const Window &w) const {
    const bool has_head = std::any_of(stages.begin(), stages.end(), [&](const Stage &s) { return is_told(s); });
    const bool needs_more_bits = ((pitch - 1) & (pitch - 2)) == 0;   // it has one word more than the delay is long
    return has_head && w.rows > 0 && w.slip == 0 && w.tail == 0 && w.bank_rows == 0 && !w.replays && pitch > most_distributed_words && !needs_more_bits;
}

bool Graph::is_at_scan_rate(const Stage &s) const {
    if (!has_rates) return true;
    const auto has_all = [&](const Stage &o) {
        return o.lanes == lanes && std::all_of(o.grid.begin(), o.grid.end(), [](const Grid &d) { return d.step == 1 && d.period == 1 && d.repeat == 1; });
    };
    const std::vector<Leaf> &leaves = s.datapath.leaves();
    return has_all(s) && std::all_of(leaves.begin(), leaves.end(), [&](const Leaf &l) {
        if (l.kind != Leaf::Kind::Tap) return l.kind != Leaf::Kind::Place && l.kind != Leaf::Kind::Extent;
        const Stage &read = stages[l.producer];
        return l.domains.empty() && l.phases.empty() && has_all(read) && read.grid[0].stride == s.grid[0].stride && read.grid[1].stride == s.grid[1].stride;
    });
}

bool Graph::by_place(const Window &w) const {
    constexpr int latest = 2;   // clocks for which the place waits in registers
    const int phase = stages[w.producer].window_phase;
    return is_in_place(w) && phase >= 1 && phase <= latest;
}

int64_t Graph::bits_unit() const {
    int64_t unit = 1;
    for (const Stage &s : stages) unit = std::lcm(unit, int64_t(s.grid[0].step) * s.grid[1].step);
    return unit;
}

int64_t Graph::bits_per_position(int stage) const {
    const Stage &s = stages[stage];
    return int64_t(s.bits()) * s.lanes * (bits_unit() / (int64_t(s.grid[0].step) * s.grid[1].step));
}

int64_t Graph::elements_in(int stage, int64_t positions) const {
    const Stage &s = stages[stage];
    const int64_t each = int64_t(s.grid[0].step) * s.grid[1].step;
    return (positions + each - 1) / each * s.lanes;
}

int64_t Graph::row_words(const Window &w) const {
    return w.rows > 0 ? pitch / stages[w.producer].grid[0].step - (w.holds ? 0 : 1) + w.slip : 0;
}

const JoinedStages *Graph::joined_of(int stage) const {
    const auto has = [&](const JoinedStages &j) { return std::binary_search(j.stages.begin(), j.stages.end(), stage); };
    const auto it = std::find_if(joined.begin(), joined.end(), has);
    return it == joined.end() ? nullptr : &*it;
}

std::vector<const Window *> Graph::guests_of(int producer) const {
    std::vector<const Window *> guests;
    for (const Window &w : windows) {
        if (w.host == producer) guests.push_back(&w);
    }
    return guests;
}

int64_t Graph::bits_of_guests(const Window &w) const {
    int64_t bits = 0;
    for (const Window *guest : guests_of(w.producer)) bits += bits_of_rows(*guest);
    return bits;
}

const Window *Graph::window_of(int producer) const {
    for (const Window &w : windows) {
        if (w.producer == producer) return &w;
    }
    return nullptr;
}

Distance Tap::span() const {
    Distance most;
    for (const Phase &p : columns) most.cols = std::max(most.cols, p.earlier);
    for (const Phase &p : rows) most.rows = std::max(most.rows, p.earlier);
    return most;
}

Slot Graph::slot_of(const Tap &t, size_t row_phase, size_t column_phase) const {
    const std::array<Grid, 2> &grid = stages[t.producer].grid;
    const auto up = [](int64_t a, int64_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); };
    const Distance d = t.delay_of(row_phase, column_phase);
    return {up(d.rows, grid[1].step), up(d.cols, grid[0].step) + t.held};
}

int Bundle::span() const {
    return *std::max_element(places.begin(), places.end()) + 1;
}

static std::vector<Bundle> streams_of(const Graph &g, const std::vector<int> &stages) {
    std::vector<Bundle> streams;
    for (int i : stages) {
        const auto bundle = std::find_if(g.bundles.begin(), g.bundles.end(), [&](const Bundle &b) {
            return std::find(b.stages.begin(), b.stages.end(), i) != b.stages.end();
        });
        if (bundle == g.bundles.end()) streams.push_back({g.stages[i].id, g.stages[i].label, {i}});
        else if (bundle->stages[0] == i) streams.push_back(*bundle);
    }
    return streams;
}

std::vector<Bundle> Graph::input_streams() const {
    std::vector<int> inputs;
    for (size_t i = 0; i < stages.size(); i++) {
        if (stages[i].kind == Func::Kind::Input) inputs.push_back(static_cast<int>(i));
    }
    return streams_of(*this, inputs);
}

std::vector<Bundle> Graph::output_streams() const {
    return streams_of(*this, outputs);
}

std::vector<bool> read_stages(const Graph &g) {
    std::vector<bool> read(g.stages.size(), false);
    for (int out : g.outputs) read[out] = true;
    for (size_t i = g.stages.size(); i-- > 0;) {
        if (!read[i]) continue;
        for (const Leaf &l : g.stages[i].datapath.leaves()) {
            if (l.kind == Leaf::Kind::Tap) read[l.producer] = true;
        }
    }
    return read;
}

std::string to_string(const Graph &g) {
    std::string text;
    for (const Stage &s : g.stages) {
        text += fmt::format("{} {} {} bits, x {}..{}, y {}..{}, at {}, phase {}, latency {}\n",
                            s.kind == Func::Kind::Input ? "input" : "stage", s.name, s.bits(), s.box[0].min,
                            s.box[0].max, s.box[1].min, s.box[1].max, s.displacement.str(), s.phase, s.latency);
        for (const Tap &t : s.taps) {
            text += fmt::format("  {} lane {} {} late\n", g.stages[t.producer].name, t.lane, t.delay.str());
        }
    }
    for (const Window &w : g.windows) {
        text += fmt::format("window {}: {} rows, slip {}, registers {}\n", g.stages[w.producer].name, w.rows, w.slip,
                            fmt::join(w.columns, " "));
    }
    return text;
}

}  // namespace argent::hwgen
