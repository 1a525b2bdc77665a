#include "hwgen/passes/emit/EmitTimelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

using namespace verilog;

namespace {

std::string header(const Timelines &t) {
    std::string text = fmt::format("{}: {} timelines, each with a core of its own.\n", t.whole.function, t.all.size());
    for (const Ram &ram : t.rams) {
        if (ram.channel) {
            text += fmt::format("{}: {} hands it to {}, through a FIFO of {} words.\n", ram.of.label, t.all[ram.writer].core.name, t.all[ram.readers[0]].core.name,
                                stream_of(t.all[ram.writer], ram.of.elements[0]).fifo_depth);
            continue;
        }
        std::string readers;
        for (int r : ram.readers) readers += (readers.empty() ? "" : ", ") + t.all[r].core.name;
        text += fmt::format("{}: {} fills a RAM of {} rows of {} word{} of {} element{}; {} read{} it.\n", ram.of.label, t.all[ram.writer].core.name, ram.rows,
                            ram.columns, ram.columns == 1 ? "" : "s", ram.lanes, ram.lanes == 1 ? "" : "s", readers, ram.readers.size() == 1 ? "s" : "");
    }
    return text + "Ports are those of the cores. All but streams are stable from 4 clocks before start until busy falls.";
}

const char *const stream_ends[] = {"_valid", "_ready", "_data"};

class Emitter {
public:
    explicit Emitter(const Timelines &t) : t(t), b(t.whole.name + "_core", header(t)) {}

    Core emit() {
        core.name = t.whole.name + "_core";
        clk = b.input("clk");
        rst = b.input("rst");
        start = b.input("start");
        const Expr busy = b.output("busy"), wait_in = b.output("wait_in", 1, "an input keeps a head from firing");
        const Expr wait_out = b.output("wait_out", 1, "an output keeps a head from firing");
        nets.resize(t.all.size());
        for (size_t i = 0; i < t.all.size(); i++) own_ports(static_cast<int>(i));
        std::stable_sort(core.inputs.begin(), core.inputs.end(), [&](const CoreStream &a, const CoreStream &b) { return buffer_at(a) < buffer_at(b); });
        for (const Ram &ram : t.rams) ram_ports(ram);
        params();
        for (size_t i = 0; i < t.all.size(); i++) loaded_tables(static_cast<int>(i));
        for (const Ram &ram : t.rams) ram.channel ? channel_nets(ram) : fill_nets(ram);
        Expr any_busy, any_in, any_out;
        const auto include = [](Expr &all, const Expr &e) { all = all.defined() ? binary(BinaryOp::Or, all, e) : e; };
        for (size_t i = 0; i < t.all.size(); i++) {
            timeline(static_cast<int>(i));
            include(any_busy, nets[i].at("busy"));
            // Waiting for each other is nothing that the outside could do better.
            if (has_outside(t.all[i], true)) include(any_in, nets[i].at("wait_in"));
            else unread.push_back(nets[i].at("wait_in"));
            if (has_outside(t.all[i], false)) include(any_out, nets[i].at("wait_out"));
            else unread.push_back(nets[i].at("wait_out"));
        }
        for (const Expr &e : waiting) include(any_busy, e);
        for (const RamNets &ram : rams) {
            for (const Fill &f : ram.fills) name_unread(f);
        }
        b.assign(busy, any_busy);
        b.assign(wait_in, any_in);
        b.assign(wait_out, any_out);
        if (!unread.empty()) {
            unread.insert(unread.begin(), literal(0, 1));
            b.comment("What nobody reads, named once so that lint can tell it from a mistake.");
            b.wire("_unused", unary(UnaryOp::ReduceAnd, concat(unread)));
        }
        core.cells.assign(cells.begin(), cells.end());
        core.modules.push_back(b.take());
        return std::move(core);
    }

private:
    struct Fill {
        Expr write, place, element, full;
        std::vector<bool> is_read;   // by lane
    };
    struct RamNets {
        Expr vectors, rows;
        std::vector<Fill> fills;   // of its elements
    };

