#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "Operators.h"
#include "Pipeline.h"

namespace argent::fuzz {

std::string name_of(Type t) {
    return t.is_bool() ? "bool" : fmt::format("{}{}", t.is_int() ? "i" : "u", t.bits());
}

namespace {

const std::vector<std::string> border_names = {"none", "edge", "mirror_image", "mirror_interior", "exterior", "repeat"};
const std::vector<std::string> channel_names = {"none", "planar", "interleaved", "first"};
const std::vector<std::string> output_names = {"one", "funcs", "tuple", "unrolled", "scanned"};

/** The value of an enumeration that is called so. */
template<typename E>
E value_of(const std::vector<std::string> &names, const std::string &name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::runtime_error("unknown word " + name);
    return static_cast<E>(found - names.begin());
}

}  // namespace

std::string name_of(Border b) { return border_names[static_cast<size_t>(b)]; }

bool parse_type(const std::string &s, Type &t) {
    if (s == "bool") {
        t = Halide::Bool();
        return true;
    }
    if (s.size() < 2 || s.size() > 3 || (s[0] != 'u' && s[0] != 'i')) return false;
    for (size_t i = 1; i < s.size(); i++) {
        if (!isdigit(s[i])) return false;
    }
    const int bits = std::stoi(s.substr(1));
    if (bits < 1 || bits > 64) return false;
    t = s[0] == 'u' ? Halide::UInt(bits) : Halide::Int(bits);
    return true;
}

std::string producer_name(const Pipeline &p, int index) {
    const int inputs = static_cast<int>(p.inputs.size());
    return index < inputs ? fmt::format("in{}", index) : fmt::format("f{}", index - inputs);
}

namespace {

/** c * rx + d: "rx+1", "-rx", "2rx-1", "3". */
std::string index_text(int c, const char *var, int d) {
    if (c == 0) return std::to_string(d);
    const std::string times = c == 1 ? var : c == -1 ? fmt::format("-{}", var) : fmt::format("{}{}", c, var);
    return d == 0 ? times : fmt::format("{}{}{}", times, d > 0 ? "+" : "", d);
}

std::string constant_text(const Term &t) {
    return (t.type.is_uint() ? std::to_string(static_cast<uint64_t>(t.value)) : std::to_string(t.value)) + ":" + name_of(t.type);
}

}  // namespace

std::string to_text(const Pipeline &p, const Term &t) {
    std::string args;
    for (const TermPtr &a : t.args) args += " " + to_text(p, *a);
    switch (t.kind) {
    case Term::Kind::Constant: return constant_text(t);
    case Term::Kind::Param: return fmt::format("p{}", t.index);
    case Term::Kind::Coord: return t.index ? "y" : "x";
    case Term::Kind::RVar: return t.index ? "ry" : "rx";
    case Term::Kind::Local: return fmt::format("t{}", t.index);
    case Term::Kind::Self: return "self";
    case Term::Kind::Read:
        return fmt::format("{}[{},{}]", producer_name(p, t.index), index_text(t.rx, "rx", t.dx), index_text(t.ry, "ry", t.dy));
    case Term::Kind::Table:
        if (!t.args.empty()) return fmt::format("(k{}{})", t.index, args);
        return fmt::format("k{}[{}]", t.index, t.ry ? index_text(t.ry, "ry", t.dx) : index_text(t.rx, "rx", t.dx));
    case Term::Kind::Reduce: return fmt::format("({} r{}{})", t.op, t.index, args);
    case Term::Kind::Operator: break;
    }
    return find_operator(t.op)->is_typed ? fmt::format("({}:{}{})", t.op, name_of(t.type), args) : fmt::format("({}{})", t.op, args);
}

std::string to_text(const Form &form) {
    if (form.is_plain() && !form.is_whole) return "";
    std::string s = "form";
    if (form.is_columns_first) s += " columns_first";
    if (form.planes) s += fmt::format(" planes {}", form.planes);
    if (form.has_unrolled_planes) s += " unrolled_planes";
    if (form.channels != Form::Channels::None) s += " channels " + channel_names[static_cast<size_t>(form.channels)];
    if (form.outputs != Form::Outputs::One) s += " outputs " + output_names[static_cast<size_t>(form.outputs)];
    for (int i : form.also) s += fmt::format(" also {}", i);
    if (form.has_loaded_tables) s += " loaded";
    if (form.tile[0]) s += fmt::format(" tile {} {}", form.tile[0], form.tile[1]);
    if (form.strip) s += fmt::format(" strip {}", form.strip);
    if (form.first >= 0) s += fmt::format(" {} {}", form.is_first_on_host ? "host" : "first", form.first);
    if (form.buffered >= 0) s += fmt::format(" buffered {}", form.buffered);
    if (form.wrapped >= 0) s += fmt::format(" wrapped {}", form.wrapped);
    if (form.has_streams) s += " streams";
    if (form.is_whole) s += " whole";
    return s + "\n";
}

std::string to_text(const Pipeline &p) {
    std::string s = fmt::format("# a pipeline of argent's fuzzer; test/fuzz/README.md tells how to read it\nseed {}\n", p.seed);
    s += fmt::format("block {} {}\nthroughput {} {}\nboard {} {}\n", p.block[0], p.block[1], p.pixels, p.clocks, p.board, p.mhz);
    const auto grid = [](const Grid &g) { return g == Grid{} ? "" : fmt::format(" grid {} {}", g.x, g.y); };
    const auto border = [](Border b) { return b == Border::None ? "" : " border " + name_of(b); };
    for (size_t i = 0; i < p.inputs.size(); i++) {
        s += fmt::format("input in{} {}{}{}\n", i, name_of(p.inputs[i]), grid(p.grid(int(i))), border(p.border(int(i))));
    }
    if (p.has_own_bounds) s += "bounds own\n";
    for (size_t i = 0; i < p.params.size(); i++) {
        const ParamDecl &d = p.params[i];
        s += fmt::format("param p{} {}", i, name_of(d.type));
        s += d.has_range ? fmt::format(" {} {}\n", d.min, d.max) : "\n";
    }
    for (size_t i = 0; i < p.tables.size(); i++) {
        s += fmt::format("table k{} {} {}", i, name_of(p.tables[i].type), p.tables[i].style);
        for (int64_t v : p.tables[i].values) s += fmt::format(" {}", v);
        s += "\n";
    }
    for (size_t i = 0; i < p.stages.size(); i++) {
        const Stage &f = p.stages[i];
        s += fmt::format("stage f{} {} {}{}{}{}\n", i, name_of(f.type), f.storage, f.share ? fmt::format(" share {}", f.share) : "", grid(f.grid), border(f.border));
        for (const ReductionDomain &r : f.domains) {
            s += fmt::format("  rdom {} {} {} {}", r.min_x, r.extent_x, r.min_y, r.extent_y);
            s += r.where ? " " + to_text(p, *r.where) + "\n" : "\n";
        }
        for (const TermPtr &t : f.lets) s += "  let " + to_text(p, *t) + "\n";
        s += "  value " + to_text(p, *f.value) + "\n";
        for (const Update &u : f.updates) s += fmt::format("  update r{} {}\n", u.domain, to_text(p, *u.value));
    }
    s += to_text(p.form);
    for (const Run &r : p.runs) {
        s += fmt::format("run {} {} at {} {} gaps {} seed {}", r.width, r.height, r.min_x, r.min_y, r.gaps, r.seed);
        if (r.left || r.right || r.above || r.below) s += fmt::format(" within {} {} {} {}", r.left, r.right, r.above, r.below);
        s += "\n";
    }
    return s;
}

namespace {

class Parser {
public:
    Pipeline p;

