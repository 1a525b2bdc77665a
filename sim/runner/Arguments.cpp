#include "sim/runner/Arguments.h"

#include <RunGen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace argent::runner {

using Halide::RunGen::allocate_buffer;
using Halide::RunGen::get_shape;
using Halide::RunGen::make_with_shape;

namespace {

bool verbose = false;

/** An input that has this many elements on either side is as good as endless. */
constexpr int endless = 1 << 20;

std::string plain_name(std::string name) {
    if (size_t dollar = name.find('$'); dollar != std::string::npos && dollar > 0) name.resize(dollar);
    return name;
}

bool is_integer(halide_type_t t) { return t.code == halide_type_int || t.code == halide_type_uint; }

/** Random bytes in all of the buffer's memory; floats in [0, 1). */
void fill_with_noise(Image &b, uint64_t seed) {
    if (b.number_of_elements() == 0) return;
    std::mt19937_64 random(seed);
    auto *bytes = static_cast<uint8_t *>(b.begin());
    size_t n = b.size_in_bytes();
    halide_type_t t = b.type();
    if (t.code == halide_type_float && (t.bits == 32 || t.bits == 64)) {
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        for (size_t i = 0; i + size_t(t.bytes()) <= n; i += size_t(t.bytes())) {
            double d = unit(random);
            auto f = static_cast<float>(d);
            if (f >= 1) f = 0;
            if (t.bits == 32) std::memcpy(bytes + i, &f, 4);
            else std::memcpy(bytes + i, &d, 8);
        }
        return;
    }
    uint8_t mask = t.bits == 1 ? 1 : 255;
    for (size_t i = 0; i < n; i++) bytes[i] = uint8_t(random() >> 56) & mask;
}

/** A value between the bounds of a scalar, where it has some. */
halide_scalar_value_t seeded(const halide_filter_argument_t &m, const halide_scalar_value_t &otherwise, uint64_t seed) {
    std::mt19937_64 random(seed);
    halide_type_t t = m.type;
    halide_scalar_value_t v = otherwise;
    if (t.code == halide_type_float) {
        if (m.scalar_min == nullptr || m.scalar_max == nullptr) return v;
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        if (t.bits == 32) v.u.f32 = float(m.scalar_min->u.f32 + unit(random) * (double(m.scalar_max->u.f32) - m.scalar_min->u.f32));
        if (t.bits == 64) v.u.f64 = m.scalar_min->u.f64 + unit(random) * (m.scalar_max->u.f64 - m.scalar_min->u.f64);
        return v;
    }
    if (!is_integer(t)) return v;
    // Without a declared range, only narrow types take any value: wide ones may be sizes or indices.
    bool ranged = m.scalar_min != nullptr && m.scalar_max != nullptr;
    if (!ranged && t.bits > 16) return v;
    auto low = [&](const halide_scalar_value_t *s, bool least) -> int64_t {
        if (s == nullptr) {
            if (t.code == halide_type_uint) return least ? 0 : (int64_t(1) << t.bits) - 1;
            return least ? -(int64_t(1) << (t.bits - 1)) : (int64_t(1) << (t.bits - 1)) - 1;
        }
        switch (t.bits) {
        case 1: return s->u.b;
        case 8: return t.code == halide_type_int ? s->u.i8 : s->u.u8;
        case 16: return t.code == halide_type_int ? s->u.i16 : s->u.u16;
        case 32: return t.code == halide_type_int ? s->u.i32 : int64_t(s->u.u32);
        default: return s->u.i64;
        }
    };
    int64_t a = low(m.scalar_min, true), b = low(m.scalar_max, false);
    if (b < a) return v;
    uint64_t span = uint64_t(b) - uint64_t(a) + 1;
    uint64_t value = uint64_t(a) + (span == 0 ? random() : random() % span);
    v.u.u64 = value;
    return v;
}

}  // namespace

void set_verbose(bool on) { verbose = on; }

void bad_use(const std::string &text) {
    fmt::print(stderr, "{}{}", text, text.empty() || text.back() != '\n' ? "\n" : "");
    std::fflush(nullptr);
    std::_Exit(2);
}

