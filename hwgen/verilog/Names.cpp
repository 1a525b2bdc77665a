#include "hwgen/verilog/Names.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <unordered_set>

// The rule. Letters, digits and underscores stay. What a Verilog name cannot hold becomes `__` and a letter:
//   $ -> __d    . -> __p    any other byte -> __xHH    an underscore that another one follows -> __u
// A name that does not start with a letter gets `f__n` in front: that is its stem. A reserved word, and a reserved word
// followed by underscores, gets one more underscore where it stands alone.
// `__` and one of d p x u n is never left in a name by anything else, so the rule can be undone: it is injective.

namespace argent::verilog {

namespace {

const std::unordered_set<std::string> &reserved_words() {
    static const std::unordered_set<std::string> words = {
        // Verilog-2001 and SystemVerilog
        "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign", "assume",
        "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0", "bufif1", "byte", "case",
        "casex", "casez", "cell", "chandle", "checker", "class", "clocking", "cmos", "config", "const", "constraint", "context",
        "continue", "cover", "covergroup", "coverpoint", "cross", "deassign", "default", "defparam", "design", "disable", "dist",
        "do", "edge", "else", "end", "endcase", "endchecker", "endclass", "endclocking", "endconfig", "endfunction",
        "endgenerate", "endgroup", "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram", "endproperty",
        "endsequence", "endspecify", "endtable", "endtask", "enum", "event", "eventually", "expect", "export", "extends",
        "extern", "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function", "generate",
        "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins", "implements", "implies",
        "import", "incdir", "include", "initial", "inout", "input", "inside", "instance", "int", "integer", "interconnect",
        "interface", "intersect", "join", "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam",
        "logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand", "negedge", "nettype", "new",
        "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package", "packed",
        "parameter", "pmos", "posedge", "primitive", "priority", "program", "property", "protected", "pull0", "pull1",
        "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase", "randsequence",
        "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat", "restrict", "return", "rnmos", "rpmos",
        "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared",
        "sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve", "specify", "specparam",
        "static", "string", "strong", "strong0", "strong1", "struct", "super", "supply0", "supply1", "sync_accept_on",
        "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time", "timeprecision", "timeunit", "tran",
        "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type", "typedef", "union", "unique",
        "unique0", "unsigned", "until", "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait",
        "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within", "wor", "xnor", "xor",
        // words of C++, which Verilator warns about (SYMRSVDWORD)
        "abs", "alignas", "alignof", "and_eq", "asm", "atomic_cancel", "atomic_commit", "atomic_noexcept", "auto", "bitand",
        "bitor", "bool", "catch", "char", "char16_t", "char32_t", "co_await", "co_return", "co_yield", "compl", "concept",
        "const_cast", "constexpr", "decltype", "delete", "double", "dynamic_cast", "explicit", "false", "float", "friend",
        "goto", "inline", "long", "main", "mutable", "namespace", "noexcept", "not_eq", "nullptr", "operator", "or_eq",
        "override", "private", "public", "register", "reinterpret_cast", "requires", "short", "sizeof", "static_assert",
        "static_cast", "switch", "synchronized", "template", "thread_local", "throw", "true", "try", "typeid", "typename",
        "using", "volatile", "wchar_t", "xor_eq"};
    return words;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_reserved(const std::string &word) {
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return reserved_words().count(lower) > 0;
}

std::string stem(const std::string &name) {
    std::string out;
    for (size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (is_letter(c) || is_digit(c)) {
            out += c;
        } else if (c == '_') {
            out += i + 1 < name.size() && name[i + 1] == '_' ? "__u" : "_";
        } else if (c == '$') {
            out += "__d";
        } else if (c == '.') {
            out += "__p";
        } else {
            char hex[8];
            std::snprintf(hex, sizeof hex, "__x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += hex;
        }
    }
    return out.empty() || !is_letter(out[0]) ? "f__n" + out : out;
}

std::string legal(const std::string &name) {
    const std::string out = stem(name);
    std::string word = out;
    while (!word.empty() && word.back() == '_') word.pop_back();
    return is_reserved(word) ? out + "_" : out;
}

std::string Scope::fresh(const std::string &wish) { return unique(legal(wish)); }

std::string Scope::temporary(const std::string &wish) { return unique("_" + wish); }

std::string Scope::unique(const std::string &name) {
    std::string candidate = name;
    // The number goes on from the last one given for this name, so that a thousand sums stay cheap.
    for (int &n = next[name]; !used.insert(candidate).second;) {
        n = n == 0 ? 2 : n + 1;
        candidate = name + "_" + std::to_string(n);
    }
    return candidate;
}

}  // namespace argent::verilog