    void line(const std::string &text) {
        std::istringstream in(text);
        std::string word, name;
        if (!(in >> word) || word[0] == '#') return;
        if (word == "seed") {
            in >> p.seed;
        } else if (word == "block") {
            in >> p.block[0] >> p.block[1];
        } else if (word == "throughput") {
            in >> p.pixels >> p.clocks;
        } else if (word == "board") {
            in >> p.board >> p.mhz;
        } else if (word == "input") {
            in >> name;
            p.inputs.push_back(type(in));
            p.input_grids.resize(p.inputs.size());
            p.input_borders.resize(p.inputs.size());
            placement(in, p.input_grids.back(), p.input_borders.back());
            return;
        } else if (word == "bounds") {
            in >> word;
            if (word != "own") fail("no bounds: " + word);
            p.has_own_bounds = true;
        } else if (word == "param") {
            in >> name;
            ParamDecl d;
            d.type = type(in);
            if (in >> d.min) {
                in >> d.max;
                d.has_range = true;
            }
            p.params.push_back(d);
            return;
        } else if (word == "table") {
            Table t;
            in >> name;
            t.type = type(in);
            in >> t.style;
            for (int64_t v; in >> v;) t.values.push_back(v);
            p.tables.push_back(t);
            return;
        } else if (word == "stage") {
            Stage s;
            in >> name;
            s.type = type(in);
            in >> s.storage;
            std::streampos rest = in.tellg();
            if (in >> word && word == "share") in >> s.share;
            else in.clear(), in.seekg(rest);
            placement(in, s.grid, s.border);
            p.stages.push_back(s);
            return;
        } else if (word == "form") {
            form(in);
            return;
        } else if (word == "rdom") {
            ReductionDomain r;
            in >> r.min_x >> r.extent_x >> r.min_y >> r.extent_y;
            if (!in) fail("a number is missing");
            std::string rest;
            std::getline(in, rest);
            if (rest.find_first_not_of(' ') != std::string::npos) r.where = term(rest);
            stage().domains.push_back(r);
            return;
        } else if (word == "let" || word == "value" || word == "update") {
            std::string domain, rest;
            if (word == "update") in >> domain;
            std::getline(in, rest);
            const TermPtr t = term(rest, word == "update");
            if (word == "let") stage().lets.push_back(t);
            if (word == "value") stage().value = t;
            if (word == "update") stage().updates.push_back({std::stoi(domain.substr(1)), t});
            return;
        } else if (word == "run") {
            Run r;
            in >> r.width >> r.height >> word >> r.min_x >> r.min_y >> word >> r.gaps >> word >> r.seed;
            if (!in) fail("something is missing");
            if (in >> word && !(in >> r.left >> r.right >> r.above >> r.below)) fail("something is missing");
            p.runs.push_back(r);
            return;
        } else {
            fail("unknown word " + word);
        }
        if (!in) fail("something is missing");
    }

private:
    [[noreturn]] static void fail(const std::string &why) { throw std::runtime_error(why); }

