#include "boards/Texts.h"

#include "boards/embedded.h"

namespace argent::boards {

const char *text_of(const std::string &name) {
    for (const auto &[board, text] : embedded_boards)
        if (name == board) return text;
    return nullptr;
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto &[board, text] : embedded_boards) list.push_back(board);
    return list;
}

}  // namespace argent::boards
