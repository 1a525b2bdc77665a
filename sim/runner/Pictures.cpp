#include "sim/runner/Pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "report/Report.h"

namespace argent::runner {

namespace {

constexpr int largest = 960;  // pixels on a side in the report

double value(const halide_buffer_t *b, int x, int y, int c) {
    int64_t offset = int64_t(x) * b->dim[0].stride;
    if (b->dimensions > 1) offset += int64_t(y) * b->dim[1].stride;
    if (b->dimensions > 2) offset += int64_t(c) * b->dim[2].stride;
    const uint8_t *p = b->host + offset * b->type.bytes();
    switch (b->type.code << 8 | b->type.bits) {
    case halide_type_uint << 8 | 1:
    case halide_type_uint << 8 | 8: return *p;
    case halide_type_int << 8 | 8: return *reinterpret_cast<const int8_t *>(p);
    case halide_type_uint << 8 | 16: { uint16_t v; std::memcpy(&v, p, 2); return v; }
    case halide_type_int << 8 | 16: { int16_t v; std::memcpy(&v, p, 2); return v; }
    case halide_type_uint << 8 | 32: { uint32_t v; std::memcpy(&v, p, 4); return v; }
    case halide_type_int << 8 | 32: { int32_t v; std::memcpy(&v, p, 4); return v; }
    case halide_type_uint << 8 | 64: { uint64_t v; std::memcpy(&v, p, 8); return double(v); }
    case halide_type_int << 8 | 64: { int64_t v; std::memcpy(&v, p, 8); return double(v); }
    case halide_type_float << 8 | 32: { float v; std::memcpy(&v, p, 4); return v; }
    case halide_type_float << 8 | 64: { double v; std::memcpy(&v, p, 8); return v; }
    default: return 0;
    }
}

/** The first two dimensions, and three colours where dimension 2 has three or more; every n-th pixel of a large one. */
struct Sampled {
    int width = 0, height = 0, channels = 1, step = 1;
    std::vector<double> values;
};

Sampled sample(const halide_buffer_t *b) {
    Sampled s;
    int w = b->dim[0].extent, h = b->dimensions > 1 ? b->dim[1].extent : 1;
    s.step = std::max(1, (std::max(w, h) + largest - 1) / largest);
    s.width = (w + s.step - 1) / s.step;
    s.height = (h + s.step - 1) / s.step;
    s.channels = b->dimensions > 2 && b->dim[2].extent >= 3 ? 3 : 1;
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++)
            for (int c = 0; c < s.channels; c++) s.values.push_back(value(b, x * s.step, y * s.step, c));
    return s;
}

/** 8-bit values are shown as they are, others between the least and the greatest. */
struct Scale {
    double low = 0, high = 255;
};

Scale scale_of(halide_type_t type, const Sampled &s) {
    if (type.code == halide_type_uint && type.bits == 8) return {};
    if (type.code == halide_type_uint && type.bits == 1) return {0, 1};
    Scale scale{INFINITY, -INFINITY};
    for (double v : s.values)
        if (std::isfinite(v)) {
            scale.low = std::min(scale.low, v);
            scale.high = std::max(scale.high, v);
        }
    if (!(scale.high > scale.low)) scale.high = scale.low + 1;
    return scale;
}

nlohmann::ordered_json picture(const std::string &title, const Sampled &s, Scale scale, const std::string &note) {
    std::vector<uint8_t> pixels;
    for (double v : s.values)
        pixels.push_back(uint8_t(std::isfinite(v) ? std::clamp((v - scale.low) / (scale.high - scale.low) * 255 + 0.5, 0.0, 255.0) : 0));
    nlohmann::ordered_json p = {{"title", title}, {"png", argent::png_data_uri(s.width, s.height, s.channels, pixels.data())}};
    std::string text = note;
    if (s.step > 1) text += fmt::format("{}every {}th pixel", text.empty() ? "" : ", ", s.step);
    if (!text.empty()) p["note"] = text;
    return p;
}

std::string range_note(halide_type_t type, Scale s) {
    return type.code == halide_type_uint && type.bits <= 8 ? "" : fmt::format("black {:g}, white {:g}", s.low, s.high);
}

bool can_be_seen(const Arguments::Argument &a) {
    return !a.is_scalar() && a.buffer.dimensions() >= 1 && a.buffer.dimensions() <= 4 && a.buffer.number_of_elements() > 0;
}

}  // namespace

nlohmann::ordered_json picture_list(const Arguments &hardware, const Arguments *expected) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (size_t i = 0; i < hardware.list.size(); i++) {
        const auto &a = hardware.list[i];
        if (!can_be_seen(a)) continue;
        const halide_buffer_t *b = a.buffer.raw_buffer();
        Sampled s = sample(b);
        Scale scale = scale_of(b->type, s);
        if (!a.is_output()) {
            list.push_back(picture("input " + a.name, s, scale, range_note(b->type, scale)));
            continue;
        }
        if (expected != nullptr) {
            Sampled e = sample(expected->list[i].buffer.raw_buffer());
            scale = scale_of(b->type, e);
            list.push_back(picture(a.name + ", CPU", e, scale, range_note(b->type, scale)));
            list.push_back(picture(a.name + ", hardware", s, scale, range_note(b->type, scale)));
            uint64_t different = 0;
            for (size_t k = 0; k < s.values.size(); k++) {
                bool same = std::memcmp(&s.values[k], &e.values[k], sizeof(double)) == 0;
                different += !same;
                s.values[k] = same ? 0 : 255;
            }
            list.push_back(picture(a.name + ", difference", s, {}, different == 0 ? "equal" : "white where they differ"));
        } else {
            list.push_back(picture(a.name + ", hardware", s, scale, range_note(b->type, scale)));
        }
    }
    return list;
}

}  // namespace argent::runner
