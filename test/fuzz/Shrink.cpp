#include "Shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>

#include "Analysis.h"
#include "Rewrite.h"

namespace argent::fuzz {

namespace {

/** What shrinking makes less. */
int64_t size_of(const Pipeline &p) {
    int64_t n = 0;
    for (const Stage &s : p.stages) {
        n += 2000 + 20 * s.storage.size() + 40 * (s.share > 0) + s.share;
        visit_terms(s, [&](const TermPtr &t) {
            n += t->kind == Term::Kind::Constant ? 60 : t->kind == Term::Kind::Operator ? 100 + (t->op != "cast") : 90;
            n += std::abs(t->dx) + std::abs(t->dy) + 3 * (t->rx != 0) + 3 * (t->ry != 0) + (t->rx < 0 || t->rx > 1) + (t->ry < 0);
            if (t->kind == Term::Kind::Constant) n += t->value == 0 ? 0 : t->value == 1 ? 1 : 2;
        });
        for (const ReductionDomain &d : s.domains) n += 50 + 10 * d.points() + std::abs(d.min_x) + std::abs(d.min_y);
        n += 100 * s.updates.size();
    }
    for (int i = 0; i < int(p.inputs.size() + p.stages.size()); i++) {
        n += 15 * (p.grid(i).x - 1) + 15 * (p.grid(i).y - 1) + 30 * (p.border(i) != Border::None) + (p.border(i) > Border::Edge);
    }
    for (const Run &r : p.runs) n += 500 + r.width + r.height + 10 * (r.min_x != 0) + 10 * (r.min_y != 0) + 20 * r.gaps + r.left + r.right + r.above + r.below;
    for (const Table &k : p.tables) n += 20 + 5 * k.values.size();
    for (const ParamDecl &d : p.params) n += 30 - 5 * d.has_range;
    const Form &form = p.form;
    n += 100 * form.is_columns_first + 100 * form.planes + 100 * (form.channels != Form::Channels::None) + 200 * form.also.size() + 50 * form.has_loaded_tables +
         100 * (form.tile[0] != 0) + 100 * (form.strip != 0) + (form.is_first_on_host ? 100 : 300) * (form.first >= 0) + 100 * (form.buffered >= 0) + 100 * (form.wrapped >= 0) + 50 * form.has_streams;
    return n + p.block[0] + p.block[1] + 10 * p.pixels + 10 * p.clocks + 10 * (p.mhz != 0) + 10 * p.has_own_bounds + 10 * (p.board != "pynq-z2") + 300 * p.inputs.size();
}

class Simpler {
public:
    explicit Simpler(const Pipeline &p) : p(p), size(size_of(p)) { known.insert(to_text(p)); }
    std::vector<Pipeline> run() {
        runs();
        stages();
        shape();
        grids();
        borders();
        form();
        types();
        for (size_t i = 0; i < p.stages.size(); i++) terms(static_cast<int>(i));
        std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        std::vector<Pipeline> list;
        for (auto &[n, q] : found) list.push_back(std::move(q));
        return list;
    }

private:
    void add(Pipeline q) {
        tidy(q);
        const int64_t n = size_of(q);
        if (n >= size || !analyse(q).problem.empty() || !known.insert(to_text(q)).second) return;
        found.push_back({n, std::move(q)});
    }
    template<typename F>
    void change(F &&f) {
        Pipeline q = p;
        f(q);
        add(std::move(q));
    }