Arguments::Arguments(const Filter &f, const Wishes &wishes) : filter(&f) {
    for (int i = 0; i < f.metadata->num_arguments; i++) {
        Argument a;
        a.metadata = &f.metadata->arguments[i];
        a.name = plain_name(a.metadata->name);
        list.push_back(a);
    }
    std::string mistakes;
    for (const auto &[name, value] : wishes.given) {
        auto a = std::find_if(list.begin(), list.end(), [&n = name](const Argument &l) { return l.name == n; });
        if (a == list.end()) {
            std::string names;
            for (const Argument &l : list) names += (names.empty() ? "" : ", ") + l.name;
            mistakes += fmt::format("{} has no argument {}; it has {}\n", f.name(), name, names);
        } else {
            a->text = value;
        }
    }
    if (!mistakes.empty()) bad_use(mistakes);
    for (size_t i = 0; i < list.size(); i++)
        if (list[i].is_scalar()) set_scalar(list[i], wishes, i);
    load_inputs(wishes);
    allocate_outputs(wishes);
}

void Arguments::set_scalar(Argument &a, const Wishes &wishes, size_t index) {
    if (std::string(a.metadata->name) == "__user_context") {
        a.scalar.u.handle = nullptr;
        return;
    }
    std::string text = !a.text.empty() ? a.text : wishes.default_scalars;
    const halide_scalar_value_t *d = a.metadata->scalar_def, *e = a.metadata->scalar_estimate;
    if (text.empty()) {
        // The default; other seeds than the first take other values.
        halide_scalar_value_t base{};
        if (d != nullptr || e != nullptr) base = d != nullptr ? *d : *e;
        bool choose = wishes.seed != 1 || (d == nullptr && e == nullptr);
        a.scalar = choose ? seeded(*a.metadata, base, wishes.seed * 1000 + index) : base;
        return;
    }
    const halide_scalar_value_t *found = nullptr;
    bool keyword = true;
    if (text == "default") found = d;
    else if (text == "estimate") found = e;
    else if (text == "default,estimate") found = d != nullptr ? d : e;
    else if (text == "estimate,default") found = e != nullptr ? e : d;
    else keyword = false;
    if (keyword && found == nullptr) bad_use(fmt::format("{} has no value for \"{}\"; give {}=<number>", a.name, text, a.name));
    if (keyword) a.scalar = *found;
    else if (!Halide::RunGen::parse_scalar(a.metadata->type, text, &a.scalar))
        bad_use(fmt::format("{}={} is no value of the argument's type", a.name, text));
}

void Arguments::load_inputs(const Wishes &wishes) {
    using Halide::RunGen::ArgData;
    std::string extents = wishes.output_extents;
    for (size_t i = 0; i < list.size(); i++) {
        if (!list[i].is_output() || extents.empty()) continue;
        wanted_outputs[i] = extents == "estimate" ? Halide::RunGen::parse_metadata_buffer_estimates(list[i].metadata)
                                                  : Halide::RunGen::parse_extents(extents);
        if (int(wanted_outputs[i].size()) < list[i].metadata->dimensions && list.size() > 1)
            wanted_outputs[i] = Halide::RunGen::choose_output_extents(list[i].metadata->dimensions, wanted_outputs[i]);
        wanted_outputs[i].resize(size_t(list[i].metadata->dimensions));
    }
    Shape first;
    bool image_used = wishes.image.empty();
    // Files first: the output's size may follow from them.
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < list.size(); i++) {
            Argument &a = list[i];
            if (a.is_output() || a.is_scalar()) continue;
            std::string text = !a.text.empty() ? a.text : wishes.default_buffers;
            bool picture = a.text.empty() && !image_used && a.metadata->dimensions >= 2 && is_integer(a.metadata->type);
            bool needs_shape = !picture && (text.empty() || text.find(":auto") != std::string::npos || text.find("_auto") != std::string::npos);
            if (needs_shape != (pass == 1)) continue;
            if (picture) {
                image_used = true;
                text = wishes.image;
            }
            if (text.empty()) {
                a.buffer = allocate_buffer(a.metadata->type, noise_shape(i, wishes.seed % 2 == 0));   // of a batch, some end with the output
                fill_with_noise(a.buffer, wishes.seed * 1000 + i);
            } else {
                ArgData data(i, a.name, a.metadata);
                data.raw_string = text;
                a.buffer = data.load_buffer([this, i] { return noise_shape(i, true); }, a.metadata);
            }
            if (picture)
                for (int d = 0; d < std::min<int>(a.buffer.dimensions(), int(wishes.largest.size())); d++)
                    if (a.buffer.dim(d).extent() > wishes.largest[size_t(d)])
                        a.buffer.crop(d, a.buffer.dim(d).min(), wishes.largest[size_t(d)]);
            if (first.empty()) first = get_shape(a.buffer);
        }
        if (pass == 1 || !extents.empty() || first.empty()) continue;
        for (size_t i = 0; i < list.size(); i++) {
            if (!list[i].is_output()) continue;
            Shape s = Halide::RunGen::choose_output_extents(list[i].metadata->dimensions, first);
            wanted_outputs[i] = s;
        }
    }
}

