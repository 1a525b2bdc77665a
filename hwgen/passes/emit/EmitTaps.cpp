#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>
#include <utility>

#include "hwgen/passes/emit/EmitWindow.h"

namespace argent::hwgen {

using namespace verilog;

/** All lanes of one plane of an input's word. */
Expr CoreEmitter::plane(const CoreStream &c, size_t k) {
    if (c.planes.step == 1) return data_ports[c.stage];
    std::vector<Expr> lanes;
    for (int lane = g.stages[c.stage].lanes - 1; lane >= 0; lane--) {
        const int low = (lane * c.planes.step + c.planes.places[k]) * c.element_bits;
        lanes.push_back(slice(data_ports[c.stage], low + c.element_bits - 1, low));
    }
    return lanes.size() == 1 ? lanes[0] : concat(lanes);
}

/** `e`, valid in phase `from`, as it is seen in phase `to`. */
Expr CoreEmitter::late(const std::string &id, Expr e, int from, int to) {
    for (int k = 1; k <= to - from; k++) {
        const std::string key = fmt::format("{}_z{}", id, k);
        const auto known = delayed.find(key);
        e = known != delayed.end() ? known->second : (delayed[key] = b.reg(key, e));
    }
    return e;
}

Expr CoreEmitter::element(int producer, Slot place, int lane, int phase) {
    const Stage &p = g.stages[producer];
    const Expr vector = places[producer].at(place);
    const Expr e = slice(vector, (lane + 1) * p.bits() - 1, lane * p.bits());
    read_lanes[vector.get().name].insert(lane);
    return late(fmt::format("{}_{}", vector.get().name, lane), e, p.window_phase + static_cast<int>(g.window_of(producer)->lag(place.first)), phase);
}

bool CoreEmitter::is_muxed(const Tap &t) const {
    for (size_t row = 0; row < t.rows.size(); row++) {
        for (size_t column = 0; column < t.columns.size(); column++) {
            if (g.slot_of(t, row, column) != g.slot_of(t, 0, 0) || t.columns[column].lane != t.columns[0].lane) return true;
        }
    }
    return false;
}

/** What a leaf reads: one place, or by the reader's phase one of several. */
Expr CoreEmitter::tap(const Tap &t, const Stage &reader) {
    if (!is_muxed(t)) return element(t.producer, g.slot_of(t, 0, 0), t.columns[0].lane, reader.phase);
    const Counters &at = counters(reader, reader.phase, reader.grid[0].step * reader.grid[0].period,
                                  reader.grid[1].step * reader.grid[1].period);
    struct Choice {
        std::string key;   // the same for the same bits
        Expr value;
    };
    const auto choose = [](const Expr &phase, int step, const std::vector<Choice> &choices) {
        Choice result = choices.back();
        for (size_t k = choices.size() - 1; k-- > 0;) {
            if (choices[k].key == choices.back().key) continue;
            const Expr is_k = binary(BinaryOp::Eq, phase, literal(k * step, phase.width()));
            result = {result.key + "|" + choices[k].key, select(is_k, choices[k].value, result.value)};
        }
        return result;
    };
    std::vector<Choice> of_rows;
    for (size_t row = 0; row < t.rows.size(); row++) {
        std::vector<Choice> of_columns;
        for (size_t column = 0; column < t.columns.size(); column++) {
            const Slot place = g.slot_of(t, row, column);
            const int lane = t.columns[column].lane;
            of_columns.push_back({fmt::format("{} {} {}", place.first, place.second, lane), element(t.producer, place, lane, reader.phase)});
        }
        of_rows.push_back(choose(at.x_phase, reader.grid[0].step, of_columns));
    }
    return choose(at.y_phase, reader.grid[1].step, of_rows).value;
}

/** What a stage's module reads and gives: its outputs. */
std::vector<Expr> CoreEmitter::instance(const Stage &s, const StageModule &m) {
    Expr coordinates[2];
    std::map<int, Expr> places_at;   // by leaf
    stage_position(s, coordinates, places_at);
    std::map<int, const Tap *> taps;
    for (const Tap &t : s.taps) taps[t.leaf] = &t;
    Instance instance{m.module.name, "stage_" + s.id, {}, {{"clk", clk}}, {}};
    const bool is_clocked = std::any_of(m.module.ports.begin(), m.module.ports.end(),
                                        [](const Port &p) { return p.name == "clk"; });
    if (!is_clocked) instance.connections.clear();
    if (m.starts) instance.connections.push_back({"start", fires(s)});
    for (const StagePort &port : m.inputs) {
        const Leaf &l = s.datapath.leaves()[port.leaf];
        Expr e;
        if (l.kind == Leaf::Kind::Tap) e = tap(*taps.at(port.leaf), s);
        if (l.kind == Leaf::Kind::Coord) e = coordinates[l.dim];
        if (l.kind == Leaf::Kind::Place || l.kind == Leaf::Kind::Extent) e = places_at.at(port.leaf);
        if (l.kind == Leaf::Kind::Param) {
            e = params.at(l.name);
            read_params.insert(l.name);
        }
        instance.connections.push_back({port.name, e});
    }
    for (const TablePort &p : m.loads) {
        TableNets &nets = table_nets.at(p.name);
        nets.is_read = true;
        instance.connections.push_back({p.id + "_write", nets.write});
        instance.connections.push_back({p.id + "_place", nets.place});
        instance.connections.push_back({p.id + "_element", nets.element});
    }
    std::vector<Expr> outputs;
    for (const std::string &out : m.outputs) {
        outputs.push_back(b.wire(fmt::format("{}_{}", s.id, out), m.output_width));
        instance.connections.push_back({out, outputs.back()});
    }
    b.instance(std::move(instance));
    return outputs;
}

/** Outputs as one value, lane 0 lowest. A module gives all outputs the bits of the widest; and those of a value that turned out to be less than was known of the stage. */
void CoreEmitter::set_value(int stage, std::vector<Expr> lanes, const StageModule &from) {
    const int bits = g.stages[stage].bits();
    for (Expr &lane : lanes) {
        const Expr whole = lane;
        if (bits < whole.width()) {
            lane = slice(whole, bits - 1, 0);
            b.leave_unread(slice(whole, whole.width() - 1, bits));
        } else if (bits > whole.width()) {
            lane = from.output_range.is_signed() ? sign_extend(whole, bits) : zero_extend(whole, bits);
        }
    }
    std::reverse(lanes.begin(), lanes.end());
    values[stage] = lanes.size() == 1 ? lanes[0] : b.wire(g.stages[stage].id + "_value", concat(lanes));
}

/** All of them at once, where the last one stands: what they read stands before it. */
void CoreEmitter::joined(const JoinedStages &j) {
    Stage whole = j.whole;
    whole.phase = g.stages[j.stages.back()].phase;
    std::string ids;
    for (int i : j.outputs) ids += (ids.empty() ? "" : ", ") + g.stages[i].shown();
    b.comment(fmt::format("{}: clock {} after firing, {} scan positions late.", ids, whole.phase, whole.displacement.str()));
    const StageModule &module = stages[j.stages.back()];
    const std::vector<Expr> outputs = instance(whole, module);
    auto next = outputs.begin();
    for (int i : j.outputs) {
        const auto first = std::exchange(next, next + g.stages[i].lanes);
        set_value(i, {first, next}, module);
    }
}

/** Nets between a window and those whose rows lie in its memory, which stand behind it. */
void CoreEmitter::connect_guests(const Window &host, std::map<std::string, Expr> &nets) {
    const int bits = static_cast<int>(g.bits_of_guests(host));
    if (bits == 0) return;
    const Expr kept = nets["guests_kept"] = b.wire(g.stages[host.producer].id + "_guests_kept", bits);
    std::vector<Expr> written;
    int low = 0;
    for (const Window *w : g.guests_of(host.producer)) {
        const int own = static_cast<int>(g.bits_of_rows(*w));
        written.push_back(b.wire(g.stages[w->producer].id + "_written", own));
        guests[w->producer] = {written.back(), slice(kept, low + own - 1, low)};
        low += own;
    }
    std::reverse(written.begin(), written.end());
    nets["guests_written"] = written.size() == 1 ? written[0] : concat(written);
}

void CoreEmitter::stage(int i) {
    const Stage &s = g.stages[i];
    if (const JoinedStages *j = g.joined_of(i)) {
        if (i == j->stages.back()) joined(*j);
        return;
    }
    const Window *w = g.window_of(i);
    if (s.kind == Func::Kind::Stage) {
        b.comment(fmt::format("{}: clock {} after firing, {} scan positions late.", s.shown(), s.phase, s.displacement.str()));
        set_value(i, instance(s, stages[i]), stages[i]);
    }
    if (!w) return;
    if (w->rows == 0 && w->columns[0] == 0) {   // read where it stands, nothing is kept
        places[i][{0, 0}] = vector_of(i);
        return;
    }
    WindowModule window = emit_window(g, *w, modules.unique(fmt::format("{}_{}_window", region.name, s.id)), is_fast || part.is_crowded());
    Instance instance{window.module.name, "window_" + s.id, {}, {}, {}};
    std::map<std::string, Expr> nets = {{"clk", clk}, {"clear", begin}, {"value", vector_of(i)}};
    const auto reads = [&](const char *port) { return std::any_of(window.module.ports.begin(), window.module.ports.end(), [&](const Port &p) { return p.name == port; }); };
    if (reads("step")) nets["step"] = window_step(s);
    if (reads("keeps")) nets["keeps"] = window_keeps(s);
    if (w->repeats_first > 0) nets["first"] = is_first_row_late(s, w->first_late);
    if (w->repeats_last) nets["past"] = is_past_rows(s);
    if (w->host >= 0) nets.insert({{"written", guests.at(i).written}, {"kept", guests.at(i).kept}});
    connect_guests(*w, nets);
    const bool by_place = g.by_place(*w) && w->host < 0;
    if (by_place) {   // by the place a step later, around the row's end, as the counter has it; a clock after a firing the head stands at the next one
        const int bits = std::min(geometry.x_bits, window.address_bits);   // the head counts one place more than a full row of a power of two has
        const std::string id = bits == geometry.x_bits ? "next_x" : fmt::format("next_x_of_{}", bits);
        const auto place = [&](int clocks) { return zero_extend(late(id, slice(raster.next_place(0), bits - 1, 0), 0, clocks), window.address_bits); };
        nets["next_place"] = place(s.window_phase - 1);
        nets["place"] = place(s.window_phase);
    } else if (window.address_bits > 0) {
        nets["addr"] = line_address(s, *w, window.address_bits, nets["step"]);
    }
    std::map<std::string, std::pair<int64_t, int64_t>> place_of;
    for (const auto &[place, port] : window.outputs) place_of[port] = place;
    for (const Port &port : window.module.ports) {
        if (const auto known = nets.find(port.name); known != nets.end()) {
            instance.connections.push_back({port.name, known->second});
        } else {
            const Expr net = b.wire(fmt::format("{}_{}", s.id, port.name), port.width);
            instance.connections.push_back({port.name, net});
            places[i][place_of.at(port.name)] = net;
        }
    }
    b.instance(std::move(instance));
    if (by_place) b.cells.insert("ag_row_memory");
    if (w->holds) b.cells.insert("ag_held_memory");
    if (w->rows > 0 && w->host < 0 && !by_place) b.cells.insert({"ag_line_address", "ag_line_memory"});
    core.window_modules[i] = window.module.name;
    core.modules.push_back(std::move(window.module));
}

}  // namespace argent::hwgen
