#include "hwgen/describe/Json.h"

namespace argent::hwgen {

using nlohmann::ordered_json;

ordered_json source_json(const Location &l) {
    if (!l.known()) return nullptr;
    return {l.file.substr(l.file.find_last_of('/') + 1), l.line};
}

ordered_json box_json(const Box &box) {
    ordered_json list = ordered_json::array();
    for (const Range &r : box) list.push_back({{"min", r.min}, {"max", r.max}});
    return list;
}

ordered_json distance_json(Distance d) {
    return {{"rows", d.rows}, {"cols", d.cols}};
}

}  // namespace argent::hwgen
