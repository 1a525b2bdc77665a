#include "platform/Board.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include "boards/Texts.h"

namespace argent::platform {

namespace {

/** Reads figures out of a board's file and remembers what is wrong with them. */
class Reader {
public:
    Reader(const toml::table &t, std::string file) : table(t), file(std::move(file)) {}

    double number(const char *section, const char *key, double least, bool above) {
        toml::node_view<const toml::node> node = section[0] != 0 ? table[section][key] : table[key];
        std::string where = section[0] != 0 ? fmt::format("[{}] {}", section, key) : key;
        if (!node) return mistake(fmt::format("{} is missing", where));
        auto value = node.value<double>();
        std::string wanted = fmt::format("a number {} {}", above ? "above" : "of at least", least);
        if (!value) return mistake(fmt::format("{} should be {}", where, wanted), node.node());
        if (!std::isfinite(*value) || *value < least || (above && *value == least))
            return mistake(fmt::format("{} is {}; it should be {}", where, *value, wanted), node.node());
        return *value;
    }
    int whole(const char *section, const char *key) {
        double v = number(section, key, 1, false);
        if (v != std::floor(v) || v > 1 << 30)
            return int(mistake(fmt::format("[{}] {} is {}; it should be a whole number", section, key, v), table[section][key].node()));
        return int(v);
    }
    std::string words(const char *section, const char *key) { return (section[0] != 0 ? table[section][key] : table[key]).value_or(std::string()); }
    const std::string &mistakes() const { return text; }

private:
    double mistake(const std::string &words, const toml::node *node = nullptr) {
        std::string line = node != nullptr ? fmt::format(":{}", node->source().begin.line) : "";
        text += fmt::format("{}{}{}: {}", text.empty() ? "" : "\n", file, line, words);
        return 1;
    }

    const toml::table &table;
    std::string file, text;
};

Board read_board(const toml::table &table, const std::string &file) {
    Reader r(table, file);
    Board b;
    b.name = r.words("", "name");
    b.clock_mhz = r.number("", "clock_mhz", 0, true);
    b.ports = r.whole("memory", "ports");
    b.port_bytes = r.whole("memory", "port_bytes");
    b.outstanding = std::min(r.whole("memory", "outstanding"), 255);
    b.ddr.kind = r.words("ddr", "kind");
    b.ddr.bytes_per_second = 1e6 * r.number("ddr", "mb_per_second", 0, true);
    b.ddr.read_latency_ns = r.number("ddr", "read_latency_ns", 0, false);
    b.ddr.write_latency_ns = r.number("ddr", "write_latency_ns", 0, false);
    b.ddr.banks = r.whole("ddr", "banks");
    b.ddr.row_bytes = r.whole("ddr", "row_bytes");
    b.ddr.row_miss_ns = r.number("ddr", "row_miss_ns", 0, false);
    b.ddr.turnaround_ns = r.number("ddr", "turnaround_ns", 0, false);
    b.ddr.refresh_interval_ns = r.number("ddr", "refresh_interval_ns", 0, true);
    b.ddr.refresh_ns = r.number("ddr", "refresh_ns", 0, false);
    b.ddr.queue = r.whole("ddr", "queue");
    b.cpu.kind = r.words("cpu", "kind");
    b.cpu.slowdown = r.number("cpu", "slowdown", 0, false);
    b.cpu.register_ns = r.number("cpu", "register_ns", 0, false);
    b.cpu.interrupt_ns = r.number("cpu", "interrupt_ns", 0, false);
    std::string mistakes = r.mistakes();
    if (mistakes.empty() && b.ddr.refresh_ns >= b.ddr.refresh_interval_ns)
        mistakes = fmt::format("{}: [ddr] refresh_ns is {} and refresh_interval_ns is {}: nothing would be left for data", file, b.ddr.refresh_ns,
                               b.ddr.refresh_interval_ns);
    if (!mistakes.empty()) throw NoBoard(mistakes);
    if (b.name.empty()) b.name = file;
    return b;
}

Board load(const std::string &name) {
    bool is_file = name.find('/') != std::string::npos || (name.size() > 5 && name.compare(name.size() - 5, 5, ".toml") == 0);
    const char *text = is_file ? nullptr : boards::text_of(name);
    if (!is_file && text == nullptr)
        throw NoBoard(
            fmt::format("there is no board \"{}\"; there are {}, and files such as platform:./board.toml", name, fmt::join(boards::names(), ", ")));
    std::string file = is_file ? name : name + ".toml";
    try {
        return read_board(is_file ? toml::parse_file(name) : toml::parse(text, file), file);
    } catch (const toml::parse_error &e) {
        unsigned line = e.source().begin.line;
        throw NoBoard(fmt::format("{}{}: {}", file, line != 0 ? fmt::format(":{}", line) : "", std::string(e.description())));
    }
}

/** The reference memory of sim:, a port for each image: what clocks are predicted for. */
void make_ideal(Board &b) {
    b.ddr.ideal = true;
    b.ddr.kind = "ideal memory";
    b.ports = 0;
    b.outstanding = 255;
}

struct Option {
    const char *name;
    double least;
    bool above, whole;
    std::function<void(Board &, double)> set;
};

const std::vector<Option> &options() {
    static const std::vector<Option> list = {
        {"clock", 0, true, false, [](Board &b, double v) { b.clock_mhz = v; }},
        {"ports", 1, false, true, [](Board &b, double v) { b.ports = int(v); }},
        {"ddr", 0, true, false, [](Board &b, double v) { b.ddr.bytes_per_second = v * 1e6; }},
        {"cpu", 0, false, false, [](Board &b, double v) { b.cpu.slowdown = v; }},
    };
    return list;
}

void apply_option(Board &b, const std::string &option) {
    size_t equals = option.find('=');
    std::string name = option.substr(0, equals), value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (name == "report" && !value.empty()) {
        b.report = value;
        return;
    }
    if (name == "memory" && value == "ideal") return make_ideal(b);
    if (name == "memory") throw NoBoard(fmt::format("option memory={}: the only other memory is memory=ideal", value));
    for (const Option &o : options()) {
        if (name != o.name) continue;
        char *end = nullptr;
        double v = std::strtod(value.c_str(), &end);
        bool good = !value.empty() && *end == 0 && std::isfinite(v) && v <= 1e9 && v >= o.least && !(o.above && v == o.least) &&
                    !(o.whole && v != std::floor(v));
        if (!good)
            throw NoBoard(
                fmt::format("option {}: expected a {}number {} {}", option, o.whole ? "whole " : "", o.above ? "above" : "of at least", o.least));
        return o.set(b, v);
    }
    throw NoBoard(
        fmt::format("unknown option \"{}\"; there are clock=MHZ, ports=N, ddr=MB_PER_SECOND, cpu=SLOWDOWN, memory=ideal, report=FILE", option));
}

}  // namespace

Board find_board(const std::string &uri) {
    size_t comma = uri.find(',');
    Board b = load(uri.substr(0, comma));
    while (comma != std::string::npos) {
        size_t next = uri.find(',', comma + 1);
        apply_option(b, uri.substr(comma + 1, next == std::string::npos ? next : next - comma - 1));
        comma = next;
    }
    return b;
}

}  // namespace argent::platform