    void runs() {
        for (size_t i = 0; i < p.runs.size(); i++) {
            if (p.runs.size() > 1) {
                change([&](Pipeline &q) { q.runs = {p.runs[i]}; });
                change([&](Pipeline &q) { q.runs.erase(q.runs.begin() + i); });
            }
            const Run &r = p.runs[i];
            change([&](Pipeline &q) { q.runs[i].width = std::max(1, r.width / 2); });
            change([&](Pipeline &q) { q.runs[i].height = std::max(1, r.height / 2); });
            change([&](Pipeline &q) { q.runs[i].width = std::max(1, r.width - 1); });
            change([&](Pipeline &q) { q.runs[i].height = std::max(1, r.height - 1); });
            change([&](Pipeline &q) { q.runs[i].min_x = q.runs[i].min_y = 0; });
            change([&](Pipeline &q) { q.runs[i].left = q.runs[i].right = q.runs[i].above = q.runs[i].below = 0; });
            for (int Run::*beyond : {&Run::left, &Run::right, &Run::above, &Run::below}) {
                change([&](Pipeline &q) { q.runs[i].*beyond = 0; });
                change([&](Pipeline &q) { q.runs[i].*beyond -= r.*beyond > 0; });
            }
            change([&](Pipeline &q) { q.runs[i].gaps = 0; });
            change([&](Pipeline &q) { q.runs[i].gaps = std::min(1, r.gaps); });
        }
    }

    /** One rate, in both dimensions, in one, or of one Func. */
    void grids() {
        const auto all = [](Pipeline &q, auto &&f) {
            for (Grid &g : q.input_grids) f(g);
            for (Stage &s : q.stages) f(s.grid);
        };
        change([&](Pipeline &q) { all(q, [](Grid &g) { g = {}; }); });
        change([&](Pipeline &q) { all(q, [](Grid &g) { g.x = 1; }); });
        change([&](Pipeline &q) { all(q, [](Grid &g) { g.y = 1; }); });
        const auto simpler = [&](auto &&grid) {
            change([&](Pipeline &q) { grid(q) = {}; });
            change([&](Pipeline &q) { grid(q).x = 1; });
            change([&](Pipeline &q) { grid(q).y = 1; });
            change([&](Pipeline &q) { grid(q).x = (grid(q).x + 1) / 2; });
            change([&](Pipeline &q) { grid(q).y = (grid(q).y + 1) / 2; });
        };
        for (size_t i = 0; i < p.input_grids.size(); i++) simpler([i](Pipeline &q) -> Grid & { return q.input_grids[i]; });
        for (size_t i = 0; i < p.stages.size(); i++) simpler([i](Pipeline &q) -> Grid & { return q.stages[i].grid; });
    }

    /** None, of one Func or of all, or the simplest one. */
    void borders() {
        change([](Pipeline &q) { q.has_own_bounds = false; });
        change([](Pipeline &q) {
            q.input_borders.clear(), q.has_own_bounds = false;
            for (Stage &s : q.stages) s.border = Border::None;
            for (Run &r : q.runs) r.left = r.right = r.above = r.below = 0;
        });
        for (Border b : {Border::None, Border::Edge}) {
            for (size_t i = 0; i < p.input_borders.size(); i++) change([&](Pipeline &q) { q.input_borders[i] = b; });
            for (size_t i = 0; i < p.stages.size(); i++) change([&](Pipeline &q) { q.stages[i].border = b; });
        }
    }

    void form() {
        change([](Pipeline &q) { q.form = {}; });
        change([](Pipeline &q) { q.form.is_columns_first = false; });
        change([](Pipeline &q) { q.form.planes = 0, q.form.has_unrolled_planes = false; });
        change([](Pipeline &q) { q.form.planes = 1; });
        change([](Pipeline &q) { q.form.channels = Form::Channels::None; });
        change([](Pipeline &q) { q.form.outputs = Form::Outputs::One, q.form.also.clear(); });
        change([](Pipeline &q) { q.form.has_loaded_tables = false; });
        change([](Pipeline &q) { q.form.tile[0] = q.form.tile[1] = 0; });
        change([](Pipeline &q) { q.form.strip = 0; });
        change([](Pipeline &q) { q.form.first = -1, q.form.is_first_on_host = false; });
        change([](Pipeline &q) { q.form.is_first_on_host = true; });
        change([](Pipeline &q) { q.form.wrapped = -1; });
        change([](Pipeline &q) { q.form.has_streams = false; });
        change([](Pipeline &q) { q.form.buffered = -1; });
        for (size_t i = 0; i < p.form.also.size() && p.form.also.size() > 1; i++) {
            change([&](Pipeline &q) { q.form.also.erase(q.form.also.begin() + i); });
        }
    }

