#ifndef ARGENT_RUNNER_ARGUMENTS_H
#define ARGENT_RUNNER_ARGUMENTS_H

#include <HalideBuffer.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/runner/Registry.h"

namespace argent::runner {

using Image = Halide::Runtime::Buffer<>;

/** How the arguments of a run are made. Texts are in RunGen's grammar. */
struct Wishes {
    std::map<std::string, std::string> given;  // name=value
    std::string default_buffers, default_scalars;
    std::string output_extents;                // "[640,480]", "estimate" or empty
    std::string image;                         // a file for the first image input that it fits
    std::vector<int> largest;                  // to which `image` is cropped
    uint64_t seed = 1;                         // of noise inputs, of their sizes if it is even, and (other than 1) of scalars
};

/** The arguments of one call: inputs read or made, outputs allocated and filled with junk. A mistake in the wishes ends the
 *  process with 2 and a text on stderr, as does a file that cannot be read. */
class Arguments {
public:
    Arguments(const Filter &filter, const Wishes &wishes);

    struct Argument {
        const halide_filter_argument_t *metadata = nullptr;
        std::string name, text;      // text: as given, or empty
        halide_scalar_value_t scalar{};
        Image buffer;
        bool is_output() const { return metadata->kind == halide_argument_kind_output_buffer; }
        bool is_scalar() const { return metadata->kind == halide_argument_kind_input_scalar; }
    };

    /** Arguments in the order of the call. */
    std::vector<Argument> list;

    std::vector<void *> argv();
    /** The same inputs, and outputs of the same shapes with the same junk. */
    Arguments with_new_outputs() const;
    /** Writes the outputs that were given a file name. */
    void save_outputs();
    /** "640x480", of the first output. */
    std::string size() const;
    uint64_t output_elements() const;
    /** "threshold=12 gain=3", or nothing. */
    std::string scalars() const;

private:
    using Shape = std::vector<halide_dimension_t>;
    void set_scalar(Argument &a, const Wishes &wishes, size_t index);
    void load_inputs(const Wishes &wishes);
    void allocate_outputs(const Wishes &wishes);
    void fill_with_junk(Image &b) const;
    std::optional<std::vector<Shape>> query(const std::vector<Shape> &shapes, const Filter *of) const;
    /** For an input that nobody gave. `natural`: of the outputs' size where the pipeline has a border. */
    Shape noise_shape(size_t index, bool natural) const;
    bool fits(size_t index, const Shape &shape, std::vector<Shape> asked, const Filter *of) const;
    static void add_reads(Shape &shape, size_t index, const std::optional<std::vector<Shape>> &answer);
    std::vector<Shape> output_shapes() const;

    const Filter *filter;
    std::map<size_t, Shape> wanted_outputs;  // by index
};

void set_verbose(bool on);

/** Bad use: prints and ends the process with 2. */
[[noreturn]] void bad_use(const std::string &text);

void describe(const Filter &filter);

/** Best of many calls, as RunGen's --benchmarks=all; returns seconds per call. */
double benchmark(const Filter &filter, std::vector<void *> argv, double min_time);

/** Text of one element. */
std::string value_text(halide_type_t type, const void *element);

}  // namespace argent::runner

#endif
