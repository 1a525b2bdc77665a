#include "hwgen/passes/region/InferRates.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include "hwgen/ir/Fraction.h"
#include "hwgen/ir/Index.h"
#include "hwgen/ir/IndexMap.h"

namespace argent::hwgen {

using namespace Halide::Internal;

namespace {

constexpr int64_t most_stride = 4096;   // base elements; 12 levels of a pyramid

struct FoundRead {
    int producer;
    std::array<std::optional<IndexMap>, 2> maps;
    const Call *call;
};

std::string label_of(const Func &f) {
    return f.label.empty() ? f.name : f.label;
}

/** 2*x + 1 as the user would write it: no names with dots. */
std::string text_of(const Halide::Expr &e) {
    std::ostringstream out;
    out << e;
    std::string text = out.str();
    const bool in_brackets = text.size() > 1 && text.front() == '(' && text.back() == ')';
    return in_brackets ? text.substr(1, text.size() - 2) : text;
}

class RateFinder {
public:
    RateFinder(const Region &region, Diagnostics &diagnostics) : region(region), diagnostics(diagnostics) {
        for (size_t i = 0; i < region.funcs.size(); i++) index[region.funcs[i].name] = static_cast<int>(i);
        for (const Func &f : region.funcs) {
            reads.emplace_back();
            if (!f.value.defined()) continue;
            for (const Call *c : reads_in(f.value)) {
                const auto producer = index.find(c->name);
                if (producer == index.end()) continue;
                FoundRead read{producer->second, {}, c};
                for (size_t d = 0; d < 2 && d < c->args.size() && d < f.vars.size(); d++) {
                    if (const auto index = index_of(c->args[d], f.vars[d])) read.maps[d] = index->map;
                }
                reads.back().push_back(read);
            }
        }
    }

    Rates run() {
        Rates rates;
        rates.grids.resize(region.funcs.size());
        rates.lanes.assign(region.funcs.size(), region.pixels);
        for (int d = 0; d < 2; d++) find_strides(d, rates);
        for (size_t i = 0; i < region.funcs.size(); i++) {
            for (int d = 0; d < 2; d++) {
                Grid &g = rates.grids[i][d];
                for (const FoundRead &r : reads[i]) {
                    if (r.maps[d]) g.repeat = std::lcm(g.repeat, r.maps[d]->period);
                }
                rates.origin[d] = std::lcm(rates.origin[d], g.stride * g.repeat);
            }
        }
        if (!diagnostics.has_errors()) find_lanes(rates);
        return rates;
    }

    int default_clocks() {
        Rates rates;
        rates.grids.resize(region.funcs.size());
        find_strides(0, rates);
        const auto out = region.outputs.empty() ? index.end() : index.find(region.outputs[0]);
        if (out == index.end() || diagnostics.has_errors()) return 1;
        for (int clocks = 1; clocks <= 64; clocks++) {
            const Fraction rate = Fraction(1, clocks) * Fraction(rates.grids[out->second][0].stride);
            if (first_misfit(rates, static_cast<int>(rate.over)) < 0) return clocks;
        }
        return 1;
    }

private:
    int func_of(size_t output) const { return region.output_funcs.empty() ? 0 : region.output_funcs[output]; }

    /** Strides of the outputs, in elements of the first. What several Funcs read in common says how they compare; those that
     *  read nothing in common move alike. */
    std::vector<Fraction> output_strides(int d) const {
        std::vector<Fraction> strides(region.outputs.size());
        if (std::all_of(region.output_funcs.begin(), region.output_funcs.end(), [](int f) { return f == 0; })) return strides;
        std::vector<std::optional<Fraction>> known(region.funcs.size());
        const auto set_func = [&](int func, Fraction stride) {
            for (size_t o = 0; o < region.outputs.size(); o++) {
                std::optional<Fraction> &k = known[index.at(region.outputs[o])];
                if (func_of(o) == func && !k) k = stride;
            }
        };
        const auto spread = [&] {   // to what is read, and from there to other readers
            bool any = false;
            for (size_t i = known.size(); i-- > 0;) {
                for (const FoundRead &r : reads[i]) {
                    if (!r.maps[d] || known[i].has_value() == known[r.producer].has_value()) continue;
                    const Fraction ratio(r.maps[d]->period, r.maps[d]->step);
                    if (known[i]) known[r.producer] = *known[i] * ratio;
                    else known[i] = *known[r.producer] / ratio;
                    any = true;
                }
            }
            for (size_t o = 0; o < region.outputs.size(); o++) {
                if (known[index.at(region.outputs[o])]) set_func(func_of(o), *known[index.at(region.outputs[o])]);
            }
            return any;
        };
        for (size_t o = 0; o < region.outputs.size(); o++) {
            set_func(func_of(o), {});
            while (spread()) {}
            strides[o] = *known[index.at(region.outputs[o])];
        }
        return strides;
    }

