#include "WellFormed.h"

#include <regex>
#include <set>
#include <vector>

namespace {

/** The first & in `text` that begins no entity, or npos. */
size_t bare_ampersand(const std::string &text) {
    static const std::regex entity("^&(amp|lt|gt|quot|#[0-9]+);");
    for (size_t i = text.find('&'); i != std::string::npos; i = text.find('&', i + 1)) {
        if (!std::regex_search(text.substr(i, 12), entity)) return i;
    }
    return std::string::npos;
}

}  // namespace

std::string not_well_formed(const std::string &html) {
    static const std::regex attribute(R"re(\s+([A-Za-z_:][-\w:]*)="([^"<]*)")re");
    std::vector<std::string> open;
    std::set<std::string> ids;
    std::vector<std::string> targets;
    const std::string doctype = "<!DOCTYPE html>";
    if (html.compare(0, doctype.size(), doctype) != 0) return "no doctype";
    size_t at = doctype.size();
    const auto here = [&] { return " at \"" + html.substr(at, 60) + "\""; };
    while (at < html.size()) {
        const size_t tag = std::min(html.find('<', at), html.size());
        const std::string text = html.substr(at, tag - at);
        if (text.find('>') != std::string::npos || bare_ampersand(text) != std::string::npos)
            return "bare > or & in text" + here();
        at = tag;
        if (at == html.size()) break;
        // a quoted value holds no bare < or >, because both are escaped in it
        const size_t end = html.find('>', at);
        if (end == std::string::npos) return "tag without end" + here();
        std::string inside = html.substr(at + 1, end - at - 1);
        if (!inside.empty() && inside[0] == '/') {
            if (open.empty() || open.back() != inside.substr(1))
                return "closes what is not open" + here();
            open.pop_back();
            at = end + 1;
            continue;
        }
        const bool empty = !inside.empty() && inside.back() == '/';
        if (empty) inside.pop_back();
        size_t name_end = 0;
        while (name_end < inside.size() &&
               std::isalnum(static_cast<unsigned char>(inside[name_end])))
            name_end++;
        const std::string name = inside.substr(0, name_end);
        if (name.empty()) return "tag without name" + here();
        std::set<std::string> seen;
        // pictures are long: their base64 is no matter for a regular expression
        static const std::string uri = "data:image/png;base64,";
        const size_t data = inside.find(uri);
        if (data != std::string::npos) inside.erase(data, inside.find('"', data) - data);
        auto it = inside.cbegin() + long(name_end);
        for (std::smatch m; std::regex_search(it, inside.cend(), m, attribute,
                                              std::regex_constants::match_continuous);
             it = m[0].second) {
            if (!seen.insert(m[1]).second) return "attribute twice" + here();
            if (bare_ampersand(m[2]) != std::string::npos) return "bare & in an attribute" + here();
            if (m[1] == "id" && !ids.insert(m[2]).second) return "id twice" + here();
            if (m[1] == "href" && m[2].str()[0] == '#') targets.push_back(m[2].str().substr(1));
        }
        if (std::string(it, inside.cend()).find_first_not_of(" \n") != std::string::npos)
            return "not an attribute" + here();
        at = end + 1;
        if (empty) continue;
        if (name == "style" || name == "script") {
            at = html.find("</" + name + ">", at);
            if (at == std::string::npos) return name + " without end";
        }
        open.push_back(name);
    }
    if (!open.empty()) return open.back() + " is never closed";
    for (const std::string &target : targets) {
        if (!ids.count(target)) return "no element has the id " + target;
    }
    return "";
}
