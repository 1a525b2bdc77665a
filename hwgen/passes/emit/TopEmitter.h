#ifndef ARGENT_HWGEN_PASSES_EMIT_TOP_EMITTER_H
#define ARGENT_HWGEN_PASSES_EMIT_TOP_EMITTER_H

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hwgen/passes/emit/EmitTop.h"
#include "hwgen/verilog/Build.h"

namespace argent::hwgen {

/** What emit_top is made of, for its own sources only: EmitTop.cpp puts the top together around the core, EmitControl.cpp has the registers' port,
 *  EmitMemoryPort.cpp the masters, and EmitRows.cpp the cells between a port and the core that change an image's rows. */
class TopEmitter {
public:
    using Expr = verilog::Expr;

    explicit TopEmitter(const Timelines &t);
    Top emit();

private:
    using Connection = std::pair<std::string, Expr>;

    /** A stream of words inside. */
    struct WordNets {
        Expr valid, ready, data;
    };

    void pins();
    void stream_nets(const CoreStream &c);
    void port(const MemoryPort &p, bool is_input);
    void stream_port(const MemoryPort &p, bool is_input);
    void connect_word(const MemoryPort &p, const Expr &inner, bool is_input);
    Expr core_instance();
    void connect_geometry(std::vector<Connection> &connections);
    void connect_rams(std::vector<Connection> &connections);
    void connect_crop(const CoreStream &c, int dim, std::vector<Connection> &connections);
    void finish(const Expr &core_busy);
    void name_unused();
    std::vector<std::string> cells_of_top() const;

    void control_pins();
    void control();
    void table_loads();
    void refusals();

    void master_pins(const MemoryPort &p, bool is_read);
    void memory_port(const MemoryPort &p, bool is_read);
    void master(const MemoryPort &p, bool is_read, const std::vector<Connection> &box, const WordNets &nets);
    void guard(const MemoryPort &p, bool is_read, verilog::Instance &master);
    void gearbox(const MemoryPort &p, bool is_read, Expr pixels, Expr row_elements, const WordNets &core_side, const WordNets &master_side);
    std::vector<Connection> legs(const MemoryPort &p, const Expr &stride, const Expr &row_elements, const Expr &busy);

    WordNets link(const MemoryPort &p, bool is_input);
    WordNets pad(const MemoryPort &p, const WordNets &core_side);
    WordNets fold_columns(const MemoryPort &p, const WordNets &core_side);
    WordNets skip(const MemoryPort &p, const WordNets &core_side);
    WordNets between(const MemoryPort &p, const std::string &cell, const WordNets &core_side, bool is_input, verilog::Instance i);

    /** The low bits of a register that a launch is told. */
    Expr argument(const std::string &name, int bits);
    /** The extent of a port's image: a register of its own, or what is scanned and a constant more. */
    Expr extent(const MemoryPort &p, int dim);
    /** Widths of what timelines have ports for. */
    const Core &core_of(const MemoryPort &p) const { return t.all[p.timeline].core; }

    const Timelines &t;
    const Graph &g;       // of the outputs
    const Region &region;
    const Core &core;
    verilog::Builder b;
    int address_width;
    Top top;
    Expr clk, rst, start, args, finished, error_code, wait_in, wait_out, refuse;
    std::vector<std::vector<Connection>> table_nets;  // of the core's tables
    std::map<std::string, Expr> words;                // of ports, by id
    std::vector<Expr> busy, errors, unread;
    std::set<std::string> cells;
    std::map<std::string, WordNets> streams;          // of the core, by id
};

}  // namespace argent::hwgen

#endif
