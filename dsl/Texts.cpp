#include "dsl/Texts.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>

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

std::string shown(const Halide::Func &f) {
    const std::string name = f.name();
    if (f.defined()) {
        const Halide::Internal::Call *call = f.function().is_wrapper();
        const bool is_image = call && call->call_type == Halide::Internal::Call::Image && call->param.defined();
        if (is_image && name.size() > 3 && name.find("_im") != std::string::npos) return user_name(call->param.name());
    }
    return user_name(name);
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
    std::ostringstream out;
    out << Halide::Internal::substitute_in_all_lets(e);
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

std::string accelerate_text(const AcceleratorSpec &spec) {
    std::vector<std::string> outs, inputs;
    for (const Halide::Func &f : spec.outs) outs.push_back(shown(f));
    for (const Halide::Func &f : spec.inputs) inputs.push_back(shown(f));
    return accelerate_text(outs.size() == 1 ? outs[0] : fmt::format("{{{}}}", fmt::join(outs, ", ")), inputs);
}

std::string block_text(const std::vector<std::pair<Halide::Var, int>> &extents) {
    std::vector<std::string> items;
    for (const auto &[var, extent] : extents) items.push_back(fmt::format("{{{}, {}}}", user_name(var.name()), extent));
    return items.empty() ? "block({})" : fmt::format("block({{{}}})", fmt::join(items, ", "));
}

std::string throughput_text(const std::string &x, int pixels, int clocks) {
    return clocks == 1 ? fmt::format("throughput({}, {})", x, pixels) :
                         fmt::format("throughput({}, {}, {})", x, pixels, clocks);
}

}  // namespace argent::dsl