    Stage &stage() {
        if (p.stages.empty()) fail("a stage must come first");
        return p.stages.back();
    }

    /** "grid 2 1", "border edge", both or nothing. */
    static void placement(std::istringstream &in, Grid &grid, Border &border) {
        for (std::string word; in >> word;) {
            if (word == "grid") {
                if (!(in >> grid.x >> grid.y)) fail("no grid: two numbers are missing");
            } else if (word == "border") {
                in >> word;
                border = value_of<Border>(border_names, word);
            } else {
                fail("neither grid nor border: " + word);
            }
        }
    }

    void form(std::istringstream &in) {
        Form &f = p.form;
        for (std::string word; in >> word;) {
            std::string name;
            if (word == "columns_first") f.is_columns_first = true;
            else if (word == "unrolled_planes") f.has_unrolled_planes = true;
            else if (word == "loaded") f.has_loaded_tables = true;
            else if (word == "planes") in >> f.planes;
            else if (word == "strip") in >> f.strip;
            else if (word == "streams") f.has_streams = true;
            else if (word == "whole") f.is_whole = true;
            else if (word == "first" || word == "host") in >> f.first, f.is_first_on_host = word == "host";
            else if (word == "wrapped") in >> f.wrapped;
            else if (word == "buffered") in >> f.buffered;
            else if (word == "tile") in >> f.tile[0] >> f.tile[1];
            else if (word == "also") f.also.push_back(0), in >> f.also.back();
            else if (word == "channels" && in >> name) f.channels = value_of<Form::Channels>(channel_names, name);
            else if (word == "outputs" && in >> name) f.outputs = value_of<Form::Outputs>(output_names, name);
            else fail("no form: " + word);
            if (!in) fail(word + ": something is missing");
        }
    }

    static Type type(std::istringstream &in) {
        std::string s;
        Type t;
        in >> s;
        if (!parse_type(s, t)) fail("no type: " + s);
        return t;
    }

    TermPtr term(const std::string &s, bool in_update = false) {
        text = s, at = 0;
        self_type = in_update ? stage().type : Type();
        const TermPtr t = parse();
        if (!next().empty()) fail("more than one expression");
        return t;
    }

    std::string next() {
        while (at < text.size() && isspace(text[at])) at++;
        const size_t from = at;
        if (at < text.size() && (text[at] == '(' || text[at] == ')')) return text.substr(at++, 1);
        while (at < text.size() && !isspace(text[at]) && text[at] != '(' && text[at] != ')') at++;
        return text.substr(from, at - from);
    }

    static int number(const std::string &s) {
        if (s.empty() || s.find_first_not_of("0123456789") != std::string::npos) fail("no number: " + s);
        return std::stoi(s);
    }

    /** "2rx-1" -> which variable ('x', 'y' or 0), its factor and the constant. */
    static char affine(const std::string &s, int &factor, int &constant) {
        const size_t r = s.find('r');
        if (r == std::string::npos) {
            factor = 0, constant = std::stoi(s);
            return 0;
        }
        const std::string times = s.substr(0, r), plus = s.substr(r + 2);
        factor = times.empty() ? 1 : times == "-" ? -1 : std::stoi(times);
        constant = plus.empty() ? 0 : std::stoi(plus);
        return s.at(r + 1);
    }

