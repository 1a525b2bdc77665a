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

std::vector<std::string> cell_names() {
    std::vector<std::string> names;
    for (const auto &cell : embedded_cells) names.emplace_back(cell.first);
    return names;
}

std::set<std::string> outputs_of_cell(const std::string &name) {
    static const std::regex port(R"(\n\s*output\s+(?:wire|reg)\s+(?:signed\s*)?(?:\[[^\]]*\])?\s*(\w+))");
    std::set<std::string> outputs;
    for (const auto &[cell, body] : embedded_cells) {
        if (cell != name) continue;
        const std::string text = std::string(body).substr(0, std::string(body).find("\n);"));
        for (std::sregex_iterator i(text.begin(), text.end(), port), end; i != end; ++i) outputs.insert((*i)[1]);
    }
    if (outputs.empty()) throw std::logic_error("argent internal error in outputs_of_cell: no cell " + name);
    return outputs;
}

}  // namespace argent::hwgen
