#include "dsl/jit/ModelBuilder.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "dsl/Emit.h"
#include "dsl/jit/places.h"

namespace argent::dsl {

namespace fs = std::filesystem;

namespace {

/** Halide's error handler for the driver inside of the library: the words wait until realize() asks for them. */
const char *shim = R"(
static thread_local std::string words;
extern "C" __attribute__((visibility("default"))) void halide_error(void *, const char *message) { words += message; }
extern "C" __attribute__((visibility("default"))) const char *argent_jit_error(void) { return words.c_str(); }
extern "C" __attribute__((visibility("default"))) void argent_jit_clear(void) { words.clear(); }
)";

const char *optimise_no_more = R"(#ifdef __clang__
#pragma clang optimize off
#else
#pragma GCC push_options
#pragma GCC optimize("O0")
#endif
)";
const char *optimise_again = R"(#ifdef __clang__
#pragma clang optimize on
#else
#pragma GCC pop_options
#endif
)";

struct Places {
    std::string include, runtime, sim, verilated, halide_include;
};

/** Where Argent's headers and libraries are: ARGENT_HOME (an installation), else where this library was built. */
Places places() {
    if (const char *home = std::getenv("ARGENT_HOME")) {
        const std::string h = home;
        return {h + "/include/argent", h + "/lib/libargent_runtime.a", h + "/lib/libargent_sim.a",
                h + "/lib/libargent_verilated.a", ARGENT_HALIDE_INCLUDE};
    }
    Places built = {ARGENT_BUILT_INCLUDE, ARGENT_BUILT_RUNTIME, ARGENT_BUILT_SIM, ARGENT_BUILT_VERILATED,
                    ARGENT_HALIDE_INCLUDE};
    if (!fs::exists(built.sim)) {
        throw std::runtime_error("the device sim: needs Argent's libraries, which are no longer at " + built.sim +
                                 "; set ARGENT_HOME to the folder where Argent is installed");
    }
    return built;
}

std::string quoted(const std::string &s) {
    return "'" + s + "'";
}

std::string read(const fs::path &p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
}

void run(const std::string &command, const fs::path &log) {
    const int status = std::system(fmt::format("({}) > {} 2>&1", command, quoted(log.string())).c_str());
    if (status == 0) return;
    throw std::runtime_error(fmt::format("building the simulation failed:\n  {}\n{}", command, read(log)));
}

uint64_t hash(const std::string &text, uint64_t h = 1469598103934665603ull) {
    for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
    return h;
}

fs::path cache_folder() {
    const fs::path folder = fs::temp_directory_path() / fmt::format("argent-{}", getuid());
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    return folder;
}

/** Whether the simulation shall write waveforms: models without them are built in half of the time. */
bool has_waveforms() {
    const char *file = std::getenv("ARGENT_SIM_TRACE");
    return file && *file;
}

/** Whether one of Verilator's sources is run once, or for waveforms only: a third of the time of a compiler that optimises it. */
bool runs_rarely(const std::string &source) {
    for (const char *part : {"__Slow", "__Syms", "__Trace__"}) {
        if (source.find(part) != std::string::npos) return true;
    }
    return false;
}

/** Verilator's sources of one accelerator as one file, with the one name that it does not prefix made unique. */
std::string amalgam(const fs::path &folder, const std::string &name) {
    std::vector<std::string> sources;
    for (const auto &entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cpp") sources.push_back(entry.path().filename().string());
    }
    std::sort(sources.begin(), sources.end());
    const auto rare = std::stable_partition(sources.begin(), sources.end(), [](const std::string &s) { return !runs_rarely(s); });
    const auto included = [&](auto begin, auto end) {
        std::string text;
        for (auto s = begin; s != end; ++s) text += fmt::format("#include \"{}/{}\"\n", folder.filename().string(), *s);
        return text;
    };
    return fmt::format("#define trace_init V{}__trace_init\n", name) + included(sources.begin(), rare) + optimise_no_more +
           included(rare, sources.end()) + optimise_again + "#undef trace_init\n";
}

/** The header that every model begins with, next to its precompiled form, which is made once for all models: a compiler reads
 *  Verilator's headers for longer than a small model. */
