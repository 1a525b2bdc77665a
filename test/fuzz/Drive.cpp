#include "Drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "Inputs.h"
#include "Random.h"

namespace argent::fuzz {

namespace {

using Word = std::vector<uint32_t>;

void put(uint32_t *word, int at, int bits, uint64_t value) {
    for (int i = 0; i < bits;) {
        const int place = (at + i) % 32, n = std::min(32 - place, bits - i);
        const uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << place;
        uint32_t &w = word[(at + i) / 32];
        w = (w & ~mask) | (static_cast<uint32_t>(value >> i) << place & mask);
        i += n;
    }
}

uint64_t get(const uint32_t *word, int at, int bits) {
    uint64_t value = 0;
    for (int i = 0; i < bits;) {
        const int place = (at + i) % 32, n = std::min(32 - place, bits - i);
        const uint64_t part = word[(at + i) / 32] >> place & (n == 32 ? ~0u : (1u << n) - 1);
        value |= part << i;
        i += n;
    }
    return value;
}

int vectors(int elements, int lanes) { return (elements + lanes - 1) / lanes; }

/** What a launch has of a stream, in its own elements and in positions and rows of the scan. */
struct Part {
    int first_x = 0, first_y = 0;       // coordinates
    int columns = 1, rows = 1;          // elements, rows
    int skipped = 0;                    // lanes in front of the first element of a row
    int64_t end_x = 1, end_y = 1;       // of the scan: behind the last
    int vectors(int lanes) const { return (skipped + columns + lanes - 1) / lanes; }
};

/** What a launch scans: the output, and around it what that reads, as far as the image goes. */
struct Scan {
    int left = 0, right = 0, above = 0, below = 0;   // beyond the output
    int width = 1, height = 1;

    Scan(const CoreInfo &c, const Run &run) : width(run.width), height(run.height) {
        if (!c.has_domain) return;
        left = std::min(c.before[0], run.left), right = std::min(c.after[0], run.right);
        above = std::min(c.before[1], run.above), below = std::min(c.after[1], run.below);
        width += left + right, height += above + below;
    }
    /** The port of that name: <output>_first_x, ... */
    int port(const std::string &name) const {
        const bool is_x = name.back() == 'x';
        if (name.find("_first_") != std::string::npos) return is_x ? left : above;
        if (name.find("_behind_") != std::string::npos) return is_x ? right : below;
        return is_x ? width - right : height - below;
    }
};

Part part_of(const CoreInfo &c, const StreamInfo &s, bool is_output, const Run &run, const std::map<std::string, int> &geometry) {
    Part p;
    if (c.has_domain) {
        const Scan scan(c, run);
        p.first_x = run.min_x, p.first_y = run.min_y;
        p.columns = run.width, p.rows = run.height;
        p.end_x = vectors(scan.width - scan.right, c.lanes), p.end_y = scan.height - scan.below;
        if (is_output) return p;
        p.first_x += s.min_x - scan.left, p.first_y += s.min_y - scan.above;
        p.columns = scan.width + s.max_x - s.min_x, p.rows = scan.height + s.max_y - s.min_y;
        p.end_x = p.vectors(c.lanes), p.end_y = p.rows;
        return p;
    }
    if (!c.has_rates) {
        p.first_x = run.min_x + s.min_x, p.first_y = run.min_y + s.min_y;
        p.columns = run.width + s.max_x - s.min_x, p.rows = run.height + s.max_y - s.min_y;
        p.end_x = p.vectors(c.lanes), p.end_y = p.rows;
        return p;
    }
    // Registers say where the head stands, from 1, in front of the first element and at the last one.
    const int64_t pitch = geometry.at("pitch");
    const auto time = [&](int end) {
        const auto place = [&](int k) { return int64_t(geometry.at(c.places[s.parts[k]].name)) - 1; };
        return (place(2 + end) - s.dy) * pitch + place(end) - s.dx;
    };
    const int64_t first = time(0) + 1, last = time(1);
    p.first_x = is_output ? run.min_x : geometry.at(s.id + "_first_x"), p.first_y = is_output ? run.min_y : geometry.at(s.id + "_first_y");
    p.columns = geometry.at(s.id + "_elements"), p.rows = geometry.at(s.id + "_rows");
    p.end_x = last % pitch + 1, p.end_y = last / pitch + 1;
    // The vectors of a row begin at multiples of the lanes from where the scan begins.
    const int64_t vectors = (last - first) % pitch / s.step_x + 1;
    for (const char *what : {"_left", "_skip"}) {
        if (geometry.count(s.id + what)) p.skipped = geometry.at(s.id + what);
    }
    if (p.vectors(s.lanes) != vectors) throw std::runtime_error("the registers of " + s.id + " do not fit together");
    return p;
}

/** The words of an input, row by row; what is in front of a row and behind its end is junk. */
std::vector<Word> words_of(const StreamInfo &s, int index, const Part &part, const Pipeline &p, const Run &run) {
    Random junk(run.seed + 1);
    std::vector<Word> words;
    for (int y = 0; y < part.rows; y++) {
        for (int v = 0; v < part.vectors(s.lanes); v++) {
            Word word((s.element_bits * s.lanes + 31) / 32);
            for (int lane = 0; lane < s.lanes; lane++) {
                const int x = v * s.lanes + lane - part.skipped;
                put(word.data(), lane * s.element_bits, s.element_bits,
                    x >= 0 && x < part.columns ? input_element(p, run, index, part.first_x + x, part.first_y + y) : junk.next());
            }
            words.push_back(word);
        }
    }
    return words;
}

/** When a stream's neighbour is willing. */
class Willing {
public:
    Willing(Traffic traffic, bool is_output, uint64_t seed) : traffic(traffic), is_output(is_output), r(seed) {
        if (traffic == Traffic::Late && is_output) pause = r.between(50, 600);
    }
    bool operator()() {
        if (pause > 0) {
            pause--;
            return false;
        }
        switch (traffic) {
        case Traffic::Steady: return true;
        case Traffic::Random: return r.chance(60);
        case Traffic::SlowInputs: return is_output || pauses(6);
        case Traffic::SlowOutput: return !is_output || pauses(6);
        case Traffic::OneByOne: return is_output || pauses(40);
        case Traffic::Late: return r.chance(90);
        }
        return true;
    }

private:
    bool pauses(int percent) {
        if (!r.chance(percent)) return true;
        pause = r.between(3, traffic == Traffic::OneByOne ? 12 : 60);
        return false;
    }
    Traffic traffic;
    bool is_output;
    Random r;
    int pause = 0;
};

class Launch {
public:
    Launch(const Ports &ports, int instance, const CoreInfo &c, const Pipeline &p, const LaunchData &data)
        : ports(ports), at(ports.instances[instance]), c(c), p(p), run(data.run), params(data.params), geometry(data.geometry), expected(data.expected) {}

