#include "report/Model.h"

#include "report/Report.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace argent::report {
namespace {

using nlohmann::json;

/** A value of the JSON that knows its own path, so that every refusal can name it. */
class Field {
public:
    Field(const json &value, std::string path) : value(value), path(std::move(path)) {}

    [[noreturn]] void refuse(const std::string &why) const {
        throw ReportError(fmt::format("report.json: {}{}", path.empty() ? "" : path + ": ", why));
    }

    std::optional<Field> find(const char *key) const {
        if (!value.is_object()) refuse(fmt::format("expected an object, found {}", found()));
        const auto it = value.find(key);
        if (it == value.end() || it->is_null()) return std::nullopt;
        return Field(*it, path.empty() ? key : path + "." + key);
    }
    Field at(const char *key) const {
        if (auto field = find(key)) return *field;
        refuse(fmt::format("\"{}\" is missing", key));
    }
    std::vector<Field> items() const {
        if (!value.is_array()) refuse(fmt::format("expected an array, found {}", found()));
        std::vector<Field> list;
        for (size_t i = 0; i < value.size(); i++)
            list.emplace_back(value[i], fmt::format("{}[{}]", path, i));
        return list;
    }
    std::vector<Field> items(const char *key) const {
        const auto field = find(key);
        return field ? field->items() : std::vector<Field>{};
    }
    std::vector<Field> items_of(size_t count) const {
        auto list = items();
        if (list.size() != count)
            refuse(fmt::format("expected {} values, found {}", count, list.size()));
        return list;
    }

    std::string text() const {
        if (!value.is_string()) refuse(fmt::format("expected a string, found {}", found()));
        return value.get<std::string>();
    }
    int64_t integer() const {
        constexpr double limit =
            9007199254740992.0;  // 2^53: beyond it a double is no exact integer
        if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX))
            refuse("the number is too large");
        if (value.is_number_integer()) return value.get<int64_t>();
        if (value.is_number_float()) {
            const double v = value.get<double>();
            if (v == std::floor(v) && std::abs(v) <= limit) return int64_t(v);
        }
        refuse(fmt::format("expected an integer, found {}", found()));
    }
    double real() const {
        if (!value.is_number()) refuse(fmt::format("expected a number, found {}", found()));
        return value.get<double>();
    }
    std::string text_or_number() const { return value.is_number() ? value.dump() : text(); }
    bool is_array() const { return value.is_array(); }
    bool is_true() const { return value.is_boolean() && value.get<bool>(); }

    std::string text(const char *key) const {
        const auto field = find(key);
        return field ? field->text() : "";
    }
    std::optional<int64_t> integer(const char *key) const {
        const auto field = find(key);
        return field ? std::optional(field->integer()) : std::nullopt;
    }
    int64_t integer_or(const char *key, int64_t otherwise) const {
        return integer(key).value_or(otherwise);
    }
    std::optional<double> real(const char *key) const {
        const auto field = find(key);
        return field ? std::optional(field->real()) : std::nullopt;
    }

    /** The value that `key` names among `choices`; the first one if it is absent. */
    template<typename T>
    T choice(const char *key, std::initializer_list<std::pair<const char *, T>> choices) const {
        const auto field = find(key);
        if (!field) return choices.begin()->second;
        const std::string is = field->text();
        std::string all;
        for (const auto &[name, result] : choices) {
            if (is == name) return result;
            all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", name);
        }
        field->refuse(fmt::format("\"{}\" is none of {}", is, all));
    }

private:
    std::string found() const {
        std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
        if (text.size() > 60) text = text.substr(0, 57) + "...";
        return text;
    }
    const json &value;
    std::string path;
};

std::optional<Source> read_source(const Field &f) {
    const auto field = f.find("source");
    if (!field) return std::nullopt;
    const auto parts = field->items_of(2);
    return Source{parts[0].text(), parts[1].integer()};
}

Distance read_distance(const Field &f) {
    return {f.integer_or("rows", 0), f.integer_or("cols", 0)};
}

std::optional<Resources> read_resources(const Field &f, const char *key) {
    const auto field = f.find(key);
    if (!field) return std::nullopt;
    return Resources{field->integer("lut"), field->integer("ff"), field->integer("bram18"),
                     field->integer("dsp"), field->text("origin") == "estimate"};
}

using Kind = Stage::Kind;

