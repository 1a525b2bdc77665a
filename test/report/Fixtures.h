#ifndef ARGENT_TEST_REPORT_FIXTURES_H
#define ARGENT_TEST_REPORT_FIXTURES_H

#include <nlohmann/json.hpp>
#include <string>

namespace fixtures {

/** test/report/harris.json: 8 stages, two pixels per clock, every section but the pictures. */
nlohmann::json harris();

/** The same with pictures and a measurement of the predicted size. */
nlohmann::json harris_after_simulation();

/** A Laplacian pyramid of 6 levels, down and up: 46 stages with long skip paths and slow levels. */
nlohmann::json pyramid();

/** `n` 3x3 stencils in a row. */
nlohmann::json chain(int n);

/** The least that is a report: one accelerator with one stage and no more. */
nlohmann::json bare();

}  // namespace fixtures

#endif