    /** Whether the timeline has an input, or an output, that no other timeline is at the end of. A RAM is as good as a memory. */
    bool has_outside(const Timeline &timeline, bool inputs) const {
        const int i = static_cast<int>(&timeline - t.all.data());
        if (!inputs) return i + 1 == static_cast<int>(t.all.size()) || !t.rams[i].channel;
        const auto &streams = timeline.core.inputs;
        return streams.empty() || std::any_of(streams.begin(), streams.end(), [&](const CoreStream &s) { return !is_channel(t, timeline.graph.stages[s.stage]); });
    }

    const Port &port_of(int i, const std::string &name) const {
        const std::vector<Port> &ports = t.all[i].core.modules.back().ports;
        return *std::find_if(ports.begin(), ports.end(), [&](const Port &p) { return p.name == name; });
    }

    /** Ports that are the wrapper's, too: streams with their parts of the scan, and the geometry. */
    void own_ports(int i) {
        const Timeline &timeline = t.all[i];
        const Core &c = timeline.core;
        std::set<std::string> inside(c.param_ports.begin(), c.param_ports.end());
        for (const Core::Table &table : c.tables) inside.insert({table.write, table.place, table.element});
        for (const char *name : {"clk", "rst", "start", "busy", "wait_in", "wait_out"}) inside.insert(name);
        const auto keep_inside = [&](const CoreStream &s) {
            for (const char *end : stream_ends) inside.insert(s.id + end);
        };
        for (const CoreStream &s : c.outputs) {
            if (i + 1 < static_cast<int>(t.all.size())) keep_inside(s);
        }
        for (const CoreStream &s : c.inputs) {
            if (is_channel(t, timeline.graph.stages[s.stage])) keep_inside(s);
        }
        std::set<std::string> common = {"pitch", "last_position", "min_x", "min_y"};
        for (const DomainMark &m : timeline.graph.marks) common.insert(m.id);
        for (const Port &p : c.modules.back().ports) {
            if (inside.count(p.name)) continue;
            const std::string name = common.count(p.name) ? timeline.prefix + p.name : p.name;
            nets[i][p.name] = p.direction == Direction::Input ? b.input(name, p.width, p.comment) : b.output(name, p.width, p.comment);
        }
        for (CoreStream s : c.inputs) {
            s.timeline = i;
            if (!is_channel(t, timeline.graph.stages[s.stage])) core.inputs.push_back(s);
        }
        for (CoreStream s : c.outputs) {
            s.timeline = i;
            if (i + 1 == static_cast<int>(t.all.size())) core.outputs.push_back(s);
        }
        for (const Module &m : c.modules) core.modules.push_back(m);
        cells.insert(c.cells.begin(), c.cells.end());
    }

    /** The host gives images in the order of the region's buffers. */
    size_t buffer_at(const CoreStream &c) const {
        const Buffer *b = buffer_of(t.whole, t.all[c.timeline].graph.stages[c.stage].name);
        return b ? static_cast<size_t>(b - t.whole.buffers.data()) : 0;
    }

    void ram_ports(const Ram &ram) {
        RamNets &r = rams.emplace_back();
        if (ram.channel) return;
        r.vectors = b.input(vectors_name(ram), count_bits(ram), fmt::format("words of a row of {}", ram.of.label));
        r.rows = b.input(rows_name(ram), count_bits(ram));
        variables[origin_name(ram)] = b.input(origin_name(ram), 32, fmt::format("{} times the first row{}", ram.columns, ram.lanes == 1 ? ", and the first column" : ""));
        if (ram.lanes > 1) variables[first_name(ram)] = b.input(first_name(ram), 32, "column of lane 0 of the first word");
    }

    void params() {
        for (const Param &p : t.whole.params) {
            std::string port;
            for (const Timeline &timeline : t.all) {
                const auto &own = timeline.region.params;
                if (std::any_of(own.begin(), own.end(), [&](const Param &q) { return q.variable == p.variable; })) port = p.name;
            }
            if (!port.empty()) {
                const Expr e = b.input(port, p.range.bits());
                variables[p.variable] = e;
                port = e.get().name;
            }
            core.param_ports.push_back(port);
        }
    }

    void loaded_tables(int i) {
        for (const Core::Table &table : t.all[i].core.tables) {
            if (t.all[i].graph.tables[table.table].ram >= 0) continue;
            Core::Table own = table;
            const auto port = [&](const std::string &name) {
                const Expr e = b.input(name, port_of(i, name).width);
                nets[i][name] = e;
                return e.get().name;
            };
            own.write = port(table.write), own.place = port(table.place), own.element = port(table.element);
            core.tables.push_back(own);
        }
    }

