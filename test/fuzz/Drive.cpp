#include "Drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "Build.h"
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

/** The words of an input, row by row; what is behind the end of a row is junk. */
std::vector<Word> words_of(const CoreInfo &c, int index, const Pipeline &p, const Run &run) {
    const StreamInfo &s = c.inputs[index];
    const int width = run.width + s.max_x - s.min_x, height = run.height + s.max_y - s.min_y;
    Random junk(run.seed + 1);
    std::vector<Word> words;
    for (int y = 0; y < height; y++) {
        for (int v = 0; v < vectors(width, c.lanes); v++) {
            Word word((s.element_bits * c.lanes + 31) / 32);
            for (int lane = 0; lane < c.lanes; lane++) {
                const int x = v * c.lanes + lane;
                put(word.data(), lane * s.element_bits, s.element_bits,
                    x < width ? input_element(p, run, index, run.min_x + s.min_x + x, run.min_y + s.min_y + y) : junk.next());
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
        : ports(ports), at(ports.instances[instance]), c(c), p(p), run(data.run), params(data.params), expected(data.expected) {}

    bool follows = false;        // the launch before has started this one
    bool starts_next = false;    // in the clock in which busy falls; Steady only: it has to be known beforehand
    std::string go();

private:
    std::string start();
    std::string clock(bool flush);
    std::string take_output();
    std::string clocks();
    void predict();
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
    const std::vector<uint64_t> &expected;

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
        words.push_back(words_of(c, static_cast<int>(i), p, run));
        inputs.emplace_back(Traffic(run.gaps), false, run.seed + 11 * i);
    }
    output.emplace_back(Traffic(run.gaps), true, run.seed + 5);
    sent.assign(words.size(), 0);
    shown.assign(words.size(), false);
    wanted = size_t(vectors(run.width, c.lanes)) * run.height;
    if (follows) return "";
    *ports.width = run.width, *ports.height = run.height;
    *ports.min_x = run.min_x, *ports.min_y = run.min_y;
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
    const int lanes = c.lanes, bits = c.output.element_bits, columns = vectors(run.width, lanes);
    if (received == wanted) return fail("protocol", "more words come out than the output has");
    const int y = static_cast<int>(received) / columns, x0 = static_cast<int>(received) % columns * lanes;
    for (int lane = 0; lane < lanes && x0 + lane < run.width; lane++) {
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
    const Word data(at.data, at.data + (c.output.element_bits * c.lanes + 31) / 32);
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

/** By clocks.model of the manifest: a firing every `clocks` clocks from the one after start on. */
void Launch::predict() {
    const int64_t pitch = std::max(c.least_pitch, vectors(run.width + c.longest_extra, c.lanes));
    const auto last = [&](const StreamInfo &s) {
        return s.dy * pitch + s.dx + (run.height + s.max_y - s.min_y - 1) * pitch + vectors(run.width + s.max_x - s.min_x, c.lanes) - 1;
    };
    int64_t end = last(c.output);
    predicted_output = 1 + end * c.clocks + c.latency + 1;
    for (const StreamInfo &s : c.inputs) end = std::max(end, last(s));
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
    int64_t rows = run.height;
    for (const StreamInfo &s : c.inputs) rows = std::max<int64_t>(rows, run.height + s.max_y - s.min_y + std::abs(s.dy));
    const int64_t pitch = c.least_pitch + vectors(run.width + c.longest_extra, c.lanes);
    const int64_t patience = (rows + std::abs(c.output.dy) + 2) * pitch * c.clocks + 2000;
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
