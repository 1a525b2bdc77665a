#include "Refusal.h"

#include <map>

namespace argent::test {
namespace {

std::map<char, std::string> &marks() {
    static std::map<char, std::string> places;
    return places;
}

void replace_all(std::string &text, const std::string &from, const std::string &to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        const size_t end = at + from.size();
        if (end < text.size() && isdigit(text[end])) continue;   // line 4 is not line 42
        text.replace(at, from.size(), to);
    }
}

}  // namespace

void mark(char letter, const std::string &file, int line) {
    marks()[letter] = file + ":" + std::to_string(line);
}

std::string refusal_of(const std::function<void()> &action) {
    marks().clear();
    try {
        action();
    } catch (const argent::Error &e) {
        std::string text = e.what();
        for (const auto &[letter, place] : marks()) replace_all(text, place, std::string("@") + letter);
        return text;
    }
    return "no error";
}

std::string refusal(const std::function<Halide::Func()> &make) {
    return refusal_of([&] { argent::realize(make(), {16, 8}); });
}

Halide::Func host_image(const std::string &name, Halide::Type type) {
    Halide::Func image(name);
    Halide::Var x("x"), y("y");
    image(x, y) = Halide::cast(type, x * 3 + y * 5);
    return image;
}

}  // namespace argent::test
