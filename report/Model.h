#ifndef ARGENT_REPORT_MODEL_H
#define ARGENT_REPORT_MODEL_H

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/** report.json as values: what the page is drawn from. Fields and units are those of README.md; a field that may be absent
 *  there is optional, empty or zero here. */
namespace argent::report {

struct Source {
    std::string file;
    int64_t line = 0;
};

/** Positions of the scan: rows * pitch + cols. */
struct Distance {
    int64_t rows = 0, cols = 0;
};

struct Resources {
    std::optional<int64_t> lut, ff, bram18, dsp;
    bool is_estimate = false;
};

struct Directive {
    std::string text;
    bool by_user = true;
};

struct Extent {
    std::string var;
    int64_t extent = 0;
};

/** Operators that several terms take turns on. */
struct Shared {
    int64_t slots = 0, sets = 0, in_place_of = 0;
};

struct Stage {
    enum class Kind { Input, Stage, Output };
    std::string name, type, expression, storage, reason;
    Kind kind = Kind::Stage;
    std::string low, high;  // range, as text: 64 bits fit no JSON number
    int64_t bits = 0, lanes = 1, clocks = 1;
    std::optional<Source> source;
    std::vector<std::pair<int64_t, int64_t>> box;
    std::optional<Distance> displacement;
    std::optional<int64_t> phase, latency;
    std::optional<double> critical_ns;
    std::vector<std::string> critical_path;  // in words, from a Func or a register to a register
    std::optional<Shared> shared;
    std::optional<Resources> resources;
};

struct Edge {
    int from = 0, to = 0;  // indices of stages
    int64_t bits = 0;
    std::vector<std::array<int64_t, 2>>
        reads;                    // x and y of each tap, relative to the consumer's element
    std::vector<int64_t> window;  // extents, innermost first
    Distance delay;               // from an element's birth to its oldest read
    int64_t depth = 0;            // the same in elements
};

struct Window {
    int producer = 0;
    std::string form, memory;
    int64_t rows = 0, row_words = 0, row_bits = 0, register_bits = 0, ram_bits = 0;
    bool repeats_rows = false;
    std::vector<int> consumers;
};

struct Span {
    enum class Kind { Read, Stage, Write };
    std::string name;
    Kind kind = Kind::Stage;
    int64_t first = 0, last = 0;  // clocks
};

/** A frame: predicted, or what the simulator saw. */
struct Frame {
    int64_t width = 0, height = 0, clocks = 0, ideal = 0;
    std::vector<Span> spans;
};

/** What somebody did for a while. */
struct Doing {
    enum class Kind { Host, Driver, Launch, Read, Write };
    Kind kind = Kind::Host;
    double first = 0, last = 0;  // microseconds
};

/** A frame of the whole application on a model of the board: who was at work when. */
struct OnBoard {
    struct Lane {
        std::string name;
        std::vector<Doing> doings;
    };
    double end = 0;  // microseconds
    bool cut = false;
    std::vector<Lane> lanes;
};

struct Measured {
    Frame frame;
    std::optional<Frame> predicted;  // of the same size
    std::string device;
    std::optional<OnBoard> on_board;
    std::optional<int64_t> stall_in, stall_out, read_bytes, write_bytes, elements, different;
};

struct Port {
    std::string name, direction;
    int64_t bus_bytes = 0;
    double needed = 0, available = 0;  // bytes per clock
    std::optional<int64_t> stalls;     // clocks
    bool is_stream = false;            // an AXI4-Stream; otherwise of memory
};

struct Certificate {
    struct Constraint {
        std::string from, to, reason;
        Distance weight;
        std::optional<int64_t> slack;  // positions at the pitch, or clocks; negative: violated
    };
    struct Value {
        std::string name, reason;
        Distance at;
    };
    struct System {
        std::vector<Constraint> constraints;
        std::vector<Value> values;
        std::optional<int64_t> objective_bits;
    };
    struct Window {
        std::string producer, reason;
        int64_t rows = 0, words = 0;  // words of each row
        std::vector<int64_t> registers;
    };
    struct Fifo {
        std::string name;
        int64_t words = 0;
        std::vector<std::pair<int64_t, std::string>> needs;  // words, and why
    };
    std::string timeline;          // what it fills; of the outputs': none
    int64_t pitch = 1;
    System scan;                   // in positions
    std::optional<System> clocks;  // behind the head of the scan
    std::vector<Window> windows;
    std::vector<Fifo> fifos;
    std::vector<Certificate> before;  // of timelines that others wait for
};

/** A Func that is kept whole, between timelines. */
struct Ram {
    std::string name, writer;
    std::vector<std::string> readers;  // modules
    int64_t columns = 0, rows = 0, bits = 0;
};

struct Picture {
    std::string title, note, base64;
    int64_t width = 0, height = 0;  // from the PNG itself
};

struct Accelerator {
    std::string name, board, part, call, formula;
    double clock_mhz = 0;
    std::optional<Source> source;
    std::vector<Directive> directives;
    std::vector<Extent> block;
    int64_t pixels = 1, per_clocks = 1;
    std::vector<Stage> stages;
    std::vector<Edge> edges;
    std::vector<Window> windows;
    std::vector<Ram> rams;
    std::optional<int64_t> buffered_bits, separate_bits;
    std::optional<Frame> timeline;
    std::optional<Measured> measured;
    std::vector<Port> traffic;
    std::optional<Certificate> certificate;
    std::optional<Resources> resources, capacity;
    std::vector<std::string> warnings;
    std::vector<Picture> pictures;
};

struct Report {
    std::string argent, function;
    std::vector<Accelerator> accelerators;
};

/** Reads and checks: names are unique, edges and windows name stages, no cycle among different stages.
 *  Throws argent::ReportError with the path of the offending field. */
Report read_report(const nlohmann::json &json);

}  // namespace argent::report

#endif
