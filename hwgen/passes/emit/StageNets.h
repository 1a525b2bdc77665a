#ifndef ARGENT_HWGEN_PASSES_EMIT_STAGE_NETS_H
#define ARGENT_HWGEN_PASSES_EMIT_STAGE_NETS_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hwgen/passes/pipeline/StageReads.h"
#include "hwgen/verilog/Ast.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

/** The module of a stage on its way, for the sources of emit_stage only: EmitStage.cpp goes through the clocks, EmitOperators.cpp and EmitCells.cpp add what begins in one.
 *  Knows on which net the bits of a node stand in each clock, and which bits of all nets somebody reads. Whoever adds a net says where it stands;
 *  whoever reads bits gets them in that clock, put together where wires lie between. */
class StageNets {
public:
    /** A net that holds bits of a node: all of it, or what a register kept (from bit `low` on; less than 0: below the node's first). */
    struct Net {
        std::string name;
        int low = 0, width = 0;
        verilog::Expr whole() const { return verilog::name(name, width); }
    };

    StageNets(const Datapath &, const Schedule &);

    /** A name for what an operator gives. */
    Net fresh(Op, int width);
    /** Each adds a net. A wire without a value is driven by an instance. */
    void port(const Net &);
    void wire(const Net &, verilog::Expr value, const std::string &comment, bool keep = false);
    void reg(const Net &, const std::string &comment);
    /** ... and what drives nets. */
    void instance(verilog::Instance cell);
    void clocked(verilog::Clocked block);

    /** Bits of the node stand on a net in clock t. */
    void place(NodeId n, int t, const Net &net) { nets[{n, t}] = net; }
    bool stands(NodeId n, int t) const { return nets.count({n, t}) > 0; }
    const Net &at(NodeId n, int t) const;

    /** Bits first..last of a net. */
    verilog::Expr read(const Net &, int first, int last);
    /** The same of what a node computes, as it stands in clock t. */
    verilog::Expr read(NodeId source, int first, int last, int t);
    /** Bits, least significant first, in clock t. */
    verilog::Expr join(const std::vector<Bit> &bits, int t);
    /** The low `width` bits of a node in clock t. */
    verilog::Expr take(NodeId n, int width, int t) { return join(wiring.take(d, n, width), t); }
    /** What node n takes of its operand k. */
    verilog::Expr operand(NodeId n, int k, int t) { return take(d[n].args[k], operand_width(d, wiring.demanded, n, k), t); }

    /** All bits that nobody has read, and the clock if it has not been used. */
    std::vector<verilog::Expr> unread() const;

    const Datapath &d;
    const Schedule &schedule;
    const Wiring wiring;
    const StageReads reads;
    verilog::Scope scope;
    std::vector<verilog::Item> items;      // as they were added
    std::vector<std::string> cells;        // of the library, each once
    std::vector<verilog::Expr> starts;     // by clock: `start` as it comes there

private:
    std::vector<Net> declared;
    std::map<std::pair<NodeId, int>, Net> nets;   // by node and clock
    std::map<std::string, BitMask> used;
    bool is_clock_used = false;
};

}  // namespace argent::hwgen

#endif
