#ifndef ARGENT_TEST_HWGEN_PASSES_REGIONS_H
#define ARGENT_TEST_HWGEN_PASSES_REGIONS_H

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hwgen/ir/Index.h"
#include "hwgen/ir/Region.h"

/** Small regions, written as the capture would leave them. */
class RegionBuilder {
public:
    RegionBuilder(int width, int height, int pixels = 1, int clocks = 1) {
        r.name = "region";
        r.function = "region";
        r.where = {"region.cpp", 7};
        r.block_vars = {"x", "y"};
        r.block = {width, height};
        r.pixels = pixels;
        r.clocks = clocks;
        r.board = {"pynq-z2", "xc7z020clg400-1", "xc7", 150, 8, 32, 4};
        r.clock_mhz = 150;
    }

    RegionBuilder &input(const std::string &name, Halide::Type type = Halide::UInt(8)) {
        argent::hwgen::Func f;
        f.kind = argent::hwgen::Func::Kind::Input;
        f.name = name;
        f.type = type;
        f.vars = {"x", "y"};
        f.reason = "an input";
        r.funcs.push_back(f);
        return *this;
    }
    /** The last one is the output, if outputs() does not name others. */
    RegionBuilder &stage(const std::string &name, Halide::Expr value) {
        argent::hwgen::Func f;
        f.name = name;
        f.type = value.type();
        f.vars = {"x", "y"};
        f.value = std::move(value);
        f.expression = name + "(x, y)";
        f.reason = "linebuffer";
        r.funcs.push_back(f);
        r.outputs = {name};
        return *this;
    }
    RegionBuilder &outputs(std::vector<std::string> names) {
        r.outputs = std::move(names);
        return *this;
    }
    RegionBuilder &param(const std::string &name, Halide::Type type, argent::hwgen::Interval range) {
        r.params.push_back({name, name, type, range});
        return *this;
    }
    /** Of one dimension: loaded, or a ROM of f(place). */
    RegionBuilder &table(const std::string &name, Halide::Type type, std::function<argent::hwgen::Wide(argent::hwgen::Wide)> f = nullptr) {
        argent::hwgen::TableSource t;
        t.name = t.label = t.id = name;
        t.type = type;
        t.declared.resize(1);
        if (f) {
            t.contents = [f](const argent::hwgen::TablePlaces &box) {
                std::vector<argent::hwgen::Wide> elements;
                for (argent::hwgen::Wide i = box[0].lo; i <= box[0].hi; ++i) elements.push_back(f(i));
                return elements;
            };
        }
        r.tables.push_back(t);
        return *this;
    }
    RegionBuilder &fifo_depth(const std::string &from, const std::string &to, int elements) {
        r.fifo_depths.push_back({from, to, elements, {"region.cpp", 9}, "fifo_depth(" + from + ", " + to + ", " + std::to_string(elements) + ")"});
        return *this;
    }

    /** name(x + dx, y + dy) of a Func above. */
    Halide::Expr at(const std::string &name, int dx, int dy) const {
        for (const auto &f : r.funcs) {
            if (f.name == name) return Halide::Internal::Call::make(f.type, name, {x() + dx, y() + dy}, Halide::Internal::Call::Halide);
        }
        throw std::logic_error("no Func " + name);
    }
    /** name(index) of a table above. */
    Halide::Expr read(const std::string &name, Halide::Expr index) const {
        for (const auto &t : r.tables) {
            if (t.name == name) return Halide::Internal::Call::make(t.type, name, {Halide::cast<int32_t>(std::move(index))}, Halide::Internal::Call::Halide);
        }
        throw std::logic_error("no table " + name);
    }
    static Halide::Expr x() { return Halide::Internal::Variable::make(Halide::Int(32), "x"); }
    static Halide::Expr y() { return Halide::Internal::Variable::make(Halide::Int(32), "y"); }

    argent::hwgen::Region r;
};

/** A read with a border, along x, y or both. */
inline Halide::Expr bordered(const RegionBuilder &b, const std::string &name, int dx, int dy, argent::hwgen::Border border = argent::hwgen::Border::Edge, bool of_x = true, bool of_y = true) {
    const Halide::Expr read = b.at(name, dx, dy);
    std::vector<Halide::Expr> args = read.as<Halide::Internal::Call>()->args;
    if (of_x) args[0] = argent::hwgen::with_border(border, args[0]);
    if (of_y) args[1] = argent::hwgen::with_border(border, args[1]);
    return Halide::Internal::Call::make(read.type(), name, args, Halide::Internal::Call::Halide);
}

inline Halide::Expr bordered_in_x(const RegionBuilder &b, const std::string &name, int dx, int dy, argent::hwgen::Border border) {
    return bordered(b, name, dx, dy, border, true, false);
}

/** in -> blur (3 x 3 sum) -> out = blur + in: two paths that meet. No two terms are alike, so that none is computed once for several places. */
inline RegionBuilder diamond(int width, int height, int pixels = 1) {
    RegionBuilder b(width, height, pixels);
    b.input("in");
    Halide::Expr sum = Halide::cast<uint16_t>(0);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) sum = sum + Halide::cast<uint16_t>(b.at("in", dx, dy) ^ (3 * dy + dx + 8));
    }
    b.stage("blur", sum);
    b.stage("out", b.at("blur", 0, 0) + Halide::cast<uint16_t>(b.at("in", 0, 0)));
    return b;
}

#endif
