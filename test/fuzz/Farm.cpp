#include "Farm.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "Drive.h"
#include "Golden.h"
#include "Model.h"
#include "Whole.h"

namespace argent::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr unsigned patience_pipeline = 120, patience_model = 900;   // seconds

/** What `f` dies of; empty if it does not. Halide's errors are no std::exceptions. */
template<typename F>
std::string caught(F &&f) {
    try {
        f();
    } catch (const std::exception &e) {
        return fmt::format(" {}", e.what());
    } catch (const Halide::Error &e) {
        return fmt::format(" Halide: {}", e.what());
    }
    return "";
}

/** The child's side: checks some pipelines and tells a file about each. */
class Worker {
public:
    Worker(const std::vector<Pipeline> &all, const std::vector<size_t> &mine, const FarmOptions &options, const std::string &report)
        : all(all), mine(mine), options(options), report(report, std::ios::binary) {}

    void run() {
        std::vector<size_t> compiled, only_whole;
        std::vector<Hardware> hardware;
        for (size_t k = 0; k < mine.size(); k++) {
            working_on(mine[k], patience_pipeline);
            const std::string died = caught([&] {
                Hardware h = compile(all[mine[k]], fmt::format("fz{}", k));
                if (all[mine[k]].has_repeats() || (all[mine[k]].has_borders() && core_info(h).has_rates)) {
                    only_whole.push_back(mine[k]);
                    return;
                }
                hardware.push_back(std::move(h));
                compiled.push_back(mine[k]);
            });
            if (!died.empty()) tell(mine[k], refused(all[mine[k]], died));
            else if (options.only_compile) tell(mine[k], {true, "", 0, false});
        }
        if (!options.only_compile) simulate(compiled, hardware);
        if (!options.only_compile) {
            for (size_t i : only_whole) {
                working_on(i, patience_model);
                passed[i] = {true, "", 0, false};
                tell(i, whole(i));
            }
        }
        for (size_t i : mine) {
            if (!runs_whole(i) || told.count(i)) continue;
            working_on(i, patience_model);
            tell(i, whole(i));
        }
    }

private:
    /** Where the host would compute what Halide cannot fold, the pipeline has no values on the CPU either. Rightly refused are an
     *  input that nothing depends on, sharing where nothing is alike, and a table that is read on both sides of a RAM. */
    static Verdict refused(const Pipeline &p, const std::string &words) {
        if (words.find("overflow occurred during constant-folding") != std::string::npos) {
            try {
                Golden{p};
            } catch (const RefusedByHalide &) {
                return {true, "", 0, false, true};
            }
        }
        // The compiler knows more of constants than Analysis: an input may not matter after all.
        for (const char *rightly : {"reads it where it has no effect", "is read where it has no effect", "nothing can be shared in time", "has no two operators that are alike",
                                    "is read both before a RAM is full and after"}) {
            if (words.find(rightly) != std::string::npos) return {true, "", 0, false, true};
        }
        return {true, "refused:" + words, 0, false};
    }

    bool runs_whole(size_t i) const {
        if (options.only_compile) return false;
        return (options.whole_every && i % options.whole_every == 0) || (options.all_forms && (all[i].form.is_whole || !all[i].form.is_plain()));
    }

    void working_on(size_t i, unsigned seconds) {
        report << "W " << i << "\n" << std::flush;
        alarm(seconds);
    }

    void tell(size_t i, Verdict v) {
        if (v.failure.empty() && !v.is_refused_by_halide && runs_whole(i) && !passed.count(i)) {
            passed[i] = v;   // one more thing to do with this one
            return;
        }
        told.insert(i);
        for (char &c : v.failure) {
            if (c == '\n') c = '\r';
        }
        report << "V " << i << " " << v.elements << " " << v.is_constant << " " << v.is_refused_by_halide << " " << v.is_whole << " " << v.failure << "\n" << std::flush;
    }

    void simulate(const std::vector<size_t> &indices, std::vector<Hardware> hardware) {
        if (indices.empty()) return;
        std::unique_ptr<Model> model;
        working_on(indices[0], patience_model);
        try {
            model = std::make_unique<Model>(hardware, options.folder);
        } catch (const BuildFailure &e) {
            // Those that are named are guilty; if nobody is, halves are tried alone.
            const std::set<std::string> guilty(e.names.begin(), e.names.end());
            std::vector<size_t> rest, other;
            std::vector<Hardware> rest_hardware, other_hardware;
            for (size_t k = 0; k < indices.size(); k++) {
                if (indices.size() == 1) {
                    tell(indices[k], {true, fmt::format("lint: {}", e.what()), 0, false});
                } else if (guilty.count(hardware[k].name)) {
                    other.push_back(indices[k]), other_hardware.push_back(hardware[k]);
                } else {
                    rest.push_back(indices[k]), rest_hardware.push_back(hardware[k]);
                }
            }
            if (indices.size() == 1) return;
            if (other.empty() || rest.empty()) {
                const size_t half = indices.size() / 2;
                simulate({indices.begin(), indices.begin() + half}, {hardware.begin(), hardware.begin() + half});
                simulate({indices.begin() + half, indices.end()}, {hardware.begin() + half, hardware.end()});
                return;
            }
            simulate(rest, rest_hardware);
            for (size_t k = 0; k < other.size(); k++) simulate({other[k]}, {other_hardware[k]});
            return;
        }
        const Ports &ports = model->reset(all[indices[0]].seed);
        for (size_t k = 0; k < indices.size(); k++) {
            working_on(indices[k], patience_pipeline);
            Verdict v;
            const std::string died = caught([&] {
                try {
                    v = launches(ports, static_cast<int>(k), all[indices[k]], hardware[k]);
                } catch (const RefusedByHalide &) {
                    v = {true, "", 0, false, true};
                }
            });
            if (!died.empty()) v = {true, "golden:" + died, 0, false};
            tell(indices[k], v);
        }
    }

