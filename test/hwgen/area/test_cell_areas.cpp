#include <doctest/doctest.h>

#include <cmath>

#include "hwgen/area/CellAreas.h"
#include "hwgen/rtl/Cells.h"

using namespace argent::hwgen;

namespace {

struct Row {
    std::string cell;
    CellParameters parameters;
    std::map<std::string, int> used;
    Resources measured;
};

/** Within 15 % or 5. */
bool is_near(double estimate, double measured) { return std::abs(estimate - measured) <= std::max(5.0, 0.15 * measured); }

Resources area(double lut, double ff, double srl = 0, double lutram = 0, double bram18 = 0) {
    Resources r;
    r.lut = lut, r.ff = ff, r.srl = srl, r.lutram = lutram, r.bram18 = bram18;
    return r;
}

}  // namespace

TEST_CASE("cell_area: what Yosys has counted, of rtl/README.md") {
    const std::vector<Row> rows = {
        {"ag_fifo", {{"WIDTH", "8"}, {"DEPTH", "16"}}, {{"m_data", 8}}, area(8, 5, 8)},
        {"ag_fifo", {{"WIDTH", "8"}, {"DEPTH", "32"}}, {{"m_data", 8}}, area(9, 6, 8)},
        {"ag_fifo", {{"WIDTH", "64"}, {"DEPTH", "32"}}, {{"m_data", 64}}, area(11, 16, 0, 44)},
        {"ag_fifo", {{"WIDTH", "64"}, {"DEPTH", "64"}}, {{"m_data", 64}}, area(16, 19, 0, 88)},
        {"ag_fifo", {{"WIDTH", "72"}, {"DEPTH", "512"}}, {{"m_data", 72}}, area(105, 101, 0, 0, 2)},
        {"ag_line_memory", {{"WIDTH", "16"}, {"DEPTH", "1920"}, {"ADDR_W", "11"}}, {{"rdata", 16}}, area(0, 0, 0, 0, 2)},
        {"ag_line_memory", {{"WIDTH", "18"}, {"DEPTH", "1024"}, {"ADDR_W", "10"}}, {{"rdata", 18}}, area(0, 0, 0, 0, 1)},
        {"ag_line_memory", {{"WIDTH", "8"}, {"DEPTH", "32"}, {"ADDR_W", "5"}}, {{"rdata", 8}}, area(0, 8, 0, 4)},
        {"ag_row_memory", {{"WIDTH", "16"}, {"DEPTH", "1924"}, {"ADDR_W", "11"}}, {{"rdata", 16}}, area(0, 0, 0, 0, 2)},
        {"ag_held_memory", {{"WIDTH", "16"}, {"DEPTH", "1924"}, {"ADDR_W", "11"}}, {{"rdata", 16}}, area(1, 11, 0, 0, 2)},
        {"ag_line_address", {{"ADDR_W", "11"}}, {{"addr", 11}}, area(7, 11)},
        {"ag_line_address", {{"ADDR_W", "11"}, {"AHEAD", "1"}}, {{"addr", 11}}, area(14, 21)},
        {"ag_line_follower", {{"ADDR_W", "11"}}, {{"addr", 11}}, area(1, 11)},
        {"ag_fifo", {{"WIDTH", "8"}, {"DEPTH", "16"}, {"SPARE", "6"}, {"STYLE", "\"distributed\""}}, {{"m_data", 8}}, area(11, 18, 0, 8)},
        {"ag_fifo", {{"WIDTH", "20"}, {"DEPTH", "48"}, {"SPARE", "20"}, {"STYLE", "\"distributed\""}}, {{"m_data", 20}}, area(16, 20, 0, 28)},
        {"ag_fifo", {{"WIDTH", "20"}, {"DEPTH", "48"}, {"SPARE", "20"}, {"FAST", "1"}, {"STYLE", "\"distributed\""}}, {{"m_data", 20}}, area(29, 34, 0, 28)},
        {"ag_fifo", {{"WIDTH", "8"}, {"DEPTH", "16"}, {"SPARE", "5"}}, {{"m_data", 8}}, area(7, 6, 8)},
        {"ag_fifo", {{"WIDTH", "24"}, {"DEPTH", "64"}, {"SPARE", "28"}}, {{"m_data", 24}}, area(16, 20, 0, 32)},
        {"ag_equal", {{"W", "11"}}, {{"same", 1}}, area(4, 0)},
        {"ag_raster", {{"X_W", "11"}, {"Y_W", "11"}}, {{"x", 11}, {"y", 11}, {"next_x", 11}, {"next_y", 11}}, area(2, 44)},
        {"ag_raster", {{"X_W", "11"}, {"Y_W", "11"}}, {{"next_x", 11}}, area(2, 11)},
        {"ag_row_span", {}, {{"active", 1}}, area(1, 1)},
        {"ag_span", {}, {{"active", 1}, {"done", 1}}, area(3, 3)},
        {"ag_scan", {}, {{"active", 1}, {"done", 1}}, area(21, 25)},
        {"ag_scan", {{"GROUP", "2"}}, {{"active", 1}, {"done", 1}}, area(23, 25)},
        {"ag_scan", {{"DX", "3"}, {"DY", "1"}}, {{"active", 1}, {"done", 1}}, area(32, 37)},
        {"ag_scan", {{"DX", "-3"}}, {{"active", 1}, {"done", 1}}, area(49, 27)},
        {"ag_scan", {{"CROPPED", "1"}}, {{"active", 1}, {"done", 1}}, area(40, 29)},
        {"ag_scan", {{"DX", "3"}, {"DY", "3"}, {"CROPPED", "1"}}, {{"active", 1}, {"done", 1}}, area(46, 38)},
        {"ag_scan", {{"DX", "-3"}, {"DY", "-1"}, {"CROPPED", "1"}}, {{"active", 1}, {"done", 1}}, area(71, 30)},
        {"ag_scan", {{"CROPPED", "1"}, {"EARLY", "1"}}, {{"active", 1}, {"done", 1}}, area(59, 40)},
        {"ag_scan", {{"DX", "3"}, {"DY", "3"}, {"CROPPED", "1"}, {"EARLY", "1"}}, {{"active", 1}, {"done", 1}}, area(59, 47)},
        {"ag_scan", {{"DX", "-3"}, {"DY", "-1"}, {"CROPPED", "1"}, {"EARLY", "1"}}, {{"active", 1}, {"done", 1}}, area(97, 44)},
        {"ag_row_end", {}, {{"row_end", 1}}, area(30, 12)},
        {"ag_row_end", {{"UNIT", "2"}}, {{"row_end", 1}}, area(27, 12)},
        {"ag_row_end", {{"DX", "3"}, {"UNIT", "2"}}, {{"row_end", 1}}, area(18, 12)},
        {"ag_row_end", {{"DX", "-3"}, {"UNIT", "2"}}, {{"row_end", 1}}, area(29, 12)},
        {"ag_phase", {}, {{"x_phase", 1}, {"y_phase", 1}}, area(1, 2)},
        {"ag_phase", {{"DX", "36"}, {"NX", "4"}, {"NY", "4"}, {"PX_W", "2"}, {"PY_W", "2"}}, {{"x_phase", 2}, {"y_phase", 2}}, area(3, 4)},
        {"ag_phase", {{"NX", "3"}, {"NY", "3"}, {"PX_W", "2"}, {"PY_W", "2"}}, {{"x_phase", 2}, {"y_phase", 2}}, area(4, 4)},
        {"ag_phase", {{"DX", "3"}}, {{"x_phase", 1}}, area(0, 1)},
        {"ag_phase", {{"DX", "3"}}, {{"here", 1}}, area(2, 3)},
        {"ag_phase", {{"DX", "36"}, {"NX", "4"}, {"NY", "4"}, {"PX_W", "2"}, {"PY_W", "2"}}, {{"here", 1}}, area(4, 5)},
        {"ag_phase", {{"DX", "3"}}, {{"x_phase", 1}, {"y_phase", 1}, {"col", 11}}, area(12, 13)},
        {"ag_phase", {{"DX", "3"}}, {{"x_phase", 1}, {"y_phase", 1}, {"row", 13}}, area(3, 15)},
        {"ag_phase", {}, {{"x_phase", 1}, {"y_phase", 1}, {"col", 11}, {"row", 13}}, area(14, 26)},
        {"ag_rate", {{"CLOCKS", "2"}}, {}, area(2, 2)},
        {"ag_rate", {{"CLOCKS", "16"}}, {}, area(2, 5)},
        {"ag_rate", {{"CLOCKS", "1024"}}, {}, area(4, 11)},
        {"ag_pad", {}, {}, area(98, 78, 0, 0, 1)},
        {"ag_pad", {{"LANES", "4"}}, {}, area(311, 124, 0, 0, 2)},
        {"ag_pad", {{"LANES", "8"}}, {}, area(608, 186, 0, 0, 4)},
        {"ag_pad", {{"WIDTH", "16"}, {"LANES", "2"}}, {}, area(211, 126, 0, 0, 2)},
        {"ag_pad", {{"ROWS", "0"}}, {}, area(80, 68)},
        {"ag_pad", {{"ROWS", "0"}, {"LANES", "4"}}, {}, area(270, 114)},
        {"ag_fold", {}, {}, area(124, 41, 0, 0, 1)},
        {"ag_fold", {{"LANES", "2"}}, {}, area(247, 97, 0, 0, 4)},
        {"ag_fold", {{"LANES", "4"}}, {}, area(439, 157, 0, 0, 16)},
        {"ag_fold", {{"LANES", "8"}}, {}, area(959, 281, 0, 0, 64)},
        {"ag_fold", {{"WIDTH", "16"}, {"DEPTH", "1920"}}, {}, area(137, 42, 0, 0, 4)},
        {"ag_legs", {}, {}, area(93, 58)},
        {"ag_legs", {{"BACK", "1"}}, {}, area(124, 59)},
        {"ag_legs", {{"ADDR_W", "64"}}, {}, area(124, 90)},
        {"ag_skip", {}, {}, area(57, 29)},
        {"ag_skip", {{"LANES", "4"}}, {}, area(107, 44)},
        {"ag_skip", {{"LANES", "8"}}, {}, area(318, 75)},
        {"ag_skip", {{"WIDTH", "16"}, {"LANES", "4"}}, {}, area(201, 76)},
        {"ag_table_fill", {}, {}, area(29, 36)},
        {"ag_axi_guard", {{"STRB_W", "4"}}, {}, area(61, 4)},
        {"ag_div", {{"A_W", "16"}, {"B_W", "16"}}, {}, area(302, 382, 27)},
        {"ag_div", {{"A_W", "16"}, {"B_W", "16"}, {"REMAINDER", "0"}}, {}, area(224, 402, 27)},
        {"ag_div", {{"A_W", "16"}, {"B_W", "8"}}, {}, area(207, 226, 27)},
        {"ag_div", {{"A_W", "8"}, {"B_W", "8"}, {"REMAINDER", "0"}}, {}, area(58, 100, 10)},
        {"ag_sqrt", {{"A_W", "16"}}, {}, area(50, 74, 8)},
        {"ag_sqrt", {{"A_W", "21"}}, {}, area(99, 134, 14)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "16"}}, {}, area(48, 80)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "16"}, {"REMAINDER", "0"}}, {}, area(33, 65)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "17"}, {"REMAINDER", "0"}}, {}, area(33, 49)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"Q_W", "8"}, {"CLOCKS", "8"}, {"REMAINDER", "0"}}, {}, area(33, 49)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "8"}, {"CLOCKS", "16"}, {"REMAINDER", "0"}}, {}, area(25, 49)},
        {"ag_div_loop", {{"A_W", "8"}, {"B_W", "8"}, {"CLOCKS", "8"}}, {}, area(24, 40)},
        {"ag_div_loop", {{"A_W", "8"}, {"B_W", "8"}, {"CLOCKS", "8"}, {"REMAINDER", "0"}}, {}, area(17, 33)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "4"}, {"REMAINDER", "0"}, {"STEPS_PER_CLOCK", "4"}}, {}, area(84, 65)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "4"}, {"REMAINDER", "0"}, {"STEPS_PER_CLOCK", "2"}}, {}, area(116, 113, 1)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "4"}, {"STEPS_PER_CLOCK", "2"}}, {}, area(178, 128, 1)},
        {"ag_div_loop", {{"A_W", "16"}, {"B_W", "16"}, {"CLOCKS", "4"}, {"REMAINDER", "0"}}, {}, area(180, 209, 3)},
        {"ag_sqrt_loop", {{"A_W", "16"}, {"CLOCKS", "8"}}, {}, area(30, 41)},
        {"ag_sqrt_loop", {{"A_W", "16"}, {"CLOCKS", "9"}}, {}, area(30, 33)},
        {"ag_sqrt_loop", {{"A_W", "16"}, {"CLOCKS", "4"}, {"STEPS_PER_CLOCK", "2"}}, {}, area(42, 41)},
        {"ag_sqrt_loop", {{"A_W", "16"}, {"CLOCKS", "4"}}, {}, area(72, 71, 1)},
        {"ag_sqrt_loop", {{"A_W", "21"}, {"CLOCKS", "11"}}, {}, area(41, 56)},
        {"ag_sqrt_loop", {{"A_W", "21"}, {"CLOCKS", "4"}}, {}, area(163, 144, 2)},
        {"ag_rom", {{"WIDTH", "8"}, {"DEPTH", "256"}, {"ADDR_W", "8"}}, {{"data", 8}}, area(31, 8)},
        {"ag_rom", {{"WIDTH", "8"}, {"DEPTH", "256"}, {"ADDR_W", "8"}, {"PORTS", "2"}}, {{"data", 16}}, area(65, 16)},
        {"ag_rom", {{"WIDTH", "8"}, {"DEPTH", "1024"}, {"ADDR_W", "10"}, {"STYLE", "\"distributed\""}}, {{"data", 8}}, area(130, 8)},
        {"ag_rom", {{"WIDTH", "10"}, {"DEPTH", "1024"}, {"ADDR_W", "10"}, {"PORTS", "2"}}, {{"data", 20}}, area(0, 0, 0, 0, 1)},
        {"ag_table_banks", {}, {{"data", 8}}, area(64, 216, 4, 0, 32)},
        {"ag_table_banks", {{"DEPTH", "262144"}, {"ADDR_W", "18"}, {"LATENCY", "9"}, {"PORTS", "2"}}, {{"data", 16}}, area(414, 1458, 32, 0, 128)},
        {"ag_table_banks", {{"WIDTH", "10"}, {"DEPTH", "100000"}, {"ADDR_W", "17"}, {"LATENCY", "9"}}, {{"data", 10}}, area(133, 456, 7, 0, 62)},
        {"ag_axi_lite", {{"ARGS", "8"}}, {{"args", 256}, {"error_code", 32}}, area(222, 430, 0, 32)},
        {"ag_axi_lite", {{"ARGS", "8"}, {"CHECKS", "4"}}, {{"args", 48}, {"error_code", 4}}, area(198, 225, 0, 32)},
        {"ag_axi_lite", {{"ARGS", "25"}, {"CHECKS", "4"}}, {{"args", 380}, {"error_code", 4}}, area(217, 558, 0, 48)},
        {"ag_axi_lite", {{"ARGS", "25"}, {"CHECKS", "4"}}, {{"args", 800}, {"error_code", 32}}, area(244, 978, 0, 48)},
        {"ag_axi_lite", {{"ARGS", "40"}}, {{"args", 1280}, {"error_code", 32}}, area(272, 1456, 0, 48)},
        {"ag_skid", {{"WIDTH", "32"}}, {}, area(35, 66)},
        {"ag_rotate", {}, {}, area(160, 0)},
        {"ag_axi_address", {}, {}, area(117, 86)},
        {"ag_axi_address", {{"ADDR_W", "64"}}, {}, area(198, 150)},
        {"ag_axi_read", {}, {}, area(200, 145, 0, 88)},
        {"ag_axi_read", {{"LANES", "8"}}, {}, area(411, 260, 0, 88)},
        {"ag_axi_read", {{"BUS_BYTES", "16"}, {"LANES", "16"}}, {}, area(776, 386, 0, 172)},
        {"ag_axi_write", {}, {}, area(199, 224, 0, 52)},
        {"ag_axi_write", {{"LANES", "8"}}, {}, area(429, 283, 0, 52)},
        {"ag_axi_write", {{"BUS_BYTES", "16"}, {"LANES", "16"}}, {}, area(805, 417, 0, 100)},
        {"ag_axis_in", {}, {{"s_axis_tkeep", 1}}, area(58, 45, 11)},
        {"ag_axis_in", {{"LANES", "8"}}, {{"s_axis_tkeep", 8}}, area(56, 110, 0, 52)},
        {"ag_axis_out", {{"LANES", "8"}}, {}, area(98, 171)},
        {"ag_gearbox", {{"IN", "4"}, {"OUT", "3"}}, {}, area(127, 85)},
        {"ag_gearbox", {{"IN", "8"}, {"OUT", "6"}}, {}, area(254, 141)},
        {"ag_table_load", {{"WIDTH", "64"}, {"ADDR_W", "16"}}, {}, area(26, 91)},
    };
    for (const Row &r : rows) {
        const Resources estimate = cell_area(r.cell, r.parameters, r.used);
        std::string name = r.cell;
        for (const auto &[key, value] : r.parameters) name += " " + key + "=" + value;
        CAPTURE(name);
        CHECK_MESSAGE(is_near(estimate.lut, r.measured.lut), estimate.lut, " LUT for ", r.measured.lut);
        CHECK_MESSAGE(is_near(estimate.ff, r.measured.ff), estimate.ff, " FF for ", r.measured.ff);
        CHECK_MESSAGE(is_near(estimate.srl, r.measured.srl), estimate.srl, " SRL for ", r.measured.srl);
        CHECK_MESSAGE(is_near(estimate.lutram, r.measured.lutram), estimate.lutram, " LUTRAM for ", r.measured.lutram);
        CHECK(estimate.bram18 == r.measured.bram18);
    }
}

TEST_CASE("cell_area: every cell has a formula") {
    for (const std::string &cell : cell_names()) {
        CAPTURE(cell);
        std::map<std::string, int> used;
        for (const std::string &output : outputs_of_cell(cell)) used[output] = 8;
        const Resources area = cell_area(cell, {}, used);
        CHECK(area.all_luts() + area.bram18 > 0);
    }
    CHECK_THROWS_AS(cell_area("ag_no_cell", {}, {}), std::logic_error);
}

TEST_CASE("unread_low_bits: a guard compares pages") {
    CHECK(unread_low_bits("ag_axi_guard", "low", {}) == 12);
    CHECK(unread_low_bits("ag_axi_guard", "high", {{"PAGE", "256"}}) == 8);
    CHECK(unread_low_bits("ag_axi_guard", "s_addr", {}) == 0);
    CHECK(unread_low_bits("ag_fifo", "s_data", {}) == 0);
}
