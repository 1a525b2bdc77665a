// emit_driver <manifest.json> <folder>: the driver and the simulation glue, for tests without the compiler.
#include <cstdio>
#include <fstream>

#include "runtime/emit/Driver.h"
#include "sim/Glue.h"

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    auto manifest = nlohmann::json::parse(std::ifstream(argv[1]));
    std::string folder = argv[2], function = manifest.at("function");
    for (const auto &[name, text] : argent::runtime::emit_driver(manifest)) std::ofstream(folder + "/" + name) << text;
    std::ofstream(folder + "/" + function + "_sim.cpp") << argent::sim::emit_sim_glue(manifest);
}
