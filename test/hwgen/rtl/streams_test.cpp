// The cells of AXI4-Stream ports against plain models, with random gaps and stalls; then their broken copies (mutants.cmake).
#include <deque>
#include <vector>

#include "Vstream_mutants.h"
#include "Vstreams.h"
#include "cell.h"

namespace {

constexpr int N = 7;

template <class Wide>
void fill(Wide &w, uint64_t salt) {
    Rng bytes(salt);
    for (int i = 0; i < 8; ++i) {
        w[i] = static_cast<uint32_t>(bytes.next());
    }
}
/** The bytes of `mask` are those of fill(salt). */
template <class Wide>
bool holds(const Wide &w, uint64_t salt, uint32_t mask) {
    Rng bytes(salt);
    bool same = true;
    for (int i = 0; i < 8; ++i) {
        const uint32_t want = static_cast<uint32_t>(bytes.next());
        for (int k = 0; k < 4; ++k) {
            same = same && ((mask >> (4 * i + k) & 1) == 0 || (w[i] >> 8 * k & 0xff) == (want >> 8 * k & 0xff));
        }
    }
    return same;
}

struct Geometry {
    long elements = 1, rows = 1, lanes = 1, elem = 1;
    long columns() const { return (elements + lanes - 1) / lanes; }
    uint32_t all() const { return static_cast<uint32_t>((uint64_t(1) << lanes * elem) - 1); }
    /** Bytes of the vector that belong to the row. */
    uint32_t bytes(long column) const {
        const long left = std::min(lanes, elements - column * lanes);
        return static_cast<uint32_t>((uint64_t(1) << left * elem) - 1);
    }
    static Geometry random(Rng &rng, long lanes, long elem) {
        Geometry g;
        g.lanes = lanes;
        g.elem = elem;
        g.elements = rng.chance(20) ? 1 : rng.range(1, 4 * lanes + 3);
        g.rows = rng.chance(20) ? 1 : rng.range(1, 6);
        return g;
    }
};

struct Transfer {
    uint64_t salt;
    uint32_t keep;
    bool last, user;
};

/** What ag_axis_in makes of its stream, without time. */
struct Framing {
    bool drop = false;

    struct Vector {
        uint64_t salt;
    };
    /** One launch. Takes what it needs off `in`; false: the stream is too short. */
    bool launch(const Geometry &g, std::deque<Transfer> &in, std::vector<Vector> &out, int &error) {
        bool fill_frame = false, begun = false;
        error = 0;
        const auto note = [&](int code) { error = error == 0 ? code : error; };
        for (long y = 0; y < g.rows; ++y) {
            bool fill_row = false;
            for (long x = 0; x < g.columns(); ++x) {
                while (!fill_row && !fill_frame) {
                    if (in.empty()) {
                        return false;
                    }
                    const Transfer t = in.front();
                    if (drop && !t.user) {
                        in.pop_front();
                        drop = !t.last;
                        continue;
                    }
                    drop = false;
                    if (begun && t.user) {
                        note(3);
                        fill_frame = true;
                        continue;
                    }
                    in.pop_front();
                    if (!begun && !t.user) {
                        note(3);
                        continue;
                    }
                    const bool row_end = x == g.columns() - 1;
                    const uint32_t needed = row_end ? g.bytes(x) : g.all();
                    if ((t.last && !row_end) || (needed & ~t.keep) != 0) {
                        note(1);
                    } else if (row_end && !t.last) {
                        note(2);
                    }
                    fill_row = t.last && !row_end;
                    drop = row_end && !t.last;
                    out.push_back({t.salt});
                    begun = true;
                    goto next;
                }
                out.push_back(out.back());
            next:;
            }
        }
        return true;
    }
};

/** The transfers of a frame; `deviate`: not quite those of `g`. */
void send(Rng &rng, const Geometry &g, bool deviate, std::deque<Transfer> &stream) {
    const long kind = deviate ? rng.range(1, 8) : 0;
    const long at = rng.range(0, g.rows - 1);
    const long rows = g.rows + (kind == 1 ? rng.range(1, 3) : kind == 2 ? -rng.range(1, g.rows) : 0);
    bool first = true;
    for (long y = 0; y < rows; ++y) {
        const long columns = g.columns() + (y != at ? 0 : kind == 3 ? rng.range(1, 5) : kind == 4 ? -rng.range(0, g.columns() - 1) : 0);
        for (long x = 0; x < columns; ++x) {
            Transfer t{rng.next(), x == columns - 1 && x < g.columns() ? g.bytes(x) : g.all(), x == columns - 1, first};
            if (rng.chance(30)) {
                t.keep = g.all(); // a stream without TKEEP
            }
            if (kind == 5 && y == at) {
                t.last = false; // a lost TLAST
            }
            if (kind == 6 && first) {
                t.user = false;
            }
            if (kind == 7 && y == at && rng.chance(30)) {
                t.user = true;
            }
            if (kind == 8 && y == at && rng.chance(30)) {
                t.keep &= ~(((1u << g.elem) - 1) << g.elem * rng.range(0, g.lanes - 1)); // an element is missing
            }
            first = false;
            stream.push_back(t);
        }
    }
}

// One ag_axis_in: frames, some of them wrong, against Framing.
struct InTest {
    int i;
    Geometry now;                      // of the launch
    std::deque<Geometry> to_come;      // of those after it, for which frames are on their way
    std::deque<Transfer> pins, golden; // the stream as the cell and the model still have it
    Framing framing;
    std::vector<Framing::Vector> want;
    size_t got = 0;
    int error = 0;
    bool running = false, starting = false, deviates = false, offered = false, waiting = false, fast = false;
    long runs = 0, wrong = 0, since = 0;
    int gap = 0, stall = 0;

