#include "Generate.h"

#include <algorithm>
#include <numeric>

#include "Analysis.h"
#include "Random.h"
#include "RandomForm.h"
#include "RandomTerm.h"

namespace argent::fuzz {

namespace {

/** Statements of simulation that one pipeline may cost: what keeps 200 of them in ./check. */
constexpr int most_cost = 1700;
constexpr int most_positions = 16000;   // clocks of one run

class Generator {
public:
    Generator(uint64_t seed, uint64_t stream) : r(stream), of_borders(mix(stream)), of_forms(mix(mix(stream))) { p.seed = seed; }

    Pipeline run() {
        rate();
        declarations();
        const bool has_rates = r.chance(30);
        if (has_rates) p.input_grids = grids(p.inputs.size());
        if (of_borders.chance(has_rates ? 8 : 40)) input_borders(has_rates);
        const bool has_skip = r.chance(25);
        const int stages = p.pixels >= 16 ? r.between(3, 4) : p.pixels >= 8 ? r.between(3, 5) : r.between(3, 8);
        const std::vector<Grid> stage_grids = has_rates ? grids(stages) : std::vector<Grid>(stages);
        for (int i = 0; i < stages; i++) {
            stage(i, stages, has_skip, stage_grids[i]);
            if (int(ranges.size()) <= i) return std::move(p);   // it may be undefined, and is drawn anew
        }
        storage();
        runs();
        p.form = random_form(of_forms, p);
        return std::move(p);
    }

private:
    void rate() {
        if (r.chance(20)) {
            p.clocks = r.chance(90) ? r.between(2, 9) : r.between(10, 70);
        } else {
            p.pixels = 1 << r.weighted({24, 22, 20, 16, 9, 7});
        }
        p.board = r.pick({"pynq-z2", "zcu104", "ulx3s"});
        if (r.chance(50)) p.mhz = r.pick({25, 60, 100, 125, 150, 200, 250, 300});
    }

    /** Rates that the throughput can have: powers of two along x, or what divides the clocks. */
    std::vector<Grid> grids(size_t count) {
        std::vector<int> along_x = {1, 2};
        if (p.pixels <= 4) along_x.push_back(4);
        if (p.clocks % 3 == 0) along_x = {1, 3};
        if (p.clocks % 6 == 0) along_x = {1, 2, 3, 6};
        const bool only_y = r.chance(20), only_x = r.chance(20);
        std::vector<Grid> all;
        for (size_t i = 0; i < count; i++) all.push_back({only_y ? 1 : r.pick(along_x), only_x ? 1 : r.pick({1, 1, 2, 2, 3, 4})});
        return all;
    }

    Border some_border() {
        if (may_repeat && of_borders.chance(40)) return Border::Repeat;
        return of_borders.pick({Border::Edge, Border::Edge, Border::Edge, Border::MirrorImage, Border::MirrorInterior, Border::Exterior});
    }

    void input_borders(bool has_rates) {
        may_repeat = !has_rates && of_borders.chance(8);   // few, as each is a model of its own
        for (size_t i = 0; i < p.inputs.size(); i++) p.input_borders.push_back(i == 0 || of_borders.chance(85) ? some_border() : Border::None);
        const auto unbordered = std::count(p.input_borders.begin(), p.input_borders.end(), Border::None);
        p.has_own_bounds = has_rates || (!may_repeat && int(p.inputs.size()) - unbordered > 1 && of_borders.chance(8));   // few, too
    }

