#ifndef ARGENT_DSL_ORDERSCANS_H
#define ARGENT_DSL_ORDERSCANS_H

#include "dsl/Walk.h"

namespace argent::dsl {

/** Puts the scanned dimensions of all Funcs but the outputs, whose order is the block's, in the order of their readers: what follows the
 *  readers' rows comes first.
 *    block({{y, 32}, {x, 64}}); out(x, y) reads f(x - 1, y)   ->   f: y, x
 *    block({{x, 64}, {y, 32}}); out(x, y) reads f(y, x)       ->   f: y, x, and its inputs, if their columns are together in memory
 *  A Func that is read in both orders has the order of its own dimensions. So has one that is kept in a RAM, or the other one where that
 *  suits what it needs of memory. */
void order_scans(const AcceleratorSpec &spec, const Env &env, Walk &walk);

}  // namespace argent::dsl

#endif
