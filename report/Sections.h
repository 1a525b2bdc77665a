#ifndef ARGENT_REPORT_SECTIONS_H
#define ARGENT_REPORT_SECTIONS_H

#include "report/Model.h"

#include <string>

/** The page's parts, in its order. Each gives HTML, or nothing if the report does not hold what it shows. */
namespace argent::report {

/** Widest drawing, in pixels: the width of the page's column. */
constexpr double page_width = 1120;

std::string headline(const Report &report, const Accelerator &a);
std::string warnings(const Accelerator &a);
std::string pictures(const Accelerator &a);
std::string dataflow(const Accelerator &a);
std::string timeline(const Accelerator &a);
std::string on_board(const Accelerator &a);
std::string line_buffers(const Accelerator &a);
std::string stage_table(const Accelerator &a);
std::string traffic(const Accelerator &a);
std::string directives(const Accelerator &a);
std::string certificate(const Accelerator &a);

/** The style sheet, light and dark, and the few lines of script (hovering, copying) that the page also works without. */
extern const char *const style_sheet;
extern const char *const script;

}  // namespace argent::report

#endif
