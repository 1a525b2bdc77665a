#include "boards/Load.h"

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace argent::boards {

std::optional<hwgen::Board> load(const std::string &name) {
    const char *text = text_of(name);
    if (text == nullptr) return std::nullopt;
    const toml::table t = toml::parse(text);
    hwgen::Board b;
    b.name = t["name"].value_or(name);
    b.part = t["part"].value_or(std::string());
    b.family = t["family"].value_or(std::string());
    b.clock_mhz = t["clock_mhz"].value_or(b.clock_mhz);
    b.block_ram_kbit = t["block_ram_kbit"].value_or(b.block_ram_kbit);
    b.ports = t["memory"]["ports"].value_or(b.ports);
    b.port_bytes = t["memory"]["port_bytes"].value_or(b.port_bytes);
    b.address_bits = t["memory"]["address_bits"].value_or(b.address_bits);
    return b;
}

}  // namespace argent::boards
