#include "hwgen/passes/region/InferBoxes.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "hwgen/ir/FloorDiv.h"
#include "hwgen/passes/datapath/Leaves.h"
#include "hwgen/passes/region/LaunchNeeds.h"
#include "hwgen/passes/region/Needs.h"
#include "hwgen/passes/region/UnreadInputs.h"

namespace argent::hwgen {

namespace {

/** Where a stage begins whose borders were told so, although less of it may be needed by now (ExpandBorders.h). What is outside of the domain is made there of
 *  elements inside: no input is wanted for it. */
int told_first(const Datapath &d) {
    int first = INT32_MAX;
    for (const Leaf &l : d.leaves()) {
        if (l.kind == Leaf::Kind::Place && l.lane == Leaf::any_lane) first = std::min(first, l.offset[0]);
    }
    return first;
}

/** The same read, if a border moves what it finds: nowhere, or as far as one can. */
IndexMap moved(IndexMap map, int by) {
    for (int &o : map.offset) o += by;
    return map;
}

/** The stages that outputs need; what all reads of were folded away is not among them. */
std::vector<bool> needed_stages(const Graph &g) {
    std::vector<bool> needed(g.stages.size(), false);
    for (int out : g.outputs) needed[out] = true;
    for (size_t i = g.stages.size(); i-- > 0;) {
        for (const Read &r : g.stages[i].reads) needed[r.producer] = needed[r.producer] || needed[i];
    }
    for (const Bundle &b : g.bundles) {   // what comes in together is needed together
        bool any = false;
        for (int i : b.stages) any = any || needed[i];
        for (int i : b.stages) needed[i] = any;
    }
    for (const UnreadInput &u : unread_inputs(g)) needed[u.stage] = needed[u.stage] || !u.alike.empty();
    return needed;
}

/** What each element of one output Func needs of all stages: a quasi-affine map, since all ways from it to a stage have
 *  the same rate. Widens boxes, in base elements, and the places where vectors begin: at the first element that is needed
 *  when the output begins at the origin; what begins later is needed later. Borders have room: they may be anywhere, or nowhere. */
void infer_needs(Graph &g, int dim, int func, const std::vector<bool> &is_needed) {
    std::vector<int> strides, outs;
    for (const Stage &s : g.stages) strides.push_back(s.grid[dim].stride);
    for (int out : g.outputs) {
        if (g.func_of(g.stages[out]) == func) outs.push_back(out);
    }
    NeedsFlow flow(g.origin[dim], strides, outs);
    const int out_stride = g.output_of(func).grid[dim].stride;
    bool joined = false;
    for (const int stage : backwards(g)) {
        const size_t i = static_cast<size_t>(stage);
        Stage &s = g.stages[i];
        Grid &grid = s.grid[dim];
        if (s.kind == Func::Kind::Input && !joined) {   // all readers of all inputs have been seen
            settle_inputs(g, flow);
            joined = true;
        }
        settle_output(g, stage, flow);
        if (flow.at(stage).empty()) {
            if (is_needed[i] || func > 0) continue;   // by others
            flow.need_any(stage);
        }
        for (const Read &r : s.reads) {
            flow.read(stage, r.producer, r.maps[dim]);
            for (int by : {r.borders[dim].moves.min, r.borders[dim].moves.max}) {
                if (by != 0) flow.read(stage, r.producer, moved(r.maps[dim], by));
            }
        }
        const Needs own = flow.at(stage).at(NeedsFlow::outputs);
        int64_t beyond = INT64_MIN;
        for (size_t v = 0; v < own.high.size(); v++) beyond = std::max(beyond, own.high[v] * grid.stride - int64_t(v) * out_stride);
        const int first = static_cast<int>(*std::min_element(own.low.begin(), own.low.end()));
        const int same_lanes = dim == 0 ? std::gcd(grid.repeat, s.lanes) : 1;   // a lane keeps its phases
        grid.start = std::min(grid.start, floor_to(first, same_lanes));
        s.box[dim] = {std::min(s.box[dim].min, first * grid.stride), std::max(s.box[dim].max, static_cast<int>(beyond))};
        s.needed[func].any = true;
        s.needed[func].first[dim] = own.first(flow.step(stage));
        s.needed[func].last[dim] = own.last(flow.step(stage));
    }
}

/** The element that is read in the k-th vector (or row) of a stage, from the origin. Datapaths are built for phases that begin at the
 *  origin; this vector has the phases of one of those, whole periods away. */
int element_read(const std::vector<int> &phases, const Grid &own, int lanes, int producer_stride, int k) {
    for (int phase = 0;; phase++) {
        const int away = own.start + (k - phase) * lanes;
        if (away % own.repeat == 0) return phases[phase] + away * own.stride / producer_stride;
    }
}

int element_read(const Leaf &l, int dim, const Grid &own, int lanes, int producer_stride, int k) {
    if (l.phases.empty()) return l.offset[dim] + own.start * own.stride / producer_stride;   // one phase, k = 0
    return element_read(l.phases[dim], own, lanes, producer_stride, k);
}

int mark_of(Graph &g, DomainMark::What what, const Leaf &l) {
    const int stride = what == DomainMark::What::Extent ? 1 : g.stages[l.producer].grid[l.dim].stride;
    for (size_t i = 0; i < g.marks.size(); i++) {
        const DomainMark &m = g.marks[i];
        if (m.what == what && m.dim == l.dim && m.domain == l.domain && m.stride == stride) return static_cast<int>(i);
    }
    const char *names[] = {"first", "last", "extent"};
    const std::string of = stride == 1 ? "" : std::to_string(stride) + "_";
    g.marks.push_back({what, l.dim, l.domain, stride, std::string("domain") + std::to_string(l.domain) + "_" + of + names[static_cast<int>(what)] + "_" + "xy"[l.dim]});
    return static_cast<int>(g.marks.size()) - 1;
}

/** Whether lanes of it ask for their places in a row: they were told where its vectors begin (ExpandBorders.h). */
bool asks_for_columns(const Datapath &d) {
    return std::any_of(d.leaves().begin(), d.leaves().end(), [](const Leaf &l) { return l.kind == Leaf::Kind::Place && l.dim == 0 && l.lane != Leaf::any_lane; });
}

/** The stages of which a vector may be made of one vector of each input, as they read their own columns: they need no window if they begin where inputs do, whose
 *  vectors in front of the domain are whole ones (RepeatInputs.h). None where inputs have nothing there, and no output, which begins with the domain. */
std::vector<bool> stages_of_vectors(const Graph &g) {
    std::vector<bool> are(g.stages.size(), false);
    for (size_t i = 0; i < g.stages.size(); i++) {
        const std::vector<int> producers = producers_of(g.stages[i].datapath);
        are[i] = (g.stages[i].repeats || (!producers.empty() && !asks_for_columns(g.stages[i].datapath))) &&
                 std::count(g.outputs.begin(), g.outputs.end(), static_cast<int>(i)) == 0;
        for (int p : producers) {
            const std::optional<Range> reads = reads_of(g.stages[i].datapath, p, 0, g.lanes);
            if (!are[p] || (reads && !(*reads == Range{0, 0}))) are[i] = false;
        }
    }
    return are;
}

Box hull(Box a, const Box &b) {
    for (size_t dim = 0; dim < a.size(); dim++) a[dim] = {std::min(a[dim].min, b[dim].min), std::max(a[dim].max, b[dim].max)};
    return a;
}

/** Where the stage's leaves say that something lies beyond a domain. */
void add_marks(Graph &g, int stage) {
    Stage &s = g.stages[stage];
    for (size_t leaf = 0; leaf < s.datapath.leaves().size(); leaf++) {
        const Leaf &l = s.datapath.leaves()[leaf];
        if (l.kind != Leaf::Kind::Place && l.kind != Leaf::Kind::Extent) continue;
        MarkedLeaf m{static_cast<int>(leaf)};
        if (l.kind == Leaf::Kind::Extent) {
            m.mark = mark_of(g, DomainMark::What::Extent, l);
            m.at = {l.place};
            g.marks[m.mark].most = std::max<int64_t>(g.marks[m.mark].most, l.place + 1);
            s.marked.push_back(m);
            continue;
        }
        m.mark = mark_of(g, l.from_end ? DomainMark::What::Last : DomainMark::What::First, l);
        const Grid &own = s.grid[l.dim];
        const int lanes = l.dim == 0 ? s.lanes : 1, stride = g.stages[l.producer].grid[l.dim].stride;
        m.advance = int64_t(own.period) * lanes * own.stride / stride;
        for (int phase = 0; phase < own.period; phase++) {
            m.at.push_back(element_read(l.phases[0], own, lanes, stride, phase) + (l.from_end ? l.place : -l.place));
        }
        const int64_t rounds = g.span(s, l.dim, g.block[l.dim]) / (int64_t(own.step) * own.period) + 1;
        DomainMark &mark = g.marks[m.mark];
        mark.bias = std::max(mark.bias, 1 - *std::min_element(m.at.begin(), m.at.end()));
        mark.most = std::max(mark.most, rounds * m.advance + *std::max_element(m.at.begin(), m.at.end()) + 1);
        s.marked.push_back(m);
    }
}

/** A read in all its phases: how far behind the latest of them each is. */
Tap tap_of(const Graph &g, const Stage &s, int leaf) {
    const Leaf &l = s.datapath.leaves()[leaf];
    const Stage &p = g.stages[l.producer];
    Tap t;
    t.leaf = leaf;
    t.producer = l.producer;
    for (int dim = 0; dim < 2; dim++) {
        const Grid &own = s.grid[dim], &other = p.grid[dim];
        const int lanes = dim == 0 ? p.lanes : 1;
        std::vector<int64_t> offsets;
        std::vector<Tap::Phase> phases;
        for (int phase = 0; phase < own.period; phase++) {
            const int element = element_read(l, dim, own, dim == 0 ? s.lanes : 1, other.stride, phase) - other.start;
            const int vector = floor_div(element, lanes);
            offsets.push_back(int64_t(vector) * other.step - int64_t(phase) * own.step);
            phases.push_back({0, element - vector * lanes});
        }
        const int64_t latest = *std::max_element(offsets.begin(), offsets.end());
        for (size_t k = 0; k < phases.size(); k++) phases[k].earlier = latest - offsets[k];
        (dim == 0 ? t.offset.cols : t.offset.rows) = latest;
        (dim == 0 ? t.columns : t.rows) = phases;
    }
    t.lane = t.columns[0].lane;
    return t;
}

Graph infer_boxes_at_rates(Graph g) {
    const std::vector<bool> is_needed = needed_stages(g);
    for (Stage &s : g.stages) {
        s.box.assign(2, {INT32_MAX, INT32_MIN});
        s.needed.assign(g.func_count(), {});
        for (Grid &grid : s.grid) grid.start = INT32_MAX;
    }
    for (int func = 0; func < g.func_count(); func++) {
        for (int dim = 0; dim < 2; dim++) infer_needs(g, dim, func, is_needed);
    }
    for (const Bundle &b : g.bundles) {   // what moves together has vectors that begin together, though lanes of one plane keep fewer phases than those of another
        for (int dim = 0; dim < 2; dim++) {
            int start = INT32_MAX;
            for (int i : b.stages) start = std::min(start, g.stages[i].grid[dim].start);
            for (int i : b.stages) g.stages[i].grid[dim].start = start;
        }
    }
    for (Stage &s : g.stages) {
        for (size_t leaf = 0; leaf < s.datapath.leaves().size(); leaf++) {
            if (s.datapath.leaves()[leaf].kind == Leaf::Kind::Tap) s.taps.push_back(tap_of(g, s, static_cast<int>(leaf)));
        }
    }
    for (size_t i = 0; i < g.stages.size(); i++) add_marks(g, static_cast<int>(i));
    for (DomainMark &m : g.marks) m.most += m.bias;
    g.needs = launch_needs(g);
    return g;
}

/** At one rate: what the outputs' own element needs of every stage. */
std::vector<Box> boxes_of_element(const Graph &g) {
    const Box itself = {{0, 0}, {0, 0}}, nothing = {{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
    const std::vector<bool> is_of_vectors = stages_of_vectors(g);
    std::vector<Box> boxes(g.stages.size(), nothing);
    for (int out : g.outputs) boxes[out] = itself;
    for (size_t i = g.stages.size(); i-- > 0;) {
        if (boxes[i] == nothing && g.stages[i].kind == Func::Kind::Input) continue;   // until all others are known
        if (boxes[i] == nothing) boxes[i] = itself;   // all reads of it were folded away
        Range &columns = boxes[i][0];
        columns.min = std::min(columns.min, told_first(g.stages[i].datapath));
        if (is_of_vectors[i]) columns.min = floor_to(columns.min, g.lanes);
        for (int p : producers_of(g.stages[i].datapath)) {
            Box read = itself;
            for (int dim = 0; dim < 2; dim++) {
                const std::optional<Range> reads = reads_of(g.stages[i].datapath, p, dim, g.lanes);
                if (!reads) continue;   // all of them are inside of the domain
                read[dim] = {boxes[i][dim].min + reads->min, boxes[i][dim].max + reads->max};
                if (is_read_inside(g.stages[i].datapath, p, dim)) read[dim] = {std::min(read[dim].min, 0), std::max(read[dim].max, 0)};
            }
            boxes[p] = hull(boxes[p], read);
        }
    }
    for (const UnreadInput &u : unread_inputs(g)) {
        for (int i : u.alike) boxes[u.stage] = hull(boxes[u.stage], boxes[i]);
        if (boxes[u.stage] == nothing) boxes[u.stage] = itself;
    }
    return boxes;
}

/** The tap of a leaf where all stages have one rate. */
Tap plain_tap_of(const Graph &g, const Stage &s, int leaf) {
    const Leaf &l = s.datapath.leaves()[leaf];
    const Box &producer = g.stages[l.producer].box;
    const int x = s.box[0].min + l.offset[0] - producer[0].min;
    const int y = s.box[1].min + l.offset[1] - producer[1].min;
    const int vector = floor_div(x, g.lanes);
    Tap t;
    t.leaf = leaf;
    t.producer = l.producer;
    t.offset = {y, vector};
    t.lane = t.columns[0].lane = x - vector * g.lanes;
    return t;
}

Graph infer_boxes_at_one_rate(Graph g) {
    std::vector<Box> boxes = boxes_of_element(g);
    for (size_t i = 0; i < g.stages.size(); i++) {
        if (!g.stages[i].repeats) continue;   // all of the domain is streamed
        Range &columns = boxes[i][0];
        columns = {floor_to(std::min(columns.min, 0), g.lanes), std::max(columns.max, 0)};   // the domain begins with a vector
    }
    for (const Bundle &b : g.bundles) {   // what moves together is as large as the largest of it
        Box all = boxes[b.stages[0]];
        for (int i : b.stages) all = hull(all, boxes[i]);
        for (int i : b.stages) boxes[i] = all;
    }
    for (size_t i = 0; i < g.stages.size(); i++) {
        Stage &s = g.stages[i];
        s.box = boxes[i];
        const Box needed = g.streamed(s);
        s.needed[0].any = true;
        for (int dim = 0; dim < 2; dim++) {
            s.needed[0].first[dim].offset = {needed[dim].min};
            s.needed[0].last[dim].offset = {needed[dim].max};
        }
    }
    for (Stage &s : g.stages) {
        for (size_t leaf = 0; leaf < s.datapath.leaves().size(); leaf++) {
            if (s.datapath.leaves()[leaf].kind == Leaf::Kind::Tap) s.taps.push_back(plain_tap_of(g, s, static_cast<int>(leaf)));
        }
    }
    return g;
}

}  // namespace

Graph infer_boxes(Graph g) {
    return g.has_rates ? infer_boxes_at_rates(std::move(g)) : infer_boxes_at_one_rate(std::move(g));
}

}  // namespace argent::hwgen
