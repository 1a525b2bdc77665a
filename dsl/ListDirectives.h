#ifndef ARGENT_DSL_LIST_DIRECTIVES_H
#define ARGENT_DSL_LIST_DIRECTIVES_H

#include <map>
#include <string>

#include "dsl/Capture.h"

namespace argent::dsl {

/** Adds the full set of directives, ready to paste, each with whether the user gave it. Needs all else of the region.
 *  `stored`: Funcs that are stages. */
void list_directives(const AcceleratorSpec &spec, const std::map<std::string, std::string> &stored, Captured &captured);

}  // namespace argent::dsl

#endif
