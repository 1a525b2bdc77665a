#ifndef ARGENT_FUZZ_RANDOM_FORM_H
#define ARGENT_FUZZ_RANDOM_FORM_H

#include "Pipeline.h"
#include "Random.h"

namespace argent::fuzz {

/** A form that the pipeline can have; often the plain one. */
Form random_form(Random &, const Pipeline &);

}  // namespace argent::fuzz

#endif
