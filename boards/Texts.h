#ifndef ARGENT_BOARDS_TEXTS_H
#define ARGENT_BOARDS_TEXTS_H

#include <string>
#include <vector>

namespace argent::boards {

/** The TOML of the board of that name (compiled in), or null. */
const char *text_of(const std::string &name);

/** The names that text_of() knows, sorted. */
std::vector<std::string> names();

}  // namespace argent::boards

#endif
