#include "Driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "Types.h"

using nlohmann::json;

namespace argent::runtime {

namespace {

const std::set<std::string> &c_keywords() {
    static const std::set<std::string> words = {
        "auto",   "bool",    "break",    "case",     "char",   "const",  "continue", "default",  "do",     "double", "else",   "enum",     "extern",
        "float",  "for",     "goto",     "if",       "inline", "int",    "long",     "register", "restrict", "return", "short", "signed",   "sizeof",
        "static", "struct",  "switch",   "typedef",  "union",  "unsigned", "void",   "volatile", "while",  "true",   "false",  "inputs",   "outputs",
        "box",    "params",  "class",    "new",      "delete", "this",   "template", "operator", "public", "private", "protected", "virtual", "try",
        "asm",    "typeof",  "bitand",   "bitor",    "compl",  "and_eq", "or_eq",    "xor_eq",   "not_eq", "nullptr", "decltype", "typeid",  "constexpr",
        "consteval", "constinit", "concept", "requires", "alignas", "alignof", "noexcept", "static_assert", "thread_local", "wchar_t", "char8_t", "char16_t", "char32_t",
        "co_await", "co_return", "co_yield", "const_cast", "static_cast", "dynamic_cast", "reinterpret_cast", "linux", "unix", "NULL", "errno", "argent_launch",
        "catch",  "throw",   "using",    "namespace", "typename", "friend", "mutable", "explicit", "export", "and",   "or",     "not",      "xor"};
    return words;
}

/** C parameter names of one function: legal and different from each other. */
class Names {
public:
    std::string fresh(const std::string &wish) {
        std::string name;
        for (char c : wish) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "_" + name;
        while (c_keywords().count(name) != 0 || !used.insert(name).second) name += "_";
        return name;
    }

private:
    std::set<std::string> used;
};

std::string upper(const std::string &s) {
    std::string out;
    for (char c : s) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : '_';
    return out;
}

/** A comment must not end early, nor a string. */
std::string comment(std::string s) {
    for (size_t i = s.find("*/"); i != std::string::npos; i = s.find("*/", i)) s.replace(i, 2, "* /");
    return s;
}

std::string halide_type(const std::string &text) {
    Type t = parse_type(text);
    return fmt::format("{{halide_type_{}, {}, 1}}", t.kind, t.bits);
}

/** The value's bits in a uint64_t. */
std::string bits_of(const std::string &type, const std::string &name) {
    Type t = parse_type(type);
    if (t.kind == "float" && t.bits >= 32) return fmt::format("argent_float{}_bits({})", t.bits, name);
    return t.kind == "int" ? fmt::format("(uint64_t)(int64_t){}", name) : fmt::format("(uint64_t){}", name);
}

/** The registers of one accelerator, and the header's constants for them: different from each other and from those of others (`taken`), though names may differ in case
 *  only, and an accelerator may be called as another one and its image. */
class Registers {
public:
    Registers(const json &accelerator, Names &taken) {
        const std::string prefix = upper(accelerator.at("name")) + "_";
        id = taken.fresh(prefix + "ID_VALUE");
        for (const auto &r : accelerator.at("registers")) {
            constants[r.at("name")] = taken.fresh(prefix + upper(r.at("name")));
            bits[r.at("name")] = r.value("bits", 32);
        }
    }
    bool has(const std::string &name) const { return constants.count(name) != 0; }
    const std::string &constant(const std::string &name) const { return constants.at(name); }
    const std::string &id_constant() const { return id; }
    /** An argent_register_at; none for an empty name. */
    std::string at(const std::string &name, int bits_given = 0) const {
        if (name.empty()) return "{ARGENT_NO_REGISTER, 0}";
        if (!has(name)) throw std::runtime_error("manifest: register " + name + " is named but not in the list of registers");
        return fmt::format("{{{}, {}}}", constant(name), bits_given != 0 ? bits_given : bits.at(name));
    }
    std::string at_optional(const std::string &name) const { return at(has(name) ? name : ""); }

private:
    std::string id;
    std::map<std::string, std::string> constants;
    std::map<std::string, int> bits;
};

/** The register of an extent or minimum of dimension `d`: named by the block, or by the habit of the compiler. */
std::string block_register(const Registers &registers, const json &dimension, size_t d, bool extent) {
    if (dimension.contains(extent ? "extent_register" : "min_register")) return dimension.at(extent ? "extent_register" : "min_register");
    std::string var = dimension.at("var");
    if (!extent) return registers.has("min_" + var) ? "min_" + var : "";
    static const char *const usual[] = {"width", "height"};
    if (registers.has("extent_" + var)) return "extent_" + var;
    return d < 2 && registers.has(usual[d]) ? usual[d] : "";
}

/** The name in the manifest of the register for the stride of dimension `d`, or "". */
std::string stride_register(const json &image, int d) {
    if (!image.contains("registers")) return "";   // of a stream
    const json &r = image["registers"];
    if (d == 1 && r.contains("stride")) return r["stride"];
    if (r.contains("strides") && d >= 1 && static_cast<size_t>(d) <= r["strides"].size()) return r["strides"][static_cast<size_t>(d) - 1];
    return r.value(fmt::format("stride_{}", d), "");
}

/** A buffer of the launcher: the ports that move parts of it, in the order of the manifest. */
struct Image {
    std::string name;
    std::vector<json> ports;
    int dimensions = 2;
    std::vector<int> scanned;  // dimensions that are the block's
    std::vector<int> strides;  // elements from index to index, 0 where any will do
};

std::vector<Image> images_of(const json &ports) {
    std::vector<Image> images;
    for (const json &port : ports) {
        Image image{port.at("name"), {port}, port.at("dimensions"), {}};
        for (int d = 0; d < image.dimensions; d++) image.scanned.push_back(d);
        if (port.contains("buffer")) {
            image.name = port["buffer"].at("name");
            image.dimensions = port["buffer"].at("dimensions");
            image.scanned = port["buffer"].at("scanned").get<std::vector<int>>();
            image.strides = port["buffer"].value("strides", std::vector<int>());
            auto known = std::find_if(images.begin(), images.end(), [&](const Image &i) { return i.name == image.name && i.ports[0].contains("buffer"); });
            if (known != images.end()) {
                known->ports.push_back(port);
                continue;
            }
        }
        if (image.dimensions < 1 || image.dimensions > 4) throw std::runtime_error("manifest: image " + image.name + " has no 1 to 4 dimensions");
        if (image.strides.empty()) {   // planar
            image.strides.assign(static_cast<size_t>(image.dimensions), 0);
            image.strides[static_cast<size_t>(image.scanned[0])] = 1;
        }
        images.push_back(image);
    }
    return images;
}

/** Registers of a port by the block's dimensions, as the table's fields: those that the manifest names. */
std::string crop_fields(const Registers &registers, const json &port, size_t dimensions) {
    std::string text;
    for (const char *what : {"first", "end", "extent"}) {
        if (!port.value("registers", json::object()).contains(what)) continue;
        std::string places;
        for (size_t d = 0; d < dimensions; d++) {
            const json all = port.at("registers").at(what);
            const json name = all.is_array() ? all.at(d) : json();
            places += fmt::format("{}{}", d != 0 ? ", " : "", registers.at_optional(name.is_string() ? name.get<std::string>() : ""));
        }
        text += fmt::format("        .{} = {{{}}},\n", what, places);
    }
    return text;
}

/** What a port needs of each dimension of its buffer: beyond the block's, or at the place of its plane. */
std::string stream_table(const Registers &registers, const Image &image, const json &port) {
    std::string boxes, strides, indices;
    bool has_indices = false;
    for (int d = 0; d < image.dimensions; d++) {
        auto scanned = std::find(image.scanned.begin(), image.scanned.end(), d);
        int min = 0, max = 0, param = 0, dim = static_cast<int>(scanned - image.scanned.begin());
        if (scanned != image.scanned.end()) {
            min = port.at("box").at(static_cast<size_t>(dim)).at("min");
            max = port.at("box").at(static_cast<size_t>(dim)).at("max");
        } else {
            const json &at = port["buffer"].at("at").at(static_cast<size_t>(d));
            const bool is_param = at.is_object() && at.contains("param");
            if (is_param) param = at["param"].get<int>() + 1;
            else min = at.is_object() ? at.at("min").get<int>() : at.get<int>();
            max = at.is_object() && !is_param ? at.at("max").get<int>() : min;
        }
        has_indices = has_indices || param > 0;
        indices += fmt::format("{}{}", d != 0 ? ", " : "", param);
        boxes += fmt::format("{}{{{}, {}}}", d != 0 ? ", " : "", min, max);
    }
    for (size_t dim = 0; dim < image.scanned.size(); dim++)
        strides += fmt::format("{}{}", dim != 0 ? ", " : "", registers.at(stride_register(port, static_cast<int>(dim))));
    const bool is_axis = port.value("kind", "memory") == "stream";
    const std::string address = is_axis ? "" : port.at("registers").at("address").get<std::string>();
    std::string window;
    for (const char *end : {"low", "high"}) {
        const std::string register_name = port.value("registers", json::object()).value(end, "");
        if (!register_name.empty()) window += fmt::format("        .{} = {},\n", end, registers.at(register_name));
    }
    std::string params = port.contains("box_params") ? fmt::format("        .box_params = {},\n", port["box_params"].get<int>() + 1) : "";
    if (has_indices) params += fmt::format("        .at_params = {{{}}},\n", indices);
    std::string fold;
    if (port.contains("fold")) fold += fmt::format("        .most_row_elements = {},\n", port.at("row_elements_max").get<int>());
    if (port.contains("start_row_param")) {
        const json &names = port.at("registers");
        fold += fmt::format("        .start_address = {},\n        .last_address = {},\n        .start_row_param = {},\n", registers.at(names.at("start_address")),
                            registers.at(names.value("last_address", "")), port["start_row_param"].get<int>() + 1);
    }
    return fmt::format("    {{\n        .port = \"{}\",\n        .bus_bytes = {},\n{}        .box = {{{}}},\n{}        .address = {},\n        .stride = {{{}}},\n{}{}{}    }},\n",
                       port.at("port").get<std::string>(), port.at("bus_bytes").get<int>(), is_axis ? "        .is_axis = 1,\n" : "", boxes, params,
                       registers.at(address), strides, window, crop_fields(registers, port, image.scanned.size()), fold);
}

std::string image_table(const Image &image, const std::string &streams) {
    const json &port = image.ports[0];
    return fmt::format("    {{\n        .name = \"{}\",\n        .type = {},\n        .dimensions = {},\n        .scanned_count = {},\n        .scanned = {{{}}},\n"
                       "        .strides = {{{}}},\n        .alignment = {},\n        .stream_count = {},\n        .streams = {},\n    }},\n",
                       image.name, halide_type(port.at("type")), image.dimensions, image.scanned.size(), fmt::join(image.scanned, ", "), fmt::join(image.strides, ", "),
                       port.value("alignment", port.at("element_bytes").get<int>()), image.ports.size(), streams);
}

/** Whether a launch scans a rectangle of its own, and not the output's. */
bool has_domain(const json &a) {
    for (const auto &d : a.at("block"))
        if (d.contains("domain")) return true;
    return false;
}

/** Tables that are loaded before a launch; none in most manifests. */
const json &tables_of(const json &a) {
    static const json none = json::array();
    return a.contains("tables") ? a["tables"] : none;
}

std::string element_table(const Registers &registers, const json &table) {
    std::string text;
    for (const auto &e : table.value("elements", json::array())) {
        std::string place;
        for (const auto &i : e.at("place")) place += fmt::format("{}{}", place.empty() ? "" : ", ", i.get<int>());
        text += fmt::format("    {{.place = {{{}}}, .at = {}}},\n", place.empty() ? "0" : place, registers.at(e.at("register")));
    }
    return text;
}

std::string loaded_table(const Registers &registers, const json &table, const std::string &elements) {
    if (table.at("dimensions").get<int>() > 4) throw std::runtime_error("manifest: table " + table.at("name").get<std::string>() + " has more than 4 dimensions");
    std::string box, index;
    for (const auto &d : table.at("box")) box += fmt::format("{}{{{}, {}}}", box.empty() ? "" : ", ", d.at("min").get<int>(), d.at("max").get<int>());
    const bool has_memory = table.contains("memory");
    for (const auto &d : has_memory ? table["memory"].at("indices") : json::array())
        index += fmt::format("{}{{{}, {}, {}, {}}}", index.empty() ? "" : ", ", d.at("min").get<int>(), d.at("max").get<int>(), d.at("bits").get<int>(), d.at("shift").get<int>());
    std::string text = fmt::format("    {{\n        .name = \"{}\",\n        .type = {},\n        .dimensions = {},\n", table.at("name").get<std::string>(),
                                   halide_type(table.at("type")), table.at("dimensions").get<int>());
    text += fmt::format("        .box = {{{}}},\n", box.empty() ? "{0, 0}" : box);
    text += fmt::format("        .element_count = {},\n        .elements = {},\n", table.value("elements", json::array()).size(), elements);
    text += fmt::format("        .place = {},\n        .element = {},\n", registers.at(has_memory ? table["memory"].at("place") : json("")),
                        registers.at(has_memory ? table["memory"].at("element") : json("")));
    if (has_memory) text += fmt::format("        .index = {{{}}},\n", index);
    return text + "    },\n";
}

/** Whether it is an output of another Func than the first, which the host has as a stage of its own. */
bool is_of_another(const Image &output) {
    return output.ports[0].value("func", 0) > 0;
}

struct Launcher {
    std::string declaration, body;
};

Launcher launcher(const json &a) {
    Names names;
    std::vector<std::string> arguments, inputs, outputs, box, params;
    // Outputs come last in the signature, but those of other Funcs than the first behind the inputs; names are given in its order.
    const std::vector<Image> written = images_of(a.at("outputs"));
    std::map<std::string, std::string> others;
    for (const Image &i : images_of(a.at("inputs"))) inputs.push_back(names.fresh(i.name));
    for (const auto &t : tables_of(a)) inputs.push_back(names.fresh(t.at("name")));
    for (const Image &o : written) {
        if (is_of_another(o)) others[o.name] = names.fresh(o.name);
    }
    for (const auto &i : inputs) arguments.push_back("halide_buffer_t *" + i);
    for (const Image &o : written) {
        if (others.count(o.name)) arguments.push_back("halide_buffer_t *" + others[o.name]);
    }
    const auto corners = [&](const std::string &prefix) {
        for (const auto &d : a.at("block"))
            for (const char *side : {"min_", "max_"}) {
                box.push_back(names.fresh(prefix + side + d.at("var").get<std::string>()));
                arguments.push_back("int32_t " + box.back());
            }
    };
    corners("");
    if (has_domain(a)) corners("domain_");
    for (const auto &p : a.at("params")) {
        std::string name = names.fresh(p.at("name"));
        arguments.push_back(c_type(p.at("type")) + " " + name);
        params.push_back(bits_of(p.at("type"), name));
    }
    for (const Image &o : written) {
        outputs.push_back(others.count(o.name) ? others[o.name] : names.fresh(o.name));
        if (others.count(o.name)) continue;
        arguments.push_back("halide_buffer_t *" + outputs.back());
    }
    auto join = [](const std::vector<std::string> &list, const std::string &between) {
        std::string s;
        for (size_t i = 0; i < list.size(); i++) s += (i != 0 ? between : "") + list[i];
        return s;
    };
    Launcher l;
    std::string head = fmt::format("int {}(", a.at("launcher").get<std::string>());
    l.declaration = head + join(arguments, ",\n" + std::string(head.size(), ' ')) + ")";
    auto array = [&](const char *type, const char *name, const std::vector<std::string> &list) {
        if (!list.empty()) l.body += fmt::format("    {} {}[] = {{{}}};\n", type, name, join(list, ", "));
    };
    array("halide_buffer_t *const", "inputs", inputs);
    array("halide_buffer_t *const", "outputs", outputs);
    array("const int32_t", "box", box);
    array("const uint64_t", "params", params);
    l.body += fmt::format("    return argent_launch(&{}_accelerator, {}, {}, {}, {});\n", a.at("name").get<std::string>(), inputs.empty() ? "NULL" : "inputs",
                          box.empty() ? "NULL" : "box", params.empty() ? "NULL" : "params", outputs.empty() ? "NULL" : "outputs");
    return l;
}

/** Declarations of what stands in the host's pipeline for the outputs of other Funcs than the first. */
std::vector<std::string> placeholders(const json &a) {
    std::map<int, std::vector<std::string>> funcs;
    for (const Image &o : images_of(a.at("outputs"))) {
        if (is_of_another(o)) funcs[o.ports[0].at("func").get<int>()].push_back(o.name);
    }
    std::vector<std::string> declarations;
    for (const auto &[func, buffers] : funcs) {
        Names names;
        std::string arguments = "int32_t " + names.fresh("min");
        for (const std::string &b : buffers) arguments += ", halide_buffer_t *" + names.fresh(b);
        declarations.push_back(fmt::format("int {}_{}({})", a.at("launcher").get<std::string>(), func, arguments));
    }
    return declarations;
}

std::string register_map(const json &a, const Registers &registers) {
    size_t width = 0;
    for (const auto &r : a.at("registers")) width = std::max(width, registers.constant(r.at("name")).size());
    std::string text;
    for (const auto &r : a.at("registers")) {
        std::string note = r.value("access", "rw");
        if (r.contains("bits")) note += fmt::format(", {} bits", r["bits"].get<int>());
        if (r.contains("doc")) note += ": " + comment(r["doc"]);
        text += fmt::format("#define {:<{}} 0x{:03x} /* {} */\n", registers.constant(r.at("name")), width, r.at("offset").get<unsigned>(), note);
    }
    return text;
}

std::string accelerator_table(const json &a, const Registers &registers) {
    std::string name = a.at("name"), text;
    auto table = [&](const char *type, const char *what, const json &list, auto row) {
        if (list.empty()) return std::string("NULL");
        text += fmt::format("static const struct {} {}_{}[] = {{\n", type, name, what);
        size_t i = 0;
        for (const auto &item : list) text += row(item, i++);
        text += "};\n\n";
        return name + "_" + what;
    };
    std::string block = table("argent_block_dimension", "block", a.at("block"), [&](const json &d, size_t i) {
        const std::string more = d.contains("domain") ? ", .has_domain = 1" : "";
        // Where rates differ, what the scan wants of the block comes with the params.
        const bool has_geometry = a.contains(json::json_pointer("/clocks/model/origin"));
        return fmt::format("    {{.var = \"{}\", .max_extent = {}, .extent = {}, .min = {}{}}},\n", d.at("var").get<std::string>(), d.at("extent").get<int>(),
                           registers.at(has_geometry ? "" : block_register(registers, d, i, true)),
                           registers.at(has_geometry ? "" : block_register(registers, d, i, false)), more);
    });
    const std::vector<Image> images[2] = {images_of(a.at("inputs")), images_of(a.at("outputs"))};
    auto image_tables = [&](int out) {
        const char *what[] = {out ? "output_streams" : "input_streams", out ? "outputs" : "inputs"};
        if (images[out].empty()) return std::string("NULL");
        text += fmt::format("static const struct argent_stream {}_{}[] = {{\n", name, what[0]);
        for (const Image &i : images[out])
            for (const json &port : i.ports) text += stream_table(registers, i, port);
        text += fmt::format("}};\n\nstatic const struct argent_image {}_{}[] = {{\n", name, what[1]);
        size_t first = 0;
        for (const Image &i : images[out]) {
            text += image_table(i, fmt::format("{}_{} + {}", name, what[0], first));
            first += i.ports.size();
        }
        text += "};\n\n";
        return name + "_" + what[1];
    };
    std::string inputs = image_tables(0), outputs = image_tables(1);
    std::string params = table("argent_param", "params", a.at("params"), [&](const json &p, size_t) {
        const std::string most = p.contains("most") ? fmt::format(", .otherwise = {}, .most = {}", json(p.at("otherwise")).dump(), p.at("most").get<int>()) : "";
        return fmt::format("    {{.name = \"{}\", .type = {}, .at = {}{}}},\n", p.at("name").get<std::string>(), halide_type(p.at("type")),
                           registers.at(p.at("register").is_null() ? "" : p.at("register"), p.value("bits", 0)), most);
    });
    const std::string checks = table("argent_check", "checks", a.value("checks", json::array()), [&](const json &c, size_t) {
        return fmt::format("    {{.name = \"{}\", .offset = {}, .min = {}, .max = {}}},\n", c.at("register").get<std::string>(),
                           registers.constant(c.at("register")), c.at("min").get<int64_t>(), c.at("max").get<int64_t>());
    });
    std::vector<std::string> elements;
    for (const auto &t : tables_of(a)) {
        const std::string list = element_table(registers, t);
        elements.push_back(list.empty() ? "NULL" : fmt::format("{}_elements_{}", name, elements.size()));
        if (!list.empty()) text += fmt::format("static const struct argent_table_element {}[] = {{\n{}}};\n\n", elements.back(), list);
    }
    std::string tables = table("argent_table", "tables", tables_of(a), [&](const json &t, size_t i) { return loaded_table(registers, t, elements[i]); });
    const json beyond = a.value("beyond", json::array());
    const std::string beyonds = table("argent_beyond", "beyond", beyond, [&](const json &b, size_t) {
        return fmt::format("    {{.param = {}, .reader = {}, .of = {}, .dimension = {}}},\n", b.at("param").get<int>(), b.at("reader").dump(), b.at("of").dump(),
                           b.at("dimension").get<int>());
    });
    std::string doc;
    for (const auto &r : a.at("registers"))
        if (r.at("name") == "error") doc = r.value("doc", "");
    text += fmt::format("const struct argent_accelerator {}_accelerator = {{\n", name);
    auto line = [&](const std::string &field, const std::string &value) { text += fmt::format("    .{} = {},\n", field, value); };
    line("name", json(name).dump());
    line("function", json(a.value("function", name)).dump());
    line("id", fmt::format("0x{:08x}u", a.at("id").get<uint32_t>()));
    line("id_at", registers.at_optional("id"));
    line("error_at", registers.at_optional("error"));
    line("error_doc", doc.empty() ? "NULL" : json(doc).dump());
    line("dimensions", std::to_string(a.at("block").size()));
    line("block", block);
    if (has_domain(a)) {
        line("has_domain", "1");
        line("pixels", std::to_string(a.at("throughput").at("pixels").get<int>()));
    }
    line("input_count", std::to_string(images[0].size()));
    line("inputs", inputs);
    line("output_count", std::to_string(images[1].size()));
    line("outputs", outputs);
    line("param_count", std::to_string(a.at("params").size()));
    line("params", params);
    if (a.value("error_bits", 1) != 1) line("error_bits", std::to_string(a["error_bits"].get<int>()));
    if (checks != "NULL") {
        line("check_count", std::to_string(a["checks"].size()));
        line("checks", checks);
    }
    if (!tables_of(a).empty()) {
        line("table_count", std::to_string(tables_of(a).size()));
        line("tables", tables);
    }
    if (!beyond.empty()) {
        line("beyond_count", std::to_string(beyond.size()));
        line("beyond", beyonds);
    }
    return text + "};\n";
}

}  // namespace

std::string file_name(const std::string &function) {
    const size_t colons = function.rfind("::");
    return colons == std::string::npos ? function : function.substr(colons + 2);
}

std::map<std::string, std::string> emit_driver(const json &manifest) {
    std::string function = manifest.at("function"), file = file_name(function);
    Names constants;
    const std::string guard = constants.fresh(upper(function) + "_DRIVER_H");
    std::string banner = fmt::format("/* Driver of {}, made by Argent {}. */\n", comment(function), comment(manifest.value("argent", "")));
    std::string header = banner + fmt::format("#ifndef {0}\n#define {0}\n\n#include <stdbool.h>\n#include <stdint.h>\n\n#include \"argent_launch.h\"\n\n"
                                              "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
                                              guard);
    std::string source = banner + fmt::format("#include \"{}_driver.h\"\n\n#include <stddef.h>\n", file);
    for (json a : manifest.at("accelerators")) {
        a["function"] = function;
        if (size_t images = a.at("inputs").size() + a.at("outputs").size(); images > 32)
            throw std::runtime_error(fmt::format("manifest: {} has {} ports for images; the launcher takes at most 32", a.at("name").get<std::string>(), images));
        const Registers registers(a, constants);
        Launcher l = launcher(a);
        std::string name = a.at("name");
        header += fmt::format("\n/* ---- {} ---- */\n\n#define {} 0x{:08x}u\n", name, registers.id_constant(), a.at("id").get<uint32_t>());
        header += register_map(a, registers);
        header += fmt::format("\nextern const struct argent_accelerator {}_accelerator;\n\n", name);
        header += "/* Computes min to max (inclusive) of the output. 0, or a Halide error code after halide_error. */\n";
        header += l.declaration + ";\n";
        for (const std::string &other : placeholders(a)) {
            header += fmt::format("\n/* A place in a Halide pipeline for outputs that {} computes. */\n{};\n", a.at("launcher").get<std::string>(), other);
            l.body += fmt::format("}}\n\n{} {{\n    return 0;\n", other);
        }
        source += fmt::format("\n/* ---- {} ---- */\n\n", name) + accelerator_table(a, registers) + "\n" + l.declaration + " {\n" + l.body + "}\n";
    }
    header += "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
    return {{file + "_driver.h", header}, {file + "_driver.c", source}};
}

}  // namespace argent::runtime