std::vector<Arguments::Shape> Arguments::output_shapes() const {
    std::vector<Shape> shapes(list.size());
    for (size_t i = 0; i < list.size(); i++) {
        if (!list[i].is_output()) continue;
        auto w = wanted_outputs.find(i);
        if (w == wanted_outputs.end()) bad_use("give --output_extents=[W,H], or a file for an input: nothing tells the size of the output");
        shapes[i] = w->second;
    }
    return shapes;
}

std::optional<std::vector<Arguments::Shape>> Arguments::query(const std::vector<Shape> &shapes, const Filter *of) const {
    std::vector<Image> buffers(list.size());
    std::vector<void *> argv(list.size());
    for (size_t i = 0; i < list.size(); i++) {
        if (list[i].is_scalar()) {
            argv[i] = const_cast<halide_scalar_value_t *>(&list[i].scalar);
            continue;
        }
        Shape s = shapes[i];
        s.resize(size_t(std::max(list[i].metadata->dimensions, 1)));
        buffers[i] = Image(list[i].metadata->type, nullptr, list[i].metadata->dimensions, s.data());
        argv[i] = buffers[i].raw_buffer();
    }
    static std::string text;
    text.clear();
    auto before = halide_set_error_handler([](void *, const char *message) { text += message; });
    int code = of->call(argv.data());
    halide_set_error_handler(before);
    if (code != 0) {
        if (verbose) fmt::print(stderr, "bounds query: {}\n", text);
        return std::nullopt;
    }
    std::vector<Shape> result(list.size());
    for (size_t i = 0; i < list.size(); i++)
        if (!list[i].is_scalar()) result[i] = get_shape(buffers[i]);
    return result;
}

/** Whether an input of this shape is enough: where the pipeline has a border, the demand shrinks with the input. */
bool Arguments::fits(size_t index, const Shape &shape, std::vector<Shape> asked, const Filter *of) const {
    asked[index] = shape;
    auto answer = query(asked, of);
    if (!answer) return false;
    const Shape &needs = (*answer)[index];
    for (size_t d = 0; d < shape.size(); d++)
        if (needs[d].min < shape[d].min || needs[d].min + needs[d].extent > shape[d].min + shape[d].extent) return false;
    return true;
}

/** Makes an input as large as a query says. */
void Arguments::add_reads(Shape &shape, size_t index, const std::optional<std::vector<Shape>> &answer) {
    for (size_t d = 0; answer && d < shape.size(); d++) {
        const halide_dimension_t &reads = (*answer)[index][d];
        if (reads.extent >= endless) continue;
        const int32_t end = std::max(shape[d].min + shape[d].extent, reads.min + reads.extent);
        shape[d].min = std::min(shape[d].min, reads.min);
        shape[d].extent = end - shape[d].min;
    }
}

/** As large as a bounds query says of an endless input; where a border makes that depend on the input's own extents, one
 *  row and one column less (or the outputs' size). Halide asks for the whole of an image that an extern stage reads: the
 *  outputs' size again. Without accelerators more may be read: what is never chosen. */
