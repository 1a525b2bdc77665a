#include "dsl/Texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "dsl/Capture.h"

namespace argent::dsl {

std::string user_name(const std::string &full) {
    std::string name = full;   // a clone of a copy has several numbers: a$1$0
    for (size_t last = name.rfind('$'); last != std::string::npos && last > 0 && last + 1 < name.size() &&
                                        name.find_first_not_of("0123456789", last + 1) == std::string::npos;
         last = name.rfind('$')) {
        name.resize(last);
    }
    const size_t dollar = name.find('$');
    if (dollar == std::string::npos || dollar == 0) return name;
    const std::string rest = name.substr(dollar + 1);
    const bool is_number = rest.find_first_not_of("0123456789") == std::string::npos;
    // An RDom's variables are <rdom>$<number>$x or <rdom>$x.
    const size_t second = rest.find('$');
    if (second != std::string::npos) return name.substr(0, dollar) + "." + rest.substr(second + 1);
    return is_number ? name.substr(0, dollar) : name.substr(0, dollar) + "." + rest;
}

bool is_named(const std::string &func) {
    const std::string plain = user_name(func);
    static const std::set<std::string> reductions = {"sum", "product", "maximum", "minimum", "argmax", "argmin", "saturating_sum"};
    const bool is_numbered = plain.size() > 1 && plain[0] == 'f' && plain.find_first_not_of("0123456789", 1) == std::string::npos;
    const bool is_lambda = is_numbered || plain.rfind("lambda_", 0) == 0;
    const bool is_wrapper = plain.find("_in_") != std::string::npos || plain.find("_global_wrapper") != std::string::npos;
    return !is_lambda && !is_wrapper && reductions.count(plain) == 0;
}

namespace {

/** The image that a Func stands for: Halide's own Func of an ImageParam or Input<Buffer> is called <image>_im, and around that
 *  BoundaryConditions put a lambda. */
std::string image_behind(const Halide::Internal::Function &f) {
    using Halide::Internal::Call;
    const bool is_image = f.name().find("_im") != std::string::npos, is_lambda = f.name().rfind("lambda_", 0) == 0;
    if ((!is_image && !is_lambda) || !f.has_pure_definition() || f.has_extern_definition()) return "";
    const Call *call = f.is_wrapper();
    if (call && is_lambda && call->call_type == Call::Halide && call->func.defined()) return image_behind(Halide::Internal::Function(call->func));
    return call && call->call_type == Call::Image && call->param.defined() ? call->param.name() : "";
}

/** in_im(x, y) -> in(x, y) */
class ImagesByName : public Halide::Internal::IRMutator {
    using IRMutator::visit;
    Halide::Expr visit(const Halide::Internal::Call *op) override {
        const Halide::Expr e = IRMutator::visit(op);
        const auto *call = e.as<Halide::Internal::Call>();
        if (!call || call->call_type != Halide::Internal::Call::Halide || !call->func.defined()) return e;
        const std::string image = image_behind(Halide::Internal::Function(call->func));
        return image.empty() ? e : Halide::Internal::Call::make(call->type, image, call->args, Halide::Internal::Call::PureExtern);
    }
};

/** Roughly how long the text of an expression is, in which what is shared stands as often as it is read: x * x of y * y of ... soon fills all memory. */
class TextSize : public Halide::Internal::IRGraphVisitor {
public:
    explicit TextSize(const Halide::Expr &e) { include(e); }
    int64_t nodes = 0, calls_and_sums = 0;   // 2 for a call

protected:
    void include(const Halide::Expr &e) override {
        constexpr int64_t many = 1 << 30;
        const auto [it, is_new] = known.emplace(e.get(), std::make_pair(0, 0));
        if (is_new) {
            const auto before = std::make_pair(nodes, calls_and_sums);
            nodes = 1, calls_and_sums = e.as<Halide::Internal::Call>() ? 2 : e.as<Halide::Internal::Add>() ? 1 : 0;
            e.accept(this);
            known[e.get()] = {nodes, calls_and_sums};
            std::tie(nodes, calls_and_sums) = before;
        }
        nodes = std::min(many, nodes + known[e.get()].first);
        calls_and_sums = std::min(many, calls_and_sums + known[e.get()].second);
    }

private:
    std::map<const Halide::Internal::IRNode *, std::pair<int64_t, int64_t>> known;
};

std::string text_of(const Halide::Expr &e) { return (std::ostringstream() << e).str(); }

/** A variable in place of an expression, called after what it is made of; each node once. */
class Digest : public Halide::Internal::IRGraphMutator {
public:
    using IRGraphMutator::mutate;
    Halide::Expr mutate(const Halide::Expr &e) override {
        const auto known = digests.find(e.get());
        if (known != digests.end()) return known->second;
        uint64_t hash = 14695981039346656037u;   // FNV-1a
        for (unsigned char c : text_of(IRGraphMutator::mutate(e))) hash = (hash ^ c) * 1099511628211u;
        return digests[e.get()] = Halide::Internal::Variable::make(e.type(), fmt::format("#{:016x}", hash));
    }

private:
    std::map<const Halide::Internal::IRNode *, Halide::Expr> digests;
};

}  // namespace

std::string key_of(const Halide::Expr &e) {
    constexpr int64_t most_nodes = 2000;
    return text_of(TextSize(e).nodes > most_nodes ? Digest().mutate(e) : e);
}

std::string shown(const Halide::Func &f) {
    const std::string image = f.defined() ? image_behind(f.function()) : "";
    return user_name(image.empty() ? f.name() : image);
}

std::string list_of(const std::vector<std::string> &names, const std::string &last) {
    std::string text;
    for (size_t i = 0; i < names.size(); i++) {
        if (i > 0) text += i + 1 == names.size() ? " " + last + " " : ", ";
        text += names[i];
    }
    return text;
}

std::string shown(const Halide::Expr &e) {
    constexpr int64_t most_nodes = 100000;
    const Halide::Expr whole = Halide::Internal::substitute_in_all_lets(e);
    if (TextSize(whole).nodes > most_nodes) return "(many operators)";
    std::ostringstream out;
    out << ImagesByName().mutate(whole);
    static const std::regex rvar(R"(\$\d*\$?([a-zA-Z_]\w*))");                    // r$x, r$3$x -> r.x
    static const std::regex suffix(R"(\$\d+)");                                    // f$1 -> f
    static const std::regex type(R"(\((u?int\d+|float\d+|bool|uint1)\)(?=[a-zA-Z_]))");   // (uint8)f(x) -> f(x)
    std::string text = std::regex_replace(std::regex_replace(out.str(), rvar, ".$1"), suffix, "");
    text = std::regex_replace(text, type, "");
    // (x*x) -> x*x, if these two belong together
    int depth = 0;
    for (size_t i = 0; i < text.size() && !text.empty() && text[0] == '('; i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i + 1 == text.size() ? text.substr(1, i - 1) : text;
    }
    return text;
}

std::string shown(const Location &l) {
    return fmt::format("{}:{}", l.file, l.line);
}

std::string accelerate_text(const std::string &out, const std::vector<std::string> &inputs) {
    return fmt::format("accelerate({}, {{{}}})", out, fmt::join(inputs, ", "));
}

std::vector<std::string> names_of(const std::vector<Halide::Func> &funcs) {
    std::vector<std::string> names;
    for (const Halide::Func &f : funcs) names.push_back(shown(f));
    return names;
}

std::string outs_text(const AcceleratorSpec &spec) {
    const std::vector<std::string> outs = names_of(spec.outs);
    return outs.size() == 1 ? outs[0] : fmt::format("{{{}}}", fmt::join(outs, ", "));
}

std::string accelerate_text(const AcceleratorSpec &spec) {
    return accelerate_text(outs_text(spec), names_of(spec.inputs));
}

std::string block_text(const std::vector<std::pair<Halide::Var, int>> &extents) {
    std::vector<std::string> items;
    for (const auto &[var, extent] : extents) items.push_back(fmt::format("{{{}, {}}}", user_name(var.name()), extent));
    return items.empty() ? "block({})" : fmt::format("block({{{}}})", fmt::join(items, ", "));
}

std::string storage_text(const StorageDirective &s) {
    static const char *const names[] = {"linebuffer", "inlined", "buffered"};
    return fmt::format("{}({})", names[static_cast<int>(s.kind)], shown(s.func));
}

std::string throughput_text(const std::string &x, int pixels, int clocks) {
    return clocks == 1 ? fmt::format("throughput({}, {})", x, pixels) :
                         fmt::format("throughput({}, {}, {})", x, pixels, clocks);
}

std::string printed(const Halide::Expr &e) {
    constexpr size_t longest = 300;
    constexpr int64_t most_calls_and_sums = 200;
    const TextSize size(e);
    if (size.calls_and_sums > most_calls_and_sums) return fmt::format("({} operators)", size.calls_and_sums);
    const std::string text = shown(e);
    return text.size() > longest ? text.substr(0, longest) + " ..." : text;
}

std::string fifo_text(const FifoDirective &f) {
    return fmt::format("fifo_depth({}, {}, {})", user_name(f.from.name()), user_name(f.to.name()), f.elements);
}

std::string time_share_text(const TimeShareDirective &t) {
    return fmt::format("time_share({}, {})", user_name(t.func.name()), t.clocks);
}

}  // namespace argent::dsl
