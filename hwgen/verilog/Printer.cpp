#include <set>
#include <sstream>
#include <stdexcept>

#include "hwgen/verilog/Ast.h"

namespace argent::verilog {

namespace {

[[noreturn]] void refuse(const std::string &what) { throw std::logic_error("argent internal error in verilog::print: " + what); }

/** Binding strength, as in table 5-4 of IEEE 1364-2001; a higher number binds tighter. */
int precedence(const ExprNode &n) {
    switch (n.kind) {
    case ExprNode::Kind::Select: return 1;
    case ExprNode::Kind::Unary: return 13;
    case ExprNode::Kind::Binary:
        switch (n.binary) {
        case BinaryOp::LogicalOr: return 2;
        case BinaryOp::LogicalAnd: return 3;
        case BinaryOp::Or: return 4;
        case BinaryOp::Xor: return 5;
        case BinaryOp::And: return 6;
        case BinaryOp::Eq: case BinaryOp::Ne: return 7;
        case BinaryOp::Lt: case BinaryOp::Le: case BinaryOp::Gt: case BinaryOp::Ge: return 8;
        case BinaryOp::Shl: case BinaryOp::Shr: case BinaryOp::Sra: return 9;
        case BinaryOp::Add: case BinaryOp::Sub: return 10;
        case BinaryOp::Mul: return 11;
        }
        break;
    default: break;
    }
    return 14;
}

const char *symbol(BinaryOp op) {
    switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::And: return "&";
    case BinaryOp::Or: return "|";
    case BinaryOp::Xor: return "^";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::Sra: return ">>>";
    case BinaryOp::Eq: return "==";
    case BinaryOp::Ne: return "!=";
    case BinaryOp::Lt: return "<";
    case BinaryOp::Le: return "<=";
    case BinaryOp::Gt: return ">";
    case BinaryOp::Ge: return ">=";
    case BinaryOp::LogicalAnd: return "&&";
    case BinaryOp::LogicalOr: return "||";
    }
    return "?";
}

const char *symbol(UnaryOp op) {
    switch (op) {
    case UnaryOp::Not: return "~";
    case UnaryOp::Negate: return "-";
    case UnaryOp::ReduceAnd: return "&";
    case UnaryOp::ReduceOr: return "|";
    case UnaryOp::ReduceXor: return "^";
    }
    return "?";
}

/** Small numbers are decimal, large ones hexadecimal: 8'd12, 32'hdeadbeef. */
std::string literal_text(const ExprNode &n) {
    unsigned long long value = n.name.size() <= 4 ? std::stoull(n.name, nullptr, 16) : 0;
    bool small = n.name.size() <= 4;
    return std::to_string(n.width) + (small ? "'d" + std::to_string(value) : "'h" + n.name);
}

class Printer {
public:
    explicit Printer(const std::set<std::string> &names) : names(names) {}

