/* The C face of a Simulation: the table that argent_sim.h asks for. */
#include <new>

#include "argent_sim_pins.h"
#include "Simulation.h"
#include "argent_sim.h"

using argent::sim::ModelFunctions;
using argent::sim::Simulation;

namespace {

Simulation *self(void *simulation) { return static_cast<Simulation *>(simulation); }

void *create(const argent_sim_model *model, const argent_sim_settings *settings) {
    try {
        return new Simulation(*static_cast<const ModelFunctions *>(model->pins), *settings);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

}  // namespace

void argent_sim_make_model(argent_sim_model *model, const char *name, const ModelFunctions *functions) {
    *model = argent_sim_model{};
    model->version = ARGENT_SIM_MODEL_VERSION;
    model->name = name;
    model->pins = functions;
    model->create = create;
    model->destroy = [](void *s) { delete self(s); };
    model->reset = [](void *s, int fresh) { return self(s)->reset(fresh != 0); };
    model->mappings = [](void *s, const argent_mapping *list, size_t count) { self(s)->set_mappings(list, count); };
    model->arm = [](void *s, const argent_sim_settings *settings, const argent_window *windows, size_t count) {
        return self(s)->arm(*settings, windows, count);
    };
    model->transfer = [](void *s, const argent_window *boxes, size_t count) { return self(s)->transfer(boxes, count); };
    model->read = [](void *s, uint32_t offset, uint32_t *value) { return self(s)->read(offset, value); };
    model->write = [](void *s, uint32_t offset, uint32_t value) { return self(s)->write(offset, value); };
    model->run = [](void *s, uint64_t clocks) { return self(s)->run(clocks); };
    model->counter = [](void *s, argent_count which, uint64_t *value) { return self(s)->counter(which, value); };
    model->port = [](void *s, uint32_t index, argent_sim_port_counts *port) { return self(s)->port(index, port); };
    model->time = [](void *s) { return self(s)->time(); };
    model->launches = [](void *s) { return self(s)->launches(); };
    model->text = [](void *s) { return self(s)->text(); };
    model->attach = [](void *s, const argent_sim_world *world) { self(s)->attach(world); };
    model->answer = [](void *s, uint32_t port, uint64_t clock) { self(s)->answer(port, clock); };
}