    template <class B>
    void supply(B &b) {
        while (golden.size() < 400) {
            to_come.push_back(Geometry::random(b.rng, b.top->lanes[i], b.top->elem[i]));
            std::deque<Transfer> frame;
            send(b.rng, to_come.back(), deviates && b.rng.chance(60), frame);
            pins.insert(pins.end(), frame.begin(), frame.end());
            golden.insert(golden.end(), frame.begin(), frame.end());
        }
    }
    template <class B>
    void drive(B &b) {
        auto &t = *b.top;
        t.in_start[i] = 0;
        if (!running && b.rng.chance(60)) {
            deviates = runs % 8 >= 3; // some clean ones, some wrong ones
            supply(b);
            now = to_come.front();
            to_come.pop_front();
            want.clear();
            got = 0;
            // Frames may be lost, so the stream that is waiting may not be enough.
            while (true) {
                Framing trial = framing;
                std::deque<Transfer> stream = golden;
                want.clear();
                if (trial.launch(now, stream, want, error)) {
                    framing = trial;
                    golden = stream;
                    break;
                }
                std::deque<Transfer> frame;
                send(b.rng, now, false, frame);
                pins.insert(pins.end(), frame.begin(), frame.end());
                golden.insert(golden.end(), frame.begin(), frame.end());
            }
            t.in_start[i] = 1;
            t.in_elements[i] = static_cast<uint16_t>(now.elements);
            t.in_rows[i] = static_cast<uint16_t>(now.rows);
            running = starting = true;
            fast = b.rng.chance(30);
            gap = fast ? 0 : static_cast<int>(b.rng.range(0, 90));
            stall = fast ? 0 : static_cast<int>(b.rng.range(0, 90));
            since = b.now;
        }
        if (!offered) {
            t.in_tvalid[i] = !pins.empty() && !b.rng.chance(gap);
            if (t.in_tvalid[i]) {
                fill(t.in_tdata[i], pins.front().salt);
                t.in_tkeep[i] = pins.front().keep;
                t.in_tlast[i] = pins.front().last;
                t.in_tuser[i] = pins.front().user;
            } else {
                fill(t.in_tdata[i], b.rng.next());
                t.in_tkeep[i] = static_cast<uint32_t>(b.rng.next());
                t.in_tlast[i] = b.rng.chance(50);
                t.in_tuser[i] = b.rng.chance(50);
            }
        }
        t.in_m_ready[i] = !b.rng.chance(stall);
    }
    template <class B>
    void check(B &b) {
        auto &t = *b.top;
        const std::string who = name();
        offered = t.in_tvalid[i] && !t.in_tready[i];
        if (t.in_tvalid[i] && t.in_tready[i]) {
            pins.pop_front();
        }
        if (starting) {
            starting = false;
            expect(!t.in_m_valid[i], who + " has data before its start");
            return;
        }
        if (!running) {
            expect(!t.in_m_valid[i], who + " gives too many vectors");
            return;
        }
        expect(b.now - since < 20000, who + " hangs after " + std::to_string(got) + " of " + std::to_string(want.size()) + " vectors");
        expect(!waiting || t.in_m_valid[i], who + " dropped valid");
        waiting = t.in_m_valid[i] && !t.in_m_ready[i];
        if (t.in_m_valid[i]) {
            const uint32_t mask = now.bytes(static_cast<long>(got) % now.columns());
            expect(holds(t.in_m_data[i], want[got].salt, mask),
                   who + " vector " + std::to_string(got) + " of " + std::to_string(want.size()) + ", error " + std::to_string(error));
        }
        expect(!fast || error != 0 || got == 0 || t.in_m_valid[i] || t.fifo[i] < 16, who + " does not give a vector a clock");
        if (t.in_m_valid[i] && t.in_m_ready[i] && ++got == want.size()) {
            expect_equal(t.in_error[i], error, who + " error");
            running = false;
            ++runs;
            wrong += error != 0;
        }
    }
    std::string name() const { return "in #" + std::to_string(i) + " run " + std::to_string(runs); }
};

template <class Top>
void test_in() {
    Bench<Top> b;
    std::vector<InTest> tests(N);
    for (int i = 0; i < N; ++i) {
        tests[i].i = i;
    }
    run_together(b, tests, 40000);
    for (auto &t : tests) {
        expect(t.runs > 100 && t.wrong > 30 && t.runs - t.wrong > 30, t.name() + " of which " + std::to_string(t.wrong) + " were wrong: too few");
    }
}

// One ag_axis_out.
struct OutTest {
    int i;
    Geometry now;
    bool running = false, starting = false, offered = false, fast = false;
    std::deque<uint64_t> taken; // what has gone in and not come out
    long sent = 0, x = 0, y = 0, runs = 0, since = 0;
    uint64_t salt = 0;
    int gap = 0, stall = 0;
    StreamChecker stream;