    /** `whole`: the expression stands alone on a right-hand side or between braces, so its signedness is its own. */
    std::string text(const Expr &e, bool whole = true) const {
        if (!e.defined()) refuse("an undefined expression");
        const ExprNode &n = e.get();
        switch (n.kind) {
        case ExprNode::Kind::Name:
            if (!names.count(n.name)) refuse("name " + n.name + " is used before it is declared");
            return n.name;
        case ExprNode::Kind::Literal: return literal_text(n);
        case ExprNode::Kind::Unary: return symbol(n.unary) + operand(n.args[0], 13, true);
        case ExprNode::Kind::Binary: {
            int p = precedence(n);
            if (n.is_signed) {
                bool shift = n.binary == BinaryOp::Shl || n.binary == BinaryOp::Shr || n.binary == BinaryOp::Sra;
                std::string right = shift ? operand(n.args[1], p + 1) : "$signed(" + text(n.args[1]) + ")";
                std::string all = "$signed(" + text(n.args[0]) + ") " + symbol(n.binary) + " " + right;
                // Inside of an unsigned expression the shift would be logical; braces keep it apart.
                return n.binary == BinaryOp::Sra && !whole ? "{" + all + "}" : all;
            }
            return operand(n.args[0], p) + " " + symbol(n.binary) + " " + operand(n.args[1], p + 1);
        }
        case ExprNode::Kind::Select:
            return operand(n.args[0], 2) + " ? " + operand(n.args[1], 2) + " : " + operand(n.args[2], 1);
        case ExprNode::Kind::Concat: {
            std::string all = "{";
            for (size_t i = 0; i < n.args.size(); ++i) all += (i ? ", " : "") + text(n.args[i]);
            return all + "}";
        }
        case ExprNode::Kind::Repeat: return "{" + std::to_string(n.count) + "{" + text(n.args[0]) + "}}";
        case ExprNode::Kind::Slice:
            return text(n.args[0]) + "[" + std::to_string(n.high) + ":" + std::to_string(n.low) + "]";
        case ExprNode::Kind::Index: return text(n.args[0]) + "[" + std::to_string(n.low) + "]";
        }
        refuse("an expression of no kind");
    }

private:
    std::string operand(const Expr &e, int at_least, bool unary = false) const {
        if (!e.defined()) refuse("an undefined operand");
        const ExprNode &n = e.get();
        bool braces = precedence(n) < at_least || (unary && n.kind == ExprNode::Kind::Unary);
        // Mixed bit operators and comparisons read better with parentheses than by the table.
        if (!braces && n.kind == ExprNode::Kind::Binary && precedence(n) <= 9 && at_least >= 4 && at_least != precedence(n)) braces = true;
        if (!braces && n.kind == ExprNode::Kind::Binary && at_least == 2) braces = true;
        std::string all = text(e, false);
        return braces ? "(" + all + ")" : all;
    }

    const std::set<std::string> &names;
};

std::string vector_of(int width) { return width == 1 ? "" : "[" + std::to_string(width - 1) + ":0] "; }

std::string pad(const std::string &text, size_t width) { return text.size() < width ? text + std::string(width - text.size(), ' ') : text; }

void comment_lines(std::ostream &out, const std::string &text, const std::string &indent) {
    if (text.empty()) return;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) out << indent << (line.empty() ? "//" : "// " + line) << "\n";
}

std::string trailing(const std::string &comment) {
    if (comment.find('\n') != std::string::npos) refuse("a trailing comment of several lines");
    return comment.empty() ? "" : "  // " + comment;
}

class ModulePrinter {
public:
    std::string print(const Module &m) {
        out << "`default_nettype none\n\n";
        comment_lines(out, m.comment, "");
        out << "module " << m.name << " (\n";
        size_t width = 0;
        for (const Port &p : m.ports) width = std::max(width, vector_of(p.width).size());
        for (size_t i = 0; i < m.ports.size(); ++i) {
            const Port &p = m.ports[i];
            declare(p.name, p.width);
            out << "    " << (p.direction == Direction::Input ? "input  wire " : "output wire ") << pad(vector_of(p.width), width)
                << p.name << (i + 1 < m.ports.size() ? "," : "") << trailing(p.comment) << "\n";
        }
        out << ");\n";
        for (const Item &item : m.items) std::visit([this](const auto &i) { print_item(i); }, item);
        out << "endmodule\n\n`default_nettype wire\n";
        return out.str();
    }

private:
    void declare(const std::string &name, int width) {
        if (name.empty() || width < 1) refuse("a declaration without name or bits");
        if (!names.insert(name).second) refuse("name " + name + " is declared twice");
    }

    std::string text(const Expr &e) { return Printer(names).text(e); }

    void same_width(const Expr &target, const Expr &value, const std::string &what) {
        if (target.width() != value.width())
            refuse(what + ": " + std::to_string(value.width()) + " bits for " + std::to_string(target.width()));
    }

