#include "hwgen/area/CellAreas.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>

#include "hwgen/ir/Cost.h"

namespace argent::hwgen {

namespace {

int log2_up(int64_t n) {
    int bits = 0;
    while ((int64_t(1) << bits) < n) bits++;
    return bits;
}
int pieces(int64_t n, int64_t of) { return static_cast<int>((n + of - 1) / of); }

/** One instance. */
class Cell {
public:
    Cell(const CellParameters &parameters, const std::map<std::string, int> &used) : parameters(parameters), used_bits(used) {}
    int get(const char *key, int otherwise) const {
        const auto at = parameters.find(key);
        return at == parameters.end() ? otherwise : std::stoi(at->second);
    }
    std::string text(const char *key) const {
        const auto at = parameters.find(key);
        return at == parameters.end() ? "" : at->second;
    }
    /** By STYLE; "auto" by its size. */
    bool is_block(bool is_large) const {
        const std::string style = text("STYLE");
        return style == "\"block\"" || (is_auto() && is_large);
    }
    bool is_auto() const { return text("STYLE").empty() || text("STYLE") == "\"auto\""; }
    int used(const char *port) const {
        const auto at = used_bits.find(port);
        return at == used_bits.end() ? 0 : at->second;
    }

private:
    const CellParameters &parameters;
    const std::map<std::string, int> &used_bits;
};

/** RAM in look-up tables with an address to write and others to read: four tables are 32 x 6 or 64 x 3 bits. */
double lutram(int64_t width, int64_t depth) {
    return depth <= 32 ? 4.0 * pieces(width, 6) : 4.0 * pieces(width, 3) * pieces(depth, 64);
}

/** A choice of one out of n for each bit, where all n are moved round. */
double rotated(int n) { return n <= 1 ? 0 : n <= 4 ? 0.35 * n : 1.15 * std::log2(n); }

Resources fifo(int64_t width, int64_t depth, bool spare, bool fast, bool is_srl, bool is_block) {
    const int address = std::max(1, log2_up(depth));
    Resources r;
    r.ff = address + 1 + spare;
    if (is_srl) {
        r.lut = 5.5 + 0.5 * address;
        r.srl = double(width * pieces(depth, 32));
    } else if (is_block) {
        r.lut = double(width) + 4 * address - 1;
        r.ff += double(width) + 1 + 2 * address;
        r.bram18 = double(ram_blocks(depth, width));
    } else {
        const bool has_rows = address > 4;   // of 16 words
        r.lut = (has_rows ? 5.5 * address - 17 : 3.0 * address - 1) + (depth > 64 ? double(width) : 0);
        r.ff += (has_rows ? 2 : 3) * address;   // a counted read address stands twice
        if (fast && width > 12) {
            r.lut += has_rows ? 13 : 7;
            r.ff += has_rows ? 14 : 8;
        }
        r.lutram = lutram(width, depth);
    }
    return r;
}

Resources fifo(const Cell &c) {
    const int width = c.get("WIDTH", 8), depth = c.get("DEPTH", 16);
    const bool is_srl = c.text("STYLE") == "\"srl\"" || (c.is_auto() && depth <= 32 && width <= 24);
    return fifo(c.used("m_data") > 0 ? std::min(width, c.used("m_data")) : width, depth, c.get("SPARE", 0) > 0, c.get("FAST", 0) > 0, is_srl,
                c.is_block(depth > 64 && width * depth > 2048));
}

Resources line_memory(const Cell &c) {
    const int width = c.get("WIDTH", 8), depth = c.get("DEPTH", 1024), wanted = c.used("rdata");
    Resources r;
    if (c.is_block(depth > 64)) {
        r.bram18 = double(ram_blocks(depth, width));
    } else {
        r.lutram = depth <= 32 ? pieces(wanted, 2) : wanted;
        r.ff = wanted;
    }
    return r;
}

Resources row_memory(const Cell &c) {
    Resources r;
    r.bram18 = double(ram_blocks(c.get("DEPTH", 1024), c.get("WIDTH", 8)));
    return r;
}

Resources held_memory(const Cell &c) {
    Resources r = row_memory(c);
    r.lut = 1;
    r.ff = c.get("ADDR_W", 10);
    return r;
}

Resources line_address(const Cell &c) {
    const int bits = c.get("ADDR_W", 10);
    Resources r;
    const bool is_ahead = c.get("AHEAD", 0) != 0;
    r.lut = is_ahead ? pieces(bits, 2) + pieces(bits, 6) + 6 : pieces(bits, 3) + 3;
    r.ff = is_ahead ? bits + pieces(bits, 2) + 4 : bits;
    return r;
}

Resources line_follower(const Cell &c) {
    Resources r;
    r.lut = 1;
    r.ff = c.get("ADDR_W", 10);
    return r;
}

Resources equal(const Cell &c) {
    const int groups = pieces(c.get("W", 11), c.get("GROUP", 3));
    Resources r;
    r.lut = groups;
    return r;
}

/** x and y follow only if somebody reads them. */
Resources raster(const Cell &c) {
    const int x = c.get("X_W", 11), y = c.get("Y_W", 11);
    Resources r;
    r.lut = 2;
    r.ff = c.used("x") + c.used("y");
    if (c.used("x") + c.used("next_x") > 0) r.ff += x;
    if (c.used("y") + c.used("next_y") > 0) r.ff += y;
    if (c.get("FAST", 0) != 0) r.lut = x + c.used("y");
    return r;
}

Resources span(const Cell &c) {
    const bool is_at_origin = c.get("AT_ORIGIN", 0) != 0;
    Resources r;
    r.lut = is_at_origin || c.used("done") == 0 ? 2 : 3;
    r.ff = is_at_origin || c.used("done") == 0 ? 2 : 3;
    return r;
}

Resources row_span(const Cell &) {
    Resources r;
    r.lut = 1;
    r.ff = 1;
    return r;
}

Resources scan(const Cell &c) {
    const int x = c.get("X_W", 11), y = c.get("Y_W", 11), dx = c.get("DX", 0), dy = c.get("DY", 0);
    const bool is_cropped = c.get("CROPPED", 0) != 0, may_start_inside = dx < 0 || dy < 0;
    Resources r;
    r.ff = x + y + 1 + 1 + 1 + (dx > 0 ? x : 0) + (is_cropped ? 3 : 0) + (c.used("x") > 1 ? x : 0) + (c.used("y") > 2 ? y : 0);
    const int compared = pieces(x, 2) + pieces(y + 1, c.get("GROUP", 3));   // a place
    r.lut = compared + pieces(x, 2) + 5 + (dx > 0 ? x : 0) + (may_start_inside ? 1.27 * (x + y) : 0);
    if (is_cropped) r.lut += compared + (may_start_inside ? 12 : dx > 0 || dy > 0 ? 4 : 9);
    if (c.get("EARLY", 0) != 0) {
        r.lut += may_start_inside ? 24 : dx > 0 || dy > 0 ? 12 : 19;
        r.ff += may_start_inside ? 14 : dx > 0 ? 9 : 11;
    }
    return r;
}

Resources row_end(const Cell &c) {
    const int x = c.get("X_W", 11), dx = c.get("DX", 0);
    Resources r;
    r.ff = x + 1;
    r.lut = pieces(x, 3) + 3 + x + (dx > 0 ? 0 : dx < 0 ? x : x - 2) + (c.get("UNIT", 1) == 1 ? pieces(x, 4) : 0);
    return r;
}

Resources phase(const Cell &c) {
    const int x = c.get("X_W", 11), y = c.get("Y_W", 11);
    const int x_phase = c.get("NX", 2) > 1 ? c.get("PX_W", 1) : 0, y_phase = c.get("NY", 2) > 1 ? c.get("PY_W", 1) : 0;
    const bool is_here = c.used("here") > 0, has_col = c.used("col") > 0, has_row = c.used("row") > 0;
    const bool has_x = is_here || has_col || c.used("x_phase") > 0, has_y = is_here || has_row || c.used("y_phase") > 0;
    Resources r;
    r.ff = is_here + (has_x ? x_phase : 0) + (has_col ? x : 0) + (has_y ? y_phase : 0) + (has_row ? y + 2 : 0);
    const auto counter = [](int n, int bits) { return n < 2 ? 0 : (n & (n - 1)) == 0 ? bits - 1 : bits; };
    r.lut = (has_x ? counter(c.get("NX", 2), x_phase) : 0) + (has_y ? counter(c.get("NY", 2), y_phase) + (y_phase > 0) : 0) + (has_col ? x : 0) + (has_row ? 2 : 0) + (is_here && y_phase > 0 ? 1 : 0);
    return r;
}

Resources rate(const Cell &c) {
    const int bits = log2_up(c.get("CLOCKS", 2));
    Resources r;
    r.lut = 2 + 0.25 * bits;
    r.ff = bits + 1;
    return r;
}

Resources rom(const Cell &c) {
    const int width = c.get("WIDTH", 8), depth = c.get("DEPTH", 16), ports = c.get("PORTS", 1), latency = c.get("LATENCY", 1);
    Resources r;
    if (c.is_block(width * depth > 4096)) {
        r.bram18 = double(ram_blocks(depth, width));
    } else {
        Table t;
        t.depth = depth, t.range = Interval::unsigned_of(width), t.contents = std::make_shared<const std::vector<Wide>>();
        r.lut = fabric_table_cost(t, ports, part("xc7"));
        r.ff = c.used("data");
    }
    if (latency > 1) r.ff += c.used("data");
    return r;
}

Resources table(const Cell &c) {
    const int width = c.get("WIDTH", 8), depth = c.get("DEPTH", 16), ports = c.get("PORTS", 1), latency = c.get("LATENCY", 1);
    Resources r;
    if (c.is_block(width * depth > 2048)) {
        r.bram18 = double(ram_blocks(depth, width));
        r.lut = ports == 2 ? log2_up(depth) : 0;
    } else {
        const int blocks = pieces(depth, 64);
        r.lutram = ports == 1 ? (depth <= 32 ? double(pieces(width, 2)) : 1.5 * width * blocks) : ports * lutram(width, depth);
        r.lut = (ports == 1 ? log2_up(depth) : 0) + (blocks > 1 ? 0.75 * width * ports : 0);
        r.ff = c.used("data");
    }
    if (latency > 1) r.ff += c.used("data");
    return r;
}

/** A tree of four, as the cell has it, from the root down to the banks. */
Resources table_banks(const Cell &c) {
    const int width = c.get("WIDTH", 8), depth = c.get("DEPTH", 65536), address = c.get("ADDR_W", 16), ports = c.get("PORTS", 1), bank_bits = c.get("BANK_W", 14);
    const int read = c.used("data"), banks = pieces(depth, int64_t(1) << bank_bits);
    int steps = 0;
    while ((1 << (2 * steps)) < banks) steps++;
    Resources r;
    r.lut = address;
    r.ff = ports * address + width + 1;
    for (int l = 0; l < steps; l++) {
        const int nodes = pieces(banks, 1 << (2 * (steps - l))), children = pieces(banks, 1 << (2 * (steps - l - 1)));
        r.lut += (ports + 1) * children + read * nodes;
        r.ff += ports * children + nodes * (ports * (bank_bits + 2 * (steps - l - 1)) + width + 1 + read);
    }
    r.lut += banks * read;
    r.ff += banks * (ports * bank_bits + width + 1 + 2 * read);
    r.srl = banks * ports;   // that it is asked
    const int rest = depth - (banks - 1) * (1 << bank_bits);
    r.bram18 = double((banks - 1) * ram_blocks(1 << bank_bits, width) + ram_blocks(rest, width));
    return r;
}

/** A step on m bits of the dividend is a difference and a choice; of a quotient alone it is no choice from half of the divisor's bits on. */
Resources divider(const Cell &c) {
    const int a = c.get("A_W", 16), b = c.get("B_W", 16), q = c.get("Q_W", a), clocks = pieces(q, c.get("STEPS_PER_CLOCK", 1));
    const bool has_remainder = c.get("REMAINDER", 1) != 0;
    Resources r;
    double rest = 0;
    for (int m = a - q + 1; m <= a; m++) {
        const int of_both = 2 * std::min(m, b) + 1;
        r.lut += has_remainder ? of_both : std::min(of_both, b + 1);
        rest += std::min(m, b);
    }
    r.ff = rest * clocks / q + double(b) * (clocks - 1) + (has_remainder ? 6 : 6 + q / 2);
    r.srl = std::max(0, 2 * clocks - 6);
    return r;
}

/** Step k adds k + 2 bits, and k + 1 of the rest and k of the root go on. */
Resources root(const Cell &c) {
    const int n = (c.get("A_W", 16) + 1) / 2, clocks = std::max(1, pieces(n - 1, c.get("STEPS_PER_CLOCK", 1)));
    Resources r;
    r.lut = n * (n + 5) / 2.0;
    r.ff = clocks * (n + 2.6);
    r.srl = std::max(0, 2 * n - 8) * (clocks > 1);
    return r;
}

/** LINKS of STEPS_PER_CLOCK rows, through each of which the rest goes TURNS times, as in the cells. */
struct Links {
    int rows, count, turns, steps;
    bool leaves;   // to registers of its own: the next one comes at once
    Links(int digits, const Cell &c, int clocks)
        : rows(c.get("STEPS_PER_CLOCK", 1)), count(pieces(pieces(digits, rows), clocks)), turns(pieces(digits, rows * count)),
          steps(rows * count * turns), leaves(turns == clocks) {}
};

/** What a link takes over is chosen bit by bit; the rest of the first one begins with 0. */
Resources looping_divider(const Cell &c) {
    const int a = c.get("A_W", 16), b = c.get("B_W", 16), q = c.get("Q_W", a), divisor = std::min(b, a + 1);
    const bool has_remainder = c.get("REMAINDER", 1) != 0;
    const Links links(q, c, c.get("CLOCKS", 16));
    Resources r;
    r.lut = links.count * links.rows * (has_remainder ? 2 * divisor : divisor + 1) + std::max(a, links.steps) + (links.count - 1) * (divisor + links.steps);
    r.ff = links.count * (2 * divisor + links.steps + (has_remainder ? 0 : 1)) + (links.leaves ? q + (has_remainder ? divisor : 0) : 0);
    r.srl = links.count - 1;
    return r;
}

Resources looping_root(const Cell &c) {
    const int a = c.get("A_W", 16), n = (a + 1) / 2;
    const Links links(n, c, c.get("CLOCKS", 8));
    Resources r;
    r.lut = links.count * links.rows * (n + 2) + a + 4 + (links.count - 1) * (2 * n + 2 * links.steps);
    r.ff = links.count * (2 * n + 2 * links.steps + 1) + (links.leaves ? n : 0);
    r.srl = links.count - 1;
    return r;
}

Resources axi_address(int address_bits, int count_bits) {
    Resources r;
    r.lut = 2.75 * address_bits + 22 + 0.25 * (count_bits - 12);
    r.ff = 2 * address_bits + 10 + count_bits;
    return r;
}

Resources skid(const Cell &c) {
    const int width = c.get("WIDTH", 8);
    Resources r;
    r.lut = width + 3;
    r.ff = 2 * width + 2;
    return r;
}

Resources rotate(const Cell &c) {
    const int count = c.get("COUNT", 8);
    Resources r;
    r.lut = c.get("WIDTH", 8) * count * (count <= 4 ? 1 : std::log2(count) - 0.5);
    return r;
}

Resources axi_read(const Cell &c) {
    const int bus = c.get("BUS_BYTES", 8), element = c.get("ELEM_BYTES", 1), lanes = c.get("LANES", 1), beats = c.get("FIFO_BEATS", 64);
    Resources r = axi_address(c.get("ADDR_W", 32), c.get("COUNT_W", 12));
    r += fifo(bus * 8, beats, false, false, false, beats > 64 && bus * 8 * beats > 2048);
    r.lut += 6 + (lanes > 1 ? 9 * bus + 7.0 * bus * rotated(bus / element) : 7 * bus);
    r.ff += 26 + 8 * lanes * element + (lanes > 1 ? 8 * std::min(bus, lanes * element) : 0);
    return r;
}

Resources axi_write(const Cell &c) {
    const int bus = c.get("BUS_BYTES", 8), element = c.get("ELEM_BYTES", 1), lanes = c.get("LANES", 1);
    Resources r = axi_address(c.get("ADDR_W", 32), c.get("COUNT_W", 12));
    r += fifo(9 * bus + 1, 32, false, false, false, false);
    r.lut += 52 + 3 * bus + (lanes > 1 ? 8.0 * bus * rotated(bus / element) : 0);
    r.ff += 45 + 9 * bus + (lanes > 1 ? 8 * std::min(bus, lanes * element) : 0);
    return r;
}

Resources axi_guard(const Cell &c) {
    Resources r;
    r.lut = 1.6 * c.get("ADDR_W", 32) + 6 + 0.5 * c.get("STRB_W", 1);
    r.ff = 4;
    return r;
}

/** Arguments and results stand in its memory; bits of arguments that are read have a flip-flop each, too. */
Resources axi_lite(const Cell &c) {
    const int words = c.get("ARGS", 8);
    Resources r;
    r.lut = 178 + 0.2 * words + 1.5 * std::min(words, pieces(c.used("args"), 16)) + 0.9 * c.used("error_code");
    r.ff = 173 + c.get("CHECKS", 1) + c.used("args");
    r.lutram = 4 * lutram(8, int64_t(1) << log2_up(words + 16));
    return r;
}

Resources table_load(const Cell &c) {
    const int width = c.get("WIDTH", 8), address = c.get("ADDR_W", 8);
    Resources r;
    r.lut = 8 + 1.1 * address;
    r.ff = 11 + width + address;
    return r;
}

Resources axis_in(const Cell &c) {
    const int bytes = c.get("ELEM_BYTES", 1) * c.get("LANES", 1);
    Resources r;
    r.lut = c.used("s_axis_tkeep") > 0 ? 58 : 45;
    r.ff = 40 + 9 * bytes;
    (bytes == 1 ? r.srl : r.lutram) = bytes == 1 ? 11 : lutram(8 * bytes + 3, 32);
    return r;
}

Resources axis_out(const Cell &c) {
    const int bytes = c.get("ELEM_BYTES", 1) * c.get("LANES", 1);
    Resources r;
    r.lut = 28 + 8.7 * bytes;
    r.ff = 30 + 17.5 * bytes;
    return r;
}

Resources gearbox(const Cell &c) {
    const int bits = c.get("ELEM_BITS", 8), sum = c.get("IN", 4) + c.get("OUT", 3);
    Resources r;
    r.lut = 30 + 1.8 * bits * sum;
    r.ff = 29 + 1.1 * bits * sum;
    return r;
}

Resources pad(const Cell &c) {
    const int width = c.get("WIDTH", 8), lanes = c.get("LANES", 1), count = c.get("COUNT_W", 12), vectors = count - log2_up(lanes);
    const int bits = width * lanes;
    const bool has_rows = c.get("ROWS", 1) != 0;
    Resources r;
    r.ff = 2 * count + 2 * vectors + 5 + bits + width + (lanes > 1 ? bits + 2 : 0);
    r.lut = 6.0 * count + (lanes > 1 ? bits * (0.9 + 2.4 * std::log2(lanes)) : bits);
    if (has_rows) {
        const int depth = c.get("DEPTH", 1024);
        r.ff += log2_up(depth);
        r.lut += bits + 1.8 * count;
        if (depth > 64) r.bram18 = double(ram_blocks(depth, bits));
        else r.lutram = bits;
    }
    return r;
}

/** Each lane has its place, and its copy of the two rows. */
Resources fold(const Cell &c) {
    const int width = c.get("WIDTH", 8), lanes = c.get("LANES", 1), count = c.get("COUNT_W", 12), address = std::max(1, log2_up(c.get("DEPTH", 1024)));
    const int bits = width * lanes, place = count + 1;
    Resources r;
    r.ff = address + count + 6 + lanes * place;
    r.lut = 3.5 * count + 1 + 6.3 * lanes * place;
    if (lanes > 1) {
        r.ff += (lanes + 1) * place + lanes + lanes * log2_up(lanes);
        r.lut += 1.6 * place + bits * std::max(1.0, 0.375 * lanes);
    }
    r.bram18 = double(lanes * ram_blocks(int64_t(2) << address, bits));
    return r;
}

Resources legs(const Cell &c) {
    const int address = c.get("ADDR_W", 32), count = c.get("COUNT_W", 12), back = c.get("BACK", 0);
    Resources r;
    r.ff = address + 2 * count + 2 + back;
    r.lut = (1.0 + back) * address + 5 * count + 1;
    return r;
}

Resources skip(const Cell &c) {
    const int lanes = c.get("LANES", 2), bits = c.get("WIDTH", 8) * lanes, count = c.get("COUNT_W", 12);
    Resources r;
    r.ff = bits + count - log2_up(lanes) + 2;
    r.lut = bits * (1 + std::max(1.0, rotated(lanes))) + 2 * count + 1;
    return r;
}

Resources table_fill(const Cell &c) {
    const int address = c.get("ADDR_W", 4), count = c.get("COUNT_W", 8), pitch = c.get("PITCH", 4);
    int steps = address;   // bits of a row's place: multiples of the pitch
    for (int p = pitch; steps > 0 && p % 2 == 0; p /= 2) steps--;
    Resources r;
    r.ff = c.get("WIDTH", 8) + 2 * address + steps + 2 * count + 2;
    r.lut = address + 2 * count + 9;
    return r;
}

}  // namespace

int unread_low_bits(const std::string &module, const std::string &port, const CellParameters &parameters) {
    if (module != "ag_axi_guard" || (port != "low" && port != "high")) return 0;
    return log2_up(Cell(parameters, {}).get("PAGE", 4096));   // it compares pages
}

Resources cell_area(const std::string &module, const CellParameters &parameters, const std::map<std::string, int> &used) {
    static const std::map<std::string, std::function<Resources(const Cell &)>> cells = {
        {"ag_fifo", [](const Cell &c) { return fifo(c); }}, {"ag_line_memory", line_memory}, {"ag_row_memory", row_memory}, {"ag_held_memory", held_memory}, {"ag_line_address", line_address}, {"ag_line_follower", line_follower},
        {"ag_equal", equal}, {"ag_raster", raster}, {"ag_row_span", row_span}, {"ag_span", span}, {"ag_scan", scan}, {"ag_row_end", row_end}, {"ag_phase", phase}, {"ag_rate", rate}, {"ag_rom", rom},
        {"ag_table", table}, {"ag_table_banks", table_banks}, {"ag_div", divider}, {"ag_sqrt", root}, {"ag_div_loop", looping_divider}, {"ag_sqrt_loop", looping_root}, {"ag_axi_address", [](const Cell &c) { return axi_address(c.get("ADDR_W", 32), c.get("COUNT_W", 12)); }},
        {"ag_skid", skid}, {"ag_rotate", rotate}, {"ag_axi_read", axi_read}, {"ag_axi_write", axi_write}, {"ag_axi_guard", axi_guard},
        {"ag_axi_lite", axi_lite}, {"ag_table_load", table_load}, {"ag_axis_in", axis_in}, {"ag_axis_out", axis_out}, {"ag_gearbox", gearbox},
        {"ag_pad", pad}, {"ag_fold", fold}, {"ag_legs", legs}, {"ag_skip", skip}, {"ag_table_fill", table_fill}};
    const auto cell = cells.find(module);
    if (cell == cells.end()) throw std::logic_error("argent internal error in cell_area: no area of " + module);
    return cell->second(Cell(parameters, used));
}

}  // namespace argent::hwgen
