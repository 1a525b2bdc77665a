// Random pipelines through the compiler and a simulator, compared with Halide on the CPU. See README.md, or --help.

#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "Analysis.h"
#include "Coverage.h"
#include "Farm.h"
#include "Generate.h"
#include "Shrink.h"

using namespace argent::fuzz;
namespace fs = std::filesystem;

namespace {

struct Settings {
    uint64_t seed = 0;
    int count = 200, minutes = 0, shrink_seconds = 300;
    bool no_shrink = false, quiet = false;
    std::string regressions, print;
    std::vector<std::string> replay;
    FarmOptions farm;
};

double seconds_since(std::chrono::steady_clock::time_point t) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

std::string read_file(const fs::path &path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

/** Shrinks one failure and leaves it as a regression test. */
void keep(const Pipeline &failing, const std::string &words, const Settings &s) {
    std::string failure = words;
    fmt::print("  shrinking seed {} ...\n", failing.seed);
    const Pipeline p = shrink(failing, failure, s.farm, s.shrink_seconds, [](const std::string &now) {
        fmt::print("    {}\n", now);
        fflush(stdout);
    });
    std::string comment;
    for (char c : failure.substr(0, 2000)) comment += c == '\n' ? std::string("\n# ") : std::string(1, c);
    const std::string text = to_text(p) + "# it failed with\n# " + comment + "\n";
    fmt::print("{}", text);
    if (s.regressions.empty()) return;
    fs::create_directories(s.regressions);
    const fs::path path = fs::path(s.regressions) / fmt::format("{}-{}.txt", failure.substr(0, failure.find(':')), failing.seed);
    std::ofstream(path) << text;
    fmt::print("  kept as {}\n", path.string());
}

struct Checked {
    int failures = 0;
    std::vector<size_t> refused_by_halide;
};

Checked check(const std::vector<Pipeline> &pipelines, const std::vector<std::string> &names, const Settings &s, Coverage &coverage) {
    Checked checked;
    std::vector<std::pair<size_t, std::string>> failed;
    check_all(pipelines, s.farm, [&](size_t i, const Verdict &v) {
        coverage.add(pipelines[i], v);
        if (v.is_refused_by_halide) checked.refused_by_halide.push_back(i);
        if (v.failure.empty()) return;
        failed.push_back({i, v.failure});
        fmt::print("FAILED {}: {}\n", names[i], v.failure.substr(0, 3000));
        fflush(stdout);
    });
    if (!s.no_shrink) {
        std::set<std::string> kept;   // one of each kind of failure: most have one cause
        for (const auto &[i, words] : failed) {
            if (kept.insert(way_of(words)).second) keep(pipelines[i], words, s);
        }
    }
    checked.failures = static_cast<int>(failed.size());
    return checked;
}

/** Checks the pipelines of some seeds; where Halide refuses one, the seed's next one. */
int check_seeds(std::vector<uint64_t> seeds, const Settings &s, Coverage &coverage) {
    int failures = 0;
    for (int draw = 0; !seeds.empty(); draw++) {
        std::vector<Pipeline> pipelines;
        std::vector<std::string> names;
        for (uint64_t seed : seeds) {
            pipelines.push_back(generate(seed, draw));
            names.push_back(fmt::format("seed {}{}", seed, draw ? fmt::format(", draw {}", draw) : ""));
        }
        const Checked checked = check(pipelines, names, s, coverage);
        failures += checked.failures;
        std::vector<uint64_t> again;
        for (size_t i : checked.refused_by_halide) again.push_back(seeds[i]);
        seeds = again;
    }
    return failures;
}

int fuzz(const Settings &s) {
    const auto begin = std::chrono::steady_clock::now();
    fmt::print("seed {}: pipelines {}, {}, ...\n", s.seed, s.seed, s.seed + 1);
    fflush(stdout);
    Coverage coverage;
    int failures = 0, done = 0;
    const int round = s.farm.batch * s.farm.jobs;
    while (s.minutes ? seconds_since(begin) < 60.0 * s.minutes : done < s.count) {
        const int n = s.minutes ? round : std::min(s.count - done, std::max(round, s.quiet ? s.count : round));
        std::vector<uint64_t> seeds;
        for (int i = 0; i < n; i++) seeds.push_back(s.seed + done + i);
        failures += check_seeds(seeds, s, coverage);
        done += n;
        fmt::print("{} pipelines, {} failed, {:.0f} s\n", done, failures, seconds_since(begin));
        fflush(stdout);
        if (s.minutes) {   // seeds are new, so are the models
            for (const auto &e : fs::directory_iterator(s.farm.folder)) {
                if (e.path().extension() == ".so") fs::remove(e.path());
            }
        }
    }
    fmt::print("{}", coverage.text());
    fmt::print("{} pipelines from seed {}, {} failed, {:.0f} s, {:.1f} pipelines a minute\n", done, s.seed, failures, seconds_since(begin),
               60.0 * done / seconds_since(begin));
    if (done >= 50 && coverage.reconverging_percent() < 40) {
        fmt::print("FAILED: less than 40 % of the pipelines have reconvergent paths\n");
        return 1;
    }
    return failures ? 1 : 0;
}

int replay(Settings s) {
    s.farm.all_forms = true;
    std::vector<fs::path> files;
    for (const std::string &name : s.replay) {
        if (!fs::is_directory(name)) {
            files.push_back(name);
            continue;
        }
        for (const auto &e : fs::directory_iterator(name)) {
            if (e.path().extension() == ".txt") files.push_back(e.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Pipeline> pipelines;
    std::vector<std::string> names;
    for (const fs::path &f : files) {
        try {
            pipelines.push_back(from_text(read_file(f)));
        } catch (const std::exception &e) {
            fmt::print("{}: {}\n", f.string(), e.what());
            return 2;
        }
        const std::string problem = analyse(pipelines.back()).problem;
        if (!problem.empty()) {
            fmt::print("{}: {}\n", f.string(), problem);
            return 2;
        }
        names.push_back(f.filename().string());
    }
    Coverage coverage;
    const Checked checked = check(pipelines, names, s, coverage);
    fmt::print("{} pipelines replayed, {} failed, {} refused by Halide\n", pipelines.size(), checked.failures, checked.refused_by_halide.size());
    return checked.failures ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    Settings s;
    s.seed = std::random_device{}() % 1000000000;
    s.farm.folder = (fs::temp_directory_path() / fmt::format("argent-fuzz-{}", getuid())).string();
    CLI::App app{"random pipelines through the compiler and a simulator, compared with Halide on the CPU"};
    app.add_option("--seed", s.seed, "of the first pipeline; the next one has the next (default: random)");
    app.add_option("--count", s.count, "how many pipelines (default: 200)");
    app.add_option("--minutes", s.minutes, "go on for so long in place of --count");
    app.add_option("--jobs", s.farm.jobs, "processes (default: 1)")->check(CLI::PositiveNumber);
    app.add_option("--batch", s.farm.batch, "pipelines in one simulation model (default: 25)")->check(CLI::Range(1, 200));
    app.add_option("--whole-every", s.farm.whole_every, "every n-th pipeline runs as a whole accelerator, too (default: none)");
    app.add_option("--work", s.farm.folder, "folder for models");
    app.add_option("--regressions", s.regressions, "folder in which shrunk failures are kept");
    app.add_option("--replay", s.replay, "pipelines as text, or folders of them, in place of random ones");
    app.add_option("--shrink-seconds", s.shrink_seconds, "at most, for one failure (default: 300)");
    app.add_flag("--no-shrink", s.no_shrink, "only report failures");
    int draw = 0;
    bool prints = false;
    app.add_flag("--print", prints, "print the pipeline of --seed and do nothing");
    app.add_option("--draw", draw, "with --print: not the seed's first pipeline but the one after so many that Halide refused");
    CLI11_PARSE(app, argc, argv);
    s.quiet = s.no_shrink;
    try {
        if (prints) {
            fmt::print("{}", to_text(generate(s.seed, draw)));
            return 0;
        }
        return s.replay.empty() ? fuzz(s) : replay(s);
    } catch (const std::exception &e) {
        fmt::print(stderr, "fuzz: {}\n", e.what());
        return 2;
    }
}