    TermPtr leaf(const std::string &s) {
        auto t = std::make_shared<Term>();
        const size_t colon = s.find(':'), bracket = s.find('[');
        if (colon != std::string::npos) {
            t->kind = Term::Kind::Constant;
            if (!parse_type(s.substr(colon + 1), t->type)) fail("no type: " + s);
            t->value = t->type.is_uint() ? static_cast<int64_t>(std::stoull(s)) : std::stoll(s);
        } else if (s == "x" || s == "y") {
            t->kind = Term::Kind::Coord, t->index = s == "y", t->type = Halide::Int(32);
        } else if (s == "rx" || s == "ry") {
            t->kind = Term::Kind::RVar, t->index = s == "ry", t->type = Halide::Int(32);
        } else if (s == "self") {
            if (self_type.bits() == 0) fail("self outside of an update");
            t->kind = Term::Kind::Self, t->type = self_type;
        } else if (bracket != std::string::npos) {
            const std::string name = s.substr(0, bracket), inside = s.substr(bracket + 1, s.size() - bracket - 2);
            if (name[0] == 'k') {
                t->kind = Term::Kind::Table;
                t->index = number(name.substr(1));
                t->type = p.tables.at(t->index).type;
                int factor;
                (affine(inside, factor, t->dx) == 'y' ? t->ry : t->rx) = factor;
            } else {
                t->kind = Term::Kind::Read;
                t->index = name[0] == 'f' ? number(name.substr(1)) + int(p.inputs.size()) : number(name.substr(2));
                if (t->index >= int(p.inputs.size() + p.stages.size()) - 1 && name[0] == 'f') fail(name + " is not defined here");
                t->type = p.producer_type(t->index);
                const size_t comma = inside.find(',');
                affine(inside.substr(0, comma), t->rx, t->dx);
                affine(inside.substr(comma + 1), t->ry, t->dy);
            }
        } else if (s[0] == 'p') {
            t->kind = Term::Kind::Param, t->index = number(s.substr(1)), t->type = p.params.at(t->index).type;
        } else if (s[0] == 't') {
            t->kind = Term::Kind::Local, t->index = number(s.substr(1)), t->type = stage().lets.at(t->index)->type;
        } else {
            fail("no expression: " + s);
        }
        return t;
    }

    TermPtr parse() {
        const std::string word = next();
        if (word.empty()) fail("an expression is missing");
        if (word != "(") return leaf(word);
        auto t = std::make_shared<Term>();
        std::string name = next();
        const size_t colon = name.find(':');
        if (colon != std::string::npos && !parse_type(name.substr(colon + 1), t->type)) fail("no type: " + name);
        t->op = name.substr(0, colon);
        if (is_reduction(t->op)) {
            t->kind = Term::Kind::Reduce;
            t->index = number(next().substr(1));
        } else if (t->op.size() > 1 && t->op[0] == 'k' && std::isdigit(static_cast<unsigned char>(t->op[1]))) {
            t->kind = Term::Kind::Table;
            t->index = number(t->op.substr(1));
            t->op.clear();
        } else {
            t->kind = Term::Kind::Operator;
        }
        for (;;) {
            const size_t before = at;
            if (next() == ")") break;
            at = before;
            t->args.push_back(parse());
        }
        if (t->kind == Term::Kind::Reduce) {
            if (t->args.size() != 1) fail(name + " needs one expression");
            t->type = t->args[0]->type;
            return t;
        }
        if (t->kind == Term::Kind::Table) {
            if (t->args.size() != 1) fail(name + " needs one expression");
            t->type = p.tables.at(t->index).type;
            return t;
        }
        const Operator *op = find_operator(t->op);
        if (!op) fail("no operator: " + t->op);
        std::vector<Type> types;
        for (const TermPtr &a : t->args) types.push_back(a->type);
        t->type = op->result(t->type, types);
        if (t->type.bits() == 0) fail(t->op + " does not take these operands");
        return t;
    }

    std::string text;
    size_t at = 0;
    Type self_type;
};

}  // namespace

Pipeline from_text(const std::string &text) {
    Parser parser;
    std::istringstream in(text);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        number++;
        try {
            parser.line(line);
        } catch (const std::exception &e) {
            throw std::runtime_error(fmt::format("line {}: {}\n  {}", number, e.what(), line));
        }
    }
    return parser.p;
}

}  // namespace argent::fuzz
