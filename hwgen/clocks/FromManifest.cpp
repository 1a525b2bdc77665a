#include "hwgen/clocks/FromManifest.h"

#include <algorithm>
#include <climits>

namespace argent::hwgen::clocks {

namespace {

using nlohmann::json;

long vectors(long elements, long lanes) {
    return (elements + lanes - 1) / lanes;
}

/** Elements of a dimension beyond the output's. */
long extra(const json &image, int dim) {
    const json &range = image.at("box").at(dim);
    return long(range.at("max")) - long(range.at("min"));
}

long floor_div(long a, long b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

long at(const json &map, long v) {
    const long period = map.at("period"), q = floor_div(v, period);
    return long(map.at("step")) * q + long(map.at("offset").at(static_cast<size_t>(v - q * period)));
}

/** What a launch has of an image in one dimension, where rates differ. */
struct Part {
    long first, last;             // elements from the scan's origin
    long begin, end;              // positions or rows of the scan
};

/** The boxes of all output Funcs, in one dimension. */
struct Extent {
    long min, last, stride;
};

std::vector<Extent> extents_of(const json &model, int dim, const Launch &launch) {
    const long min = dim == 0 ? launch.min_x : launch.min_y, size = dim == 0 ? launch.width : launch.height;
    std::vector<Extent> extents = {{min, min + size - 1, model.at("output_stride").at(dim)}};
    for (size_t i = 0; i < launch.others.size(); i++) {
        const Launch::Box &box = launch.others[i];
        extents.push_back({box.min[dim], box.min[dim] + box.size[dim] - 1, model.at("other_output_strides").at(i).at(dim)});
    }
    return extents;
}

/** Where the scan begins, over the model's origin. */
long origin_of(const json &model, int dim, const std::vector<Extent> &extents) {
    long first = LONG_MAX;
    for (const Extent &e : extents) first = std::min(first, floor_div(e.min, long(model.at("origin").at(dim)) / e.stride));
    return first;
}

/** The element that is lane 0 of the scan's first vector. */
long start_of(const json &model, const json &grid, int dim, const Launch &launch) {
    return origin_of(model, dim, extents_of(model, dim, launch)) * (long(model.at("origin").at(dim)) / long(grid.at("stride"))) + long(grid.at("start"));
}

Part part_of(const json &model, const json &image, int dim, const Launch &launch) {
    const json &grid = image.at("grid").at(dim);
    const std::vector<Extent> extents = extents_of(model, dim, launch);
    const long start = start_of(model, grid, dim, launch);
    const long lanes = dim == 0 ? long(image.at("lanes")) : 1, step = grid.at("step");
    Part p{LONG_MAX, LONG_MIN, 0, 0};
    for (size_t func = 0; func < extents.size(); func++) {
        const json &needed = grid.contains("needed") ? grid["needed"].at(func) : grid;
        if (needed.is_null()) continue;
        p.first = std::min(p.first, at(needed.at("first"), extents[func].min) - start);
        p.last = std::max(p.last, at(needed.at("last"), extents[func].last) - start);
    }
    p.begin = p.first / lanes * step;
    p.end = p.last / lanes * step + 1;
    return p;
}

long pitch_of(const json &model, const Launch &launch) {
    const std::vector<Extent> extents = extents_of(model, 0, launch);
    long last_base = LONG_MIN;
    for (const Extent &e : extents) last_base = std::max(last_base, e.last * e.stride);
    last_base -= origin_of(model, 0, extents) * long(model.at("origin").at(0));
    const long unit = model.at("pitch_unit");
    return std::max((last_base + long(model.at("beyond_output"))) / (long(model.at("lanes")) * unit) + 1, vectors(model.at("least_pitch"), unit)) * unit;
}

long elements_of(const json &image, const json &model, int dim, const Launch &launch) {
    if (!image.contains("grid")) return (dim == 0 ? launch.width : launch.height) + extra(image, dim);
    const Part p = part_of(model, image, dim, launch);
    return p.last - p.first + 1;
}

/** Elements of memory from one of a row to the next: more than 1 if the image is interleaved. */
long step(const json &image) {
    return image.contains("pixel") ? long(image["pixel"].at("step")) : 1;
}

long span(const json &image) {
    return image.contains("pixel") ? long(image["pixel"].at("span")) : 1;
}

/** Of a port, and of the cells between it and the core. */
template<typename End>
void fill(End &end, const json &image, const json &model, const Launch &launch, const Launch::Image &at) {
    auto &port = end.port;
    port.is_stream = image.value("kind", "memory") == "stream";
    port.bus_bytes = image.at("bus_bytes");
    port.elem_bytes = image.at("element_bytes");
    port.fifo_beats = image.value("fifo_beats", port.fifo_beats);
    port.lanes = image.value("lanes", int(model.at("lanes")));
    port.address = at.address;
    port.row_stride = at.stride;
    port.row_elements = at.extent[0] > 0 ? at.extent[0] : elements_of(image, model, 0, launch);
    end.pixels = port.row_elements;
    end.pixel_lanes = port.lanes;
    if (image.contains("pixel") && !port.is_stream) {   // a stream counts pixels
        port.row_elements = (port.row_elements - 1) * step(image) + span(image);
        port.word = port.lanes * static_cast<int>(step(image));
        port.lanes = image["pixel"].at("vector");
    }
    port.rows = at.extent[1] > 0 ? at.extent[1] : elements_of(image, model, 1, launch);
}

/** Of an input with whole rows in memory, if its edges are repeated where a launch says so; else what its lanes need. */
Padding padding_of(const json &image, const json &model, const Launch &launch, const Launch::Image &at) {
    if (!image.contains("pad") || at.padding.exists) return at.padding;
    const Part x = part_of(model, image, 0, launch), y = part_of(model, image, 1, launch);
    const long lanes = image.at("lanes");
    return {true, x.first % lanes, x.last / lanes - x.first / lanes + 1, 0, y.last - y.first + 1};
}

Folding folding_of(const json &image, const json &model, const Launch &launch, const Launch::Image &at) {
    if (!image.contains("fold") || at.folding.exists) return at.folding;
    const Part x = part_of(model, image, 0, launch);
    const long lanes = image.at("lanes");
    return {true, x.last / lanes - x.first / lanes + 1};
}

Legs legs_of(const json &image, const json &model, const Launch &launch, const Launch::Image &at) {
    if (!image.contains("legs") || at.legs.exists) return at.legs;
    const Part y = part_of(model, image, 1, launch);
    const long rows = y.last - y.first + 1;
    return {true, at.address, at.address, at.address, rows, rows, rows};
}

Stream scan_of(const json &stream, const json &image, const json &model, const Launch &launch, const Launch::Image &at, long pitch) {
    Stream s;
    s.dx = stream.at("dx");
    s.dy = stream.at("dy");
    if (image.contains("grid")) {
        Part x = part_of(model, image, 0, launch), y = part_of(model, image, 1, launch);
        if (at.has_part) {
            const long displaced = s.dy * pitch + s.dx;
            const auto time = [&](const long place[2]) { return (place[1] - 1) * pitch + place[0] - 1 - displaced; };
            const long first = time(at.begin) + 1, last = time(at.end);
            x.begin = first % pitch, y.begin = first / pitch, x.end = last % pitch + 1, y.end = last / pitch + 1;
        }
        s.begin_x = static_cast<int>(x.begin);
        s.begin_y = static_cast<int>(y.begin);
        s.cols = static_cast<int>(x.end);
        s.rows = static_cast<int>(y.end);
        s.step_x = image.at("grid").at(0).at("step");
        s.step_y = image.at("grid").at(1).at("step");
        return s;
    }
    s.cols = static_cast<int>(vectors(launch.width + extra(image, 0), model.at("lanes")));
    s.rows = static_cast<int>(launch.height + extra(image, 1));
    if (stream.contains("repeated")) {
        s.repeated = s.begin_x = stream["repeated"].at(0);
        s.cols += s.begin_x;
    }
    return s;
}

/** The part of an output's box that leaves. */
void crop(Stream &s, const json &image, const json &model, const Launch::Image &at) {
    const long lanes = model.at("lanes");
    const auto before = [&](int dim) { return at.first[dim] - long(image.at("box").at(dim).at("min")); };
    if (at.extent[0] > 0) {
        s.begin_x = static_cast<int>(before(0) / lanes);
        s.cols = static_cast<int>(vectors(before(0) + at.extent[0], lanes));
    }
    if (at.extent[1] > 0) {
        s.begin_y = static_cast<int>(before(1));
        s.rows = static_cast<int>(before(1) + at.extent[1]);
    }
}

}  // namespace

namespace {

/** Which timeline a port belongs to: the last one, if nothing else is said. */
size_t timeline_at(const json &accelerator, const json &image) {
    return image.value("timeline", accelerator.at("clocks").at("model").value("before", json::array()).size());
}

/** Inputs of a timeline that another one's FIFO has, or the others. */
std::vector<const json *> streams_of(const json &model, bool are_channels) {
    std::vector<const json *> streams;
    for (const json &stream : model.at("inputs")) {
        if (stream.contains("channel") == are_channels) streams.push_back(&stream);
    }
    return streams;
}

/** The first element that is needed, and how many. */
Launch::Box box_of(const json &model, const json &image, const Launch &launch) {
    Launch::Box box;
    for (int dim = 0; dim < 2; dim++) {
        const Part p = part_of(model, image, dim, launch);
        box.min[dim] = start_of(model, image.at("grid").at(dim), dim, launch) + p.first;
        box.size[dim] = p.last - p.first + 1;
    }
    return box;
}

/** A launch in terms of the outputs of a timeline that fills RAMs, as large as it can be, or a FIFO, with what is taken out of it. */
Launch launch_of(const json &accelerator, size_t timeline, const Launch &launch) {
    const json &model = accelerator.at("clocks").at("model"), &before = model.value("before", json::array());
    if (timeline == before.size()) return launch;
    Launch own = launch;
    own.width = before.at(timeline).at("extent").at(0), own.height = before.at(timeline).at("extent").at(1);
    own.min_x = own.min_y = 0;
    own.others.clear();
    for (size_t reader = timeline + 1; reader <= before.size(); reader++) {
        const json &of_reader = reader == before.size() ? model : before.at(reader);
        for (const json *stream : streams_of(of_reader, true)) {
            if (size_t(stream->at("channel")) != timeline) continue;
            const Launch::Box box = box_of(of_reader, *stream, launch_of(accelerator, reader, launch));
            own.min_x = box.min[0], own.min_y = box.min[1];
            own.width = box.size[0], own.height = box.size[1];
        }
    }
    return own;
}

/** One timeline, with a launch in terms of its own outputs; with that pitch, if it is known. */
System timeline_of(const json &accelerator, const json &model, size_t timeline, const Launch &launch, long pitch = 0) {
    System system;
    system.clocks_per_fire = model.at("clocks_per_fire");
    system.pitch = static_cast<int>(
        pitch > 0 ? pitch :
        model.contains("origin") ? pitch_of(model, launch) :
        std::max<long>(long(model.at("least_pitch")),
                       vectors(launch.width + long(model.at("longest_extra")), model.at("lanes"))));
    for (int t : model.value("waits_for", std::vector<int>())) system.waits_for.push_back(t);
    const std::vector<const json *> streams = streams_of(model, false);
    for (size_t i = 0; i < accelerator.at("inputs").size(); i++) {
        const json &image = accelerator.at("inputs").at(i);
        if (timeline_at(accelerator, image) != timeline) continue;
        Input input;
        input.scan = scan_of(*streams.at(system.inputs.size()), image, model, launch, launch.inputs.at(i), system.pitch);
        fill(input, image, model, launch, launch.inputs.at(i));
        input.padding = padding_of(image, model, launch, launch.inputs.at(i));
        input.folding = folding_of(image, model, launch, launch.inputs.at(i));
        input.legs = legs_of(image, model, launch, launch.inputs.at(i));
        system.inputs.push_back(input);
    }
    for (const json *stream : streams_of(model, true)) {
        Input input;
        input.scan = scan_of(*stream, *stream, model, launch, {}, system.pitch);
        input.channel.timeline = stream->at("channel");
        system.inputs.push_back(input);
    }
    return system;
}

void add_outputs(System &system, const json &accelerator, const json &model, const Launch &launch) {
    for (size_t i = 0; i < accelerator.at("outputs").size(); i++) {
        const json &image = accelerator.at("outputs").at(i);
        const json &stream = model.at("outputs").at(i);
        Output output;
        output.scan = scan_of(stream, image, model, launch, launch.outputs.at(i), system.pitch);
        crop(output.scan, image, model, launch.outputs.at(i));
        output.has_skip = image.contains("skip");
        if (output.has_skip) output.skip = part_of(model, image, 0, launch).first % long(image.at("lanes"));
        output.latency = stream.at("latency");
        output.fifo_depth = stream.at("fifo_depth");
        output.spare = stream.at("spare");
        fill(output, image, model, launch, launch.outputs.at(i));
        system.outputs.push_back(output);
    }
}

/** A timeline that fills RAMs, or the FIFO in front of another one. */
System before_of(const json &accelerator, size_t timeline, const Launch &launch) {
    const json &model = accelerator.at("clocks").at("model").at("before").at(timeline);
    const Launch::Before *known = timeline < launch.before.size() ? &launch.before[timeline] : nullptr;
    const Launch own = launch_of(accelerator, timeline, launch);
    System system = timeline_of(accelerator, model, timeline, own, known ? known->pitch : 0);
    for (size_t i = 0; i < model.at("held").size(); i++) {
        const json &stream = model.at("outputs").at(i);
        Output output;
        output.scan = scan_of(stream, model["held"][i], model, own, known ? known->held.at(i) : Launch::Image(), system.pitch);
        output.latency = stream.at("latency");
        output.fifo_depth = stream.at("fifo_depth");
        output.spare = stream.at("spare");
        output.is_held = true;
        system.outputs.push_back(output);
    }
    return system;
}

/** (rows + rows of look-ahead) x vectors of a row of the longest stream. */
long ideal_of(const System &system) {
    long first = LONG_MAX, last = 0, vectors = 0;   // rows of the scan
    for (const Input &i : system.inputs) {
        first = std::min<long>(first, i.scan.dy + i.scan.begin_y);
        vectors = std::max<long>(vectors, i.scan.cols - i.scan.begin_x);
    }
    for (const Output &o : system.outputs) {
        if (system.inputs.empty()) first = std::min<long>(first, o.scan.dy + o.scan.begin_y);
        last = std::max<long>(last, o.scan.dy + o.scan.rows);
        vectors = std::max<long>(vectors, o.scan.cols - o.scan.begin_x);
    }
    return system.clocks_per_fire * (last - first) * vectors;
}

/** Of a port whose rows have nothing between them. */
Launch::Image dense_image(const json &accelerator, const json &port, const Launch &launch) {
    Launch::Image image;
    image.stride = extent_of(accelerator, port, 0, launch) * step(port) * long(port.at("element_bytes"));
    return image;
}

}  // namespace

System system_of(const json &accelerator, const Launch &launch) {
    const json &model = accelerator.at("clocks").at("model");
    const size_t before = model.value("before", json::array()).size();
    System system = timeline_of(accelerator, model, before, launch);
    add_outputs(system, accelerator, model, launch);
    for (size_t t = 0; t < before; t++) system.before.push_back(before_of(accelerator, t, launch));
    return system;
}

long extent_of(const json &accelerator, const json &image, int dim, const Launch &launch) {
    const json &model = accelerator.at("clocks").at("model");
    if (!image.contains("timeline")) return elements_of(image, model, dim, launch);
    const size_t timeline = image["timeline"];
    return elements_of(image, model.at("before").at(timeline), dim, launch_of(accelerator, timeline, launch));
}

long ideal_clocks(const json &accelerator, const Launch &launch) {
    const System system = system_of(accelerator, launch);
    std::vector<long> ends;   // of timelines, one after the other where one waits for the other, at the same time where a FIFO is between them
    const auto end_of = [&](const System &s) {
        long start = 0, end = 0;
        for (int t : s.waits_for) start = std::max(start, ends.at(t));
        for (const Input &i : s.inputs) end = i.channel.exists() ? std::max(end, ends.at(i.channel.timeline)) : end;
        return std::max(end, start + ideal_of(s));
    };
    for (const System &s : system.before) ends.push_back(end_of(s));
    return end_of(system);
}

Launch dense_launch(const json &accelerator, long width, long height) {
    Launch launch;
    launch.width = width;
    launch.height = height;
    const json &model = accelerator.at("clocks").at("model");
    for (const json &strides : model.value("other_output_strides", json::array())) {   // as far as the first goes
        const long x = strides.at(0), y = strides.at(1);
        launch.others.push_back({{0, 0}, {(width - 1) * long(model.at("output_stride").at(0)) / x + 1, (height - 1) * long(model.at("output_stride").at(1)) / y + 1}});
    }
    for (const json &port : accelerator.at("inputs")) launch.inputs.push_back(dense_image(accelerator, port, launch));
    for (const json &port : accelerator.at("outputs")) launch.outputs.push_back(dense_image(accelerator, port, launch));
    return launch;
}

}  // namespace argent::hwgen::clocks
