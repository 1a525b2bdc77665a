// argent: what there is to run on, and what an accelerator is.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "Devices.h"
#include "Info.h"

namespace {

const char *const usage =
    "argent devices     lists the devices that programs can open here\n"
    "argent info DIR    prints what DIR/manifest.json says: ports, registers, latency\n";

int info(std::string path) {
    if (std::filesystem::is_directory(path)) path += "/manifest.json";
    std::ifstream file(path);
    if (!file) return std::fprintf(stderr, "argent: cannot read %s; DIR is the folder that the generator made, with rtl/ and driver/\n", path.c_str()), 2;
    try {
        std::fputs(argent::tool::describe(nlohmann::ordered_json::parse(file)).c_str(), stdout);
    } catch (const nlohmann::json::exception &e) {
        return std::fprintf(stderr, "argent: %s is no manifest of an accelerator: %s\n", path.c_str(), e.what()), 2;
    }
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "devices") == 0) return std::fputs(argent::tool::list_devices().c_str(), stdout), 0;
    if (argc == 3 && std::strcmp(argv[1], "info") == 0) return info(argv[2]);
    const bool asked = argc == 2 && std::strcmp(argv[1], "--help") == 0;
    std::fputs(usage, asked ? stdout : stderr);
    return asked ? 0 : 2;
}