Stage read_stage(const Field &f, int64_t clocks) {
    Stage s;
    s.name = f.at("name").text();
    s.kind = f.choice<Kind>(
        "kind", {{"stage", Kind::Stage}, {"input", Kind::Input}, {"output", Kind::Output}});
    s.type = f.text("type");
    s.expression = f.text("expression");
    s.storage = f.text("storage");
    s.reason = f.text("reason");
    if (const auto shared = f.find("shared"))
        s.shared = Shared{shared->integer_or("slots", 0), shared->integer_or("sets", 0), shared->integer_or("in_place_of", 0)};
    if (const auto range = f.find("range")) {
        const auto ends = range->items_of(2);
        s.low = ends[0].text_or_number();
        s.high = ends[1].text_or_number();
    }
    s.bits = f.integer_or("bits", 0);
    s.lanes = f.integer_or("lanes", 1);
    s.clocks = f.integer_or("clocks", clocks);
    s.source = read_source(f);
    for (const Field &side : f.items("box"))
        s.box.emplace_back(side.integer_or("min", 0), side.integer_or("max", 0));
    if (const auto d = f.find("displacement")) s.displacement = read_distance(*d);
    s.phase = f.integer("phase");
    s.latency = f.integer("latency");
    s.critical_ns = f.real("critical_ns");
    for (const Field &word : f.items("critical_path")) s.critical_path.push_back(word.text());
    s.resources = read_resources(f, "resources");
    return s;
}

using Names = std::map<std::string, int>;

int read_stage_name(const Field &f, const Names &names) {
    const auto it = names.find(f.text());
    if (it == names.end()) f.refuse(fmt::format("no stage is named \"{}\"", f.text()));
    return it->second;
}

Edge read_edge(const Field &f, const Names &names) {
    Edge e;
    e.from = read_stage_name(f.at("from"), names);
    e.to = read_stage_name(f.at("to"), names);
    e.bits = f.integer_or("bits", 0);
    for (const Field &read : f.items("reads")) {
        const auto tap = read.items();  // innermost first; what lies beyond y is not drawn
        e.reads.push_back(
            {tap.empty() ? 0 : tap[0].integer(), tap.size() < 2 ? 0 : tap[1].integer()});
    }
    for (const Field &extent : f.items("window")) e.window.push_back(extent.integer());
    if (const auto delay = f.find("delay")) e.delay = read_distance(*delay);
    e.depth = f.integer_or("depth", 0);
    return e;
}

Window read_window(const Field &f, const Names &names) {
    Window w;
    w.producer = read_stage_name(f.at("producer"), names);
    w.form = f.text("form");
    w.memory = f.text("memory");
    w.rows = f.integer_or("rows", 0);
    w.row_words = f.integer_or("row_words", 0);
    w.row_bits = f.integer_or("row_bits", 0);
    w.register_bits = f.integer_or("register_bits", 0);
    w.ram_bits = f.integer_or("ram_bits", w.row_words * w.row_bits);
    w.repeats_rows = f.find("repeats_rows") && f.at("repeats_rows").is_true();
    for (const Field &consumer : f.items("consumers"))
        w.consumers.push_back(read_stage_name(consumer, names));
    return w;
}

Frame read_frame(const Field &f, int64_t width, int64_t height) {
    using K = Span::Kind;
    Frame frame{f.integer_or("width", width),
                f.integer_or("height", height),
                f.at("clocks").integer(),
                f.integer_or("ideal", 0),
                {}};
    for (const Field &span : f.items("spans")) {
        Span s{
            span.at("name").text(),
            span.choice<K>("kind", {{"stage", K::Stage}, {"read", K::Read}, {"write", K::Write}}),
            span.at("first").integer(), span.at("last").integer()};
        if (s.first > s.last)
            span.refuse(fmt::format("first is {}, after last, {}", s.first, s.last));
        frame.spans.push_back(std::move(s));
    }
    return frame;
}

OnBoard read_on_board(const Field &f) {
    const std::pair<const char *, Doing::Kind> kinds[] = {{"host", Doing::Kind::Host}, {"driver", Doing::Kind::Driver}, {"launch", Doing::Kind::Launch},
                                                          {"read", Doing::Kind::Read}, {"write", Doing::Kind::Write}};
    OnBoard b;
    b.end = f.at("end").real();
    b.cut = f.find("cut") && f.at("cut").is_true();
    for (const Field &lane : f.items("lanes")) {
        OnBoard::Lane l{lane.at("name").text(), {}};
        for (const Field &span : lane.items("spans")) {
            const std::vector<Field> parts = span.items_of(3);
            Doing d;
            const std::string kind = parts[0].text();
            const auto found = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto &k) { return kind == k.first; });
            if (found == std::end(kinds)) parts[0].refuse(fmt::format("\"{}\" is none of host, driver, launch, read, write", kind));
            d.kind = found->second;
            d.first = parts[1].real();
            d.last = parts[2].real();
            if (d.first > d.last || d.first < 0) span.refuse(fmt::format("from {} to {} microseconds is no time", d.first, d.last));
            l.doings.push_back(d);
        }
        b.lanes.push_back(std::move(l));
    }
    return b;
}

