#include "hwgen/passes/Geometry.h"

#include <algorithm>
#include <numeric>

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
    const auto stream = [&](const MemoryPort &p, bool is_input) {
        const Stage &s = g.stages[p.stage];
        const std::string sizes[2] = {p.elements_register, p.rows_register};
        for (int dim = 0; dim < 2 && is_input; dim++) {   // the launcher wants these side by side
            scalars.push_back({p.id + "_first_" + "xy"[dim], expression_of(s.first_needed[dim], variable(dim, false)), ""});
            scalars.push_back({p.id + "_last_" + "xy"[dim], expression_of(s.last_needed[dim], variable(dim, true)), ""});
        }
        for (int dim = 0; dim < 2; dim++) {
            const Grid &grid = s.grid[dim];
            const Expr first = expression_of(s.first_needed[dim], variable(dim, false)), last = expression_of(s.last_needed[dim], variable(dim, true));
            const Expr start = origin[dim] * (g.origin[dim] / grid.stride) + grid.start;
            const int lanes = dim == 0 ? s.lanes : 1;
            const auto position = [&](const Expr &element) { return (element - start) / lanes * grid.step; };
            scalars.push_back({sizes[dim], last - first + 1, sizes[dim]});
            scalars.push_back({p.part_registers[2 * dim], position(first), p.part_registers[2 * dim]});
            scalars.push_back({p.part_registers[2 * dim + 1], position(last) + 1, p.part_registers[2 * dim + 1]});
        }
    };
    for (const MemoryPort &p : top.inputs) stream(p, true);
    for (const MemoryPort &p : top.outputs) stream(p, false);
    for (LaunchScalar &s : scalars) s.value = Halide::Internal::simplify(s.value);
    return scalars;
}

}  // namespace argent::hwgen
