// In place of Measured.cpp where the runner is compiled for a board: pages and their pictures need more libraries than a board has.
#include <fmt/format.h>

#include "sim/runner/Measured.h"

namespace argent::runner {

void write_report(const std::filesystem::path &, const std::filesystem::path &, const Measured &) {
    bad_use("--report: this runner was compiled for a board, without reports; use that of the machine where it was built");
}

}  // namespace argent::runner
