// The driver's checks of buffers against descriptions that are nearly right: whatever is wrong is refused before the device is touched, and what is taken
// stays inside of what the buffers describe. Fixed seeds; the sanitizers watch.
#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "FakeDevice.h"
#include "blend_driver.h"
#include "rgb_driver.h"

extern std::string reported_error;

namespace {

struct Described {
    halide_buffer_t buffer{};
    std::vector<halide_dimension_t> dims = std::vector<halide_dimension_t>(6);
    std::unique_ptr<uint8_t[]> memory;
    bool given = true;
    __int128 low = 0, high = 0;   // bytes from its first element: all that it describes lies in [low, high)

    void describe() {
        buffer.dim = dims.data();
        const int bytes = (buffer.type.bits + 7) / 8;
        low = 0, high = bytes;
        for (int d = 0; d < buffer.dimensions && d < 6; d++) {
            const __int128 span = __int128(dims[size_t(d)].stride) * (std::max(dims[size_t(d)].extent, 1) - 1) * bytes;
            (span < 0 ? low : high) += span;
        }
    }
    /** Memory for exactly that, or an address that nobody may follow. */
    void allocate() {
        describe();
        constexpr __int128 most = 1 << 20;
        if (high - low > most) {
            buffer.host = reinterpret_cast<uint8_t *>(uintptr_t(1) << 44);
            return;
        }
        memory = std::make_unique<uint8_t[]>(size_t(high - low));
        buffer.host = memory.get() - ptrdiff_t(low);
    }
};

class Launch {
public:
    Launch(const argent_accelerator &a, std::mt19937_64 &random) : a(a), random(random) {}

    /** A launch that is right: what the driver itself says that it needs. */
    void fill_in() {
        box.clear();
        for (int d = 0; d < a.dimensions; d++) {
            const int min = int(pick(200)) - 100;
            box.insert(box.end(), {min, min + int(pick(uint64_t(a.block[d].max_extent)))});
        }
        params.assign(size_t(a.param_count) + 1, random());
        for (int i = 0; i < a.input_count + a.output_count; i++) {
            const argent_image &image = i < a.input_count ? a.inputs[i] : a.outputs[i - a.input_count];
            buffers.push_back(std::make_unique<Described>());
            buffers.back()->buffer.type = image.type;
            buffers.back()->buffer.dimensions = image.dimensions;
            buffers.back()->describe();
        }
        CHECK(call() == 0);   // a bounds query: inputs know their extents now
        for (int i = 0; i < a.input_count + a.output_count; i++) {
            Described &b = *buffers[size_t(i)];
            const argent_image &image = i < a.input_count ? a.inputs[i] : a.outputs[i - a.input_count];
            int stride = 1;
            std::vector<int> order(image.scanned, image.scanned + image.scanned_count);   // then planes
            for (int d = 0; d < image.dimensions; d++)
                if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
            for (int d : order) {
                halide_dimension_t &dim = b.dims[size_t(d)];
                if (i >= a.input_count) dim = output_dimension(image, d);
                dim.stride = image.strides[d] != 0 ? image.strides[d] : stride;
                stride = std::max(stride, dim.stride * dim.extent) + (pick(3) == 0 ? 4 : 0);
            }
            b.allocate();
        }
    }
    /** Something about it is changed. */
    void mutate() {
        if (pick(8) == 0) {
            box[pick(box.size())] = extreme();
            return;
        }
        Described &b = *buffers[pick(buffers.size())];
        halide_dimension_t &dim = b.dims[pick(uint64_t(std::max(1, b.buffer.dimensions)))];
        switch (pick(9)) {
        case 0: b.given = false; break;
        case 1: b.buffer.type.bits = uint8_t(1u << pick(7)); break;
        case 2: b.buffer.type.code = halide_type_code_t(pick(5)); break;
        case 3: b.buffer.dimensions = int(pick(6)); break;
        case 4: dim.min = pick(2) ? nudged(dim.min, 2) : extreme(); break;
        case 5: dim.extent = pick(2) ? nudged(dim.extent, 2) : extreme(); break;
        case 6: dim.stride = pick(3) == 0 ? extreme() : pick(2) ? int(0u - uint32_t(dim.stride)) : nudged(dim.stride, 4); break;
        case 7: b.buffer.type.lanes = uint16_t(pick(3)); break;
        case 8: lies_on = buffers[pick(buffers.size())].get(); break;
        }
        b.allocate();
        if (lies_on != nullptr && lies_on != &b) b.buffer.host = lies_on->buffer.host;
    }
    int call() {
        std::vector<halide_buffer_t *> in, out;
        for (size_t i = 0; i < buffers.size(); i++)
            (int(i) < a.input_count ? in : out).push_back(buffers[i]->given ? &buffers[i]->buffer : nullptr);
        reported_error.clear();
        argent_launch_code();
        return argent_launch(&a, in.data(), box.data(), params.data(), out.data());
    }
    /** Nothing may happen in any other way. */
    void check() {
        FakeDevice &device = FakeDevice::now();
        const int before = device.launches;
        touched.clear();
        const int code = call();
        const bool is_empty = std::any_of(box.begin(), box.end(), [&](const int &b) { return (&b - box.data()) % 2 == 0 && (&b)[1] < b; }) || has_no_channels();
        if (code != 0) {
            refused++;
            const int why = argent_launch_code();
            REQUIRE((why == ARGENT_BAD_BUFFER || why == ARGENT_OUT_OF_MEMORY));   // planes may lie further apart than a device has addresses
            REQUIRE(!reported_error.empty());
            REQUIRE(device.launches == before);
        } else if (!is_empty) {
            launched++;
            REQUIRE(device.launches == before + 1);
            for (const Touched &t : touched) REQUIRE(inside(t));
        }
        REQUIRE(device.mappings.count == 0);
    }
    /** Whether every output has a dimension beyond the block's without an index. */
    bool has_no_channels() const {
        for (int i = 0; i < a.output_count; i++) {
            const Described &b = *buffers[size_t(a.input_count + i)];
            const argent_image &image = a.outputs[i];
            std::set<int> beyond;
            for (int d = 0; d < image.dimensions; d++) beyond.insert(d);
            for (int k = 0; k < image.scanned_count; k++) beyond.erase(image.scanned[k]);
            if (b.buffer.dimensions != image.dimensions) return false;
            if (std::none_of(beyond.begin(), beyond.end(), [&](int d) { return b.dims[size_t(d)].extent <= 0; })) return false;
        }
        return true;
    }
    static int refused, launched;

