#ifndef ARGENT_HWGEN_VERILOG_BUILD_H
#define ARGENT_HWGEN_VERILOG_BUILD_H

#include <string>
#include <utility>
#include <vector>

#include "hwgen/verilog/Ast.h"
#include "hwgen/verilog/Names.h"

/** Short hands for writing modules by hand. */
namespace argent::verilog {

/** Bits that hold 0..value; at least 1. */
int bits_for(int64_t value);

/** Bits of a shift by a power of two. */
int log2_of(int power);

/** Collects a module in the order of calls; every call returns the new net as an expression. A name that is taken gets a
 *  suffix, so refer to nets by what was returned; ports come first and keep their names. */
class Builder {
public:
    explicit Builder(std::string name, std::string comment) {
        module.name = std::move(name);
        module.comment = std::move(comment);
    }

    Expr input(const std::string &name, int width = 1, std::string comment = {});
    Expr output(const std::string &name, int width = 1, std::string comment = {});
    Expr wire(const std::string &name, int width = 1);
    Expr wire(const std::string &name, Expr value, std::string comment = {});
    /** A register that is loaded in every clock, without reset. */
    Expr reg(const std::string &name, Expr value, std::string comment = {});
    /** ... while `enable`. */
    Expr reg_if(const std::string &name, Expr enable, Expr value, std::string comment = {});
    void assign(Expr target, Expr value);
    void instance(Instance i) {
        i.name = names.unique(i.name);
        module.items.push_back(std::move(i));
    }
    void comment(std::string text) { module.items.push_back(Comment{std::move(text)}); }
    /** A register to be written by update(); lets its own value be used. */
    Expr declare_reg(const std::string &name, int width = 1, std::string comment = {});
    void update(Update u);

    Module take() { return std::move(module); }

private:
    Module module;
    Scope names;
};

}  // namespace argent::verilog

#endif