    static Verdict launches(const Ports &ports, int instance, const Pipeline &p, Hardware &h) {
        const CoreInfo core = core_info(h);
        Golden golden(p);
        Verdict v{true, "", 0, true};
        reset(ports, instance);
        std::set<uint64_t> values;
        for (const Run &run : p.runs) {
            const std::vector<uint64_t> expected = golden.run(run);
            values.insert(expected.begin(), expected.end());
            v.failure = drive(ports, instance, core, p, {run, h.scalars.run(p, run), geometry_of(h, run), expected});
            if (!v.failure.empty()) break;
            v.elements += static_cast<int64_t>(expected.size());
        }
        v.is_constant = values.size() <= 1;
        return v;
    }

    Verdict whole(size_t i) {
        Verdict v = passed.at(i);
        v.is_whole = true;
        const std::string died = caught([&] {
            try {
                v.failure = run_whole(all[i], v.elements);
            } catch (const RefusedByHalide &) {
                v = {true, "", 0, false, true};
            }
        });
        if (!died.empty()) v = refused(all[i], died);
        if (v.kind() == "refused") v.failure.replace(0, v.kind().size(), "whole");
        return v;
    }

    const std::vector<Pipeline> &all;
    const std::vector<size_t> &mine;
    const FarmOptions &options;
    std::ofstream report;
    std::map<size_t, Verdict> passed;
    std::set<size_t> told;
};

struct Child {
    std::vector<size_t> mine;
    std::string report;
};

}  // namespace

std::vector<Verdict> check_all(const std::vector<Pipeline> &all, const FarmOptions &options,
                               const std::function<void(size_t, const Verdict &)> &done) {
    fs::create_directories(options.folder);
    std::vector<Verdict> verdicts(all.size());
    std::deque<std::vector<size_t>> waiting;
    for (size_t i = 0; i < all.size(); i += options.batch) {
        std::vector<size_t> batch;
        for (size_t k = i; k < std::min(all.size(), i + options.batch); k++) batch.push_back(k);
        waiting.push_back(batch);
    }
    std::map<pid_t, Child> running;
    int started = 0;
    const auto settle = [&](size_t i, const Verdict &v) {
        verdicts[i] = v;
        if (done) done(i, v);
    };
    while (!waiting.empty() || !running.empty()) {
        while (!waiting.empty() && int(running.size()) < options.jobs) {
            Child child{waiting.front(), (fs::path(options.folder) / fmt::format("report.{}.{}", getpid(), started++)).string()};
            waiting.pop_front();
            fflush(nullptr);
            const pid_t pid = fork();
            if (pid < 0) throw std::runtime_error("fork failed");
            if (pid == 0) {
                setpgid(0, 0);
                Worker(all, child.mine, options, child.report).run();
                fflush(nullptr);
                _exit(0);
            }
            running[pid] = child;
        }
        int status = 0;
        const pid_t pid = wait(&status);
        const auto it = running.find(pid);
        if (it == running.end()) continue;
        const Child child = it->second;
        running.erase(it);
        kill(-pid, SIGKILL);   // what a killed worker has started
        size_t current = child.mine[0];
        std::ifstream in(child.report);
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line.substr(2));
            size_t i;
            words >> i;
            if (line[0] == 'W') {
                current = i;
                continue;
            }
            Verdict v;
            v.is_known = true;
            words >> v.elements >> v.is_constant >> v.is_refused_by_halide >> v.is_whole;
            words.get();
            std::getline(words, v.failure);
            for (char &c : v.failure) {
                if (c == '\r') c = '\n';
            }
            settle(i, v);
        }
        in.close();
        fs::remove(child.report);
        std::vector<size_t> rest;
        for (size_t i : child.mine) {
            if (!verdicts[i].is_known && i != current) rest.push_back(i);
        }
        if (!verdicts[current].is_known) {
            const std::string how = !WIFSIGNALED(status)             ? fmt::format("exit code {}", WEXITSTATUS(status)) :
                                    WTERMSIG(status) == SIGALRM ? "does not come to an end" :
                                                                      fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
            settle(current, {true, "crash: " + how, 0, false});
        }
        if (!rest.empty()) waiting.push_back(rest);
    }
    return verdicts;
}

}  // namespace argent::fuzz
