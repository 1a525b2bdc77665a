#include "dsl/Emit.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "report/Report.h"
#include "runtime/emit/Driver.h"
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
    static const std::set<std::string> kinds = {"verilog", "driver", "manifest", "report", "sim"};
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
        const ordered_json report = collected("argent-report", 1, function, designs, &hwgen::Design::report);
        files[place + "/report.json"] = report.dump(1) + "\n";
        files[place + "/report.html"] = report_html(json(report));
    }
    if (kinds.count("sim")) files[place + "/sim/" + place + "_sim.cpp"] = sim::emit_sim_glue(plain);
    return files;
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
