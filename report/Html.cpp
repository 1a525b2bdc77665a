#include "report/Html.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace argent::report {
namespace {

const char *const thin_space = "\u202f";
const char *const minus = "\u2212";

/** Groups of three; "1041000" and "1041000.5" alike. */
std::string grouped(std::string digits) {
    const bool negative = !digits.empty() && digits[0] == '-';
    if (negative) digits.erase(0, 1);
    size_t whole = std::min(digits.find('.'), digits.size());
    std::string text = negative ? minus : "";
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0 && whole > 4) text += thin_space;
        text += digits[i];
    }
    return text + digits.substr(whole);
}

}  // namespace

std::string escape(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            case '\n':
            case '\t':
                out += c;
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20)
                    out += "\ufffd";
                else
                    out += c;
        }
    }
    return out;
}

std::string count(int64_t value) {
    return grouped(std::to_string(value));
}

std::string number(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : grouped(text);
}

std::string count_text(const std::string &digits) {
    const size_t sign = !digits.empty() && digits[0] == '-';
    const bool integer =
        digits.size() > sign && digits.find_first_not_of("0123456789", sign) == std::string::npos;
    return integer ? grouped(digits) : escape(digits);
}

std::string bits(int64_t value) {
    if (value < 10000) return count(value) + " bit";
    if (value < 1000000) return number(double(value) / 1e3, 1) + " kbit";
    return number(double(value) / 1e6, 2) + " Mbit";
}

std::string distance(Distance d) {
    if (d.rows == 0) return count(d.cols);
    std::string text = count(d.rows) + (std::abs(d.rows) == 1 ? " row" : " rows");
    if (d.cols > 0) text += " + " + count(d.cols);
    if (d.cols < 0) text += std::string(" ") + minus + " " + count(-d.cols);
    return text;
}

std::string place(const Source &source) {
    const size_t slash = source.file.find_last_of('/');
    const std::string file =
        slash == std::string::npos ? source.file : source.file.substr(slash + 1);
    return source.line > 0 ? fmt::format("{}:{}", file, source.line) : file;
}

std::string plural(int64_t n, const std::string &noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
}

std::string extents(const std::vector<int64_t> &sizes) {
    std::string text;
    for (const int64_t size : sizes) text += (text.empty() ? "" : " × ") + count(size);
    return text;
}

size_t length(std::string_view text) {
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string shorten(const std::string &text, size_t limit) {
    if (length(text) <= limit) return text;
    size_t bytes = 0;
    for (size_t characters = 0; bytes < text.size(); bytes++) {
        if ((text[bytes] & 0xc0) != 0x80 && ++characters == limit) break;
    }
    return text.substr(0, bytes) + "…";
}

}  // namespace argent::report
