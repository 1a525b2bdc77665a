#include "report/Report.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

/** argent-report report.json report.html: for tools that have put measured or synthesised figures into a report.json. */
int main(int argc, char **argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: argent-report report.json report.html\n");
        return 2;
    }
    try {
        std::ifstream in(argv[1], std::ios::binary);
        if (!in) throw std::runtime_error(fmt::format("{}: could not be opened", argv[1]));
        const std::string html = argent::report_html(nlohmann::json::parse(in));
        std::ofstream out(argv[2], std::ios::binary);
        if (!out.write(html.data(), std::streamsize(html.size())).flush())
            throw std::runtime_error(fmt::format("{}: could not be written", argv[2]));
    } catch (const std::exception &e) {
        fmt::print(stderr, "argent-report: {}\n", e.what());
        return 1;
    }
    return 0;
}
