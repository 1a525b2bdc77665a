#include "Info.h"

#include <fmt/format.h>

namespace argent::tool {

namespace {

using nlohmann::ordered_json;

std::string text(const ordered_json &j, const char *key) { return j.contains(key) && j.at(key).is_string() ? j.at(key).get<std::string>() : ""; }

/** "x 1920, y 1080" */
std::string block(const ordered_json &a) {
    std::string s;
    for (const ordered_json &d : a.at("block")) s += fmt::format("{}{} {}", s.empty() ? "" : ", ", d.at("var").get<std::string>(), d.at("extent").get<int>());
    return s;
}

std::string port(const ordered_json &p, const char *what) {
    std::string box;
    for (const ordered_json &d : p.value(p.contains("grid") ? "" : "box", ordered_json::array()))  // of several rates: the host computes it
        box += fmt::format("{}{}..{}", box.empty() ? ", box " : " x ", d.at("min").get<int>(), d.at("max").get<int>());
    return fmt::format("  {:<7} {:<20} {:<24} {}, {} bytes a beat{}\n", what, text(p, "name"), text(p, "port"), text(p, "type"), p.value("bus_bytes", 0), box);
}

std::string describe_accelerator(const ordered_json &a) {
    std::string s = fmt::format("{} (0x{:08x}), made at {}:{} for {} at {} MHz\n", text(a, "name"), a.at("id").get<uint32_t>(),
                                a.at("source").at(0).get<std::string>(), a.at("source").at(1).get<int>(), text(a, "board"), a.at("clock_mhz").get<double>());
    s += fmt::format("  block   {}\n", block(a));
    for (const ordered_json &p : a.at("inputs")) s += port(p, "input");
    for (const ordered_json &p : a.at("outputs")) s += port(p, "output");
    for (const ordered_json &p : a.value("params", ordered_json::array())) s += fmt::format("  param   {:<20} {}\n", text(p, "name"), text(p, "type"));
    if (a.contains("latency")) s += fmt::format("  latency {} clocks from an input to its output\n", a.at("latency").at("fire_to_output").get<int>());
    if (a.contains("clocks")) s += fmt::format("  clocks  {}\n", text(a.at("clocks"), "formula"));
    s += "  registers\n";
    for (const ordered_json &r : a.at("registers")) {
        const std::string doc = text(r, "doc");
        s += fmt::format("    0x{:03x}  {:<2}  {:>2} bits  ", r.at("offset").get<int>(), text(r, "access"), r.value("bits", 32));
        s += doc.empty() ? text(r, "name") + "\n" : fmt::format("{:<26} {}\n", text(r, "name"), doc);
    }
    return s;
}

}  // namespace

std::string describe(const ordered_json &manifest) {
    std::string s;
    for (const ordered_json &a : manifest.at("accelerators")) s += (s.empty() ? "" : "\n") + describe_accelerator(a);
    return s;
}

}  // namespace argent::tool