    void find_strides(int d, Rates &rates) {
        struct Cause {
            Fraction stride;
            int reader;
            const Call *call;
        };
        std::vector<std::optional<Cause>> causes(region.funcs.size());
        const std::vector<Fraction> strides = output_strides(d);
        for (size_t o = 0; o < region.outputs.size(); o++) {
            const auto out = index.find(region.outputs[o]);
            if (out != index.end() && !is_read(out->second, d)) causes[out->second] = Cause{strides[o], -1, nullptr};
        }
        bool is_refused = false;
        for (size_t i = region.funcs.size(); i-- > 0;) {
            if (!causes[i]) causes[i] = Cause{{}, -1, nullptr};   // nothing reads it
            for (const FoundRead &r : reads[i]) {
                if (!r.maps[d]) continue;
                const Fraction stride = causes[i]->stride * Fraction(r.maps[d]->period, r.maps[d]->step);
                std::optional<Cause> &known = causes[r.producer];
                if (!known) {
                    known = Cause{stride, static_cast<int>(i), r.call};
                } else if (known->stride != stride && !is_refused) {
                    is_refused = true;
                    refuse_two_rates(d, r, static_cast<int>(i), known->reader, known->call, known->stride / stride);
                }
            }
        }
        int64_t under = 1, common = 0;
        for (const auto &c : causes) under = std::lcm(under, c->stride.under);
        for (const auto &c : causes) common = std::gcd(common, c->stride.over * (under / c->stride.under));
        for (size_t i = 0; i < causes.size(); i++) {
            const int64_t stride = causes[i]->stride.over * (under / causes[i]->stride.under) / common;
            if (stride > most_stride && !is_refused) {
                is_refused = true;
                diagnostics.error(region.where,
                                  fmt::format("{} has 1 element in {} where the finest Func of the accelerator has {}, and at most {} are possible",
                                              label_of(region.funcs[i]), region.block_vars[d], stride, most_stride),
                                  {"leave some of the levels to the host"});
            }
            rates.grids[i][d].stride = static_cast<int>(std::min(stride, most_stride));
        }
        if (!is_refused) check_elements(d, rates);
    }

    /** All elements of an output leave at one rate. */
    void check_elements(int d, const Rates &rates) {
        for (size_t o = 1; o < region.outputs.size(); o++) {
            const int one = index.at(region.outputs[o - 1]), other = index.at(region.outputs[o]);
            if (func_of(o) != func_of(o - 1) || rates.grids[one][d].stride == rates.grids[other][d].stride) continue;
            diagnostics.error(region.where,
                              fmt::format("{} and {} leave together, and other outputs read them at different rates in {}", label_of(region.funcs[one]),
                                          label_of(region.funcs[other]), region.block_vars[d]),
                              {"accelerate the Funcs in several accelerators"});
            return;
        }
    }

    bool is_read(int producer, int d) const {
        return std::any_of(reads.begin(), reads.end(), [&](const auto &of) {
            return std::any_of(of.begin(), of.end(), [&](const FoundRead &r) { return r.producer == producer && r.maps[d]; });
        });
    }

    void refuse_two_rates(int d, const FoundRead &r, int reader, int other_reader, const Call *other, Fraction ratio) {
        const Func &producer = region.funcs[r.producer];
        const std::string p = label_of(producer), a = label_of(region.funcs[other_reader]), b = label_of(region.funcs[reader]);
        const std::string first = fmt::format("{} reads it at {}", a, text_of(other->args[d]));
        const std::string second = fmt::format("{} at {}", a == b ? "and" : "and " + b, text_of(r.call->args[d]));
        std::vector<std::string> notes;
        if (producer.kind == Func::Kind::Input) {
            notes.push_back(fmt::format("give {} its own copy of {}: another input, which is read from memory at its own rate", b, p));
        } else {
            notes.push_back(fmt::format("compute {} twice, once for each rate: {}.clone_in({})", p, p, b));
        }
        diagnostics.error(region.where,
                          fmt::format("{} is read at two rates in {}: {}, {}; one would go through it {} times as fast as the other, and what lies "
                                      "between grows with the image, so no timeline holds both",
                                      p, region.block_vars[d], first, second, (ratio.over < ratio.under ? Fraction(1) / ratio : ratio).str()),
                          notes);
    }

