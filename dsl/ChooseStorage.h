#ifndef ARGENT_DSL_CHOOSE_STORAGE_H
#define ARGENT_DSL_CHOOSE_STORAGE_H

#include <map>
#include <string>

#include "dsl/Spec.h"
#include "dsl/Walk.h"

namespace argent::dsl {

/** Which Funcs of a region are stages of their own, and why. The others are recomputed where they are read.
 *  Stored are the output; linebuffer(f); Funcs with a compute level, unless inlined(f); and those whose own arithmetic
 *  would be done at more than one place: reading a window of g recomputes g at every tap. So is, whatever is said of it, a Func that is
 *  read beyond a border, if what it reads would end elsewhere (ThroughBorders.h).
 *  What is read at numbers or at computed places, as tables are, is none but by a directive.
 *    gx(x, y) = in(x + 1, y) - in(x - 1, y), read at 9 places   ->   stored: 9 subtractions become one */
std::map<std::string, std::string> choose_storage(const AcceleratorSpec &spec, const Env &env, const Walk &walk);

}  // namespace argent::dsl

#endif