    void stages() {
        const int inputs = static_cast<int>(p.inputs.size());
        for (size_t i = 0; i < p.stages.size(); i++) {
            if (i + 1 < p.stages.size()) change([&](Pipeline &q) { q.stages.resize(i + 1); });
            // Its readers read what it reads.
            std::set<int> producers;
            visit_terms(p.stages[i], [&](const TermPtr &t) {
                if (t->kind == Term::Kind::Read) producers.insert(t->index);
            });
            for (int j : producers) {
                change([&](Pipeline &q) {
                    rewrite(q, [&](const TermPtr &t) -> TermPtr {
                        if (t->kind != Term::Kind::Read || t->index != inputs + int(i)) return nullptr;
                        auto read = std::make_shared<Term>(*t);
                        read->index = j, read->type = p.producer_type(j);
                        return as_type(read, t->type);
                    });
                });
            }
            const Stage &s = p.stages[i];
            if (s.updates.empty() && s.lets.empty()) {   // its readers compute it themselves, where they read it in place
                change([&](Pipeline &q) {
                    for (Stage &reader : q.stages) {
                        const TermPtr value = with_domains_from(s.value, static_cast<int>(reader.domains.size()));
                        bool is_read = false;
                        rewrite(reader, [&](const TermPtr &t) -> TermPtr {
                            const bool is_in_place = t->kind == Term::Kind::Read && t->index == inputs + int(i) && t->dx == 0 && t->dy == 0 &&
                                                     t->rx == 0 && t->ry == 0;
                            is_read = is_read || is_in_place;
                            return is_in_place ? as_type(value, t->type) : nullptr;
                        });
                        if (is_read) reader.domains.insert(reader.domains.end(), s.domains.begin(), s.domains.end());
                    }
                });
            }
            change([&](Pipeline &q) { q.stages[i].updates.clear(); });
            for (size_t u = 0; u < s.updates.size(); u++) change([&](Pipeline &q) { q.stages[i].updates.erase(q.stages[i].updates.begin() + u); });
            change([&](Pipeline &q) { q.stages[i].storage = "root"; });
            change([&](Pipeline &q) { q.stages[i].share = 0; });
            if (s.share > 2) change([&](Pipeline &q) { q.stages[i].share = s.share - 1; });
            for (size_t d = 0; d < s.domains.size(); d++) {
                const ReductionDomain &was = s.domains[d];
                const auto domain = [&](auto f) { change([&](Pipeline &q) { f(q.stages[i].domains[d]); }); };
                domain([](ReductionDomain &r) { r.where = nullptr; });
                domain([](ReductionDomain &r) { r.extent_x = 1; });
                domain([](ReductionDomain &r) { r.extent_y = 1; });
                domain([&](ReductionDomain &r) { r.extent_x = std::max(1, was.extent_x - 1); });
                domain([&](ReductionDomain &r) { r.extent_y = std::max(1, was.extent_y - 1); });
                domain([](ReductionDomain &r) { r.min_x = 0; });
                domain([](ReductionDomain &r) { r.min_y = 0; });
            }
            for (size_t l = 0; l < s.lets.size(); l++) {
                change([&](Pipeline &q) {
                    rewrite(q.stages[i], [&](const TermPtr &t) { return t->kind == Term::Kind::Local && t->index == int(l) ? s.lets[l] : nullptr; });
                });
            }
        }
    }

