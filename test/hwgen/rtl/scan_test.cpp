// Where streams stand in a raster.
#include "Vcells.h"
#include "Vmutants.h"
#include "cell.h"

namespace {

template <class Top>
void test_scan() {
    Bench<Top> b;
    constexpr int N = 16;
    auto floor_div = [](long a, long n) { return a >= 0 ? a / n : -((n - 1 - a) / n); };
    for (int run = 0; run < 400; ++run) {
        const long pitch = run < 15 ? run + 1 : b.rng.range(1, 15);
        const long cols = b.rng.chance(40) ? pitch : b.rng.range(1, pitch);
        const long rows = b.rng.range(1, 7);
        const long first_x = b.rng.chance(30) ? 0 : b.rng.range(0, cols - 1), first_y = b.rng.chance(30) ? 0 : b.rng.range(0, rows - 1);
        long steps = 0;
        b.top->scan_pitch = static_cast<uint8_t>(pitch);
        b.top->scan_cols = static_cast<uint8_t>(cols);
        b.top->scan_rows = static_cast<uint8_t>(rows);
        b.top->scan_first_x = static_cast<uint8_t>(first_x);
        b.top->scan_first_y = static_cast<uint8_t>(first_y);
        b.settle();
        b.clock();
        b.top->scan_clear = 1;
        b.top->scan_step = b.rng.chance(50);
        b.settle();
        b.clock();
        b.top->scan_clear = 0;
        for (int clock = 0; clock < 180; ++clock) {
            b.top->scan_step = b.rng.chance(85);
            b.settle();
            for (int i = 0; i < N; ++i) {
                const long dx = static_cast<int32_t>(b.top->scan_dx[i]), dy = static_cast<int32_t>(b.top->scan_dy[i]);
                if (std::abs(dx) > pitch) {
                    continue;
                }
                const long at = steps - (dy * pitch + dx);
                const long y = floor_div(at, pitch), x = at - y * pitch;
                const bool done = y >= rows || (y == rows - 1 && x >= cols);
                const bool active = x < cols && y >= 0 && !done;
                const std::string who = name("scan", i) + ", pitch " + std::to_string(pitch) + ", cols " +
                                        std::to_string(cols) + ", rows " + std::to_string(rows) + ", step " +
                                        std::to_string(steps);
                expect_equal(b.top->scan_active[i], active, "active of " + who);
                expect_equal(b.top->scan_cropped[i], active && x >= first_x && y >= first_y,
                             "active from " + std::to_string(first_x) + ", " + std::to_string(first_y) + " of " + who);
                expect_equal(b.top->scan_early[i], active, "active, early, of " + who);
                expect_equal(b.top->scan_early_cropped[i], active && x >= first_x && y >= first_y,
                             "active, early, from " + std::to_string(first_x) + ", " + std::to_string(first_y) + " of " + who);
                expect_equal(b.top->scan_row_end[i], x == pitch - 1, "row_end of " + who);
                expect_equal(b.top->scan_early_row_end[i], x == pitch - 1, "row_end, early, of " + who);
                expect_equal(b.top->scan_done[i], done, "done of " + who);
                expect_equal(b.top->scan_early_done[i], done, "done, early, of " + who);
                expect_equal(b.top->scan_x[i], x & 63, "x of " + who);
                expect_equal(b.top->scan_early_x[i], x & 63, "x, early, of " + who);
                if (y <= rows) {
                    expect_equal(b.top->scan_y[i], y & 31, "y of " + who);
                    expect_equal(b.top->scan_early_y[i], y & 31, "y, early, of " + who);
                }
            }
            steps += b.top->scan_step;
            b.clock();
        }
    }
}

/** The rectangle [left, right) x [top, bottom) of a raster, as ag_span is told where it begins and ends. */
struct Rectangle {
    long left, right, top, bottom;
    bool holds(long x, long y) const { return x >= left && x < right && y >= top && y < bottom; }
    bool is_behind(long x, long y) const { return y >= bottom || (y == bottom - 1 && x >= right); }
};

template <class Top>
void test_raster() {
    Bench<Top> b;
    for (int run = 0; run < 300; ++run) {
        const long pitch = run < 15 ? run + 1 : b.rng.range(1, 15);
        const auto rectangle = [&](bool at_origin) {
            Rectangle r;
            r.left = at_origin || b.rng.chance(30) ? 0 : b.rng.range(0, pitch - 1);
            r.right = b.rng.chance(40) ? pitch : b.rng.range(r.left + 1, pitch);
            r.top = at_origin ? 0 : b.rng.range(r.left == 0 ? 1 : 0, 3);
            r.bottom = b.rng.range(r.top + 1, 6);
            return r;
        };
        const Rectangle streams[2] = {pitch == 1 ? Rectangle{0, 1, 1, 4} : rectangle(false), rectangle(true)};
        // The raster stands at the end of a row in front of the first, and spans begin in the clock in which it steps on.
        b.top->raster_clear = 1;
        b.top->raster_step = b.rng.chance(50);   // clear wins
        b.top->raster_row_end = 1;
        b.top->raster_row_ends = b.rng.chance(50);
        b.settle();
        b.clock();
        b.top->raster_clear = 0;
        b.top->raster_step = 1;
        b.top->raster_row_ends = pitch == 1;
        b.top->scan_clear = 1;
        b.top->scan_step = b.rng.chance(50);
        b.settle();
        b.clock();
        b.top->scan_clear = 0;
        for (long steps = 0; steps < 7 * pitch;) {
            const long x = steps % pitch, y = steps / pitch;
            b.top->scan_step = b.top->raster_step = b.rng.chance(85);
            for (int i = 0; i < 2; ++i) {
                const Rectangle &r = streams[i];
                b.top->span_row_before[i] = x == (r.left + pitch - 1) % pitch;
                b.top->span_row_end[i] = x == r.right - 1;
                b.top->span_first_row[i] = y == r.top - (r.left == 0);
                b.top->span_last_row[i] = y == r.bottom - 1;
            }
            b.top->raster_row_end = x == pitch - 1;
            b.top->raster_row_ends = (x + 1) % pitch == pitch - 1;
            b.settle();
            const std::string at = "pitch " + std::to_string(pitch) + ", step " + std::to_string(steps);
            for (int fast = 0; fast < 2; ++fast) {
                expect_equal(b.top->raster_x[fast], x + 1, "x, " + at);
                expect_equal(b.top->raster_y[fast], (y + 1) % 8, "y, " + at);
                expect_equal(b.top->raster_next_x[fast], (x + 1) % pitch + 1, "next_x, " + at);
                expect_equal(b.top->raster_next_y[fast], (y + 2) % 8, "next_y, " + at);
            }
            for (int i = 0; i < 2; ++i) {
                expect_equal(b.top->span_active[i], streams[i].holds(x, y), "active of " + name("span", i) + ", " + at);
                expect_equal(b.top->span_done[i], streams[i].is_behind(x, y), "done of " + name("span", i) + ", " + at);
            }
            steps += b.top->scan_step;
            b.clock();
        }
    }
}

template <class Top>
void test_phase() {
    Bench<Top> b;
    constexpr int N = 16;
    auto floor_div = [](long a, long n) { return a >= 0 ? a / n : -((n - 1 - a) / n); };
    for (int run = 0; run < 400; ++run) {
        const long pitch = run < 15 ? run + 1 : b.rng.range(1, 15);
        long steps = 0;
        b.top->scan_clear = 1;
        b.top->scan_pitch = static_cast<uint8_t>(pitch);
        b.top->scan_step = b.rng.chance(50);
        b.settle();
        b.clock();
        b.top->scan_clear = 0;
        for (int clock = 0; clock < 180; ++clock) {
            b.top->scan_step = b.rng.chance(85);
            b.settle();
            for (int i = 0; i < N; ++i) {
                const long dx = static_cast<int32_t>(b.top->scan_dx[i]), dy = static_cast<int32_t>(b.top->scan_dy[i]);
                const long nx = b.top->phase_nx[i], ny = b.top->phase_ny[i];
                if (std::abs(dx) > pitch || pitch % nx != 0) {
                    continue;
                }
                const long first = -(dy * pitch + dx), at = first + steps;
                const long y = floor_div(at, pitch), x = at - y * pitch;
                const std::string who = name("phase", i) + ", pitch " + std::to_string(pitch) + ", step " + std::to_string(steps);
                expect_equal(b.top->phase_here[i], x % nx == 0 && y - floor_div(y, ny) * ny == 0, "here of " + who);
                expect_equal(b.top->phase_x[i], x % nx, "x_phase of " + who);
                expect_equal(b.top->phase_y[i], y - floor_div(y, ny) * ny, "y_phase of " + who);
                if (dx <= 0 || y > floor_div(first, pitch)) {
                    expect_equal(b.top->phase_col[i], x / nx, "col of " + who);
                }
                expect_equal(b.top->phase_row[i], floor_div(y, ny) & 31, "row of " + who);
            }
            steps += b.top->scan_step;
            b.clock();
        }
    }
}

} // namespace

CELL("ag_scan", test_scan, Vcells, Vmutants)
CELL("ag_raster", test_raster, Vcells, Vmutants)
CELL("ag_row_span", test_raster, Vcells, Vmutants)
CELL("ag_span", test_raster, Vcells, Vmutants)
CELL("ag_phase", test_phase, Vcells, Vmutants)
CELL("ag_row_end", test_phase, Vcells, Vmutants)
