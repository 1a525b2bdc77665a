#include "dsl/Emit.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "report/Report.h"
#include "runtime/emit/Driver.h"
#include "runtime/emit/Mock.h"
#include "sim/Glue.h"

namespace argent::dsl {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json collected(const char *schema, int version, const std::string &function, const std::vector<hwgen::Design> &designs,
                       ordered_json hwgen::Design::*part) {
    ordered_json all = {{"schema", schema}, {"version", version}, {"argent", ARGENT_VERSION}, {"function", function}};
    all["accelerators"] = ordered_json::array();
    for (const hwgen::Design &d : designs) all["accelerators"].push_back(d.*part);
    return all;
}

}  // namespace

const std::set<std::string> &output_kinds() {
    static const std::set<std::string> kinds = {"verilog", "driver", "manifest", "report", "sim", "mock"};
    return kinds;
}

std::map<std::string, std::string> emitted_files(const std::string &function, const std::vector<hwgen::Design> &designs,
                                                 const std::set<std::string> &kinds) {
    const std::string place = runtime::file_name(function);
    std::map<std::string, std::string> files;
    const ordered_json manifest = collected("argent-manifest", 2, function, designs, &hwgen::Design::manifest);
    const json plain = manifest;
    if (kinds.count("verilog")) {
        for (const hwgen::Design &d : designs) {
            for (const auto &[name, text] : d.rtl) files[place + "/rtl/" + name] = text;
        }
    }
    if (kinds.count("driver")) {
        for (const auto &[name, text] : runtime::emit_driver(plain)) files[place + "/driver/" + name] = text;
    }
    if (kinds.count("manifest")) files[place + "/manifest.json"] = manifest.dump(1) + "\n";
    if (kinds.count("report")) {
        ordered_json report = collected("argent-report", 1, function, designs, &hwgen::Design::report);
        for (size_t i = 0; i < designs.size(); i++) designs[i].add_areas(report["accelerators"][i]);
        files[place + "/report.json"] = report.dump(1) + "\n";
        files[place + "/report.html"] = report_html(json(report));
    }
    if (kinds.count("sim")) {
        files[place + "/sim/" + place + "_sim.cpp"] = sim::emit_sim_glue(plain);
        const std::string control = sim::emit_sim_control(plain);
        if (!control.empty()) files[place + "/sim/" + place + "_sim.vlt"] = control;
    }
    return files;
}

std::map<std::string, std::string> emitted_mock(const std::string &function, const std::vector<hwgen::Design> &designs,
                                                const std::vector<OnCpu> &on_cpu, const Halide::Target &target) {
    const std::string place = runtime::file_name(function);
    std::vector<runtime::MockFunction> functions;
    Halide::Module all(place + "_mock", target);
    for (size_t i = 0; i < designs.size(); i++) {
        const std::string symbol = designs[i].name + "_on_cpu";
        size_t outputs = 0;
        for (const Halide::Func &f : on_cpu[i].outs) outputs += f.outputs();
        functions.push_back({designs[i].name, symbol, on_cpu[i].buffers.size(), outputs, {}});
        for (const OnCpu::Scalar &s : on_cpu[i].scalars) functions.back().params.push_back(s.index);
        const Halide::Module module = compile_on_cpu(on_cpu[i], symbol, target);
        all.set_any_strict_float(all.any_strict_float() || module.any_strict_float());
        for (const Halide::Buffer<> &b : module.buffers()) all.append(b);
        for (const Halide::Internal::LoweredFunc &f : module.functions()) all.append(f);
    }
    const Halide::Buffer<uint8_t> object = all.compile_to_buffer();
    const json manifest = collected("argent-manifest", 2, function, designs, &hwgen::Design::manifest);
    return {{place + "/mock/" + place + "_mock.c", runtime::emit_mock(manifest, functions)},
            {place + "/mock/" + place + "_mock.o", std::string(object.begin(), object.end())}};
}

void write_files(const std::string &folder, const std::map<std::string, std::string> &files) {
    std::vector<std::filesystem::path> written;
    try {
        for (const auto &[name, text] : files) {
            const std::filesystem::path path = std::filesystem::path(folder) / name;
            std::filesystem::create_directories(path.parent_path());
            errno = 0;
            std::ofstream out(path, std::ios::binary);
            written.push_back(path);
            out << text;
            out.close();
            if (!out) throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(errno));
        }
    } catch (...) {
        std::error_code ignored;
        for (const auto &path : written) std::filesystem::remove(path, ignored);
        throw;
    }
}

}  // namespace argent::dsl
