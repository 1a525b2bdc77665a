#ifndef ARGENT_TEST_HWGEN_RTL_CELL_H
#define ARGENT_TEST_HWGEN_RTL_CELL_H

#include <doctest/doctest.h>

#include "bench.h"

/** What the test finds wrong, or "". */
inline std::string found_by(void (*test)()) {
    try {
        test();
    } catch (const Failure &failure) {
        return failure.what();
    }
    return "";
}

/** The test finds nothing wrong with the cell, and something with each mutant of it. */
#define CELL(cell, test, models, mutants)                    \
    TEST_CASE("cell " cell) {                                \
        INFO("AG_SEED=", seed());                            \
        CHECK_EQ(found_by(test<models>), "");                \
    }                                                        \
    TEST_CASE("mutant " cell) {                              \
        INFO("AG_SEED=", seed());                            \
        const std::string caught = found_by(test<mutants>);  \
        MESSAGE(caught);                                     \
        CHECK_NE(caught, "");                                \
    }

#endif
