#ifndef ARGENT_HWGEN_PASSES_EMIT_EMIT_SHARED_STAGE_H
#define ARGENT_HWGEN_PASSES_EMIT_EMIT_SHARED_STAGE_H

#include <string>

#include "hwgen/ir/Part.h"
#include "hwgen/ir/SharedDatapath.h"
#include "hwgen/passes/emit/EmitStage.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

/** Writes a stage whose operators are shared in time: a counter of slots, choices by the place in `<name>_choices`, multiplexers into `<name>_terms`, an accumulator for
 *  each of its outputs, and `<name>_after` for the rest.
 *  start: 1 in the clock in which a stage of emit_stage would read its inputs; at least `clocks` apart, which is at least as many as all slots have.
 *  Inputs: taps and params stand from the clock after start on, for as many clocks as all slots have; what tells the place is
 *  read with start. A slot has more than one clock where dividers or roots loop in it. Outputs: `latency` clocks after start, and then until the next ones.
 *
 *    clock      start  1 + c   2 + c     2 + c + l  ...  3 + c + l + (slots - 1) k   ...  latency
 *               slot 0 chosen  to terms  first term      all gathered                     out      (c: clocks of the choices, l: of the terms, k: of a slot)
 *  `modules`: the names that are taken. */
StageModule emit_shared_stage(const SharedDatapath &, const Part &, double period_ns, int clocks, const std::string &name, const std::string &comment,
                              verilog::Scope &modules);

}  // namespace argent::hwgen

#endif
