#ifndef ARGENT_BOARDS_LOAD_H
#define ARGENT_BOARDS_LOAD_H

#include <optional>
#include <string>

#include "boards/Texts.h"
#include "hwgen/ir/Board.h"

namespace argent::boards {

/** The board of that name, from its TOML (compiled in), or nothing. */
std::optional<hwgen::Board> load(const std::string &name);

}  // namespace argent::boards

#endif
