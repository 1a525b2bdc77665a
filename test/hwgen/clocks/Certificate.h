#ifndef ARGENT_TEST_HWGEN_CLOCKS_CERTIFICATE_H
#define ARGENT_TEST_HWGEN_CLOCKS_CERTIFICATE_H

#include <nlohmann/json.hpp>
#include <string>

/** Checks the "certificate" of one accelerator in report.json with the numbers that stand there and nothing else. Says what is
 *  wrong first, or nothing. What it proves if nothing is:
 *   - no schedule of the scan buffers fewer bits, and none behind the head keeps fewer bits waiting;
 *   - every read finds its element: the delay that was built for it is the distance in the schedule, and never negative;
 *   - windows that repeat rows have the domain's first one when their readers begin, and all rows of a column in one step;
 *   - every window holds all that is read late from it, and nothing that is not;
 *   - every FIFO keeps room for all that may be in flight, and holds enough until more comes. */
std::string wrong_with_certificate(const nlohmann::json &certificate);

#endif
