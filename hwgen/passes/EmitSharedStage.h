#ifndef ARGENT_HWGEN_PASSES_EMIT_SHARED_STAGE_H
#define ARGENT_HWGEN_PASSES_EMIT_SHARED_STAGE_H

#include <string>

#include "hwgen/ir/Part.h"
#include "hwgen/ir/SharedDatapath.h"
#include "hwgen/passes/EmitStage.h"
#include "hwgen/verilog/Names.h"

namespace argent::hwgen {

/** Writes a stage whose operators are shared in time: a counter of slots, choices by the place in `<name>_choices`, multiplexers into `<name>_terms`, an accumulator for
 *  each of its outputs, and `<name>_after` for the rest.
 *  start: 1 in the clock in which a stage of emit_stage would read its inputs; at least as many clocks apart as there are slots.
 *  Inputs: taps and params stand from the clock after start on, for as many clocks as there are slots; what tells the place is
 *  read with start. Outputs: `latency` clocks after start, and then until the next ones.
 *
 *    clock      start  1 + c   2 + c     2 + c + l  ...  2 + c + l + slots   ...  latency
 *               slot 0 chosen  to terms  first term      all gathered             out      (c: clocks of the choices, l: of the terms)
 *  `modules`: the names that are taken. */
StageModule emit_shared_stage(const SharedDatapath &, const Part &, double period_ns, const std::string &name, const std::string &comment,
                              verilog::Scope &modules);

}  // namespace argent::hwgen

#endif
