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

/** The words of a line memory that steps once in `step` positions: so many more than a row has. */
Expr CoreEmitter::line_words(int step, int64_t more, int address_bits) {
    const std::string id = fmt::format("line_words{}{}", step == 1 ? "" : fmt::format("_{}", step), more == 0 ? "" : fmt::format("_{}{}", more < 0 ? "m" : "p", std::abs(more)));
    const auto known = delayed.find(id);
    if (known != delayed.end()) return known->second;
    const auto fit = [&](const Expr &words) {
        if (words.width() > address_bits + 1) b.leave_unread(slice(words, words.width() - 1, address_bits + 1));
        return delayed[id] = zero_extend(slice(words, std::min(address_bits, words.width() - 1), 0), address_bits + 1);
    };
    const int64_t of_width = g.longest_extra() + more;
    if (!g.has_rates && geometry.is_full() && g.lanes == 1 && of_width == 0) return fit(geometry.width);
    if (!g.has_rates && geometry.is_full() && more < 0) return fit(geometry.vectors_at(geometry.width, "columns", g.longest_extra() + g.lanes - 1 + more * g.lanes));
    const int bits = std::max(geometry.x_bits, bits_for(g.pitch + std::max<int64_t>(0, more + 1)));
    Expr words = zero_extend(geometry.pitch(), bits);
    if ((step & (step - 1)) != 0) {
        words = b.wire(fmt::format("words_{}", step), exact_quotient(words, step));
    } else if (step > 1) {
        words = zero_extend(slice(geometry.pitch(), geometry.x_bits - 1, log2_of(step)), bits);
    }
    if (more == 0) return fit(b.wire(id, words));
    const Expr sum = b.wire(id + "_sum", binary(more < 0 ? BinaryOp::Sub : BinaryOp::Add, words, literal(std::abs(more), bits)));
    if (bits > address_bits + 1) b.leave_unread(slice(sum, bits - 1, address_bits + 1));
    return delayed[id] = b.reg(id, zero_extend(slice(sum, std::min(bits, address_bits + 1) - 1, 0), address_bits + 1));
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

/** Whether a window's step is told a clock before by its phases, and comes out of a register: firings go to tables all over the part, and from there to block RAMs all over it;
 *  where rows stay in a crowd there is another table, which tells whether they do. */
bool CoreEmitter::is_told_before(const Stage &s) const {
    const double to_table = 0.5 * part.spread, to_rams = part.spread;
    const Window *w = g.window_of(static_cast<int>(&s - g.stages.data()));
    const bool needs_more = w && w->holds && part.is_crowded();
    return s.window_phase > 1 && (needs_more || is_too_long(part.clock_to_out + to_table + part.lut + to_rams));
}

/** 1 where a stage's window steps: one of the columns that it has is there. */
Expr CoreEmitter::window_step(const Stage &s) {
    const bool is_early = is_told_before(s);
    const int clock = s.window_phase - is_early;
    const Expr phase = in_phase(s, clock, true, false);
    if (!phase.defined()) return valid(s.window_phase);
    const Expr step = binary(BinaryOp::And, valid(clock), phase);
    return is_early ? b.reg(s.id + "_step", step) : step;
}

/** 1 in rows of the scan that a stage does not have. */
Expr CoreEmitter::window_keeps(const Stage &s) {
    const bool is_early = is_told_before(s);
    const Expr keeps = unary(UnaryOp::Not, in_phase(s, s.window_phase - is_early, false, true));
    return is_early ? b.reg(s.id + "_keeps", keeps) : keeps;
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
    nets["step"] = window_step(s);
    if (w->replays) nets["keeps"] = window_keeps(s);
    const bool by_place = g.by_place(*w);
    if (by_place) {   // by the place a step later, around the row's end, as the counter has it; a clock after a firing the head stands at the next one
        const int bits = std::min(geometry.x_bits, window.address_bits);   // the head counts one place more than a full row of a power of two has
        const std::string id = bits == geometry.x_bits ? "next_x" : fmt::format("next_x_of_{}", bits);
        const auto place = [&](int clocks) { return zero_extend(late(id, slice(raster.next_place(0), bits - 1, 0), 0, clocks), window.address_bits); };
        nets["next_place"] = place(s.window_phase - 1);
        nets["place"] = place(s.window_phase);
    } else if (window.address_bits > 0) {
        nets["words"] = line_words(s.grid[0].step, w->slip - w->tail - (w->holds ? 0 : 1), window.address_bits);
    }
    std::map<std::string, std::pair<int64_t, int64_t>> place_of;
    for (const auto &[place, port] : window.outputs) place_of[port] = place;
    for (const Port &port : window.module.ports) {
        if (port.direction == Direction::Input) {
            instance.connections.push_back({port.name, nets.at(port.name)});
        } else {
            const Expr net = b.wire(fmt::format("{}_{}", s.id, port.name), port.width);
            instance.connections.push_back({port.name, net});
            places[i][place_of.at(port.name)] = net;
        }
    }
    b.instance(std::move(instance));
    if (by_place) b.cells.insert("ag_row_memory");
    if (w->holds) b.cells.insert("ag_held_memory");
    if (w->rows > 0 && !by_place) b.cells.insert({"ag_equal", "ag_line_address", "ag_line_memory"});
    core.window_modules[i] = window.module.name;
    core.modules.push_back(std::move(window.module));
}

}  // namespace argent::hwgen