    bool is_stream(size_t i) const {
        return region.funcs[i].kind == Func::Kind::Input ||
               std::find(region.outputs.begin(), region.outputs.end(), region.funcs[i].name) != region.outputs.end();
    }

    /** The Func for which `pixels` base elements a position do not do, or -1. */
    int first_misfit(const Rates &rates, int pixels) const {
        for (size_t i = 0; i < region.funcs.size(); i++) {
            const int stride = rates.grids[i][0].stride;
            if (pixels % stride != 0 && stride % pixels != 0) return static_cast<int>(i);
            const int lanes = std::max(1, pixels / stride);
            if (lanes > 32 || (is_stream(i) && (lanes & (lanes - 1)) != 0)) return static_cast<int>(i);
        }
        return -1;
    }

    void find_lanes(Rates &rates) {
        const auto out = region.outputs.empty() ? index.end() : index.find(region.outputs[0]);
        const int out_stride = out == index.end() ? 1 : rates.grids[out->second][0].stride;
        const Fraction rate = Fraction(region.pixels, region.clocks) * Fraction(out_stride);
        rates.pixels = static_cast<int>(rate.over);
        rates.clocks = static_cast<int>(rate.under);
        const int misfit = first_misfit(rates, rates.pixels);
        if (misfit >= 0) {
            refuse_throughput(rates, out_stride, misfit);
            return;
        }
        for (size_t i = 0; i < region.funcs.size(); i++) {
            std::array<Grid, 2> &g = rates.grids[i];
            rates.lanes[i] = std::max(1, rates.pixels / g[0].stride);
            g[0].step = std::max(1, g[0].stride / rates.pixels);
            g[1].step = g[1].stride;
            g[0].period = g[0].repeat / std::gcd(g[0].repeat, rates.lanes[i]);
            g[1].period = g[1].repeat;
        }
    }

    void refuse_throughput(const Rates &rates, int out_stride, int misfit) {
        const std::string x = region.block_vars[0];
        std::vector<std::string> possible;
        const auto offer = [&](int pixels, int clocks) {
            const Fraction rate = Fraction(pixels, clocks) * Fraction(out_stride);
            if (first_misfit(rates, static_cast<int>(rate.over)) >= 0) return;
            possible.push_back(clocks == 1 ? fmt::format("throughput({}, {})", x, pixels) : fmt::format("throughput({}, {}, {})", x, pixels, clocks));
        };
        for (int pixels = 32; pixels > 1; pixels /= 2) offer(pixels, 1);
        const size_t several = possible.size();
        for (int clocks = 1; clocks <= 64 && possible.size() == several; clocks++) offer(1, clocks);
        const Fraction each(rates.pixels, rates.grids[misfit][0].stride);
        const std::string given = region.clocks == 1 ? fmt::format("throughput({}, {})", x, region.pixels) :
                                                       fmt::format("throughput({}, {}, {})", x, region.pixels, region.clocks);
        diagnostics.error(region.throughput_where.known() ? region.throughput_where : region.where,
                          fmt::format("{}: at this rate {} would have {} elements for each position of the scan{}", given,
                                      label_of(region.funcs[misfit]), each.str(),
                                      each.is_whole() ? ", and a memory port carries 1, 2, 4, 8, 16 or 32" :
                                                        ", and that has to be a whole number, or one in a whole number of positions"),
                          {possible.empty() ? std::string("leave one of the rates to the host") :
                                              fmt::format("write {}", fmt::join(possible, " or "))});
    }

    const Region &region;
    Diagnostics &diagnostics;
    std::map<std::string, int> index;
    std::vector<std::vector<FoundRead>> reads;
};

}  // namespace

bool Rates::several() const {
    for (const auto &grid : grids) {
        for (const Grid &g : grid) {
            if (g.stride != 1 || g.repeat != 1) return true;
        }
    }
    return false;
}

Rates infer_rates(const Region &region, Diagnostics &diagnostics) {
    return RateFinder(region, diagnostics).run();
}

int default_clocks(const Region &region) {
    Diagnostics diagnostics;
    return RateFinder(region, diagnostics).default_clocks();
}

}  // namespace argent::hwgen