    /** The FIFO is the one behind the writer's output. */
    void channel_nets(const Ram &ram) {
        const std::string given = stream_of(t.all[ram.writer], ram.of.elements[0]).id, taken = channel_input(t, ram).id;
        for (const char *end : stream_ends) {
            nets[ram.readers[0]][taken + end] = nets[ram.writer][given + end] = b.wire(given + end, port_of(ram.writer, given + end).width);
        }
    }

    /** What the timeline behind the stream and those behind the memories share. */
    void fill_nets(const Ram &ram) {
        const Timeline &writer = t.all[ram.writer];
        RamNets &r = rams[ram.writer];
        for (const Buffered::Element &e : ram.of.elements) {
            const CoreStream &s = stream_of(writer, e);
            const std::string &id = s.id;
            const int width = port_of(ram.writer, id + "_data").width;
            const auto own = [&](const char *end, int width) { return nets[ram.writer][id + end] = b.wire(id + end, width); };
            own("_valid", 1), own("_ready", 1), own("_data", width);
            r.fills.push_back({b.wire(id + "_write", 1), b.wire(id + "_place", bits_for(ram.depth() - 1)), b.wire(id + "_element", width), b.wire(id + "_full", 1),
                               std::vector<bool>(ram.lanes)});
        }
    }

    /** With the launch, whenever its timeline starts: nobody may take what the last launch has left for full. */
    void fill(const Ram &ram) {
        const Timeline &writer = t.all[ram.writer];
        const RamNets &r = rams[ram.writer];
        for (size_t k = 0; k < ram.of.elements.size(); k++) {
            const CoreStream &s = stream_of(writer, ram.of.elements[k]);
            const Fill &f = r.fills[k];
            const auto &own = nets[ram.writer];
            b.instance({"ag_table_fill", "fill_" + s.id,
                        {{"WIDTH", std::to_string(f.element.width())}, {"ADDR_W", std::to_string(f.place.width())}, {"PITCH", std::to_string(ram.columns)},
                         {"COUNT_W", std::to_string(count_bits(ram))}},
                        {{"clk", clk}, {"rst", rst}, {"start", start}, {"columns", r.vectors}, {"rows", r.rows}, {"s_valid", own.at(s.id + "_valid")},
                         {"s_ready", own.at(s.id + "_ready")}, {"s_data", own.at(s.id + "_data")}, {"write", f.write}, {"place", f.place}, {"element", f.element},
                         {"full", f.full}}, {}});
            cells.insert("ag_table_fill");
        }
    }

    /** What is folded away in all that reads it. */
    void name_unread(const Fill &f) {
        const int lane_bits = f.element.width() / static_cast<int>(f.is_read.size());
        for (size_t lane = 0; lane < f.is_read.size(); lane++) {
            const int low = static_cast<int>(lane) * lane_bits;
            if (!f.is_read[lane]) unread.push_back(slice(f.element, low + lane_bits - 1, low));
        }
        if (std::count(f.is_read.begin(), f.is_read.end(), true) == 0) unread.insert(unread.end(), {f.write, f.place});
    }

    /** The launch's start, or the clock in which the last RAM that it reads is full. */
    void find_start(int i) {
        Expr full;
        for (const Ram &ram : t.rams) {
            if (ram.channel || !std::count(ram.readers.begin(), ram.readers.end(), i)) continue;
            for (const Fill &f : rams[ram.writer].fills) full = full.defined() ? binary(BinaryOp::And, full, f.full) : f.full;
        }
        if (!full.defined()) {
            starts.push_back(start);
            return;
        }
        const Timeline &timeline = t.all[i];
        const std::string id = timeline.core.name;
        const Expr waits = b.declare_reg(id + "_waits");
        starts.push_back(b.wire(id + "_start", binary(BinaryOp::And, waits, full)));
        b.update({waits, select(start, literal(1, 1), binary(BinaryOp::And, waits, unary(UnaryOp::Not, starts.back()))), {}, literal(0, 1), {}});
        waiting.push_back(waits);
    }

