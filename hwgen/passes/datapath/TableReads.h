#ifndef ARGENT_HWGEN_PASSES_DATAPATH_TABLEREADS_H
#define ARGENT_HWGEN_PASSES_DATAPATH_TABLEREADS_H

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hwgen/ir/Datapath.h"
#include "hwgen/ir/TableSource.h"

namespace argent::hwgen {

/** A read of a table at more places than a table can have, or at none that it has. */
struct BadTableRead : std::runtime_error {
    BadTableRead(const TableSource &t, const TablePlaces &p) : std::runtime_error("bad places of " + t.name), source(t), places(p) {}
    TableSource source;
    TablePlaces places;
};

/** Reads of tables in a datapath that is being built: indices become an address, and a ROM keeps the places that the read can be at.
 *    gamma(f(x)), gamma of constants, f(x) in 0 .. 100   ->   Lookup(f_p0, gamma): 101 places
 *  `read_places`: takes the hull of the places that are read of every loaded table, by name; may be null. Throws BadTableRead. */
class TableReads {
public:
    TableReads(Datapath &d, std::map<std::string, TablePlaces> *read_places) : d(d), read_places(read_places) {}

    NodeId lookup(const TableSource &, const std::vector<NodeId> &indices);

private:
    TablePlaces places_of(const TableSource &, const std::vector<NodeId> &indices) const;
    NodeId address(const TableLayout &, const TablePlaces &read, const std::vector<NodeId> &indices);
    const Table &table(const TableSource &, const TablePlaces &box, const TableLayout &);

    Datapath &d;
    std::map<std::string, TablePlaces> *const read_places;
    std::map<std::pair<std::string, std::vector<Wide>>, Table> made;   // by name and box
};

}  // namespace argent::hwgen

#endif