    void declarations() {
        const int inputs = 1 + r.weighted({45, 35, 20});
        for (int i = 0; i < inputs; i++) p.inputs.push_back(random_type(r));
        const int params = r.weighted({40, 30, 20, 10});
        for (int i = 0; i < params; i++) {
            ParamDecl d;
            d.type = r.chance(80) ? r.pick({Halide::UInt(8), Halide::Int(16), Halide::Int(32), Halide::Bool()}) : random_type(r);
            if (!d.type.is_bool() && r.chance(60)) {
                d.has_range = true;
                d.min = d.type.is_int() && r.chance(50) ? -r.between(1, 100) : r.between(0, 100);
                d.max = d.min + r.between(0, 27);
                if (d.type.bits() > 8 && r.chance(50)) d.max += r.between(0, 20000);
            }
            p.params.push_back(d);
        }
        const int tables = r.weighted({50, 35, 15});
        for (int i = 0; i < tables; i++) {
            Table k;
            k.type = random_type(r);
            if (k.type.is_bool()) k.type = Halide::Int(8);
            k.style = r.pick({"mux", "updates", "buffer"});
            const int values = k.style != "mux" && r.chance(30) ? r.between(8, 90) : r.between(1, 7);
            const int most = k.type.bits() == 8 ? 127 : r.chance(30) ? 30000 : 20;
            for (int v = 0; v < values; v++) k.values.push_back(k.type.is_int() ? r.between(-most, most) : r.between(0, most));
            p.tables.push_back(k);
        }
    }

    /** Producers of stage i: enough that everything is read in the end. */
    std::vector<int> producers(int i, int stages, bool has_skip) {
        const int inputs = static_cast<int>(p.inputs.size()), known = inputs + i;
        std::vector<int> chosen;
        const auto add = [&](int j) {
            if (std::find(chosen.begin(), chosen.end(), j) == chosen.end()) chosen.push_back(j);
        };
        if (i == 0) add(r.below(inputs));
        else if (r.chance(75)) add(known - 1);
        else add(r.below(known));
        while (chosen.size() < 3 && r.chance(25)) add(r.below(known));
        if (has_skip && i == stages - 1) add(r.below(std::max(1, known - 2)));   // around all that is between
        // What nobody has read yet has to find its readers in the stages that are left.
        std::vector<int> unread;
        for (int j = 0; j < known; j++) {
            bool is_read = std::find(chosen.begin(), chosen.end(), j) != chosen.end();
            for (int k = 0; k < i; k++) is_read = is_read || reads[k].count(j);
            if (!is_read && (j < inputs || j < known - 1)) unread.push_back(j);
        }
        const int left = stages - 1 - i;
        if (left == 0) {
            for (int j : unread) add(j);
            if (i > 0) add(known - 1);
        } else if (!unread.empty() && (int(unread.size()) > left || r.chance(50))) {
            add(r.pick(unread));
        }
        return chosen;
    }

    void stage(int i, int stages, bool has_skip, const Grid &grid) {
        const std::vector<int> from = producers(i, stages, has_skip);
        static const int per_lane[] = {120, 85, 60, 36, 22, 15};
        const int log = static_cast<int>(std::lround(std::log2(p.pixels)));
        const int ops = std::max(3, per_lane[log] / stages + r.between(-2, 4));
        Stage f;
        f.type = random_type(r);
        f.grid = grid;
        f.storage = "root";
        if (p.has_borders() && !p.has_own_bounds && i + 1 < stages && of_borders.chance(25)) f.border = some_border();
        p.stages.push_back(f);
        std::vector<Range> known = ranges;
        StageWriter writer(r, p, p.stages.back(), known, ops);
        writer.write(from);
        reads.push_back({from.begin(), from.end()});
        Analysis a = analyse_ranges();
        ranges = a.ranges;
    }

    /** The output's reads decide what is unread; ranges do not need that. */
    Analysis analyse_ranges() { return analyse(p); }

    void storage() {
        for (size_t i = 0; i < p.stages.size(); i++) {
            Stage &s = p.stages[i];
            s.storage = i + 1 == p.stages.size() ? "default" :
                                                   std::vector<std::string>{"default", "root", "at", "linebuffer", "inlined"}[r.weighted({35, 20, 5, 20, 20})];
        }
        for (Stage &s : p.stages) {
            if (s.storage == "inlined" && analyse(p).cost > most_cost / 2) s.storage = "linebuffer";
            // A RAM, where it has to be one: what is repeated, or what that repeats in its place.
            if (s.border == Border::Repeat || (p.has_repeats() && s.storage == "linebuffer")) s.storage = "default";
        }
        if (p.clocks > 1 && !p.has_rates() && of_forms.chance(40)) share();
    }