Measured read_measured(const Field &f) {
    Measured m;
    m.frame = read_frame(f, 0, 0);
    if (const auto p = f.find("predicted"))
        m.predicted = read_frame(*p, m.frame.width, m.frame.height);
    m.device = f.text("device");
    if (const auto board = f.find("on_board")) m.on_board = read_on_board(*board);
    m.stall_in = f.integer("stall_in");
    m.stall_out = f.integer("stall_out");
    m.read_bytes = f.integer("read_bytes");
    m.write_bytes = f.integer("write_bytes");
    if (const auto compare = f.find("compare")) {
        m.elements = compare->integer("elements");
        m.different = compare->integer("different");
    }
    return m;
}

/** Of positions, or of clocks: those have no rows. */
Certificate::System read_system(const Field &f, int64_t pitch) {
    const auto read = [](const Field &d) {
        const auto clocks = d.integer("clocks");
        return clocks ? Distance{0, *clocks} : read_distance(d);
    };
    Certificate::System s;
    const int64_t unit = f.integer_or("bits_unit", 1);
    if (unit < 1) f.at("bits_unit").refuse(fmt::format("expected 1 or more, found {}", unit));
    if (const auto bits = f.integer("objective_bits")) s.objective_bits = *bits / unit;
    std::map<std::string, Distance> at;
    for (const Field &value : f.items("values")) {
        s.values.push_back({value.at("name").text(), value.text("reason"), read(value)});
        at[s.values.back().name] = s.values.back().at;
    }
    for (const Field &field : f.items("constraints")) {
        Certificate::Constraint k{field.at("from").text(),
                                  field.at("to").text(),
                                  field.text("reason"),
                                  read(field),
                                  {}};
        const auto from = at.find(k.from), to = at.find(k.to);
        if (from != at.end() && to != at.end()) {
            const Distance &p = from->second, &q = to->second;
            k.slack = (q.rows - p.rows - k.weight.rows) * pitch + q.cols - p.cols - k.weight.cols;
        }
        s.constraints.push_back(std::move(k));
    }
    return s;
}

Certificate::Window read_depths(const Field &f) {
    Certificate::Window w{f.at("producer").text(), f.text("reason"), f.at("rows").integer(), f.at("words").integer(), {}};
    for (const Field &r : f.items("registers")) w.registers.push_back(r.integer());
    return w;
}

Certificate::Fifo read_fifo(const Field &f) {
    Certificate::Fifo fifo{f.at("name").text(), f.at("words").integer(), {}};
    for (const Field &need : f.items("needs"))
        fifo.needs.emplace_back(need.at("words").integer(), need.at("reason").text());
    return fifo;
}

Certificate read_certificate(const Field &f) {
    Certificate c;
    c.timeline = f.text("timeline");
    c.pitch = f.integer_or("pitch", 1);
    c.scan = read_system(f, c.pitch);
    if (const auto clocks = f.find("clocks")) c.clocks = read_system(*clocks, 1);
    for (const Field &w : f.items("windows")) c.windows.push_back(read_depths(w));
    for (const Field &fifo : f.items("fifos")) c.fifos.push_back(read_fifo(fifo));
    for (const Field &before : f.items("before")) c.before.push_back(read_certificate(before));
    return c;
}

Ram read_ram(const Field &f) {
    Ram ram{f.at("name").text(), f.at("writer").text(), {}, f.at("columns").integer(), f.at("rows").integer(), f.at("bits").integer()};
    for (const Field &reader : f.items("readers")) ram.readers.push_back(reader.text());
    return ram;
}

/** Eight bytes of a PNG's header, big endian, at `offset`; the base64 was checked. */
int64_t png_word(const std::string &base64, size_t offset) {
    static const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    int64_t word = 0;
    for (size_t byte = offset; byte < offset + 4; byte++) {
        const size_t quad = byte / 3 * 4;
        uint32_t bits = 0;
        for (size_t i = quad; i < quad + 4; i++)
            bits = bits << 6 | (uint32_t(digits.find(base64[i])) & 63);
        word = word << 8 | (bits >> (8 * (2 - byte % 3)) & 255);
    }
    return word;
}