    /** The element of a RAM that a table is, and its lane. */
    std::pair<size_t, int> place_of(const Ram &ram, const std::string &table) const {
        for (size_t k = 0; k < ram.of.elements.size(); k++) {
            for (int lane = 0; lane < ram.lanes; lane++) {
                if (table == fmt::format("{}.ram{}", ram.of.elements[k].name, lane)) return {k, lane};
            }
        }
        argent_internal_assert(false, "emit_timelines", "a table of another RAM");
        return {};
    }

    void timeline(int i) {
        const Timeline &timeline = t.all[i];
        const bool is_last = i + 1 == static_cast<int>(t.all.size());
        b.comment(is_last ? fmt::format("The outputs.") : fmt::format("{}.", t.rams[i].of.label));
        find_start(i);
        std::map<std::string, Expr> &own = nets[i];
        own["clk"] = clk, own["rst"] = rst, own["start"] = starts.at(i);
        for (const char *state : {"busy", "wait_in", "wait_out"}) own[state] = b.wire(fmt::format("{}_{}", timeline.core.name, state), 1);
        for (size_t k = 0; k < timeline.region.params.size(); k++) own[timeline.core.param_ports[k]] = variables.at(timeline.region.params[k].variable);
        for (const Core::Table &table : timeline.core.tables) {
            const TableSource &source = timeline.graph.tables[table.table];
            if (source.ram < 0) continue;
            const auto [element, lane] = place_of(t.rams[source.ram], source.name);
            Fill &f = rams[source.ram].fills[element];
            f.is_read[lane] = true;
            own[table.write] = f.write;
            own[table.place] = slice(f.place, table.place_width - 1, 0);
            own[table.element] = slice(f.element, (lane + 1) * table.element_width - 1, lane * table.element_width);
        }
        Instance instance{timeline.core.name, "timeline_" + timeline.core.name, {}, {}, {}};
        for (const Port &p : timeline.core.modules.back().ports) instance.connections.push_back({p.name, own.at(p.name)});
        b.instance(std::move(instance));
        if (!is_last && !t.rams[i].channel) fill(t.rams[i]);
    }

    const Timelines &t;
    Builder b;
    Core core;
    Expr clk, rst, start;
    std::vector<std::map<std::string, Expr>> nets;   // of timelines, by the port of their core
    std::map<std::string, Expr> variables;           // params
    std::vector<RamNets> rams;
    std::vector<Expr> starts, waiting, unread;
    std::set<std::string> cells;
};

}  // namespace

std::string vectors_name(const Ram &ram) { return ram.id + "_vectors"; }
std::string rows_name(const Ram &ram) { return ram.id + "_rows"; }
int count_bits(const Ram &ram) { return std::max(2, bits_for(std::max(ram.columns, ram.rows))); }

const TableSource &table_of(const Timelines &t, size_t i) {
    for (const Timeline &timeline : t.all) {
        if (!timeline.graph.tables[i].box.empty()) return timeline.graph.tables[i];
    }
    return t.last().graph.tables[i];
}

bool is_channel(const Timelines &t, const Stage &input) {
    return std::any_of(t.rams.begin(), t.rams.end(), [&](const Ram &r) { return r.channel && input.kind == Func::Kind::Input && r.of.has(input.name); });
}

const CoreStream &channel_input(const Timelines &t, const Ram &channel) {
    const Timeline &reader = t.all[channel.readers[0]];
    const auto s = std::find_if(reader.core.inputs.begin(), reader.core.inputs.end(), [&](const CoreStream &c) { return channel.of.has(reader.graph.stages[c.stage].name); });
    argent_internal_assert(s != reader.core.inputs.end(), "emit_timelines", "a channel that does not enter its timeline");
    return *s;
}

const CoreStream &stream_of(const Timeline &writer, const Buffered::Element &e) {
    const auto s = std::find_if(writer.core.outputs.begin(), writer.core.outputs.end(),
                                [&](const CoreStream &c) { return writer.graph.stages[c.stage].name == e.name; });
    argent_internal_assert(s != writer.core.outputs.end(), "emit_timelines", "an element that does not leave its timeline");
    return *s;
}

Core emit_timelines(const Timelines &t) {
    return t.all.size() == 1 ? t.all[0].core : Emitter(t).emit();
}

}  // namespace argent::hwgen
