#include "platform/Figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace argent::platform {

namespace {

/** A part of the whole; 0 of nothing. */
double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/** How the time in which accelerators ran is divided. */
struct Running {
    double computing, reading, writing;
    explicit Running(const Figures &f)
        : computing(f.running * std::max(0.0, 1 - share(double(f.stalls_in), double(f.clocks)) - share(double(f.stalls_out), double(f.clocks)))),
          reading(f.running * share(double(f.stalls_in), double(f.clocks))),
          writing(f.running * share(double(f.stalls_out), double(f.clocks))) {}
};

constexpr double little = 0.05;  // waiting that is no limit: the first data of a launch
constexpr double full = 0.85;    // a bus or channel that is busy so long is one

std::string thousands(uint64_t n) {
    std::string s = std::to_string(n);
    for (size_t i = s.size(); i > 3; i -= 3) s.insert(i - 3, ",");
    return s;
}

}  // namespace

Figures &Figures::combine(const Figures &o, int sign) {
    auto whole = [sign](uint64_t &a, uint64_t b) { a += uint64_t(sign) * b; };
    auto real = [sign](double &a, double b) { a += sign * b; };
    whole(frames, o.frames);
    real(total, o.total);
    real(running, o.running);
    real(host, o.host);
    real(host_beside, o.host_beside);
    real(driver, o.driver);
    whole(launches, o.launches);
    whole(clocks, o.clocks);
    whole(stalls_in, o.stalls_in);
    whole(stalls_out, o.stalls_out);
    whole(ddr.bursts, o.ddr.bursts);
    whole(ddr.row_misses, o.ddr.row_misses);
    whole(ddr.bytes_read, o.ddr.bytes_read);
    whole(ddr.bytes_written, o.ddr.bytes_written);
    real(ddr.busy_s, o.ddr.busy_s);
    for (size_t i = 0; i < o.channels.size(); i++) {
        if (i == channels.size()) {
            channels.push_back({o.channels[i].name, {}, 0, 0});
        }
        channels[i].images = o.channels[i].images;
        whole(channels[i].bytes, o.channels[i].bytes);
        real(channels[i].busy, o.channels[i].busy);
    }
    return *this;
}

std::string limit_of(const Board &board, const Figures &f) {
    if (f.launches == 0) return "nothing was launched";
    if (f.host > f.running && f.host > f.driver) return "the processor: host stages take longer than the accelerators";
    if (f.driver > f.running) return "the processor: register accesses and interrupts take longer than the accelerators; larger blocks would help";
    return "the accelerators: " + accelerators_limit_of(board, f);
}

std::string accelerators_limit_of(const Board &board, const Figures &f) {
    const Running r(f);
    if (r.reading + r.writing < little * f.running) return "computing; more positions per clock or a higher clock would help";
    if (board.ddr.ideal) return "their own ports, for the memory is ideal";
    if (share(f.ddr.busy_s, f.running) >= full) return "memory bandwidth, which is used up";
    const Figures::Channel *worst = nullptr;
    for (const auto &c : f.channels)
        if (worst == nullptr || c.busy > worst->busy) worst = &c;
    if (worst != nullptr && share(worst->busy, f.running) >= full)
        return fmt::format("memory ports; {} is busy all the time, {} would help", worst->name,
                           worst->images.size() > 1 ? "more of them" : "wider ones");
    return "memory latency; longer bursts, or more of them at once, would help";
}

std::string table_of(const Board &board, const Figures &f) {
    const Running r(f);
    const double per = f.frames != 0 ? double(f.frames) : 1;
    std::string text = fmt::format(
        "platform {}: {:g} MHz, {}{}, {}\n", board.name, board.clock_mhz,
        board.ports != 0 ? fmt::format("{} memory port{} of {} bytes, ", board.ports, board.ports == 1 ? "" : "s", board.port_bytes) : "",
        board.ddr.ideal ? board.ddr.kind : fmt::format("{} ({:g} MB/s)", board.ddr.kind, board.ddr.bytes_per_second * 1e-6), board.cpu.kind);
    auto line = [&](const std::string &name, const std::string &words) { text += fmt::format("  {:<18} {}\n", name, words); };
    auto time = [&](const std::string &name, double seconds, const std::string &more = "") {
        line(name, fmt::format("{:>10.3f} ms {:>6.1f} %{}", seconds / per * 1e3, 100 * share(seconds, f.total), more));
    };
    if (f.frames != 0)
        line("frames", fmt::format("{}, {:.2f} per second, {} launch{} each", f.frames, share(double(f.frames), f.total), f.launches / f.frames,
                                   f.launches / f.frames == 1 ? "" : "es"));
    else
        line("launches", fmt::format("{}, {:.2f} per second", f.launches, share(double(f.launches), f.total)));
    line("clocks", fmt::format("{}{}", thousands(f.clocks / uint64_t(per)), f.frames > 1 ? " per frame" : ""));
    time(f.frames > 1 ? "time per frame" : "time", f.total);
    time("computing", r.computing);
    time("waiting to read", r.reading);
    time("waiting to write", r.writing);
    time("driver", f.driver, "   register accesses, interrupts");
    time("host", f.host, f.host_beside > 0 ? fmt::format("   and {:.3f} ms beside accelerators", f.host_beside / per * 1e3) : "");
    line("memory",
         fmt::format("{:.0f} MB/s read, {:.0f} MB/s written; busy {:.0f} % while accelerators run", share(double(f.ddr.bytes_read) * 1e-6, f.total),
                     share(double(f.ddr.bytes_written) * 1e-6, f.total), 100 * share(f.ddr.busy_s, f.running)));
    for (const auto &c : f.channels)
        line("  " + c.name, fmt::format("{:.0f} MB/s, busy {:.0f} %: {}", share(double(c.bytes) * 1e-6, f.total), 100 * share(c.busy, f.running),
                                        fmt::join(c.images, ", ")));
    line("limit", limit_of(board, f));
    if (f.launches != 0 && limit_of(board, f).rfind("the accelerators", 0) != 0) line("", "of the accelerators: " + accelerators_limit_of(board, f));
    return text;
}

std::string json_of(const Board &board, const Figures &f) {
    const Running r(f);
    nlohmann::ordered_json j;
    j["board"] = board.name;
    j["clock_mhz"] = board.clock_mhz;
    j["ports"] = board.ports;
    j["frames"] = f.frames;
    j["launches"] = f.launches;
    j["clocks"] = f.clocks;
    j["seconds"] = {{"total", f.total},   {"computing", r.computing}, {"reading", r.reading},        {"writing", r.writing},
                    {"driver", f.driver}, {"host", f.host},           {"host_beside", f.host_beside}};
    j["memory"] = {{"bytes_read", f.ddr.bytes_read},
                   {"bytes_written", f.ddr.bytes_written},
                   {"bursts", f.ddr.bursts},
                   {"row_misses", f.ddr.row_misses},
                   {"busy", share(f.ddr.busy_s, f.running)}};
    j["channels"] = nlohmann::ordered_json::array();
    for (const auto &c : f.channels)
        j["channels"].push_back({{"name", c.name}, {"images", c.images}, {"bytes", c.bytes}, {"busy", share(c.busy, f.running)}});
    j["limit"] = limit_of(board, f);
    j["accelerators_limit"] = accelerators_limit_of(board, f);
    return j.dump(2) + "\n";
}

}  // namespace argent::platform
