#ifndef ARGENT_HWGEN_IR_SIGNALS_H
#define ARGENT_HWGEN_IR_SIGNALS_H

#include <string>
#include <unordered_map>
#include <vector>

#include "hwgen/ir/Cost.h"
#include "hwgen/ir/Graph.h"
#include "hwgen/ir/LinearSum.h"

namespace argent::hwgen {

/** What a node of a datapath computes, without the place in the window at which it does so: two nodes that are one
 *  expression, moved, are one signal at two places.
 *    in(x-1, y) + in(x, y), in(x, y+1) + in(x+1, y+1)   ->   s = in(x, y) + in(x+1, y) at (-1, 0) and at (0, 1) */
struct Signal {
    enum class Kind {
        Leaf,   // what is read; the offset of a tap is 0
        Op,     // node.op of args
        Sum     // of signals that are none themselves, or of sums that are too long to be opened
    } kind = Kind::Leaf;
    Leaf leaf;
    Node node;                    // Op: op, amount, range
    std::vector<SignalAt> args;   // Op
    LinearSum sum;                // Sum; of a constant, a sum without terms
    Interval range;
    bool is_moving = true;        // another place, another value: taps and what depends on them; else `at` is always {}
    bool is_movable = true;       // means the same wherever it is computed; not so coordinates, which are the stage's own
    bool is_stored() const { return kind == Kind::Leaf && leaf.kind == Leaf::Kind::Tap; }
};

/** All signals of a graph. */
class Signals {
public:
    /** Finds all nodes that the outputs of a stage need; returns where each lane's output is. */
    std::vector<SignalAt> outputs_of(const Datapath &d);
    /** A sum of signals, or the signal that it is; range: what is known of its value. */
    SignalAt sum(const LinearSum &s, Interval range);

    /** Another sum of the same value. */
    void set_sum(int i, LinearSum s) { all[i].sum = std::move(s); }

    const Signal &operator[](int i) const { return all[i]; }
    /** Of a Lookup: node.amount is its number here. */
    const Table &table(const Signal &s) const { return tables[s.node.amount]; }
    int size() const { return static_cast<int>(all.size()); }
    std::vector<Interval> ranges() const;
    /** Everything that it reads, each once. */
    std::vector<SignalAt> reads(int i) const;

private:
    int intern(Signal s, const std::string &key);
    SignalAt leaf(Leaf l);
    SignalAt operation(const Datapath &d, const Node &n, std::vector<SignalAt> args);

    std::vector<Signal> all;
    std::vector<Table> tables;
    std::unordered_map<std::string, int> index;
};

/** Of an Op, once, without what it reads. */
double operator_cost(const Signals &, int signal, const Prices &);

}  // namespace argent::hwgen

#endif
