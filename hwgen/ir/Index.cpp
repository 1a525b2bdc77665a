#include "hwgen/ir/Index.h"

namespace argent::hwgen {

using namespace Halide;
using namespace Halide::Internal;

namespace {

const char *name_of(Border b) {
    switch (b) {
    case Border::Edge: return "argent_border_edge";
    case Border::MirrorImage: return "argent_border_mirror_image";
    case Border::MirrorInterior: return "argent_border_mirror_interior";
    case Border::Repeat: return "argent_border_repeat";
    case Border::Least:
    case Border::Largest:
    case Border::Any: break;   // of datapaths only
    }
    return "";
}

constexpr const char *in_front = "argent_is_in_front", *behind = "argent_is_behind";

}  // namespace

Expr with_border(Border border, const Expr &inner, int domain) {
    std::vector<Expr> args = {inner};
    if (domain != common_domain) args.push_back(domain);
    return Call::make(Int(32), name_of(border), args, Call::PureExtern);
}

std::optional<Index> index_of(const Expr &e, const std::string &var) {
    if (const Call *c = e.as<Call>()) {
        for (Border b : {Border::Edge, Border::MirrorImage, Border::MirrorInterior, Border::Repeat}) {
            if (c->name != name_of(b)) continue;
            std::optional<Index> inner = index_of(c->args[0], var);
            if (inner) {
                inner->border = b;
                if (c->args.size() > 1) inner->domain = static_cast<int>(*as_const_int(c->args[1]));
            }
            return inner;
        }
    }
    const std::optional<IndexMap> map = index_map_of(e, var);
    if (!map) return std::nullopt;
    return Index{*map};
}

Expr beyond(bool is_behind, const Expr &place) {
    return Call::make(Bool(), is_behind ? behind : in_front, {place}, Call::PureExtern);
}

std::optional<PlaceBeyond> beyond_of(const Call &c, const std::vector<std::string> &vars) {
    if (c.name != in_front && c.name != behind) return std::nullopt;
    for (size_t dim = 0; dim < vars.size(); dim++) {
        const std::optional<IndexMap> place = index_map_of(c.args[0], vars[dim]);
        if (place) return PlaceBeyond{dim, place->offset[0], c.name == behind};
    }
    return std::nullopt;
}

}  // namespace argent::hwgen
