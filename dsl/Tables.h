#ifndef ARGENT_DSL_TABLES_H
#define ARGENT_DSL_TABLES_H

#include <Halide.h>

#include "dsl/Capture.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Pixels are read in it: an index that holds one is data-dependent. */
bool reads_data(const Halide::Expr &e);
/** Whether a read goes through what it reads with the scan, as one of an image does and none of a table. */
bool reads_in_step(const Halide::Internal::Call *read);

/** `index` depends on a loop variable other than through data that is read. */
bool moves_with(const Halide::Expr &index, const std::vector<std::string> &vars);

/** Finds what stages read at computed places, in values as add_funcs leaves them, and lists it in region.tables.
 *  - Inputs none of whose indices moves with the scan; and those of one dimension, or read where no image can be but at few places:
 *    curve(in(x, y), x % 2), shading(clamp(x * x + y * y, 0, 255)). They are loaded before every launch, and listed in captured.tables too.
 *    Reads of them at constant places become Params with a table.
 *  - Funcs of constants and embedded Buffers: ROMs.
 *    out(x, y) = curve(in(x, y)) + taps(1)   ->   table curve; param taps_1, table taps */
void find_tables(const AcceleratorSpec &spec, const Env &env, const Walk &walk, Captured &captured, Diagnostics &diagnostics);

}  // namespace argent::dsl

#endif
