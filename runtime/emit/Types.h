#ifndef ARGENT_RUNTIME_EMIT_TYPES_H
#define ARGENT_RUNTIME_EMIT_TYPES_H

#include <string>

namespace argent::runtime {

/** A type of manifest.json. */
struct Type {
    std::string kind;  // int, uint, float, bfloat
    int bits = 0;
};

/** Throws std::runtime_error. */
Type parse_type(const std::string &text);

/** What C calls it. */
std::string c_type(const std::string &text);

}  // namespace argent::runtime

#endif
