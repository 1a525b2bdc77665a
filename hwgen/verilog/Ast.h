#ifndef ARGENT_HWGEN_VERILOG_AST_H
#define ARGENT_HWGEN_VERILOG_AST_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/** A small Verilog-2001 syntax tree: only what the compiler emits. Names are legal already (Names.h); print() adds
 *  parentheses by precedence, sized literals and one port a line. All values are unsigned bit vectors; a signed
 *  operation is asked for by `Binary::is_signed` (printed with $signed on both sides), so no implicit extension
 *  happens anywhere: operands of one operator have equal widths, or print() throws. */
namespace argent::verilog {

struct ExprNode;
/** An immutable expression with its width in bits. */
class Expr {
public:
    Expr() = default;
    explicit Expr(std::shared_ptr<const ExprNode> node) : node(std::move(node)) {}
    bool defined() const { return node != nullptr; }
    int width() const;
    const ExprNode &get() const { return *node; }

private:
    std::shared_ptr<const ExprNode> node;
};

enum class UnaryOp { Not, Negate, ReduceAnd, ReduceOr, ReduceXor };
enum class BinaryOp { Add, Sub, Mul, And, Or, Xor, Shl, Shr, Sra, Eq, Ne, Lt, Le, Gt, Ge, LogicalAnd, LogicalOr };

struct ExprNode {
    enum class Kind { Name, Literal, Unary, Binary, Select, Concat, Repeat, Slice, Index } kind = Kind::Name;
    int width = 0;
    std::string name;              // Name; or a literal's digits in hex
    UnaryOp unary{};
    BinaryOp binary{};
    bool is_signed = false;        // Binary: compare, multiply or shift as two's complement
    std::vector<Expr> args;        // Select: condition, then, else; Concat: most significant first
    int high = 0, low = 0;         // Slice; Index: both the bit
    int count = 0;                 // Repeat
};

Expr name(const std::string &id, int width);
Expr literal(unsigned __int128 value, int width);
Expr unary(UnaryOp op, Expr a);
Expr binary(BinaryOp op, Expr a, Expr b, bool is_signed = false);
Expr select(Expr condition, Expr then_value, Expr else_value);
Expr concat(std::vector<Expr> parts);
Expr repeat(Expr a, int count);
/** a[high:low]; `a` must be a Name (nets are introduced for anything else). The whole of `a` gives `a` back. */
Expr slice(Expr a, int high, int low);
/** Two's complement extension or truncation to `width`; a is a Name or Literal when bits must be picked out of it. */
Expr sign_extend(Expr a, int width);
Expr zero_extend(Expr a, int width);

enum class Direction { Input, Output };
struct Port {
    Direction direction = Direction::Input;
    std::string name;
    int width = 1;
    std::string comment;
};

/** wire [w-1:0] name = value;   (value may be undefined: driven by an instance) */
struct Wire {
    std::string name;
    int width = 1;
    Expr value;
    std::string comment;
    bool keep = false;   // (* keep *): synthesis does not merge what drives it with what reads it
};
/** reg [w-1:0] name; (depth > 0: a memory) */
struct Reg {
    std::string name;
    int width = 1;
    int depth = 0;
    std::string comment;
};
struct Assign {
    Expr target, value;
    std::string comment;
};
/** One register update inside a clocked block: if (enable) target <= value; with an optional reset, last. */
struct Update {
    Expr target, value;
    Expr enable;      // undefined: always
    Expr reset_to;    // undefined: no reset
    std::string comment;
};
/** always @(posedge clk) ...; updates with the same enable are grouped; resets come last under `if (rst)`. */
struct Clocked {
    std::string clock = "clk", reset = "rst";
    std::vector<Update> updates;
};
struct Instance {
    std::string module, name;
    std::vector<std::pair<std::string, std::string>> parameters;
    std::vector<std::pair<std::string, Expr>> connections;   // undefined Expr: left open
    std::string comment;
};
struct Comment {
    std::string text;      // one or more lines, printed with //
};
using Item = std::variant<Wire, Reg, Assign, Clocked, Instance, Comment>;

struct Module {
    std::string name;
    std::string comment;      // header, may have several lines
    std::vector<Port> ports;
    std::vector<Item> items;
};

/** The text of a file that holds this module, between `default_nettype none and wire. Throws std::logic_error for widths
 *  that disagree and for a name that is not declared above its use. */
std::string print(const Module &m);

}  // namespace argent::verilog

#endif