Picture read_picture(const Field &f) {
    Picture p{f.text("title"), f.text("note"), f.at("png").text(), 0, 0};
    const std::string prefix = "data:image/png;base64,";
    if (p.base64.compare(0, prefix.size(), prefix) == 0) p.base64.erase(0, prefix.size());
    const bool legal = std::all_of(p.base64.begin(), p.base64.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '+' || c == '/' || c == '=';
    });
    if (!legal || p.base64.size() < 44 || p.base64.compare(0, 11, "iVBORw0KGgo") != 0)
        f.at("png").refuse("expected a PNG in base64");
    p.width = png_word(p.base64, 16);
    p.height = png_word(p.base64, 20);
    return p;
}

void check_acyclic(const Field &f, const Accelerator &a) {
    std::vector<int> waiting(a.stages.size(), 0), ready;
    for (const Edge &e : a.edges) waiting[size_t(e.to)] += e.from != e.to;
    for (size_t i = 0; i < waiting.size(); i++) {
        if (waiting[i] == 0) ready.push_back(int(i));
    }
    for (size_t i = 0; i < ready.size(); i++) {
        for (const Edge &e : a.edges) {
            if (e.from == ready[i] && e.to != e.from && --waiting[size_t(e.to)] == 0)
                ready.push_back(e.to);
        }
    }
    for (size_t i = 0; i < waiting.size(); i++) {
        if (waiting[i] > 0)
            f.refuse(fmt::format("edges: a cycle leads to \"{}\"", a.stages[i].name));
    }
}

Accelerator read_accelerator(const Field &f) {
    Accelerator a;
    a.name = f.at("name").text();
    a.board = f.text("board");
    a.part = f.text("part");
    a.clock_mhz = f.real("clock_mhz").value_or(0);
    a.source = read_source(f);
    a.call = f.text("call");
    for (const Field &d : f.items("directives"))
        a.directives.push_back(
            {d.at("text").text(), d.choice<bool>("origin", {{"user", true}, {"default", false}})});
    for (const Field &b : f.items("block"))
        a.block.push_back({b.at("var").text(), b.at("extent").integer()});
    if (const auto t = f.find("throughput")) {
        a.pixels = t->integer_or("pixels", 1);
        a.per_clocks = t->integer_or("clocks", 1);
    }

    Names names;
    for (const Field &s : f.at("stages").items()) {
        a.stages.push_back(read_stage(s, a.per_clocks));
        const std::string &name = a.stages.back().name;
        if (!names.emplace(name, int(a.stages.size()) - 1).second)
            s.refuse(fmt::format("there are two stages named \"{}\"", name));
    }
    for (const Field &e : f.items("edges")) a.edges.push_back(read_edge(e, names));
    check_acyclic(f, a);
    for (const Field &w : f.items("windows")) a.windows.push_back(read_window(w, names));
    for (const Field &ram : f.items("rams")) a.rams.push_back(read_ram(ram));

    if (const auto b = f.find("buffered_bits")) {
        a.buffered_bits = b->integer("total");
        a.separate_bits = b->integer("separate_stages");
    }
    if (const auto t = f.find("timeline")) a.timeline = read_frame(*t, 0, 0);
    if (const auto c = f.find("clocks")) a.formula = c->text("formula");
    if (const auto m = f.find("measured")) a.measured = read_measured(*m);
    for (const Field &p : f.items("traffic")) {
        a.traffic.push_back({p.at("port").text(), p.text("direction"), p.integer_or("bus_bytes", 0),
                             p.real("needed_bytes_per_clock").value_or(0),
                             p.real("available_bytes_per_clock").value_or(0), p.integer("stalls"),
                             p.text("kind") == "stream"});
    }
    if (const auto c = f.find("certificate")) a.certificate = read_certificate(*c);
    a.resources = read_resources(f, "resources");
    a.capacity = read_resources(f, "capacity");
    for (const Field &w : f.items("warnings")) a.warnings.push_back(w.text());
    for (const Field &p : f.items("pictures")) a.pictures.push_back(read_picture(p));
    return a;
}

}  // namespace

Report read_report(const json &document) {
    const Field f(document, "");
    const std::string schema = f.at("schema").text();
    if (schema != "argent-report")
        f.at("schema").refuse(fmt::format("expected \"argent-report\", found \"{}\"", schema));
    const int64_t version = f.at("version").integer();
    if (version != 1)
        f.at("version").refuse(fmt::format("this argent reads version 1, found {}", version));
    Report report{f.text("argent"), f.text("function"), {}};
    for (const Field &a : f.at("accelerators").items())
        report.accelerators.push_back(read_accelerator(a));
    return report;
}

}  // namespace argent::report
