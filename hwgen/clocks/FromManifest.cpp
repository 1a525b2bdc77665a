#include "hwgen/clocks/FromManifest.h"

#include <algorithm>

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

template<typename P>
void fill(P &port, const json &image, const json &model, const Launch &launch, const Launch::Image &at) {
    port.is_stream = image.value("kind", "memory") == "stream";
    port.bus_bytes = image.at("bus_bytes");
    port.elem_bytes = image.at("element_bytes");
    port.fifo_beats = image.value("fifo_beats", port.fifo_beats);
    port.lanes = model.at("lanes");
    port.address = at.address;
    port.row_stride = at.stride;
    port.row_elements = launch.width + extra(image, 0);
    port.rows = launch.height + extra(image, 1);
}

Stream scan_of(const json &stream, const json &image, const json &model, const Launch &launch) {
    Stream s;
    s.dx = stream.at("dx");
    s.dy = stream.at("dy");
    s.cols = static_cast<int>(vectors(launch.width + extra(image, 0), model.at("lanes")));
    s.rows = static_cast<int>(launch.height + extra(image, 1));
    return s;
}

}  // namespace

System system_of(const json &accelerator, const Launch &launch) {
    const json &model = accelerator.at("clocks").at("model");
    System system;
    system.clocks_per_fire = model.at("clocks_per_fire");
    system.pitch = static_cast<int>(
        std::max<long>(long(model.at("least_pitch")),
                       vectors(launch.width + long(model.at("longest_extra")), model.at("lanes"))));
    for (size_t i = 0; i < accelerator.at("inputs").size(); i++) {
        const json &image = accelerator.at("inputs").at(i);
        Input input;
        input.scan = scan_of(model.at("inputs").at(i), image, model, launch);
        fill(input.port, image, model, launch, launch.inputs.at(i));
        system.inputs.push_back(input);
    }
    for (size_t i = 0; i < accelerator.at("outputs").size(); i++) {
        const json &image = accelerator.at("outputs").at(i);
        const json &stream = model.at("outputs").at(i);
        Output output;
        output.scan = scan_of(stream, image, model, launch);
        output.latency = stream.at("latency");
        output.fifo_depth = stream.at("fifo_depth");
        fill(output.port, image, model, launch, launch.outputs.at(i));
        system.outputs.push_back(output);
    }
    return system;
}

Launch dense_launch(const json &accelerator, long width, long height) {
    Launch launch{width, height, {}, {}};
    const auto image = [&](const json &i) {
        return Launch::Image{0, (width + extra(i, 0)) * long(i.at("element_bytes"))};
    };
    for (const json &i : accelerator.at("inputs")) launch.inputs.push_back(image(i));
    for (const json &i : accelerator.at("outputs")) launch.outputs.push_back(image(i));
    return launch;
}

}  // namespace argent::hwgen::clocks
