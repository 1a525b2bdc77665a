#include "dsl/Layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "dsl/Simplify.h"
#include "dsl/Texts.h"

namespace argent::dsl {

using namespace Halide;
using namespace Halide::Internal;

namespace {

/** Elements that a gearbox moves at a time. */
constexpr int most_elements = 128;

std::optional<int> number(const Expr &e) {
    const auto n = e.defined() ? as_const_int(simplified(e)) : std::nullopt;
    if (!n || *n != static_cast<int>(*n)) return std::nullopt;
    return static_cast<int>(*n);
}

class Finder {
public:
    Finder(hwgen::Buffer &buffer, const Memory &memory, Diagnostics &diagnostics)
        : buffer(buffer), memory(memory), diagnostics(diagnostics), x(buffer.scanned[0]) {
    }

    void find() {
        strides.resize(buffer.dimensions);
        if (memory.image.defined()) {
            for (int d = 0; d < buffer.dimensions; d++) strides[d] = number(memory.image.stride_constraint(d));
        } else if (!find_storage()) {
            return;
        }
        if (!check_order()) return;
        if (strides[x].value_or(1) == 1 || !check()) return;
        for (int d = 0; d < buffer.dimensions; d++) buffer.strides.push_back(d == x || !is_scanned(d) ? *strides[d] : 0);
        check_places();
    }

private:
    void error(const std::string &text, const std::string &note) const {
        diagnostics.error(memory.where, memory.call + ": " + text, {note});
    }
    bool is_scanned(int d) const {   // or looped over
        return buffer.moves(d) || std::find(buffer.scanned.begin(), buffer.scanned.end(), d) != buffer.scanned.end();
    }
    std::string var(int d) const { return user_name(memory.func.args()[d]); }
    /** dim(0) of an image, x of a Func. */
    std::string shown_dimension(int d) const { return memory.image.defined() ? fmt::format("dim({})", d) : var(d); }

    /** As Halide allocates a Func: dimensions in their order of storage, each with all values of those before. */
    bool find_storage() {
        int64_t stride = 1;
        for (const StorageDim &s : memory.func.schedule().storage_dims()) {
            const int d = static_cast<int>(std::find(memory.func.args().begin(), memory.func.args().end(), s.var) - memory.func.args().begin());
            strides[d] = static_cast<int>(std::min<int64_t>(stride, INT32_MAX));
            if (d == x) return true;
            const std::string &name = memory.name;
            if (is_scanned(d)) {
                refuse_order(d, fmt::format("take {} in front in {}.reorder_storage()", var(x), name));
                return false;
            }
            int64_t extent = memory.extents[d];
            if (const auto bound = number(s.bound)) extent = *bound;
            if (extent == 0) {
                error(fmt::format("{} is stored with {} before {}, and how many values {} has is not known", name, var(d), var(x), var(d)),
                      fmt::format("add {}.bound({}, 0, ...)", name, var(d)));
                return false;
            }
            if (const auto alignment = number(s.alignment)) extent = (extent + *alignment - 1) / *alignment * *alignment;
            stride = std::min<int64_t>(stride * extent, INT32_MAX);
        }
        return true;
    }

    /** Not dim(0), whose stride is 1 unless the user says otherwise, in front of the scan's rows. */
    bool check_order() const {
        for (int d = 0; d < buffer.dimensions && memory.image.defined() && !strides[x]; d++) {
            if (d == x || !is_scanned(d) || strides[d] != 1) continue;
            refuse_order(d, fmt::format("write {}.dim({}).set_stride(Expr()).dim({}).set_stride(1)", memory.name, d, x));
            return false;
        }
        return check_channels_first();
    }

    /** Then rows cannot have a stride of 1, which they have unless the user says otherwise. */
    bool check_channels_first() const {
        if (!memory.image.defined() || strides[x] || x == 0 || is_scanned(0) || strides[0] != 1 || memory.extents[0] == 1) return true;
        error(fmt::format("{} is stored with dim(0) before dim({}), and how far apart neighbours along dim({}) are is not known", memory.name, x, x),
              memory.extents[0] > 0 ? fmt::format("add {}.dim({}).set_stride({})", memory.name, x, memory.extents[0]) :
                                      fmt::format("add {0}.dim(0).set_bounds(0, 3) and {0}.dim({1}).set_stride(3) for pixels of 3", memory.name, x));
        return false;
    }

    void refuse_order(int d, const std::string &layout) const {
        error(fmt::format("{} is stored with {} before {}, and rows along {} have to be together in memory", memory.name, shown_dimension(d), shown_dimension(x),
                          shown_dimension(x)),
              fmt::format("{}, or exchange the two in block()", layout));
    }

    bool check() const {
        const int step = *strides[x];
        const std::string &name = memory.name, neighbours = fmt::format("neighbours along {} of {} lie {} elements apart", shown_dimension(x), name, step);
        if (step < 1) {
            error(neighbours + ", and rows have to run forwards", fmt::format("write {}.dim({}).set_stride(1)", name, x));
            return false;
        }
        if (step > most_elements / memory.pixels) {
            error(fmt::format("{}, which is {} elements a clock, and {} are possible", neighbours, int64_t(step) * memory.pixels, most_elements),
                  step > most_elements ? fmt::format("give {} a layout in which rows along {} are together", name, shown_dimension(x)) :
                                         "compute fewer positions per clock");
            return false;
        }
        for (int d = 0; d < buffer.dimensions; d++) {
            if (is_scanned(d) || (strides[d] && *strides[d] > 0)) continue;
            error(fmt::format("{}, and it is not known how those along {} do", neighbours, shown_dimension(d)),
                  fmt::format("add {}.dim({}).set_stride(1)", name, d));
            return false;
        }
        return true;
    }

    void check_places() {
        const int step = *strides[x];
        std::set<int> places;
        bool is_shared = false;
        for (size_t i = 0; i < buffer.planes.size(); i++) {
            places.insert(buffer.place(i));
            for (size_t j = 0; j < i; j++) is_shared = is_shared || (buffer.are_together(i, j) && buffer.place(i) == buffer.place(j));
        }
        const std::string &name = memory.name;
        if (is_shared) {
            error(fmt::format("several values of {} would lie in one place of memory", name), "give its dimensions other strides");
        } else if (*places.rbegin() >= step) {
            error(fmt::format("neighbours along {} of {} lie {} elements apart, and what is {} of one position takes {}", shown_dimension(x), name, step,
                              memory.is_written ? "written" : "read", *places.rbegin() + 1),
                  "give it other strides: all of a position comes before the next");
        } else if (memory.is_written && int(places.size()) < step) {
            error(fmt::format("neighbours along {} of {} lie {} elements apart, and only {} of them {} computed", shown_dimension(x), name, step, places.size(),
                              places.size() == 1 ? "is" : "are"),
                  fmt::format("compute {} values for each position, or give it a stride of {}", step, places.size()));
        }
    }

    hwgen::Buffer &buffer;
    const Memory &memory;
    Diagnostics &diagnostics;
    int x;   // the dimension of rows
    std::vector<std::optional<int>> strides;
};

}  // namespace

void find_layout(hwgen::Buffer &buffer, const Memory &memory, Diagnostics &diagnostics) {
    Finder(buffer, memory, diagnostics).find();
}

}  // namespace argent::dsl
