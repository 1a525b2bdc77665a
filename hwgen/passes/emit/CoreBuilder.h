#ifndef ARGENT_HWGEN_PASSES_EMIT_CORE_BUILDER_H
#define ARGENT_HWGEN_PASSES_EMIT_CORE_BUILDER_H

#include <set>
#include <string>
#include <vector>

#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

/** A core's module on its way, with what all parts of it leave to the end: which library cells it instantiates, and which nets nobody reads. */
class CoreBuilder : public verilog::Builder {
public:
    using verilog::Builder::Builder;

    /** An instance of a library cell. */
    void cell(verilog::Instance i) {
        cells.insert(i.module);
        instance(std::move(i));
    }
    /** A net for an output of a cell that nobody reads. */
    verilog::Expr unread(const std::string &id, int width) {
        leave_unread(wire(id, width));
        return unread_nets.back();
    }
    void leave_unread(verilog::Expr e) { unread_nets.push_back(std::move(e)); }

    std::set<std::string> cells;
    std::vector<verilog::Expr> unread_nets;
};

}  // namespace argent::hwgen

#endif
