/* What the runtime finds when it loads this library: models on a board that look like models (argent_platform.h). */
#include <cstdio>
#include <vector>

#include "argent_platform.h"
#include "platform/System.h"

using argent::platform::Accelerator;
using argent::platform::NoBoard;
using argent::platform::System;

namespace {

/** The model that the runtime sees in place of the one that was found. */
struct Wrapped {
    argent_sim_model table;
    const argent_sim_model *model = nullptr;
    unsigned slot = 0;
    /** What the model works with: the runtime's own list has changed before the board's time has come so far. */
    std::vector<argent_mapping> mappings;
};
Wrapped wrapped_models[argent::platform::max_slots];

Wrapped &self(void *simulation) { return *static_cast<Wrapped *>(simulation); }

void *create(const argent_sim_model *table, const argent_sim_settings *settings) {
    auto *w = const_cast<Wrapped *>(static_cast<const Wrapped *>(table->pins));
    if (System::get().open(w->slot, *w->model, *settings)) return w;
    System::get().release(w->slot);
    return nullptr;
}

void destroy(void *simulation) {
    System::get().close(self(simulation).slot);
    System::get().release(self(simulation).slot);
}

int reset(void *simulation, int fresh) {
    return System::get().perform(self(simulation).slot, [=](Accelerator &a) { return a.reset(fresh != 0); });
}

void mappings(void *simulation, const argent_mapping *list, size_t count) {
    Wrapped &w = self(simulation);
    std::vector<argent_mapping> next(list, list + count);
    System::get().perform(w.slot, [&](Accelerator &a) {
        w.mappings.swap(next);
        a.model->mappings(a.simulation, w.mappings.data(), w.mappings.size());
        return 0;
    });
}

int arm(void *simulation, const argent_sim_settings *settings, const argent_window *windows, size_t count) {
    return System::get().perform(self(simulation).slot, [=](Accelerator &a) { return a.model->arm(a.simulation, settings, windows, count); });
}

void make_table(Wrapped &w) {
    w.table = argent_sim_model{};
    w.table.version = ARGENT_SIM_MODEL_VERSION;
    w.table.name = w.model->name;
    w.table.pins = &w;
    w.table.create = create;
    w.table.destroy = destroy;
    w.table.reset = reset;
    w.table.mappings = mappings;
    w.table.arm = arm;
    w.table.read = [](void *s, uint32_t offset, uint32_t *value) { return System::get().access(self(s).slot, false, offset, value); };
    w.table.write = [](void *s, uint32_t offset, uint32_t value) { return System::get().access(self(s).slot, true, offset, &value); };
    w.table.run = [](void *s, uint64_t clocks) { return System::get().run(self(s).slot, clocks); };
    w.table.counter = [](void *s, argent_count which, uint64_t *value) {
        return System::get().look(self(s).slot, [=](const Accelerator &a) { return a.model->counter(a.simulation, which, value); });
    };
    w.table.port = [](void *s, uint32_t index, argent_sim_port_counts *port) {
        return System::get().look(self(s).slot, [=](const Accelerator &a) { return a.model->port(a.simulation, index, port); });
    };
    w.table.launches = [](void *s) { return System::get().look(self(s).slot, [](const Accelerator &a) { return a.model->launches(a.simulation); }); };
    w.table.time = [](void *s) { return System::get().look(self(s).slot, [](const Accelerator &a) { return a.model->time(a.simulation); }); };
    w.table.text = [](void *s) { return System::get().look(self(s).slot, [](const Accelerator &a) { return a.model->text(a.simulation); }); };
}

int wrap(const char *board, const argent_sim_model *model, const argent_sim_model **wrapped, char *text, size_t size) {
    try {
        const unsigned slot = System::get().reserve(board);
        Wrapped &w = wrapped_models[slot];
        w.model = model;
        w.slot = slot;
        make_table(w);
        *wrapped = &w.table;
        return ARGENT_OK;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "device \"platform:%s\": %s", board, e.what());
        return ARGENT_NO_DEVICE;
    }
}

int frame(const char *board, int begins, char *text, size_t size) {
    try {
        System::get().frame(board, begins != 0);
        return ARGENT_OK;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "device \"platform:%s\": %s", board, e.what());
        return ARGENT_NO_DEVICE;
    }
}

int compute(const char *board, double seconds, char *text, size_t size) {
    try {
        System::get().compute(board, seconds);
        return ARGENT_OK;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "device \"platform:%s\": %s", board, e.what());
        return ARGENT_NO_DEVICE;
    }
}

int time_of(const char *board, uint64_t *picoseconds, char *text, size_t size) {
    try {
        *picoseconds = System::get().time(board);
        return ARGENT_OK;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "device \"platform:%s\": %s", board, e.what());
        return ARGENT_NO_DEVICE;
    }
}

int after(const char *board, uint64_t picoseconds, char *text, size_t size) {
    try {
        System::get().after(board, picoseconds);
        return ARGENT_OK;
    } catch (const std::exception &e) {
        std::snprintf(text, size, "device \"platform:%s\": %s", board, e.what());
        return ARGENT_NO_DEVICE;
    }
}

const char *timeline() {
    static thread_local std::string text;
    text = System::get().timeline();
    return text.empty() ? nullptr : text.c_str();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const struct argent_platform_library *argent_platform_library() {
    static const struct argent_platform_library library = {ARGENT_PLATFORM_VERSION, wrap, frame, compute, timeline, time_of, after};
    return &library;
}

/* SystemC's library has a main() that would call this; programs have their own. */
extern "C" __attribute__((visibility("default"))) int sc_main(int, char **) { return 0; }
