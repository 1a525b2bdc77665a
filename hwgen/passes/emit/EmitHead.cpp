#include "hwgen/passes/emit/CoreEmitter.h"

#include <algorithm>

#include "hwgen/passes/region/ChannelDepth.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

/** Words of a FIFO with which an output never waits for the pipeline's own length: half of them for what is in flight when the head stops, with what fires then; the other
 *  half leaves until the first has come that fires when it goes on. Shift registers come in 16 and 32 words, small memories in 64; where those are of 16, a clock
 *  that is fast has no time to choose among more than are needed. */
int fifo_depth_for(int in_flight, bool is_fast) {
    const int needed = std::max(3, 2 * (in_flight + 1));
    if (is_fast && needed <= 64) return (needed + 15) / 16 * 16;
    return needed <= 16 ? 16 : needed <= 32 ? 32 : needed <= 64 ? 64 : needed;
}

/** Up to which a FIFO's count tells by a table whether there is room. Of up to 64 it does without the last bit, if the limit is even. */
const int words_by_table = 32;

/** Tables behind "there is room" or "not done": two say that the head fires, one that it steps. */
const int tables_to_step = 3;

/** so_far & e; nothing has been said so far while that is undefined. */
Expr also(const Expr &so_far, const Expr &e) { return so_far.defined() ? binary(BinaryOp::And, so_far, e) : e; }

}  // namespace

/** ns from registers through logic of so many and what tells a firing to what steps with it: line memories, too. */
double CoreEmitter::path_to_step(double ns) const {
    return part.clock_to_out + ns + tables_to_step * part.lut + part.spread + part.setup;
}

/** The streams with which the scan ends: no other is done later than all of them. */
std::vector<int> CoreEmitter::last_streams() const {
    std::set<int> streams;
    for (const auto &[stream, leader] : leaders) streams.insert(leader);
    std::vector<int> last;
    const auto rank = [&](int stream) { return std::make_pair(g.stages[stream].kind != Func::Kind::Input, stream); };
    for (int stream : streams) {
        const auto place = last_places.find(stream);
        const auto comes_later = [&](const std::pair<const int, LastPlace> &other) {
            if (other.first == stream || !other.second.is_never_before(place->second)) return false;
            return rank(other.first) > rank(stream) || !place->second.is_never_before(other.second);   // of two that end together one stays, rather an output
        };
        if (place == last_places.end() || std::none_of(last_places.begin(), last_places.end(), comes_later)) last.push_back(stream);
    }
    return last;
}

/** The output with whose last element the scan ends, if there is one. */
std::optional<int> CoreEmitter::ending_output() const {
    const std::vector<int> last = last_streams();
    if (last.size() != 1 || !last_places.count(last[0]) || g.stages[last[0]].kind == Func::Kind::Input) return std::nullopt;
    return last[0];
}

/** 1 from the launch until all streams are done; and `running`, a clock longer. Where that is told by the last element of one output, they are one register:
 *  the core stays busy with that element. Where the path from there is too long the first is a register, told by the firing with which all are done;
 *  an ag_scan does not tell that one. */
Expr CoreEmitter::scans_on() {
    const std::vector<int> streams = last_streams();
    const bool is_told = std::all_of(streams.begin(), streams.end(), [&](int stream) { return last_places.count(stream) != 0; });
    const bool is_one = ending_output().has_value();
    Expr scanning = running, all_done, last;
    for (int stream : streams) {
        if (!is_one) all_done = also(all_done, done.at(stream));
        if (is_told) last = also(last, is_one ? last_places.at(stream).is_next : binary(BinaryOp::Or, done.at(stream), last_places.at(stream).is_next));
    }
    if (is_one || (is_told && is_fast)) {
        if (!is_one) scanning = b.declare_reg("scanning");
        const Expr changes = binary(BinaryOp::Or, begin, binary(BinaryOp::And, fire, b.wire("last", last)));
        b.update({scanning, begin, changes, literal(0, 1), {}});
        if (is_fast && raster.is_there()) {   // a register of its own: tools would make a step of a firing, a table later
            resting = b.declare_reg("resting");
            b.update({resting, unary(UnaryOp::Not, begin), changes, literal(1, 1), {}});
        }
    } else {
        scanning = b.wire("scanning", binary(BinaryOp::And, running, unary(UnaryOp::Not, b.wire("all_done", all_done))));
    }
    if (!is_one) b.update({running, binary(BinaryOp::Or, begin, scanning), {}, literal(0, 1), {}});
    for (const auto &[stream, is_done] : done) {
        const bool is_read = !is_one && std::find(streams.begin(), streams.end(), stream) != streams.end();
        if (!is_read && is_done.defined()) b.leave_unread(is_done);
    }
    return scanning;
}

/** Whether the head may fire in the clock in which it finds that all streams are done, so that nothing that tells this is in front of a firing. It moves no element then:
 *  scans of the streams' own stay there until the next launch, and parts that a launch tells rest. What the raster tells of the domain does not. */