Arguments::Shape Arguments::noise_shape(size_t index, bool natural) const {
    const halide_filter_argument_t &m = *list[index].metadata;
    std::vector<Shape> asked = output_shapes();
    for (size_t i = 0; i < list.size(); i++) {
        if (list[i].is_output() || list[i].is_scalar()) continue;
        for (int d = 0; d < list[i].metadata->dimensions; d++) asked[i].push_back({-endless, 2 * endless, 0});
    }
    Shape estimate;
    bool estimated = Halide::RunGen::try_parse_metadata_buffer_estimates(&m, &estimate);
    const std::vector<Shape> endless_inputs = asked;
    auto answer = query(asked, filter);
    if (!answer) {
        if (estimated) return estimate;
        bad_use(fmt::format("the bounds query for {} failed; give {}=<file> or {}=random:1:[W,H]", list[index].name, list[index].name, list[index].name));
    }
    const auto same_as_output = [&](size_t d) -> std::optional<halide_dimension_t> {
        for (const auto &[i, output] : wanted_outputs)
            if (d < output.size()) return output[d];
        return std::nullopt;
    };
    Shape shape = (*answer)[index];
    bool whole = false;
    for (int d = 0; d < m.dimensions; d++) {
        bool unscanned = shape[size_t(d)].extent >= endless;
        if (!unscanned) continue;
        if (!estimated && same_as_output(size_t(d))) {
            shape[size_t(d)] = *same_as_output(size_t(d));
            whole = true;
            continue;
        }
        if (!estimated)
            bad_use(fmt::format("dimension {} of {} has no bound that a query tells; give it set_estimate or bound, or {}=<file>", d,
                                list[index].name, list[index].name));
        shape[size_t(d)] = estimate[size_t(d)];
    }
    // A border: one row and column less are enough, or the size of an output.
    asked = *answer;
    Shape output;
    for (size_t i = 0; i < list.size(); i++) {
        if (!list[i].is_output()) continue;
        asked[i] = wanted_outputs.at(i);
        if (output.empty()) output = asked[i];
    }
    Shape less = shape, same = shape;
    for (size_t d = 0; d < std::min<size_t>(shape.size(), 2); d++) {
        const auto reaches = [&](int32_t extent) { return d < output.size() && less[d].min + extent >= output[d].min + output[d].extent; };
        if (less[d].extent > 1 && (reaches(less[d].extent - 1) || !reaches(less[d].extent))) less[d].extent--;   // no output beyond the border
        if (d >= output.size()) continue;
        same[d].min = output[d].min;
        same[d].extent = output[d].extent;
    }
    // An image that is read in fewer places than the output has, a matrix or a row of taps, is no image of its size.
    const auto is_within = [](const halide_dimension_t &a, const halide_dimension_t &b) { return a.min >= b.min && a.min + a.extent <= b.min + b.extent; };
    const bool is_image = std::equal(same.begin(), same.end(), shape.begin(), is_within);
    if (natural && is_image && fits(index, same, asked, filter)) shape = same;
    else if (!whole && fits(index, less, asked, filter)) shape = less;
    const Filter *plain = find_filter(filter->name() + "_cpu");
    if (plain != nullptr && !fits(index, shape, asked, plain)) add_reads(shape, index, query(endless_inputs, plain));
    int32_t stride = 1;
    for (auto &d : shape) {
        d.extent = std::max(d.extent, 1);
        d.stride = stride;
        stride *= d.extent;
    }
    return shape;
}

namespace {

/** A bounds query tells the strides that are demanded, and leaves others as if nothing lay between: rows of channels side by side, which
 *  RunGen mends only where an image has several rows and columns, and rows of images whose columns are together. */
void separate_rows(std::vector<halide_dimension_t> &shape) {
    if (shape.size() < 2) return;
    if (shape[0].extent > 1 && shape[0].stride == 1 && shape[1].stride == 1) shape[0].stride = std::max(shape[1].extent, 1);
    if (shape.size() < 3 || shape[2].stride != 1 || shape[0].stride <= 1) return;
    shape[1].stride = std::max(shape[1].stride, shape[0].stride * std::max(shape[0].extent, 1));
}

}  // namespace

void Arguments::allocate_outputs(const Wishes &) {
    std::vector<Shape> asked = output_shapes();
    for (size_t i = 0; i < list.size(); i++)
        if (!list[i].is_output() && !list[i].is_scalar()) asked[i] = get_shape(list[i].buffer);
    // Errors of the query are those of the call; let its own words be seen.
    auto answer = query(asked, filter);
    for (size_t i = 0; i < list.size(); i++) {
        Argument &a = list[i];
        if (a.is_scalar()) continue;
        Halide::RunGen::ArgData data(i, a.name, a.metadata);
        data.buffer_value = a.buffer;
        if (answer) separate_rows((*answer)[i]);
        if (a.is_output()) {
            data.allocate_output_buffer(answer ? (*answer)[i] : asked[i]);
            a.buffer = data.buffer_value;
            fill_with_junk(a.buffer);
        } else if (answer) {
            bool grows = false;
            for (size_t d = 0; d < asked[i].size(); d++) {
                const auto &need = (*answer)[i][d], &have = asked[i][d];
                grows |= need.min < have.min || need.min + need.extent > have.min + have.extent;
            }
            if (grows && verbose) fmt::print(stderr, "{}: made larger than its file, the rest is 0\n", a.name);
            if (grows) {
                // As RunGen, but what the file does not hold is 0 and not whatever memory held.
                Shape s = asked[i];
                int32_t stride = 1;
                for (size_t d = 0; d < s.size(); d++) {
                    const auto &need = (*answer)[i][d];
                    int lo = std::min(need.min, s[d].min), hi = std::max(need.min + need.extent, s[d].min + s[d].extent);
                    s[d] = {lo, hi - lo, stride};
                    stride *= hi - lo;
                }
                Image larger = allocate_buffer(a.metadata->type, s);
                std::memset(larger.begin(), 0, larger.size_in_bytes());
                larger.copy_from(a.buffer);
                data.buffer_value = larger;
            }
            data.adapt_input_buffer((*answer)[i]);
            a.buffer = data.buffer_value;
        }
    }
}

