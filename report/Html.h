#ifndef ARGENT_REPORT_HTML_H
#define ARGENT_REPORT_HTML_H

#include "report/Model.h"

#include <cstdint>
#include <string>
#include <string_view>

/** Text that may stand in HTML and SVG alike, and numbers as people read them. */
namespace argent::report {

/** & < > " ' become entities; control characters, which no XML may hold, become U+FFFD. */
std::string escape(std::string_view text);

/** 1041000 -> "1 041 000" with narrow no-break spaces, and a true minus sign. */
std::string count(int64_t value);

/** At most `decimals` places, none that are 0: 2.50 -> "2.5". Grouped as count(). */
std::string number(double value, int decimals);

/** A decimal integer given as text, grouped as count(); any other text as it is, escaped. */
std::string count_text(const std::string &digits);

/** Bits as "640 bit", "61.5 kbit", "1.2 Mbit". */
std::string bits(int64_t value);

/** "2 rows + 1", "1 row − 4", "7", "0". */
std::string distance(Distance d);

/** "harris.cpp:31", without the folders. */
std::string place(const Source &source);

/** 3 and "tap" -> "3 taps"; 1 -> "1 tap". */
std::string plural(int64_t n, const std::string &noun);

/** "1920 × 1080". */
std::string extents(const std::vector<int64_t> &sizes);

/** `text` cut to `length` characters (UTF-8), the last one an ellipsis if any is lost. */
std::string shorten(const std::string &text, size_t length);

/** Characters, not bytes. */
size_t length(std::string_view text);

}  // namespace argent::report

#endif