    void print_item(const Wire &w) {
        std::string value;
        if (w.value.defined()) {
            if (w.value.width() != w.width) refuse(w.name + ": " + std::to_string(w.value.width()) + " bits for " + std::to_string(w.width));
            value = " = " + text(w.value);
        }
        declare(w.name, w.width);
        if (w.keep && !w.value.defined()) refuse(w.name + ": nothing to keep apart");
        // Icarus takes no attribute where a net is declared and assigned in one.
        const std::string declared = vector_of(w.width) + w.name;
        if (w.keep) out << "    (* keep *) wire " << declared << ";\n    assign " << w.name;
        else out << "    wire " << declared;
        out << value << ";" << trailing(w.comment) << "\n";
    }

    void print_item(const Reg &r) {
        declare(r.name, r.width);
        out << "    reg  " << vector_of(r.width) << r.name;
        if (r.depth > 0) out << " [0:" << r.depth - 1 << "]";
        out << ";" << trailing(r.comment) << "\n";
    }

    void print_item(const Assign &a) {
        same_width(a.target, a.value, "assign");
        out << "    assign " << text(a.target) << " = " << text(a.value) << ";" << trailing(a.comment) << "\n";
    }

    void print_update(const Update &u, const std::string &indent) {
        same_width(u.target, u.value, text(u.target));
        out << indent << text(u.target) << " <= " << text(u.value) << ";" << trailing(u.comment) << "\n";
    }

    void print_item(const Clocked &c) {
        if (c.updates.empty()) refuse("a clocked block without registers");
        if (!names.count(c.clock)) refuse("clock " + c.clock + " is not declared");
        out << "    always @(posedge " << c.clock << ") begin\n";
        bool resets = false;
        for (size_t i = 0; i < c.updates.size();) {
            const Update &first = c.updates[i];
            if (!first.enable.defined()) {
                print_update(first, "        ");
                resets |= first.reset_to.defined();
                ++i;
                continue;
            }
            std::string enable = text(first.enable);
            if (first.enable.width() != 1) refuse("an enable of several bits");
            out << "        if (" << enable << ") begin\n";
            for (; i < c.updates.size() && c.updates[i].enable.defined() && text(c.updates[i].enable) == enable; ++i) {
                print_update(c.updates[i], "            ");
                resets |= c.updates[i].reset_to.defined();
            }
            out << "        end\n";
        }
        if (resets) {
            if (!names.count(c.reset)) refuse("reset " + c.reset + " is not declared");
            out << "        if (" << c.reset << ") begin\n";
            for (const Update &u : c.updates) {
                if (!u.reset_to.defined()) continue;
                same_width(u.target, u.reset_to, text(u.target));
                out << "            " << text(u.target) << " <= " << text(u.reset_to) << ";\n";
            }
            out << "        end\n";
        }
        out << "    end\n";
    }

    void print_item(const Instance &i) {
        comment_lines(out, i.comment, "    ");
        out << "    " << i.module << " ";
        if (!i.parameters.empty()) {
            out << "#(\n";
            for (size_t k = 0; k < i.parameters.size(); ++k)
                out << "        ." << i.parameters[k].first << "(" << i.parameters[k].second << ")" << (k + 1 < i.parameters.size() ? "," : "") << "\n";
            out << "    ) ";
        }
        declare(i.name, 1);
        out << i.name << " (\n";
        for (size_t k = 0; k < i.connections.size(); ++k) {
            const auto &[port, value] = i.connections[k];
            out << "        ." << port << "(" << (value.defined() ? text(value) : "") << ")" << (k + 1 < i.connections.size() ? "," : "") << "\n";
        }
        out << "    );\n";
    }

    void print_item(const Comment &c) {
        out << "\n";
        comment_lines(out, c.text, "    ");
    }

    std::ostringstream out;
    std::set<std::string> names;
};

}  // namespace

std::string print(const Module &m) { return ModulePrinter().print(m); }

}  // namespace argent::verilog
