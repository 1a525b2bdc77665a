// main() of <function>.run: runs the function, accelerated parts on a device, from the command line. See README.md.
#include <HalideBuffer.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "argent_halide.h"
#include "argent_launch.h"
#include "argent_platform.h"
#include "argent_sim.h"
#include "argent_tasks.h"
#include "sim/runner/Arguments.h"
#include "sim/runner/Compare.h"
#include "sim/runner/Launches.h"
#include "sim/runner/Measured.h"

namespace argent::runner {
namespace {

enum Exit { Done = 0, Differs = 1, Bad = 2, Stuck = 3, NoDevice = 4 };

struct Options {
    Wishes wishes;
    std::string device, report, trace, manifest, benchmarks;
    std::vector<std::string> sizes;  // batch
    int seeds = 0;                   // batch: runs with stalls
    bool compare = false, exact_clocks = false, no_copies = false, describe = false, success = false, quiet = false, parsable = false;
    unsigned stalls = 0;
    uint64_t frames = 1;
    uint64_t watchdog = UINT64_MAX;  // not given
    double min_time = 0.1;
};

std::string error_text;  // what Halide or the launcher reported last

void note_error(void *, const char *message) {
    if (!error_text.empty()) error_text += "\n";
    error_text += message;
    while (!error_text.empty() && error_text.back() == '\n') error_text.pop_back();
}

void usage(const std::string &f) {
    fmt::print(R"({0}.run: computes {0}, its accelerated parts on a device, and compares it with the CPU

  {0}.run <name>=<value>... [flags]

Arguments, in the grammar of Halide's RunGen:
  scalar=42, scalar=default, scalar=estimate
  input=picture.png (png, pgm, ppm, npy, mat, tiff, tmp)
  input=zero:[W,H]  constant:VALUE:[W,H]  identity:[W,H]  random:SEED:[W,H]; auto or estimate in place of [W,H]
  output=picture.png
  Inputs that are not given are noise, scalars their default; outputs need not be given.

Flags:
  --output_extents=[W,H]   size of the outputs; otherwise that of the first picture given
  --device=URI             default: the variable ARGENT_DEVICE, or sim:
  --compare                also compute on the CPU ({0}_cpu) and compare bit by bit
  --seed=N                 of noise, scalars (1: their defaults) and stalls; default 1
  --stalls[=PERCENT]       random stalls and gaps on every channel of the simulated memory; default 50
  --exact_clocks           fail if the clocks cannot be predicted (where they are, a difference always fails)
  --no_copies              fail if an image had to be copied because the device cannot reach its memory
  --image=picture.png      for the first image input that it fits, cropped to the block
  --sizes=64x48,1x1        a run for each size in one process, --seeds=N more with stalls (implies --compare)
  --trace=wave.fst         waveforms of all signals
  --report=report.html     the report with measured figures and pictures, and report.json beside it
  --frames=N               calls it N times; on platform: the first of several is not counted
  --watchdog=CLOCKS        give up when nothing moves for so long (0: never)
  --manifest=FILE          default: {0}/manifest.json beside this program
  --benchmarks=all  --benchmark_min_time=SECONDS  --parsable_output
  --default_input_buffers[=VALUE]  --default_input_scalars[=VALUE]  --estimate_all
  --describe  --quiet  --verbose  --success  --help
  The simulated memory has more settings: environment variables ARGENT_SIM_*, see argent_sim.h.

Exit: 0 done, or equal; 1 differs; 2 bad use, or a rule of the bus broken; 3 nothing moves; 4 no device.
)",
               f);
}

// ---- the command line ----

bool parse_bool(const std::string &flag, const std::string &value) {
    if (value.empty() || value == "true") return true;
    if (value == "false") return false;
    bad_use(fmt::format("--{}={}: true or false", flag, value));
}

uint64_t parse_number(const std::string &flag, const std::string &value) {
    char *end = nullptr;
    uint64_t n = std::strtoull(value.c_str(), &end, 0);
    if (value.empty() || *end != 0 || value[0] == '-') bad_use(fmt::format("--{}={}: expected a number", flag, value));
    return n;
}

std::vector<std::string> split(const std::string &s, char at) {
    std::vector<std::string> parts{""};
    for (char c : s) {
        if (c == at) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

/** "64x48" -> "[64,48]". */
std::string extents_of(const std::string &size) {
    std::string list;
    for (const std::string &part : split(size, 'x')) list += (list.empty() ? "[" : ",") + std::to_string(parse_number("sizes", part));
    return list + "]";
}

Options parse(int argc, char **argv, const std::string &function) {
    Options o;
    for (int i = 1; i < argc; i++) {
        std::string text = argv[i];
        size_t eq = text.find('=');
        std::string name = text.substr(0, eq), value = eq == std::string::npos ? "" : text.substr(eq + 1);
        if (text[0] != '-') {
            if (eq == std::string::npos || value.empty()) bad_use(fmt::format("{}: expected <name>=<value>; {}.run --help says more", text, function));
            if (!o.wishes.given.emplace(name, value).second) bad_use(fmt::format("{} is given twice", name));
            continue;
        }
        name.erase(0, name.compare(0, 2, "--") == 0 ? 2 : 1);
        bool has = !value.empty();
        if (name == "help") {
            usage(function);
            std::exit(Done);
        } else if (name == "name") {
            // chosen in main()
        } else if (name == "output_extents") o.wishes.output_extents = value;
        else if (name == "device") o.device = value;
        else if (name == "compare") o.compare = parse_bool(name, value);
        else if (name == "seed") o.wishes.seed = parse_number(name, value);
        else if (name == "stalls") o.stalls = has ? unsigned(parse_number(name, value)) : 50;
        else if (name == "exact_clocks") o.exact_clocks = parse_bool(name, value);
        else if (name == "no_copies") o.no_copies = parse_bool(name, value);
        else if (name == "image") o.wishes.image = value;
        else if (name == "frames") o.frames = std::max<uint64_t>(1, parse_number(name, value));
        else if (name == "sizes") o.sizes = split(value, ',');
        else if (name == "seeds") o.seeds = int(parse_number(name, value));
        else if (name == "trace") o.trace = value;
        else if (name == "report") o.report = value;
        else if (name == "watchdog") o.watchdog = parse_number(name, value);
        else if (name == "manifest") o.manifest = value;
        else if (name == "benchmarks") o.benchmarks = has ? value : "all";
        else if (name == "benchmark_min_time") o.min_time = std::atof(value.c_str());
        else if (name == "parsable_output") o.parsable = parse_bool(name, value);
        else if (name == "default_input_buffers") o.wishes.default_buffers = has ? value : "zero:auto";
        else if (name == "default_input_scalars") o.wishes.default_scalars = has ? value : "estimate,default";
        else if (name == "estimate_all") {
            o.wishes.default_buffers = "random:0:estimate_then_auto";
            o.wishes.default_scalars = "estimate";
            o.wishes.output_extents = "estimate";
        } else if (name == "describe") o.describe = parse_bool(name, value);
        else if (name == "quiet") o.quiet = parse_bool(name, value);
        else if (name == "verbose") set_verbose(parse_bool(name, value));
        else if (name == "success") o.success = parse_bool(name, value);
        else bad_use(fmt::format("--{} is no flag of {}.run; --help lists them", name, function));
    }
    if (!o.benchmarks.empty() && o.benchmarks != "all") bad_use("the only value of --benchmarks is all");
    if (!o.sizes.empty()) o.compare = true;
    return o;
}

// ---- files beside the program ----

/** The folder that add_argent_accelerator made: <function>, or <target>.argent/<function>, beside the program. */
std::filesystem::path emitted_folder(const std::string &function) {
    std::error_code none;
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none), folder = self.parent_path() / function;
    if (!std::filesystem::exists(folder / "manifest.json", none)) {
        std::filesystem::path other = self.parent_path() / (self.stem().string() + ".argent") / function;
        if (std::filesystem::exists(other / "manifest.json", none)) return other;
    }
    return folder;
}

nlohmann::json read_json(const std::filesystem::path &path, bool needed) {
    std::ifstream in(path);
    if (!in) {
        if (needed) bad_use(fmt::format("{} cannot be read", path.string()));
        return nullptr;
    }
    try {
        return nlohmann::json::parse(in);
    } catch (const nlohmann::json::exception &e) {
        bad_use(fmt::format("{}: {}", path.string(), e.what()));
    }
}

// ---- a run ----

class Runner {
public:
    Runner(const Filter &filter, Options options) : filter(filter), o(std::move(options)) {
        std::filesystem::path path = o.manifest.empty() ? folder() / "manifest.json" : std::filesystem::path(o.manifest);
        manifest = read_json(path, !o.manifest.empty() || o.exact_clocks);
        if (o.compare) {
            golden = find_filter(filter.name() + "_cpu");
            if (golden == nullptr) bad_use(fmt::format("--compare needs {}_cpu, which is not linked into this program", filter.name()));
        }
        if (manifest.contains("accelerators") && !manifest["accelerators"].empty())
            for (const auto &d : manifest["accelerators"][0].value("block", nlohmann::json::array())) o.wishes.largest.push_back(d.value("extent", 1 << 30));
        device_name = !o.device.empty() ? o.device : std::getenv("ARGENT_DEVICE") != nullptr ? std::getenv("ARGENT_DEVICE") : "sim:";
        if (is_device("platform:")) argent_tasks_use();  // stages in threads of their own count on the board
        if (!o.device.empty()) argent_launch_set_device(o.device.c_str());
        Halide::Runtime::Buffer<>::set_default_allocate_fn(argent_image_allocate);
        Halide::Runtime::Buffer<>::set_default_deallocate_fn(argent_image_free);
        argent_sim_defaults(&settings);
        if (!o.trace.empty() && !is_device("sim:"))
            bad_use(fmt::format("--trace writes waveforms of sim:, not of {} (a server writes those of its own variable ARGENT_SIM_TRACE)", device_name));
        if (!o.trace.empty()) settings.trace = o.trace.c_str();
        if (o.watchdog != UINT64_MAX) settings.watchdog = o.watchdog;
    }

    int run() {
        if (!o.sizes.empty()) return batch();
        if (o.stalls != 0) settings.stalls = o.stalls;
        settings.seed = o.wishes.seed;
        Arguments hardware(filter, o.wishes);
        if (!o.benchmarks.empty()) return bench(hardware);
        std::string label = filter.name();
        int code = once(hardware, label);
        if (code == Bad || code == Stuck || code == NoDevice) return code;
        hardware.save_outputs();
        if (!o.report.empty()) make_report(hardware);
        return code;
    }

private:
    std::filesystem::path folder() const { return emitted_folder(filter.name()); }

    bool reference_memory() const {
        return settings.stalls == 0 && settings.beats == settings.clocks && settings.read_latency == ARGENT_SIM_READ_LATENCY &&
               settings.write_latency == ARGENT_SIM_WRITE_LATENCY && settings.fault == ARGENT_FAULT_NONE && (is_device("sim:") || is_device("sim+unix:"));
    }

    bool is_device(const char *scheme) const { return device_name.compare(0, std::strlen(scheme), scheme) == 0; }

    /** Calls the function on the device, compares and checks clocks. Prints what it finds, one line if `short_text`. */
    int once(Arguments &hardware, const std::string &label, bool short_text = false) {
        argent_sim_set(&settings);
        error_text.clear();
        argent_launch_code();
        int result = 0;
        for (uint64_t i = 0; i < o.frames && result == 0; i++) {
            const bool counted = i > 0 || o.frames == 1;  // in a first frame the host's memory and threads are new
            if (counted && argent_platform_frame_begin(device_name.c_str()) != ARGENT_OK) {
                fmt::print(stderr, "{}\n", argent_platform_text());
                return NoDevice;
            }
            result = filter.call(hardware.argv().data());
            if (counted) argent_platform_frame_end(device_name.c_str());
        }
        launches = recorder.take();
        launches.erase(launches.begin(), launches.begin() + std::ptrdiff_t(launches.size() / o.frames * (o.frames - 1)));  // of the last frame
        if (result != 0) return failed(label);

        int code = Done;
        std::string clocks_text = check_clocks(code);
        uint64_t copies = 0;
        for (const LaunchLog &l : launches) copies = std::max(copies, l.copies);
        if (o.no_copies && copies != 0) {
            code = Differs;
            fmt::print(stderr, "{}: {} images had to be copied, because {} cannot reach their memory\n", label, copies, device_name);
        }
        std::string compare_text;
        if (golden != nullptr) {
            if (!expected) {
                expected = std::make_unique<Arguments>(hardware.with_new_outputs());
                error_text.clear();
                if (golden->call(expected->argv().data()) != 0) {
                    fmt::print(stderr, "{}: {} failed: {}\n", label, golden->name(), error_text);
                    return Bad;
                }
            }
            difference = compare_outputs(hardware, *expected);
            if (difference.different != 0) code = Differs;
            compare_text = difference.different != 0 ? difference.text : fmt::format("equal to {}, {} elements", golden->name(), difference.elements);
        }
        if (!o.quiet) short_text ? print_short(hardware, label, code) : print_summary(hardware, label, compare_text);
        if (difference.different != 0 && (short_text || o.quiet)) fmt::print(stderr, "{}: {}\n", label, difference.text);
        if (!clocks_text.empty()) fmt::print(stderr, "{}: {}\n", label, clocks_text);
        return code;
    }

    int failed(const std::string &label) {
        int code = argent_launch_code();
        fmt::print(stderr, "{}\n", error_text.empty() ? label + " failed without a word" : error_text);
        switch (code) {
        case ARGENT_STUCK:
        case ARGENT_TIMEOUT: return Stuck;
        case ARGENT_NO_DEVICE:
        case ARGENT_NO_ACCELERATOR:
        case ARGENT_WRONG_ID:
        case ARGENT_GONE: return NoDevice;
        default: return Bad;
        }
    }

    /** Empty if all is well. */
    std::string check_clocks(int &code) {
        predicted = 0;
        std::string text;
        bool reference = reference_memory();
        for (size_t i = 0; i < launches.size(); i++) {
            Forecast f = predict(manifest, launches[i]);
            if (f.clocks >= 0 && predicted >= 0) predicted += f.clocks;
            else predicted = -1;
            std::string where = launches.size() > 1 ? fmt::format(" in launch {} of {}", i + 1, launches.size()) : "";
            if (f.clocks < 0 && o.exact_clocks && reference) {
                code = Differs;
                text = fmt::format("clocks cannot be predicted{}: {}", where, f.reason);
            } else if (reference && f.clocks >= 0 && uint64_t(f.clocks) != launches[i].clocks) {
                code = Differs;
                text = fmt::format("clocks differ from the prediction{}: measured {}, predicted {} ({})", where, launches[i].clocks, f.clocks,
                                   fmt::join(launches[i].extent, "x"));
            } else if (const std::string wrong = launches[i].code == ARGENT_OK ? wrong_traffic(manifest, launches[i]) : ""; !wrong.empty()) {
                code = Differs;
                text = wrong + where;
            } else {
                continue;
            }
            break;
        }
        if (o.exact_clocks && launches.empty()) {
            code = Differs;
            text = "nothing was launched, so there are no clocks to compare";
        }
        return text;
    }

    void print_short(const Arguments &a, const std::string &label, int code) const {
        uint64_t clocks = 0;
        for (const LaunchLog &l : launches) clocks += l.clocks;
        fmt::print("{} {}: {} clocks{}\n", code == Done ? "ok  " : "FAIL", label, clocks,
                   reference_memory() && predicted >= 0 ? " as predicted" : "");
        (void)a;
    }

    void print_summary(const Arguments &a, const std::string &label, const std::string &compare_text) const {
        uint64_t clocks = 0, read = 0, written = 0;
        double seconds = 0;
        for (const LaunchLog &l : launches) {
            clocks += l.clocks;
            read += l.bytes_read;
            written += l.bytes_written;
            seconds += l.seconds;
        }
        uint64_t pixels = a.output_elements();
        fmt::print("{}: {}{}{}, {} launch{} on {}\n", label, a.size(), a.scalars().empty() ? "" : ", ", a.scalars(), launches.size(),
                   launches.size() == 1 ? "" : "es", device_name);
        if (!launches.empty()) {
            std::string forecast = predicted < 0 ? "" : uint64_t(predicted) == clocks ? ", as predicted" : fmt::format(", predicted {} on the reference memory", predicted);
            fmt::print("  clocks      {}{}\n", clocks, forecast);
            fmt::print("  per pixel   {:.4f} clocks\n", double(clocks) / double(pixels));
            if (seconds > 0) fmt::print("  simulated   {:.2f} Mpixel/s, {:.2f} Mclock/s\n", double(pixels) / seconds * 1e-6, double(clocks) / seconds * 1e-6);
            fmt::print("  bus         {} bytes read, {} written\n", read, written);
        }
        if (!compare_text.empty()) fmt::print("  compare     {}\n", compare_text);
    }

    int batch() {
        int worst = Done, runs = 0, bad = 0;
        for (const std::string &size : o.sizes)
            for (int k = 0; k <= o.seeds; k++) {
                Wishes w = o.wishes;
                w.output_extents = extents_of(size);
                w.seed = o.wishes.seed + uint64_t(k > 0 ? k : 0);
                settings.seed = w.seed;
                settings.stalls = k == 0 ? 0 : o.stalls != 0 ? o.stalls : unsigned(20 + w.seed * 37 % 80);
                settings.fresh = k % 2 == 1;  // every other one from a reset, with other values in the registers
                Arguments hardware(filter, w);
                expected.reset();
                int code = once(hardware, k == 0 ? fmt::format("{} {}", filter.name(), size) : fmt::format("{} {} seed {} stalls {}", filter.name(), size, w.seed, settings.stalls), true);
                runs++;
                bad += code != Done;
                worst = worst == Done ? code : worst;
                std::fflush(stdout);
            }
        if (!o.wishes.image.empty()) {
            settings.stalls = settings.fresh = 0;
            Wishes w = o.wishes;
            Arguments hardware(filter, w);
            expected.reset();
            int code = once(hardware, filter.name() + " " + std::filesystem::path(w.image).filename().string(), true);
            runs++;
            bad += code != Done;
            worst = worst == Done ? code : worst;
        }
        fmt::print("{}: {} runs, {} failed\n", filter.name(), runs, bad);
        return worst;
    }

    int bench(Arguments &hardware) {
        argent_sim_set(&settings);
        double seconds = benchmark(filter, hardware.argv(), o.min_time);
        if (!error_text.empty()) return failed(filter.name());
        double megapixels = double(hardware.output_elements()) / (1024.0 * 1024.0);
        if (o.parsable)
            fmt::print("{0}  BEST_TIME_MSEC_PER_ITER  {1}\n{0}  THROUGHPUT_MPIX_PER_SEC  {2}\n", filter.name(), seconds * 1000, megapixels / seconds);
        else
            fmt::print("Benchmark for {} produces best case of {} sec/iter.\nBest output throughput is {} mpix/sec.\n", filter.name(), seconds,
                       megapixels / seconds);
        return Done;
    }

    void make_report(const Arguments &hardware) {
        std::filesystem::path folder_of = o.manifest.empty() ? folder() : std::filesystem::path(o.manifest).parent_path();
        write_report(folder_of / "report.json", o.report,
                     {manifest, launches, device_name, golden != nullptr ? &difference : nullptr, hardware, expected.get()});
        if (!o.quiet) fmt::print("  report      {}\n", o.report);
    }

    const Filter &filter;
    const Filter *golden = nullptr;
    Options o;
    nlohmann::json manifest;
    std::string device_name;
    argent_sim_settings settings{};
    LaunchRecorder recorder;
    std::vector<LaunchLog> launches;
    std::unique_ptr<Arguments> expected;
    Difference difference;
    long predicted = -1;
};

/** The function of this program: the one that is not somebody's _cpu, or that --name= says. */
const Filter &choose(int argc, char **argv) {
    std::string wanted;
    for (int i = 1; i < argc; i++) {
        std::string text = argv[i];
        for (const char *flag : {"--name=", "-name="})
            if (text.compare(0, std::strlen(flag), flag) == 0) wanted = text.substr(std::strlen(flag));
    }
    const Filter *found = nullptr;
    std::string names;
    for (const Filter &f : filters()) {
        std::string n = f.name();
        bool twin = n.size() > 4 && n.compare(n.size() - 4, 4, "_cpu") == 0 && find_filter(n.substr(0, n.size() - 4)) != nullptr;
        if (!twin) names += (names.empty() ? "" : ", ") + n;
        if (!wanted.empty() ? n == wanted : !twin) {
            if (found != nullptr) bad_use(fmt::format("this program holds {}; choose one with --name=", names));
            found = &f;
        }
    }
    if (found == nullptr)
        bad_use(wanted.empty() ? "no function is linked into this program: compile the registration files of the Halide libraries with it"
                               : fmt::format("--name={}: this program holds {}", wanted, names));
    return *found;
}

int main_of(int argc, char **argv) {
    const Filter &filter = choose(argc, argv);
    Options options = parse(argc, argv, filter.name());
    if (options.describe) {
        describe(filter);
        return Done;
    }
    halide_set_error_handler(note_error);
    if (options.quiet) halide_set_custom_print([](void *, const char *) {});
    bool success = options.success;
    int code = Runner(filter, std::move(options)).run();
    argent_launch_close();
    if (success && code == Done) fmt::print("Success!\n");
    return code;
}

}  // namespace
}  // namespace argent::runner

int main(int argc, char **argv) {
    int code = argent::runner::Bad;
    try {
        code = argent::runner::main_of(argc, argv);
    } catch (const std::exception &e) {   // of a manifest that is another accelerator's, or of no memory
        fmt::print(stderr, "{}\n", e.what());
    }
    std::fflush(nullptr);
    return code;
}