    /** What is kept for sure has operators of its own, and a reduction some that are alike. */
    void share() {
        for (size_t i = 0; i < p.stages.size(); i++) {
            Stage &s = p.stages[i];
            const bool is_kept = i + 1 == p.stages.size() || s.storage == "root" || s.storage == "linebuffer";
            if (is_kept && !s.domains.empty()) s.share = of_forms.between(2, p.clocks);
        }
    }

    /** Rows that are kept in block RAM; some of about as many words as one is deep. */
    int wide() {
        const int width = r.between(100, 260), about = 512 * p.pixels;
        return about <= most_positions / 8 && of_forms.chance(40) ? about - of_forms.below(24) : width;
    }

    void runs() {
        const int shape = r.below(10);
        p.block[0] = shape == 0 ? wide() : shape == 1 ? r.between(1, 3) : r.between(5, 64);
        p.block[1] = shape == 0 ? r.between(1, 4) : shape == 2 ? 1 : r.between(3, 20);
        const Analysis a = analyse(p);
        if (!a.problem.empty()) return;   // it is drawn anew
        const auto positions = [&] {   // of the Func that takes the longest
            const std::vector<Reach> boxes = boxes_of(p, a, {p.block[0], p.block[1], 0, 0, 0, 0});
            const Grid out = p.grid(static_cast<int>(boxes.size()) - 1);
            int64_t w = 1, h = 1;
            for (size_t i = 0; i < boxes.size(); i++) {
                const Grid own = p.grid(static_cast<int>(i));
                w = std::max<int64_t>(w, int64_t(boxes[i].max_x - boxes[i].min_x + 1) * own.x);
                h = std::max<int64_t>(h, int64_t(boxes[i].max_y - boxes[i].min_y + 1) * own.y);
            }
            return (w / (out.x * p.pixels) + 2) * h * p.clocks;
        };
        while (positions() > most_positions && (p.block[0] > 4 || p.block[1] > 3)) {
            if (p.block[0] > 3 * p.block[1]) p.block[0] = p.block[0] * 2 / 3;
            else p.block[1] = std::max(1, p.block[1] * 2 / 3);
        }
        const int w = p.block[0], h = p.block[1];
        const auto add = [&](int width, int height, int gaps) {
            Run run{std::min(width, w), std::min(height, h), 0, 0, gaps, r.next() >> 32};
            if (r.chance(60)) {
                const int far = r.pick({3, 100, 100000});
                run.min_x = r.between(-far, far), run.min_y = r.between(-far, far);
            }
            if (p.has_borders() && !p.has_own_bounds && !p.has_repeats() && of_borders.chance(50)) {   // what is repeated is no larger than the block
                const int before = p.pixels * of_borders.pick({0, 1, 2, 9});   // a part begins with a vector, or has all that it reads before it
                run.left = before, run.right = of_borders.pick({0, 1, 3, 40}), run.above = of_borders.pick({0, 1, 2, 20}), run.below = of_borders.pick({0, 1, 2, 20});
            }
            p.runs.push_back(run);
        };
        add(w, h, 0);
        add(1, 1, r.pick({0, 1}));
        if (r.chance(50)) add(1, r.between(1, h), r.below(6));
        else add(r.between(1, w), 1, r.below(6));
        add(r.between(1, w) | 1, r.between(1, h), r.between(1, 5));
        add(r.between(1, w), r.between(1, h), r.pick({0, 1, 2}));
    }

    Random r, of_borders, of_forms;
    bool may_repeat = false;
    Pipeline p;
    std::vector<Range> ranges;
    std::vector<std::set<int>> reads;
};

}  // namespace

Pipeline generate(uint64_t seed, int draw) {
    const uint64_t stream = draw ? mix(mix(seed) ^ mix(draw)) : mix(seed);
    for (uint64_t attempt = 0;; attempt++) {
        Pipeline p = Generator(seed, stream + attempt).run();
        const Analysis a = analyse(p);
        if (a.problem.empty() && a.cost <= most_cost) return p;
    }
}

}  // namespace argent::fuzz
