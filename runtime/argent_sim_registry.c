/* The list of linked models. In a file of its own, and weak, because both the runtime and a model that is loaded with dlopen
 * may hold a copy: the program's is used by all if it is visible to them, otherwise each library has its own. */
#include "argent_sim.h"

__attribute__((weak)) struct argent_sim_model *argent_sim_first_model;

__attribute__((weak)) void argent_sim_register(struct argent_sim_model *model) {
    model->next = argent_sim_first_model;
    argent_sim_first_model = model;
}

__attribute__((weak)) struct argent_sim_model *argent_sim_registered(void) { return argent_sim_first_model; }
