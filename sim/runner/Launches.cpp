#include "sim/runner/Launches.h"

#include <fmt/format.h>

#include <algorithm>

#include "argent_sim.h"
#include "hwgen/clocks/FromManifest.h"

namespace argent::runner {

using nlohmann::json;
using nlohmann::ordered_json;

LaunchRecorder::LaunchRecorder(Observe observe) : observe(observe) { observe(note, this); }
LaunchRecorder::~LaunchRecorder() { observe(nullptr, nullptr); }

std::vector<LaunchLog> LaunchRecorder::take() {
    std::vector<LaunchLog> taken;
    taken.swap(launches);
    return taken;
}

void LaunchRecorder::note(const argent_launch_record *r, void *self) {
    LaunchLog log;
    log.accelerator = r->accelerator->name;
    log.code = r->code;
    log.min.assign(r->min, r->min + r->accelerator->dimensions);
    log.extent.assign(r->extent, r->extent + r->accelerator->dimensions);
    log.domain.assign(r->domain_extent, r->domain_extent + r->accelerator->dimensions);
    for (int d = 0; d < r->accelerator->dimensions; d++) log.first.push_back(r->min[d] - r->domain_min[d]);
    for (int i = 0; i < r->stream_count; i++) {
        const argent_launch_stream &stream = r->streams[i];
        LaunchLog::Image image{stream.address, {stream.stride, stream.stride + stream.dimensions}, stream.writes != 0, {}};
        if (!stream.stream->is_axis) image.port = stream.stream->port;
        image.bus_bytes = stream.stream->bus_bytes;
        image.row_bytes = uint64_t(stream.row);
        image.min.assign(stream.min, stream.min + stream.dimensions);
        image.extent.assign(stream.extent, stream.extent + stream.dimensions);
        if (stream.dimensions > 1) image.rows = uint64_t(stream.extent[1]);
        log.images.push_back(image);
    }
    for (int i = 0; i < r->register_count; i++) log.registers[r->registers[i].offset] = r->registers[i].value;
    log.clocks = r->clocks;
    log.bytes_read = r->bytes_read;
    log.bytes_written = r->bytes_written;
    log.seconds = r->seconds;
    if (r->code == ARGENT_OK) {
        argent_counter(r->device, ARGENT_COUNT_STALLS_IN, &log.stall_in);
        argent_counter(r->device, ARGENT_COUNT_STALLS_OUT, &log.stall_out);
    }
    argent_counter(r->device, ARGENT_COUNT_COPIES, &log.copies);
    argent_sim_port_counts p;
    for (uint32_t i = 0; argent_sim_port(r->device, i, &p) == ARGENT_OK; i++)
        log.ports.push_back({p.name, p.writes != 0, p.beats, p.bytes, p.stalled, p.first, p.last});
    static_cast<LaunchRecorder *>(self)->launches.push_back(log);
}

const json *find_accelerator(const json &manifest, const std::string &name) {
    if (!manifest.contains("accelerators")) return nullptr;
    for (const json &a : manifest["accelerators"])
        if (a.value("name", "") == name) return &a;
    return nullptr;
}

/** What a launch has written to a register of 32 bits. */
long register_value(const json &accelerator, const LaunchLog &log, const json &name) {
    for (const json &r : accelerator.at("registers")) {
        if (r.at("name") == name) return static_cast<long>(log.registers.at(r.at("offset").get<uint32_t>()));
    }
    return 0;
}

/** The part of the scan that has a stream. */
void fill_part(const json &a, const json &stream, const LaunchLog &log, hwgen::clocks::Launch::Image &place) {
    place.has_part = true;
    const char *begin[] = {"begin_x", "begin_y"}, *end[] = {"end_x", "end_y"};
    for (int dim = 0; dim < 2; dim++) {
        place.begin[dim] = register_value(a, log, stream["part"].at(begin[dim]));
        place.end[dim] = register_value(a, log, stream["part"].at(end[dim]));
    }
}

/** The part of an input that is in memory, and how it goes on beyond its edges. */
void fill_edges(const json &a, const json &input, const LaunchLog &log, const LaunchLog::Image &image, hwgen::clocks::Launch::Image &place) {
    const auto value = [&](const char *cell, const char *what, long otherwise) {
        return input.at(cell).contains(what) ? register_value(a, log, input[cell][what]) : otherwise;
    };
    if (!input.contains("pad") && !input.contains("fold") && !input.contains("legs") && !input.contains("part")) return;
    place.extent[0] = image.extent.at(0);
    place.extent[1] = static_cast<long>(image.rows);
    long rows = place.extent[1];
    if (input.contains("legs")) {
        const json &names = input["registers"];
        const bool mirrors = names.contains("last_address");
        const auto address = [&](const char *which) { return static_cast<uint64_t>(register_value(a, log, names.at(which))); };
        rows = value("legs", "rows", rows);
        place.legs = {true, address("start_address"), image.address, mirrors ? address("last_address") : 0, value("legs", "first_rows", rows),
                      value("legs", "leg_rows", rows), rows, mirrors, value("legs", "first_back", 0) != 0};
    }
    if (input.contains("part")) fill_part(a, input, log, place);
    if (input.contains("fold")) place.folding = {true, value("fold", "vectors", 1)};
    if (input.contains("pad")) {
        place.padding = {true, value("pad", "left", 0), value("pad", "vectors", 1), value("pad", "top", 0), value("pad", "padded_rows", rows)};
    }
}

/** Addresses of the rows that a port moves: each once, or those of the legs. */
std::vector<uint64_t> rows_of(const LaunchLog::Image &image, const hwgen::clocks::Legs &legs) {
    const int64_t stride = image.stride.size() > 1 ? image.stride[1] : 0;
    std::vector<uint64_t> rows;
    const auto leg = [&](uint64_t address, bool back, long count) {
        for (long k = 0; k < count; k++) rows.push_back(address + static_cast<uint64_t>((back ? -k : k) * stride));
    };
    if (!legs.exists) {
        leg(image.address, false, static_cast<long>(image.rows));
        return rows;
    }
    bool back = legs.first_back;
    leg(legs.start_address, back, legs.first_rows);
    for (long left = legs.rows - legs.first_rows; left > 0; left -= legs.leg_rows) {
        back = legs.mirrors && !back;
        leg(back ? legs.back_address : legs.forth_address, back, std::min(left, legs.leg_rows));
    }
    return rows;
}

std::string wrong_traffic(const json &manifest, const LaunchLog &launch) {
    const json *a = find_accelerator(manifest, launch.accelerator);
    size_t input = 0;
    for (const LaunchLog::Image &image : launch.images) {
        hwgen::clocks::Launch::Image place;
        if (!image.writes && a != nullptr) fill_edges(*a, (*a)["inputs"].at(input++), launch, image, place);
        const auto port = std::find_if(launch.ports.begin(), launch.ports.end(), [&](const PortUse &p) { return p.name == image.port; });
        if (image.port.empty() || port == launch.ports.end()) continue;
        const std::vector<uint64_t> rows = rows_of(image, place.legs);
        uint64_t beats = 0;
        for (uint64_t address : rows) beats += (address % image.bus_bytes + image.row_bytes + image.bus_bytes - 1) / image.bus_bytes;
        if (beats != port->beats)
            return fmt::format("{} moved {} beats, and each row once is {}: {} rows of {} bytes", image.port, port->beats, beats, rows.size(), image.row_bytes);
    }
    return "";
}

namespace {

/** What the clock model wants to know. */
hwgen::clocks::Launch launch_of(const json &accelerator, const LaunchLog &log) {
    hwgen::clocks::Launch launch;
    launch.width = !log.domain.empty() ? log.domain[0] : 1;
    launch.height = log.domain.size() > 1 ? log.domain[1] : 1;
    launch.min_x = !log.min.empty() ? log.min[0] : 0;
    launch.min_y = log.min.size() > 1 ? log.min[1] : 0;
    for (const LaunchLog::Image &image : log.images) {
        hwgen::clocks::Launch::Image place;
        place.address = image.address;
        place.stride = image.stride.size() > 1 ? image.stride[1] : 0;
        for (size_t d = 0; d < 2 && d < log.extent.size() && image.writes; d++) {
            if (!accelerator.at("block").at(d).contains("domain")) continue;
            place.first[d] = log.first[d];
            place.extent[d] = log.extent[d];
        }
        if (image.writes) {   // the box of another Func than the first
            const int func = accelerator.at("outputs").at(launch.outputs.size()).value("func", 0);
            if (func > int(launch.others.size())) launch.others.push_back({{long(image.min.at(0)), long(image.min.at(1))}, {long(image.extent.at(0)), long(image.extent.at(1))}});
        }
        if (!image.writes) fill_edges(accelerator, accelerator.at("inputs").at(launch.inputs.size()), log, image, place);
        (image.writes ? launch.outputs : launch.inputs).push_back(place);
    }
    for (const json &timeline : accelerator.at("clocks").at("model").value("before", json::array())) {
        hwgen::clocks::Launch::Before before;
        before.pitch = register_value(accelerator, log, timeline.at("pitch_register"));
        for (const json &held : timeline.at("held")) fill_part(accelerator, held, log, before.held.emplace_back());
        launch.before.push_back(before);
    }
    return launch;
}

}  // namespace

Forecast predict(const json &manifest, const LaunchLog &log) {
    namespace clocks = hwgen::clocks;
    Forecast f;
    const json *a = find_accelerator(manifest, log.accelerator);
    if (a == nullptr) {
        f.reason = fmt::format("the manifest does not know {}", log.accelerator);
        return f;
    }
    try {
        clocks::Prediction p = clocks::predict(clocks::system_of(*a, launch_of(*a, log)));
        f.clocks = p.clocks;
        f.stall_in = p.stall_in;
        f.stall_out = p.stall_out;
        if (p.clocks < 0) f.reason = "the clock model says that this launch would never end";
    } catch (const json::exception &e) {
        f.reason = fmt::format("the manifest of {} has no complete clock model ({})", log.accelerator, e.what());
    }
    return f;
}

int64_t ideal_clocks(const json &manifest, const LaunchLog &log) {
    const json *a = find_accelerator(manifest, log.accelerator);
    return a != nullptr && !log.extent.empty() ? hwgen::clocks::ideal_clocks(*a, launch_of(*a, log)) : 0;
}

ordered_json measured_json(const json &manifest, const LaunchLog &log, const std::string &device) {
    Forecast forecast = predict(manifest, log);
    int64_t width = !log.extent.empty() ? log.extent[0] : 1, height = log.extent.size() > 1 ? log.extent[1] : 1;
    int64_t ideal = ideal_clocks(manifest, log);
    ordered_json spans = ordered_json::array();
    for (const PortUse &p : log.ports)
        if (p.beats != 0) spans.push_back({{"name", p.name}, {"kind", p.writes ? "write" : "read"}, {"first", p.first}, {"last", p.last}});
    ordered_json m = {{"device", device},        {"width", width},           {"height", height},          {"clocks", log.clocks},
                      {"ideal", ideal},          {"spans", spans},           {"stall_in", log.stall_in},  {"stall_out", log.stall_out},
                      {"read_bytes", log.bytes_read}, {"write_bytes", log.bytes_written}};
    if (forecast.clocks >= 0)
        m["predicted"] = {{"clocks", forecast.clocks}, {"ideal", ideal}, {"width", width}, {"height", height}, {"spans", ordered_json::array()}};
    return m;
}

}  // namespace argent::runner