    void shape() {
        change([](Pipeline &q) { q.pixels = 1; });
        change([](Pipeline &q) { q.pixels = std::max(1, q.pixels / 2); });
        change([](Pipeline &q) { q.clocks = 1; });
        change([](Pipeline &q) { q.clocks = std::min(2, q.clocks); });
        change([](Pipeline &q) { q.board = "pynq-z2", q.mhz = 0; });
        const auto fit = [](Pipeline &q) {
            for (Run &r : q.runs) r.width = std::min(r.width, q.block[0]), r.height = std::min(r.height, q.block[1]);
        };
        for (int dim = 0; dim < 2; dim++) {
            change([&](Pipeline &q) { q.block[dim] = std::max(1, q.block[dim] / 2), fit(q); });
            change([&](Pipeline &q) { q.block[dim] = std::max(1, q.block[dim] - 1), fit(q); });
        }
        change([&](Pipeline &q) {
            q.block[0] = q.block[1] = 1;
            for (const Run &r : q.runs) q.block[0] = std::max(q.block[0], r.width), q.block[1] = std::max(q.block[1], r.height);
        });
        for (size_t k = 0; k < p.tables.size(); k++) change([&](Pipeline &q) { q.tables[k].values.pop_back(); });
    }

    /** A stage of the type that its value had before a last cast. */
    void types() {
        const int inputs = static_cast<int>(p.inputs.size());
        for (size_t i = 0; i < p.stages.size(); i++) {
            const TermPtr &value = p.stages[i].value;
            if (value->op != "cast" || !p.stages[i].updates.empty()) continue;
            const int bits = value->args[0]->type.bits();
            if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) continue;
            change([&](Pipeline &q) {
                rewrite(q, [&](const TermPtr &t) -> TermPtr {
                    if (t->kind != Term::Kind::Read || t->index != inputs + int(i)) return nullptr;
                    auto read = std::make_shared<Term>(*t);
                    read->type = value->args[0]->type;
                    return as_type(read, t->type);
                });
                q.stages[i].type = value->args[0]->type;
                q.stages[i].value = value->args[0];
            });
        }
    }

    /** Every term once: one of its operands instead, a number instead, its offsets nearer to 0. */
    void terms(int stage) {
        int count = 0;
        visit_terms(p.stages[stage], [&](const TermPtr &) { count++; });
        for (int at = 0; at < count; at++) {
            const auto replace = [&](const Rewrite &f) {
                Pipeline q = p;
                int n = 0;
                bool is_done = false;
                rewrite(q.stages[stage], [&](const TermPtr &t) -> TermPtr {
                    if (is_done || n++ != at) return nullptr;
                    is_done = true;
                    TermPtr other = f(t);
                    return other ? other : t;
                });
                add(std::move(q));
            };
            for (int a = 0; a < 6; a++) {
                replace([&](const TermPtr &t) { return a < int(t->args.size()) ? as_type(t->args[a], t->type) : nullptr; });
            }
            for (int a = 0; a < 3; a++) {   // two operators at once: casts hold each other in place
                for (int b = 0; b < 3; b++) {
                    replace([&](const TermPtr &t) {
                        const bool has = a < int(t->args.size()) && b < int(t->args[a]->args.size());
                        return has ? as_type(t->args[a]->args[b], t->type) : nullptr;
                    });
                }
            }
            for (int v : {0, 1, 2}) {
                replace([&](const TermPtr &t) { return v > 1 && t->type.is_bool() ? nullptr : number(t->type, v); });
            }
            replace([&](const TermPtr &t) -> TermPtr {   // the first thing that it reads
                TermPtr read;
                visit_terms(t, [&](const TermPtr &u) {
                    if (!read && u != t && u->kind == Term::Kind::Read && u->rx == 0 && u->ry == 0) read = u;
                });
                return read ? as_type(read, t->type) : nullptr;
            });
            const auto read = [&](auto f) {
                replace([&](const TermPtr &t) -> TermPtr {
                    if (t->kind != Term::Kind::Read) return nullptr;
                    auto copy = std::make_shared<Term>(*t);
                    f(*copy);
                    return copy;
                });
            };
            for (int input = 0; input < int(p.inputs.size()); input++) {   // an input in place of a stage
                replace([&](const TermPtr &t) -> TermPtr {
                    if (t->kind != Term::Kind::Read || t->index < int(p.inputs.size())) return nullptr;
                    auto copy = std::make_shared<Term>(*t);
                    copy->index = input, copy->type = p.producer_type(input);
                    return as_type(copy, t->type);
                });
            }
            read([](Term &t) { t.dx = t.dy = 0; });
            read([](Term &t) { t.dx = 0; });
            read([](Term &t) { t.dy = 0; });
            read([](Term &t) { t.dx /= 2, t.dy /= 2; });
            read([](Term &t) { t.dx -= t.dx > 0 ? 1 : t.dx < 0 ? -1 : 0; });
            read([](Term &t) { t.dy -= t.dy > 0 ? 1 : t.dy < 0 ? -1 : 0; });
            read([](Term &t) { t.rx = t.ry = 0; });
            read([](Term &t) { t.rx = t.rx ? 1 : 0, t.ry = t.ry ? 1 : 0; });
        }
    }

