#ifndef ARGENT_REPORT_REPORT_H
#define ARGENT_REPORT_REPORT_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace argent {

/** The JSON is no report: names the place in it and what was expected there.
 *    report.json: accelerators[0].edges[3].to: no stage is named "grad_z" */
struct ReportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** report.html of a report.json (schema: report/README.md): one self-contained page with inline CSS and SVG, no network,
 *  light and dark. The same JSON gives the same bytes. What is absent from the JSON is left out of the page.
 *  Throws ReportError if the JSON is not of the schema. */
std::string report_html(const nlohmann::json &report);

/** "data:image/png;base64,..." of an 8-bit picture for `pictures[].png`. Pixels are interleaved, rows from top to bottom with
 *  no padding; `channels` is 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 (RGBA).
 *  Throws std::invalid_argument for other channels or an empty picture. */
std::string png_data_uri(int width, int height, int channels, const uint8_t *pixels);

}  // namespace argent

#endif