bool CoreEmitter::fires_when_done() const { return g.has_rates || !raster.is_there(); }

/** Registers of what streams that count for themselves count to. */
void CoreEmitter::stream_sizes() {
    if (g.has_rates) return;
    for (const CoreStream &c : core.inputs) {
        if (!g.is_told(g.stages[c.stage])) (void)geometry.columns_of(g.shown(g.stages[c.stage])), (void)geometry.rows_of(g.stages[c.stage].box);
    }
    for (const CoreStream &c : core.outputs) {
        const Stage &s = g.stages[c.stage];
        if (has_span(g, s, crops.count(c.stage) != 0)) continue;
        if (!g.bordered[0]) (void)geometry.columns_of(s.box);
        if (!g.bordered[1]) (void)geometry.rows_of(s.box);
        if (crops.count(c.stage)) end_of_crop(s, crops[c.stage]);
    }
}

/** Whether what is compared with a row may be a register, a clock late: a row has more than one position, and the next launch does not begin in the two clocks
 *  behind the last firing, as its element is on the way. */
bool CoreEmitter::is_row_told_late() const {
    const std::optional<int> end = ending_output();
    return is_fast && end && g.stages[*end].phase + g.stages[*end].latency > 0 && geometry.shortest_row() > 1;
}

/** Streams that lie in the same places of the scan are told by the first of them: one span, and their elements move in the same firings. */
void CoreEmitter::find_leaders() {
    const auto lie_alike = [&](const CoreStream &a, const CoreStream &b) {
        const Stage &s = g.stages[a.stage], &t = g.stages[b.stage];
        return !g.has_rates && has_span(g, s, crops.count(a.stage) != 0) && s.displacement.cols == t.displacement.cols &&
               s.displacement.rows == t.displacement.rows && s.box[0] == t.box[0] && s.box[1] == t.box[1] && s.repeats == t.repeats;
    };
    for (const std::vector<CoreStream> *streams : {&core.inputs, &core.outputs}) {
        for (const CoreStream &c : *streams) {
            const auto same = std::find_if(streams->begin(), streams->end(), [&](const CoreStream &other) { return &other == &c || lie_alike(other, c); });
            leaders[c.stage] = same->stage;
        }
    }
}

/** Says where a stream has elements; returns where all have been, undefined where nobody asks. */
Expr CoreEmitter::stream_elements(const CoreStream &c) {
    const Stage &s = g.stages[c.stage];
    const auto crop = crops.find(c.stage);
    if (!g.has_rates && g.repeated_before(s) > 0) return repeated_stream(c);
    if (!g.has_rates && has_span(g, s, crop != crops.end())) return span(s, active[c.stage], crop != crops.end() ? &crop->second : nullptr);
    const Expr is_done = b.wire(c.id + "_done", 1);
    if (g.has_rates) told_part(c, is_done);
    else scanned_stream(c, is_done);
    return is_done;
}

/** 1 where streams that one leads can all move their elements, or have none. At a fast clock that is one register for outputs, told a clock ahead. */
Expr CoreEmitter::is_ready(const std::vector<const CoreStream *> &led) {
    const CoreStream &leader = *led[0];
    const bool is_input = g.stages[leader.stage].kind == Func::Kind::Input;
    const bool is_pipelined = std::all_of(led.begin(), led.end(), [](const CoreStream *c) { return c->in_flight > 0; });
    const bool is_told_ahead = !is_input && is_pipelined && will_be_active.count(leader.stage);
    Expr can;
    for (const CoreStream *c : led) {
        if (is_told_ahead) room_next[c->stage] = b.wire(c->id + "_room_next", 1);
        can = also(can, is_input ? valid_ports[c->stage] : is_told_ahead ? room_next[c->stage] : room[c->stage]);
    }
    // A launch begins with an empty FIFO, so there is room whatever is active then.
    if (is_told_ahead) return b.reg(leader.id + "_free", binary(BinaryOp::Or, can, unary(UnaryOp::Not, will_be_active[leader.stage])));
    return binary(BinaryOp::Or, can, unary(UnaryOp::Not, shown.count(leader.stage) ? shown[leader.stage] : active[leader.stage]));
}

/** Says where these streams have elements, and whether none of them keeps the head from firing; undefined if there is none. */
Expr CoreEmitter::are_ready(const std::vector<CoreStream> &streams) {
    Expr ready;
    for (const CoreStream &leader : streams) {
        if (leaders.at(leader.stage) != leader.stage) continue;
        std::vector<const CoreStream *> led;   // itself first
        b.comment(fmt::format("Where {} has elements.", leader.planes.label));
        active[leader.stage] = b.wire(leader.id + "_active", 1);
        for (const CoreStream &c : streams) {
            if (leaders.at(c.stage) != leader.stage) continue;
            led.push_back(&c);
            if (g.stages[c.stage].kind != Func::Kind::Input) room[c.stage] = b.wire(c.id + "_room", 1);
        }
        done[leader.stage] = stream_elements(leader);
        for (const CoreStream *c : led) {
            active[c->stage] = active.at(leader.stage);
            if (shown.count(leader.stage)) shown[c->stage] = shown.at(leader.stage);
            if (in_front.count(leader.stage)) in_front[c->stage] = in_front.at(leader.stage);
        }
        ready = also(ready, is_ready(led));
    }
    return ready;
}

