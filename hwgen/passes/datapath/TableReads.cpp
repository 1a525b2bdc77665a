#include "hwgen/passes/datapath/TableReads.h"

#include <memory>

namespace argent::hwgen {

NodeId TableReads::lookup(const TableSource &t, const std::vector<NodeId> &indices) {
    const TablePlaces read = places_of(t, indices);
    const int64_t most = t.most();
    if (layout_of(read).depth > most) throw BadTableRead(t, read);
    if (read_places && !t.is_rom()) {
        TablePlaces &all = read_places->emplace(t.name, read).first->second;
        for (size_t i = 0; i < read.size(); ++i) all[i] = all[i].hull(read[i]);
        if (layout_of(all).depth > most) throw BadTableRead(t, all);
    }
    const TablePlaces &box = t.is_rom() || t.box.empty() ? read : t.box;
    const TableLayout layout = layout_of(box);
    const NodeId at = address(layout, read, indices);
    return d.lookup(table(t, box, layout), at);
}

/** Within the declared bounds, outside of which nothing is read. */
TablePlaces TableReads::places_of(const TableSource &t, const std::vector<NodeId> &indices) const {
    TablePlaces read, all_places;
    bool is_outside = false;
    for (size_t i = 0; i < indices.size(); ++i) {
        const Interval range = d[indices[i]].range, declared = t.declared.at(i).value_or(range);
        all_places.push_back(range);
        read.push_back(range.intersect(declared));
        is_outside = is_outside || range.hi < declared.lo || range.lo > declared.hi;
    }
    if (is_outside) throw BadTableRead(t, all_places);
    return read;
}

NodeId TableReads::address(const TableLayout &layout, const TablePlaces &read, const std::vector<NodeId> &indices) {
    NodeId address = d.constant(0);
    for (size_t i = 0; i < indices.size(); ++i) {
        const int bits = layout.bits[i];
        if (bits == 0) continue;
        const Wide mask = (Wide(1) << bits) - 1;
        const bool is_one_block = (read[i].lo >> bits) == (read[i].hi >> bits);
        const Interval low = is_one_block ? Interval{read[i].lo & mask, read[i].hi & mask} : Interval::unsigned_of(bits);
        NodeId part = d.make(Op::And, {indices[i], d.constant(mask)});
        // Narrower than the bits only where that is a fact about the declared bounds.
        if (low.bits() == bits) part = d.fact(part, low);
        address = d.add(address, d.make(Op::Shl, {part}, layout.shift[i]));
    }
    return address;
}

const Table &TableReads::table(const TableSource &t, const TablePlaces &box, const TableLayout &layout) {
    std::vector<Wide> key;
    for (const Interval &i : box) key.push_back(i.lo), key.push_back(i.hi);
    const auto [known, is_new] = made.emplace(std::make_pair(t.name, key), Table());
    if (!is_new) return known->second;
    Table &made_now = known->second;
    made_now.name = t.id;
    made_now.depth = static_cast<int>(layout.depth);
    made_now.range = Interval::of(t.type);
    if (!t.is_rom()) return made_now;
    const std::vector<Wide> elements = t.contents(box);
    auto words = std::make_shared<std::vector<Wide>>(static_cast<size_t>(layout.depth), elements.at(0));   // gaps hold what occurs anyway
    std::vector<int64_t> place;
    for (const Interval &i : box) place.push_back(static_cast<int64_t>(i.lo));
    for (const Wide &element : elements) {
        words->at(static_cast<size_t>(layout.address(place))) = element;
        for (size_t k = 0; k < place.size(); ++k) {
            if (++place[k] <= box[k].hi) break;
            place[k] = static_cast<int64_t>(box[k].lo);
        }
    }
    made_now.range = {elements[0], elements[0]};
    for (const Wide &element : elements) made_now.range = made_now.range.hull({element, element});
    made_now.contents = words;
    return made_now;
}

}  // namespace argent::hwgen
