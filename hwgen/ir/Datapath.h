#ifndef ARGENT_HWGEN_IR_DATAPATH_H
#define ARGENT_HWGEN_IR_DATAPATH_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hwgen/ir/Border.h"
#include "hwgen/ir/Box.h"
#include "hwgen/ir/Operator.h"

namespace argent::hwgen {

/** Of a border that is not around the common domain. */
struct OwnDomain {
    int domain = common_domain;
    Range reach;                  // elements that what is read may lie in front of the domain (min) and behind it (max)
    bool operator==(const OwnDomain &o) const { return domain == o.domain; }
};

/** What a datapath reads. */
struct Leaf {
    static constexpr int any_lane = -1;
    enum class Kind {
        Tap,     // element (x + offset[0], y + offset[1], ...) of `producer`, where (x, y, ...) is lane 0's position
        Coord,   // the absolute coordinate of lane 0 in dimension `dim` (a Halide loop variable)
        Place,   // 1 where lane `lane` is `place` elements behind the first element of the domain (from_end: before its last);
                 // where borders have domains of their own, the element of `producer` that it reads
        Extent,  // 1 where the domain has `place` elements
        Beyond,  // until expand_borders: 1 where element x + place (of dimension `dim`) lies in front of the common domain (from_end: behind it)
        Param,   // a run-time register
        Value    // number `place` of what is computed elsewhere in the stage (SharedDatapath)
    } kind = Kind::Tap;
    int producer = -1;            // Tap, Place of a domain of its own: index of the stage that is read
    std::vector<int> offset;      // Tap: innermost first. Place of any_lane: the stage's own first element
    /** Tap, where the stage's reads repeat after several vectors or rows: [dimension][phase] the element that the first
     *  vector and row of each phase read, counted from coordinate 0; offset is that of the first phases. Else empty.
     *  Place of a domain of its own: the same in [0], of dimension `dim`. */
    std::vector<std::vector<int>> phases;
    std::vector<std::optional<Border>> border;   // Tap, by dimension, until expand_borders: what brings the element inside of the domain
    std::vector<OwnDomain> domains;                // with border; empty: none is its own
    std::vector<bool> bordered;   // Tap, from then on: in which dimensions it is only ever used inside of the domain; empty: none (no part of the identity)
    int dim = 0;                  // Coord, Place, Extent, Beyond
    int place = 0, lane = 0;      // any_lane: one of the vector's
    int domain = common_domain;   // Place, Extent: as Index::domain
    bool from_end = false;
    std::string name;             // Param's name, or a readable name of the tap: f_m1_p1 (no part of the identity of a tap)
    Interval range;
    bool operator==(const Leaf &o) const;
    bool is_inside(size_t dimension) const { return dimension < bordered.size() && bordered[dimension]; }
};

/** What a Lookup reads: addresses 0 .. depth - 1. */
struct Table {
    std::string name;             // legal in Verilog, for modules and reports
    int depth = 1;
    Interval range;               // of all elements
    std::shared_ptr<const std::vector<Wide>> contents;   // known at compile time, one an address; or loaded before the launch
    bool is_rom() const { return contents != nullptr; }
    bool operator==(const Table &o) const;
};

/** f_m1_p1: of an element of f. */
std::string tap_name(const std::string &producer, const std::vector<int> &offset);
std::string offset_name(int offset);

using NodeId = int;

struct Node {
    Op op = Op::Const;
    std::vector<NodeId> args;      // one, two or three; chains and trees are made of binary nodes
    Interval range;
    Wide value = 0;                // Const
    int amount = 0;                // Shl, Shr: the shift; ShlBy: bits of the result; Leaf: index into leaves();
                                   // Lookup: index into tables()
};

/** The hash-consed graph of one stage: all lanes together. Nodes are in topological order (arguments first). */
class Datapath {
public:
    NodeId constant(Wide value);
    NodeId leaf(const Leaf &l);
    /** The element at an address whose range lies in 0 .. depth - 1. */
    NodeId lookup(const Table &t, NodeId address);
    /** The Lookup `n` of `from` again: the values of its address are what they were there, its interval may have become wider. */
    NodeId copy_lookup(const Datapath &from, const Node &n, NodeId address);
    /** The node of `from` again, of these arguments. */
    NodeId copy(const Datapath &from, NodeId id, std::vector<NodeId> args);
    /** Another node of the same value, which nothing else finds. */
    NodeId copy_apart(NodeId);
    /** Adds (or finds) a node; folds constants and identities; computes the range. Not for Const, Leaf, Wrap, Lookup.
     *  Throws std::logic_error when the result would leave [-2^126, 2^126]: ask fits() where that may happen. */
    NodeId make(Op op, std::vector<NodeId> args, int amount = 0);
    bool fits(Op op, const std::vector<NodeId> &args, int amount = 0) const;
    /** Wrap to the type's range (all values of so many bits); nothing when the argument already fits. */
    NodeId wrap(NodeId a, Interval type);
    /** The same value, known by the caller to lie in `known`. */
    NodeId fact(NodeId a, Interval known);
    /** The value modulo 2^range.bits(), which the caller knows to lie in `range`: both of the above in one node. */
    NodeId known_wrap(NodeId a, Interval range);

    NodeId add(NodeId a, NodeId b) { return make(Op::Add, {a, b}); }
    NodeId sub(NodeId a, NodeId b) { return make(Op::Sub, {a, b}); }
    NodeId select(NodeId c, NodeId t, NodeId e) { return make(Op::Select, {c, t, e}); }

    std::vector<Interval> operand_ranges(NodeId) const;

    /** Taps of stage i become taps of stage index[i]. */
    void renumber_producers(const std::vector<int> &index);

    const std::vector<Node> &nodes() const { return all; }
    const std::vector<Leaf> &leaves() const { return leaf_list; }
    const std::vector<Table> &tables() const { return table_list; }
    const Node &operator[](NodeId id) const { return all[id]; }
    bool is_const(NodeId id) const { return all[id].op == Op::Const; }
    bool is_const(NodeId id, Wide v) const { return is_const(id) && all[id].value == v; }
    std::vector<NodeId> outputs;        // one per lane, lane 0 first

private:
    NodeId intern(Node n);

    std::vector<Node> all;
    std::vector<Leaf> leaf_list;
    std::vector<Table> table_list;
    std::unordered_multimap<uint64_t, NodeId> index;
    std::unordered_multimap<uint64_t, int> leaf_index;
};

/** A product of two variables. */
inline bool is_product(const Datapath &d, NodeId n) { return d[n].op == Op::Mul && !d.is_const(d[n].args[1]); }

/** The outputs for one value per leaf: the reference of every pass's tests. `loaded`: by name, of tables without contents. */
std::vector<Wide> evaluate(const Datapath &d, const std::vector<Wide> &leaf_values,
                           const std::map<std::string, std::vector<Wide>> &loaded = {});

/** Reads of every table in a clock, by the table's name; what no output needs does not count. */
std::map<std::string, int> lookups_of(const Datapath &d);

/** One node a line, for tests and reports:   n4 = Add(n2, n3) : 0..510 */
std::string to_string(const Datapath &d);

}  // namespace argent::hwgen

#endif