void Arguments::fill_with_junk(Image &b) const { fill_with_noise(b, 0xa46e7); }

std::vector<void *> Arguments::argv() {
    std::vector<void *> v;
    for (Argument &a : list) v.push_back(a.is_scalar() ? static_cast<void *>(&a.scalar) : a.buffer.raw_buffer());
    return v;
}

Arguments Arguments::with_new_outputs() const {
    Arguments copy = *this;
    for (Argument &a : copy.list) {
        if (!a.is_output()) continue;
        a.buffer = allocate_buffer(a.metadata->type, get_shape(a.buffer));
        a.buffer.set_host_dirty(false);
        fill_with_junk(a.buffer);
    }
    return copy;
}

void Arguments::save_outputs() {
    using namespace Halide::RunGen;
    for (Argument &a : list) {
        if (!a.is_output() || a.text.empty()) continue;
        Image b = a.buffer;
        std::set<Halide::Tools::FormatInfo> savable;
        if (!Halide::Tools::save_query<Image, IOCheckFail>(a.text, &savable)) bad_use(fmt::format("{}: no format for this file name", a.text));
        const Halide::Tools::FormatInfo best = best_save_format(b, savable);
        if (best.dimensions != b.dimensions()) b = adjust_buffer_dims("Output", a.name, best.dimensions, b);
        if (best.type != b.type()) {
            warn() << "Image for argument \"" << a.name << "\" is of type " << b.type() << " but is being saved as type " << best.type
                   << "; data loss may have occurred.";
            b = Halide::Tools::ImageTypeConversion::convert_image(b, best.type);
        }
        if (!Halide::Tools::save<Halide::Runtime::Buffer<const void>, IOCheckFail>(b.as<const void>(), a.text))
            bad_use(fmt::format("{} could not be written", a.text));
    }
}

std::string Arguments::size() const {
    for (const Argument &a : list) {
        if (!a.is_output()) continue;
        std::string text;
        for (int d = 0; d < a.buffer.dimensions(); d++) text += fmt::format("{}{}", d != 0 ? "x" : "", a.buffer.dim(d).extent());
        return text;
    }
    return "";
}

uint64_t Arguments::output_elements() const {
    for (const Argument &a : list)
        if (a.is_output()) return a.buffer.number_of_elements();
    return 0;
}

std::string Arguments::scalars() const {
    std::string text;
    for (const Argument &a : list)
        if (a.is_scalar() && std::string(a.metadata->name) != "__user_context")
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", a.name, Halide::RunGen::scalar_to_string(a.metadata->type, a.scalar));
    return text;
}

void describe(const Filter &filter) {
    fmt::print("{}\n", filter.name());
    for (int i = 0; i < filter.metadata->num_arguments; i++) {
        const auto &a = filter.metadata->arguments[i];
        std::ostringstream type;
        Halide::RunGen::operator<<(type, a.type);
        bool output = a.kind == halide_argument_kind_output_buffer, scalar = a.kind == halide_argument_kind_input_scalar;
        std::string what = scalar ? type.str() : fmt::format("image of {}, {} dimensions", type.str(), a.dimensions);
        fmt::print("  {:<6} {}: {}\n", output ? "output" : "input", a.name, what);
    }
}

double benchmark(const Filter &filter, std::vector<void *> argv, double min_time) {
    Halide::Tools::BenchmarkConfig config;
    config.min_time = min_time;
    config.max_time = 4 * min_time;
    return Halide::Tools::benchmark([&] { (void)filter.call(argv.data()); }, config).wall_time;
}

std::string value_text(halide_type_t type, const void *element) {
    halide_scalar_value_t v{};
    std::memcpy(&v.u, element, size_t(type.bytes()));
    return Halide::RunGen::scalar_to_string(type, v);
}

}  // namespace argent::runner

namespace Halide::RunGen {

/** RunGen's words go to stderr; what it calls a failure is bad use. */
Logger log() {
    return {[](const std::string &s) { fmt::print("{}", s); },
            [](const std::string &s) {
                if (argent::runner::verbose) fmt::print(stderr, "{}", s);
            },
            [](const std::string &s) { fmt::print(stderr, "warning: {}", s); }, [](const std::string &s) { argent::runner::bad_use(s); }};
}

}  // namespace Halide::RunGen
