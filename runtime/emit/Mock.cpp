#include "Mock.h"

#include <fmt/format.h>

#include "Driver.h"
#include "Types.h"

namespace argent::runtime {

using nlohmann::json;

namespace {

const json &accelerator_of(const json &manifest, const std::string &name) {
    for (const json &a : manifest.at("accelerators"))
        if (a.at("name") == name) return a;
    throw std::runtime_error("manifest: there is no accelerator " + name);
}

/** The value whose bits are the launcher's param `index`. */
std::string value_of(const std::string &type, size_t index) {
    const Type t = parse_type(type);
    const bool is_float = t.kind == "float" && t.bits >= 32;
    return is_float ? fmt::format("argent_mock_float{}(images->params[{}])", t.bits, index) : fmt::format("({})images->params[{}]", c_type(type), index);
}

}  // namespace

std::string emit_mock(const json &manifest, const std::vector<MockFunction> &functions) {
    const std::string file = file_name(manifest.at("function"));
    std::string text = fmt::format("/* What the accelerators of {} compute, on the host's processor; made by Argent {}. */\n#include \"argent_mock.h\"\n\n#include <stdbool.h>\n",
                                   file, manifest.value("argent", ""));
    std::string added;
    for (const MockFunction &f : functions) {
        const json &a = accelerator_of(manifest, f.accelerator);
        std::string types, values;
        const auto argument = [&](const std::string &type, const std::string &value) {
            types += (types.empty() ? "" : ", ") + type;
            values += (values.empty() ? "" : ", ") + value;
        };
        for (size_t i = 0; i < f.inputs; i++) argument("halide_buffer_t *", fmt::format("images->inputs[{}]", i));
        for (size_t i : f.params) argument(c_type(a.at("params").at(i).at("type")), value_of(a.at("params").at(i).at("type"), i));
        for (size_t i = 0; i < f.outputs; i++) argument("halide_buffer_t *", fmt::format("images->outputs[{}]", i));
        text += fmt::format("\nint {0}({1});\n\nstatic int compute_{2}(const struct argent_images *images) {{\n    return {0}({3});\n}}\n", f.symbol, types, f.accelerator, values);
        text += fmt::format("\nstatic struct argent_mock mock_{0} = {{\"{0}\", 0x{1:08x}u, compute_{0}, NULL}};\n", f.accelerator, a.at("id").get<uint32_t>());
        added += fmt::format("    argent_mock_add(&mock_{});\n", f.accelerator);
    }
    text += fmt::format("\nconst char argent_mock_of_{} = 0;\n\n__attribute__((constructor)) static void add(void) {{\n{}}}\n", file, added);
    return text;
}

}  // namespace argent::runtime
