#include "hwgen/rtl/Cells.h"

#include <regex>
#include <stdexcept>

#include "hwgen/rtl/embedded.h"

namespace argent::hwgen {

std::map<std::string, std::string> cells_with_parts(const std::vector<std::string> &names) {
    std::map<std::string, std::string> all, found;
    for (const auto &[name, text] : embedded_cells) all.emplace(name, text);
    std::vector<std::string> todo = names;
    static const std::regex instance(R"(\n\s*(ag_\w+)\s*#)");
    while (!todo.empty()) {
        const std::string name = todo.back();
        todo.pop_back();
        const auto cell = all.find(name);
        if (cell == all.end()) throw std::logic_error("argent internal error in cells_with_parts: no cell " + name);
        if (!found.emplace(name + ".v", cell->second).second) continue;
        const std::string &text = cell->second;
        for (std::sregex_iterator i(text.begin(), text.end(), instance), end; i != end; ++i) {
            if ((*i)[1] != name && all.count((*i)[1])) todo.push_back((*i)[1]);
        }
    }
    return found;
}

}  // namespace argent::hwgen
