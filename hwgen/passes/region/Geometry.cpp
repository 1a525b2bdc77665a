#include "hwgen/passes/region/Geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "hwgen/passes/borders/FoldEdges.h"

namespace argent::hwgen {

using Halide::Expr;

namespace {

Expr variable(int dim, bool is_max, int func) {
    return Halide::Internal::Variable::make(Halide::Int(32), box_variable(dim, is_max, func));
}

/** The least or the greatest of what output Funcs say; only those that have an opinion. */
template<typename F>
Expr over_funcs(const Graph &g, bool is_max, F of) {
    Expr all;
    for (int func = 0; func < g.func_count(); func++) {
        const Expr e = of(func);
        if (e.defined()) all = !all.defined() ? e : is_max ? Halide::max(all, e) : Halide::min(all, e);
    }
    return all;
}

/** First or last element of a stream. */
Expr edge(const Graph &g, const Stage &s, int dim, bool is_max) {
    const int own = g.func_of(s);   // others may read an output; what leaves is what is wanted of itself
    return over_funcs(g, is_max, [&](int func) {
        if (!s.needed[func].any || (own >= 0 && own != func)) return Expr();
        const Expr cut = g.needs.cut(func, static_cast<int>(&s - g.stages.data()), dim, is_max);
        if (cut.defined()) return cut;
        return expression_of((is_max ? s.needed[func].last : s.needed[func].first)[dim], variable(dim, is_max, func));
    });
}

using Pass = std::function<void(const std::string &, const Expr &)>;

/** The arguments of ag_fold. */
void fold_columns(const MemoryPort &p, const Folded &image, const Expr &shift, int lanes, const Expr &vectors, const Pass &pass) {
    const Expr values[] = {(image.place - shift) % image.period, image.period, image.mirror, lanes % image.period, vectors};
    for (size_t k = 0; k < p.fold_registers.size(); k++) pass(p.fold_registers[k], values[k]);
}

/** The arguments of ag_legs; the launcher makes the addresses. */
void fold_rows(const MemoryPort &p, Border border, const Folded &image, const Expr &rows, const Pass &pass, std::vector<LaunchScalar> &scalars) {
    const Expr count = image.to - image.from + 1;
    const Expr leg = border == Border::MirrorInterior ? Halide::max(count - 1, 1) : count;
    const Expr is_back = image.place >= leg;
    scalars.push_back({p.id + "_start_row", Halide::select(is_back, image.mirror - image.place, image.place), ""});
    const Expr values[] = {Halide::min(Halide::select(is_back, 2 * leg, leg) - image.place, rows), Halide::min(leg, rows), rows, Halide::cast<int>(is_back)};
    for (size_t k = 0; k < p.leg_registers.size(); k++) pass(p.leg_registers[k], values[k]);
}

/** The place of a RAM's memory in the image, and how much of it is there. `start`: column of lane 0 of the scan's first vector. */
void held(const Ram &ram, const Graph &g, const Expr &start, const Pass &pass, std::vector<LaunchScalar> &scalars) {
    const Stage &s = g.stages[g.outputs[0]];
    Expr first[2], last[2];
    for (int dim = 0; dim < 2; dim++) first[dim] = edge(g, s, dim, false), last[dim] = edge(g, s, dim, true);
    const Expr vector = (first[0] - start) / s.lanes, column = start + vector * s.lanes;
    pass(vectors_name(ram), (last[0] - start) / s.lanes - vector + 1);
    pass(rows_name(ram), last[1] - first[1] + 1);
    pass(origin_name(ram), first[1] * ram.columns + (ram.lanes == 1 ? column : Expr(0)));
    if (ram.lanes > 1) pass(first_name(ram), column);
    for (int dim = 0; dim < 2; dim++) {
        if (!ram.is_checked[dim]) continue;
        scalars.push_back({fmt::format("{}_extent_{}", ram.id, "xy"[dim]), last[dim] - first[dim] + 1, "", ram.most[dim],
                           fmt::format("{} of {} that are read of its RAM", dim == 0 ? "columns" : "rows", ram.of.label)});
    }
}

/** Of one timeline, in terms of its own box. */
std::vector<LaunchScalar> geometry_of(const Timeline &t, int timeline, const Ram *ram, const Top &top) {
    const Graph &g = t.graph;
    std::vector<LaunchScalar> scalars;
    Expr origin[2], last_base[2];   // over Graph::origin; base elements from there
    for (int dim = 0; dim < 2; dim++) {
        const auto stride = [&](int func) { return g.output_of(func).grid[dim].stride; };
        origin[dim] = over_funcs(g, false, [&](int func) { return variable(dim, false, func) / (g.origin[dim] / stride(func)); });
        last_base[dim] = over_funcs(g, true, [&](int func) { return variable(dim, true, func) * stride(func); }) - origin[dim] * g.origin[dim];
    }
    // Rounded up to whole units, and at least the least pitch.
    const int unit = g.lanes * g.pitch_unit;
    const Expr units = Halide::max((last_base[0] + static_cast<int>(g.beyond_output())) / unit + 1,
                                   static_cast<int>((g.least_pitch + g.pitch_unit - 1) / g.pitch_unit));
    const auto pass = [&](const std::string &name, const Expr &value) { scalars.push_back({name, value, name}); };
    const Expr pitch = units * g.pitch_unit;
    pass(t.prefix + "pitch", pitch);
    pass(t.prefix + "last_position", pitch - 1);
    for (int dim = 0; dim < 2; dim++) {
        const std::string min = t.prefix + "min_" + "xy"[dim];
        const bool is_read = std::any_of(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == min; });
        if (is_read) pass(min, origin[dim]);
    }
    const auto start_of = [&](const Stage &s, int dim) { return origin[dim] * (g.origin[dim] / s.grid[dim].stride) + s.grid[dim].start; };
    // Of the head, from 1: the position in front of the first element, and that of the last.
    const auto part = [&](const MemoryPort &p, const Expr first[2], const Expr last[2]) {
        const Stage &s = g.stages[p.stage];
        const auto position = [&](const Expr &element, int dim) { return (element - start_of(s, dim)) / (dim == 0 ? s.lanes : 1) * s.grid[dim].step; };
        const auto place = [&](int end, const Expr element[2], int before) {
            const Expr column = position(element[0], 0) + static_cast<int>(s.displacement.cols - before), row = position(element[1], 1) + static_cast<int>(s.displacement.rows);
            pass(p.part_registers[end], column % pitch + 1);
            pass(p.part_registers[2 + end], row + column / pitch + 1);
        };
        place(0, first, 1);
        place(1, last, 0);
    };
    const auto stream = [&](const MemoryPort &p, bool is_input) {
        const Stage &s = g.stages[p.stage];
        Folded image[2];
        Expr first[2], last[2];
        for (int dim = 0; dim < 2; dim++) {
            first[dim] = edge(g, s, dim, false);
            last[dim] = edge(g, s, dim, true);
            image[dim] = fold(s.edges[dim], first[dim], last[dim]);
        }
        for (int dim = 0; dim < 2 && (is_input || g.func_of(s) > 0); dim++) {   // the launcher wants these side by side
            scalars.push_back({p.id + "_first_" + "xy"[dim], image[dim].from, ""});
            scalars.push_back({p.id + "_last_" + "xy"[dim], image[dim].to, ""});
        }
        part(p, first, last);
        const std::string sizes[2] = {p.elements_register, p.rows_register};
        for (int dim = 0; dim < 2; dim++) {
            const Expr start = start_of(s, dim);
            const int lanes = dim == 0 ? s.lanes : 1;
            const Expr size = image[dim].to - image[dim].from + 1;
            // Rows that are read again have registers of their own, and the image may have more than a launch reads.
            pass(sizes[dim], dim == 1 && !p.leg_registers.empty() ? Halide::min(size, static_cast<int>(p.most_rows)) : size);
            const Expr count = (last[dim] - start) / lanes - (first[dim] - start) / lanes + 1;   // vectors, rows
            const Expr shift = (first[dim] - start) % lanes;
            if (dim == 0 && !p.skip_register.empty()) pass(p.skip_register, shift);
            if (!(dim == 0 ? p.fold_registers : p.leg_registers).empty()) {
                if (dim == 0) fold_columns(p, image[0], shift, lanes, count, pass);
                else fold_rows(p, s.edges[1].border, image[1], count, pass, scalars);
            }
            // Where all that is needed lies beyond an edge, every place is as good as the right one, which may be far away.
            if (!s.edges[dim].folds() && p.pad_registers.size() > 2u * dim) {
                pass(p.pad_registers[2 * dim], Halide::clamp(image[dim].from - first[dim] + shift, 0, count * lanes - 1));
                pass(p.pad_registers[2 * dim + 1], count);
            }
        }
    };
    const auto each = [&](const std::vector<MemoryPort> &ports, const std::function<void(const MemoryPort &)> &of) {
        for (const MemoryPort &p : ports) {
            if (p.timeline == timeline) of(p);
        }
    };
    each(top.inputs, [&](const MemoryPort &p) { stream(p, true); });
    each(top.outputs, [&](const MemoryPort &p) { stream(p, false); });
    each(top.held, [&](const MemoryPort &p) {
        const Stage &s = g.stages[p.stage];
        const Expr first[2] = {edge(g, s, 0, false), edge(g, s, 1, false)}, last[2] = {edge(g, s, 0, true), edge(g, s, 1, true)};
        part(p, first, last);
    });
    if (ram && !ram->channel) held(*ram, g, start_of(g.stages[g.outputs[0]], 0), pass, scalars);
    if (g.func_count() > 1) {
        for (int dim = 0; dim < 2; dim++) {
            const std::string d(1, "xy"[dim]);
            scalars.push_back({"reach_" + d, last_base[dim] + 1, "", g.last_base(dim, g.block[dim]) + 1,
                               "elements of " + d + " from the first of all outputs to the last, as the finest Func counts them"});
        }
    }
    for (const DomainMark &m : g.marks) {
        const Domain1 &d = g.domains[m.domain];
        const Expr at = m.what == DomainMark::What::Extent ? d.max - d.min + 1 :
                                                             (m.what == DomainMark::What::First ? d.min : d.max) - origin[m.dim] * (g.origin[m.dim] / m.stride);
        pass(t.prefix + m.id, Halide::clamp(at, static_cast<int>(-m.bias), static_cast<int>(m.most - m.bias)) + static_cast<int>(m.bias));
    }
    for (size_t i = 0; i < g.needs.beyond.size(); i++) {
        const Beyond &b = g.needs.beyond[i];
        const bool is_closed = b.domain.min.defined() && b.domain.max.defined();
        scalars.push_back({beyond_name(t, i), is_closed ? Halide::select(b.domain.max < b.domain.min, Halide::Int(32).min(), b.elements) : b.elements, ""});
    }
    return scalars;
}

}  // namespace

std::string beyond_name(const Timeline &t, size_t i) {
    return t.prefix + "beyond_" + std::to_string(i);
}

Expr in_outer_box(const Timelines &t, int timeline, const Expr &e) {
    if (timeline + 1 == static_cast<int>(t.all.size())) return e;
    const Ram &ram = t.rams[timeline];
    std::map<std::string, Expr> box;
    for (int dim = 0; dim < 2; dim++) {
        box[box_variable(dim, false)] = ram.first[dim];
        box[box_variable(dim, true)] = ram.last[dim];
    }
    return Halide::Internal::substitute(box, e);
}

std::vector<LaunchScalar> geometry_of(const Timelines &t, const Top &top) {
    std::vector<LaunchScalar> scalars;
    if (!t.last().graph.has_rates) return scalars;
    for (size_t i = 0; i < t.all.size(); i++) {
        const bool is_last = i + 1 == t.all.size();
        for (LaunchScalar &s : geometry_of(t.all[i], static_cast<int>(i), is_last ? nullptr : &t.rams[i], top)) {
            s.value = Halide::Internal::simplify(in_outer_box(t, static_cast<int>(i), s.value));
            scalars.push_back(std::move(s));
        }
    }
    return scalars;
}

}  // namespace argent::hwgen