    bool follows = false;        // the launch before has started this one
    bool starts_next = false;    // in the clock in which busy falls; Steady only: it has to be known beforehand
    std::string go();

private:
    std::string start();
    std::string clock(bool flush);
    std::string take_output();
    std::string clocks();
    void predict();
    int64_t pitch() const;
    std::string fail(const char *kind, const std::string &what) const {
        return fmt::format("{}: {} (run {}x{} at {},{} gaps {}, clock {})", kind, what, run.width, run.height, run.min_x, run.min_y, run.gaps, now);
    }
    void fall() {
        *at.clk = 0;
        ports.eval(ports.model);
    }
    void rise() {
        *at.clk = 1;
        ports.eval(ports.model);
    }

    const Ports &ports;
    const Ports::Instance &at;
    const CoreInfo &c;
    const Pipeline &p;
    const Run &run;
    const std::vector<uint64_t> &params;
    const std::map<std::string, int> &geometry;
    const std::vector<uint64_t> &expected;

    std::vector<Part> parts;     // of the inputs
    Part out;
    std::vector<std::vector<Word>> words;
    std::vector<size_t> sent;
    std::vector<bool> shown;
    std::vector<Willing> inputs;
    std::vector<Willing> output;
    Word held;
    bool was_held = false;
    size_t received = 0, wanted = 0;
    int64_t now = 0, last_move = 0, last_output = 0, idle_at = -1;
    int64_t predicted_output = 0, predicted_idle = 0;
};

std::string Launch::start() {
    for (size_t i = 0; i < c.inputs.size(); i++) {
        parts.push_back(part_of(c, c.inputs[i], false, run, geometry));
        words.push_back(words_of(c.inputs[i], static_cast<int>(i), parts[i], p, run));
        inputs.emplace_back(Traffic(run.gaps), false, run.seed + 11 * i);
    }
    output.emplace_back(Traffic(run.gaps), true, run.seed + 5);
    sent.assign(words.size(), 0);
    shown.assign(words.size(), false);
    out = part_of(c, c.output, true, run, geometry);
    wanted = size_t(out.vectors(c.output.lanes)) * out.rows;
    if (follows) return "";
    const auto origin = [&](const char *name, int otherwise) { return geometry.count(name) ? geometry.at(name) : otherwise; };
    const Scan scan(c, run);
    *ports.width = scan.width, *ports.height = scan.height;
    *ports.min_x = origin("min_x", run.min_x - scan.left), *ports.min_y = origin("min_y", run.min_y - scan.above);
    for (size_t i = 0; i < c.places.size(); i++) {
        const std::string &name = c.places[i].name;
        *ports.places[i] = c.has_domain ? scan.port(name) : geometry.at(name);
    }
    for (size_t i = 0; i < c.params.size(); i++) {
        const int bits = c.params[i].bits;
        *ports.params[i] = bits == 64 ? params[i] : params[i] & ((uint64_t(1) << bits) - 1);
    }
    *ports.in_valid = 0, *ports.out_ready = 1, *ports.start = 0, *ports.rst = 0;
    for (int i = 0; i < 4; i++) {
        fall();
        if (*at.status & (STATUS_BUSY | STATUS_VALID)) return fail("protocol", "busy or valid before start");
        rise();
    }
    return "";
}

std::string Launch::take_output() {
    const int lanes = c.output.lanes, bits = c.output.element_bits, columns = out.vectors(lanes);
    if (received == wanted) return fail("protocol", "more words come out than the output has");
    const int y = static_cast<int>(received) / columns, x0 = static_cast<int>(received) % columns * lanes - out.skipped;
    for (int lane = 0; lane < lanes && x0 + lane < run.width; lane++) {
        if (x0 + lane < 0) continue;
        const uint64_t e = expected[size_t(y) * run.width + x0 + lane], g = get(at.data, lane * bits, bits);
        if (e != g) return fail("mismatch", fmt::format("element {},{} is {:#x} instead of {:#x}", x0 + lane, y, g, e));
    }
    received++;
    last_output = last_move = now;
    return "";
}

/** One clock. flush: all has been sent and received, nothing may move any more. */
std::string Launch::clock(bool flush) {
    unsigned valid = 0;
    for (size_t i = 0; i < words.size(); i++) {
        const bool more = sent[i] < words[i].size();
        shown[i] = shown[i] || flush || inputs[i]();
        if (!shown[i]) continue;
        if (!more && run.gaps == 0 && !flush) continue;   // sometimes there is junk behind the last word, sometimes nothing
        valid |= 1u << i;
        if (more) std::memcpy(ports.data[i], words[i][sent[i]].data(), words[i][sent[i]].size() * 4);
        else for (int w = 0; w < int(words[i][0].size()); w++) ports.data[i][w] = 0xdeadbeef * static_cast<uint32_t>(now + w);
    }
    if (starts_next && now == predicted_idle) *ports.start = 1;
    *ports.in_valid = static_cast<uint8_t>(valid);
    *ports.out_ready = output[0]();
    fall();
    *ports.start = 0;
    const uint32_t status = *at.status;
    for (size_t i = 0; i < words.size(); i++) {
        if (!(valid >> i & 1) || !(status & (STATUS_READY << i))) continue;
        if (sent[i] == words[i].size()) return fail("protocol", fmt::format("in{} takes a word more than its {}", i, words[i].size()));
        sent[i]++;
        shown[i] = false;
        last_move = now;
    }
    const Word data(at.data, at.data + (c.output.element_bits * c.output.lanes + 31) / 32);
    if (was_held && !(status & STATUS_VALID)) return fail("protocol", "valid falls before the word was taken");
    if (was_held && data != held) return fail("protocol", "data changes before the word was taken");
    was_held = false;
    if (status & STATUS_VALID) {
        if (*ports.out_ready) {
            const std::string wrong = take_output();
            if (!wrong.empty()) return wrong;
        } else {
            held = data;
            was_held = true;
        }
    }
    if (now > 0 && !(status & STATUS_BUSY) && idle_at < 0) idle_at = now;
    rise();
    now++;
    return "";
}

int64_t Launch::pitch() const {
    return c.has_rates ? geometry.at("pitch") : std::max(c.least_pitch, vectors(Scan(c, run).width + c.longest_extra, c.lanes));
}

/** By clocks.model of the manifest: a firing every `clocks` clocks from the one after start on. */
void Launch::predict() {
    const auto last = [&](const StreamInfo &s, const Part &part) { return (s.dy + part.end_y - 1) * pitch() + s.dx + s.repeated + part.end_x - 1; };
    int64_t end = last(c.output, out);
    predicted_output = 1 + end * c.clocks + c.latency + 1;
    for (size_t i = 0; i < parts.size(); i++) end = std::max(end, last(c.inputs[i], parts[i]));
    predicted_idle = std::max(predicted_output + 1, 1 + end * c.clocks + 2);
}

std::string Launch::clocks() {
    if (last_output != predicted_output) return fail("clocks", fmt::format("the last word comes out {} clocks after start instead of {}", last_output, predicted_output));
    if (idle_at != predicted_idle) return fail("clocks", fmt::format("busy falls {} clocks after start instead of {}", idle_at, predicted_idle));
    return "";
}

std::string Launch::go() {
    std::string wrong = start();
    if (!wrong.empty()) return wrong;
    int64_t rows = out.end_y;
    for (size_t i = 0; i < parts.size(); i++) rows = std::max<int64_t>(rows, parts[i].end_y + std::abs(c.inputs[i].dy));
    const int64_t patience = (rows + std::abs(c.output.dy) + 2) * (pitch() + c.least_pitch) * c.clocks + 2000;
    predict();
    now = follows;
    *ports.start = !follows;
    while (idle_at < 0) {
        wrong = clock(false);
        if (!wrong.empty()) return wrong;
        if (now - last_move > patience) {
            std::string waits = *at.status & STATUS_WAIT_IN ? ", waits for an input" : *at.status & STATUS_WAIT_OUT ? ", waits for the output" : "";
            for (size_t i = 0; i < words.size(); i++) waits += fmt::format(", in{} {} of {}", i, sent[i], words[i].size());
            return fail("hang", fmt::format("nothing moves; {} of {} words are out{}", received, wanted, waits));
        }
    }
    if (received != wanted) return fail("protocol", fmt::format("busy falls after {} of {} words", received, wanted));
    for (size_t i = 0; i < words.size(); i++) {
        if (sent[i] != words[i].size()) return fail("protocol", fmt::format("{} of {} words of in{} were taken", sent[i], words[i].size(), i));
    }
    if (run.gaps == 0) wrong = clocks();
    if (!wrong.empty()) return wrong;
    for (int i = 0; i < 12 && !starts_next && run.seed % 2; i++) {   // or the next launch comes at once
        wrong = clock(true);
        if (!wrong.empty()) return wrong;
        if (*at.status & STATUS_BUSY) return fail("protocol", "busy without a start");
    }
    return "";
}

}  // namespace

std::map<std::string, int> geometry_of(const Hardware &h, const Run &run) {
    using namespace Halide::Internal;
    std::map<std::string, Halide::Expr> box;
    const int corners[2][2] = {{run.min_x, run.min_x + run.width - 1}, {run.min_y, run.min_y + run.height - 1}};
    for (int dim = 0; dim < 2; dim++) {
        for (int side = 0; side < 2; side++) box[hwgen::box_variable(dim, side != 0)] = corners[dim][side];
    }
    std::map<std::string, int> values;
    for (const hwgen::LaunchScalar &s : h.geometry) values[s.name] = static_cast<int>(*as_const_int(simplify(substitute(box, s.value))));
    return values;
}

std::string drive(const Ports &ports, int instance, const CoreInfo &c, const Pipeline &p, const LaunchData &data) {
    Launch first(ports, instance, c, p, data);
    first.starts_next = data.run.gaps == 0 && data.run.seed % 3 == 0;
    std::string wrong = first.go();
    if (!wrong.empty() || !first.starts_next) return wrong;
    Launch second(ports, instance, c, p, data);
    second.follows = true;
    wrong = second.go();
    return wrong.empty() ? wrong : wrong + ", launched in the clock in which busy fell";
}

void reset(const Ports &ports, int instance) {
    const Ports::Instance &at = ports.instances[instance];
    *ports.in_valid = 7, *ports.out_ready = 1, *ports.start = 0;
    for (int i = 0; i < 4; i++) {
        *ports.rst = 1;
        *at.clk = 0;
        ports.eval(ports.model);
        *at.clk = 1;
        ports.eval(ports.model);
    }
    *ports.rst = 0, *ports.in_valid = 0;
    *at.clk = 0;
    ports.eval(ports.model);
    *at.clk = 1;
    ports.eval(ports.model);
}

}  // namespace argent::fuzz
