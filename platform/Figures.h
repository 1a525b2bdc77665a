#ifndef ARGENT_PLATFORM_FIGURES_H
#define ARGENT_PLATFORM_FIGURES_H

#include <cstdint>
#include <string>
#include <vector>

#include "platform/Board.h"
#include "platform/Ddr.h"

namespace argent::platform {

/** What has been counted, since the beginning or between two moments. Times are the board's, in seconds. */
struct Figures {
    struct Channel {
        std::string name;                 // "port 0, read"
        std::vector<std::string> images;  // whose ports it serves
        uint64_t bytes = 0;
        double busy = 0;
    };

    uint64_t frames = 0;  // 0: the program did not say where they begin
    double total = 0;
    double running = 0;                // at least one accelerator ran
    double host = 0, host_beside = 0;  // the program computed while none ran and no driver; beside them
    double driver = 0;                 // register accesses and interrupts while none ran
    uint64_t launches = 0, clocks = 0, stalls_in = 0, stalls_out = 0;
    Ddr::Counts ddr;
    std::vector<Channel> channels;

    Figures &operator+=(const Figures &other) { return combine(other, 1); }
    Figures &operator-=(const Figures &other) { return combine(other, -1); }

private:
    Figures &combine(const Figures &other, int sign);
};

/** What time goes into, and what would make it less: one line. */
std::string limit_of(const Board &board, const Figures &figures);
/** The same for the time in which accelerators run. */
std::string accelerators_limit_of(const Board &board, const Figures &figures);

/** The table that a program prints. */
std::string table_of(const Board &board, const Figures &figures);

/** The same as JSON (docs/platform.md names the keys). */
std::string json_of(const Board &board, const Figures &figures);

}  // namespace argent::platform

#endif
