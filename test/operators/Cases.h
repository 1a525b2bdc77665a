#ifndef ARGENT_TEST_OPERATORS_CASES_H
#define ARGENT_TEST_OPERATORS_CASES_H

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

/** One operator on one combination of types: an expression of a(x), b(x), c(x). `valid` says for which operands Halide
 *  defines a result (undefined: for all). */
struct Case {
    std::string name;      // shr_i16_u16: also the name of its Verilog module
    Halide::Expr value;
    Halide::Expr valid;
};

/** The operands: 64 bits each in hardware, of which a case reads the low ones as any type. */
struct Operands {
    Halide::Var x{"x"};
    /** Operand 'a', 'b' or 'c' read as type t, at x. */
    Halide::Expr read(char operand, Halide::Type t);
    /** Every image that some case reads, by operand and type. */
    std::map<std::pair<char, std::string>, Halide::ImageParam> images;
};

/** u1, i64, ... */
std::string name_of(Halide::Type t);

/** Every integer operator of Halide 21 in every combination of types that it accepts. */
std::vector<Case> all_cases(Operands &);

#endif
