#ifndef ARGENT_HWGEN_VERILOG_NAMES_H
#define ARGENT_HWGEN_VERILOG_NAMES_H

#include <map>
#include <set>
#include <string>

namespace argent::verilog {

/** A legal Verilog-2001/SystemVerilog identifier for any Func name: injective, keyword-safe, never starting with an
 *  underscore (those are our temporaries). The rule stands in Names.cpp:
 *    blur -> blur    blur$1 -> blur__d1    reg -> reg_    _t -> f__n_t */
std::string legal(const std::string &name);

/** The same for what never stands alone, as a port's or a module's name has something in front or behind, so that no word is reserved:
 *    input -> input, of input_valid    blur$1 -> blur__d1 */
std::string stem(const std::string &name);

/** A word of Verilog, SystemVerilog or C++ that some tool refuses or warns about as a name; case is ignored. */
bool is_reserved(const std::string &word);

/** Hands out identifiers that are unique within one module, stable in order of asking. */
class Scope {
public:
    /** `wish` made legal; a suffix _2, _3, ... when it is taken. */
    std::string fresh(const std::string &wish);
    /** A name of the compiler's own: `wish`, legal already, with an underscore in front. */
    std::string temporary(const std::string &wish);
    /** `name` as it is (legal already), or with a suffix when it is taken. */
    std::string unique(const std::string &name);
    void reserve(const std::string &name) { used.insert(name); }

private:
    std::set<std::string> used;
    std::map<std::string, int> next;
};

}  // namespace argent::verilog

#endif
