#include "hwgen/ir/TableSource.h"

namespace argent::hwgen {

std::string table_key(const std::string &func, int value_index) {
    return value_index == 0 ? func : func + "." + std::to_string(value_index);
}

int64_t TableSource::most() const {
    return is_rom() ? most_rom_elements : ram >= 0 ? most_ram_elements : most_loaded_elements;
}

TablePlaces needed_of(const TableSource &t) {
    TablePlaces all = t.box.empty() ? t.elements : t.box;
    for (size_t d = 0; d < all.size() && d < t.elements.size(); ++d) all[d] = all[d].hull(t.elements[d]);
    // All reads may have folded away.
    for (size_t d = all.size(); d < t.declared.size(); ++d) all.push_back(t.declared[d].value_or(Interval{}));
    return all;
}

TableLayout layout_of(const TablePlaces &box) {
    TableLayout l;
    int at = 0;
    int64_t last = 0;   // the highest address
    for (const Interval &i : box) {
        int bits = 0;
        while (bits < 62 && i.hi - i.lo >= Wide(1) << bits) ++bits;
        const bool is_one_block = (i.lo >> bits) == (i.hi >> bits);   // else the places wrap around
        const Wide mask = (Wide(1) << bits) - 1;
        l.bits.push_back(bits);
        l.shift.push_back(at);
        // What no address can hold is refused before it is used.
        if (at + bits <= 62) last += static_cast<int64_t>(is_one_block ? i.hi & mask : mask) << at;
        at += bits;
    }
    l.depth = at > 62 ? int64_t(1) << 62 : last + 1;
    return l;
}

int64_t TableLayout::address(const std::vector<int64_t> &place) const {
    int64_t a = 0;
    for (size_t d = 0; d < bits.size(); ++d) a |= (place[d] & ((int64_t(1) << bits[d]) - 1)) << shift[d];
    return a;
}

}  // namespace argent::hwgen
