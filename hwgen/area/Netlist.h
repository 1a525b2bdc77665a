#ifndef ARGENT_HWGEN_AREA_NETLIST_H
#define ARGENT_HWGEN_AREA_NETLIST_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tsl/robin_map.h>
#include <vector>

#include "hwgen/area/CellAreas.h"

namespace argent::hwgen {

/** A signal: twice its node, and one more if it is inverted. 0 and 1 are the constants. Inverters cost nothing. */
using Lit = int;
using Lits = std::vector<Lit>;   // lowest bit first
constexpr Lit invert(Lit a) { return a ^ 1; }

/** Bits and what drives them, as synthesis sees a design between its registers: equal ones are one, constants are gone.
 *  Everything is built from what it reads on, so operands have smaller numbers; only a register may be read before it is driven. */
class Netlist {
public:
    struct Node {
        enum class Kind { Constant, Input, And, Xor, Sum, Carry, Register, Cell, Product } kind = Kind::Input;
        Lit a = 0, b = 0;       // And, Xor
        int of = -1;            // Sum, Carry: the chain; Register, Cell, Product: which
        int bit = 0;            // of the chain
    };
    /** A carry chain: in each bit a table's output chooses between the carry and `generate`. */
    struct Chain {
        Lits propagate, generate;
        Lit carry_in = 0;
        int low = 0;            // bits of the sum below the first: those of one operand, as the other's are 0
    };
    struct Register {
        Lit d = 0, enable = 1, reset = 0;
        bool resets_to = false;
        int node = -1;
    };
    struct Cell {
        std::string module;
        CellParameters parameters;
        Lits inputs;                            // without constants, and what the cell does not read
        std::map<std::string, int> varying;     // of each of its inputs: bits that are no constant
        std::map<std::string, Lits> outputs;
    };
    struct Product {
        Lits inputs;
        int a_bits = 0, b_bits = 0, bits = 0;
    };

    Netlist() { nodes.push_back({Node::Kind::Constant}); }

    Lit input() { return add({Node::Kind::Input}); }
    Lit land(Lit a, Lit b);
    Lit lor(Lit a, Lit b) { return invert(land(invert(a), invert(b))); }
    Lit lxor(Lit a, Lit b);
    Lit mux(Lit condition, Lit then_value, Lit else_value);
    Lit all_of(const Lits &of);   // a chain: the fewest tables, if not the fastest
    Lit any_of(Lits of);

    /** a + b + carry, or a - b (carry: 1 less the borrow): a carry chain, or gates if it is of two bits at most. */
    Lits sum(const Lits &a, const Lits &b, bool subtract, Lit carry);
    /** a < b, or a <= b: by groups of bits that fill a table, joined by a carry chain. */
    Lit less(const Lits &a, const Lits &b, bool is_signed, bool or_equal);
    /** The low bits of a product, by hard multipliers. */
    Lits product(const Lits &a, const Lits &b, bool is_signed, int bits);

    /** A register; choices in front of it that its enable and its reset pin make are taken off. */
    Lit clocked(Register r);
    /** One that is read before it is driven. */
    Lit declare_register();
    void drive(Lit q, Register r);

    int add_cell(Cell c) { return cells.push_back(std::move(c)), int(cells.size()) - 1; }
    Lit cell_output(int cell) {
        const Lit q = add({Node::Kind::Cell});
        nodes[q / 2].of = cell;
        return q;
    }

    std::vector<Node> nodes;
    std::vector<Chain> chains;
    std::vector<Register> registers;
    std::vector<Cell> cells;
    std::vector<Product> products;
    Lits outputs;

private:
    Lit add(Node n);
    Lit gate(Node::Kind kind, Lit a, Lit b);
    Register simplified(Register r);

    using Choice = std::array<Lit, 3>;   // condition, then, else
    /** The choice that a literal is, if it is one. */
    const Choice *choice_of(Lit l) const { return l < static_cast<int>(chosen.size()) && chosen[l] >= 0 ? &choices[chosen[l]] : nullptr; }

    /** Of a few numbers: FNV-1a, a number at a time. */
    struct Hash {
        template <size_t N> size_t operator()(const std::array<int, N> &of) const {
            uint64_t h = 0xcbf29ce484222325;
            for (int i : of) h = (h ^ static_cast<uint32_t>(i)) * 0x100000001b3;
            return h ^ (h >> 32);
        }
    };

    tsl::robin_map<std::array<int, 3>, Lit, Hash> gates;
    tsl::robin_map<std::array<int, 4>, Lit, Hash> known_registers;
    std::map<std::vector<int>, int> known_chains, known_products;   // the first node of each
    std::vector<Choice> choices;
    std::vector<int> chosen;   // of literals: which choice, or -1
};

}  // namespace argent::hwgen

#endif
