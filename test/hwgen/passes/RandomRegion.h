#ifndef ARGENT_TEST_HWGEN_PASSES_RANDOMREGION_H
#define ARGENT_TEST_HWGEN_PASSES_RANDOMREGION_H

#include <random>
#include <string>
#include <vector>

#include "CoreBench.h"
#include "Regions.h"

/** A random region in which paths meet, and launches of it. */
class RandomRegion {
public:
    explicit RandomRegion(unsigned seed) : random(seed) {
        const int lanes = 1 << below(below(8) ? 3 : 6), width = 1 + below(below(2) ? 6 : 60), height = 1 + below(12);
        const int clocks = lanes == 1 && below(3) == 0 ? 1 + below(4) : 1;
        RegionBuilder b(width, height, lanes, clocks);
        std::vector<std::string> names;
        for (int i = 1 + below(3); i > 0; i--) {
            names.push_back("in" + std::to_string(names.size()));
            b.input(names.back(), type());
        }
        const int reach = 1 + below(below(3) ? 3 : 9), stages = 1 + below(5);
        for (int i = 0; i < stages; i++) {
            Halide::Expr e = Halide::cast<int32_t>(below(100));
            for (int term = 1 + below(4); term >= 0; term--) {
                const std::string &from = term == 0 || below(2) ? names.back() : names[below(static_cast<int>(names.size()))];
                e = combined(b, e, number(b.at(from, offset(reach), offset(reach))));
            }
            names.push_back("s" + std::to_string(i));
            b.stage(names.back(), Halide::cast(type(), e));
        }
        Halide::Expr all = Halide::cast<int32_t>(0);
        for (const std::string &name : names) all = all + number(b.at(name, offset(1), offset(1)));
        b.stage("out", Halide::cast(type(), all));
        region = b.r;

        const int min_x = below(20) - 10, min_y = below(20) - 10;
        launches = {{width, height, false, min_x, min_y}, {width, height, true, min_x, min_y}, {1, 1}, {1 + below(width), 1 + below(height)},
                    {width, 1},                           {1, height}};
    }

    argent::hwgen::Region region;
    std::vector<CoreLaunch> launches;

private:
    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    int offset(int reach) { return below(2 * reach + 1) - reach; }
    Halide::Type type() {
        switch (below(6)) {
        case 0: return Halide::UInt(8);
        case 1: return Halide::Int(16);
        case 2: return Halide::UInt(32);
        case 3: return Halide::Int(8);
        case 4: return Halide::Bool();
        default: return Halide::UInt(64);
        }
    }
    static Halide::Expr number(const Halide::Expr &e) {
        return e.type().is_bool() ? Halide::select(e, Halide::cast<int32_t>(3), Halide::cast<int32_t>(9)) : Halide::cast<int32_t>(e);
    }
    Halide::Expr combined(const RegionBuilder &b, const Halide::Expr &e, const Halide::Expr &v) {
        switch (below(6)) {
        case 0: return e + v;
        case 1: return e - v * 3;
        case 2: return Halide::max(e, v);
        case 3: return e ^ (v >> 2);
        case 4: return Halide::select(v > 5, e, v / 7);
        default: return e + v * (below(2) ? b.x() : b.y());
        }
    }

    std::mt19937 random;
};

#endif