/** Room for what is in flight, and what the scan brings before it has left. */
void CoreEmitter::size_fifo(CoreStream &c) const {
    for (int i : c.planes.stages) c.fire_to_push = std::max(c.fire_to_push, g.stages[i].phase + g.stages[i].latency);
    c.clocks = g.clocks * g.stages[c.stage].grid[0].step;
    c.in_flight = c.fire_to_push / c.clocks;
    c.fifo_depth = fifo_depth_for(c.in_flight, is_fast);
    c.spare = c.in_flight;
    if (region.taken_clocks > 0) {
        c.fifo_depth = std::max(c.fifo_depth, channel_fifo_words(row_of_channel(g, c.stage, region.taken_clocks), c.fire_to_push));
    } else if (is_fast && c.in_flight > 0 && c.fifo_depth > words_by_table) {
        c.spare += (c.fifo_depth - c.asked_for()) % 2;
    }
}

/** 1 where a clock may have a firing, by those before; undefined where every clock may. */
Expr CoreEmitter::rate_ready() {
    if (g.clocks == 1) return {};
    const Expr ready = b.wire("rate_ready", 1);
    b.cell({"ag_rate", "rate", {{"CLOCKS", std::to_string(g.clocks)}}, {{"clk", clk}, {"rst", binary(BinaryOp::Or, rst, begin)}, {"fire", fire}, {"ready", ready}}, {}});
    return ready;
}

/** Drives what the streams decide: a firing, the head's step, who waits. */
void CoreEmitter::firing(const Expr &inputs, const Expr &outputs) {
    b.comment("Firings: from the launch to the last element.");
    const Expr scanning = scans_on();
    const Expr is_at_rest = resting.defined() ? resting : unary(UnaryOp::Not, scanning);
    if (raster.is_there()) b.assign(raster.rest, resting.defined() ? binary(BinaryOp::And, resting, unary(UnaryOp::Not, begin)) : unary(UnaryOp::Not, binary(BinaryOp::Or, begin, scanning)));
    const Expr fed = b.wire("inputs_ready", inputs), free = b.wire("outputs_ready", outputs);
    const Expr rate = rate_ready();
    const auto in_time = [&](const Expr &e) { return rate.defined() ? binary(BinaryOp::And, e, rate) : e; };
    const Expr due = in_time(scanning), may_fire = fires_when_done() ? in_time(running) : due;
    if (is_fast && core.inputs.size() == 1) fires_if_fed = binary(BinaryOp::And, may_fire, free);
    const Expr can_fire = binary(BinaryOp::And, fed, free);
    b.assign(fire, binary(BinaryOp::And, may_fire, can_fire));
    if (raster.is_there()) {   // at rest, too, where `rest` wins: so nothing but the streams is in front of it
        const Expr steps = rate.defined() ? binary(BinaryOp::And, rate, can_fire) : can_fire;
        b.assign(raster.step, binary(BinaryOp::Or, is_at_rest, steps));
    }
    b.assign(wait_in, binary(BinaryOp::And, due, unary(UnaryOp::Not, fed)));
    b.assign(wait_out, binary(BinaryOp::And, due, unary(UnaryOp::Not, free)));
}

void CoreEmitter::head() {
    b.comment("The head: one firing a position of the scan, when every input that has an element there shows it and\n"
              "every output that has one there has room for it.");
    find_leaders();
    stream_sizes();
    find_last_places();
    begin = start;
    running = b.declare_reg("running");
    fire = b.wire("fire", 1);
    const bool is_told = std::any_of(g.stages.begin(), g.stages.end(), [&](const Stage &s) { return g.is_told(s); });
    if (is_told || g.has_rates) raster.emit(clk, begin, is_row_told_late(), ends_of_rows());
    for (CoreStream &c : core.outputs) size_fifo(c);
    const Expr inputs = are_ready(core.inputs), outputs = are_ready(core.outputs);
    firing(inputs.defined() ? inputs : literal(1, 1), outputs);   // behind a RAM there may be no input
    const std::vector<int> last = last_streams();
    const bool ends_with_input = std::any_of(last.begin(), last.end(), [&](int stream) { return g.stages[stream].kind == Func::Kind::Input; });
    if (!ends_with_input && !fires_when_done()) return;
    for (const CoreStream &c : core.outputs) {
        if (leaders.at(c.stage) == c.stage) outputs_done = also(outputs_done, done[c.stage]);
    }
}

}  // namespace argent::hwgen