    const Pipeline &p;
    int64_t size;
    std::set<std::string> known;
    std::vector<std::pair<int64_t, Pipeline>> found;
};

}  // namespace

std::string way_of(const std::string &failure) {
    const std::string kind = failure.substr(0, failure.find(':'));
    if (kind != "refused" && kind != "lint" && kind != "whole" && kind != "golden") return kind;
    std::istringstream words(failure.substr(0, failure.find('\n')));
    std::string way;
    for (std::string word; words >> word;) {
        if (word.find_first_of("0123456789") == std::string::npos) way += (way.empty() ? "" : " ") + word;
    }
    return way;
}

std::vector<Pipeline> simpler(const Pipeline &p) { return Simpler(p).run(); }

Pipeline shrink(Pipeline p, std::string &failure, const Oracle &oracle, size_t together, int seconds,
                const std::function<void(const std::string &)> &say) {
    const auto begin = std::chrono::steady_clock::now();
    const auto has_time = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds; };
    const std::string way = way_of(failure);
    for (bool progress = true; progress && has_time();) {
        progress = false;
        const std::vector<Pipeline> all = simpler(p);
        for (size_t i = 0; i < all.size() && !progress && has_time(); i += together) {
            const std::vector<Pipeline> some(all.begin() + i, all.begin() + std::min(all.size(), i + together));
            const std::vector<Verdict> verdicts = oracle(some);
            for (size_t k = 0; k < some.size() && !progress; k++) {
                if (verdicts[k].failure.empty() || way_of(verdicts[k].failure) != way) continue;
                p = some[k], failure = verdicts[k].failure;
                progress = true;
            }
        }
        if (progress && say) say(fmt::format("{} stages, size {}", p.stages.size(), size_of(p)));
    }
    return p;
}

Pipeline shrink(const Pipeline &p, std::string &failure, FarmOptions options, int seconds,
                const std::function<void(const std::string &)> &say) {
    const std::string kind = failure.substr(0, failure.find(':'));
    options.only_compile = true;
    if (kind != "refused" && (kind != "crash" || check_all({p}, options)[0].kind() != kind)) options.only_compile = false;
    options.whole_every = kind == "whole" || failure.find("whole accelerator") != std::string::npos ? 1 : 0;
    const size_t together = options.only_compile ? 32 : options.whole_every ? 4 : 12;
    const Oracle oracle = [&](const std::vector<Pipeline> &some) {
        options.batch = static_cast<int>(some.size() + options.jobs - 1) / options.jobs;
        return check_all(some, options);
    };
    Pipeline least = shrink(p, failure, oracle, together, seconds, say);
    least.form.is_whole = options.whole_every > 0;
    return least;
}

}  // namespace argent::fuzz
