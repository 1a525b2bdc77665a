#include "Types.h"

#include <stdexcept>

namespace argent::runtime {

Type parse_type(const std::string &text) {
    if (text == "bool") return {"uint", 1};
    size_t digits = text.find_first_of("0123456789");
    if (digits == std::string::npos) throw std::runtime_error("manifest: unknown type " + text);
    return {text.substr(0, digits), std::stoi(text.substr(digits))};
}

std::string c_type(const std::string &text) {
    if (text == "bool") return "bool";
    Type t = parse_type(text);
    if (t.kind == "float") return t.bits == 64 ? "double" : t.bits == 32 ? "float" : "uint16_t";
    if (t.kind == "bfloat") return "uint16_t";
    return text + "_t";
}

}  // namespace argent::runtime
