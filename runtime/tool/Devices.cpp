#include "Devices.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "boards/Texts.h"

namespace argent::tool {

namespace fs = std::filesystem;

namespace {

std::string variable(const char *name) {
    const char *v = getenv(name);
    return v != nullptr ? v : "";
}

/** In the order of their names. */
std::vector<fs::path> entries(const fs::path &folder) {
    std::vector<fs::path> list;
    std::error_code none;
    for (const fs::directory_entry &e : fs::directory_iterator(folder, none)) list.push_back(e.path());
    std::sort(list.begin(), list.end());
    return list;
}

std::string first_word(const fs::path &file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

std::string models() {
    std::string s;
    std::istringstream folders(variable("ARGENT_SIM_PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        for (const fs::path &p : entries(folder)) {
            const std::string name = p.filename().string(), end = "_sim.so";
            if (name.rfind("lib", 0) != 0 || name.size() <= 3 + end.size() || name.compare(name.size() - end.size(), end.size(), end) != 0) continue;
            s += fmt::format("{:<32} a model of {}\n", "sim:" + p.string(), name.substr(3, name.size() - 3 - end.size()));
        }
    return s;
}

std::string fabrics() {
    const std::string root = variable("ARGENT_UIO_ROOT");
    std::string s;
    for (const fs::path &p : entries(root + "/sys/class/uio"))
        s += fmt::format("{:<32} {}, {} bytes of registers at {}\n", "uio:/dev/" + p.filename().string(), first_word(p / "name"), first_word(p / "maps/map0/size"),
                         first_word(p / "maps/map0/addr"));
    for (const char *kind : {"u-dma-buf", "udmabuf"})
        for (const fs::path &p : entries(root + "/sys/class/" + kind))
            s += fmt::format("  memory={:<23} {} bytes at {}, {}\n", p.filename().string(), first_word(p / "size"), first_word(p / "phys_addr"),
                             first_word(p / "dma_coherent") == "1" ? "coherent" : "not coherent");
    return s;
}

/** Boards on whose model programs can run: where libargent_platform.so was built. */
std::string boards_known() {
    std::string s;
    if (ARGENT_HAS_PLATFORM == 0) return s;
    for (const std::string &name : boards::names()) s += fmt::format("{:<32} a model of the board\n", "platform:" + name);
    return s;
}

/** What ARGENT_DEVICE names. */
std::string chosen() {
    const std::string uri = variable("ARGENT_DEVICE");
    if (uri.empty()) return "ARGENT_DEVICE is not set: programs use sim:, the models that are linked into them\n";
    if (uri.rfind("sim+unix:", 0) != 0) return fmt::format("ARGENT_DEVICE is {}\n", uri);
    struct stat s {};
    const bool is_there = stat(uri.c_str() + 9, &s) == 0 && S_ISSOCK(s.st_mode);
    return fmt::format("ARGENT_DEVICE is {}, {}\n", uri, is_there ? "a socket" : "where there is no socket: start argent-sim-server");
}

}  // namespace

std::string list_devices() { return models() + boards_known() + fabrics() + chosen(); }

}  // namespace argent::tool