    template <class B>
    void drive(B &b) {
        auto &t = *b.top;
        t.out_start[i] = 0;
        if (!running) {
            now = Geometry::random(b.rng, t.lanes[i], t.elem[i]);
            t.out_start[i] = 1;
            t.out_elements[i] = static_cast<uint16_t>(now.elements);
            t.out_rows[i] = static_cast<uint16_t>(now.rows);
            running = starting = true;
            sent = x = y = 0;
            fast = b.rng.chance(30);
            gap = fast ? 0 : static_cast<int>(b.rng.range(0, 90));
            stall = fast ? 0 : static_cast<int>(b.rng.range(0, 90));
            since = b.now;
        }
        if (!offered) {
            salt = b.rng.next();
            t.out_s_valid[i] = !starting && sent < now.columns() * now.rows && !b.rng.chance(gap);
            fill(t.out_s_data[i], salt);
        }
        t.out_tready[i] = !b.rng.chance(stall);
    }
    template <class B>
    void check(B &b) {
        auto &t = *b.top;
        const std::string who = "out #" + std::to_string(i);
        if (starting) {
            starting = false;
            expect(!t.out_busy[i] && !t.out_tvalid[i], who + " is not at rest before a start");
            return;
        }
        expect(b.now - since < 20000, who + " hangs");
        const bool done = y == now.rows;
        expect_equal(t.out_busy[i], !done, who + " busy");
        if (done) {
            expect(!t.out_tvalid[i], who + " sends too many vectors");
            running = false;
            ++runs;
            return;
        }
        uint64_t data = 0;
        for (int k = 0; k < 8; ++k) {
            data = data * 0x9e3779b97f4a7c15u + t.out_tdata[i][k];
        }
        expect_equal(t.out_tvalid[i], !taken.empty(), who + " valid");
        stream.check(t.out_tvalid[i], t.out_tready[i], who, data, int(t.out_tkeep[i]), int(t.out_tlast[i]), int(t.out_tuser[i]));
        if (t.out_tvalid[i]) {
            const std::string at = who + " row " + std::to_string(y) + " vector " + std::to_string(x);
            const bool row_end = x == now.columns() - 1;
            expect_equal(t.out_tlast[i], row_end, at + " last");
            expect_equal(t.out_tuser[i], x == 0 && y == 0, at + " user");
            expect_equal(t.out_tkeep[i], row_end ? now.bytes(x) : now.all(), at + " keep");
            expect(holds(t.out_tdata[i], taken.front(), now.bytes(x)), at + " data");
        }
        if (t.out_tvalid[i] && t.out_tready[i]) {
            taken.pop_front();
            if (++x == now.columns()) {
                x = 0;
                ++y;
            }
        }
        offered = t.out_s_valid[i] && !t.out_s_ready[i];
        expect(!fast || t.out_s_ready[i], who + " does not take a vector a clock");
        if (t.out_s_valid[i] && t.out_s_ready[i]) {
            taken.push_back(salt);
            ++sent;
        }
    }
};

template <class Top>
void test_out() {
    Bench<Top> b;
    std::vector<OutTest> tests(N);
    for (int i = 0; i < N; ++i) {
        tests[i].i = i;
    }
    run_together(b, tests, 20000);
    for (auto &t : tests) {
        expect(t.runs > 100, "out #" + std::to_string(t.i) + " made only " + std::to_string(t.runs) + " frames");
    }
}

} // namespace


CELL("ag_axis_in", test_in, Vstreams, Vstream_mutants)
CELL("ag_axis_out", test_out, Vstreams, Vstream_mutants)
