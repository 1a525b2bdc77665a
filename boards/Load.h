#ifndef ARGENT_BOARDS_LOAD_H
#define ARGENT_BOARDS_LOAD_H

#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Board.h"

namespace argent::boards {

/** The board of that name, from its TOML (compiled in), or nothing. */
std::optional<hwgen::Board> load(const std::string &name);

/** The names that load() knows, sorted. */
std::vector<std::string> names();

}  // namespace argent::boards

#endif
