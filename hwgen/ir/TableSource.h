#ifndef ARGENT_HWGEN_IR_TABLE_SOURCE_H
#define ARGENT_HWGEN_IR_TABLE_SOURCE_H

#include <Halide.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hwgen/ir/Datapath.h"

namespace argent::hwgen {

/** Places of a table: one interval a dimension, innermost first. */
using TablePlaces = std::vector<Interval>;

/** What a stage may read at computed places: a Func of constants, an embedded Buffer, or a small image or Func of the host
 *  that is loaded before every launch. */
struct TableSource {
    std::string name;      // in Calls (table_key)
    std::string label;     // as the user knows it
    std::string id;        // legal in Verilog and unique among tables
    Halide::Type type;
    std::vector<std::optional<Interval>> declared;   // bounds that the user has declared; a read outside is undefined
    /** The elements of a box, innermost dimension first: a ROM. Empty: loaded. */
    std::function<std::vector<Wide>(const TablePlaces &)> contents;
    TablePlaces box;            // loaded: the places that are kept, as build_graph finds them; empty if none is read by index
    TablePlaces elements;       // loaded: hull of the places that are registers (Param::table); empty if there are none
    int ram = -1;               // filled by a timeline in place of the host: which RAM of the accelerator this is part of
    bool is_rom() const { return contents != nullptr; }
    bool is_loaded() const { return !is_rom() && ram < 0; }
    /** Elements that it may have. */
    int64_t most() const;
};

/** The places that the host has to have of a loaded table. */
TablePlaces needed_of(const TableSource &t);

/** What a Call reads, as TableSource::name has it: a Tuple's further values are tables of their own. */
std::string table_key(const std::string &func, int value_index);
inline std::string table_key(const Halide::Internal::Call &c) { return table_key(c.name, c.value_index); }

/** Where the places of a box stand in a memory: the low bits of every index side by side, so addresses cost no logic.
 *    -128..127 x 0..4   ->   bits {8, 3}, shift {0, 8}, depth 5 * 256 */
struct TableLayout {
    std::vector<int> bits, shift;   // of each dimension; 0 bits: one place only
    int64_t depth = 1;
    int64_t address(const std::vector<int64_t> &place) const;
};
TableLayout layout_of(const TablePlaces &box);

/** The most elements that a table may have: what tools read as a parameter, and what is loaded in a few milliseconds. What timelines
 *  fill is as large as the part's memory (CheckRams). */
constexpr int64_t most_rom_elements = 1 << 14, most_loaded_elements = 1 << 16, most_ram_elements = 1 << 26;

}  // namespace argent::hwgen

#endif
