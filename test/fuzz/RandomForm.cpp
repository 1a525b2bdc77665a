#include "RandomForm.h"

#include <algorithm>

namespace argent::fuzz {

namespace {

bool reads_tables(const Pipeline &p) {
    bool found = false;
    for (const Stage &s : p.stages) {
        visit_terms(s, [&](const TermPtr &t) { found = found || t->kind == Term::Kind::Table; });
    }
    return found;
}

/** Stages that can be outputs beside the last one. */
std::vector<int> possible_outputs(const Pipeline &p) {
    std::vector<int> all;
    for (int i = 0; i + 1 < int(p.stages.size()); i++) {
        if (p.stages[i].grid == p.stages.back().grid) all.push_back(i);
    }
    return all;
}

void outputs(Random &r, const Pipeline &p, Form &form) {
    std::vector<int> possible = possible_outputs(p);
    if (possible.empty()) return;
    using Outputs = Form::Outputs;
    form.outputs = r.pick({Outputs::Funcs, Outputs::Tuple, Outputs::Unrolled, p.pixels == 1 ? Outputs::Scanned : Outputs::Funcs});
    for (int n = r.between(1, 2); n > 0 && !possible.empty(); n--) {
        const int k = r.below(static_cast<int>(possible.size()));
        form.also.push_back(possible[k]);
        possible.erase(possible.begin() + k);
    }
}

/** A stage that is no output; -1 if there is none. */
int other_stage(Random &r, const Pipeline &p, const Form &form) {
    const int i = r.below(static_cast<int>(p.stages.size()));
    const bool is_output = i + 1 == int(p.stages.size()) || std::count(form.also.begin(), form.also.end(), i);
    return is_output ? -1 : i;
}

}  // namespace

Form random_form(Random &r, const Pipeline &p) {
    Form form;
    if (r.chance(10)) return form;
    form.is_columns_first = r.chance(15);
    if (r.chance(20)) form.planes = r.between(1, 3);
    if (r.chance(35)) form.channels = r.pick({Form::Channels::Planar, Form::Channels::Interleaved, Form::Channels::First});
    if (r.chance(45)) outputs(r, p, form);
    const bool has_channels = form.channels == Form::Channels::Interleaved || form.channels == Form::Channels::First || form.outputs == Form::Outputs::Scanned;
    form.has_unrolled_planes = form.planes && !has_channels && r.chance(30);   // channels side by side are of one dimension
    form.has_loaded_tables = r.chance(40) && reads_tables(p);
    if (r.chance(30) && form.outputs != Form::Outputs::Funcs) form.tile[0] = r.between(1, p.block[0]), form.tile[1] = r.between(1, p.block[1]);
    if (form.tile[0] == 0 && form.outputs != Form::Outputs::Funcs && r.chance(20)) form.strip = r.between(1, p.block[form.is_columns_first ? 0 : 1]);
    if (r.chance(20)) form.first = other_stage(r, p, form);
    // It would need an output of the other one.
    if (std::any_of(form.also.begin(), form.also.end(), [&](int i) { return i < form.first; })) form.first = -1;
    // What has a border is computed within the image only, wherever it is read.
    if (form.first >= 0 && p.has_borders() && p.stages[form.first].border == Border::None) form.first = -1;
    if (r.chance(15)) form.buffered = other_stage(r, p, form);
    if (form.buffered == form.first) form.buffered = -1;
    form.is_first_on_host = form.first >= 0 && r.chance(40);
    if (r.chance(10)) form.wrapped = other_stage(r, p, form);
    if (form.wrapped == form.first || form.wrapped == form.buffered) form.wrapped = -1;
    // A stream comes once, and in its own order.
    const bool comes_again = p.has_repeats() || p.has_own_bounds || (p.has_borders() && (p.has_rates() || form.outputs == Form::Outputs::Funcs));
    form.has_streams = r.chance(20) && !comes_again && form.buffered < 0;
    return form;
}

}  // namespace argent::fuzz
