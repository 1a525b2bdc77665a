#include "dsl/CaptureEdges.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "dsl/Layout.h"
#include "dsl/ReadElements.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

std::string buffer_name(const std::string &wish, const hwgen::Region &r) {
    for (const hwgen::Buffer &b : r.buffers) {
        if (b.name == wish) return buffer_name(wish + "_", r);
    }
    return wish;
}

/** An element of an input as the region's stages read it. */
hwgen::Func input_func(const Halide::Func &in, const Scalar &s, const Function &f, const Shape &shape) {
    hwgen::Func input;
    input.kind = hwgen::Func::Kind::Input;
    input.name = scalar_name(s, f, shape);
    input.label = shown(in) + scalar_label(s, f, shape).substr(user_name(f.name()).size());
    input.type = f.output_types()[s.element];
    input.vars = scanned_vars(f, shape);
    input.reason = "an input";
    return input;
}

/** What is read of one element of a Tuple; the host passes it, read or not. */
std::vector<Scalar> elements_read(const std::string &input, int element, const Shape &shape, const std::set<Scalar> &read) {
    std::vector<Scalar> elements;
    std::vector<Place> any(shape.unrolled.size());
    for (const Scalar &s : read) {
        if (s.func != input) continue;
        any = s.at;
        if (s.element == element) elements.push_back(s);
    }
    if (elements.empty()) elements.push_back({input, element, any});
    return elements;
}

/** The host's buffer of one element of a Tuple, without planes. */
hwgen::Buffer buffer_of(const std::string &name, const Function &f, int element, const Shape &shape, const hwgen::Region &region) {
    hwgen::Buffer buffer;
    buffer.image = f.name();
    buffer.label = name;
    buffer.name = buffer_name(f.outputs() > 1 ? fmt::format("{}_{}", name, element) : name, region);
    buffer.type = f.output_types()[element];
    buffer.dimensions = f.dimensions();
    buffer.scanned = shape.scanned;
    return buffer;
}

/** Whether an element is in the launch's own plane; other outputs may read more. */
bool is_of_launch(const Scalar &s, const Function &f, const Shape &shape, const Walk &walk) {
    for (size_t i = 0; i < shape.unrolled.size(); i++) {
        const int d = shape.unrolled[i];
        if (shape.is_looped(d) && s.at[i].key != Place(walk.loops.at(f.args()[d])).key) return false;
    }
    return true;
}

void add_output(const Walk &walk, int func, Captured &captured) {
    const Function &f = captured.outs[func].func;
    const Shape &shape = walk.shapes.at(f.name());
    for (int element = 0; element < f.outputs(); element++) {
        hwgen::Buffer buffer = buffer_of(user_name(f.name()), f, element, shape, captured.region);
        for (const Scalar &s : walk.scalars.at(f.name())) {
            if (s.element != element || !is_of_launch(s, f, shape, walk)) continue;
            buffer.planes.push_back(plane_of(scalar_name(s, f, shape), s, f, shape));
            captured.region.outputs.push_back(buffer.planes.back().func);
            captured.region.output_funcs.push_back(func);
        }
        captured.region.buffers.push_back(buffer);
    }
}

}  // namespace

void capture_inputs(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured) {
    std::set<std::string> tables;
    for (const Captured::Input &t : captured.tables) tables.insert(t.func.name());
    ReadElements elements_of(env, walk, tables);
    for (hwgen::Func &f : captured.region.funcs) f.value = elements_of.mutate(f.value);
    std::vector<hwgen::Func> inputs;
    for (const Halide::Func &in : spec.inputs) {
        if (tables.count(in.name())) continue;
        const Function &f = walk.input_funcs.at(in.name());
        const Shape &shape = walk.shapes.at(in.name());
        captured.inputs.push_back({f, env.count(in.name()) ? image_of(f) : Parameter()});
        captured.input_shapes.push_back(shape);
        for (int element = 0; element < f.outputs(); element++) {
            hwgen::Buffer buffer = buffer_of(shown(in), f, element, shape, captured.region);
            for (const Scalar &s : elements_read(in.name(), element, shape, elements_of.found)) {
                inputs.push_back(input_func(in, s, f, shape));
                buffer.planes.push_back(plane_of(inputs.back().name, s, f, shape));
            }
            captured.region.buffers.push_back(buffer);
        }
    }
    captured.region.funcs.insert(captured.region.funcs.begin(), inputs.begin(), inputs.end());
}

void capture_outputs(const Walk &walk, Captured &captured) {
    for (size_t func = 0; func < captured.outs.size(); func++) add_output(walk, static_cast<int>(func), captured);
}

void find_layouts(const AcceleratorSpec &spec, const std::set<std::string> &pipeline_outputs, Captured &captured, Diagnostics &diagnostics) {
    const int pixels = spec.throughputs.empty() ? 1 : std::max(1, spec.throughputs[0].value.pixels);
    auto buffer = captured.region.buffers.begin();
    const auto find = [&](const Function &f, const Parameter &image, bool is_written) {
        const size_t before = diagnostics.all().size();
        std::vector<int> extents;
        for (int d = 0; d < f.dimensions(); d++) extents.push_back(is_written ? span_of(spec, f, d).extent : declared_span(f, image, d).extent);
        for (int element = 0; element < f.outputs(); element++, ++buffer) {
            const bool is_output = pipeline_outputs.count(f.name()) && !f.output_buffers().empty();
            const Parameter given = image.defined() ? image : is_output ? f.output_buffers()[element] : Parameter();
            const std::string name = image.defined() ? user_name(image.name()) : user_name(f.name());
            if (diagnostics.all().size() > before) continue;   // one Tuple, one mistake
            find_layout(*buffer, {f, given, name, extents, is_written, pixels, spec.where, accelerate_text(spec)}, diagnostics);
        }
    };
    for (const Captured::Input &input : captured.inputs) find(input.func, input.image, false);
    for (const Captured::Output &out : captured.outs) find(out.func, {}, true);
}

}  // namespace argent::dsl