    struct Touched {
        std::string port;
        uintptr_t low, high;
    };
    static std::vector<Touched> touched;

private:
    uint64_t pick(uint64_t n) { return random() % n; }
    int extreme() {
        static const int values[] = {0, 1, -1, 2, INT_MAX, INT_MIN, INT_MAX - 1, 1 << 20, -(1 << 20), 65536};
        return values[pick(sizeof values / sizeof *values)];
    }
    int nudged(int value, int most) { return int(uint32_t(value) + uint32_t(pick(uint64_t(2 * most + 1))) - uint32_t(most)); }
    halide_dimension_t output_dimension(const argent_image &image, int d) const {
        for (int k = 0; k < image.scanned_count; k++)
            if (image.scanned[k] == d) return {box[size_t(2 * k)], box[size_t(2 * k + 1)] - box[size_t(2 * k)] + 1, 0};
        int min = INT_MAX, max = INT_MIN;
        for (int s = 0; s < image.stream_count; s++) {
            min = std::min(min, image.streams[s].box[d].min);
            max = std::max(max, image.streams[s].box[d].max);
        }
        return {min, max - min + 1, 0};
    }
    /** In one of the buffers whose port it is. */
    bool inside(const Touched &t) const {
        for (int i = 0; i < a.input_count + a.output_count; i++) {
            const argent_image &image = i < a.input_count ? a.inputs[i] : a.outputs[i - a.input_count];
            const Described &b = *buffers[size_t(i)];
            for (int s = 0; s < image.stream_count; s++) {
                const auto host = __int128(reinterpret_cast<uintptr_t>(b.buffer.host));
                if (t.port == image.streams[s].port) return t.low >= host + b.low && t.high <= host + b.high;
            }
        }
        return false;
    }

    const argent_accelerator &a;
    std::mt19937_64 &random;
    std::vector<int32_t> box;
    std::vector<uint64_t> params;
    std::vector<std::unique_ptr<Described>> buffers;
    const Described *lies_on = nullptr;
};

int Launch::refused, Launch::launched;
std::vector<Launch::Touched> Launch::touched;

/** Where in the host's memory a launch may be at work. */
void note(const FakeDevice &d) {
    for (const argent_window &w : d.windows) {
        uint64_t low = w.address, high = w.address + uint64_t(w.extent[0]);
        for (int k = 1; k < w.dimensions; k++) {
            const int64_t span = (w.extent[k] - 1) * w.stride[k];
            (span < 0 ? low : high) += uint64_t(span);
        }
        for (size_t i = 0; i < d.mappings.count; i++) {
            const argent_mapping &m = d.mappings.list[i];
            if (low < m.address || low >= m.address + m.bytes) continue;
            const auto host = reinterpret_cast<uintptr_t>(m.host);
            Launch::touched.push_back({w.port, uintptr_t(host + (low - m.address)), uintptr_t(host + (high - m.address))});
        }
    }
}

void mutations_of(const argent_accelerator &a, uint32_t id, unsigned seed) {
    FakeDevice &device = FakeDevice::fresh();
    device.registers[ARGENT_ID] = id;
    device.observe = note;
    argent_launch_close();
    argent_launch_set_device("fake:here");
    std::mt19937_64 random(seed);
    Launch::refused = Launch::launched = 0;
    for (int i = 0; i < 3000; i++) {
        CAPTURE(i);
        Launch launch(a, random);
        launch.fill_in();
        for (uint64_t k = random() % 4; k > 0; k--) launch.mutate();
        launch.check();
    }
    CHECK(Launch::refused > 500);
    CHECK(Launch::launched > 500);
    argent_launch_close();
}

}  // namespace

TEST_CASE("mutation: plain images") { mutations_of(blend_accelerator, BLEND_ID_VALUE, 1); }
TEST_CASE("mutation: planes") { mutations_of(rgb_accelerator, rgb_accelerator.id, 2); }
