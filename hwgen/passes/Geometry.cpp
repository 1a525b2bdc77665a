#include "hwgen/passes/Geometry.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "hwgen/passes/FoldEdges.h"

namespace argent::hwgen {

using Halide::Expr;

std::string box_variable(int dim, bool is_max) {
    return (is_max ? "argent.max." : "argent.min.") + std::to_string(dim);
}

namespace {

int64_t floor_div(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

Expr variable(int dim, bool is_max) {
    return Halide::Internal::Variable::make(Halide::Int(32), box_variable(dim, is_max));
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

}  // namespace

Expr expression_of(const IndexMap &map, const Expr &v) {
    int64_t least = INT64_MIN, most = INT64_MAX;
    for (int p = 0; p < map.period; p++) {
        const int64_t b = int64_t(map.period) * map.offset[p] - int64_t(map.step) * p;
        least = std::max(least, b);
        most = std::min(most, b + map.period - 1);
    }
    if (least <= most) {
        const int64_t both = std::gcd(int64_t(map.step), int64_t(map.period));   // floors only need b up to a multiple of it
        return Halide::Internal::simplify((v * static_cast<int>(map.step / both) + static_cast<int>(floor_div(least, both))) / static_cast<int>(map.period / both));
    }
    Expr offset = map.offset.back();
    for (int p = map.period - 2; p >= 0; p--) offset = Halide::select(v % map.period == p, map.offset[p], offset);
    return (v / map.period) * map.step + offset;
}

std::vector<LaunchScalar> geometry_of(const Graph &g, const Top &top) {
    std::vector<LaunchScalar> scalars;
    if (!g.has_rates) return scalars;
    Expr origin[2];   // over Graph::origin
    for (int dim = 0; dim < 2; dim++) {
        const int period = g.origin[dim] / g.stages[g.outputs[0]].grid[dim].stride;
        origin[dim] = variable(dim, false) / period;
    }
    const int out_stride = g.stages[g.outputs[0]].grid[0].stride;
    // Rounded up to whole units, and at least the least pitch.
    const Expr last_base = variable(0, true) * out_stride - origin[0] * g.origin[0];
    const int unit = g.lanes * g.pitch_unit;
    const Expr units = Halide::max((last_base + static_cast<int>(g.beyond_output())) / unit + 1,
                                   static_cast<int>((g.least_pitch + g.pitch_unit - 1) / g.pitch_unit));
    scalars.push_back({"pitch", units * g.pitch_unit, "pitch"});
    const char *minima[2] = {"min_x", "min_y"};
    for (int dim = 0; dim < 2; dim++) {
        const bool is_read = std::any_of(top.registers.begin(), top.registers.end(), [&](const Register &r) { return r.name == minima[dim]; });
        if (is_read) scalars.push_back({minima[dim], origin[dim], minima[dim]});
    }
    const auto pass = [&](const std::string &name, const Expr &value) { scalars.push_back({name, value, name}); };
    const auto stream = [&](const MemoryPort &p, bool is_input) {
        const Stage &s = g.stages[p.stage];
        Folded image[2];
        Expr first[2], last[2];
        for (int dim = 0; dim < 2; dim++) {
            first[dim] = expression_of(s.first_needed[dim], variable(dim, false));
            last[dim] = expression_of(s.last_needed[dim], variable(dim, true));
            image[dim] = fold(s.edges[dim], first[dim], last[dim]);
        }
        for (int dim = 0; dim < 2 && is_input; dim++) {   // the launcher wants these side by side
            scalars.push_back({p.id + "_first_" + "xy"[dim], image[dim].from, ""});
            scalars.push_back({p.id + "_last_" + "xy"[dim], image[dim].to, ""});
        }
        const std::string sizes[2] = {p.elements_register, p.rows_register};
        for (int dim = 0; dim < 2; dim++) {
            const Grid &grid = s.grid[dim];
            const Expr start = origin[dim] * (g.origin[dim] / grid.stride) + grid.start;
            const int lanes = dim == 0 ? s.lanes : 1;
            const auto position = [&](const Expr &element) { return (element - start) / lanes * grid.step; };
            pass(sizes[dim], image[dim].to - image[dim].from + 1);
            pass(p.part_registers[2 * dim], position(first[dim]));
            pass(p.part_registers[2 * dim + 1], position(last[dim]) + 1);
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
    for (const MemoryPort &p : top.inputs) stream(p, true);
    for (const MemoryPort &p : top.outputs) stream(p, false);
    for (LaunchScalar &s : scalars) s.value = Halide::Internal::simplify(s.value);
    return scalars;
}

}  // namespace argent::hwgen
