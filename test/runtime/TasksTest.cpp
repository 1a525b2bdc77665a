// argent_tasks.h: tasks that wait for each other at semaphores, as Halide's async() makes them; Halide's side of it is played here.
#include <HalideRuntime.h>
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "argent_tasks.h"

namespace {

halide_do_parallel_tasks_t do_tasks = nullptr;
halide_semaphore_init_t init = nullptr;
halide_semaphore_release_t release = nullptr;
halide_semaphore_try_acquire_t try_acquire = nullptr;

/** A loop, each turn of which needs units of semaphores. */
struct Task {
    std::function<int(int i, void *parent)> turn;
    std::vector<halide_semaphore_acquire_t> needs;
    int min, extent;
};

int call(void *, int min, int extent, uint8_t *closure, void *parent) {
    CHECK(extent == 1);
    return reinterpret_cast<Task *>(closure)->turn(min, parent);
}

int run(std::vector<Task> tasks, void *parent = nullptr) {
    std::vector<halide_parallel_task_t> list;
    for (Task &t : tasks) list.push_back({call, reinterpret_cast<uint8_t *>(&t), "task", t.needs.data(), int(t.needs.size()), t.min, t.extent, 1, true});
    return do_tasks(nullptr, int(list.size()), list.data(), parent);
}

}  // namespace

extern "C" {
void halide_set_custom_parallel_runtime(halide_do_par_for_t, halide_do_task_t, halide_do_loop_task_t, halide_do_parallel_tasks_t tasks, halide_semaphore_init_t i,
                                        halide_semaphore_try_acquire_t t, halide_semaphore_release_t r) {
    do_tasks = tasks, init = i, try_acquire = t, release = r;
}
int halide_default_do_par_for(void *, halide_task_t, int, int, uint8_t *) { return 0; }
int halide_default_do_task(void *, halide_task_t, int, uint8_t *) { return 0; }
int halide_default_do_loop_task(void *context, halide_loop_task_t f, int min, int extent, uint8_t *closure, void *parent) {
    return f(context, min, extent, closure, parent);
}
int halide_do_loop_task(void *context, halide_loop_task_t f, int min, int extent, uint8_t *closure, void *parent) {
    return f(context, min, extent, closure, parent);
}
}

TEST_CASE("tasks: a ring of two between a producer and a consumer") {
    argent_tasks_use();
    halide_semaphore_t full{}, empty{};
    CHECK(init(&full, 0) == 0);
    CHECK(init(&empty, 2) == 2);
    int ring[2] = {0, 0}, made = 0;
    std::vector<int> got;
    CHECK(run({{[&](int i, void *) {
                    ring[i % 2] = i * i;
                    made++;
                    return release(&full, 1), 0;
                }, {{&empty, 1}}, 10, 100},
               {[&](int i, void *) {
                    got.push_back(ring[i % 2]);
                    return release(&empty, 1), 0;
                }, {{&full, 1}}, 10, 100}}) == 0);
    CHECK(made == 100);
    REQUIRE(got.size() == 100);
    for (int i = 0; i < 100; i++) CHECK(got[size_t(i)] == (i + 10) * (i + 10));
    CHECK(run({}) == 0);
}

TEST_CASE("tasks: several units, several semaphores, and tasks within tasks") {
    argent_tasks_use();
    halide_semaphore_t pairs{}, ones{}, inner{};
    init(&pairs, 1);
    init(&ones, 0);
    CHECK(try_acquire(&pairs, 2) == false);
    CHECK(try_acquire(&pairs, 1) == true);
    int seen = 0;
    std::atomic<int> below{0};
    CHECK(run({{[&](int, void *) { return release(&pairs, 1), 0; }, {}, 0, 8},
               {[&](int, void *) { return release(&ones, 1), 0; }, {}, 0, 4},
               {[&](int i, void *parent) {
                    CHECK(i == seen++);
                    init(&inner, 0);
                    return run({{[&](int, void *) { return release(&inner, 1), 0; }, {}, 0, 3}, {[&](int, void *) { return ++below, 0; }, {{&inner, 1}}, 0, 3}}, parent);
                }, {{&pairs, 2}, {&ones, 1}}, 0, 4}}) == 0);
    CHECK(seen == 4);
    CHECK(below == 12);
}

TEST_CASE("tasks: one that fails ends the others, which wait for it") {
    argent_tasks_use();
    halide_semaphore_t full{}, never{};
    init(&full, 0);
    init(&never, 0);
    int turns = 0;
    CHECK(run({{[&](int i, void *) { return i == 3 ? -7 : (release(&full, 1), 0); }, {}, 0, 10},
               {[&](int, void *parent) {
                    turns++;
                    // Within it one waits for what nobody will release.
                    return turns == 3 ? run({{[](int, void *) { return 0; }, {{&never, 1}}, 0, 1}}, parent) : 0;
                }, {{&full, 1}}, 0, 10}}) == -7);
    CHECK(turns <= 3);
    CHECK(run({{[&](int, void *) { return 0; }, {}, 0, 10}}) == 0);
}

TEST_CASE("tasks: of another thread, which end between a semaphore's making and its use") {
    argent_tasks_use();
    halide_semaphore_t full{};
    init(&full, 0);
    std::thread([] {
        halide_semaphore_t other{};
        init(&other, 2);
        CHECK(run({{[](int, void *) { return 0; }, {{&other, 1}}, 0, 2}}) == 0);
    }).join();
    int turns = 0;
    CHECK(run({{[&](int, void *) { return release(&full, 1), 0; }, {}, 0, 3}, {[&](int, void *) { return turns++, 0; }, {{&full, 1}}, 0, 3}}) == 0);
    CHECK(turns == 3);
}

TEST_CASE("tasks: a semaphore that could not be made") {
    argent_tasks_use();
    halide_semaphore_t unknown{};
    CHECK(run({{[](int, void *) { return 0; }, {{&unknown, 1}}, 0, 1}}) == halide_error_code_out_of_memory);
}