fs::path precompiled_header(const std::string &options) {
    const fs::path header = cache_folder() / fmt::format("verilated-{:016x}.h", hash(options, hash(ARGENT_BUILT_WITH)));
    const fs::path precompiled = header.string() + ".gch";
    if (fs::exists(precompiled)) return header;
    const std::string partial = fmt::format("{}.{}", header.string(), getpid());
    if (!fs::exists(header)) {   // once: Clang knows a header by its name and time
        std::ofstream(partial) << "#include <string>\n#include <verilated.h>\n#include <verilated_fst_c.h>\n";
        fs::rename(partial, header);
    }
    run(fmt::format("{} {} -x c++-header {} -o {}", ARGENT_CXX_COMPILER, options, quoted(header.string()), quoted(partial)),
        partial + ".log");
    fs::rename(partial, precompiled);   // at once, as below
    fs::remove(partial + ".log");
    return header;
}

}  // namespace

std::string build_model(const std::string &function, const std::vector<std::string> &accelerators,
                        const std::map<std::string, std::string> &files) {
    const Places where = places();
    const bool waveforms = has_waveforms();
    uint64_t key = hash(ARGENT_BUILT_WITH, hash(waveforms ? "waveforms" : ""));
    for (const auto &[name, text] : files) key = hash(text, hash(name, key));
    for (const std::string &library : {where.runtime, where.sim, where.verilated}) key = hash(read(library), key);
    const fs::path made = cache_folder() / fmt::format("{}-{:016x}.so", function, key);
    if (fs::exists(made)) return made.string();

    const fs::path work = cache_folder() / fmt::format("{}-{:016x}.{}", function, key, getpid());
    write_files(work.string(), files);
    const fs::path log = work / "log";
    std::string model, includes = "-I.";
    const std::string control = fmt::format("{0}/sim/{0}_sim.vlt", function);
    const std::string sources = files.count(control) ? quoted((work / control).string()) + " *.v" : "*.v";
    for (const std::string &name : accelerators) {
        run(fmt::format("cd {} && {} --cc -O3 --x-assign fast --x-initial unique {} --output-split-cfuncs 500 -Wall --prefix V{} --top-module {} "
                        "--Mdir {} {}",
                        quoted((work / function / "rtl").string()), ARGENT_VERILATOR, waveforms ? "--trace-fst" : "", name, name,
                        quoted((work / ("V" + name)).string()), sources),
            log);
        model += amalgam(work / ("V" + name), name);
        includes += " -IV" + name;
    }
    std::ofstream(work / "model.cpp") << model << fmt::format("#include \"{}/sim/{}_sim.cpp\"\n", function, function) << shim;
    includes += fmt::format(" -I{} -I{} -I{} -I{}", quoted(where.include + "/runtime"), quoted(where.include + "/sim"),
                            quoted(where.include), quoted(where.halide_include));
    const std::string options = fmt::format("-std=c++17 -O1 -fPIC -w {} -DVM_TRACE={:d} -isystem {} -isystem {}/vltstd", ARGENT_VERILATED_FLAGS, waveforms,
                                            quoted(ARGENT_VERILATOR_INCLUDE), quoted(ARGENT_VERILATOR_INCLUDE));
    const fs::path header = precompiled_header(options);
    const fs::path partial = work / "model.so";
    run(fmt::format("cd {} && {} -x c -std=gnu99 -O1 -fPIC {} -c {}/driver/{}_driver.c -o driver.o && "
                    "{} {} -include {} {} -c model.cpp -o model.o && "
                    "{} -shared -o model.so model.o driver.o -Wl,--whole-archive {} -Wl,--no-whole-archive {} {} "
                    "-lfmt -lz -lpthread -ldl",
                    quoted(work.string()), ARGENT_C_COMPILER, includes, function, function, ARGENT_CXX_COMPILER, options,
                    quoted(header.string()), includes, ARGENT_CXX_COMPILER, quoted(where.runtime), quoted(where.sim),
                    quoted(where.verilated)),
        log);
    fs::rename(partial, made);   // at once: another process may be waiting for the same
    fs::remove_all(work);
    return made.string();
}

}  // namespace argent::dsl
