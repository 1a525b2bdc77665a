#ifndef ARGENT_PLATFORM_BOARD_H
#define ARGENT_PLATFORM_BOARD_H

#include <stdexcept>
#include <string>

namespace argent::platform {

/** What the model needs to know of a board: boards/<name>.toml (its README says what each figure means). */
struct Board {
    struct Ddr {
        std::string kind;             // for people
        bool ideal = false;           // the reference memory of sim: in place of what follows
        double bytes_per_second = 0;  // of the data bus
        double read_latency_ns = 0;   // from a port's address to the first data, when nothing else is going on and the row is open
        double write_latency_ns = 0;  // from the last data to the response
        double row_miss_ns = 0;       // to close a row and open another one
        double turnaround_ns = 0;     // of the data bus, between reading and writing
        double refresh_interval_ns = 0, refresh_ns = 0;
        int banks = 1, row_bytes = 1;
        int queue = 1;  // bursts that the controller has taken on and not begun
    };
    struct Cpu {
        std::string kind;
        double slowdown = 0;      // host stages take so many times as long as here; 0: no time at all
        double register_ns = 0;   // of one access to a register of the fabric
        double interrupt_ns = 0;  // until the program knows of an interrupt
    };

    std::string name;
    double clock_mhz = 0;
    int ports = 0, port_bytes = 0;  // of memory, each with a channel for reading and one for writing; 0 ports: as many as are asked for
    int outstanding = 0;            // bursts that wait for an answer, of each image's port and direction
    Ddr ddr;
    Cpu cpu;
    std::string report;  // a file for the figures in place of the table; empty: the table, on stderr
};

/** A board that cannot be had: what() is for the user. */
struct NoBoard : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** Of a URI behind `platform:`: a name or a file, then options behind commas (docs/platform.md). Throws NoBoard with all mistakes. */
Board find_board(const std::string &uri);

}  // namespace argent::platform

#endif
