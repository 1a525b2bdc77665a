#include "Inputs.h"

#include <cstring>

#include "Analysis.h"
#include "Random.h"

namespace argent::fuzz {

using namespace Halide;

namespace {

/** How far inputs without a border go on in forms that need more of them than one launch. */
constexpr int far_beyond = 150;

Form without_channels(Form form) {
    form.channels = Form::Channels::None;
    return form;
}

/** An image of some inputs, which are its channels, if the form has some. */
Buffer<> image_of(const Pipeline &p, const Run &run, const Reach &box, const std::vector<int> &inputs, const Form &form) {
    const bool has_channels = form.channels != Form::Channels::None, is_first = form.channels == Form::Channels::First;
    std::vector<int> extents = {box.max_x - box.min_x + 1, box.max_y - box.min_y + 1}, mins = {box.min_x, box.min_y}, order = {0, 1};
    if (form.is_columns_first) std::swap(extents[0], extents[1]), std::swap(mins[0], mins[1]), std::swap(order[0], order[1]);
    if (form.planes) extents.push_back(form.planes + 2), mins.push_back(-1), order.push_back(2);
    if (has_channels) {
        const int dim = is_first ? 0 : static_cast<int>(extents.size());
        if (is_first) {
            for (int &d : order) d++;
        }
        extents.insert(extents.begin() + dim, static_cast<int>(inputs.size()) + 1);
        mins.insert(mins.begin() + dim, 0);
        order.insert(form.channels == Form::Channels::Planar ? order.end() : order.begin(), dim);
    }
    Buffer<> b(p.inputs[inputs[0]], extents, order);
    b.set_min(mins);
    b.for_each_element([&](const int *at) {
        const size_t channel = has_channels ? at[is_first ? 0 : b.dimensions() - 1] : 0;
        if (channel == inputs.size()) return;   // nobody reads that one
        const int *place = at + (has_channels && is_first);
        const int x = place[form.is_columns_first], y = place[!form.is_columns_first], z = form.planes ? place[2] : 0;
        const uint64_t v = input_element(p, run, inputs[channel], x, y + 1000003 * z);
        std::memcpy(b.raw_buffer()->address_of(at), &v, b.type().bytes());
    });
    return b;
}

void set_params(const Pipeline &p, const Run &run, Built &built) {
    for (size_t i = 0; i < built.params.size(); i++) {
        halide_scalar_value_t v;
        std::memset(&v, 0, sizeof(v));
        v.u.i64 = param_value(p, run, static_cast<int>(i));
        built.params[i].set_scalar(p.params[i].type, v);
    }
}

}  // namespace

uint64_t input_element(const Pipeline &p, const Run &run, int index, int x, int y) {
    const Type t = p.inputs[index];
    const uint64_t mask = t.bits() == 64 ? ~uint64_t(0) : (uint64_t(1) << t.bits()) - 1;
    const uint64_t noise = mix(mix(run.seed + uint64_t(index) * 7919) ^ (uint64_t(uint32_t(x)) << 32 | uint32_t(y)));
    const uint64_t more = mix(noise);
    if (t.is_bool()) return noise & 1;
    switch (noise % 8) {
    case 0: return more % 4;
    case 1: return (mask - more % 3) & mask;                             // -1 and its neighbours, or the greatest
    case 2: return ((mask >> 1) + more % 3) & mask;                      // the greatest and the least signed numbers
    case 3: return (more >> (64 - t.bits())) >> (noise / 8 % t.bits());  // of every length
    case 4: return uint64_t(int64_t(x) * 3 + y * 5) & mask;
    default: return more & mask;
    }
}

int64_t param_value(const Pipeline &p, const Run &run, int index) {
    const ParamDecl &d = p.params[index];
    const uint64_t noise = mix(run.seed ^ mix(uint64_t(index) + 17)), more = mix(noise);
    const Range all = d.has_range ? Range{d.min, d.max} : range_of_type(d.type);
    switch (noise % 5) {
    case 0: return static_cast<int64_t>(all.lo);
    case 1: return static_cast<int64_t>(static_cast<uint64_t>(all.hi));
    case 2: return static_cast<int64_t>(all.lo + Wide(more) % std::min<Wide>(all.hi - all.lo + 1, 16));
    default: return static_cast<int64_t>(static_cast<uint64_t>(all.lo + Wide(more) % (all.hi - all.lo + 1)));
    }
}

uint64_t element_bits(const Buffer<> &b, int x, int y) {
    const int at[] = {x, y};
    uint64_t v = 0;
    std::memcpy(&v, b.raw_buffer()->address_of(at), b.type().bytes());
    return b.type().is_bool() ? v & 1 : v;
}

void set_inputs(const Pipeline &p, const Run &run, Built &built, const Form &form) {
    const std::vector<Reach> boxes = boxes_of(p, analyse(p), run);
    std::vector<Reach> of_images(built.images.size());
    for (size_t i = 0; i < p.inputs.size(); i++) {
        Reach r = boxes[i];
        if (!form.is_plain() && p.border(int(i)) == Border::None) {   // several outputs, tiles and what another accelerator asks for need more
            r.min_x -= far_beyond, r.max_x += far_beyond, r.min_y -= far_beyond, r.max_y += far_beyond;
        }
        Reach &all = of_images[built.inputs[i].image];
        if (built.inputs[i].channel == 0) all = r;
        else all.include(r);
    }
    for (size_t k = 0; k < built.images.size(); k++) {
        std::vector<int> members;
        for (size_t i = 0; i < p.inputs.size(); i++) {
            if (built.inputs[i].image == int(k)) members.push_back(static_cast<int>(i));
        }
        built.images[k].set(image_of(p, run, of_images[k], members, k == 0 ? form : without_channels(form)));
    }
    for (size_t i = 0; i < built.tables.size(); i++) {
        const Table &k = p.tables[i];
        Buffer<> b(k.type, std::vector<int>{static_cast<int>(k.values.size())});
        for (size_t v = 0; v < k.values.size(); v++) std::memcpy(b.raw_buffer()->host + v * k.type.bytes(), &k.values[v], k.type.bytes());
        built.tables[i].set(b);
    }
    built.min_x.set(run.min_x), built.min_y.set(run.min_y);
    set_params(p, run, built);
}

}  // namespace argent::fuzz
